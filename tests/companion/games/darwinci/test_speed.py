"""How long a verdict takes, in processor time, so that others at work on the machine do not count."""

from __future__ import annotations

import time
from random import Random

import pytest
from support.darwinci_match import game

from companion.games.darwinci.module import DARWINCI
from companion.games.protocol import MoveContext


@pytest.mark.parametrize("profile", ["base", "experts"])
def test_a_verdict_takes_a_millisecond_at_most(profile: str) -> None:
    """ "judge <= 1 ms", over a whole match of five seats."""
    five = game(5, profile=profile)
    dice, state, player, asked, number = Random(2), five.rules.start, DARWINCI.demonstration.random_player(five), [], 0
    while not state.over:
        at, number = MoveContext(number + 1, float(number)), number + 1
        moves = list(player(state, dice, at))
        asked += [(state, move, at) for move in moves]
        state = five.rules.apply(state, next(move for move in moves if not five.rules.judge(state, move, at)), at).state
    begun = time.process_time()
    for before, move, at in asked:
        five.rules.judge(before, move, at)
    each_s = (time.process_time() - begun) / len(asked)
    print(f"{len(asked)} verdicts, {each_s * 1e6:.0f} µs each")
    assert len(asked) > 500
    assert each_s < 0.001
