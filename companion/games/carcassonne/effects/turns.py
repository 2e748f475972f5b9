"""How turns end, and the match with them (C4, C22)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress
from companion.public.table import TABLE, Seat


def pass_to(public: Progress, seat: Seat) -> Progress:
    """A seat is at turn and has laid nothing yet."""
    return replace(public, turn=seat, tile=None, acted=TABLE)


def next_turn(setup: MatchSetup, public: Progress, *, acted: Seat = TABLE) -> Progress:
    """The turn is over (C4). ``acted``: the seat that ended it with a follower; it may not move another (C6)."""
    return replace(pass_to(public, setup.following(public.turn, public.away)), acted=acted)
