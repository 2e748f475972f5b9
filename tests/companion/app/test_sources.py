"""What a table looks through: what somebody named, and else what there is."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import hardware.pins
import vision.camera.picamera
from companion.app.sources import table_source, usual_source
from companion.storage.settings import Settings

NO_RUNNER: Any = SimpleNamespace(played_s=lambda: 0.0)


@pytest.mark.parametrize(
    ("pi", "cameras", "source"), [(False, 0, "simulated"), (True, 1, "picamera"), (True, 0, "simulated")]
)
def test_simulated_is_the_default_without_a_camera(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, pi: bool, cameras: int, source: str
):
    monkeypatch.setattr(hardware.pins, "on_a_pi", lambda: pi)
    monkeypatch.setattr(vision.camera.picamera, "cameras", lambda: cameras)
    assert usual_source(Settings()) == source
    assert ("sees no camera" in caplog.text) == (pi and not cameras)
    assert usual_source(Settings(source="usb:C920")) == "usb:C920"


def test_whatever_is_no_file_or_folder_is_a_camera_and_only_films_end(tmp_path: Path):
    film = tmp_path / "film.mp4"
    film.touch()
    cameras = ("http://cam/x", "http://cam/" + 300 * "x", "rtsps://cam/x", "usb:Logitech", "picamera", "phone")
    with ExitStack() as stack:
        opened = {
            name: table_source(name, NO_RUNNER, 1, 1.0, stack)
            for name in (*cameras, str(film), str(tmp_path), "simulated")
        }
    assert {name for name, source in opened.items() if not source.live} == {str(film), str(tmp_path)}
    assert {name for name, source in opened.items() if source.before_match is not None} == set(cameras)
    assert {name for name, source in opened.items() if source.simulated} == {"simulated"}
    assert {name for name, source in opened.items() if source.phone is not None} == {"phone"}


def test_what_may_be_said_of_a_camera_is_not_its_password():
    address = "rtsp://ana:secret@10.0.0.7:554/stream1"  # pragma: allowlist secret
    assert table_source(address, NO_RUNNER, 1, 1.0, ExitStack()).name == "rtsp://10.0.0.7:554"
