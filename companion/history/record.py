"""The record: everything known about a match, as a fold over its log, one step per entry.

Corrections are additions. Striking entry 7 appends an entry; what follows 7 is then played again from the state
before it. Each line keeps its results from the time when it was written: history is not rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from companion.errors import Fault, ImpossibleMove, InputError, fault
from companion.games.protocol import Effect, Game, Move, MoveContext, Objection
from companion.history.events import (
    Allowed,
    Claimed,
    Corrected,
    Ended,
    Entry,
    Event,
    Paused,
    Played,
    Refused,
    Resumed,
    Seated,
    Settled,
    Struck,
    undone_numbers,
)
from companion.public.standing import Standing
from companion.public.table import Seat
from companion.public.text import JSON, Text


@dataclass(frozen=True, slots=True)
class RecordLine:
    """An entry and its results at the time when it was written.

    Attributes:
        objections: All objections to its move; in silent profiles private until the match is over.
        points: What the entry brought to the seat that made it.
        extras: Further keys (``failed``, ``held``).
        score_reasons: A line for each part of the points.
        milestone: A trump was won, openly.
        standing: The public scoreboard after every consequence of the entry.
    """

    entry: Entry
    standing: Standing
    objections: tuple[Objection, ...] = ()
    points: int = 0
    extras: Mapping[str, JSON] = field(default_factory=dict)
    score_reasons: tuple[Text, ...] = ()
    milestone: bool = False


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move, as the corrections so far leave it.

    Attributes:
        counts: It is part of the match.
        objections: The public objections to it now, whether it was allowed or not.
        hidden_objections: Further ones that a Stop would reveal. No correction may depend on them: accepting or
            refusing a correction would reveal what is hidden (docs/rules.md, L6).
    """

    entry: Entry
    move: Move
    counts: bool
    allowed: bool
    objections: tuple[Objection, ...]
    hidden_objections: tuple[Objection, ...] = ()

    @property
    def all_objections(self) -> tuple[Objection, ...]:
        """Public and hidden ones, without duplicates."""
        return _merged(self.objections, self.hidden_objections)


@dataclass(frozen=True)
class Record(Generic[S]):
    """Everything that the referee knows about a match. What takes time to work out is worked out once.

    Attributes:
        lines: One per entry, as written.
        states: ``states[n]`` is the state after entry ``n`` with all corrections applied; ``states[0]`` the start.
        acts: By entry number, every move that was not struck.
        public: The public half of ``state``.
        standing: The public scoreboard now.
    """

    lines: tuple[RecordLine, ...]
    states: tuple[S, ...]
    acts: Mapping[int, RecordedMove]
    state: S
    public: Any
    standing: Standing

    @property
    def next_number(self) -> int:
        return len(self.lines) + 1

    def next_context(self, time_s: float | None = None) -> MoveContext:
        return MoveContext(self.next_number, time_s)

    @property
    def last_time_s(self) -> float:
        """Seconds of play at the last entry that has a time."""
        return next((line.entry.time_s for line in reversed(self.lines) if line.entry.time_s is not None), 0.0)

    @property
    def paused(self) -> bool:
        spoken = (line.entry.event for line in reversed(self.lines))
        return isinstance(next((e for e in spoken if isinstance(e, (Paused, Resumed))), None), Paused)

    @property
    def ended(self) -> bool:
        """Whether the match was closed before its regular end."""
        return any(isinstance(line.entry.event, Ended) for line in self.lines[-1:])

    @cached_property
    def struck(self) -> frozenset[int]:
        """Entries that were struck, unless the entry that struck them was struck itself."""
        return active_corrections(self.lines).undone

    @cached_property
    def open_refusals(self) -> Mapping[int, Refused]:
        """Refused moves, by entry number, that were not taken back, allowed, struck or claimed; a refusal that was
        allowed or claimed is open again once that is undone."""
        opened: dict[int, Refused] = {}
        undone = undone_numbers([line.entry for line in self.lines])
        for line in self.lines:
            if line.entry.number in undone and isinstance(line.entry.event, (Allowed, Claimed)):
                continue
            match line.entry.event:
                case Refused(_, change) as refused:  # a new verdict on the same card replaces the old one
                    if change is not None:
                        opened = {n: r for n, r in opened.items() if r.change != change}
                    opened[line.entry.number] = refused
                case Settled(number) | Allowed(number, _) | Struck(number, _) | Claimed(number, _):
                    opened.pop(number, None)
                case Played(move) if opened:  # laid again, or its turn has come
                    card = move.subject
                    opened = {n: r for n, r in opened.items() if card is None or r.move.subject != card}
                case _:
                    pass
        return opened


def begin(game: Game[S, Any]) -> Record[S]:
    """The record before the first entry."""
    state = game.rules.start
    public = game.public(state)
    return Record((), (state,), {}, state, public, game.board.standing(public))


def append(game: Game[S, Any], record: Record[S], entry: Entry) -> Record[S]:
    """The record with one more entry, both its public and its hidden half.

    >>> import companion
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> append(game, begin(game), Entry(1, Paused())).paused
    True
    """
    return complete_hidden(game, record, append_public(game, record, entry))


def append_public(game: Game[S, Any], record: Record[S], entry: Entry) -> Record[S]:
    """The record with the public half of one more entry; ``complete_hidden`` adds the hidden half.

    Raises:
        InputError: A correction refers to an entry that it cannot correct.
    """
    match entry.event:
        case Played(move) | Refused(move):
            counts = isinstance(entry.event, Played)
            act, step = _act(game, record.state, record.public, RecordedMove(entry, move, counts, False, ()))
            return _extended(game, record, entry, step, act)
        case Allowed() | Struck() | Claimed() | Corrected() | Seated():
            _check(record, entry)
            return _corrected(game, record, entry)
        case _:
            return _extended(game, record, entry, Effect(record.state), None)


def append_unplayed(record: Record[S], entry: Entry) -> Record[S]:
    """The record with an entry that is in the log but that the game cannot play: nothing comes of it."""
    lines = (*record.lines, RecordLine(entry, record.standing))
    return replace(record, lines=lines, states=(*record.states, record.state))


def complete_hidden(game: Game[S, Any], before: Record[S], after: Record[S]) -> Record[S]:
    """Add the hidden half of the last entry, after the public half was published."""
    line = after.lines[-1]
    act = after.acts.get(line.entry.number)
    if act is None or not act.counts:
        return after
    opened = Effect(after.state, line.points, line.extras, line.score_reasons, line.milestone)
    step = game.hidden.apply(before.state, act.move, MoveContext(line.entry.number, line.entry.time_s), opened)
    act = replace(act, hidden_objections=step.objections)
    public = game.public(step.state)
    standing = after.standing if public is after.public else game.board.standing(public)
    line = replace(line, objections=act.all_objections, standing=standing)
    acts = {**after.acts, line.entry.number: act}
    return Record((*after.lines[:-1], line), (*after.states[:-1], step.state), acts, step.state, public, standing)


def replay(game: Game[S, Any], entries: Iterable[Entry]) -> Record[S]:
    """The record of these entries.

    >>> import companion
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> record = replay(game, [Entry(1, Paused()), Entry(2, Resumed())])
    >>> record.next_number, record.paused
    (3, False)
    """
    played = Replay(game)
    for entry in entries:
        played.append(entry)
    return played.record


class Replay(Generic[S]):
    """The same, an entry at a time: ``append`` copies the whole record each time, which a long match feels."""

    def __init__(self, game: Game[S, Any]) -> None:
        self._game = game
        self._last = begin(game)
        self._lines: list[RecordLine] = []
        self._states: list[S] = [self._last.state]
        self._acts: dict[int, RecordedMove] = {}

    def append(self, entry: Entry) -> None:
        """Play one more entry; one that raises leaves what was played before as it was."""
        if isinstance(entry.event, (Allowed, Struck, Claimed, Corrected, Seated)):  # these go back to earlier entries
            self._last = append(self._game, self.record, entry)
            self._lines, self._states = list(self._last.lines), list(self._last.states)
            self._acts = dict(self._last.acts)
            return
        last = self._last
        self._last = append(self._game, replace(last, lines=(), states=(last.state,), acts={}), entry)
        self._lines += self._last.lines
        self._states.append(self._last.state)
        self._acts.update(self._last.acts)

    @property
    def record(self) -> Record[S]:
        return replace(self._last, lines=tuple(self._lines), states=tuple(self._states), acts=dict(self._acts))


def unlawful_moves(record: Record[Any]) -> tuple[RecordedMove, ...]:
    """Moves that count despite public objections, without having been allowed."""
    return tuple(act for act in record.acts.values() if act.counts and act.objections and not act.allowed)


def _merged(first: tuple[Objection, ...], second: tuple[Objection, ...]) -> tuple[Objection, ...]:
    return first + tuple(objection for objection in second if objection not in first)


def _act(game: Game[S, Any], state: S, public: Any, act: RecordedMove) -> tuple[RecordedMove, Effect[S]]:
    """Judge a move and, if it counts and the table can hold it, play its public half."""
    at = MoveContext(act.entry.number, act.entry.time_s)
    objections = game.rules.judge(public, act.move, at)
    if act.counts:
        try:
            return replace(act, objections=objections), game.rules.apply(state, act.move, at)
        except ImpossibleMove:
            act = replace(act, counts=False)
    return replace(act, objections=objections), Effect(state)


def _extended(
    game: Game[S, Any], record: Record[S], entry: Entry, step: Effect[S], act: RecordedMove | None
) -> Record[S]:
    objections = () if act is None else act.objections
    state = step.state
    public = game.public(state)
    standing = record.standing if public is record.public else game.board.standing(public)
    line = RecordLine(entry, standing, objections, step.points, step.extras, step.score_reasons, step.milestone)
    acts = record.acts if act is None else {**record.acts, entry.number: act}
    return Record((*record.lines, line), (*record.states, state), acts, state, public, standing)


def _corrected(game: Game[S, Any], record: Record[S], entry: Entry) -> Record[S]:
    """Play the match again from the first entry that the correction affects."""
    lines = (*record.lines, RecordLine(entry, record.standing))
    states, acts = _known(game, lines, _touched(lines, entry), record)
    public = game.public(states[-1])
    standing = game.board.standing(public)
    return Record((*record.lines, RecordLine(entry, standing)), states, acts, states[-1], public, standing)


def _check(record: Record[Any], entry: Entry) -> None:
    number = getattr(entry.event, "number", None)
    if number is not None and not 0 < number < entry.number:
        raise InputError(fault("entry.fault.none", "there is no such move in this match", number=number))
    meant = record.lines[number - 1].entry.event if number else None
    if isinstance(entry.event, Allowed) and not isinstance(meant, Refused):
        raise InputError(
            fault(
                "entry.fault.not_refused", "that move was not refused, so there is nothing to let stand", number=number
            )
        )
    if isinstance(entry.event, Claimed) and not isinstance(meant, (Played, Refused)):
        raise InputError(
            fault("entry.fault.no_move", "that was no player's move, so no seat can claim it", number=number)
        )


def _touched(lines: tuple[RecordLine, ...], entry: Entry) -> int:
    """The first entry that a correction affects; striking a correction affects what that had corrected."""
    event: Event | None = entry.event
    touched = entry.number
    while isinstance(event, (Allowed, Claimed, Struck)):
        touched = event.number
        event = lines[touched - 1].entry.event if isinstance(event, Struck) else None
    return touched


@dataclass(frozen=True, slots=True)
class ActiveCorrections:
    """The effect of all corrections: entries undone, entries allowed, and claims by entry number."""

    undone: frozenset[int]
    allowed: frozenset[int]
    claims: Mapping[int, Seat]


def active_corrections(lines: tuple[RecordLine, ...]) -> ActiveCorrections:
    """Combine the corrections among these lines, without struck ones."""
    struck = undone_numbers([line.entry for line in lines])
    valid = [line.entry.event for line in lines if line.entry.number not in struck]
    return ActiveCorrections(
        struck,
        frozenset(event.number for event in valid if isinstance(event, Allowed)),
        {event.number: event.by for event in valid if isinstance(event, Claimed)},
    )


class BuiltOn(InputError):
    """A correction takes away what a later entry builds on: a count, or that somebody came or left.

    Attributes:
        number: The later entry.
    """

    def __init__(self, number: int, *faults: Fault | str) -> None:
        super().__init__(*faults)
        self.number = number


def _known(
    game: Game[S, Any], lines: tuple[RecordLine, ...], first: int, record: Record[S]
) -> tuple[tuple[S, ...], dict[int, RecordedMove]]:
    """States and acts of the corrected match, played again from entry ``first``.

    Raises:
        InputError: The correction itself is not possible; ``BuiltOn``: a later entry would not be.
    """
    meaning = active_corrections(lines)
    states = list(record.states[:first])
    acts = {number: act for number, act in record.acts.items() if number < first}
    for line in lines[first - 1 :]:
        entry, state = line.entry, states[-1]
        number, event = entry.number, entry.event
        if number not in meaning.undone:
            try:
                if isinstance(event, Corrected):
                    state = state_counted(game, state, entry)
                elif isinstance(event, Seated) and event.here is not None:
                    state = game.rules.seat(state, event.seat, event.here, MoveContext(number, entry.time_s))
            except InputError as wrong:
                if line is lines[-1]:
                    raise
                raise BuiltOn(number, *wrong.faults) from wrong
            if isinstance(event, (Played, Refused)):
                acts[number], state = _again(game, state, entry, event.move, meaning)
        states.append(state)
    return tuple(states), acts


def state_counted(game: Game[S, Any], state: S, entry: Entry) -> S:
    """The state after people counted, or confirmed that the table is right.

    Raises:
        InputError: The counts do not add up.
    """
    event, at = entry.event, MoveContext(entry.number, entry.time_s)
    if not isinstance(event, Corrected):
        return state
    if event.table is not None:
        state = game.rules.adopt(state, dict(event.table), at)
    return game.rules.correct(state, dict(event.counts), at) if event.counts else state


def _again(
    game: Game[S, Any], state: S, entry: Entry, move: Move, meaning: ActiveCorrections
) -> tuple[RecordedMove, S]:
    """Play one move of a corrected match.

    A move that counted still counts if the table can hold it. A refused one counts if it is allowed, or claimed by a
    seat for which it is lawful.
    """
    number, at = entry.number, MoveContext(entry.number, entry.time_s)
    allowed = number in meaning.allowed
    counts = allowed or isinstance(entry.event, Played)
    public = game.public(state)
    if number in meaning.claims:
        move = replace(move, by=meaning.claims[number])  # type: ignore[type-var]  # moves are dataclasses
        counts = counts or not game.rules.judge(public, move, at)
    act, step = _act(game, state, public, RecordedMove(entry, move, counts, allowed, ()))
    if not act.counts:
        return act, state
    sealed = game.hidden.apply(state, move, at, step)
    return replace(act, hidden_objections=sealed.objections), sealed.state
