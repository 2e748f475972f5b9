"""Corrections are tried on a copy of the record, and what cannot be is said in a sentence."""

from __future__ import annotations

import companion
from companion.history.corrections import undo_events, why_broken
from companion.history.events import Corrected, Entry, Played
from companion.history.record import append
from companion.public.table import Seat


def test_undoing_a_card_that_was_counted_since_is_refused_with_the_reason() -> None:
    """ "We counted" and then "undo that card": the counts would no longer add up, and that was an internal error."""
    match = {"profile": "en-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    game = companion.open_match(match, companion.demo_deck()).game
    record = companion.replay(game, [])
    said = [
        {"do": "deal", "by": 0, "pool": ["1-1", "1-2", "1-4", "2-6", "2-7"]},
        {"do": "place", "by": 1, "card": "1-3", "from": "hand"},
    ]
    for number, move in enumerate(said, 1):
        record = append(game, record, Entry(number, Played(companion.decode_move(game, move))))
    standing = record.standing
    record = append(
        game, record, Entry(3, Corrected(tuple((name, standing.counters[name]) for name in ("hands", "stack"))))
    )
    events = undo_events(game, record, 2, Seat(1), None)
    reason = why_broken(game, record, events, None)
    assert reason is not None
    assert reason.key == "referee.cannot"
