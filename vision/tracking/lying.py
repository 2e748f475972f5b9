"""Does a card lie, or does a hand hold it over the table? Told by its sticker's size and shape on the table's plane."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.print_sizes import CODE_MODULES, STICKER_MODULES
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import COMMAND_CARDS, SEAT_TAGS, Token
from vision.camera.frame import Gray
from vision.codes.fitting import fitted
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, Points, center
from vision.tracking.track import TentativeTrack, Track, TrackState

LIES_SHARE = 0.01
"""Both sides of a sticker that lies differ from those around it by less. A camera a metre above the table sees one that
is held 20 mm above it 2 % larger; a pile of thirty cards is 1 % high."""

NEIGHBOURS, LEAST_NEIGHBOURS = 5, 3
"""So many of the nearest stickers tell the usual size."""

ROUGHLY_SHARE = 0.035
"""Where fewer than the least are seen, what was measured on this table before tells it, and in the end what is usually
printed: only a card that differs by more is then held to be in a hand. A full pile of sleeved cards is 27 mm high."""

USUAL_MM = tuple(sticker_mm * CODE_MODULES / STICKER_MODULES for sticker_mm in (20.0, 25.0, 30.0))
"""The codes of the stickers that cards mostly bear. Held 50 mm over the table, under a camera a metre up, none of them
looks like the next."""

ROUGH_SHARE, SIZE_SHARE, MOST_HELD = -0.001, 0.05, 3
"""In the first pictures a sticker is measured that looks so much larger than most; what a reader says is a percent off.
Much larger may be another size of stickers, if more have it than a hand holds."""

SHOWN = COMMAND_CARDS | SEAT_TAGS.keys()
"""Commands are shown, be it in a hand; and their stickers may be larger than those of cards."""


def fits_plane(
    gray: Gray,
    candidate: TentativeTrack,
    tracks: Iterable[Track],
    geometry: Geometry,
    codes: StickerCodes,
    shapes: Mapping[Token, Shape] = NO_SHAPES,
    *,
    measured: MutableMapping[Token, float],
) -> bool:
    """Whether a sticker is as large and as square as if it lay on the table, against the stickers that lie around it;
    where there are few, against those that lay there before, and else against what is usually printed.

    Args:
        gray: The picture in which it was seen.
        tracks: What is held to lie; those that are seen and were not measured before are measured.
        codes: What their stickers say.
        shapes: The things that are no playing cards; they are measured against others such as these, for the stickers
            of playing cards are of unknown size.
        measured: How large stickers were that lay on this table, by token; what is measured now is added.
    """
    if candidate.token in SHOWN:
        return True
    own = shapes.get(candidate.token)
    alike = [track for track in tracks if (track.token in shapes) == (own is not None)]
    around = dict(_usual(gray, center(candidate.corners_mm), alike, geometry, codes, shapes))
    measured.update(around)
    sides = _sides_mm(gray, candidate.corners_px, codes.text(candidate.token), geometry)
    if sides is None:
        return False
    sides = sides / (own.code_mm if own else 1.0)
    if len(around) >= LEAST_NEIGHBOURS:
        return _differ(sides, statistics.median(around.values())) < LIES_SHARE
    sizes = [size for token, size in measured.items() if token not in shapes]
    usual = (1.0,) if own else (statistics.median(sizes),) if sizes else USUAL_MM
    return min(_differ(sides, size_mm) for size_mm in usual) < ROUGHLY_SHARE


def _differ(sides: NDArray[np.float64], usual: float) -> float:
    """By what share of the usual size a sticker is larger or smaller, in the direction in which it is more so."""
    return float(np.abs(sides / usual - 1).max())


class FirstSizes:
    """How large stickers are that were there in the first pictures, when nobody can tell yet what is a hand.

    Then only their sizes tell: what is nearer to the camera looks larger.

    Args:
        gray: The picture.
        seen: Every sticker that is seen in it, held to lie or not.
        codes: What they say.
        shapes: The things that are no playing cards; each kind is measured against its own.
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
        """Whether it is larger than the others by more than a pile of cards is high.

        A size that four or more have is a size of stickers, for nobody holds so many over the table.
        """
        if token not in self._seen or token in self._shapes:  # things lie on one another, and their sizes are known
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
        """The mean sides as they were found, not measured: to a percent or so."""
        sizes = {}
        for token, one in self._seen.items():
            a, b, c, d = (one.pose if isinstance(one, Track) else one).corners_mm.tolist()
            around_mm = math.dist(a, b) + math.dist(b, c) + math.dist(c, d) + math.dist(d, a)
            sizes[token] = around_mm / 4 / self._printed(token)
        return sizes

    @cached_property
    def _alike(self) -> dict[bool, list[Token]]:
        """The stickers of playing cards, and those of other things, the smallest first."""
        by_size = sorted(self._seen, key=self._rough.__getitem__)
        return {shaped: [token for token in by_size if (token in self._shapes) == shaped] for shaped in (False, True)}

    def _exact_sides(self, token: Token) -> NDArray[np.float64] | None:
        sides = _sides_mm(self._gray, self._seen[token].corners_px, self._codes.text(token), self._geometry)
        return None if sides is None else sides / self._printed(token)

    def _usual_size(self, shaped: bool) -> float | None:
        """The exact size of those in the middle."""
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
) -> Iterator[tuple[Token, float]]:
    """The nearest cards with the sides of their stickers, in mm; of things of known size as a share of what they should
    be."""
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
            yield track.token, track.fitted_mm / (shapes[track.token].code_mm if track.token in shapes else 1.0)


def _sides_mm(gray: Gray, corners_px: Corners, text: str, geometry: Geometry) -> NDArray[np.float64] | None:
    """How long and how broad a code is on the table, the larger first; a square has both alike in every direction."""
    exact_px = fitted(gray, corners_px, text)
    if exact_px is None:
        return None
    a, b, c, d = np.asarray(geometry.to_mm(exact_px), np.float64)
    square: Points = np.stack([b - a + c - d, d - a + c - b]) / 2
    return np.asarray(np.linalg.svd(square, compute_uv=False), np.float64)
