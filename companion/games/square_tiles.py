"""Square tiles with a sticker in their north-west corner: their sizes and poses.

The code's upright direction is the tile's north, so the sticker alone gives the rotation. The camera is exact to a
millimetre and two degrees; the limits for a cell allow for people's hands.
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
"""The largest distance of a tile from the centre of its cell, in tile widths."""
MOST_ASKEW_DEG = 25.0
"""The largest rotation of a tile relative to its quarter turn."""


def tile_pose(sticker: Pose, *, tile_mm: float) -> Pose:
    """The pose of a tile, from that of its sticker."""
    inward_mm = tile_mm / 2 - MARGIN_MM - STICKER_MM / 2
    return shifted(sticker, inward_mm, inward_mm)


def sticker_pose(tile: Pose, *, tile_mm: float) -> Pose:
    """The pose of a tile's sticker, from that of the tile."""
    outward_mm = MARGIN_MM + STICKER_MM / 2 - tile_mm / 2
    return shifted(tile, outward_mm, outward_mm)


def shifted(pose: Pose, east_mm: float, south_mm: float) -> Pose:
    """A pose moved by this much in its own frame."""
    turned = math.radians(pose.rotation_deg)
    cos, sin = math.cos(turned), math.sin(turned)
    x_mm, y_mm = east_mm * cos - south_mm * sin, east_mm * sin + south_mm * cos
    return Pose(pose.x_mm + x_mm, pose.y_mm + y_mm, pose.rotation_deg)


def tile_shape(tile_mm: float, face: tuple[GreyArea, ...] = ()) -> Shape:
    """The shape of a tile, for the camera and the simulated table."""
    aside_mm = MARGIN_MM + STICKER_MM / 2 - tile_mm / 2
    return Shape.rectangle(tile_mm, tile_mm, sticker_mm=STICKER_MM, sticker_at_mm=(aside_mm, aside_mm), face=face)
