"""Where the cards are whose stickers are seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Gray
from vision.geometry.quads import Corners, corners
from vision.geometry.tile_grid import Mask, SmallMask, TileGrid, dilated
from vision.tracking.card_outline import CardOutline, learn_outline

CARD_REACH_MM = 95.0
"""No part of a card is farther from its sticker."""

OVERHANG_MM = 4.0
"""How much larger than its outline a card is taken to be."""

CARDS_KNOWN = 512
"""So many drawn cards are remembered."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPlace:
    """Where a card lies around its sticker, a little larger than it is.

    Attributes:
        quad: Its corners in whole pixels of the small picture, ``(4, 2)`` int32.
        corners_px: The same in the full picture.
        tiles: Those that show something of it, ``(rows, columns)`` bool.
    """

    quad: NDArray[np.int32]
    corners_px: Corners
    tiles: Mask


@dataclass(frozen=True, slots=True, eq=False)
class VisibleCards:
    """The cards whose stickers are seen.

    Attributes:
        stickers_px: The corners of their stickers in the full picture.
        stickers: The tiles of these, ``(rows, columns)`` bool.
        tiles: The tiles of the cards, stickers among them; a wide guess while their outline is unknown.
        places: Each card; empty while the outline is unknown.
    """

    stickers_px: tuple[Corners, ...]
    stickers: Mask
    tiles: Mask
    places: tuple[CardPlace, ...]

    @property
    def faces_px(self) -> tuple[Corners, ...]:
        """The corners of the cards in the full picture; of their stickers while the outline is unknown."""
        return tuple(card.corners_px for card in self.places) or self.stickers_px

    def covered_pixels(self, tiles: Mask) -> SmallMask:
        """The pixels of the small picture in any of these tiles or under one of the cards, ``(height, width)`` bool."""
        height, width = tiles.shape[0] * TILE_PX, tiles.shape[1] * TILE_PX
        covered = cv2.resize(tiles.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        for card in self.places:
            cv2.fillConvexPoly(covered, card.quad, 1)
        return np.asarray(covered > 0, np.bool_)


class CardLocator:
    """Learns where cards are around their stickers, and draws them there.

    Args:
        tile_mm: How wide a tile is on the table, about.

    Attributes:
        outline: The card around its sticker; ``None`` until enough of them were seen.
    """

    def __init__(self, grid: TileGrid, tile_mm: float) -> None:
        self._grid = grid
        self._px_per_mm = TILE_PX / tile_mm
        self._reach = round(CARD_REACH_MM / tile_mm)
        self._drawn: dict[Corners, CardPlace] = {}
        self._cards: VisibleCards | None = None
        self.outline: CardOutline | None = None

    def locate(self, stickers_px: tuple[Corners, ...]) -> VisibleCards:
        """The cards of stickers with these corners in the full picture; the same value for the same stickers."""
        if self._cards is None or self._cards.stickers_px != stickers_px:
            stickers = self._grid.mask(stickers_px)
            if self.outline is None:
                self._cards = VisibleCards(stickers_px, stickers, dilated(stickers, self._reach) | stickers, ())
            else:
                places = tuple([self._place(sticker_px, self.outline) for sticker_px in stickers_px])
                tiles = stickers.copy()
                for card in places:
                    tiles |= card.tiles
                self._cards = VisibleCards(stickers_px, stickers, tiles, places)
        return self._cards

    def fresh(self, cards: VisibleCards, changed: Mask) -> Mask:
        """The tiles of those cards that have come, or moved: their stickers are seen on changed tiles."""
        news = self._grid.any_of(changed, cards.stickers_px)
        if not cards.places:
            stickers = self._grid.mask(place for place, new in zip(cards.stickers_px, news, strict=True) if new)
            return dilated(stickers, self._reach) | stickers
        tiles = np.zeros_like(cards.tiles)
        for card, new in zip(cards.places, news, strict=True):
            if new:
                tiles |= card.tiles
        return tiles

    def tiles(self, sticker_px: Corners) -> Mask:
        """The tiles of the card with this sticker, as far as its outline is known, else of the sticker."""
        if self.outline is None:
            return self._grid.mask([sticker_px])
        return self._place(sticker_px, self.outline).tiles

    def learn(self, small: Gray, stickers_px: Sequence[Corners]) -> None:
        """Learn the outline, once, from a small picture at usual light that shows these stickers."""
        if self.outline is None:
            quads = [self._grid.small_corners(sticker_px) for sticker_px in stickers_px]
            self.outline = learn_outline(small, quads, self._px_per_mm)
            self._cards = None

    def _place(self, sticker_px: Corners, outline: CardOutline) -> CardPlace:
        """The card of a sticker; known ones are not drawn again."""
        place = self._drawn.get(sticker_px)
        if place is None:
            around = outline.corners(self._grid.small_corners(sticker_px), self._px_per_mm, OVERHANG_MM)
            quad = np.asarray(np.round(around), np.int32)
            fine = np.zeros((self._grid.shape[0] * TILE_PX, self._grid.shape[1] * TILE_PX), np.uint8)
            cv2.fillConvexPoly(fine, quad, 255)
            tiles = cv2.resize(fine, self._grid.shape[::-1], interpolation=cv2.INTER_AREA) > 0
            if len(self._drawn) >= CARDS_KNOWN:
                self._drawn.clear()
            whole = (quad + 0.5) * self._grid.tile_px / TILE_PX - 0.5
            place = self._drawn[sticker_px] = CardPlace(quad, corners(whole), np.asarray(tiles, np.bool_))
        return place
