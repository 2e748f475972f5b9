"""What the eye could not see nobody is accused of: what cannot be read, and time in which it saw no table."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.scripted_table import ScriptedTable

from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.moves import LayStart
from companion.games.carcassonne.people import MapPlaces
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match
from companion.history.events import Entry, Origin, Played
from companion.history.record import replay
from companion.public.table import (
    COMMAND_ZONE,
    TABLE,
    CardId,
    Observation,
    Placement,
    Seat,
    TableState,
    Token,
    UnreadPlace,
    ViewLost,
    Zone,
)
from companion.public.updates import Alert, Signal
from companion.referee.commands import AnswerQuestion, CommandCard, CorrectCounts, Pause, Resume
from companion.referee.match import Match
from hardware.patterns import PATTERNS

POOL = ("C33", "C34", "C35", "C36", "C37")
THERE = (UnreadPlace(Zone("tree"), 480.0, 300.0, (0.436, 0.462)),)
ACCUSING = {Signal.REFUSED, Signal.SUSPECTED, Signal.MISPLACED}


def table(turn: int = 3, profile: str = "fr-explore", **options: Any) -> ScriptedTable:
    """Ana, Ben and Cy in the middle of a match; 1-1, 1-2 and 1-5 lie in the tree."""
    match: dict[str, Any] = {"profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cy")]}
    match |= {"options": options} if options else {}
    match["position"] = {
        **{"turn": turn, "tree": ["1-1", "1-2", "1-5"], "pool": [f"{p[1]}-{p[2]}" for p in POOL], "stack": 31},
        **{"discards": [[], [], []], "hands": [5, 5, 5], "points": [0, 0, 0]},
    }
    tree = "pile" if profile in ("en-memory", "fr-bluff") else "tree"
    lying = dict.fromkeys(("C11", "C12", "C15"), tree) | dict.fromkeys(POOL, "pool")
    told = ScriptedTable(open_match(match, demo_deck()).game, lying=lying)
    told.look(2)
    assert told.story == []
    return told


def shows(told: ScriptedTable, command: str = "KEND", **more: Any) -> None:
    """A command card is shown, and taken away again."""
    told.look(2.5, **{command: COMMAND_ZONE}, **more)
    told.look(1, **{command: None}, **more)


def asked(told: ScriptedTable) -> list[str]:
    return [question.text.key for question in told.news[-1].questions]


def accused(told: ScriptedTable) -> list[Signal]:
    return [signal for signal in told.signals if signal in ACCUSING]


# -- what cannot be read -------------------------------------------------------------------------


def test_a_place_that_cannot_be_read_is_shown_to_everybody_without_a_sound_until_it_is_read() -> None:
    told = table()
    told.look(2, unread=THERE)
    (mark,) = told.news[-1].unread
    assert (mark.text.key, mark.zone, mark.at) == ("referee.unread", "tree", (0.436, 0.462))
    assert told.signals == [Signal.NOTICE]
    assert not PATTERNS[Signal.NOTICE].notes
    assert not PATTERNS[Signal.NOTICE].lights
    assert told.news[-1].alert is Alert.NONE
    told.look(2)
    assert told.news[-1].unread == ()
    assert told.signals == [Signal.NOTICE, Signal.SETTLED]


def test_one_thing_that_cannot_be_read_is_announced_once_however_its_mark_moves_goes_and_comes() -> None:
    """ "I cannot read what lies in the middle" came four times for one card."""
    told = table()
    (there,) = THERE
    moved = replace(there, x_mm=there.x_mm + 20.0, at=(there.at[0] + 0.02, there.at[1]))
    for marks in ((there,), (moved,), (), (there,), (there, moved)):
        told.look(3, unread=marks, hand=not marks)
    assert told.signals.count(Signal.NOTICE) == 1


def test_another_thing_that_cannot_be_read_is_announced_as_well() -> None:
    told = table()
    (there,) = THERE
    far = replace(there, x_mm=there.x_mm + 200.0, at=(0.7, there.at[1]))
    told.look(2, unread=(there,))
    told.look(2, unread=(there, far))
    told.look(2, unread=(far,), C13="tree")
    assert told.signals.count(Signal.NOTICE) == 2


def test_whoever_ends_his_turn_beside_a_card_that_cannot_be_read_is_not_told_that_he_has_laid_nothing() -> None:
    """ "Cy has placed no card this turn: discard one before the turn ends", and the card lay there."""
    told = table()
    shows(told, unread=THERE)
    assert asked(told) == ["referee.unread_first"]
    answers = [answer.text.key for answer in told.news[-1].questions[0].answers]
    assert answers == ["referee.go_on", "referee.wait"], "whoever can only go on loses the card"
    assert accused(told) == []
    assert told.match.standing.turn == 3
    told.look(1, unread=THERE, hand=True)
    told.look(2, C13="tree")
    assert told.story == ["refused end_turn 3 must-discard", "played place 3 1-3", "played end_turn 3"]
    assert told.match.standing.points == (0, 0, 1)
    assert asked(told) == []
    assert told.news[-1].alert is Alert.NONE


def test_where_all_can_be_read_he_is_told() -> None:
    told = table()
    shows(told)
    assert told.story == ["refused end_turn 3 must-discard"]
    assert asked(told) == []


def test_the_next_card_is_the_next_seats_when_the_one_before_was_never_read() -> None:
    told = table()
    shows(told, unread=THERE)
    told.look(3, unread=THERE, C14="tree")
    assert told.story[1:] == ["allowed 1", "played place 1 1-4"]
    assert accused(told) == []
    assert told.news[-1].unread, "what Cy laid is still marked"


def test_people_may_say_that_they_go_on_without_it() -> None:
    told = table()
    shows(told, unread=THERE)
    (question,) = told.news[-1].questions
    told.say(AnswerQuestion(question.number, 0, None))
    assert told.match.standing.turn == 1
    assert asked(told) == []


def test_a_card_is_not_refused_for_one_that_may_be_the_one_that_cannot_be_read() -> None:
    """ "1-9 still needs 1-3", and 1-3 lay there in a lamp's mirror image."""
    told = table()
    told.look(2, unread=THERE)
    told.look(3, unread=THERE, C19="tree")
    assert told.story == ["refused place 3 1-9 prerequisites"]
    assert asked(told) == ["referee.unread_first"]
    assert Signal.REFUSED not in told.signals
    told.look(3, C13="tree")
    assert told.story[1:] == ["played place 3 1-3", "played place 3 1-9"]
    assert asked(told) == []


def test_nor_is_it_when_the_turn_has_passed_since() -> None:
    """Cy's 1-3 cannot be read, Cy is done, and Ana lays 1-9 upon it."""
    told = table()
    shows(told, unread=THERE)
    told.look(4, unread=THERE, C19="tree")
    assert told.story[1:] == ["allowed 1", "refused place 1 1-9 prerequisites"]
    assert asked(told) == ["referee.unread_first"]
    assert Signal.REFUSED not in told.signals


@pytest.mark.parametrize("card", ["C14", "C18"])
def test_a_card_that_is_read_when_the_turn_has_passed_counts_where_it_was_laid(card: str) -> None:
    """1-3 lay in a lamp's mirror image when Cy was done. Ana lays 1-4, somebody tilts the lamp, and "Ana: 1-3 does not
    link to 1-4". Had she laid 1-8, her points would have grown by Cy's card."""
    told = table()
    told.at_mm["C13"] = (482.0, 301.0)
    shows(told, unread=THERE)
    told.look(3, unread=THERE, **{card: "tree"})
    assert told.story[1:] == ["allowed 1", f"played place 1 1-{card[2]}"]
    told.look(3, C13="tree")
    assert told.story[-3:] == ["played place 3 1-3", "played end_turn 3", f"played place 1 1-{card[2]}"]
    assert accused(told) == []
    assert asked(told) == []
    assert told.match.standing.turn == 1
    assert told.match.standing.points == (1, 0, 1)


@pytest.mark.parametrize(("whose", "points"), [("Cy", (1, 0, 1)), ("Ana", (3, 0, 0))])
def test_where_people_have_counted_since_they_are_asked_whose_it_is(whose: str, points: tuple[int, ...]) -> None:
    told = table()
    told.at_mm["C13"] = (482.0, 301.0)
    shows(told, unread=THERE)
    told.look(3, unread=THERE, C18="tree")
    told.say(CorrectCounts((("hands", (5, 5, 4)),)))
    told.look(3, C13="tree")
    assert asked(told) == ["referee.whose_unread"]
    assert accused(told) == []
    (question,) = told.news[-1].questions
    assert [answer.text.params["seat"] for answer in question.answers] == [3, 1]
    told.say(AnswerQuestion(question.number, ["Cy", "Ana"].index(whose), None))
    told.look(3)
    assert asked(told) == []
    assert told.match.standing.turn == 1
    assert told.match.standing.points == points


def test_a_card_that_is_read_in_the_turn_in_which_it_was_laid_is_judged_like_any_other() -> None:
    told = table()
    told.at_mm["C19"] = (482.0, 301.0)
    told.look(2, unread=THERE)
    told.look(3, C19="tree")
    assert told.story == ["refused place 3 1-9 prerequisites"]
    assert asked(told) == []


def test_a_card_that_lay_unread_and_was_taken_back_is_laid_anew_when_it_comes_again() -> None:
    """Cy tries 1-3 under a lamp, takes it back when it is read, lays 1-4 and is done. Then Ana lays 1-3: it is hers."""
    told = table()
    told.at_mm["C13"] = (482.0, 301.0)
    told.look(2, unread=THERE)
    told.look(3, C13="tree")
    told.look(6, C13=None)
    told.look(3, C14="tree")
    shows(told)
    told.look(3, C13="tree")
    assert told.story[-1] == "played place 1 1-3"
    assert told.match.standing.turn == 1


def test_what_was_asked_about_stays_its_owners_when_it_becomes_lawful() -> None:
    """Cy's 1-9 waits for what cannot be read; Cy is done. Ana lays 1-8 and 1-3: 1-9 is lawful now, and not hers."""
    told = table()
    told.look(2, unread=THERE)
    told.look(3, unread=THERE, C19="tree")
    shows(told, unread=THERE)
    told.look(3, unread=THERE, C18="tree")
    told.look(3, C13="tree")
    assert told.story[-1] == "played place 1 1-3"


@pytest.mark.parametrize(
    ("unread", "card"),
    [
        pytest.param(THERE, "C35", id="two cards are missing"),
        pytest.param((UnreadPlace(Zone("pool"), 900.0, 300.0, (0.82, 0.46)),), "C19", id="it lies in the pool"),
        pytest.param((), "C19", id="all is read"),
    ],
)
def test_a_forgotten_smudge_excuses_nothing_that_it_does_not_explain(
    unread: tuple[UnreadPlace, ...], card: str
) -> None:
    told = table()
    told.look(2, unread=unread)
    told.look(3, unread=unread, **{card: "tree"})
    assert len(told.story) == 1
    assert told.story[0].startswith("refused")
    assert asked(told) == []
    assert Signal.REFUSED in told.signals


# -- time out of sight ---------------------------------------------------------------------------


def test_after_ten_seconds_of_dark_whose_turn_it_is_is_asked_before_anything_is_judged() -> None:
    """Cy lays 1-3; in the dark he says that he is done and Ana lays 1-4. 1-8 may be laid after both."""
    told = table()
    told.look(2, C13="tree")
    told.look(10, lost=ViewLost.DARK)
    told.look(1, C14="tree")
    missed = next(text for news in told.news for text in news.texts if text.key == "referee.missed")
    assert missed.params["seconds"] == 10
    assert told.story == ["played place 3 1-3"]
    told.look(5)
    (question,) = (one for one in told.news[-1].questions if one.text.key == "referee.missed_turn")
    assert told.news[-1].alert is Alert.ASKS
    assert [answer.text.params["seat"] for answer in question.answers] == [3, 1, 2]
    told.say(AnswerQuestion(question.number, 1, None))
    told.look(2)
    assert told.match.standing.turn == 1
    assert told.match.standing.points[2] > 0
    assert told.match.standing.points[0] > 0
    assert asked(told) == []
    assert accused(told) == []


def test_a_whole_turn_that_went_unseen_is_told_as_soon_as_somebody_says_whose_turn_it_is() -> None:
    """In the dark Cy lays 1-3 and is done; Ana lays 1-4 and is done. It is Ben's turn."""
    told = table()
    told.look(10, lost=ViewLost.DARK)
    told.look(5, C13="tree", C14="tree")
    (question,) = (one for one in told.news[-1].questions if one.text.key == "referee.missed_turn")
    told.say(AnswerQuestion(question.number, 2, None))
    told.look(2)
    assert told.match.standing.turn == 2
    assert accused(told) == []


@pytest.mark.parametrize("turn", range(1, 10))
def test_after_the_dark_it_may_be_anybodys_turn_at_a_table_of_nine_and_one_answer_is_enough(turn: int) -> None:
    """Of nine seats three were offered. All three questions are closed by whichever is answered."""
    match: dict[str, Any] = {"profile": "fr-explore", "seat": [{"name": f"Player {seat}"} for seat in range(1, 10)]}
    match["position"] = {
        **{"turn": 3, "tree": ["1-1", "1-2", "1-5"], "pool": [f"{p[1]}-{p[2]}" for p in POOL], "stack": 19},
        **{"discards": [[]] * 9, "hands": [3] * 9, "points": [0] * 9},
    }
    lying = dict.fromkeys(("C11", "C12", "C15"), "tree") | dict.fromkeys(POOL, "pool")
    told = ScriptedTable(open_match(match, demo_deck()).game, lying=lying)
    told.look(2)
    told.look(10, lost=ViewLost.DARK)
    told.look(2, C18="tree")
    offered = {
        answer.text.params["seat"]: (one.number, nth)
        for one in told.news[-1].questions
        for nth, answer in enumerate(one.answers)
    }
    assert sorted(offered) == list(range(1, 10))
    told.say(AnswerQuestion(*offered[turn], None))
    assert told.match.standing.turn == turn
    assert asked(told) == []


@pytest.mark.parametrize("paused", [False, True])
def test_a_card_that_came_unseen_is_claimed_by_the_seat_whose_turn_it_turns_out_to_be(paused: bool) -> None:
    """Cy lays 1-3 and is done, in the dark; Ana lays 1-8, which might have been Cy's as well."""
    told = table()
    told.look(2, C13="tree")
    told.look(10, lost=ViewLost.DARK)
    if paused:
        told.look(3)
        told.say(Pause())
        told.say(Resume())
    told.look(2, C18="tree")
    before = len(told.story)
    assert told.story[-1] == "played place 3 1-8"
    (question,) = (one for one in told.news[-1].questions if one.text.key == "referee.missed_turn")
    told.say(AnswerQuestion(question.number, 1, None))
    assert told.story[before:] == ["turntold", f"struck {before}", "played end_turn 3", "played place 1 1-8"]


@pytest.mark.parametrize(("turn", "following"), [(1, 2), (2, 3), (3, 1)])
def test_a_card_that_came_unseen_goes_to_the_next_seat_whichever_that_is(turn: int, following: int) -> None:
    told = table(turn=turn)
    told.look(2, C13="tree")
    told.look(10, lost=ViewLost.DARK)
    told.look(2, C18="tree")
    (question,) = (one for one in told.news[-1].questions if one.text.key == "referee.missed_turn")
    seats = [answer.text.params["seat"] for answer in question.answers]
    told.say(AnswerQuestion(question.number, seats.index(following), None))
    assert told.story[-2:] == [f"played end_turn {turn}", f"played place {following} 1-8"]


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_who_ends_a_turn_after_the_card_that_was_taken_for_the_seat_before_is_asked_whose_it_was(turn: int) -> None:
    """Nobody saw that the turn before was over; the last card may be of the seat that speaks now."""
    for by in (1, 2, 3):
        told = table(turn=turn)
        told.look(2, C13="tree")
        told.look(2, C18="tree")
        told.say(CommandCard(CardId("KEND"), Seat(by), Origin.PHONE))
        assert asked(told) == (["referee.whose_card"] if by == turn % 3 + 1 else [])


def test_where_nothing_can_have_happened_nobody_is_asked() -> None:
    """Cy has laid nothing yet, and the table is as it was: his turn cannot have ended."""
    told = table()
    told.look(10, lost=ViewLost.TABLE)
    told.look(5)
    assert asked(told) == []
    told.look(2, C13="tree")
    assert told.story == ["played place 3 1-3"]


@pytest.mark.parametrize("seconds", [0.5, 1.5])
def test_a_short_time_out_of_sight_is_not_worth_a_question(seconds: float) -> None:
    told = table()
    told.look(2, C13="tree")
    told.look(seconds, lost=ViewLost.TABLE)
    told.look(5)
    assert asked(told) == []
    assert [text.key for news in told.news for text in news.texts if "missed" in text.key] == []


def test_what_came_unseen_is_asked_about_and_not_refused() -> None:
    """In the dark somebody has laid 2-1, which lacks 1-6 as far as the log knows; and nobody looks at a phone."""
    told = table()
    told.look(2, C13="tree")
    told.look(10, lost=ViewLost.DARK)
    told.look(5, C21="tree")
    told.look(60)
    assert asked(told) == ["referee.missed_turn", "referee.unseen_card"]
    assert accused(told) == []
    told.say(AnswerQuestion(told.news[-1].questions[1].number, 0, None))
    told.look(2)
    assert told.match.issues.differences(told.game, told.match.record) == ()
    assert accused(told) == []


@pytest.mark.parametrize("origin", [Origin.CAMERA, Origin.PHONE])
def test_a_command_card_is_asked_about_while_whose_turn_it_is_is_unknown_a_phone_gets_its_answer(
    origin: Origin,
) -> None:
    """The camera may have missed the word that makes it lawful; who presses a button knows what was said."""
    told = table()
    told.look(2, C13="tree")
    told.look(10, lost=ViewLost.DARK)
    told.look(5)
    told.say(CommandCard(CardId("KEND"), Seat(1), origin))
    assert ("referee.unseen_word" in asked(told)) is (origin is Origin.CAMERA)
    assert accused(told) == []


def test_what_comes_while_it_is_open_whose_turn_it_is_is_suspected_of_nothing() -> None:
    told = table()
    told.look(2, C13="tree")
    told.look(10, lost=ViewLost.DARK)
    told.look(3)
    assert asked(told) == ["referee.missed_turn"]
    told.look(5, C21="tree")
    assert asked(told) == ["referee.missed_turn", "referee.unseen_card"]
    assert accused(told) == []


@pytest.mark.parametrize("card", ["C13", "C62"])
def test_in_silent_games_what_is_said_after_the_dark_is_the_same_for_every_card(card: str) -> None:
    told = table(profile="en-memory")
    told.look(2, C14="pile")
    told.look(10, lost=ViewLost.DARK)
    told.look(5, **{card: "pile"})
    assert [(news.signal, [text.key for text in news.texts]) for news in told.news[1:]] == [
        (Signal.LOST, ["referee.lost.dark"]),
        (Signal.FOUND, ["referee.missed"]),
        (Signal.ASKS, ["referee.missed_turn"]),
        (Signal.RECOGNISED, ["discovery.caption.laid"]),
    ]


@pytest.mark.parametrize("seed", [23, 25, 34])
def test_three_turns_that_went_unseen_are_put_in_order_tiles_and_followers_together(seed: int) -> None:
    """Four tiles and some followers are laid while the lamp is off; each follower belongs to the tile before it."""
    opened = open_match(dict(CARCASSONNE.demonstration.match), demo_deck(CARCASSONNE))
    game: Any = opened.game
    places, player = MapPlaces(game, opened.layout), CARCASSONNE.demonstration.random_player(game)
    start = Entry(1, Played(LayStart(TABLE, game.setup.deck.start)))
    state, dice = replay(game, [start]).state, Random(seed)
    while len(state.laid) < 5:
        at = MoveContext(2)
        move = next(one for one in player(state, dice, at) if not game.rules.judge(state, one, at))
        state = game.rules.apply(state, move, at).state
    tokens = {card: token for token, card in game.table.cards.items()}
    poses: dict[Token, Any] = {}
    for card, zone in sorted(game.table.expected(state).cards.items(), key=lambda one: (one[1].startswith("on "), one)):
        poses[tokens[card]] = zone, places.pose(tokens[card], zone, poses, None)
    laid = frozenset(
        Placement(token, opened.layout.zone_at(one.x_mm, one.y_mm), one.x_mm, one.y_mm, one.rotation_deg)
        for token, (_, one) in poses.items()
    )
    match = Match(game, write=lambda _: None, publish=lambda _: None, entries=(start,))
    first = frozenset(one for one in laid if one.token == tokens[game.setup.deck.start])
    for number in range(80):
        lost = ViewLost.DARK if 8 <= number < 20 else None
        match.handle(Observation(number, number / 4, TableState(first if number < 20 else laid), lost=lost), number / 4)
    assert match.record.open_refusals == {}
    assert game.table.expected(match.public).cards == game.table.expected(state).cards
