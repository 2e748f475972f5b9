"""Where to read and how: the places that changed and rest, each climbing the ladder one rung a look."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.table import Point, Token
from vision.camera.frame import Frame, Gray
from vision.codes.candidates import MIN_TEXTURE_LEVELS, SearchCriteria, candidate_regions, texture
from vision.codes.decoder import (
    DecodeAttempt,
    DecodeResult,
    Detection,
    attempts_for,
    fallback_attempt,
    moved,
    read_codes,
)
from vision.codes.templates import template_matcher
from vision.geometry.quads import Corners, bounds
from vision.geometry.tile_grid import Mask
from vision.motion.detector import dilated
from vision.tracking.track import TentativeTrack

WORK_PX = 9_000_000
"""Enlarged pixels that may be read in one look; the rest waits for the next. A whole picture is read at the start."""

WHOLE_PX = 56_000_000
"""A whole picture is not enlarged beyond this."""

MIN_TEXTURE_SHARE = 0.25
"""A place with less than this share of a sticker's usual relief holds none."""

MIN_WINDOW_SHARE, MIN_FAINT_SHARE, MIN_MATCHING_SHARE = 0.5, 0.4, 0.3
"""The same, with relief measured as a share of the brightness, so that shadows do not count: for what has just changed
or may be a card's face; where everything known is left out, so that little is read in vain; and for what is only asked
whether it resembles a code."""

FIRST_LOOK_SHARE = 0.2
"""A share of the brightness, before any sticker has been read."""

RARE_RETRY_S = 0.1
"""Pictures farther apart than this may each climb the whole ladder."""

EXTRA_ATTEMPTS, EXTRA_ATTEMPTS_S = 3, 0.4
"""What resembles a code is read so many times more, so far apart: focus and light may be finding themselves."""

EXHAUSTED_ATTEMPTS = 99
"""More rungs than any ladder has."""

MARGIN_SIDES = 0.75
"""Around a sticker's expected place, in sides of the code."""

Box = tuple[slice, slice]
Places = tuple[Corners, ...]


class ReadScheduler:
    """Knows how stickers look in this picture, and which places have been read in vain.

    Args:
        tile_px: A tile's width in the full picture.
    """

    def __init__(self, accepted: frozenset[Token], inside: Mask, tile_px: float) -> None:
        self._accepted = accepted
        self._book = template_matcher(accepted)
        self._inside = inside
        self._tile_px = tile_px
        self._tried: NDArray[np.int16] = np.zeros(inside.shape, np.int16)
        self._likely: Mask = np.zeros(inside.shape, np.bool_)
        self._again_s: NDArray[np.float64] = np.zeros(inside.shape)
        self._reliefs: list[float] = []
        self._modules: list[float] = []
        self._shares: list[float] = []
        self._share = 0.0
        self.module_px: float | None = None
        """The usual width of a module; ``None`` until a sticker has been read."""
        self.rungs: tuple[DecodeAttempt, ...] = attempts_for(None)
        """The ladder for stickers of this size."""
        self.least_relief = MIN_TEXTURE_LEVELS
        """Below this a place holds no sticker."""
        self.foreign: tuple[Point, ...] = ()
        self._left = 0
        self._rare = False
        self._before_s = float("inf")

    @property
    def exhausted(self) -> Mask:
        """Tiles where every rung has been tried in vain."""
        return np.asarray(self._tried >= self._climbs + EXTRA_ATTEMPTS * self._likely, np.bool_)

    def start(self, taken_s: float) -> None:
        """Begin a look. Where pictures are rare, each is worth more work."""
        self._left = WORK_PX
        self._rare = taken_s - self._before_s >= RARE_RETRY_S
        self._before_s = taken_s

    @property
    def _climbs(self) -> int:
        """How many rungs a place may climb before it is given up: noise differs from picture to picture."""
        return len(self.rungs) * (2 if self._rare else 1)

    def refresh(self, tiles: Mask) -> None:
        """These tiles have moved: what was tried there counts no more, and no foreign code is known there."""
        self._tried[tiles] = 0
        self._likely[tiles] = False
        self.foreign = tuple(point for point in self.foreign if not tiles[self._tile(point)])

    def close(self, tiles: Mask) -> None:
        """Nothing more need be read here until it moves again."""
        self._tried[tiles] = EXHAUSTED_ATTEMPTS

    def learn(self, gray: Gray, sighting: Detection) -> None:
        """How a sticker looks that was read at rest."""
        self._modules = [*self._modules[-63:], sighting.module_px]
        self._reliefs = [*self._reliefs[-63:], texture(gray, sighting.corners_px, sighting.module_px)]
        self.module_px = sorted(self._modules)[len(self._modules) // 2]
        self.rungs = attempts_for(self.module_px)
        usual = sorted(self._reliefs)[len(self._reliefs) // 5]
        self.least_relief = max(MIN_TEXTURE_LEVELS, MIN_TEXTURE_SHARE * usual)
        levels = float(gray[bounds(sighting.corners_px, 0.0, gray.shape)].mean())
        self._shares = [*self._shares[-63:], self._reliefs[-1] / max(levels, 1.0)]
        self._share = sorted(self._shares)[len(self._shares) // 5]

    def first(self, frame: Frame, module_px: float, closed: Mask) -> list[Detection]:
        """Read a picture of which nothing is known yet.

        Args:
            module_px: The width of a module of the smallest stickers.
        """
        whole = slice(0, frame.gray.shape[0]), slice(0, frame.gray.shape[1])
        places = self._like(SearchCriteria(module_px, FIRST_LOOK_SHARE), frame, whole, (), closed)
        return self._read_all(frame, places, self.rungs[0]) or list(self.whole(frame, self.rungs[0]))

    def whole(self, frame: Frame, rung: DecodeAttempt) -> tuple[Detection, ...]:
        """Read the whole picture, where stickers are of unknown size."""
        if frame.gray.size * rung.scale**2 > WHOLE_PX:
            return ()
        reading = read_codes(frame.gray, (rung,), accepted=self._accepted)
        self.foreign = self._nearby(reading.foreign)
        return reading.sightings

    def changed(self, frame: Frame, todo: Mask, known: Places, cards: Mask) -> list[Detection]:
        """Read the tiles that have changed and rest, each by its next rung, but not the stickers already known.

        Args:
            cards: Known cards; what resembles a code there is their faces.
        """
        if not todo.any():
            return []
        rungs = self.rungs
        waiting = (self._tried >= self._climbs) & (self._again_s > frame.taken_s)
        todo = todo & ~self.exhausted & ~waiting
        if not todo.any():
            return []
        found: list[Detection] = []
        area = dilated(todo, 1) & self._inside
        count, labels, stats, _ = cv2.connectedComponentsWithStats(area.astype(np.uint8), connectivity=8)
        order = sorted(range(1, count), key=lambda label: int(stats[label, cv2.CC_STAT_AREA]))
        for label in order:
            around = labels == label
            piece, box = around & todo, self._pixels(stats[label], frame)
            tried = int(self._tried[piece].min())
            if self._left < 0:
                break
            last = min(tried + (len(rungs) if self._rare else 1), max(self._climbs, tried + 1))
            here: list[Detection] = []
            places = self._windows(frame, box, known, ~around)
            while not here and tried < last and self._left >= 0:
                readings = [self._read(frame, place, rungs[tried % len(rungs)]) for place in places]
                here = [sighting for reading in readings for sighting in reading.sightings]
                if not tried and any(reading.unread for reading in readings):
                    last = max(last, 2)  # a code is there: most of what the first rung misses the second reads
                tried += 1
                self._tried[piece] += 1
            if not here and tried == self._climbs and (piece & ~cards).any():
                self._likely |= piece & ~cards & self._resembling(frame, box, known, ~around)
            self._again_s[piece] = frame.taken_s + EXTRA_ATTEMPTS_S
            found += here
        return found

    def _resembling(self, frame: Frame, box: Box, known: Places, closed: Mask) -> Mask:
        """Tiles of what has something of a code."""
        tiles = np.zeros_like(self._likely)
        if self.module_px is None:
            return tiles
        margin = round(12 * self.module_px)
        sought = SearchCriteria(self.module_px, MIN_MATCHING_SHARE * self._share, small=True)
        for rows, columns in self._like(sought, frame, box, known, closed):
            inner = slice(rows.start + margin // 2, rows.stop - margin // 2)
            tiles[self._tiles((inner, slice(columns.start + margin // 2, columns.stop - margin // 2)))] = True
        return tiles

    def _tiles(self, box: Box) -> Box:
        rows, columns = (slice(int(side.start / self._tile_px), math.ceil(side.stop / self._tile_px)) for side in box)
        return rows, columns

    def place(self, frame: Frame, corners_px: Corners, rung: DecodeAttempt) -> tuple[Detection, ...]:
        """Read where a sticker is expected."""
        box = bounds(corners_px, MARGIN_SIDES, frame.gray.shape)
        return self._read(frame, box, rung).sightings

    def again(self, frame: Frame, guess: TentativeTrack) -> tuple[Detection, ...]:
        """Guess anew who lies where somebody was guessed to lie: nobody need find the place again."""
        named = self._book.name(frame.gray, guess.corners_px) if self._book else None
        return (Detection(*named, guessed=True),) if named else ()

    def beat(
        self, frame: Frame, rung: DecodeAttempt, known: Places, closed: Mask, share: float = MIN_WINDOW_SHARE
    ) -> list[Detection]:
        """Read everything that looks like a sticker and is not known.

        Args:
            closed: Tiles where nobody need look.
            share: How little of a sticker's usual relief is enough to look like one.
        """
        if self.module_px is None:
            return list(self.whole(frame, rung))
        height, width = frame.gray.shape
        places = self._windows(frame, (slice(0, height), slice(0, width)), known, closed, share)
        found = self._read_all(frame, places, rung)
        if self._rare:  # there is time for the other reader too
            found += self._read_all(frame, places, fallback_attempt(self.module_px))
        return found

    def _read_all(self, frame: Frame, places: Iterable[Box], rung: DecodeAttempt) -> list[Detection]:
        return [sighting for place in places for sighting in self._read(frame, place, rung).sightings]

    def _windows(
        self, frame: Frame, box: Box, known: Places, closed: Mask, share: float = MIN_WINDOW_SHARE
    ) -> list[Box]:
        """Where in a piece of the picture an unknown code may lie; anywhere, until a sticker has been read."""
        if self.module_px is None:
            return [box]
        return self._like(SearchCriteria(self.module_px, share * self._share), frame, box, known, closed)

    def _like(self, sought: SearchCriteria, frame: Frame, box: Box, known: Places, closed: Mask) -> list[Box]:
        top, left = box[0].start, box[1].start
        places, low, high = _quads(known)
        near = (high > (left, top)).all(1) & (low < (box[1].stop, box[0].stop)).all(1)
        quads = places[near] - (left, top)
        shut = closed[self._tiles(box)]
        return [
            (slice(top + y, top + y + tall), slice(left + x, left + x + wide))
            for x, y, wide, tall in candidate_regions(frame.gray[box], sought, list(quads), shut)
        ]

    def _read(self, frame: Frame, box: Box, rung: DecodeAttempt) -> DecodeResult:
        piece = frame.gray[box]
        self._left -= piece.size * rung.scale**2
        top, left = box[0].start, box[1].start
        reading = moved(read_codes(piece, (rung,), accepted=self._accepted), left, top)
        believed = tuple(one for one in reading.sightings if not (one.guessed and self._known_foreign(one)))
        reading = replace(reading, sightings=believed)
        elsewhere = tuple((x, y) for x, y in self.foreign if not (left <= x < box[1].stop and top <= y < box[0].stop))
        self.foreign = elsewhere + self._nearby(reading.foreign)
        return reading

    def _known_foreign(self, sighting: Detection) -> bool:
        """Whether a code that is none of ours was read there before."""
        side = math.dist(*sighting.corners_px[:2])
        return any(math.dist(sighting.center_px, point) < side for point in self.foreign)

    def _pixels(self, stats: NDArray[np.int32], frame: Frame) -> Box:
        x, y, wide, high, _ = (float(value) for value in stats)
        height, width = frame.gray.shape
        return (
            slice(int(y * self._tile_px), min(height, round((y + high) * self._tile_px))),
            slice(int(x * self._tile_px), min(width, round((x + wide) * self._tile_px))),
        )

    def _nearby(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """Those that lie on the table."""
        return tuple(point for point in points if self._inside[self._tile(point)])

    def _tile(self, point: Point) -> tuple[int, int]:
        """The row and column of the tile that shows a point of the picture."""
        rows, columns = self._inside.shape
        return min(int(point[1] / self._tile_px), rows - 1), min(int(point[0] / self._tile_px), columns - 1)


@lru_cache(maxsize=4)
def _quads(known: Places) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """The corners of known stickers in whole pixels, ``(n, 4, 2)``, and the least and the largest of each."""
    quads = np.asarray(known, np.float32).reshape(-1, 4, 2).astype(np.int32)
    return quads, quads.min(1), quads.max(1)
