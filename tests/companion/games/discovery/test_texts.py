"""What is said after each act: the whole of it, in order, as the log, the phones and the lamp's words have it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.discovery_match import SILENT, Evening, era, table

from companion.games.discovery.moves import (
    AgreeEnd,
    Announce,
    Ask,
    Call,
    Concede,
    EndTurn,
    Exchange,
    Flip,
    Place,
    Refill,
    Steal,
    Stop,
    Uncontested,
    Verify,
)
from companion.games.discovery.state import OwedAct
from companion.games.protocol import Move, MoveContext, Objection
from companion.public.table import Seat

pytestmark = pytest.mark.core


def said(evening: Evening, move: Move, time_s: float | None = None) -> list[str]:
    """The keys of everything that is said after a lawful move, without what they all begin with."""
    before = evening.state.position
    told = evening.game.words.caption(before, move, evening.play(move, time_s=time_s))
    return [text.key.removeprefix("discovery.").removeprefix("caption.") for text in told]


def won(profile: str, **more: object) -> Evening:
    """Seat 1 has one card left, and the stack is empty."""
    return table(profile, hands=[1, 5, 5], stack=0, **more)


@pytest.mark.parametrize("profile", SILENT)
def test_a_win_that_can_still_be_contested_is_said_with_its_unless_and_again_when_it_stands(profile):
    evening = won(profile)
    assert said(evening, Place(1, "1-1", "hand"), 50.0) == ["wins-unless.one", "laid"]
    assert said(evening, Uncontested(0, 1), 60.0) == ["wins.one"]


@pytest.mark.parametrize("profile", SILENT)
def test_while_a_winning_card_is_contested_nothing_is_said_of_the_end_before_the_answer(profile):
    evening = won(profile)
    evening.hand(1, "1-1")
    assert said(evening, Stop(2)) == ["stop"]
    assert said(evening, Verify(1)) == ["wins.one", "proven"]


@pytest.mark.parametrize("profile", SILENT)
@pytest.mark.parametrize("answer", [Verify(1), Concede(1)])
def test_a_win_that_falls_is_said_to_be_cancelled_and_why(profile, answer):
    evening = won(profile)
    evening.play(Place(1, "2-1", "hand"), Stop(2))
    verdict = ["verdict.prerequisites"] if answer.do == "verify" else []
    costs = ["fault-card" if verdict else "concede-card", "steals-instead"]
    assert said(evening, answer) == ["cancelled", *costs, *verdict, "pull-out"]
    assert [(debt.seat, debt.do) for debt in evening.standing.owed] == [(1, "steal")]


@pytest.mark.parametrize("profile", SILENT)
def test_a_stop_to_somebody_elses_card_leaves_a_win_as_provisional_as_it_was(profile):
    evening = table(profile, hands=[5, 1, 5], stack=0)
    evening.play(Place(1, "1-2", "hand"), EndTurn(1))
    evening.hand(2, "1-1")
    assert evening.standing.provisional
    assert said(evening, Stop(3, 1)) == ["stop"]
    assert said(evening, Verify(1)) == ["proven"]
    assert evening.standing.provisional


@pytest.mark.parametrize("profile", SILENT)
def test_a_win_stands_though_somebody_elses_card_was_wrong(profile):
    evening = table(profile, hands=[5, 1, 5], stack=0)
    evening.play(Place(1, "2-1", "hand"), EndTurn(1))
    evening.hand(2, "1-1")
    evening.play(Stop(3, 1))
    assert said(evening, Concede(1)) == ["concede", "pull-out"]
    assert (evening.standing.over, evening.standing.provisional, evening.standing.winners) == (True, True, (2,))
    assert evening.standing.counters["hands"] == (4, 0, 5), "nobody takes up cards once a match is won"


@pytest.mark.parametrize("profile", ["en-explore", "fr-explore"])
def test_in_explore_a_stopped_card_costs_what_fills_the_hand_and_a_stopped_call_a_discard(profile):
    opens = {"tree": ["1-1", "1-2", "1-3", "1-4"], "stack": 9, "hold": ["2-1"], "options": {"stop": True}}
    evening = table(profile, **opens)
    evening.play(Place(1, "1-6", "hand"), Stop(2))
    assert said(evening, Verify(1, found=False)) == ["fault-placed", "pull-out", "why.refund"]
    refund = next(one for one in evening.steps[-1].score_reasons if one.key == "discovery.why.refund")
    assert refund.params["points"] == -evening.steps[0].points < 0
    evening = table(profile, **opens)
    evening.play(Place(1, "2-1", "hand"), Call(1, "2-3", 2), Stop(2))
    assert said(evening, Verify(1, found=False)) == ["fault-discard"]


@pytest.mark.parametrize(("card", "source", "where"), [("1-1", "hand", ".pool"), ("1-2", "hand", ".discard"),
                                                       ("1-3", "pool", "")])  # fmt: skip
def test_of_a_card_that_is_not_there_it_is_said_where_it_lies(card, source, where):
    evening = table("en-intro", pool=["1-1"], discards=[["1-2"], [], []], hold=["1-3"])
    move = Place(1, card, source)
    told = evening.game.words.reason(evening.state.position, move, *evening.judge(move))
    assert told.key == f"discovery.objection.not-there{where}"


@pytest.mark.parametrize("profile", SILENT)
@pytest.mark.parametrize(("answer", "words"), [(Verify(1, found=False), "fault-card"), (Concede(1), "concede-card")])
def test_a_stopper_who_gets_a_called_card_back_and_pays_with_it_is_told_so(profile, answer, words):
    """The call took his last card and won him the match: it falls, and the card that comes back is what he gives."""
    opens = ["1-1", "1-2", "1-3", "1-4"]
    evening = table(profile, tree=opens, hands=[3, 1, 5], stack=0, hold=["2-1"])
    evening.play(Place(1, "2-1", "hand"), Announce(1, 2, "open"), Call(1, "2-3", 2), Stop(2))
    assert said(evening, answer) == ["wins.one", words]
    assert evening.standing.counters["hands"] == (3, 0, 5)


@pytest.mark.parametrize(("by", "other"), [(1, 2), (2, 1)])
def test_a_points_game_that_is_over_stays_so_when_its_last_card_falls_and_its_points_go_back(by, other):
    """ "if applicable, the card was placed at fault" (E:348): it lies in his discard then, and costs a point there."""
    hands, points = [0, 0, 0], [6, 6, 0]
    hands[by - 1], points[by - 1] = 1, 5
    evening = table("en-explore", options={"stop": True}, turn=by, hands=hands, stack=0, points=points, hold=["2-1"])
    evening.play(Place(by, "2-1", "hand"), EndTurn(by))
    assert (evening.standing.provisional, evening.standing.winners) == (True, (by,))
    evening.play(Stop(other))
    told = ["wins.one", "final", "fault", "verdict.prerequisites", "pull-out", "why.refund"]
    assert said(evening, Verify(by)) == told
    assert (evening.standing.over, evening.standing.provisional) == (True, False)
    assert (evening.standing.points[by - 1], evening.standing.winners) == (4, (other,))


@pytest.mark.parametrize("profile", SILENT)
def test_what_is_named_after_the_end_ends_nothing_again(profile):
    evening = table(profile, hands=[1, 5, 5], stack=1, pool=["1-1"])
    evening.play(Place(1, "1-1", "pool"))
    assert said(evening, Place(1, "1-2", "hand")) == ["wins-unless.one", "laid"]
    assert said(evening, Refill(0, "1-6")) == ["refill"]
    assert said(evening, Uncontested(0, 2)) == [], "the first card can still be stopped"
    assert said(evening, Uncontested(0, 1)) == ["wins.one"]
    evening = table(profile, hands=[1, 5, 5], stack=1, pool=["1-1"])
    evening.play(Place(1, "1-1", "pool"), Place(1, "1-2", "hand"), Uncontested(0, 2), Uncontested(0, 1))
    assert said(evening, Refill(0, "1-6")) == ["refill"]


def test_an_end_by_points_is_said_at_once_where_nobody_says_stop_and_as_provisional_where_somebody_may():
    tree = era(1, but=["1-1"])
    evening = table("en-explore", hands=[1, 5, 5], stack=0, tree=tree, points=[99, 0, 0])
    assert said(evening, Place(1, "1-1", "hand")) == ["place", "why.card", "why.closed", "why.emptied"]
    assert said(evening, EndTurn(1)) == ["wins.one", "final", "end_turn"]
    evening = table("en-explore", hands=[1, 5, 5], stack=0, tree=tree, points=[99, 0, 0], options={"stop": True})
    evening.play(Place(1, "1-1", "hand"), time_s=5.0)
    assert said(evening, EndTurn(1), 6.0) == ["wins-unless.one", "final", "end_turn"]
    assert said(evening, Uncontested(0, 1), 20.0) == ["wins.one", "final"]


def test_a_tie_is_said_of_all_and_a_draw_of_nobody():
    evening = table("en-explore", hands=[0, 0, 0], stack=0, points=[4, 4, 1])
    assert said(evening, EndTurn(1)) == ["wins.many", "final", "end_turn"]
    evening = table("en-intro", stack=0)
    for by in (1, 2, 3) * 3:
        evening.ends(by)
        evening.play(Steal(by, by % 3 + 1))
    assert said(evening, AgreeEnd(0)) == ["draw", "agree_end"]


@pytest.mark.parametrize(("profile", "word"), [("en-intro", "place"), ("fr-explore", "place"),
                                               ("en-memory", "laid"), ("fr-bluff", "laid")])  # fmt: skip
def test_a_silent_game_says_that_a_card_was_laid_and_no_more(profile, word):
    """Homo erectus opens era 2: with points that is worth a word, in a pile nobody knows it until it is announced."""
    evening = table(profile, tree=["1-1", "1-2", "1-3", "1-4"])
    why = ["why.card", "why.opened"] if evening.game.setup.profile.points else []
    assert said(evening, Place(1, "2-1", "hand")) == [word, *why]
    if evening.game.silent:
        assert said(evening, Announce(1, 2, "open")) == ["announce.open"]
    assert said(evening, Exchange(1, 2)) == ["exchange"]


def test_an_asked_card_that_must_go_after_a_failed_call_is_nobodys_fault():
    """fr-explore in teams (I2): what is owed then is the asked card, not a penalty."""
    evening = table("fr-explore")
    for asked, key in ((True, "must-discard.asked"), (False, "must-discard")):
        owed = replace(evening.state.position, owed=(OwedAct(Seat(1), "discard", draws=True, asked=asked),))
        told = evening.game.words.reason(
            owed, EndTurn(Seat(1)), *evening.game.rules.judge(owed, EndTurn(Seat(1)), MoveContext(1))
        )
        assert told.key == f"discovery.objection.{key}"


@pytest.mark.parametrize(
    ("move", "card"),
    [(Place(1, "2-1", "hand"), "2-1"), (Announce(1, 2, "open"), None), (Announce(1, 1, "closed"), None)],
)
def test_the_verdict_names_the_card_that_was_stopped_where_it_was_one(move, card):
    evening = table("en-memory", tree=["1-1"])
    if card is None:
        evening.hand(1, "1-2")
    evening.play(move, Stop(2))
    before = evening.state.position
    told = evening.game.words.caption(before, Verify(1), evening.play(Verify(1)))
    (verdict,) = (text for text in told if text.key.startswith("discovery.verdict."))
    assert verdict.params.get("card") == card


LAYS, WRONG, CALLS = Place(1, "1-1", "hand"), Place(1, "2-2", "hand"), Call(1, "1-9", 0)


@pytest.mark.parametrize(
    ("profile", "moves", "told"),
    [
        ("en-memory", [LAYS, Stop(2), Verify(1)], ["proven", "steals-instead"]),
        ("fr-bluff", [LAYS, Stop(2), Verify(1)], ["proven", "steals-instead"]),
        ("fr-bluff", [WRONG, Stop(2), Concede(1)], ["concede-card", "steals-instead", "pull-out"]),
        ("en-memory", [WRONG, Stop(2), Verify(1, False)], ["fault-card", "steals-instead", "pull-out"]),
        ("en-intro", [CALLS], ["call.not-there", "steals-instead"]),
        ("fr-bluff", [CALLS], ["call.not-there", "steals-instead"]),
        ("en-explore", [CALLS], ["call.not-there", "stack-empty"]),
        ("fr-explore", [CALLS], ["call.not-there", "stack-empty"]),
    ],
)
def test_whoever_should_draw_from_an_empty_stack_is_told_that_he_steals_or_draws_nothing(profile, moves, told):
    """ "If the stack is empty, you steal a card instead" (E 1.2; F 2.4)."""
    before = [Steal(1, 2)] if profile == "fr-explore" else []
    if CALLS in moves:  # which takes a trump
        before += [Place(1, "2-1", "hand"), *([Announce(1, 2, "open")] if profile in SILENT else [])]
    evening = table(profile, tree=["1-2", "1-3", "1-4", *(["1-1"] if CALLS in moves else [])], stack=0)
    evening.play(*before, *moves[:-1])
    assert said(evening, moves[-1]) == told
    owed = [(debt.seat, debt.do) for debt in evening.standing.owed if debt.seat != 2 or profile in SILENT]
    assert bool(owed) == ("steals-instead" in told)


def test_whoever_says_stop_second_is_told_who_was_first():
    """Two shout at once: the first voice wins, and it is not too late."""
    evening = table("en-memory")
    evening.play(Place(1, "2-1", "hand"), Stop(2))
    for second in (Stop(3), Stop(3, 1), Stop(2)):
        told = evening.game.words.reason(evening.state.position, second, *evening.judge(second))
        assert (told.key, told.params["other"]) == ("discovery.objection.contest-closed.said", 2)
    evening.play(Concede(1))
    told = evening.game.words.reason(evening.state.position, Stop(3, 1), *evening.judge(Stop(3, 1)))
    assert told.key == "discovery.objection.contest-closed"


@pytest.mark.parametrize(("drawn", "key"), [(2, "end_turn.draws"), (0, "end_turn")])
def test_an_end_of_turn_says_what_is_drawn(drawn, key):
    """ "Ana ends the turn", and her hand went from 3 to 5."""
    evening = table("en-explore", hands=[6 - drawn, 5, 5])
    told = said(evening, Place(1, "1-1", "hand"))
    before = evening.state.position
    captions = evening.game.words.caption(before, EndTurn(1), evening.play(EndTurn(1)))
    assert told
    assert captions[0].key == f"discovery.caption.{key}"
    assert captions[0].params.get("n", 0) == drawn


def test_a_bot_does_not_verify_so_somebody_else_is_called_upon():
    """ "Ben: Stop! Robo verifies.", and everybody waited for Robo (E 2.5)."""
    seats = [{"name": "Ana"}, {"name": "Robo", "bot": True}, {"name": "Cy"}]
    evening = table("en-explore", seats=seats, turn=2, options={"stop": True}, hold=["1-1"])
    evening.play(Flip(2, "1-1"))
    assert said(evening, Stop(3))[0] == "stop.bot"
    evening = table("en-explore", seats=seats, options={"stop": True})
    evening.play(Place(1, "1-1", "hand"))
    assert said(evening, Stop(3))[0] == "stop"


def test_whose_turn_it_is_is_told_apart_from_a_turn_that_is_over():
    position = table(turn=2).state.position
    words = table().game.words
    assert words.reason(position, Steal(2, 1), Objection("turn")).key == "discovery.objection.turn.ended"
    for early in (1, 3):
        assert words.reason(position, Steal(early, 2), Objection("turn")).key == "discovery.objection.turn"


@pytest.mark.parametrize(("seat", "mate", "other"), [(1, 3, 2), (2, 4, 3)])
def test_a_card_may_be_asked_of_a_team_mate_alone(seat, mate, other):
    evening = table("fr-explore", seats=TEAMS)
    position, words = evening.state.position, evening.game.words
    assert words.reason(position, Ask(seat, mate), Objection("not-offered")).key.endswith("not-offered.ask")
    for source in (seat, other):
        assert words.reason(position, Ask(seat, source), Objection("not-offered")).key.endswith("not-offered.mate")


TEAMS = [{"name": name, "team": team} for name, team in zip("ABCD", "xyxy", strict=True)]


@pytest.mark.parametrize(
    ("more", "points"),
    [
        ({}, [([2], 9), ([1], 4), ([3], 1)]),
        ({"seats": TEAMS, "hands": [0] * 4, "points": [4, 9, 7, 1]}, [([1, 3], 11), ([2, 4], 10)]),
    ],
)
def test_the_end_says_the_final_points_the_most_first(more, points):
    evening = table("fr-explore", **{"hands": [0, 0, 0], "stack": 0, "points": [4, 9, 1], **more})
    before = evening.state.position
    final = evening.game.words.caption(before, EndTurn(1), evening.play(EndTurn(1)))[1]
    assert [(one.params["seats"], one.params["points"]) for one in final.params["points"]] == points
