"""What change detection says of one picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray
from vision.geometry.tile_grid import Mask, TileBox, Tiles, any_tile
from vision.motion.lighting import Lighting

MOVING_SHARE = 0.5
"""When more of its tiles move, a sticker moves; the edge of a shadow that passes over it stirs only some of them."""


@dataclass(frozen=True, eq=False)
class ChangeMaps:
    """One small picture against those before. Masks are ``(rows, columns)`` bool, of tiles.

    Attributes:
        raw: The small picture as it came, ``(height, width)`` uint8; borrowed like its frame.
        lighting: How it is lit.
        tiles: Its mean grey level at usual light, tile by tile, ``(rows, columns)`` float32.
        rest_s: For how many seconds each tile has not moved, on the table or beyond it; infinite where it never did.
            ``(rows, columns)`` float64.
        moving: Tiles that differ from the picture before.
        changed: Tiles that do not look as they usually do.
        hand: Tiles covered by something larger than a card that reaches in or stirs.
        idle: Those of them that have not stirred since before another hand came, be it still there or gone.
        reaching: Changed tiles that hang together with the rim of the table, however few.
        still: Tiles without motion since at least the picture before.
        flooded: Most of the table looks different and nothing moves: the light changed.
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
        """The small picture at usual light; most looks do without. Borrowed like its frame: keep copies."""
        return self.lighting.remove_from(self.raw)

    @cached_property
    def anything_moves(self) -> bool:
        """Whether any tile moves."""
        return any_tile(self.moving)

    @cached_property
    def hand_in_view(self) -> bool:
        """Whether a hand is there that may have done what was done last."""
        return any_tile(self.hand) and any_tile(self.hand & ~self.idle)

    def is_moving(self, box: TileBox) -> bool:
        """Whether a sticker that these tiles show moves."""
        return bool(self.moving[box].mean() > MOVING_SHARE)
