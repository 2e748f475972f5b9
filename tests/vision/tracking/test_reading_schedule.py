"""What a look may read, what waits for the next, and what was tried often enough."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera.frame import Frame
from vision.codes.decoder import PYZBAR, ZXING
from vision.geometry.quads import PixelBox
from vision.geometry.tile_grid import TileBox, TileGrid
from vision.tracking.attempt_history import EXTRA_ATTEMPTS, EXTRA_ATTEMPTS_S, AttemptHistory
from vision.tracking.reading_schedule import FREE_PASSES, LOOK_PASSES, LookBudget, ReadingSchedule
from vision.tracking.sticker_statistics import StickerStatistics

GRID = TileGrid((10, 20), 48.0)
PIECE = np.zeros(GRID.shape, np.bool_)
PIECE[2:4, 2:6] = True
LEFT, RIGHT = TileBox((slice(2, 4), slice(2, 4))), TileBox((slice(2, 4), slice(4, 6)))
USUAL = 3
PICTURE = np.zeros((1296, 2304), np.uint8)


def square(side: int) -> PixelBox:
    return PixelBox((slice(0, side), slice(0, side)))


def test_a_look_has_time_for_one_thing_however_dear_and_then_for_nothing():
    budget = LookBudget(3_000_000)
    assert budget.affords(square(4000), PYZBAR)
    budget.spend(square(4000), PYZBAR)
    assert budget.is_spent()
    assert not budget.affords(square(10), ZXING[1])


def test_a_look_has_read_much_after_two_fifths_of_a_plain_reading():
    budget = LookBudget(3_000_000)
    budget.spend(square(1000), ZXING[1])
    assert not budget.has_read_much()
    budget.spend(square(500), ZXING[1])
    assert budget.has_read_much()


def test_a_large_place_waits_in_parts_that_overlap_and_show_all_of_it():
    schedule = ReadingSchedule(StickerStatistics(None), 0.0)
    parts = schedule.parts(square(3000), ZXING[2].price)
    seen = np.zeros((3000, 3000), np.int8)
    for part in parts:
        seen[part] += 1
    assert len(parts) > 1
    assert seen.min() == 1
    assert seen.max() > 1


class Read(StickerStatistics):
    """A sticker has been read: its modules are so wide."""

    def __init__(self, module_px: float, declared_module_px: float | None = None) -> None:
        super().__init__(declared_module_px)
        self.known, self.module_px = True, module_px


def searched(share: float, pictures_s: float = 0.125) -> ReadingSchedule:
    """A look has found that so much of the picture looks like a sticker; the next one begins."""
    schedule = ReadingSchedule(Read(3.0), 0.0)
    for number in (0, 1):
        schedule.begin_look(Frame(PICTURE, PICTURE[::3, ::3], number * pictures_s), is_starting=False)
    side = int((share * PICTURE.size / 400) ** 0.5)
    schedule.enqueue_rescan([square(side)] * 400, ZXING[1])
    schedule.begin_look(Frame(PICTURE, PICTURE[::3, ::3], 2 * pictures_s), is_starting=False)
    return schedule


def test_what_was_just_laid_is_read_at_once_unless_everything_on_the_table_looks_like_a_sticker():
    for share, most_passes in ((0.3, FREE_PASSES), (0.8, LOOK_PASSES)):
        budget = searched(share).budget
        assert budget.most_px == pytest.approx(most_passes * PICTURE.size)
        assert budget.search_px == pytest.approx(LOOK_PASSES * PICTURE.size)


@pytest.mark.parametrize(("share", "pictures_s", "readers"), [(0.3, 0.125, 2), (0.8, 0.125, 1), (0.3, 0.07, 1)])
def test_where_there_is_time_the_other_reader_reads_everything_too(share: float, pictures_s: float, readers: int):
    schedule, waiting = searched(share, pictures_s), set[str]()
    while not schedule.is_idle:
        schedule.begin_look(Frame(PICTURE, PICTURE[::3, ::3], 1.0), is_starting=True)
        waiting |= {attempt.reader for _, attempt in schedule.take_due()}
    assert len(waiting) == readers


def test_the_other_reader_reads_a_sticker_however_small_a_thing_a_game_declares():
    """Where a piece without a sticker was declared with one of 1 mm, it was never asked."""
    schedule = ReadingSchedule(Read(3.0, declared_module_px=0.1), 0.0)
    schedule.begin_look(Frame(PICTURE, PICTURE[::3, ::3], 0.0), is_starting=False)
    assert schedule.suited(square(150), PYZBAR) == PYZBAR
    assert schedule.suited(square(1000), PYZBAR) != PYZBAR


def test_what_waits_counts_as_untried_and_what_was_read_beside_it_as_tried():
    history = AttemptHistory(GRID)
    history.add_attempt(PIECE, [LEFT], [RIGHT])
    assert (history.tries_at(LEFT, PIECE), history.tries_at(RIGHT, PIECE)) == (1, 0)


def test_what_resembles_a_code_is_tried_more_often_each_time_after_a_pause():
    history = AttemptHistory(GRID)
    for _ in range(USUAL):
        history.add_attempt(PIECE, [LEFT, RIGHT], [])
    assert history.exhausted(USUAL)[PIECE].all()
    history.add_resembling(PIECE)
    history.postpone(PIECE, 1.0)
    assert not history.due(PIECE, USUAL, 1.0).any()
    assert history.due(PIECE, USUAL, 1.0 + EXTRA_ATTEMPTS_S)[PIECE].all()
    for _ in range(EXTRA_ATTEMPTS):
        history.add_attempt(PIECE, [LEFT, RIGHT], [])
    assert history.given_up(USUAL)[PIECE].all()


def test_where_something_moves_all_that_was_tried_counts_no_more():
    history = AttemptHistory(GRID)
    for _ in range(USUAL):
        history.add_attempt(PIECE, [LEFT, RIGHT], [])
    history.forget(PIECE, USUAL)
    assert history.least_tries(PIECE) == 0
    assert history.unsettled[PIECE].all()
