"""The seat to move, and the parts of its turn (C4, C5, C7, C22)."""

from __future__ import annotations

from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, at_the_end
from companion.games.protocol import Objection
from companion.public.table import Seat

GAME_OVER = Objection("game-over")
TURN = Objection("turn")
ORDER = Objection("order")


def game_over(public: Progress) -> tuple[Objection, ...]:
    """C22: "At the end of the player's turn when the last landscape tile is placed, the game ends." """
    return (GAME_OVER,) if public.over else ()


def clockwise(setup: MatchSetup, public: Progress, seat: Seat) -> tuple[Objection, ...]:
    """C4: "Players take turns, in clockwise order", one tile each."""
    return () if seat == public.turn and seat in setup.seats and public.tile is None else (TURN,)


def tile_first(public: Progress, seat: Seat) -> tuple[Objection, ...]:
    """C5: "The player must draw and place a new landscape tile", then the rest, "in the order shown"."""
    return (ORDER,) if seat == public.turn and public.tile is None else ()


def may_end(setup: MatchSetup, public: Progress, seat: Seat) -> tuple[Objection, ...]:
    """C7: "the player may simply place the landscape tile and end their turn"; without tiles there is none to place."""
    if seat != public.turn or seat not in setup.seats:
        return (TURN,)
    return () if at_the_end(public) else tile_first(public, seat)
