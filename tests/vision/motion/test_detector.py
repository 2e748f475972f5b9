"""What the small picture tells of hands, tile by tile."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera.frame import TILE_PX, Gray
from vision.motion.background import Background
from vision.motion.change_maps import ChangeMaps
from vision.motion.detector import HAND_GAP_TILES, ChangeDetector

pytestmark = pytest.mark.core

ROWS, COLUMNS = 27, 48
ARM = np.s_[12:ROWS, 20:24]


def small_picture(seed: int) -> Gray:
    noise = np.random.default_rng(seed).normal(0, 1.0, (ROWS * TILE_PX, COLUMNS * TILE_PX))
    return np.asarray(np.clip(np.rint(70 + noise), 0, 255), np.uint8)


def laid(*things: tuple[slice, slice]) -> ChangeMaps:
    """The last of some looks at an empty table on which things have come to lie, in tiles, that nobody explains."""
    inside = np.ones((ROWS, COLUMNS), np.bool_)
    motion = ChangeDetector(inside, 29.0)
    background: Background | None = None
    nobody = np.zeros((ROWS, COLUMNS), np.bool_)
    for number in range(20):
        picture = small_picture(number)
        for rows, columns in things if number >= 15 else ():
            picture[rows.start * TILE_PX : rows.stop * TILE_PX, columns.start * TILE_PX : columns.stop * TILE_PX] = 110
        background = background or Background(picture, number / 14, inside)
        stir = motion.detect(picture, number / 14, background, nobody)
    return stir


@pytest.mark.parametrize(("gap", "is_hand"), [(1, True), (HAND_GAP_TILES - 1, True), (HAND_GAP_TILES + 1, False)])
def test_what_lies_before_a_hand_that_seems_to_break_off_is_the_hand(gap: int, is_hand: bool):
    """In the middle a dark sleeve may look like the dark table."""
    fingers = np.s_[12 - gap - 3 : 12 - gap, 20:23]
    stir = laid(ARM, fingers)
    assert stir.hand[ARM].all()
    assert bool(stir.hand[fingers].all()) is is_hand


def test_a_small_thing_alone_is_no_hand():
    assert not laid(np.s_[8:11, 20:23]).hand.any()
