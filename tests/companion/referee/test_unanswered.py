"""While a question is open, what hangs on it is provisional. Nobody has to answer, and no match is stuck for that."""

from __future__ import annotations

from typing import Any

import pytest
from support.scripted_table import ScriptedTable
from support.unanswered import MATCH, POOL, TREE

from companion.games.registry import demo_deck, open_match
from companion.public.table import Seat, ViewLost
from companion.public.text import Text
from companion.public.updates import Alert, Signal
from companion.referee.commands import AcceptTable, AnswerQuestion, Claim, CloseQuestions, CorrectCounts, TellTurn


def last_card() -> ScriptedTable:
    """Ana lays the last card but one. It is dark for eight seconds; then a card is laid that may be hers, or Ben's."""
    table = ScriptedTable(open_match(MATCH, demo_deck()).game)
    table.look(3, **TREE, **POOL)
    table.look(2, C53="tree")
    table.look(8, lost=ViewLost.DARK)
    table.look(4, C55="tree")
    assert table.match.record.standing.over
    assert "referee.missed_turn" in [one.text.key for one in table.news[-1].questions]
    return table


def answer(table: ScriptedTable, meaning: Any) -> None:
    number, place = next(
        (number, opened.meanings.index((meaning,)))
        for number, opened in table.match.issues.questions.open.items()
        if (meaning,) in opened.meanings
    )
    table.say(AnswerQuestion(number, place))


def test_what_hangs_on_an_open_question_is_provisional_and_no_end_is_final_before_the_answer() -> None:
    table = last_card()
    for standing in (table.match.standing, table.news[-1].standing):
        assert standing is not None
        assert (standing.over, standing.provisional, standing.final) == (True, True, False)
    assert [one.hangs for one in table.news[-1].questions] == [True]
    answer(table, TellTurn(Seat(1)))
    assert table.match.standing.final
    assert table.news[-1].standing == table.match.standing


def test_the_answer_takes_an_end_back_that_hung_on_it() -> None:
    """It was Ben who laid the card: Ana still has hers, and play goes on."""
    table = last_card()
    answer(table, TellTurn(Seat(2)))
    assert (table.match.standing.over, table.match.standing.provisional) == (False, False)
    assert table.match.standing.turn == 2
    assert Signal.REFUSED not in table.signals
    table.look(2, C56="tree")
    assert table.story[-1] == "played place 2 5-6"


def test_when_the_table_is_cleared_and_nobody_has_answered_the_result_is_final_and_said() -> None:
    table = last_card()
    table.look(2, hand=True, **dict.fromkeys((*TREE, "C53", "C55", *POOL)))
    assert not table.match.standing.final
    table.look(5)
    assert table.match.standing.final
    assert table.match.standing.winners == (1,)
    said = [text for news in table.news for text in news.texts if text.key == "referee.unanswered.stays"]
    assert [text.params["what"].key for text in said] == ["referee.missed_turn"]
    assert Signal.REFUSED not in table.signals
    assert table.news[-1].alert is Alert.NONE


def test_one_card_that_is_lifted_after_the_end_answers_nothing() -> None:
    table = last_card()
    table.look(8, C55=None)
    assert (table.match.standing.over, table.match.standing.final) == (True, False)


@pytest.mark.parametrize(("shown", "told"), [("KUNDO", "struck 2"), ("S2", "played place 2 5-5")])
def test_after_an_end_that_is_asked_about_command_cards_and_tags_are_still_obeyed(shown: str, told: str) -> None:
    table = last_card()
    table.look(2, **{shown: "commands"})
    assert told in table.story
    assert not table.match.standing.over


def waiting() -> ScriptedTable:
    """Ana lays 1-6 and says nothing; 1-4 is no continuation of it, so it is another's."""
    position = {"turn": 1, "tree": ["1-1", "1-2", "1-5"], "pool": ["6-3"], "hands": [5, 5, 5], "stack": 35}
    table = ScriptedTable(open_match({**MATCH, "profile": "fr-explore", "position": position}, demo_deck()).game)
    table.look(3, C11="tree", C12="tree", C15="tree", C63="pool")
    table.look(2, C16="tree")
    table.look(3, C14="tree")
    return table


def test_when_people_are_done_a_thing_that_waits_counts_as_the_likeliest_answer_says() -> None:
    table = waiting()
    assert [one.hangs for one in table.news[-1].questions] == [True]
    assert table.match.standing.provisional
    table.say(CloseQuestions())
    assert table.story[-2:] == ["played end_turn 1", "played place 2 1-4"]
    assert not table.match.standing.provisional
    assert "referee.unanswered.taken" in [text.key for news in table.news for text in news.texts]


# -- what an answer works out anew -----------------------------------------------------------------


def test_hands_that_are_counted_while_it_is_asked_keep_their_place_and_the_answer_works_out_the_points() -> None:
    """Ana lays a card. In the dark she ends her turn, and Ben lays one. Somebody counts Cy's hand, and only then says
    that it was Ben's.
    """
    table = ScriptedTable(open_match({"profile": "fr-explore", "seat": MATCH["seat"], "dealer": 3}, demo_deck()).game)
    table.look(2, C33="pool", C34="pool", C35="pool", C36="pool", C37="pool")
    table.look(2, C11="tree")
    table.look(8, lost=ViewLost.DARK)
    table.look(4, C12="tree")
    hands, stack = table.match.standing.by_seat("hands"), table.match.standing.counters["stack"]
    assert isinstance(stack, int)
    table.say(CorrectCounts((("hands", (*hands[:2], hands[2] - 1)), ("stack", stack + 1))))
    assert table.match.standing.provisional
    answer(table, TellTurn(Seat(2)))
    assert (table.match.standing.turn, table.match.standing.points) == (2, (1, 1, 0))
    assert table.match.standing.by_seat("hands")[2] == hands[2] - 1
    assert [one.move.by for _, one in sorted(table.match.record.acts.items()) if one.counts and one.move.laid] == [1, 2]


def from_the_discard() -> ScriptedTable:
    """Ben's turn: a card of Ana's discard is laid into the tree."""
    position = {
        **{"turn": 2, "tree": ["1-1", "1-2", "1-5"], "pool": ["6-3"], "discards": [["1-6"], [], []]},
        **{"hands": [5, 5, 5], "stack": 34},
    }
    table = ScriptedTable(open_match({**MATCH, "profile": "fr-explore", "position": position}, demo_deck()).game)
    table.look(3, C11="tree", C12="tree", C15="tree", C63="pool", C16="discard-1")
    table.look(2, C16="tree")
    assert table.story == ["played place 2 1-6"]
    return table


def test_what_becomes_unlawful_by_the_host_s_word_stands_and_is_listed_and_nothing_buzzes() -> None:
    """It was Ana who took it, from her own discard; the host knows, and the turn is told anew with the card."""
    table = from_the_discard()
    table.say(Claim(Seat(1), 1, anyway=True))
    assert [(act.move.by, act.move.do) for _, act in sorted(table.match.record.acts.items()) if act.counts] == [
        (2, "end_turn"),
        (3, "end_turn"),
        (1, "place"),
    ]
    assert table.match.standing.turn == 1
    (listed,) = [text for text in table.news[-1].texts if text.key == "referee.stand_unlawful"]
    *ends, card = listed.params["what"]
    assert [one.params["seat"] for one in ends] == [2, 3], "who lays nothing has to discard"
    assert card == Text("referee.act_of", {"seat": 1, "what": Text("referee.the_card", {"card": "1-6"})})
    table.look(20)
    assert not {Signal.REFUSED, Signal.MISPLACED} & set(table.signals)


def test_a_seat_s_claim_that_would_be_unlawful_is_not_made() -> None:
    table = from_the_discard()
    table.say(Claim(Seat(1), 1))
    assert table.story == ["played place 2 1-6"]
    assert [text.key for text in table.news[-1].texts] == ["referee.not_theirs"]


def test_the_table_is_right_counts_what_waited_with_its_points() -> None:
    """Ana lays 1-6, then Ben 1-4: nobody answers whose it was, and somebody says that the table is right."""
    table = waiting()
    table.say(AcceptTable())
    assert ("place", 2) in [(act.move.do, act.move.by) for act in table.match.record.acts.values() if act.counts]
    assert table.match.standing.points[1] > 0
    assert table.news[-1].questions == ()


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
def test_in_silent_games_an_answer_is_accepted_alike_whatever_is_hidden(profile: str) -> None:
    """In the dark a card is laid that fits, or one that does not: nobody learns which by the answer."""
    told = []
    for card in ("C12", "C69"):
        match = {"profile": profile, "seat": MATCH["seat"], "dealer": 3}
        table = ScriptedTable(open_match(match, demo_deck()).game)
        table.look(2, C33="pool", C34="pool", C35="pool", C36="pool", C37="pool")
        table.look(2, C11="pile")
        table.look(8, lost=ViewLost.DARK)
        table.look(4, **{card: "pile"})
        shown = len(table.news)
        answer(table, TellTurn(Seat(2)))
        of_the_answer = table.news[shown:]
        told.append([(one.signal, one.alert, one.standing, len(one.texts)) for one in of_the_answer])
        assert table.match.standing.turn == 2
    assert told[0] == told[1]
