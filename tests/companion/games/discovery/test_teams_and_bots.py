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


def test_i2_nobody_places_an_asked_card_that_he_was_not_given():
    assert table(seats=RED).rules(Place(1, "1-1", "hand", asked=True)) == {"not-there"}


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


def test_j6_a_tie_goes_to_the_nearest_on_its_left():
    evening = table("fr-explore", hands=[6, 5, 6], stack=0, **FIRST)
    assert evening.standing.counters["hands"] == (6, 6, 5)


def test_j10_a_last_card_that_cannot_be_placed_neither_wins_nor_empties():
    evening = table("en-intro", hands=[5, 1, 5], stack=0, **FIRST)
    evening.play(Flip(2, "3-3"))
    assert not evening.standing.over
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


def test_j3_a_single_card_left_under_a_trump_is_used_at_once():
    evening = table("en-intro", tree=era(1, but=["1-6"]), **{**FIRST, "hands": [5, 2, 5]})
    evening.play(Flip(2, "1-6"))
    step = evening.play(Flip(2, "3-3"))
    assert "held" not in step.extras
    assert evening.state.position.discards[1] == ("3-3",)


def test_a_flip_that_cannot_be_placed_is_told_as_a_discard_whatever_lies_in_the_tree():
    evening = table("en-explore", tree=["6-6"], **FIRST)
    before = evening.state.position
    step = evening.play(Flip(2, "2-9"))
    told = evening.game.words.caption(before, Flip(2, "2-9"), step)
    assert told[0].key == "discovery.caption.discard"


def test_r7_a_hand_that_a_bot_empties_wins_if_the_stack_is_empty():
    evening = table("en-intro", hands=[5, 1, 5], stack=0, **FIRST)
    evening.play(Flip(2, "1-1"))
    assert evening.standing.winners == (2,)


@pytest.mark.parametrize("typed", ["les rouges", "Les  Rouges ", "LES ROUGES", "Les\u00a0Rouges", "\ufeffLes Rouges"])
def test_a_team_is_the_same_team_however_its_name_is_typed(typed):
    """One mate typed it on the page, the other in the match file: they would have played against each other."""
    seats = [{"name": "A", "team": "Les Rouges"}, {"name": "B", "team": "Bleus"}, {"name": "C", "team": typed}]
    evening = table(seats=[*seats, {"name": "D", "team": "Bleu"}])
    assert evening.rules(Ask(1, 3)) == set()
    assert evening.rules(Ask(1, 2)) == {"not-offered"}


@pytest.mark.parametrize("team", ["", " ", "\u200b", "\u3164"])
def test_a_team_without_a_name_that_can_be_seen_is_none(team):
    with pytest.raises(InputError, match="a team is a name in quotes"):
        game(seats=[{"name": "A", "team": team}, {"name": "B"}])


def test_i6_no_bot_in_a_team():
    with pytest.raises(InputError, match="bot cannot play in a team"):
        game(seats=[{"name": "A"}, {"name": "R", "bot": True, "team": "x"}])
