"""What lies about on a table beside the game: dice, cards face down, a phone, the rules,
empty sleeves, and a cup.

Drawn flat, as brightnesses from 0 to 1, but for the cup, which is a photograph. None of them bears a sticker.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
from support import photographs

from companion.public.table import Token
from vision.synthetic.photographs import Cutout
from vision.synthetic.textures import Picture


def _flat(page: Picture, per_mm: float) -> Cutout:
    height, width = page.shape
    return Cutout(page, np.ones_like(page), per_mm, (width / per_mm / 2, height / per_mm / 2))


def die(pips: int = 5) -> Cutout:
    """Of 16 mm."""
    page = np.full((192, 192), 0.9, np.float32)
    places = ((96, 96), (48, 48), (144, 144), (48, 144), (144, 48), (48, 96))[:pips]
    for place in places:
        cv2.circle(page, place, 18, 0.08, -1)
    return _flat(page, 12)


def card_back(kind: int) -> Cutout:
    """A lattice, a pattern of squares about as wide as a code's, a medallion, or small waves; with a white rim."""
    width, height = 63 * 12, 88 * 12
    page = np.full((height, width), 0.9, np.float32)
    match kind:
        case 0:
            for start in range(-height, width, 40):
                cv2.line(page, (start, 0), (start + height, height), 0.2, 10)
                cv2.line(page, (start + height, 0), (start, height), 0.2, 10)
        case 1:
            squares = (np.random.default_rng(5).random((44, 32)) < 0.5).astype(np.float32)
            page = 0.15 + 0.7 * cv2.resize(squares, (width, height), interpolation=cv2.INTER_NEAREST)
        case 2:
            page[:] = 0.35
            cv2.circle(page, (width // 2, height // 2), 200, 0.8, 12)
            cv2.rectangle(page, (60, height // 2 - 40), (width - 60, height // 2 + 40), 0.85, 8)
        case _:
            rows, columns = np.mgrid[:height, :width].astype(np.float32)
            page = (0.5 + 0.35 * np.sin(rows / 9) * np.sin(columns / 13)).astype(np.float32)
    cv2.rectangle(page, (0, 0), (width - 1, height - 1), 0.92, 60)
    return _flat(page, 12)


def phone() -> Cutout:
    """Switched on, with lines of text and some pictures."""
    width, height = 72 * 8, 150 * 8
    dice = np.random.default_rng(3)
    page = np.full((height, width), 0.05, np.float32)
    page[60:-60, 20:-20] = 0.75
    for y in range(120, height - 120, 34):
        x = 40
        while x < width - 100:
            long = int(dice.integers(10, 60))
            cv2.rectangle(page, (x, y), (x + long, y + 14), 0.15, -1)
            x += long + 12
    for row in range(3):
        for column in range(2):
            corner = 60 + column * 250, 160 + row * 300
            cv2.rectangle(page, corner, (corner[0] + 150, corner[1] + 150), 0.3 + 0.2 * row, -1)
    return _flat(page, 8)


def book() -> Cutout:
    """The rules, with a title and a picture on their cover."""
    width, height = 140 * 5, 200 * 5
    page = np.full((height, width), 0.45, np.float32)
    cv2.rectangle(page, (60, 90), (width - 60, 180), 0.85, -1)
    cv2.circle(page, (width // 2, 560), 240, 0.25, -1)
    cv2.ellipse(page, (width // 2, 560), (130, 200), 30, 0, 360, 0.7, -1)
    cv2.rectangle(page, (180, 860), (width - 180, 900), 0.8, -1)
    return _flat(page, 5)


def card_sleeve() -> Cutout:
    """Empty, with a glint."""
    page = np.full((920, 670), 0.5, np.float32)
    page[200:500, 100:500] = 0.8
    cv2.rectangle(page, (0, 0), (669, 919), 0.95, 14)
    return _flat(page, 10)


@cache
def clutter() -> Mapping[Token, Cutout]:
    """All of it, by the tokens that it has in films."""
    backs = {Token(f"BACK{kind}"): card_back(kind) for kind in range(4)}
    return {
        **backs,
        Token("DIE"): die(),
        Token("DIE2"): die(3),
        Token("PHONE"): phone(),
        Token("BOOK"): book(),
        Token("SLEEVE"): card_sleeve(),
        Token("CUP"): photographs.cutout("cup"),
    }
