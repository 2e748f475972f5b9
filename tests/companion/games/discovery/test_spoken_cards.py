"""A card that somebody only speaks of, in Memory and Bluff: nobody learns by it whether it lies in the pile (L)."""

from __future__ import annotations

import pytest
from support.discovery_match import SILENT, table

from companion.games.discovery.moves import Discard, EndTurn, Flip, Interrupt, Joker, Place, Refill, Stop, Verify
from companion.games.discovery.setup import PROFILES
from companion.games.discovery.state import whereabouts
from companion.games.protocol import Objection

pytestmark = pytest.mark.core

SEATS = [{"name": "Ana"}, {"name": "Ben"}, {"name": "Robo", "bot": True}]
HIDDEN = ["1-1", "1-2", "1-9", "2-9", "6-1", "6-9"]
TOP = "2-2"


def piled(profile, below, **more):
    """A table on which everybody sees the same, whatever lies below the top of the pile."""
    tree = [*below, TOP]
    return table(profile, seats=SEATS, jokers=2, tree=tree, pool=["1-5"], hold=HIDDEN, **more)


def words(cards):
    """Everything that can be said of a card, by whoever may say it."""
    for by in (1, 2):
        for card in cards:
            yield from (Place(by, card, place, unseen=True) for place in ("hand", "pool", "discard-3"))
            yield from (Discard(by, card, trump=trump, unseen=True) for trump in (False, True))
            yield from (Joker(by, "J1", place, card, unseen=True) for place in ("hand", "pool"))
        yield from (Interrupt(by, joker, unseen=True) for joker in ("J1", "J2"))
        yield from (Joker(by, joker, "hand", unseen=True) for joker in ("J1", "J2"))
    for card in (*cards, "J1", "J2"):
        yield from (Refill(0, card, unseen=True), Flip(3, card, unseen=True))


@pytest.mark.parametrize("profile", PROFILES)
def test_a_card_that_is_spoken_of_was_not_seen_where_there_is_a_pile(profile):
    spoken = table(profile).game.hidden.as_spoken
    assert spoken(Place(1, "1-1", "hand")) == Place(1, "1-1", "hand", unseen=profile in SILENT)
    assert spoken(EndTurn(1)) == EndTurn(1)


@pytest.mark.parametrize("profile", SILENT)
@pytest.mark.parametrize("turn", [1, 3])
@pytest.mark.parametrize(
    "other", [["1-1", "6-9"], ["1-2", "6-1"], ["1-9", "2-9"], ["J1=1-1", "6-9"], ["J2=6-9", "1-1"]]
)
def test_no_word_is_answered_otherwise_because_of_what_lies_below_the_top(profile, turn, other):
    first = piled(profile, ["1-2", "6-9"], turn=turn)
    second = piled(profile, other, turn=turn)
    assert first.standing == second.standing
    for move in words(sorted(first.game.setup.facts)):
        assert first.judge(move) == second.judge(move), move


@pytest.mark.parametrize("profile", SILENT)
@pytest.mark.parametrize("card", HIDDEN)
def test_a_card_that_is_seen_lies_in_one_place_and_one_that_is_only_spoken_of_may_lie_in_two(profile, card):
    evening = piled(profile, [card])
    assert evening.rules(Place(1, card, "hand")) == {"already-placed"}
    assert evening.rules(Place(1, card, "hand", unseen=True)) == set()
    assert evening.rules(Place(1, TOP, "hand", unseen=True)) == {"already-placed"}, "the top lies there for all to see"
    assert whereabouts(evening.state.position, card) == "tree"
    assert whereabouts(evening.state.position, card, unseen=True) is None


@pytest.mark.parametrize("profile", SILENT)
@pytest.mark.parametrize("card", HIDDEN)
def test_what_a_spoken_card_did_stands_and_a_stop_brings_out_that_it_lay_there(profile, card):
    evening = piled(profile, [card])
    hands = evening.standing.counters["hands"]
    step = evening.play(Place(1, card, "hand", unseen=True))
    assert Objection("already-placed") in step.objections
    assert evening.standing.counters["hands"] == (hands[0] - 1, *hands[1:])
    evening.play(Stop(2), Verify(1))
    assert evening.state.position.discards[0] == (card,)
    assert [laid.card for laid in evening.state.position.tree] == [card, TOP], "the one that lay there first stays"
    expected = evening.game.table.expected(evening.state.position)
    assert (expected.cards[card], expected.may_be_hidden) == ("discard-1", set()), "there it has to be seen"


@pytest.mark.parametrize("profile", SILENT)
def test_a_card_named_as_the_one_that_filled_the_pool_has_to_be_seen_there(profile):
    evening = piled(profile, ["6-1"])
    evening.play(Place(1, "1-5", "pool"), Refill(0, "6-1", unseen=True))
    expected = evening.game.table.expected(evening.state.position)
    assert (expected.cards["6-1"], expected.may_be_hidden) == ("pool", {TOP})


@pytest.mark.parametrize("profile", SILENT)
def test_a_card_spoken_of_twice_by_the_same_seat_lies_there_once_more_than_it_was_stopped(profile):
    evening = table(profile)
    evening.play(Place(1, "1-1", "hand"), EndTurn(1), Place(2, "1-2", "hand"), EndTurn(2), Place(3, "1-3", "hand"))
    evening.play(EndTurn(3), Place(1, "1-1", "hand", unseen=True), Stop(2), Verify(1))
    public = evening.state.position
    assert ([laid.card for laid in public.tree], public.discards[0]) == (["1-1", "1-2", "1-3"], ("1-1",))
    assert "1-1" in public.present


@pytest.mark.parametrize("profile", ["en-intro", "en-explore", "fr-explore"])
def test_in_open_games_everybody_sees_the_tree_and_speaking_is_no_different(profile):
    evening = piled(profile, ["1-1", "6-9"])
    for card in ("1-1", "6-9", TOP):
        for unseen in (False, True):
            assert "already-placed" in evening.rules(Place(1, card, "hand", unseen=unseen))
            assert evening.rules(Refill(0, card, unseen=unseen)) == {"already-placed"}
