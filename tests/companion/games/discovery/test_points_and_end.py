"""Points and the end of the match (rules.md 3.4 M and N)."""

from __future__ import annotations

import pytest
from support.discovery_match import era, table

from companion.games.discovery.moves import (
    AgreeEnd,
    Call,
    Discard,
    EndTurn,
    Interrupt,
    Joker,
    Place,
    Steal,
    Stop,
    Uncontested,
    Verify,
)
from companion.games.protocol import MoveContext

pytestmark = pytest.mark.core


def test_m3_totals_may_go_negative_and_the_entry_says_what_it_cost():
    evening = table("en-explore", hands=[2, 0, 5], stack=0, discards=[["6-2"], [], []], hold=["1-6"])
    step = evening.play(Discard(1, "1-6"), EndTurn(1))
    assert evening.standing.over
    assert evening.standing.points[0] == -3
    assert (step.points, [text.params["points"] for text in step.score_reasons]) == (-3, [-3])


def test_m5_points_have_no_upper_bound():
    evening = table("fr-explore", points=[5000, 0, 0])
    evening.hand(1, "1-1")
    assert evening.standing.points[0] == 5001


def test_n2_whoever_is_interrupted_in_the_last_turn_may_still_finish_it():
    """ "(if it was his turn, he can finish it)" (E:393), and an interruption is a turn within it (O2)."""
    evening = table("en-explore", jokers=1, hands=[1, 5, 5], stack=0, pool=["1-2"], hold=["1-1", "6-9"])
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"), Discard(2, "6-9"), EndTurn(2))
    assert (evening.standing.turn, evening.standing.over) == (1, False)
    evening.play(Place(1, "1-2", "pool"), EndTurn(1))
    assert evening.standing.over


@pytest.mark.parametrize(("profile", "hands"), [("en-explore", [5, 2, 5]), ("fr-explore", [0, 1, 1])])
def test_n2_an_interrupter_who_empties_the_hand_that_counts_ends_the_match_with_his_own_turn(profile, hands):
    """The turn that he interrupted is not taken up again, whatever could be placed in it."""
    evening = table(profile, jokers=1, hands=hands, stack=0, hold=["1-1", "1-3"], pool=["1-2"])
    owed = profile == "fr-explore"
    evening.play(*([Steal(1, 3), Place(1, "1-3", "hand")] if owed else []), Interrupt(2, "J1"))
    assert not evening.standing.over
    evening.play(Place(2, "1-1", "hand") if not owed else Place(2, "1-2", "pool"))
    assert not evening.standing.over
    evening.ends(2)
    assert evening.standing.over


def test_n2_a_hand_emptied_by_the_discard_of_a_turn_ends_the_match_and_nobody_steals_any_more():
    """ "The game end as soon as the stack is empty and a player empties his hand" (E:392)."""
    for options in ({}, {"en_explore_steal_when_empty": True}):
        evening = table("en-explore", options=options, hands=[1, 5, 5], stack=0, hold=["6-9"])
        evening.play(Discard(1, "6-9"), EndTurn(1))
        assert evening.standing.over, options


def test_e8_a_call_that_a_stop_undoes_gives_the_last_card_back_and_the_match_goes_on():
    tree = [*era(1), *era(2, but=["2-9"])]
    evening = table(
        "en-explore", options={"stop": True}, tree=tree, hands=[3, 1, 5], stack=0, pool=["3-1"], hold=["2-9", "6-9"]
    )
    evening.play(Place(1, "3-1", "pool"), Call(1, "2-9", 2))
    assert evening.standing.counters["hands"] == (3, 0, 5)
    evening.play(Stop(3), Verify(1, found=False), Discard(1, "6-9"))
    assert (evening.standing.counters["hands"], evening.standing.over) == ((2, 1, 5), False)


def test_e8_nothing_is_owed_once_a_failed_call_has_ended_the_match():
    evening = table(
        "en-explore", options={"stop": True, "en_explore_steal_when_empty": True}, hands=[2, 1, 5], stack=0,
        tree=[*era(1, but=["1-9"]), *era(2, but=["2-9"])], pool=["3-1"], hold=["1-9", "2-9"],
    )  # fmt: skip
    evening.play(Place(1, "3-1", "pool"))
    assert evening.play(Call(1, "2-9", 2)).extras == {"failed": "prerequisites"}
    assert (evening.standing.over, evening.standing.provisional, evening.standing.owed) == (True, True, ())
    assert evening.rules(Stop(2)) == set()


def test_n2_fr_explore_ends_with_the_turn_in_which_the_last_hand_was_emptied_whatever_is_taken_up_in_it():
    """ "la partie se termine lorsque plus aucun joueur n'a de cartes en main (si c'est votre tour, vous pouvez le
    terminer)" (F:291-292): a joker that the real card frees does not open the match again."""
    evening = table(
        "fr-explore", jokers=1, hands=[1, 0, 0], stack=0, tree=["1-1", "J1=1-2"], pool=["1-2"], hold=["1-5"]
    )
    evening.hand(1, "1-5")
    assert evening.standing.counters["hands"] == (0, 0, 0)
    evening.allow(Place(1, "1-2", "pool"))
    assert evening.standing.counters["hands"] == (1, 0, 0)
    evening.ends(1)
    assert evening.standing.over


def test_n3_while_finishing_the_turn_pool_and_discards_can_be_placed():
    evening = table("fr-explore", hands=[1, 0, 0], stack=0, pool=["1-2"], discards=[[], ["1-4"], []])
    for card, source in (("1-1", "hand"), ("1-2", "pool"), ("1-4", "discard-2")):
        evening.play(Place(1, card, source))
    evening.ends(1)
    assert evening.standing.points[0] == 6


def test_n4_after_three_rounds_without_placement_a_draw_can_be_agreed():
    evening = table("en-intro", seats=2, stack=0, hands=[5, 5])
    assert evening.rules(AgreeEnd(0)) == {"not-offered"}
    for turn, by in enumerate((1, 2) * 3, 1):
        assert evening.told(EndTurn(by)) == ["end_turn"]
        assert evening.told(Steal(by, 3 - by)) == ["steal", *(["stalemate"] if turn == 6 else [])]
    evening.play(EndTurn(1))
    assert evening.told(Steal(1, 2)) == ["steal"]  # people are asked once, and may agree as long as nobody places
    evening.play(AgreeEnd(0))
    assert (evening.standing.over, evening.standing.winners) == (True, ())
    assert evening.rules(AgreeEnd(0)) == {"game-over"}


@pytest.mark.parametrize(("seats", "empty"), [(2, 0), (3, 0), (3, 1), (4, 1), (5, 2), (5, 3)])
def test_n4_three_rounds_are_those_of_whoever_is_there(seats, empty):
    people = [{"name": f"Player {n}", "late": n > seats - empty} for n in range(1, seats + 1)]
    there = seats - empty
    evening = table("en-intro", seats=people, stack=0, hands=[5] * there + [0] * empty)
    for ended in range(3 * there + 1):
        assert evening.rules(AgreeEnd(0)) == (set() if ended == 3 * there else {"not-offered"}), f"{ended} turns"
        by = evening.standing.turn
        evening.play(EndTurn(by), Steal(by, by % there + 1))


def test_n4_points_games_end_by_themselves():
    assert table("en-explore", stack=0).rules(AgreeEnd(0)) == {"not-offered"}


def test_nobody_agrees_to_end_while_something_is_owed():
    assert table("fr-explore", stack=0).rules(AgreeEnd(0)) == {"must-steal"}


def test_k2_with_stop_a_points_game_ends_provisionally_while_a_card_of_the_winner_can_be_stopped():
    evening = table("en-explore", options={"stop": True}, jokers=1, hands=[1, 5, 5], stack=0, tree=["1-2"])
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"), Place(2, "1-6", "hand"), EndTurn(2))
    evening.ends(1)
    assert (evening.standing.over, evening.standing.winners, evening.standing.provisional) == (True, (1,), True)
    evening.play(Uncontested(0, 1))
    assert not evening.standing.provisional, "what another laid takes nothing from the winner"


def test_with_stop_a_turn_without_a_card_ends_a_points_game_for_good():
    evening = table("en-explore", options={"stop": True}, hands=[5, 1, 5], stack=0, hold=["1-6"])
    evening.play(Place(1, "1-1", "hand"), EndTurn(1), Discard(2, "1-6"), EndTurn(2))
    assert (evening.standing.over, evening.standing.provisional) == (True, False)
    assert evening.rules(Stop(3)) == {"game-over"}


@pytest.mark.parametrize(("held", "lying"), [(0, 3), (1, 1), (2, 3), (3, 2), (3, 0), (5, 5)])
def test_m3_the_reason_says_how_many_cards_were_left_in_hand_and_discard_together(held, lying):
    """ "each player loses 1 point for each card left in his hand or his discard" (E:394-395)."""
    discards = [[f"6-{number}" for number in range(1, lying + 1)], [], []]
    evening = table("en-explore", hands=[held, 0, 5], stack=0, discards=discards, tree=["1-2"], pool=["1-1"])
    evening.play(Place(1, "1-1", "pool"))
    step = evening.ends(1)
    assert step.points == -(held + lying)
    assert [text.params["points"] for text in step.score_reasons] == [-(held + lying)]


@pytest.mark.parametrize("bonus", [True, False])
def test_f11_the_option_concerns_trumps_of_jokers_alone(bonus):
    evening = table("fr-explore", options={"joker_trump_bonus": bonus}, jokers=1, tree=["1-1", "1-2", "1-3", "1-4"])
    assert evening.play(Joker(1, "J1", "hand")).points == (3 if bonus else 0)
    assert evening.hand(1, "2-1").points == 1 + 3
    for how, tree, card in (("closed", era(1, but=["1-6"]), "1-6"), ("emptied", [], "1-6")):
        evening = table("fr-explore", options={"joker_trump_bonus": bonus}, tree=tree, hands=[1, 5, 5])
        assert evening.hand(1, card).points >= 1 + 3, how


def test_n4_a_placement_starts_the_count_of_quiet_turns_anew_also_in_an_extra_turn():
    evening = table("en-intro", seats=2, jokers=1, stack=0, hands=[5, 5], hold=["1-1"])
    for by in (1, 2) * 3:
        evening.play(EndTurn(by), Steal(by, 3 - by))
    assert evening.rules(AgreeEnd(0)) == set()
    evening.play(Interrupt(2, "J1"), Place(2, "1-1", "hand"))
    assert evening.rules(AgreeEnd(0)) == {"not-offered"}
    evening.ends(2)
    assert evening.rules(AgreeEnd(0)) == {"not-offered"}


def test_n4_an_extra_turn_without_a_placement_is_not_counted():
    evening = table("en-intro", seats=2, jokers=1, stack=0, hands=[5, 5])
    for by in (1, 2, 1, 2, 1):
        evening.play(EndTurn(by), Steal(by, 3 - by))
    evening.play(Interrupt(1, "J1"), EndTurn(1), Steal(1, 2))
    assert evening.rules(AgreeEnd(0)) == {"not-offered"}
    evening.play(EndTurn(2), Steal(2, 1))
    assert evening.rules(AgreeEnd(0)) == set()


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_m4_whoever_they_are_the_most_points_win(profile):
    for points, winners in (([9, 0, 9], (1, 3)), ([0, 9, 1], (2,)), ([0, 0, 9], (3,))):
        evening = table(profile, hands=[0, 0, 0], stack=0, points=points, discards=[[], [], []], tree=_all_but_pool())
        evening.ends(1)
        assert evening.standing.winners == winners


def _all_but_pool():
    return [card for number in range(1, 7) for card in era(number)]


@pytest.mark.parametrize(("profile", "goes_on"), [("en-intro", True), ("en-memory", True), ("en-explore", False)])
def test_a_win_by_an_empty_hand_falls_when_that_hand_is_counted_and_is_not_empty(profile, goes_on):
    """The companion counts hands that it cannot see; somebody still holds a card, and says so."""
    evening = table(profile, hands=[1, 5, 5], stack=0, hold=["1-1"])
    evening.play(Place(1, "1-1", "hand"))
    if profile == "en-explore":
        evening.play(EndTurn(1))
    assert evening.standing.over
    counted = evening.game.rules.correct(evening.state, {"hands": (1, 5, 4)}, MoveContext(9))
    standing = evening.game.board.standing(evening.game.public(counted))
    assert (not standing.over, standing.turn, standing.winners) == ((True, 1, ()) if goes_on else (False, None, (1,)))


def test_a_silent_game_that_is_final_stays_so_whatever_is_counted():
    """Its secrets are open by then."""
    evening = table("en-memory", hands=[1, 5, 5], stack=0, hold=["1-1"])
    evening.play(Place(1, "1-1", "hand"))
    evening.play(Uncontested(0, evening.number))
    assert evening.standing.final
    counted = evening.game.rules.correct(evening.state, {"hands": (1, 5, 4)}, MoveContext(9))
    assert evening.game.board.standing(evening.game.public(counted)).over
