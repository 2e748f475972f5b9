"""What holds on every map: values know no order and no direction."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from support.carcassonne_match import PATTERNS, deck

from companion.games.carcassonne.deck import read
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.rules.laying import disagreeing, open_places
from companion.games.carcassonne.territory import TileMap, territory, tile_map, worth
from companion.games.carcassonne.tiles import LaidTile
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck

pytestmark = pytest.mark.core

WITH_CITIES = "ACDEFHKQZ"


def random_map(rng: Random, count: int) -> list[LaidTile]:
    """A lawful map of tiles of any patterns, in the order in which they were laid."""
    letters = rng.choices(list(PATTERNS), k=count)
    tiles = list(read(deck([a + "+" * (a in WITH_CITIES and rng.random() < 0.6) for a in letters])).tiles.values())
    laid = [LaidTile(tiles[0], (0, 0), 0)]
    for tile in tiles[1:]:
        there = tile_map(laid)
        options = [LaidTile(tile, place, turn) for place in sorted(open_places(there)) for turn in range(4)]
        fitting = [one for one in options if not disagreeing(there, one)]
        if fitting:
            laid.append(rng.choice(fitting))
    return laid


def values(there: TileMap) -> dict[tuple[str, int], tuple[Any, ...]]:
    """Of each segment: what its territory is worth now and at the end, and how it looks."""
    pieces = [(name, n) for name, one in there.by_name.items() for n in range(1, len(one.tile.segments) + 1)]
    found = {piece: territory(there, piece) for piece in pieces}
    return {
        piece: (one.terrain, one.tiles, one.cities, one.complete, worth(one), worth(one, final=True))
        for piece, one in found.items()
    }


SEEDS = st.integers(0, 10**6)


@settings(max_examples=40)
@given(SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_laying_changes_no_value(seed: int, rng: Random):
    laid = random_map(Random(seed), 20)
    shuffled = list(laid)
    rng.shuffle(shuffled)
    assert values(tile_map(shuffled)) == values(tile_map(laid))


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 3), st.integers(-9, 9))
def test_turning_and_moving_the_map_changes_no_value(seed: int, quarters: int, away: int):
    laid = random_map(Random(seed), 20)
    turned = []
    for one in laid:
        x, y = one.place
        for _ in range(quarters):
            x, y = -y, x
        turned.append(LaidTile(one.tile, (x + away, y - away), (one.turn + quarters) % 4))
    assert values(tile_map(turned)) == values(tile_map(laid))


@settings(max_examples=40)
@given(SEEDS)
def test_every_segment_of_a_territory_is_worth_the_same(seed: int):
    there = tile_map(random_map(Random(seed), 20))
    for piece in values(there):
        found = territory(there, piece)
        assert all(territory(there, other) == found for other in found.pieces)


# How fast it is, by the time that the processor works for it.


@pytest.mark.long
def test_a_full_map_is_judged_within_two_milliseconds():
    """84 tiles; the best of five, so that other work on the machine says nothing."""
    made = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, demo_deck(CARCASSONNE))
    player, state, rng, worst = CARCASSONNE.demonstration.random_player(made), made.rules.start, Random(7), 0.0
    number = 1
    while not state.over:
        at = MoveContext(number, float(number))
        for move in player(state, rng, at):
            taken = []
            for _ in range(5):
                begun = time.thread_time()
                made.rules.judge(state, move, at)
                taken.append(time.thread_time() - begun)
            worst = max(worst, min(taken))
            lawful = made.rules.implied_moves(state, move, at) if made.rules.judge(state, move, at) else (move,)
            if lawful:
                break
        for one in lawful:
            state = made.rules.apply(state, one, at).state
            number += 1
    assert len(state.laid) > 75
    assert worst <= 0.002
