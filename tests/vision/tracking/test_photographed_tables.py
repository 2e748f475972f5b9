"""Films of the hard kind, on photographed surfaces and with photographed hands."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import photographs
from support.hand_film import (
    FAR_MM,
    KEND,
    MOST_PICTURES,
    NEAR_MM,
    RATE_HZ,
    Film,
    check_half_over,
    half_over_others,
    held,
    in_hand,
)

from companion.public.table import Token
from tests.bench.resolution import spread
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import LAYOUT
from vision.synthetic.hands import HandPose

SURFACES = sorted(photographs.WIDE_MM)
WIDE_MM, DEEP_MM = LAYOUT.size_mm
STILL_S = 3.0
CUP, LAP = Token("CUP"), Token("LAP")


def films(count: int, everyday: int | None = None) -> list[object]:
    """Seeds; of most kinds of film ``everyday`` is seen every day, and the others in long runs."""
    return [seed if seed == everyday else pytest.param(seed, marks=pytest.mark.long) for seed in range(count)]


def on_a_surface(seed: int, lying: list[DrawnCard], looked_before: int = 6) -> Film:
    return Film(
        seed,
        lying,
        looked_before,
        surface=photographs.surface(SURFACES[seed % len(SURFACES)]),
        hands=photographs.hands(),
        cutouts={CUP: photographs.cutout("cup"), LAP: photographs.lap()},
        person=seed % 6,
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(21))
def test_cards_held_over_the_table_are_not_judged(seed: int) -> None:
    """One card 20 or 100 mm up, or a fan of three."""
    *lying, first = spread(seed, 16)
    film = on_a_surface(seed, lying)
    cards, height_mm = in_hand(seed, first, lying)
    looks = film.brings(cards, height_mm, int(STILL_S * RATE_HZ))
    assert any(look.hand_in_view for look in looks)
    for look in looks:
        assert held(look) == {card.token for card in lying}


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(21, 5))
def test_a_card_laid_half_over_others_at_the_rim_is_no_hand(seed: int) -> None:
    lying, over = half_over_others(seed)
    check_half_over(on_a_surface(seed, lying), over)


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(21, 2))
def test_a_sleeve_that_rests_over_the_rim_takes_nothing_away(seed: int) -> None:
    """Somebody's arm lies over the rim and over cards for three seconds; meanwhile another lays a card elsewhere."""
    *others, new = spread(seed, 19)
    new = replace(new, x_mm=WIDE_MM - 160.0, y_mm=130.0, rotation_deg=4.0)
    lying = [card for card in others if abs(card.x_mm - new.x_mm) > 110 or card.y_mm > 260]
    before = {card.token for card in lying}
    film = on_a_surface(seed, lying)
    rests = HandPose(float(film.dice.uniform(200, 500)), DEEP_MM - 150.0, 80.0, 20.0, person=(seed + 1) % 6, spread=0.9)
    for away_mm in (FAR_MM, NEAR_MM):
        film.look((), replace(rests, y_mm=rests.y_mm + away_mm))
    film.resting = (rests,)
    for number in range(int(STILL_S * RATE_HZ)):
        x, y = film.dice.normal(0, 0.3, 2)
        film.resting = (replace(rests, x_mm=rests.x_mm + x, y_mm=rests.y_mm + y),)
        look = film.look()
        if number > RATE_HZ:
            assert look.hand_in_view
            assert held(look) == before
    film.brings([new], 0.6, 3)
    film.lying.append(new)
    looks = [film.look() for _ in range(MOST_PICTURES)]
    assert new.token in held(looks[-1])
    film.resting = ()
    looks = [film.look() for _ in range(16)]
    assert [look.hand_in_view for look in looks[3:]] == [False] * 13
    assert held(looks[-1]) == before | {new.token}


@pytest.mark.slow
@pytest.mark.parametrize("seed", films(14))
def test_a_lens_that_seeks_its_focus_loses_nothing_and_a_command_shown_meanwhile_is_seen(seed: int) -> None:
    lying = [card for card in spread(seed, 20) if not (card.x_mm < 300 and card.y_mm > 400)][:14]
    film = on_a_surface(seed, lying, looked_before=8)
    cards = {card.token for card in lying}
    command = DrawnCard(KEND, 120.0, 560.0, 8.0)
    for magnified, shows in ((1.01, True), (1.006, False), (0.996, True)):
        looks = [film.look([command] if shows else [], magnified=magnified) for _ in range(8)]
        assert all(look.lost is None for look in looks)
        assert all(cards <= held(look) for look in looks)
        assert not any(look.hand_in_view for look in looks[2:])
        assert (KEND in held(looks[MOST_PICTURES - 1 if shows else -1])) == shows


@pytest.mark.long
@pytest.mark.parametrize("seed", films(14, 4))
def test_a_cup_over_the_rim_beside_a_lap_keeps_nobody_waiting(seed: int) -> None:
    """It was brought, and lies partly over the rim; beside it a lap moves now and then. Cards are laid elsewhere."""
    *lying, first, second = [card for card in spread(seed, 24) if card.y_mm < DEEP_MM - 220][:10]
    film = on_a_surface(seed, lying)
    rim_mm = float(film.dice.uniform(-20, 30))
    cup = DrawnCard(CUP, float(film.dice.uniform(260, 600)), DEEP_MM + rim_mm, float(film.dice.uniform(0, 360)), z_mm=2)
    lap = DrawnCard(LAP, cup.x_mm + 160.0, DEEP_MM + float(film.dice.uniform(5, 25)), z_mm=15)
    for away_mm in (300.0, 120.0, 30.0, 0.0, 0.0, 30.0, 120.0, 300.0):
        hand = HandPose(cup.x_mm, cup.y_mm + away_mm, 90.0, person=2)
        film.look(
            [lap, replace(cup, y_mm=cup.y_mm + (away_mm if CUP not in {c.token for c in film.lying} else 0.0))], hand
        )
        if not away_mm:
            film.lying = [*lying, cup]
    film.lying = [*lying, cup, lap]

    def stirs(number: int) -> None:
        if number % (2 * RATE_HZ) < 3:
            x, y = film.dice.uniform(-6, 6, 2)
            film.lying[film.lying.index(next(c for c in film.lying if c.token == LAP))] = replace(
                lap, x_mm=lap.x_mm + x, y_mm=lap.y_mm + y
            )

    for number in range(int(2 * RATE_HZ)):
        stirs(number)
        film.look()
    for card in (first, second):
        laid = replace(card, x_mm=card.x_mm, y_mm=min(card.y_mm, 220.0))
        film.brings([laid], 0.6, 3)
        film.lying.append(laid)
        looks = []
        for number in range(int(1.5 * RATE_HZ)):
            stirs(number)
            looks.append(film.look())
        assert not any(look.hand_in_view for look in looks[MOST_PICTURES - 1 :])
        assert laid.token in held(looks[MOST_PICTURES - 1])
        assert {one.token for one in film.lying} - {CUP, LAP} == held(looks[-1])
