"""Where the card of a sticker is drawn, and when it is drawn anew."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.tile_table import SHAPES, TILES

from companion.public.print_sizes import TAG_MM
from vision.camera.frame import TILE_PX
from vision.geometry.homography import Geometry, fit
from vision.geometry.quads import Corners, corners
from vision.geometry.tags import TAG_AREA
from vision.geometry.tile_grid import TileGrid
from vision.synthetic.camera_model import CameraModel, CameraView
from vision.tracking.cards import CardLocator
from vision.tracking.outlines import Outlines

TILE_PX_WHOLE = 4 * TILE_PX
"""The full picture is four times as wide as the small one."""
SMALL_PX = 4.0
"""A pixel of the small picture, in pixels of the full one."""
GRID = TileGrid((27, 48), TILE_PX_WHOLE)
SIZE_MM = (960.0, 540.0)


def seen_by(camera: CameraModel) -> tuple[CameraView, Geometry]:
    """A table of ``SIZE_MM`` under a camera, and where the eye finds it."""
    view = CameraView(camera, (SIZE_MM[0] / 2, SIZE_MM[1] / 2))
    tag_mm = TAG_MM / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    geometry = fit(
        {tag: view.to_px(tag_mm + np.array(at) * SIZE_MM) for tag, at in TAG_AREA.items()}, SIZE_MM, camera.size_px
    )
    assert geometry is not None
    return view, geometry


_, STRAIGHT = seen_by(CameraModel(size_px=(48 * TILE_PX_WHOLE, 27 * TILE_PX_WHOLE), tilt_deg=0.0))


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
    cards = CardLocator(GRID, STRAIGHT, Outlines.of(SHAPES))
    (first,) = cards.locate([lies_at(0.0)]).places
    (place,) = cards.locate([lies_at(shift_px * SMALL_PX)]).places
    assert first is not None
    assert (place is not first) == is_drawn


def test_a_card_that_creeps_is_drawn_anew_all_the_same() -> None:
    """It is compared with where it was drawn, not with where it was a moment ago."""
    cards = CardLocator(GRID, STRAIGHT, Outlines.of(SHAPES))
    places = [cards.locate([lies_at(0.1 * step * SMALL_PX)]).places[0] for step in range(40)]
    assert places[0] is not None
    assert places[-1] is not None
    moved_px = places[-1].outline.mean(0) - places[0].outline.mean(0)
    assert moved_px == pytest.approx(np.array([3.9, 0.0]), abs=0.6)


@pytest.mark.parametrize("at_mm", [(120.0, 80.0), (480.0, 270.0), (800.0, 500.0)], ids=["far", "middle", "near"])
@pytest.mark.parametrize("turn_deg", [0.0, 50.0, 135.0])
def test_a_tile_far_from_a_tilted_wide_lens_is_drawn_as_small_and_as_flat_as_it_is_seen(
    at_mm: tuple[float, float], turn_deg: float
) -> None:
    """ "C11 never read": a card far away was thought to be twice as large, and what lay beside it was not searched."""
    wide = CameraModel(
        (48 * TILE_PX_WHOLE, 27 * TILE_PX_WHOLE), hfov_deg=102.0, tilt_deg=35.0, azimuth_deg=90.0, distance_mm=700.0
    )
    view, geometry = seen_by(wide)
    tile = SHAPES[TILES[0]]
    turn = np.radians(turn_deg)
    spun = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    code_mm = tile.code_mm / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ spun + at_mm
    track: Any = SimpleNamespace(token=TILES[0], corners_px=corners(view.to_px(code_mm)))
    (place,) = CardLocator(GRID, geometry, Outlines.of(SHAPES)).locate([track]).places
    assert place is not None
    edge_mm = np.array(tile.outline_around_sticker_mm) @ spun + at_mm
    drawn_mm = view.to_mm((place.outline + 0.5) * SMALL_PX - 0.5)
    assert np.linalg.norm(drawn_mm - edge_mm, axis=1).max() < 6.0  # with its margin, in whole small pixels
