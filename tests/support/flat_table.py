"""A table drawn flat, straight from above: enough to see what the eye does with tags, stickers and hands."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count

import cv2
import numpy as np

from companion.public import codes
from companion.public.codes import StickerCodes
from companion.public.layout import Layout, ZoneShape
from companion.public.print_sizes import QUIET_ZONE_MODULES
from companion.public.table import Observation, Token, Zone
from vision.camera.frame import Frame, Gray, make_frame
from vision.tracking.observer import Observer

SIZE_MM = (1100.0, 600.0)
PX_PER_MM = 1.9
AT_PX = (107, 78)
PICTURE_PX = (2304, 1296)
LAYOUT = Layout(
    SIZE_MM,
    (
        ZoneShape(Zone("tree"), ((160, 20), (800, 20), (800, 580), (160, 580))),
        ZoneShape(Zone("pool"), ((820, 20), (1080, 20), (1080, 580), (820, 580))),
        ZoneShape(Zone("commands"), ((10, 450), (150, 450), (150, 580), (10, 580))),
    ),
)
ACCEPTED = StickerCodes.of(
    Token(text) for text in [f"C{era}{n}" for era in range(1, 7) for n in range(1, 10)] + ["KEND", "KUNDO", "S1", "S2"]
)
TAGS = {0: (0, 0), 1: (1, 0), 2: (1, 1), 3: (0, 1), 4: (0.5, 0), 5: (1, 0.5), 6: (0.5, 1), 7: (0, 0.5)}


@dataclass(frozen=True)
class Laid:
    """A card by its sticker; ``upside_down``: it has none on this side."""

    token: str
    x_mm: float
    y_mm: float
    rotation_deg: float = 0.0
    gray: int = 150
    sticker_mm: float = 30.0
    text: str | None = None


@dataclass(frozen=True)
class Arm:
    """A hand that rests with its fingertips at a point and its elbow off the near edge."""

    x_mm: float
    y_mm: float
    wide_mm: float = 80.0
    gray: int = 175


@cache
def code(text: str) -> Gray:
    """A sticker, 25 pixels wide, one for each module."""
    import segno

    matrix = segno.make_qr(text, version=1, error="h", mode="alphanumeric", boost_error=False).matrix
    dark = np.array([[bool(module) for module in row] for row in matrix])
    return np.pad(np.where(dark, 20, 230).astype(np.uint8), QUIET_ZONE_MODULES, constant_values=230)


def draw(
    things: Iterable[Laid | Arm] = (),
    *,
    seed: int = 0,
    light: float = 1.0,
    noise: float = 2.5,
    shift_px: tuple[float, float] = (0, 0),
    tags: Iterable[int] = TAGS,
) -> Gray:
    """The table as a camera sees it; things are drawn in order, the last on top."""
    picture = _sharp(tuple(things), shift_px, tuple(tags))
    first = -977 * seed % picture.size
    grain = _grain(seed % 4)[first : first + picture.size].reshape(picture.shape)
    return np.asarray(cv2.addWeighted(picture, light, grain, noise / 10, 0, dtype=cv2.CV_8U), np.uint8)


@cache
def _grain(seed: int) -> np.ndarray:
    """Noise of two pictures in a row, so that one can begin at any pixel of the first."""
    grain = np.random.default_rng(seed).normal(0, 10, PICTURE_PX[::-1]).astype(np.float32).ravel()
    return np.concatenate((grain, grain))


@cache
def _bare(tags: tuple[int, ...]) -> np.ndarray:
    width, height = PICTURE_PX
    y, x = np.mgrid[:height, :width].astype(np.float32)
    picture = 70 + 14 * np.sin(x / 311) * np.cos(y / 197) + 3 * np.sin(x / 7) * np.sin(y / 9)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag in tags:
        across, down = TAGS[tag]
        face = np.pad(cv2.aruco.generateImageMarker(dictionary, tag, 72), 12, constant_values=225)
        _lay(picture, face.astype(np.float32), across * SIZE_MM[0], down * SIZE_MM[1], 0.0, 48.0)
    return picture


@lru_cache(maxsize=4)
def _sharp(things: tuple[Laid | Arm, ...], shift_px: tuple[float, float], tags: tuple[int, ...]) -> np.ndarray:
    """The picture before light and noise; most tests show the same one many times."""
    _, height = PICTURE_PX
    picture = _bare(tags).copy()
    for thing in things:
        if isinstance(thing, Laid):
            _card(picture, thing)
        else:
            left, right = (round((thing.x_mm + s * thing.wide_mm / 2) * PX_PER_MM) + AT_PX[0] for s in (-1, 1))
            cv2.rectangle(picture, (left, round(thing.y_mm * PX_PER_MM) + AT_PX[1]), (right, height), thing.gray, -1)
    if shift_px != (0, 0):
        move = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float32)
        picture = cv2.warpAffine(picture, move, PICTURE_PX, borderMode=cv2.BORDER_REFLECT)
    return cv2.GaussianBlur(picture, (0, 0), 0.7)


def _card(picture: np.ndarray, card: Laid) -> None:
    """The sticker sits in the lower right corner of a card of 63 x 88 mm."""
    face = np.full((176, 126), card.gray, np.float32)
    cv2.circle(face, (40, 50), 22, card.gray - 40, 3)
    cv2.rectangle(face, (0, 0), (125, 175), 215, 3)
    half = card.sticker_mm / 2
    turn = math.radians(card.rotation_deg)
    dx, dy = 31.5 - half - 3, 44 - half - 3
    x = card.x_mm - dx * math.cos(turn) + dy * math.sin(turn)
    y = card.y_mm - dx * math.sin(turn) - dy * math.cos(turn)
    _lay(picture, face, x, y, card.rotation_deg, 63.0)
    text = card.text or codes.sticker_text(Token(card.token))
    fine = np.kron(code(text), np.ones((8, 8), np.uint8)).astype(np.float32)
    _lay(picture, fine, card.x_mm, card.y_mm, card.rotation_deg, card.sticker_mm)


def _lay(picture: np.ndarray, face: np.ndarray, x_mm: float, y_mm: float, turn_deg: float, wide_mm: float) -> None:
    """Put a face onto the table, its middle at a point."""
    high, wide = face.shape
    scale = wide_mm * PX_PER_MM / wide
    shrunk = max(1, int(1 / scale))
    if shrunk > 1:
        face = cv2.resize(face, (wide // shrunk, high // shrunk), interpolation=cv2.INTER_AREA)
        high, wide = face.shape
        scale = wide_mm * PX_PER_MM / wide
    turn = math.radians(turn_deg)
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    cx, cy = x_mm * PX_PER_MM + AT_PX[0], y_mm * PX_PER_MM + AT_PX[1]
    ox, oy = (wide - 1) / 2, (high - 1) / 2
    warp = np.array([[cos, -sin, cx - cos * ox + sin * oy], [sin, cos, cy - sin * ox - cos * oy]], np.float32)
    reach = math.hypot(wide, high) * scale / 2 + 3
    left, top = max(0, int(cx - reach)), max(0, int(cy - reach))
    picture = picture[top : int(cy + reach), left : int(cx + reach)]
    warp[:, 2] -= left, top
    size = picture.shape[1], picture.shape[0]
    mask = cv2.warpAffine(np.ones_like(face, np.float32), warp, size)
    drawn = cv2.warpAffine(face.astype(np.float32), warp, size)
    picture += mask * (drawn / np.maximum(mask, 1e-3) - picture)


class Camera:
    """Shows pictures to an observer, so many a second, and keeps the looks."""

    def __init__(self, rate_hz: float = 6.0, observer: Observer | None = None) -> None:
        self.rate_hz = rate_hz
        self.observer = observer or Observer(LAYOUT, ACCEPTED)
        self.looks: list[Observation] = []
        self._numbers = count()

    def frame(self, *things: Laid | Arm, **options: object) -> Frame:
        number = next(self._numbers)
        return make_frame(draw(things, seed=number, **options), number / self.rate_hz)

    def show(self, *things: Laid | Arm, times: int = 1, **options: object) -> Observation:
        """The look at the last of so many pictures of the same table."""
        for _ in range(times):
            self.looks.append(self.observer.observe(self.frame(*things, **options)))
        return self.looks[-1]


def zones(look: Observation) -> dict[str, str | None]:
    """Token to zone."""
    return {str(placement.token): placement.zone for placement in look.table.placements}
