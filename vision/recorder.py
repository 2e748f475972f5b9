"""Remembers the last seconds, so that a quarrel can be looked at again."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from companion.table import Point
from vision.frame import Frame, Gray
from vision.geometry import Geometry, Points

RING_S = 20.0
STEP_S = 1.0
"""Between remembered pictures: packed, twenty of them take a few megabytes."""

KEPT = 6
WIDTH_PX = 1600
QUALITY = 80


class Recorder:
    """A ring of packed pictures of the playing field; nothing outside it is ever kept."""

    def __init__(self) -> None:
        self._ring: deque[tuple[float, bytes]] = deque(maxlen=round(RING_S / STEP_S))

    def note(self, frame: Frame, geometry: Geometry | None) -> None:
        """Remember a frame, unless one was remembered just before; without a table nothing is."""
        if geometry is None or (self._ring and frame.taken_s - self._ring[-1][0] < STEP_S):
            return
        self._ring.append((frame.taken_s, jpeg(frame.gray, geometry)))

    def around(self, now_s: float, seconds: float) -> list[tuple[float, bytes]]:
        """A few pictures, evenly spread over the seconds before now, oldest first."""
        recent = [kept for kept in self._ring if kept[0] >= now_s - seconds]
        if len(recent) <= KEPT:
            return recent
        chosen = np.linspace(0, len(recent) - 1, KEPT).round().astype(int).tolist()
        return [recent[index] for index in chosen]


def jpeg(gray: Gray, geometry: Geometry | None) -> bytes:
    """The playing field as a JPEG file, at most 1600 pixels wide."""
    piece = gray if geometry is None else gray[_field(geometry, gray.shape)]
    scale = min(1.0, WIDTH_PX / piece.shape[1])
    if scale < 1:
        piece = np.asarray(cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, packed = cv2.imencode(".jpg", piece, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return packed.tobytes()


def _field(geometry: Geometry, shape: tuple[int, ...]) -> tuple[slice, slice]:
    width, height = geometry.size_mm
    rim: list[Point] = [(-30, -30), (width + 30, -30), (width + 30, height + 30), (-30, height + 30)]
    points: Points = geometry.to_px(rim)
    left, top = np.clip(np.floor(points.min(0)), 0, (shape[1] - 2, shape[0] - 2)).astype(int).tolist()
    right, bottom = np.clip(np.ceil(points.max(0)), (left + 1, top + 1), (shape[1], shape[0])).astype(int).tolist()
    return slice(top, bottom), slice(left, right)
