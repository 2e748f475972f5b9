"""The synthetic table in colour, for people: the same things at the same places, with printed faces, wood and hands.

The eye never sees it; its grey pictures do not change.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.colours import SEAT_COLOURS
from companion.public.layout import Layout
from companion.public.pictogram import LINE_WIDTH, SIDE, Pictogram
from companion.public.print_sizes import CARD_MM
from companion.public.printed_parts import PrintedArea, PrintedDrawing, PrintedText
from companion.public.shapes import Shape
from companion.public.table import Point, Token
from companion.public.table_picture import TablePicture
from vision.synthetic import textures
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import Box, DrawnCard, Patch, placed
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import RoomLight
from vision.synthetic.scene import Scene
from vision.synthetic.textures import Picture

WIDTH_PX = 1280
"""The width of the picture for a page."""
QUALITY = 82
RIM_MM = 30.0
"""Shown around the centres of the corner tags."""
EXPOSURE = 1.06
LAMP = RoomLight(falloff=0.16, patches=0.05, vignetting=0.18, drift=0.0, flicker=0.0)
WARM: Picture = np.array([0.9, 0.97, 1.0], np.float32)
"""Lamplight: the part of blue, green and red."""
PAPER, INK = "#FFFDF6", "#17130E"
SKIN = ("#E8B996", "#C98F66", "#F0CBAE", "#8E5B3C", "#D8A47C", "#6B4329", "#E3AE8B", "#B47A52", "#F2D3BC")
"""Of the persons around the table."""
POINT_MM = 25.4 / 72
CAPITAL = 0.72
"""The height of a capital letter, in font sizes."""
LINE = 1.25
_DRAWN_PER_MM = 8
_HERSHEY_CAPITAL_PX = 21.0


@dataclass(frozen=True, slots=True)
class Face:
    """The printed face of a thing.

    Attributes:
        size_mm: The size for which its parts are measured; it is stretched to that of the thing.
        parts: Its print, without the sticker.
        pictogram: What a ``PrintedDrawing`` without a name shows.
        symbols: What one with a name shows: outlines in the square of a pictogram.
    """

    size_mm: Point = CARD_MM
    parts: Sequence[PrintedArea | PrintedText | PrintedDrawing] = ()
    pictogram: Pictogram | None = None
    symbols: Mapping[str, Sequence[Sequence[Point]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ColourPicture:
    """A picture for people.

    Attributes:
        bgr: ``(height, width, 3)`` uint8.
        places: The corners of each thing that lies still, clockwise from its own top left, as fractions of the
            picture's width and height.
    """

    bgr: NDArray[np.uint8]
    places: Mapping[str, tuple[Point, ...]]

    def packed(self) -> TablePicture:
        """As a JPEG file."""
        jpeg = cv2.imencode(".jpg", self.bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        height, width = self.bgr.shape[:2]
        return TablePicture(jpeg, (width, height), self.places)


class ColourScene(Scene):
    """A table that is rendered in colour; see ``Scene``.

    Args:
        camera: That of the grey scene.
        faces: The print of a thing.
        width_px: The picture's width before it is cropped to the table.
    """

    _usual_light = LAMP

    def __init__(
        self,
        layout: Layout,
        camera: CameraModel,
        faces: Callable[[Token], Face],
        *,
        seed: int,
        shapes: Mapping[Token, Shape],
        codes: StickerCodes,
        width_px: int = WIDTH_PX,
    ) -> None:
        self._face_of = faces
        width, height = camera.size_px
        sized = replace(camera, size_px=(width_px, round(width_px * height / width)), exposure=EXPOSURE)
        super().__init__(layout, sized, seed=seed, shapes=shapes, codes=codes)
        self.crop = self._field()

    def picture(self, pieces: Sequence[DrawnCard], hands: Sequence[HandPose] = ()) -> ColourPicture:
        """The table now."""
        self._lay_out(pieces, hands, None)
        left, top, right, bottom = self.crop
        bgr = np.clip(self._bright[top:bottom, left:right], 0, 255).astype(np.uint8)
        still = [piece for piece in pieces if piece.blur_mm == (0.0, 0.0)]
        return ColourPicture(bgr, {str(piece.token): self._corners(piece) for piece in still})

    def _field(self) -> Box:
        """The part of the camera's picture with the table."""
        w, h = self._size_mm
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]]) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * RIM_MM
        px = self._view.to_px(corners)
        (left, top), (right, bottom) = np.floor(px.min(axis=0)).astype(int), np.ceil(px.max(axis=0)).astype(int)
        width, height = self.camera.size_px
        return max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))

    def _corners(self, piece: DrawnCard) -> tuple[Point, ...]:
        shape = self._shapes.get(piece.token)
        size, at = (CARD_MM, self._printed.sticker_at_mm) if shape is None else textures.thing_box(shape)
        corners = placed(piece, np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]]) - at)
        left, top, right, bottom = self.crop
        away = (self._view.to_px(corners, piece.z_mm) + 0.5 - (left, top)) / (right - left, bottom - top)
        return tuple((round(float(x), 4), round(float(y), 4)) for x, y in away)

    # -- what is drawn differently ----------------------------------------------------------------

    def _cloth(self, width_px: int, height_px: int, per_mm: float) -> Picture:
        return wood(width_px, height_px, per_mm, self._seed)

    def _tag(self, number: int) -> Picture:
        return np.asarray(cv2.cvtColor(super()._tag(number), cv2.COLOR_GRAY2BGR), np.float32)

    def _face(self, token: Token, text: str, shape: Shape | None) -> tuple[Picture, Picture | None]:
        per_mm = max(2 * self._view.px_per_mm, 3.0)
        if shape is None:
            page = painted(self._face_of(token), CARD_MM)
            stuck(page, text, self._printed.sticker_mm, self._printed.sticker_at_mm)
            return _seen_at(page, CARD_MM, per_mm), None
        size_mm, at_mm = textures.thing_box(shape)
        page = painted(self._face_of(token), size_mm)
        stuck(page, text, shape.sticker_mm, at_mm)
        cover = np.zeros(page.shape[:2], np.uint8)
        fill(cover, [[(x + at_mm[0], y + at_mm[1]) for x, y in shape.outline_around_sticker_mm]], 255)
        return _seen_at(page, size_mm, per_mm), _seen_at(cover, size_mm, per_mm)

    def _hand(self, hand: HandPose) -> Patch:
        sleeve = SEAT_COLOURS[(hand.person - 1) % len(SEAT_COLOURS)]
        return self._brush.coloured_limb(hand, shade(SKIN[hand.person % len(SKIN)]), shade(sleeve))

    def _under_light(self, part: Picture, lit: Picture, mirrored: Picture) -> Picture:
        return part * lit[..., None] * WARM + mirrored[..., None]


# -- surfaces ---------------------------------------------------------------------------------------

PLANK_MM = 118.0
WOOD = (("#7C5638", "#8A6142", "#74502F", "#815B3E"), ("#9A7148", "#A67C52", "#8F6740", "#A0774C"))
"""Planks of walnut and of oak."""


def wood(width_px: int, height_px: int, per_mm: float, seed: int) -> Picture:
    """A table top of planks, ``(height_px, width_px, 3)`` at ``per_mm`` pixels per mm."""
    dice = np.random.default_rng((seed, 8))
    tones = [shade(tone) for tone in WOOD[int(dice.integers(len(WOOD)))]]
    rows = np.arange(height_px, dtype=np.float32)[:, None] / per_mm
    columns = np.arange(width_px, dtype=np.float32)[None, :] / per_mm
    long, fine = (_noise(dice, width_px, height_px, per_mm, cell) for cell in ((420.0, 14.0), (46.0, 0.9)))
    bands = np.sin((rows + 9 * long) / 3.1) * 0.5 + np.sin((rows + 16 * long) / 8.7)
    grain = 1 + 0.035 * bands + 0.05 * fine + 0.04 * long
    planks = np.floor((rows + 40) / PLANK_MM).astype(int)[:, 0]
    table = np.empty((height_px, width_px, 3), np.float32)
    for plank in np.unique(planks):
        here = planks == plank
        tone = np.array(tones[int(dice.integers(len(tones)))], np.float32) * np.float32(dice.uniform(0.94, 1.05))
        joint = int(dice.integers(width_px))  # a board ends there, and the next one begins
        table[here] = np.roll(grain[here], joint, axis=1)[..., None] * tone
        table[here, joint:] *= np.float32(dice.uniform(0.93, 1.07))
        table[here] *= _seam(columns - joint / per_mm)[..., None]
    return table * _seam((rows + 40) % PLANK_MM - PLANK_MM / 2, PLANK_MM / 2)[..., None]


def _seam(away_mm: Picture, at_mm: float = 0.0) -> Picture:
    """Darker along a joint between two boards."""
    return np.asarray(1 - 0.5 * np.exp(-(((np.abs(away_mm) - at_mm) / 0.9) ** 2)), np.float32)


def _noise(dice: np.random.Generator, width: int, height: int, per_mm: float, cell_mm: Point) -> Picture:
    """Smooth noise with cells of this width and height; its standard deviation is 1."""
    size = (max(2, round(side / per_mm / cell)) for side, cell in zip((height, width), cell_mm[::-1], strict=True))
    coarse = dice.standard_normal(tuple(size), np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


# -- print ------------------------------------------------------------------------------------------


def painted(face: Face, size_mm: Point) -> NDArray[np.uint8]:
    """A printed face, ``(height, width, 3)``, stretched to this size."""
    width, height = (round(side * _DRAWN_PER_MM) for side in size_mm)
    page = np.full((height, width, 3), [round(255 * part) for part in shade(PAPER)], np.uint8)
    scale = size_mm[0] / face.size_mm[0], size_mm[1] / face.size_mm[1]
    for part in face.parts:
        match part:
            case PrintedArea():
                loops = [[(x * scale[0], y * scale[1]) for x, y in loop] for loop in part.loops]
                fill(page, loops, _ink(part.colour))
                if part.line:
                    _outline(page, loops, _ink(INK), 0.25)
            case PrintedText():
                _write(page, part, scale)
            case PrintedDrawing():
                unit = part.side_mm / SIDE

                def moved(points: Sequence[Point], at: PrintedDrawing = part, unit: float = unit) -> list[Point]:
                    return [((at.left_mm + x * unit) * scale[0], (at.top_mm + y * unit) * scale[1]) for x, y in points]

                if part.of:
                    fill(page, [moved(loop) for loop in face.symbols.get(part.of, ())], _ink(INK))
                for line in () if part.of else face.pictogram or ():
                    if line.filled:
                        fill(page, [moved(line.points)], _ink(INK))
                    else:
                        _outline(page, [moved(line.points)], _ink(INK), LINE_WIDTH * unit, closed=False)
    return page


def stuck(page: NDArray[np.uint8], text: str, sticker_mm: float, at_mm: Point) -> None:
    """Put a sticker on a page; what reaches over its edge is cut off."""
    edge = round(sticker_mm * _DRAWN_PER_MM)
    left, top = (round(at * _DRAWN_PER_MM - edge / 2) for at in at_mm)
    bottom, right = min(top + edge, page.shape[0]), min(left + edge, page.shape[1])
    up, before = max(-top, 0), max(-left, 0)
    code = np.rint(textures.code(text, edge)[up : bottom - top, before : right - left] * 255)
    page[top + up : bottom, left + before : right] = code[..., None].astype(np.uint8)


def fill(page: NDArray[np.uint8], loops: Sequence[Sequence[Point]], colour: Any) -> None:
    """Fill what lies in one of the loops but not in two."""
    cv2.fillPoly(page, [_pixels(loop) for loop in loops], colour, cv2.LINE_AA, 4)


def _outline(
    page: NDArray[np.uint8], loops: Sequence[Sequence[Point]], colour: Any, line_mm: float, *, closed: bool = True
) -> None:
    wide = max(1, round(line_mm * _DRAWN_PER_MM))
    cv2.polylines(page, [_pixels(loop) for loop in loops], closed, colour, wide, cv2.LINE_AA, 4)


def _pixels(points_mm: Sequence[Point]) -> NDArray[np.int32]:
    return np.rint((np.array(points_mm) * _DRAWN_PER_MM - 0.5) * 16).astype(np.int32)


def _write(page: NDArray[np.uint8], part: PrintedText, scale: Point) -> None:
    """Text in plain letters; at the size of a picture nobody reads more than a name."""
    words = unicodedata.normalize("NFKD", part.words).encode("ascii", "ignore").decode()
    room_px, most = part.width_mm * scale[0] * _DRAWN_PER_MM, part.most_lines
    fitting = (pt for pt in part.pts if len(_lines(words, room_px, pt, part.bold)) <= most)
    pt = next(fitting, part.pts[-1])
    size, thick = _lettering(pt, part.bold)
    for nth, line in enumerate(_lines(words, room_px, pt, part.bold)[:most]):
        (wide, _), _ = cv2.getTextSize(line, cv2.FONT_HERSHEY_DUPLEX, size, thick)
        left = part.left_mm * scale[0] * _DRAWN_PER_MM + ((room_px - wide) / 2 if part.middle else 0)
        base = (part.top_mm * scale[1] + pt * POINT_MM * (0.95 + LINE * nth)) * _DRAWN_PER_MM
        at = round(left), round(base)
        cv2.putText(page, line, at, cv2.FONT_HERSHEY_DUPLEX, size, _ink(part.colour), thick, cv2.LINE_AA)


def _lettering(pt: float, bold: bool) -> tuple[float, int]:
    """The scale of OpenCV's letters, and the width of their lines."""
    capital_px = pt * POINT_MM * CAPITAL * _DRAWN_PER_MM
    return capital_px / _HERSHEY_CAPITAL_PX, max(1, round(capital_px * (0.17 if bold else 0.1)))


def _lines(words: str, room_px: float, pt: float, bold: bool) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        fits = cv2.getTextSize(longer, cv2.FONT_HERSHEY_DUPLEX, *_lettering(pt, bold))[0][0] <= room_px
        lines[-1:] = [longer] if fits or not lines[-1] else [lines[-1], word]
    return lines


def shade(colour: str) -> tuple[float, float, float]:
    """A colour ``#RRGGBB`` as the reflected part of blue, green and red.

    >>> shade("#FF8000")
    (0.0, 0.5019607843137255, 1.0)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return blue, green, red


def _ink(colour: str) -> tuple[int, int, int]:
    blue, green, red = (round(255 * part) for part in shade(colour))
    return blue, green, red


def _seen_at(page: NDArray[np.uint8], size_mm: Point, per_mm: float) -> Picture:
    size = round(size_mm[0] * per_mm), round(size_mm[1] * per_mm)
    return np.asarray(cv2.resize(page, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255, np.float32)
