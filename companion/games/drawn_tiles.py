"""Where tiles that lie side by side go on a drawn table, and whether that table has all that people need."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.errors import InputError, fault
from companion.games.lattice import Cell, Pose, place
from companion.games.square_tiles import sticker_pose, tile_pose
from companion.public.layout import Layout
from companion.public.table import Point, Zone
from companion.simulation.stage import ThingPose

GAP_MM = 0.6
"""Between two tiles that people lay side by side."""


def in_cell(cell: Cell, laid: Iterable[tuple[ThingPose, Cell]], first_mm: Point, *, tile_mm: float) -> ThingPose:
    """Where the sticker of a tile goes that is laid in a cell.

    Args:
        laid: The stickers of the tiles that lie there, and their cells.
        first_mm: Where the middle of the first tile goes.
    """
    neighbours = ((tile_of(sticker, tile_mm=tile_mm), there) for sticker, there in laid)
    tile = place(cell, neighbours, pitch_mm=tile_mm + GAP_MM) or Pose(*first_mm, 90.0 * cell.turn)
    sticker = sticker_pose(tile, tile_mm=tile_mm)
    return ThingPose(sticker.x_mm, sticker.y_mm, sticker.rotation_deg)


def tile_of(sticker: ThingPose, *, tile_mm: float) -> Pose:
    """Where a tile lies, from where its sticker does."""
    return tile_pose(Pose(sticker.x_mm, sticker.y_mm, sticker.rotation_deg), tile_mm=tile_mm)


def zone_box(layout: Layout, zone: Zone) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a drawn zone, in millimetres."""
    xs, ys = zip(*next(one.polygon_mm for one in layout.zones if one.name == zone), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def check_zones(layout: Layout, needed: Collection[Zone]) -> None:
    """Whether a table has these zones.

    Raises:
        InputError: It lacks one.
    """
    if lacking := [zone for zone in needed if all(shape.name != zone for shape in layout.zones)]:
        message = "The table has no zone {zones}; a simulated match needs all of them."
        raise InputError(fault("simulated.fault.zones", message, zones=", ".join(lacking)))
