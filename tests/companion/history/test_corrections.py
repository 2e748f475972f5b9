"""Corrections are tried on a copy of the record, and what cannot be is said in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.real_desk import RealDesk

import companion
from companion.history import record as record_module
from companion.history.corrections import claim_retelling, late_events, may_take_back, undo_events, why_broken
from companion.history.events import Corrected, Entry, Played, Refused, undone_numbers
from companion.history.record import append
from companion.public.table import Seat
from companion.public.text import Text


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
    assert reason == Text("referee.builds_on", {"what": Text("referee.the_count")}), "which can be undone first"


def record_of(profile: str, *said: dict[str, object]):
    match = {"profile": profile, "seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cy"}]}
    game = companion.open_match(match, companion.demo_deck()).game
    record = companion.replay(game, [])
    for number, move in enumerate(said, 1):
        record = append(game, record, Entry(number, Played(companion.decode_move(game, move))))
    return game, record


def test_the_verdict_of_a_stop_is_undone_by_the_seat_that_said_stop() -> None:
    game, record = record_of(
        "en-memory",
        {"do": "place", "by": 1, "card": "2-1", "from": "hand"},
        {"do": "stop", "by": 3},
        {"do": "concede", "by": 1},
    )
    assert [may_take_back(game, record, number) for number in (1, 2, 3)] == [1, 3, 3]


def test_a_move_that_was_seen_late_is_not_put_before_a_count() -> None:
    """What people counted is true of the table as it was; a card before it would make it wrong."""
    pool = ["1-1", "1-2", "1-4", "2-6", "2-7"]
    placed = {"do": "place", "by": 1, "card": "1-3", "from": "hand"}
    game, record = record_of("en-explore", {"do": "deal", "by": 0, "pool": pool}, placed)
    late = companion.decode_move(game, {"do": "place", "by": 1, "card": "1-5", "from": "hand"})
    assert late_events(game, record, 2, late, None) != ()
    counted = Corrected((("stack", record.standing.counters["stack"]),))
    record = append(game, record, Entry(3, counted))
    assert late_events(game, record, 2, late, None) == ()


def test_who_claims_a_card_that_fits_the_next_seat_alone_gets_no_turn_ended() -> None:
    """1-3 is not linked to 1-1, so Ben may lay it after Ana's turn; Ana says that it was hers all the same."""
    pool = ["1-2", "1-4", "2-6", "2-7", "2-8"]
    placed = {"do": "place", "by": 1, "card": "1-1", "from": "hand"}
    game, record = record_of("fr-explore", {"do": "deal", "by": 0, "pool": pool}, placed)
    unlinked = companion.decode_move(game, {"do": "place", "by": 1, "card": "1-3", "from": "hand"})
    record = append(game, record, Entry(3, Refused(unlinked, None)))
    assert claim_retelling(game, record, 3, Seat(1), None) is None
    told = claim_retelling(game, record, 3, Seat(2), None)
    assert [(move.do, move.by) for move in told.added] == [("end_turn", 1)]


@pytest.mark.parametrize("refused", [False, True])
def test_an_entry_costs_no_more_looks_at_the_record_late_in_a_long_evening(
    refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand entries once cost a quarter of a second each: every entry asked anew which of all were struck."""
    looks = 0

    def counted(entries: Sequence[Entry]) -> frozenset[int]:
        nonlocal looks
        looks += 1
        return undone_numbers(entries)

    monkeypatch.setattr(record_module, "undone_numbers", counted)
    desk = RealDesk()
    if not refused:
        desk.lay(2)
    looked = []
    for number in range(60):
        before = looks
        if refused:
            desk.say({"do": "end_turn", "by": number % 2 + 1})
        else:
            desk.correct("resume" if number % 2 else "pause")
        looked.append(looks - before)
    assert looked[50:] == looked[10:20]
