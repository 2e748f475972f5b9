"""Cards that hands hold, and cards that are taken back at once: nobody laid them, so nothing is said of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.card_film import FINGERS_MM, CardFilm, token_of
from support.long_cases import rest_long

from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose

pytestmark = pytest.mark.slow
HAND = ("1-2", "2-1", "3-4", "1-3", "2-5")
"""What is held: some of it could be laid now, some could not."""
FANS = [(1, 1, 100.0, 3.0, 0.3), (1, 3, 60.0, 3.0, 0.4), (3, 4, 100.0, 4.0, 0.6), (0, 2, 50.0, 2.0, 0.3)]
FANS += [(5, 5, 120.0, 4.0, 0.6), (7, 1, 50.0, 4.0, 0.3), (9, 3, 40.0, 3.0, 0.4), (11, 4, 150.0, 3.0, 0.4)]
"""Seed, number of cards, their height over the table in mm, seconds held, tremble in mm."""


def film_of(seed: int) -> CardFilm:
    film = CardFilm(seed)
    film.rest(1.0)
    return film


def holds_a_fan(film: CardFilm, cards: int, height_mm: float, lasts_s: float, tremble_mm: float) -> None:
    """A hand comes with a fan of cards, holds it over the tree and draws it back."""
    middle = (cards - 1) / 2
    fan = [
        DrawnCard(token_of(card), 520.0 + 60.0 * at, 400.0 + 4.0 * abs(at), 11.0 * at, height_mm + 1.5 * number)
        for number, card in enumerate(HAND[:cards])
        for at in (number - middle,)
    ]
    hand = HandPose(520.0, 462.0, 90.0, z_mm=height_mm + 15, person=2)
    still = []
    for _ in range(round(lasts_s * film.mount.rate_hz)):
        x, y = film.dice.normal(0, tremble_mm, 2)
        still.append(replace(hand, x_mm=hand.x_mm + x, y_mm=hand.y_mm + y))
    for place in (*film.reach(hand, 0.6, inwards=True), *still, *film.reach(hand, 0.6, inwards=False)):
        x, y = place.x_mm - hand.x_mm, place.y_mm - hand.y_mm
        film.show(place, held=[replace(card, x_mm=card.x_mm + x, y_mm=card.y_mm + y) for card in fan])
    film.rest(3.0)


@pytest.mark.parametrize(("seed", "cards", "height_mm", "lasts_s", "tremble_mm"), rest_long(FANS, 2))
def test_a_fan_of_cards_that_is_held_over_the_table_and_drawn_back_is_nothing(
    seed: int, cards: int, height_mm: float, lasts_s: float, tremble_mm: float
) -> None:
    """It was judged as soon as the hand had left, on the strength of looks at cards that were in the air."""
    film = film_of(seed)
    before = film.held
    holds_a_fan(film, cards, height_mm, lasts_s, tremble_mm)
    assert (film.story, film.alarms) == ([], [])
    assert {placed.token for look in film.looks[5:] for placed in look.table.placements} == before


@pytest.mark.parametrize(("seed", "under_hand_s"), rest_long([(1, 0.8), (7, 0.8), (9, 0.8), (1, 1.4), (0, 0.8)]))
def test_whoever_takes_a_wrong_card_back_with_the_hand_that_laid_it_is_told_nothing(
    seed: int, under_hand_s: float
) -> None:
    """Its last look was at a card that lay; when the hand has left with it, its place is empty."""
    film = film_of(seed)
    card = DrawnCard(token_of("2-1"), 520.0, 380.0, 8.0, 0.6)
    hand = HandPose(520.0 + FINGERS_MM[0], 380.0 + FINGERS_MM[1], 90.0, z_mm=15.0, person=2)
    for place in film.reach(hand, 0.5, inwards=True):
        x, y = place.x_mm - hand.x_mm, place.y_mm - hand.y_mm
        film.show(place, held=[replace(card, x_mm=card.x_mm + x, y_mm=card.y_mm + y, z_mm=25.0)])
    for _ in range(round(under_hand_s * film.mount.rate_hz)):
        film.show(hand, held=[card])
    for place in film.reach(hand, 0.6, inwards=False):
        x, y = place.x_mm - hand.x_mm, place.y_mm - hand.y_mm
        film.show(place, held=[replace(card, x_mm=card.x_mm + x, y_mm=card.y_mm + y, z_mm=25.0)])
    film.rest(4.0)
    assert (film.story, film.alarms) == ([], [])
    assert card.token not in film.held
