"""Seats that somebody leaves or comes to while the match runs (docs/rules.md, Y); the books are silent about it."""

from __future__ import annotations

from companion.errors import InputError, fault
from companion.games.discovery.effects.turns import settle
from companion.games.discovery.setup import HAND, Setup
from companion.games.discovery.state import Position, builder_of, built, turn_with
from companion.games.protocol import MoveContext
from companion.public.table import Seat


def leave_seat(setup: Setup, shown: Position, seat: Seat, at: MoveContext) -> Position:
    """A seat is empty from now on: its hand goes under the stack, and it is passed over (Y3).

    Raises:
        InputError: It cannot be now, or not at all.
    """
    _check(shown)
    if seat in shown.away:
        raise InputError(fault("seat.fault.empty", "nobody sits there"))
    if all(setup.bot(other) or other in shown.away for other in setup.seats if other != seat):
        raise InputError(fault("seat.fault.last", "nobody would be left to play; end the match instead"))
    if shown.contest is not None:
        raise InputError(fault("seat.fault.stop", "somebody said Stop; answer that first"))
    if len(shown.turns) > 1 or shown.turn.called or shown.turn.held:
        raise InputError(fault("seat.fault.extra", "finish the extra turn, or the call, first"))
    draft = builder_of(shown)
    draft.stack += draft.hands[seat - 1]
    draft.give(seat, -draft.hands[seat - 1])
    draft.away |= {seat}
    draft.owed = tuple(debt for debt in draft.owed if debt.seat != seat)
    if draft.turn.seat == seat:
        draft.turn = turn_with(draft.turn, ended=True, trumps=0)
        settle(setup, draft, at)
    return built(draft)


def take_seat(shown: Position, seat: Seat) -> Position:
    """Somebody sits down in an empty seat: five cards from the stack, or as many as it has (Y2).

    Raises:
        InputError: It cannot be now, or not at all.
    """
    _check(shown)
    if seat not in shown.away:
        raise InputError(fault("seat.fault.taken", "somebody sits there already"))
    if not shown.stack:
        raise InputError(fault("seat.fault.stack", "the stack is empty, so nobody can be dealt in any more"))
    draft = builder_of(shown)
    drawn = min(HAND, draft.stack)
    draft.stack -= drawn
    draft.give(seat, drawn)
    draft.away -= {seat}
    return built(draft)


def _check(shown: Position) -> None:
    if shown.over:
        raise InputError(fault("seat.fault.over", "the match is over"))
