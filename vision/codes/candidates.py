"""Places in a picture that may be a sticker: fine texture as wide as a code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES
from companion.public.table import Point
from vision.camera.frame import Gray, halved
from vision.geometry.quads import Corners, bounds

MIN_TEXTURE_LEVELS = 5.0
"""Less than this is noise."""

SCANNED_ROWS = 4
"""Rows of pixels that are compared in every six modules; all rows would hardly find more."""

MARGIN_MODULES = 15
"""A place is read with this margin, because the busy part may be only a part of the code. With 9 modules small things
went unread in two films of whole matches, which hold this from below. In one run with 216 counters beside their tile's
own sticker 9 modules left 9 unread for three seconds, 12 left 4 and 15 left 2; numbers this small are partly chance."""

LEAST_BLOCKS = 5
"""Connected busy blocks that may be a code."""

FILLED_SHARE = 0.6
"""Of a place as wide as a code, so much must be busy: the edges of a card take less, a code in the mirror of a lamp has
more left.
"""

BAND_ROWS = 32
"""A picture is searched in bands of this many rows of blocks, each as wide as necessary."""

FAR_EDGE_SHARE = 0.9
"""At the far edge of the table codes are smaller by this factor."""


def texture(gray: Gray, corners_px: Corners, module_px: float) -> float:
    """How much a place looks like a code: the mean difference of neighbouring modules, in grey levels."""
    box = bounds(corners_px, 0.0, gray.shape)
    return cv2.mean(_differing(gray[box], max(1, round(module_px))))[0] if gray[box].size else 0.0


def usual_relief(gray: Gray, corners_px: Corners, module_px: float) -> float:
    """The ``relief`` of a code, in grey levels, when searching for modules of this width. For narrow modules it
    compares closer pixels than ``texture`` does, and they differ by less."""
    box = bounds(corners_px, 0.0, gray.shape)
    return cv2.mean(_differing(gray[box], _apart_px(module_px)))[0] if gray[box].size else 0.0


@dataclass(frozen=True, slots=True)
class SearchCriteria:
    """What an unknown code may look like.

    Attributes:
        module_px: The expected width of a module.
        share: The least relief of a code, as a fraction of the local brightness.
        small: Also accept areas smaller than a sharp code, because a blurred one has faint edges.
    """

    module_px: float
    share: float
    small: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """How busy a piece of the picture is, in blocks of about six modules.

    Arrays are ``(rows, columns)`` uint8; they are empty for a piece smaller than a block.

    Attributes:
        size_px: Height and width of the piece.
        block_px: The width of a block.
        busyness: The mean difference of neighbouring modules, in grey levels.
        level: The approximate brightness.
        skip: Not 0 where no search is needed; there the other two may be missing.
    """

    size_px: tuple[int, int]
    block_px: int
    busyness: NDArray[np.uint8]
    level: NDArray[np.uint8]
    skip: NDArray[np.uint8]


def relief(
    piece: Gray, module_px: float, read_already: Sequence[NDArray[np.int32]], closed: NDArray[np.bool_]
) -> Relief:
    """The relief of a piece of the picture, ``(height, width)`` uint8, for modules of this width.

    Args:
        read_already: The corners of known codes, in pixels of the piece; others may be close to them.
        closed: Other places without search, as a coarse mask of the same piece.
    """
    line, apart = max(1, round(1.5 * module_px)), _apart_px(module_px)
    block = SCANNED_ROWS * line  # about six modules
    rows, columns = (max(0, (side - apart) // block) for side in piece.shape)
    busyness, level = np.zeros((rows, columns), np.uint8), np.zeros((rows, columns), np.uint8)
    size_px = piece.shape[0], piece.shape[1]
    if not busyness.size:
        return Relief(size_px, block, busyness, level, busyness)
    skip = np.asarray(cv2.resize(closed.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_NEAREST), np.uint8)
    for quad in read_already:
        cv2.fillConvexPoly(skip, quad // block, 1)
    open_ = skip == 0
    for top in range(0, rows, BAND_ROWS):
        bottom = min(rows, top + BAND_ROWS)
        across = np.flatnonzero(open_[top:bottom].any(0))
        if across.size:
            first, last = int(across[0]), int(across[-1]) + 1
            band = piece[top * block : bottom * block + apart, first * block : last * block + apart]
            size = last - first, bottom - top
            here, below = band[:-apart:line], band[apart::line, :-apart]
            rough = cv2.max(cv2.absdiff(here[:, apart:], here[:, :-apart]), cv2.absdiff(below, here[:, :-apart]))
            quarter = halved(halved(np.asarray(rough, np.uint8)))  # far faster than one step
            cv2.resize(quarter, size, busyness[top:bottom, first:last], interpolation=cv2.INTER_AREA)
            brightness = band[line:-apart:block, :-apart]
            cv2.resize(brightness, size, level[top:bottom, first:last], interpolation=cv2.INTER_AREA)
    return Relief(size_px, block, busyness, level, skip)


def candidate_regions(ground: Relief, sought: SearchCriteria) -> list[tuple[int, int, int, int]]:
    """Regions of a piece of the picture that may contain a code, as ``(x, y, width, height)``.

    Args:
        ground: The piece's relief for the searched module width.
    """
    module_px, block, busyness, level, skip = (
        sought.module_px, ground.block_px, ground.busyness, ground.level, ground.skip,
    )  # fmt: skip
    height, width = ground.size_px
    if not busyness.size:
        return [(0, 0, width, height)] if min(height, width) > _apart_px(module_px) else []
    least = np.maximum(level * np.float32(sought.share), MIN_TEXTURE_LEVELS)
    busy = ((busyness > least) & (skip == 0)).view(np.uint8)
    if np.count_nonzero(busy) < LEAST_BLOCKS:
        return []  # the most frequent case
    count, _, stats, _ = cv2.connectedComponentsWithStats(busy, connectivity=8)
    margin = round(MARGIN_MODULES * module_px)
    boxes = []
    least_wide = max(2, int(FAR_EDGE_SHARE * CODE_MODULES * module_px / block))
    for x, y, across, down, area in stats[1:count].tolist():
        if min(across, down) < 2 or area < LEAST_BLOCKS:
            continue
        if (min(across, down) < least_wide or area < least_wide**2 - 2) and not sought.small:
            beside = skip[max(0, y - 1) : y + down + 1, max(0, x - 1) : x + across + 1]
            if not beside.any():  # else a known code may hide a row of it
                continue
        left, top = max(0, x * block - margin), max(0, y * block - margin)
        right = min(width, (x + across) * block + margin)
        bottom = min(height, (y + down) * block + margin)
        boxes.append((left, top, right - left, bottom - top))
    return boxes


def likely_places(ground: Relief, sought: SearchCriteria, usual_level: float, most: int) -> list[Point]:
    """The centres of places as wide as a code that may hold one, busiest first; others lie a code's width away.

    Where it is brighter than stickers usually are, a veil of light lies over them, which adds light and no contrast.

    Args:
        usual_level: The grey level of stickers that were read.
        most: So many at most.
    """
    across = round(CODE_MODULES * sought.module_px / ground.block_px)
    if not ground.busyness.size or min(ground.busyness.shape) < across:
        return []
    least = np.maximum(np.minimum(ground.level, usual_level) * sought.share, MIN_TEXTURE_LEVELS)
    busy = (ground.busyness > least) & (ground.skip == 0)
    # Of two places that are busy all over, the busier one: print differs more than what is only rough.
    weight = busy * (1.0 + ground.busyness.astype(np.float32) / 256)
    sums = cv2.boxFilter(weight, -1, (across, across), normalize=False, borderType=cv2.BORDER_CONSTANT)
    places: list[Point] = []
    while len(places) < most:
        _, best, _, (column, row) = cv2.minMaxLoc(sums)
        if best < max(LEAST_BLOCKS, FILLED_SHARE * across**2):
            break
        shift = (across % 2) * ground.block_px // 2  # the middle of a window of an even width is a corner of blocks
        places.append((float(column * ground.block_px + shift), float(row * ground.block_px + shift)))
        rows, columns = (slice(max(0, at - across // 2), at + across // 2 + 1) for at in (row, column))
        sums[rows, columns] = 0.0
    return places


def _apart_px(module_px: float) -> int:
    """The distance at which neighbouring modules are compared; at larger distances letters count as much."""
    return max(1, round(0.8 * module_px))


def _differing(piece: Gray, apart: int) -> Gray:
    """The difference of each pixel from those ``apart`` pixels to the right and below."""
    if min(piece.shape) <= apart:
        return np.zeros((0, 0), np.uint8)
    across = cv2.absdiff(piece[:-apart, apart:], piece[:-apart, :-apart])
    down = cv2.absdiff(piece[apart:, :-apart], piece[:-apart, :-apart])
    return np.asarray(cv2.max(across, down), np.uint8)
