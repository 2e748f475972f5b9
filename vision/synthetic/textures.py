"""Flat textures of a synthetic table: the cloth, the tags, the printed cards.

All pictures are float32 brightnesses, 0 = black and 1 = white, from straight above.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from companion.public.pictogram import LINE_WIDTH, SIDE, Pictogram
from companion.public.print_sizes import CARD_MM, QUIET_ZONE_MODULES, STICKER_MODULES, TAG_MM
from companion.public.shapes import Shape
from companion.public.table import Point, Token

Picture = NDArray[np.float32]
"""``(height, width)`` float32, rows downwards. For a surface: the fraction of light that it reflects, 0 to 1."""

TAG_PAPER_MM = 46.0

INK = 0.07
PAPER = 0.92
_DRAWN_PER_MM = 12

PICTURE_MM = (4.0, 12.0, 40.0)
"""Left, top and side of the square with the card's picture, from the card's top left corner."""

_PICTURE_GROUND, _PICTURE_INK = 205, 35


@dataclass(frozen=True, slots=True)
class CardPrint:
    """The print of the cards.

    Attributes:
        sticker_mm: Width of the sticker with its white margin.
        margin_mm: From the card's right and lower edges to the sticker.
    """

    sticker_mm: float = 30.0
    margin_mm: float = 2.5

    @property
    def sticker_at_mm(self) -> tuple[float, float]:
        """The sticker's centre from the card's top left corner."""
        inwards = self.margin_mm + self.sticker_mm / 2
        return CARD_MM[0] - inwards, CARD_MM[1] - inwards


def code(text: str, size_px: int) -> Picture:
    """A sticker with its white margin, from straight above: ``(size_px, size_px)``, without light."""
    dark = _modules(text)
    fine = -(-size_px // STICKER_MODULES) * 2
    sharp = np.kron(dark, np.ones((fine, fine), np.float32))
    small = cv2.resize(sharp, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(PAPER - (PAPER - INK) * small, np.float32)


@cache
def _modules(text: str) -> Picture:
    """A code's modules with their margin, 1 = dark. To find its best mask takes as long as to draw its card."""
    made = segno.make(text, version=1, error="h", mode="alphanumeric", micro=False, boost_error=False)
    return np.array([list(row) for row in made.matrix_iter(border=QUIET_ZONE_MODULES)], np.float32)


def card(
    token: Token, text: str, printed: CardPrint, per_mm: float, seed: int, pictogram: Pictogram | None = None
) -> Picture:
    """A card's face: difficult art, a border, fine print, and the sticker.

    Args:
        per_mm: Pixels per millimetre of the card.
        text: The sticker's text.
        pictogram: A large picture over the art; ``None`` = none.

    Returns:
        The card from straight above, as wide and high as ``CARD_MM`` is at ``per_mm``.
    """
    dice = np.random.default_rng((seed, zlib.crc32(token.encode())))
    page = _art(dice, CARD_MM)
    _write(page, str(token), dice)
    if pictogram is not None:
        _illustrate(page, pictogram)
    cv2.rectangle(page, (0, 0), (page.shape[1] - 1, page.shape[0] - 1), 225, 2 * _DRAWN_PER_MM)
    return _seen_at(_stuck(page, text, printed.sticker_mm, printed.sticker_at_mm), CARD_MM, per_mm)


def thing(token: Token, text: str, shape: Shape, per_mm: float, seed: int) -> tuple[Picture, Picture]:
    """The face of a thing with its own shape, and its opacity, 0 to 1.

    Args:
        per_mm: Pixels per millimetre of the thing.
        text: The sticker's text.

    Returns:
        Both from straight above, as wide and high as the thing's outline is at ``per_mm``, rotated so that its
        sticker is upright; see ``thing_box`` for their position around it.
    """
    size_mm, at_mm = thing_box(shape)
    page = _art(np.random.default_rng((seed, zlib.crc32(token.encode()))), size_mm)
    for area in shape.face:
        _fill(page, shape.around_sticker(area.points_mm), at_mm, round(255 * area.grey))
    cover = np.zeros_like(page)
    _fill(cover, shape.outline_around_sticker_mm, at_mm, 255)
    face = _stuck(page, text, shape.sticker_mm, at_mm)
    return _seen_at(face, size_mm, per_mm), _seen_at(np.asarray(cover / np.float32(255), np.float32), size_mm, per_mm)


def thing_box(shape: Shape) -> tuple[Point, Point]:
    """Width and height of the box around a thing with an upright sticker, and the sticker's centre in that box."""
    left, top = (min(parts) for parts in zip(*shape.outline_around_sticker_mm, strict=True))
    return shape.size_mm if shape.sticker_turn % 2 == 0 else shape.size_mm[::-1], (-left, -top)


def _art(dice: np.random.Generator, size_mm: Point) -> NDArray[np.uint8]:
    """A page of busy art."""
    width, height = (round(side * _DRAWN_PER_MM) for side in size_mm)
    art = _clouds(dice, width, height, cells=int(dice.integers(3, 9)), low=0.15, high=0.9)
    page: NDArray[np.uint8] = np.clip(art * 255, 0, 255).astype(np.uint8)
    _doodle(page, dice)
    return page


def _fill(page: NDArray[np.uint8], points_mm: Iterable[Point], at_mm: Point, shade: int) -> None:
    """Fill an area; its corners are relative to a point of the page."""
    points = (np.array(list(points_mm)) + at_mm) * _DRAWN_PER_MM - 0.5
    cv2.fillPoly(page, [np.rint(points * 16).astype(np.int32)], shade, cv2.LINE_AA, 4)


def _stuck(page: NDArray[np.uint8], text: str, sticker_mm: float, at_mm: Point) -> Picture:
    """The page with a sticker on it, clipped to the page."""
    face = np.asarray(page / np.float32(255), np.float32)
    edge = round(sticker_mm * _DRAWN_PER_MM)
    left, top = (round(at * _DRAWN_PER_MM - edge / 2) for at in at_mm)
    bottom, right = min(top + edge, face.shape[0]), min(left + edge, face.shape[1])
    up, before = max(-top, 0), max(-left, 0)
    face[top + up : bottom, left + before : right] = code(text, edge)[up : bottom - top, before : right - left]
    return face


def _seen_at(face: Picture, size_mm: Point, per_mm: float) -> Picture:
    size = round(size_mm[0] * per_mm), round(size_mm[1] * per_mm)
    return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.float32)


def _illustrate(page: NDArray[np.uint8], pictogram: Pictogram) -> None:
    """The card's picture on a pale background, above the sticker."""
    left, top, side = (round(mm * _DRAWN_PER_MM) for mm in PICTURE_MM)
    cv2.rectangle(page, (left, top), (left + side, top + side), _PICTURE_GROUND, -1)
    unit = side / SIDE
    for stroke in pictogram:
        points = np.rint(np.array(stroke.points) * unit * 16 + (np.array([left, top]) * 16)).astype(np.int32)
        if stroke.filled:
            cv2.fillPoly(page, [points], _PICTURE_INK, cv2.LINE_AA, 4)
        else:
            cv2.polylines(page, [points], False, _PICTURE_INK, round(LINE_WIDTH * unit), cv2.LINE_AA, 4)


def tag(number: int, per_mm: float) -> Picture:
    """A tag of the mat in the centre of its square of white paper, ``TAG_PAPER_MM`` wide at ``per_mm`` pixels per
    mm."""
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 6)
    black = round(TAG_MM * per_mm)
    rim = round((TAG_PAPER_MM - TAG_MM) / 2 * per_mm)
    sharp = np.kron(cells.astype(np.float32) / 255, np.ones((32, 32), np.float32))
    small = INK + (PAPER - INK) * cv2.resize(sharp, (black, black), interpolation=cv2.INTER_AREA)
    paper = np.full((black + 2 * rim,) * 2, PAPER, np.float32)
    paper[rim : rim + black, rim : rim + black] = small
    return paper


def cloth(width_px: int, height_px: int, per_mm: float, seed: int) -> Picture:
    """A table top of ``(height_px, width_px)`` at ``per_mm`` pixels per mm: wood or cloth, with old spots."""
    dice = np.random.default_rng((seed, 1))
    spots = _clouds(dice, width_px, height_px, cells=6, low=-0.05, high=0.05)
    fine_px = max(per_mm, 1.0)
    if dice.random() < 0.5:  # wood: the grain runs along the table, with darker annual rings across it
        fibres = dice.standard_normal((height_px, width_px // round(60 * fine_px) + 2), np.float32)
        grain = cv2.resize(fibres, (width_px, height_px), interpolation=cv2.INTER_CUBIC)
        grain = cv2.GaussianBlur(grain, (0, 0), sigmaX=0.3, sigmaY=0.7 * fine_px)
        years = _clouds(dice, width_px, height_px, cells=2, low=-2.5, high=2.5)
        rows = np.arange(height_px, dtype=np.float32)[:, None] / per_mm
        rings = 0.02 * np.sin(rows / 9 + years * 3)
        return np.asarray(0.34 + spots + 0.035 * grain / grain.std() + rings, np.float32)
    threads = dice.standard_normal((height_px, width_px), np.float32)
    weave = cv2.GaussianBlur(threads, (0, 0), sigmaX=0.6 * fine_px)
    return np.asarray(0.27 + spots + 0.025 * weave / weave.std(), np.float32)


def _clouds(dice: np.random.Generator, width: int, height: int, cells: int, low: float, high: float) -> Picture:
    """Smooth patches of light and dark."""
    coarse = dice.uniform(low, high, (max(2, cells * height // width), cells)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _doodle(art: NDArray[np.uint8], dice: np.random.Generator) -> None:
    """Rings, blocks, hatching and small squares, some of them similar to parts of a code."""
    height, width = art.shape
    for _ in range(int(dice.integers(4, 9))):
        at = int(dice.integers(0, width)), int(dice.integers(0, height))
        size, shade = int(dice.integers(30, 130)), int(dice.integers(0, 256))
        match int(dice.integers(0, 4)):
            case 0:
                cv2.circle(art, at, size, shade, int(dice.integers(4, 14)), cv2.LINE_AA)
            case 1:
                cv2.rectangle(art, at, (at[0] + size, at[1] + int(dice.integers(30, 130))), shade, -1)
            case 2:
                for step in range(0, size, 16):
                    cv2.line(art, (at[0] + step, at[1]), (at[0] + step + 40, at[1] + size), shade, 5, cv2.LINE_AA)
            case _:  # a false finder pattern
                for inset, tone in ((0, 20), (10, 235), (20, 20)):
                    if size > 2 * inset:
                        corners = (at[0] + inset, at[1] + inset), (at[0] + size - inset, at[1] + size - inset)
                        cv2.rectangle(art, *corners, tone, -1)


def _write(art: NDArray[np.uint8], name: str, dice: np.random.Generator) -> None:
    """A title on a band, and lines of print too small to read from above."""
    height, width = art.shape
    cv2.rectangle(art, (0, 0), (width, height // 9), int(dice.integers(120, 240)), -1)
    cv2.putText(art, name, (width // 12, height // 13), cv2.FONT_HERSHEY_DUPLEX, 2.0, 25, 4, cv2.LINE_AA)
    for line in range(int(dice.integers(2, 6))):
        words = "".join(dice.choice(list("aeimnorstu lv"), int(dice.integers(14, 30))))
        at = width // 12, height // 2 + line * height // 22
        cv2.putText(art, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, int(dice.integers(0, 70)), 2, cv2.LINE_AA)
