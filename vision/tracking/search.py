"""Where to read and how: the places that changed and rest, each with one decode attempt after the other."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.print_sizes import CODE_MODULES
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Point, Token
from vision.camera.frame import Frame, Gray
from vision.codes.candidates import (
    MARGIN_MODULES,
    MIN_TEXTURE_LEVELS,
    Relief,
    SearchCriteria,
    candidate_regions,
    relief,
    texture,
    usual_relief,
)
from vision.codes.decoder import (
    ZXING,
    DecodeAttempt,
    DecodeResult,
    Detection,
    ParseToken,
    attempts_for,
    fallback_attempt,
    read_codes,
)
from vision.codes.patches import Patch, extract_patch
from vision.codes.templates import template_matcher
from vision.geometry.quads import Corners, PixelBox, bounds, meet
from vision.geometry.tile_grid import Mask, TileBox, TileGrid, any_tile, dilated
from vision.motion.change_maps import ChangeMaps
from vision.tracking.cards import VisibleCards
from vision.tracking.track import RELIABLE_LOOKS, TentativeTrack, Track

LOOK_PASSES, FIRST_LOOK_PASSES = 1.35, 1.2
"""A look searches no more than costs as much as reading the whole picture so many times as it is: the rest waits for
the next. The first one finds the table too."""

FREE_PASSES = 12.0
"""What has just changed is read in the same look, up to so much, unless the table is busy."""

BUSY_SHARE = 0.5
"""A table is busy where more than this share of the picture looks like a sticker, as grass and felt do."""

LEAST_PASS_PX = 2_700_000
"""A small picture counts as though it had so many pixels."""

PART_PASSES = 0.9
"""A large place is read in parts that cost no more than this."""

IDLE_ROWS = 520
"""What is read now and then although nothing has changed costs no more in the long run, for each look, than so many
rows of the picture."""

OVERLAP_MODULES = 36
"""The parts of a large place overlap by so much: a sticker that is turned anyhow lies in one of them whole."""

CUTOUT_MODULES = 90
"""The other reader sees no place that is larger than a square so wide, in modules of the usual sticker: a sticker or
two, and what is around them."""

MIN_TEXTURE_SHARE = 0.25
"""A place with less than this share of a sticker's usual texture holds none."""

MIN_WINDOW_SHARE, MIN_FAINT_SHARE, MIN_MATCHING_SHARE = 0.5, 0.4, 0.3
"""The same, with texture measured as a share of the brightness, so that shadows do not count: for what has just changed
or may be a card's face; where everything known is left out, so that little is read in vain; and for what is only asked
whether it resembles a code."""

FIRST_LOOK_SHARE = 0.2
"""A share of the brightness, before any sticker has been read."""

RARE_RETRY_S = 0.1
"""Where pictures come farther apart than this, all attempts at a place may be made in one."""

EXTRA_ATTEMPTS, EXTRA_ATTEMPTS_S = 4, 0.4
"""What resembles a code is read so many times more, so far apart, once by every attempt that there is: focus and light
may be finding themselves."""

COMMAND_S = 3.0
"""What rests where commands are shown is read by every attempt in every look for so long: it lies there but a moment,
and one that is missed costs more than a card."""

MARGIN_SIDES = 0.75
"""Around a sticker's expected place, in sides of the code."""

START_LOOKS = 9
"""The first looks read the whole picture until no attempt finds anything new; so many at most."""

SMALLEST_MODULE_MM = 0.7
"""The modules of the smallest stickers: of those 20 mm wide they have 0.8."""

USUAL_MODULE_PX = 2.0
"""A guess, until the first sticker has been read."""

RESCAN_S = 2.0
"""While nothing moves, everything that looks like a sticker is read so often."""

THOROUGH_RESCANS = 4
"""Every so many of these, the faces of known cards are searched too."""

REREAD_LOOKS = 2
"""With every rescan so many known stickers are read again."""

READS_REMEMBERED = 64
"""How stickers look is told by so many that were read last."""

HIDDEN_SHARE = 0.3
"""Nothing is read where less than this share of a sticker's texture is left."""

Places = tuple[Corners, ...]
Quads = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]


@dataclass(frozen=True, slots=True, eq=False)
class SearchTask:
    """What a look knows before it reads.

    Attributes:
        cards: The cards whose stickers are seen.
        visible, unseen, tentative: What the tracker holds.
        confirmed: Tiles of cards that were confirmed and have not moved since; nothing more need be read there.
    """

    frame: Frame
    change: ChangeMaps
    cards: VisibleCards
    visible: Sequence[Track]
    unseen: Sequence[Track]
    tentative: Sequence[TentativeTrack]
    confirmed: Mask


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """What was read.

    Attributes:
        detections: Stickers read at rest on the table, each with how it looks, turned upright.
        track_attempts, tentative_attempts: By token, how many attempts have been made where it was missed.
        exhausted: Tiles where every attempt was made in vain, ``(rows, columns)`` bool.
        unknown_codes: Where codes lie that are none of ours, in the full picture.
        module_px: The usual width of a module in the full picture, or a guess.
        least_texture: Below this, in grey levels, a place holds no sticker.
    """

    detections: Sequence[tuple[Detection, Patch]]
    track_attempts: Mapping[Token, int]
    tentative_attempts: Mapping[Token, int]
    exhausted: Mask
    unknown_codes: tuple[Point, ...]
    module_px: float
    least_texture: float


class Search:
    """Knows how stickers look in this picture, and which places have been read in vain.

    Args:
        accepted: The stickers that count.
        inside: The tiles that belong to the table, ``(rows, columns)`` bool.
        tags: The tiles of the corner tags.
        commands: The tiles where commands are shown.
        px_per_mm: Of the full picture, in the middle of the table.
        parse: The token of a code's text.
        shapes: The things that are no playing cards.

    Attributes:
        started_at: The number of the last look that read the whole picture, once that is over; counted from 1.
        reads: By token, how often it was read and how often that was tried, while it lay in plain view.
    """

    def __init__(
        self,
        accepted: StickerCodes,
        grid: TileGrid,
        inside: Mask,
        tags: Mask,
        commands: Mask,
        px_per_mm: float,
        taken_s: float,
        parse: ParseToken,
        shapes: Mapping[Token, Shape] = NO_SHAPES,
    ) -> None:
        codes_mm = [shape.code_mm for shape in shapes.values()]
        self._told_px = min(codes_mm) / CODE_MODULES * px_per_mm if codes_mm else math.inf  # of a module
        self._laid_upon = bool(shapes)
        self._moved: Mask = np.zeros(inside.shape, np.bool_)
        self._accepted = accepted
        self._parse = parse
        self._matcher = template_matcher(accepted)
        self._grid = grid
        self._inside = inside
        self._tags = tags
        self._commands = commands
        self._fresh = commands  # those where something may just have been shown
        self._closed = np.asarray(tags | ~inside, np.bool_)
        self._smallest_px = SMALLEST_MODULE_MM * px_per_mm
        self._tried: NDArray[np.int16] = np.zeros(inside.shape, np.int16)
        self._likely: Mask = np.zeros(inside.shape, np.bool_)
        self._again_s: NDArray[np.float64] = np.zeros(inside.shape)
        self._textures: list[float] = []
        self._modules: list[float] = []
        self._shares: list[float] = []
        self._share = 0.0
        self._module_px: float | None = None  # until a sticker has been read
        self._attempts = attempts_for(None)
        self._ladder = (*self._attempts, fallback_attempt(None))
        self._least_texture = MIN_TEXTURE_LEVELS
        self._unknown: tuple[Point, ...] = ()
        self._pass_px = LEAST_PASS_PX
        self._left = self._saved = 0.0  # pixels that this look may read, and of these what searches for the unknown
        self._queue: deque[tuple[PixelBox, DecodeAttempt]] = deque()  # what that search has still to read
        self._ground: tuple[tuple[float, PixelBox], Places, Mask, Relief] | None = None  # of this look
        self._known: tuple[Places, Quads] | None = None  # where stickers lie, as they were asked about last
        self._is_busy = False
        self._rare = False
        self._before_s = float("inf")
        self._looks = self._rounds = self._fruitless = 0
        self._is_fruitful = False
        self._rescans = 0
        self._rescanned_s = taken_s
        self.started_at: float = math.inf
        self.reads: dict[Token, tuple[int, int]] = {}

    @property
    def module_px(self) -> float:
        """The usual width of a module in the full picture, or a guess."""
        return self._module_px or USUAL_MODULE_PX

    def read(self, task: SearchTask) -> SearchResult:
        """Read what has changed and rests, and what is missed where it should be."""
        frame, change = task.frame, task.change
        self._looks += 1
        self._pass_px, self._ground = max(LEAST_PASS_PX, frame.gray.size), None
        self._left = self._most_px
        self._saved = min(self._most_queued_px, self._saved + IDLE_ROWS * frame.gray.shape[1])
        self._rare = frame.taken_s - self._before_s >= RARE_RETRY_S  # then each picture is worth more work
        self._before_s = frame.taken_s
        if change.anything_moves or self._laid_upon:
            self._forget_moved(change.moving)
        self._fresh = self._commands & (change.rest_s < COMMAND_S)
        track_attempts: dict[Token, int] = {}
        tentative_attempts: dict[Token, int] = {}
        if self._looks <= self.started_at:
            read = self._start(task)
        else:
            read = self._tentative(task, tentative_attempts)
            read += self._missed(task, track_attempts)
            read += self._changed(task)
            if not change.anything_moves:
                if frame.taken_s - self._rescanned_s >= RESCAN_S:
                    self._rescanned_s = frame.taken_s
                    read += self._rescan(task)
                read += self._read_queue(frame)
        detections: list[tuple[Detection, Patch]] = []
        learned: list[Detection] = []
        for detection in read:
            box = self._grid.tile_box(detection.corners_px)
            if not self._inside[box].any() or change.is_moving(box):
                continue
            if not detection.guessed:
                learned.append(detection)
            detections.append((detection, extract_patch(frame.gray, detection.corners_px)))
        if learned:
            self._learn(frame.gray, learned)
        return SearchResult(
            detections,
            track_attempts,
            tentative_attempts,
            self._exhausted(),
            self._unknown,
            self.module_px,
            self._least_texture,
        )

    # What to read

    def _start(self, task: SearchTask) -> list[Detection]:
        """Read the whole picture by one attempt after the other, at most one a look, until nothing new is found."""
        frame = task.frame
        self._saved = self._most_queued_px
        if self._looks == 1:
            self._first(frame)
        elif not self._queue:
            self._rounds += 1
            # Where everything is busy the best ones must have their turn before the start is over.
            attempts = sorted(self._attempts, key=lambda attempt: (not attempt.sharpened, attempt.scale))
            known = task.cards.stickers_px if self._laid_upon else task.cards.faces_px
            self._seek(frame, attempts[(self._rounds - 1) % len(attempts)], known, MIN_FAINT_SHARE)
        detections = self._read_queue(frame)
        if self._looks == 1 and not detections and not self._queue:
            self._enqueue([_whole(frame)], self._attempts[0])
            detections = self._read_queue(frame)
        tracked = {track.token for track in (*task.visible, *task.unseen)} | {one.token for one in task.tentative}
        self._is_fruitful |= any(one.token not in tracked for one in detections)
        if not self._queue:
            self._fruitless = 0 if self._is_fruitful else self._fruitless + 1
            self._is_fruitful = False
        if self._fruitless >= len(self._attempts) or self._looks >= START_LOOKS:
            self.started_at = self._looks
        return detections

    def _first(self, frame: Frame) -> None:
        """Seek in a picture of which nothing is known yet."""
        criteria = SearchCriteria(self._smallest_px, FIRST_LOOK_SHARE)
        places = self._matching(criteria, frame, _whole(frame), (), self._tags)
        self._enqueue(places, self._attempts[0])

    def _tentative(self, task: SearchTask, made: dict[Token, int]) -> list[Detection]:
        """Read tentative tracks that this look has not recognised."""
        frame, ladder = task.frame, self._ladder
        detections: list[Detection] = []
        for candidate in sorted(task.tentative, key=lambda candidate: candidate.attempts):
            if candidate.taken_s >= frame.taken_s or task.change.is_moving(self._grid.tile_box(candidate.corners_px)):
                continue
            if candidate.certainty < RELIABLE_LOOKS:
                detections += self._retry(frame, candidate)
            attempt, place = ladder[candidate.attempts % len(ladder)], _expected(candidate.corners_px, frame)
            if not self._affords(place, attempt):
                continue  # it is read in the next look
            detections += self._read(frame, place, attempt).detections
            made[candidate.token] = candidate.attempts + 1
        return detections

    def _missed(self, task: SearchTask, made: dict[Token, int]) -> list[Detection]:
        """Read known stickers that are not seen where they lie."""
        frame, ladder = task.frame, self._ladder
        detections: list[Detection] = []
        for track in task.unseen:
            if track.attempts >= len(ladder):
                continue
            if any_tile(task.change.moving[self._grid.tile_box(track.corners_px)]):
                made[track.token] = 0
                continue
            left = texture(frame.gray, track.corners_px, self.module_px) / task.change.lighting.gain
            if left > HIDDEN_SHARE * track.texture:  # else something plain covers it
                attempt, place = ladder[track.attempts], _expected(track.corners_px, frame)
                if not self._affords(place, attempt):
                    continue
                detections += self._read(frame, place, attempt).detections
            made[track.token] = track.attempts + 1
        return detections

    def _changed(self, task: SearchTask) -> list[Detection]:
        """Read the tiles that have changed, or where a small thing may have been laid, and that rest, each by its next
        attempt, but not the stickers already known."""
        frame, stickers, cards = task.frame, task.cards.stickers_px, task.cards.playing
        todo = (task.change.changed | self._moved) & task.change.still & ~task.confirmed
        if not any_tile(todo):
            return []
        attempts = self._attempts
        commands = todo & self._fresh
        detections = self._command(task, commands) if any_tile(commands) else []
        todo &= ~commands & ~self._exhausted()
        if any_tile(todo):
            todo &= (self._tried < self._most_attempts) | (self._again_s <= frame.taken_s)
        if not any_tile(todo):
            return detections
        for piece, around, box in self._pieces(todo, frame):
            if self._left <= 0:
                break
            before = self._tried[piece]
            tried = int(before.min())
            last = min(tried + (len(attempts) if self._rare else 1), max(self._most_attempts, tried + 1))
            closed = ~around
            # What is busy beside the piece alone was there before.
            windows = [
                part
                for place in self._windows(frame, box, stickers, closed)
                for part in self._parts(place, self._dearest)
                if any_tile(piece[self._tiles(self._inner(part))])
            ]
            unread, waits, is_read = windows, False, False
            while not is_read and not waits and tried < last:
                results, waiting = [], list[PixelBox]()
                for place in sorted(unread, key=lambda place: self._times_tried(place, piece)):
                    attempt = self._suited(place, self._attempt(self._times_tried(place, piece)))
                    if self._affords(place, attempt):
                        results.append((place, self._read(frame, place, attempt)))
                    else:
                        waiting.append(place)  # for the next look
                detections += [detection for _, result in results for detection in result.detections]
                if not tried and any(result.unread for _, result in results):
                    last = max(last, 2)  # a code is there: most of what the first attempt misses the second reads
                # A neighbour's code explains nothing, and one place nothing of another.
                unread = [place for place, result in results if all(_is_among(d, stickers) for d in result.detections)]
                waits = bool(waiting)
                is_read = bool(windows) and not unread and not waits
                tried += 1
                self._tried[self._seen(piece, waiting, [place for place, _ in results]) if waits else piece] += 1
            spent = np.zeros_like(piece)
            spent[piece] = (before < self._most_attempts) & (self._tried[piece] >= self._most_attempts)
            spent &= ~cards
            if not is_read and any_tile(spent):
                self._likely |= spent & self._resembling(frame, box, stickers, closed)
            self._again_s[piece] = frame.taken_s + EXTRA_ATTEMPTS_S
        return detections

    def _pieces(self, todo: Mask, frame: Frame) -> Iterator[tuple[Mask, Mask, PixelBox]]:
        """What of these tiles hangs together, those with the tiles around them, and the piece of the picture that shows
        them; the smallest first. What is read once more keeps its pace beside what has just changed."""
        again = self._tried >= self._most_attempts
        for part in filter(np.any, (todo & ~again, todo & again)):
            area = dilated(part, 1) & self._inside
            count, labels, stats, _ = cv2.connectedComponentsWithStats(area.astype(np.uint8), connectivity=8)
            for label in (1 + np.argsort(stats[1:count, cv2.CC_STAT_AREA], kind="stable")).tolist():
                around = labels == label
                yield around & part, around, self._pixels(stats[label], frame)

    def _seen(self, piece: Mask, waiting: Iterable[PixelBox], read: Iterable[PixelBox]) -> Mask:
        """The tiles of a piece without those that show only places that wait."""
        seen = piece.copy()
        for place in waiting:
            seen[self._tiles(self._inner(place))] = False
        for place in read:
            tiles = self._tiles(self._inner(place))
            seen[tiles] = piece[tiles]
        return seen

    def _times_tried(self, place: PixelBox, piece: Mask) -> int:
        """How many attempts were made at a changed place: other tiles of the piece may have changed later."""
        if len(set(self._tried[piece].tolist())) == 1:
            return int(self._tried[piece][0])
        tiles = self._tiles(self._inner(place))
        here = self._tried[tiles][piece[tiles]]
        return int(here.min()) if here.size else int(self._tried[piece].min())

    def _attempt(self, tried: int) -> DecodeAttempt:
        """The attempt at a changed place after so many: of the further ones at what resembles a code, first the other
        reader's."""
        further = tried - self._most_attempts
        return (
            self._attempts[tried % len(self._attempts)]
            if further < 0
            else self._ladder[further % len(self._ladder) - 1]
        )

    def _command(self, task: SearchTask, commands: Mask) -> list[Detection]:
        """Read what rests where commands are shown, by one attempt after the other until one reads it."""
        frame, detections = task.frame, list[Detection]()
        area = dilated(commands, 1) & self._inside
        count, labels, stats, _ = cv2.connectedComponentsWithStats(area.astype(np.uint8), connectivity=8)
        for label in range(1, count):
            around = labels == label
            windows = self._windows(frame, self._pixels(stats[label], frame), task.cards.stickers_px, ~around)
            for part in chain.from_iterable(self._parts(place, self._dearest) for place in windows):
                results = (
                    self._read(frame, part, attempt).detections
                    for attempt in self._ladder
                    if self._suited(part, attempt) == attempt and self._affords(part, attempt)
                )
                detections += next((result for result in results if result), ())
        return detections

    def _rescan(self, task: SearchTask) -> list[Detection]:
        """Now and then, have everything read that looks like a sticker although nothing has changed there."""
        read_again = self._reread(task)
        if self._queue:
            return read_again  # the last time is not over
        attempts, cards = self._attempts, task.cards
        thorough, step = divmod(self._rescans, THOROUGH_RESCANS)
        self._unread(task)
        if step and self._laid_upon:  # small things close together are at the limit of one reader: first the other's
            attempt = self._attempt(self._most_attempts + self._rescans - thorough - 1)
            self._seek(task.frame, attempt, cards.faces_px, MIN_FAINT_SHARE)
        elif step:
            self._seek(task.frame, attempts[self._rescans % len(attempts)], cards.faces_px, MIN_FAINT_SHARE)
        else:  # a card has one sticker; but another card's sticker may lie on it unseen
            attempt = (ZXING[1], *attempts)[thorough % (1 + len(attempts))]
            self._seek(task.frame, attempt, cards.stickers_px, MIN_WINDOW_SHARE)
        self._rescans += 1
        return read_again

    def _unread(self, task: SearchTask) -> None:
        """Have read what resembles a code and was given up: a thing on another's face is nowhere else looked for so
        soon."""
        todo = self._likely & self._exhausted() & ~task.confirmed & ~task.cards.playing
        attempt, stickers = self._ladder[self._rescans % len(self._ladder)], task.cards.stickers_px
        for _, around, box in self._pieces(todo, task.frame):
            self._enqueue(self._windows(task.frame, box, stickers, ~around), attempt)

    def _reread(self, task: SearchTask) -> list[Detection]:
        """Read some known stickers again: their poses grow finer, and bad prints are found out."""
        read_again: list[Detection] = []
        for track in sorted(task.visible, key=lambda track: self.reads.get(track.token, (0, 0))[1])[:REREAD_LOOKS]:
            place = _expected(track.corners_px, task.frame)
            detections = self._read(task.frame, place, self._attempts[0]).detections
            hits, tries = self.reads.get(track.token, (0, 0))
            hit = any(detection.token == track.token for detection in detections)
            self.reads[track.token] = hits + hit, tries + 1
            read_again += detections
        return read_again

    def _seek(self, frame: Frame, attempt: DecodeAttempt, known: Places, share: float) -> None:
        """Have everything on the table read that looks like a sticker and does not lie in a known place; everything,
        until a sticker has been read.

        Args:
            share: How little of a sticker's usual texture is enough to look like one.
        """
        places = self._windows(frame, _whole(frame), known, self._closed, share)
        if self._module_px is not None:
            self._is_busy |= sum(map(_size, places)) > BUSY_SHARE * frame.gray.size
        self._enqueue(places, attempt)
        if self._rare and not self._is_busy and self._looks > self.started_at:  # there is time for the other reader too
            other = self._ladder[-1]
            self._enqueue([place for place in places if self._suited(place, other) == other], other)

    # How to read it

    def _enqueue(self, places: Iterable[PixelBox], attempt: DecodeAttempt) -> None:
        """Have places read as soon as there is time, in parts where they are large."""
        for place in places:
            suited = self._suited(place, attempt)
            self._queue += [(part, suited) for part in self._parts(place, suited.price)]

    def _read_queue(self, frame: Frame) -> list[Detection]:
        """Read what waits, as far as there is time for it."""
        detections: list[Detection] = []
        while self._queue and self._affords(*self._queue[0]):
            place, attempt = self._queue[0]
            price = _price(place, attempt)
            if price > self._saved and self._saved < self._most_queued_px:
                break
            self._queue.popleft()
            self._saved = max(0.0, self._saved - price)
            detections += self._read(frame, place, attempt).detections
        return detections

    @property
    def _dearest(self) -> float:
        """The price of the dearest attempt that is made at every place that has changed."""
        return max(attempt.price for attempt in self._attempts)

    @property
    def _most_px(self) -> float:
        """What may be read in this look, in pixels that are read as they are."""
        return self._most_queued_px if self._is_busy else self._pass_px * FREE_PASSES

    @property
    def _most_queued_px(self) -> float:
        """What of it may search for what nobody has just laid."""
        return self._pass_px * (FIRST_LOOK_PASSES if self._looks == 1 else LOOK_PASSES)

    def _affords(self, place: PixelBox, attempt: DecodeAttempt) -> bool:
        """Whether there is time for it in this look; for one thing there always is."""
        return _price(place, attempt) <= self._left or self._left == self._most_px

    def _suited(self, place: PixelBox, attempt: DecodeAttempt) -> DecodeAttempt:
        """The attempt, or in a place that is too large for the other reader one of the first's."""
        most_px = min((CUTOUT_MODULES * self.module_px) ** 2, self._most_px / attempt.price)
        if attempt.reader == "zxing" or _size(place) <= most_px:
            return attempt
        return self._attempts[self._rescans % len(self._attempts)]

    def _parts(self, place: PixelBox, price: float) -> list[PixelBox]:
        """A place in parts that overlap by a code, each of which a look can read at such a price for a pixel."""
        overlap = math.ceil(OVERLAP_MODULES * self.module_px)
        side = max(2 * overlap, int(math.sqrt(PART_PASSES * self._pass_px / price)))
        if _size(place) <= side**2:
            return [place]
        rows, columns = (_overlapping(span, side, overlap) for span in place)
        return [PixelBox((down, across)) for down in rows for across in columns]

    def _retry(self, frame: Frame, candidate: TentativeTrack) -> list[Detection]:
        """Guess anew which sticker lies where one was guessed to lie: its place need not be found again."""
        named = self._matcher.identify(frame.gray, candidate.corners_px) if self._matcher else None
        return [Detection(*named, guessed=True)] if named else []

    def _read(self, frame: Frame, box: PixelBox, attempt: DecodeAttempt) -> DecodeResult:
        piece = frame.gray[box]
        self._left -= _price(box, attempt)
        rows, columns = box
        top, left = rows.start, columns.start
        result = read_codes(piece, (attempt,), accepted=self._accepted, parse=self._parse, at_px=(left, top))
        believed = tuple([one for one in result.detections if not (one.guessed and self._is_unknown(one))])
        if self._unknown or result.unknown:
            right, bottom = columns.stop, rows.stop
            elsewhere = [(x, y) for x, y in self._unknown if not (left <= x < right and top <= y < bottom)]
            self._unknown = (*elsewhere, *self._on_table(result.unknown))
        return result if len(believed) == len(result.detections) else replace(result, detections=believed)

    def _windows(
        self, frame: Frame, box: PixelBox, stickers: Places, closed: Mask, share: float = MIN_WINDOW_SHARE
    ) -> list[PixelBox]:
        """Where in a piece of the picture an unknown code may lie; anywhere, until a sticker has been read.

        Args:
            closed: Tiles where nothing need be read.
        """
        if self._module_px is None:
            return [box]
        criteria = SearchCriteria(self._finest_px, share * self._share)
        return self._matching(criteria, frame, box, stickers, closed)

    def _matching(
        self, criteria: SearchCriteria, frame: Frame, box: PixelBox, stickers: Places, closed: Mask
    ) -> list[PixelBox]:
        top, left = box[0].start, box[1].start
        return [
            PixelBox((slice(top + y, top + y + tall), slice(left + x, left + x + wide)))
            for x, y, wide, tall in candidate_regions(
                self._relief(criteria.module_px, frame, box, stickers, closed), criteria
            )
        ]

    def _relief(self, module_px: float, frame: Frame, box: PixelBox, stickers: Places, closed: Mask) -> Relief:
        """How busy a piece of the picture is; of one that was read in vain that is asked twice in a look."""
        asked, known = (module_px, box), self._ground
        if known is None or known[0] != asked or known[1] is not stickers or known[2] is not closed:
            if self._known is None or self._known[0] is not stickers:
                self._known = stickers, _quads(stickers)
            (rows, columns), (places, low, high) = box, self._known[1]
            near = (high > (columns.start, rows.start)).all(1) & (low < (columns.stop, rows.stop)).all(1)
            quads = places[near] - (columns.start, rows.start)
            ground = relief(frame.gray[box], module_px, list(quads), closed[self._tiles(box)])
            known = self._ground = asked, stickers, closed, ground
        return known[3]

    def _resembling(self, frame: Frame, box: PixelBox, stickers: Places, closed: Mask) -> Mask:
        """Tiles of what has something of a code."""
        tiles = np.zeros_like(self._likely)
        if self._module_px is None:
            return tiles
        criteria = SearchCriteria(self._finest_px, MIN_MATCHING_SHARE * self._share, small=True)
        for place in self._matching(criteria, frame, box, stickers, closed):
            tiles[self._tiles(self._inner(place))] = True
        return tiles

    def _inner(self, place: PixelBox) -> PixelBox:
        """A window without half of its margin."""
        inset = round(MARGIN_MODULES * self._finest_px) // 2
        rows, columns = place
        return PixelBox(
            (slice(rows.start + inset, rows.stop - inset), slice(columns.start + inset, columns.stop - inset))
        )

    @property
    def _finest_px(self) -> float:
        """How wide a module of the finest stickers is in the full picture: playing cards may have larger ones than the
        things whose size a game tells, and be read more often."""
        return min(self.module_px, self._told_px)

    # What is remembered

    def _learn(self, gray: Gray, detections: Iterable[Detection]) -> None:
        """How stickers look that were read at rest."""
        for detection in detections:
            fine_levels = relief_levels = texture(gray, detection.corners_px, detection.module_px)
            if self._laid_upon:  # what is small and lies on another thing must not be missed
                fine_levels = usual_relief(gray, detection.corners_px, self._finest_px)
            levels = float(gray[bounds(detection.corners_px, 0.0, gray.shape)].mean())
            self._modules.append(detection.module_px)
            self._textures.append(relief_levels)
            self._shares.append(fine_levels / max(levels, 1.0))
        for remembered in (self._modules, self._textures, self._shares):
            del remembered[:-READS_REMEMBERED]
        usual_px = sorted(self._modules)[len(self._modules) // 2]
        if usual_px != self._module_px:
            if self._module_px is None:  # from now on it is known what looks like a sticker
                self._queue.clear()
            self._module_px = usual_px
            finest_px = self._finest_px
            self._attempts = attempts_for(finest_px)
            self._ladder = (*self._attempts, fallback_attempt(finest_px))
        usual = sorted(self._textures)[len(self._textures) // 5]
        self._least_texture = max(MIN_TEXTURE_LEVELS, MIN_TEXTURE_SHARE * usual)
        self._share = sorted(self._shares)[len(self._shares) // 5]

    def _forget_moved(self, tiles: Mask) -> None:
        """These tiles have moved: what was tried there counts no more, and no unknown code is known there."""
        self._tried[tiles] = 0
        if self._laid_upon:  # a small thing laid on another may look no different from afar
            self._moved = (self._moved & (self._tried < self._most_attempts)) | tiles
        self._likely[tiles] = False
        self._unknown = tuple(point for point in self._unknown if not tiles[self._tile(point)])

    @property
    def _most_attempts(self) -> int:
        """How often a place may be read before it is given up: noise differs from picture to picture."""
        return len(self._attempts) * (2 if self._rare else 1)

    def _exhausted(self) -> Mask:
        more = EXTRA_ATTEMPTS * self._likely if any_tile(self._likely) else 0
        return np.asarray((self._tried >= self._most_attempts + more) & ~self._fresh, np.bool_)

    def _is_unknown(self, detection: Detection) -> bool:
        """Whether a code that is none of ours was read there before."""
        side = math.dist(*detection.corners_px[:2])
        return any(math.dist(detection.center_px, point) < side for point in self._unknown)

    def _on_table(self, points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple(point for point in points if self._inside[self._tile(point)])

    # From one frame of reference to another

    def _tiles(self, box: PixelBox) -> TileBox:
        """The tiles that show a piece of the picture."""
        tile_px = self._grid.tile_px
        rows, columns = (slice(int(side.start / tile_px), math.ceil(side.stop / tile_px)) for side in box)
        return TileBox((rows, columns))

    def _pixels(self, stats: NDArray[np.int32], frame: Frame) -> PixelBox:
        """The piece of the picture that some tiles show, given as OpenCV's statistics of a component."""
        x, y, wide, high, _ = (float(value) for value in stats)
        height, width = frame.gray.shape
        tile_px = self._grid.tile_px
        return PixelBox(
            (
                slice(int(y * tile_px), min(height, round((y + high) * tile_px))),
                slice(int(x * tile_px), min(width, round((x + wide) * tile_px))),
            )
        )

    def _tile(self, point_px: Point) -> tuple[int, int]:
        """The row and column of the tile that shows a point of the picture."""
        rows, columns = self._inside.shape
        tile_px = self._grid.tile_px
        return min(int(point_px[1] / tile_px), rows - 1), min(int(point_px[0] / tile_px), columns - 1)


def _whole(frame: Frame) -> PixelBox:
    """The whole picture."""
    height, width = frame.gray.shape
    return PixelBox((slice(0, height), slice(0, width)))


def _expected(corners_px: Corners, frame: Frame) -> PixelBox:
    """Where a sticker is expected, with a margin."""
    return bounds(corners_px, MARGIN_SIDES, frame.gray.shape)


def _size(place: PixelBox) -> int:
    """How many pixels a place has."""
    rows, columns = place
    return int((rows.stop - rows.start) * (columns.stop - columns.start))


def _price(place: PixelBox, attempt: DecodeAttempt) -> float:
    """What an attempt costs, in pixels that are read as they are."""
    return _size(place) * attempt.price


def _overlapping(span: slice, most: int, overlap: int) -> list[slice]:
    """Rows or columns in spans that are at most so long, and overlap by so many."""
    length = span.stop - span.start
    if length <= most:
        return [span]
    count = math.ceil((length - overlap) / (most - overlap))
    step = (length - overlap) / count
    starts = [span.start + round(number * step) for number in range(count)]
    return [slice(start, min(span.stop, start + math.ceil(step) + overlap)) for start in starts]


def _is_among(detection: Detection, stickers: Places) -> bool:
    """Whether a code was read where one of these stickers lies."""
    x, y = detection.center_px
    reach = math.dist(*detection.corners_px[:2]) / 2
    return any(math.dist((x, y), meet(sticker)) < reach for sticker in stickers)


def _quads(stickers: Places) -> Quads:
    """The corners of known stickers in whole pixels, ``(n, 4, 2)``, and the least and the largest of each."""
    numbers = chain.from_iterable(chain.from_iterable(stickers))  # one by one they are taken in half the time
    quads = np.fromiter(numbers, np.float32, 8 * len(stickers)).reshape(-1, 4, 2).astype(np.int32)
    return quads, quads.min(1), quads.max(1)
