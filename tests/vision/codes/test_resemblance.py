"""What is like a code that cannot be read, and what is not."""

from __future__ import annotations

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


def smudged(middle_px: tuple[float, float], turn_deg: float) -> Gray:
    """A code seen as through a smudge on the lens."""
    code = np.pad(np.where(modules(min(CODES.texts.values())), 30, 200), QUIET_ZONE_MODULES, constant_values=200)
    middle = (STICKER_MODULES - 1) / 2
    to_px = cv2.getRotationMatrix2D((middle, middle), turn_deg, MODULE_PX)
    to_px[:, 2] += np.subtract(middle_px, middle)
    piece = np.full((ROWS, COLUMNS), 90, np.float32)
    cv2.warpAffine(code.astype(np.float32), to_px, (COLUMNS, ROWS), dst=piece, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(cv2.GaussianBlur(piece, (0, 0), 1.5 * MODULE_PX), np.uint8)


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
