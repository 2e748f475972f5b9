"""What people do with stones and bone tiles, filmed: the real eye and referee say each thing once, and no more.

What needs no camera to be tried is in ``tests/companion/games/darwinci/test_at_the_table.py``.
"""

from __future__ import annotations

import pytest
from support.darwinci_film import DigFilm

from companion.public.updates import Signal
from vision.synthetic.hands import HandPose

pytestmark = pytest.mark.slow
LONG = pytest.mark.long
LAST_TURN = {"bidding": 3, "turn": 1}
SLEEVE = HandPose(0.0, 0.0, 90.0, person=2)


@LONG
def test_a_stone_from_anothers_reserve_is_that_seats_bid() -> None:
    """A chip belongs to the reserve where it last lay, whoever's hand takes it; seats 1 and 2 lay nothing then."""
    film = DigFilm(**LAST_TURN)
    stone = film.bids("R", 3, 2)
    assert (film.story, film.alarms) == (["end_turn 1", "end_turn 2", f"bid 3 {stone} on 2"], [])


@LONG
def test_stones_that_a_sleeve_pushes_beside_their_tile_stay_bid() -> None:
    film = DigFilm(**LAST_TURN, bids=[["B3", "R3", "G3"], [], []])
    film.shoves(["B3", "R3", "G3"], (9, 14), SLEEVE)
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


def test_a_seat_that_lays_nothing_is_passed_over_by_the_next_seats_stone() -> None:
    """« Ben lays nothing » is shown."""
    film = DigFilm(**LAST_TURN)
    stone = film.bids("B", 2, 1)
    assert (film.story, film.alarms) == (["end_turn 1", f"bid 2 {stone} on 1"], [])
    assert "darwinci.caption.lays_nothing" in film.said


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


def won(**position: object) -> DigFilm:
    """Seat 1 has a stone beside every tile; the end card closes the last turn, and all stones have gone home."""
    film = DigFilm(bidding=3, turn=3, bids=[["R3"], ["R4"], ["R5"]], **position)
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
    assert film.alarms == [Signal.MISPLACED]
    film.lays("T40", "plot-1 0 1 0")
    assert [one for one in film.story if one != "unexplained"] == ["end_turn 3", "lay 1 T40 0,1/0"]
    assert film.alarms == [Signal.MISPLACED]


@LONG
def test_a_plot_that_is_shoved_as_a_whole_is_the_same_plot() -> None:
    film = DigFilm(**LAST_TURN)
    film.shoves(film.in_zone("plot-2"), (-14, 10), SLEEVE)
    film.rest(4.0)
    assert (film.story, film.alarms) == ([], [])
