"""No card is in two places, and a seat that gets empty leaves the turn with whoever has it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.discovery_match import table

from companion.errors import InputError
from companion.games.discovery.moves import Interrupt, Joker, Place
from companion.games.discovery.state import OwedAct, lying_twice
from companion.games.protocol import MoveContext
from companion.public.table import CardId, Seat

HANDS = [4, 5, 6]
POOL = ["1-3", "1-6", "1-7", "2-2", "2-3"]


def test_of_all_cards_those_are_named_that_are_in_two_places() -> None:
    position = table("fr-explore", tree=["1-1", "1-2"], pool=POOL).state.position
    assert lying_twice(position) == frozenset()
    twice = replace(position, discards=((CardId("1-1"),), (CardId("1-6"),), ()))
    assert lying_twice(twice) == {"1-1", "1-6"}
    called = replace(position, turns=(replace(position.turn, called=CardId("1-2")),))
    assert lying_twice(called) == {"1-2"}


@pytest.mark.parametrize(("turn", "leaves", "then"), [(2, 2, 3), (3, 3, 1), (2, 1, 2), (2, 3, 2), (1, 3, 1), (3, 1, 3)])
def test_only_where_the_seat_at_turn_gets_empty_the_next_one_has_the_turn(turn: int, leaves: int, then: int) -> None:
    """Y3: the hand goes under the stack, and the seat is passed over."""
    evening = table("fr-explore", turn=turn, tree=["1-1", "1-2"], pool=POOL, hands=HANDS, stack=20)
    after = evening.game.rules.seat(evening.state, Seat(leaves), False, MoveContext(1)).position
    assert after.turn.seat == then
    assert after.away == {leaves}
    assert after.hands == tuple(0 if seat == leaves else HANDS[seat - 1] for seat in (1, 2, 3))
    assert after.stack == 20 + HANDS[leaves - 1]


def test_what_a_seat_that_gets_empty_owes_falls_away_and_nothing_else() -> None:
    evening = table("fr-explore", hands=HANDS, stack=20)
    debts = tuple(OwedAct(Seat(seat), "discard") for seat in (1, 2, 3))
    state = replace(evening.state, position=replace(evening.state.position, owed=debts))
    after = evening.game.rules.seat(state, Seat(2), False, MoveContext(1)).position
    assert [debt.seat for debt in after.owed] == [1, 3]


def test_nobody_leaves_while_somebody_has_an_extra_turn() -> None:
    evening = table("fr-explore", turn=1, tree=["1-1", "1-2"], pool=POOL, hands=HANDS, stack=20, jokers=1)
    evening.play(Interrupt(Seat(2), CardId("J1")))
    for leaves in (1, 2, 3):
        with pytest.raises(InputError, match="finish the extra turn, or the call, first"):
            evening.game.rules.seat(evening.state, Seat(leaves), False, MoveContext(2))


@pytest.mark.parametrize(
    ("source", "zone"), [("hand", None), ("called", None), ("pool", "pool"), ("discard-2", "discard-2")]
)
def test_a_card_from_a_hand_came_from_no_place_that_can_be_seen(source: str, zone: str | None) -> None:
    assert Place(Seat(1), CardId("1-1"), source).origin_zone == zone
    assert Joker(Seat(1), CardId("J1"), source).origin_zone == zone
