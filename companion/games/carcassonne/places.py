"""The text form of places: ``field 3 -1 2`` for a tile, ``on T07 2`` for a counter, ``aside``, ``loose``.

``on T07 2 3``: the counter is between two segments, and the players must say which one it means. Also converts
positions in millimetres to places. The camera is exact to a millimetre and two degrees; the limits allow for people's
hands.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from companion.games.carcassonne.territory import Piece
from companion.games.carcassonne.tiles import Tile
from companion.games.files import read_whole
from companion.games.lattice import Cell, Known, Pose, locate
from companion.games.square_tiles import MOST_ASKEW_DEG, MOST_OFF
from companion.public.table import LOOSE, CardId, Zone

BESIDE_NEWEST_MM = 4.0
"""A counter this close to the newest tile belongs to it, because it may only be placed there."""
CLEARLY_NEARER = 1.25
"""A counter means the nearest segment if the second nearest is this many times as far."""


def cell_zone(cell: Cell) -> Zone:
    """The place of a tile in a cell."""
    return Zone(f"field {cell.column} {cell.row} {cell.turn}")


def counter_zone(piece: Piece) -> Zone:
    """The place of a counter on a segment."""
    return Zone(f"on {piece[0]} {piece[1]}")


def read_cell(zone: Zone) -> Cell | None:
    """The cell of a tile's place; ``None`` for other places."""
    head, *rest = zone.split(" ")
    numbers = [read_whole(word) for word in rest]
    if head != "field" or len(numbers) != 3 or None in numbers:
        return None
    column, row, turn = (int(number or 0) for number in numbers)
    return Cell(column, row, turn) if 0 <= turn <= 3 else None


def read_counter(zone: Zone) -> tuple[Piece, ...]:
    """The segments that a counter's place could mean, nearest first; empty for other places."""
    head, *rest = zone.split(" ")
    numbers = [read_whole(word) for word in rest[1:]]
    if head != "on" or not numbers or None in numbers:
        return ()
    return tuple((CardId(rest[0]), int(number or 0)) for number in numbers)


def tile_zone(tile: Pose, neighbours: Iterable[Known], *, tile_mm: float) -> Zone:
    """The cell of a tile among tiles with known cells, or ``loose``; the first tile is at 0,0."""
    fit = locate(tile, neighbours, pitch_mm=tile_mm)
    if fit is None:
        return cell_zone(Cell(0, 0))
    in_cell = fit.distance_mm <= MOST_OFF * tile_mm and abs(fit.askew_deg) <= MOST_ASKEW_DEG
    return cell_zone(fit.cell) if in_cell else LOOSE


def counter_place(
    x_mm: float,
    y_mm: float,
    lying: Mapping[CardId, Pose],
    tiles: Mapping[CardId, Tile],
    newest: CardId | None,
    *,
    tile_mm: float,
) -> Zone:
    """The place of a counter: one or two segments of the tile under its centre, or ``loose``.

    Args:
        x_mm, y_mm: The counter's centre.
        lying: The tiles of the map.
        tiles: Their faces.
        newest: The newest tile; a counter slightly beside it belongs to it.
        tile_mm: The side of a tile.
    """
    spots = {card: _in_frame(x_mm, y_mm, pose, tile_mm) for card, pose in lying.items()}
    reach = {card: BESIDE_NEWEST_MM / tile_mm if card == newest else 0.0 for card in spots}
    under = [card for card, spot in spots.items() if _beyond(spot) <= reach[card]]
    if not under:
        return LOOSE
    card = newest if newest is not None and newest in under else min(under, key=lambda one: _beyond(spots[one]))
    numbers = segments_meant(tiles[card], *spots[card])
    return Zone(" ".join(("on", card, *map(str, numbers))))


def _in_frame(x_mm: float, y_mm: float, tile: Pose, tile_mm: float) -> tuple[float, float]:
    """A point of the table in a tile's own frame, from its north-west corner, in tile widths."""
    east_mm, south_mm = _turned(x_mm - tile.x_mm, y_mm - tile.y_mm, -tile.rotation_deg)
    return east_mm / tile_mm + 0.5, south_mm / tile_mm + 0.5


def _beyond(spot: tuple[float, float]) -> float:
    """Distance of a point outside its tile, in tile widths; 0 inside."""
    return math.hypot(*(max(0.0, -part, part - 1) for part in spot))


def _turned(x: float, y: float, by_deg: float) -> tuple[float, float]:
    """A vector after a clockwise rotation, where y points down."""
    cos, sin = math.cos(math.radians(by_deg)), math.sin(math.radians(by_deg))
    return x * cos - y * sin, x * sin + y * cos


def segments_meant(tile: Tile, east: float, south: float) -> tuple[int, ...]:
    """The segments that a counter on a tile could mean, nearest first: one, or two at similar distances.

    Args:
        tile: The tile under the counter's centre.
        east, south: That centre in the tile's own frame, from its north-west corner, in tile widths.
    """
    distances = sorted(
        (math.dist(segment.spot, (east, south)), number) for number, segment in enumerate(tile.segments, 1)
    )
    nearest, *others = distances
    if others and others[0][0] < CLEARLY_NEARER * nearest[0]:
        return nearest[1], others[0][1]
    return (nearest[1],)
