"""What was read in vain is read more thoroughly, with what a look has to spare."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CODE_MODULES
from companion.public.table import Point
from vision.codes.decoder import DecodeAttempt, patient_attempts
from vision.geometry.quads import Corners, PixelBox
from vision.geometry.tile_grid import Mask, TileBox, TileGrid, any_tile
from vision.tracking.reading_schedule import LookBudget, cost_of

MOST_PLACES, MOST_LOCATED, ROUNDS = 40, 15, 3
"""So many places at most wait at a time; of those where a reader thinks that it has located a code, so many, since in
grain and gravel it thinks so often. Each gets every attempt so often, since noise differs between pictures; only once
where these are many, for then the usual attempts have had many."""

MOST_FOR_OTHER = 15
"""The second reader costs as much as all attempts of the first: it gets what looks most like a code alone."""

REACH_SIDES, CORE_SIDES = 1.1, 0.75
"""A place reaches so many sides of a code to each side of its middle: a reader misses in a large piece what it reads in
a small one. No other place has its middle within the second."""

REFILL_S = 2.0
"""Places are looked for at this interval."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An attempt that is still to be made.

    Attributes:
        at: The tile of the place's middle.
        ends: The tiles of the place, if this is the last attempt of its round.
    """

    place: PixelBox
    attempt: DecodeAttempt
    at: tuple[int, int]
    ends: TileBox | None


class PatientReading:
    """The places that are read patiently, and how often each has had every attempt since something came there.

    Args:
        closed: Tiles that are never read, ``(rows, columns)`` bool.
    """

    def __init__(self, grid: TileGrid, closed: Mask) -> None:
        self._grid = grid
        self._closed = closed
        self._most_rounds = ROUNDS
        self._rounds: NDArray[np.int8] = np.zeros(grid.shape, np.int8)
        self._waiting: deque[_Waiting] = deque()
        self._located_px: list[Point] = []
        self._stirred: Mask = np.zeros(grid.shape, np.bool_)
        self._is_in_vain = False  # nothing was found to read, and nothing has come since
        self._refilled_s = -math.inf

    @property
    def spent(self) -> Mask:
        """Tiles that are not to be read, or not again."""
        return np.asarray(self._closed | (self._rounds >= self._most_rounds), np.bool_)

    def forget(self, moving: Mask) -> None:
        """Something moves: what waits there is looked for again when it rests."""
        self._stirred |= moving
        self._waiting = deque(one for one in self._waiting if not moving[one.at])
        self._located_px = [point for point in self._located_px if not moving[self._grid.tile_at(point)]]

    def note_rest(self, changed: Mask, *, pictures_are_rare: bool) -> None:
        """All is at rest, and differs here from how it was: where that has moved, it is another place."""
        self._most_rounds = ROUNDS if pictures_are_rare else 1
        if not any_tile(self._stirred):
            return
        came = self._stirred & changed
        if any_tile(came):
            self._rounds[came] = 0
            self._is_in_vain = False
        self._stirred[:] = False

    def read_again(self, shown: Mask) -> None:
        """These tiles show more than before."""
        self._rounds[shown] = 0
        self._is_in_vain, self._refilled_s = False, -math.inf

    def begin_anew(self) -> None:
        """Only now it is known how stickers look here."""
        self._rounds[:] = 0
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
        places: list[tuple[PixelBox, tuple[int, int], TileBox]] = []
        queued = self.spent
        for center_px in (*likely_px(queued, MOST_PLACES - len(located_px)), *located_px):
            at = self._grid.tile_at(center_px)
            if queued[at]:
                continue
            if known[at]:
                self._rounds[at] = ROUNDS
                continue
            core = self._grid.tiles_of(_around(center_px, CORE_SIDES * CODE_MODULES * module_px, picture))
            queued[core] = True
            places.append((_around(center_px, REACH_SIDES * CODE_MODULES * module_px, picture), at, core))
        attempts = patient_attempts(module_px)
        for attempt in attempts:
            for number, (place, at, core) in enumerate(places):
                gets = attempts if number < MOST_FOR_OTHER else [one for one in attempts if one.reader == "zxing"]
                if attempt in gets:
                    self._waiting.append(_Waiting(place, attempt, at, core if attempt == gets[-1] else None))
        self._is_in_vain = not places

    def note_read(self, corners_px: Corners) -> None:
        """A code was read here: its place needs no further attempt."""
        rows, columns = self._grid.tile_box(corners_px)
        self._waiting = deque(
            one
            for one in self._waiting
            if not (rows.start <= one.at[0] < rows.stop and columns.start <= one.at[1] < columns.stop)
        )

    def take_due(self, budget: LookBudget) -> Iterator[tuple[PixelBox, DecodeAttempt]]:
        """Take what a look can spare, one place after the other."""
        spare_px = budget.search_px - budget.spent_px
        while self._waiting:
            one = self._waiting[0]
            place, attempt = one.place, one.attempt
            cost_px = cost_of(place, attempt)
            if cost_px > spare_px and cost_px <= budget.search_px:
                return  # the next look can
            self._waiting.popleft()
            if one.ends is not None:
                self._rounds[one.ends] += 1
            if cost_px <= spare_px:
                spare_px -= cost_px
                yield place, attempt


def _around(center_px: Point, reach_px: float, picture: tuple[int, ...]) -> PixelBox:
    """A square piece of a picture of this height and width around a point."""
    spans = zip(reversed(center_px), picture, strict=True)
    rows, columns = (slice(max(0, round(at - reach_px)), min(most, round(at + reach_px))) for at, most in spans)
    return PixelBox((rows, columns))
