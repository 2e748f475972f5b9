"""Drawing, stealing, the empty stack, and trumps (rules.md 3.4 E and F)."""

from __future__ import annotations

import pytest
from support.discovery_match import era, table

from companion.games.discovery.moves import Announce, Call, Discard, EndTurn, Exchange, Place, Steal
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


def test_e1_if_nobody_has_a_card_the_duty_lapses():
    evening = table("en-intro", stack=0, hands=[5, 0, 0])
    evening.ends(1)
    assert (owed(evening), evening.standing.turn) == ([], 2)


def test_e1_team_mates_may_be_victims():
    seats = [{"name": "A", "team": "x"}, {"name": "B", "team": "x"}, {"name": "C"}]
    evening = table("en-intro", seats=seats, stack=0)
    evening.ends(1)
    evening.play(Steal(1, 2))
    assert evening.standing.counters["hands"] == (6, 4, 5)


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "fr-bluff"])
def test_e2_once_the_stack_is_empty_every_due_draw_becomes_a_steal(profile):
    evening = table(profile, stack=0)
    evening.ends(1)
    assert owed(evening) == [(1, "steal")]
    assert evening.standing.turn == 1
    assert evening.judge(Place(1, "1-1", "hand")) == (Objection("must-steal"),)
    assert evening.judge(Steal(2, 1)) == (Objection("must-steal"),)
    evening.play(Steal(1, 3))
    assert (evening.standing.counters["hands"], evening.standing.turn) == ((6, 5, 4), 2)


def test_e3_fr_an_empty_stack_means_a_steal_chaque_fois_que_vous_demarrez_votre_tour():
    evening = table(stack=0)
    assert owed(evening) == [(1, "steal")]
    evening.play(Steal(1, 2))
    assert evening.standing.counters["hands"] == (6, 4, 5)  # and no replacement (TV09)
    evening.hand(1, "1-1")
    evening.ends(1)
    assert (evening.standing.counters["hands"], owed(evening)) == ((5, 4, 5), [(2, "steal")])


def test_e3_en_explore_neither_draws_nor_steals_unless_the_house_says_so():
    evening = table("en-explore", stack=0)
    evening.play(Discard(1, "1-1"), EndTurn(1))
    assert (owed(evening), evening.standing.turn) == ([], 2)
    evening = table("en-explore", stack=0, options={"en_explore_steal_when_empty": True})
    evening.play(Discard(1, "1-1"), EndTurn(1))
    assert owed(evening) == [(1, "steal")]


@pytest.mark.parametrize(("held", "due"), [(4, [(1, "steal")]), (5, [(1, "steal")]), (6, []), (7, [])])
def test_e3_en_explore_with_its_option_steals_only_to_have_five_cards(held, due):
    evening = table("en-explore", stack=0, hands=[held, 5, 5], options={"en_explore_steal_when_empty": True})
    evening.play(Discard(1, "1-1"), EndTurn(1))
    assert owed(evening) == due


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_e4_if_someone_takes_a_card_from_you_you_immediately_draw_another(profile):
    evening = table(profile, tree=[*OPENS_2, "2-1", "2-2"], hands=[5, 3, 5])
    evening.play(Place(1, "3-1", "hand"), Call(1, "2-3", 2))
    assert evening.standing.counters["hands"] == (4, 3, 5)
    assert evening.standing.counters["stack"] == 9


def test_e4_an_exchange_changes_no_count_and_needs_no_replacement():
    evening = table("en-explore", tree=OPENS_2, hands=[5, 3, 5])
    evening.play(Place(1, "2-1", "hand"), Exchange(1, 2))
    assert (evening.standing.counters["hands"], evening.standing.counters["stack"]) == ((4, 3, 5), 10)


@pytest.mark.parametrize("profile", ["en-intro", "fr-bluff"])
def test_e5_without_points_a_taken_card_is_not_replaced(profile):
    evening = table(profile, tree=[*OPENS_2, "2-1", "2-2", "3-1"], hands=[1, 3, 5])
    evening.play(Place(1, "1-6", "hand"), Call(1, "2-3", 2))
    assert evening.standing.counters["hands"] == (1, 3, 6)


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "fr-bluff"])
def test_e6_tv11_if_you_empty_your_hand_all_players_starting_with_you_draw_one_card(profile):
    evening = table(profile, hands=[1, 4, 4], stack=2)
    evening.hand(1, "1-1")
    assert (
        evening.standing.counters["hands"],
        evening.standing.counters["stack"],
        evening.standing.counters["trumps"],
    ) == ((1, 5, 4), 0, 1)
    assert owed(evening) == []
    assert evening.standing.turn == 1


def test_e6_only_a_hand_left_empty_steals_when_the_stack_runs_out():
    evening = table("en-intro", hands=[1, 4, 0], stack=2)
    evening.hand(1, "1-1")
    assert evening.standing.counters["hands"] == (1, 5, 0)
    assert owed(evening) == [(3, "steal")]
    evening.play(Steal(3, 2))
    assert (evening.standing.counters["hands"], evening.standing.turn) == ((1, 4, 1), 1)


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_e6_explore_draws_to_five_wins_a_trump_and_goes_on(profile):
    evening = table(profile, hands=[1, 5, 5])
    step = evening.hand(1, "1-1")
    assert (step.points, evening.standing.counters["hands"][0], evening.standing.counters["trumps"]) == (4, 5, 1)


@pytest.mark.parametrize("profile", ["en-intro", "fr-bluff"])
def test_e7_tv12_an_emptied_hand_makes_all_draw_in_the_editions_own_order(profile):
    tree = [*OPENS_2, "2-1", "2-2"]
    evening = table(profile, tree=tree, hands=[5, 1, 0], stack=2)
    evening.hand(1, "3-1")
    if evening.game.silent:
        evening.play(Announce(1, 3, "open"))
    evening.play(Call(1, "2-3", 2))
    first = (4, 1, 1) if profile == "en-intro" else (5, 1, 0)
    assert evening.standing.counters["hands"] == first


def test_e8_an_emptied_hand_with_the_stack_empty_wins_at_once_without_points():
    evening = table("en-intro", tree=OPENS_2, hands=[5, 1, 5], stack=0)
    evening.play(Place(1, "2-1", "hand"), Exchange(1, 2))
    assert not evening.standing.over  # an exchange never empties a hand (F8)
    evening = table("fr-bluff", hands=[5, 1, 5], stack=0)
    evening.ends(1)
    evening.play(Steal(1, 2))
    assert (evening.standing.over, evening.standing.winners) == (True, (2,))


def test_e8_en_explore_stops_after_the_act_in_progress_the_called_card_included():
    evening = table("en-explore", tree=[*OPENS_2, "2-1", "2-2"], hands=[5, 1, 5], stack=0)
    evening.play(Place(1, "3-1", "hand"), Call(1, "2-3", 2))
    assert not evening.standing.over
    evening.play(Place(1, "2-3", "called"))
    assert evening.standing.over


def test_e8_fr_explore_goes_on():
    evening = table(tree=OPENS_2, hands=[5, 1, 5], stack=0)
    evening.play(Steal(1, 2))
    assert not evening.standing.over


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


def test_f1_era_1_is_never_opened():
    evening = table()
    assert evening.hand(1, "1-1").points == 1
    assert evening.standing.counters["trumps"] == 0


def test_f2_if_you_empty_your_hand_by_opening_an_era_you_win_2_trumps():
    evening = table(tree=OPENS_2, hands=[1, 5, 5])
    assert evening.hand(1, "2-1").points == 7
    assert evening.standing.counters["trumps"] == 2


def test_f3_you_can_never_win_a_trump_during_someone_elses_turn():
    evening = table(tree=[*OPENS_2, "2-1", "2-2"], hands=[5, 1, 5], profile="en-explore")
    evening.play(Place(1, "3-1", "hand"), Call(1, "2-3", 2))
    assert evening.standing.points[1] == 0


@pytest.mark.parametrize(("profile", "points", "trumps"), [("en-explore", 4, 1), ("fr-explore", 1, 0)])
def test_f4_vous_ne_gagnez_plus_d_action_speciale_quand_vous_videz_votre_main(profile, points, trumps):
    evening = table(profile, stack=0, hands=[1, 0, 0])
    assert evening.hand(1, "1-1").points == points
    assert evening.standing.counters["trumps"] == trumps


def test_f5_you_can_first_continue_in_series_and_use_the_trump_later_in_the_turn():
    evening = table(tree=OPENS_2)
    evening.hand(1, "2-1")
    evening.hand(1, "2-2")
    assert evening.steps[-1].points == 2
    evening.hand(1, "1-6")
    assert (evening.steps[-1].points, evening.standing.counters["trumps"]) == (1, 0)


def test_f6_replay_a_new_card_without_a_link():
    evening = table("en-intro", tree=OPENS_2)
    evening.hand(1, "2-1")
    evening.hand(1, "1-6")
    assert evening.standing.counters["trumps"] == 0


@pytest.mark.parametrize("profile", list(PROFILES))
def test_f7_voler_is_in_the_french_games_only(profile):
    found = set() if profile.startswith("fr") else {"not-offered"}
    evening = table(profile, hands=[1, 5, 5])
    evening.hand(1, "1-1")
    assert evening.rules(Steal(1, 2)) == found
    assert evening.rules(Steal(1, 2, trump=True)) == found


def test_f7_a_stolen_card_goes_into_your_hand_and_costs_the_trump():
    evening = table(hands=[1, 5, 5], stack=10)
    evening.hand(1, "1-1")
    evening.play(Steal(1, 2))
    assert (evening.standing.counters["hands"], evening.standing.counters["trumps"]) == ((6, 5, 5), 0)
    assert evening.rules(Steal(1, 2)) == {"no-trump"}


def test_f8_an_exchange_gives_another_card_so_there_must_be_one():
    evening = table("en-explore", stack=0, hands=[1, 5, 5])
    evening.hand(1, "1-1")
    assert evening.judge(Exchange(1, 2)) == (Objection("last-card"),)
    assert evening.rules(Exchange(1, 1)) == {"not-there", "last-card"}


def test_f9_discard_a_card_except_your_last():
    evening = table("en-intro", tree=OPENS_2, hands=[3, 5, 5])
    evening.hand(1, "2-1")
    evening.play(Discard(1, "1-6"))
    assert (evening.standing.counters["hands"][0], evening.standing.counters["trumps"]) == (1, 0)
    assert evening.rules(Discard(1, "1-7", trump=True)) == {"no-trump", "last-card"}


def test_f10_a_call_is_a_use_of_a_trump():
    evening = table(tree=[*OPENS_2, "2-1", "3-1"])
    assert evening.judge(Call(1, "2-2", 2)) == (Objection("no-trump"),)


def test_f11_three_points_for_each_trump_outside_the_progression():
    evening = table(tree=["1-2", "1-3"], hands=[5, 5, 5])
    evening.hand(1, "1-4")
    step = evening.hand(1, "2-1")
    assert step.points == 2 + 3
    assert [text.params["points"] for text in step.score_reasons] == [2, 3]
