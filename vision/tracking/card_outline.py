"""The outline of cards around their stickers, learned from several cards with the sticker in the same place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CARD_MM
from vision.camera.frame import Gray
from vision.geometry.quads import Points, Quad
from vision.motion.tiles import median

LEAST_CARDS = 5
"""Fewer cards do not show what they have in common."""

STEP_MM = 2.0
REACH_MM = 100.0
NEAR_MM = 8.0
"""The card's edges are searched for along a strip of this half width through the sticker."""

MIN_EDGE_CONTRAST = 1.6
"""The best rectangle must have this many times the edge strength of the median one."""


@dataclass(frozen=True, slots=True)
class CardOutline:
    """The card's edges, in millimetres from the sticker's centre, with the code upright."""

    left_mm: float
    top_mm: float
    right_mm: float
    bottom_mm: float

    def around_mm(self, margin_mm: float = 0.0) -> Points:
        """The card's four corners from its sticker's centre, ``(4, 2)``, with a margin on all sides."""
        left, top = -self.left_mm - margin_mm, -self.top_mm - margin_mm
        right, bottom = self.right_mm + margin_mm, self.bottom_mm + margin_mm
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def placed(around_mm: Points, sticker_mm: Points) -> Points:
    """The corners of a piece on the table, ``(n, 2)``, whose sticker's corners lie at ``sticker_mm``.

    Args:
        around_mm: The corners from the sticker's centre, with the code upright.
    """
    center, turn = _pose(sticker_mm)
    return np.asarray(center + around_mm @ turn.T, np.float64)


def learn_outline(lores: Gray, stickers_mm: Sequence[Points], to_px: Callable[[Points], Quad]) -> CardOutline | None:
    """The common outline of cards around their stickers, or ``None`` if there is none.

    Args:
        stickers_mm: The corners of the codes on the table, clockwise from their own top left.
        to_px: Points of the table as points of the small picture.
    """
    if len(stickers_mm) < LEAST_CARDS:
        return None
    side = 2 * round(REACH_MM / STEP_MM) + 1
    middle, near = (side - 1) // 2, round(NEAR_MM / STEP_MM)
    strip = slice(middle - near, middle + near + 1)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64) * (side - 1)
    around_mm = np.asarray((square - middle) * STEP_MM, np.float64)
    across: list[Gray] = []
    down: list[Gray] = []
    for sticker_mm in stickers_mm:
        warp = cv2.getPerspectiveTransform(square.astype(np.float32), to_px(placed(around_mm, sticker_mm)))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        piece = cv2.warpPerspective(lores, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        across.append(np.asarray(cv2.absdiff(piece[strip, 2:], piece[strip, :-2]), np.uint8))
        down.append(np.asarray(cv2.absdiff(piece[2:, strip], piece[:-2, strip]), np.uint8))
    horizontal = np.pad(_middling(across).mean(0), 1)
    vertical = np.pad(_middling(down).mean(1), 1)
    options = []
    for wide, high in (CARD_MM, CARD_MM[::-1]):
        left, x = _edges(horizontal, wide)
        top, y = _edges(vertical, high)
        options.append((min(x, y), CardOutline(left, top, wide - left, high - top)))
    clear, best = max(options, key=lambda option: option[0])
    return best if clear >= MIN_EDGE_CONTRAST else None


def _middling(pieces: list[Gray]) -> Gray:
    """The upper median, pixel by pixel, of pictures of the same size."""
    middle = len(pieces) // 2
    return np.asarray(np.partition(np.stack(pieces), middle, axis=0)[middle], np.uint8)


def _edges(profile: NDArray[np.float64], apart_mm: float) -> tuple[float, float]:
    """The distance from the sticker back to the first of two such edges, and how much they stand out."""
    middle = (len(profile) - 1) // 2
    offsets = np.arange(NEAR_MM, apart_mm - NEAR_MM + 1e-6, STEP_MM / 2)
    places = np.arange(len(profile))
    first = np.interp(middle - offsets / STEP_MM, places, profile)
    second = np.interp(middle + (apart_mm - offsets) / STEP_MM, places, profile)
    both = np.minimum(first, second)
    best = int(both.argmax())
    return float(offsets[best]), float(both[best] / max(median(both), 1e-6))


def _pose(points: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Centre and rotation of a sticker on the table."""
    along = points[1] - points[0] + points[2] - points[3]
    angle = math.atan2(float(along[1]), float(along[0]))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return points.mean(0), turn
