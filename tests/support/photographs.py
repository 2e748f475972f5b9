"""The photographs that films of the hard kind are drawn from; ``tests/photographs/SOURCES.md`` says whose they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.synthetic.photographs import Cutout, PhotographedHands, Surface

FOLDER = Path(__file__).parents[1] / "photographs"

WIDE_MM = {
    "wood": 260.0,
    "parquet": 425.0,
    "cloth": 170.0,
    "denim": 110.0,
    "gravel": 290.0,
    "grass": 300.0,
    "brick": 860.0,
}
"""By surface: how much of it the photograph shows from its left edge to the right one."""

CUTOUTS = {
    # Pixels for a millimetre, and the thing's own point in pixels of the picture.
    "hand_open": (1.22, (268.0, 62.0)),
    "hand_closed": (1.55, (243.0, 90.0)),
    "hand_closed_2": (1.6, (230.0, 110.0)),
    "cup": (2.9, (201.0, 225.0)),
}


@cache
def surface(name: str) -> Surface:
    face = _read(name)
    return Surface(np.asarray(face / np.float32(255), np.float32), face.shape[1] / WIDE_MM[name])


@cache
def cutout(name: str) -> Cutout:
    per_mm, (x, y) = CUTOUTS[name]
    picture = np.asarray(_read(name) / np.float32(255), np.float32)
    return Cutout(picture[..., 0].copy(), picture[..., 3].copy(), per_mm, (x / per_mm, y / per_mm))


@cache
def hands() -> PhotographedHands:
    closed = cutout("hand_closed"), cutout("hand_closed_2")
    return PhotographedHands((cutout("hand_open"),), closed, surface("denim"))


def _read(name: str) -> np.ndarray:
    picture = cv2.imread(str(FOLDER / f"{name}.png"), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"The photograph {FOLDER / name}.png is missing.")
    return picture


@cache
def lap() -> Cutout:
    """Somebody's lap in denim, 360 mm wide and 75 mm deep, of which the point put is the middle of its far edge."""
    per_mm, wide_mm, deep_mm = 3.0, 360, 75
    wide, deep = round(wide_mm * per_mm), round(deep_mm * per_mm)
    cover = np.zeros((deep, wide), np.uint8)
    cv2.ellipse(cover, (wide // 2, deep), (wide // 2 - 6, deep - 6), 0, 180, 360, 255, -1)
    soft = np.asarray(cv2.GaussianBlur(cover, (0, 0), per_mm) / np.float32(255), np.float32)
    return Cutout(surface("denim").laid(wide, deep, per_mm, 1) * np.float32(0.8), soft, per_mm, (wide_mm / 2, 0.0))
