"""Cards in a photograph, straightened by their stickers: the sticker gives the pose, the card's edge makes it exact."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError, fault
from companion.public.card_reading import Box, CardLayout
from companion.public.print_sizes import CARD_MM, CODE_MODULES, STICKER_MODULES
from companion.public.reading import picture_size
from companion.public.table import Token
from vision.camera.frame import Gray
from vision.codes.decoder import ZXING, read_codes
from vision.codes.fitting import fitted
from vision.geometry.quads import Corners

Colour = NDArray[np.uint8]
"""``(height, width, 3)`` uint8, blue first."""

PX_PER_MM = 14.0
"""Of a straightened card: small print is some 20 pixels high then, as text readers like it."""
LEAST_PX_PER_MM = 6.0
"""With fewer in the photograph, small print cannot be read; 8 points are 1.5 mm high without their tails."""
AROUND_MM = 14.0
"""So far around its presumed place the edge of a card is looked for."""
MOST_PX = 64_000_000
MOST_CARDS = 12
"""Cards of one photograph: more are too small to be read."""
SIDES_OFF = 0.12
"""The outline's sides may differ from the card's by this share, for what the sticker tells wrongly."""


@dataclass(frozen=True, slots=True, eq=False)
class StraightCard:
    """A card seen straight from above, ``PX_PER_MM`` pixels a millimetre, its sticker painted over.

    Attributes:
        text: What its sticker says.
        picture: ``(1232, 882, 3)`` uint8.
        edged: Its outline was seen.
        px_per_mm: How large it was in the photograph.
    """

    text: str
    picture: Colour
    edged: bool
    px_per_mm: float

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
    size = picture_size(data)
    if size is None:
        raise InputError(fault("picture.fault.kind", "this is no JPEG, PNG or WebP picture"))
    if size[0] * size[1] > MOST_PX:
        sentence = "the picture has {found} million pixels, {most} at most can be taken: take a smaller one"
        found, most = round(size[0] * size[1] / 1e6), MOST_PX // 1_000_000
        raise InputError(fault("picture.fault.large", sentence, found=found, most=most))
    try:
        decoded: object = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        decoded = None
    if not isinstance(decoded, np.ndarray) or not decoded.size:
        raise InputError(fault("picture.fault.damaged", "the picture is damaged: take it again"))
    picture: Colour = np.asarray(decoded, np.uint8)
    gray: Gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    places = list(_codes(gray, texts).items())[:MOST_CARDS]
    return tuple(_straight(picture, gray, text, corners, layout) for text, corners in places)


def _codes(gray: Gray, texts: Collection[str]) -> Mapping[str, Corners]:
    """Where our codes are; of two with one text the first."""
    found: dict[str, Corners] = {}
    for seen in read_codes(gray, (ZXING[1], ZXING[2]), fast=False, parse=Token).detections:
        if str(seen.token) in texts:
            found.setdefault(str(seen.token), seen.corners_px)
    return found


def _straight(picture: Colour, gray: Gray, text: str, corners: Corners, layout: CardLayout) -> StraightCard:
    exact = fitted(gray, corners, text)
    code_px = np.array(corners, np.float32) if exact is None else exact.astype(np.float32)
    code_mm = layout.sticker_mm * CODE_MODULES / STICKER_MODULES
    rim = (layout.sticker_mm - code_mm) / 2
    left, top = layout.sticker_at_mm[0] + rim, layout.sticker_at_mm[1] + rim
    at_mm = np.array([(0, 0), (code_mm, 0), (code_mm, code_mm), (0, code_mm)], np.float32) + np.float32((left, top))
    to_mm = cv2.getPerspectiveTransform(code_px, at_mm.astype(np.float32))
    side_px = sum(math.dist(a, b) for a, b in zip(code_px, np.roll(code_px, -1, axis=0), strict=True)) / 4
    outline = _outline(picture, to_mm)
    edged = outline is not None
    if outline is not None:
        wide, high = CARD_MM
        card = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        to_mm = cv2.getPerspectiveTransform(outline.astype(np.float32), card)
    scale = np.diag([PX_PER_MM, PX_PER_MM, 1.0])
    wide_px, high_px = (round(side * PX_PER_MM) for side in CARD_MM)
    flat = cv2.warpPerspective(picture, scale @ to_mm, (wide_px, high_px), flags=cv2.INTER_CUBIC)
    straight: Colour = np.asarray(flat, np.uint8)
    place = cv2.perspectiveTransform(code_px.reshape(1, 4, 2), scale @ to_mm)[0]
    _paint_over(straight, place)
    return StraightCard(text, straight, edged, side_px / code_mm)


def _outline(picture: Colour, to_mm: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The card's four corners in the photograph, from its top left clockwise; ``None`` where no edge is seen.

    The card is looked for where the sticker says it should be, in a picture of 4 pixels a millimetre.
    """
    fine = 4.0
    wide, high = (side + 2 * AROUND_MM for side in CARD_MM)
    shift = np.array([[fine, 0, AROUND_MM * fine], [0, fine, AROUND_MM * fine], [0, 0, 1]])
    rough = cv2.warpPerspective(picture, shift @ to_mm, (round(wide * fine), round(high * fine)))
    best: tuple[float, NDArray[np.float64]] | None = None
    for channel in (cv2.cvtColor(rough, cv2.COLOR_BGR2GRAY), *cv2.split(rough)):
        soft = cv2.GaussianBlur(channel, (5, 5), 0)
        _, light = cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        edges = cv2.dilate(cv2.Canny(soft, 30, 90), np.ones((3, 3), np.uint8))
        for mask in (light, 255 - light, edges):
            for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
                quad = _quad(contour, fine)
                if quad is not None and (best is None or quad[0] < best[0]):
                    best = quad
    if best is None:
        return None
    back = np.linalg.inv(shift @ to_mm)
    return np.asarray(cv2.perspectiveTransform(best[1].reshape(1, 4, 2), back)[0], np.float64)


def _quad(contour: NDArray[np.int32], fine: float) -> tuple[float, NDArray[np.float64]] | None:
    """A contour as a card: how far its corners are from where they were presumed, in millimetres, and the corners."""
    wide, high = (side * fine for side in CARD_MM)
    if not 0.7 * wide * high < cv2.contourArea(contour) < 1.3 * wide * high:
        return None
    hull = cv2.convexHull(contour)
    ring = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(np.float64)
    if len(ring) != 4:
        return None
    presumed = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) + AROUND_MM * fine
    order = [int(np.argmin(np.hypot(*(ring - corner).T))) for corner in presumed]
    if sorted(order) != [0, 1, 2, 3]:
        return None
    sides = ring[order] = _sharpened(hull.reshape(-1, 2).astype(np.float64), ring[order])
    lengths = np.hypot(*(np.roll(sides, -1, axis=0) - sides).T)
    wanted = np.array([wide, high, wide, high])
    if (np.abs(lengths / wanted - 1) > SIDES_OFF).any():
        return None
    return float(np.hypot(*(sides - presumed).T).max() / fine), sides


def _sharpened(hull: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners where the lines through the four sides meet: cards have round corners."""
    lines = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (b - a) / max(np.hypot(*(b - a)), 1e-9)
        offset = hull - a
        at = offset @ along
        away = np.abs(offset @ np.array([-along[1], along[0]]))
        length = float(np.hypot(*(b - a)))
        near = hull[(away < 0.03 * length) & (at > 0.1 * length) & (at < 0.9 * length)]
        points = near if len(near) >= 2 else np.array([a, b])
        line = cv2.fitLine(points.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01)
        vx, vy, x, y = (float(value) for value in line.ravel())
        lines.append(np.array([vy, -vx, vx * y - vy * x]))
    met = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    if any(abs(point[2]) < 1e-9 for point in met):
        return corners
    return np.array([point[:2] / point[2] for point in met])


def _paint_over(straight: Colour, code: NDArray[np.float32]) -> None:
    """The sticker with its white rim in the colour around it, so that it is not read as letters."""
    middle = code.mean(axis=0)
    grown = middle + (code - middle) * (STICKER_MODULES + 1) / CODE_MODULES
    ring = np.round(grown).astype(np.int32)
    cv2.fillConvexPoly(straight, ring, (255, 255, 255))
