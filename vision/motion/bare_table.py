"""The bare table beneath the cards, to recognise places that are bare now."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import TILE_PX, Gray
from vision.geometry.tile_grid import Mask, SmallBox, SmallMask, TileBox, Tiles
from vision.motion.lighting import fit_surface

SEEN_LEVELS, SEEN_SHARE = 2.5, 0.08
"""The largest difference of a bare place from its look before a card came: grey levels, plus a fraction of its
brightness."""

GUESSED_LEVELS, GUESSED_SHARE = 5.0, 0.18
"""The same where a card was from the beginning and the ground beneath it is interpolated."""

LEAST_COUNTING = 0.25
"""A quarter of a place with a smaller fraction of compared pixels is not used."""

STRANGE_LEVELS, STRANGE_SHARE = 8.0, 0.3
"""In the first look, tiles that differ more from the smooth surface of the table are covered."""

COARSE_STEP, GUESS_WIDTH = 4, 3
"""The ground is interpolated in a picture smaller by this factor, beginning with this window width."""


class BareTable:
    """The bare table, as far as it was seen or can be interpolated.

    Args:
        small: A small picture of the table, ``(height, width)`` uint8, at usual light.
        hidden: Its pixels that are, or may be, covered, ``(height, width)`` bool.
    """

    def __init__(self, small: Gray, hidden: SmallMask) -> None:
        self._first: NDArray[np.float32] = small.astype(np.float32)
        self._hidden = hidden
        self._seen = ~hidden & ~_strange(self._first, ~hidden)
        self._look = self._first.copy()
        self._guess()

    @property
    def hidden_tiles(self) -> Mask:
        """Tiles with at least one hidden pixel, ``(rows, columns)`` bool."""
        return np.asarray(self._hidden.reshape(_tile_shape(self._hidden)).any((1, 3)), np.bool_)

    def uncover(self, tiles: Mask) -> None:
        """These tiles are not covered and look as when the bare table was first seen."""
        shown = self._hidden & (np.kron(tiles, np.ones((TILE_PX, TILE_PX), np.bool_)) > 0)
        self._hidden = self._hidden & ~shown
        fresh = shown & ~self._seen & ~_strange(self._first, self._seen | shown)
        self._look[fresh] = self._first[fresh]
        self._seen |= fresh
        self._guess()

    def _guess(self) -> None:
        """Interpolate unseen pixels from seen ones around them."""
        guess, weight = _spread(self._look, self._seen)
        guessed = ~self._seen & weight
        self._look[guessed] = guess[guessed]
        self._known = self._seen | weight

    def tiles(self) -> Tiles:
        """Brightness of the bare table by tile, ``(rows, columns)`` float32; NaN where unknown."""
        look = np.where(self._known, self._look, np.nan).reshape(_tile_shape(self._look))
        return np.asarray(look.mean((1, 3)), np.float32)

    def is_bare(self, small: Gray, box: SmallBox, light: float, *, guessed: bool) -> bool:
        """Whether a place looks like the bare table.

        Args:
            small: The small picture of this look at usual light.
            light: The present brightness of the place relative to the first picture.
            guessed: Whether the ground may have been interpolated there.
        """
        seen = bool(self._seen[box].mean() > 0.8)
        if not seen and not (guessed and self._known[box].mean() > 0.8):
            return False
        levels, share = (SEEN_LEVELS, SEEN_SHARE) if seen else (GUESSED_LEVELS, GUESSED_SHARE)
        return looks_alike(small[box], self._look[box] * light, levels, share)

    def learn(self, small: Gray, box: SmallBox, light: float) -> None:
        """This place of the small picture is bare: remember its look."""
        self._look[box] = small[box] / max(light, 1e-3)
        self._seen[box] = True
        self._known[box] = True


def looks_alike(
    piece: Gray,
    other: NDArray[np.float32],
    levels: float = SEEN_LEVELS,
    share: float = SEEN_SHARE,
    counts: SmallMask | None = None,
) -> bool:
    """Whether two pieces of small pictures, of the same shape, show the same thing in every quarter.

    Args:
        levels, share: Allowed difference in grey levels, plus a fraction of the brightness of ``other``.
        counts: The pixels that are compared; ``None`` = all.
    """
    return alike_share(piece, other, levels, share, counts) == 1.0


def alike_share(
    piece: Gray,
    other: NDArray[np.float32],
    levels: float = SEEN_LEVELS,
    share: float = SEEN_SHARE,
    counts: SmallMask | None = None,
) -> float:
    """The fraction of the quarters of two pieces of small pictures, of the same shape, that show the same thing; 0 to
    1.

    Args:
        levels, share, counts: As in ``looks_alike``. A quarter with hardly any compared pixels is ignored; if all are,
            the result is 0.
    """
    apart = np.abs(piece.astype(np.float32) - other)
    if counts is None:
        limit = levels + share * float(other.mean())
    elif counts.any():
        limit = levels + share * float(other[counts].mean())
    else:
        return 0.0
    if min(apart.shape) < 2:
        return float((apart if counts is None else apart[counts]).mean() <= limit)
    places = quarters(apart.shape)
    compared: list[NDArray[np.float32]] = [apart[place] for place in places]
    if counts is not None:
        both = [(quarter, counts[place]) for quarter, place in zip(compared, places, strict=True)]
        compared = [quarter[asked] for quarter, asked in both if asked.mean() >= LEAST_COUNTING]
    return sum(float(quarter.mean()) <= limit for quarter in compared) / max(1, len(compared))


def quarters(shape: tuple[int, ...]) -> Sequence[tuple[slice, slice]]:
    """The four quarters of a picture of this height and width."""
    rows, columns = shape[0] // 2, shape[1] // 2
    return np.s_[:rows, :columns], np.s_[:rows, columns:], np.s_[rows:, :columns], np.s_[rows:, columns:]


def local_light(light: Tiles, box: TileBox) -> float:
    """The usual brightness of a place relative to the first picture."""
    return float(light[box].mean())


def _tile_shape(small: NDArray[np.generic]) -> tuple[int, int, int, int]:
    """The shape of a small picture split into tiles: axes 1 and 3 run through one tile."""
    height, width = small.shape
    return height // TILE_PX, TILE_PX, width // TILE_PX, TILE_PX


def _strange(look: NDArray[np.float32], seen: SmallMask) -> SmallMask:
    """Pixels of tiles far from the smooth surface of most of the table: a hand, a book, a cup."""
    shape = _tile_shape(look)
    usable = np.asarray(seen.reshape(shape).all((1, 3)), np.bool_)
    tiles = look.reshape(shape).mean((1, 3))
    _, fitted = fit_surface(np.asarray(tiles, np.float32), usable, STRANGE_LEVELS, STRANGE_SHARE)
    strange = usable & ~fitted
    return np.asarray(np.kron(strange, np.ones((TILE_PX, TILE_PX), np.bool_)) > 0, np.bool_)


def _spread(look: NDArray[np.float32], seen: SmallMask) -> tuple[NDArray[np.float32], SmallMask]:
    """The look of hidden places, interpolated from visible ones around them, from near to far."""
    whole = look.shape[1], look.shape[0]
    size = whole[0] // COARSE_STEP, whole[1] // COARSE_STEP
    share_here = cv2.resize(seen.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    total_here = cv2.resize(look * seen, size, interpolation=cv2.INTER_AREA)
    guess, done = np.zeros_like(total_here), np.zeros(total_here.shape, np.bool_)
    width = GUESS_WIDTH
    while width < 2 * max(guess.shape) and not done.all():
        share = cv2.blur(share_here, (width, width))
        total = cv2.blur(total_here, (width, width))
        here = ~done & (share > 0.02)
        guess[here] = total[here] / share[here]
        done |= here
        width = width * 2 + 1
    smooth = cv2.resize(cv2.blur(guess, (3, 3)), whole, interpolation=cv2.INTER_LINEAR)
    reached = cv2.resize(done.astype(np.uint8), whole, interpolation=cv2.INTER_NEAREST)
    return np.asarray(smooth, np.float32), np.asarray(reached, np.bool_)
