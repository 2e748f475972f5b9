"""What stands on the phones and on the lamp stands there only as long as it is true, and only once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from support.scripted_table import ScriptedTable
from support.toy_game import stairs

from companion.games.discovery.moves import EndTurn, Place, Steal
from companion.games.registry import demo_deck, open_match
from companion.history.events import Origin
from companion.history.statistics import match_statistics
from companion.public.table import CardId, Seat
from companion.public.updates import Alert, Signal
from companion.referee.commands import (
    AcceptTable,
    Allow,
    AnswerQuestion,
    Claim,
    CommandCard,
    MakeMove,
    Pause,
    Resume,
    Undo,
)

TOKENS = [f"C{era}{number}" for era in (1, 2) for number in range(1, 10)]
USUAL_POOL = ("C33", "C34", "C35", "C36", "C37")
POOL = ("C21", "C22", "C13", "C24", "C15")


def real(profile: str, *pool: str) -> ScriptedTable:
    """A real match of three with this pool."""
    match = {"profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    table = ScriptedTable(open_match(match, demo_deck()).game)
    table.look(1, **dict.fromkeys(pool, "pool"))
    return table


def middle(profile: str, tree: list[str], pool: Sequence[str], **more: Any) -> ScriptedTable:
    """A match of Ana, Ben and Cléo that begins in its middle; ``options`` are those of the match file."""
    match = {"profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    match["options"] = more.pop("options", {})
    match["position"] = {
        **{"turn": 1, "tree": tree, "pool": [f"{one[1]}-{one[2]}" for one in pool], "stack": 34 - len(tree)},
        **{"discards": [[], [], []], "hands": [5, 5, 5], "points": [0, 0, 0], **more},
    }
    lying = {f"C{card[0]}{card[2]}": "tree" for card in tree} | dict.fromkeys(pool, "pool")
    for seat, cards in enumerate(match["position"]["discards"], 1):
        lying |= {f"C{card[0]}{card[2]}": f"discard-{seat}" for card in cards}
    return ScriptedTable(open_match(match, demo_deck()).game, lying=lying)


@pytest.fixture
def table() -> ScriptedTable:
    table = ScriptedTable(stairs())
    table.look(C15="pool")
    return table


def laid_and_forgotten(*pool: str) -> ScriptedTable:
    """Ana laid 1-6 and forgot to end her turn; 1-4 and 1-7, and 1-3, are linked neither to it nor to each other."""
    table = middle("fr-explore", ["1-1", "1-2", "1-5"], pool)
    table.look(2, C16="tree")
    assert table.story == ["played place 1 1-6"]
    return table


@pytest.fixture
def forgotten() -> ScriptedTable:
    return laid_and_forgotten(*USUAL_POOL)


def shown(table: ScriptedTable) -> list[tuple[str, dict]]:
    return [(asked.text.key, dict(asked.text.params)) for asked in table.news[-1].questions]


def test_two_cards_of_the_next_seat_ask_one_question(forgotten: ScriptedTable) -> None:
    """ "Ben's turn?" stood twice on every phone."""
    forgotten.look(3, C14="tree", C17="tree")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]
    assert Signal.REFUSED not in forgotten.signals
    (asked,) = forgotten.news[-1].questions
    forgotten.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert forgotten.story[-3:] == ["played end_turn 1", "played place 2 1-4", "refused place 3 1-7 turn"]
    forgotten.look(3)
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 3})], "the other card is judged anew"


def forgets(table: ScriptedTable) -> ScriptedTable:
    """Ana and Ben have forgotten to end their turns, and "Ben's turn?" and "Cléo's turn?" were answered with yes."""
    for card, seat in (("C14", 2), ("C17", 3)):
        table.look(2, **{card: "tree"})
        (asked,) = table.news[-1].questions
        assert (asked.text.key, asked.text.params) == ("referee.whose_turn", {"seat": seat})
        table.say(AnswerQuestion(asked.number, 0))
    return table


@pytest.fixture
def forgetful(forgotten: ScriptedTable) -> ScriptedTable:
    return forgets(forgotten)


def test_a_table_that_often_forgets_may_say_that_more_turns_are_over() -> None:
    """Cléo laid 1-7, and the next card is held to be Ana's; she had laid nothing, and it is Ben's."""
    table = middle("en-intro", ["1-1", "1-2", "1-5"], USUAL_POOL)
    table.look(2, C16="tree")
    forgets(table).look(2, C13="tree")
    (offered,) = table.news[-1].questions
    answers = [(one.text.key, one.text.params["seat"]) for one in offered.answers]
    assert answers == [("referee.still_mine", 3), ("referee.its_turn", 2), ("referee.next_turn", 3)]
    assert table.news[-1].alert is Alert.NONE
    table.say(AnswerQuestion(offered.number, 1))
    assert table.match.standing.turn == 2
    assert [act.move.by for act in table.match.record.acts.values() if act.counts and act.move.subject == "1-3"] == [2]


def test_a_table_that_often_forgets_to_end_its_turns_is_not_asked_what_is_plain(forgetful: ScriptedTable) -> None:
    """Two thirds of all ends were left out, and five times in an evening everybody waited for "Yes"."""
    forgetful.look(2, C13="tree")
    assert forgetful.story[-2:] == ["played end_turn 3", "played place 1 1-3"]
    (offered,) = forgetful.news[-1].questions
    assert (offered.text.key, offered.text.params) == ("referee.passed_on", {"seat": 1})
    assert forgetful.news[-1].alert is Alert.NONE, "nobody has to answer"
    ends = forgetful.match.record.lines[-2].entry
    assert ends.origin is Origin.TABLE, "it was only concluded, and may be told otherwise"
    forgetful.say(AnswerQuestion(offered.number, 0))
    assert forgetful.story[-2:] == ["struck 9", "struck 8"], "No, still Cléo's"
    forgetful.look(4)
    assert forgetful.match.standing.turn == 3
    assert forgetful.story[-1] == "struck 8"


def test_a_table_that_says_again_when_turns_are_over_is_asked_again(forgetful: ScriptedTable) -> None:
    """Where ends are said, a card that does not go with the last one is as likely a mistake."""
    for laid in ({"C21": "discard-1"}, {"C23": "discard-2"}, {"C25": "discard-3"}):
        forgetful.look(2, KEND="commands")
        forgetful.look(1, KEND=None)
        forgetful.look(2, **laid)
    assert forgetful.story[-2:] == ["played end_turn 2", "played discard 3 2-5"]
    forgetful.look(2, C13="tree")
    assert shown(forgetful) == [("referee.whose_turn", {"seat": 1})]


def test_where_several_turns_may_have_passed_without_a_trace_all_seats_are_offered() -> None:
    """Ana lays 1-6; she and Ben say nothing, and Cléo lays 1-4."""
    table = middle("en-intro", ["1-1", "1-2", "1-5"], USUAL_POOL)
    table.look(2, C16="tree")
    table.look(3, C14="tree")
    (asked,) = table.news[-1].questions
    assert asked.text.key == "referee.whose_turn"
    assert [(one.text.key, one.text.params.get("seat")) for one in asked.answers] == [
        ("referee.yes", None),
        ("referee.its_turn", 3),
        ("referee.next_turn", 1),
    ]
    table.say(AnswerQuestion(asked.number, 1, Seat(3)))
    assert table.story[2:] == ["played end_turn 1", "played end_turn 2", "played place 3 1-4"]
    ends = table.match.record.lines[2:4]
    assert [line.entry.origin for line in ends] == [Origin.TABLE] * 2, "nobody said or showed them"


@pytest.mark.parametrize("late", [False, True])
def test_what_is_shown_and_laid_while_it_is_asked_keeps_its_order(forgotten: ScriptedTable, late: bool) -> None:
    """Ben lays 1-3 and 1-9, and shows that his turn is over; Cléo lays 1-4. Only then somebody looks at a phone."""
    forgotten.look(3, C13="tree")
    (asked,) = forgotten.news[-1].questions
    if not late:
        forgotten.say(AnswerQuestion(asked.number, 0))
    forgotten.look(3, C19="tree")
    forgotten.look(2, KEND="commands")
    forgotten.look(1, KEND=None)
    forgotten.look(3, C14="tree")
    assert Signal.REFUSED not in forgotten.signals
    if late:
        forgotten.say(AnswerQuestion(asked.number, 0))
        forgotten.look(2)
    counted = [(act.move.do, act.move.by) for _, act in sorted(forgotten.match.record.acts.items()) if act.counts]
    assert counted == [
        ("place", 1),
        ("end_turn", 1),
        ("place", 2),
        ("place", 2),
        ("end_turn", 2),
        ("place", 3),
    ]
    assert forgotten.news[-1].questions == ()


def test_the_same_question_about_another_card_stays_when_the_first_card_is_taken_back(forgotten: ScriptedTable) -> None:
    forgotten.look(3, C14="tree")
    forgotten.look(3, C17="tree")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]
    forgotten.look(3, C14=None)
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]
    (left,) = forgotten.news[-1].questions
    forgotten.say(AnswerQuestion(left.number, 0, Seat(2)))
    assert forgotten.story[-2:] == ["played end_turn 1", "played place 2 1-7"]


def test_a_card_that_hangs_on_an_open_question_waits_for_its_answer_and_does_not_buzz(forgotten: ScriptedTable) -> None:
    """Ben lays two cards before anybody looks at a phone; the second is linked to the first."""
    forgotten.look(4, C13="tree")
    forgotten.look(4, C19="tree")  # needs 1-3 and 1-5
    assert forgotten.story[1:] == ["refused place 1 1-3 link", "refused place 2 1-9 turn"]
    assert Signal.REFUSED not in forgotten.signals
    assert len(forgotten.news[-1].questions) == 1
    (asked,) = forgotten.news[-1].questions
    forgotten.say(AnswerQuestion(asked.number, 0, Seat(2)))
    forgotten.look(2)
    assert forgotten.story[3:] == ["played end_turn 1", "played place 2 1-3", "played place 2 1-9"]
    assert forgotten.news[-1].alert is Alert.NONE


def test_a_card_that_hung_on_a_question_is_judged_when_the_question_falls_away(forgotten: ScriptedTable) -> None:
    forgotten.look(4, C13="tree")
    forgotten.look(4, C19="tree")
    forgotten.look(4, C13=None)
    assert forgotten.story[-2:] == ["settled 2", "refused place 1 1-9 prerequisites link"]
    assert forgotten.signals[-1] is Signal.REFUSED


def test_a_question_without_a_lawful_answer_left_falls_away_and_its_card_is_judged_anew(
    forgotten: ScriptedTable,
) -> None:
    """Ben's card was asked about; then Ana ended her turn on her phone, and Ben laid another card, to which it has
    no link either. It stood there as "Ben's turn?" in Ben's own turn."""
    forgotten.look(3, C14="tree")
    forgotten.say(MakeMove(forgotten.game.rules.moves["end_turn"](Seat(1)), Origin.PHONE))  # type: ignore[call-arg]
    forgotten.say(MakeMove(Place(Seat(2), CardId("1-7"), "hand"), Origin.PHONE))
    forgotten.look(3, C17="tree")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 3})]


def empty_stack(turn_end: str) -> ScriptedTable:
    """Ana laid 1-1 and forgot to end her turn. Ben owes a steal before anything else (F:286), and says it."""
    options = {"turn_end": turn_end}
    table = middle("fr-explore", ["1-2"], USUAL_POOL, options=options, hands=[16, 16, 16], stack=0)
    table.say(MakeMove(Steal(Seat(1), Seat(2)), Origin.PHONE))
    table.look(2, C11="tree")
    table.say(MakeMove(Steal(Seat(2), Seat(3)), Origin.PHONE))
    return table


def test_what_the_next_seat_says_ends_the_turn_where_ends_are_inferred() -> None:
    table = empty_stack("inferred")
    assert table.story == ["played steal 1", "played place 1 1-1", "played end_turn 1", "played steal 2"]
    (asked,) = table.news[-1].questions
    assert asked.text.key == "referee.passed_on"
    assert table.news[-1].alert is Alert.NONE, "it is said, and the lamp waits for nobody"
    table.say(AnswerQuestion(asked.number, 0, Seat(1)))
    assert table.story[4:] == ["struck 4", "struck 3"]
    assert table.match.standing.turn == 1
    assert table.news[-1].questions == ()


def test_what_the_next_seat_says_asks_whose_turn_it_is_where_ends_are_spoken() -> None:
    table = empty_stack("spoken")
    assert table.story[2:] == ["refused steal 2 turn"]
    assert shown(table) == [("referee.whose_turn", {"seat": 2})]
    table.look(3, C15="tree")
    assert Signal.REFUSED not in table.signals, "Ben's card waits for the answer"
    (asked,) = table.news[-1].questions
    table.say(AnswerQuestion(asked.number, 0, Seat(1)))
    table.look(2)
    assert table.story[4:] == ["played end_turn 1", "played steal 2", "played place 2 1-5"]
    assert (table.news[-1].questions, table.news[-1].alert) == ((), Alert.NONE)


def test_a_question_about_what_somebody_said_falls_away_when_the_turn_is_over() -> None:
    table = empty_stack("spoken")
    table.look(2, KEND="commands")
    assert table.story[3:] == ["played end_turn 1"]
    table.look(1)
    assert (table.news[-1].questions, table.news[-1].alert) == ((), Alert.NONE)


def test_a_lost_end_of_turn_is_asked_about_when_the_next_seat_takes_a_card_that_only_it_may_take() -> None:
    """Ana discarded and ended her turn, which nobody saw; "from another player's discard" (E:374) only Ben may."""
    table = middle("en-explore", ["1-1"], USUAL_POOL, discards=[["1-2"], [], []], stack=32)
    table.look(2, C14="tree")
    assert table.story == ["played place 1 1-4"]
    table.look(3, C12="tree")
    assert shown(table) == [("referee.whose_turn", {"seat": 2})]
    assert Signal.REFUSED not in table.signals
    (asked,) = table.news[-1].questions
    table.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert table.story[2:] == ["played end_turn 1", "played place 2 1-2"]


@pytest.fixture
def unnoticed(forgotten: ScriptedTable) -> ScriptedTable:
    """The end of Ana's turn was not read, and Ben's 2-1 is linked to her 1-6: it counts as hers."""
    forgotten.look(2, C21="tree")
    assert forgotten.story[1:] == ["played place 1 2-1"]
    return forgotten


@pytest.mark.parametrize("phone", [True, False])
def test_who_ends_a_turn_that_is_not_his_is_asked_whether_the_last_card_was_his(
    unnoticed: ScriptedTable, phone: bool
) -> None:
    """Ben says that his turn is over, on his phone or with his tag, and the companion thinks that it is Ana's."""
    if phone:
        unnoticed.say(MakeMove(EndTurn(Seat(2)), Origin.PHONE))
    else:
        unnoticed.look(3, KEND="commands", S2="commands")
    assert shown(unnoticed) == [("referee.whose_card", {"seat": 2})]
    (asked,) = unnoticed.news[-1].questions
    unnoticed.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert unnoticed.story[3:] == ["struck 2", "played end_turn 1", "played place 2 2-1", "played end_turn 2"]
    assert (unnoticed.match.standing.turn, unnoticed.match.issues.questions.for_phones()) == (3, ())


def test_nobody_is_asked_whose_a_card_was_that_he_could_not_have_laid(unnoticed: ScriptedTable) -> None:
    unnoticed.say(MakeMove(EndTurn(Seat(3)), Origin.PHONE))
    assert unnoticed.story[2:] == ["refused end_turn 3 turn"]
    assert shown(unnoticed) == []


def test_whose_card_it_was_is_asked_until_somebody_acts(unnoticed: ScriptedTable) -> None:
    unnoticed.say(MakeMove(EndTurn(Seat(2)), Origin.PHONE))
    unnoticed.look(2, C13="tree")
    assert unnoticed.story[3:] == ["played place 1 1-3"], "it opened era 2: a trump begins a new series"
    assert shown(unnoticed) == []


def test_a_card_that_counted_for_the_seat_before_is_claimed_with_all_that_came_after_it(
    unnoticed: ScriptedTable,
) -> None:
    """Ben laid 2-1 and showed that his turn was over: it ended Ana's. Then he says: that card was mine."""
    unnoticed.look(2, KEND="commands")
    unnoticed.look(1, KEND=None)
    assert (unnoticed.story[2:], unnoticed.match.standing.turn) == (["played end_turn 1"], 2)
    unnoticed.say(Claim(Seat(2)))
    assert unnoticed.story[3:] == [
        "struck 3",
        "struck 2",
        "played end_turn 1",
        "played place 2 2-1",
        "played end_turn 2",
    ]
    assert unnoticed.match.standing.turn == 3


def test_a_claimed_card_from_the_pool_keeps_what_refilled_it() -> None:
    forgotten = laid_and_forgotten("C21", "C33", "C34", "C35", "C36")
    forgotten.look(2, C21="tree")
    forgotten.look(2, C39="pool")
    assert forgotten.story == ["played place 1 1-6", "played place 1 2-1", "played refill 0 3-9"]
    forgotten.say(Claim(Seat(2)))
    assert forgotten.story[3:] == [
        "struck 3",
        "struck 2",
        "played end_turn 1",
        "played place 2 2-1",
        "played refill 0 3-9",
    ]
    forgotten.look(10)
    assert len(forgotten.story) == 8


def test_an_end_of_turn_shown_while_the_next_seat_s_card_is_asked_about_may_be_its_own(
    forgotten: ScriptedTable,
) -> None:
    """Ben does not look at a phone: he lays his card, shows the card for the end of his turn, and Cléo plays."""
    forgotten.look(3, C14="tree")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]
    forgotten.look(2, KEND="commands")
    forgotten.look(1, KEND=None)
    assert forgotten.story[2:] == ["played end_turn 1", "played place 2 1-4"]
    assert shown(forgotten) == [("referee.over_too", {"seat": 2})]
    assert forgotten.news[-1].alert is Alert.NONE, "the card that was shown has answered what was asked"
    (asked,) = forgotten.news[-1].questions
    forgotten.say(AnswerQuestion(asked.number, 0, Seat(3)))
    assert forgotten.story[4:] == ["played end_turn 2"]
    forgotten.look(2, C17="tree")
    assert forgotten.story[5:] == ["played place 3 1-7"]
    assert (forgotten.news[-1].alert, shown(forgotten)) == (Alert.NONE, [])


def test_an_end_of_turn_shown_while_play_is_paused_raises_no_question(forgotten: ScriptedTable) -> None:
    forgotten.look(3, C14="tree")
    forgotten.say(Pause())
    forgotten.look(2, KEND="commands")
    assert shown(forgotten) == [("referee.whose_turn", {"seat": 2})]


def silent_table(profile: str, hand_card: str) -> ScriptedTable:
    """Ana laid a card and ended her turn, which nobody saw."""
    match = {"profile": profile, "seat": [{"name": name} for name in ("Ana", "Ben", "Cléo")]}
    table = ScriptedTable(open_match(match, demo_deck()).game)
    pile = "pile"
    table.look(2, **dict.fromkeys(POOL, "pool"))
    table.look(2, **{hand_card: pile})
    return table


@pytest.mark.parametrize("first", ["C11", "C69"])
@pytest.mark.parametrize("second", ["C12", "C58"])
def test_in_silent_games_a_lost_end_of_turn_is_asked_about_from_public_facts_alone(first: str, second: str) -> None:
    """Ben ends his turn in his own name; whether Ana's card and his are lawful changes nothing of what is said."""
    table = silent_table("fr-bluff", first)
    table.look(2, **{second: "pile"})
    heard = len(table.news)
    table.say(MakeMove(EndTurn(Seat(2)), Origin.PHONE))
    assert [asked.text.key for asked in table.news[-1].questions] == ["referee.whose_card"]
    assert [one.signal for one in table.news[heard:]] == [Signal.ASKS]
    (asked,) = table.news[-1].questions
    table.say(AnswerQuestion(asked.number, 0, Seat(2)))
    moves = [line.entry.event.move for line in table.match.record.lines if hasattr(line.entry.event, "move")]
    assert [(move.do, move.by) for move in moves[-3:]] == [("end_turn", 1), ("place", 2), ("end_turn", 2)]
    assert table.match.standing.turn == 3


def test_a_refused_card_taken_back_during_a_pause_puts_out_the_lamp(table: ScriptedTable) -> None:
    table.look(2, C13="tree")
    table.say(Pause())
    table.look(2, C13=None)
    assert table.story[-1] == "settled 2"
    assert table.news[-1].alert is Alert.PAUSED
    table.say(Resume())
    assert table.news[-1].alert is Alert.NONE


def test_a_refused_card_taken_back_after_the_end_puts_out_the_lamp() -> None:
    """Ben's card may not lie there; Ana lays her last one beside it and has won."""
    match = {"profile": "en-intro", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    match["position"] = {
        **{"turn": 1, "tree": ["1-1"], "pool": ["3-3", "3-4", "3-5", "3-6", "3-7"], "stack": 0},
        **{"discards": [[], []], "hands": [1, 47], "points": [0, 0]},
    }
    lying = {"C11": "tree"} | {f"C3{n}": "pool" for n in range(3, 8)}
    table = ScriptedTable(open_match(match, demo_deck()).game, lying=lying)
    table.look(3, C29="tree")
    table.look(2, C14="tree")
    table.look(2, KEND="commands")
    assert table.match.over
    assert table.news[-1].alert is Alert.REFUSED
    table.look(2, C29=None)
    assert table.story[-1] == "settled 1"
    assert table.news[-1].alert is Alert.NONE


def test_a_tap_during_a_pause_does_not_lose_the_question(table: ScriptedTable) -> None:
    table.look(C11="tree")
    table.look(2, C12="tree")
    table.say(Pause())
    (asked,) = table.news[-1].questions
    table.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert table.match.issues.questions.for_phones() == (asked,)
    table.say(Resume())
    table.say(AnswerQuestion(asked.number, 0, Seat(2)))
    assert table.story[-2:] == ["played end_turn 1", "played place 2 1-2"]


def test_a_question_left_open_is_asked_again_after_a_restart(table: ScriptedTable) -> None:
    table.look(C11="tree")
    table.look(2, C12="tree")
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying=dict(table.lying))
    later.look(3)
    (asked,) = later.news[-1].questions
    assert later.news[-1].alert is Alert.ASKS
    later.say(AnswerQuestion(asked.number, 0, Seat(2)))
    later.look(3)
    assert later.story[-2:] == ["played end_turn 1", "played place 2 1-2"]
    assert later.news[-1].alert is Alert.NONE


def test_after_a_restart_a_refused_card_is_not_settled_because_the_eye_has_not_read_it_yet(
    table: ScriptedTable,
) -> None:
    """The first looks of an eye that was just opened show an empty table."""
    table.look(C11="tree")
    table.look(2, C13="tree")
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0)
    later.look(0.75)
    later.look(20, **table.lying)
    assert later.story == table.story
    assert (Signal.REFUSED in later.signals, later.match.issues.alert(later.match.record)) == (False, Alert.REFUSED)
    gone = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying={"C11": "tree", "C15": "pool"})
    gone.look(6)
    assert gone.story[3:] == ["settled 3"], "it was taken back while the box was off"


def test_after_a_restart_a_card_that_was_refused_once_and_taken_back_is_judged_when_it_is_laid_again(
    table: ScriptedTable,
) -> None:
    """While the eye is new, what people were told before is not told again; this card was settled long ago."""
    table.look(2, C12="tree")
    table.look(2, C12=None)
    table.look(2, C11="tree")
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying=dict(table.lying))
    assert later.story[1:] == ["refused place 1 1-2 prerequisites", "settled 2", "played place 1 1-1"]
    later.look(1)
    later.look(2, C12="tree")
    assert later.story[4:] == ["refused place 1 1-2 link"]


def test_after_a_restart_the_last_card_is_not_undone_because_it_is_read_late(table: ScriptedTable) -> None:
    table.look(C11="tree")
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying={"C15": "pool"})
    later.look(3)
    later.look(10, C11="tree")
    assert later.story == table.story


def test_a_series_whose_last_card_the_table_took_away_begins_anew(forgotten: ScriptedTable) -> None:
    """ "The table is right" without the card that was laid last, and then the next one: the referee fell over."""
    forgotten.look(1, C16=None)
    forgotten.say(AcceptTable())
    forgotten.look(2, C13="tree")
    assert forgotten.story == ["played place 1 1-6", "corrected", "played place 1 1-3"]


def test_bens_turn_is_a_question_and_no_refusal_in_the_honest_figures(table: ScriptedTable) -> None:
    table.look(C11="tree")
    table.look(2, C12="tree")
    told = match_statistics(table.match.record.lines)
    assert (told.questions, told.refusals, told.false_alarms) == (1, 0, 0)
    table.say(Allow())
    assert match_statistics(table.match.record.lines).false_alarms == 0, "nobody was alarmed"


def happen(table: ScriptedTable, dice: random.Random) -> ScriptedTable:
    """Anything that may happen at a table."""
    lot = dice.random()
    zones = ["tree", "tree", "tree", "discard-1", "discard-2", "pool", None]
    if lot < 0.45:
        more = {dice.choice(TOKENS): "tree"} if dice.random() < 0.3 else {}
        table.look(0.75, hand=dice.random() < 0.5, **{dice.choice(TOKENS): dice.choice(zones), **more})
    elif lot < 0.6:
        table.look(1.5, KEND="commands")
        table.look(0.5, KEND=None)
    elif lot < 0.7:
        put_right(table)
    elif lot < 0.86:
        open_questions = list(table.match.issues.questions.open) or [1]
        seat = Seat(dice.randint(1, 3))
        words = [
            Undo(),
            Allow(),
            Claim(seat),
            AnswerQuestion(dice.choice(open_questions), 0),
            CommandCard(CardId("KEND")),
        ]
        table.say(dice.choice(words))
    elif lot < 0.9:
        table.say(dice.choice((Pause(), Resume())))
    elif lot < 0.92:
        return ScriptedTable(
            table.game, entries=list(table.entries), time_s=table.time_s + 1000, lying=dict(table.lying)
        )
    return table


def put_right(table: ScriptedTable) -> None:
    """Everything is laid as the referee would have it."""
    names = {card: str(token) for token, card in table.game.table.cards.items()}
    wanted = {names[card]: str(z) for card, z in table.game.table.expected(table.match.public).cards.items()}
    table.look(3, **{**dict.fromkeys(set(table.lying) - set(wanted)), **wanted})


@pytest.mark.parametrize(
    ("profile", "seed"),
    [(p, n) for p in ("fr-explore", "en-intro") for n in range(5)]
    + [pytest.param(p, n, marks=pytest.mark.long) for p in ("fr-explore", "en-explore") for n in range(5, 60)],
)
def test_whatever_happens_no_alarm_and_no_question_outlives_its_card(profile: str, seed: int) -> None:
    dice = random.Random(f"{profile} {seed}")
    table = real(profile, *dice.sample(TOKENS, 5))
    for _ in range(40):
        table = happen(table, dice)
        table.look(5)
        issues, record = table.match.issues, table.match.record
        newest = table.news[-1] if table.news else table.match.latest()
        differences = set(issues.differences(table.game, record))
        refused = [one.change for one in record.open_refusals.values() if one.change is not None]
        assert set(refused) <= differences
        assert len(set(refused)) == len(refused)
        passing = [question for question in issues.questions.open.values() if question.until is not None]
        assert all(question.until > len(record.lines) for question in passing)
        assert {
            question.change for question in issues.questions.open.values() if question not in passing
        } <= differences
        told = [(asked.text, asked.answers) for asked in newest.questions]
        assert all(told.count(one) == 1 for one in told)
        for one in newest.questions:
            if one.text.key == "referee.whose_turn" and not record.paused:  # in a pause nothing is judged anew
                assert one.text.params["seat"] != table.match.standing.turn
            if one.text.key == "referee.over_too":
                assert one.text.params["seat"] == table.match.standing.turn
        assert (newest.alert, newest.questions) == (issues.alert(record), issues.questions.for_phones())
        if not differences:
            assert newest.alert in (Alert.NONE, Alert.PAUSED)


def test_an_end_of_turn_answers_for_people_who_never_look_at_a_phone(forgotten: ScriptedTable) -> None:
    """Ana forgot to end her turn, Ben laid 1-3 and 1-9 and showed that his is over: both are his, and it is Cléo's."""
    forgotten.look(4, C13="tree")
    forgotten.look(4, C19="tree")  # needs 1-3 and 1-5
    forgotten.look(2, KEND="commands")
    assert forgotten.story[3:] == ["played end_turn 1", "played place 2 1-3", "played place 2 1-9", "played end_turn 2"]
    origins = [line.entry.origin for line in forgotten.match.record.lines[3:]]
    assert origins == [Origin.TABLE, Origin.CAMERA, Origin.CAMERA, Origin.CAMERA], "nobody said whose they were"
    assert Signal.REFUSED not in forgotten.signals


@pytest.mark.parametrize("seats", range(2, 10))
def test_whoever_may_have_said_stop_is_among_the_answers_at_a_table_of_any_size(seats: int) -> None:
    """Of five people and more only three were offered: the others could not say that it was they."""
    match = {"profile": "en-memory", "seat": [{"name": f"Player {seat}"} for seat in range(1, seats + 1)]}
    for said in range(2, seats + 1):  # whoever laid the card says nothing of it
        table = ScriptedTable(open_match(match, demo_deck()).game)
        table.look(2, C11="pile")
        table.look(2, KSTOP="commands")
        asked = table.match.issues.questions.for_phones()
        if seats > 2:
            offered = [(one.number, nth) for one in asked for nth in range(len(one.answers))]
            assert len(offered) == seats - 1
            number, nth = offered[said - 2]
            table.say(AnswerQuestion(number, nth, Seat(said)))
        assert table.story[-1] == f"played stop {said}"
        assert not table.match.issues.questions.for_phones()
