"""What the record says of the referee himself: "corrections per 100 placements, false alarms, questions asked"."""

from __future__ import annotations

import pytest
from support.scripted_table import ScriptedTable
from support.toy_game import Place, stairs

from companion.history.events import Entry, Origin, Played, Struck
from companion.history.record import replay
from companion.history.statistics import encode_statistics, match_statistics
from companion.public.table import CardId, Seat
from companion.public.updates import Alert, Signal
from companion.referee.commands import Allow, Claim, MakeMove, OverruleCamera, Undo


@pytest.fixture
def table() -> ScriptedTable:
    table = ScriptedTable(stairs())
    table.look(C15="pool")
    return table


def told(table: ScriptedTable):
    return match_statistics(table.match.record.lines)


def lay(table: ScriptedTable, token: str, seconds: float = 3.0) -> None:
    """As people lay a card: the hand comes with it, stays for a second and leaves."""
    table.look(1, hand=True, **{token: "tree"})
    table.look(seconds)


def test_an_evening_without_a_mistake_has_nothing_to_show_but_its_placements(table):
    lay(table, "C11")
    table.look(KEND="commands")
    lay(table, "C12")
    shown = told(table)
    assert (shown.placements, shown.corrections, shown.refusals, shown.false_alarms) == (2, 0, 0, 0)
    assert shown.corrections_per_100 == 0
    assert shown.play_s == table.match.record.last_time_s


def test_before_the_first_card_there_is_no_rate(table):
    assert told(table).corrections_per_100 is None
    assert encode_statistics(told(table))["corrections_per_100"] is None


def test_a_refusal_that_the_players_take_back_is_no_false_alarm_and_one_that_they_allow_is(table):
    lay(table, "C13")
    table.look(1, C13=None)
    assert (told(table).refusals, told(table).false_alarms, told(table).corrections) == (1, 0, 0)
    lay(table, "C13")
    table.say(Allow())
    shown = told(table)
    assert (shown.refusals, shown.false_alarms, shown.overruled, shown.corrections) == (2, 1, 1, 1)
    table.say(Undo(anyway=True))
    assert told(table).false_alarms == 0, "the allowance itself was struck"


def test_a_card_taken_back_off_the_table_is_no_correction_of_the_referee(table):
    lay(table, "C11")
    table.look(5, C11=None)
    assert table.story[-1] == "struck 2"
    assert (told(table).corrections, told(table).taken_back) == (0, 1)


def test_undoing_a_card_with_its_refill_is_one_correction():
    table = ScriptedTable(stairs())
    table.look(C11="pool")
    table.look(C11="tree")
    table.look(C16="pool")
    table.say(Undo())
    assert table.story[-2:] == ["struck 3", "struck 2"]
    assert told(table).corrections == 1


def test_a_claim_is_a_correction(table):
    lay(table, "C11")
    table.say(Claim(Seat(2)))
    assert table.story[-3:] == ["struck 2", "played end_turn 1", "played place 2 1-1"]
    assert told(table).corrections == 1


def test_the_lamp_s_delay_is_counted_from_the_look_in_which_the_hand_left(table):
    table.look(1, hand=True, C13="tree")
    table.look(5)
    (refused,) = [line.entry for line in table.match.record.lines[1:]]
    assert refused.waited_s == pytest.approx(0.0), "it had rested long enough: the look without the hand decides"
    table.look(1, C13=None)
    table.look(0.25, hand=True, C14="tree")
    table.look(5)
    refused = table.match.record.lines[-1].entry
    assert refused.waited_s == pytest.approx(0.25)
    assert told(table).waited_s == pytest.approx(0.125)
    assert told(table).waits == 2


def test_a_card_whose_hand_nobody_saw_counts_from_the_look_that_showed_it_first(table):
    """ "4.0 s and 2.0 s where the card had been down 0.5 s: the clock ran from an earlier hand"."""
    table.look(1, hand=True)
    table.look(4)
    table.look(1, C13="tree")
    refused = next(line.entry for line in table.match.record.lines if line.entry.waited_s is not None)
    assert refused.waited_s is not None
    assert 0.3 <= refused.waited_s <= 0.5, "0.3 s of rest, in looks an eighth of a second apart"


def test_what_was_decided_much_later_for_another_reason_was_not_waited_for(table):
    lay(table, "C11")
    waits = told(table).waits
    lay(table, "C12", 30)
    table.look(KEND="commands")
    assert table.story[-1] == "played place 2 1-2"
    assert table.match.record.lines[-1].entry.waited_s is None
    assert told(table).waits == waits + 1


def test_a_lost_table_is_no_hand_that_left(table):
    from companion.public.table import ViewLost

    table.look(1, hand=True)
    table.look(5, lost=ViewLost.DARK)
    table.look(1, C11="tree")
    assert table.match.record.lines[-1].entry.waited_s is None


def test_an_unmeasured_record_says_so():
    record = replay(stairs(), [Entry(1, Played(Place(Seat(1), CardId("1-1"), "hand")))])
    shown = encode_statistics(match_statistics(record.lines))
    assert (shown["placements"], shown["play_s"], shown["waited_s"], shown["waits"]) == (1, None, None, 0)


# "Camera was wrong: the human's word wins"


def test_the_camera_was_wrong_about_a_refused_card_and_nothing_has_to_move(table):
    lay(table, "C13")
    assert table.news[-1].alert is Alert.REFUSED
    table.say(OverruleCamera(2))
    assert table.story[-1] == "settled 2"
    assert table.news[-1].alert is Alert.NONE
    assert table.news[-1].texts[0].key == "referee.misread"
    table.look(20)
    assert table.story[-1] == "settled 2", "the card that still lies there is not spoken about again"
    assert (told(table).false_alarms, told(table).corrections) == (1, 1)


def test_the_question_about_a_card_that_was_not_there_falls_away(table):
    lay(table, "C11")
    lay(table, "C12")
    assert table.match.issues.questions.for_phones()
    table.say(OverruleCamera())
    assert table.match.issues.questions.for_phones() == ()
    assert table.news[-1].alert is Alert.NONE


def test_the_camera_was_wrong_about_a_played_card_and_it_is_not_played_again(table):
    lay(table, "C11")
    table.say(OverruleCamera(2))
    assert table.story[-1] == "struck 2"
    table.look(20)
    assert table.story[-1] == "struck 2"
    assert table.match.record.state.tree == ()
    assert told(table).false_alarms == 1


def test_after_a_restart_it_is_still_forgotten(table):
    lay(table, "C13")
    table.say(OverruleCamera(2))
    again = ScriptedTable(stairs(), entries=list(table.entries), time_s=500.0)
    again.look(10, C13="tree", C15="pool")
    assert again.story == table.story
    assert again.match.issues.alert(again.match.record) is Alert.NONE


@pytest.mark.parametrize("number", [1, 3, 99])
def test_only_a_card_that_the_camera_saw_can_have_been_misread(table, number):
    lay(table, "C11")
    table.say(MakeMove(Place(Seat(1), CardId("1-6"), "hand"), Origin.PHONE))
    before = table.story
    table.say(OverruleCamera(number))
    assert table.story == before
    assert table.news[-1].signal is Signal.CORRECTED
    assert table.news[-1].texts[0].key == "referee.unseen"


def test_a_misread_card_that_others_build_on_needs_somebody_who_insists(table):
    lay(table, "C11")
    table.look(KEND="commands")
    lay(table, "C12")
    table.say(OverruleCamera(2))
    assert table.news[-1].texts[0].key == "referee.would_break"
    table.say(OverruleCamera(2, anyway=True))
    assert table.story[-1] == "struck 2"


def test_a_struck_strike_is_no_false_alarm(table):
    lay(table, "C11")
    table.say(OverruleCamera(2))
    table.say(Undo(3))
    assert table.match.record.lines[-1].entry.event == Struck(3)
    assert told(table).false_alarms == 0
