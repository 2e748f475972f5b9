"""The size of a game's pieces, the place of their stickers, and their drawn faces."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from companion.errors import InputError, fault
from companion.public.print_sizes import CODE_MODULES, STICKER_MODULES
from companion.public.table import Point, Token

DISC_CORNERS = 32
"""A disc is drawn with this many corners: its edge is off by half a percent at most."""


@dataclass(frozen=True, slots=True)
class GreyArea:
    """A part of a piece's face.

    Attributes:
        grey: Its brightness, from 0 = black to 1 = white.
        points_mm: Its corners in the piece's frame, as in ``Shape``.
    """

    grey: float
    points_mm: tuple[Point, ...]


@dataclass(frozen=True)
class Shape:
    """A flat piece with one sticker. Pieces without a shape are playing cards.

    Points are in the piece's frame: millimetres from its centre, x to its right and y down while its top is up.

        >>> tile = Shape.rectangle(45, 45, sticker_mm=18, sticker_at_mm=(-12, -12))
        >>> tile.outline_around_sticker_mm
        ((-10.5, -10.5), (34.5, -10.5), (34.5, 34.5), (-10.5, 34.5))

    Attributes:
        outline_mm: Its corners, clockwise; the outline is convex.
        sticker_mm: The outer edge of its sticker with the white rim; that rim may be cut off.
        sticker_at_mm: The sticker's centre.
        sticker_turn: Quarter turns clockwise of the sticker relative to the piece.
        face: Areas of a drawn piece, later ones on top; empty = busy artwork.

    Raises:
        InputError: The sticker's code does not lie on the piece, or the outline is not valid.
    """

    outline_mm: tuple[Point, ...]
    sticker_mm: float
    sticker_at_mm: Point = (0.0, 0.0)
    sticker_turn: int = 0
    face: tuple[GreyArea, ...] = ()

    @classmethod
    def rectangle(
        cls,
        width_mm: float,
        height_mm: float,
        *,
        sticker_mm: float,
        sticker_at_mm: Point = (0.0, 0.0),
        sticker_turn: int = 0,
        face: tuple[GreyArea, ...] = (),
    ) -> Shape:
        x, y = width_mm / 2, height_mm / 2
        corners = (-x, -y), (x, -y), (x, y), (-x, y)
        return cls(corners, sticker_mm, sticker_at_mm, sticker_turn, face)

    @classmethod
    def disc(cls, diameter_mm: float, *, sticker_mm: float, face: tuple[GreyArea, ...] = ()) -> Shape:
        """A round piece with its sticker in the middle.

        >>> round(Shape.disc(18, sticker_mm=15).reach_mm, 3)
        9.0
        """
        turns = (2 * math.pi * corner / DISC_CORNERS for corner in range(DISC_CORNERS))
        corners = tuple((diameter_mm / 2 * math.cos(turn), diameter_mm / 2 * math.sin(turn)) for turn in turns)
        return cls(corners, sticker_mm, face=face)

    def __post_init__(self) -> None:
        measures = (self.sticker_mm, *self.sticker_at_mm, *(part for point in self.outline_mm for part in point))
        if not all(map(math.isfinite, measures)) or self.sticker_mm <= 0 or not _is_convex(self.outline_mm):
            sentence = "An outline has three corners or more, clockwise and without a dent, and a sticker has a size."
            raise InputError(fault("shape.fault.outline", sentence))
        half_mm = self.code_mm / 2
        x, y = self.sticker_at_mm
        code = [(x + across * half_mm, y + down * half_mm) for across in (-1, 1) for down in (-1, 1)]
        if not all(_is_inside(self.outline_mm, point) for point in code):
            sentence = "A sticker of {sticker} mm is too large for a thing of {width} × {height} mm: print it smaller."
            wide, high = (f"{side:g}" for side in self.size_mm)
            sticker = f"{self.sticker_mm:g}"
            raise InputError(fault("shape.fault.sticker", sentence, sticker=sticker, width=wide, height=high))

    @property
    def size_mm(self) -> Point:
        wide, high = (max(parts) - min(parts) for parts in zip(*self.outline_mm, strict=True))
        return wide, high

    @property
    def code_mm(self) -> float:
        """The width of its sticker's code."""
        return self.sticker_mm * CODE_MODULES / STICKER_MODULES

    @cached_property
    def outline_around_sticker_mm(self) -> tuple[Point, ...]:
        """Its corners in the sticker's frame."""
        return self.around_sticker(self.outline_mm)

    @cached_property
    def reach_mm(self) -> float:
        """The largest distance of a corner from the sticker's centre."""
        return max(math.hypot(*corner) for corner in self.outline_around_sticker_mm)

    def around_sticker(self, points_mm: Iterable[Point]) -> tuple[Point, ...]:
        """Points of the piece in the sticker's frame: from its centre, with the sticker upright."""
        own_x, own_y = self.sticker_at_mm
        away = [(x - own_x, y - own_y) for x, y in points_mm]
        for _ in range(self.sticker_turn % 4):
            away = [(y, -x) for x, y in away]
        return tuple(away)


NO_SHAPES: Mapping[Token, Shape] = MappingProxyType({})
"""For a game that uses only playing cards."""


def _is_convex(corners: tuple[Point, ...]) -> bool:
    count = len(corners)
    if count < 3:
        return False
    triples = ((corners[at], corners[(at + 1) % count], corners[(at + 2) % count]) for at in range(count))
    turns = [(b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) for a, b, c in triples]
    return min(turns) >= 0 and max(turns) > 0


def _is_inside(corners: tuple[Point, ...], point: Point) -> bool:
    """Whether a point lies in a convex outline, or on its edge."""
    edges = zip(corners, (*corners[1:], corners[0]), strict=True)
    return all((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) >= -1e-6 for (ax, ay), (bx, by) in edges)
