"""Corrections are additions: which entries a correction concerns, and whether the match is still valid with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    undone_numbers,
)
from companion.history.record import Record, append, unlawful_moves
from companion.public.table import TABLE, CardId, Change, Seat, Zone
from companion.public.text import Text, fault_text


def last_undoable(record: Record[Any]) -> int | None:
    """The number of the last act of a player that can be undone.

    Left out are acts of the table itself, struck entries, and corrections of a struck entry.
    """
    struck = undone_numbers([line.entry for line in record.lines])
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


@dataclass(frozen=True, slots=True)
class PossibleCorrection:
    """A correction of one entry that can be made now. The host may make every one of them.

    Attributes:
        do: ``undo``, ``claim``, ``allow`` or ``camera-was-wrong``, as in the contract, section 8.
        seats: The seats that may make it without the host.
    """

    do: str
    number: int
    seats: tuple[Seat, ...] = ()


def possible_corrections(game: Game[Any, Any], record: Record[Any]) -> tuple[PossibleCorrection, ...]:
    """What can be undone, claimed, allowed or taken from the camera now, at most one entry each.

    Pages, the undo button and the command card all act by it. It depends on public facts only: in a silent game it is
    the same whether a card was lawful or not.
    """
    return tuple(_possible_corrections(game, record))


def _possible_corrections(game: Game[Any, Any], record: Record[Any]) -> Iterator[PossibleCorrection]:
    undoable = last_undoable(record)
    if undoable is not None:
        seat = None if secrets_are_open(game, record) else may_take_back(game, record, undoable)
        yield PossibleCorrection("undo", undoable, () if seat is None else (seat,))
    refusals = record.open_refusals
    claimable = last_claimable(game, record)
    if claimable is not None:
        yield PossibleCorrection("claim", claimable, claimers(game, record, claimable))
    if refusals:
        yield PossibleCorrection("allow", max(refusals))
    seen = last_camera_card(record)
    if seen is not None:
        yield PossibleCorrection("camera-was-wrong", seen)


def secrets_are_open(game: Game[Any, Any], record: Record[Any]) -> bool:
    """Whether the secrets of a silent match have become public: a seat must not read them and then play on
    (docs/rules.md, L7).
    """
    return game.silent and record.standing.final


def may_take_back(game: Game[Any, Any], record: Record[Any], number: int) -> Seat | None:
    """The seat that may undo an entry without the host; ``None`` if no seat may. It depends on public facts only."""
    if (claim := replayed_claim(record, number)) is not None:
        return claim.by
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


def last_claimable(game: Game[Any, Any], record: Record[Any]) -> int | None:
    """The last act of a player, if it laid a card that another seat may have laid: nothing but acts of the table came
    after it. ``None`` in silent games, where the answer would tell what fits, and after the end.
    """
    if game.silent or record.standing.over:
        return None
    acts = sorted(record.acts.items(), reverse=True)
    last = next(((number, act) for number, act in acts if act.move.by != TABLE), None)
    if last is None or last[1].move.subject is None or last[1].move.laid is None:
        return None
    number, act = last
    refused = record.open_refusals.get(number)
    return number if act.counts or (refused is not None and refused.change is not None) else None


def claimers(game: Game[Any, Any], record: Record[Any], number: int) -> tuple[Seat, ...]:
    """The seats whose claim of this card would make it count for them."""
    act, public = record.acts[number], game.public(record.states[number - 1])
    at = MoveContext(number, act.entry.time_s)
    away = game.rules.empty_seats(game.public(record.state))
    seats = []
    for seat in map(Seat, range(1, game.seats + 1)):
        if seat == act.move.by or seat in away:
            continue
        own = _by(act.move, seat)
        implied = (game.rules.implied_moves(public, move, at) for move in (act.move, own))
        if game.rules.judge(public, own, at) and not any(mend and mend[-1].by == seat for mend in implied):
            continue  # cheaper than to try it
        events = claim_events(game, record, number, seat, at.time_s)
        counts = not isinstance(events[0], Claimed) or _counts(game, record, events[0], at.time_s)
        if counts and why_broken(game, record, events, at.time_s) is None:
            seats.append(seat)
    return tuple(seats)


def last_camera_card(record: Record[Any]) -> int | None:
    """The entry of the last card that the camera reported, if it counts or its refusal is open; else the one before."""
    acts, refusals = sorted(record.acts.items(), reverse=True), record.open_refusals
    return next(
        (n for n, act in acts if act.move.by and _is_seen(act.entry) and (act.counts or n in refusals)),
        None,
    )


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


def take_back_events(
    game: Game[Any, Any], record: Record[Any], number: int, by: Seat | None, time_s: float | None
) -> tuple[Event, ...]:
    """The events that undo an entry when players ask for it; if it is the end of a claim, all of that claim."""
    claim = replayed_claim(record, number) if number == last_undoable(record) else None
    if claim is None:
        return undo_events(game, record, number, by, time_s)
    return tuple(Struck(n, by) for n in reversed(claim.entries))


@dataclass(frozen=True, slots=True)
class ReplayedClaim:
    """A claim that first had to end the turn before: acts were struck, and played again for the claimer.

    Attributes:
        entries: Its strikes, then its moves.
        by: The claimer.
        card: What was claimed.
    """

    entries: tuple[int, ...]
    by: Seat
    card: CardId


def replayed_claim(record: Record[Any], number: int) -> ReplayedClaim | None:
    """The claim that entry ``number`` is a move of, if it is one that ``claim_events`` played again."""
    if not 0 < number < record.next_number:
        return None
    said = record.lines[number - 1].entry

    def together(n: int, kind: type[Event]) -> bool:
        entry = record.lines[n - 1].entry
        return isinstance(entry.event, kind) and (entry.origin, entry.time_s) == (said.origin, said.time_s)

    last = number
    while last < len(record.lines) and together(last + 1, Played):
        last += 1
    begins = number + 1
    while begins > 1 and together(begins - 1, Played):
        begins -= 1
    first = begins
    while first > 1 and together(first - 1, Struck):
        first -= 1
    if first == begins or begins > number:
        return None
    entries = tuple(range(first, last + 1))
    if not undone_numbers([line.entry for line in record.lines]).isdisjoint(entries):
        return None
    # Acts are struck from the last one back, so the claimed one is the last that was struck.
    strike = record.lines[begins - 2].entry.event
    claimed = record.lines[strike.number - 1].entry.event if isinstance(strike, Struck) else None
    if not isinstance(claimed, (Played, Refused)) or claimed.move.subject is None:
        return None
    for n in range(begins, last + 1):
        act = record.acts.get(n)
        if act is not None and act.move.subject == claimed.move.subject and act.move.by != claimed.move.by:
            return ReplayedClaim(entries, act.move.by, claimed.move.subject)
    return None


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
