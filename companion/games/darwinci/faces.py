"""The drawing of a bone tile on a simulated table: a bone to each of its ends, and dots for jewels."""

from __future__ import annotations

from companion.games.darwinci.deck import BoneTile
from companion.public.shapes import GreyArea
from companion.public.table import Point

GROUND, BONE, ROTTEN, JEWEL = 0.55, 0.95, 0.25, 0.1
"""Brightness of the earth, a bone, a rotten bone and a jewel, from black to white."""
SHAFT, KNOB, DOT = 0.09, 0.16, 0.05
"""Half the width of a bone, of its centre and of a jewel, in tile widths."""
WAYS: dict[str, Point] = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}


def grey_face(tile: BoneTile, tile_mm: float) -> tuple[GreyArea, ...]:
    """A tile's face, from its centre, in millimetres: the earth, its bone, its jewels along the southern edge."""
    bone = ROTTEN if tile.rotten else BONE
    shafts = (_box(bone, _shaft(*WAYS[end]), tile_mm) for end in tile.ends)
    jewels = (
        _box(JEWEL, (0.4 - 0.14 * nth - DOT, 0.4 - DOT, 0.4 - 0.14 * nth + DOT, 0.4 + DOT), tile_mm)
        for nth in range(len(tile.jewels))
    )
    ground, middle = (-0.5, -0.5, 0.5, 0.5), (-KNOB, -KNOB, KNOB, KNOB)
    return (_box(GROUND, ground, tile_mm), *shafts, _box(bone, middle, tile_mm), *jewels)


def _shaft(across: float, down: float) -> tuple[float, float, float, float]:
    """From the centre to the edge on one side."""
    x, y = 0.5 * across, 0.5 * down
    wide, high = (SHAFT, 0.0) if down else (0.0, SHAFT)
    return min(0.0, x) - wide, min(0.0, y) - high, max(0.0, x) + wide, max(0.0, y) + high


def _box(grey: float, sides: tuple[float, float, float, float], tile_mm: float) -> GreyArea:
    """Left, top, right and bottom in tile widths."""
    left, top, right, bottom = (side * tile_mm for side in sides)
    return GreyArea(grey, ((left, top), (right, top), (right, bottom), (left, bottom)))
