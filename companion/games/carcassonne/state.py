"""The state of a match. Nothing is hidden: all players lack the same knowledge of the undrawn tiles."""

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
    """The state of a match.

    Attributes:
        laid: The position of each tile of the map, the start tile at 0,0/0.
        followers: Each counter on the map, and its segment.
        points: By seat; after the end with the final scoring.
        supply: Counters in front of each seat.
        tiles: Number of undrawn tiles.
        turn: The seat to move.
        tile: The tile that it has placed in this turn; ``None`` before that.
        tile_s: Seconds of play at which it did, if known.
        acted: The seat that ended its turn by deploying or scoring, until the next tile (C6); 0 = none.
        begun: Whether a seat has placed a tile.
        removed: Tiles removed for equal turns.
        discarded: Tiles that fitted nowhere.
        away: Empty seats.
        over: Whether the final scoring is done.
        winners: The seats with the most points then; a tie is shared.
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
    """The map."""
    return tile_map(
        LaidTile(setup.deck.tiles[card], (cell.column, cell.row), cell.turn) for card, cell in public.laid.items()
    )


def is_undrawn(setup: MatchSetup, public: Progress, card: CardId) -> bool:
    """Whether a player could still draw this tile."""
    put_away = (*public.removed, *public.discarded)
    return card in setup.deck.tiles and card not in public.laid and card not in put_away


def to_remove(setup: MatchSetup, public: Progress) -> int:
    """Number of tiles still to be removed for equal turns; 0 once a seat has placed a tile."""
    return 0 if public.begun else max(0, setup.to_remove - len(public.removed))


def stands(public: Progress, pieces: frozenset[Piece], *, but: CardId | None = None) -> tuple[CardId, ...]:
    """The counters in a territory, of all seats."""
    return tuple(sorted(card for card, piece in public.followers.items() if piece in pieces and card != but))


def at_the_end(public: Progress) -> bool:
    """Whether no tile is left, so that the current turn is the last (C22)."""
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
    """The first seat, from the match file: the youngest player decides (C3)."""
    return setup.following(setup.first, setup.late) if setup.first in setup.late else setup.first
