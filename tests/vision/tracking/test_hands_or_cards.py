"""Cards that hands hold are not judged, and cards are no hands: films of both, drawn and photographed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from support import photographs
from support.card_table import (
    FAR_MM,
    KEND,
    MOST_PICTURES,
    NEAR_MM,
    RATE_HZ,
    STICKER_MM,
    CardTable,
    held,
    spread,
)
from support.long_cases import rest_long

from companion.public.codes import sticker_text
from vision.codes.fitting import fitted
from vision.geometry.quads import corners
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import DECK, LAYOUT
from vision.synthetic.hands import HandPose

pytestmark = pytest.mark.slow

STILL_LOOKS = round(3 * RATE_HZ)
WIDE_MM, DEEP_MM = LAYOUT.size_mm
SURFACES = sorted(photographs.WIDE_MM)


def table_of(lying: list[DrawnCard], seed: int, photographed: bool, looked_before: int = 6) -> CardTable:
    """Drawn, or on a photographed surface with photographed hands."""
    if not photographed:
        return CardTable(lying, seed, looked_before)
    surface = photographs.surface(SURFACES[seed % len(SURFACES)])
    return CardTable(lying, seed, looked_before, surface=surface, hands=photographs.hands(), person=seed % 6)


def films(*everyday: tuple[int, bool]) -> list[object]:
    """Seeds and whether a film is photographed; most are seen in long runs."""
    cases = [(seed, photographed) for photographed in (False, True) for seed in range(20)]
    return rest_long([*everyday, *(case for case in cases if case not in everyday)], len(everyday))


def in_hand(seed: int, first: DrawnCard, lying: list[DrawnCard]) -> tuple[list[DrawnCard], float]:
    """One card 20 or 100 mm up, or a fan of three at 60 mm, where ``first`` would lie; and how high it is."""
    fan, height_mm = (3, 60.0) if seed % 5 == 4 else (1, (20.0, 100.0)[seed % 2])
    own = [token for token in DECK if token not in {card.token for card in lying}]
    cards = [
        replace(first, token=token, x_mm=first.x_mm + 24.0 * n, rotation_deg=first.rotation_deg + 12.0 * n)
        for n, token in enumerate(own[:fan])
    ]
    return cards, height_mm


@pytest.mark.parametrize(("seed", "photographed"), films((0, False)))
def test_cards_held_over_the_table_for_three_seconds_are_not_judged(seed: int, photographed: bool):
    """One card 20 or 100 mm up, or a fan of three: "a card counts when it lies"."""
    *lying, first = spread(seed, 16)
    table = table_of(lying, seed, photographed)
    cards, height_mm = in_hand(seed, first, lying)
    looks = table.brings(cards, height_mm, STILL_LOOKS)
    assert any(look.hand_in_view for look in looks)
    assert all(held(look) == {card.token for card in lying} for look in looks)
    table.lying += cards[:1]
    assert cards[0].token in held([table.look() for _ in range(3)][-1]), "it lies now, and the hand is gone"


HELD = {"fan at 60": (3, 60.0, 3.0), "100 for 1 s": (1, 100.0, 1.0), "100 for 3 s": (1, 100.0, 3.0)}
"""How many cards, how high over the table in mm, and for how long."""


@pytest.mark.parametrize("how", HELD)
@pytest.mark.parametrize("seed", rest_long(list(range(10))))
def test_cards_held_over_a_table_on_which_hardly_anything_lies_are_not_judged(seed: int, how: str):
    """Nothing is there to measure them by."""
    fan, height_mm, still_s = HELD[how]
    first, *others = spread(seed, 5)
    table = CardTable(others[: seed % 3], seed)
    cards = [
        replace(first, token=token, x_mm=first.x_mm + 24.0 * n, rotation_deg=first.rotation_deg + 12.0 * n)
        for n, token in enumerate(card.token for card in spread(seed, 20)[10 : 10 + fan])
    ]
    looks = table.brings(cards, height_mm, int(still_s * RATE_HZ))
    assert any(look.hand_in_view for look in looks)
    for look in (*looks, *(table.look() for _ in range(8))):
        assert held(look) == {card.token for card in table.lying}


@pytest.mark.parametrize("seed", rest_long(list(range(30))))
def test_the_first_card_or_one_upon_a_full_pile_counts_when_its_hand_has_gone(seed: int):
    """Sleeved, a full pile is 20 to 27 mm high, and where hardly anything lies no size tells: while a hand touches the
    card, nobody can see whether it holds it there. That it lay and counts was once said under the hand; but so a card
    that was only held over the table counted too."""
    first, *others = spread(seed, 5)
    table, height_mm = CardTable(others[: seed % 3], seed), (0.6, 20.0, 27.0)[seed // 3 % 3]
    looks = table.brings([first], height_mm, MOST_PICTURES)
    assert not any(first.token in held(look) for look in looks)
    table.lying.append(replace(first, z_mm=height_mm))
    looks = [table.look() for _ in range(MOST_PICTURES)]
    assert first.token in held(looks[1])


@pytest.mark.parametrize("seed", rest_long(list(range(20))))
def test_a_card_that_is_laid_beside_others_counts_under_its_hand(seed: int):
    """Their size shows that it lies: nothing waits for the hand to go."""
    first, *others = spread(seed, 16)
    looks = CardTable(others, seed).brings([first], 0.6, MOST_PICTURES)
    assert first.token in held(looks[-1])


@pytest.mark.parametrize("seed", rest_long(list(range(20))))
def test_a_fan_that_is_drawn_back_was_never_laid(seed: int):
    """Its cards were seen for seconds, in the air; when the hand has left, their place is empty."""
    *lying, first = spread(seed, 16)
    table = table_of(lying, seed, photographed=bool(seed % 2))
    cards, height_mm = in_hand(seed, first, lying)
    table.brings(cards, height_mm, STILL_LOOKS)
    for look in [table.look() for _ in range(16)]:
        assert held(look) == {card.token for card in lying}
        assert look.shown is not None
        assert look.shown <= held(look)


def test_a_command_is_shown_and_need_not_lie():
    *lying, first = spread(0, 16)
    looks = CardTable(lying, 0).brings([replace(first, token=KEND)], 60.0, 6)
    assert KEND in held(looks[-1])


@pytest.mark.parametrize("seed", rest_long(list(range(30))))
def test_cards_that_a_hand_holds_in_the_very_first_picture_are_not_judged(seed: int):
    """The power came back while somebody was holding a card: no hand was seen to come, so only sizes can tell."""
    *lying, first = spread(seed, 16)
    table = CardTable(lying, seed, looked_before=0)
    cards, height_mm = in_hand(seed, first, lying)
    from_near = first.y_mm > DEEP_MM / 2
    at = (first.x_mm - 12, first.y_mm + (26 if from_near else -26))
    hand = HandPose(*at, 90.0 if from_near else 270.0, z_mm=height_mm + 15)
    up = [replace(card, z_mm=height_mm) for card in cards]
    looks = [table.look(up, hand) for _ in range(STILL_LOOKS)] + [table.look() for _ in range(16)]
    assert not any(held(look) & {card.token for card in cards} for look in looks)
    assert held(looks[2]) <= {card.token for card in lying}
    assert held(looks[-1]) == {card.token for card in lying}


def test_a_second_size_of_stickers_counts_from_the_first_pictures_on():
    """Nobody holds six cards over the table in six places: that is another size of stickers."""
    cards = spread(5, 18)
    table = CardTable([*cards[:12], *(replace(card, z_mm=100.0) for card in cards[12:])], 5)
    assert held(table.look()) == {card.token for card in cards}


def test_a_single_larger_sticker_counts_after_some_seconds():
    """A sticker that was printed again, larger: nobody holds a card still for so long."""
    *cards, larger = spread(4, 14)
    table = CardTable([*cards, replace(larger, z_mm=100.0)], 4, looked_before=0)
    looks = [table.look() for _ in range(int(6 * RATE_HZ))]
    assert held(looks[5]) == {card.token for card in cards}
    assert held(looks[-1]) == {card.token for card in (*cards, larger)}


def test_a_sticker_s_size_is_known_to_half_a_hundredth():
    table = CardTable(spread(3, 15), 3)
    geometry = table.observer.geometry
    assert geometry is not None
    for height_mm, larger in ((0.3, 1.0), (20.0, 1.0195), (100.0, 1.107)):
        table.lying = [replace(piece, z_mm=height_mm) for piece in table.lying]
        gray = table.drawn()
        for seen in table.scene.truth(table.lying):
            about = corners(seen.corners_px + np.random.default_rng(5).uniform(-1, 1, (4, 2)))
            exact = fitted(gray, about, sticker_text(seen.token))
            assert exact is not None
            a, b, _, d = geometry.to_mm(exact)
            for side in (math.dist(a, b), math.dist(a, d)):
                assert side / (STICKER_MM * 21 / 25) == pytest.approx(larger, abs=0.005)


@pytest.mark.parametrize(("seed", "photographed"), films((0, False), (5, True)))
def test_a_card_laid_half_over_others_at_the_rim_is_no_hand(seed: int, photographed: bool):
    """Once the hand is gone nothing is a hand, and the card counts within five pictures."""
    dice, from_near = np.random.default_rng((seed, 62)), bool(seed % 2)
    from_rim_mm = float(dice.uniform(20, 50))
    y_mm = DEEP_MM - from_rim_mm if from_near else from_rim_mm
    x_mm = float(dice.uniform(150, WIDE_MM - 200))
    row = [
        DrawnCard(DECK[n], x_mm + 66.0 * n, y_mm + float(dice.normal(0, 3)), float(dice.normal(0, 3))) for n in (0, 1)
    ]
    others = [
        replace(card, token=token)
        for card, token in zip(spread(seed, 14), DECK[3:], strict=False)
        if abs(card.y_mm - y_mm) > 110
    ]
    over_mm = y_mm + (-1 if from_near else 1) * float(dice.uniform(25, 40))
    over = DrawnCard(DECK[2], x_mm + 33.0, over_mm, float(dice.normal(0, 6)), z_mm=0.6)
    table = table_of([*row, *others], seed, photographed)
    before = {card.token for card in table.lying}
    table.brings([over], 0.6, 2)
    table.lying.append(over)
    looks = [table.look() for _ in range(16)]
    assert [look.hand_in_view for look in looks[3:]] == [False] * 13
    assert over.token in held(looks[MOST_PICTURES - 1])
    assert before <= held(looks[-1])


@pytest.mark.parametrize("seed", rest_long([2, 0, 1, *range(3, 14)]))
def test_a_sleeve_that_rests_over_the_rim_takes_nothing_away(seed: int) -> None:
    """Somebody's arm lies over the rim and over cards for three seconds; meanwhile another lays a card elsewhere."""
    *others, new = spread(seed, 19)
    new = replace(new, x_mm=WIDE_MM - 160.0, y_mm=130.0, rotation_deg=4.0)
    lying = [card for card in others if abs(card.x_mm - new.x_mm) > 110 or card.y_mm > 260]
    before = {card.token for card in lying}
    table = table_of(lying, seed, photographed=True)
    x_mm = float(table.dice.uniform(200, 500))
    rests = HandPose(x_mm, DEEP_MM - 150.0, 80.0, 20.0, person=(seed + 1) % 6, spread=0.9)
    for away_mm in (FAR_MM, NEAR_MM):
        table.look((), replace(rests, y_mm=rests.y_mm + away_mm))
    for number in range(STILL_LOOKS):
        x, y = table.dice.normal(0, 0.3, 2)
        table.resting = (replace(rests, x_mm=rests.x_mm + x, y_mm=rests.y_mm + y),)
        look = table.look()
        if number > RATE_HZ:
            assert look.hand_in_view
            assert held(look) == before
    table.brings([new], 0.6, 3)
    table.lying.append(new)
    looks = [table.look() for _ in range(MOST_PICTURES)]
    assert new.token in held(looks[-1])
    table.resting = ()
    looks = [table.look() for _ in range(16)]
    assert [look.hand_in_view for look in looks[3:]] == [False] * 13
    assert held(looks[-1]) == before | {new.token}
