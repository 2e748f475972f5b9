"""Which follower may be placed or lifted (C6, C11 to C15)."""

from __future__ import annotations

from companion.games.carcassonne.moves import DeployFollower
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, ground, stands
from companion.games.carcassonne.territory import Piece, connected
from companion.games.protocol import Objection
from companion.public.table import CardId, Seat

OWN = Objection("own")


def once(public: Progress, seat: Seat) -> tuple[Objection, ...]:
    """C6, C11: "may never both deploy and remove a follower on the same turn", and "only place 1 follower"."""
    return (Objection("once"),) if seat == public.acted else ()


def own_follower(setup: MatchSetup, seat: Seat, card: CardId) -> tuple[Objection, ...]:
    """C15: "any territory where the player has one or more followers": no seat may move another's."""
    return () if setup.owners[card] == seat else (OWN,)


def from_supply(public: Progress, card: CardId) -> tuple[Objection, ...]:
    """C12: "The player must take it from their supply", not from another tile."""
    return (Objection("supply"),) if card in public.followers else ()


def on_new_tile(public: Progress, move: DeployFollower) -> tuple[Objection, ...]:
    """C13: "The players may only deploy it to the tile just placed"."""
    if move.tile == public.tile:
        return ()
    return (Objection("tile", () if public.tile is None else (public.tile,)),)


def untaken(setup: MatchSetup, public: Progress, card: CardId, piece: Piece) -> tuple[Objection, ...]:
    """C14: not on a segment that "connects to a segment on another tile that already has a follower"."""
    pieces, _ = connected(ground(setup, public), piece)
    there = stands(public, pieces, but=card)
    return (Objection("taken", there),) if there else ()
