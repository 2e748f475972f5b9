"""What cards have in common around their stickers is their outline, and nothing that the table shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.public.print_sizes import CARD_MM
from vision.camera.frame import Gray
from vision.geometry.quads import Points
from vision.tracking.card_outline import CardOutline, learn_outline

MM_PER_PX = 2.0
"""Of a small picture."""
CODE_MM = 21.7
STICKER_AT_MM = 45.5, 70.5
"""From the card's upper left corner to its sticker's middle."""
FIRST_MM = 240.0, 110.0
TABLES = 12
NEAR_MM = 4.0
"""The margin of a learned outline."""


def smooth(noise: NDArray[np.float64], width: float, height: float) -> NDArray[np.float64]:
    """Blurred noise with a standard deviation of 1."""
    blurred = cv2.GaussianBlur(noise, (0, 0), width, sigmaY=height)
    return np.asarray(blurred / blurred.std(), np.float64)


def column_of_cards(seed: int, count: int, pitch_mm: float) -> tuple[Gray, list[Points]]:
    """Cards below one another on grained wood, laid a little askew, and the corners of their codes on the table."""
    dice = np.random.default_rng(seed)
    picture = 110 + 8 * smooth(dice.standard_normal((400, 240)), 30, 1)
    codes = []
    for number in range(count):
        x, y = FIRST_MM[0] + dice.normal(0, 3), FIRST_MM[1] + number * pitch_mm + dice.normal(0, 1)
        angle = np.radians(dice.normal(0, 2))
        turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])

        def placed(points: object, at: tuple[float, float] = (x, y), turn: Points = turn) -> Points:
            """On the table, from the card's upper left corner."""
            return np.asarray((np.asarray(points) - STICKER_AT_MM) @ turn.T + at, np.float64)

        width, height = CARD_MM
        face = 105 + 30 * smooth(dice.standard_normal((88, 63)), 4, 4)
        face[:3], face[-3:], face[:, :3], face[:, -3:] = (70.0,) * 4
        face[56:86, 31:61] = 150.0
        whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        there = np.asarray(placed(whole) / MM_PER_PX, np.float32)
        warp = cv2.getPerspectiveTransform(whole, there)
        size = picture.shape[::-1]
        cv2.warpPerspective(face, warp, size, picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
        half = CODE_MM / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        codes.append(placed(half + STICKER_AT_MM))
    return np.asarray(np.clip(picture + dice.normal(0, 1.5, picture.shape), 0, 255), np.uint8), codes


def learned(seed: int, count: int, pitch_mm: float) -> CardOutline | None:
    picture, codes = column_of_cards(seed, count, pitch_mm)
    return learn_outline(picture, codes, lambda points_mm: np.asarray(points_mm / MM_PER_PX, np.float32))


def is_right(outline: CardOutline) -> bool:
    left, top = STICKER_AT_MM
    return bool(np.hypot(outline.left_mm - left, outline.top_mm - top) < NEAR_MM and outline.left_mm < outline.top_mm)


@pytest.mark.parametrize("pitch_mm", [114.0, 90.0, 89.0])
def test_the_grain_of_the_wood_and_the_next_card_are_not_taken_for_the_edges_of_cards(pitch_mm: float) -> None:
    """Then the place of a card that was taken up reached over its neighbour, and the card stayed for ever.

    Where cards lie edge to edge, the first and the last one of a row show where a card ends.
    """
    outlines = [learned(seed, 6, pitch_mm) for seed in range(TABLES)]
    assert [outline for outline in outlines if outline is None or not is_right(outline)] == []


def test_fewer_than_five_cards_show_no_outline() -> None:
    assert learned(1, 4, 114.0) is None
