"""A drawn table that the eye looks at, and a hand that comes with cards and keeps or lays them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.public.codes import StickerCodes
from companion.public.table import Observation, Token
from tests.bench.resolution import spread
from vision.camera.frame import make_frame
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import CAMERA_MODES, DECK, LAYOUT
from vision.synthetic.hands import HandPose
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


class Film:
    """A drawn table that the eye looks at.

    Args:
        lying: What lies there before the film begins.
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
        seed: int,
        lying: Sequence[DrawnCard],
        looked_before: int = 6,
        *,
        surface: Surface | None = None,
        hands: PhotographedHands | None = None,
        cutouts: Mapping[Token, Cutout] | None = None,
        person: int = 0,
    ) -> None:
        self.dice = np.random.default_rng((seed, 61))
        self.lying = list(lying)
        self.resting: tuple[HandPose, ...] = ()
        self._person = person
        self._scene = Scene(
            LAYOUT,
            CAMERA,
            printed=CardPrint(sticker_mm=STICKER_MM),
            seed=seed,
            surface=surface,
            hands=hands,
            cutouts=cutouts or {},
        )
        self._observer = Observer(LAYOUT, StickerCodes.of((*DECK, KEND)))
        self._number = itertools.count()
        for _ in range(looked_before):
            self.look()

    def look(self, held: Sequence[DrawnCard] = (), *hands: HandPose, magnified: float = 1.0) -> Observation:
        gray = np.asarray(self._scene.render([*self.lying, *held], (*self.resting, *hands), None, magnified), np.uint8)
        return self._observer.observe(make_frame(gray, next(self._number) / RATE_HZ))

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


def held(look: Observation) -> set[Token]:
    return {placement.token for placement in look.table.placements}


def in_hand(seed: int, first: DrawnCard, lying: Sequence[DrawnCard]) -> tuple[list[DrawnCard], float]:
    """One card 20 or 100 mm up, or a fan of three at 60 mm, where ``first`` would lie; and how high it is."""
    fan, height_mm = (3, 60.0) if seed % 5 == 4 else (1, (20.0, 100.0)[seed % 2])
    own = [token for token in DECK if token not in {card.token for card in lying}]
    cards = [
        replace(first, token=token, x_mm=first.x_mm + 24.0 * n, rotation_deg=first.rotation_deg + 12.0 * n)
        for n, token in enumerate(own[:fan])
    ]
    return cards, height_mm


def half_over_others(seed: int) -> tuple[list[DrawnCard], DrawnCard]:
    """Cards of which two lie at a rim, and one that will come to lie half over both."""
    dice = np.random.default_rng((seed, 62))
    wide_mm, deep_mm = LAYOUT.size_mm
    from_near = bool(seed % 2)
    from_rim_mm = float(dice.uniform(20, 50))
    y_mm = deep_mm - from_rim_mm if from_near else from_rim_mm
    x_mm = float(dice.uniform(150, wide_mm - 200))
    row = [
        DrawnCard(DECK[n], x_mm + 66.0 * n, y_mm + float(dice.normal(0, 3)), float(dice.normal(0, 3))) for n in (0, 1)
    ]
    others = [
        replace(card, token=token)
        for card, token in zip(spread(seed, 14), DECK[3:], strict=False)
        if abs(card.y_mm - y_mm) > 110
    ]
    over = DrawnCard(
        DECK[2],
        x_mm + 33.0,
        y_mm + (-1 if from_near else 1) * float(dice.uniform(25, 40)),
        float(dice.normal(0, 6)),
        z_mm=0.6,
    )
    return [*row, *others], over


def check_half_over(film: Film, over: DrawnCard) -> None:
    """A card is laid half over others: once the hand is gone nothing is a hand, and the card counts in time."""
    before = {card.token for card in film.lying}
    film.brings([over], 0.6, 2)
    film.lying.append(over)
    looks = [film.look() for _ in range(16)]
    assert [look.hand_in_view for look in looks[3:]] == [False] * 13
    assert over.token in held(looks[MOST_PICTURES - 1])
    assert before <= held(looks[-1])
