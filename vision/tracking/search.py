"""Where to read and how: places that changed and are at rest, with one decode attempt after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

import cv2
import numpy as np

from companion.public.codes import StickerCodes
from companion.public.print_sizes import CODE_MODULES
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Point, Token
from vision.camera.frame import Frame, Gray
from vision.codes.candidates import (
    MARGIN_MODULES,
    Relief,
    SearchCriteria,
    candidate_regions,
    likely_places,
    relief,
    texture,
)
from vision.codes.decoder import DecodeAttempt, DecodeResult, Detection, ParseToken, read_codes
from vision.codes.patches import Patch, extract_patch
from vision.codes.templates import template_matcher
from vision.geometry.quads import Corners, PixelBox, PixelQuads, bounds, meet
from vision.geometry.tile_grid import Mask, TileBox, TileGrid, any_tile, dilated
from vision.motion.change_maps import ChangeMaps
from vision.tracking.attempt_history import AttemptHistory, ForeignCodes
from vision.tracking.cards import VisibleCards
from vision.tracking.patient_reading import PatientReading
from vision.tracking.reading_schedule import COMMAND_PASSES, ColdStart, LookBudget, ReadingSchedule
from vision.tracking.sticker_statistics import StickerStatistics
from vision.tracking.track import RELIABLE_LOOKS, TentativeTrack, Track

MIN_WINDOW_SHARE, MIN_FAINT_SHARE, MIN_MATCHING_SHARE = 0.5, 0.4, 0.3
"""A place with less than this share of a sticker's usual texture holds none.

Texture is measured relative to brightness, so that shadows do not matter. The first is for new changes and for faces of
cards; the second for searches that leave out everything known, and so may read more; the third for the question whether
a place resembles a code.
"""

FIRST_LOOK_SHARE, UNKNOWN_SHARE = 0.2, 0.1
"""Relative to brightness, before any sticker has been read. The second is for patient reading, which begins with what
looks most like one: stickers that are nearly burnt out have little more.
"""

COMMAND_S = 3.0
"""What rests in the zone of commands is read with every attempt in every look for this long.

Commands are shown only briefly, and a missed one costs more than a missed card.
"""

HELD_S, HELD_ATTEMPTS = 0.5, 2
"""Where a hand has rested for less than this, only so many attempts are made: more would mostly be in vain, and when it
moves on, all begin again."""

MARGIN_SIDES = 0.75
"""Around a sticker's expected place, in sides of the code."""

SMALLEST_MODULE_MM = 0.7
"""The modules of the smallest stickers; those 20 mm wide have 0.8."""

THOROUGH_RESCANS = 4
"""Every nth rescan includes the faces of known cards."""

REREAD_LOOKS = 2
"""The number of known stickers that are read again with every rescan."""

HIDDEN_SHARE = 0.3
"""Below this share of a sticker's texture, reading is not tried."""


@dataclass(frozen=True, slots=True, eq=False)
class SearchTask:
    """What a look knows before it reads.

    Attributes:
        number: The look's, counted from 1 since the table was found where it is.
        cards: The cards whose stickers are visible.
        visible, unseen, tentative: From the tracker.
        confirmed: Tiles of cards that were confirmed and have not moved since, and what others have left; they need
            not be read.
    """

    number: int
    frame: Frame
    change: ChangeMaps
    cards: VisibleCards
    visible: Sequence[Track]
    unseen: Sequence[Track]
    tentative: Sequence[TentativeTrack]
    confirmed: Mask


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """The result of reading.

    Attributes:
        detections: Stickers read at rest on the table, each with its picture, turned upright.
        track_attempts, tentative_attempts: By token, the number of attempts at the places where it was missed.
        exhausted: Tiles where every attempt failed, ``(rows, columns)`` bool.
        unknown_codes: The positions of foreign codes in the full picture.
        has_read_much: Whether this took long, so that what does not hurry can wait.
    """

    detections: Sequence[tuple[Detection, Patch]]
    track_attempts: Mapping[Token, int]
    tentative_attempts: Mapping[Token, int]
    exhausted: Mask
    unknown_codes: tuple[Point, ...]
    has_read_much: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """Connected tiles to be read.

    Attributes:
        box: Their place in the full picture, with the tiles around them.
        ground: The texture there apart from known stickers; ``None`` until a sticker has been read.
    """

    tiles: Mask
    box: PixelBox
    ground: Relief | None


class Search:
    """Reads in every look what is worth reading: places that may be stickers and have attempts left.

    Args:
        accepted: The valid stickers.
        inside: The tiles that belong to the table, ``(rows, columns)`` bool.
        tags: The tiles of the corner tags.
        commands: The tiles of the zone of commands.
        px_per_mm: Of the full picture, in the middle of the table.
        parse: The token of a code's text.
        shapes: The pieces that are not playing cards; they may lie on other pieces.

    Attributes:
        statistics: How stickers look in this picture.
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
        self._accepted = accepted
        self._parse = parse
        self._matcher = template_matcher(accepted)
        self._grid = grid
        self._inside = inside
        self._tags = tags
        self._commands = commands
        self._closed = np.asarray(tags | ~inside, np.bool_)
        self._smallest_px = SMALLEST_MODULE_MM * px_per_mm
        self._things_overlap = bool(shapes)
        codes_mm = [shape.code_mm for shape in shapes.values()]
        self.statistics = StickerStatistics(min(codes_mm) / CODE_MODULES * px_per_mm if codes_mm else None)
        self._schedule = ReadingSchedule(self.statistics, taken_s)
        self._start = ColdStart()
        self._history = AttemptHistory(grid)
        self._foreign = ForeignCodes(grid, inside)
        self._patient = PatientReading(grid, self._closed)

    @property
    def started_at(self) -> float:
        """The number of the last look of the cold start, once it is known; counted from 1."""
        return self._start.ended_at

    def read(self, task: SearchTask) -> SearchResult:
        """Read what has changed and is at rest, and known stickers that are missed."""
        frame, change = task.frame, task.change
        is_starting = task.number <= self.started_at
        self._schedule.begin_look(frame, is_starting=is_starting)
        self._history.forget(change.moving, self._schedule.usual_attempts)
        if change.anything_moves:
            self._foreign.forget(change.moving)
            self._patient.forget(change.moving)
        track_attempts: dict[Token, int] = {}
        tentative_attempts: dict[Token, int] = {}
        if is_starting:
            read = self._read_whole(task)
        else:
            read = self._tentative(task, tentative_attempts)
            read += self._missed(task, track_attempts)
            read += self._changed(task)
            can_wait = not self._schedule.budget.spent_px and not any_tile(self._shown(change) & change.changed)
            if not change.anything_moves:
                read += self._read_queue(frame)
                if self._schedule.take_rescan(frame.taken_s):  # what it queues is for the next looks
                    read += self._reread(task)
                    self._rescan(task)
                elif can_wait and not change.hand_in_view:
                    read += self._read_patiently(task)
        at_rest = [one for one in read if self._lies(one, change)]
        detections = [(one, extract_patch(frame.gray, one.corners_px)) for one in at_rest]
        if decoded := [one for one in at_rest if not one.guessed]:
            if not self.statistics.known:
                self._patient.begin_anew()
            self.statistics.learn(frame.gray, decoded)
        exhausted = self._history.exhausted(self._schedule.usual_attempts) & ~self._shown(change)
        return SearchResult(
            detections,
            track_attempts,
            tentative_attempts,
            exhausted,
            self._foreign.centers_px,
            self._schedule.budget.has_read_much(),
        )

    def read_again(self, shown: Mask) -> None:
        """These tiles show more than before: every attempt is made again."""
        self._history.forget(shown, self._schedule.usual_attempts)
        self._patient.read_again(shown)

    def _lies(self, detection: Detection, change: ChangeMaps) -> bool:
        """Whether a sticker rests on the table."""
        box = self._grid.tile_box(detection.corners_px)
        return any_tile(self._inside[box]) and not change.is_moving(box)

    def _shown(self, change: ChangeMaps) -> Mask:
        """The tiles where a command may just have been shown."""
        return self._commands & (change.rest_s < COMMAND_S)

    # What to read

    def _read_whole(self, task: SearchTask) -> list[Detection]:
        """Read the whole picture with one attempt after the other, at most one per look, until nothing new is found."""
        frame, schedule, statistics = task.frame, self._schedule, self.statistics
        whole, first = _whole(frame), statistics.attempts[0]
        if task.number == 1:
            criteria = SearchCriteria(self._smallest_px, FIRST_LOOK_SHARE)
            ground = self._relief(frame, whole, PixelQuads.of(()), self._tags, self._smallest_px)
            schedule.enqueue(_places(whole, ground, criteria), first)
            if not schedule.is_short:
                return []
        elif schedule.is_idle:
            known = task.cards.stickers_px if self._things_overlap else task.cards.faces_px
            attempt = self._start.next_attempt(statistics.for_large_places)
            schedule.enqueue_search(self._seek(frame, known, MIN_FAINT_SHARE), attempt)
        detections = self._read_queue(frame)
        if task.number == 1 and not detections and schedule.is_idle:
            schedule.enqueue([whole], first)
            detections = self._read_queue(frame)
        tracked = {track.token for track in (*task.visible, *task.unseen)} | {one.token for one in task.tentative}
        found_new = any(one.token not in tracked for one in detections)
        self._start.note(task.number, found_new=found_new, is_round_over=schedule.is_idle)
        return detections

    def _tentative(self, task: SearchTask, made: dict[Token, int]) -> list[Detection]:
        """Read tentative tracks that this look has not recognised."""
        frame, attempts = task.frame, self.statistics.all_attempts
        detections: list[Detection] = []
        for candidate in sorted(task.tentative, key=lambda candidate: candidate.attempts):
            if candidate.taken_s >= frame.taken_s or task.change.is_moving(self._grid.tile_box(candidate.corners_px)):
                continue
            if candidate.certainty < RELIABLE_LOOKS:
                detections += self._guess_again(frame, candidate)
            attempt = attempts[candidate.attempts % len(attempts)]
            result = self._read_if_affordable(frame, _expected(candidate.corners_px, frame), attempt)
            if result is not None:
                detections += result.detections
                made[candidate.token] = candidate.attempts + 1
        return detections

    def _guess_again(self, frame: Frame, candidate: TentativeTrack) -> list[Detection]:
        """Guess again which sticker lies at a known place."""
        named = self._matcher.identify(frame.gray, candidate.corners_px) if self._matcher else None
        return [Detection(*named, guessed=True)] if named else []

    def _missed(self, task: SearchTask, made: dict[Token, int]) -> list[Detection]:
        """Read known stickers that are not visible in their places."""
        frame, attempts = task.frame, self.statistics.all_attempts
        detections: list[Detection] = []
        for track in task.unseen:
            if track.attempts >= len(attempts):
                continue
            box = self._grid.tile_box(track.corners_px)
            if any_tile(task.change.moving[box]):
                made[track.token] = 0
                continue
            left = texture(frame.gray, track.corners_px, self.statistics.module_px) / task.change.lighting.gain
            if left > HIDDEN_SHARE * track.texture:  # otherwise something plain covers it
                place = _expected(track.corners_px, frame)
                result = self._read_if_affordable(frame, place, attempts[track.attempts])
                if result is None:
                    continue
                detections += result.detections
            made[track.token] = track.attempts + 1
        return detections

    def _changed(self, task: SearchTask) -> list[Detection]:
        """Read the tiles that have changed and rest, each with its next attempt, without the known stickers."""
        history, usual = self._history, self._schedule.usual_attempts
        todo = task.change.changed
        if self._things_overlap:  # a small piece laid on another may not show in the small picture
            todo = todo | history.unsettled
        todo = todo & task.change.still & ~task.confirmed
        if not any_tile(todo):
            return []
        commands = todo & self._shown(task.change)
        detections = self._command(task, commands) if any_tile(commands) else []
        held = _held(task.change) & history.spent(HELD_ATTEMPTS)
        todo = history.due(todo & ~commands & ~held, usual, task.frame.taken_s)
        if self._schedule.budget.is_spent() or not any_tile(todo):
            return detections
        spent = history.spent(usual)
        for tiles in (todo & ~spent, todo & spent):  # repeated reading keeps its own pace beside new changes
            for piece in self._pieces(task, tiles):
                detections += self._read_piece(task, piece)
                if self._schedule.budget.is_spent():
                    return detections
        return detections

    def _read_piece(self, task: SearchTask, piece: _Piece) -> list[Detection]:
        """Read every place in a changed piece that may hold a code, each with its next attempt."""
        frame, history, schedule = task.frame, self._history, self._schedule
        usual, at_once = schedule.usual_attempts, 1
        if schedule.pictures_are_rare:
            is_held = any_tile(piece.tiles & _held(task.change))
            at_once = HELD_ATTEMPTS if is_held else len(self.statistics.attempts)
        tried = history.least_tries(piece.tiles)
        last = min(tried + at_once, usual) if tried < usual else tried + 1
        spent = history.spent(usual)
        # Texture only beside the piece was there before.
        places = [part for part in self._parts(piece) if any_tile(piece.tiles[self._core(part)])]
        detections: list[Detection] = []
        unread, waits, is_read = places, False, False
        while not is_read and not waits and tried < last:
            results, waits = self._read_places(frame, unread, piece)
            detections += [one for _, result in results for one in result.detections]
            if not tried and any(result.unread for _, result in results):
                last = max(last, 2)  # a code is there, and the second attempt reads most of what the first misses
            # A code in one place does not explain the texture of another.
            stickers = task.cards.stickers_px
            unread = [place for place, result in results if all(_is_among(d, stickers) for d in result.detections)]
            is_read = bool(places) and not unread and not waits
            tried += 1
        newly_spent = piece.tiles & history.spent(usual) & ~spent & ~task.cards.playing
        if not is_read and any_tile(newly_spent):
            history.add_resembling(newly_spent & self._resembling(piece))
        history.postpone(piece.tiles, frame.taken_s)
        return detections

    def _read_places(
        self, frame: Frame, places: Sequence[PixelBox], piece: _Piece
    ) -> tuple[list[tuple[PixelBox, DecodeResult]], bool]:
        """Read these places in a piece, each with its next attempt, those with the fewest attempts first.

        Returns:
            What was read where, and whether any place waits for the next look.
        """
        read: list[tuple[PixelBox, DecodeResult]] = []
        waiting: list[TileBox] = []
        tries = [(self._history.tries_at(self._core(place), piece.tiles), place) for place in places]
        for before, place in sorted(tries, key=itemgetter(0)):
            attempt = self._schedule.suited(place, self._attempt_after(before))
            result = self._read_if_affordable(frame, place, attempt)
            if result is None:
                waiting.append(self._core(place))
            else:
                read.append((place, result))
        self._history.add_attempt(piece.tiles, [self._core(place) for place, _ in read], waiting)
        return read, bool(waiting)

    def _parts(self, piece: _Piece) -> list[PixelBox]:
        """Places in and around a piece where an unknown code may lie, in parts that any attempt can read in a look."""
        dearest = max(attempt.price for attempt in self.statistics.attempts)
        windows = self._windows(piece.box, piece.ground)
        return [part for place in windows for part in self._schedule.parts(place, dearest)]

    def _attempt_after(self, tried: int) -> DecodeAttempt:
        """The attempt at a changed place after this many."""
        attempts, usual = self.statistics.attempts, self._schedule.usual_attempts
        if tried >= usual:
            attempts, tried = self.statistics.second_round, tried - usual
        return attempts[tried % len(attempts)]

    def _command(self, task: SearchTask, commands: Mask) -> list[Detection]:
        """Read what rests in the zone of commands, with one attempt after the other until one succeeds, each look with
        another first. This has a budget of its own: neither does it wait for other changes, nor they for it."""
        frame, detections, budget = task.frame, list[Detection](), LookBudget(task.frame.gray.size, COMMAND_PASSES)
        unread = [part for piece in self._pieces(task, commands) for part in self._parts(piece)]
        attempts, first = self.statistics.attempts, task.number % len(self.statistics.attempts)
        for attempt in (*attempts[first:], *attempts[:first], self.statistics.other_reader):
            for part in tuple(unread):
                if self._schedule.suited(part, attempt) != attempt or not budget.affords(part, attempt):
                    continue
                budget.spend(part, attempt)
                if found := self._decode(frame.gray[part], part, attempt).detections:
                    detections += found
                    unread.remove(part)
        return detections

    def _reread(self, task: SearchTask) -> list[Detection]:
        """Read some known stickers again: this refines their poses and reveals bad prints."""
        read_again: list[Detection] = []
        reads = self.statistics.reads
        for track in sorted(task.visible, key=lambda track: reads.get(track.token, (0, 0))[1])[:REREAD_LOOKS]:
            place = _expected(track.corners_px, task.frame)
            detections = self._read(task.frame, place, self.statistics.attempts[0]).detections
            self.statistics.note_reread(track.token, hit=any(one.token == track.token for one in detections))
            read_again += detections
        return read_again

    def _rescan(self, task: SearchTask) -> None:
        """From time to time, queue everything that looks like a sticker, although nothing has changed there."""
        schedule, statistics, frame, cards = self._schedule, self.statistics, task.frame, task.cards
        if not schedule.is_idle:
            return  # the last rescan is not finished
        self._rescan_given_up(task)
        thorough, step = divmod(schedule.rescans, THOROUGH_RESCANS)
        attempts = statistics.for_large_places
        if step:  # begin with what the start had no time for
            known, share, turn = cards.faces_px, MIN_FAINT_SHARE, schedule.rescans - thorough - 1 + self._start.rounds
            if self._things_overlap:  # small pieces close together are at the limit of one reader
                attempts = *attempts, statistics.other_reader
        else:  # a card has one sticker, but another card's may lie on it unnoticed
            known, share, turn = cards.stickers_px, MIN_WINDOW_SHARE, thorough
        schedule.enqueue_rescan(self._seek(frame, known, share), attempts[turn % len(attempts)])

    def _rescan_given_up(self, task: SearchTask) -> None:
        """Queue places that resemble a code and were given up: on another piece's face they are searched nowhere else
        so soon.
        """
        given_up = self._history.given_up(self._schedule.usual_attempts) & ~self._shown(task.change)
        attempts = self.statistics.all_attempts
        attempt = attempts[self._schedule.rescans % len(attempts)]
        for piece in self._pieces(task, given_up & ~task.confirmed & ~task.cards.playing):
            self._schedule.enqueue(self._windows(piece.box, piece.ground), attempt)

    # How to read it

    def _read_queue(self, frame: Frame) -> list[Detection]:
        """Read from the queue what this look has time for."""
        detections: list[Detection] = []
        for place, attempt in self._schedule.take_due():
            detections += self._read(frame, place, attempt).detections
        return detections

    def _read_patiently(self, task: SearchTask) -> list[Detection]:
        """Read what was read in vain, with what this look has to spare."""
        frame, patient = task.frame, self._patient
        patient.note_rest(task.change.changed)
        if patient.is_refill_due(frame.taken_s):
            likely_px = partial(self._likely_px, task)
            patient.refill(likely_px, task.confirmed, self.statistics.finest_px, frame.gray.shape, frame.taken_s)
        detections: list[Detection] = []
        for place, piece, attempt in patient.take_due(frame.gray, frame.taken_s, self._schedule.budget):
            if self._foreign.any_in(place):  # it would be read again and again, and a worse look would forget it
                continue
            result = self._decode(piece, place, attempt)
            for one in result.detections:
                patient.note_read(one.corners_px)
            detections += result.detections
        return detections

    def _likely_px(self, task: SearchTask, spent: Mask, most: int) -> list[Point]:
        """The middles of places outside of these tiles that look most like an unread sticker, at most so many."""
        frame, statistics, whole = task.frame, self.statistics, _whole(task.frame)
        foreign_px = self._foreign.squares_px(CODE_MODULES * statistics.module_px)
        known = PixelQuads.of([*task.cards.faces_px, *foreign_px])
        if statistics.known:
            sought = statistics.criteria(MIN_MATCHING_SHARE)
        else:
            sought = SearchCriteria(self._smallest_px, UNKNOWN_SHARE)
        ground = self._relief(frame, whole, known, spent, sought.module_px)
        return likely_places(ground, sought, statistics.usual_level, most)

    def _read_if_affordable(self, frame: Frame, box: PixelBox, attempt: DecodeAttempt) -> DecodeResult | None:
        """Read a place; ``None`` if this look has no time for it."""
        return self._read(frame, box, attempt) if self._schedule.budget.affords(box, attempt) else None

    def _read(self, frame: Frame, box: PixelBox, attempt: DecodeAttempt) -> DecodeResult:
        self._schedule.budget.spend(box, attempt)
        result = self._decode(frame.gray[box], box, attempt)
        self._patient.note_located(result.unread)
        return result

    def _decode(self, piece: Gray, box: PixelBox, attempt: DecodeAttempt) -> DecodeResult:
        at_px = box[1].start, box[0].start
        result = read_codes(piece, (attempt,), accepted=self._accepted, parse=self._parse, at_px=at_px)
        doubted = [one for one in result.detections if one.guessed and self._foreign.is_at(one)]
        self._foreign.note(box, result.unknown)
        if doubted:
            result = replace(result, detections=tuple([one for one in result.detections if one not in doubted]))
        return result

    # Where an unknown code may lie

    def _seek(self, frame: Frame, known_px: Sequence[Corners], share: float) -> list[PixelBox]:
        """Places on the table that look like a sticker, and are neither known nor a foreign code.

        Args:
            share: The least share of a sticker's usual texture.
        """
        whole = _whole(frame)
        foreign_px = self._foreign.squares_px(CODE_MODULES * self.statistics.module_px)
        known = PixelQuads.of([*known_px, *foreign_px])
        return self._windows(whole, self._relief_of_codes(frame, whole, known, self._closed), share)

    def _windows(self, box: PixelBox, ground: Relief | None, share: float = MIN_WINDOW_SHARE) -> list[PixelBox]:
        """Places in a piece of the picture where an unknown code may lie; all of it until a sticker has been read."""
        return [box] if ground is None else _places(box, ground, self.statistics.criteria(share))

    def _resembling(self, piece: _Piece) -> Mask:
        """Tiles of places that resemble a code."""
        tiles = np.zeros_like(self._inside)
        if piece.ground is not None:
            for place in _places(piece.box, piece.ground, self.statistics.criteria(MIN_MATCHING_SHARE, small=True)):
                tiles[self._core(place)] = True
        return tiles

    def _relief_of_codes(self, frame: Frame, box: PixelBox, known: PixelQuads, closed: Mask) -> Relief | None:
        """The texture of a piece of the picture at the scale of the finest stickers; ``None`` until one was read."""
        statistics = self.statistics
        return self._relief(frame, box, known, closed, statistics.finest_px) if statistics.known else None

    def _relief(self, frame: Frame, box: PixelBox, known: PixelQuads, closed: Mask, module_px: float) -> Relief:
        """The texture of a piece of the picture.

        Args:
            known: Places that need not be read.
            closed: Tiles that need not be read.
        """
        return relief(frame.gray[box], module_px, known.within(box), closed[self._grid.tiles_of(box)])

    def _pieces(self, task: SearchTask, tiles: Mask) -> Iterator[_Piece]:
        """The connected parts of these tiles, smallest first."""
        if not any_tile(tiles):
            return
        area = dilated(tiles, 1) & self._inside
        count, labels, stats, _ = cv2.connectedComponentsWithStats(area.astype(np.uint8), connectivity=8)
        for label in (1 + np.argsort(stats[1:count, cv2.CC_STAT_AREA], kind="stable")).tolist():
            left, top, wide, high, _ = stats[label].tolist()
            tile_box = TileBox((slice(top, top + high), slice(left, left + wide)))
            box = self._grid.pixels_of(tile_box, task.frame.gray.shape)
            around = labels == label
            yield _Piece(
                around & tiles, box, self._relief_of_codes(task.frame, box, task.cards.stickers, np.asarray(~around))
            )

    def _core(self, place: PixelBox) -> TileBox:
        """The tiles of a place without half of its margin."""
        inset = round(MARGIN_MODULES * self.statistics.finest_px) // 2
        rows, columns = (slice(side.start + inset, side.stop - inset) for side in place)
        return self._grid.tiles_of(PixelBox((rows, columns)))


def _places(box: PixelBox, ground: Relief, criteria: SearchCriteria) -> list[PixelBox]:
    """Places in a piece of the picture where a code may lie."""
    top, left = box[0].start, box[1].start
    return [
        PixelBox((slice(top + y, top + y + tall), slice(left + x, left + x + wide)))
        for x, y, wide, tall in candidate_regions(ground, criteria)
    ]


def _held(change: ChangeMaps) -> Mask:
    """The tiles where a hand has just come to rest."""
    return change.hand & (change.rest_s < HELD_S)


def _whole(frame: Frame) -> PixelBox:
    height, width = frame.gray.shape
    return PixelBox((slice(0, height), slice(0, width)))


def _expected(corners_px: Corners, frame: Frame) -> PixelBox:
    """Where a sticker is expected, with a margin."""
    return bounds(corners_px, MARGIN_SIDES, frame.gray.shape)


def _is_among(detection: Detection, stickers: Sequence[Corners]) -> bool:
    """Whether a code was read where one of these stickers lies."""
    x, y = detection.center_px
    reach = math.dist(*detection.corners_px[:2]) / 2
    return any(math.dist((x, y), meet(sticker)) < reach for sticker in stickers)
