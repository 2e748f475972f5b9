"""Finding 24: what a table keeps in memory does not grow from match to match."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.protocol import MoveContext
from companion.games.registry import DEFAULT_GAME, demo_deck
from companion.history.codec import encode_move
from companion.public.service import Done, Role, User
from tests.bench.phones import Table

HOST = User(Role.HOST)
LEVEL_BYTES = 500_000
"""Caches fill and empty by so much; one match that were kept would be as large by itself."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(tmp_path) as table:
        yield table


def play(table: Table, seed: int, entries: int) -> int:
    """A match of dice over the table's services, given up after so many entries; how many there were."""
    rng, host = Random(seed), table.host
    match = DEFAULT_GAME.demonstration.random_match(rng, DEFAULT_GAME.profiles[seed % len(DEFAULT_GAME.profiles)])
    host.ask(lambda: host.begin({"match": match, "deck": demo_deck()}))
    evening: Any = host.match
    thinks_of = DEFAULT_GAME.demonstration.random_player(evening.game)
    for number in range(1, entries + 1):
        public, at = evening.public, MoveContext(number, number * 3.0)
        lawful = (move for move in thinks_of(public, rng, at) if not evening.game.rules.judge(public, move, at))
        move = None if evening.game.board.standing(public).over else next(lawful, None)
        if move is None:
            return number
        assert isinstance(table.services.match.move(HOST, encode_move(move), None), Done)
    return entries


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_match_after_match_memory_is_level(table: Table, capsys: Any):
    warm_up, matches, entries = 10, 60, 400

    def kept() -> int:
        table.host.ask(table.host.close)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        for seed in range(warm_up):
            play(table, seed, entries)
        early = kept()
        said = sum(play(table, warm_up + seed, entries) for seed in range(matches))
        grown = kept() - early
    finally:
        tracemalloc.stop()
    with capsys.disabled():
        sys.stdout.write(f"\n{matches} matches, {said} entries: {grown / 1000:+.0f} kB kept in memory\n")
    assert said > matches * 10
    assert grown < LEVEL_BYTES


def test_a_match_that_is_kept_would_be_noticed(table: Table):
    """The measure sees what it is for."""
    tracemalloc.start()
    try:
        held = []
        for seed in range(5):
            play(table, seed, 40)
            held.append(table.host.match)
        table.host.ask(table.host.close)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        held.clear()
        gc.collect()
        assert before - tracemalloc.get_traced_memory()[0] > LEVEL_BYTES
    finally:
        tracemalloc.stop()
