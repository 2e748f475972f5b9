"""The end of turns and of the match (C4, C22)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress
from companion.public.table import TABLE, Seat


def pass_to(public: Progress, seat: Seat) -> Progress:
    """Make a seat the one to move, without a tile."""
    return replace(public, turn=seat, tile=None, acted=TABLE)


def next_turn(setup: MatchSetup, public: Progress, *, acted: Seat = TABLE) -> Progress:
    """End the turn (C4). ``acted``: the seat that ended it with a follower; it may not move another (C6)."""
    return replace(pass_to(public, setup.following(public.turn, public.away)), acted=acted)
