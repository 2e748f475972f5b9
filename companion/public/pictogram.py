"""A card's small picture as lines, for drawing without a browser: printed sheets, the simulated table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.public.table import Point
from companion.public.text import JSON

SIDE = 24.0
"""The side of a pictogram's square; the origin is its top left corner."""

LINE_WIDTH = 1.7
"""In the same units; the ends are round."""


@dataclass(frozen=True, slots=True)
class PictogramLine:
    """A line through these points, or the area inside them."""

    points: tuple[Point, ...]
    filled: bool = False


Pictogram: TypeAlias = tuple[PictogramLine, ...]
PictogramOf: TypeAlias = Callable[[Mapping[str, JSON]], Pictogram | None]
"""The pictogram of a card by its names (language to name, as in a deck file), if it has one."""
