"""What a table looks through when nobody named a source."""

from __future__ import annotations

import pytest

import hardware.pins
import vision.camera.picamera
from companion.app.sources import usual_source
from companion.storage.settings import Settings


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
