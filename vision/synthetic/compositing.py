"""Renders one thing into a picture: a card, or a hand over the table, with its shadow."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.table import Token
from vision.synthetic.camera_model import CameraView, Points
from vision.synthetic.hands import FINGERS, HandPose, Stroke, arm, sleeve
from vision.synthetic.photographs import Cutout, Surface, turn_deg
from vision.synthetic.textures import Picture

_COARSE_PX = 12.0

_UNDER_CUFF_MM = 15.0
"""This much of a photographed wrist is covered by the sleeve."""

_BRIGHTEST_SKIN = 0.8

_CUFF_MM = 30.0
"""The width of a cuff, from where its stroke begins."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are exclusive."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card, command card or seat tag, by its sticker.

    Attributes:
        token: The sticker's token.
        x_mm, y_mm: The sticker's centre.
        rotation_deg: Clockwise, 0 when the code's top points to the far edge.
        z_mm: Height over the table; higher things are on top.
        blur_mm: Its movement while the shutter is open.
        says: Replaces the text of its code: a foreign or a damaged code.
    """

    token: Token
    x_mm: float
    y_mm: float
    rotation_deg: float = 0.0
    z_mm: float = 0.3
    blur_mm: tuple[float, float] = (0.0, 0.0)
    says: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A rendered thing: the picture below it is multiplied by ``keep``, then ``add`` is added.

    Attributes:
        add: ``(height, width)``, or ``(height, width, 3)`` in colour.
        covered: Pixels that are completely hidden by it.
    """

    left: int
    top: int
    keep: Picture
    add: Picture
    covered: NDArray[np.bool_] = field(repr=False)

    @property
    def box(self) -> Box:
        """The area of the picture that it changes, including its shadow."""
        return self.left, self.top, self.left + self.keep.shape[1], self.top + self.keep.shape[0]

    def reaches(self, first_px: Sequence[int], last_px: Sequence[int]) -> bool:
        """Whether its box and the one from one pixel to another have a pixel in common."""
        left, top, right, bottom = self.box
        return first_px[0] < right and last_px[0] >= left and first_px[1] < bottom and last_px[1] >= top

    def hides(self, points_px: NDArray[np.int_]) -> NDArray[np.bool_]:
        """Which of these pixels, ``(n, 2)`` of x and y, are hidden by it: ``(n,)``."""
        local = points_px - (self.left, self.top)
        height, width = self.covered.shape
        near = np.flatnonzero(((local >= 0) & (local < (width, height))).all(axis=1))
        hidden = np.zeros(len(points_px), np.bool_)
        hidden[near] = self.covered[local[near, 1], local[near, 0]]
        return hidden


class Brush:
    """Renders things for one view and one lamp.

    Args:
        table_mm: The table point of every pixel, ``(height, width, 2)``.
        lamp_mm: The position of the main lamp, from the table's centre.
    """

    def __init__(self, view: CameraView, table_mm: Picture, lamp_mm: tuple[float, float]) -> None:
        self._view = view
        self._mm = table_mm
        away = -np.array(lamp_mm, float)
        self._away = away / max(float(np.linalg.norm(away)), 1.0)

    def flat(
        self,
        piece: DrawnCard,
        face: Picture,
        size_mm: tuple[float, float],
        at_mm: tuple[float, float],
        cover: Picture | None = None,
    ) -> Patch:
        """A flat thing with this face; ``at_mm``: its reference point, from its top left corner, which is placed at the
        pose.

        Args:
            cover: The opacity of the face, 0 to 1; ``None`` = opaque.
        """
        corners = np.array([[0, 0], [size_mm[0], 0], list(size_mm), [0, size_mm[1]]]) - at_mm
        blur_px = np.array(piece.blur_mm) * self._view.px_per_mm
        box = self._around(self._view.to_px(placed(piece, corners), piece.z_mm), piece.z_mm, blur_px)
        drawn = _looked_up(self._own_mm(box, piece, at_mm), face, face.shape[1] / size_mm[0], cover)
        return self._finished(box, drawn, piece.z_mm, blur_px)

    def limb(self, hand: HandPose, skin: float, sleeve_tone: float) -> Patch:
        """A hand with its forearm, given the brightness of skin and sleeve."""
        blur_px = np.array(hand.blur_mm) * self._view.px_per_mm
        per_mm = self._view.px_per_mm
        strokes = arm(hand)
        box = self._around_strokes(strokes, hand, blur_px)
        naked, worn = (self._stroked(box, [s for s in strokes if s.bare is bare], hand.z_mm) for bare in (True, False))
        tone = skin * (1 - worn) + sleeve_tone * worn
        whole = np.maximum(naked, worn)
        # Limbs are round: darker towards the edges. Two widths, so that fingers are visible too.
        swell = sum(cv2.blur(whole, (round(share * per_mm) | 1,) * 2) for share in (7.0, 22.0)) / 2
        drawn = np.stack([whole * tone * (0.3 + 0.7 * swell**2), whole], axis=-1)
        return self._finished(box, np.asarray(drawn, np.float32), hand.z_mm, blur_px)

    def coloured_limb(self, hand: HandPose, skin: Sequence[float], cloth: Sequence[float]) -> Patch:
        """A hand with its forearm in colour: the thumb, the back of the hand with the wrist, each finger with its nail,
        the sleeve; given the colours of skin and sleeve, blue first."""
        blur_px = np.array(hand.blur_mm) * self._view.px_per_mm
        strokes = arm(hand)
        box = self._around_strokes(strokes, hand, blur_px)
        thumb, *fingers = strokes[:FINGERS]
        back = [stroke for stroke in strokes[FINGERS:] if stroke.bare]
        drawn = np.zeros((box[3] - box[1], box[2] - box[0], 4), np.float32)
        for group in ([thumb], back, *([finger] for finger in fingers)):
            _over(drawn, *self._rounded(box, group, hand.z_mm, skin))
            if len(group) == 1:
                _over(drawn, *self._nail(box, group[0], hand, skin))
        _over(drawn, *self._sleeve(box, [stroke for stroke in strokes if not stroke.bare], hand.z_mm, cloth))
        return self._finished(box, drawn, hand.z_mm, blur_px)

    def _sleeve(
        self, box: Box, strokes: Sequence[Stroke], z_mm: float, cloth: Sequence[float]
    ) -> tuple[Picture, Picture]:
        """A sleeve with folds, and a straight cuff."""
        first, last = strokes[0], strokes[-1]
        start, end = last.points_mm
        whole = [*strokes, replace(last, points_mm=np.stack([end, end + 2 * (end - start)]))]  # beyond the table's edge
        colours, cover = self._rounded(box, whole, z_mm, cloth)
        along, across = self._along(box, first, z_mm)
        length_mm = float(np.linalg.norm(first.points_mm[1] - first.points_mm[0]))
        along, across = along * length_mm, across * length_mm
        cuff_mm = along + first.width_mm / 2 - _CUFF_MM
        folds = np.sin(along / 13 + 1.3 * np.sin(across / 17) + along**2 / 9000) * np.clip(cuff_mm / 60, 0, 1)
        light = 1 + 0.09 * folds - 0.3 * np.exp(-((cuff_mm / 2.5) ** 2)) + 0.1 * (cuff_mm < 0)
        cut = np.clip((along + first.width_mm / 2 - 12) * np.float32(self._view.px_per_mm), 0, 1)
        return np.asarray(colours * light[..., None], np.float32), np.asarray(cover * cut, np.float32)

    def _along(self, box: Box, stroke: Stroke, z_mm: float) -> tuple[Picture, Picture]:
        """Where each pixel of a box is along a stroke and across it, in lengths of the stroke from its first point."""
        first, last = self._view.to_px(stroke.points_mm, z_mm) - box[:2]
        y, x = np.mgrid[: box[3] - box[1], : box[2] - box[0]].astype(np.float32)
        way = (last - first).astype(np.float32)
        away = x - np.float32(first[0]), y - np.float32(first[1])
        square = np.float32(way @ way)
        return (away[0] * way[0] + away[1] * way[1]) / square, (away[1] * way[0] - away[0] * way[1]) / square

    def _rounded(
        self, box: Box, strokes: Sequence[Stroke], z_mm: float, colour: Sequence[float]
    ) -> tuple[Picture, Picture]:
        """Some strokes as a round body, darker towards its edges: its colours and its coverage. A finger's edge fades
        towards the hand."""
        cover = self._stroked(box, strokes, z_mm)
        half_px = max(stroke.width_mm for stroke in strokes) * self._view.px_per_mm / 2
        depth = cv2.distanceTransform((cover > 0.3).astype(np.uint8), cv2.DIST_L2, 5) / np.float32(half_px)
        light = 0.62 + 0.38 * np.sqrt(1 - (1 - np.clip(depth, 0, 1)) ** 2)
        if len(strokes) == 1:
            along, _ = self._along(box, strokes[0], z_mm)
            light = 1 - (1 - light) * np.clip(1.6 * along + 0.1, 0, 1)
            cover = cover * np.clip(6 * along + 1.5, 0, 1)
        return np.asarray(light[..., None] * np.array(colour, np.float32), np.float32), np.asarray(cover, np.float32)

    def _nail(self, box: Box, finger: Stroke, hand: HandPose, skin: Sequence[float]) -> tuple[Picture, Picture]:
        knuckle, tip = finger.points_mm
        way = (tip - knuckle) / np.linalg.norm(tip - knuckle)
        middle = tip + way * finger.width_mm * 0.12
        nail = Stroke(np.stack([middle - way * 1.5, middle + way * 1.5]), finger.width_mm * 0.46)
        pale = 0.55 * np.array(skin, np.float32) + 0.45 * np.array([0.80, 0.82, 0.95], np.float32)
        cover = self._stroked(box, [nail], hand.z_mm)
        return np.broadcast_to(pale, (*cover.shape, 3)), np.asarray(0.7 * cover, np.float32)

    def photographed_limb(
        self, hand: HandPose, photograph: Cutout, weave: Surface, skin_tone: float, sleeve_tone: float
    ) -> Patch:
        """A photographed hand with a sleeve of photographed cloth, given the mean brightness of both."""
        blur_px = np.array(hand.blur_mm) * self._view.px_per_mm
        # The sleeve begins under the hand, because the stroke's end is round and a cuff is straight.
        strokes = sleeve(hand, photograph.at_mm[0] / hand.size - 2 * _UNDER_CUFF_MM, photograph.wrist_mm / hand.size)
        lies = DrawnCard(Token(""), hand.x_mm, hand.y_mm, turn_deg(hand))
        (wide, high), at_mm = photograph.size_mm, photograph.at_mm
        corners = placed(lies, np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - at_mm)
        box = self._around_strokes(strokes, hand, blur_px, self._view.to_px(corners, hand.z_mm))
        here_mm = self._own_mm(box, replace(lies, z_mm=hand.z_mm), at_mm)
        skin = np.minimum(photograph.face * np.float32(skin_tone / photograph.mean), np.float32(_BRIGHTEST_SKIN))
        flesh = np.zeros((*here_mm.shape[:2], 2), np.float32)
        rows, columns = _within(box, self._view.to_px(corners, hand.z_mm))
        if flesh[rows, columns].size:  # else only the sleeve is in the picture
            flesh[rows, columns] = _looked_up(here_mm[rows, columns], skin, photograph.per_mm, photograph.cover)
        cuff = np.clip((_UNDER_CUFF_MM - here_mm[..., 0]) * np.float32(self._view.px_per_mm), 0, 1)
        worn = self._stroked(box, strokes, hand.z_mm) * cuff
        swell = cv2.blur(worn, (round(22.0 * self._view.px_per_mm) | 1,) * 2)
        at = here_mm * np.float32(weave.per_mm)
        threads = cv2.remap(weave.face, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        cloth = threads * (sleeve_tone / float(weave.face.mean())) * (0.3 + 0.7 * swell**2)
        drawn = flesh * (1 - worn[..., None]) + np.stack([cloth * worn, worn], axis=-1)
        return self._finished(box, np.asarray(drawn, np.float32), hand.z_mm, blur_px)

    def _own_mm(self, box: Box, piece: DrawnCard, at_mm: tuple[float, float]) -> Points:
        """The point of a thing at every pixel of a box, from its top left corner, ``(height, width, 2)``."""
        left, top, right, bottom = box
        turn = math.radians(piece.rotation_deg)
        back = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        # All of it is linear, so three points tell what becomes of the others.
        middle, right_mm, below_mm = self._view.lift(np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), piece.z_mm)
        lifted = np.stack([right_mm - middle, below_mm - middle], axis=-1)
        moved = back @ (middle - (piece.x_mm, piece.y_mm)) + at_mm
        own = cv2.transform(self._mm[top:bottom, left:right], np.column_stack([back @ lifted, moved]))
        return np.asarray(own, np.float32)

    def _stroked(self, box: Box, strokes: Sequence[Stroke], z_mm: float) -> Picture:
        """The coverage of each pixel of a box by some strokes, 0 to 1."""
        left, top, right, bottom = box
        drawn = np.zeros((bottom - top, right - left), np.uint8)
        for stroke in strokes:
            points = self._view.to_px(stroke.points_mm, z_mm)
            line = np.rint((points - (left, top)) * 16).astype(np.int32).reshape(-1, 1, 2)
            width = max(1, round(stroke.width_mm * self._view.px_per_mm))
            cv2.polylines(drawn, [line], False, 255, width, cv2.LINE_AA, 4)
        return np.asarray(cv2.GaussianBlur(drawn.astype(np.float32) / 255, (0, 0), 1.2), np.float32)

    def _around_strokes(
        self, strokes: Sequence[Stroke], hand: HandPose, blur_px: Points, more_px: Points | None = None
    ) -> Box:
        """The area of the picture that an arm and its shadow change, and some more points."""
        points = [self._view.to_px(stroke.points_mm, hand.z_mm) for stroke in strokes]
        widest = max(stroke.width_mm for stroke in strokes) * self._view.px_per_mm
        if more_px is not None:
            points.append(more_px)
        return self._around(np.concatenate(points), hand.z_mm, blur_px, widest / 2)

    def _finished(self, box: Box, drawn: Picture, z_mm: float, blur_px: Points) -> Patch:
        """Adds movement and shadow; the last layer of ``drawn`` is coverage, before it brightness or three colours."""
        drawn = _smeared(drawn, blur_px)
        cover = np.ascontiguousarray(drawn[..., -1])
        soft_px, shift_px = self._shadow(z_mm)
        moved = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float32)
        shade = _softened(np.asarray(cv2.warpAffine(cover, moved, cover.shape[::-1]), np.float32), soft_px)
        keep = np.asarray((1 - cover) * (1 - 0.45 * shade), np.float32)
        own = drawn[..., 0] if drawn.shape[2] == 2 else drawn[..., :3]
        return Patch(box[0], box[1], keep, np.ascontiguousarray(own), cover > 0.5)

    def _shadow(self, z_mm: float) -> tuple[float, Points]:
        """Softness and offset of a shadow from this height, away from the lamp, in pixels."""
        return (0.4 + 0.25 * z_mm) * self._view.px_per_mm, 0.5 * z_mm * self._away * self._view.px_per_mm

    def _around(self, points_px: Points, z_mm: float, blur_px: Points, more_px: float = 0.0) -> Box:
        """The area of the picture that a thing and its shadow change, clipped to the picture, never empty."""
        soft_px, shift_px = self._shadow(z_mm)
        reach = more_px + 3 * soft_px + np.abs(shift_px).max() + np.abs(blur_px).max() / 2 + 3
        width, height = self._view.size_px
        low, high = points_px.min(axis=0) - reach, points_px.max(axis=0) + reach
        left, top = min(max(int(low[0]), 0), width - 1), min(max(int(low[1]), 0), height - 1)
        return left, top, max(left + 1, min(int(high[0]) + 1, width)), max(top + 1, min(int(high[1]) + 1, height))


def _over(drawn: Picture, colours: Picture, cover: Picture) -> None:
    """Lay a body over a picture whose colours are multiplied by their coverage."""
    drawn *= (1 - cover)[..., None]
    drawn += np.dstack([colours * cover[..., None], cover])


def _looked_up(own_mm: Points, face: Picture, per_mm: float, cover: Picture | None) -> Picture:
    """Brightness or colours times coverage, and coverage, of a face at these points: ``(height, width, 2 or 4)``."""
    mesh = own_mm * np.float32(per_mm) - np.float32(0.5)
    fine = cv2.resize(mesh, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    whole = np.ones(face.shape[:2], np.float32) if cover is None else cover
    both = np.dstack([np.atleast_3d(face) * whole[..., None], whole])
    drawn = cv2.remap(both, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0))
    return np.asarray(cv2.resize(drawn, own_mm.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)


def placed(piece: DrawnCard, points_mm: Points) -> Points:
    """Points around a sticker's centre, ``(n, 2)`` in mm of the card, converted to table mm."""
    turn = math.radians(piece.rotation_deg)
    x = points_mm[:, 0] * math.cos(turn) - points_mm[:, 1] * math.sin(turn) + piece.x_mm
    y = points_mm[:, 0] * math.sin(turn) + points_mm[:, 1] * math.cos(turn) + piece.y_mm
    return np.stack([x, y], axis=-1)


def _shrunk(picture: Picture, times: int) -> Picture:
    """A smaller picture of at least one pixel."""
    height, width = picture.shape[:2]
    size = max(1, width // times), max(1, height // times)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _softened(picture: Picture, soft_px: float) -> Picture:
    """Blurred in all directions."""
    if soft_px > _COARSE_PX / 2:
        coarse = cv2.GaussianBlur(_shrunk(picture, 4), (0, 0), soft_px / 4)
        return np.asarray(cv2.resize(coarse, picture.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), soft_px), np.float32)


def _smeared(drawn: Picture, blur_px: Points) -> Picture:
    """Blurred along a movement."""
    length = float(np.linalg.norm(blur_px))
    if length < 1:
        return drawn
    if length > _COARSE_PX:  # blurred this far there are no details
        coarse = _smeared(_shrunk(drawn, 2), blur_px / 2)
        return np.asarray(cv2.resize(coarse, drawn.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    size = math.ceil(length) | 1
    trail = np.zeros((size, size), np.uint8)
    ends = [tuple(np.rint(((size - 1) / 2 + side * blur_px / 2) * 16).astype(int).tolist()) for side in (-1, 1)]
    cv2.line(trail, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    kernel = trail.astype(np.float32) / trail.sum()
    return np.asarray(cv2.filter2D(drawn, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32)


def lay(canvas: Picture, patch: Patch, box: Box | None = None) -> None:
    """Composite a thing, or its part in a box, onto the canvas."""
    own = patch.box
    left, top, right, bottom = own if box is None else _common(own, box)
    if left < right and top < bottom:
        mine = np.s_[top - own[1] : bottom - own[1], left - own[0] : right - own[0]]
        under = canvas[top:bottom, left:right]
        under *= patch.keep[mine] if canvas.ndim == 2 else patch.keep[mine][..., None]
        under += patch.add[mine]


def _within(box: Box, points_px: Points) -> tuple[slice, slice]:
    """The rows and columns of a box that hold these points of the picture, with a margin of two."""
    left, top = np.floor(points_px.min(axis=0)).astype(int) - 2
    right, bottom = np.ceil(points_px.max(axis=0)).astype(int) + 3
    rows, columns = (top - box[1], bottom - box[1]), (left - box[0], right - box[0])
    return slice(max(0, rows[0]), max(0, rows[1])), slice(max(0, columns[0]), max(0, columns[1]))


def _common(a: Box, b: Box) -> Box:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def grown(box: Box, by_px: int, size_px: tuple[int, int]) -> Box:
    """A box with a margin, clipped to the picture."""
    left, top, right, bottom = box
    return max(left - by_px, 0), max(top - by_px, 0), min(right + by_px, size_px[0]), min(bottom + by_px, size_px[1])


def joined(boxes: Sequence[Box]) -> Iterator[Box]:
    """The same area in fewer boxes: two boxes are joined if the box around both is smaller than their sum."""
    left = list(boxes)
    while left:
        box = left.pop()
        for other in left:
            around = min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])
            if _area(around) < _area(box) + _area(other):
                left.remove(other)
                left.append(around)
                break
        else:
            yield box


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
