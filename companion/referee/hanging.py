"""What hangs on the answer to an open question: it waits for the answer, is never blamed, and keeps its order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.errors import InputError
from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import claim_retelling, lawful_after_all, turn_retelling, unsaid_moves
from companion.history.events import Allowed, Claimed, Entry
from companion.history.record import Record, append
from companion.public.table import Change
from companion.referee.commands import Allow, Claim, Command, MakeMove, TellTurn
from companion.referee.early import state_after
from companion.referee.questions import Questions


def state_if(
    game: Game[Any, Any], record: Record[Any], meaning: Sequence[Command], time_s: float | None, since: int
) -> Any | None:
    """The state if this answer were given now; ``None`` if nothing lawful comes of it, or it says nothing of acts.

    Args:
        since: The first entry since the table was out of sight.
    """
    moves = [one.move for one in meaning if isinstance(one, MakeMove)]
    if moves and len(moves) == len(meaning):
        return state_after(game, record.state, moves, record.next_context(time_s))
    match meaning:
        case (Claim(by, int(number)), *_):
            told = claim_retelling(game, record, number, by, time_s)
            return _corrected(game, record, (Claimed(number, by),), time_s) if told is None else told.state
        case (TellTurn(seat),):
            told = turn_retelling(game, record, seat, since, time_s)
            return None if told is None else told.state
        case (Allow(int(number)),):
            return _corrected(game, record, (Allowed(number),), time_s)
        case (Allow(int(number)), Claim(by)):
            return _corrected(game, record, (Allowed(number), Claimed(number, by)), time_s)
        case _:
            return None


def _corrected(
    game: Game[Any, Any], record: Record[Any], events: Sequence[Claimed | Allowed], time_s: float | None
) -> Any | None:
    after = record
    try:
        for event in events:
            after = append(game, after, Entry(after.next_number, event, time_s=time_s))
    except InputError:
        return None
    act = after.acts.get(events[0].number)
    lawful = act is not None and act.counts and (act.allowed or not act.objections)
    return after.state if lawful else None


@dataclass
class Answers:
    """What the answers to the open questions would lead to; worked out once for each entry."""

    _record: Record[Any] | None = None
    _states: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    _fits: dict[Change, Move | None] = field(default_factory=dict)

    def states(
        self, game: Game[Any, Any], record: Record[Any], questions: Questions, time_s: float | None, since: int
    ) -> dict[int, tuple[Any, ...]]:
        """By question about acts that waits for its answer, the states that its answers would lead to."""
        self._forget(record)
        found = {}
        for number, opened in questions.open.items():
            if not opened.hangs:
                continue
            if number not in self._states:
                states = (state_if(game, record, meaning, time_s, since) for meaning in opened.meanings)
                self._states[number] = tuple(state for state in states if state is not None)
            found[number] = self._states[number]
        return found

    def fits(self, game: Game[Any, Any], record: Record[Any], change: Change, time_s: float | None) -> Move | None:
        """As which move a change is lawful after all that waits for an answer, in any story; ``None`` if in none."""
        self._forget(record)
        if change not in self._fits:
            self._fits[change] = lawful_after_all(game, record, change, time_s)
        return self._fits[change]

    def _forget(self, record: Record[Any]) -> None:
        if self._record is not record:
            self._record, self._states, self._fits = record, {}, {}


def hanging(
    game: Game[Any, Any], states: Iterable[Any], placed: Sequence[Change], at: MoveContext
) -> dict[Change, Move | None]:
    """Those changes that would be lawful, in some order, in one of these states, or after turns that ended unsaid; and
    as which move. ``None``: it would lie where it belongs, by what was said before.
    """
    dependent: dict[Change, Move | None] = {}
    for state in states:
        after = state
        expected = game.table.expected(game.public(state)).cards
        left = [change for change in placed if expected.get(change.card) != change.went_to]
        for change in set(placed).difference(left):
            dependent.setdefault(change, None)
        while left and (found := _first_lawful(game, after, left, at)) is not None:
            change, moves, after = found
            dependent.setdefault(change, moves[-1])
            left.remove(change)
    return dependent


def moves_of_all(game: Game[Any, Any], state: Any, placed: Sequence[Change], at: MoveContext) -> tuple[Move, ...]:
    """Those of these changes that are lawful, in some order, as moves, with the ends of turns before them that nobody
    said."""
    left, done = list(placed), list[Move]()
    while left and (found := _first_lawful(game, state, left, at)) is not None:
        change, moves, state = found
        left.remove(change)
        done += moves
    return tuple(done)


def after_all(game: Game[Any, Any], state: Any, placed: Sequence[Change], at: MoveContext) -> Any:
    """The state after these changes, as far as they are lawful."""
    for move in moves_of_all(game, state, placed, at):
        state = game.rules.apply(state, move, at).state
    return state


def _first_lawful(
    game: Game[Any, Any], state: Any, placed: Sequence[Change], at: MoveContext
) -> tuple[Change, tuple[Move, ...], Any] | None:
    """The first of these changes that is lawful, if need be after turns that ended unsaid; these ends and its move; and
    the state after them."""
    ended: list[Move] = []
    for _ in range(game.seats + 1):
        public = game.public(state)
        for change in placed:
            for move in game.table.interpretations(public, change):
                if not game.rules.judge(public, move, at):
                    return change, (*ended, move), game.rules.apply(state, move, at).state
        ends = unsaid_moves(game, public, at)
        if not ends:
            return None
        ended.append(ends[0])
        state = game.rules.apply(state, ends[0], at).state
    return None
