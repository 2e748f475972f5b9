"""Cards read from photographs: their layout, and the result."""

from __future__ import annotations

from dataclasses import dataclass

Box = tuple[float, float, float, float]
"""Left, top, right and bottom on a card of 63 × 88 mm, in millimetres."""


@dataclass(frozen=True, slots=True)
class CardLayout:
    """Where things are on a card.

    Attributes:
        title, needs, symbol: The name, the prerequisites and the family's symbol.
        sticker_at_mm: The sticker's top left corner, for a card whose edge is not visible.
        sticker_mm: The sticker's side.
    """

    title: Box
    needs: Box
    symbol: Box
    sticker_at_mm: tuple[float, float] = (4.0, 4.0)
    sticker_mm: float = 20.0


LAYOUTS = {
    "box": CardLayout(title=(2, 1.5, 61, 27), needs=(2, 62, 49, 87), symbol=(48, 72, 62, 87)),
    "printed": CardLayout(title=(2.5, 32.5, 60.5, 45.5), needs=(2.5, 60.5, 60.5, 69), symbol=(39, 13, 58, 28)),
}
"""``box``: the game's own cards, with the name at the top, the prerequisites at the bottom and the symbol at the bottom
right (F:33-41, F:105-107). ``printed``: the cards that the companion prints to play with."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card as read from a photograph.

    Attributes:
        text: The text of its sticker.
        title, needs: The lines that were read; may be empty.
        title_jpeg, needs_jpeg, symbol_jpeg: Cut from the rectified card.
        edged: Its outline was found; otherwise its position was computed from the sticker alone.
    """

    text: str
    title: tuple[str, ...]
    needs: tuple[str, ...]
    title_jpeg: bytes
    needs_jpeg: bytes
    symbol_jpeg: bytes
    edged: bool = True
