"""A camera is told its exposure by the paper of the tags: white stickers on a dark table are not burnt out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, strategies as st
from support.card_table import LAYOUT, RATE_HZ, CardTable, spread

from companion.public.codes import StickerCodes
from companion.public.table import Observation, TableState
from vision.camera import usb
from vision.camera.exposure import (
    EVERY_S,
    LARGEST_STEP,
    PAPER_DN,
    AdjustableCamera,
    ExposureControl,
    TwoExposures,
)
from vision.camera.frame import Frame, OpenedAndClosed, make_frame
from vision.camera.latest_frame import LatestFrame
from vision.process.worker import Worker
from vision.synthetic.films import DECK
from vision.synthetic.lighting import RoomLight

LOOKS_HZ = 5.0


class Sensor:
    """A camera that obeys, within its limits; grey levels grow as a power of light, as cameras' do."""

    def __init__(self, light: float = 1.0, power: float = 1.0, limits: tuple[float, float] = (0.01, 100.0)) -> None:
        self.light, self.power, self.limits = light, power, limits
        self.told: list[float] = []
        self.automatic = 0

    def brighten(self, factor: float) -> bool:
        before = self.light
        self.light = min(max(self.light * factor, self.limits[0]), self.limits[1])
        self.told.append(factor)
        return not math.isclose(before, self.light)

    def find_light(self) -> None:
        self.automatic += 1

    def paper_dn(self, room: float) -> float:
        return min(255.0, 255 * (room * self.light) ** self.power)


def evening(sensor: Sensor, room: Callable[[float], float], seconds: float) -> list[tuple[float, float]]:
    """Time and level of the paper at each look while the light of a room changes and nobody moves."""
    control, seen = ExposureControl(sensor), []
    for number in range(round(seconds * LOOKS_HZ)):
        now_s = number / LOOKS_HZ
        seen.append((now_s, sensor.paper_dn(room(now_s))))
        if control.is_due(now_s):
            control.see(seen[-1][1], now_s)
    return seen


def is_right(paper_dn: float) -> bool:
    return PAPER_DN[0] <= paper_dn <= PAPER_DN[1]


@given(light=st.floats(0.05, 20.0), power=st.floats(0.35, 1.0))
def test_from_any_exposure_the_paper_soon_lies_where_stickers_are_read(light: float, power: float):
    sensor = Sensor(light, power)
    seen = evening(sensor, lambda _: 1.0, 40.0)
    assert is_right(seen[-1][1])
    wrong = [now_s for now_s, paper in seen if not is_right(paper)]
    first = next((now_s for now_s, paper in seen if is_right(paper)), math.inf)
    assert not wrong or max(wrong) < first, "once it is right it is left alone"
    assert all(1 / LARGEST_STEP <= factor <= LARGEST_STEP for factor in sensor.told)


def test_an_evening_from_daylight_to_a_lamp_stays_readable_and_is_told_seldom():
    """A window goes dark in an hour, a lamp is switched on after forty minutes and off at the end."""

    def room(now_s: float) -> float:
        window = 0.7 * math.exp(-now_s / 900)
        lamp = 0.35 if 2400 <= now_s < 3500 else 0.0
        return window + lamp + 0.02

    sensor = Sensor()
    seen = evening(sensor, room, 3600)
    switched = [0.0, 2400.0, 3500.0]
    late = [(now_s, paper) for now_s, paper in seen if all(not 0 <= now_s - at < 30 for at in switched)]
    # the window darkens by a tenth of a per cent a second: while it waits, the paper is a little below
    assert all(PAPER_DN[0] - 2 <= paper <= PAPER_DN[1] + 2 for _, paper in late)
    assert len(sensor.told) < 40


def test_a_head_that_shades_a_tag_for_a_second_is_no_other_light():
    sensor = Sensor(0.7)
    evening(sensor, lambda now_s: 0.4 if 10 <= now_s < 11 else 1.0, 20.0)
    assert sensor.told == []


def test_a_camera_at_its_limit_is_asked_once_until_the_light_has_changed():
    sensor = Sensor(1.0, limits=(0.5, 1.0))
    evening(sensor, lambda _: 0.3, 60.0)
    assert len(sensor.told) == 1
    sensor = Sensor(1.0, limits=(0.5, 1.0))
    evening(sensor, lambda now_s: 0.3 if now_s < 30 else 1.5, 60.0)
    assert [factor > 1 for factor in sensor.told] == [True, False]


def test_in_the_dark_the_cameras_automatic_is_asked_again():
    sensor, now_s = Sensor(), 0.0
    control = ExposureControl(sensor)
    while now_s < 10:
        if control.is_due(now_s):
            control.miss(now_s, dark=True)
        now_s += EVERY_S
    assert sensor.automatic == 2


class DrawnSensor(OpenedAndClosed):
    """Pictures of a drawn table, by a camera that obeys."""

    name, live = "drawn", False

    def __init__(self, table: CardTable, room: Callable[[float], float], seconds: float, light: float) -> None:
        self.table, self.room, self.seconds, self.light = table, room, seconds, light
        self.told: list[float] = []
        self.now_s = 0.0

    def brighten(self, factor: float) -> bool:
        self.light *= factor
        self.told.append(factor)
        return True

    def find_light(self) -> None:
        """As an automatic does that looks at the whole of a table of middling grey."""
        self.light = 1.0 / self.room(self.now_s)

    def __iter__(self) -> Iterator[Frame]:
        for number in range(round(self.seconds * RATE_HZ)):
            self.now_s = number / RATE_HZ
            level = self.light * self.room(self.now_s)
            yield make_frame(self.table.drawn(light=RoomLight(level=level)), self.now_s)


class Door:
    """The worker's pipe; nobody asks for anything."""

    def __init__(self) -> None:
        self.looks: list[Observation] = []

    def send(self, message: Any) -> None:
        if isinstance(message, Observation):
            self.looks.append(message)

    def poll(self) -> bool:
        return False


def watched(sensor: DrawnSensor) -> list[set[str]]:
    """The cards that the eye holds at each look; in the end it sees the table."""
    door = Door()
    Worker(sensor, LAYOUT, StickerCodes.of(DECK), {}, TableState(), door).run()  # type: ignore[arg-type]
    assert door.looks[-1].lost is None
    return [{str(one.token) for one in look.table.placements} for look in door.looks]


@pytest.mark.parametrize("light", [6.0, *(pytest.param(one, marks=pytest.mark.long) for one in (0.15, 2.2, 4.0, 9.0))])
def test_stickers_that_an_automatic_burns_out_are_read_and_no_step_takes_a_card_away(light: float):
    """White stickers on a dark table: of eighteen none was read at six times the light, fifteen at four times."""
    table = CardTable(spread(5, 18), 5, looked_before=0)
    sensor = DrawnSensor(table, lambda _: 1.0, 10.0, light)
    held = watched(sensor)
    assert sensor.told, "the exposure was wrong"
    assert held[-1] == {str(card.token) for card in table.lying}
    assert all(before <= after for before, after in itertools.pairwise(held)), "nothing came and went"


@pytest.mark.long
@pytest.mark.parametrize("lamp", [0.1, 0.2, 4.0, 8.0])
def test_a_lamp_switched_off_or_on_for_ten_seconds_takes_no_card_away(lamp: float):
    table = CardTable(spread(5, 18), 5, looked_before=0)
    sensor = DrawnSensor(table, lambda now_s: lamp if 5 <= now_s < 15 else 1.0, 26.0, 1.3)
    held = watched(sensor)[round(2 * RATE_HZ) :]
    assert all(one == {str(card.token) for card in table.lying} for one in held)


def test_a_camera_that_cannot_be_told_is_left_alone():
    assert not isinstance(OpenedAndClosed(), AdjustableCamera)


class UsbStandIn:
    """As much of OpenCV's camera as we call; it keeps what V4L2 keeps."""

    def __init__(self, exposure: float) -> None:
        self.kept = {cv2.CAP_PROP_EXPOSURE: exposure, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}
        self.behind = [exposure] * 3

    def isOpened(self) -> bool:
        return True

    def set(self, name: int, value: float) -> bool:
        self.kept[name] = value
        return True

    def get(self, name: int) -> float:
        return self.kept[name]

    def read(self) -> tuple[bool, Any]:
        """As bright as it was told two pictures before."""
        self.behind = [*self.behind, self.kept[cv2.CAP_PROP_EXPOSURE]][-3:]
        return True, np.full((48, 64, 3), min(255.0, self.behind[0]), np.uint8)

    def release(self) -> None:
        """Nothing to give back."""


@pytest.mark.parametrize(
    ("found", "steps"),
    [
        (150.0, [(0.5, 75), (0.5, 38), (2.0, 76), (2.0, 200), (2.0, 200), (0.4, 80)]),
        (400.0, [(2.0, 400)]),  # longer than hands allow: its automatic is left to it
        (0.0, [(0.5, 0)]),  # it has no such setting
    ],
)
def test_a_usb_camera_is_told_in_v4l2s_tenths_of_a_millisecond(
    monkeypatch: pytest.MonkeyPatch, found: float, steps: list[tuple[float, float]]
):
    made = UsbStandIn(found)
    monkeypatch.setattr(usb.cv2, "VideoCapture", lambda number: made)
    with usb.UsbCamera("0") as camera:
        frames = iter(camera)
        next(frames)
        for factor, exposure in steps:
            camera.brighten(factor)
            next(frames)
            assert made.kept[cv2.CAP_PROP_EXPOSURE] == exposure
        by_hand = made.kept[cv2.CAP_PROP_AUTO_EXPOSURE] == usb.BY_HAND
        camera.find_light()
        next(frames)
    assert by_hand == (len(steps) > 1)
    assert made.kept[cv2.CAP_PROP_AUTO_EXPOSURE] == usb.AUTOMATIC


def test_a_usb_camera_that_could_take_in_no_more_light_takes_in_less_when_the_lamp_is_switched_on(
    monkeypatch: pytest.MonkeyPatch,
):
    made, now_s, seen = UsbStandIn(150.0), 0.0, []
    monkeypatch.setattr(usb.cv2, "VideoCapture", lambda number: made)
    with usb.UsbCamera("0") as camera:
        control = ExposureControl(camera)
        for _ in camera:
            room = 0.3 if now_s < 30 else 4.0
            seen.append(min(255.0, 1.2 * room * made.kept[cv2.CAP_PROP_EXPOSURE]))
            if control.is_due(now_s):
                control.see(seen[-1], now_s)
            now_s += 1 / LOOKS_HZ
            if now_s > 60:
                break
    assert seen[round(29 * LOOKS_HZ)] < PAPER_DN[0], "the lamp was needed"
    assert is_right(seen[-1])


@pytest.mark.parametrize("darker", [True, False])
def test_a_usb_camera_gives_one_darker_picture_and_none_on_the_way(monkeypatch: pytest.MonkeyPatch, darker: bool):
    made = UsbStandIn(150.0)
    monkeypatch.setattr(usb.cv2, "VideoCapture", lambda number: made)
    with usb.UsbCamera("0", darker=darker) as camera:
        assert isinstance(camera, TwoExposures)
        given = []
        for number, frame in enumerate(camera):
            given.append((frame.is_darker, int(frame.lores[0, 0])))
            if number == 2:
                camera.look_darker(0.3)
            if number == 8:
                break
    assert given == [*[(False, 150)] * 3, *[(True, 45)] * darker, *[(False, 150)] * (6 - darker)]
    assert made.kept[cv2.CAP_PROP_EXPOSURE] == 150


def test_a_usb_camera_that_does_not_obey_is_asked_once(monkeypatch: pytest.MonkeyPatch):
    made = UsbStandIn(150.0)
    monkeypatch.setattr(made, "read", lambda: (True, np.full((48, 64, 3), 150, np.uint8)))
    monkeypatch.setattr(usb.cv2, "VideoCapture", lambda number: made)
    with usb.UsbCamera("0") as camera:
        for number, frame in enumerate(camera):
            assert not frame.is_darker
            camera.look_darker(0.3)
            if number == 8:
                break
    assert made.kept[cv2.CAP_PROP_EXPOSURE] == 150


def test_a_darker_picture_waits_for_a_slow_reader():
    """The newest picture replaces one that was not taken; not the one that was asked for."""
    usual = make_frame(np.zeros((48, 64), np.uint8), 0.0)
    asked_for = replace(usual, is_darker=True)
    slot = LatestFrame([usual, asked_for, make_frame(np.ones((48, 64), np.uint8), 0.1)])
    slot.close()
    assert slot.take(1.0) is asked_for
