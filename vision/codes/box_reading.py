"""Reads every sticker in one whole picture and measures its print quality, for the check of a box of cards."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from companion.errors import InputError
from companion.public.box_reading import BoxReading, StickerSighting, UnreadSticker
from companion.public.print_sizes import CODE_MODULES
from companion.public.table import Point, Token
from vision.camera.frame import Gray
from vision.codes.decoder import ZXING, DecodeAttempt, attempts_for, fallback_attempt, read_codes
from vision.codes.qr_code import modules
from vision.geometry.quads import Corners, meet
from vision.picture_file import imdecode

SMALL_PX = 4_000_000
"""Pictures up to this size are also read enlarged as a whole."""
FINE_PX = 4
"""Samples per module for measuring the print."""
SOFT_MODULES = 0.6
"""Differences that disappear in a blur of this width are no smudge, but the camera's own blur."""
NUDGES_PX = (-0.6, 0.0, 0.6)
"""The corners of a code are exact to a pixel: the best of these offsets counts."""
PIECE_SHARE = 1.6
"""A code that was found but not read is read again in a piece this many times as wide."""
_QR: Any = zxingcpp.BarcodeFormat.QRCode  # typed as a set of formats from version 3.0 on


def read_box(picture: bytes, texts: Collection[str]) -> BoxReading:
    """The stickers under the camera.

    Args:
        picture: A JPEG or PNG file of the whole picture.
        texts: The texts of the stickers in the box; all other codes are foreign.

    Raises:
        InputError: It is not a picture.
    """
    decoded = imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    if decoded is None:
        raise InputError("the camera's picture is damaged; look again")
    gray: Gray = np.asarray(decoded, np.uint8)
    attempts = [ZXING[1], ZXING[2]] if gray.size <= SMALL_PX else [ZXING[1]]
    read = _texts(gray, attempts)
    unread: list[Corners] = []
    for corners in _found(gray):
        if any(_same(corners, earlier) for _, earlier in read):
            continue
        again = _again(gray, corners)
        if again is None:
            if not any(_same(corners, other) for other in unread):
                unread.append(corners)
        elif not any(text == again[0] and _same(again[1], earlier) for text, earlier in read):
            read.append(again)
    ours = [(text, corners) for text, corners in read if text in texts]
    return BoxReading(
        tuple(
            StickerSighting(text, meet(corners), _module_px(corners), _worn(gray, corners, text), _turned_deg(corners))
            for text, corners in sorted(ours)
        ),
        tuple(UnreadSticker(meet(corners), _module_px(corners)) for corners in unread),
        len(read) - len(ours),
    )


def _texts(gray: Gray, attempts: list[DecodeAttempt]) -> list[tuple[str, Corners]]:
    """The text and corners of every code."""
    reading = read_codes(gray, attempts, fast=False, parse=Token)
    return [(str(seen.token), seen.corners_px) for seen in reading.detections]


def _found(gray: Gray) -> list[Corners]:
    """Codes that were located, whether they can be read or not."""
    places: list[Corners] = []
    for scale in (1, 2) if gray.size <= SMALL_PX else (1,):
        picture = gray if scale == 1 else cv2.resize(gray, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        codes = zxingcpp.read_barcodes(picture, formats=_QR, return_errors=True)
        for code in codes:
            at = code.position
            ring = at.top_left, at.top_right, at.bottom_right, at.bottom_left
            a, b, c, d = ((p.x / scale, p.y / scale) for p in ring)
            places.append((a, b, c, d))
    return places


def _again(gray: Gray, corners: Corners) -> tuple[str, Corners] | None:
    """The code in a piece of the picture, read with every method for small and faint codes."""
    side = PIECE_SHARE * _module_px(corners) * CODE_MODULES / 2
    x, y = meet(corners)
    left, top = max(0, int(x - side)), max(0, int(y - side))
    piece = np.ascontiguousarray(gray[top : int(y + side), left : int(x + side)])
    module_px = _module_px(corners)
    for text, (a, b, c, d) in _texts(piece, [*attempts_for(module_px), fallback_attempt(module_px)]):
        return text, (_moved(a, left, top), _moved(b, left, top), _moved(c, left, top), _moved(d, left, top))
    return None


def _moved(point: tuple[float, float], left: int, top: int) -> tuple[float, float]:
    return point[0] + left, point[1] + top


def _same(one: Corners, other: Corners) -> bool:
    """Whether two codes are at the same place."""
    return math.dist(meet(one), meet(other)) < max(_module_px(one), _module_px(other)) * CODE_MODULES / 2


def _module_px(corners: Corners) -> float:
    ring = (*corners, corners[0])
    return sum(math.dist(a, b) for a, b in pairwise(ring)) / 4 / CODE_MODULES


def _turned_deg(corners: Corners) -> float:
    """The clockwise rotation of a code's top edge in the picture."""
    (ax, ay), (bx, by), *_ = corners
    return math.degrees(math.atan2(by - ay, bx - ax))


def _worn(gray: Gray, corners: Corners, text: str) -> float:
    """The fraction of a code's modules that differ from the print, 0 to 1."""
    printed = np.kron(np.where(modules(text), 0.0, 1.0), np.ones((FINE_PX, FINE_PX))).astype(np.float32)
    ideal = np.asarray(cv2.GaussianBlur(printed, (0, 0), 1.4 * SOFT_MODULES * FINE_PX), np.float32)
    return min(_share_off(gray, [(x + dx, y + dy) for x, y in corners], ideal) for dx in NUDGES_PX for dy in NUDGES_PX)


def _share_off(gray: Gray, corners: list[Point], ideal: NDArray[np.float32]) -> float:
    """The fraction of modules that differ, assuming these corners."""
    side = CODE_MODULES * FINE_PX
    flat = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    turn = cv2.getPerspectiveTransform(np.array(corners, np.float32), flat.astype(np.float32))
    flatly = cv2.warpPerspective(gray, turn, (side, side), flags=cv2.INTER_LINEAR).astype(np.float32)
    seen = cv2.GaussianBlur(flatly, (0, 0), SOFT_MODULES * FINE_PX)
    # Light differs across a table: fit a straight line from printed to seen levels.
    share, level = np.polyfit(ideal.ravel(), seen.ravel(), 1)
    if share <= 0:
        return 1.0
    off = np.abs((seen - level) / share - ideal)
    cells = off.reshape(CODE_MODULES, FINE_PX, CODE_MODULES, FINE_PX).mean(axis=(1, 3))
    return float((cells > 0.33).mean())
