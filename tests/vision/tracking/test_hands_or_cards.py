"""Cards that hands hold are not judged, and cards are no hands: many drawn films of both."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.public.codes import StickerCodes
from companion.public.table import Observation, Token
from vision.benchmarks.resolution import spread
from vision.benchmarks.scenarios import CAMERA_MODES, DECK, LAYOUT
from vision.camera.frame import make_frame
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

CAMERA, STICKER_MM, _ = CAMERA_MODES["2304x1296"]
RATE_HZ = 8.0
STILL_S = 3.0
FAR_MM, NEAR_MM = 300.0, 120.0
"""Where a hand is on its way."""


class Film:
    """A drawn table that the eye looks at.

    Args:
        lying: What lies there before the film begins.
        looked_before: How many pictures the eye has seen of it by then.
    """

    def __init__(self, seed: int, lying: Sequence[DrawnCard], looked_before: int = 6) -> None:
        self.dice = np.random.default_rng((seed, 61))
        self.lying = list(lying)
        self._scene = Scene(LAYOUT, CAMERA, printed=CardPrint(sticker_mm=STICKER_MM), seed=seed)
        self._observer = Observer(LAYOUT, StickerCodes.of(DECK))
        self._number = itertools.count()
        for _ in range(looked_before):
            self.look()

    def look(self, held: Sequence[DrawnCard] = (), hand: HandPose | None = None) -> Observation:
        gray = np.asarray(self._scene.render([*self.lying, *held], (hand,) if hand else ()), np.uint8)
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
            hand = HandPose(*at, 90.0 if from_near else 270.0, z_mm=height_mm + 15)
            looks.append(self.look([replace(c, y_mm=c.y_mm + away_mm * toward, z_mm=height_mm) for c in cards], hand))
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


def films(count: int, everyday: int = 1) -> list[object]:
    return [seed if seed < everyday else pytest.param(seed, marks=pytest.mark.long) for seed in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(60))
def test_cards_held_over_the_table_for_three_seconds_are_not_judged(seed: int):
    """One card 20 or 100 mm up, or a fan of three: "a card counts when it lies"."""
    *lying, first = spread(seed, 16)
    film = Film(seed, lying)
    cards, height_mm = in_hand(seed, first, lying)
    looks = film.brings(cards, height_mm, int(STILL_S * RATE_HZ))
    assert any(look.hand_in_view for look in looks)
    for look in looks:
        assert not held(look) & {card.token for card in cards}
        assert held(look) == {card.token for card in lying}


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(30, everyday=2))
def test_cards_that_a_hand_holds_in_the_very_first_picture_are_not_judged(seed: int):
    """The power came back while somebody was holding a card: no hand was seen to come, so only sizes can tell."""
    *lying, first = spread(seed, 16)
    film = Film(seed, lying, looked_before=0)
    cards, height_mm = in_hand(seed, first, lying)
    from_near = first.y_mm > LAYOUT.size_mm[1] / 2
    at = (first.x_mm - 12, first.y_mm + (26 if from_near else -26))
    hand = HandPose(*at, 90.0 if from_near else 270.0, z_mm=height_mm + 15)
    up = [replace(card, z_mm=height_mm) for card in cards]
    looks = [film.look(up, hand) for _ in range(int(STILL_S * RATE_HZ))]
    looks += [film.look() for _ in range(16)]
    for look in looks:
        assert not held(look) & {card.token for card in cards}
    assert held(looks[2]) <= {card.token for card in lying}
    assert held(looks[-1]) == {card.token for card in lying}


@pytest.mark.slow
def test_a_second_size_of_stickers_counts_from_the_first_pictures_on():
    """Nobody holds six cards over the table in six places: that is another size of stickers."""
    cards = spread(5, 18)
    film = Film(5, [*cards[:12], *(replace(card, z_mm=100.0) for card in cards[12:])], looked_before=0)
    looks = [film.look() for _ in range(6)]
    assert held(looks[-1]) == {card.token for card in cards}


@pytest.mark.slow
def test_a_single_larger_sticker_counts_after_some_seconds():
    """A sticker that was printed again, larger: nobody holds a card still for so long."""
    *cards, larger = spread(4, 14)
    film = Film(4, [*cards, replace(larger, z_mm=100.0)], looked_before=0)
    looks = [film.look() for _ in range(int(6 * RATE_HZ))]
    assert held(looks[5]) == {card.token for card in cards}
    assert held(looks[-1]) == {card.token for card in (*cards, larger)}


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(40))
def test_a_card_laid_half_over_others_at_the_rim_is_no_hand(seed: int):
    """Once the hand is gone nothing is a hand, and the card counts within five pictures."""
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
    film = Film(seed, [*row, *others])
    over = DrawnCard(
        DECK[2],
        x_mm + 33.0,
        y_mm + (-1 if from_near else 1) * float(dice.uniform(25, 40)),
        float(dice.normal(0, 6)),
        z_mm=0.6,
    )
    film.brings([over], 0.6, 2)
    film.lying.append(over)
    looks = [film.look() for _ in range(16)]
    assert [look.hand_in_view for look in looks[3:]] == [False] * 13
    assert over.token in held(looks[4])
