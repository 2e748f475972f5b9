"""The eye says when something that lies there may still be read, so that nobody acts on half a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from support.flat_table import AT_PX, PX_PER_MM, Arm, Camera, Laid, draw, zones
from support.long_cases import rest_long

from vision.camera.frame import Frame, Gray, make_frame
from vision.codes.decoder import DecodeAttempt, DecodeResult
from vision.tracking import search
from vision.tracking.reading_schedule import ReadingSchedule
from vision.tracking.search import Search

pytestmark = pytest.mark.core

POOL = (Laid("C14", 860, 120), Laid("C17", 960, 120, 4), Laid("C18", 1050, 118, -3))
CARD = Laid("C12", 400, 300, 10)
END = Laid("KEND", 80, 520)
SCRIBBLE = Laid("", 400, 300, 20, text="HELLO")


def show(camera: Camera, *things: Laid | Arm, blurred_px: float = 0.0, noise: float = 2.5):
    """One look; the tree is out of focus by so much."""
    number = len(camera.looks)
    picture = draw(things, seed=number, noise=noise)
    if blurred_px:
        field = np.s_[560:760, 760:980]
        picture[field] = cv2.GaussianBlur(picture, (0, 0), blurred_px)[field]
    camera.looks.append(camera.observer.observe(make_frame(picture, number / camera.rate_hz)))
    return camera.looks[-1]


def test_a_still_table_is_not_being_read():
    camera = Camera(rate_hz=14)
    for _ in range(40):
        show(camera, *POOL)
    assert not any(look.pending for look in camera.looks[6:])


@pytest.mark.parametrize("rate_hz", [6.0, 30.0])
def test_a_first_read_that_waits_for_its_second_is_reading(rate_hz: float):
    camera = Camera(rate_hz=rate_hz)
    for _ in range(12):
        show(camera, *POOL)
    unconfirmed = []
    while "C12" not in zones(look := show(camera, *POOL, CARD)):
        unconfirmed.append(look.pending or not look.settled)
        assert len(unconfirmed) < 8
    assert unconfirmed
    assert all(unconfirmed)


@pytest.mark.parametrize("rate_hz", rest_long([14.0, 6.0, 30.0]))
def test_a_blurred_card_is_read_before_a_command_card_shown_after_it_may_speak(rate_hz: float):
    """The referee lets a command card speak only in a look that reads nothing any more."""
    camera = Camera(rate_hz=rate_hz)
    for _ in range(12):
        show(camera, *POOL)
    for _ in range(round(0.3 * rate_hz) + 1):
        assert "C12" not in zones(show(camera, *POOL, CARD, blurred_px=2.4))
    blurs = [2.4] * round(0.6 * rate_hz) + [0.0] * round(2.0 * rate_hz)  # the focus comes back
    looks = [show(camera, *POOL, CARD, END, blurred_px=blur) for blur in blurs]
    look = next(look for look in looks if "KEND" in zones(look) and not look.pending)
    assert zones(look).get("C12") == "tree"


OTHERS = Laid("", 400, 300, 20, gray=200, text="A"), Laid("C99", 500, 250)


@pytest.mark.parametrize("thing", rest_long([SCRIBBLE, *OTHERS]))
def test_what_cannot_be_read_is_given_up_within_two_seconds(thing: Laid):
    camera = Camera(rate_hz=14)
    for _ in range(12):
        show(camera, *POOL)
    looks = [show(camera, *POOL, thing) for _ in range(60)]
    assert not any(look.pending for look in looks[30:])


def test_what_did_not_change_is_not_read_again_because_something_changed_around_it(monkeypatch: pytest.MonkeyPatch):
    """Cards come to lie along two sides of foreign codes: these are within the box that holds the change, not in it."""
    others = [Laid("", 520 + 80 * n, 110 + 60 * n, 20, text="HELLO") for n in range(4)]
    angle = [Laid("", 230, 60 + 40 * n, text="A", sticker_mm=1.0) for n in range(12)]
    angle += [Laid("", 230 + 40 * n, 500, text="A", sticker_mm=1.0) for n in range(14)]
    camera = Camera(rate_hz=30)
    for _ in range(40):
        show(camera, *POOL, *others)
    read: list[tuple[slice, slice]] = []
    reads = Search._read  # noqa: SLF001  # which pieces of the picture are read

    def watched(self: Search, seen: Frame, box: tuple[slice, slice], attempt: DecodeAttempt) -> DecodeResult:
        read.append(box)
        return reads(self, seen, box, attempt)

    monkeypatch.setattr(Search, "_read", watched)
    looks = [show(camera, *POOL, *others, *angle) for _ in range(8)]
    assert looks[-1].unknown_codes == len(others)
    middles = [(AT_PX[0] + one.x_mm * PX_PER_MM, AT_PX[1] + one.y_mm * PX_PER_MM) for one in others]
    assert not [at for y, x in read for at in middles if x.start < at[0] < x.stop and y.start < at[1] < y.stop]


@pytest.mark.parametrize(("damaged", "attempts"), [(False, 1), (True, 2)])
def test_only_where_a_code_is_found_and_not_read_a_second_rung_is_climbed_at_once(
    monkeypatch: pytest.MonkeyPatch, damaged: bool, attempts: int
):
    """Of 680 second attempts in seven films, climbed where the first had found nothing, none read anything."""
    camera = Camera(rate_hz=14)
    for _ in range(12):
        show(camera, *POOL)
    climbed: list[DecodeAttempt] = []

    def counted(gray: Gray, tried: tuple[DecodeAttempt, ...], **options: object) -> DecodeResult:
        climbed.extend(tried)
        return DecodeResult(unread=((5.0, 5.0),) if damaged else ())

    monkeypatch.setattr(search, "read_codes", counted)
    show(camera, *POOL, CARD)  # it moves
    climbed.clear()
    show(camera, *POOL, CARD)
    assert len(set(climbed)) == attempts


def read_only_if(monkeypatch: pytest.MonkeyPatch, readable: Callable[[DecodeAttempt], bool]) -> None:
    """From now on only some attempts read anything."""
    read = search.read_codes

    def reads(gray: Gray, attempts: tuple[DecodeAttempt, ...], **how: Any) -> DecodeResult:
        return read(gray, attempts, **how) if readable(attempts[0]) else DecodeResult()

    monkeypatch.setattr(search, "read_codes", reads)


def test_a_command_is_read_by_the_second_reader_too_while_it_is_shown(monkeypatch: pytest.MonkeyPatch):
    """ "Command cards and tags get the best of the ladder": a card is read so only where it is known to lie."""
    camera = Camera(rate_hz=14)
    for _ in range(12):
        show(camera, *POOL)
    read_only_if(monkeypatch, lambda attempt: attempt.reader == "pyzbar")
    looks = [zones(show(camera, *POOL, END, CARD)) for _ in range(5)]
    assert "KEND" in looks[-1]
    assert "C12" not in looks[-1]


def test_a_command_is_tried_in_every_look_while_it_is_shown(monkeypatch: pytest.MonkeyPatch):
    """Noise and focus differ from picture to picture: of eight poor prints one was read in one look, six in eight."""
    camera = Camera(rate_hz=14)
    for _ in range(12):
        show(camera, *POOL)
    blind = True
    read_only_if(monkeypatch, lambda _: not blind)
    looks = [zones(show(camera, *POOL, END)) for _ in range(35)]
    assert not any("KEND" in look for look in looks)
    blind = False
    for _ in range(3):
        look = zones(show(camera, *POOL, END))
    assert "KEND" in look


def test_a_zone_of_commands_where_all_looks_like_a_code_costs_no_look_more_than_a_plain_reading(
    monkeypatch: pytest.MonkeyPatch,
):
    """As on grass, where each command that was shown or taken away cost eight."""
    camera = Camera(rate_hz=8)
    for _ in range(12):
        show(camera, *POOL)
    read, costs = search.read_codes, list[float]()

    def reads(gray: Gray, attempts: tuple[DecodeAttempt, ...], **how: Any) -> DecodeResult:
        costs[-1] += gray.size * attempts[0].price
        return read(gray, attempts, **how)

    monkeypatch.setattr(search, "read_codes", reads)
    tuft = np.kron(np.random.default_rng(1).choice([60, 200], (23, 23)), np.ones((2, 2))).astype(np.uint8)
    for number in range(16):
        costs.append(0.0)
        picture = draw(POOL, seed=number)
        for top in range(940, 1120, 80):
            for left in range(130, 340, 80):
                picture[top : top + 46, left : left + 46] = tuft
        camera.observer.observe(make_frame(picture, (12 + number) / camera.rate_hz))
    assert 0 < max(costs[:4]) <= picture.size
    assert max(costs) <= 2 * picture.size, "the search for what has not changed reads there, too"


def test_what_a_card_has_left_is_not_read_again_and_a_card_put_back_there_is(monkeypatch: pytest.MonkeyPatch):
    """What lies beneath may resemble a code, too, and cost seconds of reading after each card that was taken away."""
    camera = Camera(rate_hz=8)
    for _ in range(12):
        show(camera, *POOL, SCRIBBLE)
    for _ in range(12):
        show(camera, *POOL, SCRIBBLE, CARD)
    read, tries = search.read_codes, 0

    def reads(gray: Gray, attempts: tuple[DecodeAttempt, ...], *, at_px: tuple[int, int], **how: Any) -> DecodeResult:
        nonlocal tries
        left, top = at_px
        tries += (left < 400 * PX_PER_MM + AT_PX[0] < left + gray.shape[1]) and (
            top < 300 * PX_PER_MM + AT_PX[1] < top + gray.shape[0]
        )
        return read(gray, attempts, at_px=at_px, **how)

    monkeypatch.setattr(search, "read_codes", reads)
    for _ in range(5):
        show(camera, *POOL, SCRIBBLE)
    assert tries <= 5, "one attempt in each look, in case the card lies there still"
    assert "C12" not in zones(show(camera, *POOL, SCRIBBLE))
    for _ in range(4):
        look = show(camera, *POOL, SCRIBBLE, CARD)
    assert "C12" in zones(look)


@pytest.mark.parametrize("rate_hz", [8, 30])
def test_where_a_hand_has_just_come_to_rest_only_two_attempts_are_made(monkeypatch: pytest.MonkeyPatch, rate_hz: int):
    """It mostly lays something and goes on; then whatever it uncovers gets all of them."""
    camera = Camera(rate_hz=rate_hz)
    for _ in range(20):
        show(camera, *POOL)
    tries: list[int] = []
    read = search.read_codes

    def reads(gray: Gray, attempts: tuple[DecodeAttempt, ...], **how: Any) -> DecodeResult:
        tries[-1] += 1
        return read(gray, attempts, **how)

    monkeypatch.setattr(search, "read_codes", reads)
    for _ in range(30):
        tries.append(0)
        show(camera, *POOL, CARD, Arm(400, 305))  # over the lower half of the sticker
    assert camera.looks[-1].hand_in_view
    just_come = int(search.HELD_S * rate_hz) - 1
    assert sum(tries[:just_come]) == search.HELD_ATTEMPTS
    assert sum(tries[just_come:]) >= 3, "a hand that stays may be an arm that lies there"


def test_a_foreign_code_that_was_read_is_left_out_of_the_search(monkeypatch: pytest.MonkeyPatch):
    camera = Camera(rate_hz=8)
    for _ in range(16):
        show(camera, *POOL, SCRIBBLE)
    assert camera.looks[-1].unknown_codes == 1
    read, places = search.read_codes, list[bool]()

    def reads(gray: Gray, attempts: tuple[DecodeAttempt, ...], *, at_px: tuple[int, int], **how: Any) -> DecodeResult:
        left, top = at_px
        x, y = 400 * PX_PER_MM + AT_PX[0], 300 * PX_PER_MM + AT_PX[1]
        places.append(left < x < left + gray.shape[1] and top < y < top + gray.shape[0])
        return read(gray, attempts, at_px=at_px, **how)

    monkeypatch.setattr(search, "read_codes", reads)
    for _ in range(60):
        look = show(camera, *POOL, SCRIBBLE)
    assert places
    assert not any(places)
    assert look.unknown_codes == 1


def test_a_search_of_everything_is_read_from_the_look_after_it_on(monkeypatch: pytest.MonkeyPatch):
    """That look reads known stickers again: both in one cost more than three plain readings on cloth."""
    camera = Camera(rate_hz=8)
    tuft = np.kron(np.random.default_rng(1).choice([60, 200], (23, 23)), np.ones((2, 2))).astype(np.uint8)
    read, take, tries, searches = search.read_codes, ReadingSchedule.take_rescan, list[int](), list[bool]()

    def reads(gray: Gray, attempts: tuple[DecodeAttempt, ...], *, at_px: tuple[int, int], **how: Any) -> DecodeResult:
        tries[-1] += at_px[0] < 820 * PX_PER_MM  # not in the pool
        return read(gray, attempts, at_px=at_px, **how)

    def takes(self: ReadingSchedule, taken_s: float) -> bool:
        searches[-1] = take(self, taken_s)
        return searches[-1]

    monkeypatch.setattr(search, "read_codes", reads)
    monkeypatch.setattr(ReadingSchedule, "take_rescan", takes)
    for number in range(80):
        tries.append(0)
        searches.append(False)
        picture = draw(POOL, seed=number)
        picture[600:646, 800:846] = picture[600:646, 1000:1046] = tuft
        camera.observer.observe(make_frame(picture, number / camera.rate_hz))
    assert sum(searches) >= 3
    for number in np.flatnonzero(searches).tolist():
        assert not tries[number]
        assert sum(tries[number : number + 8])
