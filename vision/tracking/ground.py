"""Whether a place shows the table, judged by this picture alone: it looks like the table around it.

No earlier picture of the place is needed, so that a card that lay there from the beginning can be seen to be gone, on
gravel as on cloth.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray
from vision.geometry.tile_grid import SmallBox, SmallMask

REACH_SIDES = 6
"""The table is compared up to this many sides of a sticker away."""

TABLE_STEP_PX, PLACE_STEP_PX = 5, 2
"""Every so many pixels a window of the table is compared, and one of the place."""

LEAST_WINDOWS = 10
"""With fewer windows on the bare table around it, a place is not compared."""

RAREST, RAREST_UNSEEN = 0.02, 0.1
"""This share of the table's windows, at either end, are not what it looks like. The second: where the piece was unseen
since the camera was opened. What covers it may have been there all the time, and be in those windows too.

Of 128 drawn places that something had covered before, on four tables, 22 looked empty at 0.02, 5 at 0.05, none at 0.1.
All of 32 empty ones did, at 0.2 only 24.
"""

SLACK_LEVELS, SLACK_SHARES = 2.0, (0.06, 0.2, 0.2)
"""The place may be so much farther from the usual look than the table's windows are: grey levels, plus
fractions."""

LEAST_ALIKE = 0.9
"""The least share of a place's windows that look like the table; hands leave shadows."""

Look = NDArray[np.float32]
"""One property of every window, by the window's middle, ``(height, width)``."""


def shows_ground(small: Gray, place: NDArray[np.int32], bare: SmallMask, side_px: int, rarest: float = RAREST) -> bool:
    """Whether all of a place looks like the bare table around it.

    Args:
        small: A small picture, ``(height, width)`` uint8.
        place: The outline of the piece that lay there, in whole pixels of it, ``(n, 2)``.
        bare: Its pixels that nothing is known to cover; those of the place itself are ignored.
        side_px: The width of a window: of a sticker.
        rarest: This share of the table's windows, at either end, are ignored.
    """
    rows, columns = around(small, place, REACH_SIDES * side_px)
    here = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    cv2.fillConvexPoly(here, place - (columns.start, rows.start), 1)
    open_table = (bare[rows, columns] & (here == 0)).astype(np.uint8)
    window = np.ones((side_px, side_px), np.uint8)
    of_table, of_place = (
        cv2.erode(one, window, borderType=cv2.BORDER_CONSTANT, borderValue=0)[::step, ::step] > 0
        for one, step in ((open_table, TABLE_STEP_PX), (here, PLACE_STEP_PX))
    )
    if np.count_nonzero(of_table) < LEAST_WINDOWS or not of_place.any():
        return False
    alike = np.ones(np.count_nonzero(of_place), np.bool_)
    for look, share in zip(_looks(small[rows, columns], side_px), SLACK_SHARES, strict=True):
        table = np.sort(look[::TABLE_STEP_PX, ::TABLE_STEP_PX][of_table])
        seen, ignored = look[::PLACE_STEP_PX, ::PLACE_STEP_PX][of_place], int(rarest * len(table))
        slack = SLACK_LEVELS + share * table[len(table) // 2]
        alike &= (seen >= table[ignored] - slack) & (seen <= table[-1 - ignored] + slack)
        if alike.mean() < LEAST_ALIKE:
            return False
    return True


def around(small: Gray, place: NDArray[np.int32], margin_px: int) -> SmallBox:
    """The piece of the small picture around an outline in it."""
    (left, top), (right, bottom) = place.min(0).tolist(), place.max(0).tolist()
    sides = ((top, bottom, small.shape[0]), (left, right, small.shape[1]))
    rows, columns = (
        slice(max(0, min(first - margin_px, most - 1)), max(1, min(last + 1 + margin_px, most)))
        for first, last, most in sides
    )
    return SmallBox((rows, columns))


def _looks(piece: Gray, side_px: int) -> Iterator[Look]:
    """The mean of each window, its standard deviation, and its mean change from pixel to pixel."""
    levels = piece.astype(np.float32)
    size = (side_px, side_px)
    mean = np.asarray(cv2.blur(levels, size), np.float32)
    yield mean
    yield np.asarray(np.sqrt(np.maximum(cv2.sqrBoxFilter(levels, -1, size) - mean * mean, 0)), np.float32)
    fine = np.zeros_like(levels)
    fine[1:, 1:] = np.abs(levels[1:, 1:] - levels[1:, :-1]) + np.abs(levels[1:, 1:] - levels[:-1, 1:])
    yield np.asarray(cv2.blur(fine, size), np.float32)
