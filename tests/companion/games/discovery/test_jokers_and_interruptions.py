"""Jokers and interruptions (rules.md 3.4 H and O, rows Q1 to Q6 of 3.6)."""

from __future__ import annotations

import pytest
from support.discovery_match import era, table

from companion.games.discovery.moves import Discard, EndTurn, Interrupt, Joker, Place, Refill
from companion.games.protocol import MoveContext, Objection

pytestmark = pytest.mark.core

OPENS_2 = ["1-1", "1-2", "1-3", "1-4"]


def jokers(profile="fr-explore", **more):
    return table(profile, **{"jokers": 2, **more})


def test_h2_any_card_of_an_era_already_opened_and_not_already_present():
    evening = jokers(tree=["1-2", "1-3", "1-4"])
    assert evening.rules(Joker(1, "J1", "hand", "2-1")) == {"era-not-open"}
    assert evening.rules(Joker(1, "J1", "hand", "1-2")) == {"joker-card"}
    assert evening.rules(Joker(1, "J1", "hand", "1-1")) == set()
    evening.play(Joker(1, "J1", "hand", "1-1"), EndTurn(1))
    assert evening.rules(Joker(2, "J2", "hand", "1-1")) == {"joker-card"}


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


def test_h1_a_joker_put_outside_after_a_placed_card_uses_up_one_trump_and_wins_another():
    evening = table("fr-explore", tree=OPENS_2, hands=[1, 5, 5], jokers=1)
    evening.play(Place(1, "2-1", "hand"))
    assert evening.standing.counters["trumps"] == 2, "an opened era and an empty hand"
    evening.play(Joker(1, "J1", "hand"))
    assert evening.standing.counters["trumps"] == 2


def test_a_joker_that_is_gone_keeps_no_other_from_being_offered():
    evening = jokers(tree=["1-2", "1-3", "1-4"])
    evening.play(Joker(1, "J1", "hand"))
    offered = [
        one.choices for one in evening.game.board.offers(evening.state.position, MoveContext(2)) if one.do == "joker"
    ]
    assert {one["joker"] for one in offered if "as" in one} == {("J2",)}


def test_without_jokers_in_the_match_none_is_offered():
    evening = table()
    assert evening.rules(Joker(1, "J1", "hand")) == {"not-offered"}
    assert evening.rules(Interrupt(2, "J1")) == {"not-offered"}


def test_o3_with_nothing_placed_during_it_the_earlier_card_counts():
    evening = jokers("en-explore")
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"), Discard(2, "1-6"), EndTurn(2))
    assert evening.rules(Place(1, "1-2", "hand")) == set()


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


def test_o3_the_card_to_link_to_is_the_last_one_placed_also_when_the_own_one_would_do():
    evening = jokers(tree=["1-5", "1-8"])
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"))
    evening.hand(2, "1-3")
    evening.ends(2)
    assert [base.card for base in evening.state.position.turn.bases] == ["1-1", "1-3"]
    assert evening.judge(Place(1, "1-6", "hand")) == (Objection("link", ("1-3",)),)


def test_interrupting_with_what_is_no_joker_of_the_match_is_not_there():
    evening = jokers()
    assert evening.rules(Interrupt(2, "J3")) == {"not-there"}
    assert evening.rules(Joker(1, "J3", "hand")) == {"not-there"}
    assert evening.rules(Joker(1, "J1", "hand", "7-1")) == {"joker-card"}
    assert evening.rules(Joker(1, "J1", "called")) == {"not-there"}


def test_h1_q3_as_a_continuation_by_a_prerequisite_link_in_the_english_games_only():
    for profile, found in (("en-explore", set()), ("fr-explore", {"joker-timing"})):
        evening = jokers(profile)
        evening.hand(1, "1-2")
        assert evening.rules(Joker(1, "J1", "hand", "1-4")) == found
    evening = jokers("en-explore", options={"series_plus": True})
    evening.hand(1, "1-2")
    assert evening.rules(Joker(1, "J1", "hand", "1-1")) == {"link"}  # same family is not enough
    assert evening.play(Joker(1, "J1", "hand", "1-4")).points == 2


def test_q2_on_a_replay_it_starts_a_new_series():
    evening = jokers(tree=OPENS_2)
    evening.hand(1, "2-1")
    assert evening.play(Joker(1, "J1", "hand", "1-6")).points == 1
    assert evening.standing.counters["trumps"] == 0


def test_h3_condition_1_always_applies_to_the_card_that_it_stands_for():
    assert jokers().judge(Joker(1, "J1", "hand", "1-8")) == (Objection("prerequisites", ("1-2", "1-3")),)


def test_h5_q1_tv21_it_can_close_an_era_once():
    evening = jokers(tree=era(1, but=["1-6"]))
    assert evening.play(Joker(1, "J1", "hand", "1-6")).points == 4
    evening.ends(1)
    assert evening.hand(2, "1-6").points == 1
    assert evening.standing.counters["trumps"] == 0
