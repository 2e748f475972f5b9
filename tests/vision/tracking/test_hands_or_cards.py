"""Cards that hands hold are not judged, and cards are no hands: many drawn films of both."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.hand_film import MOST_PICTURES, RATE_HZ, Film, check_half_over, half_over_others, held, in_hand

from tests.bench.resolution import spread
from vision.synthetic.films import LAYOUT
from vision.synthetic.hands import HandPose

STILL_S = 3.0


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


HELD = {"fan at 60": (3, 60.0, 3.0), "100 for 1 s": (1, 100.0, 1.0), "100 for 3 s": (1, 100.0, 3.0)}
"""How many cards, how high over the table in mm, and for how long."""


@pytest.mark.slow
@pytest.mark.parametrize("how", HELD)
@pytest.mark.parametrize("seed", films(10))
def test_cards_held_over_a_table_on_which_hardly_anything_lies_are_not_judged(seed: int, how: str):
    """ "Three hand cards held open 3 s = three refusals naming secret cards": there was nothing to measure them by."""
    fan, height_mm, still_s = HELD[how]
    first, *others = spread(seed, 5)
    lying = others[: seed % 3]
    film = Film(seed, lying)
    cards = [
        replace(first, token=token, x_mm=first.x_mm + 24.0 * n, rotation_deg=first.rotation_deg + 12.0 * n)
        for n, token in enumerate(card.token for card in spread(seed, 20)[10 : 10 + fan])
    ]
    looks = film.brings(cards, height_mm, int(still_s * RATE_HZ))
    away = [film.look() for _ in range(8)]
    assert any(look.hand_in_view for look in looks)
    for look in (*looks, *away):
        assert held(look) == {card.token for card in lying}


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(60))
def test_a_card_that_is_laid_counts_under_the_hand_be_it_the_first_or_upon_a_full_pile(seed: int):
    """Sleeved, a full pile is 20 to 27 mm high; with few cards on the table nothing waits for the hand to go."""
    first, *others = spread(seed, 5)
    film = Film(seed, others[: seed % 3])
    looks = film.brings([first], (0.6, 20.0, 27.0)[seed // 3 % 3], MOST_PICTURES)
    assert first.token in held(looks[-1])


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(30, everyday=1))
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
    lying, over = half_over_others(seed)
    check_half_over(Film(seed, lying), over)
