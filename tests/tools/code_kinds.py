"""How small a code may be: QR codes as they are on the stickers, ArUco tags and AprilTags, drawn and read once.

    python -m tests.tools.code_kinds                  both widths of picture, all sizes (two minutes)
    python -m tests.tools.code_kinds --mm 20 --width 2304

Each line is one size of sticker, its white margin included, 0.95 m under a lens that sees 66 degrees: 54 stickers,
turned anyhow, in four pictures with other noise, clean and with a twelfth smudged. It says for each kind how wide a
module is, which share is read in one picture, by the eye's first attempts or by OpenCV, and how many were named
wrongly. Nothing is tracked: the eye reads more of them within two seconds (``tests.tools.sticker_sizes``).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.print_sizes import STICKER_MODULES
from companion.public.table import Token
from vision.codes.decoder import attempts_for, read_codes
from vision.codes.qr_code import modules

WIDTHS_PX = (2304, 4608)
SIZES_MM = (8, 10, 12, 15, 18, 20, 25)
HEIGHT_MM, SEEN_DEG = 950.0, 66.0
PICTURES = 4
DARK, LIGHT = 40.0, 200.0
BLUR_PX, NOISE, JPEG = 0.8, 3.0, 90
DIRTY = 1 / 12
FINE = 8
"""Pixels a drawn code has for each of the picture's."""

TOKENS = tuple(Token(f"C{era}{place}") for era in range(1, 7) for place in range(1, 10))
"""The cards of a deck."""

Gray = NDArray[np.uint8]
Point = tuple[float, float]
TAGS = {"ArUco 4x4": (cv2.aruco.DICT_4X4_250, 6), "AprilTag 36h11": (cv2.aruco.DICT_APRILTAG_36h11, 8)}
"""OpenCV's dictionaries, and the modules of a tag with its black border."""


@dataclass(frozen=True)
class Kind:
    """A kind of code.

    Attributes:
        codes: The printed modules of each sticker, 255 = white, with a margin.
        read: From a picture of stickers with modules so wide: the number and the middle of each that is read.
    """

    codes: tuple[Gray, ...]
    read: Callable[[Gray, float], list[tuple[int, Point]]]


def kinds() -> Mapping[str, Kind]:
    """All kinds, by name."""
    return {"QR": _stickers(), **{name: _tags(*tag) for name, tag in TAGS.items()}}


def _stickers() -> Kind:
    codes = StickerCodes.of(TOKENS)
    margin = (STICKER_MODULES - modules(codes.text(TOKENS[0])).shape[0]) // 2
    drawn = tuple(np.pad(np.where(modules(codes.text(one)), 0, 255), margin, constant_values=255) for one in TOKENS)

    def read(picture: Gray, module_px: float) -> list[tuple[int, Point]]:
        seen = read_codes(picture, attempts_for(module_px), accepted=codes).detections
        return [(TOKENS.index(one.token), one.center_px) for one in seen]

    return Kind(tuple(one.astype(np.uint8) for one in drawn), read)


def _tags(dictionary: int, wide: int) -> Kind:
    tags = cv2.aruco.getPredefinedDictionary(dictionary)
    drawn = [cv2.aruco.generateImageMarker(tags, number, wide) for number in range(len(TOKENS))]
    detector = cv2.aruco.ArucoDetector(tags)

    def read(picture: Gray, _module_px: float) -> list[tuple[int, Point]]:
        corners, numbers, _ = detector.detectMarkers(picture)
        if numbers is None:
            return []
        middles = [four.reshape(4, 2).mean(axis=0) for four in corners]
        return [(int(number), (float(x), float(y))) for number, (x, y) in zip(numbers.ravel(), middles, strict=True)]

    return Kind(tuple(np.pad(one, 1, constant_values=255) for one in drawn), read)


def table(kind: Kind, side_px: float, dirty: float, dice: Random) -> tuple[Gray, list[Point]]:
    """A picture of all stickers, and where each one is."""
    cell = math.ceil(side_px * 1.9)
    columns = 9
    rows = math.ceil(len(kind.codes) / columns)
    picture = np.full((rows * cell, columns * cell), 120.0, np.float32)
    places = []
    for number, code in enumerate(kind.codes):
        x, y = (place * cell + cell / 2 + dice.uniform(-2, 2) for place in (number % columns, number // columns))
        _lay(picture, _smudged(code, dirty, dice), side_px, (x, y), dice.uniform(0, 360))
        places.append((x, y))
    soft = cv2.GaussianBlur(picture, (0, 0), BLUR_PX)
    soft += np.random.default_rng(dice.randrange(1 << 30)).normal(0, NOISE, soft.shape)
    _, packed = cv2.imencode(".jpg", soft.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, JPEG])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8), places


def _smudged(code: Gray, dirty: float, dice: Random) -> NDArray[np.float32]:
    """A code in the greys of a picture, drawn large; a share of it under one grey blot."""
    large = cv2.resize(code, (256, 256), interpolation=cv2.INTER_NEAREST).astype(np.float32)
    large = DARK + (LIGHT - DARK) * large / 255
    if dirty:
        at = (dice.randrange(256), dice.randrange(256))
        cv2.circle(large, at, round(256 * math.sqrt(dirty / math.pi)), (DARK + LIGHT) / 2, -1)
    return large


def _lay(picture: NDArray[np.float32], code: NDArray[np.float32], side_px: float, at: Point, turned_deg: float) -> None:
    """Draw a code into a picture with this side, its middle there, turned so many degrees."""
    half = math.ceil(side_px * 0.75)
    left, top = int(at[0]) - half, int(at[1]) - half
    fine = 2 * half * FINE
    middle = (code.shape[1] - 1) / 2
    move = cv2.getRotationMatrix2D((middle, middle), turned_deg, side_px * FINE / code.shape[1])
    move[:, 2] += [(one - corner) * FINE - middle for one, corner in zip(at, (left, top), strict=True)]
    there = np.s_[top : top + 2 * half, left : left + 2 * half]
    ground = cv2.resize(picture[there], (fine, fine), interpolation=cv2.INTER_NEAREST)
    cv2.warpAffine(code, move, (fine, fine), ground, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    picture[there] = cv2.resize(ground, (2 * half, 2 * half), interpolation=cv2.INTER_AREA)


def share_read(kind: Kind, side_px: float, dirty: float) -> tuple[float, int]:
    """Which share is read in one picture, and how many were named where they do not lie."""
    right = wrong = 0
    for nth in range(PICTURES):
        picture, places = table(kind, side_px, dirty, Random(f"{side_px} {dirty} {nth}"))
        seen = kind.read(picture, side_px / kind.codes[0].shape[0])
        true = {number for number, at in seen if number < len(places) and math.dist(at, places[number]) < side_px / 2}
        right += len(true)
        wrong += len({number for number, _ in seen} - true)
    return right / (PICTURES * len(kind.codes)), wrong


def lines(sizes_mm: tuple[float, ...], widths_px: tuple[int, ...]) -> Iterator[str]:
    """A line for each size and width of picture."""
    known = kinds()
    for width in widths_px:
        px_per_mm = width / (2 * HEIGHT_MM * math.tan(math.radians(SEEN_DEG / 2)))
        for size in sizes_mm:
            side_px = size * px_per_mm
            told = []
            for name, kind in known.items():
                clean, wrong = share_read(kind, side_px, 0.0)
                dirty, more = share_read(kind, side_px, DIRTY)
                module = side_px / kind.codes[0].shape[0]
                told.append(f"{name} {module:.1f} px a module, {clean:.0%}, smudged {dirty:.0%}, {wrong + more} wrong")
            yield f"{width} px, {size:g} mm: " + "; ".join(told)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How small a code may be.")
    parser.add_argument("--mm", type=float, nargs="+", default=SIZES_MM)
    parser.add_argument("--width", type=int, nargs="+", default=WIDTHS_PX)
    asked = parser.parse_args()
    for line in lines(tuple(asked.mm), tuple(asked.width)):
        print(line, flush=True)
