"""What cannot be read is compared with the codes, and nothing more often than needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from support.flat_table import AT_PX, PX_PER_MM, Arm, Camera, Laid, draw

from vision.camera.frame import make_frame
from vision.codes.resemblance import CodeLikeness
from vision.tracking.reading_schedule import LookBudget
from vision.tracking.unread import QUIET_S, REST_S, SWEEP_AFTER_S, TURNS

pytestmark = pytest.mark.core

POOL = (Laid("C14", 860, 120), Laid("C17", 960, 120, 4), Laid("C18", 1050, 118, -3))
RATE_HZ = 8
CUP_PX = (900, 600)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For each comparison that was begun, the number of directions that were compared."""
    directions: list[int] = []

    def turn_by_turn(self: CodeLikeness, *piece: Any, by_turns: Any = CodeLikeness.turn_by_turn) -> Iterator[Any]:
        directions.append(0)
        number = len(directions) - 1
        for found in by_turns(self, *piece):
            directions[number] += 1
            yield found

    monkeypatch.setattr(CodeLikeness, "turn_by_turn", turn_by_turn)
    return directions


def show(
    camera: Camera, seconds: float, *things: Laid | Arm, cup_px: tuple[int, int] | None = CUP_PX, blur_px: float = 0.0
) -> None:
    """For so long lie there the pool, a cup, perhaps seen through a smudge, and some more things."""
    for _ in range(round(seconds * RATE_HZ)):
        number = len(camera.looks)
        picture = draw((*POOL, *things), seed=number)
        if cup_px:
            cv2.circle(picture, cup_px, 40, 170, 12)
        if blur_px:
            field = np.s_[500:700, 800:1000]
            picture[field] = cv2.GaussianBlur(picture[field], (0, 0), blur_px)
        if Arm(420, 200) in things:
            picture = draw((*POOL, *things), seed=number)  # it is over the cup
        camera.looks.append(camera.observer.observe(make_frame(picture, number / RATE_HZ)))


@pytest.mark.parametrize("reads_much", [False, True])
def test_what_lay_there_first_is_compared_in_looks_that_read_little(
    monkeypatch: pytest.MonkeyPatch, compared: list[int], reads_much: bool
):
    """No look takes longer than three plain readings; such a thing may wait."""
    monkeypatch.setattr(LookBudget, "has_read_much", lambda _: reads_much)
    camera = Camera(rate_hz=RATE_HZ)
    show(camera, SWEEP_AFTER_S - 1)
    assert not sum(compared), "reading comes first"
    show(camera, 3)
    assert (sum(compared) > 0) == (not reads_much)


def test_what_lay_there_first_is_compared_once_however_often_a_hand_passes(compared: list[int]):
    camera = Camera(rate_hz=RATE_HZ)
    show(camera, SWEEP_AFTER_S + 16)
    once = list(compared)
    assert sum(once) > 20
    for _ in range(3):
        show(camera, 0.5, Arm(420, 200))
        show(camera, QUIET_S + 5)
    assert compared == once
    show(camera, 0.5, Arm(420, 200))
    show(camera, QUIET_S + 5, cup_px=(860, 640))
    assert len(compared) > len(once), "something else lies there now"


def test_on_a_plain_table_nothing_is_compared_where_a_hand_passed_or_a_card_lay(compared: list[int]):
    camera = Camera(rate_hz=RATE_HZ)
    show(camera, 4, Laid("C12", 400, 300), cup_px=None)
    for x_mm in (250, 400, 550):
        show(camera, 0.5, Arm(x_mm, 200), cup_px=None)
        show(camera, 4, cup_px=None)
    assert sum(compared) <= len(compared), "one look at each place shows that it is bare"


def test_what_lay_there_first_waits_while_hands_come_and_go(compared: list[int]):
    camera = Camera(rate_hz=RATE_HZ)
    show(camera, SWEEP_AFTER_S - 1)
    for x_mm in (250, 600, 700, 300):
        show(camera, 0.5, Arm(x_mm, 200))
        show(camera, QUIET_S - 1)
    assert not sum(compared)
    show(camera, QUIET_S + 1)
    assert sum(compared)


@pytest.mark.parametrize(("reads_much", "most"), [(False, TURNS), (True, 1)])
def test_what_came_is_compared_after_a_rest_and_few_directions_a_look(
    monkeypatch: pytest.MonkeyPatch, compared: list[int], reads_much: bool, most: int
):
    """People put things down and shove them a moment later; and no look takes longer than three plain readings."""
    monkeypatch.setattr(LookBudget, "has_read_much", lambda _: reads_much)
    camera = Camera(rate_hz=RATE_HZ)
    show(camera, 4, cup_px=None)
    show(camera, REST_S, blur_px=6.0)
    assert not sum(compared)
    before = 0
    for _ in range(4 * RATE_HZ):
        show(camera, 1 / RATE_HZ, blur_px=6.0)
        assert sum(compared) - before <= most
        before = sum(compared)
    assert sum(compared) > 10


def test_where_neighbouring_modules_differ_most_is_compared_first(compared: list[int]):
    """A card is pushed half under another thing while two cups are put down: they are compared after its sticker."""
    camera, at_mm = Camera(rate_hz=RATE_HZ), (417.0, 275.0)
    show(camera, 3, cup_px=None)
    x_px, y_px = (round(at * PX_PER_MM + edge) for at, edge in zip(at_mm, AT_PX, strict=True))
    while not camera.looks[-1].unread:
        assert len(compared) <= 2
        number = len(camera.looks)
        picture = draw((*POOL, Laid("C12", *at_mm)), seed=number)
        picture[y_px - 60 : y_px + 60, x_px - 150 : x_px] = 90
        for cup_px in ((700, 350), (500, 900)):
            cv2.circle(picture, cup_px, 40, 170, 12)
        camera.looks.append(camera.observer.observe(make_frame(picture, number / RATE_HZ)))
    (place,) = camera.looks[-1].unread
    assert (place.x_mm, place.y_mm) == pytest.approx(at_mm, abs=3)


def test_a_lamp_s_mirror_image_over_a_sticker_that_was_laid_is_marked_until_the_card_is_taken_away():
    """Nothing is to be seen of its code; but somebody laid a thing there."""
    camera, card = Camera(rate_hz=RATE_HZ), Laid("C12", 400, 300)
    x_px, y_px = (round(at * PX_PER_MM + edge) for at, edge in zip((card.x_mm, card.y_mm), AT_PX, strict=True))
    field = np.s_[y_px - 100 : y_px + 100, x_px - 100 : x_px + 100]
    down, across = np.mgrid[-100:100, -100:100]
    light = 450 * np.exp(-(across**2 + down**2) / (2 * 30**2))

    def shows(seconds: float, *things: Laid) -> None:
        for _ in range(round(seconds * RATE_HZ)):
            number = len(camera.looks)
            picture = draw((*POOL, *things), seed=number)
            if things:
                picture[field] = np.minimum(picture[field] + light, 255)
            camera.looks.append(camera.observer.observe(make_frame(picture, number / RATE_HZ)))

    shows(2)
    shows(4, card)
    assert [(round(one.x_mm, -1), round(one.y_mm, -1)) for one in camera.looks[-1].unread] == [(400, 300)]
    shows(3)
    assert not camera.looks[-1].unread
