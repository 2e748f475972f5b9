"""What is like a code that cannot be read, and what is not."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from companion.public.codes import StickerCodes
from companion.public.print_sizes import QUIET_ZONE_MODULES, STICKER_MODULES
from vision.camera.frame import Gray
from vision.codes.qr_code import modules
from vision.codes.resemblance import code_likeness
from vision.synthetic.films import DECK

CODES = StickerCodes.of(DECK)
MODULE_PX = 1.65
ROWS, COLUMNS = 120, 220


def cut_off(seed: int) -> Gray:
    """Prints of which the lower edge of a piece shows only the upper part."""
    dice = np.random.default_rng(seed)
    piece = np.full((ROWS, COLUMNS), 90, np.float32)
    for _ in range(14):
        left, width, height = (int(dice.integers(*span)) for span in ((0, 200), (6, 26), (4, 30)))
        piece[ROWS - height :, left : left + width] = float(dice.uniform(50, 160))
    return np.asarray(cv2.GaussianBlur(piece, (0, 0), 3.0), np.uint8)


def pasted(middle_px: tuple[float, float], turn_deg: float, blur_modules: float) -> Gray:
    """A code on a plain piece."""
    code = np.pad(np.where(modules(min(CODES.texts.values())), 30, 200), QUIET_ZONE_MODULES, constant_values=200)
    middle = (STICKER_MODULES - 1) / 2
    to_px = cv2.getRotationMatrix2D((middle, middle), turn_deg, MODULE_PX)
    to_px[:, 2] += np.subtract(middle_px, middle)
    piece = np.full((ROWS, COLUMNS), 90, np.float32)
    cv2.warpAffine(code.astype(np.float32), to_px, (COLUMNS, ROWS), dst=piece, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(cv2.GaussianBlur(piece, (0, 0), blur_modules * MODULE_PX), np.uint8)


def smudged(middle_px: tuple[float, float], turn_deg: float) -> Gray:
    """A code seen as through a smudge on the lens."""
    return pasted(middle_px, turn_deg, 1.5)


def half_covered(middle_px: tuple[float, float], turn_deg: float, seed: int) -> Gray:
    """A code of which a straight edge, at any angle, leaves half to see; beside it is text."""
    dice = np.random.default_rng(seed)
    piece = pasted(middle_px, turn_deg, 0.5).astype(np.float32)
    x, y = np.meshgrid(np.arange(COLUMNS) - middle_px[0], np.arange(ROWS) - middle_px[1])
    away = dice.uniform(0, 2 * np.pi)
    text = cv2.resize(
        dice.choice([60.0, 180.0], (ROWS // 4, COLUMNS // 6)).astype(np.float32), (COLUMNS, ROWS), None, 0, 0, 0
    )
    hidden = x * np.cos(away) + y * np.sin(away) < 0
    noisy = np.where(hidden, text, piece) + dice.normal(0, 3, piece.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def test_what_the_edge_of_a_piece_cuts_off_is_no_code() -> None:
    likeness = code_likeness(CODES)
    assert likeness is not None
    assert not [seed for seed in range(40) if likeness.best(cut_off(seed), MODULE_PX)]


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 40.0])
def test_a_smudged_code_is_found_up_to_the_edge_of_a_piece(turn_deg: float) -> None:
    """A piece reaches half a sticker beyond the tiles that are compared."""
    likeness = code_likeness(CODES)
    assert likeness is not None
    middle_px = COLUMNS / 3, ROWS - STICKER_MODULES * MODULE_PX / 2
    found = likeness.best(smudged(middle_px, turn_deg), MODULE_PX)
    assert found is not None
    assert found.at_px == pytest.approx(middle_px, abs=2 * MODULE_PX)


def test_nineteen_of_twenty_sharp_codes_are_found_when_half_is_hidden_whichever_half() -> None:
    """Their rows never lie quite in one of the directions that are compared, nor their modules on the samples."""
    likeness = code_likeness(CODES)
    assert likeness is not None
    dice, near = np.random.default_rng(1), 0
    for seed in range(60):
        middle_px = float(COLUMNS / 2 + dice.uniform(0, 3)), float(ROWS / 2 + dice.uniform(0, 3))
        found = likeness.best(half_covered(middle_px, float(dice.uniform(0, 360)), seed), MODULE_PX)
        near += found is not None and math.dist(found.at_px, middle_px) < 3 * MODULE_PX
    assert near >= 57


@pytest.mark.parametrize("light", [0.5, 1.0])
def test_a_bare_piece_of_a_table_is_compared_in_no_direction(light: float) -> None:
    """A card was taken away there, or a hand passed. A code under a smudge is compared in little light, too."""
    likeness = code_likeness(CODES)
    assert likeness is not None
    dice = np.random.default_rng(2)
    bare = np.linspace(70, 100, COLUMNS) + cv2.GaussianBlur(dice.normal(0, 30, (ROWS, COLUMNS)), (0, 0), 2)
    assert len(list(likeness.turn_by_turn(np.asarray(light * bare, np.uint8), MODULE_PX))) == 1
    code = np.asarray(light * smudged((COLUMNS / 2, ROWS / 2), 20.0), np.uint8)
    assert len(list(likeness.turn_by_turn(code, MODULE_PX))) > 5
