"""From frames to looks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from companion.public.layout import Layout
from companion.public.table import Observation, Point, TableState, Token, ViewLost
from vision.camera.frame import Frame
from vision.codes.decoder import ZXING, DecodeAttempt, Detection, fallback_attempt, second_reader
from vision.codes.patches import SAME_STICKER_CORRELATION, UNMOVED_CORRELATION, correlation, extract_patch
from vision.codes.payload import MODULES
from vision.codes.templates import template_matcher
from vision.geometry.homography import Geometry, locate
from vision.geometry.quads import Corners
from vision.geometry.tile_grid import inside, tile_grid
from vision.messages import ViewQuality
from vision.motion.detector import ChangeDetector, ChangeMaps, dilated
from vision.tracking.camera_shift import CameraShiftDetector
from vision.tracking.occlusion import OcclusionReasoner
from vision.tracking.search import MIN_FAINT_SHARE, ReadScheduler
from vision.tracking.track import RELIABLE_LOOKS
from vision.tracking.tracker import Tracker, Visibility
from vision.tracking.view_quality import measure_view

START_LOOKS = 9
"""The first looks read the whole picture until no rung finds anything new; so many at most."""

SMALLEST_MM = 0.7
"""The modules of the smallest stickers: of those 20 mm wide they have 0.8."""

RESCAN_S = 2.0
"""While nothing moves, everything that looks like a sticker is read so often."""

THOROUGH_RESCANS = 4
"""Every so many of these, the faces of known cards are searched too."""

FOLLOW_S = 1.0
"""The usual look of the table follows slow drifts of the light so often."""

TURN_S = 2.0
"""Every known sticker is looked at so often although nothing happens near it."""

REREAD_LOOKS = 2
"""With every beat so many known stickers are read again."""

REST_S = 0.6
"""What changed, rests and says nothing becomes the usual look of the table after so long."""

HIDDEN_SHARE = 0.3
"""Nothing is read where less than this share of a sticker's relief is left."""

MOVES_SHARE = 0.5
"""When more of its place moves, a sticker moves."""

READ_S = 2.0
"""What has changed and rests may be read for so long; then nothing readable is there."""

LIT_SHARE = 0.7
"""When so many stickers are where they were although everything looks different, the light has changed."""


class Survey:
    """Keeps what is known about the picture: its usual look, its noise, how stickers look in it."""

    def __init__(
        self, frame: Frame, geometry: Geometry, layout: Layout, accepted: frozenset[Token], presence: Tracker
    ) -> None:
        self._geometry = geometry
        self._layout = layout
        self._presence = presence
        self._grid = tile_grid(frame)
        within = inside(geometry, layout, self._grid)
        width, height = geometry.size_mm
        self._motion = ChangeDetector(within, self._grid.tile_px / geometry.px_per_mm(width / 2, height / 2))
        self._attention = ReadScheduler(accepted, within, self._grid.tile_px)
        self._evidence = OcclusionReasoner(self._grid, geometry, presence, self._motion, self._attention)
        self._looks = self._quiet = 0
        self._started = math.inf  # the number of the last look of the start, once it is over
        self._beats = 0
        self._beat_s = self._followed_s = self._turned_s = frame.taken_s
        self._turn = 0.0
        self._reads: dict[Token, tuple[int, int]] = {}
        self._bands: list[float] = []

    @property
    def foreign(self) -> tuple[Point, ...]:
        """Codes on the table that are none of ours, in pixels."""
        return self._attention.foreign

    def reading(self, stir: ChangeMaps) -> bool:
        """Whether something that changed lies at rest, uncovered, and may still be read; false again by itself."""
        if not self._presence.candidates and not stir.changed.any():
            return False
        unread = stir.changed & stir.still & ~self._attention.exhausted
        if unread.any():
            unread &= ~dilated(stir.hand, 1)
        unread |= self._grid.mask(candidate.corners_px for candidate in self._presence.candidates.values())
        return bool(unread.any()) and not self._motion.rests(READ_S)[unread].all()

    def stir(self, frame: Frame) -> ChangeMaps:
        """What stirs; once for every frame, before it is read."""
        return self._motion.stir(frame.lores, frame.taken_s, self._evidence.seen()[2])

    def read(self, frame: Frame, stir: ChangeMaps, number: int) -> None:
        """Bring what is known up to this frame."""
        self._looks += 1
        self._attention.start(frame.taken_s)
        self._attention.refresh(stir.moving)
        if stir.flooded:
            self._relight(frame)
        self._recall(frame, stir, number)
        self._settle(frame, number)
        for sighting in self._sightings(frame, stir):
            self._sighted(frame, sighting, stir, number)
        self._presence.forget(frame.taken_s)
        self._settle(frame, number)
        self._evidence.judge(frame, stir, number)
        if self._presence.left:
            self._motion.doubt(self._grid.mask(self._presence.left))
            self._presence.left.clear()
        self._usual(frame, stir)

    def health(self, frame: Frame) -> ViewQuality | None:
        """How well the table can be seen; ``None`` until it has been read."""
        if self._looks <= self._started:
            return None
        tracks = self._presence.tracks
        sides = [math.dist(t.corners_mm[0], t.corners_mm[1]) for t in tracks.values() if t.seen]
        module_mm = sorted(sides)[len(sides) // 2] / MODULES if sides else 20 / 25
        bands = sorted(self._bands)[len(self._bands) // 2] if self._bands else 0.0
        return measure_view(frame, self._geometry, self._layout, tracks, module_mm, self._reads, bands)

    def _recall(self, frame: Frame, stir: ChangeMaps, number: int) -> None:
        """Look whether known stickers still lie where they lay; no decoding."""
        stirred = stir.moving | stir.changed
        tracks = list(self._presence.tracks.values())
        near = [False] * len(tracks)
        if stirred.any():
            near = self._grid.any_of(stirred, tuple([track.corners_px for track in tracks]))
        turn = self._whose_turn(len(tracks), frame.taken_s)
        for index, track in enumerate(tracks):
            if track.seen and not near[index] and index not in turn:
                continue
            if correlation(track.patch, extract_patch(frame.gray, track.corners_px)) >= SAME_STICKER_CORRELATION:
                self._presence.judge(track, Visibility.SEEN, number, frame.taken_s)
            elif track.seen:
                self._presence.judge(track, Visibility.HIDDEN, number, frame.taken_s)
        for candidate in self._presence.candidates.values():
            if self._moves(stir, candidate.corners_px):
                continue
            if correlation(candidate.patch, extract_patch(frame.gray, candidate.corners_px)) >= UNMOVED_CORRELATION:
                self._presence.agreed(candidate, number, frame.taken_s)
        for token, twin in list(self._presence.twins.items()):
            here = correlation(twin.patch, extract_patch(frame.gray, twin.corners_px)) >= SAME_STICKER_CORRELATION
            if not here and not stir.moving[self._grid.tiles(twin.corners_px)].any():
                del self._presence.twins[token]

    def _whose_turn(self, count: int, taken_s: float) -> set[int]:
        """Which of so many known stickers are looked at now although nothing happens near them."""
        before, self._turn = self._turn, self._turn + count * min(1.0, (taken_s - self._turned_s) / TURN_S)
        self._turned_s = taken_s
        return {index % count for index in range(int(before), int(self._turn))}

    def _settle(self, frame: Frame, number: int) -> None:
        for track in self._presence.settle(number):
            track.relief = self._evidence.relief(frame, track)
            if self._looks > self._started + 1:
                track.beneath = self._evidence.beneath(track)
            self._attention.close(self._evidence.card(track))

    def _sightings(self, frame: Frame, stir: ChangeMaps) -> list[Detection]:
        """Read what has changed and rests, and what is missed where it should be."""
        rungs = self._attention.rungs
        every = (*rungs, fallback_attempt(self._attention.module_px))
        if self._looks <= self._started:
            return self._start(frame)
        found: list[Detection] = []
        for candidate in self._presence.candidates.values():
            seen = candidate.taken_s >= frame.taken_s
            if not seen and not self._moves(stir, candidate.corners_px):
                if candidate.sure < RELIABLE_LOOKS:
                    found += self._attention.again(frame, candidate)
                found += self._attention.place(frame, candidate.corners_px, every[candidate.tried % len(every)])
                candidate.tried += 1
        for track in self._presence.tracks.values():
            if track.seen or track.tried >= len(every):
                continue
            if stir.moving[self._grid.tiles(track.corners_px)].any():
                track.tried = 0
            else:
                if self._evidence.relief(frame, track) > HIDDEN_SHARE * track.relief:  # else something plain covers it
                    found += self._attention.place(frame, track.corners_px, every[track.tried])
                track.tried += 1
        places, _, cards = self._evidence.seen()
        found += self._attention.changed(frame, stir.changed & stir.still, places, cards)
        if not stir.moving.any() and frame.taken_s - self._beat_s >= RESCAN_S:
            self._beat_s = frame.taken_s
            deep, beat = divmod(self._beats, THOROUGH_RESCANS)
            if beat:
                found += self._unknown(frame, rungs[self._beats % len(rungs)])
            else:  # a card has one sticker; but another card's sticker may lie on it unseen
                rung = (ZXING[1], *rungs)[deep % (1 + len(rungs))]
                found += self._attention.beat(frame, rung, places, self._evidence.tags | ~self._motion.inside)
            found += self._reread(frame)
            self._beats += 1
        return found

    def _start(self, frame: Frame) -> list[Detection]:
        """Read the whole picture by one rung after the other until nothing new is found."""
        rungs = self._attention.rungs
        if self._looks == 1:
            width, height = self._geometry.size_mm
            module_px = SMALLEST_MM * self._geometry.px_per_mm(width / 2, height / 2)
            found = self._attention.first(frame, module_px, self._evidence.tags)
        else:
            self._evidence.outline()
            found = self._unknown(frame, rungs[(self._looks - 1) % len(rungs)])
        known = {*self._presence.tracks, *self._presence.candidates}
        self._quiet = 0 if any(sighting.token not in known for sighting in found) else self._quiet + 1
        if self._quiet >= len(rungs) or self._looks >= START_LOOKS:
            self._started = self._looks
        return found

    def _unknown(self, frame: Frame, rung: DecodeAttempt) -> list[Detection]:
        """Read everything that looks like a sticker, be it faint, but not what lies on cards that are known."""
        known = self._evidence.faces() or self._evidence.seen()[0]
        closed = self._evidence.tags | ~self._motion.inside
        return self._attention.beat(frame, rung, known, closed, MIN_FAINT_SHARE)

    def _reread(self, frame: Frame) -> list[Detection]:
        """Read some known stickers again: their poses grow finer, and bad prints are found out."""
        seen = [track for track in self._presence.tracks.values() if track.seen]
        found: list[Detection] = []
        for track in sorted(seen, key=lambda track: self._reads.get(track.token, (0, 0))[1])[:REREAD_LOOKS]:
            sightings = self._attention.place(frame, track.corners_px, self._attention.rungs[0])
            hits, tries = self._reads.get(track.token, (0, 0))
            hit = any(sighting.token == track.token for sighting in sightings)
            self._reads[track.token] = hits + hit, tries + 1
            found += sightings
        return found

    def _sighted(self, frame: Frame, sighting: Detection, stir: ChangeMaps, number: int) -> None:
        if not self._motion.inside[self._grid.tiles(sighting.corners_px)].any():
            return
        if self._moves(stir, sighting.corners_px):
            return
        if not sighting.guessed:
            self._attention.learn(frame.gray, sighting)
        patch = extract_patch(frame.gray, sighting.corners_px)
        self._presence.sighted(sighting, patch, self._geometry, number, frame.taken_s)

    def _moves(self, stir: ChangeMaps, corners_px: Corners) -> bool:
        """Whether a sticker moves; the edge of a shadow that passes over it stirs only some of its tiles."""
        return bool(stir.moving[self._grid.tiles(corners_px)].mean() > MOVES_SHARE)

    def _usual(self, frame: Frame, stir: ChangeMaps) -> None:
        """Let what rests and has been read become the usual look."""
        if stir.changed.any():
            ready = stir.changed & self._motion.rests(REST_S)
            if ready.any():
                ready &= self._attention.exhausted | self._evidence.seen()[2]
                waiting = self._grid.mask(candidate.corners_px for candidate in self._presence.candidates.values())
                self._motion.accept(ready & ~dilated(stir.hand | waiting, 1))
        if frame.taken_s - self._followed_s < FOLLOW_S:
            return
        self._followed_s = frame.taken_s
        if not stir.hand.any():
            self._bands = [*self._bands[-6:], self._motion.bands()]
        self._motion.follow(stir.still & ~stir.changed)
        if not stir.moving.any() and self._looks > self._started:
            self._evidence.learn(stir)

    def _relight(self, frame: Frame) -> None:
        """Most of the table looks different though nothing moves: if the stickers are all still there, it is light."""
        tracks = [track for track in self._presence.tracks.values() if track.seen]
        same = sum(
            correlation(track.patch, extract_patch(frame.gray, track.corners_px)) >= SAME_STICKER_CORRELATION
            for track in tracks
        )
        if same >= LIT_SHARE * len(tracks):
            self._motion.relight()


EYESIGHT_LEVELS = 3.0
"""Where the brightness of a picture spreads (sigma) by less, nothing in it can be read."""

SEEK_TABLE_S = 0.3
"""The table is sought so often while it is lost: finding tags takes longer than a look."""


def observe_frames(frames: Iterable[Frame], layout: Layout, accepted: frozenset[Token]) -> Iterator[Observation]:
    """A look for every frame.

    Args:
        accepted: The tokens that count; all other codes are foreign.
    """
    observer = Observer(layout, accepted)
    for frame in frames:
        yield observer.observe(frame)


class Observer:
    """Looks at one frame after the other and remembers the table.

    Args:
        remembered: What lay there when another observer stopped looking.
    """

    def __init__(self, layout: Layout, accepted: frozenset[Token], remembered: TableState | None = None) -> None:
        self._layout = layout
        self._accepted = frozenset(accepted)
        template_matcher(self._accepted)  # made now, not in the middle of a look,
        second_reader()  # and loaded
        self._number = 0
        self._presence = Tracker(layout)
        if remembered is not None:
            self._presence.remember(remembered)
        self._mount: CameraShiftDetector | None = None
        self._survey: Survey | None = None
        self._sought_s = -math.inf

    @property
    def geometry(self) -> Geometry | None:
        """Where the table lies in the picture, once its tags were found."""
        return self._mount.geometry if self._mount else None

    @property
    def presence(self) -> Tracker:
        """What is held to lie on the table."""
        return self._presence

    def observe(self, frame: Frame) -> Observation:
        """One look."""
        self._number += 1
        _, spread = cv2.meanStdDev(frame.lores[::16])  # enough rows to tell a picture from the dark
        if float(np.ravel(spread)[0]) < EYESIGHT_LEVELS:
            return self._blind(frame, ViewLost.DARK)
        if self._survey is None and not self._found(frame):
            return self._blind(frame, ViewLost.TABLE)
        assert self._survey is not None
        assert self._mount is not None
        stir = self._survey.stir(frame)
        if not self._mount.holds(frame, stir):
            self._survey = None
            return self._blind(frame, ViewLost.TABLE)
        self._survey.read(frame, stir, self._number)
        return Observation(
            self._number,
            frame.taken_s,
            self._presence.table(),
            settled=not stir.moving.any(),
            hand_in_view=bool(stir.hand.any()),
            pending=self._survey.reading(stir),
            unknown_codes=len(self._survey.foreign),
            duplicates=frozenset(self._presence.twins),
        )

    def health(self, frame: Frame) -> ViewQuality | None:
        """How well the table can be seen in a frame; ``None`` while it is not found."""
        if self._mount is None or self._survey is None:
            return None
        return self._survey.health(frame)

    def _found(self, frame: Frame) -> bool:
        """Seek the table, not in every frame."""
        if frame.taken_s - self._sought_s < SEEK_TABLE_S:
            return False
        self._sought_s = frame.taken_s
        geometry = locate(frame.gray, self._layout.size_mm)
        if geometry is None:
            return False
        if self._mount is not None and not self._mount.calm(geometry):
            return False
        self._presence.follow(geometry)
        self._mount = CameraShiftDetector(frame, geometry)
        self._survey = Survey(frame, geometry, self._layout, self._accepted, self._presence)
        return True

    def _blind(self, frame: Frame, lost: ViewLost) -> Observation:
        return Observation(self._number, frame.taken_s, self._presence.table(), settled=False, lost=lost)
