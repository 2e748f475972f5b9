"""A match that begins in the middle: what its file says is what is played from, and every fault is named."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from support.lands_match import AT, deck, game

from companion.errors import InputError
from companion.games.lands import moves as act
from companion.games.lands.module import LANDS

pytestmark = pytest.mark.core

SEATS = [{"name": "Ana"}, {"name": "Ben"}]
WHOLE = {
    "tiles": ["M01", "M02"],
    "joins": [["M02-1", "M01-6"]],
    "stands": ["M02-1", "M01-1"],
    "packs": [["P01", "O07"], ["P02"]],
    "tokens": [["wood", "wood", "stone"], []],
    "damage": [["hunger", "skull"], []],
    "stamina": [4, 9],
    "day": 3,
    "first": 2,
    "turn": 1,
    "done": [2],
    "nights": ["N01", "N03"],
    "out": ["O05"],
    "fires": {"M01-1": False},
    "springs": {"M01-4": "dirty-water"},
    "wounds": {"E03": 2},
}


def begun(seats: int = 2, **position: Any) -> tuple[Any, Any]:
    made = game(seats, position=position)
    return made, made.rules.start


def rules(made: Any, state: Any, move: Any) -> list[str]:
    return [one.rule for one in made.rules.judge(state, move, AT)]


def test_everything_that_a_position_names_is_played_from() -> None:
    made, state = begun(**WHOLE)
    assert made.board.standing(state).counters == {"stamina": (4, 9), "damage": (2, 0), "items": (4, 0), "day": 3}
    assert (state.turn, state.first, state.done, state.night) == (1, 2, {2}, False)
    assert rules(made, state, act.DropCard(1, "O07")) == ["quest"]
    assert rules(made, state, act.Travel(1, "F1", "M02-3")) == []  # three and one
    assert rules(made, state, act.GainItem(1, "O05")) == []
    assert rules(made, state, act.RelightFire(2)) == ["turn"]
    assert rules(made, state, act.LootDead(1, 2, kind="wood")) == ["not-offered"]
    after = made.rules.apply(state, act.EndActs(1), AT).state
    assert after.night
    assert rules(made, after, act.TurnNight(0, "N03")) == ["not-there"]
    fight = made.rules.apply(after, act.BeginFight(1, "E03"), AT).state
    assert made.board.view(fight, 1)["fight"]["wounds"] == 2
    places = made.table.expected(state).cards
    assert (places["F1"], places["M02"], places["O05"]) == ("on M02-1", "new M02-1=M01-6", "out")


def test_what_is_left_out_is_as_on_the_first_day() -> None:
    made, state = begun(tiles=["M01"], stands=["M01-1", "M01-2"])
    assert made.board.standing(state).counters == {"stamina": (10, 10), "damage": (0, 0), "items": (2, 2), "day": 1}
    assert (state.turn, state.first) == (1, 1)
    assert rules(made, state, act.GatherToken(1, "wood")) == []


@pytest.mark.parametrize("said", [{"tokens": [[], []]}, {"damage": [[], []]}, {"stamina": [10, 10]}], ids=str)
def test_u17_a_position_that_says_what_lies_before_people_is_judged_by_it(said: dict[str, Any]) -> None:
    """Where nothing is said of it, tokens lie on the table and nobody is held to them."""
    there = {"tiles": ["M01"], "stands": ["M01-1", "M01-2"], "packs": [["P01"], []]}
    made, state = begun(**there)
    assert rules(made, state, act.CraftObject(1, "O01")) == []
    made, state = begun(**there, **said)
    assert rules(made, state, act.CraftObject(1, "O01")) == ["have"]


def test_a_night_with_two_dead_of_four_and_one_who_left() -> None:
    four = [["hunger"] * 4, [], ["skull"] * 4, []]
    made, state = begun(
        4, tiles=["M01"], stands=["M01-1", "M01-1", "M01-2", ""], damage=four, left=[4], turn=0, resolved=True
    )
    assert (state.night, state.first, made.board.standing(state).owed[0].do) == (True, 2, "lead")
    assert rules(made, state, act.BeginDay(0, 1)) == ["dead"]
    assert rules(made, state, act.BeginDay(0, 4)) == ["left"]
    state = made.rules.apply(state, act.BeginDay(0, 2), AT).state
    state = made.rules.apply(state, act.EndActs(2), AT).state
    assert state.night  # nobody else can act
    state = made.rules.apply(state, act.LeaveMap(2), AT).state
    assert (state.over, made.board.standing(state).winners) == (True, (2, 4))


@pytest.mark.parametrize(
    ("position", "faults"),
    [
        ("three", ["position"]),
        ({}, ["position.tiles", "position.stands.0", "position.stands.1"]),
        ({**WHOLE, "sea": 1}, ["position.sea"]),
        ({**WHOLE, "tiles": ["M01", "M02", "M01"]}, ["position.tiles"]),
        ({**WHOLE, "tiles": ["M01", "M02", "X3"]}, ["position.tiles.2"]),
        ({**WHOLE, "joins": [["M02-1", "M03-1"], 4]}, ["position.joins.0", "position.joins.1", "position.joins.1"]),
        ({**WHOLE, "stands": ["M02-9", "M01-1"]}, ["position.stands.0"]),
        ({**WHOLE, "stands": ["M02-1"]}, ["position.stands"]),
        ({**WHOLE, "packs": [["P01", "O05"], ["P01"]]}, ["position.packs.1.0", "position.out.0"]),
        ({**WHOLE, "packs": [["M01"], "P02"]}, ["position.packs.0.0", "position.packs.1"]),
        ({**WHOLE, "tokens": [["gold"], []]}, ["position.tokens.0.0"]),
        ({**WHOLE, "damage": [["skull"] * 5, ["cold"]]}, ["position.damage.1.0", "position.damage.0"]),
        ({**WHOLE, "damage": [["skull"] * 4, ["skull"] * 4]}, ["position"]),
        ({**WHOLE, "damage": [["skull"] * 4, []]}, ["position.turn"]),
        ({**WHOLE, "stamina": [13, -1]}, ["position.stamina.0", "position.stamina.1"]),
        ({**WHOLE, "day": 0}, ["position.day"]),
        ({**WHOLE, "day": 100}, ["position.day"]),
        ({**WHOLE, "nights": ["N01"] * 101}, ["position.nights"]),
        ({**WHOLE, "wounds": {f"E{number}": 1 for number in range(101)}}, ["position.wounds"]),
        ({**WHOLE, "first": 0}, ["position.first"]),
        ({**WHOLE, "turn": 2}, ["position.turn"]),
        ({**WHOLE, "turn": True}, ["position.turn"]),
        ({**WHOLE, "done": [3], "turn": 2}, ["position.done.0"]),
        ({**WHOLE, "resolved": 1}, ["position.resolved"]),
        ({**WHOLE, "nights": ["N01", "N01"]}, ["position.nights.1"]),
        ({**WHOLE, "fires": {"M09-1": True, "M01-1": 1}}, ["position.fires.M09-1", "position.fires.M01-1"]),
        ({**WHOLE, "springs": {"M01-4": "wood"}}, ["position.springs.M01-4"]),
        ({**WHOLE, "springs": []}, ["position.springs"]),
        ({**WHOLE, "wounds": {"E03": 0, "M01": 1}}, ["position.wounds.E03", "position.wounds.M01"]),
    ],
)
def test_every_fault_of_a_position_is_named(position: Any, faults: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        LANDS.open_match({"seat": SEATS, "position": position}, deck())
    assert [".".join(map(str, one.where)) for one in caught.value.faults] == faults


def test_the_position_of_the_documentation_is_one() -> None:
    """What the contract shows can be copied; it is of the demo island."""
    from companion.games.lands.module import LANDS
    from companion.games.registry import demo_deck

    text = (Path(__file__).parents[4] / "docs/contract.md").read_text(encoding="utf-8")
    block = text[text.index("[position]\ntiles") :].split("```")[0]
    made = LANDS.open_match({"seat": SEATS, **tomllib.loads(block)}, demo_deck(LANDS))
    assert made.rules.start.day == 3
