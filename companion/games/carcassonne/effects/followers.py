"""Counters that are placed on the map, and return to their seats."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.carcassonne import moves as act
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress
from companion.public.table import CardId, Seat, with_seat


def deploy(setup: MatchSetup, public: Progress, move: act.DeployFollower) -> Progress:
    """A counter is placed on a segment (C11), and removed from an earlier one."""
    owner = _owner(setup, move.by, move.card)
    if move.tile not in public.laid or not setup.deck.tiles[move.tile].has(move.segment):
        raise ImpossibleMove(f"there is no segment {move.segment} of {move.tile} on the map")
    given = 0 if move.card in public.followers else -1
    return replace(
        public,
        followers={**public.followers, move.card: (move.tile, move.segment)},
        supply=with_seat(public.supply, owner, public.supply[owner - 1] + given),
    )


def take_up(setup: MatchSetup, public: Progress, move: act.ScoreFollower) -> Progress:
    """A counter goes "back into their supply" (C15), and its segment is free again (C21)."""
    owner = _owner(setup, move.by, move.card)
    if move.card not in public.followers:
        raise ImpossibleMove(f"{move.card} stands nowhere on the map")
    left = {card: piece for card, piece in public.followers.items() if card != move.card}
    return replace(public, followers=left, supply=with_seat(public.supply, owner, public.supply[owner - 1] + 1))


def _owner(setup: MatchSetup, seat: Seat, card: CardId) -> Seat:
    owner = setup.owners.get(card)
    if owner is None:
        raise ImpossibleMove(f"{card!r} is no counter of this match; seat 1 has F11 to F14")
    if owner != seat:
        raise ImpossibleMove(f"{card} is the counter of seat {owner}")
    return owner
