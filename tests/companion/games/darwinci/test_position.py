"""A match may begin in the middle: plots, offers, stones and money as a match file says them."""

from __future__ import annotations

from typing import Any

import pytest
from support.darwinci_match import deck, game

from companion.errors import InputError
from companion.games.darwinci import moves as act
from companion.games.darwinci.module import DARWINCI
from companion.games.protocol import MoveContext

PLOTS = [[f"T{13 + 2 * seat}@0,0/0", f"T{14 + 2 * seat}@1,0/0"] for seat in range(4)]
OFFERS = ["T40", "T41", "T42", "T43"]
SEATS = [{"name": name} for name in ("Ana", "Ben", "Cy", "Dora")]


def awarded(**position: Any) -> tuple[list[int], dict[int, dict[str, int]], int]:
    """Who wins each tile when the last turn ends, what lies in each reserve then, and who begins next."""
    made = game(4, position={"plots": PLOTS, "offers": OFFERS, "bidding": 3, **position})
    step = made.rules.apply(made.rules.start, act.EndBids(made.rules.start.turn), MoveContext(1))
    held: dict[int, dict[str, int]] = {seat: {} for seat in range(1, 5)}
    for card, zone in step.state.stones.items():
        counts = held[int(zone[-1])]
        counts[card[0]] = counts.get(card[0], 0) + 1
    return [one["to"] for one in step.extras["awards"]], held, step.state.first


@pytest.mark.parametrize(
    ("position", "winner", "sellers_red", "sellers_yellow"),
    [
        ({"bids": [[], ["R1", "R2", "G1", "G2"], [], []], "turn": 4}, 1, 1, 0),  # issue, position 1
        ({"bids": [[], ["R1", "R2", "Y1", "Y2"], [], []], "first": 3, "turn": 2}, 4, 0, 1),  # 3
        ({"bids": [[], ["R1", "R2", "R3", "G1", "G2"], [], []], "turn": 4}, 1, 2, 0),  # 4
        ({"bids": [[], ["Y1"], [], []], "turn": 4}, 4, 0, 0),  # 6
    ],
)
def test_a_position_of_the_rules_is_played_from(
    position: dict[str, Any], winner: int, sellers_red: int, sellers_yellow: int
) -> None:
    won, held, _ = awarded(**position)
    assert won[1] == winner
    assert (held[2].get("R", 0), held[2].get("Y", 0)) == (sellers_red, sellers_yellow)
    assert sum(map(sum, (counts.values() for counts in held.values()))) == 36


def test_the_die_goes_on_from_a_position() -> None:
    won, held, first = awarded(
        bids=[["Y1", "Y2", "Y3", "B1"], ["R1", "R2", "R3", "G1", "G2"], ["G3", "G4", "R4"], []],
        reserves=[[], ["R5", "R6", "R7", "R8", "R9"], [], []],
        turn=4,
    )
    assert won == [4, 1, 3, 0]
    assert first == 4
    assert held[1] == {"R": 2, "Y": 2}


def test_money_round_and_holder_are_those_of_the_position() -> None:
    state = game(4, position={"plots": PLOTS, "darwin": [1, -2, 3, 4], "round": 5, "holder": 3}).rules.start
    assert (state.darwin, state.round, state.holder, state.first, state.turn) == ((1, -2, 3, 4), 5, 3, 1, 0)
    assert state.dealt


@pytest.mark.parametrize(
    ("position", "faults"),
    [
        ("five", ["position"]),
        ({"plot": []}, ["key"]),
        ({"plots": PLOTS[:2]}, ["each"]),
        ({"plots": [["T05"], ["T99@0,0/0"], ["T05@0,0/9"], []]}, ["laid"] * 3),
        ({"plots": [["T05@0,0/0", "T05@1,0/0"], ["T06@0,0/0", "T07@0,0/1"], [], []]}, ["there"] * 2),
        ({"plots": PLOTS, "offers": ["T13", "T40", "T40", "X"]}, ["there", "there", "no_tile"]),
        ({"plots": PLOTS, "reserves": [["R1", "R1"], ["W1"], 3, []]}, ["there", "stone", "list"]),
        ({"plots": PLOTS, "bids": [["R1"], [], [], []]}, ["there"]),
        ({"plots": PLOTS, "bidding": 2}, ["unoffered"]),
        ({"plots": PLOTS, "turn": 5, "first": 0, "round": True, "darwin": [1, 2, 3, "4"]}, ["number"] * 4),
    ],
)
def test_every_fault_of_a_position_is_named(position: Any, faults: list[str]) -> None:
    with pytest.raises(InputError) as wrong:
        DARWINCI.open_match({"seat": SEATS, "position": position}, deck())
    assert sorted(one.key.rpartition(".")[2] for one in wrong.value.faults) == sorted(faults)
