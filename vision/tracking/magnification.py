"""The magnification of a lens, which changes a little while it focuses; measured with the table's tags."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Frame, Gray
from vision.geometry.quads import PixelBox, Points, bounds, corners

MOST_SHARE = 0.022
"""The largest change: lenses vary by about a hundredth either way, and the table may have been found at either end."""

MOST_SHIFT_SHARE = 0.001
"""The middle of the picture shifts by no more than this share of its width; otherwise the camera was moved."""

TAG_MARGIN_SIDES = 0.1
"""White paper around a tag's black square, in its sides."""

LEAST_LIKENESS = 0.7
"""A tag with a lower correlation is covered."""

LEAST_TAGS = 3
"""The least number of tags that tells magnification from movement."""

WORST_FIT_PX = 0.8
"""A tag of a small picture that fits worse has moved."""

SPARE_PX, EDGE_PX = 64, 16
"""The number of start pixels tried when a picture is rescaled: beyond its edge if it shows more than needed, and
at its edge otherwise.
"""

SEEN_WIDTH_PX = 2304
"""Tags are compared in pictures no wider than this."""


@dataclass(frozen=True, slots=True)
class Magnification:
    """The mapping from the picture in which the table was located: its point ``p`` is at ``scale * p + shift`` now.

        >>> Magnification(1.5, (3.0, 0.0)).place(np.array([[100.0, 200.0]])).tolist()
        [[153.0, 300.0]]

    Attributes:
        scale: 1 = unchanged.
        shift_px: In the full picture, x and y.
    """

    scale: float = 1.0
    shift_px: tuple[float, float] = (0.0, 0.0)

    def place(self, points_px: Points) -> Points:
        """Where points ``(n, 2)`` of the first picture are in this one."""
        return np.asarray(points_px * self.scale + self.shift_px, np.float64)

    def most_px(self, width_px: int, height_px: int) -> float:
        """The largest displacement of a point in a picture of this size."""
        edges = np.array([(0, 0), (width_px, 0), (width_px, height_px), (0, height_px)], np.float64)
        return float(np.abs(self.place(edges) - edges).max())

    def undone(self, frame: Frame) -> Frame:
        """The frame at the original magnification."""
        gray = _drawn_back(frame.gray, self.scale, self.shift_px)
        ratio = frame.lores.shape[1] / frame.gray.shape[1]
        # A pixel of the small picture is centred on the block of pixels that it stands for.
        middle = (ratio - 1) / 2
        x, y = (ratio * shift + (1 - self.scale) * middle for shift in self.shift_px)
        matrix = np.array([[self.scale, 0, x], [0, self.scale, y]], np.float64)
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        size = frame.lores.shape[::-1]
        lores = cv2.warpAffine(frame.lores, matrix, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        return Frame(gray, np.asarray(lores, np.uint8), frame.taken_s)


def _drawn_back(gray: Gray, scale: float, shift_px: tuple[float, float]) -> Gray:
    """A picture whose point ``p`` shows what was at ``scale * p + shift``, to half a pixel; edges are replicated.

    It takes a tenth of the time of a warp: the picture is scaled by an exact factor, and shifted by whole pixels only.
    """
    height, width = gray.shape
    (left, columns), (top, rows) = _start(scale, shift_px[0]), _start(scale, shift_px[1])
    fresh = cv2.resize(gray[rows:, columns:], None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_CUBIC)
    fresh = fresh[max(0, -top) :, max(0, -left) :][: height - max(0, top), : width - max(0, left)]
    low, right = height - max(0, top) - fresh.shape[0], width - max(0, left) - fresh.shape[1]
    framed = cv2.copyMakeBorder(fresh, max(0, top), low, max(0, left), right, cv2.BORDER_REPLICATE)
    return np.asarray(framed, np.uint8)


def _start(scale: float, shift_px: float) -> tuple[int, int]:
    """The pixel of the result, and that of the given picture, at which to begin: where the two coincide best."""
    first = math.ceil(max(0.0, (0.5 * scale - 0.5 - shift_px) / scale)) if scale > 1 else -SPARE_PX
    starts = []
    for begin in range(first, first + (EDGE_PX if scale > 1 else SPARE_PX)):
        exact = scale * begin + shift_px + 0.5 - 0.5 * scale
        if exact > -0.5:
            starts.append((abs(exact - round(exact)), begin, round(exact)))
    return min(starts)[1:] if starts else (0, 0)


class MagnificationMeter:
    """Remembers the tags as they looked when the table was located, and finds them again nearby.

    Args:
        tags_px: Tag id to its four corners in that picture.
    """

    def __init__(self, gray: Gray, tags_px: Mapping[int, Points]) -> None:
        self._height, self._width = gray.shape
        self._step = max(1, round(self._width / SEEN_WIDTH_PX))
        self._middle = np.array([(self._width - 1) / 2, (self._height - 1) / 2])
        places = [bounds(corners(points), TAG_MARGIN_SIDES, gray.shape) for points in tags_px.values()]
        self._known = [(place, self._reduced(gray[place])) for place in places]

    def measure(self, gray: Gray) -> Magnification | None:
        """The magnification of a picture; ``None`` if too few tags are visible, or the camera was moved."""
        matches = [match for place, tag in self._known if (match := self._found(gray, place, tag)) is not None]
        while len(matches) >= LEAST_TAGS:
            before, now = (np.array(points) for points in zip(*matches, strict=True))
            fit = self._fit(before, now)
            off = np.abs(fit.place(before) - now).max(1)
            if off.max() <= WORST_FIT_PX * self._step:
                return fit if self._is_a_breath(fit) else None
            del matches[int(off.argmax())]
        return None

    def _fit(self, before: Points, now: Points) -> Magnification:
        around, about = before - before.mean(0), now - now.mean(0)
        scale = float((around * about).sum() / (around**2).sum())
        x, y = (now.mean(0) - scale * before.mean(0)).tolist()
        return Magnification(scale, (x, y))

    def _is_a_breath(self, fit: Magnification) -> bool:
        middle = float(np.abs(fit.place(self._middle[None]) - self._middle).max())
        return abs(fit.scale - 1) <= MOST_SHARE and middle <= MOST_SHIFT_SHARE * self._width

    def _found(self, gray: Gray, place: PixelBox, tag: Gray) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """The centre of a tag before and now, in full pixels; ``None`` if it is not visible."""
        rows, columns = place
        step = self._step
        at = np.array([columns.start, rows.start], np.float64)
        across, down = (
            step * (2 + int(MOST_SHARE * abs(side - middle) / step))
            for side, middle in zip(at.tolist(), self._middle.tolist(), strict=True)
        )
        left, top = max(0, columns.start - across), max(0, rows.start - down)
        around = gray[top : rows.stop + down, left : columns.stop + across]
        likeness = cv2.matchTemplate(self._reduced(around), tag, cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(likeness)
        if best < LEAST_LIKENESS:
            return None
        fine = np.array([x + _peak(likeness[y].tolist(), x), y + _peak(likeness[:, x].tolist(), y)]) * step + (
            left,
            top,
        )
        half = np.array([columns.stop - columns.start, rows.stop - rows.start], np.float64) / 2
        return at + half, fine + half

    def _reduced(self, gray: Gray) -> Gray:
        if self._step == 1:
            return np.ascontiguousarray(gray)
        size = gray.shape[1] // self._step, gray.shape[0] // self._step
        whole = gray[: size[1] * self._step, : size[0] * self._step]
        return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def _peak(line: Sequence[float], at: int) -> float:
    """The distance of a parabola's peak, through three neighbours, from the middle one."""
    if not 0 < at < len(line) - 1:
        return 0.0
    low, high, after = line[at - 1 : at + 2]
    bend = low - 2 * high + after
    return 0.0 if bend >= 0 else (low - after) / (2 * bend)
