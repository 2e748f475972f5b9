"""Where things lie on a drawn table and where people sit: a game's places become poses."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from companion.errors import InputError, fault
from companion.public.layout import Layout
from companion.public.print_sizes import CARD_MM
from companion.public.shapes import Shape
from companion.public.table import Point, Seat, Token, Zone

UNEVEN_MM, UNEVEN_DEG, MOST_UNEVEN_DEG = 0.7, 1.2, 3.0
"""How exactly people lay cards: standard deviations of each coordinate and of the angle, and the angle's limit."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The size of a piece.

    Attributes:
        size_mm: Width and height.
        sticker_mm: From its top left corner to its sticker's centre.
    """

    size_mm: Point = CARD_MM
    sticker_mm: Point = (45.5, 70.5)

    @classmethod
    def of(cls, shape: Shape) -> Measures:
        """For a shape, upright as its sticker is."""
        left, top = (min(axis) for axis in zip(*shape.outline_around_sticker_mm, strict=True))
        right, bottom = (max(axis) for axis in zip(*shape.outline_around_sticker_mm, strict=True))
        return cls((right - left, bottom - top), (-left, -top))

    def middle(self, pose: ThingPose) -> Point:
        """The centre of a piece whose sticker has this pose."""
        turn = math.radians(pose.rotation_deg)
        x = self.size_mm[0] / 2 - self.sticker_mm[0]
        y = self.size_mm[1] / 2 - self.sticker_mm[1]
        return (
            pose.x_mm + x * math.cos(turn) - y * math.sin(turn),
            pose.y_mm + x * math.sin(turn) + y * math.cos(turn),
        )


CARD = Measures()


@dataclass(frozen=True, slots=True)
class ThingPose:
    """A piece's pose: its sticker's centre, clockwise turn, and height over the table."""

    x_mm: float
    y_mm: float
    rotation_deg: float = 0.0
    z_mm: float = 0.3


Kept = tuple[Zone, ThingPose]
"""A place that is reserved for a piece, and its exact pose there."""


class Places(Protocol):
    """The positions of a game's places on its table."""

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:
        """The pose of a piece's sticker in a place.

        Args:
            kept: The places and poses of other pieces, lying or on their way.
            beside: A piece near which to lay it, if that one lies there.
        """


class TableStage:
    """The table in front of the people.

    Attributes:
        lying: The pose of each piece's sticker.

    Args:
        layout: Only its size is used.
        measures: The sizes of pieces that are not cards of the common size.

    Raises:
        InputError: The layout lacks its size.
    """

    def __init__(
        self, layout: Layout, seats: int, places: Places, seed: int, measures: Mapping[Token, Measures] | None = None
    ) -> None:
        if layout.size_mm is None:
            raise InputError(fault("simulated.fault.size", "A simulated table needs size_mm in [table]."))
        self.size_mm = layout.size_mm
        self.seats = seats
        self.lying: dict[Token, ThingPose] = {}
        self._places = places
        self._measures = measures or {}
        self._dice = random.Random(f"stage {seed}")
        self._kept: dict[Token, Kept] = {}

    def measures(self, token: Token | None) -> Measures:
        return CARD if token is None else self._measures.get(token, CARD)

    def put(self, token: Token, place: Zone, beside: Token | None = None) -> ThingPose:
        """Reserve a place for a piece; returns the pose of laying it there, not quite straight."""
        there = self._places.pose(token, place, {other: k for other, k in self._kept.items() if other != token}, beside)
        self._kept[token] = (place, there)
        return self._laid(there)

    def place(self, token: Token) -> Zone | None:
        """The place reserved for a piece, if any."""
        kept = self._kept.get(token)
        return None if kept is None else kept[0]

    def kept(self, token: Token) -> Kept | None:
        """... and its exact pose."""
        return self._kept.get(token)

    def free(self, token: Token) -> None:
        """Release a piece's place."""
        self._kept.pop(token, None)

    def give_back(self, token: Token, kept: Kept | None) -> None:
        """Restore the reservation that a piece had before."""
        self.free(token)
        if kept is not None:
            self._kept[token] = kept

    def straight(self, token: Token) -> ThingPose:
        """Lay a piece again in its place."""
        return replace(self._laid(self._kept[token][1]), z_mm=self.lying[token].z_mm)

    def _laid(self, pose: ThingPose) -> ThingPose:
        """The pose with a human's inaccuracy."""
        x, y, turn = (self._dice.gauss(0, sigma) for sigma in (UNEVEN_MM, UNEVEN_MM, UNEVEN_DEG))
        turn_deg = pose.rotation_deg + max(-MOST_UNEVEN_DEG, min(MOST_UNEVEN_DEG, turn))
        return ThingPose(pose.x_mm + x, pose.y_mm + y, turn_deg, pose.z_mm)

    def edge(self, seat: Seat) -> tuple[float, float, float]:
        """Where a seat's hands come from, outside the table, and the direction of the arm: 90 = the near edge.

        Seat 1 sits at the near edge, the others follow clockwise.
        """
        angle = math.radians(90 + 360 / self.seats * (max(seat, 1) - 1))
        w, h = self.size_mm
        x, y = w / 2 + (w / 2 + 190) * math.cos(angle), h / 2 + (h / 2 + 190) * math.sin(angle)
        return x, y, math.degrees(angle) % 360


class ZoneRows:
    """Drawn zones in which pieces lie side by side, in rows: for games whose places are zones.

    It is a complete ``Places``; a game with further places can delegate its zones to it.
    """

    def __init__(self, layout: Layout, measures: Callable[[Token], Measures] = lambda _: CARD, gap_mm: float = 4.0):
        self._shapes = {zone.name: zone.polygon_mm for zone in layout.zones}
        self._measures = measures
        self._gap_mm = gap_mm

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:  # noqa: ARG002
        """The first free spot of the zone; the last one if it is full."""
        polygon, measures = self._shapes[place], self._measures(token)
        left, top = (min(point[k] for point in polygon) for k in (0, 1))
        right, bottom = (max(point[k] for point in polygon) for k in (0, 1))
        width, height = measures.size_mm
        columns = max(1, int((right - left) // (width + self._gap_mm)))
        rows = max(1, int((bottom - top) // (height + self._gap_mm)))
        across, down = (right - left) / columns, (bottom - top) / rows
        x, y = (side / 2 - sticker for side, sticker in zip(measures.size_mm, measures.sticker_mm, strict=True))
        there = [(self._measures(other), pose) for other, (zone, pose) in kept.items() if zone == place]
        free = ThingPose(left, top)
        for number in range(rows * columns):
            row, column = divmod(number, columns)
            free = ThingPose(left + across * (column + 0.5) - x, top + down * (row + 0.5) - y)
            if not any(_overlap(measures, free, *other) for other in there):
                break
        return free


def _overlap(one: Measures, there: ThingPose, other: Measures, here: ThingPose) -> bool:
    """Whether two upright pieces cover each other."""
    sides = zip(one.middle(there), other.middle(here), one.size_mm, other.size_mm, strict=True)
    return all(abs(a - b) < (size_a + size_b) / 2 for a, b, size_a, size_b in sides)
