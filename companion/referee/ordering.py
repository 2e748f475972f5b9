"""The order in which things were laid that nobody saw being laid: the one that the rules and their owners allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.public.table import LOOSE, CardId, Change, TableState, changes
from companion.referee.early import state_after

MOST_THINGS = 5
"""Of more things not every order is tried."""


def in_order(
    game: Game[Any, Any], state: Any, table: TableState, cards: frozenset[CardId], at: MoveContext
) -> tuple[Change, ...]:
    """As many of these things as possible, each lawful after those before it; the first found of equally long ones.

    A follower shows by its colour whose tile it stands on, and where it lies is only known once that tile is laid: so
    every place is worked out anew after each step.

    Args:
        table: What lies there.
        cards: At most ``MOST_THINGS`` of the things that lie there unexplained.
    """
    best: tuple[Change, ...] = ()
    public = game.public(state)
    for change in changes(game.table.expected(public), game.table.lying(public, table)):
        if change.card not in cards or change.went_to in (None, LOOSE):
            continue
        for moves in ways(game, state, change, at):
            after = state_after(game, state, moves, at)
            if after is None:
                continue
            found = (change, *in_order(game, after, table, cards - {change.card}, at))
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
