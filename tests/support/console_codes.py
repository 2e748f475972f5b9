"""QR codes of half blocks, read as a phone reads them off a console."""

from __future__ import annotations

import re

import cv2
import numpy as np
import zxingcpp


def scanned(text: str) -> str:
    """What the one code says."""
    (code,) = scanned_all(text)
    return code


def scanned_all(text: str) -> list[str]:
    """What each code says, from left to right: light on dark, two rows of pixels a line."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lit = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    lines = [line for line in plain.splitlines() if line and set(line) <= lit.keys()]
    wide = max(len(line) for line in lines)
    rows = [[lit[sign][half] for sign in line.ljust(wide)] for line in lines for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((6, 6), np.uint8))
    # A console is dark about them.
    found = zxingcpp.read_barcodes(cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=0))
    return [one.text for one in sorted(found, key=lambda one: one.position.top_left.x)]
