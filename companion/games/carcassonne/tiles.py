"""Tiles, and how they are placed side by side.

Sides are numbered clockwise from 0, the north: a tile's own north is where its sticker is upright, the map's north is
that of the start tile. A tile with rotation ``turn`` shows its own side ``s - turn`` on the map's side ``s``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.public.table import CardId

MOUNTAIN, GRASSLAND, SEA = TERRAINS = ("mountain", "grassland", "sea")
LAND = (MOUNTAIN, GRASSLAND)
SIDES = "NESW"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The offset of the neighbour on each side of the map: columns grow eastward, rows southward."""

Place = tuple[int, int]
"""Column and row of a cell, whatever is in it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One area of land or sea on a tile.

    Attributes:
        terrain: One of ``TERRAINS``.
        edges: The tile's own sides that it reaches; none for an inner one.
        spot: The place of its follower: eastward and southward from the tile's north-west corner, in tile widths.
    """

    terrain: str
    edges: tuple[int, ...]
    spot: tuple[float, float]


@dataclass(frozen=True)
class Tile:
    """One tile; its segments are numbered from 1.

    Attributes:
        meets: Pairs of segments with a common border inside the tile, the smaller number first.
        cities: For each port city its land and its sea.
        source: Where the facts come from: the owner, or ``authored``.
    """

    id: CardId
    segments: tuple[Segment, ...]
    meets: frozenset[tuple[int, int]] = frozenset()
    cities: tuple[tuple[int, int], ...] = ()
    start: bool = False
    source: str = ""

    @cached_property
    def by_side(self) -> tuple[int, ...]:
        """The segment on each of the tile's own sides."""
        return tuple(
            next(number for number, segment in enumerate(self.segments, 1) if side in segment.edges)
            for side in range(len(SIDES))
        )

    @cached_property
    def terrains(self) -> tuple[str, ...]:
        """The terrain on each of the tile's own sides."""
        return tuple(self.terrain(number) for number in self.by_side)

    @cached_property
    def neighbours(self) -> Mapping[int, tuple[int, ...]]:
        """For each segment those that it meets inside the tile."""
        return {
            number: tuple(sorted(sum(pair) - number for pair in self.meets if number in pair))
            for number in range(1, len(self.segments) + 1)
        }

    def terrain(self, number: int) -> str:
        return self.segments[number - 1].terrain

    def has(self, number: int) -> bool:
        """Whether there is a segment with this number."""
        return 1 <= number <= len(self.segments)


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile on the map; ``turn``: clockwise quarter turns relative to the start tile."""

    tile: Tile
    place: Place
    turn: int

    def segment(self, side: int) -> int:
        """The segment on a side of the map."""
        return self.tile.by_side[(side - self.turn) % 4]

    def terrain(self, side: int) -> str:
        """The terrain on a side of the map."""
        return self.tile.terrains[(side - self.turn) % 4]

    def sides(self, number: int) -> tuple[int, ...]:
        """The sides of the map that a segment reaches."""
        return tuple((edge + self.turn) % 4 for edge in self.tile.segments[number - 1].edges)


def beside(place: Place, side: int) -> Place:
    """The neighbouring place on a side."""
    column, row = STEPS[side]
    return place[0] + column, place[1] + row


def opposite(side: int) -> int:
    """The neighbour's side that touches this one."""
    return (side + 2) % 4
