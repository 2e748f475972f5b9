"""The sixteen positions that the game was ordered with, each with its outcome as it was written down.

Seats 1 to 4 are red, blue, green and yellow; "red 2→1" is two red stones that go home to seat 1.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.darwinci_match import ROTTEN, WORTH_3, Table

from companion.games.darwinci.moves import BuyTiles, CountJewel, DropBone, EndBids
from companion.games.darwinci.rules.awards import next_holder
from companion.games.lattice import Cell

pytestmark = pytest.mark.core


def play(bids: dict[str, str], first: int = 1, **match: Any) -> tuple[list[int], str, Table]:
    """The winners by seat of the seller, every stone's way home in words, and the table afterwards."""
    table = Table(first=first, **match)
    table.offers()
    table.moves_stones({key.replace("on_", "offer-"): words for key, words in bids.items()})
    setup = table.game.setup
    before = {card: zone for card, zone in table.state.stones.items() if zone.startswith("offer")}
    table.state = replace(table.state, bidding=3, turn=setup.right_of(first), first=first)
    step = table.does(EndBids(setup.right_of(first)))
    ways: dict[tuple[str, int], int] = {}
    for card in before:
        key = ("big " if card.endswith("0") else "") + setup.colours[setup.owners[card] - 1]
        to = int(table.state.stones[card].removeprefix("reserve-"))
        ways[key, to] = ways.get((key, to), 0) + 1
    said = ", ".join(f"{colour} {n}→{to}" for (colour, to), n in sorted(ways.items()))
    return [award["to"] for award in step.extras["awards"]], said, table


def test_1_w15_w16_w19_w20_w21_two_red_and_two_green_on_2():
    """on 2: 2 red, 2 green | 1 wins; red 1→1, 1→2; green 2→3"""
    won, said, _ = play({"on_2": "2 red, 2 green"})
    assert won == [0, 1, 0, 0]
    assert said == "green 2→3, red 1→1, red 1→2"


def test_2_w16_two_green_and_two_yellow_on_2():
    """on 2: 2 green, 2 yellow | 3 wins; green 1→3, 1→2; yellow 2→4"""
    won, said, _ = play({"on_2": "2 green, 2 yellow"})
    assert won == [0, 3, 0, 0]
    assert said == "green 1→2, green 1→3, yellow 2→4"


def test_3_w16_a_tie_is_counted_from_the_first_player():
    """first 3; on 2: 2 red, 2 yellow | 4 wins; yellow 1→4, 1→2; red 2→1"""
    won, said, _ = play({"on_2": "2 red, 2 yellow"}, first=3)
    assert won == [0, 4, 0, 0]
    assert said == "red 2→1, yellow 1→2, yellow 1→4"


def test_4_w15_w20_three_red_and_two_green_on_2():
    """on 2: 3 red, 2 green | 1 wins; red 1→1, 2→2; green 2→3"""
    won, said, _ = play({"on_2": "3 red, 2 green"})
    assert won == [0, 1, 0, 0]
    assert said == "green 2→3, red 1→1, red 2→2"


def test_5_w17_w20_who_wins_his_own_tile_gets_all_his_stones():
    """on 1: 3 red, 2 yellow | 1 wins; red 3→1; yellow 2→4; die to 2"""
    won, said, table = play({"on_1": "3 red, 2 yellow"})
    assert won == [1, 0, 0, 0]
    assert said == "red 3→1, yellow 2→4"
    assert table.state.first == 2


def test_6_w19_one_stone_is_taken_back_and_the_seller_gets_nothing():
    """on 2: 1 yellow | 4 wins; yellow 1→4; seller nothing"""
    won, said, _ = play({"on_2": "1 yellow"})
    assert won == [0, 4, 0, 0]
    assert said == "yellow 1→4"


def test_7_w15_w17_w18_w19_w20_w21_a_whole_round():
    """on 1: 3 yellow, 1 blue; on 2: 3 red, 2 green; on 3: 2 green, 1 red; on 4: none | 4, 1, 3 win; 4's tile leaves;
    seat 1 gets 2 red 2 yellow, 2: 2 red 1 blue, 3: 4 green, 4: 1 yellow; next first 4"""
    won, said, table = play({"on_1": "3 yellow, 1 blue", "on_2": "3 red, 2 green", "on_3": "2 green, 1 red"})
    assert won == [4, 1, 3, 0]
    assert table.state.gone == ("T43",)
    assert said == "blue 1→2, green 4→3, red 2→1, red 2→2, yellow 2→1, yellow 1→4"
    assert table.state.first == 4


def test_8_w10_w11_the_first_turn_with_two_foreign_stones():
    """turn 1, reserve 7 own, 1 blue, 1 green: both + one own, end; blue alone, end; two own |
    lawful; `duty`; `own-one`"""
    table = Table()
    table.at_bids(1, 1, reserve_1="7 red, 1 blue, 1 green")
    table.bids("B", "R", "G")
    table.does(EndBids(1))
    table = Table()
    table.at_bids(1, 1, reserve_1="7 red, 1 blue, 1 green")
    table.bids("B")
    assert table.judge(EndBids(1)) == ["duty"]
    table = Table()
    table.at_bids(1, 1, reserve_1="7 red, 1 blue, 1 green")
    table.bids("R")
    assert table.judge(table.bid("R")) == ["own-one"]


@pytest.mark.parametrize(("foreign", "must"), [("", 0), ("1 blue", 1), ("2 blue, 1 green", 2)])
def test_9_w10_what_must_be_laid_in_the_first_turn(foreign: str, must: int):
    """turn 1, foreign held 0, 1, 3 | must lay 0, 1, 2"""
    table = Table()
    table.at_bids(1, 1, reserve_1=", ".join(filter(None, ("6 red", foreign))))
    for _ in range(must):
        assert table.judge(EndBids(1)) == ["duty"]
        assert table.game.board.view(table.state, None)["must"] > 0
        table.bids("B")
    assert table.judge(EndBids(1)) == []


@pytest.mark.parametrize(("turn", "holder", "said"), [(2, 3, ["too-many"]), (2, 1, []), (3, 1, ["too-many"])])
def test_10_w12_w13_w14_three_stones_in_a_later_turn(turn: int, holder: int, said: list[str]):
    """three chips: turn 2; turn 2 with Darwin tile; turn 3 with it | `too-many`; lawful; `too-many`"""
    table = Table()
    table.at_bids(turn, 1)
    table.state = replace(table.state, holder=holder)
    table.bids("R", "R")
    assert table.judge(table.bid("R")) == said


def test_11_w23_a_plot_of_three_by_four():
    """plot (0,0) (1,0) (2,0) (3,0): + (0,1) + (0,2); then + (0,3); the four alone + (-1,0) |
    lawful; `frame`; `frame`"""
    table = Table()
    table.plot(1, [(0, 0), (1, 0), (2, 0), (3, 0)])
    table.wins(1, "T40", "T41", "T42")
    assert table.judge(table.lay(1, "T40", -1, 0)) == ["frame"]
    table.does(table.lay(1, "T40", 0, 1))
    table.does(table.lay(1, "T41", 0, 2))
    assert table.judge(table.lay(1, "T42", 0, 3)) == ["frame"]


def test_12_w22_edge_to_edge():
    """plot (0,0) (1,0): + (2,1); or + (1,1) | `side`; lawful"""
    table = Table()
    table.plot(1, [(0, 0), (1, 0)])
    table.wins(1, "T40")
    assert table.judge(table.lay(1, "T40", 2, 1)) == ["side"]
    assert table.judge(table.lay(1, "T40", 1, 1)) == []


@pytest.mark.parametrize(
    ("tiles", "holder", "next_one"), [("4335", 2, 3), ("4335", 1, 2), ("2335", 1, 1), ("3335", 4, 1)]
)
def test_13_w26_who_gets_the_darwin_tile(tiles: str, holder: int, next_one: int):
    """tiles by seat 4 3 3 5, holder 2; same, holder 1; 2 3 3 5, holder 1; 3 3 3 5, holder 4 |
    Darwin tile to 3; 2; 1 (keeps); 1"""
    table = Table()
    names = iter(sorted(table.game.setup.deck.tiles))
    plots = tuple({next(names): Cell(column, 0) for column in range(int(count))} for count in tiles)
    state = replace(table.state, plots=plots, holder=holder, passed=False)
    assert next_holder(table.game.setup, state) == next_one


def test_14_w3_w6_w25_w30_money():
    """12: buy, rotten −5, income 6; buy with 2; −5 with 3 | 9, 4, 10; `money`; −2, said"""
    table = Table()
    assert table.state.darwin[0] == 12
    table.does(BuyTiles(1))
    assert table.state.darwin[0] == 9
    table.wins(1, ROTTEN[-5])
    table.does(table.lay(1, ROTTEN[-5], 1, 1))
    assert table.state.darwin[0] == 4
    table.does(CountJewel(1, "red", 6))
    assert table.state.darwin[0] == 10
    table.has(2, 2)
    assert table.judge(BuyTiles(2)) == ["money"]
    table = Table()
    table.has(3, 3)
    table.wins(3, ROTTEN[-5])
    move, before = table.lay(3, ROTTEN[-5], 1, 1), table.state
    step = table.does(move)
    assert table.state.darwin[2] == -2
    assert "darwinci.caption.debt" in [text.key for text in table.game.words.caption(before, move, step)]


def test_15_w25_w28_w29_two_tiles_for_one_place():
    """11 tiles, won +3 and −4: +3 laid; or −4 laid | `must-lay`; 4 paid, +3 dropped"""
    table = Table()
    table.plot(1, [(x, y) for y in range(3) for x in range(4)][:11])
    table.wins(1, WORTH_3, ROTTEN[-4])
    (objection,) = table.game.rules.judge(table.state, table.lay(1, WORTH_3, 3, 2), table.at)
    assert (objection.rule, objection.cards) == ("must-lay", (ROTTEN[-4],))
    assert table.judge(DropBone(1, WORTH_3)) == ["must-lay"]
    table.does(table.lay(1, ROTTEN[-4], 3, 2))
    assert table.state.darwin[0] == 8
    table.does(DropBone(1, WORTH_3))
    assert table.state.gone == (WORTH_3,)


def test_16_w32_the_big_stones_of_experts():
    """experts, on 2: big red, 2 green; big and small red, 2 green; held: foreign big and small, small laid first |
    1 wins by tie, big→1; 1 wins, small→1, big→2; `big-first`"""
    won, said, _ = play({"on_2": "1 big red, 2 green"}, profile="experts")
    assert (won, said) == ([0, 1, 0, 0], "big red 1→1, green 2→3")
    won, said, _ = play({"on_2": "1 big red, 1 red, 2 green"}, profile="experts")
    assert (won, said) == ([0, 1, 0, 0], "big red 1→2, green 2→3, red 1→1")
    table = Table(profile="experts")
    table.at_bids(1, 1, reserve_1="4 red, 1 big red, 1 big blue, 2 green")
    assert table.judge(table.bid("G")) == ["big-first"]
    table.bids("B0", "G")
