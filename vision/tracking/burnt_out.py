"""What is burnt out in the usual picture is read in a darker one: the two are joined where cards may lie.

The joined picture is for reading alone. The small picture, and with it the model of the background, stays the usual
one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Frame, Gray
from vision.geometry.quads import PixelBox
from vision.geometry.tile_grid import Mask, TileBox, TileGrid, any_tile, dilated
from vision.motion.change_maps import ChangeMaps

BURNT_DN = 240
"""From this grey level on, print is lost, or faint: cameras leave little contrast to what is nearly white."""

LEAST_SMALL_PX = 2
"""A square of so many pixels of the small picture, all burnt out, is wider than the white in a sticker's print, and
about as wide as the least mirror image that hides a code.
"""

HAND_NEAR = 3
"""So many tiles around a hand a card may lie that it moves: its own width."""

SEEK_S = 0.25
"""How often burnt-out places are looked for."""

EVERY_S = 1.0
"""How often a darker picture is asked for."""

MOST_DARKER = 4
"""So many darker pictures are asked for while nothing moves at a place: each has other noise. What none of them shows
cannot be read.
"""

KEPT_S = 10.0
"""Nothing may be seen to move in white: for so long a darker picture tells what lies there."""

FIT_DN = (60, 180)
"""Grey levels of the usual picture by which the two are compared: neither noise nor nearly white."""

INK_DN, PAPER_DN = 40.0, 220.0
"""The levels of the darkest and the brightest near a pixel, in a joined picture."""

LEAST_CONTRAST_DN = 16.0
"""What differs by less in the darker picture may be noise, and is not drawn out to ink and paper."""

SAME_LEVELS = 14.0
"""Where the two differ by more in the mean, besides the light, something has come between them."""

LEAST_LEFT = 0.5
"""A joined place in which less of the burnt out is still burnt out is seen in another light now."""


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """A place of the joined picture.

    Attributes:
        tiles: Its tiles.
        at: Its place in the full picture.
        levels: What is to be seen there.
        counts: Where it is to be seen: around what is burnt out.
        burnt: What was burnt out.
    """

    tiles: TileBox
    at: PixelBox
    levels: Gray
    counts: NDArray[np.bool_]
    burnt: NDArray[np.bool_]


class BurntOut:
    """Burnt-out places of the table, and what a darker picture shows of them.

    Args:
        searched: Tiles where something may lie, ``(rows, columns)`` bool.
    """

    def __init__(self, grid: TileGrid, searched: Mask) -> None:
        self._grid = grid
        self._searched = searched
        self._asked: NDArray[np.int16] = np.zeros(grid.shape, np.int16)
        self._asked_s = self._sought_s = -math.inf
        self._darker: Frame | None = None
        self._joined: list[_Joined] = []

    def wants_darker(self, lores: Gray, taken_s: float) -> bool:
        """Whether a darker picture may show more, in a look in which nothing moves; true once a second at most.

        Args:
            lores: The usual small picture, ``(height, width)``.
        """
        if taken_s - self._asked_s < EVERY_S or taken_s - self._sought_s < SEEK_S:
            return False
        self._sought_s = taken_s
        burnt = self._burnt(lores)
        if not any_tile(burnt & (self._asked < MOST_DARKER)):
            return False
        self._asked_s = taken_s
        self._asked[dilated(burnt, 1)] += 1  # its rim is not the same in every picture
        return True

    def take(self, darker: Frame) -> None:
        """Keep a darker picture until the next look; a camera's memory is copied."""
        self._darker = replace(darker, gray=darker.gray.copy(), lores=darker.lores.copy())

    def forget(self, change: ChangeMaps, taken_s: float) -> None:
        """Where a hand is, or something moves, another thing may lie when all is at rest.

        The rim of a mirror image seems to move whenever the light wavers a little; that alone is nothing.
        """
        if self._asked_s == -math.inf:
            return
        if any_tile(change.hand):
            near = dilated(change.hand, HAND_NEAR)
            self._asked[near] = 0
            self._joined = [one for one in self._joined if not near[one.tiles].any()]
        if change.anything_moves:
            self._joined = [one for one in self._joined if not change.is_moving(one.tiles)]
        if taken_s - self._asked_s > KEPT_S:
            self._joined = []

    def join(self, frame: Frame, change: ChangeMaps) -> tuple[Frame, Mask | None]:
        """The frame with what darker pictures show, and the tiles that show something new; ``None`` = none does.

        Args:
            change: What has changed in this frame; what moves is not joined.
        """
        fresh = None
        if (darker := self._darker) is not None:
            self._darker = None
            fresh = self._compare(frame, darker, change)
        if not self._joined:
            return frame, fresh
        gray = None
        kept = []
        for one in self._joined:
            here = frame.gray[one.at]
            if float((here[one.burnt] >= BURNT_DN).mean()) < LEAST_LEFT:
                continue
            kept.append(one)
            if gray is None:
                gray = frame.gray.copy()
            np.copyto(gray[one.at], one.levels, where=one.counts)
        self._joined = kept
        return (frame if gray is None else replace(frame, gray=gray)), fresh

    def _burnt(self, lores: Gray) -> Mask:
        """The tiles with burnt-out places."""
        if cv2.minMaxLoc(lores)[1] < BURNT_DN:  # as on most tables
            return np.zeros(self._grid.shape, np.bool_)
        burnt = (lores >= BURNT_DN).view(np.uint8)
        solid = cv2.erode(burnt, np.ones((LEAST_SMALL_PX, LEAST_SMALL_PX), np.uint8))
        rows, columns = self._grid.shape
        tiles = solid[: rows * TILE_PX, : columns * TILE_PX].reshape(rows, TILE_PX, columns, TILE_PX).any((1, 3))
        return np.asarray(tiles & self._searched, np.bool_)

    def _compare(self, frame: Frame, darker: Frame, change: ChangeMaps) -> Mask | None:
        """Join the two where the usual one is burnt out."""
        times = _times(frame.lores, darker.lores)
        burnt = self._burnt(frame.lores)
        if times is None or not any_tile(burnt):
            return None
        fresh = np.zeros(self._grid.shape, np.bool_)
        count, _, boxes, _ = cv2.connectedComponentsWithStats(dilated(burnt, 1).view(np.uint8))
        for number in range(1, count):
            left, top, width, height = boxes[number, :4].tolist()
            tiles = TileBox((slice(top, top + height), slice(left, left + width)))
            if change.is_moving(tiles):
                continue
            place = _joined(frame.gray, darker.gray, times, tiles, self._grid.pixels_of(tiles, frame.gray.shape))
            if place is not None:
                self._joined = [one for one in self._joined if not _meet(one.tiles, tiles)] + [place]
                fresh[tiles] = True
        return fresh


def _times(usual: Gray, darker: Gray) -> float | None:
    """How many times as bright the usual picture is; ``None`` if there is nothing to tell it by."""
    low, high = FIT_DN
    tells = (usual >= low) & (usual <= high) & (darker > 0)
    if np.count_nonzero(tells) < TILE_PX * TILE_PX:
        return None
    times = float(np.median(usual[tells] / darker[tells].astype(np.float32)))
    return times if times > 1 else None


def _joined(usual: Gray, darker: Gray, times: float, tiles: TileBox, at: PixelBox) -> _Joined | None:
    """What both pictures together show of a place; ``None`` if something has come between them."""
    bright, dim = usual[at], darker[at].astype(np.float32)
    wide = dim * np.float32(times)
    burnt = bright >= BURNT_DN
    told = (bright >= FIT_DN[0]) & (bright <= FIT_DN[1])
    if told.any() and float(np.abs(wide[told] - bright[told]).mean()) > SAME_LEVELS + _noise(wide, told):
        return None
    # A mirror image is a veil, the same over paper and ink near by: between the darkest and the brightest there the
    # print has its usual contrast.
    reach = max(3, (at[0].stop - at[0].start) // max(1, tiles[0].stop - tiles[0].start)) | 1
    near = np.ones((reach, reach), np.uint8)
    low, high = (cv2.blur(edge(dim, near), (reach, reach)) for edge in (cv2.erode, cv2.dilate))
    share = (dim - low) / np.maximum(high - low, np.float32(LEAST_CONTRAST_DN))
    levels = np.clip(np.float32(INK_DN) + np.float32(PAPER_DN - INK_DN) * share, 0, 255)
    counts = cv2.dilate(burnt.view(np.uint8), near) > 0
    return _Joined(tiles, at, np.asarray(np.rint(levels), np.uint8), np.asarray(counts, np.bool_), burnt)


def _noise(wide: NDArray[np.float32], told: NDArray[np.bool_]) -> float:
    """The mean error of a darker picture's grey levels, made as bright as the usual one's."""
    rough = np.abs(wide - cv2.blur(wide, (3, 3)))
    return float(rough[told].mean())


def _meet(one: TileBox, other: TileBox) -> bool:
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(one, other, strict=True))
