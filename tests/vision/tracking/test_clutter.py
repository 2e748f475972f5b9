"""What lies about on a table beside the game is not marked as a card that cannot be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from support.card_table import RATE_HZ, CardTable, spread
from support.clutter import clutter

from companion.public.codes import sticker_text
from companion.public.table import Token
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import LAYOUT
from vision.synthetic.hands import HandPose
from vision.synthetic.photographs import Cutout
from vision.synthetic.textures import code

MINUTE_S, STAYS_S = 60.0, 13.0
PICTURES = 3
"""Pictures with different noise, shown in turns while nothing moves."""
MOST_THINGS = 4


def glass() -> Cutout:
    """Seen from above: two bright rims, and a glint."""
    side = 75 * 8
    face, cover = np.full((side, side), 0.45, np.float32), np.zeros((side, side), np.float32)
    middle = side // 2, side // 2
    cv2.circle(cover, middle, side // 2 - 2, 0.5, -1, cv2.LINE_AA)
    for radius, width in ((side // 2 - 10, 14), (side // 3, 8)):
        cv2.circle(face, middle, radius, 0.95, width, cv2.LINE_AA)
        cv2.circle(cover, middle, radius, 0.9, width, cv2.LINE_AA)
    cv2.ellipse(face, (side // 3, side // 3), (40, 16), -45, 0, 360, 1.3, -1, cv2.LINE_AA)
    return Cutout(face, cover, 8.0, (37.5, 37.5))


def spoon() -> Cutout:
    """Of polished steel, grey all over: hollow, it mirrors a lamp as a spot of less than a centimetre."""
    height, width = 180 * 6, 44 * 6
    face, cover = np.full((height, width), 0.4, np.float32), np.zeros((height, width), np.float32)
    cv2.ellipse(face, (width // 2, 190), (100, 150), 0, 0, 360, 0.7, -1, cv2.LINE_AA)
    cv2.ellipse(face, (width // 2 - 30, 140), (14, 24), 20, 0, 360, 1.3, -1, cv2.LINE_AA)
    cv2.line(face, (width // 2, 340), (width // 2, height - 40), 1.25, 10)
    cv2.ellipse(cover, (width // 2, 190), (130, 180), 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    cv2.line(cover, (width // 2, 300), (width // 2, height - 40), 1.0, 44)
    return Cutout(face, cover, 6.0, (22.0, 90.0))


def spoilt_card() -> Cutout:
    """With a strip over a third of its sticker: it cannot be read, and is no clutter."""
    face = np.full((88 * 12, 63 * 12), 0.5, np.float32)
    sticker = cv2.resize(code(sticker_text(Token("C18")), 25 * 15), (360, 360), interpolation=cv2.INTER_AREA)
    sticker[:, 130:235] = 0.6
    face[60:420, 60:420] = sticker
    return Cutout(face, np.ones_like(face), 12.0, (31.5, 44.0))


SPOILT = Token("SPOILT")
THINGS = {**clutter(), Token("GLASS"): glass(), Token("SPOON"): spoon()}


def marked(seconds: float, seed: int, kinds: Sequence[Token] = tuple(sorted(THINGS))) -> tuple[Counter[str], int]:
    """What was marked while this and that was put down and taken away, and how often something was put down."""
    dice = np.random.default_rng((seed, 71))
    table = CardTable(spread(seed, 8), seed, cutouts={**THINGS, SPOILT: spoilt_card()})
    cards, found, puts, lasted = tuple(table.lying), Counter[str](), 0, 0.0
    width, depth = LAYOUT.size_mm or (0.0, 0.0)
    while lasted < seconds:
        names = dice.choice(kinds, min(len(kinds), int(dice.integers(1, MOST_THINGS + 1))), replace=False).tolist()
        things = [
            DrawnCard(Token(name), *dice.uniform((120, 100), (width - 120, depth - 100)).tolist(), dice.uniform(0, 360))
            for name in names
        ]
        hand = HandPose(things[0].x_mm, things[0].y_mm + 40, 90.0, z_mm=40.0, person=int(dice.integers(4)))
        for _ in range(3):
            table.look(things[:1], hand)
        table.lying = [*cards, *things]
        puts += len(things)
        still = [table.drawn() for _ in range(PICTURES)]
        for number in range(round(STAYS_S * RATE_HZ)):
            look = table.sees(still[number % PICTURES])
        for place in look.unread:
            nearest = min(things, key=lambda one: (one.x_mm - place.x_mm) ** 2 + (one.y_mm - place.y_mm) ** 2)
            found[f"{nearest.token} of {names} at {place.x_mm:.0f}, {place.y_mm:.0f} mm, lamp {place.lamp}"] += 1
        table.lying = [*cards]
        table.look((), hand)
        table.look()
        lasted += STAYS_S + 5 / RATE_HZ
    return found, puts


@pytest.mark.long
def test_a_sticker_that_cannot_be_read_is_marked_among_clutter() -> None:
    """Or the next test could not fail."""
    found, puts = marked(STAYS_S, 3, (SPOILT,))
    assert len(found) == puts == 1


@pytest.mark.long
@pytest.mark.parametrize("minute", range(60))
def test_in_an_hour_of_clutter_nothing_is_marked_that_bears_no_sticker(minute: int) -> None:
    """Cups, a glass, spoons, dice, a phone, the rules, sleeves and cards face down are put down and taken away."""
    found, puts = marked(MINUTE_S, minute)
    assert puts >= 5
    assert not found, found
