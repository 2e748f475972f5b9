"""The page of a stored match of a game without pages of its own: things have their names, and refusals their words."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from support.door import come_in
from support.spoken_table import SpokenTable

from companion.games.noughts.module import NOUGHTS
from companion.games.protocol import Effect, GameWords, PlainMove
from companion.public.table import Seat
from companion.public.text import Text
from web.pages.plain import read_report


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


@dataclass(frozen=True)
class Rest(PlainMove):
    """A move without a thing: a button on a phone."""

    do: ClassVar[str] = "rest"
    by: Seat


def with_rest(game: Any) -> Any:
    """The toy game, in which a seat may also rest; its words for that are those of the arrow."""
    rules, words = game.rules, game.words

    def apply(state: Any, move: Any, at: Any) -> Any:
        return Effect(replace(state, turn=Seat(3 - move.by))) if move.do == "rest" else rules.apply(state, move, at)

    def caption(public: Any, move: Any, effect: Any) -> Any:
        told = Text("noughts.did.turn", {"points": effect.points})
        return (told,) if move.do == "rest" else words.caption(public, move, effect)

    return replace(
        game,
        rules=replace(
            rules,
            moves={**rules.moves, "rest": Rest},
            judge=lambda public, move, at: () if move.do == "rest" else rules.judge(public, move, at),
            apply=apply,
        ),
        words=GameWords(caption=caption, reason=words.reason, place_name=words.place_name),
    )


def test_a_move_without_a_thing_is_told_by_the_game_s_own_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its button says, or nothing at all, stood behind the name there."""
    module = replace(NOUGHTS, open=lambda match, deck: with_rest(NOUGHTS.open(match, deck)))
    come_in(monkeypatch, module)
    with closing(SpokenTable(tmp_path)) as table:
        table.opens(dict(NOUGHTS.demonstration.match))
        table.say({"do": "lay", "by": 0, "card": "ARROW", "x": 0, "y": 0})
        table.say({"do": "lay", "by": 0, "card": "STAR", "x": 1, "y": 0})
        table.say({"do": "rest", "by": 1})
        match = table.desk.match.current()["id"]
        page = table.client.get(f"/matches/{match}", headers={"Authorization": f"Bearer {table.codes[None]}"}).text
    assert "<span>Ana: The arrow is turned: 0.</span>" in page
