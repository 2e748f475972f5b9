"""A move and an entry are the same after writing and reading; what is wrong is named by its key."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st
from support.toy_game import CARDS, Deal, EndTurn, Place, Refill, stairs

from companion.errors import InputError
from companion.history.codec import decode_entry, decode_move, encode_entry, encode_move
from companion.history.events import (
    Allowed,
    Claimed,
    Corrected,
    Ended,
    Entry,
    Origin,
    Paused,
    Played,
    QuestionAsked,
    Refused,
    Resumed,
    Settled,
    Struck,
    TurnTold,
    Unexplained,
)
from companion.public.table import CardId, Change, Seat, Zone

pytestmark = pytest.mark.core

GAME = stairs()
seats = st.sampled_from([Seat(1), Seat(2)])
cards = st.sampled_from(CARDS)
moves = st.one_of(
    st.builds(Place, seats, cards, st.sampled_from(["hand", "pool"])),
    st.builds(EndTurn, seats),
    st.builds(Refill, st.just(Seat(0)), cards),
    st.builds(Deal, st.just(Seat(0)), st.lists(cards, unique=True).map(tuple)),
)
zones = st.none() | st.sampled_from([Zone("tree"), Zone("pool")])
found = st.builds(Change, st.sampled_from([*CARDS, CardId("KEND")]), zones, zones)
earlier = st.integers(1, 9)
somebody = st.none() | seats
counts = st.builds(
    lambda hands, stack: tuple((name, count) for name, count in (("hands", hands), ("stack", stack)) if count),
    st.none() | st.tuples(earlier, earlier),
    st.none() | earlier,
)
tables = st.none() | st.dictionaries(cards, st.sampled_from([Zone("tree"), Zone("pool")])).map(
    lambda d: tuple(d.items())
)
events = st.one_of(
    st.builds(Played, moves),
    st.builds(Refused, moves, st.none() | found),
    st.builds(Allowed, earlier, somebody),
    st.builds(Struck, earlier, somebody, st.booleans()),
    st.builds(Claimed, earlier, seats),
    st.builds(Settled, earlier, somebody, st.booleans()),
    st.builds(Corrected, counts, somebody, tables),
    st.builds(TurnTold, seats, somebody),
    st.builds(Unexplained, found),
    st.builds(QuestionAsked, found, st.lists(moves, max_size=3).map(tuple)),
    st.builds(Paused, somebody),
    st.builds(Resumed, somebody),
    st.builds(Ended, somebody),
)


@given(moves)
def test_a_move_written_and_read_is_the_same(move):
    assert decode_move(GAME, json.loads(json.dumps(encode_move(move)))) == move


seconds = st.none() | st.integers(0, 10**6).map(lambda n: n / 1000)


@given(events, st.none() | st.sampled_from(Origin), seconds, seconds)
def test_an_entry_written_and_read_is_the_same(event, origin, time_s, waited_s):
    entry = Entry(10, event, origin, time_s, waited_s)
    assert decode_entry(GAME, json.loads(json.dumps(encode_entry(entry))), 10) == entry


def test_an_entry_may_hold_nothing_but_its_move():
    entry = decode_entry(GAME, {"move": {"do": "end_turn", "by": 1}}, 3)
    assert entry == Entry(3, Played(EndTurn(Seat(1))))


def test_unknown_keys_are_ignored():
    move = {"do": "end_turn", "by": 1, "mood": "good"}
    assert decode_entry(GAME, {"move": move, "weather": "rain"}, 1) == Entry(1, Played(EndTurn(Seat(1))))


@pytest.mark.parametrize(
    ("document", "key"),
    [
        ({"move": {"do": "fly", "by": 1}}, "move.do"),
        ({"move": {"do": "place", "by": 1, "card": "9-9", "from": "hand"}}, "move.card"),
        ({"move": {"do": "place", "by": 3, "card": "1-1", "from": "hand"}}, "move.by"),
        ({"move": {"do": "place", "by": True, "card": "1-1", "from": "hand"}}, "move.by"),
        ({"move": {"do": "place", "by": 1, "card": 11, "from": "hand"}}, "move.card"),
        ({"move": {"do": "place", "by": 1, "card": "1-1"}}, "move.from"),
        ({"move": {"do": "deal", "by": 0, "pool": "1-1"}}, "move.pool"),
        ({"move": "place"}, "move"),
        ({"event": "danced"}, "event"),
        ({"event": "struck", "strikes": 4}, "strikes"),
        ({"event": "claimed", "claims": 1}, "by"),
        ({"event": "corrected", "hands": [1]}, "hands"),
        ({"event": "corrected", "stack": -1}, "stack"),
        ({"event": "corrected", "turn": 0}, "turn"),
        ({"event": "corrected", "turn": 3}, "turn"),
        ({"event": "corrected", "turn": "Ana"}, "turn"),
        ({"number": 9, "move": {"do": "end_turn", "by": 1}}, "number"),
        ({"origin": "wind", "move": {"do": "end_turn", "by": 1}}, "origin"),
        ({"time_s": "noon", "move": {"do": "end_turn", "by": 1}}, "time_s"),
        ({"event": "question", "change": {"card": "1-1"}, "readings": [{"do": "fly"}]}, "do"),
        ({"event": "unexplained"}, "change"),
    ],
)
def test_whatever_is_wrong_is_named_by_its_key(document, key):
    with pytest.raises(InputError) as wrong:
        decode_entry(GAME, document, 4)
    assert str(wrong.value).startswith(key)


def test_every_missing_key_is_named_at_once():
    with pytest.raises(InputError) as wrong:
        decode_move(GAME, {"do": "place"})
    assert [fault.where for fault in wrong.value.faults] == [("by",), ("card",), ("from",)]
