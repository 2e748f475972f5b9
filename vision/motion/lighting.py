"""How bright the table is against its usual look: lamps and the camera's gain drift, and lamps on the mains flicker."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray
from vision.geometry.tile_grid import Mask, Tiles
from vision.motion.tiles import half_range, median

GAIN_REACH, UNCHANGED_GAIN = 3.0, 0.004
"""Light so many times as strong as usual, or as weak, is another light, not a drift; and what is no drift yet."""

BANDED_SHARE = 0.012
"""Where the brightness of the tiles spreads by more than this around its usual look, bands may lie over the picture."""

MIN_ROW_TILES = 8
"""Rows with fewer tiles of the table tell nothing about flicker."""


class LightingNormaliser:
    """Measures one small picture after the other and brings it to usual light.

    A rolling shutter exposes row after row, so a lamp on the mains dims whole rows (Wikipedia, "Rolling shutter");
    its bands move from picture to picture and would look like motion everywhere.

    Args:
        inside: The tiles that belong to the table.
    """

    def __init__(self, inside: Mask) -> None:
        self._inside = inside
        self._probes = np.flatnonzero(inside)[::3]  # enough for a median
        self._banded = False
        self._rows: NDArray[np.float32] | None = None
        self.gain = 1.0
        """How bright the table is now against its usual look."""

    def measure(self, tiles: Tiles, usual: Tiles) -> Tiles:
        """Compare the tiles of a new picture with their usual brightness; gives them at usual light."""
        self._rows = None
        probes = tiles.ravel()[self._probes] / usual.ravel()[self._probes]
        self.gain = gain = min(max(median(probes), 1 / GAIN_REACH), GAIN_REACH)
        uneven = median(np.abs(probes - gain)) / gain
        if uneven >= BANDED_SHARE or self._banded:
            ratios = tiles / usual
            rows = self.rows(ratios)
            along_rows = median(np.abs((ratios / rows[:, None]).ravel()[self._probes] - 1)) < uneven / 2
            if self._banded or along_rows:
                self._banded = True  # such a lamp goes on to flicker, though one picture may show little of it
                self._rows = rows
                return np.asarray(tiles / rows[:, None], np.float32)
        return tiles if self._steady else tiles * np.float32(1 / gain)

    def even(self, picture: Gray) -> Gray:
        """The measured picture, of any size, as it would be at usual light."""
        if self._rows is not None:
            bands = cv2.resize(self._rows[:, None], (1, picture.shape[0]), interpolation=cv2.INTER_CUBIC)
            return np.asarray(np.clip(np.rint(picture / bands), 0, 255), np.uint8)
        if self._steady:
            return picture
        return np.asarray(cv2.convertScaleAbs(picture, alpha=1 / self.gain), np.uint8)

    @property
    def _steady(self) -> bool:
        return abs(self.gain - 1) < UNCHANGED_GAIN

    def bands(self, ratios: Tiles) -> float:
        """By what share of the brightness the rows of tiles, as shares of their usual brightness, differ."""
        return half_range(self._rows / np.float32(self.gain) if self._rows is not None else self.rows(ratios))

    def rows(self, ratios: Tiles) -> NDArray[np.float32]:
        """How bright each row of tiles is against usual; beyond the table it goes on as it ended."""
        told = np.flatnonzero(self._inside.sum(axis=1) > MIN_ROW_TILES)
        if told.size < 2:
            return np.full(len(ratios), self.gain, np.float32)
        first, last = int(told[0]), int(told[-1])
        levels = [median(ratios[row][self._inside[row]]) for row in told]
        rows = np.interp(np.arange(len(ratios)), told, levels)
        rows[:first] = rows[first] + (rows[first + 1] - rows[first]) * np.arange(-first, 0)
        rows[last + 1 :] = rows[last] + (rows[last] - rows[last - 1]) * np.arange(1, len(rows) - last)
        return np.asarray(np.clip(rows, 1 / GAIN_REACH, GAIN_REACH), np.float32)


FIT_ROUNDS = 4


def fit_surface(tiles: Tiles, usable: Mask, apart: float, share: float) -> tuple[Tiles, Mask]:
    """A curved surface through the usable tiles, and which of them it was fitted to.

    Args:
        apart, share: What lies farther from the surface than this, plus this share of it, is left out.
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
