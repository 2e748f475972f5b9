"""Which stickers lie on the table: there after two agreeing looks, gone only when seen through.

A sticker that cannot be seen is hidden, not gone. What hides it may be a hand (then its place is
frozen), another card (then it lies under that card), or nothing: only then, and only after several
looks in a row, has it left the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np

from companion.public.layout import Layout
from companion.public.table import Placement, TableState, Token
from vision.codes.decoder import Detection
from vision.codes.patches import PATCH_PX, Patch
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, Points, center, corners, near
from vision.tracking.track import RELIABLE_LOOKS, TentativeTrack, Track

CONFIRMING_LOOKS = 2
"""Agreeing looks that make a sticker lie."""

AGREE_MM, AGREE_DEG = 1.0, 3.0
"""Two looks agree when the sticker has moved by less; a card carried slowly moves more from picture to picture."""

SAME_PLACE_MM, SAME_PLACE_DEG = 2.5, 3.0
"""A sticker read again so near its place has not been moved: a pile under it may have grown."""

FORGET_S = 1.5
"""A single look counts for so long."""

GONE_LOOKS, GONE_S = 3, 0.4
"""A place must be seen through, empty, in so many looks in a row and for so long."""

COVERED_BEFORE = 3
"""A card may have been confirmed so many looks before the sticker under it was missed."""

CARD_REACH_MM = 95.0
"""No part of a card is farther from its sticker."""

CODE_MM = 16.8
"""The code of a 20 mm sticker; what is remembered is known by its place, not by its size."""


class Visibility(Enum):
    """What one look says about a known sticker's place."""

    SEEN = auto()
    HIDDEN = auto()
    EMPTY = auto()


@dataclass(slots=True)
class Tracker:
    """All stickers that are held to lie, and those that may.

    Attributes:
        tracks: By token.
        candidates: By token.
        twins: Tokens that lie in a second place too.
        left: Places that stickers have left, until somebody has taken note.
    """

    layout: Layout
    tracks: dict[Token, Track] = field(default_factory=dict)
    candidates: dict[Token, TentativeTrack] = field(default_factory=dict)
    twins: dict[Token, TentativeTrack] = field(default_factory=dict)
    left: list[Corners] = field(default_factory=list)
    _said: list[Placement] = field(default_factory=list)
    _table: TableState = field(default_factory=TableState)

    def sighted(self, sighting: Detection, patch: Patch, geometry: Geometry, number: int, taken_s: float) -> None:
        """A sticker was read at rest."""
        corners_mm = geometry.to_mm(sighting.corners_px)
        track = self.tracks.get(sighting.token)
        if track and near(track.corners_mm, corners_mm, SAME_PLACE_MM, SAME_PLACE_DEG):
            self._again(track, sighting.corners_px, corners_mm, patch, geometry)
            return
        twin = self.twins.get(sighting.token)
        if twin and near(twin.corners_mm, corners_mm, SAME_PLACE_MM, SAME_PLACE_DEG):
            twin.patch, twin.corners_px, twin.corners_mm = patch, sighting.corners_px, corners_mm
            return
        if sighting.guessed and track and track.seen:
            return  # it is seen elsewhere: a wrong guess
        before = self.candidates.get(sighting.token)
        looks, sure = 1, 1 if sighting.guessed else RELIABLE_LOOKS
        if before and near(before.corners_mm, corners_mm, AGREE_MM, AGREE_DEG):
            looks = before.looks + (before.number < number)
            sure = max(sure, before.sure + sure * (before.read < number))
        self.candidates[sighting.token] = TentativeTrack(
            sighting.token, sighting.corners_px, corners_mm, patch, number, taken_s, number, sure, looks
        )

    def agreed(self, candidate: TentativeTrack, number: int, taken_s: float) -> None:
        """A candidate was seen again, unmoved."""
        if number > candidate.number:
            candidate.looks, candidate.number = candidate.looks + 1, number
            if candidate.sure >= RELIABLE_LOOKS:  # else it is read again, and forgotten if that leads to nothing
                candidate.taken_s, candidate.tried = taken_s, 0

    def forget(self, taken_s: float) -> None:
        """Drop candidates that nobody has seen for a while."""
        for token in [t for t, candidate in self.candidates.items() if taken_s - candidate.taken_s > FORGET_S]:
            del self.candidates[token]

    def settle(self, number: int) -> list[Track]:
        """Turn candidates with enough looks into tracks; gives those that have just been laid."""
        laid = []
        for token in [
            t for t, one in self.candidates.items() if one.looks >= CONFIRMING_LOOKS and one.sure >= RELIABLE_LOOKS
        ]:
            candidate = self.candidates.pop(token)
            old = self.tracks.get(token)
            if old and old.seen:
                self.twins[token] = candidate
                continue
            laid.append(self._lay(candidate, number))
        return laid

    def judge(self, track: Track, sight: Visibility, number: int, taken_s: float) -> bool:
        """Take one look at a track into account; true when it has left the table by it."""
        if sight is Visibility.SEEN:
            track.seen, track.under, track.tried = True, None, 0
            track.empty_looks = 0
            return False
        if track.seen:
            track.seen, track.hidden_since = False, number
        if sight is Visibility.HIDDEN:
            track.empty_looks = 0
            return False
        if not track.empty_looks:
            track.empty_since_s = taken_s
        track.empty_looks += 1
        if track.empty_looks < GONE_LOOKS or taken_s - track.empty_since_s < GONE_S:
            return False
        self.lift(track.token)
        return True

    def lift(self, token: Token) -> None:
        """A sticker has left its place; its twin, if any, is then the one that lies."""
        self.left.append(self.tracks.pop(token).corners_px)
        self._uncover(token)

    def cover(self, track: Track, upon: Iterable[Track]) -> None:
        """A hidden sticker lies under the nearest of the cards that came to lie upon its place since."""
        if track.under in self.tracks:
            return
        above = [
            (math.dist(other.center_mm, track.center_mm), other.token)
            for other in upon
            if other.laid >= track.hidden_since - COVERED_BEFORE
        ]
        if above:
            track.under = min(above)[1]

    def table(self) -> TableState:
        """What is held to lie; the same value as long as nothing changes."""
        placements = [track.placement() for track in self.tracks.values()]
        if len(placements) != len(self._said) or any(a is not b for a, b in zip(placements, self._said, strict=True)):
            self._said, self._table = placements, TableState(frozenset(placements))
        return self._table

    def remember(self, table: TableState) -> None:
        """Hold what lay there before; nobody sees it yet."""
        for placement in table.placements:
            turn = math.radians(placement.rotation_deg)
            spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
            square = CODE_MM / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ spin
            at = placement.x_mm, placement.y_mm
            corners_mm = square + np.array(at)
            nothing, place = np.zeros((PATCH_PX, PATCH_PX), np.float32), corners(corners_mm)
            zone = self.layout.zone_at(*at)
            self.tracks[placement.token] = Track(
                placement.token, place, corners_mm, nothing, zone, at, 0, seen=False, under=placement.under
            )

    def follow(self, geometry: Geometry) -> None:
        """The camera was moved: the cards were not."""
        for twin in self.twins.values():
            twin.corners_px = corners(geometry.to_px(twin.corners_mm))
        for track in self.tracks.values():
            track.corners_px = corners(geometry.to_px(track.corners_mm))
            track.seen, track.tried, track.empty_looks = False, 0, 0
            track.beneath = None
        self.candidates.clear()

    def _lay(self, candidate: TentativeTrack, number: int) -> Track:
        if candidate.token in self.tracks:
            self.lift(candidate.token)
        x, y = center(candidate.corners_mm)
        track = Track(
            candidate.token,
            candidate.corners_px,
            candidate.corners_mm,
            candidate.patch,
            self.layout.zone_at(x, y),
            (x, y),
            number,
        )
        self.tracks[candidate.token] = track
        return track

    def _again(self, track: Track, corners_px: Corners, corners_mm: Points, patch: Patch, geometry: Geometry) -> None:
        """Read anew at its own place: know its pose better, or follow it if it was nudged."""
        if near(track.corners_mm, corners_mm, AGREE_MM, AGREE_DEG):
            track.reads = min(track.reads + 1, 16)
            track.corners_mm = track.corners_mm + (corners_mm - track.corners_mm) / track.reads
            track.corners_px = corners(geometry.to_px(track.corners_mm))
        else:
            track.reads, track.corners_mm, track.corners_px = 1, corners_mm, corners_px
            track.patch = patch
            if math.dist(track.center_mm, track.zoned_mm) > SAME_PLACE_MM:
                track.zoned_mm = track.center_mm
                track.zone = self.layout.zone_at(*track.zoned_mm)
                track.beneath = None  # that was elsewhere
        if not track.seen:
            track.patch = patch
        track.seen, track.under, track.empty_looks, track.tried = True, None, 0, 0
        self.candidates.pop(track.token, None)

    def _uncover(self, token: Token) -> None:
        for other in self.tracks.values():
            if other.under == token:
                other.under = None
