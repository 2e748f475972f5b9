"""Corrections are additions: which entries a correction concerns, and whether the match is still valid with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.errors import InputError
from companion.games.protocol import Game, Move, MoveContext
from companion.history.events import (
    Allowed,
    Claimed,
    Corrected,
    Entry,
    Event,
    Origin,
    Played,
    Refused,
    Seated,
    Settled,
    Struck,
)
from companion.history.record import Record, append, unlawful_moves
from companion.public.table import TABLE, CardId, Change, Seat, Zone
from companion.public.text import Text, fault_text


def last_undoable(record: Record[Any]) -> int | None:
    """The number of the last act of a player that can be undone.

    Left out are acts of the table itself, struck entries, and corrections of a struck entry.
    """
    struck = record.struck
    for line in reversed(record.lines):
        number, event = line.entry.number, line.entry.event
        if number in struck or getattr(event, "number", None) in struck:
            continue
        if isinstance(event, (Allowed, Claimed, Corrected)):
            return number
        act = record.acts.get(number)
        if isinstance(event, Played) and act is not None and act.counts and act.move.by != 0:
            return number
    return None


def may_take_back(game: Game[Any, Any], record: Record[Any], number: int) -> Seat | None:
    """The seat that may undo an entry without the host; ``None`` if no seat may. It depends on public facts only."""
    event = record.lines[number - 1].entry.event
    if isinstance(event, Claimed):
        return event.by
    act = record.acts.get(number)
    if act is None or isinstance(event, (Allowed, Corrected)):
        return None
    return game.rules.may_take_back(game.public(record.states[number - 1]), act.move)


def last_laid_card(record: Record[Any]) -> int | None:
    """The entry of the last card that a player laid, whether it counted or not."""
    acts = sorted(record.acts.items(), reverse=True)
    return next((number for number, act in acts if act.move.by and act.move.subject is not None), None)


def last_camera_card(record: Record[Any]) -> int | None:
    """The entry of the last card that the camera reported, whether it counted or not."""
    acts = sorted(record.acts.items(), reverse=True)
    return next((number for number, act in acts if act.move.by and _is_seen(act.entry)), None)


def _is_seen(entry: Entry) -> bool:
    event = entry.event
    return entry.origin is Origin.CAMERA and isinstance(event, (Played, Refused)) and event.move.subject is not None


def overrule_camera(
    game: Game[Any, Any], record: Record[Any], number: int, by: Seat | None, time_s: float | None
) -> tuple[Event, ...]:
    """The events for "the camera was wrong": a move that counts is struck, a refusal is settled.

    Empty if the entry does not come from the camera.
    """
    act = record.acts.get(number)
    if act is None or not _is_seen(act.entry):
        return ()
    if not act.counts:
        return (Settled(number, by, misread=True),) if isinstance(act.entry.event, Refused) else ()
    return (*undo_events(game, record, number, by, time_s)[:-1], Struck(number, by, misread=True))


def undo_events(
    game: Game[Any, Any], record: Record[Any], number: int, by: Seat | None, time_s: float | None
) -> tuple[Event, ...]:
    """The events that undo an entry: first what the table did because of it (such as refilling the pool)."""
    if not 0 < number < record.next_number:
        return (Struck(number, by),)
    try:
        tried = append(game, record, Entry(record.next_number, Struck(number, by), time_s=time_s))
    except InputError:
        return (Struck(number, by),)  # a later count no longer adds up; ``why_broken`` reports it
    unlawful_before = {act.entry.number for act in unlawful_moves(record)}
    fell = [
        n
        for n, act in tried.acts.items()
        if n > number
        and n not in unlawful_before
        and act.move.by == 0
        and record.acts[n].counts
        and not (act.counts and not act.objections)
    ]
    return (*(Struck(n, by) for n in sorted(fell, reverse=True)), Struck(number, by))


def claim_events(
    game: Game[Any, Any], record: Record[Any], number: int, by: Seat, time_s: float | None
) -> tuple[Event, ...]:
    """The events for "that card was mine".

    If the card is only unlawful because an end of turn was forgotten before it, that end is added, and later acts that
    were recorded for the same seat become the claimer's too.
    """
    plain = (Claimed(number, by),)
    act = record.acts.get(number)
    if act is None or _counts(game, record, plain[0], time_s):
        return plain
    since = (record.acts[n] for n in sorted(record.acts) if n > number and n not in record.struck)
    # A refused move without a card changed nothing.
    later = [one for one in since if one.counts or one.move.subject is not None]
    if any(not one.counts or one.move.by not in (TABLE, act.move.by) for one in later):
        return plain
    public, at = game.public(record.states[number - 1]), MoveContext(number, time_s)
    mend = game.rules.implied_moves(public, act.move, at) or game.rules.implied_moves(public, _by(act.move, by), at)
    if not mend or mend[-1].by != by:
        return plain
    undone = [one.entry.number for one in (act, *later) if one.counts]
    redone = (one.move if one.move.by == TABLE else _by(one.move, by) for one in later)
    return (*(Struck(n, by) for n in reversed(undone)), *(Played(move) for move in (*mend, *redone)))


def late_events(
    game: Game[Any, Any], record: Record[Any], number: int, move: Move, time_s: float | None
) -> tuple[Event, ...]:
    """The events for a move that was made before entry ``number`` but is recognised only now.

    What counted since is struck, and played again after the move; an end of turn that the move makes unnecessary is
    left out. Empty if something since would not be valid.
    """
    since = [record.acts[n] for n in sorted(record.acts) if n >= number and n not in record.struck]
    later = [act for act in since if act.counts]
    words = (Allowed, Claimed, Corrected, Seated)
    corrected = any(isinstance(line.entry.event, words) for line in record.lines[number - 1 :])
    state = record.states[number - 1]
    kept: list[Move] = []
    for one in (move, *(act.move for act in later)):
        at = MoveContext(number + len(kept), time_s)
        if game.rules.judge(game.public(state), one, at):
            if one.subject is None and one.by != TABLE:
                continue
            return ()
        state = game.rules.apply(state, one, at).state
        kept.append(one)
    if corrected or not later:
        return ()
    return (*(Struck(act.entry.number) for act in reversed(later)), *(Played(one) for one in kept))


def _by(move: Move, seat: Seat) -> Move:
    return replace(move, by=seat)  # type: ignore[type-var]  # moves are dataclasses


def _counts(game: Game[Any, Any], record: Record[Any], claimed: Claimed, time_s: float | None) -> bool:
    """Whether the claimed card would be lawful and count."""
    entry = Entry(record.next_number, claimed, time_s=time_s)
    try:
        act = append(game, record, entry).acts[claimed.number]
    except InputError:
        return False  # a later count would no longer add up
    return act.counts and not act.objections


def why_broken(
    game: Game[Any, Any], record: Record[Any], events: tuple[Event, ...], time_s: float | None
) -> Text | None:
    """Why the match would no longer be valid after a correction; ``None`` if it would be."""
    unlawful_before = {act.entry.number for act in unlawful_moves(record)}
    lost = {number for number, act in record.acts.items() if not act.counts}
    try:
        for event in events:
            entry = Entry(record.next_number, event, time_s=time_s)
            record = append(game, record, entry)
    except InputError as wrong:
        return Text("referee.cannot", {"why": tuple(fault_text(fault) for fault in wrong.faults)})
    named = {number for event in events for number in _named(record, event)}
    broke = [
        number
        for number, act in record.acts.items()
        if number not in unlawful_before | lost | named and (not act.counts or (act.objections and not act.allowed))
    ]
    broke += [act.entry.number for act in unlawful_moves(record) if act.entry.number in named - unlawful_before]
    return Text("referee.would_break", {"number": min(broke)}) if broke else None


def _named(record: Record[Any], event: Event) -> tuple[int, ...]:
    """The entries that a correction concerns, directly or through other corrections."""
    numbers: list[int] = []
    while (number := getattr(event, "number", None)) is not None:
        numbers.append(number)
        event = record.lines[number - 1].entry.event
    return tuple(numbers)


def is_of_last_act(record: Record[Any], change: Change) -> bool:
    """Whether the last act of this turn laid this card, which has moved or is gone now."""
    number = last_undoable(record)
    act = None if number is None else record.acts.get(number)
    return act is not None and change.came_from is not None and act.move.subject == change.card


def is_taken_back(record: Record[Any], change: Change) -> bool:
    """Whether the last act of this turn laid this card, which is gone or back where it came from."""
    number = last_undoable(record)
    act = None if number is None else record.acts.get(number)
    if act is None or change.came_from is None or act.move.subject != change.card:
        return False
    return change.went_to in (None, act.move.origin_zone)


def cards_of_this_turn(record: Record[Any]) -> set[CardId]:
    """The cards that players laid since the last act without a card, such as an end of turn."""
    cards: set[CardId] = set()
    for _, act in sorted(record.acts.items(), reverse=True):
        if act.move.by != TABLE:
            if act.move.subject is None:
                break
            cards.add(act.move.subject)
    return cards


def source_zone(game: Game[Any, Any], record: Record[Any], number: int) -> Zone | None:
    """The zone where the card of an entry came from; ``None`` if that is not a zone on the table."""
    zone = record.acts[number].move.origin_zone if number in record.acts else None
    return zone if zone in {shape.name for shape in game.table.layout.zones} else None
