"""What a page brings along for its scripts: what it shows, and nothing of other games."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.real_desk import RealDesk, code_of

from companion.games import registry
from companion.public.service import Role, User

GAMES = {one.name for one in registry.GAMES.values()}


def start_of(client: FlaskClient, path: str, code: str | None = None) -> dict[str, Any]:
    """The data that the scripts of a page start with."""
    text = client.get(path, headers={"Authorization": f"Bearer {code}"} if code else {}).get_data(as_text=True)
    found = re.search(r'<script type="application/json" id="start">(.*?)</script>', text, re.DOTALL)
    assert found, text
    start: dict[str, Any] = json.loads(html.unescape(found.group(1)))
    return start


@pytest.mark.parametrize("path", ["/", "/watch", "/tv", "/overlay", "/seat"])
def test_a_page_at_the_table_knows_the_words_of_its_own_game_alone(path: str, client: FlaskClient):
    words = start_of(client, path, code_of(1) if path == "/seat" else None)["words"]
    game = start_of(client, "/watch")["match"]["game"]
    assert {"end", "alert", "refused"} <= {key.partition(".")[0] for key in words}
    assert not {key for key in words if key.partition(".")[0] in GAMES - {game}}


def test_the_page_with_the_picture_brings_no_more_of_the_cards_than_it_shows(client: FlaskClient, desk: RealDesk):
    desk.shown = b"picture"
    desk.setup.shown.allow(User(Role.HOST), True)
    shown, board = start_of(client, "/"), start_of(client, "/watch")
    assert {card["name"] for card in shown["match"]["cards"]} == {card["name"] for card in board["match"]["cards"]}
    assert any("prerequisites" in card for card in board["match"]["cards"])
    assert not any({"prerequisites", "source"} & set(card) for card in shown["match"]["cards"])


def test_what_is_said_first_is_told_once(client: FlaskClient, desk: RealDesk):
    """It is another update only if a notice has come since."""
    start = start_of(client, "/watch")
    assert start["said"] is None
    assert start["now"]["texts"]
