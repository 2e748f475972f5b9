"""What a lamp's mirror image burns out is read in a darker picture, which is no other picture of the table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from support.card_table import KEND, LAYOUT, RATE_HZ, CardTable, spread

from companion.public.codes import StickerCodes
from companion.public.table import COMMAND_ZONE, Observation, TableState
from vision.camera.frame import Frame, OpenedAndClosed, make_frame
from vision.process.worker import Worker
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.films import DECK
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import Glare, RoomLight
from vision.tracking.burnt_out import EVERY_S, MOST_DARKER

CARDS = 5
STRENGTH = 1.6
"""A mirror image that is brighter than paper: white, whatever is printed there."""


@dataclass(frozen=True)
class Shot:
    """What is in one picture."""

    cards: tuple[DrawnCard, ...]
    hands: tuple[HandPose, ...] = ()


class Camera(OpenedAndClosed):
    """Pictures of a drawn table; asked for a darker one, it gives that after the next."""

    name, live = "drawn", False

    def __init__(self, shots: list[Shot], light: RoomLight, *, obeys: bool = True, tells: bool = True) -> None:
        self.table = CardTable((), 5, looked_before=0)
        self.shots, self.light, self.obeys, self.tells = shots, light, obeys, tells
        self.asked_s: list[float] = []
        self.now_s = 0.0
        self.darker = True
        self._share: float | None = None

    def look_darker(self, share: float) -> None:
        self.asked_s.append(self.now_s)
        if self.obeys:
            self._share = share

    def __iter__(self) -> Iterator[Frame]:
        for number, shot in enumerate(self.shots):
            self.now_s = number / RATE_HZ
            self.table.scene.render(shot.cards, shot.hands, self.light)
            if self._share is not None:
                dark = self.table.scene.render(shot.cards, shot.hands, exposed=self._share)
                self._share = None
                yield replace(make_frame(dark, self.now_s - 0.5 / RATE_HZ), is_darker=self.tells)
            yield make_frame(self.table.scene.render(shot.cards, shot.hands), self.now_s)


class Door:
    """The worker's pipe; nobody asks for anything."""

    def __init__(self) -> None:
        self.looks: list[Observation] = []

    def send(self, message: Any) -> None:
        if isinstance(message, Observation):
            self.looks.append(message)

    def poll(self) -> bool:
        return False


def watched(camera: Camera) -> list[set[str]]:
    """The cards that the eye holds at each look."""
    door = Door()
    Worker(camera, LAYOUT, StickerCodes.of(DECK), {}, TableState(), door).run()  # type: ignore[arg-type]
    return [{str(one.token) for one in look.table.placements} for look in door.looks]


def mirrored_over(card: DrawnCard) -> RoomLight:
    return RoomLight(glare=(Glare(card.x_mm, card.y_mm, 60.0, STRENGTH),))


LYING = spread(5, CARDS)
NAMES = {str(card.token) for card in LYING}
UNDER = str(LYING[3].token)
LAMP = mirrored_over(LYING[3])


def rests(seconds: float, cards: tuple[DrawnCard, ...] = LYING) -> list[Shot]:
    return [Shot(cards)] * round(seconds * RATE_HZ)


def test_a_card_under_a_lamps_mirror_image_is_read_in_a_darker_picture() -> None:
    assert watched(Camera(rests(2.0), LAMP))[-1] == NAMES


@pytest.mark.long
def test_a_camera_that_gives_no_darker_picture_does_not_show_it() -> None:
    assert watched(Camera(rests(4.0), LAMP, obeys=False))[-1] == NAMES - {UNDER}


@pytest.mark.long
def test_a_table_where_nothing_is_burnt_out_pays_nothing() -> None:
    camera = Camera(rests(4.0), RoomLight())
    watched(camera)
    assert camera.asked_s == []


@pytest.mark.long
def test_what_was_looked_at_in_vain_is_left_alone_until_something_moves_there() -> None:
    """A lamp in a bare and shiny table: some darker pictures, then none until a hand has been there."""
    bare = RoomLight(glare=(Glare(450.0, 300.0, 60.0, STRENGTH),))
    hand = [Shot((), (HandPose(450.0, 320.0, 90.0, z_mm=30.0),))] * 5
    camera = Camera([*rests(8.0, ()), *hand, *rests(3.0, ())], bare)
    watched(camera)
    before = [at_s for at_s in camera.asked_s if at_s < 8.0]
    assert len(before) == MOST_DARKER
    assert all(later - sooner >= EVERY_S for sooner, later in itertools.pairwise(camera.asked_s))
    assert len(camera.asked_s) > len(before)


@pytest.mark.long
def test_no_darker_picture_is_asked_for_while_a_hand_moves() -> None:
    moves = [Shot(LYING, (HandPose(200.0 + 9 * step, 430.0, 90.0, z_mm=40.0),)) for step in range(24)]
    camera = Camera([*rests(1.0), *moves, *rests(2.0)], LAMP)
    watched(camera)
    began_s, ended_s = 1.0 + 1 / RATE_HZ, 1.0 + len(moves) / RATE_HZ
    assert not [at_s for at_s in camera.asked_s if began_s <= at_s < ended_s]
    assert camera.asked_s[-1] >= ended_s


def comes_and_goes() -> list[Shot]:
    """A card is laid under the mirror image beside a table of cards, and taken up again while others lie on."""
    card, others = LYING[3], tuple(one for one in LYING if str(one.token) != UNDER)
    brings = [
        Shot(
            (*others, replace(card, y_mm=card.y_mm + away, z_mm=30.0)),
            (HandPose(card.x_mm, card.y_mm + away + 30, 90.0, z_mm=45.0),),
        )
        for away in (300.0, 120.0, 0.0)
    ]
    leaves = [Shot(LYING, (HandPose(card.x_mm, card.y_mm + 150, 90.0, z_mm=45.0),))]
    return [*rests(1.2, others), *brings, *leaves, *rests(2.6), *leaves, *reversed(brings), *rests(1.8, others)]


def missing(held: list[set[str]]) -> list[list[str]]:
    """What is missing of the table, one after the other, once it has been seen for a second."""
    return [sorted(NAMES - one) for one, _ in itertools.groupby(held[round(RATE_HZ) :])]


def test_a_step_of_exposure_changes_the_state_of_no_place() -> None:
    """The card comes once and goes once, the others never."""
    assert missing(watched(Camera(comes_and_goes(), LAMP))) == [[UNDER], [], [UNDER]]


@pytest.mark.long
def test_a_darker_picture_taken_for_a_usual_one_would() -> None:
    """Or the test before could not fail."""
    assert missing(watched(Camera(comes_and_goes(), LAMP, tells=False))) != [[UNDER], [], [UNDER]]


def shown_under_the_lamp(*, obeys: bool) -> list[Observation]:
    """A command card is laid under the mirror image, beside a table of cards, and rests there for three seconds."""
    width, depth = LAYOUT.size_mm or (0.0, 0.0)
    table, edge = LAYOUT.zones[0], width - 150
    zones = (
        replace(table, polygon_mm=((0.0, 0.0), (edge, 0.0), (edge, depth), (0.0, depth))),
        replace(table, name=COMMAND_ZONE, polygon_mm=((edge, 0.0), (width, 0.0), (width, depth), (edge, depth))),
    )
    card = DrawnCard(KEND, edge + 75, depth / 2, 0.0)
    lamp = RoomLight(glare=(Glare(card.x_mm, card.y_mm, 70.0, STRENGTH),))
    hand = HandPose(card.x_mm, card.y_mm + 30, 90.0, z_mm=45.0)
    shown = [Shot((*LYING, replace(card, z_mm=30.0)), (hand,))] * 3
    door, camera = Door(), Camera([*rests(1.5), *shown, *rests(3.0, (*LYING, card))], lamp, obeys=obeys)
    accepted = StickerCodes.of((*DECK, KEND))
    Worker(camera, replace(LAYOUT, zones=zones), accepted, {}, TableState(), door).run()  # type: ignore[arg-type]
    return door.looks


@pytest.mark.long
def test_a_command_card_under_a_mirror_image_is_read_in_a_darker_picture() -> None:
    looks = shown_under_the_lamp(obeys=True)
    assert KEND in {one.token for one in looks[-1].table.placements}
    assert not any(look.unread for look in looks)


@pytest.mark.long
def test_a_command_card_that_stays_white_is_marked_with_the_lamp_as_its_reason() -> None:
    last = shown_under_the_lamp(obeys=False)[-1]
    assert KEND not in {one.token for one in last.table.placements}
    assert [(place.zone, place.lamp) for place in last.unread] == [(COMMAND_ZONE, True)]
