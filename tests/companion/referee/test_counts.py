"""What people count shows what was only thought to be so: an empty hand, an empty stack."""

from __future__ import annotations

from typing import Any

import pytest
from support.scripted_table import ScriptedTable

from companion.games.registry import demo_deck, open_match
from companion.public.updates import Signal
from companion.referee.commands import CorrectCounts
from companion.referee.updates import told_texts

POOL = ("C33", "C34", "C35", "C36", "C37")


def opening(profile: str, hands: tuple[int, int, int], stack: int, pool: tuple[str, ...] = POOL) -> ScriptedTable:
    """Ana, Ben and Cy, who have counted; the pool lies there, and it is Ana's turn."""
    match: dict[str, Any] = {"profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cy")], "dealer": 3}
    table = ScriptedTable(open_match(match, demo_deck()).game)
    table.look(2, **dict.fromkeys(pool, "pool"))
    counts(table, hands, stack)
    return table


def counts(table: ScriptedTable, hands: tuple[int, int, int], stack: int) -> None:
    table.say(CorrectCounts((("hands", hands), ("stack", stack))))


def known(table: ScriptedTable) -> tuple[object, object, object]:
    standing = table.match.standing
    return standing.points, standing.counters["hands"], standing.counters["stack"]


@pytest.mark.parametrize(("later", "held", "left"), [((), 1, 37), (("C12",), 1, 36)])
def test_a_trump_for_an_empty_hand_goes_when_that_hand_is_counted_and_was_not_empty(
    later: tuple[str, ...], held: int, left: int
) -> None:
    """Ana had stolen cards in the dark, and others were drawn for them: what seemed to be her last card was not."""
    table = opening("fr-explore", (1, 5, 5), 38)
    table.look(2, C11="tree")
    assert known(table) == ((4, 0, 0), (5, 5, 5), 33), "a point, three for the trump, and five cards drawn"
    for card in later:
        table.look(2, **{card: "tree"})
    points = table.match.standing.points[0]
    counts(table, (held, 5, 5), left)
    assert known(table) == ((points - 3, 0, 0), (held, 5, 5), left)
    assert table.match.standing.counters["trumps"] == 0
    assert table.match.standing.turn == 1
    assert [text.key for text in table.news[-1].texts][:2] == ["referee.counted.host", "discovery.caption.place"]
    told = [text.key for texts in told_texts(table.game, table.match.record).values() for text in texts]
    assert "referee.struck" not in told, "nobody undid a card"


@pytest.mark.parametrize(("hands", "left"), [((5, 5, 5), 33), ((6, 5, 5), 32), ((5, 6, 4), 33), ((4, 5, 6), 33)])
def test_a_trump_for_an_empty_hand_stays_where_its_player_has_drawn(hands: tuple[int, int, int], left: int) -> None:
    """Something else had gone astray since, or before."""
    table = opening("fr-explore", (1, 5, 5), 38)
    table.look(2, C11="tree")
    counts(table, hands, left)
    assert known(table) == ((4, 0, 0), hands, left)
    assert table.match.standing.counters["trumps"] == 1


def test_what_was_counted_before_an_act_is_certain() -> None:
    table = opening("fr-explore", (1, 5, 5), 38)
    table.look(2, C11="tree")
    counts(table, (5, 5, 5), 33)
    counts(table, (1, 5, 5), 37)
    assert known(table) == ((4, 0, 0), (1, 5, 5), 37)


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "fr-explore"])
def test_a_card_that_comes_from_a_stack_which_was_held_to_be_empty_counts_and_people_are_asked_to_count(
    profile: str,
) -> None:
    """Somebody had drawn less than was thought: "Take 5-1 away." """
    table = opening(profile, (20, 20, 9), 0, pool=("C12", *POOL[1:]))
    table.look(2, C12="pile" if profile == "en-memory" else "tree")
    assert None not in table.match.public.pool, "nothing is left to fill the gap with"
    table.look(4, C51="pool")
    assert Signal.MISPLACED not in table.signals
    assert [text.key for text in table.news[-1].texts] == ["referee.was_left"]
    assert "5-1" in table.match.public.pool
    assert known(table)[1:] == ((19, 20, 9), 0)
    counts(table, (20, 18, 9), 1)
    assert known(table)[1:] == ((20, 18, 9), 1)


def test_a_sixth_card_in_the_pool_is_to_be_taken_away_all_the_same() -> None:
    table = opening("en-intro", (20, 20, 9), 0)
    table.look(4, C51="pool")
    assert Signal.MISPLACED in table.signals
