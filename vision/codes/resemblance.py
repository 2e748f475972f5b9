"""Finds places that look like one of our codes but cannot be decoded: blurred, or half covered.

A reader needs sharp modules and three finder patterns. People recognise more: a pale square with the dark corners of a
code, and between them the pattern of one of the stickers. A place is compared with all stickers, blurred as by a smudge
on the lens, whole and in halves. Which sticker is most similar does not matter and is not reported.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import attrgetter

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.print_sizes import CODE_MODULES, QUIET_ZONE_MODULES, STICKER_MODULES
from companion.public.table import Point
from vision.camera.frame import Gray
from vision.codes.fitting import LEAST_LIKENESS, centre, fit, levels_at, placed, print_of, sticker_print
from vision.codes.qr_code import modules

SHARP, BLURRED = 0.5, (1.0, 2.0)
"""Blur of the compared codes (sigma, in modules): as from a lens, and as from a smudge on it."""

SHARP_TURN_DEG, BLURRED_TURN_DEG = 7.5, 10.0
"""Step between the compared rotations."""

HALF = STICKER_MODULES // 2 + 1
"""Modules across half a sticker."""

HALVES_DEG = range(0, 360, 45)
"""Where the half lies that is seen, from the centre of a sticker; clockwise from the right. A cover's edge crosses a
sticker along its sides, or from corner to corner."""

SEEN_SHARE = 0.75
"""Of a place that is compared, at least this share lies in the piece of the picture; what lies beyond it is made up."""

SHARP_TRIED, BLURRED_TRIED, FITTED = 48, 8, 6
"""The number of places of each kind, the most code-like ones, that are compared with every code; and how many of the
sharp ones, the most similar, are fitted."""

SAME_PLACE, SAME_FITTED = 4.0, 2
"""Of the places within so many modules of each other, this many are fitted; they differ in how a sticker lies."""

SHARP_ALIKE, BLURRED_ALIKE = 0.67, 0.78
"""Least correlation with the most similar code, for sharp places after fitting. Places without a code reached 0.62 and
0.76; half a code 0.72 to 0.96, a code under a smudge of 2 to 4 pixels 0.81 to 0.97."""

DIAGONAL_ALIKE = 0.71
"""The same for half a code from corner to corner. Places without a code reached 0.68; half a code 0.70 to 0.95."""

GENERAL_ALIKE, OWN_ALIKE = 0.66, 0.52
"""A blurred place must also correlate with the mean of all codes, and the rest of it with one code. A cup, once
mistaken for a code, correlates with the mean by 0.58; codes under a smudge by 0.67 to 0.89, and their rest by 0.57 to
0.90. The corner of a card's back reached 0.69, and its rest 0.47."""

SMOOTH_SHARE = 0.42
"""A blurred place changes from pixel to pixel by less than this fraction of the standard deviation of its grey levels:
codes under a smudge by 0.16 to 0.32, sharp things by 0.3 to 1."""

LEAST_SPREAD = 7.0
"""Least standard deviation of the grey levels: codes under a smudge have 9 to 29, and 22 or more in the half with most
contrast; bare plain tables reach 6."""

FINE_SHARE = 0.1
"""Sharp codes are searched where neighbouring modules differ by this fraction of the brightness."""

Picture = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Resemblance:
    """Something like one of our codes.

    Attributes:
        at_px: Its centre in the picture.
        alike: The correlation with the most similar code.
        lead: The excess over the required correlation.
        blur: The blur of that code (sigma, in modules).
    """

    at_px: Point
    alike: float
    lead: float
    blur: float


@dataclass(frozen=True, slots=True, eq=False)
class _Stickers:
    """All stickers upright, or the same half of each, one sample per module.

    Attributes:
        samples: Which of a whole sticker's samples, row by row.
        pages: Each sticker with mean 0 and length 1, ``(stickers, samples)``.
        common: Their mean with mean 0 and length 1.
        blur: Sigma, in modules.
        half_deg: Where the half lies, from the centre; clockwise from the right.
    """

    samples: NDArray[np.intp]
    pages: Picture
    common: Picture
    blur: float
    half_deg: int

    def alike(self, seen: Picture) -> Picture:
        """The correlation of places, ``(places, samples)``, with each of these: ``(places, stickers)``.

        NumPy's matrix product would wake threads for this.
        """
        return np.asarray(np.einsum("ps,cs->pc", _unit(seen[:, self.samples]), self.pages))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """What is searched in a piece of the picture.

    Attributes:
        common: What the stickers, or these halves, have in common, with mean 0 and length 1; ``(rows, columns)``.
        middle: The centre of the whole sticker, from its top left corner; x, y.
        turned: How often the stickers were turned by 90 degrees, counter-clockwise.
    """

    common: Picture
    middle: tuple[int, int]
    turned: int
    stickers: _Stickers


class CodeLikeness:
    """The appearance of a match's stickers where they cannot be read."""

    def __init__(self, codes: StickerCodes) -> None:
        self._texts = sorted(codes.texts.values())
        printed = [
            np.pad(np.where(modules(text), -1.0, 1.0), QUIET_ZONE_MODULES, constant_values=1.0) for text in self._texts
        ]
        self._halves = [_stickers(printed, SHARP, half_deg) for half_deg in HALVES_DEG]
        in_common = np.mean([modules(text) for text in self._texts], 0).astype(np.float32)
        self._prints_in_common = [print_of(in_common, half_deg) for half_deg in HALVES_DEG]
        self._common, self._within = (np.zeros((len(HALVES_DEG), STICKER_MODULES**2), np.float32) for _ in range(2))
        for half, common, within in zip(self._halves, self._common, self._within, strict=True):
            common[half.samples], within[half.samples] = half.common, 1.0
        self._sharp = [_part(half, turned) for turned in range(4) for half in self._halves[::2]]
        self._blurred = [_part(_stickers(printed, blur), turned) for blur in BLURRED for turned in range(4)]

    def best(self, gray: Gray, module_px: float) -> Resemblance | None:
        """The place in a piece of the picture that is most similar to one of the codes; ``None`` if there is none.

        Args:
            gray: A few stickers wide.
            module_px: The width of a module in it.
        """
        *_, found = self.turn_by_turn(gray, module_px)
        return found

    def turn_by_turn(self, gray: Gray, module_px: float) -> Iterator[Resemblance | None]:
        """As ``best``, one rotation per step, so that the caller can do other work in between; the last value is the
        result."""
        soft = cv2.blur(gray, (max(1, round(module_px)),) * 2).astype(np.float32)
        if not _has_contrast(soft, module_px):
            yield None
            return
        blurred = yield from self._search(soft, module_px, self._blurred, BLURRED_TURN_DEG, BLURRED_TRIED)
        found = [self._smudged(gray, module_px, place) for place in blurred]
        if _is_fine(gray, module_px):
            sharp = yield from self._search(soft, module_px, self._sharp, SHARP_TURN_DEG, SHARP_TRIED)
            for place in self._likeliest(sharp, module_px):
                yield None
                found.append(self._covered(gray, module_px, place))
        yield max(filter(None, found), key=attrgetter("lead"), default=None)

    def _search(
        self, soft: Picture, module_px: float, parts: Sequence[_Part], step_deg: float, most: int
    ) -> Generator[None, None, list[_Place]]:
        """The places that are most similar to codes in general, at all rotations."""
        places: list[_Place] = []
        for turn_deg in np.arange(0.0, 90.0, step_deg).tolist():
            places += _places(soft, module_px, parts, turn_deg)
            yield None
        return sorted(places, key=attrgetter("general"), reverse=True)[:most]

    def _smudged(self, gray: Gray, module_px: float, place: _Place) -> Resemblance | None:
        """A place that looks like a code under a smudge on the lens."""
        alike = float(place.part.stickers.alike(place.seen[None]).max())
        if alike < BLURRED_ALIKE or not _is_blurred_code(place, gray, module_px):
            return None
        return Resemblance(place.at_px, alike, alike - BLURRED_ALIKE, place.part.stickers.blur)

    def _likeliest(self, places: Sequence[_Place], module_px: float) -> list[_Place]:
        """Those that are most similar to the codes, each compared as the half that it seems to be."""
        if not places:
            return []
        levels = np.stack([place.seen for place in places])
        seems = self._general(levels).argmax(1)
        alike = np.zeros(len(places))
        for number, half in enumerate(self._halves):
            alike[seems == number] = half.alike(levels[seems == number]).max(-1)
        likeliest: list[_Place] = []
        for place in (places[number] for number in np.argsort(-alike).tolist()):
            if sum(math.dist(place.at_px, other.at_px) < SAME_PLACE * module_px for other in likeliest) < SAME_FITTED:
                likeliest.append(place)
        return likeliest[:FITTED]

    def _general(self, seen: Picture) -> Picture:
        """The correlation of places, ``(places, samples)``, with what each half of all codes has in common."""
        seen = seen - seen.mean(1, keepdims=True)
        total = np.einsum("ps,hs->ph", seen, self._within)
        count = self._within.sum(1)
        square = np.einsum("ps,hs->ph", seen * seen, self._within) - total * total / count
        length = np.sqrt(np.maximum(square, LEAST_SPREAD**2 * count))
        return np.asarray(np.einsum("ps,hs->ph", seen, self._common) / length)

    def _covered(self, gray: Gray, module_px: float, place: _Place) -> Resemblance | None:
        """A place that looks like a sharp code, or half of one, whichever way the cover's edge crosses it.

        It is fitted to what the codes have in common, and only then compared with each of them.
        """
        turned_deg = place.turn_deg - 90.0 * place.part.turned
        starts = [placed(place.at_px, module_px, turned_deg + aside * SHARP_TURN_DEG / 2) for aside in (-1, 0, 1)]
        views = [levels_at(gray, to_px) for to_px in starts]
        start, likely = divmod(int(self._general(np.stack(views)).argmax()), len(self._halves))
        _, to_px = fit(gray, starts[start], self._prints_in_common[likely])
        starts.append(to_px)
        views.append(levels_at(gray, to_px))
        near = [self._halves[(likely + aside) % len(self._halves)] for aside in (-1, 0, 1)]
        alike = np.array([half.alike(np.stack(views)) for half in near])
        _, start, code = (int(number) for number in np.unravel_index(int(alike.argmax()), alike.shape))
        best: Resemblance | None = None
        for half in (near[number] for number in np.argsort(-alike.max((1, 2))).tolist()):
            fits, to_px = fit(gray, starts[start], sticker_print(self._texts[code], half.half_deg))
            if fits < LEAST_LIKENESS:
                break  # the other halves are less similar
            lead = fits - (DIAGONAL_ALIKE if half.half_deg % 90 else SHARP_ALIKE)
            if lead >= (best.lead if best else 0.0):
                best = Resemblance(centre(to_px), fits, lead, SHARP)
        return best


@dataclass(frozen=True, eq=False)
class _Place:
    """A place that is similar to codes in general.

    Attributes:
        general: The correlation with what all codes have in common.
        at_px: The centre of the sticker, in the piece of the picture.
        turn_deg: The rotation at which it was found, clockwise.
        turned: The piece at that rotation.
        middle: The sample in the centre of the sticker there; x, y.
    """

    general: float
    at_px: Point
    part: _Part
    turn_deg: float
    turned: Picture
    middle: tuple[int, int]

    @cached_property
    def seen(self) -> Picture:
        """The whole sticker as if it was upright, one sample per module, row by row; made up beyond the piece."""
        across, down = (np.arange(STICKER_MODULES) + at - STICKER_MODULES // 2 for at in self.middle)
        there = self.turned.take(down, 0, mode="clip").take(across, 1, mode="clip")
        return np.rot90(there, -self.part.turned).ravel()


def _places(soft: Picture, module_px: float, parts: Sequence[_Part], turn_deg: float) -> list[_Place]:
    """For each part, the most similar place at this rotation."""
    places = []
    piece, inside, to_px = _turned(soft, turn_deg, module_px)
    windows: dict[tuple[int, ...], tuple[Picture, Gray]] = {}
    for part in parts:
        rows, columns = shape = part.common.shape
        if piece.shape[0] < rows or piece.shape[1] < columns:
            continue
        if shape not in windows:
            windows[shape] = _windows(piece, inside, (rows, columns))
        length, seen = windows[shape]
        alike = cv2.matchTemplate(piece, part.common, cv2.TM_CCORR) / length
        _, most, _, (x, y) = cv2.minMaxLoc(alike, seen)
        if x < 0:
            continue  # the piece is smaller than such a part
        middle = x + part.middle[0], y + part.middle[1]
        at_px = to_px @ (*middle, 1.0)
        places.append(_Place(most, (float(at_px[0]), float(at_px[1])), part, turn_deg, piece, middle))
    return places


def _windows(piece: Picture, inside: Picture, shape: tuple[int, int]) -> tuple[Picture, Gray]:
    """All windows of this shape in a piece of the picture, by their top left corners.

    A correlation is a window's product with a part of mean 0 and length 1, divided by the window's own length without
    its mean. That length is the same for all parts of a shape; OpenCV's normalised matching works it out for each.

    Returns:
        That length, at least that of one with hardly any contrast; and whether the window lies in the piece.
    """
    rows, columns = shape
    complete = slice(piece.shape[0] - rows + 1), slice(piece.shape[1] - columns + 1)
    share, mean = (cv2.boxFilter(one, -1, (columns, rows), anchor=(0, 0))[complete] for one in (inside, piece))
    square = cv2.sqrBoxFilter(piece, -1, (columns, rows), anchor=(0, 0))[complete]
    spread = np.sqrt(np.maximum(square - mean * mean, LEAST_SPREAD**2))
    return (spread * (rows * columns) ** 0.5).astype(np.float32), (share >= SEEN_SHARE).astype(np.uint8)


def _is_blurred_code(place: _Place, gray: Gray, module_px: float) -> bool:
    """Whether the place is really blurred, and similar in more than the outline."""
    stickers, levels = place.part.stickers, _unit(place.seen)
    general = float(stickers.common @ levels)
    rest = levels - general * stickers.common
    own = stickers.pages - np.outer(stickers.pages @ stickers.common, stickers.common)
    own_alike = float((_unit(own) @ _unit(rest)).max())
    spread = float(place.seen.std())
    is_smooth = _roughness(gray, place.at_px, module_px) <= SMOOTH_SHARE * spread
    return spread >= LEAST_SPREAD and is_smooth and general >= GENERAL_ALIKE and own_alike >= OWN_ALIKE


def _has_contrast(soft: Picture, module_px: float) -> bool:
    """Whether the piece is anything but bare: whether any part of it as large as half a sticker has some contrast."""
    window = (max(1, round(HALF * module_px)),) * 2
    mean, square = cv2.blur(soft, window), cv2.sqrBoxFilter(soft, -1, window)
    return bool((square - mean * mean >= LEAST_SPREAD**2).any())


def _is_fine(gray: Gray, module_px: float) -> bool:
    """Whether neighbouring modules differ anywhere as much as those of a sharp code."""
    apart = max(1, round(0.8 * module_px))
    if min(gray.shape) <= apart:
        return False
    across = cv2.absdiff(gray[:-apart, apart:], gray[:-apart, :-apart])
    down = cv2.absdiff(gray[apart:, :-apart], gray[:-apart, :-apart])
    window = (max(1, round(HALF * module_px)),) * 2
    differing = cv2.blur(cv2.max(across, down), window).astype(np.float32)
    level = cv2.blur(gray[:-apart, :-apart], window).astype(np.float32)
    return bool((differing > FINE_SHARE * level + 3.0).any())


def _roughness(gray: Gray, at_px: Point, module_px: float) -> float:
    """The mean change from pixel to pixel, in grey levels, with some noise removed."""
    x, y = at_px
    reach = CODE_MODULES / 2 * module_px
    piece = gray[max(0, int(y - reach)) : int(y + reach), max(0, int(x - reach)) : int(x + reach)]
    if min(piece.shape) < 4:
        return 255.0
    soft = cv2.blur(piece, (2, 2)).astype(np.float32)
    down, across = np.abs(np.diff(soft, axis=0))[:, 1:], np.abs(np.diff(soft, axis=1))[1:]
    return float(np.maximum(down, across).mean())


def _stickers(printed: Sequence[NDArray[np.float64]], blur: float, half_deg: int | None = None) -> _Stickers:
    """All stickers, or their halves in this direction."""
    pages = np.stack([cv2.GaussianBlur(one, (0, 0), blur) for one in printed]).astype(np.float32)
    within = np.ones((STICKER_MODULES, STICKER_MODULES), np.bool_)
    if half_deg is not None:
        down, across = np.mgrid[:STICKER_MODULES, :STICKER_MODULES] - STICKER_MODULES // 2
        within = across * np.cos(np.radians(half_deg)) + down * np.sin(np.radians(half_deg)) > -0.5
    cut = pages[:, within]
    return _Stickers(np.flatnonzero(within), _unit(cut), _unit(cut.mean(0)), blur, half_deg or 0)


def _part(stickers: _Stickers, turned: int) -> _Part:
    """What is searched for these stickers, whole or cut along their sides."""
    whole = np.full(STICKER_MODULES**2, np.nan, np.float32)
    whole[stickers.samples] = stickers.common
    whole = np.rot90(whole.reshape(STICKER_MODULES, -1), turned)
    rows, columns = (np.flatnonzero(~np.isnan(whole).all(axis)) for axis in (1, 0))
    middle = STICKER_MODULES // 2 - int(columns[0]), STICKER_MODULES // 2 - int(rows[0])
    return _Part(np.ascontiguousarray(whole[np.ix_(rows, columns)]), middle, turned, stickers)


def _unit(samples: Picture) -> Picture:
    """The same with mean 0 and length 1, along the last axis."""
    middle = samples - samples.mean(-1, keepdims=True)
    return np.asarray(middle / np.sqrt(np.maximum((middle * middle).sum(-1, keepdims=True), 1e-12)), np.float32)


def _turned(soft: Picture, turn_deg: float, module_px: float) -> tuple[Picture, Picture, NDArray[np.float64]]:
    """A piece of the picture, rotated, one sample per module; and the mapping back, ``(2, 3)``."""
    height, width = soft.shape
    side = int(np.hypot(height, width) / module_px) + 2
    along, aside = np.cos(np.radians(turn_deg)) * module_px, np.sin(np.radians(turn_deg)) * module_px
    to_px = np.array(
        [
            [along, -aside, (width - (along - aside) * side) / 2],
            [aside, along, (height - (aside + along) * side) / 2],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    piece = cv2.warpAffine(soft, to_px, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(np.ones_like(soft), to_px, (side, side), flags=flags)
    return np.asarray(piece, np.float32), np.asarray(inside, np.float32), to_px


@lru_cache(maxsize=4)
def code_likeness(codes: StickerCodes) -> CodeLikeness | None:
    """The likeness of these stickers, cached; ``None`` for none."""
    return CodeLikeness(codes) if codes.texts else None
