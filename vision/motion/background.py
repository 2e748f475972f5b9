"""The background: the usual look of the table, learned from what rests, with which each new picture is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Gray, halved
from vision.geometry.tile_grid import Mask, SmallBox, SmallMask, TileBox, Tiles, any_tile, box_around, dilated
from vision.motion.bare_table import SEEN_LEVELS, SEEN_SHARE, BareTable, local_light, looks_alike
from vision.motion.change_maps import ChangeMaps
from vision.motion.lighting import fit_surface
from vision.motion.tiles import differences, means

BACKGROUND_RATE = 0.25
"""Weight of the present picture each time the background of a tile adapts."""

ADAPT_S = 1.0
"""Interval in which the background follows slow drifts of the light."""

REST_S = 0.6
"""A change at rest that cannot be read becomes part of the background after this time."""

BEYOND_REST_S = 2.0
"""The same just outside the table, while no hand reaches in."""

LAMP_SHARE = 0.15
"""A tile whose brightness changed by this much more or less than lamps explain was covered or uncovered at the same
time."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceBefore:
    """The look of a place just before a card was placed there.

    Attributes:
        look: The piece of the small picture, ``(height, width)`` uint8, at usual light.
        light: Its usual brightness at that time relative to the first picture.
        box: Its rows and columns in the small picture; a more exact later pose may give others.
        telling: Whether it differs from the look with the card.
        until: The number of the look until which each pixel looked like this, in the shape of ``look``: later things
            are not in it.
        card: The same place with the card, as ``look``.
        earlier: Its look before an unreadable thing came that is part of the background by now, as ``look``; it differs
            from the look with the card, which may have been there unread.
    """

    look: Gray
    light: float
    box: SmallBox
    telling: bool
    until: NDArray[np.int64]
    card: Gray
    earlier: Gray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What one look teaches the background. Masks are ``(rows, columns)`` bool, of tiles.

    Attributes:
        relit: The light has changed, and nothing else.
        left: Tiles of stickers that have left the table.
        vacated: Places that were seen to be bare, in the small picture and in tiles.
        read: Tiles where nothing more can be read.
        confirmed: Those of them where a card was confirmed.
        cards: Tiles of visible cards.
        waiting: Tiles of stickers that may be being placed.
        bare_hidden: For the first look at the bare table: pixels of the small picture that are, or may be, covered;
            else ``None``.
        bare_shown: Tiles that are not, and may not be, covered, after that look; else ``None``.
    """

    relit: bool
    left: Mask | None
    vacated: Sequence[tuple[SmallBox, TileBox]]
    read: Mask
    confirmed: Mask
    cards: Mask
    waiting: Mask
    bare_hidden: SmallMask | None
    bare_shown: Mask | None


class Background:
    """The usual look of the table, and of the bare table beneath the cards.

    Change detection compares with it; only the last stage of a look changes it.

    Args:
        first: The first small picture, ``(height, width)`` uint8.
        taken_s: Its time.
        inside: The tiles of the table, ``(rows, columns)`` bool.

    Attributes:
        look: The usual look: a small picture, ``(height, width)`` uint8, at usual light.
        half: The same at half the width and height.
        tiles: Its mean grey level by tile, ``(rows, columns)`` float32.
        light: The usual brightness of each tile relative to the first picture; grows when lamps are switched on.
        invalid: Tiles whose usual look shows something that has left the table.
        bare: The bare table, once it was seen.
        bare_tiles: Its brightness by tile in the light of the first picture; NaN where unknown.
        flicker: The last measurements of the relative brightness variation between rows.
    """

    def __init__(self, first: Gray, taken_s: float, inside: Mask) -> None:
        self._inside = inside
        self._adapted_s = taken_s
        self.look = first.copy()
        self.half = halved(self.look)
        self._beneath = self.half.copy()
        self._covered: Mask = np.zeros(inside.shape, np.bool_)  # by a card that was seen to come
        self._bare: Mask = np.zeros(inside.shape, np.bool_)  # it has gone again
        self._earlier = first.copy()
        self._unread: Mask = np.zeros(inside.shape, np.bool_)  # the usual thing there was never read
        self._as_first: Mask = np.ones(inside.shape, np.bool_)  # nothing has come or gone there
        self.tiles = means(self.half)
        self.light: Tiles = np.ones_like(self.tiles)
        self.invalid: Mask = np.zeros(self.tiles.shape, np.bool_)
        self.bare: BareTable | None = None
        self.bare_tiles: Tiles | None = None
        self.flicker: list[float] = []

    def is_due(self, taken_s: float) -> bool:
        """Whether it adapts with the look of this time."""
        return taken_s - self._adapted_s >= ADAPT_S

    def learn(self, change: ChangeMaps, taken_s: float, lesson: Lesson) -> None:
        """Add resting and read things to the background; the last stage of a look."""
        if lesson.relit:
            self.rebase(change.small)
        for box, tiles in lesson.vacated:
            self._learn_vacated(change.small, box, tiles)
        if lesson.left is not None:
            self.invalidate(lesson.left)
        if any_tile(change.changed):
            ready = change.changed & (change.rest_s >= REST_S) & lesson.read
            if any_tile(ready):
                ready &= ~dilated(change.hand | lesson.waiting, 1)
                if any_tile(ready):  # most looks do not need the picture at usual light
                    came = ready & lesson.cards & ~self._bare
                    self._keep_beneath(came)
                    self._covered = (self._covered & ~ready) | came
                    self._keep_earlier(change.small, ready & ~lesson.confirmed)
                    self._unread &= ~(ready & lesson.confirmed)
                    self.absorb(change.small, ready)
        if self.is_due(taken_s):
            self._adapted_s = taken_s
            if not any_tile(change.hand):
                flicker = change.lighting.flicker(change.tiles / self.tiles, self._inside)
                self.flicker = [*self.flicker[-6:], flicker]
            # Parts of an unread thing in neighbouring tiles must not become usual.
            unread = dilated(self._unread, 1) if any_tile(self._unread) else self._unread
            self.adapt(change.small, change.still & self._inside & ~change.changed & ~unread)
            if not any_tile(change.hand):
                self.absorb(change.small, ~self._inside & (change.rest_s >= BEYOND_REST_S))
            if lesson.bare_hidden is not None:
                self._learn_bare(change.small, lesson.bare_hidden)
            if lesson.bare_shown is not None:
                self._uncover(lesson.bare_shown)

    def place_before(self, small: Gray, box: SmallBox, tiles: TileBox, until: NDArray[np.int64]) -> PlaceBefore:
        """The usual look of a place.

        Args:
            small: The small picture of this look at usual light.
            box: The place in the small picture.
            tiles: The same place in tiles.
            until: The number of the look until which each of its pixels looked like this.
        """
        usual, earlier = self.look[box].copy(), None
        if self._unread[tiles].any():
            unread = _enlarged(self._unread, self.look)[box] > 0
            earlier = np.where(unread, self._earlier[box], usual).astype(np.uint8)
            if looks_alike(small[box], earlier.astype(np.float32)):
                earlier = None
        telling = not looks_alike(small[box], usual.astype(np.float32))
        return PlaceBefore(usual, local_light(self.light, tiles), box, telling, until, small[box].copy(), earlier)

    def shows_beneath(self, half: Gray, changed: Mask) -> Mask:
        """Changed tiles that look as before the usual card there came: it has left.

        Args:
            half: A halved small picture at usual light.
        """
        limit = SEEN_LEVELS + SEEN_SHARE * self.tiles
        usual, now = differences(self._beneath, self.half, half)
        # If the usual look is the look beneath, the place was bare before, and nothing has left.
        return np.asarray(changed & (usual > limit) & (now < limit), np.bool_)

    def shows_bare(self, change: ChangeMaps, changed: Mask) -> Mask:
        """Those of these changed tiles from which a card has gone that was seen to come; they look as before. One that
        was there from the beginning may look the same when it is put back.
        """
        self._bare = changed & self._covered
        if any_tile(self._bare):  # most looks do not need the picture at usual light
            usual, now = differences(self._beneath, self.half, halved(change.small))
            self._bare &= (now < SEEN_LEVELS + SEEN_SHARE * self.tiles) & (now < usual / 2)
        return self._bare

    def _keep_beneath(self, tiles: Mask) -> None:
        """Cards have been placed there: remember the usual look of these tiles."""
        if tiles.any():
            cv2.copyTo(self.half, _enlarged(tiles, self.half), self._beneath)

    def _keep_earlier(self, small: Gray, tiles: Mask) -> None:
        """An unreadable thing becomes usual there: remember the look of these tiles before it came.

        Args:
            small: The small picture of this look at usual light, their future usual look.
        """
        fresh = tiles & ~self._unread & ~self.invalid  # the thing that has just left was read
        if fresh.any():
            cv2.copyTo(self.look, _enlarged(fresh, self.look), self._earlier)
            self._unread |= fresh
        again = tiles & self._unread & ~fresh
        if again.any():  # the thing has left
            limit = SEEN_LEVELS + SEEN_SHARE * self.tiles
            (apart,) = differences(halved(small), halved(self._earlier))
            self._unread &= ~(again & (apart < limit))

    def absorb(self, small: Gray, tiles: Mask) -> None:
        """Make this small picture at usual light the usual look of these tiles."""
        if tiles.any():
            self._paint(small, tiles, 1.0)
            self.invalid &= ~tiles
            self._as_first &= ~tiles

    def invalidate(self, tiles: Mask) -> None:
        """The usual look of these tiles shows something that has left: if it comes back, that is a change."""
        self.invalid |= tiles

    def rebase(self, small: Gray) -> None:
        """The light has changed: this small picture at usual light becomes the usual look everywhere."""
        before = self.tiles
        self._paint(small, np.ones_like(self._inside), 1.0)
        self._beneath = self.half.copy()
        self._covered[:] = False
        self._unread[:] = False
        self._as_first[:] = False
        brighter = self.tiles / before
        smooth, lit = fit_surface(brighter, self._inside, 0.0, LAMP_SHARE)
        self.light = self.light * np.where(lit, brighter, np.maximum(smooth, LAMP_SHARE))

    def adapt(self, small: Gray, tiles: Mask) -> None:
        """These tiles look as usual: let their background follow slow drifts of the light."""
        if tiles.any():
            before = self.tiles
            self._paint(small, tiles, BACKGROUND_RATE)
            self.light = self.light * self.tiles / before

    def _learn_bare(self, small: Gray, hidden: SmallMask) -> None:
        """Set the first look of the bare table.

        Args:
            hidden: Pixels of the small picture that are, or may be, covered.
        """
        self.bare = BareTable(small, hidden)
        self.bare_tiles = self.bare.tiles()

    def _uncover(self, shown: Mask) -> None:
        """Fewer places may be covered than was assumed: use the first look of the bare table where nothing has
        changed."""
        if self.bare is not None and any_tile(tiles := self.bare.hidden_tiles & shown & self._as_first):
            self.bare.uncover(tiles)
            self.bare_tiles = self.bare.tiles()

    def _learn_vacated(self, small: Gray, box: SmallBox, tiles: TileBox) -> None:
        """A card has left this place, and nothing else is there: this is the bare table."""
        if self.bare is not None:
            self.bare.learn(small, box, local_light(self.light, tiles))
            self.bare_tiles = self.bare.tiles()

    def _paint(self, fresh: Gray, tiles: Mask, share: float) -> None:
        box = rows, columns = box_around(tiles)
        look, new = (_of_tiles(picture, rows, columns, TILE_PX) for picture in (self.look, fresh))
        if share < 1:
            new = np.asarray(cv2.addWeighted(new, share, look, 1 - share, 0), np.uint8)
        cv2.copyTo(new, _enlarged(tiles[box], look), look)
        half = _of_tiles(self.half, rows, columns, TILE_PX // 2)
        half[:] = halved(look)
        self.tiles = self.tiles.copy()
        self.tiles[box] = means(half)


def _enlarged(tiles: Mask, picture: Gray) -> Gray:
    """The pixels of these tiles in a picture of them, as 0 or 1, ``(height, width)`` uint8."""
    mask = cv2.resize(tiles.astype(np.uint8), picture.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(mask, np.uint8)


def _of_tiles(picture: Gray, rows: slice, columns: slice, tile_px: int) -> Gray:
    """The piece of a picture that some rows and columns of tiles cover."""
    return picture[tile_px * rows.start : tile_px * rows.stop, tile_px * columns.start : tile_px * columns.stop]
