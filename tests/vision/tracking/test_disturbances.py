"""What happens over a real table and means nothing: no card comes, goes or moves by it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from support.card_table import RATE_HZ, CardTable, held, spread
from support.long_cases import rest_long

from companion.public.table import Observation
from vision.camera.frame import make_frame
from vision.messages import Measurement
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import Glare, RoomLight


@pytest.fixture
def table() -> CardTable:
    made = CardTable(spread(5, 18), 5, 10)
    assert right(made, made.look())
    return made


def right(table: CardTable, look: Observation) -> bool:
    """Whether every card is held where it lies, and no other."""
    seen = {p.token: (p.x_mm, p.y_mm) for p in look.table.placements}
    return set(seen) == {piece.token for piece in table.lying} and all(
        math.dist(seen[piece.token], (piece.x_mm, piece.y_mm)) < 3 for piece in table.lying
    )


def flickering(table: CardTable, number: int, bands: float = 0.0, pulse: float = 0.0) -> Observation:
    """A look under a lamp that flickers: in bands across the picture, or all of it in a pulse."""
    gray = table.drawn().astype(np.float64)
    rows = np.arange(len(gray)) * (2 * math.pi * 3.3 / len(gray)) + 2.1 * number
    gray *= (1 + bands * np.sin(rows))[:, None] * (1 + pulse * math.sin(2.1 * number))
    return table.sees(np.clip(gray, 0, 255).astype(np.uint8))


def flicker_finding(table: CardTable) -> Measurement:
    health = table.observer.health(make_frame(table.drawn(), 31 / RATE_HZ))
    assert health is not None
    (flicker,) = (finding for finding in health.findings if finding.name == "flicker")
    return flicker


def test_a_lamp_switched_on_at_the_other_side_is_no_event(table: CardTable):
    for _ in range(16):
        assert right(table, table.look(light=RoomLight(level=1.15, from_mm=(300.0, 120.0))))


@pytest.mark.parametrize(("bands", "advice"), [(0.05, "other-lamp-or-mains-frequency"), (0.0, "")])
def test_banded_pictures_of_a_flickering_lamp_are_no_event_and_health_says_so(
    table: CardTable, bands: float, advice: str
):
    assert all(right(table, flickering(table, number, bands)) for number in range(30))
    flicker = flicker_finding(table)
    assert (flicker.good, flicker.advice) == (not advice, advice)


@pytest.mark.parametrize("flicker", rest_long([{"bands": 0.12}, {"bands": 0.03}, {"pulse": 0.04}, {"pulse": 0.12}]))
def test_under_a_lamp_that_flickers_from_the_first_picture_cards_come_and_go_as_under_any_other(
    flicker: dict[str, float],
):
    table = CardTable(spread(5, 17), 5, looked_before=0)
    kept, numbers = spread(5, 18)[-1], count()
    for looks in (4, 4, 8, 4, 8, 4, 8):
        assert right(table, [flickering(table, next(numbers), **flicker) for _ in range(looks)][-1])
        table.lying = [card for card in table.lying if card != kept] + [kept] * (kept not in table.lying)


@pytest.mark.long
def test_when_daylight_fades_to_a_third_cards_come_and_go_all_the_while(table: CardTable):
    kept = table.lying.pop()
    for step in range(60):
        if step % 20 == 8:
            table.lying.append(kept)
        elif step % 20 == 0:
            table.lying = [card for card in table.lying if card != kept]
        look = table.look(light=RoomLight(level=1 - 0.67 * step / 60))
        if step % 20 in (7, 19):
            assert right(table, look), step


@pytest.mark.parametrize("spots", rest_long([4, 2, 6]))
def test_glare_takes_nothing_away(table: CardTable, spots: int):
    dice = np.random.default_rng(spots)
    glare = tuple(Glare(*dice.uniform((100, 100, 10), (1000, 550, 30)).tolist()) for _ in range(spots))
    for _ in range(16):
        assert right(table, table.look(light=RoomLight(glare=glare)))


def test_a_card_slid_instead_of_lifted_is_never_gone(table: CardTable):
    piece, *others = table.lying
    for step in range(1, 13):
        table.lying = [replace(piece, x_mm=piece.x_mm + 1.5 * step), *others]
        look = table.look((), HandPose(piece.x_mm + 1.5 * step + 5, piece.y_mm + 42, 90.0))
        assert held(look) == {card.token for card in table.lying}
    assert right(table, [table.look() for _ in range(6)][-1])
