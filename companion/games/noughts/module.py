"""The toy game as a registry has it, and how somebody plays it at random."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.games.noughts.game import ARROW, BOARD, COUNTERS, GAME, STAR, Grid, Lay, Lift, TurnArrow, around
from companion.games.plain import plain_module
from companion.games.protocol import Move, MoveContext
from companion.public.table import TABLE

if TYPE_CHECKING:
    from random import Random  # passed in: a game has no randomness of its own


def player(public: Grid, dice: Random, _at: MoveContext) -> Iterator[Move]:
    if not public.laid:
        yield Lay(TABLE, ARROW, 0, 0)
        return
    free = sorted(set().union(*(around(x, y) for x, y in public.taken)) - public.taken)
    if STAR not in public.laid and not public.lifted:
        yield Lay(TABLE, STAR, *dice.choice(free))
    acts: list[Move] = [TurnArrow(public.turn, ARROW, (public.laid[ARROW].turn + 1) % 4)]
    acts += [Lift(public.turn, STAR)] if STAR in public.laid else []
    own = [card for card, seat in COUNTERS.items() if seat == public.turn and card not in public.laid]
    acts += [Lay(public.turn, dice.choice(own), *dice.choice(free)) for _ in range(3) if own]
    if own:  # what touches nothing is refused
        acts.append(Lay(public.turn, dice.choice(own), free[-1][0] + 1, free[-1][1]))
    yield from dice.sample(acts, len(acts))


NOUGHTS = plain_module(GAME, BOARD, player, errs=0.3)
