"""The outline of each piece around its sticker: given by its game, or learned for playing cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Token
from vision.geometry.quads import Points
from vision.tracking.card_outline import CardOutline

CARD_OVERHANG_MM, SIZED_OVERHANG_MM = 4.0, 1.0
"""The margins added to outlines: of playing cards, which are learned; and of pieces of known size, whose
only error is in the position of the sticker.
"""

CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
"""The directions of a piece's four corners from its centre."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """What is known about the size of pieces.

    Attributes:
        sized: The corners of pieces of known size from their stickers' centres, each ``(n, 2)`` in mm with the code
            upright; with a small margin.
        card: The outline of a playing card around its sticker; ``None`` until enough of them were seen.
        learned_from: How many cards showed it.
    """

    sized: Mapping[Token, Points]
    card: CardOutline | None = None
    learned_from: int = 0

    @classmethod
    def of(cls, shapes: Mapping[Token, Shape] = NO_SHAPES) -> Self:
        """The outlines given by a game."""
        return cls({token: _widened(shape) for token, shape in shapes.items()})

    def learned(self, card: CardOutline, learned_from: int) -> Outlines:
        """A copy with the outline of playing cards that so many of them showed."""
        return replace(self, card=card, learned_from=learned_from)

    def around_mm(self, token: Token) -> Points | None:
        """A piece's corners from its sticker's centre, ``(n, 2)``, with a small margin; ``None`` if unknown."""
        around_mm = self.sized.get(token)
        if around_mm is not None or self.card is None:
            return around_mm
        return self.card.around_mm(CARD_OVERHANG_MM)


def four_corners(around_mm: Points) -> list[int]:
    """The four corners of an outline that are outermost diagonally; for a disc a square inside it."""
    middle = (around_mm.min(0) + around_mm.max(0)) / 2
    return [int(np.argmax((around_mm - middle) @ towards)) for towards in CORNERS]


def _widened(shape: Shape) -> Points:
    points = np.array(shape.outline_around_sticker_mm)
    low, high = points.min(0), points.max(0)
    middle, half = (low + high) / 2, (high - low) / 2
    return np.asarray(middle + (points - middle) * (1 + SIZED_OVERHANG_MM / half), np.float64)
