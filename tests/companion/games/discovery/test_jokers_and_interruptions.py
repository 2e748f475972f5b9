"""Jokers and interruptions (rules.md 3.4 H and O, rows Q1 to Q6 of 3.6)."""

from __future__ import annotations

import pytest
from support.discovery_match import era, table

from companion.games.discovery.moves import Discard, EndTurn, Exchange, Interrupt, Joker, Place, Refill, Steal
from companion.games.protocol import Objection

pytestmark = pytest.mark.core

OPENS_2 = ["1-1", "1-2", "1-3", "1-4"]


def jokers(profile="fr-explore", **more):
    return table(profile, **{"jokers": 2, **more})


def test_h1_q4_english_jokers_any_time_french_ones_only_at_the_start_or_when_replaying():
    for profile, found in (("en-explore", set()), ("fr-explore", {"joker-timing"})):
        evening = jokers(profile)
        evening.hand(1, "1-1")
        assert evening.rules(Joker(1, "J1", "hand")) == found
    evening = jokers(tree=OPENS_2)
    evening.hand(1, "2-1")
    assert evening.rules(Joker(1, "J1", "hand")) == set()


def test_h1_q3_as_a_continuation_by_a_prerequisite_link_in_the_english_games_only():
    for profile, found in (("en-explore", set()), ("fr-explore", {"joker-timing"})):
        evening = jokers(profile)
        evening.hand(1, "1-2")
        assert evening.rules(Joker(1, "J1", "hand", "1-4")) == found
    evening = jokers("en-explore", options={"series_plus": True})
    evening.hand(1, "1-2")
    assert evening.rules(Joker(1, "J1", "hand", "1-1")) == {"link"}  # same family is not enough
    assert evening.play(Joker(1, "J1", "hand", "1-4")).points == 2


def test_h2_any_card_of_an_era_already_opened_and_not_already_present():
    evening = jokers(tree=["1-2", "1-3", "1-4"])
    assert evening.rules(Joker(1, "J1", "hand", "2-1")) == {"era-not-open"}
    assert evening.rules(Joker(1, "J1", "hand", "1-2")) == {"joker-card"}
    assert evening.rules(Joker(1, "J1", "hand", "1-1")) == set()
    evening.play(Joker(1, "J1", "hand", "1-1"), EndTurn(1))
    assert evening.rules(Joker(2, "J2", "hand", "1-1")) == {"joker-card"}


@pytest.mark.parametrize(("profile", "found"), [("en-explore", set()), ("fr-explore", {"joker-card"})])
def test_h2_tv19_et_qui_n_est_ni_dans_une_defausse_ni_dans_la_reserve(profile, found):
    evening = jokers(profile, pool=["1-6"], discards=[[], ["1-7"], []])
    assert evening.rules(Joker(1, "J1", "hand", "1-6")) == found
    assert evening.rules(Joker(1, "J1", "hand", "1-7")) == found


def test_h3_condition_1_always_applies_to_the_card_that_it_stands_for():
    assert jokers().judge(Joker(1, "J1", "hand", "1-8")) == (Objection("prerequisites", ("1-2", "1-3")),)


def test_h4_tv18_after_a_joker_only_the_prerequisite_link():
    evening = jokers()
    evening.play(Joker(1, "J1", "hand", "1-1"))
    assert evening.judge(Place(1, "1-2", "hand")) == (Objection("joker-link"),)
    assert evening.play(Place(1, "1-5", "hand")).points == 2
    assert evening.rules(Place(1, "1-2", "hand")) == {"link"}


def test_h5_q1_a_joker_counts_as_a_placement_and_brings_points_and_satisfies_prerequisites():
    evening = jokers(tree=["1-3"])
    assert evening.play(Joker(1, "J1", "hand", "1-2")).points == 1
    assert evening.rules(Place(1, "1-8", "hand")) == set()
    assert evening.rules(EndTurn(1)) == set()


def test_h5_tv21_it_can_close_an_era_once():
    evening = jokers(tree=era(1, but=["1-6"]))
    assert evening.play(Joker(1, "J1", "hand", "1-6")).points == 4
    evening.ends(1)
    assert evening.hand(2, "1-6").points == 1
    assert evening.standing.counters["trumps"] == 0


@pytest.mark.parametrize("profile", ["en-intro", "en-explore", "fr-explore", "en-memory", "fr-bluff"])
def test_h6_tv20_whoever_places_the_real_card_takes_the_joker_and_his_hand_is_not_emptied(profile):
    evening = jokers(profile, tree=["J1=1-1"], hands=[1, 5, 5])
    evening.hand(1, "1-1")
    assert (evening.standing.counters["hands"][0], evening.standing.counters["trumps"]) == (1, 0)
    assert [laid.card for laid in evening.state.position.tree] == ["1-1"]


def test_h7_q4_beside_the_tree_it_wins_a_trump_and_leaves_the_game():
    evening = jokers("en-explore")
    assert evening.play(Joker(1, "J1", "hand")).points == 3
    assert evening.standing.counters["trumps"] == 1
    assert evening.state.position.gone == ("J1",)
    assert evening.rules(Joker(1, "J1", "hand")) == {"not-there"}
    evening = jokers("en-explore", options={"joker_trump_bonus": False})
    assert evening.play(Joker(1, "J1", "hand")).points == 0


def test_h7_q4_as_a_replay_it_spends_a_trump_and_wins_one_and_the_series_goes_on():
    evening = jokers(tree=OPENS_2)
    evening.hand(1, "2-1")
    assert evening.play(Joker(1, "J1", "hand")).points == 3
    assert evening.standing.counters["trumps"] == 1
    assert evening.hand(1, "2-2").points == 2


def test_h7_the_last_hand_card_played_as_a_joker_empties_the_hand():
    evening = jokers("en-explore", hands=[1, 5, 5])
    assert evening.play(Joker(1, "J1", "hand")).points == 6
    assert (evening.standing.counters["hands"][0], evening.standing.counters["trumps"]) == (5, 2)


def test_h8_q5_interruption_in_another_players_turn_and_never_in_ones_own():
    evening = jokers()
    assert evening.judge(Interrupt(1, "J1")) == (Objection("joker-timing"),)
    step = evening.play(Interrupt(2, "J1"))
    assert (step.points, evening.standing.counters["trumps"], evening.standing.turn) == (0, 0, 2)


def test_h9_a_joker_in_the_pool_serves_the_active_player_and_no_interruption():
    evening = jokers("en-explore", pool=["J1", "1-6"])
    assert evening.rules(Interrupt(2, "J1")) == {"not-there"}
    assert evening.rules(Joker(1, "J1", "hand")) == {"not-there"}
    evening.play(Joker(1, "J1", "pool"))
    assert evening.state.position.pool == (None, "1-6")
    assert evening.standing.counters["hands"][0] == 5
    evening.play(Refill(0, "J2"))
    assert evening.state.position.pool == ("J2", "1-6")


def test_h10_a_joker_can_be_discarded_and_is_dead_there():
    evening = jokers()
    evening.play(Discard(1, "J1"), EndTurn(1))
    assert evening.rules(Joker(2, "J1", "discard-1", "1-1")) == {"not-there"}
    assert evening.rules(Place(2, "J1", "discard-1")) == {"not-there"}


def test_q2_on_a_replay_it_starts_a_new_series():
    evening = jokers(tree=OPENS_2)
    evening.hand(1, "2-1")
    assert evening.play(Joker(1, "J1", "hand", "1-6")).points == 1
    assert evening.standing.counters["trumps"] == 0


def test_q6_x1_a_joker_for_nomadism_then_homo_erectus_then_the_real_nomadism():
    evening = jokers(tree=["1-2", "1-3"])
    evening.play(Joker(1, "J1", "hand", "1-4"))
    assert evening.hand(1, "2-1").points == 2 + 3
    hand = evening.standing.counters["hands"][0]
    assert evening.hand(1, "1-4").points == 3
    assert evening.standing.counters["hands"][0] == hand
    assert evening.standing.counters["trumps"] == 1


def test_without_jokers_in_the_match_none_is_offered():
    evening = table()
    assert evening.rules(Joker(1, "J1", "hand")) == {"not-offered"}
    assert evening.rules(Interrupt(2, "J1")) == {"not-offered"}


def test_o1_interruptions_nest_between_two_acts():
    evening = jokers()
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"), Interrupt(3, "J2"))
    assert [turn.seat for turn in evening.state.position.turns] == [1, 2, 3]
    assert evening.judge(Place(1, "1-2", "hand")) == (Objection("turn"),)
    evening.hand(3, "1-3")
    evening.ends(3)
    assert evening.standing.turn == 2


def test_o2_the_extra_turn_is_a_complete_one_and_the_order_stays():
    evening = jokers(stack=10)
    evening.play(Interrupt(3, "J1"))
    assert evening.rules(EndTurn(3)) == {"must-discard"}
    evening.play(Discard(3, "1-6"), EndTurn(3))
    assert (evening.standing.counters["hands"][2], evening.standing.turn) == (5, 1)
    evening.hand(1, "1-1")
    evening.ends(1)
    assert evening.standing.turn == 2


def test_o2_in_fr_explore_it_begins_with_the_steal_of_an_empty_stack():
    evening = jokers(stack=0, turn=1)
    evening.play(Steal(1, 2), Interrupt(3, "J1"))
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(3, "steal")]


@pytest.mark.parametrize(("profile", "before"), [("fr-explore", set()), ("en-explore", {"link"})])
def test_o3_resume_from_the_last_card_placed_before_or_during(profile, before):
    evening = jokers(profile)
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"))
    evening.hand(2, "1-3")
    evening.ends(2)
    assert evening.rules(Place(1, "1-2", "hand")) == before
    assert evening.rules(Place(1, "1-8", "hand")) == {"prerequisites"}


def test_o3_with_nothing_placed_during_it_the_earlier_card_counts():
    evening = jokers("en-explore")
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"), Discard(2, "1-6"), EndTurn(2))
    assert evening.rules(Place(1, "1-2", "hand")) == set()


def test_o3_nothing_placed_before_the_first_card_needs_no_link():
    evening = jokers()
    evening.play(Interrupt(2, "J1"))
    evening.hand(2, "1-1")
    evening.ends(2)
    assert evening.rules(Place(1, "1-3", "hand")) == set()
    assert evening.hand(1, "1-2").points == 2


@pytest.mark.parametrize(("profile", "options"), [("fr-explore", {}), ("en-explore", {"series_plus": True})])
def test_o4_tv22_one_more_than_the_card_it_links_to(profile, options):
    evening = jokers(profile, options=options, tree=["1-3"])
    evening.hand(1, "1-6")
    evening.play(Interrupt(2, "J1"))
    for card in ("1-1", "1-2", "1-4"):
        evening.hand(2, card)
    evening.ends(2)
    assert evening.play(Place(1, "2-1", "hand")).points == 4 + 3


def test_o4_tv22_on_his_own_card_the_french_player_counts_from_it():
    evening = jokers(tree=["1-3"])
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"))
    evening.hand(2, "1-6")
    evening.ends(2)
    assert evening.hand(1, "1-5").points == 2


@pytest.mark.parametrize(("own", "others", "points"), [
    (["1-1", "1-2"], ["1-3"], 3),
    (["1-2"], ["1-6", "1-3"], 2),
    (["1-2"], ["1-3"], 2),
    (["1-3"], ["1-1", "1-2"], 3),
])  # fmt: skip
def test_o4_if_both_cards_would_do_the_series_goes_on_from_the_better_one(own, others, points):
    """ "la dernière carte placée avant ou durant l'interruption" (F:317-318): Hunting needs Band and Scavenging."""
    evening = jokers("fr-explore", tree=[card for card in ("1-2", "1-3") if card not in (*own, *others)])
    for card in own:
        evening.hand(1, card)
    evening.play(Interrupt(2, "J1"))
    for card in others:
        evening.allow(Place(2, card, "hand"))
    evening.ends(2)
    assert evening.hand(1, "1-8").points == points


@pytest.mark.parametrize("stray", [1, 2, 3])
def test_o1_a_card_laid_out_of_turn_and_let_stand_leaves_interrupted_turns_as_they_were(stray):
    evening = jokers("fr-explore")
    evening.hand(1, "1-1")
    evening.play(Interrupt(3, "J1"))
    before = evening.state.position.turns
    evening.allow(Place(stray, "1-7", "hand"))
    turns = evening.state.position.turns
    assert [turn.seat for turn in turns] == [1, 3]
    assert turns[0] == before[0]
    assert (turns[1] == before[1]) is (stray != 3)


def test_o5_a_hand_emptied_by_the_interruption_wins_a_trump_or_the_match():
    evening = jokers(hands=[5, 1, 5])
    assert evening.play(Interrupt(2, "J1")).points == 3
    assert (evening.standing.counters["hands"][1], evening.standing.counters["trumps"]) == (5, 1)
    evening = jokers("en-intro", hands=[5, 1, 5], stack=0)
    evening.play(Interrupt(2, "J1"))
    assert evening.standing.winners == (2,)


def test_unspent_trumps_survive_an_interruption():
    evening = jokers("en-explore", tree=OPENS_2)
    evening.hand(1, "2-1")
    evening.play(Interrupt(2, "J1"))
    assert evening.standing.counters["trumps"] == 0
    evening.hand(2, "1-6")
    evening.ends(2)
    assert evening.standing.counters["trumps"] == 1
    evening.play(Exchange(1, 2))


def test_o3_the_card_to_link_to_is_the_last_one_placed_also_when_the_own_one_would_do():
    evening = jokers(tree=["1-5", "1-8"])
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"))
    evening.hand(2, "1-3")
    evening.ends(2)
    assert [base.card for base in evening.state.position.turn.bases] == ["1-1", "1-3"]
    assert evening.judge(Place(1, "1-6", "hand")) == (Objection("link", ("1-3",)),)


def test_h4_what_the_interrupter_left_a_joker_on_is_linked_by_prerequisite_alone():
    evening = jokers("en-explore", tree=["1-2", "1-3"])
    evening.play(Interrupt(2, "J1"), Joker(2, "J2", "hand", "1-4"))
    evening.ends(2)
    evening.hand(1, "1-6")
    assert evening.standing.points[0] == 1, "his first card needs no link"


def test_interrupting_with_what_is_no_joker_of_the_match_is_not_there():
    evening = jokers()
    assert evening.rules(Interrupt(2, "J3")) == {"not-there"}
    assert evening.rules(Joker(1, "J3", "hand")) == {"not-there"}
    assert evening.rules(Joker(1, "J1", "hand", "7-1")) == {"joker-card"}
    assert evening.rules(Joker(1, "J1", "called")) == {"not-there"}


def test_h9_a_joker_from_the_pool_empties_no_hand():
    evening = jokers("en-explore", hands=[0, 5, 5], pool=["J1"], stack=10)
    assert evening.play(Joker(1, "J1", "pool")).points == 3
    assert evening.standing.counters["hands"][0] == 0
