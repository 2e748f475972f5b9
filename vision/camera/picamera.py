"""The Raspberry Pi's camera: focus and exposure are set once and then locked. The only module that uses picamera2."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import TimeoutError as WaitedTooLong
from contextlib import suppress
from importlib import import_module
from types import TracebackType
from typing import Any, Self

import numpy as np

from companion.errors import DeviceError
from vision.camera.frame import Frame

log = logging.getLogger(__name__)

FULL_PX, FAST_PX = (4608, 2592), (2304, 1296)
"""All pixels, about 14 pictures per second, for 20 mm stickers; binned, up to 30, for stickers from 25 mm."""

RATE_HZ = {FULL_PX: 14.0, FAST_PX: 30.0}
LORES_PX = (576, 324)

SETTLE_S = 2.0
"""Time for automatic exposure and white balance to settle."""

FRAME_S, FOCUS_S = 3.0, 10.0
"""Time limits for a picture and for a focus sweep."""

LONGEST_EXPOSURE_US = 20_000
COUNT_S = 30.0


def cameras() -> int:
    """The number of ribbon cameras of this Pi; 0 also if its camera packages are missing.

    Runs in a separate process, which takes a second, because picamera2 would keep much memory.
    """
    asked = [sys.executable, "-c", "from vision.camera.picamera import _count; print(_count())"]
    try:
        listed = subprocess.run(asked, capture_output=True, text=True, timeout=COUNT_S, check=True).stdout
        return int(listed.split()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        log.warning("picamera: the cameras cannot be counted (%s)", error)
        return 0


def _count() -> int:
    from picamera2 import Picamera2

    return sum("/usb" not in camera["Id"] for camera in Picamera2.global_camera_info())


class PiCamera:
    """Pictures of a Raspberry Pi camera in both resolutions, without copying.

    A frame is borrowed: its pixels are the camera's own memory, which is overwritten by the next frame.

    Args:
        size_px: ``FULL_PX`` or ``FAST_PX``.
        mains_hz: 50 or 60: lamps flicker at twice this frequency.
        focus: A known focus, in dioptres; ``None`` = sweep once.
    """

    name = "picamera"
    live = True
    borrowed = True

    def __init__(
        self, size_px: tuple[int, int] = FULL_PX, *, mains_hz: float = 50.0, focus: float | None = None
    ) -> None:
        self._size_px = size_px
        self._half_wave_us = 1e6 / mains_hz / 2
        self.focus = focus
        self._camera: Any = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Start the camera, focus it, and lock focus, exposure and white balance.

        Raises:
            DeviceError: picamera2 is missing, or there is no camera, or it does not start.
        """
        try:
            controls = _library("libcamera").controls
            library = _library("picamera2")
        except ImportError as error:
            raise DeviceError(
                f"picamera: {error.name or 'picamera2'} is missing; on a Pi install it with "
                "'sudo apt install python3-picamera2' and make the environment with --system-site-packages."
            ) from None
        try:
            self._camera = library.Picamera2()
            self._start(controls)
        except (RuntimeError, IndexError, WaitedTooLong) as error:
            self.close()
            raise DeviceError(f"picamera: the camera does not start ({error}); check its ribbon cable.") from None

    def close(self) -> None:
        """Stop the camera; may be called twice."""
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(RuntimeError):  # it may never have started
                camera.stop()
            camera.close()

    def __iter__(self) -> Iterator[Frame]:
        mapped = _library("picamera2").MappedArray
        if self._camera is None:
            self.open()
        width, height = self._size_px
        while self._camera is not None:
            try:
                request = self._camera.capture_request(wait=FRAME_S)
            except (RuntimeError, WaitedTooLong):
                raise DeviceError("picamera: the camera has stopped giving pictures; check its ribbon cable.") from None
            try:
                taken_s = _taken_s(request.get_metadata())
                with (
                    mapped(request, "main", write=False) as main,
                    mapped(request, "lores", write=False) as low,
                ):
                    # In planar YUV the first rows are the grey picture; rows may be padded.
                    gray = np.asarray(main.array)[:height, :width]
                    lores = np.asarray(low.array)[: LORES_PX[1], : LORES_PX[0]]
                    yield Frame(gray, lores, taken_s)
            finally:
                request.release()

    def _start(self, controls: Any) -> None:
        camera = self._camera
        frame_us = round(1e6 / RATE_HZ[self._size_px])
        camera.configure(
            camera.create_video_configuration(
                main={"size": self._size_px, "format": "YUV420"},
                lores={"size": LORES_PX, "format": "YUV420"},
                sensor={"output_size": self._size_px, "bit_depth": 10},
                buffer_count=3,
                queue=False,
                controls={
                    "FrameDurationLimits": (frame_us, frame_us),
                    "NoiseReductionMode": controls.draft.NoiseReductionModeEnum.Fast,
                    "Sharpness": 1.0,
                },
            )
        )
        self._prefer(AeFlickerMode=controls.AeFlickerModeEnum.Manual, AeFlickerPeriod=round(self._half_wave_us))
        camera.start()
        if "LensPosition" in camera.camera_controls:
            self._lock_focus(controls)
        time.sleep(SETTLE_S)
        self._lock_light(camera.capture_metadata(wait=FRAME_S))

    def _lock_focus(self, controls: Any) -> None:
        camera = self._camera
        if self.focus is None:
            if not camera.autofocus_cycle(wait=FOCUS_S):
                log.warning("picamera: no sharp focus was found; is the table lit, and do the tags lie on it?")
            self.focus = float(camera.capture_metadata(wait=FRAME_S)["LensPosition"])
        camera.set_controls({"AfMode": controls.AfModeEnum.Manual, "LensPosition": self.focus})

    def _lock_light(self, seen: Mapping[str, Any]) -> None:
        """Lock the camera's settings, with the exposure rounded to whole half waves of the mains."""
        found_us, gain = float(seen["ExposureTime"]), float(seen["AnalogueGain"])
        exposure_us = flicker_safe_us(found_us, self._half_wave_us)
        self._camera.set_controls(
            {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": exposure_us,
                "AnalogueGain": max(1.0, gain * found_us / exposure_us),
                "ColourGains": tuple(seen["ColourGains"]),
            }
        )

    def _prefer(self, **wishes: Any) -> None:
        """Set those controls that this camera has."""
        supported = {name: value for name, value in wishes.items() if name in self._camera.camera_controls}
        if supported:
            self._camera.set_controls(supported)


def _library(name: str) -> Any:
    """A library that only a Raspberry Pi has; untyped, and imported when a camera is opened."""
    return import_module(name)


def flicker_safe_us(exposure_us: float, half_wave_us: float) -> int:
    """The nearest exposure of whole half waves, so that lamps cause no bands, and short enough for moving hands.

    >>> flicker_safe_us(13_000, half_wave_us=10_000)
    10000
    """
    waves = max(1, round(exposure_us / half_wave_us))
    return round(half_wave_us * min(waves, max(1, int(LONGEST_EXPOSURE_US / half_wave_us))))


def _taken_s(seen: Mapping[str, Any]) -> float:
    """Monotonic seconds of the exposure; the sensor counts from the start of the computer."""
    now_s = time.monotonic()
    if "SensorTimestamp" not in seen:
        return now_s
    age_s = time.clock_gettime(time.CLOCK_BOOTTIME) - float(seen["SensorTimestamp"]) / 1e9
    return now_s - min(max(age_s, 0.0), 1.0)
