""" "Stop tonight, go on tomorrow: on resuming, a list of what to lay out, ticked off as it is seen"."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from support.scripted_table import ScriptedTable

from companion.games.registry import demo_deck, open_match
from companion.history.codec import decode_entry
from companion.history.events import Entry, Played
from companion.public.table import Change, Zone
from companion.public.updates import Alert

EVENING = Path(__file__).parents[2] / "vectors" / "evening-fr-explore.jsonl"


def tonight(stops: str) -> tuple[Any, list[Entry], list[Entry]]:
    """A real evening as far as tonight, with cards in the tree, in the pool and in discards; and what came after it.

    Args:
        stops: The kind of act after which everybody goes to bed.
    """
    header, *documents = (json.loads(line) for line in EVENING.read_text(encoding="utf-8").splitlines())
    game = open_match(header["match"], header["deck"]).game
    entries = [decode_entry(game, document, number) for number, document in enumerate(documents, 1)]
    for number in range(len(entries) // 3, len(entries)):
        zones = {place.partition("-")[0] for place in lying(game, entries[:number]).values()}
        last = entries[number - 1].event
        if zones >= {"tree", "pool", "discard"} and isinstance(last, Played) and last.move.do == stops:
            return game, entries[:number], entries[number:]
    raise AssertionError("this evening has no such moment")


def lying(game: Any, entries: list[Entry]) -> dict[str, str]:
    """Token to zone: what lies on the table after these entries."""
    from companion.history.record import replay

    tokens = {card: token for token, card in game.table.cards.items()}
    expected = game.table.expected(game.public(replay(game, entries).state))
    return {tokens[card]: zone for card, zone in expected.cards.items()}


@pytest.mark.parametrize("stops", ["end_turn", "place", "refill"])
@pytest.mark.parametrize("seed", [1, 2])
def test_an_evening_goes_on_tomorrow_on_a_table_laid_out_by_the_list(stops: str, seed: int):
    game, entries, later = tonight(stops)
    laid_out = lying(game, entries)
    table = ScriptedTable(game, entries=list(entries), time_s=5000.0)
    table.look(10)
    assert table.entries == entries, "clearing the table overnight is no act"
    assert table.news[-1].alert is Alert.DISAGREES
    assert {text.params["card"] for text in table.news[-1].instructions} == {
        game.table.cards[token] for token in laid_out
    }
    zones = {str(text.params["zone"].key) for text in table.news[-1].instructions}
    assert zones == {"discovery.zone.tree", "discovery.zone.pool", "discovery.zone.discard"}

    order = sorted(laid_out)
    random.Random(seed).shuffle(order)
    for left, token in reversed(list(enumerate(order))):
        table.look(0.5, hand=True)
        if left == len(order) // 2:  # somebody errs, and nothing is said but that it still stands on the list
            table.look(3, **{token: "pool" if laid_out[token] != "pool" else "tree"})
            assert len(table.news[-1].instructions) == left + 1
        table.look(1, **{token: laid_out[token]})
        assert len(table.news[-1].instructions) == left
    assert table.news[-1].alert is Alert.NONE
    assert table.entries == entries

    table.look(30)
    assert table.entries == entries, "nothing of it is news"
    card = next_placed(table, later)
    table.look(2, **card)
    assert isinstance(table.entries[-1].event, Played)
    assert table.entries[-1].event.move.do == "place"
    assert table.entries[-1].time_s == pytest.approx(table.match.record.last_time_s)
    assert table.entries[-1].time_s >= max(entry.time_s or 0 for entry in entries)


def next_placed(table: ScriptedTable, later: list[Entry]) -> dict[str, str]:
    """The next card that the evening brought into the tree, after the words that were said before it."""
    from companion.history.events import Origin
    from companion.referee.commands import MakeMove

    tokens = {card: token for token, card in table.game.table.cards.items()}
    for entry in later:
        move = getattr(entry.event, "move", None)
        if move is not None and move.do == "place":
            return {str(tokens[move.card]): "tree"}
        if move is not None and move.do == "refill":
            table.look(2, **{str(tokens[move.card]): "pool"})
        elif move is not None:
            table.say(MakeMove(move, Origin.PHONE))
    raise AssertionError("nothing more was laid that evening")


def test_a_whole_series_taken_back_at_once_is_no_cleared_table():
    """ "Taking the last cards of the turn in play back off the table, newest first ... undoes them." """
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    game = open_match(match, demo_deck()).game
    table = ScriptedTable(game)
    table.look(3, C21="pool", C22="pool", C23="pool", C24="pool", C25="pool")
    while len(table.match.record.state.position.tree) < 3:
        before = len(table.entries)
        for token in sorted(set(game.table.cards) - set(table.lying)):
            move = game.table.interpretations(table.match.public, Change(game.table.cards[token], None, Zone("tree")))
            if move and not game.rules.judge(table.match.public, move[0], table.match.record.next_context(None)):
                table.look(2, **{str(token): "tree"})
                break
        assert len(table.entries) > before, "no series of three can be laid from the hand"
    laid = [token for token, zone in table.lying.items() if zone == "tree"]
    table.look(8, **dict.fromkeys(laid))
    assert table.match.record.state.position.tree == ()
    assert table.news[-1].alert is Alert.NONE
