"""Table tops, hands, and objects without stickers from photographs.

The caller provides the photographs with their pixels per millimetre, so that they are rendered life-size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.public.table import Point
from vision.synthetic.hands import HandPose
from vision.synthetic.textures import Picture

CLOSED_BELOW = 0.5
"""Hands with less spread are rendered from a photo of a closed hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A photographed table top or cloth, from straight above.

    Attributes:
        face: Its brightness, as all pictures in ``textures``.
        per_mm: Pixels of ``face`` per millimetre.
    """

    face: Picture
    per_mm: float

    def scaled(self, per_mm: float) -> Surface:
        """The same at about this resolution."""
        height, width = (max(2, round(side * per_mm / self.per_mm)) for side in self.face.shape)
        way = cv2.INTER_AREA if per_mm < self.per_mm else cv2.INTER_CUBIC
        face = cv2.resize(self.face, (width, height), interpolation=way)
        return Surface(np.asarray(face, np.float32), width * self.per_mm / self.face.shape[1])

    def laid(self, width_px: int, height_px: int, per_mm: float, seed: int) -> Picture:
        """A table top of ``(height_px, width_px)`` at ``per_mm`` pixels per mm, mirrored at the edges of the
        photograph.

        Args:
            seed: Chooses the part of the photograph at the top left.
        """
        tile = self.scaled(per_mm).face
        down, across = (int(at) for at in np.random.default_rng((seed, 7)).integers(0, np.array(tile.shape)))
        more = (0, down + height_px), (0, across + width_px)
        whole = np.pad(tile, more, mode="symmetric")
        return np.ascontiguousarray(whole[down : down + height_px, across : across + width_px], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A photographed object without its background.

    Attributes:
        face: Its brightness, as all pictures in ``textures``.
        cover: Its opacity, 0 to 1, same shape as ``face``.
        per_mm: Pixels of both per millimetre.
        at_mm: Its reference point, from the top left corner. For a hand between thumb and fingertips; the hand points
            to the right, and its arm comes from the left edge.
    """

    face: Picture
    cover: Picture
    per_mm: float
    at_mm: Point

    @property
    def size_mm(self) -> Point:
        """Width and height."""
        return self.face.shape[1] / self.per_mm, self.face.shape[0] / self.per_mm

    @property
    def mean(self) -> float:
        """Its mean brightness."""
        return float((self.face * self.cover).sum() / self.cover.sum())

    @property
    def wrist_mm(self) -> float:
        """For a hand: the sideways offset of the wrist's centre from the reference point."""
        wrist = self.cover[:, :3].sum(axis=1)
        return float((wrist * np.arange(len(wrist))).sum() / wrist.sum()) / self.per_mm - self.at_mm[1]

    def mirrored(self) -> Cutout:
        """The left hand for a right one."""
        at_mm = self.at_mm[0], self.size_mm[1] - self.at_mm[1]
        return replace(self, face=self.face[::-1].copy(), cover=self.cover[::-1].copy(), at_mm=at_mm)

    def resized(self, times: float) -> Cutout:
        """The same object, scaled."""
        return replace(self, per_mm=self.per_mm / times, at_mm=(self.at_mm[0] * times, self.at_mm[1] * times))


@dataclass(frozen=True, slots=True, eq=False)
class PhotographedHands:
    """The hands of the people around a table, and the cloth of their sleeves."""

    spread: tuple[Cutout, ...]
    closed: tuple[Cutout, ...]
    sleeve: Surface

    def of(self, hand: HandPose) -> Cutout:
        """The photo of a hand in this pose: every second person uses the other hand."""
        choice = self.spread if hand.spread >= CLOSED_BELOW else self.closed
        mine = choice[hand.person // 2 % len(choice)].resized(hand.size)
        return mine.mirrored() if hand.person % 2 else mine


def turn_deg(hand: HandPose) -> float:
    """The rotation of a photographed hand, which points to the right, into this pose."""
    return math.remainder(hand.from_deg + 180, 360)
