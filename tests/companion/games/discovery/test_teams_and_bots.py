"""Teams and bots (rules.md 3.4 I and J, rows R1 to R8 of 3.7)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.conserved import count_things
from support.discovery_match import Evening, era, game, table

from companion.errors import InputError
from companion.games.discovery.moves import (
    Announce,
    Ask,
    Call,
    Discard,
    EndTurn,
    Flip,
    Joker,
    Pass,
    Place,
    Steal,
    Stop,
    Verify,
)
from companion.games.protocol import Move, MoveContext, Objection
from companion.public.table import Change

pytestmark = pytest.mark.core

RED = [{"name": "A", "team": "red"}, {"name": "B", "team": "blue"}, {"name": "C", "team": "red"}]
ROBO = [{"name": "Ana"}, {"name": "Robo", "bot": True}, {"name": "Cy"}]
FIRST = {"seats": ROBO, "turn": 2, "hold": ["2-9", "3-2", "3-3", "4-4"]}


def test_i1_you_can_start_your_turn_by_asking_a_team_mate_who_chooses():
    evening = table("en-intro", seats=RED)
    assert evening.rules(Ask(1, 2)) == {"not-offered"}
    evening.play(Ask(1, 3))
    assert evening.standing.counters["hands"] == (6, 5, 4)
    assert evening.rules(Ask(1, 3)) == {"not-offered"}
    evening = table("en-intro", seats=RED)
    evening.hand(1, "1-1")
    assert evening.rules(Ask(1, 3)) == {"not-offered"}
    assert table("en-intro", seats=RED, hands=[5, 5, 0]).rules(Ask(1, 3)) == {"not-there"}
    assert table("en-intro").rules(Ask(1, 3)) == {"not-offered"}


def why(evening: Evening, move: Move) -> list[str]:
    """The keys of what is said against a move."""
    public = evening.state.position
    return [
        evening.game.words.reason(public, move, one).key.removeprefix("discovery.objection.")
        for one in evening.judge(move)
    ]


@pytest.mark.parametrize("seat", [1, 3])
def test_whoever_asks_is_told_whether_it_is_the_wrong_seat_or_the_wrong_moment(seat):
    """A wrong seat is no team-mate; a team-mate may be asked only at the start of a turn."""
    evening = table("en-intro", seats=RED, turn=seat)
    mate = 4 - seat
    assert why(evening, Ask(seat, 2)) == ["not-offered.mate"]
    assert why(evening, Ask(seat, seat)) == ["not-offered.mate"]
    evening.play(Ask(seat, mate))
    assert why(evening, Ask(seat, mate)) == ["not-offered.ask"]


@pytest.mark.parametrize("place", [1, 2, 3])
def test_whatever_is_said_for_a_bot_in_any_seat_is_answered_by_what_a_bot_does(place):
    """J5: the last seat was taken for none, by a comparison that nobody would have missed."""
    seats = [{"name": "Robo", "bot": True} if seat == place else {"name": f"P{seat}"} for seat in (1, 2, 3)]
    evening = table("fr-explore", seats=seats, turn=place, hold=["2-9", "3-2", "3-3", "4-4"])
    assert why(evening, Pass(place)) == why(evening, EndTurn(place)) == ["not-offered.bot"]


def test_i1_in_fr_explore_after_the_steal_of_the_empty_stack():
    evening = table(seats=RED, stack=0)
    assert evening.rules(Ask(1, 3)) == {"must-steal"}
    evening.play(Steal(1, 2))
    assert evening.rules(Ask(1, 3)) == set()


def test_i1_the_giver_replaces_the_card_in_explore():
    evening = table(seats=RED)
    evening.play(Ask(1, 3))
    assert (evening.standing.counters["hands"], evening.standing.counters["stack"]) == ((6, 5, 5), 9)


def test_i2_vous_devez_placer_cette_carte_sinon_vous_vous_en_defaussez():
    evening = table(seats=RED)
    evening.play(Ask(1, 3))
    evening.hand(1, "1-1")
    assert evening.judge(EndTurn(1)) == (Objection("must-discard"),)
    told = evening.game.words.reason(evening.state.position, EndTurn(1), Objection("must-discard"))
    assert told.key == "discovery.objection.must-discard.asked"
    evening.play(Discard(1, "1-2", asked=True))
    assert evening.rules(EndTurn(1)) == set()
    evening = table(seats=RED)
    evening.play(Ask(1, 3), Place(1, "1-1", "hand", asked=True))
    assert evening.rules(EndTurn(1)) == set()


def test_i2_that_discard_also_satisfies_the_one_of_a_turn_without_placement():
    evening = table(seats=RED)
    evening.play(Ask(1, 3), Discard(1, "1-2", asked=True), EndTurn(1))
    assert evening.standing.counters["hands"] == (5, 5, 5)


@pytest.mark.parametrize("stopper", [1, 2, 4])
def test_i2_a_penalty_that_somebody_else_discards_leaves_the_asked_card_due(stopper):
    """ "Vous devez placer cette carte durant ce tour, sinon vous vous en défaussez" (F:321-322)."""
    seats = [{"name": name, "team": team} for name, team in (("A", "b"), ("B", "b"), ("C", "r"), ("D", "r"))]
    evening = table(seats=seats, turn=3, options={"stop": True}, hold=["6-9"])
    evening.play(Ask(3, 4), Place(3, "1-1", "hand"), Stop(stopper), Verify(3))
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(stopper, "discard")]
    evening.play(Discard(stopper, "6-9"))
    assert evening.rules(EndTurn(3)) == {"must-discard"}


@pytest.mark.parametrize("asked", [True, False])
def test_i2_a_penalty_of_ones_own_pays_for_the_asked_card_only_if_it_is_that_card(asked):
    seats = [{"name": name, "team": team} for name, team in (("A", "b"), ("B", "b"), ("C", "r"), ("D", "r"))]
    evening = table(seats=seats, turn=2, options={"stop": True}, hold=["6-8", "6-9"])
    evening.play(Place(2, "1-1", "hand"), EndTurn(2), Ask(3, 4), Stop(3, 1), Verify(2))
    assert evening.game.table.interpretations(evening.state.position, Change("6-9", None, "discard-3")) == (
        Discard(3, "6-9", asked=True),
        Discard(3, "6-9"),
    ), "people say which"
    evening.play(Discard(3, "6-9", asked=asked), Place(3, "1-2", "hand"))
    assert evening.rules(EndTurn(3)) == (set() if asked else {"must-discard"})
    if not asked:
        evening.play(Place(3, "1-4", "hand", asked=True))
        assert evening.rules(EndTurn(3)) == set()


def test_i2_there_is_no_such_duty_in_the_english_games():
    evening = table("en-intro", seats=RED)
    evening.play(Ask(1, 3))
    assert evening.rules(EndTurn(1)) == set()


def test_i2_nobody_places_an_asked_card_that_he_was_not_given():
    assert table(seats=RED).rules(Place(1, "1-1", "hand", asked=True)) == {"not-there"}


@pytest.mark.parametrize("profile", ["en-intro", "fr-bluff"])
def test_i3_the_team_wins_when_the_stack_is_empty_and_all_its_players_are(profile):
    evening = table(profile, seats=RED, hands=[1, 5, 1], stack=0)
    evening.hand(1, "1-1")
    assert not evening.standing.over
    evening.ends(1)
    assert not evening.standing.over
    evening = table(profile, seats=RED, hands=[1, 5, 0], stack=0)
    evening.hand(1, "1-1")
    assert (evening.standing.over, evening.standing.winners) == (True, (1, 3))


def test_i3_en_explore_with_teams_ends_when_a_whole_team_is_empty():
    evening = table("en-explore", seats=RED, hands=[1, 5, 2], stack=0)
    evening.hand(1, "1-1")
    evening.ends(1)
    assert not evening.standing.over
    evening = table("en-explore", seats=RED, hands=[1, 5, 0], stack=0)
    evening.hand(1, "1-1")
    evening.ends(1)
    assert evening.standing.over


def test_i4_the_points_of_a_team_are_pooled():
    evening = table("en-explore", seats=RED, hands=[1, 3, 0], stack=0, points=[40, 45, 50], tree=era(1, but=["1-1"]))
    evening.hand(1, "1-1")
    evening.ends(1)
    assert evening.standing.winners == (1, 3)


def test_i5_an_empty_seat_keeps_taking_turns():
    evening = table("fr-bluff", seats=RED, hands=[0, 5, 3], stack=0)
    assert evening.standing.turn == 1
    evening.ends(1)
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(1, "steal")]


def test_i6_no_bot_in_a_team():
    with pytest.raises(InputError, match="bot cannot play in a team"):
        game(seats=[{"name": "A"}, {"name": "R", "bot": True, "team": "x"}])


def test_j1_a_bot_has_five_cards_of_its_own():
    assert game(seats=ROBO).rules.start.position.hands == (5, 5, 5)


def test_j2_r3_a_placeable_card_is_placed_and_the_bot_flips_on():
    evening = table("en-intro", **FIRST)
    evening.play(Flip(2, "1-1"))
    assert (evening.standing.turn, evening.standing.counters["hands"][1]) == (2, 4)
    evening.play(Flip(2, "1-3"))
    assert evening.standing.turn == 2


@pytest.mark.parametrize(("profile", "hand"), [("en-intro", 4), ("en-explore", 5), ("fr-explore", 5)])
def test_j2_r4_r6_a_card_that_lacks_something_joins_the_discard_and_the_turn_ends_by_drawing(profile, hand):
    evening = table(profile, **FIRST)
    evening.play(Flip(2, "1-1"), Flip(2, "2-1"))
    assert evening.state.position.discards[1] == ("2-1",)
    assert (evening.standing.turn, evening.standing.counters["hands"][1]) == (3, hand)


def test_j3_r5_under_a_trump_it_flips_two_and_holds_the_first():
    evening = table("fr-explore", tree=[*era(1, but=["1-6"]), "2-1"], **FIRST)
    evening.play(Flip(2, "1-6"))
    assert evening.standing.counters["trumps"] == 1
    step = evening.play(Flip(2, "3-3"))
    assert evening.standing.counters["trumps"] == 0
    assert step.extras == {"held": True}
    assert evening.standing.counters["hands"][1] == 4
    assert evening.game.table.expected(evening.state.position).cards["3-3"] == "row-2"
    step = evening.play(Flip(2, "2-2"))
    assert step.points == 2
    assert evening.state.position.discards[1] == ("3-3",)
    assert evening.standing.turn == 2


def test_j3_r5_leftmost_first_and_again_after_each_success():
    evening = table("fr-explore", tree=era(1, but=["1-6"]), **FIRST)
    evening.play(Flip(2, "1-6"), Flip(2, "2-2"))
    step = evening.play(Flip(2, "2-1"))
    assert [laid.card for laid in evening.state.position.tree[-2:]] == ["2-1", "2-2"]
    assert step.points == 2 + 3 + 3


def test_j3_r5_if_neither_can_be_placed_the_turn_ends():
    evening = table("en-explore", tree=era(1, but=["1-6"]), **FIRST)
    evening.play(Flip(2, "1-6"), Flip(2, "3-2"), Flip(2, "3-3"))
    assert evening.state.position.discards[1] == ("3-2", "3-3")
    assert (evening.standing.turn, evening.standing.counters["hands"][1]) == (3, 5)


def test_j3_r5_the_luck_of_two_cards_is_not_that_of_the_next_two():
    """ "can continue playing if he can place at least one" (E:298-299): at each trump anew."""
    evening = table("en-explore", seats=ROBO, turn=2, jokers=2, hold=["1-1", "3-2", "3-3", "4-4"], hands=[5, 7, 5])
    evening.play(Flip(2, "J1"), Flip(2, "3-2"), Flip(2, "1-1"))
    assert evening.standing.turn == 2
    evening.play(Flip(2, "J2"), Flip(2, "3-3"), Flip(2, "4-4"))
    assert evening.standing.turn == 3
    assert evening.state.position.discards[1] == ("3-2", "3-3", "4-4")


@pytest.mark.parametrize(
    ("left", "held", "discard", "turn"), [(2, ("3-2",), (), 2), (1, (), ("3-2",), 3), (0, (), (), 3)]
)
def test_j2_a_bots_row_that_a_count_finds_shorter_ends_with_the_cards_that_there_are(left, held, discard, turn):
    """One of two cards is flipped already: with no other left it is used, and where not even that is there, none is."""
    evening = table("en-explore", tree=era(1, but=["1-6"]), **FIRST)
    evening.play(Flip(2, "1-6"), Flip(2, "3-2"))
    assert evening.state.position.turn.held == ("3-2",)
    counts = {"hands": (5, left, 5), "stack": evening.state.position.stack + 4 - left}
    position = evening.game.rules.correct(evening.state, counts, MoveContext(evening.number + 1)).position
    assert (position.turn.held, position.discards[1], position.turn.seat) == (held, discard, turn)
    assert position.hands == (5, 5 if turn == 3 else left, 5), "whose turn has ended draws to five, once"
    assert count_things(evening.game, evening.state) == count_things(
        evening.game, replace(evening.state, position=position)
    )


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_j3_r2_a_flipped_joker_lets_it_flip_two_more(profile):
    evening = table(profile, jokers=1, **FIRST)
    assert evening.play(Flip(2, "J1")).points == 0
    evening.play(Flip(2, "2-1"))
    assert evening.state.position.turn.held == ("2-1",)
    evening.play(Flip(2, "1-1"))
    assert evening.standing.turn == 2


def test_j4_a_thief_takes_its_last_card_and_a_human_answers_a_call_for_it():
    evening = table(tree=["1-1", "1-2", "1-3", "1-4", "2-1", "2-2"], seats=ROBO)
    evening.hand(1, "3-1")
    evening.play(Call(1, "2-3", 2))
    assert evening.standing.counters["hands"][1] == 5  # it drew again
    evening = table(tree=["1-1", "1-2", "1-3", "1-4", "2-1", "2-2"], seats=ROBO, stack=0)
    evening.play(Steal(1, 2))
    assert evening.standing.counters["hands"] == (6, 4, 5)


def test_j5_a_bot_acts_by_flip_alone_and_nobody_else_flips():
    evening = table(**FIRST)
    for move in (Place(2, "1-1", "hand"), EndTurn(2), Discard(2, "1-1"), Steal(2, 1), Call(2, "1-1", 3)):
        assert evening.judge(move) == (Objection("not-offered"),)
    assert table().rules(Flip(1, "1-1")) == {"not-offered"}
    assert evening.judge(Flip(1, "1-1")) == (Objection("turn"),)


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_a_bots_card_that_the_players_put_away_by_hand_leaves_it_its_flips(profile):
    """They let it stand that a card went from the bot's hand to its discard; its turn could then not be ended."""
    evening = table(profile, **FIRST)
    evening.allow(Discard(2, "3-2"))
    assert evening.judge(Flip(2, "2-9")) == ()
    evening.play(Flip(2, "2-9"))
    assert evening.standing.turn == 3


@pytest.mark.parametrize(("profile", "hands"), [("en-intro", (4, 4, 6)), ("fr-bluff", (4, 5, 5))])
def test_j6_r6_a_bot_that_must_steal_skips_it_or_takes_from_the_biggest_hand(profile, hands):
    evening = table("en-intro", hands=[4, 5, 6], stack=0, **FIRST)
    if profile == "en-intro":
        evening.play(Flip(2, "3-3"))
        assert evening.standing.counters["hands"] == hands
        return
    evening = table("fr-explore", hands=[4, 4, 6], stack=0, **FIRST)
    assert evening.standing.counters["hands"] == hands


def test_j6_a_tie_goes_to_the_nearest_on_its_left():
    evening = table("fr-explore", hands=[6, 5, 6], stack=0, **FIRST)
    assert evening.standing.counters["hands"] == (6, 6, 5)


def test_j7_r8_tv23_all_cards_of_its_turn_are_one_series_in_the_french_games():
    evening = table("fr-explore", tree=[*era(1, but=["1-5", "1-6", "1-7"])], hands=[5, 6, 5], **FIRST)
    for card, points in (("1-5", 1), ("1-6", 2), ("1-7", 6), ("3-3", 0), ("2-1", 7)):
        assert evening.play(Flip(2, card)).points == points
    assert evening.standing.points[1] == 16  # 1+2+3 +3, then 4 and 3 for opening era 2
    assert evening.state.position.discards[1] == ("3-3",)


def test_j7_r8_tv24_one_point_each_in_the_english_ones_even_with_series_plus():
    evening = table("en-explore", tree=era(1, but=["1-5", "1-6", "1-7"]), options={"series_plus": True}, **FIRST)
    for card, points in (("1-5", 1), ("1-6", 1), ("1-7", 4)):
        assert evening.play(Flip(2, card)).points == points


def test_j8_r1_fr_explore_with_an_empty_stack_it_starts_by_stealing():
    evening = table("fr-explore", stack=0, hands=[5, 5, 4], seats=ROBO, turn=1)
    evening.play(Steal(1, 3))
    evening.hand(1, "1-1")
    evening.ends(1)
    assert (evening.standing.turn, evening.standing.counters["hands"]) == (2, (4, 6, 3))


def test_j9_in_memory_it_places_every_card_and_keeps_flipping():
    evening = table("en-memory", **FIRST)
    evening.play(Flip(2, "3-3"), Flip(2, "4-4"))
    assert [laid.card for laid in evening.state.position.tree] == ["3-3", "4-4"]
    assert evening.standing.turn == 2


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
def test_j9_stopped_at_fault_it_discards_gets_a_card_from_the_stopper_and_draws(profile):
    evening = table(profile, **FIRST)
    evening.play(Flip(2, "3-3"), Stop(1), Verify(3))
    assert evening.state.position.discards[1] == ("3-3",)
    assert evening.standing.counters["hands"] == (4, 6, 5)
    assert evening.standing.turn == 3


def test_j9_except_in_solitary_mode():
    evening = table("en-memory", seats=ROBO[:2], turn=2, hold=["3-3"])
    evening.play(Flip(2, "3-3"), Stop(1), Verify(1))
    assert evening.standing.counters["hands"] == (5, 5)


def test_j10_a_last_card_that_cannot_be_placed_neither_wins_nor_empties():
    evening = table("en-intro", hands=[5, 1, 5], stack=0, **FIRST)
    evening.play(Flip(2, "3-3"))
    assert not evening.standing.over
    assert evening.standing.turn == 3


@pytest.mark.parametrize(("profile", "hand"), [("en-explore", 5), ("en-intro", 1)])
def test_r7_a_hand_emptied_by_a_placement_is_filled_first_and_then_it_goes_on(profile, hand):
    evening = table(profile, hands=[5, 1, 5], **FIRST)
    evening.play(Flip(2, "1-1"))
    assert (evening.standing.counters["hands"][1], evening.standing.turn) == (hand, 2)
    assert evening.standing.counters["trumps"] == 1


def test_r7_or_wins_if_the_stack_is_empty():
    evening = table("en-intro", hands=[5, 1, 5], stack=0, **FIRST)
    evening.play(Flip(2, "1-1"))
    assert evening.standing.winners == (2,)


def test_a_bot_without_cards_is_passed_over():
    evening = table("en-intro", seats=[*ROBO, {"name": "Dan"}], hands=[5, 0, 5, 5], stack=0)
    evening.ends(1)
    evening.play(Steal(1, 3))
    assert evening.standing.turn == 3


def test_i1_any_act_comes_too_early_for_an_ask_after_it():
    acts = (
        ("en-memory", Announce(1, 2, "open")),
        ("en-explore", Joker(1, "J1", "hand")),
        ("en-explore", Place(1, "1-1", "hand")),
    )
    for profile, move in acts:
        evening = table(profile, seats=RED, jokers=1)
        assert evening.rules(Ask(1, 3)) == set()
        evening.play(move)
        assert evening.rules(Ask(1, 3)) == {"not-offered"}


def test_a_bots_discarded_flip_is_no_fault_where_its_cards_are_judged():
    evening = table("en-intro", options={"stop": True}, **FIRST)
    step = evening.play(Flip(2, "3-3"))
    assert step.objections == ()
    assert not any(evening.state.hidden_objections.values())


def test_i2_an_asked_card_can_still_go_after_the_other_discard():
    evening = table(seats=RED)
    evening.play(Ask(1, 3), Discard(1, "1-1"))
    assert evening.rules(EndTurn(1)) == {"must-discard"}
    evening.play(Discard(1, "1-2", asked=True), EndTurn(1))
    assert evening.standing.turn == 2


def test_asked_means_nothing_without_teams():
    assert table().rules(Place(1, "1-1", "hand", asked=True)) == {"not-offered"}


def test_d3_after_its_discard_the_turn_is_at_its_end():
    evening = table(jokers=1)
    evening.play(Discard(1, "1-6"))
    for move in (Place(1, "1-1", "hand"), Discard(1, "1-2"), Steal(1, 2), Joker(1, "J1", "hand"), Call(1, "1-1", 2)):
        assert evening.judge(move) == (Objection("turn"),)
    assert evening.rules(EndTurn(1)) == set()


def test_j3_a_joker_among_the_two_lets_it_go_on_though_the_other_cannot_be_placed():
    """ "it flips the next 2, goes on if at least one is placed", and a joker counts like one (F:394)."""
    evening = table("fr-explore", jokers=1, tree=era(1, but=["1-6"]), **FIRST)
    evening.play(Flip(2, "1-6"), Flip(2, "J1"), Flip(2, "3-3"))
    assert evening.state.position.discards[1] == ("3-3",)
    assert (evening.standing.turn, evening.standing.counters["trumps"]) == (2, 1)


def test_j3_in_silent_games_both_cards_under_a_trump_are_placed_at_once():
    evening = table("en-memory", jokers=1, **FIRST)
    evening.play(Flip(2, "J1"))
    assert evening.standing.counters["trumps"] == 1
    evening.allow(Flip(2, "3-3"))
    assert [laid.card for laid in evening.state.position.tree] == ["3-3"]
    assert evening.state.position.turn.under == 1
    evening.allow(Flip(2, "3-2"))
    assert (evening.state.position.turn.under, evening.standing.turn) == (0, 2)


def test_j3_a_single_card_left_under_a_trump_is_used_at_once():
    evening = table("en-intro", tree=era(1, but=["1-6"]), **{**FIRST, "hands": [5, 2, 5]})
    evening.play(Flip(2, "1-6"))
    step = evening.play(Flip(2, "3-3"))
    assert "held" not in step.extras
    assert evening.state.position.discards[1] == ("3-3",)


def test_r6_a_bot_that_placed_its_last_card_on_an_empty_stack_ends_its_turn():
    evening = table("fr-explore", **{**FIRST, "hands": [5, 0, 5], "stack": 0, "hold": ["1-6"]})
    assert (evening.standing.turn, evening.standing.counters["hands"][1]) == (2, 1)
    evening.play(Flip(2, "1-6"))
    assert evening.standing.turn == 3


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_a_bots_card_that_somebody_discards_for_it_and_lets_stand_does_not_end_its_flips(profile):
    evening = table(profile, **{**FIRST, "hold": ["1-6", "2-9"]})
    evening.allow(Discard(2, "2-9"))
    evening.play(Flip(2, "1-6"))
    assert [laid.card for laid in evening.state.position.tree] == ["1-6"]


def test_a_flip_that_cannot_be_placed_is_told_as_a_discard_whatever_lies_in_the_tree():
    evening = table("en-explore", tree=["6-6"], **FIRST)
    before = evening.state.position
    step = evening.play(Flip(2, "2-9"))
    told = evening.game.words.caption(before, Flip(2, "2-9"), step)
    assert told[0].key == "discovery.caption.discard"
