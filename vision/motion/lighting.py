"""The light relative to the usual look of the table: drifting lamps and camera gain, and flicker of lamps on the
mains."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray
from vision.geometry.tile_grid import Mask, Tiles
from vision.motion.tiles import half_range, median

GAIN_REACH, UNCHANGED_GAIN = 3.0, 0.004
"""A light this many times as strong or weak as usual is another light, not a drift; and the smallest gain that
counts."""

BANDED_SHARE = 0.012
"""If the brightness of the tiles spreads by more than this around its usual look, there may be bands."""

MIN_ROW_TILES = 8
"""Rows with fewer tiles of the table are not used for flicker."""


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """The light of one picture relative to the usual look of the table.

    Attributes:
        gain: Brightness relative to the usual look.
        rows: The same for each row of tiles, ``(rows,)`` float, if there are bands; else ``None``.
    """

    gain: float = 1.0
    rows: NDArray[np.float32] | None = None

    @property
    def is_usual(self) -> bool:
        """Whether the gain is too small to matter."""
        return abs(self.gain - 1) < UNCHANGED_GAIN

    def remove_from(self, picture: Gray) -> Gray:
        """The measured picture at usual light.

        Args:
            picture: The whole view in any size, ``(height, width)`` uint8.
        """
        if self.rows is not None:
            bands = cv2.resize(self.rows[:, None], (1, picture.shape[0]), interpolation=cv2.INTER_CUBIC)
            return np.asarray(np.clip(np.rint(picture / bands), 0, 255), np.uint8)
        if self.is_usual:
            return picture
        return np.asarray(cv2.convertScaleAbs(picture, alpha=1 / self.gain), np.uint8)

    def flicker(self, ratios: Tiles, inside: Mask) -> float:
        """Half the range of the rows' brightness, relative to usual.

        Args:
            ratios: The brightness of each tile relative to usual, ``(rows, columns)`` float32.
            inside: The tiles of the table.
        """
        if self.rows is not None:
            return half_range(self.rows / np.float32(self.gain))
        return half_range(row_levels(ratios, inside, self.gain))


class LightingNormaliser:
    """Measures the light of successive small pictures and converts them to usual light.

    A rolling shutter exposes row after row, so a lamp on the mains dims whole rows (Wikipedia, "Rolling shutter"); its
    bands move from picture to picture and would look like motion everywhere.

    Args:
        inside: The tiles of the table, ``(rows, columns)`` bool.
    """

    def __init__(self, inside: Mask) -> None:
        self._inside = inside
        self._probes = np.flatnonzero(inside)[::3]  # enough for a median
        self._banded = False

    def measure(self, tiles: Tiles, usual: Tiles) -> tuple[Tiles, Lighting]:
        """Compare the tiles of a new picture with their usual brightness.

        Args:
            tiles, usual: Mean grey level of each tile, ``(rows, columns)`` float32, at least 1.

        Returns:
            The tiles at usual light, and the light that was removed.
        """
        probes = tiles.ravel()[self._probes] / usual.ravel()[self._probes]
        gain = min(max(median(probes), 1 / GAIN_REACH), GAIN_REACH)
        uneven = median(np.abs(probes - gain)) / gain
        if uneven >= BANDED_SHARE or self._banded:
            ratios = tiles / usual
            rows = row_levels(ratios, self._inside, gain)
            along_rows = median(np.abs((ratios / rows[:, None]).ravel()[self._probes] - 1)) < uneven / 2
            if self._banded or along_rows:
                self._banded = True  # the lamp goes on flickering, even if one picture shows little of it
                return np.asarray(tiles / rows[:, None], np.float32), Lighting(gain, rows)
        lighting = Lighting(gain)
        return tiles if lighting.is_usual else tiles * np.float32(1 / gain), lighting


def row_levels(ratios: Tiles, inside: Mask, otherwise: float) -> NDArray[np.float32]:
    """The brightness of each row of tiles relative to usual, ``(rows,)``; extrapolated beyond the table.

    Args:
        ratios: The brightness of each tile relative to usual, ``(rows, columns)`` float32.
        inside: The tiles of the table.
        otherwise: The value for every row if too little of the table is in view.
    """
    usable = np.flatnonzero(inside.sum(axis=1) > MIN_ROW_TILES)
    if usable.size < 2:
        return np.full(len(ratios), otherwise, np.float32)
    first, last = int(usable[0]), int(usable[-1])
    levels = [median(ratios[row][inside[row]]) for row in usable]
    rows = np.interp(np.arange(len(ratios)), usable, levels)
    rows[:first] = rows[first] + (rows[first + 1] - rows[first]) * np.arange(-first, 0)
    rows[last + 1 :] = rows[last] + (rows[last] - rows[last - 1]) * np.arange(1, len(rows) - last)
    return np.asarray(np.clip(rows, 1 / GAIN_REACH, GAIN_REACH), np.float32)


FIT_ROUNDS = 4


def fit_surface(tiles: Tiles, usable: Mask, apart: float, share: float) -> tuple[Tiles, Mask]:
    """A quadratic surface fitted to the usable tiles, and the tiles that were used.

    Args:
        tiles: Any value of each tile, ``(rows, columns)`` float32.
        apart, share: Tiles farther from the surface than ``apart`` plus ``share`` of it are left out.
    """
    rows, columns = tiles.shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    fitted = usable.copy()
    smooth = np.full_like(tiles, median(tiles[usable]))
    for _ in range(FIT_ROUNDS):
        fitted = usable & (np.abs(tiles - smooth) < apart + share * smooth)
        if fitted.sum() < 4 * terms.shape[-1]:
            break
        smooth = np.asarray(terms @ np.linalg.lstsq(terms[fitted], tiles[fitted], rcond=None)[0], np.float32)
    return smooth, np.asarray(fitted, np.bool_)
