""" "The table is right": what lies there becomes the position, and no card is lost by it."""

from __future__ import annotations

from typing import Any

import pytest
from support.conserved import count_things
from support.discovery_match import Evening, era, table

from companion.games.discovery.moves import Place, Stop, Verify
from companion.games.protocol import MoveContext

TREE, POOL = ["1-1", "1-2"], ["1-3", "1-6", "1-7", "2-2", "2-3"]


def lying(evening: Evening, **moved: str | None) -> dict[str, str]:
    """What should lie there, with some cards elsewhere: ``C21="tree"``, ``None`` = nowhere."""
    found = dict(evening.game.table.expected(evening.state.position).cards)
    for token, zone in moved.items():
        card = f"{token[1]}-{token[2]}" if token[0] == "C" else token
        found.pop(card, None)
        if zone is not None:
            found[card] = zone
    return found


def adopted(evening: Evening, **moved: str | None) -> Any:
    """The public half after "the table is right"."""
    wanted = count_things(evening.game, evening.state)
    evening.state = evening.game.rules.adopt(evening.state, lying(evening, **moved), MoveContext(0))
    assert count_things(evening.game, evening.state) == wanted
    return evening.state.position


def middle(turn: int = 1, **more: Any) -> Evening:
    position: dict[str, Any] = {"tree": TREE, "pool": POOL, "discards": [["2-4"], [], ["2-5"]], "stack": 20, **more}
    return table("fr-explore", turn=turn, **position)


def test_a_table_that_is_as_it_should_be_changes_nothing():
    evening = middle(2)
    before = evening.state.position
    assert adopted(evening) == before


@pytest.mark.parametrize(("turn", "hands"), [(1, (4, 5, 5)), (2, (5, 4, 5)), (3, (5, 5, 4))])
def test_a_card_new_in_the_tree_came_from_the_hand_of_the_seat_to_act(turn, hands):
    evening = middle(turn, hold=["2-1"])
    public = adopted(evening, C21="tree")
    assert public.hands == hands
    assert [(laid.card, laid.counts_as) for laid in public.tree] == [("1-1", "1-1"), ("1-2", "1-2"), ("2-1", "2-1")]
    assert "2-1" in public.present
    assert evening.standing.points == (0, 0, 0), "it earns nothing"


def test_then_from_the_other_hands_in_their_order_and_then_from_the_stack():
    new = {"C21": "tree", "C26": "tree", "C27": "tree", "C28": "tree", "C29": "tree"}
    hold = ["2-1", "2-6", "2-7", "2-8", "2-9"]
    assert adopted(middle(2, hands=[1, 0, 5], hold=hold), **new).hands == (0, 0, 1)
    public = adopted(middle(3, hands=[1, 1, 1], hold=hold), **new)
    assert (public.hands, public.stack) == ((0, 0, 0), 18)


@pytest.mark.parametrize(("turn", "hands"), [(1, (7, 5, 5)), (2, (5, 7, 5)), (3, (5, 5, 7))])
def test_cards_that_are_gone_are_in_the_hand_of_the_seat_to_act(turn, hands):
    public = adopted(middle(turn), C12=None, C24=None)
    assert public.hands == hands
    assert ([laid.card for laid in public.tree], public.discards[0]) == (["1-1"], ())
    assert public.present == {"1-1"}


def test_cards_may_lie_in_other_places_than_the_record_has_them():
    evening = middle()
    public = adopted(evening, C24="discard-2", C13="discard-1", C16="tree")
    assert public.discards[0] == ("1-3",)
    assert public.discards[1] == ("2-4",)
    assert public.pool == ("1-7", "2-2", "2-3")
    assert "1-6" in public.present
    assert public.hands == (5, 5, 5)


def test_cards_of_the_pool_that_nobody_named_stay_unknown_as_far_as_there_is_room():
    evening = middle(hold=["2-1", "2-6", "2-7"])
    evening.play(Place(1, "1-3", "pool"))
    assert evening.state.position.pool.count(None) == 1
    assert adopted(evening).pool == ("1-6", "1-7", "2-2", "2-3", None)
    public = adopted(evening, C22=None)
    assert public.pool == ("1-6", "1-7", "2-3", None)
    assert adopted(evening, C21="pool", C26="pool").pool == ("1-6", "1-7", "2-3", "2-1", "2-6")


def test_openings_and_closings_that_lie_there_are_paid_for():
    evening = middle(tree=era(1, but=["1-9"]), pool=["2-2"], hold=["1-9", "2-1"])
    public = adopted(evening, C19="tree", C21="tree")
    assert public.eras == (9, 1, 0, 0, 0, 0)
    assert {(1, "closed"), (2, "open")} <= public.credits
    assert not {(2, "closed"), (3, "open")} & public.credits
    evening.play(Place(1, "2-2", "pool"))
    assert evening.standing.counters["trumps"] == 0


def test_a_series_goes_on_only_from_a_card_that_still_lies_there():
    evening = middle(hold=["1-4"])
    evening.hand(1, "1-4")
    adopted(evening)
    assert evening.state.position.turn.bases
    adopted(evening, C14=None)
    assert not evening.state.position.turn.bases


def test_a_joker_keeps_what_it_stands_for_and_the_real_card_beside_it_is_not_counted_twice():
    evening = table(
        "en-explore", jokers=2, tree=["1-2", "J1=1-4"], discards=[[], [], []], stack=36, hands=[5, 5, 5], hold=["1-4"],
        gone=1,
    )  # fmt: skip
    public = adopted(evening, C14="tree", J2="tree")
    assert [(laid.card, laid.counts_as) for laid in public.tree] == [("1-2", "1-2"), ("J1", "1-4")]


def test_below_the_top_of_a_pile_nothing_can_be_seen_and_nothing_is_lost():
    evening = table("en-memory", tree=["1-1", "1-2", "1-3"], hold=["1-6"])
    public = evening.game.rules.adopt(evening.state, {"1-6": "pile"}, MoveContext(0)).position
    assert [laid.card for laid in public.tree] == ["1-1", "1-2", "1-3", "1-6"]
    public = evening.game.rules.adopt(evening.state, {"1-3": "discard-1"}, MoveContext(0)).position
    assert [laid.card for laid in public.tree] == ["1-1", "1-2"]


def test_nobody_deals_any_more_once_the_table_is_right():
    evening = table()
    assert evening.game.rules.adopt(evening.state, {}, MoveContext(0)).position.dealt


def test_a_stopped_card_that_the_table_no_longer_holds_is_not_found_again():
    evening = table("fr-bluff", seats=2, tree=["1-1"], hands=[5, 5], hold=["6-6"])
    evening.allow(Place(1, "6-6", "hand"))
    before = adopted(evening, C66="discard-2")
    evening.play(Stop(2), Verify(1, found=False))
    assert evening.state.position.discards[0] == before.discards[0]


@pytest.mark.parametrize("left", [2, 1, 0])
def test_hands_and_stack_can_give_their_last_card(left):
    evening = middle(hands=[1, 1, 0], stack=1 + left, hold=["2-6", "2-7", "2-8"])
    public = adopted(evening, C26="tree", C27="tree", C28="tree")
    assert (public.hands, public.stack) == ((0, 0, 0), left)
