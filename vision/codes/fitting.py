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

from companion.public.print_sizes import QUIET_ZONE_MODULES, STICKER_MODULES
from companion.public.table import Point
from vision.camera.frame import Gray
from vision.codes.qr_code import modules
from vision.geometry.quads import Corners, Points

SAMPLES = 2
"""Samples per module."""

ROUNDS = 6
LEAST_LIKENESS = 0.6
"""The least correlation with the printed pattern for a fit."""

_MIDDLE = (STICKER_MODULES * SAMPLES - 1) / 2
_NEAR, _FAR = QUIET_ZONE_MODULES * SAMPLES - 0.5, (STICKER_MODULES - QUIET_ZONE_MODULES) * SAMPLES - 0.5
_CODE = np.array([(_NEAR, _NEAR, 1), (_FAR, _NEAR, 1), (_FAR, _FAR, 1), (_NEAR, _FAR, 1)])
_FROM_CODE = np.linalg.pinv(_CODE)
_Y, _X = np.mgrid[: STICKER_MODULES * SAMPLES, : STICKER_MODULES * SAMPLES].astype(np.float64)
_PLACES = np.stack([_X, _Y, np.ones_like(_X)])


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A sticker as it is printed, or half of it.

    Attributes:
        samples: Its samples among those of a whole sticker, row by row.
        look: Its samples with mean 0 and length 1.
        step: The change of an affine mapping, ``(6, samples)``, for each sample that differs.
    """

    samples: slice | NDArray[np.intp]
    look: NDArray[np.float32]
    step: NDArray[np.float32]


def fitted(gray: Gray, corners_px: Corners, text: str) -> Points | None:
    """The refined corners of a code that was read near there, ``(4, 2)``; ``None`` if it does not fit."""
    to_px = np.asarray((_FROM_CODE @ np.asarray(corners_px, np.float64)).T)
    likeness, to_px = fit(gray, to_px, sticker_print(text))
    return np.asarray(_CODE @ to_px.T, np.float64) if likeness >= LEAST_LIKENESS else None


def placed(at_px: Point, module_px: float, turned_deg: float) -> Points:
    """The mapping from a sticker's samples to the picture, ``(2, 3)``.

    Args:
        at_px: The sticker's centre.
        turned_deg: How it is turned, clockwise.
    """
    turn, step = math.radians(turned_deg), module_px / SAMPLES
    along, aside = math.cos(turn) * step, math.sin(turn) * step
    x, y = at_px
    return np.array([(along, -aside, x - (along - aside) * _MIDDLE), (aside, along, y - (aside + along) * _MIDDLE)])


def centre(to_px: Points) -> Point:
    """Where a mapping from a sticker's samples puts its centre."""
    x, y = (to_px @ (_MIDDLE, _MIDDLE, 1.0)).tolist()
    return x, y


def levels_at(gray: Gray, to_px: Points) -> NDArray[np.float32]:
    """The grey levels of a sticker as if it was upright, one per module, row by row."""
    per_module = cv2.resize(_samples(gray, to_px), (STICKER_MODULES, STICKER_MODULES), interpolation=cv2.INTER_AREA)
    return np.asarray(per_module, np.float32).reshape(-1)


def fit(gray: Gray, to_px: Points, print_: Print) -> tuple[float, Points]:
    """The correlation with a print that is fitted to the picture, and the fitted mapping from its samples, ``(2, 3)``.

    The inverse compositional Lucas-Kanade method (Baker and Matthews 2004): an affine mapping, in any light.
    """
    likeness = 0.0
    for _ in range(ROUNDS):
        there = _samples(gray, to_px).reshape(-1)[print_.samples]
        levels = there.astype(np.float32)
        levels -= cv2.mean(there)[0]
        levels /= max(math.sqrt(float(levels @ levels)), 1e-6)
        likeness = float(levels @ print_.look)
        if likeness < LEAST_LIKENESS / 2:
            break
        levels *= np.float32(1 / likeness)
        levels -= print_.look
        to_px = _without(to_px, (print_.step @ levels).tolist())
    return likeness, to_px


def _samples(gray: Gray, to_px: Points) -> Gray:
    side = STICKER_MODULES * SAMPLES
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(gray, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


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
def sticker_print(text: str, half_deg: int | None = None) -> Print:
    """A sticker's print: all of it, or the half in this direction from its centre, clockwise from the right."""
    return print_of(modules(text).astype(np.float32), half_deg)


def print_of(dark: NDArray[np.float32], half_deg: int | None) -> Print:
    """The same for these modules: 1 for dark, 0 for light, or in between where stickers differ."""
    fine = cv2.resize(
        1 - np.pad(dark, QUIET_ZONE_MODULES), None, fx=SAMPLES, fy=SAMPLES, interpolation=cv2.INTER_NEAREST
    )
    look = np.asarray(cv2.GaussianBlur(fine, (0, 0), 0.4 * SAMPLES), np.float32)
    down, across = np.zeros_like(look), np.zeros_like(look)  # the quiet zone at the edge has no gradient
    down[1:-1] = (look[2:] - look[:-2]) / 2
    across[:, 1:-1] = (look[:, 2:] - look[:, :-2]) / 2
    samples: slice | NDArray[np.intp] = slice(None)
    if half_deg is not None:
        half = math.radians(half_deg)
        beyond = (_X - _MIDDLE) * math.cos(half) + (_Y - _MIDDLE) * math.sin(half)
        samples = np.flatnonzero(beyond > -SAMPLES / 2)
    look = look.ravel()[samples]
    look = look - look.mean()
    length = float(np.linalg.norm(look))
    slopes = np.concatenate([across * _PLACES, down * _PLACES]).reshape(6, -1)[:, samples] / length
    step = np.linalg.inv(slopes @ slopes.T) @ slopes  # solving for each sample takes ten times as long
    return Print(samples, look / np.float32(length), np.asarray(step, np.float32))
