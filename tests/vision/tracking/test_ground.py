"""A card that lay there from the beginning, where nobody knows how the table looks beneath it."""

from __future__ import annotations

import numpy as np
import pytest
from support.flat_table import ACCEPTED, AT_PX, LAYOUT, PX_PER_MM, Laid, draw, zones
from support.pixel_eye import PixelEye

from companion.app.frames import camera_over
from companion.games.lands.module import LANDS
from companion.games.registry import demo_deck, open_match
from companion.public.table import Observation, Token
from companion.simulation.script import ScriptedPicture
from companion.simulation.stage import ThingPose
from companion.simulation.trajectories import MovingThing
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.tracking.ground import Ground
from vision.tracking.observer import Observer

RATE_HZ = 4.0
CARD = Laid("C12", 400.0, 300.0)
MIDDLE_MM = CARD.x_mm - 13.5, CARD.y_mm - 26.0
"""The middle of the card: its sticker is in a corner."""


def test_a_card_that_lay_there_alone_and_is_lifted_is_gone() -> None:
    """The ground beneath it was guessed from so far away that nothing that was seen there later looked like it."""
    opened = open_match(dict(LANDS.demonstration.match), demo_deck(LANDS))
    eye = PixelEye(opened, camera_over(opened.layout, opened.game.table.shapes, CameraModel()))
    card = MovingThing(Token("P01"), ThingPose(390.0, 434.0, 1.4, 0.3))

    def held(begins_s: float, lasts_s: float, *things: MovingThing) -> set[str]:
        look: Observation | None = None
        for number in range(round(lasts_s * RATE_HZ)):
            look = eye.look(ScriptedPicture(begins_s + number / RATE_HZ, things, ()))
        assert look is not None
        return {placement.token for placement in look.table.placements}

    assert held(0.0, 3.0, card) == {"P01"}
    assert held(3.0, 4.0) == set()


@pytest.mark.parametrize("gray", [40, 110, 190])
@pytest.mark.parametrize("size_mm", [(63.0, 50.0), (130.0, 180.0)], ids=["half", "whole"])
def test_a_book_that_is_laid_upon_a_card_that_lay_there_alone_takes_nothing_away(
    size_mm: tuple[float, float], gray: int
) -> None:
    """What is seen beside the book may be the face of the card, and is no ground."""
    observer = Observer(LAYOUT, ACCEPTED)
    middle_px = np.multiply((CARD.x_mm, MIDDLE_MM[1] + 20.0), PX_PER_MM) + AT_PX
    (left, top), (right, bottom) = (
        np.round(middle_px + sign * PX_PER_MM / 2 * np.array(size_mm)).astype(int) for sign in (-1, 1)
    )
    for number in range(36):
        picture = draw([CARD], seed=number)
        if number >= 12:
            place = picture[top:bottom, left:right]
            place[:] = np.clip(gray + np.random.default_rng(number).normal(0, 2.5, place.shape), 0, 255)
        look = observer.observe(make_frame(picture, number / RATE_HZ))
    assert set(zones(look)) == {"C12"}


@pytest.mark.parametrize("at", [40, 41])
def test_a_piece_no_wider_than_its_sticker_is_compared_wherever_it_lies(at: int) -> None:
    small = np.random.default_rng(1).normal(120, 3, (96, 96)).astype(np.uint8)
    place = np.array([(at, at), (at + 8, at), (at + 8, at + 8), (at, at + 8)], np.int32)
    table = np.ones(small.shape, np.bool_)
    assert Ground(small, place, table, table, 9).is_shown() is True
