"""Players who leave or join during the match; the rule book does not cover this."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import InputError, fault
from companion.games.carcassonne.effects.scoring import final_scoring
from companion.games.carcassonne.effects.turns import next_turn
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, at_the_end
from companion.public.table import Seat


def leave_seat(setup: MatchSetup, public: Progress, seat: Seat) -> Progress:
    """Skip a seat from now on; its followers stay, and score at the end.

    Raises:
        InputError: It is not possible, now or at all.
    """
    _check(setup, public, seat)
    if seat in public.away:
        raise InputError(fault("carcassonne.fault.seat_empty", "nobody sits there; choose a seat with a player"))
    if len(public.away) + 1 >= len(setup.players):
        message = "nobody would be left to play; end the match instead"
        raise InputError(fault("carcassonne.fault.seat_last", message))
    after = replace(public, away=public.away | {seat})
    if seat != public.turn:
        return after
    if public.tile is not None and at_the_end(public):
        return final_scoring(setup, after)[0]
    return next_turn(setup, after)


def take_seat(setup: MatchSetup, public: Progress, seat: Seat) -> Progress:
    """A player joins an empty seat, with the points and followers that it has.

    Raises:
        InputError: It is not possible, now or at all.
    """
    _check(setup, public, seat)
    if seat not in public.away:
        raise InputError(fault("carcassonne.fault.seat_taken", "somebody sits there already; choose an empty seat"))
    return replace(public, away=public.away - {seat})


def _check(setup: MatchSetup, public: Progress, seat: Seat) -> None:
    if seat not in setup.seats:
        message = "there is no seat {value}; seats are 1 to {most}"
        raise InputError(fault("carcassonne.fault.seat", message, value=seat, most=len(setup.players)))
    if public.over:
        raise InputError(fault("carcassonne.fault.seat_over", "the match is over"))
