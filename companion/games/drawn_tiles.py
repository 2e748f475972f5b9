"""Places of adjacent tiles, or in the cells of a board, on a simulated table; and the check of its zones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from companion.errors import InputError, fault
from companion.games.lattice import Cell, Pose, place
from companion.games.square_board import SquareBoard
from companion.games.square_tiles import sticker_pose, tile_pose
from companion.public.layout import Layout
from companion.public.table import CardId, Point, Token, Zone
from companion.simulation.stage import Kept, ThingPose, ZoneRows

GAP_MM = 0.6
"""Between two adjacent tiles."""


def in_cell(cell: Cell, laid: Iterable[tuple[ThingPose, Cell]], first_mm: Point, *, tile_mm: float) -> ThingPose:
    """The pose of the sticker of a tile in a cell.

    Args:
        laid: The stickers of the tiles on the table, and their cells.
        first_mm: The centre of the first tile.
    """
    neighbours = ((tile_of(sticker, tile_mm=tile_mm), there) for sticker, there in laid)
    tile = place(cell, neighbours, pitch_mm=tile_mm + GAP_MM) or Pose(*first_mm, 90.0 * cell.turn)
    sticker = sticker_pose(tile, tile_mm=tile_mm)
    return ThingPose(sticker.x_mm, sticker.y_mm, sticker.rotation_deg)


def tile_of(sticker: ThingPose, *, tile_mm: float) -> Pose:
    """The pose of a tile, from that of its sticker."""
    return tile_pose(Pose(sticker.x_mm, sticker.y_mm, sticker.rotation_deg), tile_mm=tile_mm)


class BoardPlaces:
    """The ``Places`` of a board with cells; whatever lies elsewhere lies in rows in its zone."""

    def __init__(self, board: SquareBoard, layout: Layout) -> None:
        self._board, self._rows = board, ZoneRows(layout)

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:
        cell = self._board.cell(place)
        if cell is None:
            return self._rows.pose(token, place, kept, beside)
        sticker = self._board.sticker_pose(CardId(token), cell)
        return ThingPose(sticker.x_mm, sticker.y_mm, sticker.rotation_deg)


def zone_box(layout: Layout, zone: Zone) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a zone, in millimetres."""
    xs, ys = zip(*next(one.polygon_mm for one in layout.zones if one.name == zone), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def check_zones(layout: Layout, needed: Collection[Zone]) -> None:
    """Check that a table has these zones.

    Raises:
        InputError: It lacks one.
    """
    if lacking := [zone for zone in needed if all(shape.name != zone for shape in layout.zones)]:
        message = "The table has no zone {zones}; a simulated match needs all of them."
        raise InputError(fault("simulated.fault.zones", message, zones=", ".join(lacking)))
