"""Small pictures counted in tiles, about as wide as a sticker."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Gray, halved
from vision.geometry.tile_grid import Tiles

FINE_TILE_PX = 4
"""Differences are counted in quarters of a grey level."""


def half_range(values: NDArray[np.float32]) -> float:
    """Half of what lies between the least and the greatest."""
    return float(np.ptp(values)) / 2


def median(values: NDArray[np.floating]) -> float:
    """The upper median of a row of values; 1 of nothing. (NumPy's own loads its masked arrays: 15 ms.)"""
    middle = values.size // 2
    return float(np.partition(values, middle)[middle]) if values.size else 1.0


def means(half: Gray) -> Tiles:
    """The mean of each tile of a halved picture, at least 1."""
    return np.asarray(np.maximum(_tiled(halved(half).astype(np.float32)), 1), np.float32)


def differences(half: Gray, other: Gray) -> Tiles:
    """The mean difference of each tile, in grey levels."""
    apart = cv2.convertScaleAbs(cv2.absdiff(half, other), alpha=FINE_TILE_PX)
    return np.asarray(_shrunk(np.asarray(apart, np.uint8)) / np.float32(FINE_TILE_PX), np.float32)


def _shrunk(half: Gray) -> Gray:
    return np.asarray(_tiled(halved(half)), np.uint8)


def _tiled(quarter: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.uint8] | NDArray[np.float32]:
    # One pixel a tile; halving first is far faster than one step of six.
    size = quarter.shape[1] * 4 // TILE_PX, quarter.shape[0] * 4 // TILE_PX
    return cv2.resize(quarter, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]
