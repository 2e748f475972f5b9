"""What a correction asked for over HTTP means, and who may ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.errors import InputError, fault
from companion.games.protocol import MoveContext
from companion.history.corrections import last_undoable
from companion.history.events import Origin
from companion.history.seating import clean_name
from companion.public.service import Reply, Role, User
from companion.public.table import CardId, Seat
from companion.public.text import JSON, Text, fault_text
from companion.public.updates import Signal, Update
from companion.referee.commands import (
    AcceptTable,
    Allow,
    ChangeSeat,
    Claim,
    Command,
    CommandCard,
    CorrectCounts,
    OverruleCamera,
    Pause,
    RestoreTable,
    Resume,
    Undo,
)
from companion.referee.match import Match
from companion.service.runner import MatchRunner

_HOST_ONLY = frozenset(
    ("allow", "camera-was-wrong", "pause", "resume", "counts", "table-is-right", "log-is-right", "seat")
)


def parse_correction(evening: Match, visitor: User, said: Mapping[str, JSON]) -> Command | Reply:
    """What a body of ``POST /corrections`` means, or why this visitor may not say it.

    Raises:
        InputError: It means nothing.
    """
    number, after, by = said.get("number"), said.get("after"), visitor.seat
    if after is not None and type(after) is not int:
        raise InputError(fault("correction.fault.after", "should be the last entry that you knew", "after"))
    if number is not None and (type(number) is not int or number < 1):
        raise InputError(fault("correction.fault.number", "should be the number of an entry", "number"))
    if visitor.role is Role.SPECTATOR:
        return Reply(403, Text("desk.join_first"))
    host = visitor.role is Role.HOST
    anyway = host and said.get("anyway") is True
    match said.get("do"):
        case "undo":
            if not host and number not in (None, last_undoable(evening.record)):
                return Reply(403, Text("desk.undo_last"))
            return Undo(number, by, anyway=anyway)
        case "claim":
            seat = said.get("by", by)
            if type(seat) is not int or not 1 <= seat <= evening.game.seats:
                raise InputError(fault("correction.fault.by", "should be the seat whose card it was", "by"))
            if not host and seat != by:
                return Reply(403, Text("desk.claim_own"))
            return Claim(Seat(seat), number, anyway=anyway)
        case str() as verb if verb in _HOST_ONLY and not host:
            return Reply(403, Text("desk.host_only"))
        case "allow":
            return Allow(number, by)
        case "camera-was-wrong":
            return OverruleCamera(number, by, anyway=anyway)
        case "pause":
            return Pause(by)
        case "resume":
            return Resume(by)
        case "table-is-right":
            return AcceptTable(by)
        case "log-is-right":
            return RestoreTable(by)
        case "counts":
            return CorrectCounts(_counts(said, "hands"), next(iter(_counts(said, "stack") or ()), None), by)
        case "seat":
            return _change_seat(evening, said, by)
        case other:
            raise InputError(fault("correction.fault.unknown", "{value} is no correction", "do", value=repr(other)))


def _change_seat(evening: Match, said: Mapping[str, JSON], by: Seat | None) -> ChangeSeat:
    """``{"seat": N}`` with one of ``name``, ``swaps`` and ``here``; whoever sits down may bring his name along."""
    seats = {key: said[key] for key in ("seat", "swaps") if said.get(key) is not None}
    for key, seat in seats.items():
        if type(seat) is not int or not 1 <= seat <= evening.game.seats:
            bounds = "should be a seat from 1 to {most}"
            raise InputError(fault("correction.fault.seat", bounds, key, most=evening.game.seats))
    here, name = said.get("here"), said.get("name")
    if here is not None and type(here) is not bool:
        raise InputError(fault("correction.fault.here", "should be true or false", "here"))
    if "seat" not in seats:
        raise InputError(fault("correction.fault.which", "which seat?", "seat"))
    if sum((name is not None and here is not True, "swaps" in seats, here is not None)) != 1:
        what = 'say one thing about a seat: a new "name", which seat it "swaps" with, or whether one is "here"'
        raise InputError(fault("correction.fault.one", what))
    told = None if name is None else clean_name(name)
    swaps = seats.get("swaps")
    if swaps == seats["seat"]:
        raise InputError(fault("correction.fault.another", "should be another seat", "swaps"))
    return ChangeSeat(Seat(seats["seat"]), told, None if swaps is None else Seat(swaps), here, by)


def seat_choices(evening: Match, match: Mapping[str, JSON], time_s: float) -> tuple[JSON, ...]:
    """What may be said about each seat of a match now, and what would come of it; see ``Desk.seats``.

    Args:
        match: As ``Desk.match`` tells it. Whoever plays at a simulated table knows no empty seats.
    """
    game, state = evening.game, evening.record.state
    at, before = MoveContext(evening.record.next_number, time_s), evening.standing
    away = game.empty_seats(game.public(state))
    told = []
    for number, sits in enumerate(match["seats"], 1):
        seat = Seat(number)
        why: Text | str | None = Text("seat.fault.simulated")
        after = before
        if not match["simulated"]:
            try:
                why, after = None, game.standing(game.public(game.seat(state, seat, seat in away, at)))
            except InputError as wrong:
                why = fault_text(wrong.faults[0])
        told.append(
            {
                "seat": number,
                "name": sits["name"],
                "bot": sits["bot"],
                "here": seat not in away,
                "why": why,
                "cards": abs(after.hands[number - 1] - before.hands[number - 1]),
                "next": after.turn if after.turn != before.turn else None,
            }
        )
    return tuple(told)


def outcome(before: Update | None, after: Update | None, stale: JSON) -> Reply:
    """What came of words that made no entry: nothing, a refusal with its reason, or something that was only told."""
    if after is None or after is before:
        return Reply(409, stale)
    if after.signal is Signal.CORRECTED and after.texts:
        return Reply(409, {**stale, "detail": after.texts[0]})
    return Reply(200, None)


def _counts(said: Mapping[str, JSON], key: str) -> tuple[int, ...] | None:
    counts = said.get(key)
    if counts is None:
        return None
    counts = counts if isinstance(counts, list) else [counts]
    if any(type(count) is not int or not 0 <= count < 100 for count in counts):
        raise InputError(fault("correction.fault.counts", "should be counts from 0", key))
    return tuple(counts)


def from_button(host: MatchRunner, name: str, seat: Seat | None) -> Iterator[Command]:
    """What is said with a button; a seat's own button ends that seat's turn, or claims the last card."""
    evening = host.evening
    if evening is None:
        return
    match name:
        case "end":
            yield CommandCard(CardId("KEND"))
        case "undo":
            yield Undo(origin=Origin.BUTTON)
        case "pause":
            yield Resume(None, Origin.BUTTON) if evening.record.paused else Pause(None, Origin.BUTTON)
        case "seat" if seat is not None:
            own = evening.standing.turn == seat
            yield CommandCard(CardId("KEND"), seat) if own else Claim(seat, origin=Origin.BUTTON)
