"""The light over a synthetic table, and the camera's sensor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera_model import CameraModel
from vision.synthetic.textures import PAPER, Picture

_READ_DN = 1.2
"""Sensor noise in the dark."""

_STRIP_ROWS = 24
"""So many rows at a time stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Glare:
    """The reflection of a lamp in a glossy card, in table mm; ``strength`` 1 adds full white at its centre."""

    x_mm: float
    y_mm: float
    radius_mm: float
    strength: float = 0.8


@dataclass(frozen=True, slots=True)
class RoomLight:
    """The lamps of a room.

    Attributes:
        level: 1 = the light for which the camera was set.
        from_mm: The point of the table under the main lamp, from its centre.
        falloff: How fast the light decreases away from there.
        patches: Unevenness of the rest.
        vignetting: How much darker the lens shows the corners.
        glare: Reflections of lamps.
        flicker: Depth of the bands from lamps on the mains.
        drift: Variation of the camera's gain.
    """

    level: float = 1.0
    from_mm: tuple[float, float] = (-250.0, -150.0)
    falloff: float = 0.25
    patches: float = 0.12
    vignetting: float = 0.3
    glare: tuple[Glare, ...] = ()
    flicker: float = 0.008
    drift: float = 0.02


def lit(light: RoomLight, camera: CameraModel, from_middle_mm: Picture, seed: int) -> Picture:
    """The brightness of a perfect white at every pixel.

    Args:
        from_middle_mm: The table point of every pixel, from the table's centre: ``(height, width, 2)``.

    Returns:
        ``(height, width)`` float32 in grey levels of the picture, 0 to 255 and above.
    """
    height, width = from_middle_mm.shape[:2]
    from_lamp = from_middle_mm - np.array(light.from_mm, np.float32)
    fall = (1 + light.falloff * _squared(from_lamp) / 1e6) ** -1.5
    coarse = np.random.default_rng((seed, 5)).normal(0, light.patches, (4, 6)).astype(np.float32)
    uneven = 1 + np.clip(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), -0.5, 0.5)
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
    lens = 1 - light.vignetting * (x**2 + y**2) / 2
    return np.asarray(255 * camera.exposure * light.level * fall * uneven * lens, np.float32)


def mirrored(light: RoomLight, table_mm: Picture) -> Picture:
    """The brightness that glare adds at every pixel: ``(height, width)``; ``table_mm``: the table points, ``(…,
    2)``."""
    added = np.zeros(table_mm.shape[:2], np.float32)
    for spot in light.glare:
        away = _squared(table_mm - np.array([spot.x_mm, spot.y_mm], np.float32))
        added += np.float32(255 * spot.strength) * np.exp(-away / np.float32(2 * spot.radius_mm**2))
    return added


def _squared(ways: Picture) -> Picture:
    """The squared lengths of ``(..., 2)``; a sum over so short an axis would take ten times as long."""
    x, y = ways[..., 0], ways[..., 1]
    return np.asarray(x * x + y * y, np.float32)


class Chip:
    """The sensor: converts brightness into pictures with gain, flicker, shot and read noise."""

    def __init__(self, camera: CameraModel, seed: int) -> None:
        width, height = camera.size_px
        self._seed = seed
        self._grain = np.random.default_rng((seed, 2)).standard_normal((height + 64, width + 64), np.float32)
        self._shot = (camera.paper_noise_dn**2 - _READ_DN**2) / (255 * camera.exposure * PAPER)

    def expose(
        self, bright: Picture, light: RoomLight, number: int, box: tuple[int, int, int, int] | None = None
    ) -> NDArray[np.uint8]:
        """A picture, ``(height, width)`` uint8, of this brightness; ``number`` seeds its noise and flicker.

        Args:
            box: Only this part of the same picture: left, top, right, bottom.
        """
        dice = np.random.default_rng((self._seed, 6, number))
        height, width = bright.shape
        rows = np.arange(height) * (2 * math.pi * 1.7 / height)
        bands = 1 + light.flicker * np.sin(rows + dice.uniform(0, 2 * math.pi))
        wander = 1 + light.drift * math.sin(number / 23 + self._seed)
        gains = (bands * wander).astype(np.float32)[:, None]
        left, top = (int(n) for n in dice.integers(0, 64, 2))
        grain = self._grain[top : top + height, left : left + width][:, :: -1 if dice.random() < 0.5 else 1]
        left, top, right, bottom = box or (0, 0, width, height)
        bright, grain, gains = bright[top:bottom, left:right], grain[top:bottom, left:right], gains[top:bottom]
        exposed = np.empty(bright.shape, np.uint8)
        for first in range(0, bottom - top, _STRIP_ROWS):
            rows = slice(first, first + _STRIP_ROWS)
            picture = bright[rows] * gains[rows]
            rough = np.maximum(picture, 0)
            rough *= np.float32(self._shot)
            rough += np.float32(_READ_DN**2)
            np.sqrt(rough, out=rough)
            rough *= grain[rows]
            picture += rough
            np.rint(picture, out=picture)
            exposed[rows] = np.clip(picture, 0, 255, out=picture)
        return exposed
