"""From pixels to table millimetres: a plane, and a lens with a little distortion.

The centres of the tags are at the positions in the layout and their black squares are 36 mm wide; their rotation does
not matter. The lens has one radial term around the centre of the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import TAG_MM
from companion.public.table import Point
from vision.camera.frame import Gray
from vision.geometry.quads import Points
from vision.geometry.tags import TAG_AREA, find_tags

CORNER_TAGS = (0, 1, 2, 3)
LENS_BENDS = -0.22, 0.22
"""Range of the distortion, as a fraction of half the picture's width at its edge; no usable lens has more."""

LENS_BEND_STEP = 0.0015

WORST_RESIDUAL_MM = 6.0
"""With a larger error the tags are not where the layout says."""


@dataclass(frozen=True, eq=False)
class Geometry:
    """The position of the table in the picture.

    Attributes:
        size_mm: Width and height between the centres of the corner tags.
        tags_px: Tag id to its four corners in the picture, clockwise from its own top left.
    """

    size_mm: Point
    tags_px: Mapping[int, Points]
    _flat_to_mm: Points
    _middle_px: Points
    _reach_px: float
    _bend: float

    @cached_property
    def _mm_to_flat(self) -> Points:
        return np.asarray(np.linalg.inv(self._flat_to_mm), np.float64)

    def to_mm(self, points_px: NDArray[np.floating] | Iterable[Point]) -> Points:
        """Points of the picture in table millimetres: ``(n, 2)`` from ``(n, 2)``."""
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        return _project(self._flat_to_mm, _unbend(points, self._middle_px, self._reach_px, self._bend))

    def to_px(self, points_mm: NDArray[np.floating] | Iterable[Point]) -> Points:
        """Table millimetres as points of the picture: ``(n, 2)`` from ``(n, 2)``; pixel centres are integers."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        flat = _project(self._mm_to_flat, points)
        out = (flat - self._middle_px) / self._reach_px
        bent = out * (1 + self._bend * (out**2).sum(1, keepdims=True))
        return np.asarray(self._middle_px + self._reach_px * bent, np.float64)

    def least_px_per_mm(self, x_mm: float, y_mm: float) -> float:
        """Pixels per millimetre at a place, in the direction with the fewest."""
        here, right, below = self.to_px([(x_mm, y_mm), (x_mm + 1, y_mm), (x_mm, y_mm + 1)])
        return float(np.linalg.svd(np.stack([right - here, below - here]), compute_uv=False)[-1])

    def px_per_mm(self, x_mm: float, y_mm: float) -> float:
        """Pixels per millimetre at a place, averaged over all directions."""
        (x0, y0), (x1, y1), (x2, y2) = self.to_px([(x_mm, y_mm), (x_mm + 1, y_mm), (x_mm, y_mm + 1)])
        return math.sqrt(abs((x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)))


def locate(gray: Gray, size_mm: Point | None) -> Geometry | None:
    """The position of the table in a picture, or ``None`` if its tags are not enough."""
    height, width = gray.shape
    return fit(find_tags(gray), size_mm, (width, height))


def fit(tags_px: Mapping[int, Points], size_mm: Point | None, picture_px: tuple[int, int]) -> Geometry | None:
    """The plane and the lens that fit the tags.

    >>> square = np.array([(-18, -18), (18, -18), (18, 18), (-18, 18)], float)
    >>> tags = {tag: square + at for tag, at in enumerate([(100, 100), (700, 100), (700, 500), (100, 500)])}
    >>> geometry = fit(tags, (600, 400), picture_px=(801, 601))
    >>> geometry.to_mm([(400, 300)]).round().tolist()
    [[300.0, 200.0]]

    Args:
        tags_px: As from ``find_tags``; four are needed, the four corner tags if ``size_mm`` is unknown.
        size_mm: The table's size, or ``None``: derived from the tags' width of 36 mm.
        picture_px: Width and height of the picture.
    """
    corners_seen = all(tag in tags_px for tag in CORNER_TAGS)
    if len(tags_px) < 4 or (size_mm is None and not corners_seen):
        return None
    middle = (np.array(picture_px, np.float64) - 1) / 2
    reach = picture_px[0] / 2

    tags = sorted(tags_px)
    quads = np.concatenate([tags_px[tag] for tag in tags])

    def attempt(bend: float, rounds: int = 4) -> tuple[float, Points, Point] | None:
        return _plane(tags, _unbend(quads, middle, reach, bend), size_mm, rounds)

    def residual(bend: float) -> float:
        trial = attempt(bend, rounds=1)
        return trial[0] if trial else math.inf

    # The error has one minimum, but is flat around it: golden-section search (Kiefer 1953).
    low, high = LENS_BENDS
    share = (math.sqrt(5) - 1) / 2
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = residual(left), residual(right)
    while high - low > LENS_BEND_STEP:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = residual(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = residual(right)
    best = (low + high) / 2
    chosen = attempt(best)
    if chosen is None or chosen[0] > WORST_RESIDUAL_MM:
        return None
    return Geometry(chosen[2], dict(tags_px), chosen[1], middle, reach, best)


def _project(matrix: Points, points: Points) -> Points:
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)


def _unbend(points: Points, middle: Points, reach: float, bend: float) -> Points:
    """The points as a lens without distortion would show them."""
    seen = points - middle
    bend_there = bend / reach**2 * (seen**2).sum(1, keepdims=True)
    share = np.ones_like(bend_there)  # of the distance from the centre
    for _ in range(6):
        share = 1 / (1 + bend_there * share**2)
    return np.asarray(middle + seen * share, np.float64)


def _centers(quads: Points) -> Points:
    """The intersection of the diagonals: the centre of a tag, also in perspective."""
    a, b, c, d = quads.reshape(-1, 4, 2).transpose(1, 2, 0)
    (ux, uy), (vx, vy), (wx, wy) = c - a, d - b, b - a
    along = (wx * vy - wy * vx) / (ux * vy - uy * vx)
    return np.column_stack([a[0] + along * ux, a[1] + along * uy])


def _plane(tags: list[int], quads: Points, size_mm: Point | None, rounds: int) -> tuple[float, Points, Point] | None:
    """Error in mm, matrix and size of the plane that best fits undistorted tags, four corners each."""
    width, height = size_mm or (1.0, 1.0)
    if all(tag in tags for tag in CORNER_TAGS):
        from_px = _centers(quads)
        to_mm = np.array([(TAG_AREA[tag][0] * width, TAG_AREA[tag][1] * height) for tag in tags])
    else:
        from_px, to_mm = quads, _targets(tags, (width, height), None)
    matrix = _homography(from_px, to_mm)
    if matrix is None:
        return None
    if size_mm is None:
        width, height = _size(_project(matrix, quads).reshape(-1, 4, 2))
        if not (math.isfinite(width) and math.isfinite(height)):
            return None
        matrix = np.diag([width, height, 1.0]) @ matrix
    residual = math.inf
    for _ in range(rounds):
        targets = _targets(tags, (width, height), _project(matrix, quads).reshape(-1, 4, 2))
        better = _homography(quads, targets)
        if better is None:
            return None
        matrix = better
        residual = float(np.sqrt(((_project(matrix, quads) - targets) ** 2).sum(1).mean()))
        if size_mm is None:
            seen = _project(matrix, quads).reshape(-1, 4, 2)
            across, down = _size(seen / np.array([width, height]))
            matrix = np.diag([across / width, down / height, 1.0]) @ matrix
            width, height = across, down
    return residual, matrix, (width, height)


def _homography(from_px: Points, to_mm: Points) -> Points | None:
    matrix, _ = cv2.findHomography(from_px, to_mm, 0)
    plane = np.asarray(matrix, np.float64)  # None becomes NaN
    return plane if plane.shape == (3, 3) and np.isfinite(plane).all() else None


def _targets(tags: list[int], size_mm: Point, seen_mm: Points | None) -> Points:
    """The corners of the tags on the table: around their centres, with the rotation that is seen."""
    half = TAG_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    centers = np.array([TAG_AREA[tag] for tag in tags]) * size_mm
    turns = np.zeros(len(tags))
    if seen_mm is not None:
        around = seen_mm - seen_mm.mean(1, keepdims=True)
        across = (square[:, 0] * around[..., 1] - square[:, 1] * around[..., 0]).sum(1)
        turns = np.arctan2(across, (square * around).sum((1, 2)))
    cos, sin = np.cos(turns), np.sin(turns)
    spun = np.stack(
        [
            np.outer(cos, square[:, 0]) - np.outer(sin, square[:, 1]),
            np.outer(sin, square[:, 0]) + np.outer(cos, square[:, 1]),
        ],
        axis=-1,
    )
    return np.asarray(centers[:, None] + spun, np.float64).reshape(-1, 2)


def _size(unit_quads: Points) -> Point:
    """The width and height that make every edge of every tag 36 mm, from quads in fractions of the table."""
    edges = (np.roll(unit_quads, -1, axis=1) - unit_quads).reshape(-1, 2)
    squares, *_ = np.linalg.lstsq(edges**2, np.full(len(edges), TAG_MM**2), rcond=None)
    across, down = (math.sqrt(square) if square > 0 else math.nan for square in squares.tolist())
    return across, down
