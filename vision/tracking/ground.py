"""Whether a place shows the table, judged by this picture alone: it looks like the table around it.

No earlier picture of the place is needed, so that a card that lay there from the beginning can be seen to be gone, on
gravel as on cloth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Gray
from vision.geometry.tile_grid import Mask, SmallBox, SmallMask, box_around

REACH_SIDES = 6
"""The table is compared up to this many sides of a sticker away."""

TABLE_STEP_PX = 5
"""Every so many pixels a window of the table is compared."""

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

Shape = NDArray[np.int32]
"""``(n, 2)``, the corners of a piece in whole pixels of the small picture."""

Look = NDArray[np.float32]
"""One property of every window, by the window's middle, ``(height, width)``."""


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """How the table beside a piece has changed since the piece was last seen.

    What looks like the table where the table was seen before is no table: something that resembles it has come, and may
    lie over the piece too.

    Attributes:
        strange: The pixels of the small picture that do not look as they did.
        then: How it looked, in this light.
        known: The pixels where no piece lay then.
    """

    strange: SmallMask
    then: Gray
    known: SmallMask


def shows_ground(
    small: Gray,
    place: Shape,
    bare: SmallMask,
    table: SmallMask,
    side_px: int,
    rarest: float = RAREST,
) -> bool | None:
    """Whether all of a place, beside the visible pieces there, looks like the bare table around it; ``None`` if it
    cannot be compared.

    Args:
        small: A small picture, ``(height, width)`` uint8.
        place: The outline of the piece that lay there.
        bare: Its pixels that nothing is known to cover; those of the place itself are ignored.
        table: Its pixels where no visible piece lies.
        side_px: The width of a window: of a sticker.
        rarest: This share of the table's windows, at either end, are ignored.
    """
    box, here = _around_place(small, place, side_px)
    of_place = _windows(table[box] & here, side_px, 1)
    looks = _table_looks(small[box], bare[box] & ~here, side_px, rarest)
    if looks is None or not of_place.any():
        return None
    return bool(_alike(small[box], looks, side_px)[of_place].mean() >= LEAST_ALIKE)


def changes_beside(
    small: Gray, place: Shape, bare: SmallMask, table: SmallMask, side_px: int, beside: Beside
) -> tuple[bool, bool]:
    """Whether something that looks like the table has come beside a place, and whether anything that does not.

    Args:
        small, place, bare, table, side_px: As in ``shows_ground``. Nothing is compared where a visible piece is as near
            as half a window: a window over its edge shows that piece.
    """
    box, here = _around_place(small, place, side_px)
    strange = beside.strange[box] & _windows(table[box], side_px, 1)
    looks = _table_looks(small[box], bare[box] & ~here, side_px, RAREST) if strange.any() else None
    if looks is None:
        return False, False
    alike = _alike(small[box], looks, side_px)
    showed = _alike(beside.then[box], looks, side_px) & _windows(beside.known[box], side_px, 1)
    return bool((strange & alike & showed).any()), bool((strange & ~alike).any())


def _around_place(small: Gray, place: Shape, side_px: int) -> tuple[SmallBox, SmallMask]:
    """The piece of the small picture with which a place is compared, and the pixels of the place in it."""
    box = rows, columns = around(small, place, REACH_SIDES * side_px)
    here = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    cv2.fillConvexPoly(here, place - (columns.start, rows.start), 1)
    return box, np.asarray(here > 0, np.bool_)


def bared_tiles(
    small: Gray, usual: Gray, tiles: Mask, bare: SmallMask, table: SmallMask, laid: Mask
) -> tuple[Mask, Mask]:
    """Those of these tiles that look like the bare table around them, and did not: what was there has left.

    What looks like the table where the table was seen before may be a sleeve that has come: the second mask.

    Args:
        small: A small picture, ``(height, width)`` uint8.
        usual: The usual look of it.
        tiles: ``(rows, columns)`` bool.
        bare: Its pixels that nothing is known to cover; those of the tiles are ignored.
        table: Its pixels where no visible piece lies; windows beyond are ignored.
        laid: Tiles where pieces are known to have lain, which may look like the table themselves.
    """
    bared, sleeve = np.zeros_like(tiles), np.zeros_like(tiles)
    rows, columns = (slice(TILE_PX * side.start, TILE_PX * side.stop) for side in box_around(tiles))
    outline = np.array([(columns.start, rows.start), (columns.stop - 1, rows.stop - 1)])
    box = rows, columns = around(small, outline, REACH_SIDES * TILE_PX)
    top, left = rows.start // TILE_PX, columns.start // TILE_PX
    box = rows, columns = SmallBox((slice(TILE_PX * top, rows.stop), slice(TILE_PX * left, columns.stop)))
    here = np.kron(tiles[top:, left:], np.ones((TILE_PX, TILE_PX), np.bool_))
    here = here[: rows.stop - rows.start, : columns.stop - columns.start]
    looks = _table_looks(small[box], bare[box] & ~here, TILE_PX, RAREST)
    if looks is None:
        return bared, sleeve
    counts = _windows(table[box], TILE_PX, 1) & here
    now, then = (_alike(one[box], looks, TILE_PX) & counts for one in (small, usual))
    for row, column in np.argwhere(tiles):
        y, x = TILE_PX * (row - top), TILE_PX * (column - left)
        tile = slice(y, y + TILE_PX), slice(x, x + TILE_PX)
        least = LEAST_ALIKE * np.count_nonzero(counts[tile])
        shows, showed = (least > 0 and np.count_nonzero(one[tile]) >= least for one in (now, then))
        bared[row, column] = shows and (laid[row, column] or not showed)
        sleeve[row, column] = shows and not bared[row, column]
    return bared, sleeve


def _windows(pixels: NDArray[np.generic], side_px: int, step_px: int) -> SmallMask:
    """Whether the window around every so many pixels lies within these pixels."""
    window = np.ones((side_px, side_px), np.uint8)
    within = cv2.erode(pixels.astype(np.uint8), window, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    middles = np.zeros_like(within)
    middles[::step_px, ::step_px] = within[::step_px, ::step_px]
    return np.asarray(middles > 0, np.bool_)


def _table_looks(piece: Gray, bare: SmallMask, side_px: int, rarest: float) -> list[tuple[float, float]] | None:
    """From where to where each property of the table's windows goes; ``None`` if there are too few.

    Args:
        bare: The pixels that show the table.
    """
    of_table = _windows(bare, side_px, TABLE_STEP_PX)
    if np.count_nonzero(of_table) < LEAST_WINDOWS:
        return None
    limits = []
    for look, share in zip(_looks(piece, side_px), SLACK_SHARES, strict=True):
        table = np.sort(look[of_table])
        ignored, slack = int(rarest * len(table)), SLACK_LEVELS + share * table[len(table) // 2]
        limits.append((float(table[ignored] - slack), float(table[-1 - ignored] + slack)))
    return limits


def _alike(piece: Gray, looks: Iterable[tuple[float, float]], side_px: int) -> SmallMask:
    """Whether the window around each pixel looks like the table."""
    alike = np.ones(piece.shape, np.bool_)
    for look, (least, most) in zip(_looks(piece, side_px), looks, strict=True):
        alike &= (look >= least) & (look <= most)
    return alike


def around(small: Gray, place: Shape, margin_px: int) -> SmallBox:
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
