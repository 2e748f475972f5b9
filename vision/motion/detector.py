"""What the small picture tells: what moves, what looks different, what reaches in.

Everything is counted in tiles of the low-resolution picture, about as wide as a sticker. Thresholds
follow the noise that each tile itself shows while nothing happens.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera.frame import Gray, halved
from vision.geometry.tile_grid import Mask, Tiles
from vision.motion.lighting import LightingNormaliser, fit_surface
from vision.motion.tiles import differences, means, median

MOTION_OVER_NOISE, MOTION_STEP, MIN_DIFFERENCE_LEVELS = 1.35, 0.9, 2.0
CHANGE_OVER_NOISE, CHANGE_STEP, CHANGE_SHARE = 1.35, 1.6, 0.012
"""A tile has changed by more than so many times its noise, plus so many grey levels, plus so much of its brightness;
never by less than ``LEAST``, for films repeat still pictures without noise and then correct them all at once."""

NOISE_RISES, NOISE_FALLS = 0.2, 0.01
"""How fast a tile's noise follows what it shows."""

CARD_MM = (63.0, 88.0)
"""The common card size; nothing but the size of hands depends on it."""

HAND_MOVING_S = 2.0
"""A large thing that lies free on the table is a hand only so long after it moved."""

HAND_RESTING_S = 20.0
"""What reaches in from the edge and has not stirred for so long is a thing, not a hand."""

CARD_RESTING_S = 0.6
"""A changed place becomes the usual look of the table after so long."""

HAND_GAP_TILES = 4
"""A hand may seem to be in pieces, so many tiles apart, where it has the table's own tone."""

EXPLAINED_SHARE = 0.85
"""So much of a changed piece must be cards that are seen, or bare table, to be no hand."""

BARE_LEVELS, BARE_SHARE = 2.5, 0.1
"""A tile may differ so much from the bare table."""

BACKGROUND_RATE = 0.25
"""The share of the present in the usual look of a tile, each time it follows."""

LAMP_SHARE = 0.15
"""What grew brighter by so much more or less than lamps explain was laid, or taken away, in the same moment."""


@dataclass(frozen=True, slots=True, eq=False)
class ChangeMaps:
    """One small picture against those before.

    Attributes:
        moving: Tiles that differ from the picture before.
        changed: Tiles that do not look as they usually do.
        hand: Tiles covered by something larger than a card that reaches in or stirs.
        reaching: Changed tiles that hang together with the rim of the table, however few.
        still: Tiles without motion since at least the picture before.
        flooded: Most of the table looks different and nothing moves: the light changed.
    """

    moving: Mask
    changed: Mask
    hand: Mask
    reaching: Mask
    still: Mask
    flooded: bool


class ChangeDetector:
    """Compares small pictures.

    Args:
        inside: The tiles that belong to the table; motion elsewhere is nobody's business.
        tile_mm: How wide a tile is on the table, about.
    """

    def __init__(self, inside: Mask, tile_mm: float) -> None:
        self.inside = inside
        rows, columns = inside.shape
        self._rim = inside & ~_eroded(inside)
        width, height = (side / tile_mm + 1.5 for side in CARD_MM)
        self._card_tiles = 1.1 * width * height
        self._bare: Tiles | None = None
        self._exposure = LightingNormaliser(inside)
        self._before: Gray | None = None  # half as wide, which is enough to compare
        self._usual: Gray | None = None
        self._usual_half: Gray | None = None
        self._usual_tiles = self._tiles = np.ones((rows, columns), np.float32)
        self._doubted = np.zeros_like(inside)
        self._noise = np.full((rows, columns), 1.0, np.float32)
        self._noise_known = False
        self._moved_s = np.full((rows, columns), -np.inf)
        self._seconds = 0.0
        self._raw: Gray | None = None
        self._even: Gray | None = None
        self.light: Tiles = np.ones((rows, columns), np.float32)
        """How bright each tile's usual look is against the first; grows where lamps are switched on."""

    @property
    def noise(self) -> float:
        """The usual difference between two pictures of a still table, in grey levels."""
        return median(self._noise[self.inside]) if self.inside.any() else 0.0

    @property
    def gain(self) -> float:
        """How bright the table is now against its usual look."""
        return self._exposure.gain

    @property
    def lores(self) -> Gray:
        """The picture of this look at usual light; most looks do without. Borrowed like its frame: keep copies."""
        assert self._raw is not None
        if self._even is None:
            self._even = self._exposure.even(self._raw)
        return self._even

    def stir(self, lores: Gray, taken_s: float, explained: Mask) -> ChangeMaps:
        """What stirs in a new picture.

        Args:
            explained: Tiles near stickers that are seen to lie there: cards, not hands.
        """
        self._raw, self._even = lores, None
        half = halved(lores)
        tiles = means(half)
        if self._before is None:
            self._usual = lores.copy()
            self._before = self._usual_half = half
            self._usual_tiles = tiles
            nothing = np.zeros_like(self.inside)
            return ChangeMaps(nothing, nothing, nothing, nothing, nothing, False)
        self._tiles = self._exposure.measure(tiles, self._usual_tiles)
        half = self._exposure.even(half)
        moved = differences(half, self._before)
        moving = self.inside & (
            moved > np.maximum(MIN_DIFFERENCE_LEVELS, MOTION_OVER_NOISE * self._noise + MOTION_STEP)
        )
        quiet = self.inside & ~moving
        self._learn_noise(moved, quiet)
        self._moved_s[moving] = taken_s
        changed = self.inside & (self._changed(half) | self._doubted)
        self._seconds = taken_s
        hand, reaching = self._hand(changed, taken_s, explained)
        self._before = half
        many = changed.sum() > 0.55 * self.inside.sum()
        return ChangeMaps(moving, changed, hand, reaching, quiet, bool(many and not moving.any()))

    def rests(self, seconds: float) -> Mask:
        """Tiles that have not moved for so long."""
        return np.asarray(self._seconds - self._moved_s >= seconds, np.bool_)

    def bands(self) -> float:
        """By what share of the brightness the rows now differ from their usual look."""
        return self._exposure.bands(self._tiles / self._usual_tiles)

    def expect(self, bare: Tiles) -> None:
        """How bright the bare table is at first light; not a number where nobody knows."""
        self._bare = bare

    @property
    def usual(self) -> Gray | None:
        """The usual look of the table at usual light."""
        return self._usual

    def accept(self, tiles: Mask) -> None:
        """From now on these tiles usually look as they do now."""
        if tiles.any():
            self._paint(tiles, 1.0)
            self._doubted &= ~tiles

    def doubt(self, tiles: Mask) -> None:
        """The usual look of these tiles shows what has left: if it comes back, that is a change nevertheless."""
        self._doubted |= tiles

    def relight(self) -> None:
        """The light has changed: everything usually looks like this now."""
        before = self._usual_tiles
        self._paint(np.ones_like(self.inside), 1.0)
        brighter = self._usual_tiles / before
        smooth, lit = fit_surface(brighter, self.inside, 0.0, LAMP_SHARE)
        self.light = self.light * np.where(lit, brighter, np.maximum(smooth, LAMP_SHARE))

    def follow(self, tiles: Mask) -> None:
        """These tiles look as usual: let their usual look follow slow drifts of the light."""
        before = self._usual_tiles
        self._paint(tiles, BACKGROUND_RATE)
        self.light = self.light * self._usual_tiles / before

    def _paint(self, tiles: Mask, share: float) -> None:
        if self._usual is None:
            return
        fresh = self.lores
        if share < 1:
            fresh = np.asarray(cv2.addWeighted(fresh, share, self._usual, 1 - share, 0), np.uint8)
        pixels = cv2.resize(tiles.astype(np.uint8), fresh.shape[::-1], interpolation=cv2.INTER_NEAREST)
        cv2.copyTo(fresh, pixels, self._usual)
        self._usual_half = halved(self._usual)
        self._usual_tiles = means(self._usual_half)

    def _changed(self, half: Gray) -> Mask:
        assert self._usual_half is not None
        limit = (
            np.maximum(MIN_DIFFERENCE_LEVELS, CHANGE_OVER_NOISE * self._noise + CHANGE_STEP)
            + CHANGE_SHARE * self._tiles
        )
        return np.asarray(differences(half, self._usual_half) > limit, np.bool_)

    def _bared(self) -> Mask:
        """Tiles that are as bright as the bare table is there, and were not: what lay there has left.

        Where the bare table was seen and something has changed lies a hand or a sleeve of the table's own tone.
        """
        if self._bare is None:
            return np.zeros_like(self.inside)
        expected = self._bare * self.light
        limit = BARE_LEVELS + BARE_SHARE * expected
        return np.asarray(
            (np.abs(self._tiles - expected) < limit) & ~(np.abs(self._usual_tiles - expected) < limit), np.bool_
        )

    def _learn_noise(self, moved: Tiles, quiet: Mask) -> None:
        if not self._noise_known:
            self._noise[:] = median(moved[self.inside])
            self._noise_known = True
        else:
            step = moved - self._noise
            self._noise += quiet * step * np.where(step > 0, np.float32(NOISE_RISES), np.float32(NOISE_FALLS))

    def _hand(self, changed: Mask, taken_s: float, explained: Mask) -> tuple[Mask, Mask]:
        hand, reaching = np.zeros_like(changed), np.zeros_like(changed)
        if not changed.any():
            return hand, reaching
        _, labels, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
        at_rim = set(labels[self._rim & changed].tolist())
        known = explained | self._bared()
        small: list[Mask] = []
        for label, area in enumerate(stats[:, cv2.CC_STAT_AREA].tolist()):
            if not label:
                continue
            piece = labels == label
            large = area > self._card_tiles
            if not large and label not in at_rim:
                small.append(piece)
                continue
            rested_s = taken_s - float(self._moved_s[piece].max())
            if rested_s >= CARD_RESTING_S and float(known[piece].mean()) > EXPLAINED_SHARE:
                continue  # cards have come, or gone
            if label in at_rim:
                reaching |= piece
            if large and rested_s < (HAND_RESTING_S if label in at_rim else HAND_MOVING_S):
                hand |= piece
        if small and hand.any():
            near = dilated(hand, HAND_GAP_TILES)
            for piece in small:
                if near[piece].any() and float(known[piece].mean()) <= EXPLAINED_SHARE:
                    hand |= piece
        return hand, reaching


def dilated(mask: Mask, tiles: int) -> Mask:
    """The mask and everything so many tiles around it."""
    side = 2 * tiles + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)), np.bool_)


def _eroded(mask: Mask) -> Mask:
    padded = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(padded, np.bool_)
