"""Why a sticker is not seen: a hand covers it, a card lies on it, or nothing is there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Frame
from vision.codes.candidates import texture
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, corners
from vision.geometry.tile_grid import Mask, TileGrid
from vision.motion.bare_table import BareTable, alike, local_light
from vision.motion.detector import ChangeDetector, ChangeMaps, dilated
from vision.tracking.card_outline import CardOutline, learn_outline
from vision.tracking.search import ReadScheduler
from vision.tracking.track import PlaceBefore, Track
from vision.tracking.tracker import CARD_REACH_MM, Tracker, Visibility

HAND_NEAR = 2
"""Tiles about a hand in which nothing is taken for gone."""

BARE_SHARE = 0.4
"""A bare place has less than this share of its sticker's relief."""

OVERHANG_MM = 4.0
"""How much larger than its outline a card is taken to be."""

UPON_SIDES = 0.9
"""Two stickers closer than this, in sides of the code, cannot both be on top."""

CARDS_KNOWN = 512
"""So many drawn cards are remembered."""

MODULE_PX = 2.0
"""A guess, until the first sticker has been read."""


@dataclass(frozen=True, slots=True, eq=False)
class OverlyingCard:
    """Where a card lies around its sticker, a little larger than it is.

    Attributes:
        quad: ``(4, 2)``: its corners in whole pixels of the small picture.
        corners_px: The same in the full picture.
        tiles: Those that show something of it.
    """

    quad: NDArray[np.int32]
    corners_px: Corners
    tiles: Mask


class OcclusionReasoner:
    """Knows where the cards are around their stickers, and how the bare table looks."""

    def __init__(
        self, tiles: TileGrid, geometry: Geometry, presence: Tracker, motion: ChangeDetector, attention: ReadScheduler
    ) -> None:
        self._grid = tiles
        self._presence = presence
        self._motion = motion
        self._attention = attention
        width, height = geometry.size_mm
        tile_mm = tiles.tile_px / geometry.px_per_mm(width / 2, height / 2)
        self._px_per_mm = TILE_PX / tile_mm
        self._reach = round(CARD_REACH_MM / tile_mm)
        self._ground: BareTable | None = None
        self._outline: CardOutline | None = None
        self._known: tuple[tuple[Corners, ...], Mask, Mask] | None = None
        self._outlined: dict[Corners, OverlyingCard] = {}
        self.tags = tiles.mask(corners(points) for points in geometry.tags_px.values())

    def seen(self) -> tuple[tuple[Corners, ...], Mask, Mask]:
        """Where the stickers are that are seen, their tiles, and those of their cards."""
        places = tuple([track.corners_px for track in self._presence.tracks.values() if track.seen])
        if self._known is None or self._known[0] != places:
            stickers = self._grid.mask(places)
            if self._outline is None:
                cards = dilated(stickers, self._reach)
            else:
                cards = np.zeros(self._grid.shape, np.bool_)
                for place in places:
                    cards |= self._card(place, self._outline).tiles
            self._known = places, stickers, np.asarray(cards | stickers, np.bool_)
        return self._known

    def card(self, track: Track) -> Mask:
        """The tiles of one card, as far as its outline is known, else of its sticker."""
        if self._outline is None:
            return self._grid.mask([track.corners_px])
        return self._card(track.corners_px, self._outline).tiles

    def _card(self, sticker_px: Corners, outline: CardOutline) -> OverlyingCard:
        """The card of a sticker; known ones are not drawn again."""
        known = self._outlined.get(sticker_px)
        if known is None:
            place = np.round(outline.corners(self._grid.small(sticker_px), self._px_per_mm, OVERHANG_MM))
            quad = np.asarray(place, np.int32)
            fine = np.zeros((self._grid.shape[0] * TILE_PX, self._grid.shape[1] * TILE_PX), np.uint8)
            cv2.fillConvexPoly(fine, quad, 255)
            tiles = cv2.resize(fine, self._grid.shape[::-1], interpolation=cv2.INTER_AREA) > 0
            if len(self._outlined) >= CARDS_KNOWN:
                self._outlined.clear()
            whole = (quad + 0.5) * self._grid.tile_px / TILE_PX - 0.5
            known = self._outlined[sticker_px] = OverlyingCard(quad, corners(whole), np.asarray(tiles, np.bool_))
        return known

    def faces(self) -> tuple[Corners, ...]:
        """Where the cards are whose stickers are seen, as far as their outline is known."""
        return tuple([card.corners_px for card in self._cards()])

    def outline(self) -> None:
        """Learn where cards are around their stickers."""
        if self._outline is None:
            stickers = [self._grid.small(t.corners_px) for t in self._presence.tracks.values() if t.seen]
            self._outline = learn_outline(self._motion.lores, stickers, self._px_per_mm)
            self._known = None

    def learn(self, stir: ChangeMaps) -> None:
        """Look at a still table: where its cards are, and, once, how it looks without them."""
        self.outline()
        if self._ground is not None:
            return
        _, seen, cards = self.seen()
        covered = seen | dilated(self.tags, 1) | stir.changed | ~self._motion.inside
        if self._outline is None:
            covered |= cards
        hidden = cv2.resize(covered.astype(np.uint8), self._motion.lores.shape[::-1], interpolation=cv2.INTER_NEAREST)
        for card in self._cards():
            cv2.fillConvexPoly(hidden, card.quad, 1)
        self._ground = BareTable(self._motion.lores, hidden > 0)
        self._motion.expect(self._ground.tiles())

    def judge(self, frame: Frame, stir: ChangeMaps, number: int) -> None:
        """Tell the stickers that are not seen what this look says about them."""
        unseen = [track for track in self._presence.tracks.values() if not track.seen]
        if not unseen:
            return
        near_hand = dilated(stir.hand, HAND_NEAR)
        for track in unseen:
            box = self._grid.tiles(track.corners_px)
            if stir.moving[box].any() or near_hand[box].any():
                self._presence.judge(track, Visibility.HIDDEN, number, frame.taken_s)
                continue
            upon = [other for other in self._presence.tracks.values() if self._covers(other, track)]
            if not any(other.laid > track.laid for other in upon) and self._bare(frame, stir, track, upon):
                gone = self._presence.judge(track, Visibility.EMPTY, number, frame.taken_s)
                if gone and self._ground and track.beneath is None and not upon:
                    light = local_light(self._motion.light, box)
                    self._ground.learn(self._motion.lores, self._grid.place(track.corners_px), light)
                    self._motion.expect(self._ground.tiles())
            else:
                self._presence.judge(track, Visibility.HIDDEN, number, frame.taken_s)
                self._presence.cover(track, upon)

    def beneath(self, track: Track) -> PlaceBefore | None:
        """How a place looked before a card came, unless nobody saw it without the card."""
        place, usual = self._grid.place(track.corners_px), self._motion.usual
        if usual is None or alike(self._motion.lores[place], usual[place].astype(np.float32)):
            return None
        light = float(self._motion.light[self._grid.tiles(track.corners_px)].mean())
        return PlaceBefore(usual[place].copy(), light, place)

    def relief(self, frame: Frame, track: Track) -> float:
        """How much of a code a place shows, at usual light."""
        return texture(frame.gray, track.corners_px, self._attention.module_px or MODULE_PX) / self._motion.gain

    def _covers(self, other: Track, track: Track) -> bool:
        """Whether a card that is seen extends over a sticker's place."""
        if not other.seen or other.token == track.token:
            return False
        apart_mm = math.dist(other.center_mm, track.center_mm)
        if apart_mm > CARD_REACH_MM or self._outline is None:
            return apart_mm <= CARD_REACH_MM
        card = self._outline.corners(np.asarray(other.corners_mm, np.float32), 1.0, OVERHANG_MM)
        return cv2.pointPolygonTest(card, track.center_mm, False) >= 0

    def _bare(self, frame: Frame, stir: ChangeMaps, track: Track, upon: list[Track]) -> bool:
        """Whether a sticker's place is seen through."""
        side = math.dist(track.corners_mm[0], track.corners_mm[1])
        if any(math.dist(other.center_mm, track.center_mm) < UPON_SIDES * side for other in upon):
            return True  # what lay under it is on top again
        if self.relief(frame, track) > max(BARE_SHARE * track.relief, self._attention.least_relief / 2):
            return False
        tiles, place = self._grid.tiles(track.corners_px), self._grid.place(track.corners_px)
        light = local_light(self._motion.light, tiles)
        if track.beneath is not None:
            look = track.beneath.look.astype(np.float32) * (light / track.beneath.light)
            if alike(self._motion.lores[track.beneath.place], look):
                return True
        if self._ground is not None and self._ground.bare(self._motion.lores, place, light):
            return True
        # It lay on another card from the beginning: what is seen through to is that card.
        below = bool(upon) and self._outline is not None
        return below and bool(stir.changed[tiles].any()) and not stir.reaching[tiles].any()

    def _cards(self) -> list[OverlyingCard]:
        """The cards whose stickers are seen, where their outline is known."""
        if self._outline is None:
            return []
        seen = [track.corners_px for track in self._presence.tracks.values() if track.seen]
        return [self._card(place, self._outline) for place in seen]
