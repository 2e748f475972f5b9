"""Much is done at a table without a word: no lawful table is accused, and nothing is wrong without a way out."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from support.long_cases import LONG, examples, rest_long
from support.quiet_matches import KINDS, play, steps_of
from support.scripted_table import ScriptedTable
from support.unspoken_table import Step, UnspokenTable, plays

from companion.games.discovery.moves import EndTurn
from companion.games.registry import GAMES, demo_deck, open_match
from companion.history.codec import decode_entry, encode_entry
from companion.history.events import Corrected, Origin, TurnTold
from companion.history.record import replay
from companion.public.table import COMMAND_ZONE, Seat, ViewLost
from companion.public.updates import Alert, Signal
from companion.referee.commands import AnswerQuestion, Claim, MakeMove
from companion.referee.updates import told_texts

PLAYED = [
    pytest.param("darwinci", "base", {}, id="darwinci"),
    pytest.param("darwinci", "experts", {}, id="darwinci-experts", marks=pytest.mark.long),
    pytest.param("lands", "base", {}, id="lands", marks=pytest.mark.long),
    pytest.param("carcassonne", GAMES["carcassonne"].profiles[0], {}, id="carcassonne"),
    pytest.param("discovery", "fr-explore", {}, id="fr-explore"),
    pytest.param("discovery", "en-memory", {}, id="en-memory"),
    *(
        pytest.param("discovery", profile, {}, id=profile, marks=pytest.mark.long)
        for profile in ("en-intro", "en-explore", "fr-bluff")
    ),
    pytest.param("discovery", "fr-explore", {"inferred": True}, id="inferred", marks=pytest.mark.long),
]
steps = st.builds(
    Step,
    pick=st.integers(0, 10**6),
    aloud=st.sampled_from((False, False, True)),
    late=st.sampled_from((0, 0, 5)),
)


@pytest.mark.parametrize(("name", "profile", "options"), PLAYED)
@settings(max_examples=examples(2, 2000), deadline=None, derandomize=not LONG)
@given(seed=st.integers(0, 10**6), story=st.lists(steps, min_size=25, max_size=60))
def test_a_lawful_table_that_says_little_is_never_accused_and_told_right(
    name: str, profile: str, options: dict[str, Any], seed: int, story: list[Step]
) -> None:
    """Passes, ends of turn and whole optional turns are left out, things are cleared up in any order. Answers come at
    once or five acts late; who says something on a phone reads there what is asked about it, and answers at once.
    """
    plays(UnspokenTable(name, seed, profile, **options), story)


@pytest.mark.parametrize("seed", [100, 101])
def test_on_the_island_whatever_the_next_seat_does_ends_the_turn_before_it(seed: int) -> None:
    """An object was made, a tile scouted or an enemy met after a turn that ended in silence: it was refused."""
    dice = Random(seed)
    story = [Step(dice.randrange(10**6), dice.random() < 1 / 3, late=dice.choice((0, 0, 5))) for _ in range(14)]
    plays(UnspokenTable("lands", seed, "base"), story)


UNFAIR = [
    pytest.param("darwinci", 1, id="a stone of the turn that was held to be the last goes home first"),
    pytest.param("darwinci", 5, id="a command card is shown by the second of two seats that lay nothing"),
    pytest.param("darwinci", 202, id="a command card is shown by the last seat of the last turn"),
    pytest.param("darwinci", 10070, id="a stone like one that is asked about goes home first"),
    pytest.param("darwinci-experts", 10003, id="the last turn's stones all go home before anybody else's"),
    pytest.param("darwinci-experts", 10070, id="people clear up with a stone that is asked about still lying there"),
    pytest.param("second-darwinci", 3, id="an old tile lies beside everything while the new plots are dealt"),
    pytest.param("en-intro", 4, id="what is laid after a card that waits for an answer suits the seat to move too"),
    pytest.param("dark", 4, id="a command card is shown before anybody has said whose turn it is"),
    pytest.param("en-explore", 2001, id="a call on a phone waits for an answer, and what it brought is laid meanwhile"),
    pytest.param("fr-explore", 2014, id="of two cards that wait, the first one fits only the seat after the next"),
    pytest.param("en-intro", 207, id="a command card is shown by the second of two seats, and once more"),
    pytest.param(
        "en-intro", 1005, id="what is said in the next turn is asked about, and answered, though all seems right"
    ),
    pytest.param("en-intro", 6009, id="who laid the last of several cards that wait ends the turn on a phone"),
    pytest.param("en-intro", 10009, id="a called card is put away while it is asked whose turn it is for the call"),
    pytest.param("en-intro", 10186, id="a phone answers a part of what was asked: the rest is offered"),
    pytest.param("en-intro", 310, id="the match seems to end with another seat's card, and people say so at once"),
    pytest.param("inferred", 10001, id="what was laid after a card that waits comes after it"),
    pytest.param("dark", 10129, id="a turn is said to be over in the dark, and nobody hears it"),
    pytest.param("en-memory", 202, id="what was said hung on a stack that nobody sees, and is said anew"),
    pytest.param("fr-bluff", 207, id="what was refused after a card that was another seat's is said anew"),
    pytest.param("dark", 30041, id="it is the fourth seat's turn after the dark, and what is laid late waits in order"),
    pytest.param("inferred", 30038, id="the last card before a turn that seemed to be over was the next seat's"),
    pytest.param("lands", 10125, id="two enemies met before a turn that seemed to be over were the next seat's"),
    pytest.param("lands", 10042, id="what the next act lacks was won by its seat, and had counted for the one before"),
    pytest.param("lands", 71061, id="an enemy is put away and met again at once, and it flees without a cost"),
    pytest.param("lands", 71064, id="an enemy is put away and met again at once, and nobody could pay the step"),
    pytest.param("lands", 200157, id="an enemy is put away before the turn that fought it is known to be over"),
    pytest.param("darwinci", 10013, id="a stone that is asked about goes home itself when people clear up"),
    pytest.param(
        "darwinci", 30011, id="who says that a turn is over means the next one, after a round without a stone"
    ),
    pytest.param("darwinci", 30032, id="of two answers that look alike people give the one that is so"),
    pytest.param("en-intro", 10166, id="a card was laid with a trump for a hand that nobody saw become empty"),
    pytest.param("en-explore", 60037, id="a whole round in silence, and a discard shows whose the cards were"),
    pytest.param("fr-explore", 60054, id="of two seats, four cards that suited both were laid in three turns"),
    pytest.param("darwinci-experts", 60095, id="a stone of the next turn was asked about, and another came after it"),
    pytest.param("en-intro", 60142, id="the next turn begins while a called card waits for its call to be lawful"),
    pytest.param("fr-explore", 60144, id="who laid a card that is asked about ends the turn on a phone"),
    pytest.param("fr-explore", 54006, id="a card that is asked about is the speaker's, and so was one before it"),
    pytest.param("dark", 50085, id="after the dark, who laid a card that is asked about ends the turn on a phone"),
    pytest.param("en-intro", 60071, id="who insists on one card takes no other from the seat that laid it"),
    pytest.param("en-intro", 60332, id="turns ended in silence before people counted, and the last card was laid"),
    pytest.param("en-intro", 60159, id="what comes suits only one of the stories that an answer may tell"),
    pytest.param("en-intro", 70054, id="a card comes from a stack that was held to be empty"),
    pytest.param("darwinci", 60095, id="of two stones that were asked about the first goes home, and others follow"),
    pytest.param("darwinci-experts", 60163, id="people clear up with the last stone, and then a tile is laid"),
    pytest.param("dark", 60044, id="whose turn it is was answered, and then whose a card was before that"),
    pytest.param("dark", 60021, id="a card was stolen in the dark, and a hand that was not empty seems to be"),
    pytest.param(
        "en-intro", 210096, id="who is next ends the turn while it is asked whose the cards before a call were"
    ),
    pytest.param("inferred", 60190, id="whose card it was is asked since somebody calls, and more is laid meanwhile"),
]


def first_of_each_kind(cases: list[Any]) -> list[Any]:
    """These first; the other stories of the same kinds of tables are for long runs."""
    kinds = [case.values[0] for case in cases]
    first = [kinds.index(kind) for kind in dict.fromkeys(kinds)]
    others = [case for at, case in enumerate(cases) if at not in first]
    return rest_long([*(cases[at] for at in first), *others], len(first))


@pytest.mark.parametrize(("kind", "seed"), first_of_each_kind(UNFAIR))
def test_what_was_once_unfair_to_a_quiet_table_is_fair(kind: str, seed: int) -> None:
    """As `python -m tests.tools.silence KIND --seed SEED` tells it."""
    _, unfair = play(kind, seed)
    assert unfair is None, str(unfair)


def test_what_nobody_answers_is_asked_once() -> None:
    """A stone too many may be its seat's next turn; nobody touches anything for a minute."""
    table = UnspokenTable("darwinci", 10013, "base")
    table.looks_on(0.5)
    for step in steps_of(KINDS["darwinci"], 10013)[:32]:
        table.does(step)
    assert Signal.ASKS in [update.signal for update in table.updates]
    table.updates.clear()
    table.looks_on(60)
    assert not table.updates


@pytest.mark.parametrize("game", ["carcassonne", "darwinci"])
@settings(max_examples=examples(2, 300), deadline=None, derandomize=not LONG)
@given(seed=st.integers(0, 10**6), story=st.lists(steps, min_size=4, max_size=8))
def test_what_lies_there_from_the_match_before_is_not_taken_for_this_one_and_this_one_counts(
    game: str, seed: int, story: list[Step]
) -> None:
    """Two things of the match before lie at the rim; three acts are done before somebody takes them up."""
    plays(UnspokenTable(game, seed, "base"), story, left=2)


@settings(max_examples=examples(2, 500), deadline=None, derandomize=not LONG)
@given(
    seed=st.integers(0, 10**6),
    story=st.lists(
        st.builds(
            Step,
            pick=st.integers(0, 10**6),
            aloud=st.sampled_from((False, False, True)),
            dark=st.sampled_from((False,) * 7 + (True,)),
            late=st.sampled_from((0, 0, 5)),
        ),
        min_size=10,
        max_size=20,
    ),
)
def test_a_lawful_table_is_not_accused_for_what_was_done_in_the_dark(seed: int, story: list[Step]) -> None:
    """Cards are laid and turns end out of sight; the question about it is answered at once or five acts late."""
    plays(UnspokenTable("discovery", seed, "fr-explore"), story)


# -- nobody says that he passes --------------------------------------------------------------------


def opening(profile: str, **options: Any) -> ScriptedTable:
    """Ana, Ben and Cy; the pool lies there, and it is Ana's turn."""
    match: dict[str, Any] = {"profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cy")], "dealer": 3}
    match |= {"options": options} if options else {}
    table = ScriptedTable(open_match(match, demo_deck()).game)
    table.look(2, **dict.fromkeys(("C33", "C34", "C35", "C36", "C37"), "pool"))
    return table


def shows(table: ScriptedTable, command: str = "KEND") -> None:
    table.look(2.5, **{command: COMMAND_ZONE})
    table.look(1, **{command: None})


def answers(table: ScriptedTable, key: str, **params: Any) -> None:
    """Somebody touches this answer."""
    number, place = next(
        (one.number, place)
        for one in table.match.issues.questions.for_phones()
        for place, answer in enumerate(one.answers)
        if answer.text.key == key and answer.text.params == params
    )
    table.say(AnswerQuestion(number, place))


ZONE = {"en-intro": "tree", "fr-explore": "tree", "en-memory": "pile", "fr-bluff": "pile"}


@pytest.mark.parametrize("profile", sorted(ZONE))
def test_a_first_card_that_suits_every_seat_is_asked_about_and_the_lamp_does_not_wait(profile: str) -> None:
    """Ana does nothing for four seconds, and Ben lays the first card."""
    table = opening(profile)
    table.look(4)
    table.look(2, C11=ZONE[profile])
    (asked,) = table.news[-1].questions
    assert [answer.text.params["seat"] for answer in asked.answers] == [2, 3]
    assert table.news[-1].alert is Alert.NONE
    answers(table, "referee.was_theirs", seat=2)
    assert table.story[1:] == ["played place 1 1-1", "struck 2", "played pass 1", "played place 2 1-1"]
    assert table.match.standing.turn == 2
    hands = table.match.standing.counters["hands"]
    assert hands == (5, 4, 5), "who passes draws nothing"


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "fr-bluff"])
def test_who_is_held_to_have_passed_may_have_had_an_ordinary_turn(profile: str) -> None:
    table = opening(profile)
    table.look(2, C11=ZONE[profile])
    table.say(Claim(Seat(2)))
    assert table.match.standing.counters["hands"] == (5, 4, 5)
    answers(table, "referee.ordinary_turn", seat=1)
    assert table.match.standing.counters["hands"] == (6, 4, 5)
    assert table.match.standing.turn == 2


def test_a_discard_that_names_its_seat_puts_right_what_was_guessed_before_anything_buzzes() -> None:
    """Ben lays the first card and ends his turn with the command card; Cy discards, as who has laid nothing."""
    table = opening("fr-explore")
    table.look(2, C11="tree")
    shows(table)
    assert table.match.standing.turn == 2  # it was Ana's card, as far as anybody could see
    table.look(3, C21="discard-3")
    assert Signal.REFUSED not in table.signals
    assert table.match.standing.points == (0, 1, 0)
    assert table.story[-4:] == ["played pass 1", "played place 2 1-1", "played end_turn 2", "played discard 3 2-1"]
    assert [text.key for text in table.news[-1].texts][:2] == ["discovery.caption.pass", "referee.claimed"]


def test_a_phone_that_names_its_seat_puts_it_right_as_well() -> None:
    table = opening("fr-explore")
    table.look(2, C11="tree")
    table.say(MakeMove(EndTurn(Seat(2)), Origin.PHONE))
    assert Signal.REFUSED not in table.signals
    assert table.match.standing.turn == 3
    assert table.match.standing.points == (0, 1, 0)


@pytest.mark.parametrize("profile", sorted(ZONE))
def test_a_claim_is_never_refused_with_the_card_that_it_is_about(profile: str) -> None:
    """ "Not possible: entry 2 builds on it." Entry 2 was the card."""
    table = opening(profile)
    table.look(2, C11=ZONE[profile])
    shows(table)
    table.say(Claim(Seat(2)))
    assert table.match.standing.turn == 3
    assert [move.by for move in (act.move for act in table.match.record.acts.values()) if move.subject == "1-1"] == [2]


# -- an answer that comes late ---------------------------------------------------------------------


@pytest.mark.parametrize("late", [False, True])
def test_an_answer_however_late_works_out_anew_what_hung_on_it(late: bool) -> None:
    """Ana lays a card. In the dark she ends her turn, and Ben lays one; it suits Ana too."""
    table = opening("fr-explore")
    table.look(2, C11="tree")
    table.look(8, lost=ViewLost.DARK)
    table.look(4, C12="tree")
    assert "referee.missed_turn" in [one.text.key for one in table.news[-1].questions]
    if late:
        shows(table)
        table.look(3, C16="tree")
    answers(table, "referee.its_turn", seat=3 if late else 2)
    assert Signal.REFUSED not in table.signals
    assert table.match.standing.points == ((1, 1, 1) if late else (1, 1, 0))
    assert table.match.standing.turn == (3 if late else 2)
    told = [text.key for texts in told_texts(table.game, table.match.record).values() for text in texts]
    assert not any(key.startswith("referee.struck") for key in told), "nobody undid a card: somebody said whose it was"
    assert "referee.claimed" in told


def test_a_claim_of_an_earlier_card_keeps_whose_turn_it_is_as_it_was_answered() -> None:
    """ "It is Ben's turn." The card in the dark was Ana's all the same: with her claim the turn went back to her."""
    table = opening("fr-explore")
    table.look(2, C11="tree")
    table.look(8, lost=ViewLost.DARK)
    table.look(4, C12="tree")
    answers(table, "referee.its_turn", seat=2)
    assert (table.match.standing.points, table.match.standing.turn) == ((1, 1, 0), 2)
    table.say(Claim(Seat(1)))
    assert (table.match.standing.points, table.match.standing.turn) == ((3, 0, 0), 2)
    table.look(2, C16="tree")
    assert table.match.standing.points == (3, 1, 0)


def restarted(table: ScriptedTable) -> ScriptedTable:
    """The program starts anew in the middle of the match, and reads its log."""
    written = [json.loads(json.dumps(encode_entry(entry))) for entry in table.entries]
    entries = [decode_entry(table.game, line, number) for number, line in enumerate(written, 1)]
    assert entries == table.entries
    again = ScriptedTable(table.game, entries=entries, time_s=5000.0, lying=dict(table.lying))
    again.look(6)
    return again


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize(
    ("told", "claims", "number", "owners"),
    [
        pytest.param(2, 1, None, [1, 1], id="ends of turns were told by it"),
        pytest.param(1, 2, 2, [2, 3], id="all was as it was thought"),
    ],
)
def test_whose_turn_it_was_as_people_said_holds_after_a_restart(
    told: int, claims: int, number: int | None, owners: list[int], restarts: bool
) -> None:
    """The answer was forgotten with the program, and a claim of a card before it moved the turn on."""
    table = opening("fr-explore")
    table.look(2, C11="tree")
    table.look(8, lost=ViewLost.DARK)
    table.look(4, C12="tree")
    answers(table, "referee.its_turn", seat=told)
    assert table.match.standing.turn == told
    if restarts:
        table = restarted(table)
    table.say(Claim(Seat(claims), number))
    assert table.match.standing.turn == told
    acts = [act for _, act in sorted(table.match.record.acts.items()) if act.counts and act.move.by]
    assert [act.move.by for act in acts if act.move.laid] == owners


def test_a_record_from_before_that_says_nothing_of_turns_reads_as_it_did() -> None:
    """What people said of turns was not written; a program from before reads what is now as a count of nothing."""
    table = opening("fr-explore")
    table.look(2, C11="tree")
    table.look(8, lost=ViewLost.DARK)
    table.look(4, C12="tree")
    answers(table, "referee.its_turn", seat=2)
    told = [entry for entry in table.entries if isinstance(entry.event, TurnTold)]
    assert [encode_entry(entry) | {"time_s": 0} for entry in told] == [
        {"number": 4, "time_s": 0, "origin": "phone", "event": "corrected", "turn": 2}
    ]
    as_before = [replace(entry, event=Corrected()) if entry in told else entry for entry in table.entries]
    assert replay(table.game, as_before).standing == table.match.record.standing


def test_whose_turn_it_is_after_the_dark_is_asked_once_until_somebody_answers() -> None:
    """It got dark again while the lamp still waited: the same was asked a second time."""
    table = opening("fr-explore")
    table.look(2, C11="tree")
    for lying in ({}, {"C12": "tree"}):
        table.look(8, lost=ViewLost.DARK)
        table.look(4, **lying)
    assert table.signals.count(Signal.ASKS) == 1
    answers(table, "referee.its_turn", seat=2)
    assert (table.match.standing.points, table.match.standing.turn) == ((1, 1, 0), 2)


def test_who_claims_the_last_card_has_said_whose_turn_it_is() -> None:
    """ "Whose turn is it?" stood there for the rest of the match, although Ben had shown his tag."""
    table = opening("fr-explore")
    table.look(2, C11="tree")
    table.look(8, lost=ViewLost.DARK)
    table.look(4, C12="tree")
    assert "referee.missed_turn" in [one.text.key for one in table.news[-1].questions]
    shows(table, "S2")
    assert (table.match.standing.points, table.match.standing.turn) == ((1, 1, 0), 2)
    assert not any(one.hangs for one in table.news[-1].questions)


@pytest.mark.parametrize("ends", [True, False])
def test_a_question_about_something_that_was_only_said_ends_with_the_next_act(ends: bool) -> None:
    """ "Ben's turn?" stood there for ever, and "Yes" two turns later made two refusals."""
    table = opening("en-explore")
    table.look(2, C11="tree")
    table.say(MakeMove(table.game.rules.moves["place"](Seat(2), "1-3", "hand"), Origin.PHONE))  # type: ignore[call-arg]
    assert "referee.whose_turn" in [one.text.key for one in table.news[-1].questions]
    if ends:
        shows(table)
    table.look(2, C12="tree")
    assert "referee.whose_turn" not in [one.text.key for one in table.news[-1].questions]
