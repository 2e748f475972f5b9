"""Cards that were laid too early: they stay, and count as soon as their turn comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.history.events import Played, Refused, Struck
from companion.history.record import Record
from companion.public.table import Change
from companion.referee.issues import TableIssues


def state_after(game: Game[Any, Any], state: Any, moves: Sequence[Move], at: MoveContext) -> Any | None:
    """The state after these moves in order; ``None`` if one of them is unlawful.

    >>> import companion
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> state_after(game, game.rules.start, [], MoveContext(1)) == game.rules.start
    True
    """
    for number, move in enumerate(moves, at.number):
        then = MoveContext(number, at.time_s)
        if game.rules.judge(game.public(state), move, then):
            return None
        state = game.rules.apply(state, move, then).state
    return state


def refused_too_early(game: Game[Any, Any], record: Record[Any], number: int, refused: Refused) -> bool:
    """Whether it was refused only because its turn had not come, or an end of turn was missing before it."""
    public_before = game.public(record.states[number - 1])
    if game.rules.is_early(public_before, refused.move):
        return True
    return bool(game.rules.implied_moves(public_before, refused.move, MoveContext(number)))


def refuted_turns(game: Game[Any, Any], record: Record[Any], reported: set[Change]) -> Iterator[tuple[Change, Move]]:
    """Cards that still lie there although their act was struck, because the turn before was not over."""
    events = [line.entry.event for line in record.lines]
    laid = {change.card: change for change in reported if change.went_to is not None}
    for number, event in enumerate(events, 1):
        act = events[event.number - 1] if isinstance(event, Struck) else None
        if not isinstance(act, Played) or (change := laid.get(act.move.subject)) is None:  # type: ignore[arg-type]
            continue
        if any(isinstance(later, Played) and later.move.subject == change.card for later in events[number:]):
            continue
        settled = next((n for n, one in enumerate(events[number:], number) if not isinstance(one, Struck)), len(events))
        if game.rules.is_early(game.public(record.states[settled]), act.move):
            yield change, act.move


def too_early(game: Game[Any, Any], issues: TableIssues, record: Record[Any]) -> tuple[tuple[Change, Move], ...]:
    """All cards on the table that were laid too early, in the order in which they were laid."""
    refused = (
        (one.change, one.move)
        for number, one in sorted(record.open_refusals.items())
        if one.change is not None and refused_too_early(game, record, number, one)
    )
    return (*refused, *refuted_turns(game, record, issues.reported))


def mended(
    game: Game[Any, Any], issues: TableIssues, record: Record[Any], move: Move, at: MoveContext
) -> tuple[Move, ...]:
    """The missing ends of turns followed by the move, if that makes it lawful; else empty.

    Cards that were laid too early count in between, as soon as their turn comes.
    """
    direct = game.rules.implied_moves(record.public, move, at)
    if not game.rules.infers_turns or move.by == record.standing.turn:
        return direct
    waiting = too_early(game, issues, record)
    place = next((n for n, (change, _) in enumerate(waiting) if change.card == move.subject), len(waiting))
    early = [one for _, one in waiting[:place]]  # what was laid after it comes after it
    found: tuple[Move, ...] = ()
    state = record.state
    for one in (*early, move):
        public, then = game.public(state), MoveContext(at.number + len(found), at.time_s)
        parts = game.rules.implied_moves(public, one, then) if game.rules.judge(public, one, then) else (one,)
        if parts and (after := state_after(game, state, parts, then)) is not None:
            state, found = after, (*found, *parts)
        elif one is move:
            return direct
    return found if len(found) > 1 else direct
