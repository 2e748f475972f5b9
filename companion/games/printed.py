"""What a game's cards and tiles look like as printed things, for whoever plays without the box.

Places are in millimetres from a thing's top left corner, x to its right and y down.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.game_module import StickerLabel
from companion.public.table import Point

COUNTER_STICKER = 15 / 18
"""The code of a round counter is that of a sticker so many times as wide as the others: its corners lie on a circle as
wide as those are."""

COUNTER_RING_MM = 1.0
"""So far outside that circle a counter is cut out: nobody cuts exactly along a line, and a cut into the code costs far
more than a little white."""


def counter_mm(sticker_mm: float) -> float:
    """How wide a round counter is cut that comes with stickers of this size; its code has ``COUNTER_STICKER`` of it."""
    return sticker_mm + 2 * COUNTER_RING_MM


@dataclass(frozen=True, slots=True)
class PrintedArea:
    """An area of one colour: what lies inside one of its loops, but not inside two."""

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
    """Words in a column.

    Attributes:
        pts: Sizes of the type, the largest first: the first with which the words need no more lines is taken.
        middle: They stand in the middle of the column, else at its left.
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


@dataclass(frozen=True, slots=True)
class PrintedThing:
    """A card or a tile as it is printed.

    Attributes:
        label: Its sticker, which is printed in place on white.
        size_mm: Its width and height.
        sticker_at_mm: The sticker's top left corner, its white rim included.
        sticker_mm: The sticker's side.
        parts: What is drawn, each over those before it; the sticker over all of them.
    """

    label: StickerLabel
    size_mm: Point
    sticker_at_mm: Point
    sticker_mm: float
    parts: tuple[PrintedArea | PrintedText | PrintedDrawing, ...]
