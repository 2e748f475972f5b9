"""Placing, series, links and the end of a turn (rules.md 3.4 C and D)."""

from __future__ import annotations

import pytest
from support.discovery_match import Evening, era, game, table

from companion.errors import ImpossibleMove
from companion.games.discovery.moves import Call, Discard, EndTurn, Exchange, Joker, Place, Steal
from companion.games.protocol import Objection

pytestmark = pytest.mark.core


def test_c1_cards_from_your_hand_the_pool_or_another_players_discard():
    for source, place in (("hand", {}), ("pool", {"pool": ["1-1"]}), ("discard-2", {"discards": [[], ["1-1"], []]})):
        evening = table(**place)
        evening.play(Place(1, "1-1", source))
        assert evening.state.position.tree[-1].card == "1-1"
        assert evening.standing.counters["hands"][0] == (4 if source == "hand" else 5)


@pytest.mark.parametrize("source", ["pool", "discard-2", "called", "hand"])
def test_c1_a_place_that_cannot_hold_the_card_is_not_where_it_came_from(source):
    evening = table(discards=[[], [], ["1-1"]], pool=["1-2"])
    assert evening.rules(Place(1, "1-1", source)) == {"not-there"}


def test_c2_il_faut_que_tous_ses_prerequis_aient_deja_ete_places():
    evening = table(tree=["1-2"])
    assert evening.judge(Place(1, "1-8", "hand")) == (Objection("prerequisites", ("1-3",)),)
    evening.hand(1, "1-3")
    assert evening.rules(Place(1, "1-8", "hand")) == set()


def test_c2_the_order_of_eras_is_not_a_condition():
    evening = table(tree=["1-1", "2-1", "3-1"])
    evening.hand(1, "4-1")
    assert evening.standing.counters["trumps"] == 1


def test_c2_all_missing_prerequisites_are_named():
    assert table().judge(Place(1, "2-1", "hand")) == (Objection("prerequisites", ("1-3", "1-4")),)


def test_c3_during_your_turn_you_can_normally_place_a_single_card():
    evening = table(tree=["1-2"])
    evening.hand(1, "1-3")
    assert evening.rules(Place(1, "1-1", "hand")) == {"link"}


def test_c3_placing_is_optional_even_when_you_could():
    evening = table("en-intro")
    evening.ends(1)
    assert evening.standing.turn == 2


def test_c4_each_card_may_be_followed_by_one_linked_to_the_last_card_placed():
    evening = table(tree=["1-3"])
    evening.hand(1, "1-1")
    evening.hand(1, "1-2")
    assert evening.judge(Place(1, "1-5", "hand")) == (Objection("link", ("1-2",)),)


def test_c4_other_trumps_do_not_break_the_series():
    evening = table(tree=[*era(1, but=["1-1", "1-2"])], hands=[5, 5, 5])
    evening.hand(1, "1-1")
    evening.hand(1, "1-2")
    evening.play(Steal(1, 2))
    assert evening.standing.counters["trumps"] == 0
    assert evening.rules(Place(1, "4-9", "hand")) >= {"link"}
    assert evening.state.position.turn.bases[0].index == 2


@pytest.mark.parametrize(
    ("last", "then", "linked"),
    [("1-1", "1-2", True), ("1-2", "1-4", True), ("1-1", "1-3", False), ("1-3", "1-6", False)],
)
def test_c5_meme_famille_ou_une_carte_est_le_prerequis_de_l_autre(last, then, linked):
    evening = table(tree=["1-2"] if last != "1-2" and then != "1-2" else [])
    evening.hand(1, last)
    assert ("link" not in evening.rules(Place(1, then, "hand"))) is linked


def test_c5_the_reverse_direction_counts_too_after_a_card_that_the_players_let_stand():
    evening = table(tree=["1-3"])
    evening.allow(Place(1, "2-1", "hand"))
    evening.play(EndTurn(1))
    evening = table(tree=[])
    evening.allow(Place(1, "1-5", "hand"))
    evening.hand(1, "1-1")
    assert evening.steps[-1].points == 2


def test_c6_tv17_the_old_series_is_abandoned_for_good_after_a_replay():
    evening = table(tree=["1-1", "1-2", "1-3", "1-4"])
    evening.hand(1, "2-1")
    evening.hand(1, "1-6")
    assert evening.standing.counters["trumps"] == 0
    assert evening.steps[-1].points == 1
    assert evening.judge(Place(1, "2-2", "hand")) == (Objection("link", ("1-6",)),)


def test_c6_a_linked_card_starts_a_new_series_only_if_the_player_asks_for_it():
    evening = table(tree=["1-1", "1-2", "1-3", "1-4"])
    evening.hand(1, "2-1")
    assert evening.standing.counters["trumps"] == 1
    evening.play(Place(1, "2-2", "hand", new_series=True))
    assert (evening.steps[-1].points, evening.standing.counters["trumps"]) == (1, 0)
    assert evening.rules(Place(1, "2-3", "hand", new_series=True)) == {"no-trump"}


def test_c7_a_card_that_lies_in_the_tree_cannot_be_placed_again():
    evening = table(tree=["1-1"])
    assert evening.judge(Place(1, "1-1", "hand")) == (Objection("already-placed"),)
    with pytest.raises(ImpossibleMove):
        evening.allow(Place(1, "1-1", "hand"))


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "fr-bluff"])
def test_d1_tv10_without_points_a_turn_without_placement_ends_by_drawing_a_card(profile):
    evening = table(profile)
    evening.ends(1)
    assert (evening.standing.counters["hands"], evening.standing.counters["stack"]) == ((6, 5, 5), 9)


def test_d1_a_joker_beside_the_tree_is_not_a_placement():
    evening = table("en-intro", jokers=1, tree=["1-1"])
    evening.play(Joker(1, "J1", "hand"), EndTurn(1))
    assert evening.standing.counters["hands"][0] == 5


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "fr-bluff"])
def test_d2_tv10_after_a_placement_it_ends_without_drawing(profile):
    evening = table(profile)
    evening.hand(1, "1-1")
    evening.ends(1)
    assert (evening.standing.counters["hands"], evening.standing.counters["stack"]) == ((4, 5, 5), 10)


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_d3_tv08_without_placement_you_must_discard_one_card_before_drawing(profile):
    evening = table(profile, stack=3)
    assert evening.judge(EndTurn(1)) == (Objection("must-discard"),)
    evening.play(Discard(1, "1-1"))
    assert evening.standing.counters["hands"][0] == 4
    assert evening.rules(Place(1, "1-2", "hand")) == {"turn"}
    evening.ends(1)
    assert (evening.standing.counters["hands"][0], evening.standing.counters["stack"]) == (5, 2)
    assert evening.state.position.discards[0] == ("1-1",)


def test_d3_an_empty_hand_has_nothing_to_discard_and_emptying_it_wins_no_trump():
    evening = table("en-explore", hands=[1, 5, 5])
    step = evening.play(Discard(1, "1-1"))
    assert (step.points, evening.standing.counters["trumps"]) == (0, 0)
    evening.ends(1)
    assert evening.standing.counters["hands"][0] == 5


def test_d3_without_points_nothing_is_due_and_a_discard_would_be_a_trump():
    assert table("en-intro").rules(Discard(1, "1-1")) == {"no-trump"}


@pytest.mark.parametrize(("hand", "stack", "after"), [(4, 10, 5), (2, 10, 5), (2, 1, 2), (7, 10, 6)])
def test_d4_you_always_end_by_drawing_to_five_within_the_limits_of_the_stack(hand, stack, after):
    evening = table("en-explore", hands=[hand, 5, 5], stack=stack)
    evening.hand(1, "1-1")
    evening.ends(1)
    assert evening.standing.counters["hands"][0] == after


def test_d5_unspent_trumps_are_lost_at_the_end_of_the_turn():
    evening = table(tree=["1-1", "1-2", "1-3", "1-4"])
    evening.hand(1, "2-1")
    assert evening.standing.counters["trumps"] == 1
    evening.ends(1)
    assert evening.standing.counters["trumps"] == 0


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


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_d3_with_an_empty_hand_the_turn_ends_without_a_discard(profile):
    evening = table(profile, hands=[0, 5, 5])
    evening.ends(1)
    assert evening.standing.counters["hands"][0] == 5
