"""The failed attempts at reading each tile since something last moved there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.public.table import Point
from vision.codes.decoder import Detection
from vision.geometry.quads import Corners, PixelBox
from vision.geometry.tile_grid import Mask, TileBox, TileGrid, any_tile

EXTRA_ATTEMPTS, EXTRA_ATTEMPTS_S = 4, 0.4
"""A place that resembles a code is read this many times more, at this interval.

Focus and light may still be changing.
"""


class AttemptHistory:
    """How often reading each tile failed, and when it may be read again.

    Methods with ``usual`` take the number of attempts that every place gets; it changes with the statistics of stickers
    and the rate of pictures.

    Attributes:
        unsettled: Tiles that have moved and have not had every usual attempt since, ``(rows, columns)`` bool.
    """

    def __init__(self, grid: TileGrid) -> None:
        self.unsettled: Mask = np.zeros(grid.shape, np.bool_)
        self._tries: NDArray[np.int16] = np.zeros(grid.shape, np.int16)
        self._resembling: Mask = np.zeros(grid.shape, np.bool_)
        self._again_s: NDArray[np.float64] = np.zeros(grid.shape)

    def forget(self, moving: Mask, usual: int) -> None:
        """Drop the attempts on tiles that move."""
        self.unsettled = (self.unsettled & (self._tries < usual)) | moving
        if any_tile(moving):
            self._tries[moving] = 0
            self._resembling[moving] = False

    def spent(self, usual: int) -> Mask:
        """Tiles where every usual attempt has failed."""
        return np.asarray(self._tries >= usual, np.bool_)

    def exhausted(self, usual: int) -> Mask:
        """Tiles without an attempt left; a place that resembles a code gets additional attempts."""
        tried = self.spent(usual)
        return tried & (~self._resembling | self.spent(usual + EXTRA_ATTEMPTS)) if any_tile(self._resembling) else tried

    def given_up(self, usual: int) -> Mask:
        """Tiles without an attempt left whose place resembles a code."""
        return self._resembling & self.exhausted(usual)

    def due(self, todo: Mask, usual: int, taken_s: float) -> Mask:
        """Those of these tiles that may be read now."""
        todo = todo & ~self.exhausted(usual)
        return todo & ((self._tries < usual) | (self._again_s <= taken_s)) if any_tile(todo) else todo

    def least_tries(self, piece: Mask) -> int:
        """The least number of attempts on a tile of a piece."""
        return int(self._tries[piece].min())

    def tries_at(self, place: TileBox, piece: Mask) -> int:
        """The number of attempts at a place in a piece; other tiles of the piece may have changed later."""
        tries = self._tries[piece]
        if (tries == tries[0]).all():
            return int(tries[0])
        here = self._tries[place][piece[place]]
        return int((here if here.size else tries).min())

    def add_attempt(self, piece: Mask, read: Iterable[TileBox], waiting: Sequence[TileBox]) -> None:
        """Count an attempt at these places of a piece, and at the whole piece except places that still wait."""
        seen = piece.copy()
        for place in waiting:
            seen[place] = False
        for place in read if waiting else ():
            seen[place] = piece[place]
        self._tries[seen] += 1

    def postpone(self, piece: Mask, taken_s: float) -> None:
        """A piece was read: further attempts wait a little."""
        self._again_s[piece] = taken_s + EXTRA_ATTEMPTS_S

    def add_resembling(self, tiles: Mask) -> None:
        self._resembling |= tiles


class ForeignCodes:
    """The positions of foreign codes.

    Args:
        inside: The tiles that belong to the table, ``(rows, columns)`` bool; others are ignored.

    Attributes:
        centers_px: In the full picture.
    """

    def __init__(self, grid: TileGrid, inside: Mask) -> None:
        self._grid = grid
        self._inside = inside
        self.centers_px: tuple[Point, ...] = ()

    def forget(self, moving: Mask) -> None:
        """Drop codes on tiles that move."""
        self.centers_px = tuple(point for point in self.centers_px if not moving[self._grid.tile_at(point)])

    def note(self, box: PixelBox, found: Sequence[Point]) -> None:
        """Replace the codes in a piece of the picture."""
        if not self.centers_px and not found:
            return
        rows, columns = box
        elsewhere = [
            (x, y)
            for x, y in self.centers_px
            if not (columns.start <= x < columns.stop and rows.start <= y < rows.stop)
        ]
        on_table = [point for point in found if self._inside[self._grid.tile_at(point)]]
        self.centers_px = (*elsewhere, *on_table)

    def squares_px(self, side_px: float) -> list[Corners]:
        """A square of this width around each; it covers most of a code, however that is turned."""
        half = side_px / 2
        return [
            ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
            for x, y in self.centers_px
        ]

    def any_in(self, box: PixelBox) -> bool:
        """Whether there is one in a piece of the picture."""
        rows, columns = box
        return any(rows.start <= y < rows.stop and columns.start <= x < columns.stop for x, y in self.centers_px)

    def is_at(self, detection: Detection) -> bool:
        """Whether a foreign code was read where a sticker is guessed."""
        side = math.dist(*detection.corners_px[:2])
        return any(math.dist(detection.center_px, point) < side for point in self.centers_px)
