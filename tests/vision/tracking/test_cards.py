"""Where the card of a sticker is drawn, and when it is drawn anew."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.tile_table import SHAPES, TILES

from vision.camera.frame import TILE_PX
from vision.geometry.quads import Corners
from vision.geometry.tile_grid import TileGrid
from vision.tracking.cards import CardLocator

TILE_PX_WHOLE = 4 * TILE_PX
"""The full picture is four times as wide as the small one."""
SMALL_PX = 4.0
"""A pixel of the small picture, in pixels of the full one."""


def lies_at(shift_px: float) -> Any:
    """What is tracked of a thing whose sticker lies so far to the right of where it was first seen."""
    x, y, side = 900.0 + shift_px, 600.0, 60.0
    corners_px: Corners = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    return SimpleNamespace(token=TILES[0], corners_px=corners_px)


@pytest.mark.parametrize(
    ("shift_px", "is_drawn"), [(0.1, False), (-0.2, False), (0.3, True), (1.0, True), (-3.0, True)]
)
def test_a_card_is_drawn_anew_once_its_sticker_lies_a_quarter_of_a_small_pixel_elsewhere(
    shift_px: float, is_drawn: bool
) -> None:
    cards = CardLocator(TileGrid((27, 48), TILE_PX_WHOLE), 20.0, SHAPES)
    (first,) = cards.locate([lies_at(0.0)]).places
    (place,) = cards.locate([lies_at(shift_px * SMALL_PX)]).places
    assert first is not None
    assert (place is not first) == is_drawn


def test_a_card_that_creeps_is_drawn_anew_all_the_same() -> None:
    """It is compared with where it was drawn, not with where it was a moment ago."""
    cards = CardLocator(TileGrid((27, 48), TILE_PX_WHOLE), 20.0, SHAPES)
    places = [cards.locate([lies_at(0.1 * step * SMALL_PX)]).places[0] for step in range(40)]
    assert places[0] is not None
    assert places[-1] is not None
    moved_px = places[-1].outline.mean(0) - places[0].outline.mean(0)
    assert moved_px == pytest.approx(np.array([3.9, 0.0]), abs=0.6)
