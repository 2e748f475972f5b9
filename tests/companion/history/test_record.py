"""The record is a fold over the log: what corrections leave is what an evening without the mistake would be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from support.discovery_match import table
from support.toy_game import CARDS, EndTurn, Place, stairs

from companion.errors import InputError
from companion.games.discovery import moves as act
from companion.games.protocol import MoveContext
from companion.history.corrections import undo_events, why_broken
from companion.history.events import Allowed, Claimed, Entry, Played, Refused, Struck
from companion.history.record import append, begin, replay, unlawful_moves
from companion.public.table import Seat

pytestmark = pytest.mark.core

GAME = stairs()


def evening(*moves):
    record = begin(GAME)
    for move in moves:
        at = MoveContext(record.next_number)
        event = Refused(move) if GAME.rules.judge(record.state, move, at) else Played(move)
        record = append(GAME, record, Entry(at.number, event))
    return record


def placed(n, by):
    return Place(Seat(by), CARDS[n - 1], "hand")


ANA, BEN = EndTurn(Seat(1)), EndTurn(Seat(2))


def test_a_struck_move_is_as_if_it_had_never_been():
    record = evening(placed(1, 1), ANA, placed(2, 2))
    record = append(GAME, record, Entry(4, Struck(3)))
    assert record.state == evening(placed(1, 1), ANA).state
    assert record.lines[2].standing.points == (1, 1), "history keeps what was said then"
    assert record.lines[3].standing.points == (1, 0)


def test_a_struck_strike_is_a_redo():
    record = evening(placed(1, 1), ANA, placed(2, 2))
    known = record.state
    record = append(GAME, append(GAME, record, Entry(4, Struck(3))), Entry(5, Struck(4)))
    assert record.state == known


def test_an_allowed_card_counts_from_where_it_was_laid():
    record = evening(placed(2, 1), ANA)
    record = append(GAME, record, Entry(3, Allowed(1)))
    assert record.state.tree == ("1-2",)
    assert record.state.points == (1, 0)
    assert unlawful_moves(record) == ()


def test_striking_the_allowance_takes_it_back():
    record = evening(placed(2, 1), ANA)
    record = append(GAME, append(GAME, record, Entry(3, Allowed(1))), Entry(4, Struck(3)))
    assert record.state.tree == ()


def test_a_claimed_card_is_the_claimers():
    record = evening(placed(1, 2), ANA)
    record = append(GAME, record, Entry(3, Claimed(1, Seat(1))))
    assert record.state.points == (1, 0)
    assert record.acts[1].move.by == 1


def test_what_a_deep_correction_leaves_without_ground_is_named():
    record = evening(placed(1, 1), ANA, placed(2, 2), BEN, placed(3, 1))
    record = append(GAME, record, Entry(6, Struck(1)))
    assert {act.entry.number: [o.cards for o in act.objections] for act in unlawful_moves(record)} == {
        3: [("1-1",)],
        5: [("1-1",)],
    }


def test_a_card_refused_and_taken_back_does_not_count_because_something_else_was_corrected():
    record = evening(placed(1, 1), placed(2, 1), ANA)  # the second card had no link
    record = append(GAME, record, Entry(4, Struck(1)))
    assert record.state.tree == ()


@pytest.mark.parametrize("number", [-9, -1, 0, 4, 5, 300])
def test_striking_an_entry_that_there_is_not_strikes_nothing_else_and_is_refused_in_words(number):
    record = evening(placed(1, 1), ANA, placed(2, 2))
    struck = undo_events(GAME, record, number, Seat(1), None)
    assert struck == (Struck(number, Seat(1)),)
    why = why_broken(GAME, record, struck, None)
    assert why is not None
    assert why.key == "referee.cannot"


@pytest.mark.parametrize("before", [0, 1, 2])
def test_with_a_card_out_of_the_pool_falls_the_card_that_filled_its_place_whichever_entry_it_is(before):
    """ "If you place a card from the pool, you immediately replace it" (E:105-106): not one without the other."""
    game = table(pool=["1-1", "1-2", "1-3", "1-4", "1-5"], hold=["1-6"]).game
    record = begin(game)
    passes = [act.Pass(1), act.Pass(2)][:before]
    for move in (*passes, act.Place(before + 1, "1-1", "pool"), act.Refill(0, "1-6")):
        assert game.rules.judge(game.public(record.state), move, MoveContext(record.next_number)) == ()
        record = append(game, record, Entry(record.next_number, Played(move)))
    card, filled = Struck(before + 1), Struck(before + 2)
    assert undo_events(game, record, card.number, None, None) == (filled, card)
    assert undo_events(game, record, filled.number, None, None) == (filled,)


events = st.lists(
    st.one_of(
        st.builds(Played, st.builds(placed, st.integers(1, 6), st.integers(1, 2))),
        st.builds(Refused, st.builds(placed, st.integers(1, 6), st.integers(1, 2))),
        st.sampled_from([Played(ANA), Played(BEN)]),
        st.builds(Allowed, st.integers(1, 30)),
        st.builds(Struck, st.integers(1, 30)),
        st.builds(Claimed, st.integers(1, 30), st.sampled_from([Seat(1), Seat(2)])),
    ),
    max_size=30,
)


@settings(max_examples=300)
@given(events)
def test_fold_and_replay_are_the_same(listed):
    folded = begin(GAME)
    for event in listed:
        if getattr(event, "number", 0) < folded.next_number:
            try:
                folded = append(GAME, folded, Entry(folded.next_number, event))
            except InputError:
                continue  # it names nothing that it could correct
    assert folded == replay(GAME, [line.entry for line in folded.lines])


@settings(max_examples=300)
@given(events)
def test_striking_the_last_entry_brings_back_the_state_before_it(listed):
    record = begin(GAME)
    for event in listed:
        if getattr(event, "number", 0) >= record.next_number:
            continue
        before = record.state
        try:
            record = append(GAME, record, Entry(record.next_number, event))
        except InputError:
            continue  # it names nothing that it could correct
        struck = append(GAME, record, Entry(record.next_number, Struck(record.next_number - 1)))
        assert struck.state == before
