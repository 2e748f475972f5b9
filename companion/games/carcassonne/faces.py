"""The drawing of a tile: a polygon for each segment, from its data; the same on pages and on the simulated table.

The segment that meets the most others is the ground: it fills the whole tile, below the rest. Every other segment
covers the consecutive sides that it reaches, up to an arc between the ends of these sides. So two adjacent segments
touch only in the tile's corner, unless the data says that they meet: then the border between them goes inwards from
that corner.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from companion.games.carcassonne.tiles import SIDES, Tile
from companion.public.shapes import GreyArea
from companion.public.table import CardId, Point
from companion.public.text import JSON

CORNERS: tuple[Point, ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""Clockwise from the north-west; side ``s`` goes from corner ``s`` to the next."""
INNER = 0.3
"""Length of the border between two segments that meet, inwards from a corner along both axes."""
DEPTHS = {1: 0.34, 2: 0.08, 3: -0.34}
"""How far an arc bulges inwards from the straight line between its ends, by the number of sides."""
STEPS = 8
"""Straight pieces of an arc."""
POND = 0.3
"""Half the width of a segment without sides, unless it is the ground."""

GREYS = {"mountain": 0.35, "grassland": 0.75, "sea": 0.55}
"""Brightness of a terrain on a simulated table, from black to white."""
CITY = 0.12
"""Width of a city there, in tile widths."""
SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))

Polygon = tuple[Point, ...]


def ground_of(tile: Tile) -> int:
    """The number of the ground segment."""
    numbers = range(1, len(tile.segments) + 1)
    met = {number: sum(number in pair for pair in tile.meets) for number in numbers}
    return max(numbers, key=lambda number: (met[number], len(tile.segments[number - 1].edges), -number))


def polygons(tile: Tile) -> tuple[Polygon, ...]:
    """The area of each segment of a tile, in tile widths from its north-west corner; the ground is the whole tile."""
    ground = ground_of(tile)
    return tuple(CORNERS if number == ground else _area(tile, number) for number in range(1, len(tile.segments) + 1))


def _area(tile: Tile, number: int) -> Polygon:
    """The area of a segment: for each run of sides along the edge, then back along the arc."""
    edges = set(tile.segments[number - 1].edges)
    if not edges:
        turns = [2 * math.pi * step / 12 for step in range(12)]
        return tuple(_round(0.5 + POND * math.cos(turn), 0.5 + POND * math.sin(turn)) for turn in turns)
    points: list[Point] = []
    for first in sorted(edges):
        if (first - 1) % 4 in edges and len(edges) < 4:
            continue
        count = next(run for run in range(1, 5) if (first + run) % 4 not in edges or run == 4)
        points += [CORNERS[(first + step) % 4] for step in range(count + 1)]
        points += _arc(tile, number, first, count)
    return tuple(points)


def _arc(tile: Tile, number: int, first: int, count: int) -> list[Point]:
    """From the end of a run of sides back to its beginning, without both ends."""
    begin, end = CORNERS[first], CORNERS[(first + count) % 4]
    before, after = tile.by_side[(first - 1) % 4], tile.by_side[(first + count) % 4]
    inner_end = [_inward(end)] if after in tile.neighbours[number] and after != ground_of(tile) else []
    inner_begin = [_inward(begin)] if before in tile.neighbours[number] and before != ground_of(tile) else []
    (x0, y0), (x1, y1) = (inner_end or [end])[0], (inner_begin or [begin])[0]
    across = math.dist((x0, y0), (x1, y1)) or 1.0
    bulge = 2 * DEPTHS.get(count, 0.0) * (0.5 if inner_end or inner_begin else 1.0)
    # Clockwise along the edge the inside is on the right, so on the way back it is on the left.
    inward = ((y1 - y0) / across, (x0 - x1) / across)
    middle = ((x0 + x1) / 2 + bulge * inward[0], (y0 + y1) / 2 + bulge * inward[1])
    arc = [_bent((x0, y0), middle, (x1, y1), step / STEPS) for step in range(1, STEPS)]
    return [*inner_end, *arc, *inner_begin]


def _bent(start: Point, middle: Point, end: Point, share: float) -> Point:
    """A point of a quadratic curve."""
    ways = ((1 - share) ** 2, 2 * share * (1 - share), share**2)
    return _round(
        *(sum(way * point[axis] for way, point in zip(ways, (start, middle, end), strict=True)) for axis in (0, 1))
    )


def _inward(corner: Point) -> Point:
    return _round(*(INNER if part == 0 else 1 - INNER for part in corner))


def _round(x: float, y: float) -> Point:
    return round(x, 3), round(y, 3)


def city_places(tile: Tile) -> tuple[Point, ...]:
    """The position of each port city of a tile: on the border between its land and its sea."""
    ground, areas = ground_of(tile), polygons(tile)
    alike: dict[int, list[int]] = {}
    places: dict[int, Point] = {}
    for index, pair in enumerate(tile.cities):
        if ground not in pair and (seams := _seams(areas[pair[0] - 1], areas[pair[1] - 1])):
            places[index] = seams[tile.cities[:index].count(pair) % len(seams)]
            continue
        covering = next((one for one in pair if one != ground), pair[0])
        alike.setdefault(covering, []).append(index)
    for covering, indices in alike.items():
        border = [point for point in areas[covering - 1] if point not in CORNERS] or list(areas[covering - 1])
        for nth, index in enumerate(indices, 1):
            places[index] = border[nth * len(border) // (len(indices) + 1)]
    return tuple(places[index] for index in range(len(tile.cities)))


def _seams(one: Polygon, other: Polygon) -> tuple[Point, ...]:
    """The centre of each border inwards from a corner, between two adjacent areas."""
    corners = [c for c in CORNERS if {c, _inward(c)} <= {*one} and {c, _inward(c)} <= {*other}]
    return tuple(_round(*((a + b) / 2 for a, b in zip(c, _inward(c), strict=True))) for c in corners)


def grey_face(tile: Tile, tile_mm: float) -> tuple[GreyArea, ...]:
    """The same face in grey, for a simulated table: from the tile's centre, in millimetres, the ground first."""
    areas, ground = polygons(tile), ground_of(tile)
    order = sorted(range(1, len(areas) + 1), key=lambda number: number != ground)
    land = [
        GreyArea(GREYS[tile.terrain(number)], tuple(_millimetres(point, tile_mm) for point in areas[number - 1]))
        for number in order
    ]
    half = CITY / 2
    houses = [
        GreyArea(1.0, tuple(_millimetres((x + dx * half, y + dy * half), tile_mm) for dx, dy in SQUARE))
        for x, y in city_places(tile)
    ]
    return (*land, *houses)


def _millimetres(point: Point, tile_mm: float) -> Point:
    return (point[0] - 0.5) * tile_mm, (point[1] - 0.5) * tile_mm


def drawn(tiles: Mapping[CardId, Tile]) -> list[JSON]:
    """The tiles as pages draw them: segments with their areas, and the positions of cities."""
    return [
        {
            "id": tile.id,
            "start": tile.start,
            "ground": ground_of(tile),
            "segments": [
                {
                    "terrain": segment.terrain,
                    "edges": "".join(SIDES[side] for side in segment.edges),
                    "spot": list(segment.spot),
                    "area": [list(point) for point in area],
                }
                for segment, area in zip(tile.segments, polygons(tile), strict=True)
            ],
            "cities": [
                {"land": land, "sea": sea, "at": list(at)}
                for (land, sea), at in zip(tile.cities, city_places(tile), strict=True)
            ],
        }
        for tile in tiles.values()
    ]
