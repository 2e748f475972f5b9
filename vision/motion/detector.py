"""Change detection on the small picture: motion, differences from the background, hands.

Everything is measured in tiles of the low-resolution picture, about as wide as a sticker. Thresholds follow the noise
of each tile while nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CARD_MM
from companion.public.table import Point
from vision.camera.frame import Gray, halved
from vision.geometry.tile_grid import Mask, Tiles, any_tile, dilated
from vision.motion.background import Background
from vision.motion.change_maps import ChangeMaps
from vision.motion.lighting import Lighting, LightingNormaliser
from vision.motion.tiles import differences, means, median

MOTION_OVER_NOISE, MOTION_STEP, MIN_DIFFERENCE_LEVELS = 1.35, 0.9, 2.0
CHANGE_OVER_NOISE, CHANGE_STEP, CHANGE_SHARE = 1.35, 1.6, 0.012
"""A tile has changed if the difference exceeds this many times its noise, plus these grey levels, plus this fraction of
its brightness; never with less than ``MIN_DIFFERENCE_LEVELS``, because videos repeat still pictures without noise and
then correct them all at once."""

NOISE_RISES, NOISE_FALLS = 0.2, 0.01
"""How fast a tile's noise estimate rises and falls."""

HAND_MOVING_S = 2.0
"""A large isolated thing on the table, even at its rim, is a hand only this long after it moved."""

HAND_RESTING_S = 20.0
"""Something that reaches in from beyond the rim without moving for this long is a thing, not a hand."""

CARD_RESTING_S = 0.3
"""After this time at rest a change may be explained by cards that came or left; earlier it may include the hand."""

BUSY_S, IDLE_S = 0.3, 0.5
"""A hand that moved this recently is busy; one that rests for this long beside a busy one is idle."""

IDLE_SHARE = 0.5
"""The fraction of a piece that must have been idle before: its edges vary with the noise."""

REACHING_SHARE = 0.5
"""This fraction of a card's area is enough for something that reaches in from beyond the rim: fingertips at the nearest
row."""

HAND_GAP_TILES = 4
"""A hand may appear in pieces up to this many tiles apart, where it has the table's brightness."""

Explained = Callable[[Mask], Mask]
"""Those of the changed tiles that cards explain."""

EXPLAINED_SHARE = 0.85
"""The fraction of a changed piece that must be visible cards or bare table for it to be no hand."""

BARE_LEVELS, BARE_SHARE = 2.5, 0.1
"""The largest difference of a bare tile from the bare table."""

AROUND = (3, 3)
"""A tile and those beside it."""


class ChangeDetector:
    """Compares small pictures with the one before and with the background.

    Args:
        inside: The tiles of the table; motion elsewhere does not count.
        tile_mm: The approximate width of a tile on the table.
        largest_mm: Width and height of the largest thing of the game; larger things are hands.
    """

    def __init__(self, inside: Mask, tile_mm: float, largest_mm: Point = CARD_MM) -> None:
        self._inside = inside
        self._table_tiles = np.count_nonzero(inside)
        rows, columns = inside.shape
        self._rim = inside & ~_eroded(inside)
        self._beyond = dilated(inside, 1) & ~inside
        self._unseen_beyond = _at_edge(inside)
        width, height = (side / tile_mm + 1.5 for side in largest_mm)
        self._card_tiles = 1.1 * width * height
        self._lighting = LightingNormaliser(inside)
        self._before: Gray | None = None  # at half width, which is enough
        self._noise = np.full((rows, columns), 1.0, np.float32)
        self._noise_known = False
        self._moved_s = np.full((rows, columns), -np.inf)
        self._idle = self._nowhere = np.zeros_like(inside)

    def detect(self, small: Gray, taken_s: float, background: Background, explained: Explained) -> ChangeMaps:
        """Motion in a new picture, and differences from the background.

        Args:
            small: The small picture, ``(height, width)`` uint8.
            explained: Returns those of the changed tiles that show known cards, not hands.
        """
        half = halved(small)
        tiles = means(half)
        if self._before is None:
            self._before = half
            nothing = np.zeros_like(self._inside)
            rest_s = taken_s - self._moved_s
            return ChangeMaps(small, Lighting(), tiles, rest_s, nothing, nothing, nothing, nothing, nothing, nothing)
        tiles, lighting = self._lighting.measure(tiles, background.tiles)
        half = lighting.remove_from(half)
        moved, unusual = differences(half, self._before, background.half)
        self._before = half
        moving = moved > np.maximum(MIN_DIFFERENCE_LEVELS, MOTION_OVER_NOISE * self._noise + MOTION_STEP)
        still = ~moving
        self._learn_noise(moved, (still | _alone(moving)) & self._inside)
        self._moved_s[moving] = taken_s
        moving &= self._inside
        rest_s = taken_s - self._moved_s
        differs = self._differs(unusual, tiles)
        changed = self._inside & (differs | background.invalid)
        beyond = self._beyond & differs | self._unseen_beyond
        hand, reaching = self._hand(changed, beyond, rest_s, explained, half, tiles, background)
        flooded = np.count_nonzero(changed) > 0.55 * self._table_tiles and not any_tile(moving)
        return ChangeMaps(
            small, lighting, tiles, rest_s, moving, changed, hand, self._idle, reaching, still, bool(flooded)
        )

    def _differs(self, unusual: Tiles, tiles: Tiles) -> Mask:
        limit = np.maximum(MIN_DIFFERENCE_LEVELS, CHANGE_OVER_NOISE * self._noise + CHANGE_STEP) + CHANGE_SHARE * tiles
        return np.asarray(unusual > limit, np.bool_)

    def _learn_noise(self, moved: Tiles, still: Mask) -> None:
        if not self._noise_known:
            self._noise[:] = median(moved[self._inside])
            self._noise_known = True
        else:
            step = moved - self._noise
            self._noise += still * np.maximum(NOISE_RISES * step, NOISE_FALLS * step)  # rises faster than it falls

    def _hand(
        self,
        changed: Mask,
        beyond: Mask,
        rest_s: NDArray[np.float64],
        explained: Explained,
        half: Gray,
        tiles: Tiles,
        background: Background,
    ) -> tuple[Mask, Mask]:
        """The tiles of hands, and the changed ones that are connected to the rim.

        Args:
            beyond: Tiles just outside the table that differ from the background, or are outside the picture.
        """
        hand, reaching = np.zeros_like(changed), np.zeros_like(changed)
        if not any_tile(changed):
            self._note_idle(())
            return hand, reaching
        _, labels, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8), connectivity=8)
        at_rim = set(labels[self._rim & changed].tolist())
        crossed = self._rim & dilated(beyond, 1)

        @cache  # not needed for a moving hand
        def known() -> Mask:
            uncovered = _bared(tiles, background) | background.shows_beneath(half, changed)
            return np.asarray(explained(changed) | uncovered, np.bool_)

        small: list[int] = []
        hands: list[tuple[Mask, float]] = []
        for label, area in enumerate(stats[:, cv2.CC_STAT_AREA].tolist()):
            if not label:
                continue
            if area <= self._card_tiles and label not in at_rim:
                small.append(label)
                continue
            piece = labels == label
            crosses = label in at_rim and any_tile(crossed[piece])
            large = area > self._card_tiles * (REACHING_SHARE if crosses else 1.0)
            rested_s = float(rest_s[piece].min())
            if rested_s >= CARD_RESTING_S:
                if float(known()[piece].mean()) > EXPLAINED_SHARE:
                    continue  # cards came or left
                if large:
                    large, crosses = self._is_strange(piece & ~known(), known(), label in at_rim, crossed)
            if label in at_rim:
                reaching |= piece
            if large and rested_s < (HAND_RESTING_S if crosses else HAND_MOVING_S):
                hand |= piece
                hands.append((piece, rested_s))
        self._note_idle(hands)
        if small and any_tile(hand):
            near, near_busy = dilated(hand, HAND_GAP_TILES), dilated(hand & ~self._idle, HAND_GAP_TILES)
            for piece in (labels == label for label in small):
                if any_tile(near[piece]) and float(known()[piece].mean()) <= EXPLAINED_SHARE:
                    hand |= piece
                    if not any_tile(near_busy[piece]) and rest_s[piece].min() >= IDLE_S:
                        self._idle |= piece
        return hand, reaching

    def _note_idle(self, hands: Sequence[tuple[Mask, float]]) -> None:
        """Remember which hands have not moved since before another one came.

        A cup across the rim, or a resting arm, looks like a hand. It did not make the changes of a hand that came and
        left in the meantime, so nothing has to wait for it.

        Args:
            hands: The tiles of each piece, and its seconds at rest.
        """
        if not hands:
            self._idle = self._nowhere
            return
        busy = any(rested_s < BUSY_S for _, rested_s in hands)
        idle = np.zeros_like(self._idle)
        for piece, rested_s in hands:
            if rested_s >= IDLE_S and (busy or self._idle[piece].mean() > IDLE_SHARE):
                idle |= piece
        self._idle = idle

    def _is_strange(self, strange: Mask, known: Mask, at_rim: bool, crossed: Mask) -> tuple[bool, bool]:
        """Whether the unexplained part of something at rest is itself as large as a hand, and whether it crosses the
        rim.

        The unexplained edges of a card, or a shadow, are small, and beside the card. Of something at the rim only what
        is connected to the rim counts; what crosses it away from all that is ``known`` is a hand, however little of it
        is over the table.
        """
        _, labels, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=8)
        parts = set(labels[self._rim & strange].tolist()) if at_rim else range(len(stats))
        least = REACHING_SHARE * self._card_tiles if at_rim else self._card_tiles
        away = set(labels[crossed & strange & ~dilated(known, 1)].tolist())
        large = [label for label in parts if label and (stats[label, cv2.CC_STAT_AREA] > least or label in away)]
        return bool(large), any(bool(crossed[labels == label].any()) for label in large)


def _bared(tiles: Tiles, background: Background) -> Mask:
    """Tiles that now have the brightness of the bare table, and did not before: the thing there has left.

    Where the bare table was visible before and something has changed, there is a hand or a sleeve of the table's
    brightness.
    """
    if background.bare_tiles is None:
        return np.zeros(tiles.shape, np.bool_)
    expected = background.bare_tiles * background.light
    limit = BARE_LEVELS + BARE_SHARE * expected
    return np.asarray((np.abs(tiles - expected) < limit) & ~(np.abs(background.tiles - expected) < limit), np.bool_)


def _alone(moving: Mask) -> Mask:
    """Those of these tiles that move without a neighbour: noise, which is stronger where something dark has left."""
    around = cv2.boxFilter(moving.view(np.uint8), -1, AROUND, normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(moving & (around == 1), np.bool_)


def _eroded(mask: Mask) -> Mask:
    padded = cv2.erode(mask.astype(np.uint8), np.ones(AROUND, np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(padded, np.bool_)


def _at_edge(inside: Mask) -> Mask:
    """Tiles of the table at the edge of the picture: what is beyond them is unknown."""
    edge = np.zeros_like(inside)
    edge[0], edge[-1], edge[:, 0], edge[:, -1] = inside[0], inside[-1], inside[:, 0], inside[:, -1]
    return edge
