"""Remembers pictures of the last seconds, so that a dispute can be reviewed."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.table import Placement, Point, TableState, Token
from companion.reading.picture_mark import marked
from vision.camera.frame import Frame, Gray
from vision.geometry.homography import Geometry
from vision.geometry.quads import Points
from vision.tracking.card_outline import CardOutline
from vision.tracking.outlines import Outlines, four_corners

RING_S = 20.0
STEP_S = 1.0
"""Between remembered pictures: twenty JPEG files take a few megabytes."""

KEPT_FRAMES = 6
WIDTH_PX = 1600
QUALITY = 80
WHOLE_QUALITY = 95
PAGE_WIDTH_PX = 1200
PAGE_BYTES = 96 * 1024
PAGE_QUALITIES = (70, 55, 40, 25)
"""One after the other, until the picture is small enough: all phones share the Wi-Fi, and it comes every second."""
PX_PER_MM = 1.0
RIM_MM = 30
"""Margin around the centres of the corner tags; it shows half a tag and its white edge."""
GRID_PX = 16


NEAR_STICKER = CardOutline(45.0, 45.0, 45.0, 45.0)
"""The marked area while the card's position around its sticker is unknown."""


@dataclass(frozen=True, slots=True)
class RememberedPicture:
    """A JPEG picture, and the positions of the cards in it."""

    taken_s: float
    jpeg: bytes
    geometry: Geometry
    shape: tuple[int, ...]
    lying: dict[Token, Placement]
    outlines: Outlines

    def marking(self, token: Token | None) -> bytes:
        """The picture, with the card's corners in its metadata if the card was there."""
        placement = None if token is None else self.lying.get(token)
        if placement is None:
            return self.jpeg
        return marked(self.jpeg, card_corners(placement, self.geometry, self.outlines, self.shape, WIDTH_PX))


class Recorder:
    """A ring buffer of JPEG pictures of the playing field; nothing outside it is kept."""

    def __init__(self) -> None:
        self._ring: deque[RememberedPicture] = deque(maxlen=round(RING_S / STEP_S))

    def note(
        self,
        frame: Frame,
        geometry: Geometry | None,
        table: TableState | None = None,
        outlines: Outlines | None = None,
        *,
        step_s: float = STEP_S,
    ) -> None:
        """Remember a frame, unless the last one is too recent or the table is not found.

        Args:
            table: The cards on the table.
            outlines: The known outlines of things around their stickers.
            step_s: The least time since the last remembered frame.
        """
        if geometry is None or (self._ring and frame.taken_s - self._ring[-1].taken_s < step_s):
            return
        lying = {placement.token: placement for placement in (table or TableState()).placements}
        packed = jpeg(frame.gray, geometry)
        self._ring.append(
            RememberedPicture(frame.taken_s, packed, geometry, frame.gray.shape, lying, outlines or Outlines.of())
        )

    def around(self, now_s: float, seconds: float, token: Token | None = None) -> list[tuple[float, bytes]]:
        """A few pictures, evenly spread over the last seconds, oldest first, with the position of ``token`` in the
        metadata."""
        recent = [kept for kept in self._ring if kept.taken_s >= now_s - seconds]
        if len(recent) > KEPT_FRAMES:
            chosen = np.linspace(0, len(recent) - 1, KEPT_FRAMES).round().astype(int).tolist()
            recent = [recent[index] for index in chosen]
        return [(kept.taken_s, kept.marking(token)) for kept in recent]


def jpeg(gray: Gray, geometry: Geometry | None) -> bytes:
    """The playing field as a JPEG file, at most 1600 pixels wide."""
    piece = gray if geometry is None else gray[_field(geometry, gray.shape)]
    scale = min(1.0, WIDTH_PX / piece.shape[1])
    if scale < 1:
        piece = np.asarray(cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, packed = cv2.imencode(".jpg", piece, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return packed.tobytes()


def page_jpeg(gray: Gray, geometry: Geometry) -> bytes:
    """The playing field for pages: at most ``PAGE_WIDTH_PX`` wide and, as far as JPEG can, ``PAGE_BYTES`` large."""
    piece = gray[_field(geometry, gray.shape)]
    scale = min(1.0, PAGE_WIDTH_PX / piece.shape[1])
    if scale < 1:
        piece = np.asarray(cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    for quality in PAGE_QUALITIES:
        _, packed = cv2.imencode(".jpg", piece, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if packed.size <= PAGE_BYTES:
            break
    return packed.tobytes()


def card_corners(
    placement: Placement, geometry: Geometry, outlines: Outlines, shape: tuple[int, ...], width_px: int
) -> list[Point]:
    """The four corners of a card, in pixels of the field that is at most ``width_px`` wide."""
    edge = outlines.sized.get(placement.token)
    sides = (outlines.card or NEAR_STICKER).around_mm() if edge is None else edge[four_corners(edge)]
    turn = math.radians(placement.rotation_deg)
    around: list[Point] = [
        (
            placement.x_mm + x * math.cos(turn) - y * math.sin(turn),
            placement.y_mm + x * math.sin(turn) + y * math.cos(turn),
        )
        for x, y in sides.tolist()
    ]
    rows, columns = _field(geometry, shape)
    scale = min(1.0, width_px / (columns.stop - columns.start))
    moved = (geometry.to_px(around) - (columns.start, rows.start)) * scale
    return [(float(x), float(y)) for x, y in moved]


def whole_jpeg(gray: Gray) -> bytes:
    """The whole picture as a JPEG file, good enough to read its stickers."""
    _, packed = cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, WHOLE_QUALITY])
    return packed.tobytes()


def top_view_jpeg(gray: Gray, geometry: Geometry) -> bytes:
    """The playing field from straight above as a JPEG file: ``PX_PER_MM``, with ``RIM_MM`` around the tags."""
    width, height = geometry.size_mm
    shrunk = max(1.0, geometry.px_per_mm(width / 2, height / 2) / PX_PER_MM)
    small = cv2.resize(gray, None, fx=1 / shrunk, fy=1 / shrunk, interpolation=cv2.INTER_AREA)
    places = (top_view(geometry) + 0.5) / shrunk - 0.5
    drawn = cv2.remap(small, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    _, packed = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return packed.tobytes()


def top_view(geometry: Geometry) -> NDArray[np.float32]:
    """The source of each pixel of the view from above: ``(rows, columns, 2)`` in the picture's pixels.

    The mapping is computed for every sixteenth pixel and interpolated in between.
    """
    across, down = (int((side + 2 * RIM_MM) * PX_PER_MM) for side in geometry.size_mm)
    columns, rows = np.meshgrid(np.arange(0, across + GRID_PX, GRID_PX), np.arange(0, down + GRID_PX, GRID_PX))
    places = np.stack([columns, rows], axis=-1).reshape(-1, 2) / PX_PER_MM - RIM_MM
    coarse = geometry.to_px(places).reshape(*columns.shape, 2)
    stretch = np.array([[1 / GRID_PX, 0, 0], [0, 1 / GRID_PX, 0]])
    fine = cv2.warpAffine(coarse, stretch, (across, down), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(fine, np.float32)


def _field(geometry: Geometry, shape: tuple[int, ...]) -> tuple[slice, slice]:
    width, height = geometry.size_mm
    rim: list[Point] = [(-30, -30), (width + 30, -30), (width + 30, height + 30), (-30, height + 30)]
    points: Points = geometry.to_px(rim)
    left, top = np.clip(np.floor(points.min(0)), 0, (shape[1] - 2, shape[0] - 2)).astype(int).tolist()
    right, bottom = np.clip(np.ceil(points.max(0)), (left + 1, top + 1), (shape[1], shape[0])).astype(int).tolist()
    return slice(top, bottom), slice(left, right)
