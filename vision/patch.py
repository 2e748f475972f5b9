"""Small pieces of the picture: does a known sticker still lie here, and where could an unknown one lie?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import sticker
from vision.frame import Gray
from vision.reader import Corners

PATCH_PX = 32
RELIEF_LEAST = 5.0
"""Less than this is noise."""

SAME = 0.72
"""Correlation above which a place still shows the same sticker (another sticker gives 0.5 at most)."""

STEADY = 0.85
"""Correlation above which a sticker has moved by less than half a module."""

LINES = 4
"""Where codes may lie is told from so many rows of pixels in every six modules; all of them say hardly more."""

FAR_SHARE = 0.9
"""Where the table is far from the camera codes are smaller by so much."""

Patch = NDArray[np.float32]
"""``(32, 32)``, without mean, of length one; zero where all stickers look alike."""


def _own() -> Patch:
    """Where stickers differ: neither in the white edge nor in the three finder patterns."""
    wide = sticker.MODULES + 2 * sticker.QUIET
    mask = np.zeros((wide, wide), np.float32)
    mask[sticker.QUIET : -sticker.QUIET, sticker.QUIET : -sticker.QUIET] = 1
    finder = sticker.QUIET + 8
    mask[:finder, :finder] = mask[:finder, -finder:] = mask[-finder:, :finder] = 0
    return np.asarray(cv2.resize(mask, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA), np.float32)


_OWN = _own()
_OWN_AREA = float(_OWN.sum())


def cut(gray: Gray, corners_px: Corners) -> Patch:
    """The sticker at a place, with its white edge, turned upright."""
    turn = _turn(corners_px)
    piece = cv2.warpAffine(
        gray, turn, (PATCH_PX, PATCH_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32)
    piece -= float(np.vdot(piece, _OWN)) / _OWN_AREA
    piece *= _OWN
    length = math.sqrt(float(np.vdot(piece, piece)))
    return piece / length if length > PATCH_PX else np.zeros_like(piece)


@lru_cache(maxsize=1024)
def _turn(corners_px: Corners) -> NDArray[np.float64]:
    """From the patch to the picture."""
    edge = PATCH_PX * sticker.QUIET / (sticker.MODULES + 2 * sticker.QUIET)
    flat = np.array([(edge, edge), (PATCH_PX - edge, edge), (edge, PATCH_PX - edge)], np.float32)
    place = np.array([corners_px[0], corners_px[1], corners_px[3]], np.float32)
    return np.asarray(cv2.getAffineTransform(flat, place), np.float64)


def likeness(one: Patch, other: Patch) -> float:
    """Correlation, from -1 to 1."""
    return float(np.vdot(one, other))


def relief(gray: Gray, corners_px: Corners, module_px: float) -> float:
    """How much a place looks like a code: mean difference of neighbouring modules, in grey levels."""
    box = bounds(corners_px, 0.0, gray.shape)
    return float(_relief(gray[box], module_px).mean()) if gray[box].size else 0.0


def bounds(corners_px: Corners, margin: float, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Rows and columns of a place, with a margin in sides of the code."""
    xs, ys = zip(*corners_px, strict=True)
    side = math.dist(corners_px[0], corners_px[2]) / math.sqrt(2) * margin
    return (
        slice(max(0, math.floor(min(ys) - side)), min(shape[0], math.ceil(max(ys) + side) + 1)),
        slice(max(0, math.floor(min(xs) - side)), min(shape[1], math.ceil(max(xs) + side) + 1)),
    )


@dataclass(frozen=True, slots=True)
class Sought:
    """What a code that nobody knows yet may look like.

    Attributes:
        module_px: The expected width of a module.
        share: Relief, as a share of the brightness there, below which nothing is a code.
        small: What is smaller than a sharp code counts too: a blurred one shows little at its edges.
    """

    module_px: float
    share: float
    small: bool = False


def windows(
    piece: Gray, sought: Sought, known: Sequence[NDArray[np.int32]], closed: NDArray[np.bool_]
) -> list[tuple[int, int, int, int]]:
    """Where in a piece of the picture a code may lie, as ``(x, y, width, height)``.

    Args:
        known: The corners of codes that nobody need look for, in pixels of the piece; others may lie close to them.
        closed: Where nobody need look either, as a coarse mask of the same piece.
    """
    module_px = sought.module_px
    line, apart = max(1, round(1.5 * module_px)), max(1, round(0.8 * module_px))  # farther apart letters count as much
    block = LINES * line  # about six modules
    rows, columns = ((side - apart) // block for side in piece.shape)
    if min(rows, columns) < 1:
        return [(0, 0, piece.shape[1], piece.shape[0])] if min(piece.shape) > apart else []
    tall, wide = rows * block, columns * block
    here, below = piece[:tall:line, : wide + apart], piece[apart : tall + apart : line, :wide]
    rough = cv2.max(cv2.absdiff(here[:, apart:], here[:, :-apart]), cv2.absdiff(below, here[:, :-apart]))
    busyness = cv2.resize(rough, (columns, rows), interpolation=cv2.INTER_AREA)
    level = cv2.resize(piece[line:tall:block, :wide], (columns, rows), interpolation=cv2.INTER_AREA)
    least = np.maximum(level * np.float32(sought.share), RELIEF_LEAST)
    skip = cv2.resize(closed.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_NEAREST)
    for quad in known:
        cv2.fillConvexPoly(skip, quad // block, 1)
    busy = ((busyness > least) & (skip == 0)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(busy, connectivity=8)
    margin = round(12 * module_px)
    found = []
    least_wide = max(2, int(FAR_SHARE * sticker.MODULES * module_px / block))
    for x, y, across, down, area in stats[1:count].tolist():
        if min(across, down) < 2 or area < 5:
            continue
        if (min(across, down) < least_wide or area < least_wide**2 - 2) and not sought.small:
            beside = skip[max(0, y - 1) : y + down + 1, max(0, x - 1) : x + across + 1]
            if not beside.any():  # else what is known there may hide a row of it
                continue
        left, top = max(0, x * block - margin), max(0, y * block - margin)
        right = min(piece.shape[1], (x + across) * block + margin)
        bottom = min(piece.shape[0], (y + down) * block + margin)
        found.append((left, top, right - left, bottom - top))
    return found


def _relief(piece: Gray, module_px: float) -> Gray:
    """How much each pixel differs from those a module to the right and below."""
    apart = max(1, round(module_px))
    if min(piece.shape) <= apart:
        return np.zeros((0, 0), np.uint8)
    across = cv2.absdiff(piece[:-apart, apart:], piece[:-apart, :-apart])
    down = cv2.absdiff(piece[apart:, :-apart], piece[:-apart, :-apart])
    return np.asarray(cv2.max(across, down), np.uint8)
