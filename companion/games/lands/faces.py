"""The drawing of a map tile on a simulated table: its ways, its spaces (darker = more costly), its landmarks and
fires."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.games.lands.deck import LandSpace
from companion.public.shapes import GreyArea
from companion.public.table import Point

GROUND, WAY, EASY, HARDER, MARK = 0.5, 0.62, 0.78, 0.12, 0.2
"""Brightness of the ground, a way, a space of 1 point and a mark, from black to white; each additional point is
darker."""
SPACE_MM, WAY_MM, MARK_MM = 9.0, 2.5, 3.0
"""Half the width of a space, of a way, and of a landmark's or a fire's mark."""


def grey_face(spaces: Sequence[LandSpace], tile_mm: float) -> tuple[GreyArea, ...]:
    """A tile's face, from its centre, in millimetres."""
    half = tile_mm / 2
    areas = [GreyArea(GROUND, ((-half, -half), (half, -half), (half, half), (-half, half)))]
    for number, space in enumerate(spaces, 1):
        beside = [spaces[other - 1].at for other in space.neighbours if other > number]
        areas += [_way(space.at, end) for end in (*beside, *space.exits) if math.dist(space.at, end) > 0]
    for space in spaces:
        areas.append(_square(max(GROUND - 0.3, EASY - HARDER * (space.cost - 1)), space.at, SPACE_MM))
        if space.landmark:
            areas.append(_square(MARK, space.at, MARK_MM))
        if space.fire:
            x, y = space.at
            areas.append(GreyArea(MARK, ((x, y - MARK_MM), (x + MARK_MM, y + MARK_MM), (x - MARK_MM, y + MARK_MM))))
    return tuple(areas)


def _way(start: Point, end: Point) -> GreyArea:
    """A straight line between two points."""
    length = math.dist(start, end)
    x, y = WAY_MM * (start[1] - end[1]) / length, WAY_MM * (end[0] - start[0]) / length
    (left, top), (right, bottom) = start, end
    return GreyArea(WAY, ((left + x, top + y), (right + x, bottom + y), (right - x, bottom - y), (left - x, top - y)))


def _square(grey: float, at: Point, half_mm: float) -> GreyArea:
    x, y = at
    corners = ((-half_mm, -half_mm), (half_mm, -half_mm), (half_mm, half_mm), (-half_mm, half_mm))
    return GreyArea(grey, tuple((x + east, y + south) for east, south in corners))
