"""The eye from outside: a process or a thread that tells looks, and comes back when it dies."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import cv2
import numpy as np
import pytest
from support.flat_table import ACCEPTED, LAYOUT, Laid, draw, zones
from support.long_cases import rest_long
from support.processor_queue import ProcessorQueue
from support.waiting import wait

from companion.errors import DeviceError
from companion.public.table import Observation, TableState, Token, ViewLost
from companion.public.table_picture import TablePicture
from companion.reading.picture_mark import HEAD_BYTES, read_mark
from companion.reading.pictures import picture_size
from vision.camera import picamera
from vision.camera.frame import Frame, make_frame
from vision.camera.latest_frame import LatestFrame
from vision.camera.trouble import CameraTrouble, Trouble
from vision.messages import FramesEnded, SnapshotTaken
from vision.process import supervisor, worker
from vision.process.recorder import PAGE_BYTES, PAGE_WIDTH_PX, RIM_MM
from vision.process.supervisor import VisionProcess
from vision.synthetic.source import SimulatedTable

CARDS = (Laid("C14", 860, 120), Laid("C12", 400, 300, 10))


class Drawn:
    """A live camera over a drawn table; it may die, hang, or fail after some pictures."""

    live = True
    name = "drawn"

    def __init__(self, marker: Path | None = None, then: str = "") -> None:
        self._marker = marker
        self._then = then

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *trouble: object) -> None:
        return None

    def __iter__(self) -> Iterator[Frame]:
        first = self._marker is not None and not self._marker.exists()
        for number in itertools.count():
            if first and number == 8:
                assert self._marker is not None
                self._marker.touch()
                if self._then == "crash":
                    os._exit(9)
                if self._then == "hang":
                    time.sleep(600)
                raise DeviceError("drawn: the camera was pulled out.")
            yield make_frame(draw(CARDS, seed=number), time.monotonic())
            time.sleep(0.05)


class Bare(Drawn):
    """Sees no table."""

    def __iter__(self) -> Iterator[Frame]:
        while True:
            yield make_frame(np.full((480, 640), 90, np.uint8), time.monotonic())
            time.sleep(0.05)


class Stuck(Drawn):
    """Gives no more pictures, says so, and hangs when it is closed."""

    def __exit__(self, *trouble: object) -> None:
        time.sleep(600)

    def __iter__(self) -> Iterator[Frame]:
        raise CameraTrouble(Trouble.STALLED, "stuck: the camera has stopped giving pictures.")


class Ear:
    """Hears looks, and can wait for one."""

    def __init__(self) -> None:
        self.looks: list[Observation] = []
        self._news = threading.Condition()

    def __call__(self, look: Observation) -> None:
        with self._news:
            self.looks.append(look)
            self._news.notify_all()

    def until(self, wanted: Callable[[Observation], bool], since: int = 0, timeout_s: float = 120.0) -> int:
        def found() -> int | None:
            return next((n for n, look in enumerate(self.looks) if n >= since and wanted(look)), None)

        with self._news:
            assert self._news.wait_for(lambda: found() is not None, timeout_s), self.looks[-1:]
            number = found()
            assert number is not None
            return number


LYING = {"C14": "pool", "C12": "tree"}


def lies(look: Observation) -> bool:
    return look.lost is None and zones(look) == LYING


@pytest.mark.parametrize("process", [False, True])
def test_looks_come_out_and_a_snapshot_and_health_can_be_had(process: bool):
    ear = Ear()
    with VisionProcess(Drawn, LAYOUT, ACCEPTED, ear, process) as eye:
        ear.until(lies)
        picture = eye.snapshot()
        assert picture is not None
        shown = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert shown.shape[1] > 1000
        ear.until(lambda look: eye.health() is not None)
        health = eye.health()
        assert health is not None
        sizes = {finding.about: finding.value for finding in health.findings if finding.name == "module_px"}
        assert sizes["tree"] == pytest.approx(30 / 25 * 1.9, rel=0.05)
    assert [look.number for look in ear.looks] == list(range(1, len(ear.looks) + 1))
    assert eye.snapshot() is None


@pytest.mark.parametrize("then", rest_long(["crash", "pulled", "hang"]))
def test_an_eye_that_dies_is_opened_again_and_has_forgotten_nothing(tmp_path: Path, then: str):
    ear = Ear()
    with VisionProcess(partial(Drawn, tmp_path / "died", then), LAYOUT, ACCEPTED, ear, process=True):
        seen = ear.until(lies)
        lost = ear.until(lambda look: look.lost is ViewLost.CAMERA, since=seen)
        again = ear.until(lies, since=lost)
        assert all(zones(look) == LYING for look in ear.looks[seen : again + 1])


def test_a_camera_that_hangs_when_it_is_closed_has_said_before_why_it_gives_nothing():
    ends: list[str | None] = []
    with VisionProcess(Stuck, LAYOUT, ACCEPTED, Ear(), process=True, on_end=ends.append, live=False) as eye:
        assert eye.join(40)
    assert ends == ["stuck: the camera has stopped giving pictures."]
    assert eye.trouble() == Trouble.STALLED.value


@pytest.mark.parametrize("live", [True, False])
def test_an_eye_that_has_begun_and_is_silent_is_lost_before_it_is_ended(monkeypatch: pytest.MonkeyPatch, live: bool):
    """A film has all the time that it needs: nobody waits for its pictures."""
    monkeypatch.setattr(supervisor, "HANGING_AFTER_S", 12.0)
    monkeypatch.setattr(supervisor, "SILENT_AFTER_S", 5.0)
    waited: list[float] = []
    messages = [Observation(1, 1.0, TableState())]

    class Door:
        """One look comes through it, then nothing."""

        def poll(self, patience_s: float) -> bool:
            if not messages:
                waited.append(patience_s)
            return bool(messages)

        def recv(self) -> Observation:
            return messages.pop()

    ear = Ear()
    eye = VisionProcess("a camera", LAYOUT, ACCEPTED, ear, live=live, process=False)
    door: Any = Door()
    assert eye._listen(door, 40.0) == (False, "it has said nothing for 12 s")  # noqa: SLF001  # a child that hangs
    assert waited == ([5.0, 7.0] if live else [12.0])
    assert [look.lost for look in ear.looks] == ([None, ViewLost.CAMERA] if live else [None])


def test_an_eye_that_opens_slowly_is_given_longer_each_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(supervisor, "HANGING_AFTER_S", 0.2)
    monkeypatch.setattr(supervisor, "OPENING_S", (0.2, 0.4, 5.0))
    monkeypatch.setattr(supervisor, "RESTART_DELAYS_S", (0.05,))
    given: list[float] = []

    class Door:
        """Nothing comes through it before two seconds."""

        def poll(self, patience_s: float) -> bool:
            given.append(patience_s)
            return patience_s >= 2.0

        def recv(self) -> FramesEnded:
            return FramesEnded(None)

    eye = VisionProcess("a camera", LAYOUT, ACCEPTED, lambda look: None, live=False, process=False)
    door: Any = Door()
    monkeypatch.setattr(eye, "_run_child", lambda opening_s: eye._listen(door, opening_s))  # noqa: SLF001  # a child that never answers
    eye._supervise()  # noqa: SLF001  # a child that never answers
    assert given == [0.2, 0.4, 5.0]


def test_a_camera_that_uses_every_limit_of_its_own_is_not_killed_before_it_says_so():
    """First picture, focus, its value, light, and the picture that it is locked by."""
    own_s = picamera.FIRST_S + picamera.FOCUS_S + picamera.FRAME_S + picamera.SETTLE_S + picamera.FRAME_S
    assert own_s < supervisor.OPENING_S[0]
    assert list(supervisor.OPENING_S) == sorted(supervisor.OPENING_S)


@pytest.mark.long
def test_a_simulated_table_that_is_drawn_slowly_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "STALLED_AFTER_S", 0.3)
    monkeypatch.setattr(worker, "PATIENCE_S", 0.1)
    opened: list[SimulatedTable] = []

    class SlowScene:
        def render(self, *_: object) -> Any:
            time.sleep(1.0)
            return draw(CARDS)

    def source() -> SimulatedTable:
        moments = (
            SimpleNamespace(time_s=number / 10, things=(), arms=(), says=(), done=()) for number in itertools.count()
        )
        opened.append(SimulatedTable(moments, SlowScene(), live=True))  # type: ignore[arg-type]
        return opened[-1]

    ear = Ear()
    with VisionProcess(source, LAYOUT, ACCEPTED, ear, process=False):
        ear.until(lies)
    assert len(opened) == 1


def test_a_recording_ends_and_says_so(tmp_path: Path):
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number}.png"), draw(CARDS, seed=number))
    ear, ends = Ear(), []
    with VisionProcess(str(tmp_path), LAYOUT, ACCEPTED, ear, process=False, on_end=ends.append, live=False) as eye:
        assert eye.join(30)
    assert ends == [None]
    assert [look.number for look in ear.looks] == [1, 2, 3, 4]
    assert lies(ear.looks[-1])


def test_a_source_that_is_not_there_is_said_in_one_sentence(tmp_path: Path):
    ends: list[str | None] = []
    source, how = str(tmp_path / "no.mp4"), {"on_end": ends.append, "live": False}
    with VisionProcess(source, LAYOUT, ACCEPTED, Ear(), process=True, **how) as eye:
        assert eye.join(30)
    assert [str(end).count("no.mp4: there is no such folder or film") for end in ends] == [1]


def test_pictures_are_kept_for_an_entry():
    ear = Ear()
    kept: list[SnapshotTaken] = []
    with VisionProcess(Drawn, LAYOUT, ACCEPTED, ear, process=False, on_snapshot=kept.append) as eye:
        ear.until(lies)
        eye.keep(7, seconds=10, token=Token("C14"))
        wait(lambda: kept)
    assert {picture.entry for picture in kept} == {7}
    mark = read_mark(kept[-1].jpeg[:HEAD_BYTES])
    assert mark is not None
    scale = mark.width / (LAYOUT.size_mm[0] + 2 * RIM_MM)  # seen from straight above
    card = CARDS[0]
    expected = (card.x_mm + RIM_MM) * scale, (card.y_mm + RIM_MM) * scale
    assert np.mean(mark.corners, axis=0) == pytest.approx(expected, abs=8)


class Borrowed(Drawn):
    """Takes the memory of each picture back, as a Pi's camera does."""

    borrowed = True

    def __iter__(self) -> Iterator[Frame]:
        for number in itertools.count():
            frame = make_frame(draw(CARDS, seed=number), time.monotonic())
            yield frame
            frame.gray[:] = 0
            time.sleep(0.3)


def test_no_picture_is_kept_of_memory_that_the_camera_has_taken_back():
    ear, kept = Ear(), list[SnapshotTaken]()
    with VisionProcess(Borrowed, LAYOUT, ACCEPTED, ear, process=False, on_snapshot=kept.append) as eye:
        ear.until(lies)
        eye.keep(7, seconds=10)
        wait(lambda: kept)
    pictures = [cv2.imdecode(np.frombuffer(one.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) for one in kept]
    assert min(float(picture.mean()) for picture in pictures) > 20.0


class Coloured(Drawn):
    """... which people may look at."""

    def colour_picture(self) -> TablePicture:
        return TablePicture(b"jpeg", (4, 3), {"C14": ((0.5, 0.5),) * 4})


def test_a_drawn_table_sends_its_colours_when_they_are_asked_for_and_a_camera_has_none():
    for source, expected in ((Coloured, Coloured().colour_picture()), (Drawn, None)):
        ear = Ear()
        with VisionProcess(source, LAYOUT, ACCEPTED, ear) as eye:
            ear.until(lies)
            queue, began_s = ProcessorQueue(os.getpid()), time.monotonic()
            assert eye.colour_picture() == expected
            took_s = time.monotonic() - began_s - queue.look()
            assert took_s < supervisor.SNAPSHOT_PATIENCE_S, "it says that there are none"


def test_the_picture_for_pages_is_small_and_knows_where_its_cards_lie():
    ear = Ear()
    with VisionProcess(Drawn, LAYOUT, ACCEPTED, ear, process=False) as eye:
        ear.until(lies)
        wait(lambda: eye.page_picture() is not None)
        taken = eye.page_picture()
    assert taken is not None
    size = picture_size(taken.jpeg)
    assert size is not None
    assert size[0] <= PAGE_WIDTH_PX
    assert len(taken.jpeg) <= PAGE_BYTES
    scale = size[0] / (LAYOUT.size_mm[0] + 2 * RIM_MM)  # seen from straight above
    for card in CARDS:
        expected = (card.x_mm + RIM_MM) * scale, (card.y_mm + RIM_MM) * scale
        assert np.mean(taken.cards[Token(card.token)], axis=0) == pytest.approx(expected, abs=8)


def test_a_table_that_is_not_found_gives_pages_nothing():
    """What is beside the table may be private."""
    with VisionProcess(Bare, LAYOUT, ACCEPTED, Ear(), process=False) as eye:
        wait(lambda: eye.snapshot() is not None)
        assert eye.page_picture() is None


def test_other_zones_count_from_the_next_look():
    ear = Ear()
    with VisionProcess(Drawn, LAYOUT, ACCEPTED, ear, process=False) as eye:
        seen = ear.until(lies)
        eye.relayout(type(LAYOUT)(LAYOUT.size_mm, ()))
        ear.until(lambda look: zones(look) == {"C14": None, "C12": None}, since=seen)


def pictures(*brightness: int, pause_s: float = 0.0, step_s: float = 0.1) -> Iterator[Frame]:
    for number, level in enumerate(brightness):
        yield make_frame(np.full((60, 96), level, np.uint8), number * step_s)
        time.sleep(pause_s)


def test_in_the_mailbox_the_newest_frame_wins_and_the_others_are_counted():
    all_given = threading.Event()

    def five() -> Iterator[Frame]:
        yield from pictures(1, 2, 3, 4, 5)
        all_given.set()

    mailbox = LatestFrame(five())
    assert all_given.wait(30)
    newest = mailbox.take(30.0)
    assert newest is not None
    assert (newest.gray[0, 0], mailbox.dropped) == (5, 4)


def test_a_camera_that_ends_fails_or_freezes_is_a_device_error():
    def failing() -> Iterator[Frame]:
        yield from pictures(1)
        raise RuntimeError("select() timeout")

    for source, says in (
        (pictures(), "gives no more pictures"),
        (failing(), r"the camera has failed \(select"),
        (pictures(*[9] * 50), "the same picture again and again"),
    ):
        mailbox = LatestFrame(source)
        with pytest.raises(DeviceError, match=says):
            all(mailbox.take(30.0) for _ in range(60))


def test_a_camera_that_stood_at_a_picture_still_stands_when_it_is_opened_anew_and_shows_the_same():
    mailbox = LatestFrame(pictures(*[9] * 50))
    with pytest.raises(CameraTrouble) as stood:
        all(mailbox.take(30.0) for _ in range(60))
    assert stood.value.trouble is Trouble.FROZEN
    mailbox = LatestFrame(pictures(*[9] * 50), still=stood.value.still)
    with pytest.raises(CameraTrouble) as again:
        assert mailbox.take(30.0) is None, "a picture that was seen before"
    assert again.value.still == stood.value.still
    moves = LatestFrame(pictures(9, 9, 10, 9), still=stood.value.still)
    assert moves.take(30.0) is not None


def test_a_slow_camera_is_waited_for_no_longer_than_asked():
    test_is_over = threading.Event()

    def slow() -> Iterator[Frame]:
        yield from pictures(1)
        test_is_over.wait()

    mailbox = LatestFrame(slow())
    assert mailbox.take(30.0) is not None
    assert mailbox.take(0.2) is None, "and it came back before the camera did"
    test_is_over.set()
