"""The companion and a judge that was written apart from it say the same of random matches."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from reference.carcassonne.judge import Umpire
from support.carcassonne_match import PATTERNS, deck

from companion.games.carcassonne import moves as act
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.rules.laying import open_places
from companion.games.carcassonne.state import ground
from companion.games.protocol import Move, MoveContext
from companion.history.codec import encode_move

pytestmark = pytest.mark.core
CITIES = "ACDEFHKQZ"


def random_deck(rng: Random, count: int) -> dict[str, Any]:
    """Tiles of any patterns, cities or not."""
    letters = rng.choices(list(PATTERNS), k=count)
    return deck([letter + "+" * (letter in CITIES and rng.random() < 0.5) for letter in letters])


def attempts(game: Any, public: Any, rng: Random) -> list[Move]:
    """What somebody might try who does not know the rules: any seat, any tile, any place, any counter."""
    tiles, counters = sorted(game.setup.deck.tiles), sorted(game.setup.owners)
    places = [*sorted(open_places(ground(game.setup, public))), (0, 0), (rng.randint(-3, 3), rng.randint(-3, 3))]
    found: list[Move] = []
    for _ in range(3):
        seat, (x, y) = rng.randint(1, game.seats), rng.choice(places)
        counter = rng.choice(counters)
        tile = public.tile if public.tile and rng.random() < 0.7 else rng.choice(tiles)
        found += [
            act.LayTile(seat, rng.choice(tiles), x, y, rng.randrange(4)),
            act.DeployFollower(int(counter[1]), counter, tile, rng.randint(1, 4)),
            act.ScoreFollower(int(counter[1]), counter),
            act.DiscardTile(seat, rng.choice(tiles)),
        ]
    return [
        *found, act.FinishTurn(rng.randint(1, game.seats)), act.RemoveTile(0, rng.choice(tiles)),
        act.LayStart(0, rng.choice(tiles)), act.DeployFollower(1, rng.choice(counters), rng.choice(tiles), 1),
    ]  # fmt: skip


def compare(seed: int, count: int) -> int:
    """One match, with everything that both judges say compared after every act; how many verdicts that was."""
    rng = Random(seed)
    match, tiles = CARCASSONNE.demonstration.random_match(rng, "base"), random_deck(rng, count)
    game, umpire = CARCASSONNE.open_match(match, tiles), Umpire(match, tiles)
    player, state, number, verdicts = CARCASSONNE.demonstration.random_player(game), game.rules.start, 1, 0
    while not state.over:
        at = MoveContext(number, float(number))
        played = None
        for move in (*attempts(game, state, rng), *player(state, rng, at)):
            mine = game.rules.judge(state, move, at)
            theirs = umpire.judge(encode_move(move))
            assert sorted((one.rule, tuple(one.cards)) for one in mine) == sorted(theirs), (seed, number, move)
            verdicts += 1
            if not mine:
                played = (move,)
                break
            if played := game.rules.implied_moves(state, move, at):
                break
        assert played, f"nobody can do anything in match {seed} at {number}"
        for move in played:
            assert umpire.judge(encode_move(move)) == [], (seed, number, move)
            step = game.rules.apply(state, move, at)
            assert step.points == umpire.play(encode_move(move)), (seed, number, move)
            state = step.state
            number += 1
        assert list(state.points) == umpire.points[1:], (seed, number)
        assert list(state.supply) == umpire.supply()
        assert (state.tiles, state.over, list(state.winners)) == (umpire.left(), umpire.over, umpire.winners())
    for one in game.board.view(state, None)["territories"]:
        name, segment = one["segments"][0]
        values = umpire.value(name, segment), umpire.value(name, segment, at_end=True)
        assert (one["now"], one["final"]) == values, (seed, name, segment)
    return verdicts


@pytest.mark.parametrize("seeds", [range(start, start + 10) for start in range(0, 60, 10)], ids=str)
def test_both_judges_say_the_same_of_sixty_random_matches(seeds: range):
    assert sum(compare(seed, 12) for seed in seeds) > 1000


@pytest.mark.long
def test_both_judges_say_the_same_of_two_thousand_random_matches():
    assert sum(compare(seed, 10 + seed % 20) for seed in range(1000, 3000)) > 100_000
