"""The page of a stored match of a game without pages of its own: things have their names, and refusals their words."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from support.door import come_in
from support.spoken_table import SpokenTable

from companion.games.noughts.module import NOUGHTS
from web.plain_game import read_report


def test_cards_have_the_names_of_their_deck() -> None:
    deck = {
        "deck": {"game": "sevens"},
        "card": [{"id": "C07", "name": {"en": "seven of clubs", "fr": "sept de trèfle"}}],
    }
    lines = [json.dumps({"record": 1, "match": {"game": "sevens", "seat": [{"name": "Ana"}]}, "deck": deck})]
    _, names = read_report(lines)
    assert (names.card("C07", "fr"), names.seat(1)) == ("sept de trèfle", "Ana")


def test_a_refusal_of_a_rule_without_a_name_says_what_players_were_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    come_in(monkeypatch, NOUGHTS)
    with closing(SpokenTable(tmp_path)) as table:
        table.opens(dict(NOUGHTS.demonstration.match))
        for by, card, x, y in ((0, "ARROW", 0, 0), (0, "STAR", 1, 0), (1, "O1", 5, 3)):
            table.say({"do": "lay", "by": by, "card": card, "x": x, "y": y})
        match = table.desk.match.current()["id"]
        page = table.client.get(f"/matches/{match}", headers={"Authorization": f"Bearer {table.codes[None]}"}).text
    assert "<span>Ana: It touches nothing.</span>" in page  # among the moments of the replay
    assert '<span class="chip era-O">O1</span> It touches nothing.' in page  # among what was refused
