"""Calls (rules.md 3.4 G and the rows P1 to P8 of 3.5)."""

from __future__ import annotations

import pytest
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


def test_g2_the_option_needs_an_empty_stack():
    tree = ["1-1", "2-1", "3-1", "4-1", "5-1", "6-1"]
    evening = table("en-explore", tree=tree, stack=1, jokers=1, options={"call_era6_when_stack_empty": True})
    evening.play(Joker(1, "J1", "hand"))
    assert evening.play(Call(1, "6-2", 2)).extras == {"failed": "era-not-open"}


def test_g4_you_must_place_it_before_anything_else():
    evening = with_trump()
    evening.play(Call(1, "2-3", 2))
    assert evening.judge(Place(1, "1-6", "hand")) == (Objection("must-place", ("2-3",)),)
    assert evening.judge(EndTurn(1)) == (Objection("must-place", ("2-3",)),)
    assert evening.judge(Place(1, "1-6", "called")) == (Objection("called-card", ("2-3",)),)


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


def test_between_a_call_and_its_card_nobody_interrupts():
    evening = with_trump("en-explore", jokers=1)
    evening.play(Call(1, "2-3", 2))
    assert evening.judge(Interrupt(2, "J1")) == (Objection("must-place", ("2-3",)),)
    assert evening.rules(Refill(0, "1-6")) == {"not-there"}
    assert evening.rules(Stop(2)) == {"not-offered"}
    assert evening.rules(Verify(2)) == {"not-offered"}


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


def third_of_its_series():
    evening = table(tree=[*era(1, but=["1-4"]), "3-1"], hold=["2-3", "2-7"])
    for card in ("1-4", "2-1", "2-2"):
        evening.hand(1, card)
    assert (evening.state.position.turn.bases[0].index, evening.standing.counters["trumps"]) == (3, 2)
    return evening


def test_g4_p7_tv15_an_unlinked_called_card_starts_a_new_series_and_may_be_followed():
    evening = third_of_its_series()
    assert evening.play(Call(1, "2-7", 2), Place(1, "2-7", "called")).points == 1
    assert evening.state.position.turn.bases[0].card == "2-7"
    assert evening.standing.counters["trumps"] == 1
