"""How places on the table are written: ``field 3 -1 2`` for a tile, ``on T07 2`` for a counter, ``aside``, ``loose``.

``on T07 2 3``: the counter lies between two segments, and people must say which it stands for. Where tiles and counters
lie in millimetres becomes such a place here too. The eye errs by less than a millimetre and two degrees: the bounds are
for people's hands.
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
"""A counter so near to the tile just laid is meant for that one, for only there it may be laid."""
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
    numbers = [read_whole(word) for word in rest]
    if head != "field" or len(numbers) != 3 or None in numbers:
        return None
    column, row, turn = (int(number or 0) for number in numbers)
    return Cell(column, row, turn) if 0 <= turn <= 3 else None


def read_counter(zone: Zone) -> tuple[Piece, ...]:
    """The segments that a counter's place could mean, the nearest first; none when it is no such place."""
    head, *rest = zone.split(" ")
    numbers = [read_whole(word) for word in rest[1:]]
    if head != "on" or not numbers or None in numbers:
        return ()
    return tuple((CardId(rest[0]), int(number or 0)) for number in numbers)


def tile_zone(tile: Pose, neighbours: Iterable[Known], *, tile_mm: float) -> Zone:
    """The cell in which a tile lies among the tiles whose cells are known, or ``loose``; the first lies at 0,0."""
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
    """What a counter stands on: a segment, or two, of the tile under its middle, or ``loose``.

    Args:
        x_mm, y_mm: The counter's middle.
        lying: Where the tiles of the map lie.
        tiles: What is on them.
        newest: The tile just laid; a counter a little beside it is meant for it.
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
    """How far outside its tile a point is, in tile widths; 0 inside."""
    return math.hypot(*(max(0.0, -part, part - 1) for part in spot))


def _turned(x: float, y: float, by_deg: float) -> tuple[float, float]:
    """A vector turned clockwise, where y points down."""
    cos, sin = math.cos(math.radians(by_deg)), math.sin(math.radians(by_deg))
    return x * cos - y * sin, x * sin + y * cos


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
