"""Reads stickers in grey pictures: zxing-cpp first, pyzbar as a second reader for small enlarged pieces."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from companion.public.codes import StickerCodes, sticker_token
from companion.public.print_sizes import CODE_MODULES
from companion.public.table import Point, Token
from vision.camera.frame import Gray
from vision.codes.templates import TemplateMatcher, template_matcher
from vision.geometry.quads import Corners, meet

log = logging.getLogger(__name__)

ParseToken = Callable[[str], Token | None]

PIECE_PX = 500_000
"""Pictures up to this size contain only a few stickers, in the same light."""

FAINT_LEVELS = (6.0, 110.0)
"""Contrast between these grey levels is stretched; less is noise, more is enough."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One of our stickers, read in one picture.

        >>> Detection(Token("C18"), ((10, 10), (52, 10), (52, 52), (10, 52))).module_px
        2.0

    Attributes:
        token: The token of its text.
        corners_px: The corners of the code (without its white margin), clockwise from its own top left.
        guessed: It could not be decoded, but resembles this sticker and no other possible one.
    """

    token: Token
    corners_px: Corners
    guessed: bool = False

    @property
    def rotation_deg(self) -> float:
        """Rotation of the code's top edge, clockwise in the picture, from -180 to 180."""
        (ax, ay), (bx, by), *_ = self.corners_px
        return math.degrees(math.atan2(by - ay, bx - ax))

    @property
    def center_px(self) -> Point:
        """The intersection of the diagonals."""
        return meet(self.corners_px)

    @property
    def module_px(self) -> float:
        """The mean width of a module."""
        ring = (*self.corners_px, self.corners_px[0])
        return sum(math.dist(a, b) for a, b in pairwise(ring)) / 4 / CODE_MODULES


@dataclass(frozen=True, slots=True)
class DecodeResult:
    """All codes of one picture.

    Attributes:
        detections: Our stickers, sorted by token.
        unknown: The centres of all other codes.
        unread: The centres of codes that were located but neither read nor guessed; none in large pictures.
    """

    detections: tuple[Detection, ...] = ()
    unknown: tuple[Point, ...] = ()
    unread: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class DecodeAttempt:
    """One way to read a picture: optionally evened out and sharpened, then enlarged by ``scale`` and turned.

    Readers search along rows and columns. Where codes are small or partly covered they miss most of those that do not
    lie along them. Evening out takes away light that changes slowly, and stretches what is left: so print is read
    through the veil of a lamp's mirror image, and where paper is nearly burnt out.
    """

    scale: int
    sharpened: bool = False
    turn_deg: float = 0.0
    reader: str = "zxing"
    evened: bool = False

    @property
    def price(self) -> float:
        """Approximate cost per pixel of the picture; 1 = zxing-cpp at original size."""
        if self.scale == 1:
            return 1.0
        return (
            self.scale**2
            * (PYZBAR_PRICE if self.reader == "pyzbar" else ENLARGED_PRICE)
            * (TURNED_PRICE if self.turn_deg else 1.0)
        )


ENLARGED_PRICE, PYZBAR_PRICE = 1.2, 12.0
"""The cost per pixel of an enlarged picture, measured on felt, cloth, grass, gravel and plain tables."""

TURNED_PRICE = 2.4
"""What turning costs as a factor, measured in the same way: the frame around a turned square is larger."""

ZXING = {scale: DecodeAttempt(scale) for scale in (1, 2, 3)}
ZXING_SHARPENED = {scale: DecodeAttempt(scale, sharpened=True) for scale in (2, 3)}
ZXING_TURNED = {
    (scale, turn_deg): DecodeAttempt(scale, sharpened=True, turn_deg=turn_deg)
    for scale, turn_deg in ((2, 22.5), (2, 45.0), (3, 22.5))
}
PYZBAR = DecodeAttempt(2, reader="pyzbar")
PYZBAR_SHARP = DecodeAttempt(3, sharpened=True, reader="pyzbar")

PATIENT = (
    DecodeAttempt(4),
    DecodeAttempt(4, sharpened=True, turn_deg=22.5, evened=True),
    DecodeAttempt(4, turn_deg=22.5),
    DecodeAttempt(3, sharpened=True, evened=True),
    PYZBAR_SHARP,
)
"""For a place as wide as a sticker with its surroundings that was read in vain: dear for its size, and hardly missed by
all. Of 16 path-traced codes that the usual attempts had not read in ten seconds (at the edge of a field, veiled, nearly
burnt out, scuffed) the first and the third read 14 each in at least one of six pictures, all together 15.
"""

EVENED_PX, EVENED_SHARE = 8.0, 2.0
"""Light that changes over more than this is taken away (sigma, about four modules); the rest is stretched by the
factor."""

SHARPENED_PX, SHARPENED_SHARE = 0.7, 2.0
"""Unsharp mask: the sigma, about the blur of a lens, and the factor."""


def attempts_for(module_px: float | None) -> tuple[DecodeAttempt, ...]:
    """The attempts worth trying on a piece of the picture, cheapest first; below 2 pixels per module the best first.

    Sharpening helps below 4 pixels per module, most below 2, and harms above. Turning reads cards in a fan, whatever
    their size, where others hide a part of the code.
    """
    if module_px is None:
        return ZXING[1], ZXING[2], ZXING_SHARPENED[2], ZXING_SHARPENED[3]
    if module_px < 2.0:
        return ZXING_SHARPENED[3], ZXING_TURNED[3, 22.5], ZXING_TURNED[2, 45.0], ZXING_SHARPENED[2]
    if module_px < 2.6:
        return ZXING[2], ZXING_SHARPENED[2], ZXING_TURNED[2, 22.5], ZXING_TURNED[2, 45.0], ZXING_SHARPENED[3]
    if module_px < 4.0:
        return ZXING[1], ZXING_SHARPENED[2], ZXING_TURNED[2, 22.5], ZXING_TURNED[2, 45.0], ZXING[3]
    return ZXING[1], ZXING[2]


def patient_attempts(module_px: float) -> tuple[DecodeAttempt, ...]:
    """The attempts at a place as wide as a sticker with its surroundings that was read in vain, best first.

    Larger codes need less enlarging; from 4 pixels per module on the second reader would cost more than a look has.
    """
    if module_px < 2.6:
        return PATIENT
    scale = 3 if module_px < 4.0 else 2
    larger = (replace(one, scale=min(one.scale, scale)) for one in PATIENT if one.reader == "zxing")
    return (*larger, PYZBAR) if module_px < 4.0 else tuple(larger)


def fallback_attempt(module_px: float | None) -> DecodeAttempt:
    """The attempt of the second reader; it is expensive, so only use it where a sticker is known to be."""
    return PYZBAR_SHARP if module_px is not None and module_px < 2.6 else PYZBAR


def read_codes(
    gray: Gray,
    attempts: Iterable[DecodeAttempt] = (ZXING[1], ZXING[2]),
    *,
    accepted: StickerCodes | None = None,
    fast: bool = True,
    parse: ParseToken | None = None,
    at_px: tuple[int, int] = (0, 0),
) -> DecodeResult:
    """Every code that any of the attempts can read.

    >>> from vision.codes.qr_code import modules
    >>> code = np.kron(np.where(modules("DXC18Y"), 0, 255), np.ones((4, 4)))
    >>> picture = np.pad(code, 40, constant_values=255).astype(np.uint8)
    >>> [seen.token for seen in read_codes(picture).detections]
    ['C18']

    Args:
        gray: Any grey picture; foreign or damaged content never raises.
        attempts: Tried in order.
        accepted: Our stickers; ``None`` = all with the common letters and a correct check character.
        parse: Replaces the function from a code's text to its token; with ``accepted`` the token must be one of these.
        at_px: The origin of ``gray`` in a larger picture, whose pixels the result uses.
        fast: Skip methods for inverted codes and for codes far larger than stickers.
    """
    parse = parse or (sticker_token if accepted is None else accepted.token)
    book = template_matcher(accepted) if accepted is not None and gray.size <= PIECE_PX else None
    texts: list[tuple[str, Corners]] = []
    ours: list[Detection] = []
    unread: tuple[Point, ...] = ()
    for attempt in attempts:
        codes, guesses, unread = _read(gray, attempt, fast, book)
        for text, corners in codes:
            if not any(
                text == earlier and math.dist(meet(corners), meet(place)) < _side(place) for earlier, place in texts
            ):
                texts.append((text, corners))
        ours += guesses
    ours = [guess for guess in ours if not any(math.dist(guess.center_px, meet(c)) < _side(c) for _, c in texts)]
    foreign: list[Point] = []
    for text, corners in texts:
        token = parse(text)
        if token is None or (accepted is not None and token not in accepted):
            foreign.append(meet(corners))
        else:
            ours.append(Detection(token, corners))
    ours.sort(key=lambda seen: (seen.token, seen.corners_px))
    result = DecodeResult(tuple(ours), tuple(foreign), unread)
    return result if at_px == (0, 0) else _moved(result, *at_px)


def _moved(reading: DecodeResult, x_px: float, y_px: float) -> DecodeResult:
    """The result for a piece of the picture, in the coordinates of the whole."""
    return DecodeResult(
        tuple(
            Detection(seen.token, _corners((x + x_px, y + y_px) for x, y in seen.corners_px), seen.guessed)
            for seen in reading.detections
        ),
        tuple((x + x_px, y + y_px) for x, y in reading.unknown),
        tuple((x + x_px, y + y_px) for x, y in reading.unread),
    )


def _side(corners: Corners) -> float:
    return math.dist(corners[0], corners[2]) / math.sqrt(2)


def _corners(points: Iterable[Point]) -> Corners:
    a, b, c, d = points
    return a, b, c, d


def _read(
    gray: Gray, attempt: DecodeAttempt, fast: bool, book: TemplateMatcher | None
) -> tuple[list[tuple[str, Corners]], list[Detection], tuple[Point, ...]]:
    """The decoded texts, the guessed stickers, and the centres of other codes."""
    if min(gray.shape) < CODE_MODULES:
        return [], [], ()
    picture = _clear(np.ascontiguousarray(gray))
    if attempt.evened:
        picture = evened(picture)
    if attempt.sharpened:  # before enlarging: a ninth of the work, and better results
        soft, share = cv2.GaussianBlur(picture, (0, 0), SHARPENED_PX), SHARPENED_SHARE
        picture = np.asarray(cv2.addWeighted(picture, 1 + share, soft, -share, 0), np.uint8)
    picture, back = _enlarged(picture, attempt)
    codes = _zxing(picture, fast, book is not None) if attempt.reader == "zxing" else _pyzbar(picture)

    def small(corners: Corners) -> Corners:
        return _corners((float(x), float(y)) for x, y in cv2.transform(np.array([corners]), back)[0])

    texts = [(text, small(corners)) for text, corners in codes if text]
    guesses, unread = list[Detection](), list[Point]()
    for _, corners in (code for code in codes if not code[0]):
        named = book.identify(picture, corners) if book else None
        if named is None:
            unread.append(meet(small(corners)))
        else:
            guesses.append(Detection(named[0], small(named[1]), guessed=True))
    return texts, guesses, tuple(unread)


def evened(picture: Gray) -> Gray:
    """A picture without slow changes of light, and what is left with more contrast."""
    light = cv2.GaussianBlur(picture, (0, 0), EVENED_PX)
    return np.asarray(cv2.addWeighted(picture, EVENED_SHARE, light, -EVENED_SHARE, 128), np.uint8)


def _enlarged(picture: Gray, attempt: DecodeAttempt) -> tuple[Gray, NDArray[np.float64]]:
    """A picture enlarged and turned for an attempt, and the mapping from its pixels back, ``(2, 3)``."""
    scale = attempt.scale
    # The first pixel's centre in the enlarged picture is not the first pixel's centre in the small one.
    shift = (1 / scale - 1) / 2
    back = np.array([(1 / scale, 0, shift), (0, 1 / scale, shift)])
    if scale > 1:
        larger = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        picture = np.asarray(larger, np.uint8)
    if not attempt.turn_deg:
        return picture, back
    height, width = picture.shape
    cos, sin = math.cos(math.radians(attempt.turn_deg)), math.sin(math.radians(attempt.turn_deg))
    turn = np.array([(cos, -sin), (sin, cos)])
    size = math.ceil(width * cos + height * sin), math.ceil(width * sin + height * cos)
    middle, turned_middle = np.array([width - 1, height - 1]) / 2, np.array([size[0] - 1, size[1] - 1]) / 2
    to_px = np.column_stack([turn, middle - turn @ turned_middle])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    around = cv2.mean(picture)
    turned = cv2.warpAffine(picture, to_px, size, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=around)
    return np.asarray(turned, np.uint8), back @ np.vstack([to_px, (0, 0, 1)])


_QR: Any = zxingcpp.BarcodeFormat.QRCode  # typed as a set of formats from version 3.0 on


def _clear(piece: Gray) -> Gray:
    """A small piece with its contrast stretched if weak, because zxing-cpp misses faint codes."""
    if piece.size > PIECE_PX:
        return piece
    soft = cv2.resize(piece, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # noise makes no contrast
    low, high, _, _ = cv2.minMaxLoc(soft)
    if not FAINT_LEVELS[0] < high - low < FAINT_LEVELS[1]:
        return piece
    gain = 220 / (high - low)
    return np.asarray(cv2.addWeighted(piece, gain, piece, 0, 15 - gain * low), np.uint8)


def _zxing(picture: Gray, fast: bool, unread: bool) -> list[tuple[str, Corners]]:
    """The codes; with ``unread``, also those that were located but not decoded, with an empty text."""
    codes = zxingcpp.read_barcodes(
        picture,
        formats=_QR,
        text_mode=zxingcpp.TextMode.Plain,
        try_rotate=not fast,
        try_downscale=not fast,
        try_invert=not fast,
        return_errors=unread,
    )
    texts = []
    for code in codes:
        place = code.position
        corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
        text = str(code.text) if code.valid else ""
        texts.append((text, _corners((float(p.x), float(p.y)) for p in corners)))
    return texts


@cache
def second_reader() -> Callable[[Gray], Sequence[Any]] | None:
    """pyzbar, if its library is installed; logged once if not."""
    try:
        from pyzbar import pyzbar
    except (ImportError, OSError):
        log.warning("libzbar is not installed: stickers are read without a second opinion (apt install libzbar0)")
        return None
    return partial(pyzbar.decode, symbols=[pyzbar.ZBarSymbol.QRCODE])


def _pyzbar(picture: Gray) -> list[tuple[str, Corners]]:
    decode = second_reader()
    if decode is None:
        return []
    texts = []
    for code in decode(picture):
        if len(code.polygon) != 4:
            continue
        text = bytes(code.data).decode("ascii", errors="replace")
        texts.append((text, _upright(picture, _corners((float(p.x), float(p.y)) for p in code.polygon))))
    return texts


def _upright(picture: Gray, corners: Corners) -> Corners:
    """The same corners, clockwise from the code's own top left.

    pyzbar's polygon begins at any corner; the one without a finder pattern is the bottom right.
    """
    (ax, ay), (bx, by), (cx, cy), _ = corners
    if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < 0:
        corners = corners[0], corners[3], corners[2], corners[1]
    flat = np.array([[0, 0], [21, 0], [21, 21], [0, 21]], np.float32) * 4
    turn = cv2.getPerspectiveTransform(np.array(corners, np.float32), flat)
    code = np.asarray(cv2.warpPerspective(picture, turn, (84, 84)), np.float32)
    finder = -np.ones((28, 28), np.float32)
    finder[4:24, 4:24] = 1
    finder[8:20, 8:20] = -1
    quarters = (code[:28, :28], code[:28, 56:], code[56:, 56:], code[56:, :28])
    likeness = [float((quarter * finder).sum()) for quarter in quarters]
    last = likeness.index(min(likeness))  # the bottom right corner
    return _corners(corners[(last + 2 + step) % 4] for step in range(4))
