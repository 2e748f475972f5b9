"""Which moves a change of the table could mean, and which moves players may have forgotten to announce."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.discovery.effects.apply import carry_out
from companion.games.discovery.moves import (
    Ask,
    Call,
    Discard,
    EndTurn,
    Exchange,
    Flip,
    Joker,
    Pass,
    Place,
    Refill,
    Steal,
    Stop,
)
from companion.games.discovery.rules import legality
from companion.games.discovery.secrecy import card_ends_turn, may_be_meant, tree_zone
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Position, State, built
from companion.games.protocol import Move, MoveContext, Objection
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Change, Seat, Zone

_TURN_COMMANDS = (Place, Discard, Flip, Joker, Steal, Exchange, Call, Ask)
"""Acts of a turn that cannot mean the end of another's."""
ANY_TIME = MoveContext(0)
"""For rules that need no clock."""


def interpretations(setup: Setup, public: Position, change: Change) -> tuple[Move, ...]:
    """Pseudo-legal moves, likeliest first; ``()`` = the game has no explanation."""
    if change.went_to == COMMAND_ZONE:
        return _command(setup, public, str(change.card))
    if change.went_to is None or public.over:
        return ()
    card = change.card
    seat = public.turn.seat
    place = change.went_to
    if change.came_from is None and setup.bot(seat) and place in (f"row-{seat}", f"discard-{seat}", tree_zone(setup)):
        return (Flip(seat, card),)
    if place.startswith("row-") and change.came_from is None:
        return (Flip(Seat(int(place.removeprefix("row-"))), card),)
    if place == tree_zone(setup):
        return _laid(setup, public, card, change.came_from)
    if place == "pool" and change.came_from is None and None in public.pool:
        return (Refill(TABLE, card),)
    if place.startswith("discard-") and change.came_from is None:
        return _discarded(public, card, Seat(int(place.removeprefix("discard-"))))
    return ()


def _command(setup: Setup, public: Position, token: str) -> tuple[Move, ...]:
    seat = public.turn.seat
    if token == "KEND":  # noqa: S105
        return (EndTurn(seat),)
    if token == "KPASS":  # noqa: S105
        return (Pass(seat),)
    if token != "KSTOP":  # noqa: S105
        return ()
    latest = public.acts[-1].by if public.acts else TABLE
    return tuple(
        Stop(other) for other in setup.seats if other != latest and not setup.bot(other) and other not in public.away
    )


def _laid(setup: Setup, public: Position, card: CardId, came_from: Zone | None) -> tuple[Move, ...]:
    seat = public.turn.seat
    if card in setup.jokers:
        return _jokers(setup, public, card, "pool" if came_from == "pool" else "hand")
    if card not in setup.facts:
        return ()
    if public.turn.called == card:
        return (Place(seat, card, "called"),)
    source = came_from if came_from in ("pool", *(f"discard-{other}" for other in setup.seats)) else None
    if came_from is not None and source is None:
        return ()
    plain = Place(seat, card, source or "hand")
    if public.turn.asked and source is None:
        return (replace(plain, asked=True), plain)
    return (plain,)


def _jokers(setup: Setup, public: Position, joker: CardId, source: str) -> tuple[Move, ...]:
    """One move for each card that it could stand for; only the legal ones, if there are any."""
    seat = public.turn.seat
    candidates = [Joker(seat, joker, source, card) for card in sorted(setup.facts)]
    lawful = tuple(move for move in candidates if not legality.judge(setup, public, move, ANY_TIME))
    return lawful or tuple(m for m in candidates if m.stands_for and may_be_meant(setup, public, m.stands_for))


def _discarded(public: Position, card: CardId, seat: Seat) -> tuple[Move, ...]:
    if seat == public.turn.seat and public.turn.asked:
        return (Discard(seat, card, asked=True), Discard(seat, card))
    return (Discard(seat, card),)


def implied_moves(setup: Setup, public: Position, move: Move, at: MoveContext) -> tuple[Move, ...]:
    """What was left unsaid, then the act of the next seat, if that resolves all objections: an end of turn; passes
    while nobody has laid a card, of as many seats as there are before the one that is named (A8).

    In silent games a card must not reveal anything: only a named or discarding seat, or a turn that is at its end,
    counts, because these are public.
    """
    if public.over or len(public.turns) > 1:
        return ()
    current = public.turn.seat
    following = setup.following(current, public.away)
    if following == current or not isinstance(move, _TURN_COMMANDS):
        return ()
    objections = legality.judge(setup, public, move, at)
    early = objections == (Objection("turn"),)
    if move.by == current and isinstance(move, Place) and objections and card_ends_turn(setup, early=early):
        meant: Move = replace(move, by=following)
    elif move.by not in (TABLE, current) and early:
        meant = move
    else:
        return ()
    unsaid: list[Move] = []
    while public.turn.seat != meant.by:
        ends = next((one for one in _unsaid(public) if not legality.judge(setup, public, one, at)), None)
        if ends is None or (unsaid and isinstance(ends, EndTurn)) or len(unsaid) >= len(setup.players):
            return ()
        try:
            public = built(carry_out(setup, State(public), ends, at))
        except ImpossibleMove:
            return ()
        unsaid.append(ends)
    return () if legality.judge(setup, public, meant, at) else (*unsaid, meant)


def _unsaid(public: Position) -> tuple[Move, ...]:
    """What the seat to move may have done without a word, likeliest first."""
    ends = EndTurn(public.turn.seat)
    return (ends,) if public.turn.acted else (Pass(public.turn.seat), ends)
