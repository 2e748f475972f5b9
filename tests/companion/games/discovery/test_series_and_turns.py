"""Placing, series, links and the end of a turn (rules.md 3.4 C and D)."""

from __future__ import annotations

import pytest
from support.discovery_match import Evening, era, game, table

from companion.errors import ImpossibleMove
from companion.games.discovery.moves import Call, Discard, EndTurn, Exchange, Joker, Place, Steal
from companion.games.protocol import Objection

pytestmark = pytest.mark.core


@pytest.mark.parametrize("source", ["pool", "discard-2", "called", "hand"])
def test_c1_a_place_that_cannot_hold_the_card_is_not_where_it_came_from(source):
    evening = table(discards=[[], [], ["1-1"]], pool=["1-2"])
    assert evening.rules(Place(1, "1-1", source)) == {"not-there"}


def test_c2_all_missing_prerequisites_are_named():
    assert table().judge(Place(1, "2-1", "hand")) == (Objection("prerequisites", ("1-3", "1-4")),)


def test_c4_other_trumps_do_not_break_the_series():
    evening = table(tree=[*era(1, but=["1-1", "1-2"])], hands=[5, 5, 5])
    evening.hand(1, "1-1")
    evening.hand(1, "1-2")
    evening.play(Steal(1, 2))
    assert evening.standing.counters["trumps"] == 0
    assert evening.rules(Place(1, "4-9", "hand")) >= {"link"}
    assert evening.state.position.turn.bases[0].index == 2


def test_c5_the_reverse_direction_counts_too_after_a_card_that_the_players_let_stand():
    evening = table(tree=["1-3"])
    evening.allow(Place(1, "2-1", "hand"))
    evening.play(EndTurn(1))
    evening = table(tree=[])
    evening.allow(Place(1, "1-5", "hand"))
    evening.hand(1, "1-1")
    assert evening.steps[-1].points == 2


def test_c7_a_card_that_lies_in_the_tree_cannot_be_placed_again():
    evening = table(tree=["1-1"])
    assert evening.judge(Place(1, "1-1", "hand")) == (Objection("already-placed"),)
    with pytest.raises(ImpossibleMove):
        evening.allow(Place(1, "1-1", "hand"))


def test_d1_a_joker_beside_the_tree_is_not_a_placement():
    evening = table("en-intro", jokers=1, tree=["1-1"])
    evening.play(Joker(1, "J1", "hand"), EndTurn(1))
    assert evening.standing.counters["hands"][0] == 5


def test_d3_an_empty_hand_has_nothing_to_discard_and_emptying_it_wins_no_trump():
    evening = table("en-explore", hands=[1, 5, 5])
    step = evening.play(Discard(1, "1-1"))
    assert (step.points, evening.standing.counters["trumps"]) == (0, 0)
    evening.ends(1)
    assert evening.standing.counters["hands"][0] == 5


def test_d3_without_points_nothing_is_due_and_a_discard_would_be_a_trump():
    assert table("en-intro").rules(Discard(1, "1-1")) == {"no-trump"}


def test_nobody_plays_in_anothers_turn():
    evening = table()
    for move in (
        Place(2, "1-1", "hand"),
        EndTurn(2),
        Discard(2, "1-1"),
        Exchange(3, 1),
        Call(2, "1-1", 3),
        Steal(2, 1),
    ):
        assert evening.judge(move) == (Objection("turn"),)


def test_an_out_of_turn_card_that_the_players_allow_leaves_the_turn_alone():
    evening = table(tree=["1-3"])
    evening.hand(1, "1-1")
    evening.allow(Place(2, "1-6", "hand"))
    assert evening.standing.turn == 1
    assert evening.standing.points == (1, 1, 0)
    evening.hand(1, "1-2")
    assert evening.steps[-1].points == 2


def test_an_unlawful_card_that_the_players_allow_counts_and_starts_a_series_of_its_own():
    evening = Evening(game())
    evening.hand(1, "1-1")
    step = evening.allow(Place(1, "2-5", "hand"))
    assert "2-5" in evening.state.position.present
    assert step.objections == ()
    assert evening.state.position.turn.bases[0].card == "2-5"
