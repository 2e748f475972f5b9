"""The smooth surface that most tiles of a picture lie on: a table under its lamps, or a change of these."""

from __future__ import annotations

import numpy as np

from vision.tiles import Mask, Tiles, median

ROUNDS = 4


def surface(tiles: Tiles, usable: Mask, apart: float, share: float) -> tuple[Tiles, Mask]:
    """A curved surface through the usable tiles, and which of them it was fitted to.

    Args:
        apart, share: What lies farther from the surface than this, plus this share of it, is left out.
    """
    rows, columns = tiles.shape
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    fitted = usable.copy()
    smooth = np.full_like(tiles, median(tiles[usable]))
    for _ in range(ROUNDS):
        fitted = usable & (np.abs(tiles - smooth) < apart + share * smooth)
        if fitted.sum() < 4 * terms.shape[-1]:
            break
        smooth = np.asarray(terms @ np.linalg.lstsq(terms[fitted], tiles[fitted], rcond=None)[0], np.float32)
    return smooth, np.asarray(fitted, np.bool_)
