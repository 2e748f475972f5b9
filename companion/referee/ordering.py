"""The order in which things were laid that nobody saw being laid: the one that the rules and their owners allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.public.table import LOOSE, CardId, Change, TableState, changes
from companion.referee.early import state_after

MOST_STEPS = 400
"""So many steps are tried at most: every order of five things, and of more the likeliest ones."""


def in_order(
    game: Game[Any, Any],
    state: Any,
    table: TableState,
    cards: frozenset[CardId],
    at: MoveContext,
    steps: Iterator[int] | None = None,
) -> tuple[Change, ...]:
    """As many of these things as possible, each lawful after those before it; the first found of equally long ones.

    A follower shows by its colour whose tile it stands on, and where it lies is only known once that tile is laid: so
    every place is worked out anew after each step.

    Args:
        table: What lies there.
        cards: Things that lie there unexplained.
        steps: Those that may still be tried.
    """
    best: tuple[Change, ...] = ()
    steps = iter(range(MOST_STEPS)) if steps is None else steps
    public = game.public(state)
    lies = changes(game.table.expected(public), game.table.lying(public, table))
    fresh = [change for change in lies if change.card in cards and change.went_to not in (None, LOOSE)]
    possible = [(moves, change) for change in fresh for moves in ways(game, state, change, at)]
    for moves, change in sorted(possible, key=lambda one: len(one[0])):  # first what ends no turn
        after = state_after(game, state, moves, at)
        if after is None or next(steps, None) is None:
            continue
        found = (change, *in_order(game, after, table, cards - {change.card}, at, steps))
        if len(found) == len(cards):
            return found
        best = max(best, found, key=len)
    return best


def ways(game: Game[Any, Any], state: Any, change: Change, at: MoveContext) -> Iterator[tuple[Move, ...]]:
    """The moves that a change could be, each also after the end of turn that it would show, if any."""
    public = game.public(state)
    for move in game.table.interpretations(public, change):
        yield (move,)
        if game.rules.infers_turns and (implied := game.rules.implied_moves(public, move, at)):
            yield implied
