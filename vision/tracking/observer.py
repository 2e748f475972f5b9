"""From frames to observations."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.layout import Layout
from companion.public.print_sizes import CARD_MM, CODE_MODULES
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Observation, TableState, Token, UnreadPlace, ViewLost
from vision.camera.frame import TILE_PX, Frame
from vision.codes.candidates import texture
from vision.codes.decoder import ParseToken, second_reader
from vision.codes.mirrored import shows_a_mirrored_table
from vision.codes.resemblance import code_likeness
from vision.codes.templates import template_matcher
from vision.geometry.homography import Geometry, locate
from vision.geometry.quads import Corners, center, corners
from vision.geometry.tile_grid import (
    Mask,
    SmallBox,
    SmallMask,
    TileBox,
    any_tile,
    commands_shown,
    dilated,
    inside,
    tags_shown,
    tile_grid,
)
from vision.messages import ViewQuality
from vision.motion.background import Background, Lesson
from vision.motion.bare_table import local_light
from vision.motion.change_maps import ChangeMaps
from vision.motion.detector import ChangeDetector
from vision.tracking.burnt_out import BurntOut
from vision.tracking.camera_shift import CameraShiftDetector
from vision.tracking.cards import NEVER, CardLocator, VisibleCards
from vision.tracking.earlier_view import EarlierView
from vision.tracking.lying import FirstSizes, fits_plane
from vision.tracking.occlusion import Evidence, Explain, explain, note_bared, rim_contrast, surroundings
from vision.tracking.outlines import Outlines
from vision.tracking.recognition import Recogniser
from vision.tracking.search import Search, SearchTask
from vision.tracking.track import Surroundings, TentativeTrack, Track, TrackState
from vision.tracking.tracker import Tracker, Visibility
from vision.tracking.unread import UnreadPlaces
from vision.tracking.view_quality import BlurredPlace, measure_view, paper_dn

MIN_SPREAD_LEVELS = 3.0
"""If the brightness of a picture has a smaller standard deviation, nothing in it can be read."""

DARK_SHARE = 0.16
"""If the tags have less than this share of the light in which the table was found, reading is not reliable.

At a tenth, pieces of some games can still be told apart, others cannot.
"""

COVERED_SHARE, COVERED_S, STIRRED_S = 0.4, 1.0, 0.5
"""Motion over this share of the table for this long is a head or a back; what happens below is
unknown. Tiles that moved within the last time count.
"""

SHARP_TEXTURE_SHARE = 0.6
"""A sticker with less than this share of its texture at confirmation is behind a smudge."""

FOCUSED_SHARE = 0.9
"""A tag whose texture is below this share of what it was is out of focus. Its modules are several times as wide as a
sticker's: at 0.8 no sticker can be read any more.
"""

SEEK_TABLE_S = 0.3
"""How often the table is searched for while it is lost: finding tags takes longer than a look."""

MIRRORED_S = 4.0
"""How often it is asked, while the table is lost, whether the pictures are mirrored; it takes as long as a search."""

UNKNOWN_HANDS_S = 5.0
"""After the first picture, an unnoticed hand may be there for this long; cards are not held still longer."""

THOROUGH_S = 0.1
"""How often it is asked of every sticker that is not visible whether its place shows the table around it."""

PENDING_S = 2.0
"""How long a change at rest may still be read; after that there is nothing readable."""


def observe_frames(
    frames: Iterable[Frame], layout: Layout, accepted: StickerCodes, shapes: Mapping[Token, Shape] = NO_SHAPES
) -> Iterator[Observation]:
    """An observation for every frame.

    Args:
        accepted: The valid stickers; all other codes are unknown.
        shapes: The pieces that are not playing cards.
    """
    observer = Observer(layout, accepted, shapes=shapes)
    for frame in frames:
        yield observer.observe(frame)


class ViewedTable:
    """The stages of a look and their knowledge, as long as the camera stays where it is.

    Attributes:
        looks: The number of looks so far.
        began_s: When the first of them was taken.
        known: The visible cards at the end of the last look.
        seen_since: For each of them, the look that first saw it at its present place.
        changed: The tiles that had changed in the last look.
        changed_since: The look with which each tile's change began, ``(rows, columns)``; undefined for other tiles.
        covered: Tiles that never show the table, ``(rows, columns)`` bool.
        left: Tiles of cards that have left the table since the camera is where it is.
        bared: Tiles that show the table where something lay; nothing has moved there since.
        sleeve: Tiles where something like the table has come; nothing has moved there since.
        confirmed: Tiles of cards that were confirmed and have not moved since, and what others have left;
            ``(rows, columns)`` bool.
    """

    def __init__(
        self,
        frame: Frame,
        geometry: Geometry,
        layout: Layout,
        accepted: StickerCodes,
        shapes: Mapping[Token, Shape],
        parse: ParseToken,
        outlines: Outlines,
        unread: Sequence[UnreadPlace] = (),
    ) -> None:
        self.geometry = geometry
        self.grid = tile_grid(frame)
        self.inside = inside(geometry, layout, self.grid)
        self.tags = self.grid.mask(corners(points) for points in geometry.tags_px.values())
        width, height = geometry.size_mm
        px_per_mm = geometry.px_per_mm(width / 2, height / 2)
        tile_mm = self.grid.tile_px / px_per_mm
        sizes_mm = {CARD_MM, *(shape.size_mm for shape in shapes.values())}
        self.changes = ChangeDetector(self.inside, tile_mm, max(sizes_mm, key=math.prod))
        self.background = Background(frame.lores, frame.taken_s, self.inside)
        self.cards = CardLocator(self.grid, geometry, outlines)
        self.known = self.cards.locate(())
        self.seen_since: tuple[int, ...] = ()
        self.changed: Mask = np.zeros(self.grid.shape, np.bool_)
        self.changed_since = np.zeros(self.grid.shape, np.int64)
        self.recogniser = Recogniser(self.grid, frame.taken_s)
        commands = commands_shown(geometry, layout, self.grid)
        self.search = Search(
            accepted, self.grid, self.inside, self.tags, commands, px_per_mm, frame.taken_s, parse, shapes
        )
        searched = self.inside & ~dilated(self.tags, 1)
        self.unread = UnreadPlaces(accepted, layout, geometry, self.grid, searched, frame.taken_s, unread)
        self.burnt_out = BurntOut(self.grid, searched)
        self.left: Mask = np.zeros(self.grid.shape, np.bool_)
        self.bared: Mask = np.zeros(self.grid.shape, np.bool_)
        self.sleeve: Mask = np.zeros(self.grid.shape, np.bool_)
        self.covered = dilated(tags_shown(geometry, self.grid), 1) | ~self.inside
        self.confirmed: Mask = np.zeros(self.grid.shape, np.bool_)
        self.looks = 0
        self.began_s = frame.taken_s
        boxes = [self.grid.tile_box(corners(points)) for points in geometry.tags_px.values()]
        self._tag_boxes = [self.grid.small_pixels_of(box) for box in boxes]
        self._tag_sharpness = list(self._sharpness(frame, 1.0))
        self._tag_light = [cv2.mean(frame.lores[box])[0] for box in self._tag_boxes]
        self._covered_since_s: float | None = None
        self._thorough_s = -math.inf
        self._open: tuple[VisibleCards, SmallMask] | None = None

    def is_dark(self, frame: Frame) -> bool:
        """Whether hardly any of the light is left in which the table was found; covered tags are ignored."""
        tags = zip(self._tag_boxes, self._tag_light, strict=True)
        return all(cv2.mean(frame.lores[box])[0] < DARK_SHARE * max(before, 1.0) for box, before in tags)

    def is_sharp(self, frame: Frame, gain: float) -> bool:
        """Whether a tag of the table looks as sharp as when the table was found; others may be covered."""
        both = zip(self._sharpness(frame, gain), self._tag_sharpness, strict=True)
        return any(now >= FOCUSED_SHARE * before for now, before in both)

    def _sharpness(self, frame: Frame, gain: float) -> Iterator[float]:
        """The texture of each tag, in grey levels at usual light."""
        module_px = self.geometry.px_per_mm(0.0, 0.0)
        for points in self.geometry.tags_px.values():
            yield texture(frame.gray, corners(points), module_px) / gain

    def open_table(self, visible: Sequence[Track]) -> SmallMask:
        """The pixels of the small picture that show the table or a hand, as far as is known; not to be changed."""
        cards = self.cards.locate(visible)
        if self._open is None or self._open[0] is not cards:
            self._open = cards, ~cards.covered_pixels(self.covered)
        return self._open[1]

    def surroundings(self, track: Track) -> Surroundings | None:
        """How a piece that is missed and the table around it usually look; ``None`` if its outline is unknown."""
        outline = self.cards.outline(track)
        return None if outline is None else surroundings(track, outline, self.background, self.grid)

    def _light(self, track: Track) -> float:
        """The usual brightness of a piece's place relative to the first picture."""
        return local_light(self.background.light, self.grid.tile_box(track.corners_px))

    def left_behind(self, tracks: Iterable[Track]) -> EarlierView:
        """What stays good of what was seen when the camera is knocked."""
        around: dict[Token, Surroundings] = {}
        for track in tracks:
            seen = self.surroundings(track) if track.state is TrackState.VISIBLE else track.around
            if seen is not None:
                around[track.token] = seen.in_light(self._light(track))
        return EarlierView(self.geometry, self.grid, self.background.look.copy(), around)

    def carried_over(self, earlier: EarlierView, tracks: Iterable[Track]) -> Iterator[tuple[Token, Surroundings]]:
        """How pieces looked from where the camera was, as they would look from here in the first picture's light."""
        brighter = earlier.brightened(self.background.look, self.inside, self.geometry, self.grid)
        for track in tracks:
            seen = self.surroundings(track) if track.token in earlier.around else None
            if seen is not None:
                look = earlier.surroundings(track.token, seen.box, self.geometry, self.grid)
                yield track.token, Surroundings(look, seen.light / brighter, seen.box).in_light(seen.light)

    def takes_thorough_look(self, taken_s: float) -> bool:
        """Whether this look, and none shortly before it, asks of every place whether it is empty."""
        if taken_s - self._thorough_s < THOROUGH_S:
            return False
        self._thorough_s = taken_s
        return True

    def is_covered(self, change: ChangeMaps, taken_s: float) -> bool:
        """Whether something larger than arms moves over the table."""
        covered = np.count_nonzero(change.hand) > COVERED_SHARE * np.count_nonzero(self.inside)
        if not covered or change.flooded or float(change.rest_s[change.hand].min()) > STIRRED_S:
            self._covered_since_s = None
            return False
        if self._covered_since_s is None:
            self._covered_since_s = taken_s
        return taken_s - self._covered_since_s >= COVERED_S

    def explained(self, changed: Mask) -> Mask:
        """The tiles of cards that came to lie there when they changed."""
        since = np.where(self.changed, self.changed_since, NEVER)
        return self.cards.fresh(self.known, changed, self.seen_since, since) | (self.bared & changed)

    def note_changes(self, changed: Mask, number: int) -> None:
        """Remember since which look tiles look unusual."""
        self.changed_since[changed & ~self.changed] = number
        self.changed = changed

    def usual_until(self, place: SmallBox, number: int) -> NDArray[np.int64]:
        """The look with which each pixel of a place in the small picture began to look unusual; else this look."""
        rows, columns = (
            np.arange(side.start, min(side.stop, TILE_PX * tiles)) // TILE_PX
            for side, tiles in zip(place, self.grid.shape, strict=True)
        )
        at = np.ix_(rows, columns)
        return np.where(self.changed[at], self.changed_since[at], number)

    @property
    def is_starting(self) -> bool:
        """Whether the whole picture is still being read."""
        return self.looks <= self.search.started_at


class Observer:
    """Looks at one frame after the other and remembers the table.

    A look is a pipeline. Each stage is entered once, takes and returns values, and knows no other stage: change
    detection, camera shift, recognition, search, occlusion, background. The tracker is the memory between them.

    Args:
        accepted: The valid stickers; all other codes are unknown.
        remembered: What lay there when an earlier observer stopped.
        shapes: The pieces that are not playing cards, by sticker.
        parse: The token of a code's text, or ``None`` for a foreign code.
        explain_unseen: The stage that explains why stickers are not visible.
    """

    def __init__(
        self,
        layout: Layout,
        accepted: StickerCodes,
        remembered: TableState | None = None,
        *,
        shapes: Mapping[Token, Shape] = NO_SHAPES,
        parse: ParseToken | None = None,
        explain_unseen: Explain = explain,
    ) -> None:
        self._layout = layout
        self._accepted = accepted
        self._shapes = shapes
        self._parse = parse or accepted.token
        self._explain = explain_unseen
        template_matcher(self._accepted)  # made and loaded now, not during a look
        code_likeness(self._accepted)
        second_reader()
        self._number = 0
        self._tracker = Tracker(layout)
        if remembered is not None:
            self._tracker.remember(remembered)
        self._camera: CameraShiftDetector | None = None
        self._view: ViewedTable | None = None
        self._earlier: EarlierView | None = None
        self._outlines = Outlines.of(shapes)
        self._unread: tuple[UnreadPlace, ...] = ()
        self._gain = 1.0
        self._sought_s = -math.inf
        self._began_s = math.inf
        self._hand_s = math.inf  # when the first hand came; what is seen first after it may have been laid by it
        self._asked_s = math.inf
        self._mirrored = False
        self._shape: tuple[int, ...] | None = None

    @property
    def geometry(self) -> Geometry | None:
        """The table's position in the picture, once its tags were found."""
        return self._camera.geometry if self._camera else None

    @property
    def outlines(self) -> Outlines:
        """The outlines of pieces around their stickers; those of playing cards once they are learned."""
        return self._outlines

    @property
    def tracker(self) -> Tracker:
        """The memory of what lies on the table."""
        return self._tracker

    def observe(self, frame: Frame) -> Observation:
        self._number += 1
        if frame.gray.shape != self._shape:
            self._look_anew(frame)
        _, spread = cv2.meanStdDev(frame.lores[::32])  # enough rows to recognise a dark picture
        if float(np.ravel(spread)[0]) < MIN_SPREAD_LEVELS:
            return self._lost(frame, ViewLost.DARK)
        if self._view is None:
            self._view = self._locate(frame)
        view, camera = self._view, self._camera
        if view is None or camera is None:
            return self._lost(frame, self._why_not_found(frame))

        self._asked_s, self._mirrored = frame.taken_s, False
        if view.is_dark(frame):
            return self._lost(frame, ViewLost.DARK)
        raw, frame = frame, camera.steadied(frame)
        change = view.changes.detect(frame.lores, frame.taken_s, view.background, view.explained)
        view.note_changes(change.changed, self._number)
        if not camera.is_stable(frame):
            self._leave(view)
            self._view = None
            return self._lost(frame, ViewLost.TABLE)
        if view.is_covered(change, frame.taken_s):
            return self._lost(frame, ViewLost.TABLE)
        self._gain = change.lighting.gain
        view.burnt_out.forget(change, frame.taken_s)
        if frame is raw:
            frame, shown = view.burnt_out.join(raw, change)
            if shown is not None:
                view.search.read_again(shown)
        look = self._read(frame, view, change)
        if look.settled and camera.has_settled(frame.taken_s):
            self._locate_anew(raw)
        return look

    def health(self, frame: Frame) -> ViewQuality | None:
        """How well the table can be seen in a frame; ``None`` until it has been found and read."""
        view = self._view
        if view is None or view.is_starting or self._camera is None:
            return None
        frame = self._camera.as_located(frame)
        tracks = self._tracker.tracks
        module_mm = next(iter(self._modules_mm()), None)
        flicker = sorted(view.background.flicker)
        usual_flicker = flicker[len(flicker) // 2] if flicker else 0.0
        return measure_view(
            frame,
            view.geometry,
            self._layout,
            tracks,
            module_mm,
            view.search.statistics.reads,
            usual_flicker,
            self._blurred(frame),
        )

    def wants_darker(self, frame: Frame) -> bool:
        """Whether a darker picture may show what is burnt out in this frame, the last one observed; ask while nothing
        moves.
        """
        view, camera = self._view, self._camera
        if view is None or camera is None or camera.as_located(frame) is not frame:
            return False
        return view.burnt_out.wants_darker(frame.lores, frame.taken_s)

    def take_darker(self, frame: Frame) -> None:
        """Use a darker picture, taken after the last frame, in the next look; it is observed by no stage."""
        if self._view is not None and frame.gray.shape == self._shape:
            self._view.burnt_out.take(frame)

    def paper_dn(self, frame: Frame) -> float | None:
        """The grey level of the tags' paper in a frame, of 255; ``None`` if no tag is in view."""
        return None if self._camera is None else paper_dn(frame.gray, self._camera.geometry)

    def _modules_mm(self) -> tuple[float, ...]:
        """The module widths of the kinds of visible pieces, smallest first."""
        sides_mm: dict[float, list[float]] = {}
        for track in self._tracker.visible():
            shape = self._shapes.get(track.token)
            sides_mm.setdefault(shape.code_mm if shape else 0.0, []).append(track.side_mm)
        return tuple(sorted(statistics.median(alike) / CODE_MODULES for alike in sides_mm.values()))

    def _blurred(self, frame: Frame) -> list[BlurredPlace]:
        """Places seen through a smudge: unread ones, and stickers that were sharp when they were confirmed."""
        assert self._view is not None
        view = self._view
        places = [
            BlurredPlace(place.zone, (place.x_mm, place.y_mm), blur * view.search.statistics.module_px)
            for place, blur in view.unread.blurred
        ]
        for track in self._tracker.visible():
            if track.zone is None or not track.texture:
                continue
            share = texture(frame.gray, track.corners_px, view.search.statistics.module_px) / self._gain / track.texture
            if share < SHARP_TEXTURE_SHARE:
                places.append(
                    BlurredPlace(track.zone, track.center_mm, view.search.statistics.module_px / max(share, 0.1))
                )
        return places

    def _look_anew(self, frame: Frame) -> None:
        """The picture's size has changed, for example because a phone was turned: all positions in pixels are void."""
        if self._shape is not None:
            table = self._tracker.table()
            self._tracker = Tracker(self._layout)
            self._tracker.remember(table)
            self._camera = self._view = self._earlier = None
            self._sought_s = -math.inf
        self._shape = frame.gray.shape
        self._asked_s, self._mirrored = frame.taken_s, False

    def _locate(self, frame: Frame) -> ViewedTable | None:
        """Search for the table, though not in every frame."""
        if frame.taken_s - self._sought_s < SEEK_TABLE_S:
            return None
        self._sought_s = frame.taken_s
        geometry = locate(frame.gray, self._layout.size_mm)
        if geometry is None:
            return None
        if self._camera is not None and not self._camera.agrees(geometry):
            return None
        self._began_s = min(self._began_s, frame.taken_s)
        return self._new_view(frame, geometry)

    def _why_not_found(self, frame: Frame) -> ViewLost:
        if frame.taken_s - self._asked_s >= MIRRORED_S:
            self._asked_s = frame.taken_s
            self._mirrored = shows_a_mirrored_table(frame.gray)
        return ViewLost.MIRRORED if self._mirrored else ViewLost.TABLE

    def _locate_anew(self, frame: Frame) -> None:
        """The lens has found another focus: use the table's position at that magnification."""
        geometry = locate(frame.gray, self._layout.size_mm)
        if geometry is not None:
            self._leave(self._view)
            self._view = self._new_view(frame, geometry)

    def _new_view(self, frame: Frame, geometry: Geometry) -> ViewedTable:
        """The table from where the camera is now; how large its things are, and how they looked, is known already."""
        layout, accepted, shapes, tracks = self._layout, self._accepted, self._shapes, self._tracker.tracks
        self._tracker.reproject(geometry)
        self._camera = CameraShiftDetector(frame, geometry)
        view = ViewedTable(frame, geometry, layout, accepted, shapes, self._parse, self._outlines, self._unread)
        if self._earlier is not None:
            for token, around in view.carried_over(self._earlier, [*tracks.values()]):
                tracks[token].around = around
        return view

    def _leave(self, view: ViewedTable | None) -> None:
        """The camera is no longer where it was: keep how pieces looked from there."""
        if view is not None:
            self._earlier = view.left_behind(self._tracker.tracks.values())

    def _read(self, frame: Frame, view: ViewedTable, change: ChangeMaps) -> Observation:
        """The stages of a look after the table was found where it was."""
        tracker, number, taken_s = self._tracker, self._number, frame.taken_s
        self._hand_s = min(self._hand_s, taken_s if change.hand_in_view else math.inf)
        view.looks += 1
        view.confirmed &= ~change.moving
        view.bared &= ~change.moving
        view.sleeve &= ~change.moving

        seen = view.recogniser.compare(
            frame.gray,
            change,
            taken_s,
            tuple(tracker.tracks.values()),
            tuple(tracker.tentative.values()),
            tracker.duplicates,
        )
        for track in seen.matched:
            tracker.mark(track, Visibility.VISIBLE, number, taken_s)
        for track in seen.missed:
            if track.state is TrackState.VISIBLE:
                tracker.mark(track, Visibility.OCCLUDED, number, taken_s)
                track.around = view.surroundings(track)
        for candidate in seen.unmoved:
            tracker.corroborate(candidate, number, taken_s)
        for token in seen.lost_duplicates:
            del tracker.duplicates[token]
        self._confirm(frame, view, change)

        visible = tracker.visible()
        if view.looks > 1 and view.is_starting:
            view.cards.learn(change.small, visible)
        cards = view.cards.locate(visible)
        seen_anew = change.changed & change.still & ~change.hand
        view.confirmed |= view.background.shows_bare(change, seen_anew)
        tentative = tuple(tracker.tentative.values())
        task = SearchTask(view.looks, frame, change, cards, visible, tracker.unseen(), tentative, view.confirmed)
        result = view.search.read(task)
        for token, attempts in result.track_attempts.items():
            tracker.tracks[token].attempts = attempts
        for token, attempts in result.tentative_attempts.items():
            tracker.tentative[token].attempts = attempts
        for detection, patch in result.detections:
            tracker.update(detection, patch, view.geometry, number, taken_s)
        tracker.forget(taken_s)
        self._confirm(frame, view, change)

        unseen = tracker.unseen()
        background, grid, statistics = view.background, view.grid, view.search.statistics
        outlines, visible = view.cards.outlines, tracker.visible()  # the occlusion stage makes no sticker visible
        evidence = Evidence(
            frame.gray,
            view.geometry,
            change,
            background,
            grid,
            visible,
            outlines,
            statistics.module_px,
            statistics.least_texture,
            lambda: view.open_table(visible),
            lambda: bool(seen.matched) or view.is_sharp(frame, change.lighting.gain),
            view.cards.outline,
            view.left,
            view.bared,
            view.sleeve,
            view.takes_thorough_look(taken_s),
        )
        note_bared(unseen, evidence)
        vacated = []
        for explanation in () if view.is_starting else self._explain(unseen, evidence):  # not all is read before
            track, covers = explanation.track, explanation.covers
            gone = tracker.mark(track, explanation.visibility, number, taken_s)
            if gone:
                view.left |= view.cards.tiles(track)
            if gone and track.before is None and not covers:
                vacated.append((grid.small_box(track.corners_px), grid.tile_box(track.corners_px)))
            if explanation.visibility is Visibility.VACANT:
                view.bared |= view.cards.tiles(track)
            if explanation.visibility is Visibility.OCCLUDED and covers:
                tracker.mark_covered(track, covers)

        given_up = result.exhausted & ~view.confirmed
        held = tuple(tracker.tracks.values())
        unread = view.unread.places
        if not view.is_starting:
            waiting_px = [
                center(np.asarray(one.corners_px))
                for one in (*tracker.tentative.values(), *tracker.duplicates.values())
            ]
            unread = view.unread.look(
                frame,
                change,
                given_up,
                cards,
                held,
                (*waiting_px, *result.unknown_codes),
                statistics.module_px,
                self._modules_mm,
                hurries=result.has_read_much,
            )
        self._unread = unread
        read = result.exhausted | view.confirmed
        waiting = grid.mask(candidate.corners_px for candidate in tracker.tentative.values())
        left_px = tracker.take_vacated()
        unseen = tracker.unseen()
        lesson = _lesson(view, change, taken_s, visible, unseen, left_px, seen.relit, vacated, read, waiting)
        background.learn(change, taken_s, lesson)
        self._outlines = view.cards.outlines
        return Observation(
            number,
            taken_s,
            tracker.table(),
            settled=not change.anything_moves,
            hand_in_view=change.hand_in_view,
            pending=view.is_starting or _is_pending(change, read, waiting),
            unknown_codes=len(result.unknown_codes),
            duplicates=frozenset(tracker.duplicates),
            there_first=frozenset([track.token for track in tracker.tracks.values() if track.there_first]),
            left_s=tracker.left_lately(taken_s),
            unread=unread,
            shown=frozenset([track.token for track in visible]),
        )

    def _confirm(self, frame: Frame, view: ViewedTable, change: ChangeMaps) -> None:
        """Turn tentative tracks with enough agreeing looks into tracks, and note how their places look."""
        if not self._tracker.tentative:
            return
        near_hand = dilated(change.hand, 1)
        hands_unknown = frame.taken_s - view.began_s < UNKNOWN_HANDS_S
        seen: list[Track | TentativeTrack] = []
        if hands_unknown:
            seen = [*self._tracker.visible(), *self._tracker.tentative.values()]
        sizes = FirstSizes(frame.gray, seen, view.geometry, self._accepted, self._shapes)

        def lies(candidate: TentativeTrack) -> bool:
            """A card that a hand touches counts only if it demonstrably lies; otherwise it waits for the hand to go."""
            if not any_tile(view.cards.tiles(candidate) & near_hand):
                if hands_unknown and candidate.fits is None and sizes.is_lifted(candidate.token):
                    candidate.fits = False
                return not hands_unknown or candidate.fits is not False
            if candidate.fits is None:
                tracks, shapes = self._tracker.tracks.values(), self._shapes
                candidate.fits = fits_plane(frame.gray, candidate, tracks, view.geometry, self._accepted, shapes)
            return candidate.fits

        for track in self._tracker.confirm(self._number, lies):
            track.texture = (
                texture(frame.gray, track.corners_px, view.search.statistics.module_px) / change.lighting.gain
            )
            place, tiles = view.grid.small_box(track.corners_px), view.grid.tile_box(track.corners_px)
            untouched = bool(np.isinf(change.rest_s[tiles]).all())
            is_first_view = view.began_s - self._began_s < UNKNOWN_HANDS_S and view.began_s <= self._hand_s
            track.there_first = untouched and is_first_view
            # A card that was there in the first picture and was read late has no earlier picture of its place.
            if view.looks > view.search.started_at + 1 and not untouched:
                until = view.usual_until(place, self._number)
                before = view.background.place_before(change.small, place, tiles, until)
                track.before = before if before.telling or track.token in self._shapes else None
            rim = rim_contrast(frame.gray, view.geometry, track, view.cards.outlines)
            track.rim = None if rim is None else rim / change.lighting.gain
            view.confirmed |= view.cards.own_tiles(track) & ~change.moving

    def _lost(self, frame: Frame, lost: ViewLost) -> Observation:
        return Observation(self._number, frame.taken_s, self._tracker.table(), settled=False, lost=lost)


def _lesson(
    view: ViewedTable,
    change: ChangeMaps,
    taken_s: float,
    visible: Sequence[Track],
    unseen: Sequence[Track],
    left_px: Sequence[Corners],
    relit: bool,
    vacated: list[tuple[SmallBox, TileBox]],
    read: Mask,
    waiting: Mask,
) -> Lesson:
    """What this look adds to the model of the background.

    Args:
        visible: The visible stickers.
        unseen: The others; what covers them is not the bare table.
        left_px: The places of stickers that have left the table.
        vacated: Places that are bare now.
        read: Tiles where every attempt was made, or a card was confirmed.
        waiting: Tiles of stickers that may be about to lie.
    """
    bare_hidden = bare_shown = None
    still = view.background.is_due(taken_s) and not change.anything_moves and not view.is_starting
    if still:
        view.cards.learn(change.small, visible)
    cards = view.known = view.cards.locate(visible)
    view.seen_since = tuple([track.seen_since for track in visible])
    if still:
        covered = view.grid.mask(cards.stickers_px) | cards.guessed | view.covered | change.changed
        for track in unseen:
            covered |= view.cards.tiles(track)
        if view.background.bare is None:
            bare_hidden = cards.covered_pixels(covered)
        elif not any_tile(change.hand):  # what a hand covers a part of still lies there
            bare_shown = ~(covered | cards.tiles)
    left = view.grid.mask(left_px) if left_px else None
    confirmed = view.confirmed | cards.playing
    return Lesson(relit, left, vacated, read | confirmed, confirmed, cards.tiles, waiting, bare_hidden, bare_shown)


def _is_pending(change: ChangeMaps, read: Mask, waiting: Mask) -> bool:
    """Whether something that changed lies at rest, uncovered, and may still be read; becomes false with time.

    Args:
        read: Tiles where nothing more is to be read, ``(rows, columns)`` bool.
        waiting: Tiles of stickers that may be about to lie.
    """
    if not any_tile(change.changed) and not any_tile(waiting):
        return False
    unread = change.changed & change.still & ~read
    if any_tile(unread) and any_tile(change.hand):
        unread &= ~dilated(change.hand, 1)
    unread |= waiting
    return any_tile(unread) and not (change.rest_s[unread] >= PENDING_S).all()
