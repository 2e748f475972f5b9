"""What lies there is not said to be gone because the table has the same roughness: its print, and what is beside it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from support.flat_table import LAYOUT

from companion.public.table import Placement, TableState, Token
from vision.camera.frame import TILE_PX, Gray
from vision.geometry.tile_grid import Mask, SmallBox, TileGrid
from vision.tracking.occlusion import _Open, note_bared
from vision.tracking.track import Surroundings
from vision.tracking.tracker import Tracker, Visibility

ROWS, COLUMNS = 20, 20
CARD = np.s_[40:84, 44:76]
"""Where it lies in the small picture."""
AROUND = SmallBox((slice(16, 108), slice(20, 100)))
OUTLINE = np.array([(44, 40), (75, 40), (75, 83), (44, 83)], np.int32)
STICKER_PX = ((48.0, 44.0), (56.0, 44.0), (56.0, 52.0), (48.0, 52.0))


def rough(seed: int) -> NDArray[np.float64]:
    """A surface of which each piece is as rough as the next, and none looks like another."""
    noise = cv2.GaussianBlur(
        np.random.default_rng(seed).standard_normal((ROWS * TILE_PX, COLUMNS * TILE_PX)), (0, 0), 1
    )
    return np.asarray(90 + 18 * noise / noise.std(), np.float64)


def gray(picture: NDArray[np.float64]) -> Gray:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def shows_ground(
    now: NDArray[np.float64], before: NDArray[np.float64], left: tuple[slice, slice] = np.s_[:0, :0]
) -> bool | None:
    """Whether the place of a card is seen to be empty, which looked otherwise before it was missed.

    Args:
        left: The tiles of others that have left the table.
    """
    table = np.ones(now.shape, np.bool_)
    around = Surroundings(gray(before)[AROUND], 1.0, AROUND)
    track: Any = SimpleNamespace(token=Token("C11"), corners_px=STICKER_PX, around=around, empty_looks=0)
    nothing = np.zeros((ROWS, COLUMNS), np.bool_)
    vacated = nothing.copy()
    vacated[left] = True
    evidence: Any = SimpleNamespace(
        thorough=True,
        change=SimpleNamespace(small=gray(now), hand=nothing),
        left=vacated,
        background=SimpleNamespace(light=np.ones((ROWS, COLUMNS), np.float32)),
        grid=TileGrid((ROWS, COLUMNS), TILE_PX),
        outline=lambda _: OUTLINE,
        open_table=lambda: table,
    )
    return _Open([track], evidence).shows_ground(track, ())


def with_card(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """A card lies there whose face is as bright and as rough as the table."""
    picture = table.copy()
    picture[CARD] = rough(2)[CARD]
    return picture


def test_a_place_that_looks_like_the_table_and_no_more_like_the_card_is_empty() -> None:
    assert shows_ground(rough(1), with_card(rough(1)))


def test_a_card_of_which_a_quarter_shows_its_print_lies_there_though_the_table_is_as_rough() -> None:
    """A sleeve like the table lies over its sticker."""
    now = with_card(rough(1))
    now[40:84, 44:60] = rough(3)[40:84, 44:60]
    assert not shows_ground(now, with_card(rough(1)))


def test_what_has_come_upon_a_card_and_reaches_beyond_it_is_no_table() -> None:
    """A cover is as rough as the table where the card is, and smooth beside it."""
    now = rough(1)
    now[50:74, 78:92] = 90.0
    assert not shows_ground(now, with_card(rough(1)))


@pytest.mark.parametrize("reach_px", [10, 20, 30])
def test_what_has_come_upon_a_card_is_no_table_though_it_looks_like_it_all_over(reach_px: int) -> None:
    """The back of a card on grass: it is as bright and as rough, and the grass beside the card is gone as well."""
    now = rough(1)
    back = np.s_[40 - reach_px : 84 + reach_px, 44 - reach_px : 76 + reach_px]
    now[back] = rough(3)[back]
    assert not shows_ground(now, with_card(rough(1)))


def test_a_place_beside_one_that_another_card_has_left_is_empty() -> None:
    """That card looked like the table as well."""
    before = with_card(rough(1))
    before[36:84, 84:108] = rough(3)[36:84, 84:108]
    assert shows_ground(rough(1), before, left=np.s_[3:7, 7:9])


@pytest.mark.parametrize("corner", [(60, 20), (70, 30), (64, 56)])
def test_a_place_is_empty_from_which_a_hand_has_gone_that_was_in_the_first_picture(corner: tuple[int, int]) -> None:
    """Its edge, with the table around it, may look like the table."""
    column, row = corner
    before = with_card(rough(1))
    before[row : row + 40, column : column + 36] = 150.0
    assert shows_ground(rough(1), before)


@pytest.mark.parametrize("apart_px", [9, 12])
def test_a_place_is_empty_though_something_that_was_never_read_has_left_beside_it(apart_px: int) -> None:
    """What had come upon the place as well would begin there."""
    before = with_card(rough(1))
    strip = np.s_[84 + apart_px : 100 + apart_px, 44:76]
    before[strip] = rough(3)[strip]
    assert shows_ground(rough(1), before)


def test_a_large_place_is_empty_that_shows_more_joints_than_the_table_around_it() -> None:
    """Nothing reaches beyond it, and of the card nothing is to be seen."""
    now = rough(1)
    now[42:54, 44:76] = 30.0
    assert shows_ground(now, with_card(rough(1)))


@pytest.mark.parametrize("reach_px", [20, 30])
def test_a_smooth_book_is_not_taken_for_wood_that_is_smooth_in_most_places(reach_px: int) -> None:
    """Where the wood was grained beside the card, it is smooth and as bright now."""
    table = 90 + np.random.default_rng(1).normal(0, 1, rough(1).shape)
    table[:, 76:] += (rough(1) - 90)[:, 76:] / 3
    now = table.copy()
    book = np.s_[40 - reach_px : 84 + reach_px, 44 - reach_px : 76 + reach_px]
    now[book] = 90 + np.random.default_rng(2).normal(0, 1, now[book].shape)
    assert shows_ground(table, with_card(table))
    assert not shows_ground(now, with_card(table))


STONES = [(column, row) for row in (80, 94, 108) for column in (80, 94, 108)]
"""The left top corners of nine stones that lie close together."""
STONE_PX = 12


def stones_gone(now: NDArray[np.float64], before: NDArray[np.float64]) -> list[bool | None]:
    """Which of nine stones, none of which is seen any more, are said to have left their places."""
    nothing = np.zeros((ROWS, COLUMNS), np.bool_)
    tracks: list[Any] = []
    outlines = {}
    for column, row in STONES:
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        sticker = square * 7 + (column + 2, row + 2)
        box = SmallBox((slice(row - 7, row + STONE_PX + 8), slice(column - 7, column + STONE_PX + 8)))
        token = Token(f"C1{len(tracks) + 1}")
        outlines[token] = np.asarray(square * STONE_PX + (column, row), np.int32)
        around = Surroundings(gray(before)[box], 1.0, box)
        track = SimpleNamespace(token=token, corners_px=tuple(map(tuple, sticker)), around=around, empty_looks=0)
        tracks.append(track)
    evidence: Any = SimpleNamespace(
        thorough=True,
        change=SimpleNamespace(small=gray(now), hand=nothing),
        left=nothing,
        background=SimpleNamespace(light=np.ones((ROWS, COLUMNS), np.float32)),
        grid=TileGrid((ROWS, COLUMNS), TILE_PX),
        outline=lambda track: outlines[track.token],
        open_table=lambda: np.ones(now.shape, np.bool_),
    )
    looks_open = _Open(tracks, evidence)
    return [looks_open.shows_ground(track, ()) for track in tracks]


def with_stones(table: NDArray[np.float64]) -> NDArray[np.float64]:
    picture = table.copy()
    for column, row in STONES:
        picture[row : row + STONE_PX, column : column + STONE_PX] = 200.0
    return picture


def test_stones_that_were_taken_up_together_are_gone() -> None:
    assert all(stones_gone(rough(1), with_stones(rough(1))))


def test_stones_under_a_card_that_looks_like_the_table_lie_there_also_those_in_the_middle() -> None:
    now = rough(1)
    now[70:132, 70:132] = rough(3)[70:132, 70:132]
    assert not any(stones_gone(now, with_stones(rough(1))))


def test_three_empty_looks_are_enough_five_times_a_second() -> None:
    """They take as long as a place has to be seen empty, whatever the clock's last digit is."""
    for first_s in np.arange(0.0, 60.0, 0.2):
        tracker = Tracker(LAYOUT)
        tracker.remember(TableState(frozenset([Placement(Token("C11"), None, 400.0, 300.0, 0.0)])))
        track = tracker.tracks[Token("C11")]
        looks = [tracker.mark(track, Visibility.VACANT, n, float(first_s) + n / 5) for n in range(3)]
        assert looks == [False, False, True]


def rests(usual: NDArray[np.float64], rest_s: float = 1.0) -> tuple[Mask, Mask]:
    """What is said of a hand's tiles that look like the table: where something has left, and where a sleeve lies.

    Args:
        rest_s: How long they have not moved.
    """
    hand = np.zeros((ROWS, COLUMNS), np.bool_)
    hand[8:12, 8:12] = True
    nothing = np.zeros_like(hand)
    evidence: Any = SimpleNamespace(
        thorough=True,
        change=SimpleNamespace(small=gray(rough(1)), hand=hand, rest_s=np.full(hand.shape, rest_s)),
        background=SimpleNamespace(look=gray(usual)),
        grid=TileGrid((ROWS, COLUMNS), TILE_PX),
        outline=lambda _: None,
        open_table=lambda: np.ones(usual.shape, np.bool_),
        left=nothing,
        bared=nothing.copy(),
        sleeve=nothing.copy(),
    )
    note_bared((), evidence)
    return evidence.bared[8:12, 8:12], evidence.sleeve[8:12, 8:12]


def test_what_looks_like_the_table_where_the_table_was_seen_may_be_a_sleeve() -> None:
    """Nothing near it is considered gone. Where a book was before, the table is bare."""
    bared, sleeve = rests(rough(4))
    assert sleeve.all()
    assert not bared.any()
    bared, sleeve = rests(np.full_like(rough(4), 30.0))
    assert bared.all()
    assert not sleeve.any()


def test_of_what_was_remembered_when_the_eye_started_nothing_came_upon_another() -> None:
    """A figure stood on a tile; it is hidden now, and the tile lies where it lay."""
    tracker = Tracker(LAYOUT)
    tracker.remember(TableState(frozenset(Placement(Token(one), None, 400.0, 300.0, 0.0) for one in ("F2", "M01"))))
    figure, tile = (tracker.tracks[Token(one)] for one in ("F2", "M01"))
    tracker.mark_covered(figure, [tile])
    assert figure.under is None
    tile.laid = 5
    tracker.mark_covered(figure, [tile])
    assert figure.under == "M01"


def test_what_has_moved_a_moment_ago_is_a_hand_whatever_it_looks_like() -> None:
    bared, sleeve = rests(rough(4), rest_s=0.2)
    assert not bared.any()
    assert not sleeve.any()
