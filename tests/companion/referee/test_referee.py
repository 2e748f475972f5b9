"""Each line of what a look leads to, with a game small enough to see through."""

from __future__ import annotations

import pytest
from support.scripted_table import Film
from support.toy_game import EndTurn, Place, Stairs

from companion.errors import LogError
from companion.games import registry
from companion.games.discovery.moves import Stop, Verify
from companion.games.registry import demo_deck, open_match
from companion.history.events import Origin
from companion.public.table import CardId, Seat, ViewLost
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
from companion.referee.decisions import Decision


@pytest.fixture
def film() -> Film:
    """A dealt table: the pool holds 1-5."""
    film = Film(Stairs())
    film.look(C15="pool")
    return film


def test_the_pool_that_the_camera_sees_first_is_the_deal(film):
    assert film.story == ["played deal 0"]
    assert film.evening.record.lines[0].entry.time_s == 0


def test_a_pool_dealt_card_by_card_is_one_deal_and_no_refill():
    """ "hand out one card to the pool (face up) then one to each player (face down), and repeat" (E:188-189)."""
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    film = Film(open_match(match, demo_deck()).game)
    for token in ("C11", "C12", "C13", "C14"):
        film.look(2, **{token: "pool"})
    assert film.story == []
    film.look(2, hand=True, C15="pool")
    assert film.story == []
    film.look(2)
    assert film.story == ["played deal 0"]
    assert len(film.evening.record.lines[0].entry.event.move.pool) == 5
    assert film.signals == [Signal.RECOGNISED]


def test_a_card_laid_is_played_once_however_long_it_lies(film):
    film.look(C11="tree", hand=True)
    film.look(20)
    assert film.story[1:] == ["played place 1 1-1"]
    assert film.signals.count(Signal.PLAYED) == 1


def test_a_lawful_card_counts_before_the_hand_is_gone(film):
    film.look(0.25, C11="tree", hand=True)
    assert film.story[1:] == ["played place 1 1-1"]


def test_an_unlawful_card_is_only_suspected_while_the_hand_is_over_the_table(film):
    film.look(2, C13="tree", hand=True)
    assert film.signals[-1] is Signal.SUSPECTED
    assert film.story[1:] == []
    film.look(1)
    assert film.story[1:] == ["refused place 1 1-3 prerequisites"]
    assert film.signals.count(Signal.REFUSED) == 1
    assert film.news[-1].alert is Alert.REFUSED


def test_a_hand_that_stays_does_not_hide_an_unlawful_card_for_ever(film):
    film.look(10, C13="tree", hand=True)
    assert film.story[1:] == ["refused place 1 1-3 prerequisites"]


def test_an_unlawful_card_taken_back_while_suspected_leaves_no_trace_but_the_lamp(film):
    film.look(1, C13="tree", hand=True)
    film.look(5, C13=None)
    assert film.story[1:] == []
    assert film.signals[-1] is Signal.SETTLED


def test_a_refused_card_taken_back_is_settled_and_may_be_refused_again(film):
    film.look(2, C13="tree")
    film.look(2, C13=None)
    film.look(2, C13="tree")
    refusal = "refused place 1 1-3 prerequisites"
    assert film.story[1:] == [refusal, "settled 2", refusal]
    film.look(2, C13=None)
    assert film.news[-1].alert is Alert.NONE


def test_all_objections_are_named(film):
    film.look(C11="tree")
    film.look(2, C14="tree")
    assert film.story[-1] == "refused place 1 1-4 prerequisites link"
    assert [text.key for text in film.news[-1].texts] == ["stairs.objection.prerequisites", "stairs.objection.link"]


def test_two_cards_laid_between_two_looks_are_read_in_the_order_the_rules_allow():
    film = Film(Stairs())
    film.look(C12="pool")
    film.look(C11="tree")
    film.look(C12=None, hand=True)
    film.look(C12="tree", KEND="commands")  # the end of turn, then the pool card
    film.look(3)
    assert film.story[1:] == ["played place 1 1-1", "played end_turn 1", "played place 2 1-2"]


def test_a_card_placed_from_the_pool_and_the_card_that_refills_it_seen_in_one_look():
    film = Film(Stairs())
    film.look(C11="pool")
    film.look(C11="tree", C14="pool")
    assert film.story[1:] == ["played place 1 1-1", "played refill 0 1-4"]


def test_the_refill_may_lie_there_while_the_pool_card_is_still_in_the_hand():
    film = Film(Stairs())
    film.look(C11="pool")
    film.look(0.5, C11=None, hand=True)
    film.look(2, C14="pool", hand=True)
    film.look(2, C11="tree")
    assert film.story[1:] == ["played place 1 1-1", "played refill 0 1-4"]


def test_a_lifted_card_is_no_change_while_a_hand_is_in_view(film):
    film.look(30, C15=None, hand=True)
    film.look(3)
    assert film.story[1:] == []
    film.look(2)
    assert film.story[1:] == ["unexplained 1-5"]
    assert film.signals[-1] is Signal.MISPLACED
    film.look(60)
    assert len(film.story) == 2, "nothing nags twice"


def test_a_card_put_back_ends_the_asking(film):
    film.look(6, C15=None)
    film.look(C15="pool")
    assert film.signals[-1] is Signal.SETTLED
    film.look(6, C15=None)
    assert film.story[1:] == ["unexplained 1-5", "unexplained 1-5"]


def test_a_command_card_acts_once_per_showing(film):
    film.look(3, KEND="commands")
    film.look(KEND=None)
    film.look(3, KEND="commands")
    assert film.story[1:] == ["played end_turn 1", "played end_turn 2"]


def test_a_command_card_that_lay_there_from_the_start_was_not_shown():
    film = Film(Stairs(), lying={"KEND": "commands"})
    film.look(2, C15="pool")
    assert film.story == ["played deal 0"]


def test_a_seat_tag_beside_the_card_says_whose_command_it_is(film):
    film.look(2, KEND="commands", S2="commands")
    assert film.story[1:] == ["refused end_turn 2 turn"]


def test_undo_strikes_the_last_card_and_the_card_still_lying_there_is_not_played_again(film):
    film.look(C11="tree")
    film.look(20, KUNDO="commands")
    assert film.story[1:] == ["played place 1 1-1", "struck 2"]
    assert film.evening.record.state.points == (0, 0)
    film.look(C11=None)
    film.look(C11="tree")
    assert film.story[-1] == "played place 1 1-1"


def test_undo_twice_goes_back_two_steps(film):
    film.look(C11="tree")
    film.look(KEND="commands")
    film.say(Undo())
    film.say(Undo())
    film.say(Undo())
    assert film.story[3:] == ["struck 3", "struck 2"], "the deal is nobody's to undo"


def test_undoing_a_card_from_the_pool_takes_its_refill_along():
    film = Film(Stairs())
    film.look(C11="pool")
    film.look(C11="tree")
    film.look(C14="pool")
    film.say(Undo())
    assert film.story[-2:] == ["struck 3", "struck 2"]
    film.look(10)
    assert len(film.story) == 5, "the cards still lying there were spoken about"
    film.look(C14=None, C11="pool")
    film.look(10)
    assert len(film.story) == 5
    assert film.news[-1].alert is Alert.NONE


def test_an_undo_that_later_cards_build_on_is_refused_in_words(film):
    film.look(C11="tree")
    film.look(KEND="commands")
    film.look(C12="tree")
    film.say(Undo(2))
    assert film.story[-1] == "played place 2 1-2"
    assert film.news[-1].texts[0].key == "referee.would_break"


def test_the_players_may_let_a_refused_card_stand(film):
    film.look(2, C12="tree")
    film.say(Allow())
    film.look(10)
    assert film.story[1:] == ["refused place 1 1-2 prerequisites", "allowed 2"]
    assert film.evening.record.state.tree == ("1-2",)
    assert film.news[-1].alert is Alert.NONE


def test_undo_takes_back_that_a_card_may_stand_like_anything_else(film):
    film.look(2, C12="tree")
    film.say(Allow())
    film.say(Undo())
    assert film.story[1:] == ["refused place 1 1-2 prerequisites", "allowed 2", "struck 3"]
    assert film.evening.record.state.tree == ()
    film.look(10)
    assert len(film.story) == 4, "the card still lying there was spoken about"
    film.look(2, C12=None)
    film.look(2, C12="tree")
    assert film.story[4:] == ["refused place 1 1-2 prerequisites"]


def test_an_allowed_card_that_was_undone_by_its_number_leaves_nothing_to_undo(film):
    film.look(2, C12="tree")
    film.say(Allow())
    film.say(Undo(2))
    film.say(Undo())
    assert film.story[2:] == ["allowed 2", "struck 2"]
    assert film.evening.record.state.tree == ()


def test_a_card_may_not_stand_after_all_where_a_later_one_would_lose_its_ground(film):
    film.look(2, C12="tree")
    film.look(C11="tree")
    assert film.story[1:] == ["refused place 1 1-2 prerequisites", "played place 1 1-1"]
    film.say(Allow(2))
    assert film.story[3:] == []
    (why,) = film.news[-1].texts
    assert (why.key, why.params) == ("referee.would_break", {"number": 3})


def test_that_a_card_may_stand_is_not_taken_back_from_under_later_cards(film):
    film.look(2, C12="tree")
    film.say(Allow())
    film.look(KEND="commands")
    film.look(C11="tree", KEND=None)
    film.look(KEND="commands")
    film.look(C13="tree")
    film.say(Undo(3))
    assert film.story[-1] == "played place 1 1-3"
    assert film.news[-1].texts[0].key == "referee.would_break"


def test_undo_takes_back_that_a_card_was_mine(film):
    film.say(MakeMove(Place(Seat(2), CardId("1-1"), "hand"), Origin.PHONE))
    film.say(Claim(Seat(1)))
    assert film.evening.record.state.tree == ("1-1",)
    film.say(Undo())
    assert film.story[1:] == ["refused place 2 1-1 turn", "claimed 2", "struck 3"]
    assert film.evening.record.state.tree == ()


def test_what_was_undone_and_put_back_can_be_undone_again(film):
    film.look(C11="tree")
    film.say(Undo())
    film.say(Undo(3))
    assert film.evening.record.state.tree == ("1-1",)
    film.say(Undo())
    assert film.story[1:] == ["played place 1 1-1", "struck 2", "struck 3", "struck 2"]
    assert film.evening.record.state.tree == ()


def test_a_forgotten_end_of_turn_asks_quietly_and_one_tap_mends_it(film):
    film.look(C11="tree")
    film.look(2, C12="tree")
    assert film.story[2:] == ["refused place 1 1-2 link"]
    assert film.signals[-1] is Signal.ASKS
    assert Signal.REFUSED not in film.signals
    (asked,) = film.evening.issues.questions.for_phones()
    assert asked.text.params == {"seat": 2}
    film.say(AnswerQuestion(asked.number, 0, Seat(2)))
    film.look(10)
    assert film.story[3:] == ["played end_turn 1", "played place 2 1-2"]
    assert film.evening.issues.questions.for_phones() == ()
    assert film.news[-1].alert is Alert.NONE


def test_the_command_card_shown_after_the_next_seats_card_mends_it_as_well(film):
    film.look(C11="tree")
    film.look(2, C12="tree")
    film.look(2, KEND="commands")
    assert film.story[3:] == ["played end_turn 1", "played place 2 1-2"]


def test_an_inferred_end_of_turn_is_an_entry_of_its_own():
    film = Film(Stairs(infers_turns=True))
    film.look(C15="pool")
    film.look(C11="tree")
    film.look(5, C12="tree")
    assert film.story[2:] == ["played end_turn 1", "played place 2 1-2"]


def test_that_was_me_puts_in_the_end_of_turn_that_was_forgotten(film):
    film.look(C11="tree")
    film.look(2, C12="tree")
    film.say(Claim(Seat(2)))
    assert film.story[3:] == ["played end_turn 1", "played place 2 1-2"]


@pytest.mark.parametrize("turns", [0, 300])
def test_that_was_me_is_heard_however_long_the_evening(film, turns):
    for turn in range(turns):
        film.say(MakeMove(EndTurn(Seat(1 + turn % 2)), Origin.PHONE))
    film.look(C11="tree")
    film.look(2, C12="tree")
    film.say(Claim(Seat(2), turns + 3))
    assert film.story[-2:] == ["played end_turn 1", "played place 2 1-2"]


def test_a_seat_tag_alone_claims_the_last_card(film):
    film.look(C11="tree")
    film.look(2, C12="tree")
    film.look(3, S2="commands")
    assert film.story[3:] == ["played end_turn 1", "played place 2 1-2"]


def test_a_paused_referee_says_nothing_and_looks_again_when_play_goes_on(film):
    film.look(KPAUSE="commands")
    film.look(10, C11="tree", C13="tree", KPAUSE=None)
    assert film.story[1:] == ["paused"]
    film.look(C13=None)
    film.look(KGO="commands")
    assert film.story[1:] == ["paused", "resumed", "played place 1 1-1"]


def test_a_refused_card_taken_back_during_a_pause_is_settled_at_once(film):
    film.look(2, C13="tree")
    film.say(Pause())
    film.look(1, C13=None)
    assert film.story[1:] == ["refused place 1 1-3 prerequisites", "paused", "settled 2"]
    assert film.news[-1].alert is Alert.PAUSED


def test_a_card_put_where_the_game_has_no_place_is_asked_away(film):
    """A zone of the house's own, such as the box for the point cards."""
    film.look(3, C16="bank")
    assert film.story[1:] == ["unexplained 1-6"]
    assert film.news[-1].texts[0].key == "referee.take_away"


def test_pause_and_resume_are_said_once(film):
    for said in (Pause(), Pause(), Resume(), Resume()):
        film.say(said)
    assert film.story[1:] == ["paused", "resumed"]


def test_losing_sight_of_the_table_freezes_everything_and_is_said_once(film):
    film.look(C11="tree")
    film.look(30, lost=ViewLost.TABLE, C11=None, C15=None)
    film.look(1, C11="tree", C15="pool")
    film.look(5)
    assert film.story[1:] == ["played place 1 1-1"]
    assert [s for s in film.signals if s in (Signal.LOST, Signal.FOUND)] == [Signal.LOST, Signal.FOUND]


def test_nothing_is_told_when_the_log_cannot_be_written_and_it_is_tried_again(film):
    told = len(film.news)
    film.fails = [LogError("disk full")] * 4
    film.look(0.25, C11="tree")
    film.look(2)
    assert film.signals[told:] == [Signal.TROUBLE]
    assert film.story[1:] == []
    assert len(film.fails) in (1, 2)  # a disk that takes nothing is asked once a second, not with every look
    film.look(3)
    assert film.fails == []
    assert film.story[1:] == ["played place 1 1-1"]
    assert film.signals[told:].count(Signal.PLAYED) == 1


def test_an_unlawful_card_whose_refusal_could_not_be_written_is_still_refused_later(film):
    film.fails = [LogError("disk full")]
    film.look(2, C13="tree")
    film.evening.wake(film.time_s)
    assert film.story[1:] == ["refused place 1 1-3 prerequisites"]


def test_a_restart_goes_on_and_speaks_of_nothing_twice(film):
    film.look(C11="tree")
    film.look(2, C13="tree")
    film.look(6, C15=None)
    later = Film(Stairs(), entries=list(film.entries), time_s=5000.0, lying=dict(film.lying))
    later.look(20)
    assert later.story == film.story
    assert later.evening.issues.alert(later.evening.record) is Alert.REFUSED
    later.look(2, C13=None)
    assert later.story[-1] == "settled 3"
    assert 0 <= later.evening.record.lines[-1].entry.time_s - film.evening.record.last_time_s < 30


def test_after_a_restart_a_card_that_is_gone_is_asked_for_once_the_eye_has_had_four_seconds(film):
    film.look(C11="tree")
    film.look(2, KEND="commands")
    lying = {token: zone for token, zone in film.lying.items() if token != "C15"}
    later = Film(Stairs(), entries=list(film.entries), time_s=5000.0, lying=lying)
    later.look(4)
    assert later.story == film.story
    later.look(0.25)
    assert later.story == [*film.story, "unexplained 1-5"]


def test_after_a_restart_a_hand_that_covers_the_last_card_gives_the_eye_more_time(film):
    film.look(C11="tree")
    lying = {token: zone for token, zone in film.lying.items() if token != "C11"}
    later = Film(Stairs(), entries=list(film.entries), time_s=5000.0, lying=lying)
    later.look(3, hand=True)
    later.look(3.75)
    assert later.story == film.story
    later.look(2, C11="tree")
    assert later.story == film.story, "it lay there all the time"


def test_a_restart_does_not_play_an_undone_card_again(film):
    film.look(C11="tree")
    film.say(Undo())
    later = Film(Stairs(), entries=list(film.entries), time_s=5000.0, lying=dict(film.lying))
    later.look(10)
    assert later.story == film.story


def test_who_said_it_is_in_the_entry(film):
    film.look(C11="tree")
    film.say(Undo(origin=Origin.BUTTON))
    film.look(KGO="commands", KPAUSE="commands")
    origins = [line.entry.origin for line in film.evening.record.lines]
    assert origins[:3] == [Origin.CAMERA, Origin.CAMERA, Origin.BUTTON]


def test_a_prize_is_a_fanfare_of_its_own(film):
    film.look(C11="tree")
    film.look(KEND="commands")
    film.look(C12="tree", KEND=None)
    film.look(KEND="commands")
    film.look(C13="tree")
    assert film.signals[-1] is Signal.PRIZE


def test_a_silent_game_gives_the_same_signal_for_every_card():
    film = Film(Stairs(silent=True))
    film.look(C15="pool")
    film.look(C11="tree")
    assert film.signals[-1] is Signal.RECOGNISED


def test_a_word_that_may_not_be_said_is_answered_in_words_and_not_with_a_buzz(film):
    film.look(2, KEND="commands", S2="commands")
    assert film.story[1:] == ["refused end_turn 2 turn"]
    assert film.signals[-1] is Signal.RECOGNISED
    assert film.news[-1].alert is Alert.NONE
    assert film.news[-1].texts[0].key == "stairs.objection.turn"


def test_the_button_says_what_the_command_card_says(film):
    film.say(CommandCard(CardId("KEND")))
    film.say(CommandCard(CardId("KUNDO")))
    assert film.story[1:] == ["played end_turn 1", "struck 2"]
    assert film.evening.record.lines[1].entry.origin is Origin.BUTTON


# Cards taken off the table


def test_the_last_card_taken_back_off_the_table_is_undone(film):
    film.look(C11="tree")
    film.look(1, C11=None, hand=True)
    film.look(1.5)
    assert film.story[1:] == ["played place 1 1-1"]
    film.look(1)
    assert film.story[1:] == ["played place 1 1-1", "struck 2"]
    assert film.evening.record.lines[-1].entry.origin is Origin.CAMERA
    film.look(30)
    assert len(film.story) == 3


def test_laid_back_within_ten_seconds_it_is_as_if_nothing_had_happened(film):
    film.look(C11="tree")
    film.look(6, C11=None)
    film.look(10, C11="tree")
    assert film.story[1:] == ["played place 1 1-1", "struck 2", "struck 3"]
    assert film.evening.record.state.tree == ("1-1",)
    assert film.news[-1].alert is Alert.NONE


@pytest.mark.parametrize(("away_s", "said"), [(9.75, "struck 3"), (10.0, "struck 3"), (10.25, "played place 1 1-1")])
def test_ten_seconds_after_it_was_taken_back_a_card_is_laid_anew(film, away_s, said):
    film.look(C11="tree")
    film.look(2.25, C11=None)
    assert film.story[-1] == "struck 2"
    film.look(away_s - 0.25)
    film.look(0.25, C11="tree")
    assert film.story[3:] == [said]


def test_what_was_done_since_a_card_was_taken_back_is_not_undone_by_laying_it_again(film):
    film.look(C11="tree")
    film.look(3, C11=None)
    film.say(MakeMove(EndTurn(Seat(1)), Origin.PHONE))
    film.look(2, C11="tree")
    assert film.story[2:] == ["struck 2", "played end_turn 1", "played place 2 1-1"]
    assert film.evening.record.state.points == (0, 1)


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 300])
def test_a_card_from_the_pool_can_be_laid_back_whichever_entries_struck_it(turns):
    film = Film(Stairs())
    film.look(C11="pool")
    for turn in range(turns):
        film.say(MakeMove(EndTurn(Seat(1 + turn % 2)), Origin.PHONE))
    film.look(C11="tree")
    film.look(C14="pool")
    film.look(3, C14=None, hand=True)
    film.look(3, C11="pool")
    film.look(3, C11="tree")
    placed = 2 + turns
    assert film.story[placed + 1 :] == [f"struck {placed + 1}", f"struck {placed}", f"struck {placed + 3}"]
    assert film.evening.record.state.tree == ("1-1",)


@pytest.mark.parametrize("elsewhere", ["pool", "bank"])
def test_a_card_taken_back_and_laid_elsewhere_was_not_laid_back(film, elsewhere):
    film.look(C11="tree")
    film.look(4, C11=None)
    film.look(4, C11=elsewhere)
    assert film.story[1:] == ["played place 1 1-1", "struck 2", "unexplained 1-1"]


def test_command_cards_and_seat_tags_mean_nothing_anywhere_else_nor_a_game_card_among_them(film):
    film.look(10, KEND="tree", S2="pool", C16="commands")
    assert film.story[1:] == []
    assert film.signals == [Signal.RECOGNISED]


def test_laid_again_later_it_is_laid_anew(film):
    film.look(C11="tree")
    film.look(14, C11=None)
    film.look(2, C11="tree")
    assert film.story[1:] == ["played place 1 1-1", "struck 2", "played place 1 1-1"]


def test_a_pool_card_taken_back_into_the_pool_is_undone_with_its_refill():
    film = Film(Stairs())
    film.look(C11="pool")
    film.look(C11="tree")
    film.look(C14="pool")
    film.look(3, C14=None, hand=True)
    film.look(4, C11="pool")
    assert film.story[1:] == ["played place 1 1-1", "played refill 0 1-4", "struck 3", "struck 2"]
    film.look(10)
    assert film.news[-1].alert is Alert.NONE


def test_a_card_of_an_earlier_turn_taken_away_is_asked_back(film):
    film.look(C11="tree")
    film.look(KEND="commands")
    film.look(3, C11=None)
    assert film.story[3:] == []
    film.look(2)
    assert film.story[3:] == ["unexplained 1-1"]


def test_a_hand_hovering_over_the_place_undoes_nothing(film):
    film.look(C11="tree")
    film.look(60, C11=None, hand=True)
    film.look(1, C11="tree")
    assert film.story[1:] == ["played place 1 1-1"]


# The table and the log disagree


@pytest.fixture
def cleared(film) -> Film:
    """Four cards were laid, and then somebody cleared the table."""
    for n, end in ((1, True), (2, True), (3, True), (4, True)):
        film.look(**{f"C1{n}": "tree"})
        if end:
            film.look(KEND="commands")
            film.look(KEND=None)
    film.look(10, C11=None, C12=None, C13=None, C14=None)
    return film


def test_many_cards_gone_at_once_stop_scoring_instead_of_nagging_card_by_card(cleared):
    assert cleared.news[-1].alert is Alert.DISAGREES
    assert len(cleared.news[-1].instructions) == 4
    assert "unexplained" not in " ".join(cleared.story)
    cleared.look(5, C16="tree")
    assert "1-6" not in " ".join(cleared.story), "nothing is judged until the table is as it was"


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


def test_a_card_laid_by_phone_need_not_be_seen(film):
    film.say(MakeMove(Place(Seat(1), CardId("1-1"), "hand"), Origin.PHONE))
    film.look(30)
    assert film.story[1:] == ["played place 1 1-1"]
    film.look(C11="tree")
    film.look(10)
    assert film.story[1:] == ["played place 1 1-1"]


def test_an_inferred_end_of_turn_is_said_and_refuted_with_one_tap():
    film = Film(Stairs(infers_turns=True))
    film.look(C15="pool")
    film.look(C11="tree")
    film.look(3, C12="tree")
    (asked,) = film.evening.issues.questions.for_phones()
    assert asked.text.key == "referee.passed_on"
    film.say(AnswerQuestion(asked.number, 0, Seat(1)))
    assert film.story[-2:] == ["struck 4", "struck 3"]
    assert film.evening.standing.turn == 1
    film.look(10)
    assert len(film.story) == 6, "the card still lying there was spoken about"


def test_the_question_of_an_inferred_end_falls_away_with_the_next_act():
    film = Film(Stairs(infers_turns=True))
    film.look(C15="pool")
    film.look(C11="tree")
    film.look(3, C12="tree")
    film.look(3, C13="tree")
    keys = [asked.answers[0].text.params for asked in film.evening.issues.questions.for_phones()]
    assert keys == [{"seat": 2}], "only about the newest end of turn"


def test_a_correction_that_breaks_later_entries_is_done_when_somebody_insists(film):
    film.look(C11="tree")
    film.look(KEND="commands")
    film.look(C12="tree")
    film.say(Undo(2, anyway=True))
    assert film.story[-1] == "struck 2"
    assert film.evening.record.state.tree == ("1-2",)


def test_what_somebody_insisted_on_stands_in_nobodys_way_later(film):
    film.look(C11="tree")
    film.look(KEND="commands")
    film.look(C12="tree", KEND=None)
    film.say(Undo(2, anyway=True))
    film.look(KEND="commands")
    film.say(Undo())
    assert film.story[3:] == ["played place 2 1-2", "struck 2", "played end_turn 2", "struck 6"]


def test_the_table_is_right_takes_what_lies_there_as_the_position(cleared):
    before = cleared.story
    cleared.look(2, C12="tree", C11="tree")
    cleared.say(AcceptTable())
    assert cleared.story == [*before, "corrected"]
    assert cleared.evening.record.state.tree == ("1-1", "1-2")
    assert cleared.news[-1].alert is Alert.NONE
    cleared.look(10)
    assert cleared.story == [*before, "corrected"]
    cleared.look(2, C13="tree")
    assert cleared.story[-1].startswith("played place")


def test_the_log_is_right_shows_what_to_move(film):
    film.look(C11="tree")
    film.look(KEND="commands")
    film.look(1, C11="pool", hand=True)
    film.say(RestoreTable())
    assert [text.key for text in film.news[-1].instructions] == ["referee.put_into"]
    film.look(1, C11="tree")
    assert film.news[-1].instructions == ()
    assert film.news[-1].alert is Alert.NONE


# Command cards and cards that are hard to read


def test_a_command_card_waits_while_the_eye_is_still_reading_what_lies_there(film):
    film.look(0.5, KEND="commands", pending=True)
    assert film.story[1:] == []
    film.look(0.5, C11="tree")
    assert film.story[1:] == ["played place 1 1-1", "played end_turn 1"]


def test_a_command_card_shown_briefly_is_not_forgotten_while_it_waits(film):
    film.look(0.5, KEND="commands", pending=True)
    film.look(0.5, KEND=None, pending=True)
    film.look(0.5)
    assert film.story[1:] == ["played end_turn 1"]


def test_a_command_card_waits_two_and_a_half_seconds_for_what_cannot_be_read_and_no_longer(film):
    film.look(2.5, KEND="commands", pending=True)
    assert film.story[1:] == []
    film.look(0.25, pending=True)
    assert film.story[1:] == ["played end_turn 1"]


def test_a_command_that_may_not_be_said_yet_waits_for_the_card_that_explains_it():
    """The discard lies in a shadow and is read after the end of turn was shown."""
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    film = Film(open_match(match, demo_deck()).game)
    film.look(2, **dict.fromkeys(("C11", "C12", "C13", "C14", "C15"), "pool"))
    film.look(1, KEND="commands")
    film.look(1, C19="discard-1")
    assert film.story[1:] == ["played discard 1 1-9", "played end_turn 1"]


def test_a_command_that_may_not_be_said_is_answered_in_the_end():
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    film = Film(open_match(match, demo_deck()).game)
    film.look(2, **dict.fromkeys(("C11", "C12", "C13", "C14", "C15"), "pool"))
    film.look(3, KEND="commands")
    assert film.story[1:] == ["refused end_turn 1 must-discard"]


# What an act asks of people's hands


def bot_table() -> Film:
    """A real match in which seat 2 is a bot and it is its turn; 1-1 lies in the tree."""
    seats = [{"name": "Ana"}, {"name": "Robo", "bot": True}, {"name": "Ben"}]
    match = {"game": "discovery", "profile": "fr-explore", "seat": seats, "options": {"stop": True}}
    film = Film(registry.open_match(match, registry.demo_deck()).game)
    film.look(1, C12="pool", C13="pool", C15="pool", C21="pool", C22="pool")
    film.look(1, C11="tree")
    film.look(1, KEND="commands")
    film.look(1, KEND=None)
    return film


def test_a_bots_card_may_lie_in_its_row_until_somebody_moves_it():
    """ "turn the first card of the row; if it can be placed, place it" (E:289-290): turning comes first."""
    film = bot_table()
    film.look(8, C14="row-2")
    film.look(1, C14=None, hand=True)
    film.look(5, C14="tree")
    assert film.story[3:] == ["played flip 2 1-4"]
    assert Signal.MISPLACED not in film.signals


def test_a_card_that_an_act_wants_elsewhere_is_asked_for_when_nobody_moves_it():
    film = bot_table()
    film.look(20, C14="row-2")
    assert film.story[3:] == ["played flip 2 1-4", "unexplained 1-4"]
    assert film.news[-1].texts[0].key == "referee.put_into"
    film.look(5, C14="tree")
    assert film.signals[-1] is Signal.SETTLED


def test_a_stopped_card_may_lie_there_until_its_player_has_put_it_away():
    """ "the wrongly placed card is discarded" (E:253): by hand, and after the verdict."""
    film = bot_table()
    film.look(1, C14="row-2")
    film.look(2, C14="tree")
    film.look(2, C29="row-2")  # it cannot be placed, so it is discarded and the bot's turn ends
    film.look(2, C29="discard-2")
    film.look(2, C36="tree")
    film.say(MakeMove(Stop(Seat(1)), Origin.PHONE))
    film.say(MakeMove(Verify(Seat(3)), Origin.PHONE))
    told = len(film.story)
    film.look(8)
    film.look(1, C36=None, hand=True)
    film.look(5, C36="discard-3")
    assert len(film.story) == told, film.story
    assert Signal.MISPLACED not in film.signals


def test_a_card_laid_in_the_same_place_again_is_no_chore(film):
    film.look(2, C13="tree")
    film.look(2, C13=None)
    film.look(2, C13="tree")
    assert film.story[-1] == "refused place 1 1-3 prerequisites"


def three_seats() -> Film:
    match = {"profile": "en-memory", "seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cem"}]}
    return Film(open_match(match, demo_deck()).game)


def test_stop_without_a_seat_tag_asks_who_it_was():
    film = three_seats()
    film.look(2, C11="pile")
    film.look(2, KSTOP="commands")
    (asked,) = film.evening.issues.questions.for_phones()
    assert len(asked.answers) == 2, "anybody but the one who laid the card"
    assert film.story[-1] == "question KSTOP"


@pytest.mark.parametrize("by", [2, 3])
def test_a_seat_tag_beside_stop_says_who_it_was_and_nobody_is_asked(by):
    film = three_seats()
    film.look(2, C11="pile")
    film.look(2, KSTOP="commands", **{f"S{by}": "commands"})
    assert film.story[-1] == f"played stop {by}"
    assert film.evening.issues.questions.for_phones() == ()


def test_a_decision_is_a_value():
    assert len({Decision(), Decision(), Decision(signal=Signal.SETTLED)}) == 2


@pytest.mark.parametrize("answer", [-1, 2, 3])
def test_an_answer_that_was_not_offered_says_nothing(answer):
    film = three_seats()
    film.look(2, C11="pile")
    film.look(2, KSTOP="commands")
    before = film.story
    (asked,) = film.evening.issues.questions.for_phones()
    film.say(AnswerQuestion(asked.number, answer, Seat(2)))
    assert film.story == before
    assert film.evening.issues.questions.for_phones()
    film.say(AnswerQuestion(asked.number, 1, Seat(2)))
    assert film.story[-1] == "played stop 3"


def test_an_inferred_end_says_whose_turn_it_is_now_and_who_may_say_that_it_is_still_his():
    film = Film(Stairs(infers_turns=True))
    film.look(C15="pool")
    film.look(C11="tree")
    film.look(5, C12="tree")
    (asked,) = film.evening.issues.questions.for_phones()
    assert (asked.text.key, asked.text.params) == ("referee.passed_on", {"seat": 2})
    assert asked.answers[0].text.params == {"seat": 1}
    film.say(AnswerQuestion(asked.number, 0, Seat(1)))
    assert film.story[-2:] == ["struck 4", "struck 3"]


def test_a_card_in_flight_is_not_doubted_but_its_neighbour_is(film):
    film.look(2, C13="tree", C16="tree")
    assert sorted(film.story[1:]) == ["refused place 1 1-3 prerequisites", "refused place 1 1-6 prerequisites"]


def test_while_one_card_may_still_be_moving_the_others_are_spoken_about(film):
    """1-5 was lifted out of the pool a moment ago, so what lies in the pool now may be on its way elsewhere."""
    film.look(3, C15=None, C16="pool", C13="tree")
    assert film.story[1:] == ["refused place 1 1-3 prerequisites"]
    film.look(3)
    assert sorted(film.story[2:]) == ["unexplained 1-5", "unexplained 1-6"]


def test_a_card_taken_back_and_another_unlawful_one_are_both_spoken_about(film):
    film.look(C11="tree")
    film.look(0.5, C11=None, C13="tree", hand=True)
    film.look(8)
    assert "refused place 1 1-3 prerequisites" in film.story
    assert "struck 2" in film.story


def test_a_card_taken_back_and_laid_again_in_a_moment_counts_again_and_not_after_something_else(film):
    film.look(C11="tree")
    film.look(4, C11=None)
    assert film.story[-1] == "struck 2"
    film.look(1, C11="tree")
    assert film.story[-1] == "struck 3"
    assert film.evening.record.state.tree == ("1-1",)


@pytest.mark.parametrize("other", ["C13", "C16"])
def test_a_refused_card_is_forgotten_by_its_number_whichever_entry_it_is(film, other):
    film.look(2, C12="tree")
    film.look(2, **{other: "tree"})
    for number in (3, 2):
        film.say(OverruleCamera(number))
        assert film.story[-1] == f"settled {number}"
    assert film.news[-1].alert is Alert.NONE


def test_nobody_claims_a_card_that_would_be_unlawful_as_his(film):
    film.look(C11="tree")
    film.say(Claim(Seat(2)))
    assert film.story[1:] == ["played place 1 1-1"]
    (why,) = film.news[-1].texts
    assert (why.key, why.params) == ("referee.would_break", {"number": 2})


def test_what_was_suspected_when_the_table_was_right_can_be_spoken_about_when_it_comes_again(film):
    film.look(1, C16="bank", hand=True)
    film.say(AcceptTable())
    film.look(1, C16=None)
    assert film.news[-1].signal is Signal.SETTLED
    film.look(3, C16="bank")
    assert film.story[1:] == ["corrected", "unexplained 1-6"]


def test_a_claim_is_judged_from_before_the_card(film):
    film.look(C11="tree")
    film.say(MakeMove(EndTurn(Seat(1)), Origin.PHONE))
    film.look(C12="tree")
    film.say(MakeMove(EndTurn(Seat(2)), Origin.PHONE))
    film.look(2, C14="tree")
    film.say(Claim(Seat(2)))
    assert film.story[-1] == "claimed 6", "nothing was forgotten: the card lacks another"


def test_what_still_lies_there_after_the_table_was_right_is_not_spoken_about_again(film):
    film.look(2, C13="tree")
    film.say(AcceptTable())
    film.look(10)
    assert film.story[-2:] == ["corrected", "settled 2"]
    assert film.news[-1].alert is Alert.NONE
    film.look(2, C16="tree")
    assert film.story[-1] == "refused place 1 1-6 prerequisites"


def test_a_misread_card_from_the_pool_takes_its_refill_along():
    film = Film(Stairs())
    film.look(C11="pool")
    film.look(C11="tree")
    film.look(C14="pool")
    film.say(OverruleCamera(2))
    assert film.story[-2:] == ["struck 3", "struck 2"]


def test_a_forgotten_end_of_turn_is_put_in_for_the_last_card_alone(film):
    film.look(C11="tree")
    film.look(2, C12="tree")
    film.look(2, C16="tree")
    film.say(Claim(Seat(2), 3))
    assert film.story[-1] == "claimed 3"
    assert film.evening.record.state.tree == ("1-1",)
