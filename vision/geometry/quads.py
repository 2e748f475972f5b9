"""The pose of a code on the table, from its four corners."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NewType

import numpy as np
from numpy.typing import NDArray

from companion.public.table import Point

Points = NDArray[np.float64]
"""``(n, 2)`` float64: x and y, in the frame of reference that the name ends with, ``_px`` or ``_mm``."""

Corners = tuple[Point, Point, Point, Point]
"""Clockwise from the code's own top left, in the frame of reference that the name ends with: ``_px`` or ``_mm``."""

PixelBox = NewType("PixelBox", tuple[slice, slice])
"""Rows and columns of the full picture."""


def meet(corners: Corners) -> Point:
    """The intersection of a quadrilateral's diagonals.

    >>> meet(((0, 0), (4, 0), (4, 2), (0, 2)))
    (2.0, 1.0)
    """
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    ux, uy, vx, vy = cx - ax, cy - ay, dx - bx, dy - by
    cross = ux * vy - uy * vx
    if not cross:
        return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    along = ((bx - ax) * vy - (by - ay) * vx) / cross
    return ax + along * ux, ay + along * uy


def bounds(corners_px: Corners, margin: float, shape: tuple[int, ...]) -> PixelBox:
    """The rows and columns of a place, with a margin in sides of the code."""
    xs, ys = zip(*corners_px, strict=True)
    side = math.dist(corners_px[0], corners_px[2]) / math.sqrt(2) * margin
    return PixelBox(
        (
            slice(max(0, math.floor(min(ys) - side)), min(shape[0], math.ceil(max(ys) + side) + 1)),
            slice(max(0, math.floor(min(xs) - side)), min(shape[1], math.ceil(max(xs) + side) + 1)),
        )
    )


def corners(points: Points) -> Corners:
    """Four points as plain values."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


@dataclass(frozen=True, slots=True, eq=False)
class PixelQuads:
    """Many places in whole pixels of the picture.

    Attributes:
        corners: ``(n, 4, 2)`` int32, x and y.
        low, high: The minimum and maximum of each, ``(n, 2)`` int32.
    """

    corners: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]

    @classmethod
    def of(cls, places: Sequence[Corners]) -> PixelQuads:
        numbers = chain.from_iterable(chain.from_iterable(places))  # twice as fast as an array of tuples
        quads = np.fromiter(numbers, np.float32, 8 * len(places)).reshape(-1, 4, 2).astype(np.int32)
        return cls(quads, quads.min(1), quads.max(1))

    def within(self, box: PixelBox) -> list[NDArray[np.int32]]:
        """Those that overlap a piece of the picture, each ``(4, 2)``, in pixels of the piece."""
        rows, columns = box
        near = (self.high > (columns.start, rows.start)).all(1) & (self.low < (columns.stop, rows.stop)).all(1)
        return list(self.corners[near] - (columns.start, rows.start))


def center(corners_mm: Points) -> Point:
    """The intersection of a code's diagonals."""
    return meet(corners(corners_mm))


def rotation(corners_mm: Points) -> float:
    """Clockwise, 0 when the code's top points to the far edge, from -180 to 180; the mean of both directions."""
    across = corners_mm[1] - corners_mm[0] + corners_mm[2] - corners_mm[3]
    down = corners_mm[3] - corners_mm[0] + corners_mm[2] - corners_mm[1]
    both = across + np.array([down[1], -down[0]])
    return math.degrees(math.atan2(float(both[1]), float(both[0])))


def near(one: Points, other: Points, most_mm: float, most_deg: float) -> bool:
    """Whether two poses of a code are equal within bounds."""
    turned = (rotation(one) - rotation(other) + 180) % 360 - 180
    return math.dist(center(one), center(other)) <= most_mm and abs(turned) <= most_deg


Quad = NDArray[np.float32]
