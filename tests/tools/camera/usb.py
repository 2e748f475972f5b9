"""Runs inside the virtual machine of ``camera.sh``: USB cameras as the kernel shows them, by its driver ``vivid``.

python usb.py [TEST]
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from programs import run_tests, say

from companion.games.registry import demo_deck, demo_match, open_match, sticker_codes
from companion.public.table import ViewLost
from vision.camera import sources
from vision.camera.sources import UsbCamera
from vision.camera.trouble import CameraTrouble, Trouble
from vision.process.supervisor import VisionProcess

DRIVER = Path("/sys/bus/platform/drivers/vivid")
SIZES = {(320, 180), (640, 360), (640, 480), (1280, 720), (1920, 1080), (3840, 2160)}
"""vivid's, when it is a webcam."""
NAME = "vivid-000-vid-cap"
PATIENCE_S = 300.0
NOBODY = 65534
SMALL = (640, 480)
"""An emulated processor takes seconds for a large picture."""


def unplug() -> None:
    (DRIVER / "unbind").write_text("vivid.0")


def plug_in() -> None:
    (DRIVER / "bind").write_text("vivid.0")


def trouble(look: Callable[[], object]) -> CameraTrouble:
    try:
        look()
    except CameraTrouble as error:
        say(str(error))
        return error
    raise AssertionError("it gives pictures")


def look(named: str) -> None:
    with UsbCamera(named) as camera:
        next(iter(camera))


def test_a_camera_is_seen_by_number_and_by_a_part_of_its_name() -> None:
    for named in ("0", NAME, "VID-CAP"):
        with UsbCamera(named) as camera:
            first, second = islice(camera, 2)
        assert first.gray.shape == second.gray.shape == SMALL[::-1], first.gray.shape
        assert first.taken_s < second.taken_s
        assert first.gray.std() > 10


def test_a_name_that_no_camera_has_lists_those_that_are_here() -> None:
    error = trouble(lambda: look("C920"))
    assert error.trouble is Trouble.NOT_THERE
    assert f"usb:0 ({NAME})" in str(error)
    assert trouble(lambda: look("7")).trouble is Trouble.NOT_THERE


def test_a_size_that_it_does_not_have_becomes_one_that_it_has() -> None:
    for wanted in ((1000, 700), (600, 500)):
        sources.USB_SIZE_PX = wanted
        with UsbCamera("0") as camera:
            height, width = next(iter(camera)).gray.shape
        say(f"{wanted} became {(width, height)}")
        assert (width, height) in SIZES


def test_a_camera_that_is_unplugged_is_said_and_is_there_again_when_it_is_plugged_in() -> None:
    with UsbCamera(NAME) as camera:
        frames = iter(camera)
        next(frames)
        unplug()
        error = trouble(lambda: [next(frames) for _ in range(20)])  # some were taken already
        assert error.trouble is Trouble.ENDED
    assert trouble(lambda: look(NAME)).trouble is Trouble.NOT_THERE
    plug_in()
    look(NAME)


def test_two_cameras_of_one_name_are_told_apart_by_number() -> None:
    subprocess.run(["modprobe", "-r", "vivid"], check=True)
    subprocess.run(["modprobe", "vivid", "n_devs=2", "node_types=0x1,0x1"], check=True)
    try:
        assert "several cameras have" in str(trouble(lambda: look("vid-cap")))
        look("vivid-001")
    finally:
        subprocess.run(["modprobe", "-r", "vivid"], check=True)
        load()


def test_what_watches_the_table_says_that_its_camera_is_gone_and_sees_again() -> None:
    opened = open_match(demo_match(), demo_deck())
    looks: list[ViewLost | None] = []
    codes = sticker_codes(opened.game)
    with VisionProcess(f"usb:{NAME}", opened.layout, codes, lambda look: looks.append(look.lost), process=False):
        until(lambda: looks[-1:] == [ViewLost.TABLE], "a picture without a table")
        unplug()
        until(lambda: looks[-1:] == [ViewLost.CAMERA], "the lost camera")
        plug_in()
        until(lambda: looks[-1:] == [ViewLost.TABLE], "the camera again")


def test_a_camera_that_this_user_may_not_use_is_said_with_what_to_do() -> None:
    os.setuid(NOBODY)
    error = trouble(lambda: look("0"))
    assert error.trouble is Trouble.NOT_THERE
    assert "sudo usermod -aG video" in str(error)


def test_a_usb_camera_that_another_program_holds_is_said_with_what_to_do() -> None:
    with held():
        error = trouble(lambda: look("0"))
    assert error.trouble is Trouble.NOT_THERE
    assert "another program is using it; end it" in str(error)
    look("0")


def hold() -> None:
    """Look through a camera until standard input ends."""
    with UsbCamera("0") as camera:
        frames = iter(camera)
        next(frames)
        sys.stdout.write("held\n")
        sys.stdout.flush()
        sys.stdin.read()


@contextmanager
def held() -> Iterator[None]:
    """Another program looks through the camera meanwhile."""
    program = [sys.executable, __file__, hold.__name__]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        yield


def until(true: Callable[[], bool], what: str) -> None:
    began_s = time.monotonic()
    while not true():
        assert time.monotonic() - began_s < PATIENCE_S, f"waited {PATIENCE_S:.0f} s for {what}"
        time.sleep(1)
    say(f"{what} after {time.monotonic() - began_s:.0f} s")


def load() -> None:
    subprocess.run(["modprobe", "vivid", "n_devs=1", "node_types=0x1"], check=True)


if __name__ == "__main__":
    sources.USB_SIZE_PX = SMALL
    if not sys.argv[1:]:
        load()
    sys.exit(run_tests(globals()))
