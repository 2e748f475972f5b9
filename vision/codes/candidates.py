"""Places in a picture where a sticker may be: fine texture as wide as a code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES
from vision.camera.frame import Gray, halved
from vision.geometry.quads import Corners, bounds

MIN_TEXTURE_LEVELS = 5.0
"""Less than this is noise."""

SCANNED_ROWS = 4
"""Where codes may lie is told from so many rows of pixels in every six modules; all of them say hardly more."""

MARGIN_MODULES = 15
"""A place is read with so much around it: what is busy there may be but a part of the code. With 9 modules small
things went unread in two films of whole matches, which hold this from below. In one run with 216 counters beside their
tile's own sticker 9 modules left 9 unread for three seconds, 12 left 4 and 15 left 2; so few are partly chance."""

LEAST_BLOCKS = 5
"""So many busy blocks that hang together may be a code."""

BAND_ROWS = 32
"""A picture is looked through in bands of so many rows of blocks, each as wide as need be."""

FAR_EDGE_SHARE = 0.9
"""Where the table is far from the camera codes are smaller by so much."""


def texture(gray: Gray, corners_px: Corners, module_px: float) -> float:
    """How much a place looks like a code: mean difference of neighbouring modules, in grey levels."""
    box = bounds(corners_px, 0.0, gray.shape)
    return float(_differing(gray[box], max(1, round(module_px))).mean()) if gray[box].size else 0.0


def usual_relief(gray: Gray, corners_px: Corners, module_px: float) -> float:
    """What ``relief`` shows of a code, in grey levels, when modules of this width are sought: where these are narrow it
    compares pixels that lie closer together than ``texture`` does, and they differ by less."""
    box = bounds(corners_px, 0.0, gray.shape)
    return float(_differing(gray[box], _apart_px(module_px)).mean()) if gray[box].size else 0.0


@dataclass(frozen=True, slots=True)
class SearchCriteria:
    """What a code that nobody knows yet may look like.

    Attributes:
        module_px: The expected width of a module.
        share: Relief, as a share of the brightness there, below which nothing is a code.
        small: What is smaller than a sharp code counts too: a blurred one shows little at its edges.
    """

    module_px: float
    share: float
    small: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Relief:
    """How busy a piece of the picture is, block by block of about six modules.

    Arrays are ``(rows, columns)`` uint8; those of a piece smaller than a block are empty.

    Attributes:
        size_px: Height and width of the piece.
        block_px: The width of a block.
        busyness: The mean difference of neighbouring modules, in grey levels.
        level: About how bright it is.
        skip: Not 0 where nobody need look; there the other two may be missing.
    """

    size_px: tuple[int, int]
    block_px: int
    busyness: NDArray[np.uint8]
    level: NDArray[np.uint8]
    skip: NDArray[np.uint8]


def relief(
    piece: Gray, module_px: float, read_already: Sequence[NDArray[np.int32]], closed: NDArray[np.bool_]
) -> Relief:
    """How busy a piece of the picture is, ``(height, width)`` uint8, where modules have this width.

    Args:
        read_already: The corners of codes that nobody need look for, in pixels of the piece; others may lie close to
            them.
        closed: Where nobody need look either, as a coarse mask of the same piece.
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
    """Where in a piece of the picture a code may lie, as ``(x, y, width, height)``.

    Args:
        ground: The piece's relief for modules of the width that is sought.
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
        return []  # as in most places
    count, _, stats, _ = cv2.connectedComponentsWithStats(busy, connectivity=8)
    margin = round(MARGIN_MODULES * module_px)
    boxes = []
    least_wide = max(2, int(FAR_EDGE_SHARE * CODE_MODULES * module_px / block))
    for x, y, across, down, area in stats[1:count].tolist():
        if min(across, down) < 2 or area < LEAST_BLOCKS:
            continue
        if (min(across, down) < least_wide or area < least_wide**2 - 2) and not sought.small:
            beside = skip[max(0, y - 1) : y + down + 1, max(0, x - 1) : x + across + 1]
            if not beside.any():  # else what is known there may hide a row of it
                continue
        left, top = max(0, x * block - margin), max(0, y * block - margin)
        right = min(width, (x + across) * block + margin)
        bottom = min(height, (y + down) * block + margin)
        boxes.append((left, top, right - left, bottom - top))
    return boxes


def _apart_px(module_px: float) -> int:
    """How far apart neighbouring modules are compared; farther apart letters count as much."""
    return max(1, round(0.8 * module_px))


def _differing(piece: Gray, apart: int) -> Gray:
    """How much each pixel differs from those so far to the right and below."""
    if min(piece.shape) <= apart:
        return np.zeros((0, 0), np.uint8)
    across = cv2.absdiff(piece[:-apart, apart:], piece[:-apart, :-apart])
    down = cv2.absdiff(piece[apart:, :-apart], piece[:-apart, :-apart])
    return np.asarray(cv2.max(across, down), np.uint8)
