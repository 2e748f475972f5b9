"""Whatever people let stand or lay down, nothing is lost, and no chip has a name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from support.conserved import count_things
from support.darwinci_match import Table, deck

from companion.errors import ImpossibleMove, InputError
from companion.games.darwinci import moves as act
from companion.games.darwinci.module import DARWINCI
from companion.games.protocol import Effect, Move, MoveContext
from companion.public.table import COMMAND_ZONE

pytestmark = pytest.mark.core
AT = MoveContext(1)


def match(seed: int, profile: str = "base") -> Iterator[tuple[Any, Any, Move, Effect[Any]]]:
    """A whole random match: game, state before, the move, what it brought about."""
    rng = Random(seed)
    made = DARWINCI.open_match(DARWINCI.demonstration.random_match(rng, profile), deck())
    player, state = DARWINCI.demonstration.random_player(made), made.rules.start
    while not state.over:
        move = next(move for move in player(state, rng, AT) if not made.rules.judge(state, move, AT))
        step = made.rules.apply(state, move, AT)
        yield made, state, move, step
        state = step.state


def test_what_pages_draw_from_names_no_chip():
    for made, _, _, step in match(4):
        words = json.dumps({**made.board.view(step.state, 1), "laid": []})
        assert not [card for card in made.setup.owners if f'"{card}"' in words]


def test_the_table_is_right_whatever_lies_there():
    table = Table()
    table.offers()
    lying = dict(table.game.table.expected(table.state).cards)
    lying |= {"R1": "offer-4", "T50": "plot-1 0 1 2", "T51": "offer-2", "KEND": COMMAND_ZONE}
    del lying["T13"]
    after = table.game.rules.adopt(table.state, lying, table.at)
    assert after.stones["R1"] == "offer-4"
    assert set(after.plots[0]) == {"T14", "T50"}
    assert after.offers[2] == "T51"
    assert count_things(table.game, after) == count_things(table.game, table.state)
    with pytest.raises(InputError, match="T40 is still for sale"):
        table.game.rules.adopt(table.state, {**lying, "T40": "plot-1 1 1 2"}, table.at)
    with pytest.raises(InputError, match="2 tiles lie at 0,1"):
        table.game.rules.adopt(table.state, {**lying, "T52": "plot-1 0 1 0"}, table.at)
    with pytest.raises(InputError, match="the match begins when"):
        table.game.rules.adopt(table.game.rules.start, lying, table.at)


def anything(made: Any, public: Any, rng: Random) -> Move:
    """What a phone could send: any move with any seat, thing and number that the record can hold."""
    seats, cards = [0, *made.setup.seats], sorted(made.table.cards.values())
    kind = rng.choice(list(made.rules.moves.values()))
    small = (*range(-2, 5), 99, -(10**9))
    plots = tuple(
        tuple((rng.choice(cards), rng.choice(small), rng.choice(small), rng.choice((0, 3, 7))) for _ in range(count))
        for count in rng.choices((0, 1, 2, 3), k=rng.choice((0, made.seats)))
    )
    values = {
        "by": rng.choice(seats), "to": rng.choice(seats), "x": rng.choice(small), "y": rng.choice(small),
        "turn": rng.choice((-1, 0, 3, 4)), "jewel": rng.choice(("red", "", "tin")), "amount": rng.choice(small),
        "size": rng.choice(small), "darwin": rng.choice(seats), "plots": plots, "reserves": ((), tuple(cards)),
        "card": rng.choice([*cards, *public.offers.values(), *public.won, *public.gone]),
    }  # fmt: skip
    return kind(**{one.name: values[one.name] for one in fields(kind)})


@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_let_stand_the_match_goes_on(seed: int):
    rng = Random(seed)
    made = DARWINCI.open_match(DARWINCI.demonstration.random_match(rng, ("base", "experts")[seed % 2]), deck())
    player, state, stood = DARWINCI.demonstration.random_player(made), made.rules.start, 0
    for number in range(250):
        if state.over:
            break
        proposed = list(player(state, rng, AT))
        lawful = [move for move in proposed if not made.rules.judge(state, move, AT)]
        move = anything(made, state, rng) if rng.random() < 0.5 or not lawful else rng.choice(proposed)
        objections = made.rules.judge(state, move, AT)
        for one in objections:
            assert made.words.reason(state, move, one).key.startswith("darwinci.objection.")
        try:
            step = made.rules.apply(state, move, MoveContext(number + 1, float(number)))
        except ImpossibleMove:
            assert objections, f"{move} is lawful, so it can be done"
            continue
        if isinstance(move, act.AgreeAllCounted) and objections:
            continue
        assert count_things(made, step.state) == 65 + len(made.setup.owners), move
        for said in (made.words.caption(state, move, step), made.board.offers(step.state, AT)):
            assert isinstance(said, tuple)
        assert json.dumps(made.board.view(step.state, None))
        assert made.board.standing(step.state).points == step.state.darwin
        stood += bool(objections)
        state = step.state
    assert stood > 3
