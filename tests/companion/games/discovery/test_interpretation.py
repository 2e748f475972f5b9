"""What a change of the table means, what was forgotten, and what may be said (contract sections 3 and 7)."""

from __future__ import annotations

import pytest
from support.discovery_match import Evening, era, game, table

from companion.errors import InputError
from companion.games.discovery.moves import (
    Call,
    Deal,
    Discard,
    EndTurn,
    Exchange,
    Flip,
    Interrupt,
    Joker,
    Pass,
    Place,
    Refill,
    Stop,
)
from companion.games.discovery.setup import PROFILES
from companion.games.protocol import MoveContext
from companion.history.codec import decode_move
from companion.public.table import Change

pytestmark = pytest.mark.core

ROBO = [{"name": "Ana"}, {"name": "Robo", "bot": True}, {"name": "Cy"}]


def read(evening, card, came_from, went_to):
    return evening.game.table.interpretations(evening.state.position, Change(card, came_from, went_to))


def test_a_card_laid_in_the_tree_was_placed_from_where_it_should_lie():
    evening = table(pool=["1-1"], discards=[["1-3"], ["1-2"], []])
    assert read(evening, "1-6", None, "tree") == (Place(1, "1-6", "hand"),)
    assert read(evening, "1-1", "pool", "tree") == (Place(1, "1-1", "pool"),)
    assert read(evening, "1-2", "discard-2", "tree") == (Place(1, "1-2", "discard-2"),)
    assert read(evening, "1-3", "discard-1", "tree") == (Place(1, "1-3", "discard-1"),)


def test_in_silent_games_the_zone_is_the_pile():
    evening = table("fr-bluff")
    assert read(evening, "1-6", None, "pile") == (Place(1, "1-6", "hand"),)
    assert read(evening, "1-6", None, "tree") == ()


def test_the_called_card_is_known_when_it_comes():
    evening = table(tree=["1-1", "1-2", "1-3", "1-4", "2-1", "2-2"])
    evening.hand(1, "3-1")
    evening.play(Call(1, "2-3", 2))
    assert read(evening, "2-3", None, "tree") == (Place(1, "2-3", "called"),)


def test_a_card_in_the_pool_fills_a_gap_or_is_not_explained():
    evening = Evening(game())
    evening.play(Deal(0, ("1-1", "1-2", "1-3", "1-4", "1-5")))
    assert read(evening, "1-6", None, "pool") == ()
    evening.play(Place(1, "1-1", "pool"))
    assert read(evening, "1-6", None, "pool") == (Refill(0, "1-6"),)
    assert read(evening, "1-2", "pool", "discard-1") == ()


def test_a_card_in_a_discard_is_a_discard_by_that_seat():
    evening = table()
    assert read(evening, "1-6", None, "discard-1") == (Discard(1, "1-6"),)
    assert read(evening, "1-6", None, "discard-2") == (Discard(2, "1-6"),)


def test_a_card_that_left_every_zone_means_nothing_by_itself():
    assert read(table(tree=["1-1"]), "1-1", "tree", None) == ()
    assert read(table(tree=["1-1"]), "1-1", "tree", "pool") == ()


def test_command_cards_speak_for_the_active_seat_and_stop_for_anybody_else():
    evening = table("en-memory")
    assert read(evening, "KEND", None, "commands") == (EndTurn(1),)
    assert read(evening, "KPASS", None, "commands") == (Pass(1),)
    evening.play(Place(1, "2-1", "hand"))
    assert read(evening, "KSTOP", None, "commands") == (Stop(2), Stop(3))
    assert read(evening, "KFOO", None, "commands") == ()
    assert read(evening, "KBUY", None, "commands") == (), "another game's command card says nothing here"


def test_stop_may_be_anybodys_but_that_of_whoever_acted_last():
    """ "challenge another player's action" (E:221-222): the card shown to the camera does not say whose hand it was."""
    evening = table("en-memory")
    for by, card in ((1, "1-1"), (2, "1-2"), (3, "1-3"), (1, "1-6")):
        evening.hand(by, card)
        others = tuple(Stop(seat) for seat in (1, 2, 3) if seat != by)
        assert read(evening, "KSTOP", None, "commands") == others
        evening.ends(by)
        assert read(evening, "KSTOP", None, "commands") == others, "an end of turn cannot be contested"


def test_a_joker_in_the_tree_could_stand_for_every_card_without_objection():
    evening = table(jokers=1, tree=["1-2", "1-3"])
    found = read(evening, "J1", None, "tree")
    assert Joker(1, "J1", "hand", "1-8") in found
    assert all(evening.judge(move) == () for move in found)
    assert read(evening, "J1", "pool", "tree")[0].source == "pool"


def test_a_bots_cards_are_flips_wherever_they_come_to_lie():
    evening = table(seats=ROBO, turn=2)
    for zone in ("row-2", "tree", "discard-2"):
        assert read(evening, "1-1", None, zone) == (Flip(2, "1-1"),)
    assert read(evening, "1-1", None, "discard-3") == (Discard(3, "1-1"),)


def test_an_asked_card_may_be_the_one_that_is_laid():
    seats = [{"name": "A", "team": "x"}, {"name": "B", "team": "x"}]
    from companion.games.discovery.moves import Ask

    evening = table(seats=seats)
    evening.play(Ask(1, 2))
    assert read(evening, "1-1", None, "tree") == (Place(1, "1-1", "hand", asked=True), Place(1, "1-1", "hand"))
    assert read(evening, "1-1", None, "discard-1") == (Discard(1, "1-1", asked=True), Discard(1, "1-1"))


def mend(evening, move):
    return evening.game.rules.implied_moves(evening.state.position, move, MoveContext(evening.number + 1))


def test_a_forgotten_end_of_turn_is_mended_when_only_the_link_is_missing():
    evening = table()
    evening.hand(1, "1-1")
    move = Place(1, "1-3", "hand")
    assert mend(evening, move) == (EndTurn(1), Place(2, "1-3", "hand"))
    evening.play(*mend(evening, move))
    assert evening.standing.turn == 2


def test_after_the_discard_of_a_turn_without_placement_the_next_card_is_the_next_seats():
    evening = table()
    evening.play(Discard(1, "1-6"))
    assert mend(evening, Place(1, "1-3", "hand")) == (EndTurn(1), Place(2, "1-3", "hand"))


def test_a_flip_of_the_bot_that_comes_next_ends_the_turn():
    evening = table(seats=ROBO)
    evening.hand(1, "1-1")
    assert read(evening, "1-3", None, "row-2") == (Flip(2, "1-3"),)
    assert mend(evening, Flip(2, "1-3")) == (EndTurn(1), Flip(2, "1-3"))


def test_nothing_is_mended_when_something_else_stands_against_it():
    evening = table()
    evening.hand(1, "1-1")
    assert mend(evening, Place(1, "1-8", "hand")) == ()
    assert mend(evening, Place(1, "1-2", "hand")) == ()
    assert mend(table(), Place(1, "1-8", "hand")) == ()
    evening = table(hands=[5, 0, 5])
    evening.hand(1, "1-1")
    assert mend(evening, Place(1, "1-3", "hand")) == ()


def test_nothing_is_mended_while_the_turn_cannot_end():
    evening = table(stack=0)
    assert mend(evening, Discard(2, "1-1")) == ()


def test_a_card_in_the_next_seats_discard_ends_the_turn_too():
    evening = table(options={"turn_end": "inferred"})
    assert evening.game.rules.infers_turns
    evening.hand(1, "1-1")
    assert mend(evening, Discard(2, "1-6")) == (EndTurn(1), Discard(2, "1-6"))
    assert mend(evening, Discard(3, "1-6")) == ()


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
def test_in_silent_games_nothing_is_mended(profile):
    evening = table(profile)
    evening.hand(1, "1-1")
    assert mend(evening, Place(1, "1-3", "hand")) == ()


def test_the_view_teaches_in_open_games_what_public_cards_still_lack():
    evening = table(pool=["1-1", "1-8"], tree=["1-2", "J1=1-4"], jokers=1, discards=[[], ["2-1"], []])
    view = evening.game.board.view(evening.state, 1)
    assert view["teach"]["1-8"] == ["1-3"]
    assert view["teach"]["1-1"] == []
    assert view["teach"]["2-1"] == ["1-3"]
    assert view["tree"][1] == {"card": "J1", "by": 0, "era": 1, "joker": "1-4"}
    assert view["eras"] == {"opened": [1], "closed": []}


def test_the_view_says_what_the_next_linked_card_earns():
    evening = table()
    evening.hand(1, "1-1")
    assert evening.game.board.view(evening.state, None)["series"] == {"index": 1, "last": ["1-1"], "next": 2}


@pytest.mark.parametrize(
    ("profile", "earned"), [("fr-explore", (1, 2, 3)), ("en-explore", (1, 1, 1)), ("en-intro", (0, 0, 0))]
)
def test_before_every_card_the_view_says_what_it_earns_the_first_of_a_turn_included(profile, earned):
    """ "1 point pour la première carte, 2 points pour la seconde, puis 3" (F:267-268); in English one each (E:383)."""
    evening = table(profile)
    for index, (card, last) in enumerate((("1-1", []), ("1-2", ["1-1"]), ("1-4", ["1-2"]))):
        series = evening.game.board.view(evening.state, None)["series"]
        assert series == {"index": index, "last": last, "next": earned[index]}
        assert evening.hand(1, card).points == earned[index]


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
def test_in_silent_games_the_view_counts_the_cards_of_the_turn_whether_they_are_linked_or_not(profile):
    told = []
    for second in ("1-2", "1-3"):
        evening = table(profile)
        evening.play(Place(1, "1-1", "hand"), Place(1, second, "hand"))
        told.append(evening.game.board.view(evening.state, None)["series"])
    assert told == [{"index": 2, "last": ["1-2"], "next": 0}, {"index": 2, "last": ["1-3"], "next": 0}]


@pytest.mark.parametrize("profile", list(PROFILES))
def test_era_1_is_open_from_the_start_and_no_other(profile):
    """A joker stands for "a card of an era already opened" (E:271-272), and nobody ever opens era 1 (F1)."""
    evening = Evening(game(profile))
    assert evening.game.board.view(evening.state, None)["eras"] == {"opened": [1], "closed": []}


def test_closed_eras_are_shown():
    evening = table(tree=era(1))
    assert evening.game.board.view(evening.state, None)["eras"]["closed"] == [1]


def test_a_joker_that_may_stand_for_nothing_now_is_read_as_any_card_not_placed():
    evening = table(jokers=1, tree=["1-2"])
    evening.hand(1, "1-1")
    found = read(evening, "J1", None, "tree")
    assert Joker(1, "J1", "hand", "1-3") in found
    assert Joker(1, "J1", "hand", "1-2") not in found


def test_nothing_is_read_when_the_match_is_over():
    evening = table("en-intro", hands=[1, 5, 5], stack=0)
    evening.hand(1, "1-1")
    assert read(evening, "1-2", None, "tree") == ()


def test_nothing_is_mended_in_an_interruption_nor_when_the_match_is_over():
    evening = table("en-explore", jokers=1)
    evening.play(Interrupt(3, "J1"), Place(3, "1-1", "hand"))
    unlinked = Place(3, "1-3", "hand")
    assert evening.rules(unlinked) == {"link"}
    assert evening.game.rules.implied_moves(evening.state.position, unlinked, MoveContext(9)) == (), (
        "the turn goes back, not on"
    )
    evening.ends(3)
    assert evening.game.rules.implied_moves(evening.state.position, Place(3, "1-3", "hand"), MoveContext(9)) == ()
    evening = table("en-intro", hands=[1, 5, 5], stack=0)
    evening.hand(1, "1-1")
    assert evening.game.rules.implied_moves(evening.state.position, Place(1, "1-3", "hand"), MoveContext(9)) == ()


def test_the_view_says_from_which_cards_the_series_may_go_on_after_an_interruption():
    evening = table("fr-explore", jokers=1)
    evening.hand(1, "1-1")
    evening.play(Interrupt(2, "J1"), Place(2, "1-3", "hand"), EndTurn(2))
    assert evening.game.board.view(evening.state, None)["series"]["last"] == ["1-1", "1-3"]


@pytest.mark.parametrize("place", ["discard-0", "discard-10", "tree", "row-1", ""])
def test_a_card_comes_from_a_place_that_there_is(place):
    with pytest.raises(InputError, match="none of hand, pool, called"):
        decode_move(game(), {"do": "place", "by": 1, "card": "1-1", "from": place})
    for known in ("hand", "pool", "called", "discard-1", "discard-9"):
        assert decode_move(game(), {"do": "place", "by": 1, "card": "1-1", "from": known}).source == known


@pytest.mark.parametrize("jokers", [0, 2, 9])
def test_all_stickers_of_cards_and_jokers_are_known_however_many_jokers_play(jokers):
    """Contract section 3: a joker that is laid where none is in play is spoken about, not overlooked."""
    cards = {f"C{card[0]}{card[2]}": card for number in range(1, 7) for card in era(number)}
    assert game(jokers=jokers).table.cards == cards | {f"J{number}": f"J{number}" for number in range(1, 10)}


def test_the_deal_is_what_lies_in_the_pool_and_nothing_else():
    evening = Evening(game())
    lying = {"1-4": "pool", "1-1": "pool", "1-2": "tree", "1-3": "row-1", "1-5": "commands", "1-6": "discard-1"}
    assert evening.game.table.deal(evening.state.position, lying) == Deal(0, ("1-1", "1-4"))
    assert evening.game.table.deal(evening.state.position, {"1-1": "pool", "1-5": "commands"}) is None
    six = {f"1-{number}": "pool" for number in range(1, 7)}
    assert evening.game.table.deal(evening.state.position, six) == Deal(0, ("1-1", "1-2", "1-3", "1-4", "1-5"))
    joker = {"1-1": "pool", "1-2": "pool", "1-3": "pool", "1-4": "pool", "J1": "pool"}
    assert evening.game.table.deal(evening.state.position, joker) is None, "A7: the fifth card is still to come"
    assert evening.game.table.deal(evening.state.position, {**joker, "1-9": "pool"}).pool == (
        "1-1",
        "1-2",
        "1-3",
        "1-4",
        "1-9",
    )


def test_every_use_of_a_trump_takes_one_of_them():
    for use in (Exchange(1, 2), Discard(1, "6-9", trump=True)):
        evening = table("en-intro", jokers=4, tree=["1-1"], hands=[9, 5, 5], hold=["6-9", "1-2"])
        evening.play(*(Joker(1, f"J{number}", "hand") for number in range(1, 4)))
        evening.hand(1, "1-2")
        assert evening.standing.counters["trumps"] == 3
        evening.play(use)
        assert evening.standing.counters["trumps"] == 2, use
    for use in (Place(1, "1-7", "hand"), Place(1, "1-4", "hand", new_series=True)):
        evening = table("en-intro", jokers=4, tree=["1-1"], hands=[9, 5, 5], hold=["1-2", "1-4", "1-7"])
        evening.play(*(Joker(1, f"J{number}", "hand") for number in range(1, 4)))
        evening.hand(1, "1-2")
        evening.play(use)
        assert evening.standing.counters["trumps"] == 2, "a replay starts a new series (F6), linked or not"
    evening = table("en-intro", jokers=4, tree=["1-1", "1-3", "1-4", "2-1"], hands=[9, 5, 5], hold=["1-2"])
    evening.play(*(Joker(1, f"J{number}", "hand") for number in range(1, 5)), Call(1, "1-2", 2))
    assert evening.standing.counters["trumps"] == 3


@pytest.mark.parametrize(("seats", "empty"), [(1, 0), (2, 0), (3, 0), (3, 1), (4, 1), (4, 2), (5, 2), (6, 4)])
def test_a8_after_every_full_round_of_passes_the_companion_wonders_again(seats, empty):
    """A round is over when everybody who is there has passed; a seat kept free for a late guest passes nothing."""
    people = [{"name": f"Player {n}", "late": n > seats - empty} for n in range(1, seats + 1)]
    evening = Evening(game("en-intro", people))
    there = seats - empty
    for passed in range(3 * there):
        wonders = (passed + 1) % there == 0
        assert evening.told(Pass(evening.standing.turn)) == ["pass", *(["all-passed"] if wonders else [])]
    assert evening.told(Place(evening.standing.turn, "1-1", "hand")) == ["place"]


def test_after_the_discard_of_a_turn_the_view_says_that_nothing_is_left_but_to_end_it():
    evening = table("fr-explore")
    assert evening.game.board.view(evening.state, None)["ended"] is False
    evening.play(Discard(1, "1-9"))
    assert (evening.game.board.view(evening.state, None)["ended"], evening.standing.turn) == (True, 1)


def test_a_card_of_a_seat_that_has_had_its_turn_ends_no_turn():
    """It is neither the next seat's nor laid by whose turn it is: it is refused, and the turn goes on."""
    evening = table("fr-explore", turn=2)
    evening.play(Place(2, "1-1", "hand"))
    assert mend(evening, Place(3, "1-3", "hand")) != ()
    assert mend(evening, Place(1, "1-3", "hand")) == ()
