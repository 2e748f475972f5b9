"""Cards that are held over the table: "a card counts when it lies"."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from companion.public.codes import StickerCodes, sticker_text
from companion.public.table import Observation, Token
from tests.bench.resolution import spread
from vision.camera.frame import make_frame
from vision.codes.fitting import fitted
from vision.geometry.quads import corners
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import CAMERA_MODES, DECK, LAYOUT
from vision.synthetic.hands import HandPose
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

CAMERA, STICKER_MM, _ = CAMERA_MODES["2304x1296"]
RATE_HZ = 8.0
KEND = Token("KEND")


class Table:
    """Cards that lie, and one that a hand has brought and does not let go."""

    def __init__(self, seed: int, token: Token | None = None) -> None:
        *self.lying, held = spread(seed, 16)
        self.held = held if token is None else replace(held, token=token)
        self.scene = Scene(LAYOUT, CAMERA, printed=CardPrint(sticker_mm=STICKER_MM), seed=seed)
        self.observer = Observer(LAYOUT, StickerCodes.of((*DECK, KEND)))
        self._dice = np.random.default_rng(seed)
        self._number = itertools.count()
        self.from_deg = 90.0 if held.y_mm > LAYOUT.size_mm[1] / 2 else 270.0
        for _ in range(6):
            self.show(self.lying)

    def show(self, cards: list[DrawnCard], hands: tuple[HandPose, ...] = ()) -> Observation:
        gray = np.asarray(self.scene.render(cards, hands), np.uint8)
        return self.observer.observe(make_frame(gray, next(self._number) / RATE_HZ))

    def hold(self, height_mm: float, pictures: int) -> list[Observation]:
        """A hand comes with the card and keeps it at this height, as still as a hand is."""
        looks = []
        toward = math.sin(math.radians(self.from_deg))
        for away_mm in (300.0, 120.0, 40.0, *[0.0] * pictures):
            x, y = self._dice.normal(0, 0.4, 2)
            fingers = self.held.y_mm + (away_mm + 26) * toward + y
            hand = HandPose(self.held.x_mm - 12 + x, fingers, self.from_deg, z_mm=height_mm + 15)
            at = self.held.y_mm + away_mm * toward
            looks.append(self.show([*self.lying, replace(self.held, y_mm=at, z_mm=height_mm)], (hand,)))
        return looks


def held(look: Observation) -> set[Token]:
    return {placement.token for placement in look.table.placements}


@pytest.mark.parametrize("height_mm", [20.0, 100.0])
def test_a_card_held_still_over_the_table_for_three_seconds_is_not_judged(height_mm: float):
    """ "one lawful card held still 20 or 100 mm above it: 1 false play each"."""
    table = Table(0)
    looks = table.hold(height_mm, 24)
    assert any(look.hand_in_view for look in looks)
    assert all(table.held.token not in held(look) for look in looks)
    for _ in range(3):
        look = table.show([*table.lying, table.held])
    assert table.held.token in held(look), "it lies now, and the hand is gone"


def test_a_card_that_lies_counts_at_once_although_the_hand_is_still_upon_it():
    table = Table(1)
    assert table.held.token in held(table.hold(0.3, 4)[-1])


def test_a_command_is_shown_and_need_not_lie():
    table = Table(0, KEND)
    assert KEND in held(table.hold(60.0, 6)[-1])


def test_a_sticker_s_size_is_known_to_half_a_hundredth():
    table = Table(3)
    geometry = table.observer.geometry
    assert geometry is not None
    for height_mm, larger in ((0.3, 1.0), (20.0, 1.0195), (100.0, 1.107)):
        pieces = [replace(piece, z_mm=height_mm) for piece in table.lying]
        gray = np.asarray(table.scene.render(pieces), np.uint8)
        for seen in table.scene.truth(pieces):
            about = corners(seen.corners_px + np.random.default_rng(5).uniform(-1, 1, (4, 2)))
            exact = fitted(gray, about, sticker_text(seen.token))
            assert exact is not None
            a, b, _, d = geometry.to_mm(exact)
            for side in (math.dist(a, b), math.dist(a, d)):
                assert side / (STICKER_MM * 21 / 25) == pytest.approx(larger, abs=0.005)
