"""Calls (rules.md 3.4 G and the rows P1 to P8 of 3.5)."""

from __future__ import annotations

import pytest
from support.conserved import count_things
from support.discovery_match import SILENT, era, table

from companion.games.discovery.moves import (
    Announce,
    Call,
    Discard,
    EndTurn,
    Interrupt,
    Joker,
    Place,
    Refill,
    Stop,
    Verify,
)
from companion.games.protocol import Objection

pytestmark = pytest.mark.core

READY = ["1-1", "1-2", "1-3", "1-4", "2-1", "2-2"]
"""3-1 opens era 3 with these, and then cards of era 2 can be called."""


def with_trump(profile="fr-explore", tree=READY, **more):
    evening = table(profile, tree=tree, **more)
    evening.hand(1, "3-1")
    assert evening.standing.counters["trumps"] == 1
    return evening


def test_g1_a_call_costs_one_trump():
    evening = with_trump()
    evening.play(Call(1, "2-3", 2))
    assert evening.standing.counters["trumps"] == 0
    assert table(tree=READY).rules(Call(1, "2-3", 2)) == {"no-trump"}


@pytest.mark.parametrize("source", ["hand", "pool", "discard-2"])
def test_a_card_let_stand_before_the_called_one_leaves_that_one_called(source):
    lying = {"pool": ["1-6"]} if source == "pool" else {"discards": [[], ["1-6"], []]} if source != "hand" else {}
    evening = with_trump(hold=["2-3", "1-6"] if source == "hand" else ["2-3"], **lying)
    evening.play(Call(1, "2-3", 2))
    assert evening.judge(Place(1, "1-6", source)) == (Objection("must-place", ("2-3",)),)
    evening.allow(Place(1, "1-6", source))
    assert evening.state.position.turn.called == "2-3"
    evening.play(Place(1, "2-3", "called"))
    assert {"1-6", "2-3"} <= evening.state.position.present


def test_g1_at_once_via_a_joker():
    evening = table("en-explore", tree=[*READY, "3-1"], jokers=1)
    evening.play(Joker(1, "J1", "hand"), Call(1, "2-3", 2), Place(1, "2-3", "called"))
    assert evening.standing.points[0] == 3 + 1


def test_g2_p2_tv13_the_era_right_after_the_cards_own_must_be_open():
    evening = table("en-explore", tree=[*READY, "4-1"], jokers=1)
    evening.play(Joker(1, "J1", "hand"))
    step = evening.play(Call(1, "2-3", 2))
    assert step.extras == {"failed": "era-not-open"}
    assert evening.standing.counters["hands"][1] == 5
    assert evening.standing.turn == 2


def test_g2_p1_era_6_is_never_callable_unless_the_house_says_so():
    tree = ["1-1", "2-1", "3-1", "4-1", "5-1", "6-1"]
    for options, failed in (({}, "era-not-open"), ({"call_era6_when_stack_empty": True}, None)):
        evening = table("en-explore", tree=tree, stack=0, hands=[5, 5, 5], jokers=1, options=options)
        evening.play(Joker(1, "J1", "hand"))
        assert evening.play(Call(1, "6-2", 2)).extras.get("failed") == failed


def test_g2_the_option_needs_an_empty_stack():
    tree = ["1-1", "2-1", "3-1", "4-1", "5-1", "6-1"]
    evening = table("en-explore", tree=tree, stack=1, jokers=1, options={"call_era6_when_stack_empty": True})
    evening.play(Joker(1, "J1", "hand"))
    assert evening.play(Call(1, "6-2", 2)).extras == {"failed": "era-not-open"}


def test_g3_the_player_who_has_it_must_give_it_to_you():
    evening = with_trump("en-intro")
    evening.play(Call(1, "2-3", 3))
    assert evening.standing.counters["hands"] == (4, 5, 4)
    assert count_things(evening.game, evening.state) == 54


def test_g4_you_must_place_it_before_anything_else():
    evening = with_trump()
    evening.play(Call(1, "2-3", 2))
    assert evening.judge(Place(1, "1-6", "hand")) == (Objection("must-place", ("2-3",)),)
    assert evening.judge(EndTurn(1)) == (Objection("must-place", ("2-3",)),)
    assert evening.judge(Place(1, "1-6", "called")) == (Objection("called-card", ("2-3",)),)


def third_of_its_series():
    evening = table(tree=[*era(1, but=["1-4"]), "3-1"], hold=["2-3", "2-7"])
    for card in ("1-4", "2-1", "2-2"):
        evening.hand(1, card)
    assert (evening.state.position.turn.bases[0].index, evening.standing.counters["trumps"]) == (3, 2)
    return evening


def test_g4_p6_tv15_a_linked_called_card_continues_the_series():
    evening = third_of_its_series()
    assert evening.play(Call(1, "2-3", 2), Place(1, "2-3", "called")).points == 4
    assert evening.standing.counters["trumps"] == 1


def test_g4_p6_unless_the_caller_says_otherwise_and_that_costs_no_trump():
    evening = third_of_its_series()
    assert evening.play(Call(1, "2-3", 2), Place(1, "2-3", "called", new_series=True)).points == 1
    assert evening.standing.counters["trumps"] == 1


def test_g4_p7_tv15_an_unlinked_called_card_starts_a_new_series_and_may_be_followed():
    evening = third_of_its_series()
    assert evening.play(Call(1, "2-7", 2), Place(1, "2-7", "called")).points == 1
    assert evening.state.position.turn.bases[0].card == "2-7"
    assert evening.standing.counters["trumps"] == 1


def test_g5_p5_tv14_a_missing_prerequisite_fails_the_call_and_ends_the_turn_by_drawing():
    evening = with_trump(hands=[4, 5, 5], stack=10)
    step = evening.play(Call(1, "2-5", 2))
    assert step.extras == {"failed": "prerequisites"}
    assert evening.state.position.discards[0] == ("2-5",)
    assert evening.standing.counters["hands"] == (5, 5, 5)
    assert evening.standing.counters["stack"] == 7
    assert evening.standing.turn == 2


@pytest.mark.parametrize("profile", ["en-intro"])
def test_g5_without_points_the_caller_draws_one_and_the_holder_nothing(profile):
    evening = with_trump(profile)
    evening.play(Call(1, "2-5", 2))
    assert evening.standing.counters["hands"] == (5, 4, 5)


def test_g5_the_closing_draw_becomes_a_steal_when_the_stack_is_empty():
    evening = with_trump("en-intro", stack=0)
    evening.play(Call(1, "2-5", 2))
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(1, "steal")]


@pytest.mark.parametrize(("card", "failed"), [("2-2", "already-placed"), ("2-7", "not-there"), ("2-8", "not-there")])
def test_g6_p3_a_card_already_placed_in_the_pool_or_a_discard_fails_and_nothing_moves(card, failed):
    evening = with_trump("en-explore", pool=["2-7"], discards=[[], ["2-8"], []])
    step = evening.play(Call(1, card, 0))
    assert step.extras == {"failed": failed}
    assert evening.standing.counters["hands"] == (5, 5, 5)
    assert evening.standing.turn == 2


def test_g6_p4_a_card_in_the_callers_own_hand_is_discarded_because_it_was_revealed():
    evening = with_trump("en-explore")
    step = evening.play(Call(1, "2-3", 1))
    assert step.extras == {"failed": "not-there"}
    assert evening.state.position.discards[0] == ("2-3",)


def test_g6_with_stop_in_points_games_an_impossible_call_costs_nothing_that_nobody_stops():
    """ "you are at fault if you are stopped" (E 2.2)."""
    evening = with_trump("en-explore", options={"stop": True})
    evening.play(Call(1, "2-2", 0))
    assert (evening.standing.owed, evening.standing.counters["hands"][0], evening.standing.turn) == ((), 5, 2)


def test_g6_a_called_card_that_was_discarded_already_is_the_whole_penalty():
    evening = with_trump("en-explore", options={"stop": True}, hold=["2-9"])
    evening.play(Call(1, "2-9", 1), Stop(2), Verify(1))
    assert "2-9" in evening.state.position.discard(1)
    assert (evening.standing.owed, evening.standing.counters["hands"][0]) == ((), 5)


@pytest.mark.parametrize("profile", SILENT)
def test_g5_in_a_silent_game_its_caller_discards_the_card_that_may_not_be_placed(profile):
    """ "Otherwise, your call fails, you discard it and you immediately finish your turn by drawing" (E 1.2)."""
    evening = table(profile, tree=["1-3", "1-4"], hands=[5, 5, 5], stack=10)
    evening.play(Place(1, "2-1", "hand"), Announce(1, 2, "open"), Call(1, "1-8", 2))
    assert evening.rules(Discard(1, "1-8")) == set()
    for move in (Discard(1, "1-8", trump=True), Discard(1, "1-9"), EndTurn(1)):
        assert evening.rules(move) == {"must-place"}
    evening.play(Discard(1, "1-8"))
    assert evening.state.position.discard(1) == ("1-8",)
    assert (evening.standing.counters["hands"], evening.standing.turn) == ((5, 4, 5), 2)
    assert {kept.do: kept.failed for kept in evening.state.position.acts if kept.do != "discard"} == {
        "place": False,
        "announce": False,
        "call": True,
    }
    evening.play(Stop(3, 3), Verify(1))
    assert evening.state.position.discard(1) == ("1-8",), "the call was stopped; its card lies where it lay"


def test_g4_in_an_open_game_the_called_card_is_placed():
    evening = with_trump("en-intro")
    evening.play(Call(1, "2-3", 2))
    assert evening.rules(Discard(1, "2-3")) == {"must-place"}


def test_g7_the_called_card_never_passes_through_the_callers_hand():
    evening = table("en-explore", tree=READY, hands=[1, 5, 5], stack=0)
    evening.hand(1, "3-1")
    assert (evening.standing.counters["hands"][0], evening.standing.counters["trumps"]) == (0, 2)
    evening.play(Call(1, "2-3", 2))
    assert evening.play(Place(1, "2-3", "called")).points == 1
    assert evening.standing.counters["trumps"] == 1


def test_g8_a_card_that_a_joker_stands_for_can_be_called_and_frees_the_joker():
    evening = with_trump("en-explore", tree=[*READY, "J1=2-3"], jokers=1)
    evening.play(Call(1, "2-3", 2))
    hand = evening.standing.counters["hands"][0]
    evening.play(Place(1, "2-3", "called"))
    assert evening.standing.counters["hands"][0] == hand + 1
    assert all(laid.card != "J1" for laid in evening.state.position.tree)


def test_p8_a_holder_emptied_by_the_call_wins_at_once_without_points():
    evening = with_trump("en-intro", hands=[5, 1, 5], stack=0)
    evening.play(Call(1, "2-3", 2))
    assert (evening.standing.over, evening.standing.winners) == (True, (2,))


@pytest.mark.parametrize("card", ["6-1", "2-5", "2-2"])
def test_p1_p2_p5_in_silent_games_a_call_proceeds_if_nobody_stops_and_a_holder_answers(card):
    evening = table("en-memory", tree=READY if card != "2-2" else READY[:-1], hands=[1, 5, 5], hold=["6-1", "2-5"])
    evening.hand(1, "1-6")
    step = evening.play(Call(1, card, 2))
    assert "failed" not in step.extras
    evening.play(Place(1, card, "called"))
    assert card in evening.state.position.present


def test_p3_p4_in_silent_games_an_unanswered_call_fails_by_itself():
    for card, holder in (("2-2", 0), ("2-3", 1), ("2-3", 0)):
        evening = table("fr-bluff", tree=READY, hands=[1, 5, 5])
        evening.hand(1, "1-6")
        assert evening.play(Call(1, card, holder)).extras == {"failed": "not-there"}
        assert evening.standing.turn == 2


def test_between_a_call_and_its_card_nobody_interrupts():
    evening = with_trump("en-explore", jokers=1)
    evening.play(Call(1, "2-3", 2))
    assert evening.judge(Interrupt(2, "J1")) == (Objection("must-place", ("2-3",)),)
    assert evening.rules(Refill(0, "1-6")) == {"not-there"}
    assert evening.rules(Stop(2)) == {"not-offered"}
    assert evening.rules(Verify(2)) == {"not-offered"}
