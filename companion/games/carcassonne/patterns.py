"""The patterns for entering the tiles of a box: tiles without their terrains.

A pattern says which sides belong together and which segments meet inside the tile. There is one for each way to divide
the four sides, regardless of rotation, and some with an inner segment; all others are entered by hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

from companion.games.carcassonne import deck
from companion.games.carcassonne.faces import Polygon, city_places, drawn, ground_of, polygons
from companion.games.carcassonne.setup import TILE_MM
from companion.games.carcassonne.tiles import LAND, SEA, SIDES, Segment, Tile
from companion.games.square_tiles import MARGIN_MM, STICKER_MM
from companion.public.table import CardId, Point
from companion.public.text import JSON

PATTERNS: Mapping[str, tuple[tuple[str, ...], tuple[tuple[int, int], ...]]] = {
    "side": (("N", "ESW"), ((1, 2),)),
    "halves": (("NE", "SW"), ((1, 2),)),
    "band": (("N", "EW", "S"), ((1, 2), (2, 3))),
    "two": (("N", "E", "SW"), ((1, 3), (2, 3))),
    "three": (("N", "E", "SW"), ((1, 2), (1, 3), (2, 3))),
    "whole": (("NESW",), ()),
    "pond": (("NESW", ""), ((1, 2),)),
    "middle": (("N", "E", "S", "W", ""), ((1, 5), (2, 5), (3, 5), (4, 5))),
    "four": (("N", "E", "S", "W"), ((1, 2), (1, 4), (2, 3), (3, 4))),
}
"""By name, as on the pages: the sides of each segment, then the pairs of segments that meet."""
FINE = 20
"""Sample points along each axis of a tile, for finding the place of a follower."""
STICKER_EDGES = MARGIN_MM / TILE_MM, (MARGIN_MM + STICKER_MM) / TILE_MM
"""The extent of the sticker along both axes, in tile widths."""
BESIDE = 0.6
"""Weight of a place's distance from the sticker: a counter is nearly as wide as the sticker, and should not cover
it."""


@cache
def patterns() -> tuple[JSON, ...]:
    """Each pattern: ``{"name", "ground", "meets", "segments": [{"edges", "area", "spots"}], "cities": [{"pair",
    "at"}]}`` with the polygons for drawing. ``spots`` are four places for a follower, one for each clockwise quarter
    turn of the tile with the sticker staying in the north-west. ``cities``: the position of a city on each border.
    """
    return tuple(_pattern(name, edges, meets) for name, (edges, meets) in PATTERNS.items())


def _pattern(name: str, edges: tuple[str, ...], meets: tuple[tuple[int, int], ...]) -> JSON:
    # The drawing does not depend on terrains.
    tile = _blank(edges, meets)
    areas = polygons(tile)
    middles = _middles(areas, ground_of(tile))
    return {
        "name": name,
        "ground": ground_of(tile),
        "meets": [list(pair) for pair in meets],
        "segments": [
            {
                "edges": letters,
                "area": [list(point) for point in areas[number - 1]],
                "spots": [list(_spot(middles[number], turn)) for turn in range(4)],
            }
            for number, letters in enumerate(edges, 1)
        ],
        "cities": [{"pair": list(pair), "at": list(city_places(_blank(edges, meets, (pair,)))[0])} for pair in meets],
    }


def _blank(
    edges: tuple[str, ...], meets: tuple[tuple[int, int], ...], cities: tuple[tuple[int, int], ...] = ()
) -> Tile:
    segments = tuple(
        Segment(LAND[0] if number else SEA, tuple(SIDES.index(letter) for letter in letters), (0.5, 0.5))
        for number, letters in enumerate(edges)
    )
    return Tile(CardId(deck.IDS[0]), segments, frozenset(meets), cities)


def _middles(areas: tuple[Polygon, ...], ground: int) -> Mapping[int, Mapping[Point, float]]:
    """For each segment its visible sample points, each with its distance from everything else."""
    shows = {place: _shown_at(place, areas, ground) for place in _places()}
    middles: dict[int, dict[Point, float]] = {number: {} for number in range(1, len(areas) + 1)}
    for place, number in shows.items():
        beyond = min((math.dist(place, other) for other, its in shows.items() if its != number), default=1.0)
        rim = min(place[0], place[1], 1 - place[0], 1 - place[1])
        middles[number][place] = min(beyond, rim)
    return middles


def _places() -> Iterator[Point]:
    for row in range(FINE):
        for column in range(FINE):
            yield (column + 0.5) / FINE, (row + 0.5) / FINE


def _shown_at(place: Point, areas: tuple[Polygon, ...], ground: int) -> int:
    """The visible segment at a point: the ground is hidden by the others."""
    above = (number for number in range(len(areas), 0, -1) if number != ground and _within(areas[number - 1], place))
    return next(above, ground)


def _within(polygon: Polygon, place: Point) -> bool:
    """Whether a point is in a polygon, by counting the sides to its east."""
    x, y = place
    crossed = 0
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        crossed += (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return crossed % 2 == 1


def _spot(middle: Mapping[Point, float], turn: int) -> Point:
    """The point farthest from other segments, the tile's edge and the sticker, in the frame of the turned tile."""

    def room(place: Point) -> float:
        return round(min(middle[place], BESIDE * _from_sticker(_turned(place, turn))), 6)

    x, y = _turned(max(middle, key=lambda place: (room(place), place)), turn)
    return round(x, 3), round(y, 3)


def _turned(place: Point, turn: int) -> Point:
    x, y = place
    for _ in range(turn):
        x, y = 1 - y, x
    return x, y


def _from_sticker(place: Point) -> float:
    """Distance of a point from the sticker in the north-west corner; 0 on it."""
    begin, end = STICKER_EDGES
    return math.dist(place, tuple(min(max(part, begin), end) for part in place))


def drawn_rows(document: JSON) -> list[JSON]:
    """The tiles of a deck as entered, in the form that pages draw; ``None`` for an incomplete or invalid one."""
    rows = document.get("tile") if isinstance(document, Mapping) else None
    return [_drawn_row(row) for row in rows[: deck.MOST_TILES]] if isinstance(rows, list) else []


def _drawn_row(row: JSON) -> JSON:
    if not isinstance(row, Mapping) or not deck.is_entered(row):
        return None
    tile = deck.read_tile(row)
    return drawn({tile.id: tile})[0]
