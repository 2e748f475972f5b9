"""Turns corrections and buttons into commands, and decides who may give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.errors import InputError, fault
from companion.games.protocol import Game
from companion.history.corrections import last_undoable, may_take_back, secrets_are_open
from companion.history.events import Origin
from companion.history.seating import NAME_TAKEN, clean_name
from companion.public.names import name_key
from companion.public.service import Denied, Done, Refusal, Result, Role, Stale, User
from companion.public.standing import Count, Standing
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

MOST_COUNTED = 999
"""The largest count that players can enter."""


def parse_correction(
    match: Match, user: User, correction: Mapping[str, JSON], names: Sequence[str]
) -> Command | Refusal:
    """The command of a correction (contract, section 8), or why this user may not give it.

    Args:
        names: The people at the table now, seat 1 first.

    Raises:
        InputError: It is not valid.
    """
    number, after, by = correction.get("number"), correction.get("after"), user.seat
    if after is not None and type(after) is not int:
        raise InputError(fault("correction.fault.after", "should be the last entry that you knew", "after"))
    if number is not None and (type(number) is not int or number < 1):
        raise InputError(fault("correction.fault.number", "should be the number of an entry", "number"))
    if user.role not in (Role.SEAT, Role.HOST):
        return Denied(Text("desk.join_first"))
    host = user.role is Role.HOST
    anyway = host and correction.get("anyway") is True
    match correction.get("do"):
        case "undo":
            if not host and (refusal := _undo_refusal(match, user, number)):
                return refusal
            return Undo(number, by, anyway=anyway)
        case "claim":
            seat = correction.get("by", by)
            if type(seat) is not int or not 1 <= seat <= match.game.seats:
                raise InputError(fault("correction.fault.by", "should be the seat whose card it was", "by"))
            if not host and seat != by:
                return Denied(Text("desk.claim_own"))
            if not host and secrets_are_open(match.game, match.record):
                return Denied(Text("desk.record_open"))
            return Claim(Seat(seat), number, anyway=anyway)
        case str() as verb if verb in _HOST_ONLY and not host:
            return Denied(Text("desk.host_only"))
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
            return CorrectCounts(_counts(match.game, correction), by)
        case "seat":
            return _change_seat(match, correction, by, names)
        case other:
            raise InputError(fault("correction.fault.unknown", "{value} is no correction", "do", value=repr(other)))


def _undo_refusal(match: Match, user: User, number: int | None) -> Denied | None:
    """Why a seat may not undo: only the last act, and only if it is the seat's own."""
    if secrets_are_open(match.game, match.record):
        return Denied(Text("desk.record_open"))
    last = last_undoable(match.record)
    if number not in (None, last):
        return Denied(Text("desk.undo_last"))
    if last is None or may_take_back(match.game, match.record, last) == user.seat:
        return None
    act = match.record.acts.get(last)
    return Denied(Text("desk.undo_verdict" if act is not None and act.move.by == user.seat else "desk.undo_own"))


def _change_seat(match: Match, correction: Mapping[str, JSON], by: Seat | None, names: Sequence[str]) -> ChangeSeat:
    """``{"seat": N}`` with one of ``name``, ``swaps`` and ``here``; a person who sits down may give a name too."""
    seats = {key: correction[key] for key in ("seat", "swaps") if correction.get(key) is not None}
    for key, seat in seats.items():
        if type(seat) is not int or not 1 <= seat <= match.game.seats:
            bounds = "should be a seat from 1 to {most}"
            raise InputError(fault("correction.fault.seat", bounds, key, most=match.game.seats))
    here, name = correction.get("here"), correction.get("name")
    if here is not None and type(here) is not bool:
        raise InputError(fault("correction.fault.here", "should be true or false", "here"))
    if "seat" not in seats:
        raise InputError(fault("correction.fault.which", "which seat?", "seat"))
    if sum((name is not None and here is not True, "swaps" in seats, here is not None)) != 1:
        what = 'say one thing about a seat: a new "name", which seat it "swaps" with, or whether one is "here"'
        raise InputError(fault("correction.fault.one", what))
    name = None if name is None else clean_name(name)
    others = {name_key(other) for number, other in enumerate(names, 1) if number != seats["seat"]}
    if name is not None and name_key(name) in others:
        raise InputError(fault("seat.fault.taken", NAME_TAKEN, "name", name=name))
    swaps = seats.get("swaps")
    if swaps == seats["seat"]:
        raise InputError(fault("correction.fault.another", "should be another seat", "swaps"))
    return ChangeSeat(Seat(seats["seat"]), name, None if swaps is None else Seat(swaps), here, by)


def seat_choices(match: Match, settings: Mapping[str, JSON], time_s: float) -> tuple[JSON, ...]:
    """The possible changes for each seat of a match, and their effect; see ``MatchService.seats``.

    Args:
        settings: As ``MatchService.current`` gives them.
    """
    game, state = match.game, match.record.state
    at, before = match.record.next_context(time_s), match.standing
    away = game.rules.empty_seats(game.public(state))
    choices = []
    for number, person in enumerate(settings["seats"], 1):
        seat = Seat(number)
        why: Text | str | None = None
        after = before
        try:
            after = game.board.standing(game.public(game.rules.seat(state, seat, seat in away, at)))
        except InputError as wrong:
            why = fault_text(wrong.faults[0])
        choices.append(
            {
                "seat": number,
                "name": person["name"],
                "bot": person["bot"],
                "here": seat not in away,
                "why": why,
                "cards": abs(_held(game, after, seat) - _held(game, before, seat)),
                "next": after.turn if after.turn != before.turn else None,
            }
        )
    return tuple(choices)


def _held(game: Game[Any, Any], standing: Standing, seat: Seat) -> int:
    """The number of cards or pieces that a seat holds, according to its counters."""
    return sum(
        standing.by_seat(name)[seat - 1]
        for name, counter in game.rules.countable.items()
        if counter.by_seat and name in standing.counters
    )


def result_without_entry(before: Update | None, after: Update | None) -> Result[None]:
    """The result of a command that made no entry: no effect, a refusal with its reason, or an announcement.

        >>> result_without_entry(None, None)
        Stale(reason=None)

    Args:
        before: The newest update before the command.
        after: The newest one after it.
    """
    if after is None or after is before:
        return Stale()
    if after.signal is Signal.CORRECTED and after.texts:
        return Stale(after.texts[0])
    return Done(None)


def _counts(game: Game[Any, Any], correction: Mapping[str, JSON]) -> tuple[tuple[str, Count], ...]:
    """The new counts, by the counter's name.

    Raises:
        InputError: One of them is not a count.
    """
    counts: list[tuple[str, Count]] = []
    for name, counter in game.rules.countable.items():
        given = correction.get(name)
        if given is None:
            continue
        numbers = given if isinstance(given, list) else [given]
        least = -MOST_COUNTED if counter.may_be_negative else 0
        if any(type(number) is not int or not least <= number <= MOST_COUNTED for number in numbers):
            message = "should be counts from {least} to {most}"
            raise InputError(fault("correction.fault.counts", message, name, least=least, most=MOST_COUNTED))
        if counter.by_seat or numbers:
            counts.append((name, tuple(numbers) if counter.by_seat else numbers[0]))
    return tuple(counts)


def from_button(runner: MatchRunner, name: str, seat: Seat | None) -> Iterator[Command]:
    """The commands of a button; a seat's own button ends that seat's turn, or claims the last card."""
    match = runner.match
    if match is None:
        return
    match name:
        case "end":
            yield CommandCard(CardId("KEND"))
        case "undo":
            yield Undo(origin=Origin.BUTTON)
        case "pause":
            yield Resume(None, Origin.BUTTON) if match.record.paused else Pause(None, Origin.BUTTON)
        case "seat" if seat is not None:
            own = match.standing.turn == seat
            yield CommandCard(CardId("KEND"), seat) if own else Claim(seat, origin=Origin.BUTTON)
