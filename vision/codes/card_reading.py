"""Cards in a photograph, straightened by their stickers: the sticker gives the pose, the card's edge makes it exact."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.card_reading import Box, CardLayout
from companion.public.print_sizes import CARD_MM, CODE_MODULES, STICKER_MODULES
from companion.public.table import Token
from vision.camera.frame import Gray
from vision.codes.decoder import ZXING, read_codes
from vision.codes.fitting import fitted
from vision.geometry.quads import Corners
from vision.picture_file import decoded

Colour = NDArray[np.uint8]
"""``(height, width, 3)`` uint8, blue first."""

PX_PER_MM = 14.0
"""Of a straightened card: small print is some 20 pixels high then, as text readers like it."""
AROUND_MM = 14.0
"""So far around its presumed place the edge of a card is looked for."""
MOST_PX = 64_000_000
MOST_CARDS = 12
"""Cards of one photograph: more are too small to be read."""
STICKER_GROWN, RING_GROWN = (STICKER_MODULES + 1) / CODE_MODULES, (STICKER_MODULES + 3) / CODE_MODULES
"""A sticker with a hair's breadth around it, and the ring that tells the card's colour there, in sides of the code."""
FINE = 4.0
"""Pixels a millimetre, where edges are looked for."""
EDGE_OFF_MM = 7.0
"""So far from where the sticker says may an edge be: a hundredth of a module at the code is a millimetre there."""
EDGE_WIDE_MM = 0.5
"""What is nearer to an edge's line belongs to it."""
EDGE_SEEN = 0.35
"""Of an edge, at least this share must be seen; a picture may run into the table's colour on the rest."""
EDGE_TRIES = 400
EDGE_TURNED = 0.12
"""An edge lies askew to the sticker by this slope at most, some seven degrees: stickers are stuck by hand."""
FAR_COSTS = 0.08
"""A line a millimetre farther off must be seen on this share more: the next card's edge is as straight."""
LEAST_STEP = 40.0
"""Of a steep place, as Sobel's filter counts: some five grey levels a pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class StraightCard:
    """A card seen straight from above, ``PX_PER_MM`` pixels a millimetre, its sticker painted over.

    Attributes:
        text: What its sticker says.
        picture: ``(1232, 882, 3)`` uint8.
        edged: Its outline was seen.
    """

    text: str
    picture: Colour
    edged: bool

    def piece(self, box: Box) -> Colour:
        """What stands in a box, in millimetres on the card."""
        left, top, right, bottom = (max(0, round(side * PX_PER_MM)) for side in box)
        return np.ascontiguousarray(self.picture[top:bottom, left:right])


def straight_cards(data: bytes, texts: Collection[str], layout: CardLayout) -> tuple[StraightCard, ...]:
    """The cards of a photograph.

    Args:
        data: A JPEG, PNG or WebP file.
        texts: What the stickers of the deck say; other codes are passed over.
        layout: Where the sticker is if the card's edge cannot be seen.

    Raises:
        InputError: It is no picture, too large, or damaged.
    """
    picture: Colour = decoded(data, cv2.IMREAD_COLOR, MOST_PX)
    gray: Gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    places = list(_codes(gray, texts).items())[:MOST_CARDS]
    return tuple(_straight(picture, gray, text, corners, layout) for text, corners in places)


def _codes(gray: Gray, texts: Collection[str]) -> Mapping[str, Corners]:
    """Where our codes are; of two with one text the first."""
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
    """The card's four corners in the photograph, from its top left clockwise; ``None`` where an edge is not seen.

    Each edge is looked for near where the sticker says it should be, in a picture of ``FINE`` pixels a millimetre.
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
    """An edge as ``x = slope * y + offset``: the line on which most rows have a steep step, near ``at``.

    Args:
        slopes: How steep the picture is there, ``(rows, columns)``; the edge runs along the rows.
        begins, length: From which row the edge goes how far; its rounded ends are left out.
        at: In which column it is presumed.
    """
    top, bottom = round(begins + 0.1 * length), round(begins + 0.9 * length)
    first = round(at - EDGE_OFF_MM * FINE)
    band = slopes[top:bottom, first : round(at + EDGE_OFF_MM * FINE) + 1]
    steep = (band > LEAST_STEP) & (band == cv2.dilate(band, np.ones((1, 5), np.uint8)))
    rows, columns = np.nonzero(steep)
    if len(rows) < EDGE_SEEN * len(band):
        return None
    middle = len(band) / 2
    dice = np.random.default_rng(0)  # the same picture gives the same card
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
    """Where an upright edge (``x`` by ``y``) and a level one (``y`` by ``x``) cross."""
    y = (level[0] * side[1] + level[1]) / (1 - level[0] * side[0])
    return side[0] * y + side[1], y


def _paint_over(straight: Colour, code: NDArray[np.float32]) -> None:
    """The sticker with its white rim in the colour around it, so that it is not read as letters."""
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
