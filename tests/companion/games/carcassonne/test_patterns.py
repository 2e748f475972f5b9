"""The patterns from which tiles are entered: drawn as everything else draws them, with room for followers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from companion.games.carcassonne import deck as tile_deck
from companion.games.carcassonne.faces import city_places, ground_of, polygons
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.patterns import STICKER_EDGES, drawn_rows, patterns
from companion.games.carcassonne.tiles import SIDES, Segment, Tile
from companion.games.registry import demo_deck
from companion.public.table import CardId, Point

TERRAINS = ("mountain", "grassland", "sea", "mountain", "grassland")
LEAST_FROM_STICKER = 0.15  # tile widths: less than a counter's radius, 0.2, away and it may lie on the code's edge


def within(polygon: Any, point: Point) -> bool:
    """Whether a point lies in a polygon, by counting the sides to its east."""
    x, y = point
    crossed = 0
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        crossed += (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    return crossed % 2 == 1


def seen_at(tile: Tile, point: Point) -> int:
    """The segment that one sees there: what lies above the ground hides it."""
    areas = polygons(tile)
    above = [n for n, area in enumerate(areas, 1) if n != ground_of(tile) and within(area, point)]
    return above[0] if above else ground_of(tile)


def turned(point: Any, quarters: int) -> tuple[float, float]:
    x, y = point
    for _ in range(quarters):
        x, y = 1 - y, x
    return round(x, 3), round(y, 3)


def tile_of(pattern: Any, turn: int, cities: tuple[tuple[int, int], ...] = ()) -> Tile:
    """A tile as the page makes it of a pattern whose pictures were turned."""
    segments = tuple(
        Segment(
            terrain,
            tuple(sorted((SIDES.index(letter) + turn) % 4 for letter in one["edges"])),
            tuple(one["spots"][turn]),
        )
        for one, terrain in zip(pattern["segments"], TERRAINS, strict=False)
    )
    return Tile(CardId("T01"), segments, frozenset(map(tuple, pattern["meets"])), cities)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("pattern", patterns(), ids=lambda one: one["name"])
def test_a_turned_picture_is_the_picture_of_the_turned_tile(pattern: Any, turn: int) -> None:
    tile = tile_of(pattern, turn)
    assert ground_of(tile) == pattern["ground"]
    for number, area in enumerate(polygons(tile), 1):
        shown = {turned(point, turn) for point in pattern["segments"][number - 1]["area"]}
        assert all(min(math.dist(point, other) for other in shown) < 0.003 for point in area), (number, area)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("pattern", patterns(), ids=lambda one: one["name"])
def test_a_follower_stands_on_its_own_segment_and_beside_the_sticker(pattern: Any, turn: int) -> None:
    tile = tile_of(pattern, turn)
    begin, end = STICKER_EDGES
    for number, segment in enumerate(tile.segments, 1):
        assert seen_at(tile, segment.spot) == number
        nearest = [min(max(part, begin), end) for part in segment.spot]
        assert math.dist(nearest, segment.spot) >= LEAST_FROM_STICKER, segment


@pytest.mark.parametrize("pattern", patterns(), ids=lambda one: one["name"])
def test_a_city_is_drawn_on_the_border_that_it_stands_on(pattern: Any) -> None:
    for city in pattern["cities"]:
        tile = tile_of(pattern, 0, (tuple(city["pair"]),))
        [(x, y)] = city_places(tile)
        assert [x, y] == city["at"]
        around = (2 * math.pi * step / 16 for step in range(16))
        seen = {seen_at(tile, (x + 0.06 * math.cos(one), y + 0.06 * math.sin(one))) for one in around}
        assert seen == set(city["pair"]), city


def test_what_is_typed_is_drawn_as_far_as_it_is_entered() -> None:
    document = demo_deck(CARCASSONNE)
    wanted = tile_deck.read(document).drawn
    assert drawn_rows(document) == wanted
    document["tile"][1] = {"id": "T02"}
    document["tile"][2] = "T03"
    assert drawn_rows(document) == [wanted[0], None, None, *wanted[3:]]
    for nothing in (None, [], {"tile": 3}, {"deck": {}}):
        assert drawn_rows(nothing) == []
