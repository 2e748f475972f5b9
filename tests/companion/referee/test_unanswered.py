"""While a question is open, what hangs on it is provisional. Nobody has to answer, and no match is stuck for that."""

from __future__ import annotations

from typing import Any

from support.scripted_table import ScriptedTable
from support.unanswered import MATCH, POOL, TREE

from companion.games.registry import demo_deck, open_match
from companion.public.table import Seat, ViewLost
from companion.public.updates import Alert, Signal
from companion.referee.commands import AnswerQuestion, CloseQuestions, TellTurn


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


def test_when_people_are_done_a_thing_that_waits_counts_as_the_likeliest_answer_says() -> None:
    """Ana lays 1-6 and says nothing; 1-4 is no continuation of it, so it is another's."""
    position = {"turn": 1, "tree": ["1-1", "1-2", "1-5"], "pool": ["6-3"], "hands": [5, 5, 5], "stack": 35}
    table = ScriptedTable(open_match({**MATCH, "profile": "fr-explore", "position": position}, demo_deck()).game)
    table.look(3, C11="tree", C12="tree", C15="tree", C63="pool")
    table.look(2, C16="tree")
    table.look(3, C14="tree")
    assert [one.hangs for one in table.news[-1].questions] == [True]
    assert table.match.standing.provisional
    table.say(CloseQuestions())
    assert table.story[-2:] == ["played end_turn 1", "played place 2 1-4"]
    assert not table.match.standing.provisional
    assert "referee.unanswered.taken" in [text.key for news in table.news for text in news.texts]
