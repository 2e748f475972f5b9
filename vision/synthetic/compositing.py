"""One thing drawn into a picture: a card under the lens, a hand over the table, and their shadows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.table import Token
from vision.synthetic.camera_model import CameraView, Points
from vision.synthetic.hands import HandPose, arm
from vision.synthetic.textures import Picture

_COARSE_PX = 12.0

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; the last two are no longer inside."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card, command card or seat tag, by its sticker.

    Attributes:
        token: What the sticker says.
        x_mm, y_mm: The sticker's centre.
        rotation_deg: Clockwise, 0 when the code's top points to the far edge.
        z_mm: Height over the table; what is higher lies on top.
        blur_mm: How far it moves while the shutter is open.
        says: What its code says instead of the token's own text: a foreign or a damaged code.
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
    """A thing as drawn: what lies under it is multiplied by ``keep``, then ``add`` is added.

    Attributes:
        covered: Where nothing below it can be seen.
    """

    left: int
    top: int
    keep: Picture
    add: Picture
    covered: NDArray[np.bool_] = field(repr=False)

    @property
    def box(self) -> Box:
        """The part of the picture that it touches, shadow and all."""
        return self.left, self.top, self.left + self.keep.shape[1], self.top + self.keep.shape[0]

    def hides(self, points_px: NDArray[np.int_]) -> NDArray[np.bool_]:
        """Which of some pixels, ``(n, 2)`` of x and y, are behind it: ``(n,)``."""
        local = points_px - (self.left, self.top)
        height, width = self.covered.shape
        near = np.flatnonzero(((local >= 0) & (local < (width, height))).all(axis=1))
        hidden = np.zeros(len(points_px), np.bool_)
        hidden[near] = self.covered[local[near, 1], local[near, 0]]
        return hidden


class Brush:
    """Draws things for one view and one lamp.

    Args:
        table_mm: The point of the table behind every pixel, ``(height, width, 2)``.
        lamp_mm: Where the main lamp hangs, from the table's middle.
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
        """A flat thing with this face; ``at_mm``: its own point, from its top left corner, that lies at the pose.

        Args:
            cover: How much of each pixel of the face the thing takes, 0 to 1; ``None`` = all of it.
        """
        corners = np.array([[0, 0], [size_mm[0], 0], list(size_mm), [0, size_mm[1]]]) - at_mm
        blur_px = np.array(piece.blur_mm) * self._view.px_per_mm
        box = self._around(self._view.to_px(placed(piece, corners), piece.z_mm), piece.z_mm, blur_px)
        left, top, right, bottom = box
        mm = self._view.lift(self._mm[top:bottom, left:right].astype(np.float64), piece.z_mm)
        turn = math.radians(piece.rotation_deg)
        away = mm - (piece.x_mm, piece.y_mm)
        u = away[..., 0] * math.cos(turn) + away[..., 1] * math.sin(turn) + at_mm[0]
        v = -away[..., 0] * math.sin(turn) + away[..., 1] * math.cos(turn) + at_mm[1]
        mesh = np.stack([u, v], axis=-1).astype(np.float32) * (face.shape[1] / size_mm[0]) - 0.5
        fine = cv2.resize(mesh, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
        both = np.stack([face, np.ones_like(face)] if cover is None else [face * cover, cover], axis=-1)
        drawn = cv2.remap(both, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderValue=(0, 0))
        drawn = cv2.resize(drawn, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        return self._finished(box, np.asarray(drawn, np.float32), piece.z_mm, blur_px)

    def limb(self, hand: HandPose, skin: float, sleeve: float) -> Patch:
        """A hand with its forearm; brightness of its skin and of what it wears."""
        blur_px = np.array(hand.blur_mm) * self._view.px_per_mm
        per_mm = self._view.px_per_mm
        strokes = [(self._view.to_px(s.points_mm, hand.z_mm), s.width_mm * per_mm, s.bare) for s in arm(hand)]
        widest = max(width for _, width, _ in strokes)
        box = self._around(np.concatenate([points for points, _, _ in strokes]), hand.z_mm, blur_px, widest / 2)
        left, top, right, bottom = box
        flesh, cloth = (np.zeros((bottom - top, right - left), np.uint8) for _ in range(2))
        for points, width, bare in strokes:
            line = np.rint((points - (left, top)) * 16).astype(np.int32).reshape(-1, 1, 2)
            cv2.polylines(flesh if bare else cloth, [line], False, 255, max(1, round(width)), cv2.LINE_AA, 4)
        naked, worn = (cv2.GaussianBlur(part.astype(np.float32) / 255, (0, 0), 1.2) for part in (flesh, cloth))
        tone = skin * (1 - worn) + sleeve * worn
        whole = np.maximum(naked, worn)
        # Limbs are round: darker where their middle is far, by two widths, so that fingers show too.
        swell = sum(cv2.blur(whole, (round(share * per_mm) | 1,) * 2) for share in (7.0, 22.0)) / 2
        drawn = np.stack([whole * tone * (0.3 + 0.7 * swell**2), whole], axis=-1)
        return self._finished(box, np.asarray(drawn, np.float32), hand.z_mm, blur_px)

    def _finished(self, box: Box, drawn: Picture, z_mm: float, blur_px: Points) -> Patch:
        """With movement and shadow; the picture's two layers are brightness and cover."""
        drawn = _smeared(drawn, blur_px)
        cover = np.ascontiguousarray(drawn[..., 1])
        soft_px, shift_px = self._shadow(z_mm)
        moved = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float32)
        shade = _softened(np.asarray(cv2.warpAffine(cover, moved, cover.shape[::-1]), np.float32), soft_px)
        keep = np.asarray((1 - cover) * (1 - 0.45 * shade), np.float32)
        return Patch(box[0], box[1], keep, np.ascontiguousarray(drawn[..., 0]), cover > 0.5)

    def _shadow(self, z_mm: float) -> tuple[float, Points]:
        """How soft a shadow from this height is and where it falls, away from the lamp, in pixels."""
        return (0.4 + 0.25 * z_mm) * self._view.px_per_mm, 0.5 * z_mm * self._away * self._view.px_per_mm

    def _around(self, points_px: Points, z_mm: float, blur_px: Points, more_px: float = 0.0) -> Box:
        """The part of the picture that a thing and its shadow touch, cut at the edges, never empty."""
        soft_px, shift_px = self._shadow(z_mm)
        reach = more_px + 3 * soft_px + np.abs(shift_px).max() + np.abs(blur_px).max() / 2 + 3
        width, height = self._view.size_px
        low, high = points_px.min(axis=0) - reach, points_px.max(axis=0) + reach
        left, top = min(max(int(low[0]), 0), width - 1), min(max(int(low[1]), 0), height - 1)
        return left, top, max(left + 1, min(int(high[0]) + 1, width)), max(top + 1, min(int(high[1]) + 1, height))


def placed(piece: DrawnCard, points_mm: Points) -> Points:
    """Points around a sticker's centre, ``(n, 2)`` in mm of the card, carried to where it lies, in table mm."""
    turn = math.radians(piece.rotation_deg)
    x = points_mm[:, 0] * math.cos(turn) - points_mm[:, 1] * math.sin(turn) + piece.x_mm
    y = points_mm[:, 0] * math.sin(turn) + points_mm[:, 1] * math.cos(turn) + piece.y_mm
    return np.stack([x, y], axis=-1)


def _shrunk(picture: Picture, times: int) -> Picture:
    """Smaller, but never nothing."""
    height, width = picture.shape[:2]
    size = max(1, width // times), max(1, height // times)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _softened(picture: Picture, soft_px: float) -> Picture:
    """Blurred all around."""
    if soft_px > _COARSE_PX / 2:
        coarse = cv2.GaussianBlur(_shrunk(picture, 4), (0, 0), soft_px / 4)
        return np.asarray(cv2.resize(coarse, picture.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), soft_px), np.float32)


def _smeared(drawn: Picture, blur_px: Points) -> Picture:
    """Blurred along a movement."""
    length = float(np.linalg.norm(blur_px))
    if length < 1:
        return drawn
    if length > _COARSE_PX:  # what is smeared this far has no detail left to lose
        coarse = _smeared(_shrunk(drawn, 2), blur_px / 2)
        return np.asarray(cv2.resize(coarse, drawn.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    size = math.ceil(length) | 1
    trail = np.zeros((size, size), np.uint8)
    ends = [tuple(np.rint(((size - 1) / 2 + side * blur_px / 2) * 16).astype(int).tolist()) for side in (-1, 1)]
    cv2.line(trail, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    kernel = trail.astype(np.float32) / trail.sum()
    return np.asarray(cv2.filter2D(drawn, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32)


def lay(canvas: Picture, patch: Patch, box: Box | None = None) -> None:
    """Draw a thing, or the part of it that falls into a box."""
    own = patch.box
    left, top, right, bottom = own if box is None else _common(own, box)
    if left < right and top < bottom:
        mine = np.s_[top - own[1] : bottom - own[1], left - own[0] : right - own[0]]
        under = canvas[top:bottom, left:right]
        under *= patch.keep[mine]
        under += patch.add[mine]


def _common(a: Box, b: Box) -> Box:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def grown(box: Box, by_px: int, size_px: tuple[int, int]) -> Box:
    """A box with some pixels around it, as far as the picture goes."""
    left, top, right, bottom = box
    return max(left - by_px, 0), max(top - by_px, 0), min(right + by_px, size_px[0]), min(bottom + by_px, size_px[1])


def joined(boxes: Sequence[Box]) -> Iterator[Box]:
    """The same area in fewer boxes, where one box around two is smaller than both."""
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
