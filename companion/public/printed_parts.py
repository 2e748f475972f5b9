"""The parts of a printed card or tile, for paper and for the drawn table.

Positions are in millimetres from a thing's top left corner, x to the right and y down.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.public.table import Point


@dataclass(frozen=True, slots=True)
class PrintedArea:
    """An area of one colour: points inside one of its loops, but not inside two."""

    loops: tuple[tuple[Point, ...], ...]
    colour: str
    line: bool = False

    @classmethod
    def box(cls, x_mm: float, y_mm: float, width_mm: float, height_mm: float, colour: str) -> PrintedArea:
        """A rectangle."""
        right, low = x_mm + width_mm, y_mm + height_mm
        return cls((((x_mm, y_mm), (right, y_mm), (right, low), (x_mm, low)),), colour)


@dataclass(frozen=True, slots=True)
class PrintedText:
    """Text in a column.

    Attributes:
        pts: Font sizes, the largest first: the first with which the text needs no more lines is used.
        middle: Centred in the column, else left-aligned.
    """

    words: str
    left_mm: float
    top_mm: float
    width_mm: float
    pts: tuple[float, ...]
    most_lines: int = 1
    bold: bool = False
    middle: bool = False
    colour: str = "#000000"


@dataclass(frozen=True, slots=True)
class PrintedDrawing:
    """A drawing of the game's pages: a card's pictogram (``of`` is empty) or one of the game's symbols, by its name."""

    left_mm: float
    top_mm: float
    side_mm: float
    of: str = ""
