"""Corrections are additions: which entries a correction concerns, and whether the match is still valid with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

from companion.errors import ImpossibleMove, InputError
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
    TurnTold,
    undone_numbers,
)
from companion.history.record import BuiltOn, Record, RecordedMove, append, state_counted, unlawful_moves
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
        own = as_seat(act.move, seat)
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

    def together(n: int, *kinds: type[Event]) -> bool:
        entry = record.lines[n - 1].entry
        if said.time_s is None and entry.origin is not said.origin:
            return False
        return isinstance(entry.event, kinds) and entry.time_s == said.time_s

    last = number
    while last < len(record.lines) and together(last + 1, Played, Corrected):
        last += 1
    begins = number + 1
    while begins > 1 and together(begins - 1, Played, Corrected):
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


def claim_behind(record: Record[Any], strike: int) -> ReplayedClaim | None:
    """The claim for which this entry struck something, if one did: nobody undid that."""
    number = strike + 1
    while number < record.next_number and isinstance(record.lines[number - 1].entry.event, Struck):
        number += 1
    claim = replayed_claim(record, number)
    return claim if claim is not None and strike in claim.entries else None


def claim_events(
    game: Game[Any, Any], record: Record[Any], number: int, by: Seat, time_s: float | None
) -> tuple[Event, ...]:
    """The events for "that card was mine"."""
    told = claim_retelling(game, record, number, by, time_s)
    return (Claimed(number, by),) if told is None else retelling_events(record, told)


def claim_retelling(
    game: Game[Any, Any],
    record: Record[Any],
    number: int,
    by: Seat,
    time_s: float | None,
    fits: Callable[[Retelling], bool] = lambda _: True,
    *,
    stands: bool = False,
    alone: bool = False,
) -> Retelling | None:
    """The story in which a card was this seat's: turns had ended unsaid before it, and what was done since were the
    acts of those whose turns it was.

    ``None`` if the card alone may be given to the seat, or no lawful story gives it.

    Args:
        fits, stands: As for ``retellings``.
        alone: All else that counts stays whose it is.
    """
    act = record.acts.get(number)
    if act is None or (_names_its_seat(act) and act.move.by != by):
        return None
    if _counts(game, record, Claimed(number, by), time_s):
        return None
    return retelling_if_theirs(game, record, number, by, time_s, fits, stands=stands, alone=alone)


def retelling_if_theirs(
    game: Game[Any, Any],
    record: Record[Any],
    number: int,
    by: Seat,
    time_s: float | None,
    fits: Callable[[Retelling], bool] = lambda _: True,
    *,
    stands: bool = False,
    alone: bool = False,
) -> Retelling | None:
    """As ``claim_retelling``, of a card that this seat could not have laid as the turns are recorded."""
    act = record.acts[number]
    if _names_its_seat(act) and act.move.by != by:
        return None

    def fits_claim(act: RecordedMove, move: Move | None) -> bool:
        """Nothing is said of what was done before."""
        if act.entry.number == number:
            return move is not None and move.by == by
        is_free = act.entry.number > number and not alone
        return is_free or not act.counts or move is None or move.by == act.move.by

    lay = _lay_since(record, act)
    words = (n for n in range(lay, number) if n in record.acts and _is_word(record.acts[n]))
    said_since = [n for n in words if _first_entry(record, n) > lay]
    first = _guessed_since(record, min((number, *said_since, *_waiting_things(record))))
    return retell(game, record, first, time_s, fits, allows=fits_claim, also=number, stands=stands)


def _waiting_things(record: Record[Any]) -> list[int]:
    """The entries of things on the table that wait for an answer."""
    return [n for n, refused in record.open_refusals.items() if refused.asks and refused.change is not None]


def _guessed_since(record: Record[Any], number: int, first: int = 1) -> int:
    """The first of what came right before an entry and may be told otherwise: ends of turns that were only guessed, and
    counts, before which turns may have ended as well. Else that entry.

    Args:
        first: What came before this entry is left as it is.
    """
    struck, guessed = record.struck, number
    for line in reversed(record.lines[first - 1 : number - 1]):
        entry, act = line.entry, record.acts.get(line.entry.number)
        if entry.number in struck:
            continue
        if settles_acts(entry.event) or (act is not None and act.counts and not is_guess(act)):
            break
        if isinstance(entry.event, Corrected) or (act is not None and act.counts):
            guessed = entry.number
    return guessed


def whole_retelling(
    game: Game[Any, Any], record: Record[Any], time_s: float | None, says: Move | None = None
) -> Retelling | None:
    """The likeliest story in which everything that lies there and waits for an answer counts; ``None`` if none does.

    Args:
        says: What the seat says that laid the last of it: the story makes that lawful.
    """

    def fits_word(told: Retelling) -> bool:
        if says is None:
            return True
        last = told.acts[-1]
        its_own = last.number is not None and last.move.by == says.by
        return its_own and not game.rules.judge(game.public(told.state), says, record.next_context(time_s))

    return _told_whole(game, record, time_s, fits_word)


def lawful_after_all(game: Game[Any, Any], record: Record[Any], change: Change, time_s: float | None) -> Move | None:
    """As which move a change is lawful after the likeliest story in which everything that lies there and waits for an
    answer counts, and that move is lawful; ``None`` if no story is such."""
    at = record.next_context(time_s)

    def lawful(told: Retelling) -> Move | None:
        public = game.public(told.state)
        read = game.table.interpretations(public, change)
        return next((move for move in read if not game.rules.judge(public, move, at)), None)

    told = _told_whole(game, record, time_s, lambda told: lawful(told) is not None)
    return None if told is None else lawful(told)


def _told_whole(
    game: Game[Any, Any], record: Record[Any], time_s: float | None, fits: Callable[[Retelling], bool]
) -> Retelling | None:
    """The likeliest story that fits, and in which everything counts that lies there and waits for an answer."""
    waiting = set(_waiting_things(record))
    if not waiting:
        return None

    def is_told(act: RecordedMove, move: Move | None) -> bool:
        return move is not None or act.entry.number not in waiting

    return retell(game, record, _guessed_since(record, min(waiting)), time_s, fits, allows=is_told)


def possible_owners(
    game: Game[Any, Any], record: Record[Any], move: Move, change: Change | None, origin: Origin, time_s: float | None
) -> tuple[int, list[Seat]]:
    """The seats, in the order of their turns, whose act this could be had turns ended unsaid; it is unlawful as it is
    read now. And its entry: the one with which players were asked about it before, or that it is about to become.

    Args:
        change: What lies differently, if it was seen.
    """
    number, turn = record.next_number, record.standing.turn
    if turn is None:
        return number, []
    around = [Seat((turn + step) % game.seats + 1) for step in range(game.seats)]
    refusals = record.open_refusals.items()
    asked = next((n for n, one in refusals if one.asks and change is not None and one.change == change), None)
    if asked is not None:
        seats = [seat for seat in around if claim_retelling(game, record, asked, seat, time_s) is not None]
        if seats:
            return asked, seats
    after = append(game, record, Entry(number, Refused(move, change, asks=True), origin, time_s))
    return number, [seat for seat in around if claim_retelling(game, after, number, seat, time_s) is not None]


def turn_retelling(
    game: Game[Any, Any], record: Record[Any], seat: Seat, since: int, time_s: float | None, *, stands: bool = False
) -> Retelling | None:
    """The story since an entry after which it is this seat's turn: ends of turns were missed, as early as possible.

    ``None`` if no lawful story leads there.

    Args:
        stands: As for ``retellings``.
    """

    def is_turn(told: Retelling) -> bool:
        return game.board.standing(game.public(told.state)).turn == seat

    return retell(game, record, max(since, certain_since(record)), time_s, is_turn, early=True, stands=stands)


def last_told_turn(record: Record[Any]) -> tuple[int, Seat] | None:
    """Before which entry people said last whose turn it was, and whose; ``None`` if they never did."""
    for line in reversed(record.lines):
        event = line.entry.event
        if isinstance(event, TurnTold) and line.entry.number not in record.struck:
            return line.entry.number, event.seat
    return None


def keeps_turn(game: Game[Any, Any], record: Record[Any], told: Retelling, number: int, seat: Seat) -> bool:
    """Whether it was this seat's turn in a story when people said so, right before entry ``number``."""
    turns: set[Seat | None] = set()
    is_told = False
    for one, state in told_states(game, record, told):
        turns.add(game.board.standing(game.public(state)).turn)
        if one.number is None:
            continue
        if _first_entry(record, one.number) >= number:
            break
        turns, is_told = set(), True
    else:
        turns.add(told.turn)
    return not is_told or seat in turns


def has_said(game: Game[Any, Any], record: Record[Any], told: Retelling, says: Move, time_s: float | None) -> bool:
    """Whether what a seat says is part of a story, or lawful after it."""
    if any(one.number is not None and one.move == says for one in told.acts):
        return True
    return not game.rules.judge(game.public(told.state), says, record.next_context(time_s))


def added_retelling(
    game: Game[Any, Any], record: Record[Any], number: int, move: Move, time_s: float | None
) -> Retelling | None:
    """The story in which this was done, unsaid, right before entry ``number``; ``None`` if no lawful story has it."""

    def has_it(told: Retelling) -> bool:
        for place, one in enumerate(told.acts):
            if one.number is None and one.move == move:
                before = [other.number for other in told.acts[:place] if other.number is not None]
                after = [other.number for other in told.acts[place:] if other.number is not None]
                return all(n < number for n in before) and all(n >= number for n in after)
        return False

    return retell(game, record, number, time_s, has_it)


# -- the same acts, told anew ------------------------------------------------------------------------

MOST_ACTS = 24
"""So many acts back what was guessed may still be told anew."""
LEFT_OUT = 2
"""To leave out an act that players were asked about is as unlikely as so many acts that nobody said."""
STANDS = 2
"""That an act which counts is against the rules is as unlikely, where people have said what was."""
MOST_STANDING = 3
"""So many acts may become unlawful by an answer."""
MOST_JUDGED = 1500
"""The search for another story gives up after judging so many moves."""
LAST_ENDS, OFTEN_UNSAID = 4, 2
"""A table of whose last ends of turns so many were left unsaid is not asked about the next one that is plain."""
UNSAID = ("pass", "end_turn")
"""The moves, by name, that leave no trace, likeliest first: passing is lawful only while nobody has laid a card."""


@dataclass(frozen=True, slots=True)
class ToldAct:
    """One act of a retelling.

    Attributes:
        number: Its entry; ``None`` for an act that nobody said, which is added.
    """

    move: Move
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Retelling:
    """What happened since an entry, told anew: the same acts, and some that nobody said.

    Attributes:
        first: The first entry that is told anew.
        story: The acts in order, and between them the entries in which something was counted.
        state: The state after them.
        turn: Whose turn it is then.
    """

    first: int
    story: tuple[ToldAct | Entry, ...]
    state: Any
    turn: Seat | None

    @property
    def acts(self) -> tuple[ToldAct, ...]:
        return tuple(one for one in self.story if isinstance(one, ToldAct))

    @property
    def added(self) -> tuple[Move, ...]:
        """The acts that nobody said."""
        return tuple(one.move for one in self.acts if one.number is None)


def unsaid_moves(game: Game[Any, Any], public: Any, at: MoveContext) -> tuple[Move, ...]:
    """What the seat to move may do without leaving a trace on the table, likeliest first: a pass, an end of turn."""
    return tuple(move for move in _traceless(game, public) if not game.rules.judge(public, move, at))


def _traceless(game: Game[Any, Any], public: Any) -> tuple[Move, ...]:
    turn = game.board.standing(public).turn
    kinds = [game.rules.moves[name] for name in UNSAID if name in game.rules.moves]
    plain = [kind for kind in kinds if turn is not None and [one.name for one in fields(kind)] == ["by"]]  # type: ignore[arg-type]
    return tuple(kind(by=turn) for kind in plain)  # type: ignore[call-arg]


def certain_since(record: Record[Any], before: int | None = None) -> int:
    """The entry since which whose acts they were was only guessed: after the last correction, and after the last act
    that its own seat said on a phone in its turn."""
    first = 1
    for line in record.lines[: None if before is None else before - 1]:
        entry, act = line.entry, record.acts.get(line.entry.number)
        if settles_acts(entry.event):
            first = entry.number + 1
        elif act is not None and act.counts and entry.origin is Origin.PHONE and act.move.by != TABLE:
            turn_before = record.lines[entry.number - 2].standing.turn if entry.number > 1 else None
            if act.move.by == turn_before:
                first = entry.number + 1
    return first


def settles_acts(event: Event) -> bool:
    """Whether people have said what the acts before were. A count says nothing of them, and keeps its place."""
    return isinstance(event, (Allowed, Claimed, Seated)) or (isinstance(event, Corrected) and event.table is not None)


def retell(
    game: Game[Any, Any],
    record: Record[Any],
    first: int,
    time_s: float | None,
    fits: Callable[[Retelling], bool] = lambda _: True,
    *,
    allows: Callable[[RecordedMove, Move | None], bool] = lambda _act, _move: True,
    early: bool = False,
    also: int | None = None,
    stands: bool = False,
) -> Retelling | None:
    """The likeliest of ``retellings``: with the fewest acts that nobody said, as late as possible, or as ``early``."""
    stories = retellings(game, record, first, time_s, fits, allows=allows, early=early, also=also, stands=stands)
    return next(stories, None)


def retellings(
    game: Game[Any, Any],
    record: Record[Any],
    first: int,
    time_s: float | None,
    fits: Callable[[Retelling], bool] = lambda _: True,
    *,
    allows: Callable[[RecordedMove, Move | None], bool] = lambda _act, _move: True,
    early: bool = False,
    also: int | None = None,
    stands: bool = False,
) -> Iterator[Retelling]:
    """The lawful stories that fit, with the same acts since entry ``first``: some seats ended their turns unsaid, and
    where nothing on the table says whose act it was, it was whoever's turn it was. Refused things that still lie there
    are part of it where they are lawful.

    Only stories with the fewest added acts are told; to leave out an act that was asked about costs ``LEFT_OUT`` of
    them, unless it came after the claimed one: then it is asked about again. In silent games they depend on public
    facts alone.

    Args:
        fits: Asked of each whole story.
        allows: Asked of each act as soon as it is told, and of each that is left out (``None``); what it denies need
            not be told to its end.
        early: Acts are added as early as possible, else as late.
        also: A refused act that is part of it, whether or not it was seen.
        stands: People have said what was: acts that count stand, although they are against the rules by it.
    """
    refused = record.open_refusals
    known = [number for number in sorted(record.acts) if number >= first]
    acts = [
        record.acts[number]
        for number in known
        if (record.acts[number].counts and not is_guess(record.acts[number]))
        or number == also
        or (number in refused and (refused[number].change is not None or _waits_as_word(record, number)))
    ]
    if not acts:
        return
    whole, acts = len(acts) <= MOST_ACTS, acts[-MOST_ACTS:]
    first = _guessed_since(record, acts[0].entry.number, first) if whole else acts[0].entry.number
    since = [line.entry for line in record.lines[first - 1 :]]
    if any(settles_acts(entry.event) for entry in since):
        return
    struck = record.struck
    counts = [entry for entry in since if isinstance(entry.event, Corrected) and entry.number not in struck]
    orders = [_in_order(acts, counts)] if counts else [acts, *_said_after(record, acts)]
    searches = [_Search(game, record, first, order, time_s, fits, allows, early, also, stands) for order in orders]
    asked = sum(is_asked(act) for act in acts)
    guessed = sum(is_guess(record.acts[number]) for number in known if number >= first)
    after = 0 if also is None else sum(act.entry.number > also for act in acts)  # each may have been in another turn
    most = game.seats + asked + guessed + after + (STANDS * MOST_STANDING if stands else 0)
    for added in range(0 if guessed else 1, most + 1):
        for search in searches:
            found = False
            for story in search.stories(record.states[first - 1], 0, added, ()):
                found = True
                yield story
            if found or search.judged > MOST_JUDGED:
                return


def _said_after(record: Record[Any], acts: list[RecordedMove]) -> list[list[RecordedMove]]:
    """The same acts in the order in which they were done, where the record has another: a word on a phone was taken for
    the answer to a question about a thing that lay there already, and so counts before it."""
    order = acts
    for word in filter(_is_word, acts):
        said, place = _first_entry(record, word.entry.number), order.index(word)
        lay = [act for act in order[place + 1 :] if _lay_since(record, act) < said]
        if lay:
            without = [act for act in order if act not in lay]
            place = without.index(word)
            order = [*without[:place], *lay, *without[place:]]
    return [] if order == acts else [order]


def _is_word(act: RecordedMove) -> bool:
    """Whether somebody said this on a phone, and it lays nothing."""
    return act.counts and act.entry.origin is Origin.PHONE and act.move.subject is None and act.move.by != TABLE


def _lay_since(record: Record[Any], act: RecordedMove) -> int:
    """The entry with which people were first asked about a thing that an act laid; else that of the act."""
    card, since = act.move.laid, act.entry.number
    if card is None or act.entry.origin is Origin.PHONE:
        return since
    for line in reversed(record.lines[: since - 1]):
        match line.entry.event:
            case Refused(move, change) as refused if refused.asks and change is not None and move.laid == card:
                since = line.entry.number
            case Settled(number) if number in record.acts and record.acts[number].move.laid == card:
                break  # it was taken up
            case _:
                pass
    return since


def _first_entry(record: Record[Any], number: int) -> int:
    """The entry with which an act came first: it may have been struck since, and told anew."""
    entry = record.lines[number - 1].entry
    for line in reversed(record.lines[: number - 1]):
        event = line.entry.event
        if line.entry.time_s != entry.time_s:
            break
        if isinstance(event, Struck):
            struck = record.lines[event.number - 1].entry
            if isinstance(struck.event, Played) and isinstance(entry.event, Played):
                same = struck.event.move.do, struck.event.move.laid, struck.origin
                if same == (entry.event.move.do, entry.event.move.laid, entry.origin):
                    return _first_entry(record, struck.number)
    return number


def is_guess(act: RecordedMove) -> bool:
    """Whether nobody said or showed this act: it was only concluded, and may be told otherwise."""
    return act.counts and act.entry.origin is Origin.TABLE and act.move.by != TABLE and act.move.subject is None


def guesses_since(record: Record[Any], first: int) -> int:
    """So many of the acts since an entry were only concluded."""
    return sum(is_guess(act) for number, act in record.acts.items() if number >= first)


def leaves_ends_unsaid(record: Record[Any]) -> bool:
    """Whether this table often does not say that a turn is over: of the last ``LAST_ENDS`` ends that count,
    ``OFTEN_UNSAID`` were only concluded."""
    acts = (act for _, act in sorted(record.acts.items(), reverse=True) if act.counts)
    ends = islice((act for act in acts if act.move.by != TABLE and act.move.do in UNSAID), LAST_ENDS)
    return sum(map(is_guess, ends)) >= OFTEN_UNSAID


def is_asked(act: RecordedMove) -> bool:
    """Whether players were asked about this act, and it does not count yet."""
    return isinstance(act.entry.event, Refused) and act.entry.event.asks and not act.counts


def _waits_as_word(record: Record[Any], number: int) -> bool:
    return is_held_word(record, number) or is_asked_word(record, number)


def is_asked_word(record: Record[Any], number: int) -> bool:
    """Whether a seat said something on its phone that is asked about, and nothing has counted since: what was laid
    meanwhile came after it."""
    line = record.lines[number - 1]
    event = line.entry.event
    if not isinstance(event, Refused) or event.change is not None or line.entry.origin is not Origin.PHONE:
        return False
    return event.asks and not any(act.counts and act.move.by != TABLE for n, act in record.acts.items() if n > number)


def is_held_word(record: Record[Any], number: int) -> bool:
    """Whether a command card was shown that waits for the answer to a question, and nobody said whose it was."""
    line = record.lines[number - 1]
    event = line.entry.event
    if not isinstance(event, Refused) or event.change is not None or not event.asks:
        return False
    return line.entry.origin is not Origin.PHONE and event.move.by == line.standing.turn


Told: TypeAlias = tuple[ToldAct | Entry, ...]


@dataclass
class _Search:
    """Tries the stories of ``retellings``.

    Attributes:
        first: The entry since which all is told anew: that of the first act, or of ends before it that were guessed.
        judged: So many moves were tried so far.
        hopeless: Beginnings of which no story came that fits. Whether somebody who did nothing passed or ended a turn
            changes nothing in that: only what they draw.
        seen: By entry, what was seen of its act.
    """

    game: Game[Any, Any]
    record: Record[Any]
    first: int
    acts: Sequence[RecordedMove | Entry]
    time_s: float | None
    fits: Callable[[Retelling], bool]
    allows: Callable[[RecordedMove, Move | None], bool]
    early: bool
    claimed: int | None
    stands: bool
    judged: int = 0
    hopeless: set[tuple[Any, ...]] = field(default_factory=set)
    seen: dict[int, Change] = field(default_factory=dict)

    def _seen(self, act: RecordedMove, card: CardId) -> Change:
        number = act.entry.number
        if number not in self.seen:
            self.seen[number] = _seen(self.game, self.record, act, card)
        return self.seen[number]

    def stories(self, state: Any, place: int, left: int, told: Told, stops: bool = False) -> Iterator[Retelling]:
        """All stories that go on from here and add so many acts.

        Args:
            place: The next act.
            stops: Something that waited for an answer was left out: so is what waited after it.
        """
        if self.judged > MOST_JUDGED:
            return
        if place == len(self.acts) and not left:
            turn = self.game.board.standing(self.game.public(state)).turn
            story = Retelling(self.first, told, state, turn)
            if self.fits(story):
                yield story
            return
        so_far = place, left, stops, tuple(_told_as(one) for one in told)
        if so_far in self.hopeless:
            return
        is_hopeless = True
        for story in self._longer(state, place, left, told, stops):
            is_hopeless = False
            yield story
        if is_hopeless:
            self.hopeless.add(so_far)

    def _longer(self, state: Any, place: int, left: int, told: Told, stops: bool) -> Iterator[Retelling]:
        if self.early and left:
            yield from self._added(state, place, left, told, stops)
        if place < len(self.acts):
            known = self.acts[place]
            goes_on = self._counted if isinstance(known, Entry) else self._retold
            yield from goes_on(state, place, left, told, stops)
        if not self.early and left:
            yield from self._added(state, place, left, told, stops)

    def _added(self, state: Any, place: int, left: int, told: Told, stops: bool) -> Iterator[Retelling]:
        if len(told) >= self.game.seats and not any(map(_is_known, told[-self.game.seats :])):
            return  # a second round in which nobody did anything would lead to the same
        number = _entry_of(self.acts[min(place, len(self.acts) - 1)]).number
        at = MoveContext(number, self.time_s)
        public = self.game.public(state)
        unsaid = unsaid_moves(self.game, public, at)
        for move in unsaid:
            self.judged += 1
            after = self.game.rules.apply(state, move, at).state
            yield from self.stories(after, place, left - 1, (*told, ToldAct(move)), stops)
        if unsaid or not self.stands or left <= STANDS:
            return
        for move in _traceless(self.game, public)[-1:]:  # people ended their turn, whatever they owed
            try:
                after = self.game.rules.apply(state, move, at).state
            except ImpossibleMove:
                return
            yield from self.stories(after, place, left - 1 - STANDS, (*told, ToldAct(move)), stops)

    def _retold(self, state: Any, place: int, left: int, told: Told, stops: bool) -> Iterator[Retelling]:
        act = self.acts[place]
        assert isinstance(act, RecordedMove)
        public = self.game.public(state)
        lawful = False
        read = () if stops and is_asked(act) else _as_read(self.game, act, public, self._seen)
        for move in read:
            if not self.allows(act, move):
                continue
            self.judged += 1
            if not self.game.rules.judge(public, move, _at(act)):
                lawful = True
                yield from self._done(state, place, left, told, stops, act, move)
        if lawful:
            return
        if act.counts:
            if self.stands and left >= STANDS:
                for move in filter(lambda move: self.allows(act, move), read or (act.move,)):
                    yield from self._done(state, place, left - STANDS, told, stops, act, move)
            return
        was_asked = is_asked(act)
        is_later = self.claimed is not None and act.entry.number > self.claimed
        costs = LEFT_OUT if was_asked and not is_later else 0
        if costs <= left and self.allows(act, None):
            yield from self.stories(state, place + 1, left - costs, told, stops or (was_asked and is_later))

    def _done(
        self, state: Any, place: int, left: int, told: Told, stops: bool, act: RecordedMove, move: Move
    ) -> Iterator[Retelling]:
        """All stories that go on with this move as the act at this place."""
        try:
            after = self.game.rules.apply(state, move, _at(act)).state
        except ImpossibleMove:
            return  # no table can hold it
        yield from self.stories(after, place + 1, left, (*told, ToldAct(move, act.entry.number)), stops)

    def _counted(self, state: Any, place: int, left: int, told: Told, stops: bool) -> Iterator[Retelling]:
        """All stories that go on with what was counted: that keeps its place among what was seen and said, and turns
        may have ended unsaid before it as well as after."""
        entry = _entry_of(self.acts[place])
        try:
            after = state_counted(self.game, state, entry)
        except InputError:
            return  # the count does not add up
        yield from self.stories(after, place + 1, left, (*told, entry), stops)


def _in_order(acts: Sequence[RecordedMove], counts: Sequence[Entry]) -> list[RecordedMove | Entry]:
    """Acts, and what was counted between them."""
    return sorted((*acts, *counts), key=lambda one: _entry_of(one).number)


def _entry_of(known: RecordedMove | Entry) -> Entry:
    return known if isinstance(known, Entry) else known.entry


def _told_as(one: ToldAct | Entry) -> tuple[int | None, Seat | None]:
    """Which entry this is, and whose act."""
    return (one.number, None) if isinstance(one, Entry) else (one.number, one.move.by)


def _is_known(one: ToldAct | Entry) -> bool:
    return isinstance(one, Entry) or one.number is not None


def _at(act: RecordedMove) -> MoveContext:
    return MoveContext(act.entry.number, act.entry.time_s)


def told_states(game: Game[Any, Any], record: Record[Any], told: Retelling) -> Iterator[tuple[ToldAct, Any]]:
    """Each act of a retelling, and the state before it."""
    state = record.states[told.first - 1]
    for one in told.story:
        if isinstance(one, Entry):
            state = state_counted(game, state, one)
            continue
        yield one, state
        state = game.rules.apply(state, one.move, told_context(record, one)).state


def told_context(record: Record[Any], one: ToldAct) -> MoveContext:
    """When an act of a retelling was done: a Stop names the entry that it is about, and comes within some seconds."""
    act = None if one.number is None else record.acts.get(one.number)
    return record.next_context() if act is None else _at(act)


def _names_its_seat(act: RecordedMove) -> bool:
    """Whether an act is of its seat whosever turn it was."""
    return act.move.by == TABLE or act.entry.origin in (Origin.PHONE, Origin.CLOCK)


def _as_read(
    game: Game[Any, Any], act: RecordedMove, public: Any, seen: Callable[[RecordedMove, CardId], Change]
) -> tuple[Move, ...]:
    """The same act as it would be read in another state: of whoever's turn it is, unless something names its seat.

    Args:
        seen: What was seen of an act that laid this thing.
    """
    move = act.move
    if _names_its_seat(act):
        return (move,)
    card = move.laid or move.subject
    event = act.entry.event
    if card is None or (isinstance(event, Refused) and event.change is None):  # said, or nobody saw where it lies
        turn = game.board.standing(public).turn
        return (move,) if turn is None else (as_seat(move, turn),)
    read = game.table.interpretations(public, seen(act, card))
    return tuple(other for other in read if as_seat(other, move.by) == move)


def _seen(game: Game[Any, Any], record: Record[Any], act: RecordedMove, card: CardId) -> Change:
    """What was seen of an act that laid this thing."""
    event, number = act.entry.event, act.entry.number
    if isinstance(event, Refused) and event.change is not None:
        return event.change
    lay, lies = (game.table.expected(game.public(record.states[n])).cards for n in (number - 1, number))
    return Change(card, lay.get(card), lies.get(card))


def stories_with(game: Game[Any, Any], record: Record[Any], move: Move, time_s: float | None) -> list[Retelling]:
    """The stories after which a move is lawful although it is not that turn of its seat as far as is known."""
    if move.by == TABLE or record.standing.turn is None:
        return []
    at = record.next_context(time_s)

    def is_lawful(told: Retelling) -> bool:
        return not game.rules.judge(game.public(told.state), move, at)

    found: list[Retelling] = []
    for told in retellings(game, record, certain_since(record), time_s, is_lawful):
        if all(told.acts != other.acts for other in found):
            found.append(told)
    return found


def is_first_laid(record: Record[Any], number: int | None = None) -> bool:
    """Whether no player has laid anything, before an entry or so far."""
    before = record.next_number if number is None else number
    return not any(act.counts and act.move.by and act.move.laid for n, act in record.acts.items() if n < before)


def is_of_opening(record: Record[Any], told: Retelling) -> bool:
    """Whether a story only adds acts from before anybody laid a card."""
    first = next((place for place, one in enumerate(told.acts) if one.move.by and one.move.laid), len(told.acts))
    added_first = all(one.number is not None for one in told.acts[first:])
    return added_first and is_first_laid(record, told.first)


def first_claim(record: Record[Any], told: Retelling) -> tuple[int, Seat, CardId] | None:
    """The first card that a story gives to another seat: its entry, the seat and the card."""
    for one in told.acts:
        if one.number is not None and one.move.laid is not None and record.acts[one.number].move.by != one.move.by:
            return one.number, one.move.by, one.move.laid
    return None


def changes_owners(record: Record[Any], told: Retelling, number: int) -> bool:
    """Whether a story gives anything that counts to another seat, besides this entry."""
    others = ((one, record.acts[one.number]) for one in told.acts if one.number not in (None, number))
    return any(act.counts and act.move.by != one.move.by for one, act in others)


def retelling_events(record: Record[Any], told: Retelling) -> tuple[Event, ...]:
    """The events that turn what was recorded into a retelling: what differs is struck, and played and counted again;
    what waits for an answer and is no part of it waits on.
    """
    return tuple(event for event, _ in _retelling(record, told))


def retelling_origins(record: Record[Any], told: Retelling, origin: Origin, claimed: int | None) -> tuple[Origin, ...]:
    """Where each of these events comes from: what nobody said from the table, what was done from where it came first,
    and a thing that was laid or lifted, and is told as that only now, from the camera.

    Args:
        origin: Of what led to the retelling.
        claimed: The entry whose act was said to be somebody's.
    """

    def of(act: ToldAct | Entry | None) -> Origin:
        if act is None or (act.number is not None and act.number == claimed):
            return origin
        if isinstance(act, ToldAct) and act.number is None:
            return Origin.TABLE if act.move.subject is None else Origin.CAMERA
        first = None if act.number is None else record.lines[act.number - 1].entry.origin
        return first or origin

    return tuple(of(act) for _, act in _retelling(record, told))


def _retelling(record: Record[Any], told: Retelling) -> Iterator[tuple[Event, ToldAct | Entry | None]]:
    struck = record.struck
    since = (line.entry for line in record.lines[told.first - 1 :] if line.entry.number not in struck)
    counted = [entry for entry in since if isinstance(entry.event, Corrected) or _counts_now(record, entry.number)]
    kept = list(told.story)
    while counted and kept and _is_same(record, counted[0], kept[0]):
        del counted[0], kept[0]
    refused = record.open_refusals
    waits = [number for number in sorted(record.acts) if number >= told.first and number in refused]
    waits = [number for number in waits if is_asked(record.acts[number])]
    for number in waits:
        if is_held_word(record, number):
            yield Settled(number), None
    for entry in reversed(counted):
        yield Struck(entry.number), None
    for one in kept:
        yield Played(one.move) if isinstance(one, ToldAct) else one.event, one
    done = {one.number for one in told.acts}
    for number in waits:
        waiting = refused[number]
        if number in done or not (waiting.change is not None or is_held_word(record, number)):
            continue
        if waiting.change is None and told.turn is not None:
            waiting = replace(waiting, move=as_seat(waiting.move, told.turn))
        yield waiting, ToldAct(waiting.move, number)  # it still waits, and keeps its place


def _counts_now(record: Record[Any], number: int) -> bool:
    return number in record.acts and record.acts[number].counts


def _is_same(record: Record[Any], was: Entry, told: ToldAct | Entry) -> bool:
    """Whether an entry stays as it is in a retelling."""
    act = record.acts.get(was.number)
    if act is None or isinstance(told, Entry):
        return was == told
    return told.move == act.move and told.number == (None if is_guess(act) else was.number)


def read_late(
    game: Game[Any, Any], record: Record[Any], change: Change, came: int, time_s: float | None
) -> Retelling | None:
    """The story in which a thing that is read only now was laid when it came: what counted since counts after it, also
    what was allowed although it lacked that thing, and what waits for it where it is lawful then.

    ``None`` if nothing was done since, or no such story is lawful.

    Args:
        came: The entry before which something began to lie there unread. It may have been laid some acts before.
    """
    known = known_acts(record)
    if not any(number >= came for number in known):
        return None
    since = next((n for n in reversed(known) if n < came and _ends_turn(record, n)), 0)
    before = [number for number in known if since < number <= came]
    for first in (*reversed(before), *[number for number in known if number > came][:1]):
        acts = [record.acts[number] for number in known if number >= first]
        if any(isinstance(line.entry.event, (Claimed, Corrected, Seated)) for line in record.lines[first - 1 :]):
            continue  # people have said since what was
        for move in game.table.interpretations(game.public(record.states[first - 1]), change):
            if move.by == TABLE:
                continue
            try:
                told = told_after(game, record, first, (move,), acts, time_s)
            except (ImpossibleMove, InputError):
                continue  # no table can hold it
            if told is not None:
                return told
    return None


def known_acts(record: Record[Any]) -> list[int]:
    """The entries of what counts, and of what lies there and waits for an answer."""
    return [number for number in sorted(record.acts) if _counts_now(record, number) or _waits_there(record, number)]


def _waits_there(record: Record[Any], number: int) -> bool:
    refused = record.open_refusals.get(number)
    return refused is not None and refused.change is not None and refused.asks


def _ends_turn(record: Record[Any], number: int) -> bool:
    before = record.lines[number - 2].standing.turn if number > 1 else None
    return record.lines[number - 1].standing.turn != before


def told_after(
    game: Game[Any, Any],
    record: Record[Any],
    first: int,
    moves: Sequence[Move],
    acts: Sequence[RecordedMove],
    time_s: float | None,
) -> Retelling | None:
    """The story since an entry in which these moves came first, and then these acts; ``None`` if one that counts is not
    lawful then.

    Raises:
        ImpossibleMove: No table can hold it.
    """
    state, at = record.states[first - 1], MoveContext(first, time_s)
    story: list[ToldAct] = []
    for move in moves:
        if game.rules.judge(game.public(state), move, at):
            return None
        state = game.rules.apply(state, move, at).state
        story.append(ToldAct(move))
    for act in acts:
        public = game.public(state)
        read = (
            _as_read(game, act, public, partial(_seen, game, record)) if act.allowed or not act.counts else (act.move,)
        )
        lawful = next((one for one in read if not game.rules.judge(public, one, _at(act))), None)
        if lawful is None and act.counts and not is_guess(act):
            return None
        if lawful is not None:
            state = game.rules.apply(state, lawful, _at(act)).state
            story.append(ToldAct(lawful, act.entry.number))
    turn = game.board.standing(game.public(state)).turn
    return Retelling(first, tuple(story), state, turn)


def late_events(
    game: Game[Any, Any], record: Record[Any], number: int, move: Move, time_s: float | None, *, stands: bool = False
) -> tuple[Event, ...]:
    """The events for a move that was made before entry ``number`` but is recognised only now.

    What counted since is struck, and played again after the move; an end of turn that the move makes unnecessary is
    left out. Empty if something since would not be valid.

    Args:
        stands: People have said so: what is not lawful any more stands.
    """
    struck = record.struck
    since = [record.acts[n] for n in sorted(record.acts) if n >= number and n not in struck]
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
            if not stands or one is move:
                return ()
        try:
            state = game.rules.apply(state, one, at).state
        except ImpossibleMove:
            return ()
        kept.append(one)
    if corrected or not later:
        return ()
    return (*(Struck(act.entry.number) for act in reversed(later)), *(Played(one) for one in kept))


def as_seat(move: Move, seat: Seat) -> Move:
    """The same move by another seat."""
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
    lost |= {number for number, event in enumerate(events, record.next_number) if isinstance(event, Refused)}
    try:
        for event in events:
            entry = Entry(record.next_number, event, time_s=time_s)
            record = append(game, record, entry)
    except BuiltOn as wrong:
        return Text("referee.builds_on", {"what": entry_name(game, record, wrong.number)})
    except InputError as wrong:
        return Text("referee.cannot", {"why": tuple(fault_text(fault) for fault in wrong.faults)})
    named = {number for event in events for number in _named(record, event)}
    broke = [
        number
        for number, act in record.acts.items()
        if number not in unlawful_before | lost | named and (not act.counts or (act.objections and not act.allowed))
    ]
    broke += [act.entry.number for act in unlawful_moves(record) if act.entry.number in named - unlawful_before]
    claimed = next((event for event in events if isinstance(event, Claimed) and event.number in broke), None)
    if claimed is not None:
        what = Text("referee.the_card", {"card": record.acts[claimed.number].move.laid})
        return Text("referee.not_theirs", {"seat": claimed.by, "what": what})
    if not broke:
        return None
    return Text("referee.would_break", {"number": min(broke), "what": entry_name(game, record, min(broke))})


def made_unlawful(
    game: Game[Any, Any], record: Record[Any], events: tuple[Event, ...], time_s: float | None
) -> tuple[Text, ...]:
    """What counts after a correction although it is against the rules by it, in few words."""
    before = {act.entry.number for act in unlawful_moves(record)}
    after = record
    for event in events:
        after = append(game, after, Entry(after.next_number, event, time_s=time_s))
    made = sorted(act.entry.number for act in unlawful_moves(after) if act.entry.number not in before)
    return tuple(
        Text("referee.act_of", {"seat": after.acts[number].move.by, "what": entry_name(game, after, number)})
        for number in made
    )


def entry_name(game: Game[Any, Any], record: Record[Any], number: int) -> Text:
    """An entry in few words: its card, else its act; a correction by what it corrected."""
    match record.lines[number - 1].entry.event:
        case Played(move) | Refused(move):
            card = move.subject
            return Text(f"{game.name}.act.{move.do}") if card is None else Text("referee.the_card", {"card": card})
        case Allowed(allowed, _):
            return Text("referee.the_permission", {"what": entry_name(game, record, allowed)})
        case Claimed(claimed, _):
            return Text("referee.the_claim", {"what": entry_name(game, record, claimed)})
        case Corrected(table=None):
            return Text("referee.the_count")
        case Corrected():
            return Text("referee.table_kept")
        case TurnTold(seat):
            return Text("referee.turn_told", {"seat": seat})
        case Seated():
            return Text("referee.the_seats")
        case _:
            return Text("referee.the_correction")


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
