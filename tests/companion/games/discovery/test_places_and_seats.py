"""No card is in two places, and a seat that gets empty leaves the turn with whoever has it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.discovery_match import table

from companion.games.discovery.state import lying_twice
from companion.games.protocol import MoveContext
from companion.public.table import CardId, Seat

HANDS = [4, 5, 6]
POOL = ["1-3", "1-6", "1-7", "2-2", "2-3"]


def test_of_all_cards_those_are_named_that_are_in_two_places() -> None:
    position = table("fr-explore", tree=["1-1", "1-2"], pool=POOL).state.position
    assert lying_twice(position) == frozenset()
    twice = replace(position, discards=((CardId("1-1"),), (CardId("1-6"),), ()))
    assert lying_twice(twice) == {"1-1", "1-6"}


@pytest.mark.parametrize(("turn", "leaves", "then"), [(2, 2, 3), (3, 3, 1), (2, 1, 2), (2, 3, 2), (1, 3, 1), (3, 1, 3)])
def test_only_where_the_seat_at_turn_gets_empty_the_next_one_has_the_turn(turn: int, leaves: int, then: int) -> None:
    """Y3: the hand goes under the stack, and the seat is passed over."""
    evening = table("fr-explore", turn=turn, tree=["1-1", "1-2"], pool=POOL, hands=HANDS, stack=20)
    after = evening.game.seat(evening.state, Seat(leaves), False, MoveContext(1)).position
    assert after.turn.seat == then
    assert after.away == {leaves}
    assert after.hands == tuple(0 if seat == leaves else HANDS[seat - 1] for seat in (1, 2, 3))
    assert after.stack == 20 + HANDS[leaves - 1]
