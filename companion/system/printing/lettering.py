"""Words on paper: which font has their characters, how wide they are, and where lines break.

Helvetica is used where it has the characters, because it is narrow and every printer has it. Other Latin, Greek and
Cyrillic text is set in DejaVu Sans Condensed, whose characters are included and embedded.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

FONTS = Path(__file__).parent / "fonts"
POINT_MM = 25.4 / 72
LINE_SHARE = 1.25
"""The distance between lines, in font sizes."""


def plain(words: str) -> str:
    r"""Normalise text: single spaces, composed accents, and no line break before French punctuation.

    >>> plain("Stop  !")
    'Stop\xa0!'
    """
    spaced = re.sub("[^\\S\u00a0]+", " ", unicodedata.normalize("NFC", words)).strip()
    return re.sub("(«) | ([;:?!»])", lambda match: f"{match[1]}\u00a0" if match[1] else f"\u00a0{match[2]}", spaced)


def can_print(words: str) -> bool:
    """Whether there is a font with all of its characters."""
    return _in_helvetica(words) or _dejavu().keys() >= {ord(sign) for sign in words}


def font(words: str, bold: bool = False) -> str:
    """The name of the font that has all of these characters."""
    if _in_helvetica(words):
        return "Helvetica-Bold" if bold else "Helvetica"
    _dejavu()
    return "DejaVuSansCondensed-Bold" if bold else "DejaVuSansCondensed"


def width_mm(words: str, pt: float, bold: bool = False) -> float:
    return float(pdfmetrics.stringWidth(words, font(words, bold), pt)) * POINT_MM


def line_mm(pt: float) -> float:
    """The distance between lines."""
    return pt * LINE_SHARE * POINT_MM


def wrapped(words: str, room_mm: float, pt: float, bold: bool = False, indent_mm: float = 0.0) -> list[str]:
    """Lines no wider than ``room_mm``, the first shorter by the indent. A word too long for a line is broken."""
    lines = [""]
    for word in words.split(" "):
        room = room_mm - (indent_mm if len(lines) == 1 else 0)
        longer = f"{lines[-1]} {word}".strip()
        if width_mm(longer, pt, bold) <= room:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        while width_mm(word, pt, bold) > (room := room_mm - (indent_mm if len(lines) == 1 else 0)):
            fits = max((at for at in range(1, len(word)) if width_mm(f"{word[:at]}-", pt, bold) <= room), default=1)
            fits = min(fits, max(len(word) - 3, 1))  # two letters alone on a line are hard to read
            lines[-1] = f"{word[:fits]}-"
            word = word[fits:]
            lines.append("")
        lines[-1] = word
    return lines


def largest_pt(words: str, room_mm: float, most_lines: int, pts: tuple[float, ...], bold: bool = False) -> float:
    """The first of these sizes, largest first, at which the words fit into the lines; else the last."""
    return next((pt for pt in pts if len(wrapped(words, room_mm, pt, bold)) <= most_lines), pts[-1])


def _in_helvetica(words: str) -> bool:
    try:
        words.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


@cache
def _dejavu() -> dict[int, int]:
    """The characters of the embedded font; the first call registers it."""
    for name in ("DejaVuSansCondensed", "DejaVuSansCondensed-Bold"):
        pdfmetrics.registerFont(TTFont(name, FONTS / f"{name}.ttf"))
    embedded: Any = pdfmetrics.getFont("DejaVuSansCondensed")
    return dict(embedded.face.charToGlyph)
