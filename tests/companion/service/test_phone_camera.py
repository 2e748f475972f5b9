"""A phone as the camera: whose pictures are taken in, which are not, and what the eye fetches of them."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import current_process
from multiprocessing.connection import Client
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import InputError
from companion.public.service import SPECTATOR, Denied, Done, Invalid, NotFound, Role, Stale, Unavailable, User
from companion.public.sources import shown_source
from companion.public.table import Seat
from companion.service.phone_camera import GONE_S, NoPhoneCamera, PhoneCamera
from vision.camera.phone import DAMAGED_IN_A_ROW, PhonePictures
from vision.camera.sources import open_source
from vision.camera.trouble import CameraTrouble

HOST = User(Role.HOST)
ANA, BEN = "phone-of-ana", "phone-of-ben"


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def picture(width: int = 160, height: int = 90, seed: int = 0) -> bytes:
    drawn = np.random.default_rng(seed).integers(0, 255, (height, width), np.uint8)
    return cv2.imencode(".jpg", drawn)[1].tobytes()


def header_of(width: int, height: int) -> bytes:
    """A small file that says it is a huge picture."""
    jpeg = bytearray(picture())
    at = jpeg.index(b"\xff\xc0") + 5
    jpeg[at : at + 4] = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return bytes(jpeg)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def camera(clock: Clock) -> Iterator[PhoneCamera]:
    camera = PhoneCamera(clock)
    yield camera
    camera.close()


def send(camera: PhoneCamera, phone: str = ANA, jpeg: bytes | None = None, *, instead: bool = False) -> Any:
    return camera.take(HOST, phone, picture() if jpeg is None else jpeg, instead=instead)


def test_what_comes_is_said_in_pixels_and_pictures_a_second(camera: PhoneCamera, clock: Clock) -> None:
    assert camera.trouble() == "no-phone"
    for _ in range(9):
        last = send(camera)
        clock.now_s += 0.125
    assert last == Done({"size_px": [160, 90], "rate_hz": 8.0})
    assert camera.trouble() is None


@pytest.mark.parametrize("user", [SPECTATOR, User(Role.SEAT, Seat(1))])
def test_only_the_host_has_a_camera(camera: PhoneCamera, user: User) -> None:
    assert isinstance(camera.take(user, ANA, picture(), instead=True), Denied)
    assert camera.trouble() == "no-phone"


@pytest.mark.parametrize(
    "bad",
    [b"", b"hello", picture()[:-200], picture()[200:], cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes()],
    ids=["nothing", "words", "cut off", "without a head", "a PNG"],
)
def test_what_is_no_whole_jpeg_is_refused_and_shown_to_nobody(camera: PhoneCamera, bad: bytes) -> None:
    assert isinstance(send(camera, jpeg=bad), Invalid)
    assert camera.trouble() == "no-phone"


def test_a_small_file_that_would_be_a_huge_picture_is_refused(camera: PhoneCamera) -> None:
    assert isinstance(send(camera, jpeg=header_of(20_000, 20_000)), Invalid)


def test_pictures_that_come_too_fast_are_turned_away_and_the_next_is_taken(camera: PhoneCamera, clock: Clock) -> None:
    assert isinstance(send(camera), Done)
    clock.now_s += 0.01
    assert isinstance(send(camera), Unavailable)
    clock.now_s += 0.1
    assert isinstance(send(camera), Done)


def test_of_two_phones_one_is_the_camera_until_the_other_takes_its_place(camera: PhoneCamera, clock: Clock) -> None:
    assert isinstance(send(camera, ANA), Done)
    clock.now_s += 0.2
    assert isinstance(send(camera, BEN), Stale)
    assert isinstance(send(camera, BEN, instead=True), Done)
    clock.now_s += 0.2
    assert isinstance(send(camera, ANA), Stale)
    assert isinstance(send(camera, BEN), Done)


def test_a_phone_that_has_gone_leaves_its_place_and_comes_back_to_it(camera: PhoneCamera, clock: Clock) -> None:
    send(camera, ANA)
    clock.now_s += GONE_S + 0.1
    assert camera.trouble() == "no-phone"
    assert send(camera, ANA) == Done({"size_px": [160, 90], "rate_hz": 0.0})
    clock.now_s += GONE_S + 0.1
    assert isinstance(send(camera, BEN), Done)
    clock.now_s += 0.2
    assert isinstance(send(camera, ANA), Stale)


def test_where_the_table_looks_through_something_else_a_phone_is_told_so() -> None:
    assert isinstance(NoPhoneCamera().take(HOST, ANA, picture(), instead=True), NotFound)


# -- the eye's side --------------------------------------------------------------------------------


def fetch(camera: PhoneCamera, after: int) -> Any:
    with Client(camera.address, authkey=current_process().authkey) as door:
        door.send(after)
        return door.recv()


def test_the_eye_fetches_the_newest_picture_once_and_never_an_old_one(camera: PhoneCamera, clock: Clock) -> None:
    assert fetch(camera, 0) is None
    send(camera)
    clock.now_s += 0.2
    newest = picture(seed=2)
    send(camera, jpeg=newest)
    assert fetch(camera, 0) == (2, clock.now_s, newest)
    assert fetch(camera, 2) is None
    clock.now_s += 5.0
    assert fetch(camera, 0) is None, "what it shows was five seconds ago"


def test_damaged_pictures_are_left_out_and_said_when_there_are_only_such(camera: PhoneCamera, clock: Clock) -> None:
    torn = picture(640, 360)
    torn = torn[:200] + torn[-64:]  # head and end of a picture
    with PhonePictures(camera.address) as source:
        frames = iter(source)
        send(camera)
        assert next(frames).gray.shape == (90, 160)
        for _ in range(DAMAGED_IN_A_ROW // 2):
            clock.now_s += 0.1
            send(camera, jpeg=torn)
        clock.now_s += 0.1
        send(camera, jpeg=picture(320, 180))
        assert next(frames).gray.shape == (180, 320)


def test_a_companion_that_ends_is_the_end_of_the_pictures(camera: PhoneCamera) -> None:
    with PhonePictures(camera.address) as source:
        camera.close()
        with pytest.raises(CameraTrouble, match="takes no pictures any more"):
            next(iter(source))
    with pytest.raises(CameraTrouble, match="takes no pictures any more"):
        PhonePictures(camera.address).__enter__()


def test_only_a_running_companion_has_the_pictures_of_a_phone() -> None:
    assert shown_source("phone") == "phone"
    with pytest.raises(InputError, match="by its page /eye"):
        open_source("phone")
