"""What was read in vain is read more thoroughly, with what a look has to spare."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES
from companion.public.table import Point
from vision.camera.frame import Gray
from vision.codes.decoder import DecodeAttempt, patient_attempts
from vision.geometry.quads import Corners, PixelBox
from vision.geometry.tile_grid import Mask, TileBox, TileGrid, any_tile, dilated
from vision.tracking.reading_schedule import LookBudget, cost_of

MOST_PLACES, MOST_LOCATED = 40, 15
"""So many places at most wait at a time; of those where a reader thinks that it has located a code, so many, since in
grain and gravel it thinks so often."""

PICTURES = 8
"""What is not read at once is read again in the mean of so many pictures, in which a third of the noise is left; of
fewer where pictures are rare."""

MOST_FOR_OTHER = 15
"""The second reader costs as much as all attempts of the first: it gets what looks most like a code alone."""

REACH_SIDES, CORE_SIDES = 1.1, 0.75
"""A place reaches so many sides of a code to each side of its middle: a reader misses in a large piece what it reads in
a small one. No other place has its middle within the second."""

CODE_TILES = 2
"""No code reaches farther than so many tiles."""

REFILL_S = 2.0
"""Places are looked for at this interval."""


class StillPlace:
    """A place at which nothing moves, and the mean of the pictures that were taken of it.

    Args:
        box: The place in the full picture.
    """

    def __init__(self, box: PixelBox) -> None:
        self.box = box
        self.pictures = 0
        self._sum: NDArray[np.float32] | None = None

    def note(self, gray: Gray) -> None:
        """Another full picture."""
        piece = gray[self.box]
        if self._sum is None:
            self._sum = np.zeros(piece.shape, np.float32)
        cv2.accumulate(piece, self._sum)
        self.pictures += 1

    @property
    def mean(self) -> Gray:
        """The mean of its pictures, rounded; there must be one."""
        assert self._sum is not None
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self.pictures), np.uint8)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An attempt that is still to be made.

    Attributes:
        at: The tile of the place's middle.
        at_once: It waits for no further pictures.
        ends: The tiles of the place, if this is its last attempt.
    """

    place: StillPlace
    attempt: DecodeAttempt
    at: tuple[int, int]
    at_once: bool
    ends: TileBox | None


class PatientReading:
    """The places that are read patiently, and which have had every attempt since something came there.

    Args:
        closed: Tiles that are never read, ``(rows, columns)`` bool.
    """

    def __init__(self, grid: TileGrid, closed: Mask) -> None:
        self._grid = grid
        self._closed = closed
        self._tried: Mask = np.zeros(grid.shape, np.bool_)
        self._plain: Mask = np.zeros(grid.shape, np.bool_)  # nothing looked like a code, or has come since
        self._waiting: deque[_Waiting] = deque()
        self._located_px: list[Point] = []
        self._stirred: Mask = np.zeros(grid.shape, np.bool_)
        self._is_in_vain = False  # nothing was found to read, and nothing has come since
        self._refilled_s = -math.inf

    @property
    def spent(self) -> Mask:
        """Tiles that are not to be read, or not again."""
        return np.asarray(self._closed | self._tried, np.bool_)

    def forget(self, moving: Mask) -> None:
        """Something moves: what waits there is looked for again when it rests."""
        self._stirred |= moving
        self._waiting = deque(one for one in self._waiting if not moving[one.at])
        self._located_px = [point for point in self._located_px if not moving[self._grid.tile_at(point)]]

    def note_rest(self, changed: Mask) -> None:
        """All is at rest, and differs here from how it was: where that has moved, it is another place."""
        if not any_tile(self._stirred):
            return
        came = self._stirred & changed
        if any_tile(came):
            self._tried[came] = False
            self._plain &= ~dilated(came, CODE_TILES)
            self._is_in_vain = False
        self._stirred[:] = False

    def read_again(self, shown: Mask) -> None:
        """These tiles show more than before."""
        self._tried[shown] = False
        self._plain &= ~dilated(shown, CODE_TILES)
        self._is_in_vain, self._refilled_s = False, -math.inf

    def begin_anew(self) -> None:
        """Only now it is known how stickers look here."""
        self._tried[:] = self._plain[:] = False
        self._waiting.clear()
        self._is_in_vain, self._refilled_s = False, -math.inf

    def note_located(self, centers_px: Sequence[Point]) -> None:
        """A reader has found codes here and could not read them."""
        if centers_px:
            self._located_px = [*self._located_px, *centers_px][-MOST_LOCATED:]
            self._is_in_vain = False

    def is_refill_due(self, taken_s: float) -> bool:
        return not self._waiting and not self._is_in_vain and taken_s - self._refilled_s >= REFILL_S

    def refill(
        self,
        likely_px: Callable[[Mask, int], Sequence[Point]],
        known: Mask,
        module_px: float,
        picture: tuple[int, ...],
        taken_s: float,
    ) -> None:
        """Look for places to read: what looks most like a code, then where a reader has located one.

        Args:
            likely_px: The middles of places that look like a code, outside of these tiles, at most so many.
            known: Tiles whose content is known.
            module_px: The width of a module of the finest stickers.
            picture: Height and width of the full picture.
        """
        self._refilled_s = taken_s
        located_px, self._located_px = self._located_px, []
        places: list[tuple[StillPlace, tuple[int, int], TileBox]] = []
        queued = self.spent
        sought, most = queued | self._plain, MOST_PLACES - len(located_px)
        found_px = () if sought.all() else likely_px(sought, most)
        if not found_px:
            self._plain[:] = True
        for center_px in (*found_px, *located_px):
            at = self._grid.tile_at(center_px)
            if queued[at]:
                continue
            if known[at]:
                self._tried[at] = True
                continue
            core = self._grid.tiles_of(_around(center_px, CORE_SIDES * CODE_MODULES * module_px, picture))
            queued[core] = True
            place = StillPlace(_around(center_px, REACH_SIDES * CODE_MODULES * module_px, picture))
            places.append((place, at, core))
        attempts = patient_attempts(module_px)
        for at_once, attempt in product((True, False), attempts):
            for number, (place, at, core) in enumerate(places):
                gets = attempts if number < MOST_FOR_OTHER else [one for one in attempts if one.reader == "zxing"]
                if attempt in gets:
                    ends = core if attempt == gets[-1] and not at_once else None
                    self._waiting.append(_Waiting(place, attempt, at, at_once, ends))
        self._is_in_vain = not places

    def note_read(self, corners_px: Corners) -> None:
        """A code was read here: its place needs no further attempt."""
        rows, columns = self._grid.tile_box(corners_px)
        self._waiting = deque(
            one
            for one in self._waiting
            if not (rows.start <= one.at[0] < rows.stop and columns.start <= one.at[1] < columns.stop)
        )

    def take_due(
        self, gray: Gray, taken_s: float, budget: LookBudget
    ) -> Iterator[tuple[PixelBox, Gray, DecodeAttempt]]:
        """Take what a look can spare, one place after the other: each with what is to be read there.

        Args:
            gray: The full picture of this look, in which nothing moves.
        """
        if taken_s > self._refilled_s:  # the look that finds the places has enough to do
            self._note(gray)
        spare_px = budget.search_px - budget.spent_px
        while self._waiting:
            one = self._waiting[0]
            if not one.at_once and not self._is_ready(one.place, taken_s):
                return
            cost_px = cost_of(one.place.box, one.attempt)
            if cost_px > spare_px and cost_px <= budget.search_px:
                return  # the next look can
            self._waiting.popleft()
            if one.ends is not None:
                self._tried[one.ends] = True
            if cost_px <= spare_px:
                spare_px -= cost_px
                yield one.place.box, one.place.mean if one.place.pictures else gray[one.place.box], one.attempt

    def _is_ready(self, place: StillPlace, taken_s: float) -> bool:
        """Whether enough pictures have been taken of a place, or no more come in time."""
        return place.pictures >= PICTURES or (place.pictures > 1 and taken_s - self._refilled_s >= REFILL_S)

    def _note(self, gray: Gray) -> None:
        """Another picture of the places that wait."""
        for place in {id(one.place): one.place for one in self._waiting}.values():
            if place.pictures < PICTURES:
                place.note(gray)


def _around(center_px: Point, reach_px: float, picture: tuple[int, ...]) -> PixelBox:
    """A square piece of a picture of this height and width around a point."""
    spans = zip(reversed(center_px), picture, strict=True)
    rows, columns = (slice(max(0, round(at - reach_px)), min(most, round(at + reach_px))) for at, most in spans)
    return PixelBox((rows, columns))
