"""Small patches of the picture: is a known sticker still at its place?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES, QUIET_ZONE_MODULES
from vision.camera.frame import Gray
from vision.geometry.quads import Corners

PATCH_PX = 32

SAME_STICKER_CORRELATION = 0.72
"""Correlation above which a place still shows the same sticker (another one gives 0.5 at most)."""

UNMOVED_CORRELATION = 0.85
"""Correlation above which a sticker has moved by less than half a module."""

Patch = NDArray[np.float32]
"""``(32, 32)``, mean 0, length 1; zero where all stickers look alike."""


def _own() -> Patch:
    """The area where stickers differ: neither the white margin nor the three finder patterns."""
    wide = CODE_MODULES + 2 * QUIET_ZONE_MODULES
    mask = np.zeros((wide, wide), np.float32)
    mask[
        QUIET_ZONE_MODULES:-QUIET_ZONE_MODULES,
        QUIET_ZONE_MODULES:-QUIET_ZONE_MODULES,
    ] = 1
    finder = QUIET_ZONE_MODULES + 8
    mask[:finder, :finder] = mask[:finder, -finder:] = mask[-finder:, :finder] = 0
    return np.asarray(cv2.resize(mask, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA), np.float32)


_OWN = _own()
_OWN_AREA = float(_OWN.sum())


def extract_patch(gray: Gray, corners_px: Corners) -> Patch:
    """The sticker at a place, with its white margin, upright."""
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
    """The affine mapping from the patch to the picture."""
    edge = PATCH_PX * QUIET_ZONE_MODULES / (CODE_MODULES + 2 * QUIET_ZONE_MODULES)
    flat = np.array([(edge, edge), (PATCH_PX - edge, edge), (edge, PATCH_PX - edge)], np.float32)
    place = np.array([corners_px[0], corners_px[1], corners_px[3]], np.float32)
    return np.asarray(cv2.getAffineTransform(flat, place), np.float64)


def likenesses(gray: Gray, stickers: Iterable[tuple[Corners, Patch]]) -> list[float]:
    """The correlation of each place with its known sticker, from -1 to 1."""
    return [float(np.vdot(patch, extract_patch(gray, corners_px))) for corners_px, patch in stickers]
