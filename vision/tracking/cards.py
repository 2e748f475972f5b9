"""The places of cards and other pieces whose stickers are visible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.table import Token
from vision.camera.frame import TILE_PX, Gray
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, PixelQuads, Points, Quad, corners
from vision.geometry.tile_grid import Mask, SmallMask, TileGrid, any_tile, dilated
from vision.tracking.card_outline import learn_outline, placed
from vision.tracking.outlines import Outlines, four_corners
from vision.tracking.track import TentativeTrack, Track

CARD_REACH_MM = 95.0
"""No part of a card is farther from its sticker."""

NEVER = np.iinfo(np.int64).max
"""Later than any look."""

UNNOTICED_SMALL_PX = 0.25
"""A card is not drawn again if its sticker has moved by less, in pixels of the small picture."""

CARDS_LEARNED = 20
"""The outline is learned from this many cards; more would show nothing else."""

CARDS_KNOWN = 512
"""The number of drawn cards that are cached."""


Outline = NDArray[np.int32]
"""``(n, 2)``, the corners of a piece in whole pixels of the small picture."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPlace:
    """The place of a card or another piece around its sticker, with a small margin.

    Attributes:
        outline: Its corners.
        corners_px: The outermost four in the full picture.
        tiles: The tiles that show a part of it, including its sticker, ``(rows, columns)`` bool.
        own: The tiles that need not be read when it has just come. For a playing card the same as ``tiles``; for a
            piece of known size, which may lie close to others, those of its sticker and those that it covers by half.
    """

    outline: Outline
    corners_px: Corners
    tiles: Mask
    own: Mask


@dataclass(frozen=True, eq=False)
class VisibleCards:
    """The cards whose stickers are visible.

    Attributes:
        stickers_px: The corners of their stickers in the full picture.
        tiles: The tiles of the cards with their stickers, ``(rows, columns)`` bool; for unknown outlines a generous
            guess.
        playing: The tiles of playing cards; no piece that has to be read is laid on their faces.
        guessed: The tiles of unknown outlines.
        places: Each card, in the order of ``stickers_px``; ``None`` if its outline is unknown.
    """

    stickers_px: tuple[Corners, ...]
    tiles: Mask
    playing: Mask
    guessed: Mask
    places: tuple[CardPlace | None, ...]

    @cached_property
    def stickers(self) -> PixelQuads:
        """Their stickers in whole pixels of the full picture."""
        return PixelQuads.of(self.stickers_px)

    @property
    def faces_px(self) -> tuple[Corners, ...]:
        """The corners of the cards in the full picture; of their stickers if the outline is unknown."""
        both = zip(self.places, self.stickers_px, strict=True)
        return tuple([card.corners_px if card else sticker_px for card, sticker_px in both])

    def covered_pixels(self, tiles: Mask) -> SmallMask:
        """The pixels of the small picture in any of these tiles or under a card, ``(height, width)`` bool."""
        height, width = tiles.shape[0] * TILE_PX, tiles.shape[1] * TILE_PX
        covered = cv2.resize(tiles.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        for card in filter(None, self.places):
            cv2.fillConvexPoly(covered, card.outline, 1)
        return np.asarray(covered > 0, np.bool_)


class CardLocator:
    """Knows or learns the outlines of cards and other pieces, and draws them around their stickers.

    Args:
        outlines: What is known of them before.

    Attributes:
        outlines: The outline of each piece around its sticker; of playing cards, once enough of them were seen.
    """

    def __init__(self, grid: TileGrid, geometry: Geometry, outlines: Outlines) -> None:
        self._grid = grid
        self._geometry = geometry
        width, height = geometry.size_mm
        self._reach = round(CARD_REACH_MM * geometry.px_per_mm(width / 2, height / 2) / grid.tile_px)
        self._drawn: dict[Corners, CardPlace] = {}
        self._last: dict[Token, tuple[Corners, Corners, CardPlace]] = {}  # as drawn, and as last seen near it
        self._cards: VisibleCards | None = None
        self.outlines = outlines

    def locate(self, tracks: Sequence[Track]) -> VisibleCards:
        """The cards of these stickers; the same object for the same stickers at the same places."""
        stickers_px = tuple([track.corners_px for track in tracks])  # a list is faster here
        if self._cards is None or self._cards.stickers_px != stickers_px:
            places = tuple([self._known_place(track) for track in tracks])
            guessed = self._guessed([place for place, card in zip(stickers_px, places, strict=True) if not card])
            tiles = guessed.copy()
            for card in places:
                if card:
                    tiles |= card.tiles
            playing = self._playing(tracks, places, guessed) if self.outlines.sized else tiles
            self._cards = VisibleCards(stickers_px, tiles, playing, guessed, places)
        return self._cards

    def _playing(self, tracks: Sequence[Track], places: Sequence[CardPlace | None], guessed: Mask) -> Mask:
        """The tiles of playing cards, without those that are known to belong to a piece of known size."""
        sized = self.outlines.sized
        playing = self._grid.mask(track.corners_px for track in tracks if track.token not in sized)
        of_known_size = np.zeros_like(playing)
        for track, card in zip(tracks, places, strict=True):
            if card and track.token in sized:
                of_known_size |= card.tiles
            elif card:
                playing |= card.tiles
        return playing | (guessed & ~of_known_size)

    def fresh(self, cards: VisibleCards, changed: Mask, seen_since: Sequence[int], since: NDArray[np.int64]) -> Mask:
        """The tiles of cards that have come or moved: their stickers are visible on changed tiles.

        A card that was visible there before the change began does not explain it: an arm may lie on the card beside its
        sticker.

        Args:
            seen_since: For each card, the look that first saw it at its present place.
            since: The look with which each tile's change began, ``(rows, columns)``.
        """
        at_last = np.where(changed, since, NEVER)
        fresh = [
            (sticker_px, card)
            for sticker_px, card, look in zip(cards.stickers_px, cards.places, seen_since, strict=True)
            if any_tile(changed[box := self._grid.tile_box(sticker_px)]) and at_last[box].min() <= look
        ]
        tiles = self._guessed([sticker_px for sticker_px, card in fresh if not card])
        for _, card in fresh:
            if card:
                tiles |= card.tiles
        return tiles

    def tiles(self, track: Track | TentativeTrack) -> Mask:
        """The tiles of the card with this sticker if its outline is known, otherwise of the sticker."""
        card = self._place(track)
        return card.tiles if card else self._grid.mask([track.corners_px])

    def own_tiles(self, track: Track) -> Mask:
        """The tiles of it that need not be read when it has just come."""
        card = self._place(track)
        return card.own if card else self._grid.mask([track.corners_px])

    def outline(self, track: Track) -> Outline | None:
        """The outline of the card with this sticker, if it is known."""
        card = self._place(track)
        return card.outline if card else None

    def learn(self, small: Gray, tracks: Iterable[Track]) -> None:
        """Learn the outline of playing cards from a small picture at usual light that shows these stickers.

        Cards in a row may look like others of their size, up to the edge of the last one: more cards tell more.
        """
        sized = self.outlines.sized
        cards = list(islice((track for track in tracks if track.token not in sized), CARDS_LEARNED))
        if len(cards) <= self.outlines.learned_from:
            return
        stickers_mm = [self._geometry.to_mm(track.corners_px) for track in cards]
        outline = learn_outline(small, stickers_mm, self._small) or self.outlines.card
        if outline is not None:
            self.outlines = self.outlines.learned(outline, len(cards))
            self._drawn.clear()
            self._last.clear()
            self._cards = None

    def _guessed(self, stickers_px: Sequence[Corners]) -> Mask:
        """A generous guess at the tiles of cards with unknown outline."""
        stickers = self._grid.mask(stickers_px)
        return dilated(stickers, self._reach) | stickers if stickers_px else stickers

    def _known_place(self, track: Track) -> CardPlace | None:
        """As ``_place``, cached per sticker as long as it hardly moves."""
        before, seen_px = self._last.get(track.token), track.corners_px
        if before is not None:
            drawn_px, last_px, card = before
            if last_px is seen_px:
                return card
            if self._is_near(drawn_px, seen_px):
                self._last[track.token] = drawn_px, seen_px, card
                return card
        fresh = self._place(track)
        if fresh is not None:
            self._last[track.token] = seen_px, seen_px, fresh
        return fresh

    def _is_near(self, one: Corners, other: Corners) -> bool:
        most_px = UNNOTICED_SMALL_PX * self._grid.tile_px / TILE_PX
        return all(abs(x - u) < most_px and abs(y - v) < most_px for (x, y), (u, v) in zip(one, other, strict=True))

    def _place(self, track: Track | TentativeTrack) -> CardPlace | None:
        """The card of a sticker, if its outline is known; cached per position."""
        place = self._drawn.get(track.corners_px)
        if place is None:
            around_mm = self.outlines.around_mm(track.token)
            if around_mm is None:
                return None
            outline_mm = placed(around_mm, self._geometry.to_mm(track.corners_px))
            outline = np.asarray(np.round(self._small(outline_mm)), np.int32)
            shares, sticker = self._shares(outline), self._grid.mask([track.corners_px])
            tiles = own = (shares > 0) | sticker
            if track.token in self.outlines.sized:
                own = (shares > 127) | sticker
            if len(self._drawn) >= CARDS_KNOWN:
                self._drawn.clear()
            whole = (outline[four_corners(around_mm)] + 0.5) * self._grid.tile_px / TILE_PX - 0.5
            place = self._drawn[track.corners_px] = CardPlace(outline, corners(whole), tiles, own)
        return place

    def _small(self, points_mm: Points) -> Quad:
        """Points of the table as points of the small picture."""
        return self._grid.small_corners(self._geometry.to_px(points_mm))

    def _shares(self, outline: Outline) -> Gray:
        """How much of each tile an outline in the small picture covers, ``(rows, columns)`` uint8, 255 = all."""
        rows, columns = self._grid.shape
        shares = np.zeros((rows, columns), np.uint8)
        left, top = (outline.min(0) // TILE_PX).clip(0, (columns, rows)).tolist()
        right, bottom = (outline.max(0) // TILE_PX + 1).clip(0, (columns, rows)).tolist()
        if left < right and top < bottom:
            fine = np.zeros(((bottom - top) * TILE_PX, (right - left) * TILE_PX), np.uint8)
            cv2.fillConvexPoly(fine, outline - (left * TILE_PX, top * TILE_PX), 255)
            size = right - left, bottom - top
            shares[top:bottom, left:right] = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
        return shares
