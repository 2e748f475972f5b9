"""Where exactly a sticker is whose text is known: what is printed on it is laid over the picture until it fits.

A reader gives corners to about a pixel. Here all 441 modules count, so that a sticker's size is known to half
a hundredth: enough to tell a card that lies from one held two fingers above the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES, QUIET_ZONE_MODULES
from vision.camera.frame import Gray
from vision.codes.qr_code import modules
from vision.geometry.quads import Corners, Points

SAMPLES = 2
"""Samples across a module."""

ROUNDS = 6
LEAST_LIKENESS = 0.6
"""Correlation of a sticker with what is printed on it, when it fits; less is no fit."""

_WIDE = CODE_MODULES + 2 * QUIET_ZONE_MODULES
_NEAR, _FAR = QUIET_ZONE_MODULES * SAMPLES - 0.5, (_WIDE - QUIET_ZONE_MODULES) * SAMPLES - 0.5
_CODE = np.array([(_NEAR, _NEAR), (_FAR, _NEAR), (_FAR, _FAR), (_NEAR, _FAR)])


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """A sticker as it is printed.

    Attributes:
        look: Its samples without mean, of length one.
        step: What to change of an affine mapping, ``(6, samples)``, for each sample that differs.
    """

    look: NDArray[np.float32]
    step: NDArray[np.float32]


def fitted(gray: Gray, corners_px: Corners, text: str) -> Points | None:
    """The corners of a code that was read about there, ``(4, 2)``; ``None`` where it does not fit.

    Lucas and Kanade's method, the inverse compositional one (Baker and Matthews 2004): an affine mapping, in any light.
    """
    print_ = _print(text)
    side = _WIDE * SAMPLES
    points = np.column_stack([_CODE, np.ones(4)])
    to_px = np.vstack([np.linalg.lstsq(points, np.asarray(corners_px), rcond=None)[0].T, (0.0, 0.0, 1.0)])
    likeness = 0.0
    for _ in range(ROUNDS):
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpAffine(gray, to_px[:2], (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        levels = seen.astype(np.float32).ravel()
        levels -= levels.mean()
        levels /= max(float(np.linalg.norm(levels)), 1e-6)
        likeness = float(levels @ print_.look)
        if likeness < LEAST_LIKENESS / 2:
            return None
        change = print_.step @ (levels / likeness - print_.look)
        nudge = np.eye(3)
        nudge[:2] += change.reshape(2, 3)
        to_px = to_px @ np.linalg.inv(nudge)
    return np.asarray(points @ to_px[:2].T, np.float64) if likeness >= LEAST_LIKENESS else None


@lru_cache(maxsize=128)
def _print(text: str) -> _Print:
    light = np.where(np.pad(modules(text), QUIET_ZONE_MODULES), 0.0, 1.0).astype(np.float32)
    fine = cv2.GaussianBlur(np.kron(light, np.ones((SAMPLES, SAMPLES), np.float32)), (0, 0), 0.4 * SAMPLES)
    look = fine - fine.mean()
    look /= np.linalg.norm(look)
    down, across = np.gradient(look)
    y, x = np.mgrid[: look.shape[0], : look.shape[1]]
    slopes = np.stack([across * x, across * y, across, down * x, down * y, down]).reshape(6, -1)
    step = np.linalg.solve(slopes @ slopes.T, slopes)
    return _Print(look.ravel(), np.asarray(step, np.float32))
