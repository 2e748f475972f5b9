"""How the table usually looks, learned from what rests: the picture with which each new one is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Gray, halved
from vision.geometry.tile_grid import Mask, SmallBox, SmallMask, TileBox, Tiles, any_tile, dilated
from vision.motion.bare_table import SEEN_LEVELS, SEEN_SHARE, BareTable, local_light, looks_alike
from vision.motion.change_maps import ChangeMaps
from vision.motion.lighting import fit_surface
from vision.motion.tiles import differences, means

BACKGROUND_RATE = 0.25
"""The share of the present picture in the background of a tile, each time it adapts."""

ADAPT_S = 1.0
"""The background follows slow drifts of the light so often."""

REST_S = 0.6
"""What changed, rests and says nothing becomes the usual look of the table after so long."""

BEYOND_REST_S = 2.0
"""What rests so long just outside the table becomes usual there, while no hand reaches in."""

LAMP_SHARE = 0.15
"""What grew brighter by so much more or less than lamps explain was laid, or taken away, in the same moment."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceBefore:
    """How a place looked just before a card came to lie there.

    Attributes:
        look: The piece of the small picture, ``(height, width)`` uint8, at usual light.
        light: How bright the place usually was then against the first picture.
        box: Its rows and columns in the small picture; a pose that is known better later may fall into others.
        telling: It looked otherwise than with the card.
        until: The number of the look until which each pixel looked so, of ``look``'s shape: what came then or later is
            not in it.
        card: The same place with the card, as ``look``.
        earlier: How it looked before something came that nobody could read for so long that the table usually looks
            like that by now, as ``look``; it looked otherwise than with the card, which may have lain there unread.
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
    """What one look teaches about the background. Masks are ``(rows, columns)`` bool, of tiles.

    Attributes:
        relit: The light has changed, and nothing else.
        left: Tiles of stickers that have left the table.
        vacated: Places that were seen to be bare, in the small picture and in tiles.
        read: Tiles where nothing more is to be read.
        confirmed: Those of them where a card was confirmed.
        cards: Tiles of cards that are seen to lie there.
        waiting: Tiles of stickers that may come to lie.
        bare_hidden: Where something lies or may lie, for the first look at the bare table: pixels of the small
            picture; else ``None``.
        bare_shown: Tiles where nothing lies or may lie, after that look; else ``None``.
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
        taken_s: When it was taken.
        inside: The tiles that belong to the table, ``(rows, columns)`` bool.

    Attributes:
        look: The usual look: a small picture, ``(height, width)`` uint8, at usual light.
        half: The same, half as wide and half as high.
        tiles: Its mean grey level, tile by tile, ``(rows, columns)`` float32.
        light: How bright each tile usually is against the first picture; grows where lamps are switched on.
        invalid: Tiles whose usual look shows what has left the table.
        bare: The bare table, once it was seen.
        bare_tiles: How bright it is at the light of the first picture, tile by tile; not a number where unknown.
        flicker: The last measured shares by which the brightness of rows differs from picture to picture.
    """

    def __init__(self, first: Gray, taken_s: float, inside: Mask) -> None:
        self._inside = inside
        self._adapted_s = taken_s
        self.look = first.copy()
        self.half = halved(self.look)
        self._beneath = self.half.copy()
        self._earlier = first.copy()
        self._unread: Mask = np.zeros(inside.shape, np.bool_)  # what usually lies there was never read
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
        """Let what rests and has been read become the usual look; the last stage of a look."""
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
                if any_tile(ready):  # most looks do without the picture at usual light
                    self._keep_beneath(ready & lesson.cards)
                    self._keep_earlier(change.small, ready & ~lesson.confirmed)
                    self._unread &= ~(ready & lesson.confirmed)
                    self.absorb(change.small, ready)
        if self.is_due(taken_s):
            self._adapted_s = taken_s
            if not any_tile(change.hand):
                flicker = change.lighting.flicker(change.tiles / self.tiles, self._inside)
                self.flicker = [*self.flicker[-6:], flicker]
            # Where something lies unread, what a tile beside it shows of it must not become usual.
            unread = dilated(self._unread, 1) if any_tile(self._unread) else self._unread
            self.adapt(change.small, change.still & self._inside & ~change.changed & ~unread)
            if not any_tile(change.hand):
                self.absorb(change.small, ~self._inside & (change.rest_s >= BEYOND_REST_S))
            if lesson.bare_hidden is not None:
                self._learn_bare(change.small, lesson.bare_hidden)
            if lesson.bare_shown is not None:
                self._uncover(lesson.bare_shown)

    def place_before(self, small: Gray, box: SmallBox, tiles: TileBox, until: NDArray[np.int64]) -> PlaceBefore:
        """How a place usually looked.

        Args:
            small: The small picture of this look at usual light.
            box: The place in the small picture.
            tiles: The same place in tiles.
            until: The number of the look until which each of its pixels looked so.
        """
        usual, earlier = self.look[box].copy(), None
        if self._unread[tiles].any():
            unread = self._pixels(self._unread)[box] > 0
            earlier = np.where(unread, self._earlier[box], usual).astype(np.uint8)
            if looks_alike(small[box], earlier.astype(np.float32)):
                earlier = None
        telling = not looks_alike(small[box], usual.astype(np.float32))
        return PlaceBefore(usual, local_light(self.light, tiles), box, telling, until, small[box].copy(), earlier)

    def shows_beneath(self, half: Gray, changed: Mask) -> Mask:
        """Changed tiles that look as they did before the card came that usually lies there: it has left.

        Args:
            half: A halved small picture at usual light.
        """
        limit = SEEN_LEVELS + SEEN_SHARE * self.tiles
        usual, now = differences(self._beneath, self.half, half)
        # What usually looks as it did beneath was bare before, and nothing has left.
        return np.asarray(changed & (usual > limit) & (now < limit), np.bool_)

    def _keep_beneath(self, tiles: Mask) -> None:
        """Cards have come to lie there: remember how these tiles usually looked."""
        if tiles.any():
            pixels = cv2.resize(tiles.astype(np.uint8), self.half.shape[::-1], interpolation=cv2.INTER_NEAREST)
            cv2.copyTo(self.half, pixels, self._beneath)

    def _keep_earlier(self, small: Gray, tiles: Mask) -> None:
        """Something that nobody could read becomes usual there: remember how these tiles looked before its like came.

        Args:
            small: The small picture of this look at usual light, which they are about to look like.
        """
        fresh = tiles & ~self._unread & ~self.invalid  # what has just left was read
        if fresh.any():
            cv2.copyTo(self.look, self._pixels(fresh), self._earlier)
            self._unread |= fresh
        again = tiles & self._unread & ~fresh
        if again.any():  # nothing lies there any more
            limit = SEEN_LEVELS + SEEN_SHARE * self.tiles
            (apart,) = differences(halved(small), halved(self._earlier))
            self._unread &= ~(again & (apart < limit))

    def absorb(self, small: Gray, tiles: Mask) -> None:
        """From now on these tiles usually look as they do in this small picture at usual light."""
        if tiles.any():
            self._paint(small, tiles, 1.0)
            self.invalid &= ~tiles
            self._as_first &= ~tiles

    def invalidate(self, tiles: Mask) -> None:
        """The usual look of these tiles shows what has left: if it comes back, that is a change nevertheless."""
        self.invalid |= tiles

    def rebase(self, small: Gray) -> None:
        """The light has changed: everything usually looks as in this small picture at usual light."""
        before = self.tiles
        self._paint(small, np.ones_like(self._inside), 1.0)
        self._beneath = self.half.copy()
        self._unread[:] = False
        self._as_first[:] = False
        brighter = self.tiles / before
        smooth, lit = fit_surface(brighter, self._inside, 0.0, LAMP_SHARE)
        self.light = self.light * np.where(lit, brighter, np.maximum(smooth, LAMP_SHARE))

    def adapt(self, small: Gray, tiles: Mask) -> None:
        """These tiles look as usual: let their background follow slow drifts of the light."""
        before = self.tiles
        self._paint(small, tiles, BACKGROUND_RATE)
        self.light = self.light * self.tiles / before

    def _learn_bare(self, small: Gray, hidden: SmallMask) -> None:
        """See the bare table for the first time.

        Args:
            hidden: Pixels of the small picture where something lies, or may lie.
        """
        self.bare = BareTable(small, hidden)
        self.bare_tiles = self.bare.tiles()

    def _uncover(self, shown: Mask) -> None:
        """The guess about where cards may reach has shrunk: see the bare table where it always looked as now."""
        if self.bare is not None and any_tile(tiles := self.bare.hidden_tiles & shown & self._as_first):
            self.bare.uncover(tiles)
            self.bare_tiles = self.bare.tiles()

    def _learn_vacated(self, small: Gray, box: SmallBox, tiles: TileBox) -> None:
        """A card has left this place, and nothing else lies there: this is the bare table."""
        if self.bare is not None:
            self.bare.learn(small, box, local_light(self.light, tiles))
            self.bare_tiles = self.bare.tiles()

    def _paint(self, fresh: Gray, tiles: Mask, share: float) -> None:
        if share < 1:
            fresh = np.asarray(cv2.addWeighted(fresh, share, self.look, 1 - share, 0), np.uint8)
        cv2.copyTo(fresh, self._pixels(tiles), self.look)
        self.half = halved(self.look)
        self.tiles = means(self.half)

    def _pixels(self, tiles: Mask) -> Gray:
        """The pixels of the small picture in these tiles, ``(height, width)`` uint8, 0 or 1."""
        mask = cv2.resize(tiles.astype(np.uint8), self.look.shape[::-1], interpolation=cv2.INTER_NEAREST)
        return np.asarray(mask, np.uint8)
