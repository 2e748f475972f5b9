"""Which stickers lie on the table: confirmed after two agreeing looks, gone only when their place is seen empty.

A sticker that is not visible is hidden, not gone. What hides it may be a hand (then its place is frozen), another card
(then it lies under that card), or nothing: only then, and only after several looks in a row, has it left the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np

from companion.public.layout import Layout
from companion.public.table import Placement, TableState, Token, Zone
from vision.codes.decoder import Detection
from vision.codes.patches import PATCH_PX, Patch
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, Points, center, corners, near
from vision.tracking.track import RELIABLE_LOOKS, StickerPose, TentativeTrack, Track, TrackState

CONFIRMING_LOOKS = 2
"""Agreeing looks that confirm a sticker."""

AGREE_MM, AGREE_DEG = 1.0, 3.0
"""Two looks agree if the sticker has moved by less; a card carried slowly moves more between pictures."""

SAME_PLACE_MM, SAME_PLACE_DEG = 2.5, 3.0
"""A sticker read again this near its place has not been moved: a pile under it may have grown."""

FORGET_S = 1.5
"""How long a single look counts."""

GONE_LOOKS, GONE_S = 3, 0.4
"""A place must be seen empty in this many looks in a row and for this long."""

COVERED_S = 3.0
"""If an empty place is covered for longer than this before it is certain, it may only have seemed empty."""

LEFT_REPORTED_S = 30.0
"""How long a sticker that has left the table is reported."""

COVERED_BEFORE = 3
"""A card may have been confirmed this many looks before the sticker under it was missed."""

CODE_MM = 16.8
"""The code of a 20 mm sticker; remembered stickers are identified by place, not by size."""


_Fact = tuple[StickerPose, Zone | None, Token | None]


def came_upon(other: Track, track: Track) -> bool:
    """Whether a piece over a sticker's place came there after the sticker, and hid it.

    What was remembered when the eye started has no look that laid it: it is known to lie under the other. What was
    there in the first picture came upon nothing that was seen since.
    """
    if track.under == other.token:
        return True
    if other.there_first and track.laid:
        return False
    return other.laid > track.laid and other.laid >= track.hidden_since - COVERED_BEFORE


class Visibility(Enum):
    """The result of one look at a known sticker's place."""

    VISIBLE = auto()
    OCCLUDED = auto()
    VACANT = auto()


@dataclass(slots=True)
class Tracker:
    """All lying stickers, and tentative ones: the memory shared by the stages of a look.

    Only the observer uses it.

    Attributes:
        tracks: By token.
        tentative: By token.
        duplicates: Tokens that also lie in a second place, with that place.
        left_s: Stickers that left the table lately, and when their places were first seen empty.
    """

    layout: Layout
    tracks: dict[Token, Track] = field(default_factory=dict)
    tentative: dict[Token, TentativeTrack] = field(default_factory=dict)
    duplicates: dict[Token, TentativeTrack] = field(default_factory=dict)
    left_s: dict[Token, float] = field(default_factory=dict)
    _vacated: list[Corners] = field(default_factory=list)
    _facts: list[_Fact] = field(default_factory=list)
    _placements: dict[_Fact, Placement] = field(default_factory=dict)
    _table: TableState = field(default_factory=TableState)

    def visible(self) -> list[Track]:
        state = TrackState.VISIBLE
        return [track for track in self.tracks.values() if track.state is state]

    def unseen(self) -> list[Track]:
        """The lying stickers that are not visible."""
        state = TrackState.VISIBLE
        return [track for track in self.tracks.values() if track.state is not state]

    def update(self, detection: Detection, patch: Patch, geometry: Geometry, number: int, taken_s: float) -> None:
        """A sticker was read at rest in look ``number``."""
        corners_mm = geometry.to_mm(detection.corners_px)
        track = self.tracks.get(detection.token)
        if track and near(track.pose.corners_mm, corners_mm, SAME_PLACE_MM, SAME_PLACE_DEG):
            self._refine(track, detection.corners_px, corners_mm, patch, geometry, number)
            return
        second = self.duplicates.get(detection.token)
        if second and near(second.corners_mm, corners_mm, SAME_PLACE_MM, SAME_PLACE_DEG):
            second.patch, second.corners_px, second.corners_mm = patch, detection.corners_px, corners_mm
            return
        if detection.guessed and track and track.state is TrackState.VISIBLE:
            return  # it is visible elsewhere: a wrong guess
        before = self.tentative.get(detection.token)
        looks, certainty = 1, 1 if detection.guessed else RELIABLE_LOOKS
        if before and near(before.corners_mm, corners_mm, AGREE_MM, AGREE_DEG):
            looks = before.looks + (before.number < number)
            certainty = max(certainty, before.certainty + certainty * (before.read < number))
        self.tentative[detection.token] = TentativeTrack(
            detection.token, detection.corners_px, corners_mm, patch, number, taken_s, number, certainty, looks
        )

    def corroborate(self, candidate: TentativeTrack, number: int, taken_s: float) -> None:
        """A tentative track was seen again, unmoved."""
        if number > candidate.number:
            candidate.looks, candidate.number = candidate.looks + 1, number
            if candidate.certainty >= RELIABLE_LOOKS:  # otherwise it is read again, and dropped if that fails
                candidate.taken_s, candidate.attempts = taken_s, 0

    def forget(self, taken_s: float) -> None:
        """Drop tentative tracks that no look has seen for a while."""
        for token in [t for t, candidate in self.tentative.items() if taken_s - candidate.taken_s > FORGET_S]:
            del self.tentative[token]

    def confirm(self, number: int, lies: Callable[[TentativeTrack], bool]) -> list[Track]:
        """Turn tentative tracks with enough looks into tracks, if look ``number`` shows them; returns the new ones.

        What an earlier look showed may have been in a hand that has left since.

        Args:
            lies: Called for each; a card held over the table waits, and is checked again.
        """
        laid = []
        for token, candidate in list(self.tentative.items()):
            if candidate.number < number or candidate.looks < CONFIRMING_LOOKS:
                continue
            if candidate.certainty < RELIABLE_LOOKS or not lies(candidate):
                continue
            del self.tentative[token]
            old = self.tracks.get(token)
            if old and old.state is TrackState.VISIBLE:
                self.duplicates[token] = candidate
                continue
            laid.append(self._lay(candidate, number))
        return laid

    def mark(self, track: Track, visibility: Visibility, number: int, taken_s: float) -> bool:
        """Apply the result of one look to a track; returns whether it has left the table with this look."""
        if visibility is Visibility.VISIBLE:
            if track.state is not TrackState.VISIBLE:
                track.seen_since = number
            track.state, track.under, track.attempts = TrackState.VISIBLE, None, 0
            track.empty_looks, track.first_empty_s = 0, None
            return False
        if track.state is TrackState.VISIBLE:
            track.state, track.hidden_since = TrackState.OCCLUDED, number
        if visibility is Visibility.OCCLUDED:
            track.empty_looks = 0
            return False
        if not track.empty_looks:
            track.empty_since_s = taken_s
        if track.first_empty_s is None or taken_s - track.last_empty_s > COVERED_S:
            track.first_empty_s = taken_s
        track.last_empty_s = taken_s
        track.empty_looks += 1
        empty_s = taken_s - track.empty_since_s
        if track.empty_looks < GONE_LOOKS or (empty_s < GONE_S and not math.isclose(empty_s, GONE_S)):
            return False  # five looks a second, not a rounding, give three in that time
        self.remove(track.token)
        self.left_s[track.token] = track.first_empty_s
        return True

    def left_lately(self, taken_s: float) -> dict[Token, float]:
        """Stickers that left the table lately, and when their place was first seen empty."""
        for token, left_s in list(self.left_s.items()):
            if token in self.tracks or taken_s - left_s >= LEFT_REPORTED_S:
                del self.left_s[token]
        return dict(self.left_s)

    def remove(self, token: Token) -> None:
        """A sticker has left its place, and what lay under it is uncovered."""
        track = self.tracks.pop(token)
        track.state = TrackState.GONE
        self._vacated.append(track.corners_px)
        for other in self.tracks.values():
            if other.under == token:
                other.under = None

    def mark_covered(self, track: Track, covers: Iterable[Track]) -> None:
        """A hidden sticker lies under the nearest of the cards that were laid over its place since."""
        if track.under in self.tracks:
            return
        above = [
            (math.dist(other.center_mm, track.center_mm), other.token) for other in covers if came_upon(other, track)
        ]
        if above:
            track.under = min(above)[1]

    def take_vacated(self) -> Sequence[Corners]:
        """The places in the picture that stickers have left since the last call."""
        vacated, self._vacated = self._vacated, []
        return vacated

    def table(self) -> TableState:
        """The lying stickers; the same object as long as nothing changes."""
        facts = [(track.pose, track.zone, track.under) for track in self.tracks.values()]
        if facts != self._facts:
            self._facts = facts
            # Each pose object belongs to one sticker, so unchanged placements are reused.
            before, now = self._placements, zip(facts, self.tracks.values(), strict=True)
            self._placements = {fact: before.get(fact) or track.placement() for fact, track in now}
            self._table = TableState(frozenset(self._placements.values()))
        return self._table

    def remember(self, table: TableState) -> None:
        """Start with what lay there before; it has not been seen yet."""
        for placement in table.placements:
            turn = math.radians(placement.rotation_deg)
            spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
            square = CODE_MM / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ spin
            at = placement.x_mm, placement.y_mm
            corners_mm = square + np.array(at)
            nothing = np.zeros((PATCH_PX, PATCH_PX), np.float32)
            zone = self.layout.zone_at(*at)
            self.tracks[placement.token] = Track(
                placement.token,
                corners(corners_mm),
                StickerPose(corners_mm),
                nothing,
                zone,
                at,
                0,
                TrackState.OCCLUDED,
                under=placement.under,
            )

    def reproject(self, geometry: Geometry) -> None:
        """The camera was moved: the cards were not, but they are elsewhere in the picture."""
        for second in self.duplicates.values():
            second.corners_px = corners(geometry.to_px(second.corners_mm))
        for track in self.tracks.values():
            track.corners_px = corners(geometry.to_px(track.pose.corners_mm))
            track.state, track.attempts, track.empty_looks = TrackState.OCCLUDED, 0, 0
            track.first_empty_s = None
            track.before = track.around = None
        self.tentative.clear()

    def _lay(self, candidate: TentativeTrack, number: int) -> Track:
        if candidate.token in self.tracks:
            self.remove(candidate.token)
        x, y = center(candidate.corners_mm)
        track = Track(
            candidate.token,
            candidate.corners_px,
            StickerPose(candidate.corners_mm),
            candidate.patch,
            self.layout.zone_at(x, y),
            (x, y),
            number,
            seen_since=number,
        )
        self.tracks[candidate.token] = track
        return track

    def _refine(
        self, track: Track, corners_px: Corners, corners_mm: Points, patch: Patch, geometry: Geometry, number: int
    ) -> None:
        """A sticker was read again in its place: refine its pose, or move it if it was nudged."""
        before_mm = track.pose.corners_mm
        if near(before_mm, corners_mm, AGREE_MM, AGREE_DEG):
            track.reads = min(track.reads + 1, 16)
            track.pose = StickerPose(before_mm + (corners_mm - before_mm) / track.reads)
            track.corners_px = corners(geometry.to_px(track.pose.corners_mm))
        else:
            track.reads, track.pose, track.corners_px = 1, StickerPose(corners_mm), corners_px
            track.patch, track.seen_since = patch, number
            if math.dist(track.center_mm, track.zoned_mm) > SAME_PLACE_MM:
                track.zoned_mm = track.center_mm
                track.zone = self.layout.zone_at(*track.zoned_mm)
                track.before = None  # that was elsewhere
        if track.state is not TrackState.VISIBLE:
            track.patch, track.seen_since = patch, number
        track.state, track.under, track.empty_looks, track.attempts = TrackState.VISIBLE, None, 0, 0
        track.first_empty_s = None
        self.tentative.pop(track.token, None)
