"""Rectifies cards in a photograph: the sticker gives the approximate pose, the card's edges make it exact."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError, fault
from companion.public.card_reading import Box, CardLayout
from companion.public.print_sizes import CARD_MM, CODE_MODULES, STICKER_MODULES
from companion.public.table import Token
from companion.reading.pictures import MOST_PICTURE_PX, picture_size
from vision.camera.frame import Gray
from vision.codes.decoder import ZXING, read_codes
from vision.codes.fitting import fitted
from vision.codes.mirrored import is_mirrored
from vision.geometry.quads import Corners
from vision.picture_file import decoded

Colour = NDArray[np.uint8]
"""``(height, width, 3)`` uint8, BGR."""

PX_PER_MM = 14.0
"""Resolution of a rectified card: small print is then about 20 pixels high, which suits text recognition."""
AROUND_MM = 14.0
"""The margin around the expected card in which its edges are searched."""
MOST_WHOLE_PX = 64_000_000
"""A larger photograph is decoded at half its size, if it is a JPEG that can be."""
MOST_CARDS = 12
"""Cards in one photograph; with more they are too small to read."""
STICKER_GROWN, RING_GROWN = (STICKER_MODULES + 1) / CODE_MODULES, (STICKER_MODULES + 3) / CODE_MODULES
"""The sticker with a small margin, and the ring around it that gives the card's colour, in sides of the code."""
FINE = 4.0
"""Pixels per millimetre for finding edges."""
EDGE_OFF_MM = 7.0
"""The largest distance of an edge from where the sticker predicts it: a hundredth of a module at the code is a
millimetre there."""
EDGE_WIDE_MM = 0.5
"""Points closer than this to an edge's line belong to it."""
EDGE_SEEN = 0.35
"""The least visible fraction of an edge; elsewhere the card may have the table's colour."""
EDGE_TRIES = 400
EDGE_TURNED = 0.12
"""The largest slope of an edge relative to the sticker, about seven degrees: stickers are applied by hand."""
FAR_COSTS = 0.08
"""A line that is a millimetre farther off must be visible on this much more: the next card's edge is straight too."""
LEAST_STEP = 40.0
"""The least gradient of an edge in Sobel's units: about five grey levels per pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class StraightCard:
    """A card from straight above, ``PX_PER_MM`` pixels per millimetre, with its sticker painted over.

    Attributes:
        text: The text of its sticker.
        picture: ``(1232, 882, 3)`` uint8.
        edged: Whether its edges were found.
    """

    text: str
    picture: Colour
    edged: bool

    def piece(self, box: Box) -> Colour:
        """The part of the picture in a box, in millimetres on the card."""
        left, top, right, bottom = (max(0, round(side * PX_PER_MM)) for side in box)
        return np.ascontiguousarray(self.picture[top:bottom, left:right])


def straight_cards(data: bytes, texts: Collection[str], layout: CardLayout) -> tuple[StraightCard, ...]:
    """The cards of a photograph.

    Args:
        data: A JPEG, PNG or WebP file.
        texts: The texts of the deck's stickers; other codes are ignored.
        layout: The position of the sticker, if the card's edges are not visible.

    Raises:
        InputError: It is not a picture, too large, damaged, or mirrored.
    """
    size = picture_size(data)
    large = size is not None and size[0] * size[1] > MOST_WHOLE_PX
    flags = cv2.IMREAD_REDUCED_COLOR_2 if large else cv2.IMREAD_COLOR
    picture: Colour = decoded(data, flags, MOST_PICTURE_PX, MOST_WHOLE_PX)
    gray: Gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    places = list(_codes(gray, texts).items())[:MOST_CARDS]
    if places and is_mirrored(gray, places[0][1], places[0][0]):
        sentence = "The picture is mirrored: switch that off in the app that took it, and take it again"
        raise InputError(fault("picture.fault.mirrored", sentence))
    return tuple(_straight(picture, gray, text, corners, layout) for text, corners in places)


def _codes(gray: Gray, texts: Collection[str]) -> Mapping[str, Corners]:
    """The positions of our codes; the first of two with the same text."""
    codes: dict[str, Corners] = {}
    for seen in read_codes(gray, (ZXING[1], ZXING[2]), fast=False, parse=Token).detections:
        if str(seen.token) in texts:
            codes.setdefault(str(seen.token), seen.corners_px)
    return codes


def _straight(picture: Colour, gray: Gray, text: str, corners: Corners, layout: CardLayout) -> StraightCard:
    exact = fitted(gray, corners, text)
    code_px = np.array(corners, np.float32) if exact is None else exact.astype(np.float32)
    code_mm = layout.sticker_mm * CODE_MODULES / STICKER_MODULES
    rim = (layout.sticker_mm - code_mm) / 2
    left, top = layout.sticker_at_mm[0] + rim, layout.sticker_at_mm[1] + rim
    right, bottom = left + code_mm, top + code_mm
    at_mm = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    to_mm = np.asarray(cv2.getPerspectiveTransform(code_px, at_mm), np.float64)
    outline = _outline(picture, to_mm)
    edged = outline is not None
    if outline is not None:
        wide, high = CARD_MM
        card = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        to_mm = np.asarray(cv2.getPerspectiveTransform(outline.astype(np.float32), card), np.float64)
    scale = np.diag([PX_PER_MM, PX_PER_MM, 1.0])
    wide_px, high_px = (round(side * PX_PER_MM) for side in CARD_MM)
    flat = cv2.warpPerspective(picture, scale @ to_mm, (wide_px, high_px), flags=cv2.INTER_CUBIC)
    straight: Colour = np.asarray(flat, np.uint8)
    place = cv2.perspectiveTransform(code_px.reshape(1, 4, 2), scale @ to_mm)[0]
    _paint_over(straight, place)
    return StraightCard(text, straight, edged)


def _outline(picture: Colour, to_mm: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The card's corners in the photograph, clockwise from its top left; ``None`` if an edge is not found.

    Each edge is searched near its position predicted by the sticker, in a picture of ``FINE`` pixels per millimetre.
    """
    wide, high = (side * FINE for side in CARD_MM)
    rim = AROUND_MM * FINE
    shift = np.array([[FINE, 0, rim], [0, FINE, rim], [0, 0, 1]])
    size = round(wide + 2 * rim), round(high + 2 * rim)
    rough = cv2.GaussianBlur(cv2.warpPerspective(picture, shift @ to_mm, size), (5, 5), 0).astype(np.float32)
    across = np.abs(cv2.Sobel(rough, cv2.CV_32F, 1, 0)).max(axis=2)
    down = np.abs(cv2.Sobel(rough, cv2.CV_32F, 0, 1)).max(axis=2)
    top, bottom = (_edge(down.T, rim, wide, rim + offset) for offset in (0, high))
    left, right = (_edge(across, rim, high, rim + offset) for offset in (0, wide))
    if top is None or bottom is None or left is None or right is None:
        return None
    crossings = (left, top), (right, top), (right, bottom), (left, bottom)
    corners = np.array([_meet(side, level) for side, level in crossings])
    back = np.linalg.inv(shift @ to_mm)
    return np.asarray(cv2.perspectiveTransform(corners.reshape(1, 4, 2), back)[0], np.float64)


def _edge(slopes: NDArray[np.float32], begins: float, length: float, at: float) -> tuple[float, float] | None:
    """An edge as ``x = slope * y + offset``: the line near ``at`` with the most rows that have a steep gradient.

    Args:
        slopes: The gradient, ``(rows, columns)``; the edge runs along the rows.
        begins, length: The first row and the length of the edge; its rounded ends are left out.
        at: The expected column.
    """
    top, bottom = round(begins + 0.1 * length), round(begins + 0.9 * length)
    first = round(at - EDGE_OFF_MM * FINE)
    band = slopes[top:bottom, first : round(at + EDGE_OFF_MM * FINE) + 1]
    steep = (band > LEAST_STEP) & (band == cv2.dilate(band, np.ones((1, 5), np.uint8)))
    rows, columns = np.nonzero(steep)
    if len(rows) < EDGE_SEEN * len(band):
        return None
    middle = len(band) / 2
    dice = np.random.default_rng(0)  # the same picture must give the same card
    best, best_score = np.zeros(len(rows), bool), 0.0
    for one, other in dice.integers(0, len(rows), (EDGE_TRIES, 2)):
        if abs(rows[one] - rows[other]) < 0.25 * len(band):
            continue
        slope = (columns[one] - columns[other]) / (rows[one] - rows[other])
        if abs(slope) > EDGE_TURNED:
            continue
        line = columns[one] + slope * (rows - rows[one])
        close = np.abs(columns - line) < EDGE_WIDE_MM * FINE
        seen = len(np.unique(rows[close])) / len(band)
        off_mm = abs(columns[one] + slope * (middle - rows[one]) + first - at) / FINE
        score = seen - FAR_COSTS * off_mm if seen >= EDGE_SEEN else 0.0
        if score > best_score:
            best, best_score = close, score
    if not best.any():
        return None
    slope, offset = np.polyfit(rows[best] + top, columns[best] + first, 1)
    return float(slope), float(offset)


def _meet(side: tuple[float, float], level: tuple[float, float]) -> tuple[float, float]:
    """The crossing of a vertical edge (``x`` by ``y``) and a horizontal one (``y`` by ``x``)."""
    y = (level[0] * side[1] + level[1]) / (1 - level[0] * side[0])
    return side[0] * y + side[1], y


def _paint_over(straight: Colour, code: NDArray[np.float32]) -> None:
    """Paint the sticker and its white margin in the colour around it, so that it is not read as letters."""
    middle = code.mean(axis=0)
    inner, outer = (
        np.round(middle + (code - middle) * grown).astype(np.int32) for grown in (STICKER_GROWN, RING_GROWN)
    )
    ring = np.zeros(straight.shape[:2], np.uint8)
    cv2.fillConvexPoly(ring, outer, (255,))
    cv2.fillConvexPoly(ring, inner, (0,))
    around = straight[ring > 0]
    colour = np.median(around, axis=0) if len(around) else np.full(3, 255.0)
    cv2.fillConvexPoly(straight, inner, [float(value) for value in colour])
