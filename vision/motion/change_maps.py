"""The result of change detection for one picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray
from vision.geometry.tile_grid import Mask, TileBox, Tiles, any_tile
from vision.motion.lighting import Lighting

MOVING_SHARE = 0.5
"""A sticker moves if more than this fraction of its tiles move; the edge of a passing shadow moves only some."""


@dataclass(frozen=True, eq=False)
class ChangeMaps:
    """One small picture compared with earlier ones. Masks are ``(rows, columns)`` bool, of tiles.

    Attributes:
        raw: The small picture as it came, ``(height, width)`` uint8; borrowed like its frame.
        lighting: Its light.
        tiles: Mean grey level of each tile at usual light, ``(rows, columns)`` float32.
        rest_s: Seconds since each tile last moved, on the table or beyond it; infinite if it never did.
            ``(rows, columns)`` float64.
        moving: Tiles that differ from the picture before.
        changed: Tiles that differ from the background.
        hand: Tiles covered by something larger than a card that reaches in or moves.
        idle: Those of them without motion since before another hand came, whether that is still there or not.
        reaching: Changed tiles that are connected to the rim of the table, however few.
        still: Tiles without motion since at least the picture before.
        flooded: Most of the table differs and nothing moves: the light changed.
    """

    raw: Gray
    lighting: Lighting
    tiles: Tiles
    rest_s: NDArray[np.float64]
    moving: Mask
    changed: Mask
    hand: Mask
    idle: Mask
    reaching: Mask
    still: Mask
    flooded: bool = False

    @cached_property
    def small(self) -> Gray:
        """The small picture at usual light; computed only if needed. Borrowed like its frame: keep copies."""
        return self.lighting.remove_from(self.raw)

    @cached_property
    def anything_moves(self) -> bool:
        return any_tile(self.moving)

    @cached_property
    def hand_in_view(self) -> bool:
        """Whether there is a hand that may have made the last change."""
        return any_tile(self.hand) and any_tile(self.hand & ~self.idle)

    def is_moving(self, box: TileBox) -> bool:
        """Whether the sticker in these tiles moves."""
        return bool(self.moving[box].mean() > MOVING_SHARE)
