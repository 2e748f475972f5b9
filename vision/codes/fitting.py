"""Refines the position of a sticker with a known text: the printed pattern is fitted to the picture.

A reader gives corners to about a pixel. Here all 441 modules count, so that a sticker's size is known to half a
percent: enough to distinguish a card on the table from one held two fingers above it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES, QUIET_ZONE_MODULES, STICKER_MODULES
from vision.camera.frame import Gray
from vision.codes.qr_code import modules
from vision.geometry.quads import Corners, Points

SAMPLES = 2
"""Samples per module."""

Part = tuple[int, int, int, int]
"""The modules of a sticker that are compared: the first row and the one after the last, and the same for columns."""

WHOLE: Part = (0, STICKER_MODULES, 0, STICKER_MODULES)

ROUNDS = 6
LEAST_LIKENESS = 0.6
"""The least correlation with the printed pattern for a fit."""

_WIDE = CODE_MODULES + 2 * QUIET_ZONE_MODULES
_NEAR, _FAR = QUIET_ZONE_MODULES * SAMPLES - 0.5, (_WIDE - QUIET_ZONE_MODULES) * SAMPLES - 0.5
_CODE = np.array([(_NEAR, _NEAR, 1), (_FAR, _NEAR, 1), (_FAR, _FAR, 1), (_NEAR, _FAR, 1)])
_FROM_CODE = np.linalg.pinv(_CODE)
_Y, _X = np.mgrid[: _WIDE * SAMPLES, : _WIDE * SAMPLES].astype(np.float64)
_PLACES = np.stack([_X, _Y, np.ones_like(_X)])


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """A sticker as it is printed, or a part of it.

    Attributes:
        rows, columns: Its samples.
        look: Its samples with mean 0 and length 1.
        step: The change of an affine mapping, ``(6, samples)``, for each sample that differs.
    """

    rows: slice
    columns: slice
    look: NDArray[np.float32]
    step: NDArray[np.float32]


def fitted(gray: Gray, corners_px: Corners, text: str) -> Points | None:
    """The refined corners of a code that was read near there, ``(4, 2)``; ``None`` if it does not fit.

    The inverse compositional Lucas-Kanade method (Baker and Matthews 2004): an affine mapping, in any light.
    """
    to_px = np.asarray((_FROM_CODE @ np.asarray(corners_px, np.float64)).T)
    likeness, to_px = _fit(gray, to_px, _print(text))
    return np.asarray(_CODE @ to_px.T, np.float64) if likeness >= LEAST_LIKENESS else None


def part_likeness(
    gray: Gray, at_px: tuple[float, float], module_px: float, turned_deg: float, text: str, part: Part
) -> float:
    """The correlation of a place with a part of a sticker that is fitted to it; the rest may be covered.

    Args:
        at_px: The sticker's approximate centre.
        turned_deg: How it is turned, approximately; clockwise.
    """
    turn, step = math.radians(turned_deg), module_px / SAMPLES
    along, aside = math.cos(turn) * step, math.sin(turn) * step
    middle = (_WIDE * SAMPLES - 1) / 2
    x, y = at_px
    to_px = np.array([(along, -aside, x - (along - aside) * middle), (aside, along, y - (aside + along) * middle)])
    return _fit(gray, to_px, _print(text, part))[0]


def _fit(gray: Gray, to_px: Points, print_: _Print) -> tuple[float, Points]:
    """The correlation with a print after fitting, and the mapping from its samples to the picture, ``(2, 3)``."""
    side = _WIDE * SAMPLES
    likeness = 0.0
    for _ in range(ROUNDS):
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        whole = cv2.warpAffine(gray, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        seen = whole[print_.rows, print_.columns]
        levels = seen.reshape(-1).astype(np.float32)
        levels -= cv2.mean(seen)[0]
        levels /= max(math.sqrt(float(levels @ levels)), 1e-6)
        likeness = float(levels @ print_.look)
        if likeness < LEAST_LIKENESS / 2:
            break
        levels *= np.float32(1 / likeness)
        levels -= print_.look
        to_px = _without(to_px, (print_.step @ levels).tolist())
    return likeness, to_px


def _without(to_px: Points, change: Sequence[float]) -> Points:
    """An affine mapping, ``(2, 3)``, composed with the inverse of a change, row by row.

    The inverse is written out, because the library's takes longer than everything else here.
    """
    xx, xy, x, yx, yy, y = change
    xx, yy = 1 + xx, 1 + yy
    whole = xx * yy - xy * yx
    back = np.array([(yy, -xy, xy * y - yy * x), (-yx, xx, yx * x - xx * y), (0.0, 0.0, whole)])
    return np.asarray(to_px @ back / whole, np.float64)


@lru_cache(maxsize=128)
def _print(text: str, part: Part = WHOLE) -> _Print:
    light = np.full((_WIDE, _WIDE), 0.0, np.float32)
    light[QUIET_ZONE_MODULES:-QUIET_ZONE_MODULES, QUIET_ZONE_MODULES:-QUIET_ZONE_MODULES] = modules(text)
    fine = cv2.resize(1 - light, None, fx=SAMPLES, fy=SAMPLES, interpolation=cv2.INTER_NEAREST)
    look = np.asarray(cv2.GaussianBlur(fine, (0, 0), 0.4 * SAMPLES), np.float32)
    down, across = np.zeros_like(look), np.zeros_like(look)  # the quiet zone at the edge has no gradient
    down[1:-1] = (look[2:] - look[:-2]) / 2
    across[:, 1:-1] = (look[:, 2:] - look[:, :-2]) / 2
    top, bottom, left, right = (SAMPLES * edge for edge in part)
    rows, columns = slice(top, bottom), slice(left, right)
    look = look[rows, columns].ravel()
    look = look - look.mean()
    length = float(np.linalg.norm(look))
    slopes = np.concatenate([across * _PLACES, down * _PLACES])[:, rows, columns].reshape(6, -1) / length
    step = np.linalg.inv(slopes @ slopes.T) @ slopes  # solving for each sample takes ten times as long
    return _Print(rows, columns, look / np.float32(length), np.asarray(step, np.float32))
