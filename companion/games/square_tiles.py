"""Square tiles that bear a sticker in their north-west corner: how large they are, and where they lie.

The code's upright is the tile's north, so the sticker alone says how a tile is turned. The eye errs by less than a
millimetre and two degrees: the bounds of a cell are for people's hands.
"""

from __future__ import annotations

import math

from companion.games.lattice import Pose
from companion.public.shapes import GreyArea, Shape

STICKER_MM = 18.0
"""The side of a tile's sticker."""
MARGIN_MM = 1.5
"""The sticker's distance from the two edges of its corner."""
MOST_OFF = 0.3
"""So far, in tile widths, a tile may lie from the middle of its cell."""
MOST_ASKEW_DEG = 25.0
"""So far a tile may be turned away from its quarter turn."""


def tile_pose(sticker: Pose, *, tile_mm: float) -> Pose:
    """Where a tile lies, from where its sticker does."""
    inward_mm = tile_mm / 2 - MARGIN_MM - STICKER_MM / 2
    return shifted(sticker, inward_mm, inward_mm)


def sticker_pose(tile: Pose, *, tile_mm: float) -> Pose:
    """Where a tile's sticker lies, from where the tile does."""
    outward_mm = MARGIN_MM + STICKER_MM / 2 - tile_mm / 2
    return shifted(tile, outward_mm, outward_mm)


def shifted(pose: Pose, east_mm: float, south_mm: float) -> Pose:
    """So far away in a thing's own frame, turned as it is."""
    turned = math.radians(pose.rotation_deg)
    cos, sin = math.cos(turned), math.sin(turned)
    x_mm, y_mm = east_mm * cos - south_mm * sin, east_mm * sin + south_mm * cos
    return Pose(pose.x_mm + x_mm, pose.y_mm + y_mm, pose.rotation_deg)


def tile_shape(tile_mm: float, face: tuple[GreyArea, ...] = ()) -> Shape:
    """What the eye and the drawn table know of a tile."""
    aside_mm = MARGIN_MM + STICKER_MM / 2 - tile_mm / 2
    return Shape.rectangle(tile_mm, tile_mm, sticker_mm=STICKER_MM, sticker_at_mm=(aside_mm, aside_mm), face=face)
