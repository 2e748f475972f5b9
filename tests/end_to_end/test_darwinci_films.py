"""What people do with stones and bone tiles, filmed: the real eye and referee say each thing once, and no more."""

from __future__ import annotations

import pytest
from support.darwinci_film import DigFilm

from companion.public.updates import Signal

pytestmark = pytest.mark.slow
LONG = pytest.mark.long
REFUSED, MISPLACED = Signal.REFUSED, Signal.MISPLACED

FIRST_TURN = {"bidding": 1, "turn": 1}
LAST_TURN = {"bidding": 3, "turn": 1}


# Stones


@pytest.mark.long
def test_a_stone_laid_out_of_turn_is_refused_once_and_taken_back_without_a_word() -> None:
    """« Le premier joueur enchérit, … en sens horaire »: the last turn is seat 3’s, and seat 1 has had its own."""
    film = DigFilm(bidding=3, turn=3)
    stone = film.bids("R", 1, 2)
    film.rest(1.0)
    assert (film.story, film.alarms) == ([f"no bid 1 {stone} on 2: turn"], [REFUSED])
    film.lays(stone, "reserve-1")
    assert film.story[1:] == ["settled 1"]
    film.bids("G", 3, 2)
    assert (len(film.story), film.alarms) == (3, [REFUSED])


@LONG
def test_a_stone_from_anothers_reserve_is_that_seats_bid() -> None:
    """A chip belongs to the reserve where it last lay, whoever's hand takes it; seats 1 and 2 lay nothing then."""
    film = DigFilm(**LAST_TURN)
    stone = film.bids("R", 3, 2)
    assert (film.story, film.alarms) == (["end_turn 1", "end_turn 2", f"bid 3 {stone} on 2"], [])


@LONG
def test_the_third_stone_of_a_turn_is_one_too_many() -> None:
    """« jusqu'à deux pierres »"""
    film = DigFilm(**LAST_TURN)
    laid = [film.bids("R", 1, to) for to in (1, 2, 3)]
    assert film.story == [f"bid 1 {laid[0]} on 1", f"bid 1 {laid[1]} on 2", f"no bid 1 {laid[2]} on 3: too-many"]
    film.lays(laid[2], "reserve-1")
    assert (film.story[3:], film.alarms) == (["settled 3"], [REFUSED])


@LONG
def test_stones_that_a_sleeve_pushes_beside_their_tile_stay_bid() -> None:
    film = DigFilm(**LAST_TURN, bids=[["B3", "R3", "G3"], [], []])
    film.shoves(["B3", "R3", "G3"], (9, 14))
    film.rest(4.0)
    assert (film.story, film.alarms) == ([], [])
    film.bids("R", 1, 1)
    assert (len(film.story), film.alarms) == (1, [])


@LONG
def test_a_stone_upon_another_is_bid_and_the_one_below_counts_where_it_lay() -> None:
    film = DigFilm(**LAST_TURN, bids=[["B3"], [], []])
    stone = film.stone("R", 1)
    film.stage.put(stone, "offer-1")
    film.upon(stone, "B3", (3.0, 2.0))
    film.rest(6.0)
    assert (film.story, film.alarms) == ([f"bid 1 {stone} on 1"], [])
    assert {"B3", stone} <= {card for card, zone in film.match.public.stones.items() if zone == "offer-1"}


@LONG
def test_the_last_stone_that_is_lifted_again_is_taken_back() -> None:
    film = DigFilm(**LAST_TURN)
    stone = film.bids("R", 1, 3)
    film.lays(stone, "reserve-1")
    film.rest(2.0)
    assert (film.story, film.alarms) == ([f"bid 1 {stone} on 3", "struck 1"], [])


def test_a_seat_that_lays_nothing_is_passed_over_by_the_next_seats_stone() -> None:
    """« Ben lays nothing » is shown."""
    film = DigFilm(**LAST_TURN)
    stone = film.bids("B", 2, 1)
    assert (film.story, film.alarms) == (["end_turn 1", f"bid 2 {stone} on 1"], [])
    assert "darwinci.caption.lays_nothing" in film.said


@LONG
def test_whoever_owes_stones_is_not_passed_over() -> None:
    """« doit »: in the first turn two foreign stones are laid."""
    film = DigFilm(**FIRST_TURN)
    stone = film.bids("B", 2, 1)
    assert (film.story, film.alarms) == ([f"no bid 2 {stone} on 1: turn"], [REFUSED])
    film.lays(stone, "reserve-2")
    film.ends()
    assert film.story[1:] == ["settled 1", "no end_turn 1: duty"]


@LONG
def test_a_stone_that_goes_home_after_the_last_bid_closes_the_round() -> None:
    """« Toutes les autres pierres reviennent à leurs propriétaires », and nobody said that the bidding is over."""
    film = DigFilm(bidding=3, turn=3, bids=[["R3"], ["B3", "B4"], []])
    stone = film.bids("G", 3, 3)
    film.rest(2.0)
    film.lays("B3", "reserve-2")
    assert (film.story, film.alarms) == ([f"bid 3 {stone} on 3", "end_turn 3"], [])
    film.lays("T42", "plot-3 0 1 0")
    assert (film.story[2:], film.alarms) == (["lay 3 T42 0,1/0"], [])


# Tiles


def won(**position: object) -> DigFilm:
    """Seat 1 has a stone beside every tile; the end card closes the last turn, and all stones have gone home."""
    bids = [["R3"], ["R4"], ["R5"]]
    film = DigFilm(bidding=3, turn=3, bids=bids, **position)
    film.ends()
    assert film.story == ["end_turn 3"]
    for stone in ("R3", "R4", "R5"):
        film.lays(stone, "reserve-1")
    return film


@LONG
def test_a_tile_askew_beside_the_plot_is_a_hint_and_laid_when_it_is_pushed_close() -> None:
    film = won()
    film.lays("T40", "plot-1 0 1 0", off_mm=(16, 9), askew_deg=24)
    film.rest(4.0)
    assert film.alarms == [MISPLACED]
    film.lays("T40", "plot-1 0 1 0")
    assert [one for one in film.story if one != "unexplained"] == ["end_turn 3", "lay 1 T40 0,1/0"]
    assert film.alarms == [MISPLACED]


@LONG
def test_a_tile_outside_the_frame_is_refused() -> None:
    """« un rectangle de 3x4 ou 4x3 »"""
    full = ["T20@-1,0/0", "T21@0,0/0", "T22@1,0/0", "T23@2,0/0", "T24@0,1/0", "T25@0,2/0"]
    film = won(plots=[full, ["T15@0,0/0", "T16@1,0/0"], ["T17@0,0/0", "T18@1,0/0"]])
    film.lays("T40", "plot-1 0 -1 0")
    assert (film.story[1:], film.alarms) == (["no lay 1 T40 0,-1/0: frame"], [REFUSED])
    film.lays("T40", "plot-1 1 1 0")
    assert (film.story[2:], film.alarms) == (["settled 2", "lay 1 T40 1,1/0"], [REFUSED])


@LONG
def test_a_rotten_bone_that_was_won_is_laid_and_paid_before_the_next_round() -> None:
    """« obligatoirement »"""
    film = won(offers=["T19", "T41", "T42"])
    film.lays("T43", "offer-1")
    assert film.story[1:] == ["no offer 1 T43: must-lay T19 T41 T42"]
    film.takes("T43", 1.5)
    film.lays("T19", "plot-1 0 1 0")
    assert (film.story[2:], film.alarms) == (["settled 2", "lay 1 T19 0,1/0"], [REFUSED])
    assert film.match.standing.points == (9, 12, 12)


@LONG
def test_a_stone_sent_to_the_wrong_reserve_is_asked_for_when_the_next_tile_is_offered() -> None:
    film = won()
    for tile, column in (("T40", 0), ("T41", 1)):
        film.lays(tile, f"plot-1 {column} 1 0")
    film.lays("T42", "plot-1 0 -1 0")
    film.lays("R5", "reserve-2")
    film.rest(3.0)
    assert (film.story[1:], film.alarms) == (["lay 1 T40 0,1/0", "lay 1 T41 1,1/0", "lay 1 T42 0,-1/0"], [])
    film.lays("T43", "offer-2")
    film.rest(3.0)
    assert (film.story[4:], film.alarms) == (["offer 2 T43", "unexplained"], [MISPLACED])
    film.lays("R5", "reserve-1")
    film.rest(2.0)
    assert film.alarms == [MISPLACED]
    assert not film.match.issues.differences(film.game, film.match.record)


@LONG
def test_a_plot_that_is_shoved_as_a_whole_is_the_same_plot() -> None:
    film = DigFilm(**LAST_TURN)
    film.shoves(film.in_zone("plot-2"), (-14, 10))
    film.rest(4.0)
    assert (film.story, film.alarms) == ([], [])
