"""Where each thing is around its sticker: told by its game, or learned where it is a playing card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Token
from vision.geometry.quads import Points
from vision.tracking.card_outline import CardOutline

CARD_OVERHANG_MM, TOLD_OVERHANG_MM = 4.0, 1.0
"""How much larger than its outline a playing card is taken to be, for that is learned; and a thing of known size, for
the eye errs by less about where a sticker lies."""

CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
"""Where the four corners of a thing lie from its middle."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """What is known about the size of things.

    Attributes:
        sized: The corners of things of known size from their stickers' centres, each ``(n, 2)`` in mm as its code
            stands upright; a little larger than they are.
        card: The playing card around its sticker; ``None`` until enough of them were seen.
    """

    sized: Mapping[Token, Points]
    card: CardOutline | None = None

    @classmethod
    def of(cls, shapes: Mapping[Token, Shape] = NO_SHAPES) -> Self:
        """Those that a game tells."""
        return cls({token: _widened(shape) for token, shape in shapes.items()})

    def learned(self, card: CardOutline | None) -> Outlines:
        """The same, with that of playing cards."""
        return replace(self, card=card)

    def around_mm(self, token: Token) -> Points | None:
        """A thing's corners from its sticker's centre, ``(n, 2)``, a little larger than it is; ``None`` if unknown."""
        around_mm = self.sized.get(token)
        if around_mm is not None or self.card is None:
            return around_mm
        return self.card.around_mm(CARD_OVERHANG_MM)


def four_corners(around_mm: Points) -> list[int]:
    """Which four corners of an outline are the outermost at its four sides; of a disc a square within."""
    middle = (around_mm.min(0) + around_mm.max(0)) / 2
    return [int(np.argmax((around_mm - middle) @ towards)) for towards in CORNERS]


def _widened(shape: Shape) -> Points:
    points = np.array(shape.outline_around_sticker_mm)
    low, high = points.min(0), points.max(0)
    middle, half = (low + high) / 2, (high - low) / 2
    return np.asarray(middle + (points - middle) * (1 + TOLD_OVERHANG_MM / half), np.float64)
