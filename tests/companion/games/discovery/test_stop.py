"""Stop, announcements and the silence of Memory and Bluff (rules.md 3.4 K and L, T1 to T4 of 3.8)."""

from __future__ import annotations

import pytest
from support.discovery_match import SILENT, era, table

from companion.errors import ImpossibleMove
from companion.games.discovery.moves import (
    Announce,
    Call,
    Concede,
    Discard,
    EndTurn,
    Exchange,
    Place,
    Steal,
    Stop,
    Uncontested,
    Verify,
)
from companion.games.discovery.rules.contest import StopCost, stop_cost
from companion.games.discovery.state import ContestableAct
from companion.games.protocol import MoveContext, Objection
from companion.public.table import CardId, Seat

pytestmark = pytest.mark.core

OPENS_2 = ["1-1", "1-2", "1-3", "1-4"]
WRONG = Place(1, "2-1", "hand")
"""Lacks its prerequisites on an empty table."""


def hands(evening):
    return evening.standing.counters["hands"]


@pytest.mark.parametrize(("profile", "options", "found"), [
    ("en-intro", {}, {"not-offered"}), ("en-explore", {}, {"not-offered"}), ("fr-explore", {}, {"not-offered"}),
    ("en-intro", {"stop": True}, set()), ("en-explore", {"stop": True}, set()), ("fr-explore", {"stop": True}, set()),
    ("en-memory", {}, set()), ("fr-bluff", {}, set()),
])  # fmt: skip
def test_k1_stop_is_part_of_memory_and_bluff_and_an_option_elsewhere(profile, options, found):
    evening = table(profile, options=options)
    evening.hand(1, "1-1")
    assert evening.rules(Stop(2)) == found


def test_k2_the_seconds_are_a_setting_and_without_times_no_window_closes_by_itself():
    evening = table("fr-bluff", options={"contest_s": 60})
    evening.play(WRONG, time_s=100.0)
    evening.play(EndTurn(1), time_s=101.0)
    assert evening.rules(Stop(2), 150.0) == set()
    assert evening.rules(Stop(2), 160.0) == {"no-stop"}
    assert evening.rules(Stop(2)) == set()
    evening.play(Uncontested(0, 1))
    assert evening.rules(Stop(2, 1)) == {"contest-closed"}
    assert evening.rules(Uncontested(0, 1)) == {"contest-closed"}
    assert evening.rules(Uncontested(0, 7)) == {"no-stop"}


@pytest.mark.parametrize("earlier", [0, 1000])
def test_k2_an_entry_is_known_by_its_number_however_long_the_evening(earlier):
    evening = table("fr-bluff")
    evening.number = earlier
    evening.play(WRONG, EndTurn(1), Place(2, "1-1", "hand"))
    wrong, right = earlier + 1, earlier + 3
    for none in (earlier, earlier + 2, earlier + 4):
        assert evening.rules(Uncontested(0, none)) == {"no-stop"}, "nothing there that could be contested"
        assert evening.rules(Stop(3, none)) == {"no-stop"}
    evening.play(Stop(3, wrong), Verify(1))
    assert [act.number for act in evening.state.position.acts] == [right]
    evening.play(Uncontested(0, right))
    assert evening.rules(Stop(3, right)) == evening.rules(Stop(3, wrong)) == {"contest-closed"}
    assert evening.state.position.acts == ()


@pytest.mark.parametrize("profile", SILENT)
def test_k2_a_win_can_be_contested_for_its_seconds_alone(profile):
    evening = table(profile, hands=[1, 5, 5], stack=0)
    evening.play(Place(1, "1-1", "hand"), time_s=50.0)
    assert (evening.standing.over, evening.standing.provisional, evening.standing.winners) == (True, True, (1,))
    assert evening.rules(Stop(2), 59.0) == set()
    assert evening.rules(Stop(2, 1), 60.0) == {"contest-closed"}
    assert evening.rules(EndTurn(1)) == {"game-over"}
    assert evening.game.rules.timer(evening.state.position) == (60.0, Uncontested(0, 1))
    evening.play(Uncontested(0, 1))
    assert (evening.standing.over, evening.standing.provisional) == (True, False)
    assert evening.rules(Stop(2)) == {"game-over"}
    assert evening.game.rules.timer(evening.state.position) is None


@pytest.mark.parametrize("profile", SILENT)
def test_k2_the_clock_waits_for_the_winning_act_and_for_no_earlier_one(profile):
    evening = table(profile, hands=[5, 1, 5], stack=0)
    evening.play(Place(1, "1-1", "hand"), time_s=40.0)
    assert evening.game.rules.timer(evening.state.position) is None
    evening.play(EndTurn(1), time_s=41.0)
    evening.play(Place(2, "1-2", "hand"), time_s=45.0)
    assert [act.number for act in evening.state.position.acts] == [1, 3]
    assert evening.game.rules.timer(evening.state.position) == (55.0, Uncontested(0, 3))
    evening.play(Stop(3, 1), time_s=46.0)
    assert evening.game.rules.timer(evening.state.position) is None, "the Stop waits for its answer first"
    evening.play(Verify(1), time_s=47.0)
    assert evening.game.rules.timer(evening.state.position) == (55.0, Uncontested(0, 3))


def test_k3_not_ones_own_acts_and_the_first_voice_wins():
    evening = table("en-memory")
    evening.play(WRONG)
    assert evening.rules(Stop(1)) == {"no-stop"}
    assert evening.rules(Stop(2, 9)) == {"no-stop"}
    evening.play(Stop(2))
    assert evening.rules(Stop(3)) == {"contest-closed"}
    assert evening.rules(EndTurn(1)) == {"turn"}
    assert evening.rules(Verify(3)) == {"turn"}


def test_k3_it_is_said_whom_somebody_stops():
    evening = table("en-memory")
    evening.play(WRONG, EndTurn(1), Place(2, "1-1", "hand"))
    for stopped, number in ((2, None), (1, 1)):
        before, move = evening.state, Stop(3, number)
        step = evening.game.rules.apply(before, move, MoveContext(4))
        (told,) = evening.game.words.caption(before.position, move, step)
        assert told.params == {"seat": 3, "other": stopped}


def test_k3_bots_never_stop():
    evening = table("en-memory", seats=[{"name": "A"}, {"name": "R", "bot": True}])
    evening.play(WRONG)
    assert evening.rules(Stop(2)) == {"not-offered"}


def test_k9_only_cases_1_and_3_apply_to_the_option():
    evening = table("en-intro", options={"stop": True})
    evening.play(WRONG, Stop(2))
    assert evening.rules(Concede(1)) == {"not-offered"}


def test_k10_a_trump_of_the_undone_act_is_gone_with_the_turn_and_a_spent_one_stands():
    evening = table("en-explore", options={"stop": True}, tree=OPENS_2[:3])
    evening.play(WRONG, Place(1, "1-6", "hand"))  # the replay spends its trump
    evening.play(Stop(2, 1), Verify(1))
    assert evening.state.position.present >= {"1-6"}
    assert evening.standing.counters["trumps"] == 0


def test_k11_tv26_a_false_announcement_unchallenged_uses_the_credit_up():
    evening = table("en-memory", tree=OPENS_2)
    step = evening.play(Announce(1, 2, "open"))
    assert step.objections == (Objection("era-not-open"),)
    assert evening.standing.counters["trumps"] == 1
    evening.hand(1, "2-1")
    evening.play(Announce(1, 2, "open"))
    assert evening.standing.counters["trumps"] == 1


def test_k11_in_open_games_eras_are_not_announced():
    assert table("en-intro").rules(Announce(1, 2, "open")) == {"not-offered"}


def test_t3_a_called_card_goes_back_too_when_another_act_of_the_turn_is_stopped():
    evening = table("en-memory", tree=OPENS_2, hands=[2, 5, 5])
    evening.play(WRONG, Place(1, "1-6", "hand"), Call(1, "2-3", 2), Stop(3, 1), Verify(1, False))
    assert hands(evening)[1] == 6
    assert evening.standing.turn == 2


def test_t1_a_stopper_left_without_cards_wins_or_all_draw():
    evening = table("fr-bluff", hands=[5, 1, 5], stack=0)
    evening.play(WRONG, Stop(2), Verify(1))
    assert evening.standing.winners == (2,)
    evening = table("en-memory", hands=[5, 1, 5], stack=4)
    evening.play(WRONG, Stop(2), Verify(1))
    assert hands(evening) == (7, 1, 6)


@pytest.mark.parametrize("profile", SILENT)
def test_l1_no_public_word_and_no_count_tells_a_lawful_card_from_an_unlawful_one(profile):
    seen = []
    for card in ("1-6", "2-1", "6-1"):
        evening = table(profile, hold=["6-1"])
        step = evening.game.rules.apply(evening.state, Place(1, card, "hand"), MoveContext(1))
        told = evening.game.words.caption(evening.state.position, Place(1, card, "hand"), step)
        public = evening.game.public(step.state)
        view = {
            key: value
            for key, value in evening.game.board.view(step.state, None).items()
            if key not in ("top", "series")
        }
        offers = evening.game.board.offers(public, MoveContext(2))
        seen.append(
            (
                evening.game.board.standing(public),
                [t.key for t in told],
                view,
                offers,
                step.points,
                step.milestone,
                step.score_reasons,
            )
        )
        assert step.objections == ()
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("profile", SILENT)
def test_l1_offers_and_judgements_do_not_depend_on_the_pile(profile):
    one = table(profile, tree=["1-1", "1-2", "1-6"], jokers=1)
    other = table(profile, tree=["1-3", "1-7", "1-6"], jokers=1)
    assert one.game.board.offers(one.state.position, MoveContext(1)) == other.game.board.offers(
        other.state.position, MoveContext(1)
    )
    for card in ("1-4", "1-5", "1-8", "2-1", "6-1"):
        assert one.rules(Place(1, card, "hand")) == other.rules(Place(1, card, "hand"))


def test_l4_the_companion_says_which_card_to_pull_out_and_k12_only_what_is_missing():
    evening = table("en-memory")
    evening.play(WRONG, Place(1, "1-6", "hand"), Stop(2, 1))
    public = evening.state.position
    step = evening.play(Verify(1))
    told = evening.game.words.caption(public, Verify(1), step)
    assert [text.key.rpartition(".")[2] for text in told] == ["fault-both", "prerequisites", "pull-out"]
    assert told[1].params["cards"] == ["1-3", "1-4"]
    assert told[2].params["card"] == "2-1"


def test_k12_who_concedes_shows_nothing():
    evening = table("en-memory")
    evening.play(WRONG, Stop(2))
    public = evening.state.position
    told = evening.game.words.caption(public, Concede(1), evening.play(Concede(1)))
    assert [text.key.rpartition(".")[2] for text in told] == ["concede-both", "pull-out"]


@pytest.mark.parametrize(("found", "laid"), [(True, True), (False, False)])
def test_l5_a_typed_verdict_counts_when_people_verified_by_hand(found, laid):
    for move in (WRONG, Place(1, "1-6", "hand")):
        evening = table("en-memory")
        evening.play(move, Stop(2), Verify(1, found))
        assert (move.card in evening.state.position.present) is laid


def test_a_call_whose_card_was_stopped_already_gives_nothing_back_twice():
    evening = table("en-memory", tree=OPENS_2, hands=[1, 5, 5])
    evening.hand(1, "1-6")
    evening.play(Call(1, "2-3", 2), Place(1, "2-3", "called"), Stop(3, 3), Verify(1))
    assert evening.state.position.discards[0] == ("2-3",)
    holder = hands(evening)[1]
    evening.play(Stop(3, 2), Verify(1))
    assert hands(evening)[1] == holder


def test_the_turn_of_a_finished_match_is_nobodys_even_while_somebody_may_still_say_stop():
    evening = table("en-intro", hands=[1, 5, 5], stack=0)
    evening.hand(1, "1-1")
    assert evening.standing.turn is None
    evening = table("en-memory", hands=[1, 5, 5], stack=0)
    evening.hand(1, "1-1")
    assert (evening.standing.turn, evening.standing.counters["trumps"]) == (None, 0)


def test_a_stop_is_answered_by_the_stopped_player_and_by_anybody_for_a_bot():
    evening = table("en-memory")
    evening.play(WRONG, Stop(2))
    assert evening.game.board.view(evening.state, None)["contest"]["answering"] == [1]
    seats = [{"name": "A"}, {"name": "R", "bot": True}, {"name": "C"}]
    evening = table("en-memory", seats=seats, turn=2)
    from companion.games.discovery.moves import Flip

    evening.play(Flip(2, "1-1"), Stop(1))
    assert evening.game.board.view(evening.state, None)["contest"] == {
        "number": 1,
        "by": 1,
        "stopped": 2,
        "answering": [1, 3],
    }


@pytest.mark.parametrize(("by", "stopper"), [(1, 2), (2, 3), (3, 1)])
def test_k5_k9_whoever_stops_wrongly_pays_wherever_he_sits(by, stopper):
    evening = table("en-memory", turn=by, stack=20)
    evening.play(Place(by, "1-1", "hand"), Stop(stopper), Verify(by))
    assert evening.standing.counters["hands"][stopper - 1] == 6
    evening = table("en-explore", turn=by, stack=20, options={"stop": True})
    evening.play(Place(by, "1-1", "hand"), Stop(stopper), Verify(by))
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(stopper, "discard")]
    assert evening.rules(Place(by, "1-2", "hand")) == {"must-discard"}
    assert evening.rules(Steal(stopper, by)) == {"must-discard"}
    assert evening.rules(Discard(stopper, "1-6", trump=True)) == {"must-discard"}
    evening.play(Discard(stopper, "1-6"))
    assert (evening.standing.counters["hands"][stopper - 1], evening.standing.turn) == (5, by)


def test_k11_only_eras_that_can_be_opened_or_closed_are_announced():
    evening = table("en-memory")
    for number, what in ((1, "open"), (7, "open"), (0, "closed"), (7, "closed"), (2, "shut")):
        assert evening.rules(Announce(1, number, what)) == {"not-offered"}
    for number, what in ((2, "open"), (6, "open"), (1, "closed"), (6, "closed")):
        assert evening.rules(Announce(1, number, what)) == set()


def test_t3_a_placed_call_that_is_stopped_gives_its_points_back_and_the_card_to_its_holder():
    tree = [*era(1), *era(2, but=["2-9", "2-8"])]
    evening = table("en-explore", options={"stop": True}, tree=tree, hands=[3, 5, 5], stack=9, hold=["2-9", "3-1"])
    evening.play(Place(1, "3-1", "hand"), Call(1, "2-9", 2), Place(1, "2-9", "called"))
    assert evening.standing.points == (1 + 3 + 1, 0, 0)
    evening.play(Stop(3, 2), Verify(1, found=False))
    assert evening.standing.points == (1 + 3, 0, 0)
    assert "2-9" not in evening.state.position.present
    assert evening.standing.counters["hands"] == (2, 6, 5), "he had drawn another for it"


def test_what_is_let_stand_while_something_is_owed_pays_nothing():
    evening = table("en-explore", options={"stop": True}, hold=["1-1", "1-2", "6-9"])
    evening.play(Place(1, "1-1", "hand"), Stop(2), Verify(1))
    evening.allow(Place(2, "1-2", "hand"))
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(2, "discard")]
    assert "1-2" in evening.state.position.present
    evening.play(Discard(2, "6-9"))
    assert evening.standing.owed == ()


def test_a_card_let_stand_while_a_steal_is_owed_leaves_it_owed():
    evening = table("fr-explore", stack=0, hold=["1-1"])
    evening.allow(Place(1, "1-1", "hand"))
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(1, "steal")]
    assert "1-1" in evening.state.position.present
    assert evening.standing.counters["hands"] == (4, 5, 5)


@pytest.mark.parametrize("by", [1, 3])
def test_somebody_elses_steal_that_is_let_stand_pays_nobodys_debt(by):
    evening = table("fr-explore", stack=0, turn=2)
    evening.allow(Steal(by, 4 - by))
    assert [(owed.seat, owed.do) for owed in evening.standing.owed] == [(2, "steal")]
    evening.play(Steal(2, by))
    assert evening.standing.owed == ()


def test_debts_are_paid_in_the_order_in_which_they_arose_whoever_is_quicker():
    """One card is drawn and two hands stay empty (E6): the first of them steals first."""
    evening = table("en-intro", seats=4, hands=[1, 0, 0, 5], stack=1)
    evening.hand(1, "1-1")
    first, second = evening.standing.owed
    assert (first.do, first.seat, second.do, second.seat) == ("steal", 2, "steal", 3)
    assert evening.rules(Steal(3, 4)) == {"must-steal"}
    evening.allow(Steal(3, 4))
    assert evening.standing.owed == (first, second)
    evening.play(Steal(2, 4))
    assert evening.standing.owed == (second,)


def test_nobody_can_let_a_stop_stand_that_stops_nothing_or_comes_second():
    evening = table("en-memory")
    for move in (Stop(2), Stop(2, 7), Verify(1), Concede(1)):
        with pytest.raises(ImpossibleMove, match="stopped"):
            evening.allow(move)
    evening.play(WRONG, Stop(2))
    with pytest.raises(ImpossibleMove, match="nothing here that could be stopped"):
        evening.allow(Stop(3))
    assert evening.state.position.contest.stopper == 2, "the first voice"


@pytest.mark.parametrize("profile", SILENT)
def test_a_win_that_fell_leaves_nothing_of_itself_to_the_next_one(profile):
    """A steal is nothing that could be contested: whoever loses his last card to it has won for good (E8)."""
    evening = table(profile, hands=[1, 5, 1], stack=0, hold=["2-1"])
    evening.play(Place(1, "2-1", "hand"), Stop(2), Concede(1))
    assert (evening.standing.over, evening.standing.owed[0].do) == (False, "steal")
    evening.play(Steal(1, 3))
    assert (evening.standing.over, evening.standing.winners, evening.standing.provisional) == (True, (3,), False)


@pytest.mark.parametrize("profile", SILENT)
def test_tv27_a_win_that_a_contested_call_gave_to_somebody_else_falls_with_the_call(profile):
    """Who was called the last card out of his hand has won (E8), unless the call was none: then he has it again."""
    evening = table(profile, tree=OPENS_2, hands=[5, 1, 5], stack=0, hold=["2-1", "1-9"])
    evening.play(Place(1, "2-1", "hand"), Announce(1, 2, "open"), Call(1, "1-9", 2))
    assert (evening.standing.winners, evening.standing.provisional) == ((2,), True)
    evening.play(Stop(3), Verify(1))
    assert (evening.standing.over, evening.standing.winners) == (False, ())
    assert hands(evening) == (5, 1, 4), "the stopper gave him one"


@pytest.mark.parametrize("empty", [0, 1])
def test_an_exchange_takes_two_that_have_cards(empty):
    hands = [5, 5, 5]
    hands[empty] = 0
    evening = table("fr-explore", hands=hands, pool=["1-1"])
    with pytest.raises(ImpossibleMove, match="both need a card"):
        evening.allow(Exchange(1, 2))


@pytest.mark.parametrize("profile", SILENT)
def test_k4_a_call_that_failed_can_be_stopped_and_is_told_as_the_books_tell_it(profile):
    """ "call a card that is in the discovery tree, your hand, a discard or the pool" (E 2.3, F 2.5)."""
    evening = table(profile, tree=["1-5", "1-6"], hands=[5, 5, 5], stack=20)
    evening.play(Place(1, "2-1", "hand"), Announce(1, 2, "open"), Call(1, "1-5", 0), Stop(2))
    public = evening.state.position
    assert public.contest.act.do == "call"
    told = evening.game.words.caption(public, Verify(1), evening.play(Verify(1)))
    assert [text.key for text in told] == ["discovery.caption.fault-card", "discovery.verdict.already-placed.call"]
    assert hands(evening) == (6, 4, 5), "who was right draws nothing"
    assert "1-5" in evening.state.position.present, "nothing is pulled out"


def test_k4_the_same_call_is_offered_to_be_stopped_whether_it_failed_or_not():
    """Nothing of what a phone offers tells what lies in the pile."""
    told = []
    for tree in (["1-5", "1-6"], ["1-6", "1-7"]):
        evening = table("fr-bluff", tree=tree, hands=[5, 5, 5], stack=20, hold=["1-5"])
        evening.play(Place(1, "2-1", "hand"), Announce(1, 2, "open"), Call(1, "1-5", 0))
        told.append(
            [offer for offer in evening.game.board.offers(evening.state.position, MoveContext(4)) if offer.by != 1]
        )
    assert told[0] == told[1]


def test_l3_an_unanswered_call_fails_by_itself():
    evening = table("en-memory", hands=[1, 5, 5])
    evening.hand(1, "1-6")
    assert evening.play(Call(1, "1-1", 0)).extras == {"failed": "not-there"}


@pytest.mark.parametrize("held", [0, 5])
def test_k6_a_stopper_without_a_card_gives_none(held):
    evening = table("en-memory", hands=[5, held, 5])
    position = evening.state.position
    placed = ContestableAct(1, Seat(1), 0, "place", CardId("2-1"))
    assert stop_cost(evening.game.setup, position, placed, Seat(2)) == StopCost(card=held > 0, draw=True)
