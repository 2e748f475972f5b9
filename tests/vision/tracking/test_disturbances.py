"""What happens over a real table and means nothing: no card comes, goes or moves by it."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from support.long_cases import rest_long

from companion.public.codes import StickerCodes
from companion.public.table import Observation, Token, ViewLost
from tests.bench.resolution import spread
from vision.camera.frame import make_frame
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import CAMERA_MODES, DECK, LAYOUT
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import Glare, RoomLight
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

CAMERA, STICKER_MM, _ = CAMERA_MODES["2304x1296"]
RATE_HZ = 8.0


class Evening:
    """Cards under a camera; the truth is what the test has laid."""

    def __init__(self, cards: int = 18, seed: int = 5) -> None:
        self.scene = Scene(LAYOUT, CAMERA, printed=CardPrint(sticker_mm=STICKER_MM), seed=seed)
        self.pieces = {piece.token: piece for piece in spread(seed, cards)}
        self.observer = Observer(LAYOUT, StickerCodes.of(DECK))
        self.looks: list[Observation] = []
        self._number = itertools.count()

    def show(
        self,
        *hands: HandPose,
        light: RoomLight | None = None,
        bands: float = 0.0,
        pulse: float = 0.0,
        power: float = 1.0,
    ) -> Observation:
        """The look at the next picture; gamma by ``power``, flicker in one band more, or all of it in a pulse."""
        number = next(self._number)
        gray = np.asarray(self.scene.render(list(self.pieces.values()), hands, light), np.float64)
        if bands:
            rows = np.arange(len(gray)) * (2 * math.pi * 3.3 / len(gray)) + 2.1 * number
            gray *= (1 + bands * np.sin(rows))[:, None]
        gray *= 1 + pulse * math.sin(2.1 * number)
        if power != 1:
            gray = 255 * (gray / 255) ** power
        shown = make_frame(np.clip(gray, 0, 255).astype(np.uint8), number / RATE_HZ)
        self.looks.append(self.observer.observe(shown))
        return self.looks[-1]

    def begin(self) -> None:
        for _ in range(10):
            self.show()
        assert self.right()

    def right(self) -> bool:
        """Whether every card is held where it lies, and no other."""
        held = {p.token: (p.x_mm, p.y_mm) for p in self.looks[-1].table.placements}
        return set(held) == set(self.pieces) and all(
            math.dist(at, (self.pieces[token].x_mm, self.pieces[token].y_mm)) < 3 for token, at in held.items()
        )


@pytest.fixture
def evening() -> Evening:
    made = Evening()
    made.begin()
    return made


@pytest.mark.long
def test_a_ramp_of_gain_or_gamma_is_no_event(evening: Evening):
    for step in range(20):
        evening.show(light=RoomLight(level=1 - 0.15 * step / 20))
        assert evening.right()
    for step in range(20):
        evening.show(power=1 + 0.2 * step / 20)
        assert evening.right()


def test_a_lamp_switched_on_at_the_other_side_is_no_event(evening: Evening):
    for _ in range(16):
        evening.show(light=RoomLight(level=1.15, from_mm=(300.0, 120.0)))
        assert evening.right()


def test_banded_pictures_of_a_flickering_lamp_are_no_event_and_health_says_so(evening: Evening):
    for _ in range(30):
        evening.show(bands=0.05)
        assert evening.right()
    shown = make_frame(np.asarray(evening.scene.render(list(evening.pieces.values())), np.uint8), 31 / RATE_HZ)
    health = evening.observer.health(shown)
    assert health is not None
    (flicker,) = (finding for finding in health.findings if finding.name == "flicker")
    assert not flicker.good
    assert flicker.advice == "other-lamp-or-mains-frequency"


@pytest.mark.parametrize("flicker", rest_long([{"bands": 0.12}, {"bands": 0.03}, {"pulse": 0.04}, {"pulse": 0.12}]))
def test_under_a_lamp_that_flickers_from_the_first_picture_cards_come_and_go_as_under_any_other(
    flicker: dict[str, float],
):
    evening = Evening()
    kept = evening.pieces.popitem()
    for _ in range(4):
        evening.show(**flicker)
    assert evening.right()
    for _ in range(3):
        evening.pieces.update([kept])
        for _ in range(4):
            evening.show(**flicker)
        assert evening.right(), "it has come"
        del evening.pieces[kept[0]]
        for _ in range(8):
            evening.show(**flicker)
        assert evening.right(), "it has gone"


@pytest.mark.long
def test_when_daylight_fades_to_a_third_cards_come_and_go_all_the_while(evening: Evening):
    kept = evening.pieces.popitem()
    for step in range(60):
        if step % 20 == 8:
            evening.pieces.update([kept])
        elif step % 20 == 0:
            evening.pieces.pop(kept[0], None)
        evening.show(light=RoomLight(level=1 - 0.67 * step / 60))
        if step % 20 in (7, 19):
            assert evening.right(), step


def test_steady_light_is_no_flicker(evening: Evening):
    for _ in range(20):
        evening.show()
    shown = make_frame(np.asarray(evening.scene.render(list(evening.pieces.values())), np.uint8), 31 / RATE_HZ)
    health = evening.observer.health(shown)
    assert health is not None
    assert all(finding.good for finding in health.findings if finding.name == "flicker")


def test_a_camera_shifted_by_15_mm_is_noticed_within_a_second_and_finds_the_table_again(evening: Evening):
    evening.scene.look_from(replace(CAMERA, aim_mm=(15.0, 0.0)))
    looks = []
    for _ in range(round(4 * RATE_HZ)):
        looks.append(evening.show())
        assert evening.right()
    assert any(look.lost is ViewLost.TABLE for look in looks[: round(RATE_HZ) + 1])
    assert looks[-1].lost is None
    evening.pieces[token] = replace(evening.pieces[token := next(iter(evening.pieces))], rotation_deg=40.0)
    for _ in range(6):
        evening.show()
    (turned,) = (p for p in evening.looks[-1].table.placements if p.token == token)
    assert turned.rotation_deg == pytest.approx(40, abs=1.5)


@pytest.mark.parametrize("spots", rest_long([4, 2, 6]))
def test_glare_takes_nothing_away(evening: Evening, spots: int):
    dice = np.random.default_rng(spots)
    glare = tuple(
        Glare(float(dice.uniform(100, 1000)), float(dice.uniform(100, 550)), float(dice.uniform(10, 30)))
        for _ in range(spots)
    )
    for _ in range(16):
        evening.show(light=RoomLight(glare=glare))
        assert evening.right()


def test_cards_at_any_rotation_are_held_with_their_rotation():
    evening = Evening(cards=0)
    slots = spread(7, 24)
    evening.pieces = {piece.token: replace(piece, rotation_deg=15.0 * n) for n, piece in enumerate(slots)}
    evening.begin()
    for placement in evening.looks[-1].table.placements:
        away = (placement.rotation_deg - evening.pieces[placement.token].rotation_deg + 180) % 360 - 180
        assert abs(away) < 1.5


def test_two_cards_laid_in_the_same_moment_are_both_held_three_pictures_later(evening: Evening):
    new = [piece for piece in spread(5, 30) if piece.token not in evening.pieces][:2]
    evening.pieces |= {piece.token: piece for piece in new}
    for _ in range(4):
        evening.show()
    assert evening.right()


@pytest.mark.long
def test_a_hand_resting_thirty_seconds_on_cards_is_no_event(evening: Evening):
    piece = next(iter(evening.pieces.values()))
    dice = np.random.default_rng(1)
    for _ in range(round(30 * RATE_HZ / 4)):  # it trembles in every picture, which come two a second here
        wobble = dice.normal(0, 0.4, 2)
        evening.show(HandPose(piece.x_mm + 5 + float(wobble[0]), piece.y_mm + 5 + float(wobble[1]), 90.0))
        assert evening.right()
    for _ in range(6):
        evening.show()
    assert evening.right()


def test_a_card_slid_instead_of_lifted_is_never_gone(evening: Evening):
    token, piece = next(iter(evening.pieces.items()))
    for step in range(1, 13):
        evening.pieces[token] = replace(piece, x_mm=piece.x_mm + 1.5 * step)
        look = evening.show(HandPose(piece.x_mm + 1.5 * step + 5, piece.y_mm + 42, 90.0))
        assert {p.token for p in look.table.placements} == set(evening.pieces)
    for _ in range(6):
        evening.show()
    assert evening.right()


def test_a_card_covered_by_another_lies_under_it(evening: Evening):
    token, piece = next(iter(evening.pieces.items()))
    upon = DrawnCard(Token("C69"), piece.x_mm + 9, piece.y_mm + 7, piece.rotation_deg + 4, z_mm=0.6)
    assert upon.token not in evening.pieces
    evening.pieces[upon.token] = upon
    for _ in range(12):
        evening.show()
    assert {p.token: p.under for p in evening.looks[-1].table.placements}[token] == "C69"
    del evening.pieces[upon.token]
    for _ in range(8):
        evening.show()
    assert evening.right()
