"""The pose of a code on the table, from its four corners."""

from __future__ import annotations

import math

import numpy as np

from companion.table import Point
from vision.geometry import Points
from vision.reader import Corners, meet


def corners(points: Points) -> Corners:
    """Four points as plain values."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def center(corners_mm: Points) -> Point:
    """Where the diagonals of a code meet."""
    return meet(corners(corners_mm))


def rotation(corners_mm: Points) -> float:
    """Clockwise, 0 when the code's top points to the far edge, from -180 to 180; both its level edges count."""
    across = corners_mm[1] - corners_mm[0] + corners_mm[2] - corners_mm[3]
    down = corners_mm[3] - corners_mm[0] + corners_mm[2] - corners_mm[1]
    both = across + np.array([down[1], -down[0]])
    return math.degrees(math.atan2(float(both[1]), float(both[0])))


def near(one: Points, other: Points, most_mm: float, most_deg: float) -> bool:
    """Whether two poses of a code are the same within bounds."""
    turned = (rotation(one) - rotation(other) + 180) % 360 - 180
    return math.dist(center(one), center(other)) <= most_mm and abs(turned) <= most_deg
