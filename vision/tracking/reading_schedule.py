"""How much a look may read, and what waits until a look has time for it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from vision.camera.frame import Frame
from vision.codes.decoder import DecodeAttempt
from vision.geometry.quads import PixelBox
from vision.tracking.sticker_statistics import StickerStatistics

LOOK_PASSES, FREE_PASSES, COMMAND_PASSES = 0.8, 6.0, 1.0
"""Reading in one look costs no more than this many plain readings of the whole picture; the rest waits. The second is
for what has just changed, unless the table is busy; the third for the zone of commands, beside the others."""

MUCH_PASSES = 0.4
"""A look that has read more than this many plain readings leaves for the next one what does not hurry."""

BUSY_SHARE = 0.5
"""A table is busy if more than this share of the picture looks like a sticker, as with grass and felt."""

LEAST_PASS_PX = 2_700_000
"""A smaller picture counts as having this many pixels."""

PART_PASSES = 0.9
"""A large place is read in parts that cost no more than this, each in a look of its own."""

IDLE_ROWS = 440
"""The average cost per look of reading without a change, in rows of the picture."""

OVERLAP_MODULES = 36
"""The overlap of the parts of a large place: a sticker at any angle fits completely into one of them."""

CUTOUT_MODULES = 90
"""The second reader gets no place larger than a square of this width, in modules: one or two stickers and their
surroundings.
"""

RARE_RETRY_S = 0.1
"""If pictures are farther apart than this, all attempts at a place may be made in one."""

SHORT_PASSES = 0.15
"""The first look searches for the table, too: it reads what costs no more than this, or nothing."""

START_LOOKS, EMPTY_LOOKS, EARLY_LOOKS, START_ROUNDS = 12, 9, 4, 3
"""The first looks read the whole picture until so many attempts find nothing new; so many looks at most, and fewer
where the earliest ones found nothing, so that the first card is not kept waiting."""

RESCAN_S = 2.0
"""While nothing moves, everything that looks like a sticker is read this often."""


class LookBudget:
    """What one look may read, in pixels of plain reading.

        >>> LookBudget(5_000_000).most_px
        4000000.0

    Args:
        picture_px: The number of pixels of the picture.
        passes: The budget, in plain readings of it.

    Attributes:
        pass_px: The cost of a plain reading of the whole picture.
        most_px: The budget of the look.
        search_px: The part of it for searching where nothing has just been laid.
    """

    def __init__(self, picture_px: int, passes: float = LOOK_PASSES) -> None:
        self.pass_px = max(LEAST_PASS_PX, picture_px)
        self.search_px = LOOK_PASSES * self.pass_px
        self.most_px = self._left_px = passes * self.pass_px

    @property
    def spent_px(self) -> float:
        return self.most_px - self._left_px

    def is_spent(self) -> bool:
        return self._left_px <= 0

    def has_read_much(self) -> bool:
        """Whether so much was spent that what does not hurry can wait."""
        return self.spent_px > MUCH_PASSES * self.pass_px

    def affords(self, place: PixelBox, attempt: DecodeAttempt) -> bool:
        """Whether this look has time for it; it always has for the first place."""
        return cost_of(place, attempt) <= self._left_px or self._left_px == self.most_px

    def spend(self, place: PixelBox, attempt: DecodeAttempt) -> None:
        self._left_px -= cost_of(place, attempt)


class ColdStart:
    """The first looks, which read the whole picture with one attempt after the other until nothing new is found.

    Attributes:
        ended_at: The number of the last of them, once it is known; counted from 1.
        rounds: How many attempts were begun.
    """

    def __init__(self) -> None:
        self.ended_at: float = math.inf
        self.rounds = self._fruitless = 0
        self._is_fruitful = self._has_found = False

    def next_attempt(self, attempts: Sequence[DecodeAttempt]) -> DecodeAttempt:
        """The attempt of the next round."""
        self.rounds += 1
        return attempts[(self.rounds - 1) % len(attempts)]

    def note(self, look: int, *, found_new: bool, is_round_over: bool) -> None:
        """Take in the result of a look.

        Args:
            look: Its number.
        """
        self._is_fruitful |= found_new
        self._has_found |= found_new and look <= EARLY_LOOKS
        if is_round_over:
            self._fruitless = 0 if self._is_fruitful else self._fruitless + 1
            self._is_fruitful = False
        if self._fruitless >= START_ROUNDS or look >= (START_LOOKS if self._has_found else EMPTY_LOOKS):
            self.ended_at = look


class ReadingSchedule:
    """What is read when.

    Attributes:
        budget: Of this look.
        pictures_are_rare: Then each of them is worth more work.
        rescans: How often everything that looks like a sticker was read without a change.
    """

    def __init__(self, statistics: StickerStatistics, taken_s: float) -> None:
        self._statistics = statistics
        self._queue: deque[tuple[PixelBox, DecodeAttempt]] = deque()
        self._saved_px = 0.0  # the budget of the queue
        self._before_s = math.inf
        self._rescanned_s = taken_s
        self._is_busy = False
        self.budget = LookBudget(0)
        self.pictures_are_rare = False
        self.rescans = 0

    @property
    def is_idle(self) -> bool:
        return not self._queue

    @property
    def is_short(self) -> bool:
        """Whether the queue could be read quickly."""
        return sum(cost_of(*waiting) for waiting in self._queue) <= SHORT_PASSES * self.budget.pass_px

    @property
    def usual_attempts(self) -> int:
        """How often a place is read before giving up: noise differs between pictures."""
        return len(self._statistics.attempts) * (2 if self.pictures_are_rare else 1)

    def begin_look(self, frame: Frame, *, is_starting: bool) -> None:
        """Set the budget of a look; during the cold start, the queue may use all of it."""
        self.budget = LookBudget(frame.gray.size, LOOK_PASSES if self._is_busy else FREE_PASSES)
        saved_px = self._saved_px + IDLE_ROWS * frame.gray.shape[1]
        self._saved_px = self.budget.search_px if is_starting else min(self.budget.search_px, saved_px)
        self.pictures_are_rare = frame.taken_s - self._before_s >= RARE_RETRY_S
        self._before_s = frame.taken_s

    def enqueue(self, places: Iterable[PixelBox], attempt: DecodeAttempt) -> None:
        """Queue places for reading, large ones in parts."""
        for place in places:
            suited = self.suited(place, attempt)
            self._queue += [(part, suited) for part in self.parts(place, suited.price)]

    def enqueue_search(self, places: Sequence[PixelBox], attempt: DecodeAttempt) -> None:
        """Queue all places that look like a sticker."""
        if self._statistics.known:
            self._is_busy |= sum(map(_size, places)) > BUSY_SHARE * self.budget.pass_px
        self.enqueue(places, attempt)

    def enqueue_rescan(self, places: Sequence[PixelBox], attempt: DecodeAttempt) -> None:
        """Queue all places that look like a sticker once more, and for the second reader if there is time."""
        self.enqueue_search(places, attempt)
        other = self._statistics.other_reader
        if self.pictures_are_rare and not self._is_busy:
            self.enqueue([place for place in places if self.suited(place, other) == other], other)
        self.rescans += 1

    def take_due(self) -> Iterator[tuple[PixelBox, DecodeAttempt]]:
        """Take from the queue what this look has time for."""
        while self._queue and self.budget.affords(*self._queue[0]):
            cost_px = cost_of(*self._queue[0])
            if cost_px > self._saved_px and self._saved_px < self.budget.search_px:
                break
            self._saved_px = max(0.0, self._saved_px - cost_px)
            yield self._queue.popleft()

    def take_rescan(self, taken_s: float) -> bool:
        """Whether it is time to read known stickers again and to search for unknown ones."""
        if taken_s - self._rescanned_s < RESCAN_S:
            return False
        self._rescanned_s = taken_s
        return True

    def suited(self, place: PixelBox, attempt: DecodeAttempt) -> DecodeAttempt:
        """The attempt; for a place too large for the second reader, an attempt of the first."""
        most_px = min((CUTOUT_MODULES * self._statistics.module_px) ** 2, self.budget.most_px / attempt.price)
        if attempt.reader == "zxing" or _size(place) <= most_px:
            return attempt
        attempts = self._statistics.for_large_places
        return attempts[self.rescans % len(attempts)]

    def parts(self, place: PixelBox, price: float) -> list[PixelBox]:
        """A place in parts that overlap by a code, each affordable in one look at this price per pixel."""
        overlap = math.ceil(OVERLAP_MODULES * self._statistics.module_px)
        side = max(2 * overlap, int(math.sqrt(PART_PASSES * self.budget.pass_px / price)))
        if _size(place) <= side**2:
            return [place]
        rows, columns = (_overlapping(span, side, overlap) for span in place)
        return [PixelBox((down, across)) for down in rows for across in columns]


def _size(place: PixelBox) -> int:
    """The number of pixels of a place."""
    rows, columns = place
    return int((rows.stop - rows.start) * (columns.stop - columns.start))


def cost_of(place: PixelBox, attempt: DecodeAttempt) -> float:
    """The cost of an attempt, in pixels of plain reading."""
    return _size(place) * attempt.price


def _overlapping(span: slice, most: int, overlap: int) -> list[slice]:
    """Rows or columns in spans of at most this length, with this overlap."""
    length = span.stop - span.start
    if length <= most:
        return [span]
    count = math.ceil((length - overlap) / (most - overlap))
    step = (length - overlap) / count
    starts = [span.start + round(number * step) for number in range(count)]
    return [slice(start, min(span.stop, start + math.ceil(step) + overlap)) for start in starts]
