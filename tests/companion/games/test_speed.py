"""How long a verdict takes, in processor time, so that others at work on the machine do not count."""

from __future__ import annotations

import time
from random import Random

import pytest

from companion.games.protocol import MoveContext
from companion.games.registry import GAMES, demo_deck

FULL = {
    "darwinci base": ("darwinci", "base", 5, 500),
    "darwinci experts": ("darwinci", "experts", 5, 500),
    "lands": ("lands", "base", 4, 300),
}
"""Game, profile, seats, and the fewest verdicts that are measured."""
MOST_MOVES = 400


@pytest.mark.parametrize(("name", "profile", "seats", "fewest"), FULL.values(), ids=FULL)
def test_a_verdict_takes_a_millisecond_at_most(name: str, profile: str, seats: int, fewest: int) -> None:
    """ "judge <= 1 ms", at a full table."""
    module = GAMES[name]
    match = {"profile": profile, "seat": [{"name": f"P{seat}"} for seat in range(seats)]}
    game = module.open_match(match, demo_deck(module))
    dice, state, player, asked = Random(2), game.rules.start, module.demonstration.random_player(game), []
    for number in range(1, MOST_MOVES):
        at = MoveContext(number, float(number))
        moves = list(player(state, dice, at))
        asked += [(state, move, at) for move in moves]
        lawful = next((move for move in moves if not game.rules.judge(state, move, at)), None)
        if lawful is None:
            break
        state = game.rules.apply(state, lawful, at).state
    begun = time.process_time()
    for before, move, at in asked:
        game.rules.judge(before, move, at)
    each_s = (time.process_time() - begun) / len(asked)
    print(f"{len(asked)} verdicts, {each_s * 1e6:.0f} µs each")
    assert len(asked) > fewest
    assert each_s < 0.001
