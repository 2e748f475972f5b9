"""Each line of what a look leads to, with a game small enough to see through."""

from __future__ import annotations

import pytest
from support.discovery_match import table as discovery_table
from support.scripted_table import ScriptedTable
from support.toy_game import EndTurn, Place, Refill, stairs

from companion.errors import LogError
from companion.games import registry
from companion.games.discovery.moves import Stop, Verify
from companion.games.registry import demo_deck, open_match
from companion.history.events import Origin
from companion.public.table import TABLE, CardId, Seat, ViewLost
from companion.public.updates import Alert, Signal
from companion.referee.commands import (
    AcceptTable,
    Allow,
    AnswerQuestion,
    Claim,
    CommandCard,
    MakeMove,
    OverruleCamera,
    Pause,
    RestoreTable,
    Resume,
    Undo,
)


@pytest.fixture
def table() -> ScriptedTable:
    """A dealt table: the pool holds 1-5."""
    table = ScriptedTable(stairs())
    table.look(C15="pool")
    return table


def test_the_pool_that_the_camera_sees_first_is_the_deal(table):
    assert table.story == ["played deal 0"]
    assert table.match.record.lines[0].entry.time_s == 0


def test_a_pool_dealt_card_by_card_is_one_deal_and_no_refill():
    """ "hand out one card to the pool (face up) then one to each player (face down), and repeat" (E:188-189)."""
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    table = ScriptedTable(open_match(match, demo_deck()).game)
    for token in ("C11", "C12", "C13", "C14"):
        table.look(2, **{token: "pool"})
    assert table.story == []
    table.look(2, hand=True, C15="pool")
    assert table.story == []
    table.look(2)
    assert table.story == ["played deal 0"]
    assert len(table.match.record.lines[0].entry.event.move.pool) == 5
    assert table.signals == [Signal.RECOGNISED]


def test_a_card_laid_is_played_once_however_long_it_lies(table):
    table.look(C11="tree", hand=True)
    table.look(20)
    assert table.story[1:] == ["played place 1 1-1"]
    assert table.signals.count(Signal.PLAYED) == 1


def test_an_unlawful_card_is_only_suspected_while_the_hand_is_over_the_table(table):
    table.look(2, C13="tree", hand=True)
    assert table.signals[-1] is Signal.SUSPECTED
    assert table.story[1:] == []
    table.look(1)
    assert table.story[1:] == ["refused place 1 1-3 prerequisites"]
    assert table.signals.count(Signal.REFUSED) == 1
    assert table.news[-1].alert is Alert.REFUSED


def test_an_unlawful_card_taken_back_while_suspected_leaves_no_trace_but_the_lamp(table):
    table.look(1, C13="tree", hand=True)
    table.look(5, C13=None)
    assert table.story[1:] == []
    assert table.signals[-1] is Signal.SETTLED


def test_a_refused_card_taken_back_is_settled_and_may_be_refused_again(table):
    table.look(2, C13="tree")
    table.look(2, C13=None)
    table.look(2, C13="tree")
    refusal = "refused place 1 1-3 prerequisites"
    assert table.story[1:] == [refusal, "settled 2", refusal]
    table.look(2, C13=None)
    assert table.news[-1].alert is Alert.NONE


def test_all_objections_are_named(table):
    table.look(C11="tree")
    table.look(2, C14="tree")
    assert table.story[-1] == "refused place 1 1-4 prerequisites link"
    assert [text.key for text in table.news[-1].texts] == ["stairs.objection.prerequisites", "stairs.objection.link"]


def test_two_cards_laid_between_two_looks_are_read_in_the_order_the_rules_allow():
    table = ScriptedTable(stairs())
    table.look(C12="pool")
    table.look(C11="tree")
    table.look(C12=None, hand=True)
    table.look(C12="tree", KEND="commands")  # the end of turn, then the pool card
    table.look(3)
    assert table.story[1:] == ["played place 1 1-1", "played end_turn 1", "played place 2 1-2"]


def test_a_card_placed_from_the_pool_and_the_card_that_refills_it_seen_in_one_look():
    table = ScriptedTable(stairs())
    table.look(C11="pool")
    table.look(C11="tree", C14="pool")
    assert table.story[1:] == ["played place 1 1-1", "played refill 0 1-4"]


def test_the_refill_may_lie_there_while_the_pool_card_is_still_in_the_hand():
    table = ScriptedTable(stairs())
    table.look(C11="pool")
    table.look(0.5, C11=None, hand=True)
    table.look(2, C14="pool", hand=True)
    table.look(2, C11="tree")
    assert table.story[1:] == ["played place 1 1-1", "played refill 0 1-4"]


def test_a_lifted_card_is_no_change_while_a_hand_is_in_view(table):
    table.look(30, C15=None, hand=True)
    table.look(3)
    assert table.story[1:] == []
    table.look(2)
    assert table.story[1:] == ["unexplained 1-5"]
    assert table.signals[-1] is Signal.MISPLACED
    table.look(60)
    assert len(table.story) == 2, "nothing nags twice"


def test_a_card_put_back_ends_the_asking(table):
    table.look(6, C15=None)
    table.look(C15="pool")
    assert table.signals[-1] is Signal.SETTLED
    table.look(6, C15=None)
    assert table.story[1:] == ["unexplained 1-5", "unexplained 1-5"]


def test_a_command_card_acts_once_per_showing(table):
    table.look(3, KEND="commands")
    table.look(KEND=None)
    table.look(3, KEND="commands")
    assert table.story[1:] == ["played end_turn 1", "played end_turn 2"]


def test_a_command_card_that_lay_there_from_the_start_was_not_shown():
    table = ScriptedTable(stairs(), lying={"KEND": "commands"})
    table.look(2, C15="pool")
    assert table.story == ["played deal 0"]


def test_a_seat_tag_beside_the_card_says_whose_command_it_is(table):
    table.look(2, KEND="commands", S2="commands")
    assert table.story[1:] == ["refused end_turn 2 turn"]


def test_undo_strikes_the_last_card_and_the_card_still_lying_there_is_not_played_again(table):
    table.look(C11="tree")
    table.look(20, KUNDO="commands")
    assert table.story[1:] == ["played place 1 1-1", "struck 2"]
    assert table.match.record.state.points == (0, 0)
    table.look(C11=None)
    table.look(C11="tree")
    assert table.story[-1] == "played place 1 1-1"


def test_undo_twice_goes_back_two_steps(table):
    table.look(C11="tree")
    table.look(KEND="commands")
    table.say(Undo())
    table.say(Undo())
    table.say(Undo())
    assert table.story[3:] == ["struck 3", "struck 2"], "the deal is nobody's to undo"


def test_undoing_a_card_from_the_pool_takes_its_refill_along():
    table = ScriptedTable(stairs())
    table.look(C11="pool")
    table.look(C11="tree")
    table.look(C14="pool")
    table.say(Undo())
    assert table.story[-2:] == ["struck 3", "struck 2"]
    table.look(10)
    assert len(table.story) == 5, "the cards still lying there were spoken about"
    table.look(C14=None, C11="pool")
    table.look(10)
    assert len(table.story) == 5
    assert table.news[-1].alert is Alert.NONE


def test_an_undo_that_later_cards_build_on_is_refused_in_words(table):
    table.look(C11="tree")
    table.look(KEND="commands")
    table.look(C12="tree")
    table.say(Undo(2))
    assert table.story[-1] == "played place 2 1-2"
    assert table.news[-1].texts[0].key == "referee.would_break"


def test_the_players_may_let_a_refused_card_stand(table):
    table.look(2, C12="tree")
    table.say(Allow())
    table.look(10)
    assert table.story[1:] == ["refused place 1 1-2 prerequisites", "allowed 2"]
    assert table.match.record.state.tree == ("1-2",)
    assert table.news[-1].alert is Alert.NONE


def test_undo_takes_back_that_a_card_may_stand_like_anything_else(table):
    table.look(2, C12="tree")
    table.say(Allow())
    table.say(Undo())
    assert table.story[1:] == ["refused place 1 1-2 prerequisites", "allowed 2", "struck 3"]
    assert table.match.record.state.tree == ()
    table.look(10)
    assert len(table.story) == 4, "the card still lying there was spoken about"
    assert table.news[-1].alert is Alert.REFUSED, "it is refused, as before it was allowed"
    table.look(2, C12=None)
    table.look(2, C12="tree")
    assert table.story[4:] == ["settled 2", "refused place 1 1-2 prerequisites"]


def test_an_allowed_card_that_was_undone_by_its_number_leaves_nothing_to_undo(table):
    table.look(2, C12="tree")
    table.say(Allow())
    table.say(Undo(2))
    table.say(Undo())
    assert table.story[2:] == ["allowed 2", "struck 2"]
    assert table.match.record.state.tree == ()


def test_a_card_may_not_stand_after_all_where_a_later_one_would_lose_its_ground(table):
    table.look(2, C12="tree")
    table.look(C11="tree")
    assert table.story[1:] == ["refused place 1 1-2 prerequisites", "played place 1 1-1"]
    table.say(Allow(2))
    assert table.story[3:] == []
    (why,) = table.news[-1].texts
    assert (why.key, why.params["what"].params) == ("referee.would_break", {"card": "1-1"})


def test_that_a_card_may_stand_is_not_taken_back_from_under_later_cards(table):
    table.look(2, C12="tree")
    table.say(Allow())
    table.look(KEND="commands")
    table.look(C11="tree", KEND=None)
    table.look(KEND="commands")
    table.look(C13="tree")
    table.say(Undo(3))
    assert table.story[-1] == "played place 1 1-3"
    assert table.news[-1].texts[0].key == "referee.would_break"


def test_what_was_undone_and_put_back_can_be_undone_again(table):
    table.look(C11="tree")
    table.say(Undo())
    table.say(Undo(3))
    assert table.match.record.state.tree == ("1-1",)
    table.say(Undo())
    assert table.story[1:] == ["played place 1 1-1", "struck 2", "struck 3", "struck 2"]
    assert table.match.record.state.tree == ()


def test_a_forgotten_end_of_turn_asks_quietly_and_one_tap_mends_it(table):
    table.look(C11="tree")
    table.look(2, C12="tree")
    assert table.story[2:] == ["refused place 1 1-2 link"]
    assert table.signals[-1] is Signal.ASKS
    assert Signal.REFUSED not in table.signals
    (asked,) = table.match.issues.questions.for_phones()
    assert asked.text.params == {"seat": 2}
    table.say(AnswerQuestion(asked.number, 0, Seat(2)))
    table.look(10)
    assert table.story[3:] == ["played end_turn 1", "played place 2 1-2"]
    assert table.match.issues.questions.for_phones() == ()
    assert table.news[-1].alert is Alert.NONE


def test_the_command_card_shown_after_the_next_seats_card_mends_it_as_well(table):
    table.look(C11="tree")
    table.look(2, C12="tree")
    table.look(2, KEND="commands")
    assert table.story[3:] == ["played end_turn 1", "played place 2 1-2"]


@pytest.mark.parametrize("turns", [0, 300])
def test_that_was_me_is_heard_however_long_the_match(table, turns):
    for turn in range(turns):
        table.say(MakeMove(EndTurn(Seat(1 + turn % 2)), Origin.PHONE))
    table.look(C11="tree")
    table.look(2, C12="tree")
    table.say(Claim(Seat(2), turns + 3))
    assert table.story[-2:] == ["played end_turn 1", "played place 2 1-2"]


def test_a_seat_tag_alone_claims_the_last_card(table):
    table.look(C11="tree")
    table.look(2, C12="tree")
    table.look(3, S2="commands")
    assert table.story[3:] == ["played end_turn 1", "played place 2 1-2"]


def test_a_paused_referee_says_nothing_and_looks_again_when_play_goes_on(table):
    table.look(KPAUSE="commands")
    table.look(10, C11="tree", C13="tree", KPAUSE=None)
    assert table.story[1:] == ["paused"]
    table.look(C13=None)
    table.look(KGO="commands")
    assert table.story[1:] == ["paused", "resumed", "played place 1 1-1"]


def test_a_card_put_where_the_game_has_no_place_is_asked_away(table):
    """A zone of the house's own, such as the box for the point cards."""
    table.look(3, C16="bank")
    assert table.story[1:] == ["unexplained 1-6"]
    assert table.news[-1].texts[0].key == "referee.take_away"


def test_in_a_pause_the_table_itself_goes_on_and_no_player_does():
    table = ScriptedTable(stairs())
    table.look(C11="pool")
    table.look(C11="tree")
    table.say(Pause())
    table.say(MakeMove(EndTurn(Seat(1)), Origin.PHONE))
    table.say(MakeMove(Refill(TABLE, CardId("1-6")), Origin.PHONE))
    assert table.story[2:] == ["paused", "played refill 0 1-6"]


def test_pause_and_resume_are_said_once(table):
    for said in (Pause(), Pause(), Resume(), Resume()):
        table.say(said)
    assert table.story[1:] == ["paused", "resumed"]


def test_losing_sight_of_the_table_freezes_everything_and_is_said_once(table):
    table.look(C11="tree")
    table.look(30, lost=ViewLost.TABLE, C11=None, C15=None)
    table.look(1, C11="tree", C15="pool")
    table.look(5)
    assert table.story[1:] == ["played place 1 1-1"]
    assert [s for s in table.signals if s in (Signal.LOST, Signal.FOUND)] == [Signal.LOST, Signal.FOUND]


def keys(news):
    return [text.key.split(".", 1)[1] for text in news.texts]


def test_what_is_told_of_the_camera_leaves_the_reason_of_a_refusal_to_be_read(table):
    """Three seconds after the refusal it was too dark, and nobody could read why the card may not lie there."""
    table.look(2, C13="tree")
    table.look(5, lost=ViewLost.DARK)
    assert (table.news[-1].signal, keys(table.news[-1])) == (Signal.LOST, ["lost.dark", "objection.prerequisites"])
    table.look(5)
    assert [keys(news)[1:] for news in table.news[-2:]] == [["objection.prerequisites"]] * 2
    assert table.signals[-2:] == [Signal.FOUND, Signal.ASKS], "whose turn it is, after so long"
    table.look(3, C13=None)
    table.look(5, lost=ViewLost.CAMERA)
    assert keys(table.news[-1]) == ["lost.camera"], "it is taken back and settled"


def test_what_is_told_of_the_camera_leaves_a_win_to_be_read_until_it_falls():
    """ "Cy wins, unless somebody says Stop now" was replaced within 4 s by a word about the light."""
    game = discovery_table("en-memory", hands=[1, 5, 5], stack=0).game
    stickers = {card: token for token, card in game.table.cards.items()}
    expected = game.table.expected(game.public(game.rules.start)).cards
    table = ScriptedTable(game, lying={stickers[card]: zone for card, zone in expected.items()})
    table.look(2)
    table.look(3, C11="pile")
    assert keys(table.news[-1]) == ["caption.wins-unless.one", "caption.laid"]
    table.look(2, lost=ViewLost.DARK)
    assert keys(table.news[-1]) == ["lost.dark", "caption.wins-unless.one", "caption.laid"]
    table.look(12)
    assert keys(table.news[-1]) == ["caption.wins.one"]
    table.look(2, lost=ViewLost.DARK)
    assert keys(table.news[-1]) == ["lost.dark", "caption.wins.one"], "it stands"


def test_nothing_is_told_when_the_log_cannot_be_written_and_it_is_tried_again(table):
    told = len(table.news)
    table.fails = [LogError("disk full")] * 4
    table.look(0.25, C11="tree")
    table.look(2)
    assert table.signals[told:] == [Signal.TROUBLE]
    assert table.story[1:] == []
    assert len(table.fails) in (1, 2)  # a disk that takes nothing is asked once a second, not with every look
    table.look(3)
    assert table.fails == []
    assert table.story[1:] == ["played place 1 1-1"]
    assert table.signals[told:].count(Signal.PLAYED) == 1


def test_an_unlawful_card_whose_refusal_could_not_be_written_is_still_refused_later(table):
    table.fails = [LogError("disk full")]
    table.look(2, C13="tree")
    table.match.wake(table.time_s)
    assert table.story[1:] == ["refused place 1 1-3 prerequisites"]


def test_a_restart_goes_on_and_speaks_of_nothing_twice(table):
    table.look(C11="tree")
    table.look(2, C13="tree")
    table.look(6, C15=None)
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying=dict(table.lying))
    later.look(20)
    assert later.story == table.story
    assert later.match.issues.alert(later.match.record) is Alert.REFUSED
    later.look(2, C13=None)
    assert later.story[-1] == "settled 3"
    assert 0 <= later.match.record.lines[-1].entry.time_s - table.match.record.last_time_s < 30


@pytest.mark.parametrize("hand_s", [0, 3])
def test_after_a_restart_a_card_that_is_gone_is_asked_for_once_the_eye_has_had_four_seconds(table, hand_s):
    table.look(C11="tree")
    table.look(2, KEND="commands")
    lying = {token: zone for token, zone in table.lying.items() if token != "C15"}
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying=lying)
    if hand_s:
        later.look(hand_s, hand=True)
    later.look(4 - 0.25 * bool(hand_s))
    assert later.story == table.story
    later.look(0.25)
    assert later.story == [*table.story, "unexplained 1-5"]


def test_after_a_restart_a_hand_that_covers_the_last_card_gives_the_eye_more_time(table):
    table.look(C11="tree")
    lying = {token: zone for token, zone in table.lying.items() if token != "C11"}
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying=lying)
    later.look(3, hand=True)
    later.look(3.75)
    assert later.story == table.story
    later.look(2, C11="tree")
    assert later.story == table.story, "it lay there all the time"


def test_a_restart_does_not_play_an_undone_card_again(table):
    table.look(C11="tree")
    table.say(Undo())
    later = ScriptedTable(stairs(), entries=list(table.entries), time_s=5000.0, lying=dict(table.lying))
    later.look(10)
    assert later.story == table.story


def test_an_undone_card_that_stays_is_named_once_since_it_does_not_count(table):
    """Undone, taken up and laid again within a second: the camera saw it lie there all the time."""
    table.look(C11="tree")
    table.look(KUNDO="commands")
    table.look(2, KUNDO=None)
    story, told = list(table.story), len(table.news)
    table.look(12.25)
    assert table.news[told:] == [], "players have fifteen seconds for it"
    table.look(0.25)
    assert len(table.news) == told + 1
    table.look(60)
    assert [(news.signal, [text.key for text in news.texts]) for news in table.news[told:]] == [
        (Signal.NOTICE, ["referee.take_away"])
    ]
    assert table.story == story
    table.look(3, C11=None)
    table.look(C11="tree")
    assert table.story[-1].startswith("played")


def test_who_said_it_is_in_the_entry(table):
    table.look(C11="tree")
    table.say(Undo(origin=Origin.BUTTON))
    table.look(KGO="commands", KPAUSE="commands")
    origins = [line.entry.origin for line in table.match.record.lines]
    assert origins[:3] == [Origin.CAMERA, Origin.CAMERA, Origin.BUTTON]


def test_a_prize_is_a_fanfare_of_its_own(table):
    table.look(C11="tree")
    table.look(KEND="commands")
    table.look(C12="tree", KEND=None)
    table.look(KEND="commands")
    table.look(C13="tree")
    assert table.signals[-1] is Signal.PRIZE


def test_a_silent_game_gives_the_same_signal_for_every_card():
    table = ScriptedTable(stairs(silent=True))
    table.look(C15="pool")
    table.look(C11="tree")
    assert table.signals[-1] is Signal.RECOGNISED


def test_a_word_out_of_turn_asks_whether_the_turn_before_it_is_over_and_does_not_buzz(table):
    table.look(2, KEND="commands", S2="commands")
    assert table.story[1:] == ["refused end_turn 2 turn"]
    assert table.signals[-1] is Signal.ASKS
    assert table.news[-1].alert is Alert.ASKS
    assert table.news[-1].texts[0].key == "stairs.objection.turn"
    assert [asked.text.key for asked in table.news[-1].questions] == ["referee.whose_turn"]


def test_the_button_says_what_the_command_card_says(table):
    table.say(CommandCard(CardId("KEND")))
    table.say(CommandCard(CardId("KUNDO")))
    assert table.story[1:] == ["played end_turn 1", "struck 2"]
    assert table.match.record.lines[1].entry.origin is Origin.BUTTON


# Cards taken off the table


def test_the_last_card_taken_back_off_the_table_is_undone(table):
    table.look(C11="tree")
    table.look(1, C11=None, hand=True)
    table.look(1.5)
    assert table.story[1:] == ["played place 1 1-1"]
    table.look(1)
    assert table.story[1:] == ["played place 1 1-1", "struck 2"]
    assert table.match.record.lines[-1].entry.origin is Origin.CAMERA
    table.look(30)
    assert len(table.story) == 3


@pytest.mark.parametrize(("away_s", "said"), [(9.75, "struck 3"), (10.0, "struck 3"), (10.25, "played place 1 1-1")])
def test_ten_seconds_after_it_was_taken_back_a_card_is_laid_anew(table, away_s, said):
    table.look(C11="tree")
    table.look(2.25, C11=None)
    assert table.story[-1] == "struck 2"
    table.look(away_s - 0.25)
    table.look(0.25, C11="tree")
    assert table.story[3:] == [said]


def test_what_was_done_since_a_card_was_taken_back_is_not_undone_by_laying_it_again(table):
    table.look(C11="tree")
    table.look(3, C11=None)
    table.say(MakeMove(EndTurn(Seat(1)), Origin.PHONE))
    table.look(2, C11="tree")
    assert table.story[2:] == ["struck 2", "played end_turn 1", "played place 2 1-1"]
    assert table.match.record.state.points == (0, 1)


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 300])
def test_a_card_from_the_pool_can_be_laid_back_whichever_entries_struck_it(turns):
    table = ScriptedTable(stairs())
    table.look(C11="pool")
    for turn in range(turns):
        table.say(MakeMove(EndTurn(Seat(1 + turn % 2)), Origin.PHONE))
    table.look(C11="tree")
    table.look(C14="pool")
    table.look(3, C14=None, hand=True)
    table.look(3, C11="pool")
    table.look(3, C11="tree")
    placed = 2 + turns
    assert table.story[placed + 1 :] == [f"struck {placed + 1}", f"struck {placed}", f"struck {placed + 3}"]
    assert table.match.record.state.tree == ("1-1",)


@pytest.mark.parametrize("elsewhere", ["pool", "bank"])
def test_a_card_taken_back_and_laid_elsewhere_was_not_laid_back(table, elsewhere):
    table.look(C11="tree")
    table.look(4, C11=None)
    table.look(4, C11=elsewhere)
    assert table.story[1:] == ["played place 1 1-1", "struck 2", "unexplained 1-1"]


def test_command_cards_and_seat_tags_mean_nothing_anywhere_else_nor_a_game_card_among_them(table):
    table.look(10, KEND="tree", S2="pool", C16="commands")
    assert table.story[1:] == []
    assert table.signals == [Signal.RECOGNISED]


def test_a_hand_hovering_over_the_place_undoes_nothing(table):
    table.look(C11="tree")
    table.look(60, C11=None, hand=True)
    table.look(1, C11="tree")
    assert table.story[1:] == ["played place 1 1-1"]


# The table and the log disagree


@pytest.fixture
def cleared(table) -> ScriptedTable:
    """Four cards were laid, and then somebody cleared the table."""
    for n, end in ((1, True), (2, True), (3, True), (4, True)):
        table.look(**{f"C1{n}": "tree"})
        if end:
            table.look(KEND="commands")
            table.look(KEND=None)
    table.look(10, C11=None, C12=None, C13=None, C14=None)
    return table


def test_many_cards_gone_at_once_stop_scoring_instead_of_nagging_card_by_card(cleared):
    assert cleared.news[-1].alert is Alert.DISAGREES
    assert len(cleared.news[-1].instructions) == 4
    assert "unexplained" not in " ".join(cleared.story)
    cleared.look(5, C16="tree")
    assert "1-6" not in " ".join(cleared.story), "nothing is judged until the table is as it was"


def test_three_older_cards_gone_with_the_newest_are_a_table_in_disorder_and_none_is_taken_back(table):
    for n in (1, 2, 3, 4):
        table.look(KEND=None, **{f"C1{n}": "tree"})
        if n < 4:
            table.look(KEND="commands")
    table.look(10, C11=None, C12=None, C13=None, C14=None)
    assert "struck" not in " ".join(table.story)
    assert len(table.news[-1].instructions) == 4


def test_two_older_cards_gone_with_the_newest_are_put_back_and_the_newest_is_taken_back(table):
    for n in (1, 2, 3):
        table.look(KEND=None, **{f"C1{n}": "tree"})
        if n < 3:
            table.look(KEND="commands")
    table.look(10, C11=None, C12=None, C13=None)
    assert [words for words in table.story if words.startswith("struck")] == ["struck 6"]
    assert [text.key for news in table.news[-2:] for text in news.texts] == ["referee.put_into"] * 2


def test_the_list_is_ticked_off_as_the_cards_are_seen(cleared):
    left = []
    for n in (2, 4, 1, 3):
        cleared.look(1, **{f"C1{n}": "tree"})
        left.append(len(cleared.news[-1].instructions))
    assert left == [3, 2, 1, 0]
    assert cleared.news[-1].alert is Alert.NONE
    cleared.look(C15="tree")
    assert cleared.story[-1] == "played place 1 1-5"


# Other words


def test_a_card_laid_by_phone_need_not_be_seen(table):
    table.say(MakeMove(Place(Seat(1), CardId("1-1"), "hand"), Origin.PHONE))
    table.look(30)
    assert table.story[1:] == ["played place 1 1-1"]
    table.look(C11="tree")
    table.look(10)
    assert table.story[1:] == ["played place 1 1-1"]


def test_an_inferred_end_of_turn_is_said_and_refuted_with_one_tap():
    table = ScriptedTable(stairs(infers_turns=True))
    table.look(C15="pool")
    table.look(C11="tree")
    table.look(3, C12="tree")
    (asked,) = table.match.issues.questions.for_phones()
    assert (asked.text.key, asked.text.params) == ("referee.passed_on", {"seat": 2})
    assert asked.answers[0].text.params == {"seat": 1}
    table.say(AnswerQuestion(asked.number, 0, Seat(1)))
    assert table.story[-2:] == ["struck 4", "struck 3"]
    said = [one.texts[0] for one in table.news[-2:]]
    assert [(text.key, text.params["seat"]) for text in said] == [("referee.struck.by", 1)] * 2, "not the host"
    assert table.match.standing.turn == 1
    table.look(10)
    assert len(table.story) == 6, "the card still lying there was spoken about"


def test_the_question_of_an_inferred_end_falls_away_with_the_next_act():
    table = ScriptedTable(stairs(infers_turns=True))
    table.look(C15="pool")
    table.look(C11="tree")
    table.look(3, C12="tree")
    table.look(3, C13="tree")
    keys = [asked.answers[0].text.params for asked in table.match.issues.questions.for_phones()]
    assert keys == [{"seat": 2}], "only about the newest end of turn"


def test_a_correction_that_breaks_later_entries_is_done_when_somebody_insists(table):
    table.look(C11="tree")
    table.look(KEND="commands")
    table.look(C12="tree")
    table.say(Undo(2, anyway=True))
    assert table.story[-1] == "struck 2"
    assert table.match.record.state.tree == ("1-2",)


def test_what_somebody_insisted_on_stands_in_nobodys_way_later(table):
    table.look(C11="tree")
    table.look(KEND="commands")
    table.look(C12="tree", KEND=None)
    table.say(Undo(2, anyway=True))
    table.look(KEND="commands")
    table.say(Undo())
    assert table.story[3:] == ["played place 2 1-2", "struck 2", "played end_turn 2", "struck 6"]


def test_the_table_is_right_takes_what_lies_there_as_the_position(cleared):
    before = cleared.story
    cleared.look(2, C12="tree", C11="tree")
    cleared.say(AcceptTable())
    assert cleared.story == [*before, "corrected"]
    assert cleared.match.record.state.tree == ("1-1", "1-2")
    assert cleared.news[-1].alert is Alert.NONE
    cleared.look(10)
    assert cleared.story == [*before, "corrected"]
    cleared.look(2, C13="tree")
    assert cleared.story[-1].startswith("played place")


def test_the_log_is_right_shows_what_to_move(table):
    table.look(C11="tree")
    table.look(KEND="commands")
    table.look(1, C11="pool", hand=True)
    table.say(RestoreTable())
    assert [text.key for text in table.news[-1].instructions] == ["referee.put_into"]
    table.look(1, C11="tree")
    assert table.news[-1].instructions == ()
    assert table.news[-1].alert is Alert.NONE


# Command cards and cards that are hard to read


def test_a_command_card_waits_while_the_eye_is_still_reading_what_lies_there(table):
    table.look(0.5, KEND="commands", pending=True)
    assert table.story[1:] == []
    table.look(0.5, C11="tree")
    assert table.story[1:] == ["played place 1 1-1", "played end_turn 1"]


def test_a_command_card_shown_briefly_is_not_forgotten_while_it_waits(table):
    table.look(0.5, KEND="commands", pending=True)
    table.look(0.5, KEND=None, pending=True)
    table.look(0.5)
    assert table.story[1:] == ["played end_turn 1"]


def test_a_command_card_waits_two_and_a_half_seconds_for_what_cannot_be_read_and_no_longer(table):
    table.look(2.5, KEND="commands", pending=True)
    assert table.story[1:] == []
    table.look(0.25, pending=True)
    assert table.story[1:] == ["played end_turn 1"]


def ends_without_a_card() -> ScriptedTable:
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    table = ScriptedTable(open_match(match, demo_deck()).game)
    table.look(2, **dict.fromkeys(("C11", "C12", "C13", "C14", "C15"), "pool"))
    table.look(1, KEND="commands")
    return table


def test_a_command_that_may_not_be_said_yet_waits_for_the_card_that_explains_it():
    """The discard lies in a shadow and is read after the end of turn was shown."""
    table = ends_without_a_card()
    table.look(1, C19="discard-1")
    assert table.story[1:] == ["played discard 1 1-9", "played end_turn 1"]


def test_a_command_that_may_not_be_said_is_answered_in_the_end():
    table = ends_without_a_card()
    table.time_s += 0.1  # pictures do not come by the clock
    table.look(2)
    assert table.story[1:] == ["refused end_turn 1 must-discard"]


# What an act asks of people's hands


def bot_table() -> ScriptedTable:
    """A real match in which seat 2 is a bot and it is its turn; 1-1 lies in the tree."""
    seats = [{"name": "Ana"}, {"name": "Robo", "bot": True}, {"name": "Ben"}]
    match = {"game": "discovery", "profile": "fr-explore", "seat": seats, "options": {"stop": True}}
    table = ScriptedTable(registry.open_match(match, registry.demo_deck()).game)
    table.look(1, C12="pool", C13="pool", C15="pool", C21="pool", C22="pool")
    table.look(1, C11="tree")
    table.look(1, KEND="commands")
    table.look(1, KEND=None)
    return table


def test_a_bots_card_may_lie_in_its_row_until_somebody_moves_it():
    """ "turn the first card of the row; if it can be placed, place it" (E:289-290): turning comes first."""
    table = bot_table()
    table.look(8, C14="row-2")
    table.look(1, C14=None, hand=True)
    table.look(5, C14="tree")
    assert table.story[3:] == ["played flip 2 1-4"]
    assert Signal.MISPLACED not in table.signals


def test_a_card_that_an_act_wants_elsewhere_is_asked_for_when_nobody_moves_it():
    table = bot_table()
    table.look(20, C14="row-2")
    assert table.story[3:] == ["played flip 2 1-4", "unexplained 1-4"]
    assert table.news[-1].texts[0].key == "referee.put_into"
    table.look(5, C14="tree")
    assert table.signals[-1] is Signal.SETTLED


def test_a_stopped_card_may_lie_there_until_its_player_has_put_it_away():
    """ "the wrongly placed card is discarded" (E:253): by hand, and after the verdict."""
    table = bot_table()
    table.look(1, C14="row-2")
    table.look(2, C14="tree")
    table.look(2, C29="row-2")  # it cannot be placed, so it is discarded and the bot's turn ends
    table.look(2, C29="discard-2")
    table.look(2, C36="tree")
    table.say(MakeMove(Stop(Seat(1)), Origin.PHONE))
    table.say(MakeMove(Verify(Seat(3)), Origin.PHONE))
    told = len(table.story)
    table.look(8)
    table.look(1, C36=None, hand=True)
    table.look(5, C36="discard-3")
    assert len(table.story) == told, table.story
    assert Signal.MISPLACED not in table.signals


def three_seats() -> ScriptedTable:
    match = {"profile": "en-memory", "seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cem"}]}
    return ScriptedTable(open_match(match, demo_deck()).game)


@pytest.mark.parametrize("by", [2, 3])
def test_a_seat_tag_beside_stop_says_who_it_was_and_nobody_is_asked(by):
    table = three_seats()
    table.look(2, C11="pile")
    table.look(2, KSTOP="commands", **{f"S{by}": "commands"})
    assert table.story[-1] == f"played stop {by}"
    assert table.match.issues.questions.for_phones() == ()


@pytest.mark.parametrize("answer", [-1, 2, 3])
def test_an_answer_that_was_not_offered_says_nothing(answer):
    table = three_seats()
    table.look(2, C11="pile")
    table.look(2, KSTOP="commands")
    before = table.story
    assert before[-1] == "question KSTOP"
    (asked,) = table.match.issues.questions.for_phones()
    assert len(asked.answers) == 2, "anybody but the one who laid the card"
    table.say(AnswerQuestion(asked.number, answer, Seat(2)))
    assert table.story == before
    assert table.match.issues.questions.for_phones()
    table.say(AnswerQuestion(asked.number, 1, Seat(2)))
    assert table.story[-1] == "played stop 3"


def test_a_card_in_flight_is_not_doubted_but_its_neighbour_is(table):
    table.look(2, C13="tree", C16="tree")
    assert sorted(table.story[1:]) == ["refused place 1 1-3 prerequisites", "refused place 1 1-6 prerequisites"]


def test_while_one_card_may_still_be_moving_the_others_are_spoken_about(table):
    """1-5 was lifted out of the pool a moment ago, so what lies in the pool now may be on its way elsewhere."""
    table.look(3, C15=None, C16="pool", C13="tree")
    assert table.story[1:] == ["refused place 1 1-3 prerequisites"]
    table.look(3)
    assert sorted(table.story[2:]) == ["unexplained 1-5", "unexplained 1-6"]


def test_a_card_taken_back_and_another_unlawful_one_are_both_spoken_about(table):
    table.look(C11="tree")
    table.look(0.5, C11=None, C13="tree", hand=True)
    table.look(8)
    assert "refused place 1 1-3 prerequisites" in table.story
    assert "struck 2" in table.story


def test_a_card_taken_back_and_laid_again_in_a_moment_counts_again_and_not_after_something_else(table):
    table.look(C11="tree")
    table.look(4, C11=None)
    assert table.story[-1] == "struck 2"
    table.look(1, C11="tree")
    assert table.story[-1] == "struck 3"
    assert table.match.record.state.tree == ("1-1",)


@pytest.mark.parametrize("other", ["C13", "C16"])
def test_a_refused_card_is_forgotten_by_its_number_whichever_entry_it_is(table, other):
    table.look(2, C12="tree")
    table.look(2, **{other: "tree"})
    for number in (3, 2):
        table.say(OverruleCamera(number))
        assert table.story[-1] == f"settled {number}"
    assert table.news[-1].alert is Alert.NONE


def test_who_claims_a_card_gets_the_turn_with_it(table):
    """Ana did nothing and said nothing; Ben's card counts for her until he says that it was his."""
    table.look(C11="tree")
    table.say(Claim(Seat(2)))
    assert table.story[1:] == ["played place 1 1-1", "struck 2", "played end_turn 1", "played place 2 1-1"]
    assert [text.key for text in table.news[-1].texts] == ["stairs.end_turn", "referee.claimed"]


def test_what_was_suspected_when_the_table_was_right_can_be_spoken_about_when_it_comes_again(table):
    table.look(1, C16="bank", hand=True)
    table.say(AcceptTable())
    table.look(1, C16=None)
    assert table.news[-1].signal is Signal.SETTLED
    table.look(3, C16="bank")
    assert table.story[1:] == ["corrected", "unexplained 1-6"]


def test_a_claim_is_judged_from_before_the_card(table):
    table.look(C11="tree")
    table.say(MakeMove(EndTurn(Seat(1)), Origin.PHONE))
    table.look(C12="tree")
    table.say(MakeMove(EndTurn(Seat(2)), Origin.PHONE))
    table.look(2, C14="tree")
    table.say(Claim(Seat(2)))
    assert table.story[-1] == "claimed 6", "nothing was forgotten: the card lacks another"


def test_what_still_lies_there_after_the_table_was_right_is_not_spoken_about_again(table):
    table.look(2, C13="tree")
    table.say(AcceptTable())
    table.look(10)
    assert table.story[-2:] == ["corrected", "settled 2"]
    assert table.news[-1].alert is Alert.NONE
    table.look(2, C16="tree")
    assert table.story[-1] == "refused place 1 1-6 prerequisites"


@pytest.mark.parametrize(("still_there", "told"), [(True, ["corrected", "played end_turn 1"]), (False, ["corrected"])])
def test_a_command_card_counts_after_the_table_was_right_if_it_still_lies_there(table, still_there: bool, told):
    table.look(1, C11="tree")
    table.look(0.25, KEND="commands", pending=True)  # it waits until the cards are read
    if not still_there:
        table.look(0.25, KEND=None, pending=True)
    table.say(AcceptTable())
    table.look(3)
    assert table.story[2:] == told


def test_a_misread_card_from_the_pool_takes_its_refill_along():
    table = ScriptedTable(stairs())
    table.look(C11="pool")
    table.look(C11="tree")
    table.look(C14="pool")
    table.say(OverruleCamera(2))
    assert table.story[-2:] == ["struck 3", "struck 2"]


def test_a_forgotten_end_of_turn_is_put_in_before_the_card_that_is_claimed(table):
    table.look(C11="tree")
    table.look(2, C12="tree")
    table.look(2, C16="tree")
    table.say(Claim(Seat(2), 3))
    assert table.story[4:] == ["played end_turn 1", "played place 2 1-2"]
    assert table.match.record.state.tree == ("1-1", "1-2")
