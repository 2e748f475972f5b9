"""Whether a place shows the table, judged by this picture alone: it looks like the table around it.

No earlier picture of the place is needed, so that a card that lay there from the beginning can be seen to be gone, on
gravel as on cloth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Gray
from vision.geometry.tile_grid import Mask, SmallBox, SmallMask, TileBox, any_tile, box_around

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
"""The least share of a place's windows that look like the table, and of those that have changed beside it; hands leave
shadows, and the table has spots."""

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


class Ground:
    """A place, and the bare table around it, in one small picture; each property is worked out when it is asked for.

    Args:
        small: A small picture, ``(height, width)`` uint8.
        place: The outline of the piece that lay there.
        bare: Its pixels that nothing is known to cover; those of the place itself are ignored.
        table: Its pixels where no visible piece lies.
        side_px: The width of a window: of a sticker.
        rarest: This share of the table's windows, at either end, are ignored.
    """

    def __init__(
        self, small: Gray, place: Shape, bare: SmallMask, table: SmallMask, side_px: int, rarest: float = RAREST
    ) -> None:
        self._box = rows, columns = around(small, place, REACH_SIDES * side_px)
        here = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
        cv2.fillConvexPoly(here, place - (columns.start, rows.start), 1)
        self._here = here > 0
        self._table = table[self._box]
        self._bare = bare[self._box] & ~self._here
        self._side_px = side_px
        self._around = _Around(small[self._box], self._bare, side_px, rarest)

    def is_shown(self) -> bool | None:
        """Whether all of the place, beside the visible pieces there, looks like the bare table around it; ``None`` if
        it cannot be compared."""
        return None if self.share is None else self.share >= LEAST_ALIKE

    @cached_property
    def share(self) -> float | None:
        """The share of the place's windows that look like the bare table around it; ``None`` if there are none."""
        of_place = _windows(self._table & self._here, self._side_px)
        if not self._around.is_known or not of_place.any():
            return None
        return float(self._around.alike[of_place].mean())

    def looked_bare(self, before: Gray) -> SmallMask:
        """Where an earlier picture of a part of this piece looked like the table; nowhere if it cannot be compared."""
        if not self._around.is_known:
            return np.zeros(before.shape, np.bool_)
        return self._around.looked_alike(before)

    def changes(self, beside: Beside) -> tuple[bool, bool]:
        """Whether something that looks like the table has come upon the place and reaches beyond it, and whether what
        has changed beside it does not look like the table.

        Nothing is compared where a visible piece is as near as half a window: a window over its edge shows that piece.
        """
        box, side_px = self._box, self._side_px
        strange = beside.strange[box] & _windows(self._table, side_px)
        if not strange.any() or not self._around.is_known:
            return False, False
        strange_alike = strange & self._around.alike
        at_edge = strange_alike & ~_windows(~self._here, side_px)  # what lies upon the place begins there
        came = False
        if at_edge.any():
            looked = self._around.looked_alike(beside.then[box])
            left = strange_alike & ~looked & _windows(self._bare, side_px)  # a hand that was in the first picture
            beside_left = ~_windows(~left, 2 * side_px + 1)  # its edge may have looked like the table
            at_edge &= looked & _windows(beside.known[box], side_px) & ~beside_left
            came = bool(at_edge.any())
        return came, bool(strange_alike.sum() < LEAST_ALIKE * strange.sum())


class _Around:
    """What the bare table looks like in a piece of a small picture.

    Args:
        bare: The pixels that show it.
    """

    def __init__(self, piece: Gray, bare: SmallMask, side_px: int, rarest: float) -> None:
        self._piece = piece
        self._side_px = side_px
        self._rarest = rarest
        self._windows = _windows(bare, side_px)[::TABLE_STEP_PX, ::TABLE_STEP_PX]
        self.is_known = np.count_nonzero(self._windows) >= LEAST_WINDOWS
        self._limits: list[tuple[float, float]] = []

    def narrowed(self) -> Iterator[SmallMask]:
        """Whether the window around each pixel looks like the table, by one more property each time."""
        alike = np.ones(self._piece.shape, np.bool_)
        self._limits = []
        for look, share in zip(_looks(self._piece, self._side_px), SLACK_SHARES, strict=True):
            table = np.sort(look[::TABLE_STEP_PX, ::TABLE_STEP_PX][self._windows])
            ignored, slack = int(self._rarest * len(table)), SLACK_LEVELS + share * table[len(table) // 2]
            least, most = float(table[ignored] - slack), float(table[-1 - ignored] + slack)
            self._limits.append((least, most))
            alike &= _between(look, least, most)
            yield alike

    @cached_property
    def alike(self) -> SmallMask:
        """Whether the window around each pixel looks like the table."""
        *_, alike = self.narrowed()
        return alike

    def looked_alike(self, before: Gray) -> SmallMask:
        """The same of an earlier picture, of all or a part of this piece."""
        if not self._limits:
            *_, _ = self.narrowed()
        looked = np.ones(before.shape, np.bool_)
        for look, (least, most) in zip(_looks(before, self._side_px), self._limits, strict=True):
            looked &= _between(look, least, most)
        return looked


def bared_tiles(
    small: Gray, usual: Gray, tiles: Mask, bare: SmallMask, table: SmallMask, laid: Callable[[], Mask]
) -> tuple[Mask, Mask]:
    """Those of these tiles that look like the bare table around them, and did not: what was there has left.

    What looks like the table where the table was seen before may be a sleeve that has come: the second mask.

    Args:
        small: A small picture, ``(height, width)`` uint8.
        usual: The usual look of it.
        tiles: ``(rows, columns)`` bool.
        bare: Its pixels that nothing is known to cover; those of the tiles are ignored.
        table: Its pixels where no visible piece lies; windows beyond are ignored.
        laid: Tiles where pieces are known to have lain, which may look like the table themselves; computed only if
            needed.
    """
    nothing = np.zeros_like(tiles)
    own = box_around(tiles)
    near = _grown(own, REACH_SIDES, tiles.shape)
    box = rows, columns = _pixels_of(near)
    size = columns.stop - columns.start, rows.stop - rows.start
    here = cv2.resize(tiles[near].astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    around_them = _Around(small[box], bare[box] & ~here, TILE_PX, RAREST)
    if not around_them.is_known:
        return nothing, nothing.copy()
    inner = _within(own, near)
    counts = (_windows(table[box], TILE_PX) & here)[_pixels_of(inner)]
    least = LEAST_ALIKE * _by_tile(counts)
    for alike in around_them.narrowed():
        shows = (least > 0) & (_by_tile(alike[_pixels_of(inner)] & counts) >= least)
        if not any_tile(shows):  # a hand, nearly always
            return nothing, nothing.copy()
    bared, sleeve = nothing, nothing.copy()
    bared[own], sleeve[own] = shows, shows
    asked = bared & ~laid()
    if any_tile(asked):  # how they looked before, and a tile around them, for the windows
        part = box_around(asked)
        wide = _grown(part, 1, tiles.shape)
        showed = around_them.looked_alike(usual[_pixels_of(wide)])[_pixels_of(_within(part, wide))]
        at = _within(part, own)
        usually = _by_tile(showed & counts[_pixels_of(at)]) >= least[at]
        bared[part] &= ~(asked[part] & usually)
    return bared, sleeve & ~bared


def _grown(box: TileBox, tiles: int, shape: tuple[int, ...]) -> TileBox:
    """A box of tiles with this many more on all sides, within all of these rows and columns."""
    rows, columns = (
        slice(max(0, side.start - tiles), min(most, side.stop + tiles)) for side, most in zip(box, shape, strict=True)
    )
    return TileBox((rows, columns))


def _within(box: TileBox, larger: TileBox) -> TileBox:
    """A box of tiles as counted from the first row and column of a larger one."""
    rows, columns = (
        slice(side.start - whole.start, side.stop - whole.start) for side, whole in zip(box, larger, strict=True)
    )
    return TileBox((rows, columns))


def _pixels_of(tiles: TileBox) -> SmallBox:
    """The pixels of the small picture in a box of tiles."""
    rows, columns = (slice(TILE_PX * side.start, TILE_PX * side.stop) for side in tiles)
    return SmallBox((rows, columns))


def _by_tile(pixels: SmallMask) -> NDArray[np.float32]:
    """How many of each tile's pixels are true, ``(rows, columns)``."""
    sums = cv2.boxFilter(pixels.view(np.uint8), cv2.CV_32F, (TILE_PX, TILE_PX), normalize=False)
    return np.asarray(sums[TILE_PX // 2 :: TILE_PX, TILE_PX // 2 :: TILE_PX], np.float32)


def _windows(pixels: SmallMask, side_px: int) -> SmallMask:
    """Whether the window around each pixel lies within these pixels."""
    window = np.ones((side_px, side_px), np.uint8)
    within = cv2.erode(pixels.view(np.uint8), window, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(within, np.uint8).view(np.bool_)


def around(small: Gray, place: Shape, margin_px: int) -> SmallBox:
    """The piece of the small picture around an outline in it."""
    (left, top), (right, bottom) = place.min(0).tolist(), place.max(0).tolist()
    sides = ((top, bottom, small.shape[0]), (left, right, small.shape[1]))
    rows, columns = (
        slice(max(0, min(first - margin_px, most - 1)), max(1, min(last + 1 + margin_px, most)))
        for first, last, most in sides
    )
    return SmallBox((rows, columns))


def _between(look: Look, least: float, most: float) -> SmallMask:
    """Where a property is neither less nor more."""
    return np.asarray((look >= least) & (look <= most), np.bool_)


def _looks(piece: Gray, side_px: int) -> Iterator[Look]:
    """The mean of each window, its standard deviation, and its mean change from pixel to pixel."""
    size = (side_px, side_px)
    mean = cv2.boxFilter(piece, cv2.CV_32F, size)
    yield np.asarray(mean, np.float32)
    variance = cv2.subtract(cv2.sqrBoxFilter(piece, cv2.CV_32F, size), cv2.multiply(mean, mean))
    yield np.sqrt(np.maximum(variance, 0), dtype=np.float32)
    fine = np.zeros(piece.shape, np.uint16)
    here, across, down = piece[1:, 1:], piece[1:, :-1], piece[:-1, 1:]
    np.add(cv2.absdiff(here, across), cv2.absdiff(here, down), out=fine[1:, 1:], dtype=np.uint16)
    yield np.asarray(cv2.boxFilter(fine, cv2.CV_32F, size), np.float32)
