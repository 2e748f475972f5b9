"""What is known of a match. Nothing is hidden: the undrawn tiles are unknown to everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.carcassonne.setup import COUNTERS, MatchSetup
from companion.games.carcassonne.territory import Piece, TileMap, tile_map
from companion.games.carcassonne.tiles import LaidTile
from companion.games.lattice import Cell
from companion.public.table import TABLE, CardId, Seat


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a match has come.

    Attributes:
        laid: Where each tile of the map lies, the start tile at 0,0/0.
        followers: Each counter that is out, and the segment on which it stands.
        points: By seat; after the end with the final scoring.
        supply: Counters that each seat has before it.
        tiles: How many are undrawn.
        turn: The seat at turn.
        tile: The tile that it has laid in this turn; ``None`` before that.
        tile_s: Seconds of play at which it did, where known.
        acted: The seat that ended its turn by deploying or scoring, while no tile has come since (C6); 0 = none.
        begun: A seat has laid a tile.
        removed: Tiles taken out for equal turns.
        discarded: Tiles that fitted nowhere.
        away: Empty seats.
        over: The final scoring is done.
        winners: Who has the most points then; a tie is shared.
    """

    laid: Mapping[CardId, Cell]
    followers: Mapping[CardId, Piece]
    points: tuple[int, ...]
    supply: tuple[int, ...]
    tiles: int
    turn: Seat
    tile: CardId | None = None
    tile_s: float | None = None
    acted: Seat = TABLE
    begun: bool = False
    removed: tuple[CardId, ...] = ()
    discarded: tuple[CardId, ...] = ()
    away: frozenset[Seat] = frozenset()
    over: bool = False
    winners: tuple[Seat, ...] = ()


def ground(setup: MatchSetup, public: Progress) -> TileMap:
    """The map as it lies."""
    return tile_map(
        LaidTile(setup.deck.tiles[card], (cell.column, cell.row), cell.turn) for card, cell in public.laid.items()
    )


def is_undrawn(setup: MatchSetup, public: Progress, card: CardId) -> bool:
    """Whether somebody could still draw this tile."""
    put_away = (*public.removed, *public.discarded)
    return card in setup.deck.tiles and card not in public.laid and card not in put_away


def to_remove(setup: MatchSetup, public: Progress) -> int:
    """How many tiles are still to be removed for equal turns; nobody removes any once a seat has laid a tile."""
    return 0 if public.begun else max(0, setup.to_remove - len(public.removed))


def stands(public: Progress, pieces: frozenset[Piece], *, but: CardId | None = None) -> tuple[CardId, ...]:
    """The counters in a territory, whoever's they are."""
    return tuple(sorted(card for card, piece in public.followers.items() if piece in pieces and card != but))


def at_the_end(public: Progress) -> bool:
    """No tile is left, so the turn in progress is the last (C22)."""
    return bool(public.laid) and not public.tiles


def opening(setup: MatchSetup) -> Progress:
    """An empty table."""
    count = len(setup.players)
    return Progress(
        laid={},
        followers={},
        points=(0,) * count,
        supply=(COUNTERS,) * count,
        tiles=len(setup.deck.tiles),
        turn=first_seat(setup),
        away=setup.late,
    )


def first_seat(setup: MatchSetup) -> Seat:
    """Who begins: the match file says it, for the youngest player decides (C3)."""
    return setup.following(setup.first, setup.late) if setup.first in setup.late else setup.first
