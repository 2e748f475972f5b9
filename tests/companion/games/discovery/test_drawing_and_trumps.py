"""Drawing, stealing, the empty stack, and trumps (rules.md 3.4 E and F)."""

from __future__ import annotations

import pytest
from support.discovery_match import era, table

from companion.games.discovery.moves import Call, Discard, EndTurn, Exchange, Place, Steal
from companion.games.discovery.setup import PROFILES
from companion.games.protocol import Objection

pytestmark = pytest.mark.core

OPENS_2 = ["1-1", "1-2", "1-3", "1-4"]
"""With these in the tree 2-1 opens era 2."""


def owed(evening):
    return [(debt.seat, debt.do) for debt in evening.standing.owed]


def test_e1_a_victim_needs_a_card_and_is_somebody_else():
    evening = table("en-intro", stack=0, hands=[5, 0, 5])
    evening.ends(1)
    assert owed(evening) == [(1, "steal")]
    assert evening.rules(Steal(1, 2)) == {"not-there"}
    assert evening.rules(Steal(1, 1)) == {"not-there"}
    assert evening.rules(Steal(1, 3)) == set()


@pytest.mark.parametrize(("held", "due"), [(4, [(1, "steal")]), (5, [(1, "steal")]), (6, []), (7, [])])
def test_e3_en_explore_with_its_option_steals_only_to_have_five_cards(held, due):
    evening = table("en-explore", stack=0, hands=[held, 5, 5], options={"en_explore_steal_when_empty": True})
    evening.play(Discard(1, "1-1"), EndTurn(1))
    assert owed(evening) == due


def test_f1_opening_and_closing_an_era_and_emptying_the_hand_win_a_trump():
    """Worth a fanfare, each of them, and no other card is."""
    for evening, card in (
        (table(tree=OPENS_2), "2-1"),
        (table(tree=era(1, but=["1-6"])), "1-6"),
        (table(hands=[1, 5, 5]), "1-1"),
    ):
        won = evening.play(Place(1, card, "hand"))
        assert (won.points, won.milestone) == (4, True)
    assert not table().play(Place(1, "1-1", "hand")).milestone


@pytest.mark.parametrize("profile", list(PROFILES))
def test_f7_voler_is_in_the_french_games_only(profile):
    found = set() if profile.startswith("fr") else {"not-offered"}
    evening = table(profile, hands=[1, 5, 5])
    evening.hand(1, "1-1")
    assert evening.rules(Steal(1, 2)) == found
    assert evening.rules(Steal(1, 2, trump=True)) == found


def test_f8_an_exchange_gives_another_card_so_there_must_be_one():
    evening = table("en-explore", stack=0, hands=[1, 5, 5])
    evening.hand(1, "1-1")
    assert evening.judge(Exchange(1, 2)) == (Objection("last-card"),)
    assert evening.rules(Exchange(1, 1)) == {"not-there", "last-card"}


def test_f10_g1_a_call_is_a_use_of_a_trump():
    evening = table(tree=[*OPENS_2, "2-1", "3-1"])
    assert evening.judge(Call(1, "2-2", 2)) == (Objection("no-trump"),)
