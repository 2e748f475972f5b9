"""Whatever people let stand, the match goes on, and no ledger falls below nothing."""

from __future__ import annotations

import json
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from support.lands_match import AT, demo_deck

from companion.errors import ImpossibleMove
from companion.games.lands import moves as act
from companion.games.lands.deck import DAMAGE, RESOURCES
from companion.games.lands.module import LANDS
from companion.games.lands.state import hurt
from companion.games.move_words import move_parameters
from companion.games.protocol import Move, MoveContext

pytestmark = pytest.mark.core


def anything(made: Any, public: Any, rng: Random) -> Move:
    """What a phone could send: any move with any seat, thing and number that the record can hold."""
    seats, cards = [0, *made.setup.seats, 9], sorted(made.table.cards.values())
    spaces = [*public.ways, "M01-1", "", "M99-9", "x"]
    kinds = [*RESOURCES, *DAMAGE, "enemy", "paw", "nothing", "", "gold"]
    kind = rng.choice(list(made.rules.moves.values()))
    numbers, dice = (-1, 0, 1, 3, 99, 10**9), (None, 1, 3, 12)
    stands = tuple(rng.choice(spaces) for _ in range(rng.choice((0, made.seats))))
    joins = tuple((rng.choice(spaces), rng.choice(spaces)) for _ in range(rng.choice((0, 0, 1, 2))))
    values: dict[str, Any] = {
        "by": rng.choice(seats), "card": rng.choice([*cards, "F1", "F2"]), "space": rng.choice(spaces),
        "joins": joins, "stands": stands, "tiles": tuple(rng.sample([c for c in cards if c[0] == "M"], 2)),
        "kind": rng.choice(kinds), "seat": rng.choice(seats), "on": rng.choice(seats), "source": rng.choice(seats),
        "count": rng.choice(numbers), "lit": rng.random() < 0.5, "water": rng.choice(("clean", "dirty", "hot")),
        "how": rng.choice(("die", "medicine", "luck")), "die": rng.choice(dice), "grey": rng.choice(dice),
        "red": rng.choice(dice), "defence": rng.choice(numbers), "attack": rng.choice(dice), "life": rng.choice(dice),
        "lethal": rng.random() < 0.5, "colour": rng.choice((None, "blue", "pink")), "tribal": rng.random() < 0.5,
        "makes": rng.choice((None, "O01", "M01", "x")), "name": rng.choice((None, "Axe")), "quest": None,
        "n": rng.choice(numbers),
    }  # fmt: skip
    few, points = (-1, 0, 1, 2, 3, 21), (-51, -50, 0, 17, 50, 10**9)
    several = range(rng.choice((0, 0, 1, 2, 3)))
    values |= {
        "spaces": tuple((rng.choice(points), rng.choice(points)) for _ in several),
        "costs": tuple(rng.choice(few) for _ in several), "landmarks": (rng.choice(few),) * rng.choice((0, 1)),
        "ways": ((rng.choice(few), rng.choice(few)),) * rng.choice((0, 1)), "fires": (rng.choice(few),),
        "exits": ((rng.choice(few), rng.choice(points), rng.choice(points)),) * rng.choice((0, 1)),
    }  # fmt: skip
    values["to"] = rng.choice(spaces) if kind in (act.Travel, act.PlaceFigure) else rng.choice(seats)
    values["cost"] = rng.choice((None, "wood", "gold wood")) if kind is act.TellFacts else rng.choice(numbers[:4])
    if kind is act.RollDice:
        values |= {"grey": rng.randint(1, 12), "red": rng.randint(1, 12)}
    if kind in (act.GainItem, act.LootDead, act.UseCard) and rng.random() < 0.5:
        values["card"] = None
    return kind(**{one.name: values[one.name] for one in fields(kind)})


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 6])
def test_whatever_people_let_stand_the_match_goes_on(seed: int):
    rng = Random(seed)
    made = LANDS.open_match(LANDS.demonstration.random_match(rng, "base"), demo_deck())
    player, state, stood = LANDS.demonstration.random_player(made), made.rules.start, 0
    for number in range(200):
        if state.over:
            break
        proposed = list(player(state, rng, AT))
        lawful = [move for move in proposed if not made.rules.judge(state, move, AT)]
        move = anything(made, state, rng) if rng.random() < 0.6 or not lawful else rng.choice(lawful)
        objections = made.rules.judge(state, move, AT)
        for one in objections:
            assert made.words.reason(state, move, one).key.startswith("lands.objection.")
        try:
            step = made.rules.apply(state, move, MoveContext(number + 1, float(number)))
        except ImpossibleMove:
            assert objections, f"{move} is lawful, so it can be done"
            continue
        if isinstance(move, act.AgreeScenarioEnds | act.LeaveMap) or (step.state.over and rng.random() < 0.9):
            continue
        assert all(count > 0 for ledger in step.state.resources for count in ledger.values()), move
        assert all(points >= 0 for points in step.state.stamina), move
        assert all(hurt(step.state, seat) <= 4 for seat in made.setup.seats), move
        for said in (made.words.caption(state, move, step), made.rules.implied_moves(state, move, AT)):
            assert isinstance(said, tuple)
        if number % 10 == 0:
            assert isinstance(made.board.offers(step.state, AT), tuple)
        assert json.dumps(made.board.view(step.state, None))
        assert move_parameters(move, 1)
        stood += bool(objections)
        state = step.state
    assert stood > 3
