"""What is drawn from photographs: table tops, hands, and things that lie about without a sticker.

The photographs themselves come from whoever makes the scene; each says how many of its pixels are a millimetre, so that
what is drawn is life-size.
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
"""Fingers that are spread less than this are drawn from a closed hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A photographed table top or cloth, seen from straight above.

    Attributes:
        face: Its brightness, as all pictures in ``textures``.
        per_mm: Pixels of ``face`` for a millimetre.
    """

    face: Picture
    per_mm: float

    def scaled(self, per_mm: float) -> Surface:
        """The same at about so many pixels a millimetre."""
        height, width = (max(2, round(side * per_mm / self.per_mm)) for side in self.face.shape)
        way = cv2.INTER_AREA if per_mm < self.per_mm else cv2.INTER_CUBIC
        face = cv2.resize(self.face, (width, height), interpolation=way)
        return Surface(np.asarray(face, np.float32), width * self.per_mm / self.face.shape[1])

    def laid(self, width_px: int, height_px: int, per_mm: float, seed: int) -> Picture:
        """A table top of ``(height_px, width_px)`` at ``per_mm`` pixels a mm, mirrored where the photograph ends.

        Args:
            seed: Says which part of the photograph lies at the top left.
        """
        tile = self.scaled(per_mm).face
        down, across = (int(at) for at in np.random.default_rng((seed, 7)).integers(0, np.array(tile.shape)))
        more = (0, down + height_px), (0, across + width_px)
        whole = np.pad(tile, more, mode="symmetric")
        return np.ascontiguousarray(whole[down : down + height_px, across : across + width_px], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A photographed thing without its background.

    Attributes:
        face: Its brightness, as all pictures in ``textures``.
        cover: How much of each pixel it takes, 0 to 1: like ``face``.
        per_mm: Pixels of both for a millimetre.
        at_mm: Its own point, from the top left corner, that lies where it is put: of a hand, between thumb and
            fingertips; a hand reaches to the right there, and its arm comes from the left edge.
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
        """How bright it is on the whole."""
        return float((self.face * self.cover).sum() / self.cover.sum())

    @property
    def wrist_mm(self) -> float:
        """Of a hand: how far the middle of its wrist is aside of its own point."""
        wrist = self.cover[:, :3].sum(axis=1)
        return float((wrist * np.arange(len(wrist))).sum() / wrist.sum()) / self.per_mm - self.at_mm[1]

    def mirrored(self) -> Cutout:
        """The left hand of a right one."""
        at_mm = self.at_mm[0], self.size_mm[1] - self.at_mm[1]
        return replace(self, face=self.face[::-1].copy(), cover=self.cover[::-1].copy(), at_mm=at_mm)

    def resized(self, times: float) -> Cutout:
        """The same thing, larger."""
        return replace(self, per_mm=self.per_mm / times, at_mm=(self.at_mm[0] * times, self.at_mm[1] * times))


@dataclass(frozen=True, slots=True, eq=False)
class PhotographedHands:
    """The hands of people around a table, and what their sleeves are made of."""

    spread: tuple[Cutout, ...]
    closed: tuple[Cutout, ...]
    sleeve: Surface

    def of(self, hand: HandPose) -> Cutout:
        """Somebody's hand as it is held: every second person uses the other hand."""
        choice = self.spread if hand.spread >= CLOSED_BELOW else self.closed
        mine = choice[hand.person // 2 % len(choice)].resized(hand.size)
        return mine.mirrored() if hand.person % 2 else mine


def turn_deg(hand: HandPose) -> float:
    """How far a photographed hand, which reaches to the right, is turned to lie like this one."""
    return math.remainder(hand.from_deg + 180, 360)
