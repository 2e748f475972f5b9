"""A form opens on what was just done: the box that was just entered, and the game for a first evening."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from support.real_desk import HOST, HOST_CODE, RealDesk

from companion.errors import LogError
from companion.games.registry import demo_deck
from companion.public.i18n import Translations
from companion.public.service import Done
from web.app import close, create_app


@pytest.fixture
def desk() -> Iterator[RealDesk]:
    desk = RealDesk(running=False)
    yield desk
    desk.close()


@pytest.fixture
def host(desk: RealDesk, words: Translations) -> Iterator[FlaskClient]:
    app = create_app(desk, words)
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {HOST_CODE}"
    yield client
    close(app)


def keep(desk: RealDesk, name: str, cards: int = 54, saved_s: int | None = None) -> None:
    deck = demo_deck()
    deck["deck"] = {**deck["deck"], "name": name}
    deck["card"] = deck["card"][:cards]
    kept = desk.decks.save_deck(HOST, name, deck)
    assert isinstance(kept, Done), kept
    if saved_s is not None:
        os.utime(next(desk.folder.rglob(f"{name}.toml")), (saved_s, saved_s))


def chosen(host: FlaskClient, path: str, select: str = "deck") -> str:
    html = host.get(path).get_data(as_text=True)
    options = re.search(rf'<select name="{select}">(.*?)</select>', html, re.DOTALL)
    assert options, path
    found = re.search(r'<option value="([^"]*)" selected', options[1])
    return found[1] if found else ""


@pytest.mark.parametrize("path", ["/setup", "/host", "/check", "/print"])
def test_the_box_that_was_entered_last_is_chosen(path: str, host: FlaskClient, desk: RealDesk):
    """« "Our box (54/54)" was just entered; "Which cards?" stands on the demo deck »"""
    keep(desk, "our-box", saved_s=2_000_000_000)
    keep(desk, "an-older-box", saved_s=1_000_000_000)
    keep(desk, "half-a-box", cards=20)
    assert chosen(host, path).removesuffix(".toml") == "our-box"


def profile(host: FlaskClient) -> str:
    found = re.search(r'name="profile" value="([\w-]+)" checked', host.get("/setup").get_data(as_text=True))
    assert found
    return found[1]


def test_the_first_evening_begins_with_the_introduction(host: FlaskClient, desk: RealDesk):
    """« and the game on Explore, though Intro is "Good for a first evening" »"""
    assert profile(host) == "en-intro"


def test_later_evenings_begin_with_explore(host: FlaskClient, desk: RealDesk):
    played = (Path(__file__).parents[1] / "vectors" / "evening-fr-explore.jsonl").read_text("utf-8")
    assert isinstance(desk.archive.import_record(HOST, played), Done)
    assert profile(host) == "en-explore"


def test_a_match_at_the_table_goes_before(host: FlaskClient, desk: RealDesk):
    """Its deck and its profile are those of the next match, too."""
    keep(desk, "our-box")
    started = desk.match.start(HOST, {"profile": "en-memory", "seat": [{"name": "Ana"}, {"name": "Ben"}]})
    assert isinstance(started, Done), started
    assert (chosen(host, "/host"), profile(host)) == ("", "en-memory")


def test_a_shelf_that_cannot_be_read_keeps_nobody_from_beginning(
    host: FlaskClient, desk: RealDesk, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> object:
        raise LogError("the disk cannot be read")

    monkeypatch.setattr(type(desk.archive), "matches", broken)
    assert host.get("/host").status_code == 200
    assert profile(host) == "en-explore"
