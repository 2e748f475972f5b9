"""The rules by their ids, each as the rule book says it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from support.darwinci_match import ROTTEN, WORTH_3, Table, game

from companion.errors import ImpossibleMove, InputError
from companion.games.darwinci.moves import (
    AgreeAllCounted,
    BidStone,
    BuyTiles,
    CountJewel,
    DropBone,
    EndBids,
    LayBone,
    OfferTile,
    SizeCreature,
)
from companion.games.darwinci.random_play import random_deal
from companion.games.protocol import MoveContext

pytestmark = pytest.mark.core
AT = MoveContext(1)
FULL_PLOT = [(x, y) for y in range(3) for x in range(4)]


def test_w1_seven_stones_of_ones_own_and_one_of_each_neighbour():
    made = game(4)
    dealt = random_deal(made.setup, Random(1))
    assert made.rules.judge(made.rules.start, dealt, AT) == ()
    one, two, *rest = dealt.reserves
    red = next(card for card in one if card[0] == "R")
    moved = replace(dealt, reserves=(tuple(card for card in one if card != red), (*two, red), *rest))
    (objection,) = made.rules.judge(made.rules.start, moved, AT)
    assert objection.rule == "deal"
    across = replace(dealt, reserves=(dealt.reserves[2], two, dealt.reserves[0], rest[1]))
    assert [objection.rule for objection in made.rules.judge(made.rules.start, across, AT)] == ["deal"]
    state = made.rules.apply(made.rules.start, moved, AT).state  # what people let stand is the match
    assert state.dealt


@pytest.mark.parametrize(("holder", "first"), [(1, 4), (2, 1), (4, 3)])
def test_w2_the_darwin_tile_lies_on_the_left_of_who_begins(holder: int, first: int):
    made = game(4)
    state = made.rules.apply(made.rules.start, replace(random_deal(made.setup, Random(1)), darwin=holder), AT).state
    assert (state.holder, state.first) == (holder, first)


def test_w4_two_tiles_touch_by_a_side():
    made = game(3)
    dealt = random_deal(made.setup, Random(1))
    corner = (("T13", 0, 0, 0), ("T14", 1, 1, 0))
    plots = (corner, (("T15", 0, 0, 0), ("T16", 0, 1, 0)), (("T17", 0, 0, 0), ("T18", -1, 0, 3)))
    (objection,) = made.rules.judge(made.rules.start, replace(dealt, plots=plots), AT)
    assert (objection.rule, objection.cards) == ("side", ("T13", "T14"))


def test_w5_rotten_bones_in_the_first_plot_are_paid_as_well():
    made = game(3)
    dealt = random_deal(made.setup, Random(1))
    rotten = ((ROTTEN[-2], 0, 0, 0), (ROTTEN[-5], 1, 0, 0))
    plots = (rotten, (("T15", 0, 0, 0), ("T16", 0, 1, 0)), (("T17", 0, 0, 0), ("T21", -1, 0, 3)))
    state = made.rules.apply(made.rules.start, replace(dealt, plots=plots), AT).state
    assert state.darwin == (5, 12, 12)


def test_w6_two_tiles_for_3_darwin_once_and_before_the_offers():
    table = Table()
    table.does(BuyTiles(2))
    assert table.judge(BuyTiles(2)) == ["late"]
    table.does(OfferTile(1, "T40"))
    assert table.judge(BuyTiles(3)) == ["late"]
    table.has(4, 2)
    assert table.judge(BuyTiles(4)) == ["late", "money"]


def test_w7_each_player_offers_one_tile_before_stones_are_laid():
    table = Table()
    assert table.judge(table.bid("R", to=1, seat=1)) == ["order"]
    table.does(OfferTile(3, "T40"))
    assert table.judge(OfferTile(3, "T41")) == ["offered"]
    assert table.judge(OfferTile(1, "T40")) == ["not-there"]
    assert table.judge(table.bid("R", to=3, seat=1)) == ["order"]
    assert table.judge(EndBids(1)) == ["order"]
    for seat, card in ((2, "T41"), (4, "T42"), (1, "T43")):
        table.does(OfferTile(seat, card))
    assert (table.state.bidding, table.state.turn) == (1, 1)
    table.does(table.bid("R"))


def test_w8_the_first_player_bids_then_the_others_clockwise():
    table = Table(first=3)
    table.offers()
    assert table.judge(table.bid("R", seat=1)) == ["turn"]
    turns = []
    for _ in range(12):
        turns.append((table.state.bidding, table.state.turn))
        foreign = [name for name in table.in_reserve(table.state.turn) if name != "RBGY"[table.state.turn - 1]]
        if table.state.bidding == 1:
            table.bids(*foreign)
        table.does(EndBids(table.state.turn))
    assert turns == [(turn, seat) for turn in (1, 2, 3) for seat in (3, 4, 1, 2)]
    assert table.state.bidding == 0


def test_w8_the_next_seats_stone_ends_a_turn_that_owes_nothing():
    table = Table()
    table.offers()
    early = table.bid("B", seat=2)
    assert table.judge(early) == ["turn"]
    assert table.game.rules.implied_moves(table.state, early, table.at) == ()
    table.bids("B", "Y")
    assert table.game.rules.implied_moves(table.state, early, table.at) == (EndBids(1), early)
    assert table.game.rules.implied_moves(table.state, table.bid("G", seat=3), table.at) == ()


def test_w9_everybody_bids_from_his_own_reserve():
    table = Table()
    table.at_bids(2, 1)
    theirs = table.stone(2, "B")
    assert table.judge(BidStone(1, theirs, 3)) == ["reserve"]
    table.bids("R")
    (laid,) = table.beside(2)
    assert table.judge(BidStone(1, laid, 3)) == ["reserve"]


def test_w24_a_tile_that_was_laid_stays():
    table = Table()
    assert table.judge(LayBone(1, "T13", 0, 1, 0)) == ["moved"]
    before = table.state.darwin
    table.does(LayBone(1, "T13", 0, 1, 0), anyway=True)
    assert table.state.darwin == before


def test_w26_the_darwin_tile_goes_to_the_fewest_tiles_when_all_is_laid():
    table = Table()
    table.plot(3, [(0, 0)])
    table.awards(on_1="1 blue", on_2="1 red")
    assert table.state.holder == 2
    table.does(table.lay(2, "T40", 0, 1))
    assert table.state.holder == 2
    table.does(table.lay(1, "T41", 0, 1))
    assert table.state.holder == 3


def test_w27_twelve_tiles_are_the_end():
    table = Table()
    table.plot(1, FULL_PLOT)
    assert table.judge(OfferTile(1, "T40")) == ["game-over"]
    assert table.judge(BuyTiles(1)) == ["game-over"]
    assert table.judge(AgreeAllCounted(0)) == []
    assert "agree_end" in {one.do for one in table.game.board.offers(table.state, table.at)}
    assert Table().judge(AgreeAllCounted(0)) == ["not-offered"]


def test_w27_when_tiles_run_out_the_match_ends_as_well():
    table = Table(3)
    left = [card for card in table.game.setup.deck.tiles if card not in {c for plot in table.state.plots for c in plot}]
    table.state = replace(table.state, gone=tuple(left[2:]))
    assert table.judge(OfferTile(1, left[0])) == ["game-over"]
    table.does(AgreeAllCounted(0))


def test_w28_all_that_was_won_is_laid_before_anything_else():
    table = Table()
    table.plot(2, FULL_PLOT)
    table.wins(1, "T40")
    table.wins(2, "T41")
    assert table.judge(AgreeAllCounted(0)) == ["must-lay"]
    assert table.judge(DropBone(1, "T40")) == ["must-lay"]
    table.does(table.lay(1, "T40", 1, 1))
    assert table.judge(DropBone(1, "T41")) == ["winner"]
    table.does(DropBone(2, "T41"))
    table.does(AgreeAllCounted(0))


def test_w29_of_two_negative_ones_for_one_place_either_is_laid():
    table = Table()
    table.plot(1, FULL_PLOT[:11])
    table.wins(1, WORTH_3, ROTTEN[-1], ROTTEN[-3])
    assert table.judge(table.lay(1, WORTH_3, 3, 2)) == ["must-lay"]
    assert table.judge(table.lay(1, ROTTEN[-1], 3, 2)) == table.judge(table.lay(1, ROTTEN[-3], 3, 2)) == []


def test_w30_the_most_darwin_wins_and_a_last_jewel_may_be_counted():
    table = Table()
    table.plot(1, FULL_PLOT)
    table.does(CountJewel(3, "green", 2))
    table.does(AgreeAllCounted(0))
    assert (table.state.over, table.state.winners) == (True, (3,))
    assert table.judge(CountJewel(3, "green", 2)) == ["game-over"]


def test_w31_at_a_tie_the_larger_creature_wins():
    table = Table()
    table.plot(1, FULL_PLOT)
    table.has(4, 11)
    assert table.judge(SizeCreature(4, 8)) == ["not-offered"]
    table.does(SizeCreature(1, 1))
    assert table.judge(SizeCreature(3, 3)) == ["not-offered"]  # two tiles lie in that plot
    table.does(SizeCreature(3, 2))
    table.does(AgreeAllCounted(0))
    assert table.state.winners == (3,)


def test_w30_the_box_has_five_jewels_of_a_colour():
    """« 25 marqueurs de bijoux (jetons ronds) », of five colours."""
    table = Table()
    for seat in (1, 2, 3, 4, 1):
        table.does(CountJewel(seat, "red", 2))
    assert table.judge(CountJewel(2, "red", 2)) == ["not-offered"]
    assert table.judge(CountJewel(2, "blue", 2)) == []
    (income,) = [one for one in table.game.board.offers(table.state, table.at) if (one.do, one.by) == ("income", 2)]
    assert "red" not in income.choices["jewel"]


def test_w31_creatures_of_one_size_share_the_win():
    table = Table(3)
    table.plot(1, FULL_PLOT)
    table.does(AgreeAllCounted(0))
    assert table.state.winners == (1, 2, 3)


def test_w32_experts_have_eight_small_stones_and_a_big_one():
    table = Table(profile="experts")
    assert sum(table.in_reserve(1).values()) == 9
    assert table.in_reserve(1) == {"R0": 1, "R": 6, "B": 1, "Y": 1}


def test_what_the_table_cannot_hold_is_refused():
    table = Table()
    for move in (
        OfferTile(1, "T13"),
        EndBids(1),
        DropBone(1, "T40"),
        table.lay(9, "T40", 0, 1),
        table.bid("R", seat=1),
    ):
        with pytest.raises(ImpossibleMove):
            table.does(move, anyway=True)


def test_nobody_leaves_a_seat_and_money_may_be_counted_again():
    table = Table()
    with pytest.raises(InputError, match="every seat stays in play"):
        table.game.rules.seat(table.state, 1, False, table.at)
    counted = table.game.rules.correct(table.state, {"darwin": (1, 2, -3, 4)}, table.at)
    assert counted.darwin == (1, 2, -3, 4)
    with pytest.raises(InputError):
        table.game.rules.correct(table.state, {"darwin": (1, 2)}, table.at)
