"""Hands over a synthetic table, as thick strokes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vision.synthetic.camera_model import Points

CUFF_MM = 235.0
"""The start of the sleeve, from the fingertips of a hand of average size."""

FINGERS = 5
"""The first strokes of an arm: the thumb, then the fingers."""


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand with its forearm.

    Attributes:
        x_mm, y_mm: Between thumb and fingertips.
        from_deg: Where the arm comes from: 0 = the right, 90 = the near edge, 270 = the far edge.
        z_mm: Height over the table.
        blur_mm: Its movement while the shutter is open.
        person: Determines skin, clothes and size.
        spread: 0 = fingers closed around something, 1 = flat and open.
    """

    x_mm: float
    y_mm: float
    from_deg: float = 90.0
    z_mm: float = 35.0
    blur_mm: tuple[float, float] = (0.0, 0.0)
    person: int = 0
    spread: float = 0.3

    @property
    def size(self) -> float:
        """Size relative to an average hand."""
        return 0.9 + 0.05 * (self.person % 5)


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """One stroke in table mm, with round ends; ``bare`` = skin, else a sleeve."""

    points_mm: Points
    width_mm: float
    bare: bool = True


def arm(hand: HandPose) -> tuple[Stroke, ...]:
    """The strokes of a hand and its forearm, from the fingers to the sleeve."""
    wide = hand.spread
    lines = (
        # Two points, each as (sideways from the arm's axis, backwards from the fingertips), and the width.
        ((-34, 62), (-15 - 42 * wide, 14), 19),  # the thumb
        ((-22, 62), (-15 - 16 * wide, 5), 15),
        ((-8, 60), (-5 - 5 * wide, -6), 16),
        ((7, 60), (5 + 6 * wide, -3), 15),
        ((21, 63), (14 + 16 * wide, 8), 14),
        ((-14, 70), (14, 70), 34),  # the palm
        ((-9, 90), (9, 90), 40),
        ((-1, 105), (2, 150), 50),  # the wrist
        ((2, 150), (6, 250), 58),
    )
    return (*_drawn(lines, hand, True), *sleeve(hand))


def sleeve(hand: HandPose, cuff_mm: float = CUFF_MM, aside_mm: float = 6.0) -> tuple[Stroke, ...]:
    """The strokes of a sleeve, in measures of a hand of average size.

    Args:
        cuff_mm: Its start, backwards from the fingertips.
        aside_mm: Its start, sideways from the fingertips.
    """
    return _drawn(
        (((aside_mm, cuff_mm), (aside_mm + 4, 420), 74), ((aside_mm + 4, 420), (aside_mm + 34, 900), 92)), hand, False
    )


def _drawn(
    lines: Iterable[tuple[tuple[float, float], tuple[float, float], float]], hand: HandPose, bare: bool
) -> tuple[Stroke, ...]:
    """The strokes of this hand, from each line's two points and width."""
    return tuple(
        Stroke(_turned(np.array([first, second], float) * hand.size, hand), width * hand.size, bare)
        for first, second, width in lines
    )


def _turned(points_mm: Points, hand: HandPose) -> Points:
    """From the hand's own axes (sideways, towards the elbow) to the table's."""
    angle = math.radians(hand.from_deg)
    back = np.array([math.cos(angle), math.sin(angle)])
    side = np.array([math.sin(angle), -math.cos(angle)])
    return np.asarray(points_mm[:, :1] * side + points_mm[:, 1:] * back + (hand.x_mm, hand.y_mm))
