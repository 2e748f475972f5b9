"""What a tile looks like is drawn from what is on it: board, pickers and simulated table share one set of polygons."""

from __future__ import annotations

import math

import pytest
from support.carcassonne_match import PATTERNS, deck, game

from companion.games.carcassonne import deck as tile_deck
from companion.games.carcassonne.faces import CORNERS, city_places, ground_of, polygons
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.tiles import Tile
from companion.games.registry import demo_deck

DEMO = tile_deck.read(demo_deck(CARCASSONNE)).tiles
EACH = {pattern: tile_deck.read(deck([pattern])).tiles["T01"] for pattern in PATTERNS}


def within(polygon, point) -> bool:
    """Whether a point lies in a polygon, by counting the sides to its east."""
    x, y = point
    crossed = 0
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            crossed += 1
    return crossed % 2 == 1


def seen_at(tile: Tile, point) -> int:
    """The segment that one sees there: what lies above the ground hides it."""
    ground, areas = ground_of(tile), polygons(tile)
    above = [n for n, area in enumerate(areas, 1) if n != ground and within(area, point)]
    assert len(above) <= 1, (tile.id, point)
    return above[0] if above else ground


@pytest.mark.parametrize("pattern", list(EACH))
def test_each_side_shows_the_segment_that_reaches_it(pattern):
    tile = EACH[pattern]
    middles = [(0.5, 0.005), (0.995, 0.5), (0.5, 0.995), (0.005, 0.5)]
    assert tuple(seen_at(tile, middle) for middle in middles) == tile.by_side


def test_a_follower_stands_on_the_terrain_that_it_stands_for():
    wrong = [
        (tile.id, number)
        for tile in DEMO.values()
        for number, segment in enumerate(tile.segments, 1)
        if seen_at(tile, segment.spot) != number
    ]
    assert wrong == []


def test_a_city_is_drawn_where_its_land_and_its_sea_meet():
    for tile in DEMO.values():
        for pair, (x, y) in zip(tile.cities, city_places(tile), strict=True):
            turns = [2 * math.pi * step / 16 for step in range(16)]
            around = {seen_at(tile, (x + 0.06 * math.cos(turn), y + 0.06 * math.sin(turn))) for turn in turns}
            assert around == set(pair), tile.id


def test_two_segments_that_do_not_meet_touch_in_a_corner_alone():
    """H: "of three, the last meets both" - the two grasslands north and east do not."""
    north, east, _ = polygons(EACH["H"])
    assert set(north) & set(east) == {CORNERS[1]}


def test_two_caps_that_meet_have_a_border():
    document = deck(["U"])
    document["tile"][0]["meets"].append([1, 3])
    document["tile"][0]["meets"] = [[1, 5], [2, 3], [2, 5], [3, 5], [4, 5]]
    areas = polygons(tile_deck.read(document).tiles["T01"])
    assert set(areas[1]) & set(areas[2]) == {CORNERS[2], (0.7, 0.7)}


def test_a_pond_lies_on_its_tile():
    document = deck(["Y"])
    document["tile"][0]["segment"].append({"terrain": "sea", "edges": "", "spot": [0.5, 0.5]})
    document["tile"][0]["meets"] = [[1, 2]]
    tile = tile_deck.read(document).tiles["T01"]
    assert ground_of(tile) == 1
    assert seen_at(tile, (0.5, 0.5)) == 2
    assert seen_at(tile, (0.1, 0.1)) == 1


def test_every_tile_of_a_match_is_drawn_once():
    things = CARCASSONNE.decks.drawn(game(["A+", "U", "Z+"]))
    drawn = [one for one in things if "segments" in one]
    assert [one["id"] for one in drawn] == ["T01", "T02", "T03"]
    assert [len(one["segments"]) for one in drawn] == [2, 5, 3]
    assert [len(one["cities"]) for one in drawn] == [1, 0, 1]
    assert CARCASSONNE.decks.drawn is not None
