"""Players who leave or join during the match (docs/rules.md, Y); the rule books do not cover this."""

from __future__ import annotations

from companion.errors import InputError, fault
from companion.games.discovery.effects.contest import conclude
from companion.games.discovery.setup import HAND, Setup
from companion.games.discovery.state import Position, builder_of, built, replace
from companion.games.protocol import MoveContext
from companion.public.table import Seat


def leave_seat(setup: Setup, public: Position, seat: Seat, at: MoveContext) -> Position:
    """Empty a seat: its hand goes under the stack, and it is skipped (Y3).

    Raises:
        InputError: It is not possible, now or at all.
    """
    _check(public)
    if seat in public.away:
        raise InputError(fault("seat.fault.empty", "nobody sits there; choose a seat with a player"))
    if all(setup.bot(other) or other in public.away for other in setup.seats if other != seat):
        raise InputError(fault("seat.fault.last", "nobody would be left to play; end the match instead"))
    if public.contest is not None:
        raise InputError(fault("seat.fault.stop", "a Stop is waiting for an answer; answer it first"))
    if len(public.turns) > 1 or public.turn.called or public.turn.held:
        raise InputError(fault("seat.fault.extra", "finish the extra turn, or the call, first"))
    builder = builder_of(public)
    builder.stack += builder.hands[seat - 1]
    builder.give(seat, -builder.hands[seat - 1])
    builder.away |= {seat}
    builder.owed = tuple(debt for debt in builder.owed if debt.seat != seat)
    if builder.turn.seat == seat:
        builder.turn = replace(builder.turn, ended=True, trumps=0)
    conclude(setup, public, builder, at)
    return built(builder)


def take_seat(public: Position, seat: Seat) -> Position:
    """A player joins an empty seat: five cards from the stack, or as many as it has (Y2).

    Raises:
        InputError: It is not possible, now or at all.
    """
    _check(public)
    if seat not in public.away:
        raise InputError(fault("discovery.fault.seat_taken", "somebody sits there already; choose an empty seat"))
    if not public.stack:
        raise InputError(fault("seat.fault.stack", "the stack is empty, so nobody can be dealt in any more"))
    builder = builder_of(public)
    drawn = min(HAND, builder.stack)
    builder.stack -= drawn
    builder.give(seat, drawn)
    builder.away -= {seat}
    return built(builder)


def _check(public: Position) -> None:
    if public.over:
        raise InputError(fault("seat.fault.over", "the match is over"))
