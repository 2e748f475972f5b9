"""How small and how worn stickers may be, and that the eye's process stays small; the bench counts more of each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.long_cases import rest_long

from tests.bench import resolution
from tests.bench.eye import play
from tests.bench.memory import memory
from vision.synthetic.films import CAMERA_MODES
from vision.tracking.search import MIN_FAINT_SHARE, MIN_WINDOW_SHARE

CAMERA, STICKER_MM, _ = CAMERA_MODES["2304x1296"]


def test_stickers_of_one_point_eight_pixels_a_module_are_read():
    hits = list(resolution.recall(1.8, 2, CAMERA))
    assert len(hits) == 108
    assert sum(hits) >= 106


def test_stickers_with_six_hundredths_smudged_are_read():
    hits = list(resolution.worn(0.06, 3.2, 300))
    assert sum(hits) / len(hits) >= 0.88


def test_small_stickers_that_are_worn_too_are_read_for_they_are_sharpened_before_they_are_enlarged():
    hits = list(resolution.worn(0.06, 1.6, 150))
    assert sum(hits) / len(hits) >= 0.7


@pytest.mark.parametrize(("tags", "most_mm", "most_deg"), rest_long([(4, 0.8, 0.6), (8, 0.5, 0.5)]))
def test_places_are_right_under_a_lens_that_bends(tags: int, most_mm: float, most_deg: float):
    away_mm, turned_deg = resolution.errors(CAMERA, STICKER_MM, -0.1, range(tags))
    assert away_mm <= most_mm
    assert turned_deg <= most_deg


def test_fifty_four_cards_are_held_after_five_looks_at_most():
    assert resolution.cold_start(CAMERA, STICKER_MM) <= 5


@pytest.mark.long
def test_out_of_focus_the_start_goes_on_until_no_rung_finds_anything_new():
    assert resolution.cold_start(replace(CAMERA, psf_px=1.1), STICKER_MM) <= 10


@pytest.mark.long
def test_memory_is_flat():
    early_mb, late_mb = memory("2304x1296", 600)
    assert late_mb < 400
    assert late_mb - early_mb < 10


@pytest.mark.long
def test_an_eye_that_ignores_the_check_character_shows_faults_in_the_same_film():
    assert play("2304x1296", acts=1, baselines=False, control="check").false_tokens


@pytest.mark.parametrize("module_px", rest_long([1.93, 1.7, 2.05, 2.73]))
def test_no_sticker_is_overlooked_where_stickers_are_sought(module_px: float):
    """Small ones at the far edge show the least; of 54 in each of two pictures."""
    both = [
        found for seed in range(2) for found in resolution.sought(module_px, seed, (MIN_FAINT_SHARE, MIN_WINDOW_SHARE))
    ]
    assert len(both) == 108
    assert all(faint for faint, _ in both)
    assert sum(plain for _, plain in both) >= 107
