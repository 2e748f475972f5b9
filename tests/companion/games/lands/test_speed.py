"""How long a verdict takes, in processor time, so that others at work on the machine do not count."""

from __future__ import annotations

import time
from random import Random

from support.lands_match import demo_deck

from companion.games.lands.module import LANDS
from companion.games.lands.random_play import propose
from companion.games.protocol import MoveContext


def test_a_verdict_takes_a_millisecond_at_most() -> None:
    """ "judge <= 1 ms", over some days of four players on the whole demo island."""
    game = LANDS.open_match({"seat": [{"name": name} for name in ("Ana", "Ben", "Cléo", "Dora")]}, demo_deck())
    dice, state, asked = Random(2), game.rules.start, []
    for number in range(1, 250):
        at = MoveContext(number)
        moves = list(propose(game.setup, state, dice))
        asked += [(state, move) for move in moves]
        lawful = [move for move in moves if not game.rules.judge(state, move, at)]
        if not lawful:
            break
        state = game.rules.apply(state, lawful[0], at).state
    begun = time.process_time()
    for before, move in asked:
        game.rules.judge(before, move, MoveContext(1))
    each_s = (time.process_time() - begun) / len(asked)
    assert len(asked) > 300
    assert each_s < 0.001
    print(f"{len(asked)} verdicts, {each_s * 1e6:.0f} µs each")
