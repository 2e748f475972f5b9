"""Finds places that look like one of our codes but cannot be decoded: blurred, or half covered.

A reader needs sharp modules and three finder patterns. People recognise more: a pale square with the dark corners of a
code, and between them the pattern of one of the stickers. A place is compared with all stickers, blurred as by a smudge
on the lens, whole and in halves. Which sticker is most similar does not matter and is not reported.
"""

from __future__ import annotations

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
from vision.codes.fitting import Part, part_likeness
from vision.codes.qr_code import modules

SHARP, BLURRED = 0.5, (1.0, 2.0)
"""Blur of the compared codes (sigma, in modules): as from a lens, and as from a smudge on it."""

SHARP_TURN_DEG, BLURRED_TURN_DEG = 7.5, 10.0
"""Step between the compared rotations."""

HALF = STICKER_MODULES // 2 + 1
"""Modules across half a sticker."""

SEEN_SHARE = 0.75
"""Of a place that is compared, at least this share lies in the piece of the picture; what lies beyond it is made up."""

SHARP_TRIED, BLURRED_TRIED, FITTED = 32, 8, 4
"""The number of places of each kind, the most code-like ones, that are compared with every code; and how many of the
sharp ones, the most similar, are fitted."""

SHARP_ALIKE, BLURRED_ALIKE = 0.67, 0.78
"""Least correlation with the most similar code, for sharp places after fitting. Places without a code reached 0.62 and
0.76; half a code 0.72 to 0.96, a code under a smudge of 2 to 4 pixels 0.81 to 0.97."""

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
class _Part:
    """All stickers, or one half of each, one sample per module.

    Attributes:
        general: Their mean, ``(rows, columns)``.
        common: The same with mean 0 and length 1, ``(rows * columns,)``.
        pages: Each sticker with mean 0 and length 1, ``(stickers, rows * columns)``.
        own: The rest of each without ``common``, length 1.
        middle: The centre of the whole sticker, from the part's top left corner.
        turned: How often the stickers were turned by 90 degrees, counter-clockwise.
        seen: The same part of an upright sticker.
    """

    general: Picture
    common: Picture
    pages: Picture
    own: Picture
    blur: float
    middle: Point
    turned: int
    seen: Part


class CodeLikeness:
    """The appearance of a match's stickers where they cannot be read."""

    def __init__(self, codes: StickerCodes) -> None:
        self._texts = sorted(codes.texts.values())
        printed = [
            np.pad(np.where(modules(text), -1.0, 1.0), QUIET_ZONE_MODULES, constant_values=1.0) for text in self._texts
        ]
        self._sharp = _parts(printed, SHARP, halves=True)
        self._blurred = [part for blur in BLURRED for part in _parts(printed, blur, halves=False)]

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
            likeliest = sorted(sharp, key=attrgetter("alike"), reverse=True)[:FITTED]
            found += [self._covered(gray, module_px, place) for place in likeliest]
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
        if place.alike < BLURRED_ALIKE or not _is_blurred_code(place, gray, module_px):
            return None
        return Resemblance(place.at_px, place.alike, place.alike - BLURRED_ALIKE, place.part.blur)

    def _covered(self, gray: Gray, module_px: float, place: _Place) -> Resemblance | None:
        """A place that looks like a sharp code, or half of one."""
        text, turned_deg = self._texts[place.code], place.turn_deg - 90.0 * place.part.turned
        alike = part_likeness(gray, place.at_px, module_px, turned_deg, text, place.part.seen)
        if alike < SHARP_ALIKE:
            return None
        return Resemblance(place.at_px, alike, alike - SHARP_ALIKE, place.part.blur)


@dataclass(frozen=True, eq=False)
class _Place:
    """A place that is similar to codes in general.

    Attributes:
        general: The correlation with the mean of all codes.
        at_px: The centre of the sticker, in the piece of the picture.
        seen: What is seen there, one sample per module.
        turn_deg: The rotation at which it was found, clockwise.
    """

    general: float
    at_px: Point
    seen: Picture
    part: _Part
    turn_deg: float

    @property
    def spread(self) -> float:
        """The standard deviation of its grey levels."""
        return float(self.seen.std())

    @cached_property
    def _alike(self) -> NDArray[np.float32]:
        seen = self.seen.ravel()
        return np.asarray(self.part.pages @ (seen - seen.mean()) / (max(self.spread, 1e-6) * seen.size**0.5))

    @property
    def alike(self) -> float:
        """The correlation with the most similar code; 0 where hardly anything is seen."""
        return float(self._alike.max()) if self.spread >= LEAST_SPREAD else 0.0

    @property
    def code(self) -> int:
        """The number of that code."""
        return int(self._alike.argmax())


def _places(soft: Picture, module_px: float, parts: Sequence[_Part], turn_deg: float) -> list[_Place]:
    """For each part, the most similar place at this rotation."""
    places = []
    piece, inside, to_px = _turned(soft, turn_deg, module_px)
    windows: dict[tuple[int, int], tuple[Picture, Gray]] = {}
    for part in parts:
        rows, columns = shape = part.general.shape
        if piece.shape[0] < rows or piece.shape[1] < columns:
            continue
        if shape not in windows:
            windows[shape] = _windows(piece, inside, shape)
        length, seen = windows[shape]
        alike = cv2.matchTemplate(piece, part.common.reshape(shape), cv2.TM_CCORR) / length
        _, most, _, (x, y) = cv2.minMaxLoc(alike, seen)
        if x < 0:
            continue  # the piece is smaller than such a part
        at_px = to_px @ (x + part.middle[0], y + part.middle[1], 1.0)
        seen_there = piece[y : y + rows, x : x + columns]
        places.append(_Place(most, (float(at_px[0]), float(at_px[1])), seen_there, part, turn_deg))
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
    part, seen = place.part, place.seen.ravel()
    seen = seen - seen.mean()
    seen /= max(float(np.linalg.norm(seen)), 1e-6)
    general = float(part.common @ seen)
    rest = seen - general * part.common
    own = float((part.own @ rest).max()) / max(float(np.linalg.norm(rest)), 1e-6)
    is_smooth = _roughness(gray, place.at_px, module_px) <= SMOOTH_SHARE * place.spread
    return is_smooth and general >= GENERAL_ALIKE and own >= OWN_ALIKE


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


def _parts(printed: list[NDArray[np.float64]], blur: float, *, halves: bool) -> list[_Part]:
    """All stickers in four rotations, whole or in halves."""
    parts = []
    for turned in range(4):
        pages = np.stack([cv2.GaussianBlur(np.rot90(one, turned), (0, 0), blur) for one in printed]).astype(np.float32)
        middle = (STICKER_MODULES - 1) / 2
        every = slice(None)
        cuts: list[tuple[slice, slice]] = [(every, every)]
        if halves:
            near, far = slice(0, HALF), slice(STICKER_MODULES - HALF, None)
            cuts = [(near, every), (far, every), (every, near), (every, far)]
        for rows, columns in cuts:
            mask = np.zeros((STICKER_MODULES, STICKER_MODULES), np.bool_)
            mask[rows, columns] = True
            down, across = np.nonzero(np.rot90(mask, -turned))
            seen = int(down.min()), int(down.max()) + 1, int(across.min()), int(across.max()) + 1
            cut = pages[:, rows, columns]
            flat = cut.reshape(len(cut), -1)
            flat = flat - flat.mean(1, keepdims=True)
            flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
            general = np.ascontiguousarray(cut.mean(0))
            common = general.ravel() - general.mean()
            common /= max(float(np.linalg.norm(common)), 1e-6)
            own = flat - np.outer(flat @ common, common)
            own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-6)
            at = middle - (columns.start or 0), middle - (rows.start or 0)
            parts.append(_Part(general, common, flat, own, blur, at, turned, seen))
    return parts


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
