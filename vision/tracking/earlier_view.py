"""How pieces looked before the camera was knocked, as they would look from where it is now.

The table is flat: what was seen of it stays good when it is looked at from elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.table import Token
from vision.camera.frame import TILE_PX, Gray
from vision.geometry.homography import Geometry
from vision.geometry.quads import Quad
from vision.geometry.tile_grid import Mask, SmallBox, TileGrid
from vision.tracking.track import Surroundings


@dataclass(frozen=True, slots=True, eq=False)
class EarlierView:
    """The table from where the camera was.

    Attributes:
        geometry, grid: Where it was in the picture.
        look: How it usually looked, a small picture, ``(height, width)`` uint8.
        around: How each piece that was ever seen there, and what is around it, looked when it was last seen, as bright
            as ``look``.
    """

    geometry: Geometry
    grid: TileGrid
    look: Gray
    around: Mapping[Token, Surroundings]

    def brightened(self, look: Gray, inside: Mask, geometry: Geometry, grid: TileGrid) -> float:
        """How many times as bright the table is now.

        Args:
            look: A small picture from where the camera is now, ``(height, width)`` uint8.
            inside: The tiles of the table in it.
        """
        rows, columns = np.nonzero(inside)
        middles = np.column_stack([columns, rows]) * TILE_PX + TILE_PX // 2
        before, now = _sampled(self.look, self._places(middles, geometry, grid)), look[tuple(middles.T[::-1])]
        shared = before > 0
        return float(np.median(now[shared] / before[shared])) if shared.any() else 1.0

    def surroundings(self, token: Token, box: SmallBox, geometry: Geometry, grid: TileGrid) -> Gray:
        """How a piece and what is around it would look in this box of a small picture from where the camera is now;
        black where that was out of view.
        """
        around, look = self.around[token], self.look.copy()
        look[around.box] = around.look
        rows, columns = np.mgrid[box]
        places = self._places(np.column_stack([columns.ravel(), rows.ravel()]), geometry, grid)
        return np.asarray(_sampled(look, places).reshape(rows.shape), np.uint8)

    def _places(self, points: NDArray[np.int_], geometry: Geometry, grid: TileGrid) -> Quad:
        """Where in its small picture pixels of the present one were, ``(n, 2)``."""
        return self.grid.small_corners(self.geometry.to_px(geometry.to_mm(grid.full_points(points))))


def _sampled(picture: Gray, places: Quad) -> NDArray[np.float32]:
    """A picture at points, ``(n,)``; 0 beyond it. (OpenCV takes no more than 32767 of them in one row.)"""
    x, y = places.T
    return np.asarray(cv2.remap(picture, x[:, None], y[:, None], cv2.INTER_LINEAR)[:, 0], np.float32)
