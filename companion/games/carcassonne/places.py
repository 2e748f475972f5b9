"""How places on the table are written: ``field 3 -1 2`` for a tile, ``on T07 2`` for a counter, ``aside``, ``loose``.

``on T07 2 3``: the counter lies between two segments, and people must say which it stands for.
"""

from __future__ import annotations

import math

from companion.games.carcassonne.territory import Piece
from companion.games.carcassonne.tiles import Tile
from companion.games.lattice import Cell
from companion.public.table import CardId, Zone

LOOSE = Zone("loose")
"""In the field, but in no cell and on no tile that could be told."""
CLEARLY_NEARER = 1.25
"""A counter means the nearest segment when the second nearest is so many times as far."""


def cell_zone(cell: Cell) -> Zone:
    """The place of a tile in a cell."""
    return Zone(f"field {cell.column} {cell.row} {cell.turn}")


def counter_zone(piece: Piece) -> Zone:
    """The place of a counter on a segment."""
    return Zone(f"on {piece[0]} {piece[1]}")


def read_cell(zone: Zone) -> Cell | None:
    """The cell of a tile's place; ``None`` when it is no such place."""
    head, *rest = zone.split(" ")
    numbers = [_whole(word) for word in rest]
    if head != "field" or len(numbers) != 3 or None in numbers:
        return None
    column, row, turn = (int(number or 0) for number in numbers)
    return Cell(column, row, turn) if 0 <= turn <= 3 else None


def read_counter(zone: Zone) -> tuple[Piece, ...]:
    """The segments that a counter's place could mean, the nearest first; none when it is no such place."""
    head, *rest = zone.split(" ")
    numbers = [_whole(word) for word in rest[1:]]
    if head != "on" or not numbers or None in numbers:
        return ()
    return tuple((CardId(rest[0]), int(number or 0)) for number in numbers)


def segments_meant(tile: Tile, east: float, south: float) -> tuple[int, ...]:
    """The segments that a counter on a tile could mean, the nearest first: one, or two that are as near.

    Args:
        tile: The tile under the counter's middle.
        east, south: That middle in the tile's own frame, from its north-west corner, in tile widths.
    """
    distances = sorted(
        (math.dist(segment.spot, (east, south)), number) for number, segment in enumerate(tile.segments, 1)
    )
    nearest, *others = distances
    if others and others[0][0] < CLEARLY_NEARER * nearest[0]:
        return nearest[1], others[0][1]
    return (nearest[1],)


def _whole(word: str) -> int | None:
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdecimal() and len(digits) <= 4 else None
