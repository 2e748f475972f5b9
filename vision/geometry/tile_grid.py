"""The position of a sticker in the small picture and in its tiles."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NewType

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.layout import Layout
from companion.public.print_sizes import TAG_MM
from companion.public.table import COMMAND_ZONE, Point
from vision.camera.frame import TILE_PX, Frame
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, PixelBox, Points, Quad, corners
from vision.geometry.tags import TAG_AREA

Mask = NDArray[np.bool_]
"""``(rows, columns)`` of tiles."""

SmallMask = NDArray[np.bool_]
"""``(height, width)`` of the small picture."""

Tiles = NDArray[np.float32]
"""``(rows, columns)`` of tiles."""

SmallBox = NewType("SmallBox", tuple[slice, slice])
"""Rows and columns of the small picture."""

TileBox = NewType("TileBox", tuple[slice, slice])
"""Rows and columns of tiles."""

TileEdges = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]
"""For several places: the first row and the one after the last, the first column and the one after the last."""

ZONE_MARGIN_MM = 15.0
"""Things up to this far outside the playing field still belong to it."""


@dataclass(frozen=True, slots=True)
class TileGrid:
    """The tiles of a picture.

    Attributes:
        shape: Rows and columns of tiles.
        tile_px: A tile's width in the full picture.
    """

    shape: tuple[int, int]
    tile_px: float

    def mask(self, places: Iterable[Corners]) -> Mask:
        """The tiles of some stickers, given by their corners in the picture."""
        mask = np.zeros(self.shape, np.bool_)
        for place in places:
            mask[self.tile_box(place)] = True
        return mask

    def tile_box(self, corners_px: Corners) -> TileBox:
        """The tiles of a sticker, given by its corners in the picture; at least one."""
        return _tile_box(self.shape, self.tile_px, corners_px)

    def tiles_of(self, box: PixelBox) -> TileBox:
        """The tiles of a piece of the picture."""
        rows, columns = (slice(int(side.start / self.tile_px), math.ceil(side.stop / self.tile_px)) for side in box)
        return TileBox((rows, columns))

    def pixels_of(self, tiles: TileBox, picture: tuple[int, ...]) -> PixelBox:
        """The piece of a picture of this height and width that these tiles cover."""
        rows, columns = (
            slice(int(side.start * self.tile_px), min(most, round(side.stop * self.tile_px)))
            for side, most in zip(tiles, picture, strict=True)
        )
        return PixelBox((rows, columns))

    def small_pixels_of(self, tiles: TileBox) -> SmallBox:
        """The piece of the small picture that these tiles cover."""
        rows, columns = (slice(TILE_PX * side.start, TILE_PX * side.stop) for side in tiles)
        return SmallBox((rows, columns))

    def tile_at(self, point_px: Point) -> tuple[int, int]:
        """The row and column of the tile at a point of the picture."""
        rows, columns = self.shape
        return min(int(point_px[1] / self.tile_px), rows - 1), min(int(point_px[0] / self.tile_px), columns - 1)

    def edges(self, places: Iterable[Corners]) -> TileEdges:
        """The edges of the tiles of some stickers, given by their corners in the picture."""
        boxes = [self.tile_box(place) for place in places]
        numbers = [(rows.start, rows.stop, columns.start, columns.stop) for rows, columns in boxes]
        top, bottom, left, right = np.array(numbers, np.intp).reshape(-1, 4).T
        return top, bottom, left, right

    def any_of(self, mask: Mask, edges: TileEdges) -> list[bool]:
        """For each sticker, given by the edges of its tiles, whether one of them is in the mask.

        An integral image is far faster for many stickers than one slice for each.
        """
        top, bottom, left, right = edges
        sums = cv2.integral(mask.view(np.uint8))
        inside = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        return [count > 0 for count in inside.tolist()]

    def small_box(self, corners_px: Corners) -> SmallBox:
        """The pixels of a sticker in the small picture, given by its corners in the full picture."""
        left, top, right, bottom = _extent(corners_px, self.tile_px / TILE_PX)
        return SmallBox((slice(top, bottom), slice(left, right)))

    def pixels(self, tiles: Mask, box: SmallBox) -> SmallMask:
        """Which pixels of a piece of the small picture belong to these tiles."""
        rows, columns = (np.arange(side.start, side.stop) // TILE_PX for side in box)
        return np.asarray(tiles[np.ix_(rows, columns)], np.bool_)

    def small_corners(self, corners_px: Corners | Points) -> Quad:
        """Corners in the full picture, converted to pixels of the small one: ``(n, 2)`` float32."""
        return np.asarray((np.asarray(corners_px) + 0.5) * TILE_PX / self.tile_px - 0.5, np.float32)

    def full_points(self, points: NDArray[np.int_]) -> Points:
        """Pixels of the small picture, ``(n, 2)``, as points of the full one."""
        return (points + 0.5) * self.tile_px / TILE_PX - 0.5


def tile_grid(frame: Frame) -> TileGrid:
    height, width = frame.lores.shape
    return TileGrid((height // TILE_PX, width // TILE_PX), TILE_PX * frame.gray.shape[1] / width)


def inside(geometry: Geometry, layout: Layout, tiles: TileGrid) -> Mask:
    """The tiles of the table, ``(rows, columns)`` bool: the field between the tags, the zones, and a margin."""
    width, height = geometry.size_mm
    xs = [0.0, width, *(x for zone in layout.zones for x, _ in zone.polygon_mm)]
    ys = [0.0, height, *(y for zone in layout.zones for _, y in zone.polygon_mm)]
    rows, columns = np.mgrid[: tiles.shape[0], : tiles.shape[1]]
    x_mm, y_mm = geometry.to_mm((np.column_stack([columns.ravel(), rows.ravel()]) + 0.5) * tiles.tile_px).T
    within = (x_mm > min(xs) - ZONE_MARGIN_MM) & (x_mm < max(xs) + ZONE_MARGIN_MM)
    within &= (y_mm > min(ys) - ZONE_MARGIN_MM) & (y_mm < max(ys) + ZONE_MARGIN_MM)
    return np.asarray(within.reshape(tiles.shape), np.bool_)


def tags_shown(geometry: Geometry, tiles: TileGrid) -> Mask:
    """The tiles of the table's tags, ``(rows, columns)`` bool, with those that something covers or that are missing."""
    square = TAG_MM / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    places_mm = [square + np.array(at) * geometry.size_mm for at in TAG_AREA.values()]
    return tiles.mask(corners(geometry.to_px(place_mm)) for place_mm in places_mm)


def commands_shown(geometry: Geometry, layout: Layout, tiles: TileGrid) -> Mask:
    """The tiles of the zone for command cards, ``(rows, columns)`` bool; all false without such a zone."""
    covered = np.zeros(tiles.shape, np.uint8)
    for zone in layout.zones:
        if zone.name == COMMAND_ZONE:
            points = geometry.to_px(zone.polygon_mm) / tiles.tile_px
            cv2.fillPoly(covered, [np.asarray(points, np.int32)], 1)
    return np.asarray(covered > 0, np.bool_)


def box_around(mask: Mask) -> TileBox:
    """The smallest box with all these tiles; there is at least one."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return TileBox((slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)))


def any_tile(mask: Mask) -> bool:
    """Whether the mask has any tile; called about thirty times per look, and NumPy's ``any`` takes four times as
    long."""
    return 1 in mask.tobytes()


def dilated(mask: Mask, tiles: int) -> Mask:
    """The mask, grown by this many tiles on all sides."""
    return cv2.dilate(mask.view(np.uint8), _square(2 * tiles + 1)).view(np.bool_)


@cache
def _square(side: int) -> NDArray[np.uint8]:
    return np.ones((side, side), np.uint8)


@lru_cache(maxsize=1024)
def _tile_box(shape: tuple[int, int], tile_px: float, corners_px: Corners) -> TileBox:
    (left, top, right, bottom), (rows, columns) = _extent(corners_px, tile_px), shape
    return TileBox(
        (
            slice(min(top, rows - 1), max(min(top, rows - 1) + 1, min(bottom, rows))),
            slice(min(left, columns - 1), max(min(left, columns - 1) + 1, min(right, columns))),
        )
    )


def _extent(corners_px: Corners, unit_px: float) -> tuple[int, int, int, int]:
    xs, ys = zip(*corners_px, strict=True)
    left, top = max(0, int(min(xs) / unit_px)), max(0, int(min(ys) / unit_px))
    return left, top, max(left, int(max(xs) / unit_px)) + 1, max(top, int(max(ys) / unit_px)) + 1
