"""A hub's pages in a real browser: nobody is kept out of them, and they follow the tables by themselves."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from support.browser import violations
from support.large_text import BROKEN_WORDS, MEASURED, SMALL_TARGETS
from support.long_cases import rest_long
from werkzeug.serving import make_server

pytest.importorskip("alembic")

from companion.plugins.hub.live_tables import Room
from companion.plugins.hub.store import TournamentStore

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Visit = Callable[..., "Page"]
PLAYERS = "Ana\nBen\nCléo\nDora"
RENEWED_MS = 5_000


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    serving.join()
    server.server_close()


def publish(tables: Room, topic: str, points: tuple[int, ...], alert: str = "none", *winners: int) -> None:
    """What a table with a match under way tells, or one whose match these seats have won."""
    seats = [{"number": number, "name": name} for number, name in enumerate(PLAYERS.split("\n")[: len(points)], 1)]
    told = {
        "match": {"match": "m", "game": "discovery", "seats": seats},
        "standing": {"turn": 2, "points": points, "winners": winners, "over": bool(winners)},
        "needs": {"needs": alert != "none", "alert": alert},
    }
    tables.receive(topic, "available", b"online")
    for what, values in told.items():
        tables.receive(topic, what, json.dumps(values).encode())


def begun(organiser: FlaskClient, store: TournamentStore) -> None:
    """A tournament with its first round played at one of two tables."""
    organiser.post("/tournaments", data={"name": "Cup", "smallest": "2", "largest": "2"})
    result = {"do": "result", "round": 1, "table": 1, "points-1": "9", "points-2": "4"}
    for told in ({"do": "enter", "names": PLAYERS}, {"do": "pair"}, result):
        answer = organiser.post("/tournaments/1", data={**told, "after": store.tournament(1).entries})
        assert answer.status_code == 303


@pytest.mark.usefixtures("axe")
@pytest.mark.parametrize(
    ("scheme", "locale"),
    rest_long([("light", "fr-FR"), ("dark", "en-GB"), ("light", "en-GB"), ("dark", "fr-FR")]),
)
@pytest.mark.parametrize("state", ["empty", "play"])
def test_nobody_is_kept_out_of_a_hub(
    state: str,
    scheme: str,
    locale: str,
    address: str,
    tables: Room,
    organiser: FlaskClient,
    store: TournamentStore,
    visit: Visit,
):
    paths = ["/", "/wall"]
    if state == "play":
        begun(organiser, store)
        publish(tables, "kitchen", (3, 4, 0))
        publish(tables, "attic", (3, 4), "refused")
        publish(tables, "hall", (40, 31), "none", 1)
        publish(tables, "shed", (40, 31))
        tables.receive("shed", "available", b"offline")
        paths += ["/tournaments/1", "/tournaments/1/players/1", "/tournaments/1/slips", "/nowhere"]
    found = {}
    for who in ("guest", "organiser"):
        page = visit(address, scheme=scheme, locale=locale, expected=("404",), bypass_csp=True)
        if who == "organiser":
            page.goto(f"{address}/organiser/{store.code}")
        for path in paths:
            page.goto(address + path)
            page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            page.evaluate("document.getElementById('lost').hidden = false")
            found[who, path] = violations(page)
        page.context.close()
    assert {where: told for where, told in found.items() if told} == {}


@pytest.mark.parametrize("percent", rest_long([200, 150, 100]))
@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_every_page_of_a_hub_reads_in_large_text_and_can_be_touched_on_the_smallest_phone(
    percent: int, locale: str, address: str, tables: Room, organiser: FlaskClient, store: TournamentStore, visit: Visit
):
    """An organiser walks about with a phone: nothing is beyond the edge, and a finger hits what it is to press."""
    begun(organiser, store)
    publish(tables, "the-long-table-in-the-conservatory", (3, 4, 0, 12))
    publish(tables, "attic", (3, 4), "refused")
    publish(tables, "hall", (1040, -31), "none", 1)
    tables.receive("hall", "available", b"offline")
    paths = ["/", "/wall", "/tournaments/1", "/tournaments/1/players/1", "/tournaments/1/slips", "/nowhere"]
    found = {}
    page = visit(address, locale=locale, expected=("404",))
    page.set_viewport_size({"width": 320, "height": 640})
    for who in ("guest", "organiser"):
        if who == "organiser":
            page.goto(f"{address}/organiser/{store.code}")
        for path in paths:
            page.goto(address + path)
            page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
            page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            page.evaluate("document.getElementById('lost').hidden = false")
            found[who, path] = [*page.evaluate(MEASURED), *page.evaluate(BROKEN_WORDS), *page.evaluate(SMALL_TARGETS)]
    assert {where: told for where, told in found.items() if told} == {}


def test_a_room_follows_its_tables_and_the_focus_stays(address: str, tables: Room, visit: Visit):
    """A page that is loaded anew sends the keyboard back to its top, and goes when the hub does."""
    from playwright.sync_api import expect

    publish(tables, "kitchen", (3, 4))
    page = visit("about:blank", expected=("ERR_INTERNET_DISCONNECTED",))
    page.clock.install()
    page.goto(address)
    focused = page.get_by_role("link", name="The wall")
    focused.focus()
    first = page.locator(".table", has_text="kitchen").locator(".points b").first
    expect(first).to_have_text("3")
    publish(tables, "kitchen", (7, 4))
    publish(tables, "attic", (0, 0))
    page.clock.run_for(RENEWED_MS)
    expect(first).to_have_text("7")
    expect(page.locator(".table")).to_have_count(2)
    expect(focused).to_be_focused()

    page.context.set_offline(True)
    page.clock.run_for(RENEWED_MS)
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator(".table")).to_have_count(2)
    page.context.set_offline(False)
    page.clock.run_for(RENEWED_MS)
    expect(page.locator("#lost")).to_be_hidden()
