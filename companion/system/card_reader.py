"""Reads the text on cards, with Tesseract if it is installed (Debian: tesseract-ocr, tesseract-ocr-fra)."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from companion.public.card_reading import CardLayout, CardReading

PROGRAM = "tesseract"
LEAST_CONFIDENCE = 25.0
"""Of 100; below this, Tesseract's result is mostly the edge of a picture."""
LEAST_CONTRAST = 0.4
"""Print is at least this much darker than its card, as a share of the card's brightness."""
DARK, LEAST_PRINT = 100, 0.001
"""A piece with a smaller share of dark pixels is empty."""
TIMEOUT_S = 20.0
QUALITY = 85
_UNIFORM_BLOCK = "6"
"""Tesseract's page segmentation mode for one block of text."""


def can_read() -> bool:
    return shutil.which(PROGRAM) is not None


def read_cards(data: bytes, texts: Collection[str], layout: CardLayout) -> tuple[CardReading, ...]:
    """The cards in a photograph, cut into pieces; with their words if Tesseract is installed.

    Args:
        data: A JPEG, PNG or WebP file.
        texts: The sticker texts of the deck.
        layout: Where things are on the cards.

    Raises:
        InputError: It is not a picture, too large, or damaged.
    """
    from vision.codes.card_reading import straight_cards  # loads OpenCV only for a picture

    readings = []
    for card in straight_cards(data, texts, layout):
        title, needs, symbol = (card.piece(box) for box in (layout.title, layout.needs, layout.symbol))
        readings.append(
            CardReading(
                card.text, words(title), words(needs), _jpeg(title), _jpeg(needs), _jpeg(symbol), edged=card.edged
            )
        )
    return tuple(readings)


def words(picture: Any) -> tuple[str, ...]:
    """The lines of a piece of a card, from top to bottom; empty without Tesseract.

    Args:
        picture: ``(height, width, 3)`` uint8.
    """
    if not can_read():
        return ()
    import cv2  # loaded only for a picture

    even = _even(picture)
    if (even < DARK).mean() < LEAST_PRINT:  # otherwise the grain of the paper would become text
        return ()
    packed = cv2.imencode(".png", even)[1].tobytes()
    command = [PROGRAM, "stdin", "stdout", "-l", _languages(), "--psm", _UNIFORM_BLOCK, "--dpi", "350", "tsv"]
    alone = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # its own threads cost more than they gain on small pieces
    try:
        answer = subprocess.run(command, input=packed, capture_output=True, timeout=TIMEOUT_S, env=alone, check=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    return _lines(answer.stdout.decode("utf-8", "replace"))


def _even(picture: Any) -> Any:
    """Grey, with uneven light removed and the contrast stretched."""
    import cv2
    import numpy as np

    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    around = cv2.GaussianBlur(cv2.dilate(gray, np.ones((25, 25), np.uint8)), (0, 0), 20)
    even = np.clip(gray / np.maximum(around, 1.0), 0, 1)
    low, high = np.percentile(even, (0.2, 90))
    low = min(low, high - LEAST_CONTRAST)  # without print, noise must not become letters
    return (np.clip((even - low) / (high - low), 0, 1) * 255).astype(np.uint8)


@lru_cache(maxsize=1)
def _languages() -> str:
    """French and English if both are installed; ``eng`` always is."""
    try:
        listed = subprocess.run([PROGRAM, "--list-langs"], capture_output=True, timeout=TIMEOUT_S, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return "eng"
    there = listed.decode("utf-8", "replace").split()
    return "+".join(language for language in ("fra", "eng") if language in there) or "eng"


def _lines(table: str) -> tuple[str, ...]:
    """``table`` is Tesseract's TSV, one word per row."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if text and float(row.get("conf") or -1) >= LEAST_CONFIDENCE:
            lines.setdefault(tuple(row[key] for key in ("block_num", "par_num", "line_num")), []).append(text)
    return tuple(" ".join(line) for line in lines.values())


def _jpeg(picture: Any) -> bytes:
    import cv2

    scale = 0.5 if picture.shape[1] > 500 else 1.0
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])
