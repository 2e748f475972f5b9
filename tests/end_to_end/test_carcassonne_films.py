"""What people do with tiles and counters, filmed: the real eye and referee say each thing once, and no more.

What needs no camera to be tried is in ``tests/companion/games/carcassonne/test_at_the_table.py``.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.card_film import dimmed
from support.tile_film import BACK, MEEPLE, TileFilm
from support.tile_table import clear, told

from companion.public.updates import Signal
from vision.synthetic.hands import HandPose

pytestmark = pytest.mark.slow
LONG = pytest.mark.long
REFUSED, MISPLACED = Signal.REFUSED, Signal.MISPLACED
SLEEVE = HandPose(-330.0, 0.0, 5.0)
"""The hand is beyond the things, so that its sleeve lies over them."""


def film_of(*patterns: str) -> TileFilm:
    """The start tile lies there already; the others are drawn in this order."""
    film = TileFilm(patterns)
    film.begins()
    return film


# Tiles


def test_a_tile_a_quarter_wrong_is_refused_once_and_counts_when_it_is_turned() -> None:
    film = film_of("Z+", "A", "X", "Y")
    film.lays("T02", "1,0/3")
    film.lays("T02", "1,0/0")
    assert film.story == ["start 0 T01", "no place 1 T02 1,0/3: edge T01", "settled 2", "place 1 T02 1,0/0"]
    assert film.alarms == [REFUSED]


@LONG
def test_whoever_thinks_again_turns_the_tile_or_lays_it_elsewhere_and_is_told_nothing() -> None:
    """Before the follower people try where a tile lies best; each try is judged where it ends."""
    film = film_of("Z+", "A", "X", "Y")
    film.lays("T02", "1,0/0")
    film.turns("T02", 90)
    assert film.story[1:] == ["place 1 T02 1,0/0", "struck 2", "place 1 T02 1,0/1"]
    film.lays("T02", "-1,0/0")
    film.deploys("F11", "T02", 1)
    assert film.story[4:] == ["struck 4", "place 1 T02 -1,0/0", "deploy 1 F11 T02.1"]
    assert film.alarms == []
    film.lays("T03", "1,0/0")
    film.turns("T02", 180)
    film.rest(3)
    assert (film.story[8:], film.alarms) == (["unexplained"], [MISPLACED])  # that is no longer T02's turn


@LONG
@pytest.mark.parametrize(("off_mm", "askew_deg"), [((20, 6), 0.0), ((2, 0), 38.0)], ids=["20 mm off", "askew"])
def test_a_tile_that_lies_anyhow_is_a_hint_and_judged_when_it_is_pushed_close(
    off_mm: tuple[float, float], askew_deg: float
) -> None:
    film = film_of("Z+", "A", "X", "Y")
    film.lays("T02", "1,0/0", off_mm=off_mm, askew_deg=askew_deg)
    assert film.alarms == []
    film.rest(2.5)
    assert (film.alarms, film.hints) == ([MISPLACED], ["referee.push_close"])
    film.pushes("T02", "1,0/0")
    assert film.alarms == [MISPLACED]
    assert [told for told in film.story if told != "unexplained"] == ["start 0 T01", "place 1 T02 1,0/0"]


@LONG
def test_tiles_laid_as_people_lay_them_are_simply_played() -> None:
    """5 mm off and 15 degrees askew is nobody's fault."""
    film = film_of("Z+", "A", "X", "Y")
    film.lays("T02", "1,0/0", off_mm=(5, 3), askew_deg=15)
    film.lays("T03", "1,1/0", off_mm=(3, 6), askew_deg=-12)
    assert film.story[1:] == ["place 1 T02 1,0/0", "end_turn 1", "place 2 T03 1,1/0"]
    assert film.alarms == []


# Counters


@LONG
def test_a_counter_face_down_is_nobodys_until_it_is_turned_over() -> None:
    film = film_of("Z+", "A", "X", "Y")
    film.lays("T02", "1,0/0")
    film.puts(replace(film.on("F11", "T02", 1), token=BACK, says="X"))
    film.rest(3)
    assert (film.story[2:], film.alarms) == ([], [])
    film.takes(BACK)
    film.deploys("F11", "T02", 1)
    assert (film.story[2:], film.alarms) == (["deploy 1 F11 T02.1"], [])


@LONG
def test_a_counter_under_a_meeple_stays_and_is_scored_when_both_are_lifted() -> None:
    film = film_of("A", "A", "X", "X", "X", "Y")
    film.lays("T02", "0,-1/2")
    film.deploys("F11", "T02", 1)
    film.puts(replace(film.on("F11", "T02", 1), token=MEEPLE, says="X", z_mm=12.0))
    film.lays("T03", "1,0/0")
    film.lays("T04", "-1,0/0")
    film.rest(4)
    assert (film.story[3:], film.alarms) == (["place 2 T03 1,0/0", "end_turn 2", "place 1 T04 -1,0/0"], [])
    film.takes(MEEPLE, "F11", lasts_s=3)
    assert (film.story[6:], film.alarms) == (["score 1 F11"], [])
    assert film.match.standing.points == (2, 0)


@LONG
def test_my_counter_that_i_lift_is_scored_and_laid_back_within_10_seconds_it_is_not() -> None:
    film = film_of("A", "A", "X", "X", "X", "Y")
    film.lays("T02", "0,-1/2")
    film.deploys("F11", "T02", 1)
    film.lays("T03", "1,0/0")
    film.lays("T04", "-1,0/0")
    film.takes("F11", lasts_s=3)
    assert film.story[6:] == ["score 1 F11"]
    film.deploys("F11", "T02", 1)
    film.rest(2)
    assert film.story[7:] == ["struck 7"]
    film.takes("F11", lasts_s=5)
    assert film.story[8:] == ["score 1 F11"]
    assert film.alarms == []


# The whole map


@LONG
def test_a_map_that_is_shoved_by_60_millimetres_is_the_same_map() -> None:
    film = film_of("A", "A", "X", "X", "X", "Y")
    film.lays("T02", "0,-1/2")
    film.deploys("F11", "T02", 2)  # clear of its tile's code, as every spot of a real tile is
    film.lays("T03", "1,0/0")
    before = film.story
    film.shoves(("T01", "T02", "T03", "F11"), (60, 10), SLEEVE, 0.8)
    film.rest(3)
    assert (film.story, film.alarms) == (before, [])
    film.lays("T04", "1,1/0")
    assert film.story[len(before) :] == ["end_turn 2", "place 1 T04 1,1/0"]


# A whole map


@pytest.fixture
def whole() -> TileFilm:
    """All 84 tiles lie there, twelve in a row, and some counters."""
    film = TileFilm(["X"] * 84, seats=5, position=True)
    film.rest(2.0)
    assert len(film.held) == 84
    assert film.story == []
    return film


@LONG
def test_a_sleeve_over_nine_tiles_and_a_tile_that_is_straightened_are_no_entry(whole: TileFilm) -> None:
    """It shoves them by 6 mm; somebody turns a tile by 12 degrees where it lies."""
    nine = [whole.at(column, row) for row in (-1, 0, 1) for column in (-1, 0, 1)]
    whole.shoves(nine, (-6, 0), SLEEVE, 0.8)
    whole.rest(3)
    whole.turns(whole.at(3, 2), 12)
    whole.turns(whole.at(3, 2), -14)
    whole.rest(3)
    assert (whole.story, whole.alarms) == ([], [])


@LONG
def test_a_tile_of_the_map_that_is_turned_by_a_quarter_is_asked_back_once(whole: TileFilm) -> None:
    whole.turns(whole.at(-2, 1), 90)
    whole.rest(4)
    assert (whole.story, whole.alarms) == (["unexplained"], [MISPLACED])
    whole.turns(whole.at(-2, 1), -90)
    whole.rest(3)
    assert (whole.story, whole.alarms) == (["unexplained"], [MISPLACED])
    assert not whole.match.issues.differences(whole.game, whole.match.record)


# The second match


def test_a_second_match_begins_when_the_old_map_is_gone() -> None:
    """ "Clear the table; only the start tile stays": nothing of the old map is laid by anybody."""
    film = TileFilm(["Y"] * 6)
    for number, where in enumerate(("0,0/0", "1,0/0", "1,1/0", "2,0/1", "-1,0/0", "0,-1/2"), 1):
        film.lies(f"T{number:02}", where)
    film.rest(2.0)
    waits = [text.key for update in film.updates for text in update.texts]
    assert waits == ["referee.clear_table"]
    film.takes("T02", "T03", "T04", "T05", "T06", lasts_s=1.0)
    film.lays("T02", "0,1/0")
    assert (film.story, film.alarms) == (["start 0 T01", "place 1 T02 0,1/0"], [])
    assert [text.key for update in film.updates for text in update.texts if text.key == "referee.cleared"] != []


# Quick people


def counted(film: TileFilm) -> list[str]:
    """What counts, in order, whatever was written down first."""
    acts = film.match.record.acts
    return [told(film.match.record.lines[number - 1]) for number in sorted(acts) if acts[number].counts]


GAPS = ((0.0, "4,0/0"), (0.0, "1,-1/0"), (0.1, "1,-1/0"), (0.2, "4,0/0"), (0.3, "1,-1/0"))
GAPS += ((0.4, "-1,0/0"), (0.5, "1,-1/0"), (0.6, "1,1/0"), (0.8, "1,-1/0"), (1.0, "4,0/0"))
"""How long after a hand has gone the next one comes, and where it lays its tile: beyond the place that has just been
left, so that the arm lies over it, or elsewhere."""
QUICK = [
    pytest.param(gap_s, where, seed, marks=() if seed == 2 else LONG, id=f"{gap_s} s, {where}")
    for seed, (gap_s, where) in enumerate(GAPS, 1)
]


@pytest.mark.parametrize(("gap_s", "where", "seed"), QUICK)
def test_a_follower_lifted_just_before_the_next_hand_comes_belongs_to_the_seat_before(
    gap_s: float, where: str, seed: int
) -> None:
    """Nobody waits two seconds between turns. Four tiles lie there when the follower leaves, five a moment later."""
    film = TileFilm(["Y"] * 7, seed=seed)
    film.begins()
    film.lays("T02", "1,0/0")
    film.deploys("F11", "T02", 1)
    film.lays("T03", "2,0/0")
    film.lays("T04", "3,0/0")
    film.takes("F11", lasts_s=gap_s)
    film.lays("T05", where)
    film.rest(4)
    before = ["start 0 T01", "place 1 T02 1,0/0", "deploy 1 F11 T02.1", "place 2 T03 2,0/0", "end_turn 2"]
    assert counted(film) == [*before, "place 1 T04 3,0/0", "score 1 F11", f"place 2 T05 {where}"]
    assert film.match.standing.points == (4, 0)
    assert (film.alarms, film.match.standing.turn) == ([], 2)


# Out of sight


@pytest.mark.parametrize("where", ["3,0/0", pytest.param("-1,0/0", marks=LONG)])
def test_a_follower_that_was_laid_in_the_dark_with_its_tile_shows_whose_tile_that_is(where: str) -> None:
    """In eight seconds of dark Ben lays a tile and a follower upon it, and Cy another tile. Both tiles counted at once,
    or went to the wrong seats, and the follower was refused: "it is Cy's turn"."""
    film = TileFilm(["Y"] * 7, seats=3)
    film.begins()
    film.lays("T02", "1,0/0")
    film.lens = dimmed(0.0)
    film.rest(1.0)
    film.lies("T03", "2,0/0")
    follower = film.on("F21", "T03", 1)
    film.pieces[follower.token] = follower
    film.lies("T04", where)
    film.waits(6.0)
    film.rest(1.0)
    film.lens = clear
    film.rest(6.0)
    assert counted(film)[2:] == ["end_turn 1", "place 2 T03 2,0/0", "deploy 2 F21 T03.1", f"place 3 T04 {where}"]
    assert REFUSED not in film.alarms
