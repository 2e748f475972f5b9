"""Whether a place shows the table, judged by this picture alone: it looks like the table around it.

No earlier picture of the place is needed, so that a card that lay there from the beginning can be seen to be gone, on
gravel as on cloth.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray
from vision.geometry.tile_grid import SmallBox, SmallMask

REACH_SIDES = 10
"""The table is compared up to this many sides of a sticker away."""

LEAST_WINDOWS = 40
"""With fewer windows on the bare table around it, a place is not compared."""

RAREST = 2.0
"""So many percent of the table's windows, at either end, are not what it looks like."""

SLACK_LEVELS, SLACK_SHARES = 2.0, np.array([0.06, 0.2, 0.2])
"""The place may be so much farther from the usual look than the table's windows are: grey levels, plus
fractions."""

LEAST_ALIKE = 0.9
"""The least share of a place's windows that look like the table; hands leave shadows."""

Windows = NDArray[np.float32]
"""``(height, width, 3)``: the mean of each window, its standard deviation, and its mean change from pixel to pixel."""


def shows_ground(small: Gray, place: NDArray[np.int32], bare: SmallMask, side_px: int) -> bool:
    """Whether all of a place looks like the bare table around it.

    Args:
        small: A small picture, ``(height, width)`` uint8.
        place: The outline of the piece that lay there, in whole pixels of it, ``(n, 2)``.
        bare: Its pixels that nothing is known to cover; those of the place itself are ignored.
        side_px: The width of a window: of a sticker.
    """
    rows, columns = around(small, place, REACH_SIDES * side_px)
    here = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    cv2.fillConvexPoly(here, place - (columns.start, rows.start), 1)
    open_table = (bare[rows, columns] & (here == 0)).astype(np.uint8)
    window = np.ones((side_px, side_px), np.uint8)
    of_table, of_place = (
        cv2.erode(one, window, borderType=cv2.BORDER_CONSTANT, borderValue=0)[::2, ::2] > 0
        for one in (open_table, here)
    )
    if np.count_nonzero(of_table) < LEAST_WINDOWS or not of_place.any():
        return False
    looks = _windows(small[rows, columns], side_px)[::2, ::2]
    table, seen = looks[of_table], looks[of_place]
    least, most = np.percentile(table, (RAREST, 100 - RAREST), axis=0)
    slack = SLACK_LEVELS + SLACK_SHARES * np.median(table, axis=0)
    alike = ((seen >= least - slack) & (seen <= most + slack)).all(1)
    return bool(alike.mean() >= LEAST_ALIKE)


def around(small: Gray, place: NDArray[np.int32], margin_px: int) -> SmallBox:
    """The piece of the small picture around an outline in it."""
    (left, top), (right, bottom) = place.min(0).tolist(), place.max(0).tolist()
    sides = ((top, bottom, small.shape[0]), (left, right, small.shape[1]))
    rows, columns = (
        slice(max(0, min(first - margin_px, most - 1)), max(1, min(last + 1 + margin_px, most)))
        for first, last, most in sides
    )
    return SmallBox((rows, columns))


def _windows(piece: Gray, side_px: int) -> Windows:
    levels = piece.astype(np.float32)
    size = (side_px, side_px)
    mean, square = cv2.blur(levels, size), cv2.sqrBoxFilter(levels, -1, size)
    fine = np.zeros_like(levels)
    fine[:, 1:] = np.abs(levels[:, 1:] - levels[:, :-1])
    fine[1:] += np.abs(levels[1:] - levels[:-1])
    return np.dstack([mean, np.sqrt(np.maximum(square - mean * mean, 0)), cv2.blur(fine, size)])
