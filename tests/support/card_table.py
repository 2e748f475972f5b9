"""Playing cards on a drawn table that the eye looks at, and a hand that comes with cards and keeps or lays them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.public.codes import StickerCodes
from companion.public.layout import Layout
from companion.public.table import Observation, Token
from vision.camera.frame import Gray, make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import CAMERA_MODES, COLUMNS, DECK, FIRST_MM, LAYOUT, PITCH_MM, ROWS
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import RoomLight
from vision.synthetic.photographs import Cutout, PhotographedHands, Surface
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

CAMERA, STICKER_MM, _ = CAMERA_MODES["2304x1296"]
RATE_HZ = 8.0
KEND = Token("KEND")
MOST_PICTURES = 5
"""So many pictures after the last hand has gone nothing is a hand, and what was laid counts."""
FAR_MM, NEAR_MM = 300.0, 120.0
"""Where a hand is on its way."""


def spread(seed: int, stickers: int = len(DECK)) -> tuple[DrawnCard, ...]:
    """So many cards on the places of a film's table, turned anyhow."""
    dice = np.random.default_rng((seed, 11))
    slots = dice.permutation(COLUMNS * ROWS)[:stickers]
    return tuple(
        DrawnCard(
            token,
            float(FIRST_MM[0] + PITCH_MM[0] * (slot % COLUMNS) + dice.uniform(-4, 4)),
            float(FIRST_MM[1] + PITCH_MM[1] * (slot // COLUMNS) + dice.uniform(-4, 4)),
            float(dice.choice((0, 90, 180, 270)) + dice.normal(0, 4)),
        )
        for token, slot in zip(DECK, slots.tolist(), strict=False)
    )


def held(look: Observation) -> set[Token]:
    return {placement.token for placement in look.table.placements}


class CardTable:
    """A drawn table that the eye looks at.

    Args:
        lying: What lies there before anything happens.
        looked_before: How many pictures the eye has seen of it by then.
        surface, hands: Photographed, or drawn.
        cutouts: Things without a sticker that may lie there too.
        person: Whose hand brings cards.

    Attributes:
        lying: What lies there now.
        resting: Hands that are there in every picture.
    """

    def __init__(
        self,
        lying: Sequence[DrawnCard],
        seed: int,
        looked_before: int = 6,
        *,
        layout: Layout = LAYOUT,
        camera: CameraModel = CAMERA,
        surface: Surface | None = None,
        hands: PhotographedHands | None = None,
        cutouts: Mapping[Token, Cutout] | None = None,
        person: int = 0,
    ) -> None:
        self.dice = np.random.default_rng((seed, 61))
        self.lying = list(lying)
        self.resting: tuple[HandPose, ...] = ()
        self._person = person
        printed = CardPrint(sticker_mm=STICKER_MM)
        drawn = {"surface": surface, "hands": hands, "cutouts": cutouts or {}}
        self.scene = Scene(layout, camera, printed=printed, seed=seed, **drawn)
        self.observer = Observer(layout, StickerCodes.of((*DECK, KEND)))
        self._number = itertools.count()
        for _ in range(looked_before):
            self.look()

    def drawn(
        self,
        held: Sequence[DrawnCard] = (),
        hands: Sequence[HandPose] = (),
        light: RoomLight | None = None,
        magnified: float = 1.0,
    ) -> Gray:
        """A picture of the table now, and of what is held over it."""
        hands = (*self.resting, *hands)
        return np.asarray(self.scene.render([*self.lying, *held], hands, light, magnified), np.uint8)

    def sees(self, picture: Gray) -> Observation:
        """The look at the next picture."""
        return self.observer.observe(make_frame(picture, next(self._number) / RATE_HZ))

    def look(
        self,
        held: Sequence[DrawnCard] = (),
        *hands: HandPose,
        light: RoomLight | None = None,
        magnified: float = 1.0,
    ) -> Observation:
        return self.sees(self.drawn(held, hands, light, magnified))

    def brings(self, cards: Sequence[DrawnCard], height_mm: float, pictures: int) -> list[Observation]:
        """A hand comes from the nearer rim with cards and keeps them, as still as a hand is."""
        first = cards[0]
        from_near = first.y_mm > LAYOUT.size_mm[1] / 2
        toward = 1.0 if from_near else -1.0
        looks = []
        for away_mm in (FAR_MM, NEAR_MM, *[0.0] * pictures):
            x, y = self.dice.normal(0, 0.4, 2)
            at = (first.x_mm - 12 + x, first.y_mm + (away_mm + 26) * toward + y)
            hand = HandPose(*at, 90.0 if from_near else 270.0, z_mm=height_mm + 15, person=self._person)
            brought = [replace(card, y_mm=card.y_mm + away_mm * toward, z_mm=height_mm) for card in cards]
            looks.append(self.look(brought, hand))
        return looks
