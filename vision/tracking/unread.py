"""Places with something like a sticker that cannot be read, remembered until it is read or taken away.

This depends only on the picture: something came to rest in a zone, no hand is near, the search has made all attempts,
and the place resembles one of the codes that may lie on this table; or it is as bright as the camera can tell where the
code would be, as a lamp's mirror image is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.public.codes import StickerCodes
from companion.public.layout import Layout
from companion.public.print_sizes import CODE_MODULES, STICKER_MODULES
from companion.public.table import Point, UnreadPlace
from vision.camera.frame import TILE_PX, Frame, Gray
from vision.codes.resemblance import BLURRED, SHARP, Resemblance, code_likeness
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, PixelBox
from vision.geometry.tile_grid import Mask, TileBox, TileGrid, any_tile, box_around, dilated
from vision.motion.change_maps import ChangeMaps
from vision.tracking.cards import VisibleCards
from vision.tracking.occlusion import WASHED_OUT
from vision.tracking.track import Track

REST_S = 1.2
"""The time at rest, without a hand nearby, before a place is compared."""

CALM_S = 0.8
"""The time at rest before a place where something moved is compared again."""

REPORTED_S = 0.7
"""A place is reported after it has been known for this long."""

NEWEST_S = 1.0
"""What came to rest within this time after each other is compared before what came before it."""

HAND_NEAR = 3
"""Tiles around a hand in which nothing is reported as unread."""

WINDOW_STICKERS = 2.0
"""The largest width of a piece of the picture that is compared at once, in stickers."""

MOST_PLACES = 3
"""The most places found in one piece."""

TURNS = 5
"""How many directions of a piece that came to rest and cannot be read are compared in one look. All of them take many
looks."""

SWEEP_AFTER_S, QUIET_S = 10.0, 3.0
"""A piece that never changed, read in vain or not, is compared one direction a look: not before every attempt at
reading was made there, and not before the second time has passed without a hand."""

BUSY_LEVELS = 10.0
"""Of what lay there from the beginning, only tiles with a larger standard deviation of grey levels are compared."""

MIRRORED_MODULES, MIRRORED_NEAR = 5.0, 0.75
"""A lamp is the reason if all of a square of so many modules within so many stickers of the place is as bright as the
camera can tell. A sticker's own white, however burnt out, has no square as large."""

APART_STICKERS = 1.6
"""Two unreadable stickers are distinguished if they are farther apart than this many stickers."""

SAME_PLACE_STICKERS = 0.8
"""Two places within this distance, in sides of a sticker, are the same."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A place that cannot be read.

    Attributes:
        center_px: Its centre in the picture.
        found: The resemblance to a code there.
        since_s: When that was found; it is reported a moment later, because another part of a large object may resemble
            a code more.
        moved: Something has moved there since: it is compared again when it rests.
        washed_out: Some of it is as bright as the camera can tell: it may be a lamp's mirror image.
    """

    place: UnreadPlace
    center_px: Point
    found: Resemblance | None = None
    since_s: float = -math.inf
    moved: bool = False
    washed_out: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What one look knows; a comparison goes on after it, when the camera has taken the picture's memory back.

    Attributes:
        read_px: The centres of all readable codes.
        side_px: The usual width of a sticker.
    """

    taken_s: float
    tracks: Sequence[Track]
    cards: VisibleCards
    read_px: Sequence[Point]
    side_px: float
    modules_mm: Sequence[float]


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A piece of the picture that is being compared.

    Attributes:
        steps: The remaining work, one direction per step.
        tiles: Its tiles.
    """

    steps: Iterator[None]
    tiles: TileBox


class UnreadPlaces:
    """Finds and remembers unreadable places.

    Args:
        inside: Tiles that belong to the table, without its corner tags, ``(rows, columns)`` bool.
        taken_s: The time of the first picture.
        before: The places that were known before the camera was moved.

    Attributes:
        places: As they are reported.
    """

    def __init__(
        self,
        codes: StickerCodes,
        layout: Layout,
        geometry: Geometry,
        grid: TileGrid,
        inside: Mask,
        taken_s: float,
        before: Sequence[UnreadPlace] = (),
    ) -> None:
        self._likeness = code_likeness(codes)
        self._layout = layout
        self._geometry = geometry
        self._grid = grid
        self._inside = inside
        self._px_per_mm_in_the_middle = geometry.px_per_mm(geometry.size_mm[0] / 2, geometry.size_mm[1] / 2)
        self._compared: Mask = np.zeros(grid.shape, np.bool_)
        self._touched: Mask = np.zeros(grid.shape, np.bool_)
        self._stirred: Mask = np.zeros(grid.shape, np.bool_)
        self._since_start: Mask | None = None
        self._comparison: _Comparison | None = None
        self._sweep: _Comparison | None = None  # of what never changed; waits while there is another comparison
        self._sweeps_from_s = taken_s + SWEEP_AFTER_S
        points = geometry.to_px([(place.x_mm, place.y_mm) for place in before]).tolist() if before else ()
        self._known = [_Known(place, (x, y), moved=True) for place, (x, y) in zip(before, points, strict=True)]
        self.places = tuple(before)

    @property
    def blurred(self) -> tuple[tuple[UnreadPlace, float], ...]:
        """Those that seem to be behind a smudge on the lens, each with its sigma in modules.

        A lamp's mirror image looks blurred as well, and wiping the lens does not help against it.
        """
        return tuple(
            (one.place, one.found.blur)
            for one in self._known
            if one.found and one.found.blur >= BLURRED[0] and not one.washed_out
        )

    def look(
        self,
        frame: Frame,
        change: ChangeMaps,
        exhausted: Mask,
        cards: VisibleCards,
        tracks: Sequence[Track],
        others_px: Sequence[Point],
        module_px: float,
        modules_mm: Callable[[], Sequence[float]],
        *,
        hurries: bool,
    ) -> tuple[UnreadPlace, ...]:
        """The places after one look.

        Args:
            exhausted: Tiles where every attempt failed, and no card was confirmed.
            cards: The cards whose stickers are visible; faces of playing cards are not searched.
            tracks: All lying stickers, visible or not.
            others_px: The centres of readable codes that are not lying for the game: foreign ones, duplicates, and
                those about to be confirmed.
            module_px: The usual width of a module.
            modules_mm: Returns the module widths of the different pieces; empty while unknown.
            hurries: This look has taken long already: one direction is compared, and nothing that never changed.
        """
        ready, calm, free = change.rest_s >= REST_S, change.rest_s >= CALM_S, change.still
        if any_tile(change.hand):
            away = ~dilated(change.hand, HAND_NEAR)
            ready, calm, free = ready & away, calm & away, free & away
            self._sweeps_from_s = max(self._sweeps_from_s, frame.taken_s + QUIET_S)
        self._stirred |= change.moving
        came_to_rest = self._stirred & free
        self._stirred &= ~free
        came_to_rest &= change.changed  # otherwise all looks as before
        if any_tile(came_to_rest):
            self._compared &= ~came_to_rest
            self._sweep = self._unless(self._sweep, came_to_rest)
        if change.anything_moves:
            self._comparison = self._unless(self._comparison, change.moving)
            self._known = [
                replace(one, moved=True) if change.moving[self._grid.tile_at(one.center_px)] else one
                for one in self._known
            ]
        self._touched |= change.changed
        unread = exhausted & ready & ~self._compared & ~change.reaching & ~cards.playing
        todo = unread & self._touched
        left = self._since_start is None or any_tile(self._since_start & ~self._compared)
        is_comparing = self._comparison is not None or self._sweep is not None
        if not self._known and not is_comparing and not left and not any_tile(unread):
            return self.places
        side_px = STICKER_MODULES * module_px
        if self._known:
            read_px = [*(_middle(track.corners_px) for track in tracks), *others_px]
            self._known = [one for one in self._known if not _is_near(one.center_px, read_px, side_px)]

        def view() -> _View:
            widths_mm = modules_mm() or (module_px / self._px_per_mm_in_the_middle,)
            read_px = [*(_middle(track.corners_px) for track in tracks), *others_px]
            return _View(frame.taken_s, tracks, cards, read_px, side_px, widths_mm)

        if self._comparison is None and self._likeness is not None:
            again = next((one for one in self._known if one.moved and calm[self._grid.tile_at(one.center_px)]), None)
            if again is not None:
                around = self._around(again.center_px, side_px, frame)
                self._comparison = self._compare(frame, view(), around, again, came=again.washed_out)
            elif any_tile(todo):
                newest = change.rest_s <= float(change.rest_s[todo].min()) + NEWEST_S
                self._comparison = self._compare_first(frame, view(), todo & newest, came=True)
            elif self._sweep is None and frame.taken_s >= self._sweeps_from_s:
                first = self._lay_there_first(frame, tracks, others_px)
                resting = (first & ready & ~cards.playing & ~self._compared) | unread
                if any_tile(resting):
                    self._sweep = self._compare_first(frame, view(), resting, came=False)
        if self._comparison is not None:
            self._comparison = self._go_on(self._comparison, 1 if hurries else TURNS)
        elif self._sweep is not None and not hurries and frame.taken_s >= self._sweeps_from_s:
            self._sweep = self._go_on(self._sweep, 1)
        reported = [one for one in self._known if frame.taken_s - one.since_s >= REPORTED_S]
        self.places = tuple(replace(one.place, stirred=one.moved) for one in reported)
        return self.places

    def _unless(self, running: _Comparison | None, tiles: Mask) -> _Comparison | None:
        """A comparison, unless it is of these tiles: then it starts again when they rest."""
        if running is None or not any_tile(tiles[running.tiles]):
            return running
        self._compared[running.tiles] = False
        return None

    def _lay_there_first(self, frame: Frame, tracks: Sequence[Track], others_px: Sequence[Point]) -> Mask:
        """Tiles where something lay from the beginning, without those around readable codes."""
        if self._since_start is None:
            small = frame.lores.astype(np.float32)
            rows, columns = self._grid.shape
            spread = small.reshape(rows, TILE_PX, columns, TILE_PX).std((1, 3))
            others: Mask = np.zeros(self._grid.shape, np.bool_)
            for point_px in others_px:
                others[self._grid.tile_at(point_px)] = True
            known = dilated(self._grid.mask(track.corners_px for track in tracks) | others, 1)
            self._since_start = np.asarray((spread > BUSY_LEVELS) & self._inside & ~known, np.bool_)
        return self._since_start

    def _compare_first(self, frame: Frame, view: _View, todo: Mask, *, came: bool) -> _Comparison:
        box, tiles = self._first(todo, view.side_px, frame)
        self._compared |= tiles
        return self._compare(frame, view, box, came=came)

    def _compare(
        self, frame: Frame, view: _View, box: PixelBox, before: _Known | None = None, *, came: bool
    ) -> _Comparison:
        """Begin to compare a piece of the picture with the codes.

        Args:
            before: The known place that is compared again; it stays known until that is done.
            came: What is there was brought: a lamp's mirror image there hides a thing.
        """
        rows, columns = box
        left, right, top, bottom = columns.start, columns.stop - 1, rows.start, rows.stop - 1
        tiles = self._grid.tile_box(((left, top), (right, top), (right, bottom), (left, bottom)))
        piece = self._without_read(frame, view, box)
        wiped_px = _mirror_image(frame.gray, box, view.side_px) if came else None
        mirrored_px = _mirrored(frame.gray, box, view.side_px)
        washed_out = bool((piece >= WASHED_OUT).any())
        return _Comparison(self._by_turns(piece, view, box, before, wiped_px, mirrored_px, washed_out), tiles)

    def _go_on(self, running: _Comparison, turns: int) -> _Comparison | None:
        """Compare the next directions of a piece; ``None`` after the last one."""
        for _ in range(turns):
            if next(running.steps, self) is self:
                return None
        return running

    def _by_turns(
        self,
        piece: Gray,
        view: _View,
        box: PixelBox,
        before: _Known | None,
        wiped_px: Point | None,
        mirrored_px: Sequence[Point],
        washed_out: bool,
    ) -> Iterator[None]:
        """Compare a piece of the picture with the codes, direction by direction, and remember resemblances.

        Args:
            wiped_px: Where a lamp's mirror image hides whatever there is; told where nothing else resembles a code.
            mirrored_px: Where a lamp's mirror image hides a part of what there may be.
        """
        assert self._likeness is not None
        rows, columns = box
        middle_px = (columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2
        px_per_mm = self._geometry.px_per_mm(*self._geometry.to_mm([middle_px])[0].tolist())
        for number in range(MOST_PLACES):
            alike: list[Resemblance] = []
            for module_mm in view.modules_mm:
                for found in self._likeness.turn_by_turn(piece, module_mm * px_per_mm):
                    if found is not None:
                        alike.append(found)
                    yield
            if not alike:
                if not number and wiped_px is not None:
                    found = Resemblance(wiped_px, 0.0, 0.0, SHARP)
                    self._remember(view, wiped_px, found, before, washed_out=True, lamp=True)
                break
            found = max(alike, key=lambda one: one.lead)
            center_px = columns.start + found.at_px[0], rows.start + found.at_px[1]
            lamp = _is_near(center_px, mirrored_px, MIRRORED_NEAR / SAME_PLACE_STICKERS * view.side_px)
            self._remember(view, center_px, found, before, washed_out=washed_out, lamp=lamp)
            reach = 0.7 * view.side_px
            corner = int(found.at_px[0] - reach), int(found.at_px[1] - reach)
            opposite = int(found.at_px[0] + reach), int(found.at_px[1] + reach)
            cv2.rectangle(piece, corner, opposite, float(piece.mean()), cv2.FILLED)
        self._known = [one for one in self._known if one is not before]  # nothing there resembles a code any more

    def _remember(
        self,
        view: _View,
        center_px: Point,
        found: Resemblance,
        before: _Known | None,
        *,
        washed_out: bool,
        lamp: bool,
    ) -> None:
        if _is_near(center_px, view.read_px, view.side_px):
            return
        if before is not None and _is_near(before.center_px, [center_px], view.side_px / 2):
            place = replace(before.place, lamp=lamp)
            again = replace(before, place=place, moved=False, found=found, washed_out=washed_out)
            self._known = [again if one is before else one for one in self._known]
            return
        others = [one for one in self._known if one is not before]
        near = [one for one in others if _is_near(one.center_px, [center_px], APART_STICKERS * view.side_px)]
        if any(one.found is None or one.found.lead >= found.lead for one in near):
            return
        self._known = [one for one in self._known if one not in near]
        x_mm, y_mm = (float(value) for value in self._geometry.to_mm([center_px])[0])
        zone = self._layout.zone_at(x_mm, y_mm)
        if zone is None:
            return
        width_mm, depth_mm = self._geometry.size_mm
        at = min(max(x_mm / width_mm, 0.0), 1.0), min(max(y_mm / depth_mm, 0.0), 1.0)
        place = UnreadPlace(zone, round(x_mm, 1), round(y_mm, 1), (round(at[0], 3), round(at[1], 3)), lamp=lamp)
        since_s = min((one.since_s for one in near), default=view.taken_s)  # a mark moves without a gap
        self._known.append(_Known(place, center_px, found, since_s, washed_out=washed_out))

    def _without_read(self, frame: Frame, view: _View, box: PixelBox) -> Gray:
        """A piece of the picture in which visible stickers are painted over."""
        rows, columns = box
        piece, tiles = frame.gray[box].copy(), self._grid.tiles_of(box)
        plain = float(piece.mean())
        for card, sticker_px in zip(view.cards.places, view.cards.stickers_px, strict=True):
            if card is not None and not any_tile(card.tiles[tiles]):
                continue
            quad = np.asarray(sticker_px, np.float32)
            middle = quad.mean(0)
            quad = middle + (quad - middle) * STICKER_MODULES / CODE_MODULES
            if card is not None and view.cards.playing[card.tiles].all():
                quad = np.asarray(card.corners_px, np.float32)
            cv2.fillConvexPoly(piece, np.asarray(quad - (columns.start, rows.start), np.int32), plain)
        return np.asarray(piece, np.uint8)

    def _first(self, todo: Mask, side_px: float, frame: Frame) -> tuple[PixelBox, Mask]:
        """A piece of these tiles that is narrow enough to be compared at once, with half a sticker around it.

        It is the one where neighbouring modules differ most: rather a sticker than a card's face, or a cover.
        """
        around, gray_shape = box_around(todo), frame.gray.shape
        gray = frame.gray[self._grid.pixels_of(around, gray_shape)]
        apart = max(1, round(side_px / STICKER_MODULES))
        fine = cv2.absdiff(gray[apart::4, apart:], gray[:-apart:4, :-apart]).astype(np.float32)  # every fourth row
        height, width = todo[around].shape
        by_tile = (cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA) + 1) * todo[around]
        most = max(1, round(WINDOW_STICKERS * side_px / self._grid.tile_px))
        edges = cv2.BORDER_CONSTANT
        sums = cv2.boxFilter(by_tile, -1, (most, most), anchor=(0, 0), normalize=False, borderType=edges)
        row, column = divmod(int(sums.argmax()), width)
        top, left = around[0].start + row, around[1].start + column
        piece = np.zeros_like(todo)
        piece[top : top + most, left : left + most] = todo[top : top + most, left : left + most]
        margin_px = int(side_px / 2)
        rows, columns = (
            slice(max(0, side.start - margin_px), min(most_px, side.stop + margin_px))
            for side, most_px in zip(self._grid.pixels_of(box_around(piece), gray_shape), gray_shape, strict=True)
        )
        return PixelBox((rows, columns)), piece

    def _around(self, center_px: Point, side_px: float, frame: Frame) -> PixelBox:
        """A piece of the picture around a place."""
        height, width = frame.gray.shape
        x, y = center_px
        return PixelBox(
            (
                slice(max(0, int(y - side_px)), min(height, int(y + side_px))),
                slice(max(0, int(x - side_px)), min(width, int(x + side_px))),
            )
        )


def _mirror_image(gray: Gray, box: PixelBox, side_px: float) -> Point | None:
    """The centre of a lamp's mirror image in a piece of the picture that hides a sticker, and no more than a thing."""
    margin_px = round(side_px)
    rows, columns = (slice(max(0, side.start - margin_px), side.stop + margin_px) for side in box)
    bright = (gray[rows, columns] >= WASHED_OUT).view(np.uint8)
    _, _, stats, centers = cv2.connectedComponentsWithStats(bright, connectivity=8)
    height, width = bright.shape
    for (_, _, wide, high, area), (x, y) in zip(stats[1:].tolist(), centers[1:].tolist(), strict=True):
        at_px = columns.start + x, rows.start + y
        inside = box[1].start <= at_px[0] < box[1].stop and box[0].start <= at_px[1] < box[0].stop
        if inside and area >= side_px**2 and wide < width and high < height:
            return at_px
    return None


def _mirrored(gray: Gray, box: PixelBox, side_px: float) -> list[Point]:
    """Squares in a piece of the picture that are as bright as the camera can tell, by their middles."""
    side = max(2, round(MIRRORED_MODULES / STICKER_MODULES * side_px))
    bright = (gray[box] >= WASHED_OUT).astype(np.uint8)
    whole = cv2.erode(bright, np.ones((side, side), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    down, across = np.nonzero(whole[::2, ::2])
    rows, columns = box
    return [
        (columns.start + 2.0 * x, rows.start + 2.0 * y) for x, y in zip(across.tolist(), down.tolist(), strict=True)
    ]


def _middle(corners_px: Corners) -> Point:
    xs, ys = zip(*corners_px, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def _is_near(point_px: Point, others_px: Iterable[Point], side_px: float) -> bool:
    """Whether a point is in the same place as one of these, for stickers of this width."""
    return any(math.dist(point_px, other) < SAME_PLACE_STICKERS * side_px for other in others_px)
