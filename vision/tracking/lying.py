"""Whether a card lies on the table or is held above it, judged by its sticker's size and shape on the table's plane."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import COMMAND_CARDS, SEAT_TAGS, Token
from vision.camera.frame import Gray
from vision.codes.fitting import fitted
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, Points, center
from vision.tracking.track import TentativeTrack, Track, TrackState

LIES_SHARE = 0.01
"""Both sides of a lying sticker differ from those around it by less than this share.

A camera a metre above the table sees a sticker held 20 mm up 2 % larger; a pile of thirty cards is 1 % high.
"""

NEIGHBOURS, LEAST_NEIGHBOURS = 5, 3
"""The usual size is that of this many nearest stickers, and at least of the second number; with fewer, size does not
tell whether a card lies."""

ROUGH_SHARE, SIZE_SHARE, MOST_HELD = -0.001, 0.05, 3
"""For the first pictures: a sticker larger than most by the first share is measured.

A reader's corners are off by a percent. A much larger one (second share) may be another size of sticker, if more have
it than a hand holds.
"""

SHOWN = COMMAND_CARDS | SEAT_TAGS.keys()
"""Commands are shown, even in a hand; and their stickers may be larger than those of cards."""


def fits_plane(
    gray: Gray,
    candidate: TentativeTrack,
    tracks: Iterable[Track],
    geometry: Geometry,
    codes: StickerCodes,
    shapes: Mapping[Token, Shape] = NO_SHAPES,
) -> bool:
    """Whether a sticker is as large and as square as if it lay on the table, compared with lying stickers around it.

    If there are few, or if it lies on a high pile, that is not certain: a hand could hold it there.

    Args:
        gray: The picture in which it was seen.
        tracks: The lying stickers; visible ones without a measurement are measured.
        codes: Their texts.
        shapes: The pieces that are not playing cards. They are compared with each other, because the stickers of
            playing cards have an unknown size.
    """
    if candidate.token in SHOWN:
        return True
    own = shapes.get(candidate.token)
    alike = [track for track in tracks if (track.token in shapes) == (own is not None)]
    around = list(_usual(gray, center(candidate.corners_mm), alike, geometry, codes, shapes))
    if len(around) < LEAST_NEIGHBOURS:
        return False
    sides = _sides_mm(gray, candidate.corners_px, codes.text(candidate.token), geometry)
    if sides is None:
        return False
    usual_mm = statistics.median(around) * (own.code_mm if own else 1.0)
    return bool(np.abs(sides / usual_mm - 1).max() < LIES_SHARE)


class FirstSizes:
    """The sizes of stickers in the first pictures, when it is not known yet what is a hand.

    Only their sizes show it: what is nearer to the camera looks larger.

    Args:
        gray: The picture.
        seen: Every sticker visible in it, lying or not.
        codes: Their texts.
        shapes: The pieces that are not playing cards; each kind is compared with its own.
    """

    def __init__(
        self,
        gray: Gray,
        seen: Iterable[Track | TentativeTrack],
        geometry: Geometry,
        codes: StickerCodes,
        shapes: Mapping[Token, Shape] = NO_SHAPES,
    ) -> None:
        self._gray, self._geometry, self._codes, self._shapes = gray, geometry, codes, shapes
        self._seen = {one.token: one for one in seen if one.token not in SHOWN}
        self._usual: dict[bool, float | None] = {}

    def is_lifted(self, token: Token) -> bool:
        """Whether it is larger than the others by more than the height of a pile of cards.

        A size that four or more stickers have is another kind of sticker, because a hand does not hold so many.
        """
        if token not in self._seen or token in self._shapes:  # pieces lie on one another, and their sizes are known
            return False
        rough, alike = self._rough[token], self._alike[token in self._shapes]
        middle = self._rough[alike[len(alike) // 2]]
        if len(alike) <= LEAST_NEIGHBOURS or rough < (1 + ROUGH_SHARE) * middle:
            return False
        if rough > (1 + SIZE_SHARE) * middle:
            as_large = sum(abs(self._rough[other] / rough - 1) < SIZE_SHARE / 2 for other in alike)
            if as_large > MOST_HELD:
                return False
        sides, usual = self._exact_sides(token), self._usual_size(token in self._shapes)
        return sides is not None and usual is not None and bool(sides.max() > (1 + LIES_SHARE) * usual)

    @cached_property
    def _rough(self) -> dict[Token, float]:
        """The mean sides as detected, accurate to about a percent."""
        sizes = {}
        for token, one in self._seen.items():
            a, b, c, d = (one.pose if isinstance(one, Track) else one).corners_mm.tolist()
            around_mm = math.dist(a, b) + math.dist(b, c) + math.dist(c, d) + math.dist(d, a)
            sizes[token] = around_mm / 4 / self._printed(token)
        return sizes

    @cached_property
    def _alike(self) -> dict[bool, list[Token]]:
        """The stickers of playing cards, and those of other pieces, smallest first."""
        by_size = sorted(self._seen, key=self._rough.__getitem__)
        return {shaped: [token for token in by_size if (token in self._shapes) == shaped] for shaped in (False, True)}

    def _exact_sides(self, token: Token) -> NDArray[np.float64] | None:
        sides = _sides_mm(self._gray, self._seen[token].corners_px, self._codes.text(token), self._geometry)
        return None if sides is None else sides / self._printed(token)

    def _usual_size(self, shaped: bool) -> float | None:
        """The measured size of those in the middle."""
        if shaped not in self._usual:
            alike = self._alike[shaped]
            middle = alike[max(0, (len(alike) - NEIGHBOURS) // 2) :][:NEIGHBOURS]
            exact = [float(sides.mean()) for token in middle if (sides := self._exact_sides(token)) is not None]
            self._usual[shaped] = statistics.median(exact) if exact else None
        return self._usual[shaped]

    def _printed(self, token: Token) -> float:
        return self._shapes[token].code_mm if token in self._shapes else 1.0


def _usual(
    gray: Gray,
    at_mm: tuple[float, float],
    tracks: Iterable[Track],
    geometry: Geometry,
    codes: StickerCodes,
    shapes: Mapping[Token, Shape],
) -> Iterator[float]:
    """The sides of the nearest cards' stickers, in mm; for pieces of known size relative to that size."""
    seen = [track for track in tracks if track.state is TrackState.VISIBLE and track.token not in SHOWN]
    neighbours = 0
    for track in sorted(seen, key=lambda track: math.dist(track.center_mm, at_mm))[: 2 * NEIGHBOURS]:
        if neighbours == NEIGHBOURS:
            break
        if track.fitted_mm is None:
            sides = _sides_mm(gray, track.corners_px, codes.text(track.token), geometry)
            track.fitted_mm = 0.0 if sides is None else float(sides.mean())
        if track.fitted_mm:
            neighbours += 1
            yield track.fitted_mm / (shapes[track.token].code_mm if track.token in shapes else 1.0)


def _sides_mm(gray: Gray, corners_px: Corners, text: str, geometry: Geometry) -> NDArray[np.float64] | None:
    """Length and width of a code on the table, the larger first; computed so that a square has equal sides."""
    exact_px = fitted(gray, corners_px, text)
    if exact_px is None:
        return None
    a, b, c, d = np.asarray(geometry.to_mm(exact_px), np.float64)
    square: Points = np.stack([b - a + c - d, d - a + c - b]) / 2
    return np.asarray(np.linalg.svd(square, compute_uv=False), np.float64)
