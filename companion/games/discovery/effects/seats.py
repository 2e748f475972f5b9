"""Seats that somebody leaves or comes to while the match runs (docs/rules.md, Y); the books are silent about it."""

from __future__ import annotations

from companion.errors import InputError, fault
from companion.games.discovery.effects.turns import settle
from companion.games.discovery.setup import HAND, Setup
from companion.games.discovery.state import Open, changed, freeze, thaw
from companion.games.protocol import At
from companion.public.table import Seat


def leave(setup: Setup, shown: Open, seat: Seat, at: At) -> Open:
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
    draft = thaw(shown)
    draft.stack += draft.hands[seat - 1]
    draft.give(seat, -draft.hands[seat - 1])
    draft.away |= {seat}
    draft.owed = tuple(debt for debt in draft.owed if debt.seat != seat)
    if draft.turn.seat == seat:
        draft.turn = changed(draft.turn, ended=True, trumps=0)
        settle(setup, draft, at)
    return freeze(draft)


def join(shown: Open, seat: Seat) -> Open:
    """Somebody sits down in an empty seat: five cards from the stack, or as many as it has (Y2).

    Raises:
        InputError: It cannot be now, or not at all.
    """
    _check(shown)
    if seat not in shown.away:
        raise InputError(fault("seat.fault.taken", "somebody sits there already"))
    if not shown.stack:
        raise InputError(fault("seat.fault.stack", "the stack is empty, so nobody can be dealt in any more"))
    draft = thaw(shown)
    drawn = min(HAND, draft.stack)
    draft.stack -= drawn
    draft.give(seat, drawn)
    draft.away -= {seat}
    return freeze(draft)


def _check(shown: Open) -> None:
    if shown.over:
        raise InputError(fault("seat.fault.over", "the match is over"))
