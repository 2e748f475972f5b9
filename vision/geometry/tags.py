"""Finds the tags at the corners of the table, with subpixel accuracy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.table import Point
from vision.camera.frame import Gray, halved
from vision.geometry.quads import Points

TAG_AREA: Mapping[int, Point] = {
    0: (0, 0), 1: (1, 0), 2: (1, 1), 3: (0, 1), 4: (0.5, 0), 5: (1, 0.5), 6: (0.5, 1), 7: (0, 0.5),
}  # fmt: skip
"""Tag id to its place, in fractions of the table's width and height."""

TAG_DETECTION = (1152, 23), (2304, 13)
"""The largest width of the picture in which tags are searched, and the least threshold window; they are then measured
in the full picture."""

ENOUGH_TAGS = 6
"""More hardly improve the plane."""


def find_tags(gray: Gray, enough: int = ENOUGH_TAGS) -> dict[int, Points]:
    """The mat's tags in a picture: id to its four corners, ``(4, 2)`` in pixels, clockwise from its own top left.

    Args:
        enough: If this many are found in the smaller picture, the larger one is not searched.
    """
    tags_px: dict[int, Points] = {}
    for width, least_px in TAG_DETECTION:
        small = _reduced(gray, width)
        scale = gray.shape[1] / small.shape[1]
        corners, ids, _ = _detector(least_px).detectMarkers(np.ascontiguousarray(small))
        # OpenCV 4 gives ids as (n, 1), OpenCV 5 as (n,).
        numbers = [int(number) for number in np.ravel(np.asarray(ids))[: len(corners)]]  # without tags ids is None
        for tag, quad in zip(numbers, corners, strict=True):
            if tag in TAG_AREA and tag not in tags_px:
                tags_px[tag] = _measured(gray, (np.asarray(quad, np.float32).reshape(4, 2) + 0.5) * scale - 0.5)
        if len(tags_px) >= enough:
            break
    return tags_px


def _reduced(gray: Gray, width_px: int) -> Gray:
    """A picture no wider than this; repeated halving is far faster than one step."""
    while gray.shape[1] >= 2 * width_px:
        gray = halved(gray)
    scale = width_px / gray.shape[1]
    if scale >= 1:
        return gray
    return np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _measured(gray: Gray, points: NDArray[np.float32]) -> Points:
    """A tag's corners with subpixel accuracy."""
    side = float(np.linalg.norm(points[0] - points[2])) / math.sqrt(2)
    reach = max(2, round(side / 12))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 40, 0.01)
    fine = cv2.cornerSubPix(np.ascontiguousarray(gray), points.reshape(4, 1, 2), (reach, reach), (-1, -1), stop)
    return np.asarray(fine, np.float64).reshape(4, 2)


@cache
def _detector(least_px: int) -> cv2.aruco.ArucoDetector:
    how = cv2.aruco.DetectorParameters()
    how.adaptiveThreshWinSizeMin, how.adaptiveThreshWinSizeMax = least_px, 23
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), how)
