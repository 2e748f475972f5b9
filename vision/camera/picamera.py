"""The Raspberry Pi's camera: focus is set once, exposure as it is told. The only module that uses picamera2."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError, TimeoutError as WaitedTooLong
from contextlib import closing, suppress
from importlib import import_module
from typing import Any

import numpy as np

from companion.errors import DeviceError
from vision.camera.exposure import LONGEST_EXPOSURE_US, divided
from vision.camera.frame import Frame, OpenedAndClosed
from vision.camera.trouble import CameraTrouble, Trouble

log = logging.getLogger(__name__)

FULL_PX, FAST_PX = (4608, 2592), (2304, 1296)
"""All pixels, about 14 pictures per second, for 20 mm stickers; binned, up to 30, for stickers from 25 mm."""

RATE_HZ = {FULL_PX: 14.0, FAST_PX: 30.0}
LORES_PX = (576, 324)

SETTLE_S = 2.0
"""Time for automatic exposure and white balance to settle."""

FIRST_S, FRAME_S, FOCUS_S = 20.0, 3.0, 10.0
"""Time limits for the first picture, for each later one, and for a focus sweep."""

AS_TOLD = 0.1
"""Of the light that a picture was told, it may differ by this share."""

SAME_LIGHT = 0.02
"""A change of light by less than this share is none."""

OBEYS_S = 1.0
"""A change of exposure takes a few pictures; longer than this it is not waited for."""

ANSWER_S = 30.0

USEFUL_CONTROLS = ("LensPosition", "ExposureTime", "AnalogueGain", "ColourGains", "FrameDurationLimits")
"""Controls without which a camera sees worse. Only cameras with a focus motor have the first."""


def cameras() -> int:
    """The number of ribbon cameras of this Pi; 0 also if its camera packages are missing.

    Runs in a separate process, which takes a second, because picamera2 would keep much memory.
    """
    try:
        return len(_ask("_listed()"))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        log.warning("picamera: the cameras cannot be counted (%s)", error)
        return 0


def missing_controls(camera: str = "") -> tuple[str, ...]:
    """The useful controls that a camera does not have; empty also if it cannot be asked, because it is in use.

    Args:
        camera: Its number or a part of its name.
    """
    try:
        return tuple(_ask(f"_missing({camera!r})"))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return ()


def _ask(question: str) -> list[Any]:
    """An expression of this module, as a process of its own answers it."""
    program = f"import json; from vision.camera.picamera import _listed, _missing; print(json.dumps({question}))"
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=ANSWER_S, check=True).stdout
    answer: list[Any] = json.loads(printed.splitlines()[-1])
    return answer


def _missing(named: str) -> list[str]:
    with closing(_library("picamera2").Picamera2(_number(named))) as camera:
        return [name for name in USEFUL_CONTROLS if name not in camera.camera_controls]


def _listed() -> list[tuple[str, str]]:
    """Model and address of each ribbon camera, by number. libcamera lists webcams too, behind them."""
    listed = _library("picamera2").Picamera2.global_camera_info()
    return [(info.get("Model", "?"), info["Id"]) for info in listed if "/usb" not in info["Id"]]


def _number(named: str) -> int:
    """The number of the camera with this number or name; without either, of the first.

    Raises:
        CameraTrouble: No camera has it, or several have.
    """
    here = _listed()
    if not here:
        raise CameraTrouble(Trouble.NOT_THERE, "picamera: no camera is found; check its ribbon cable at both ends.")
    if not named:
        return 0
    if named.isdecimal():
        matching = [int(named)] if int(named) < len(here) else []
    else:
        matching = [number for number, names in enumerate(here) if named.casefold() in " ".join(names).casefold()]
    if len(matching) == 1:
        return matching[0]
    listed = ", ".join(f"picamera:{number} ({model})" for number, (model, _) in enumerate(here))
    wrong = "several cameras have" if matching else "no camera has"
    raise CameraTrouble(Trouble.NOT_THERE, f"picamera:{named}: {wrong} this number or name; there are here: {listed}.")


class PiCamera(OpenedAndClosed):
    """Pictures of a Raspberry Pi camera in both resolutions, without copying.

    A frame is borrowed: its pixels are the camera's own memory, which is overwritten by the next frame. What its
    automatic found is locked, and changed as ``vision.camera.exposure`` tells.

    Args:
        named: The number of the camera, or a part of its model or address; empty = the first.
        size_px: ``FULL_PX`` or ``FAST_PX``.
        mains_hz: 50 or 60: lamps flicker at twice this frequency.
        focus: A known focus, in dioptres; ``None`` = sweep once.
        darker: Whether it may be asked for darker pictures.
    """

    live = True
    borrowed = True

    def __init__(
        self,
        named: str = "",
        *,
        size_px: tuple[int, int] = FULL_PX,
        mains_hz: float = 50.0,
        focus: float | None = None,
        darker: bool = True,
    ) -> None:
        self.name = f"picamera:{named}" if named else "picamera"
        self._named = named
        self._size_px = size_px
        self._half_wave_us = 1e6 / mains_hz / 2
        self.focus = focus
        self._camera: Any = None
        self._usual_us = self._light_us = 0.0
        self._locks_at_s: float | None = None
        self.darker = darker
        self._darker_us = 0.0
        self._changes_until_s: float | None = None

    def open(self) -> None:
        """Start the camera, focus it, and lock focus, exposure and white balance, as far as it can do these.

        Raises:
            DeviceError: picamera2 is missing, or there is no such camera, or it does not start.
        """
        try:
            controls = _library("libcamera").controls
            library = _library("picamera2")
        except ImportError as error:
            raise DeviceError(
                f"{self.name}: {error.name or 'picamera2'} is missing; on a Pi install it with "
                "'sudo apt install python3-picamera2' and make the environment with --system-site-packages."
            ) from None
        try:
            self._camera = library.Picamera2(_number(self._named))
            self._start(controls)
        except DeviceError:
            raise
        except (RuntimeError, LookupError, AttributeError, OSError) as error:
            self.close()
            raise DeviceError(f"{self.name}: {_in_words(error)}") from None

    def close(self) -> None:
        """Stop the camera; may be called twice."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        camera.cancel_all_and_flush()  # stop() waits for its turn behind a picture that never came
        with suppress(RuntimeError):  # it may never have started, or be unplugged
            camera.stop()
        with suppress(RuntimeError):
            camera.close()

    def __iter__(self) -> Iterator[Frame]:
        mapped = _library("picamera2").MappedArray
        if self._camera is None:
            self.open()
        configured = self._camera.camera_configuration()
        width, height = configured["main"]["size"]
        lores_width, lores_height = configured["lores"]["size"]
        while self._camera is not None:
            try:
                request = self._camera.capture_request(wait=FRAME_S)
            except CancelledError:  # closed meanwhile
                return
            except (RuntimeError, WaitedTooLong):
                raise CameraTrouble(
                    Trouble.STALLED, f"{self.name}: the camera has stopped giving pictures; check its ribbon cable."
                ) from None
            try:
                seen = request.get_metadata()
                taken_s = _taken_s(seen)
                if self._locks_at_s is not None and time.monotonic() >= self._locks_at_s:
                    self._lock_light(seen)
                is_darker = self._is_darker(seen)
                if is_darker is None:
                    continue
                with (
                    mapped(request, "main", write=False) as main,
                    mapped(request, "lores", write=False) as low,
                ):
                    # In planar YUV the first rows are the grey picture; rows may be padded.
                    gray = np.asarray(main.array)[:height, :width]
                    lores = np.asarray(low.array)[:lores_height, :lores_width]
                    yield Frame(gray, lores, taken_s, is_darker)
            finally:
                request.release()

    def brighten(self, factor: float) -> bool:
        """Take in this many times as much light from now on; ``False`` if the camera can go no further."""
        if self._locks_at_s is not None:
            return True  # its automatic is still at it
        if not self._light_us:
            return False
        limits = self._camera.camera_controls
        least_us, most_gain = float(limits["ExposureTime"][0]), float(limits["AnalogueGain"][1])
        light_us = max(self._light_us * factor, least_us)
        exposure_us, gain = divided(light_us, self._half_wave_us, self._usual_us, most_gain)
        before_us, self._light_us = self._light_us, exposure_us * gain
        if abs(self._light_us / before_us - 1) < SAME_LIGHT:
            return False
        self._tell(self._light_us)
        return True

    def look_darker(self, share: float) -> None:
        """Give one picture with this share of the light, as soon as the sensor obeys; then as before."""
        if not self.darker or self._locks_at_s is not None or not self._light_us or self._changes_until_s is not None:
            return
        least_us = float(self._camera.camera_controls["ExposureTime"][0])
        self._darker_us = max(self._light_us * share, least_us)
        self._changes_until_s = time.monotonic() + OBEYS_S
        self._tell(self._darker_us)

    def _is_darker(self, seen: Mapping[str, Any]) -> bool | None:
        """Whether a picture is the darker one that was asked for; ``None``: it is on the way there or back."""
        if self._changes_until_s is None:
            return False
        light_us = float(seen["ExposureTime"]) * float(seen["AnalogueGain"])
        is_late = time.monotonic() > self._changes_until_s
        if self._darker_us and (_as_told(light_us, self._darker_us) or is_late):
            is_darker = _as_told(light_us, self._darker_us)
            self._darker_us, self._changes_until_s = 0.0, time.monotonic() + OBEYS_S
            self._tell(self._light_us)
            return True if is_darker else None
        if not _as_told(light_us, self._light_us) and not is_late:
            return None
        if not self._darker_us:
            self._changes_until_s = None  # as before
        return False

    def find_light(self) -> None:
        """Let the camera's automatic find an exposure, and keep what it found."""
        self._changes_until_s, self._darker_us = None, 0.0
        self._prefer(AeEnable=True)
        self._locks_at_s = time.monotonic() + SETTLE_S

    def _tell(self, light_us: float) -> None:
        """Set the exposure and the gain for an amount of light, in microseconds at gain 1."""
        most_gain = float(self._camera.camera_controls["AnalogueGain"][1])
        exposure_us, gain = divided(light_us, self._half_wave_us, self._usual_us, most_gain)
        self._prefer(ExposureTime=round(exposure_us), AnalogueGain=gain)

    def _start(self, controls: Any) -> None:
        camera = self._camera
        frame_us = round(1e6 / RATE_HZ[self._size_px])
        configuration = camera.create_video_configuration(
            main={"size": self._size_px, "format": "YUV420"},
            lores={"size": LORES_PX, "format": "YUV420"},
            sensor={"output_size": self._size_px, "bit_depth": 10},
            buffer_count=3,
            queue=False,
        )
        configuration["controls"] = self._supported(
            FrameDurationLimits=(frame_us, frame_us),
            NoiseReductionMode=controls.draft.NoiseReductionModeEnum.Fast,
            Sharpness=1.0,
        )
        camera.configure(configuration)
        self._prefer(AeFlickerMode=controls.AeFlickerModeEnum.Manual, AeFlickerPeriod=round(self._half_wave_us))
        camera.start()
        camera.capture_metadata(wait=FIRST_S)
        if "LensPosition" in camera.camera_controls:
            self._lock_focus(controls)
        time.sleep(SETTLE_S)
        self._lock_light(camera.capture_metadata(wait=FRAME_S))

    def _lock_focus(self, controls: Any) -> None:
        camera = self._camera
        if self.focus is None:
            try:
                is_sharp = camera.autofocus_cycle(wait=FOCUS_S)
            except WaitedTooLong:
                camera.cancel_all_and_flush()  # or the sweep keeps every later picture waiting
                is_sharp = False
            if not is_sharp:
                log.warning("picamera: no sharp focus was found; is the table lit, and do the tags lie on it?")
            self.focus = float(camera.capture_metadata(wait=FRAME_S)["LensPosition"])
        camera.set_controls({"AfMode": controls.AfModeEnum.Manual, "LensPosition": self.focus})

    def _lock_light(self, seen: Mapping[str, Any]) -> None:
        """Lock the camera's settings, with the exposure rounded to whole half waves of the mains."""
        self._locks_at_s = None
        if "ColourGains" in seen:
            self._prefer(AwbEnable=False, ColourGains=tuple(seen["ColourGains"]))
        if "ExposureTime" in seen and "AnalogueGain" in seen:
            found_us, gain = float(seen["ExposureTime"]), float(seen["AnalogueGain"])
            exposure_us = flicker_safe_us(found_us, self._half_wave_us)
            kept_gain = max(1.0, gain * found_us / exposure_us)
            self._prefer(AeEnable=False, ExposureTime=exposure_us, AnalogueGain=kept_gain)
            self._usual_us, self._light_us = exposure_us, exposure_us * kept_gain

    def _prefer(self, **wishes: Any) -> None:
        """Set those controls that this camera has."""
        supported = self._supported(**wishes)
        if supported:
            self._camera.set_controls(supported)

    def _supported(self, **wishes: Any) -> dict[str, Any]:
        """Those controls that this camera has; picamera2 refuses to set any other."""
        return {name: value for name, value in wishes.items() if name in self._camera.camera_controls}


def _as_told(light_us: float, told_us: float) -> bool:
    return abs(light_us / told_us - 1) <= AS_TOLD


def _library(name: str) -> Any:
    """A library that only a Raspberry Pi has; untyped, and imported when a camera is opened."""
    return import_module(name)


def _in_words(error: BaseException) -> str:
    """Why a camera does not start, and what to do. picamera2's own sentence hides libcamera's, which caused it."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    if isinstance(error, WaitedTooLong):  # an OSError too
        return "the camera gives no pictures; check its ribbon cable, and restart the Pi."
    reason = str(error)
    if isinstance(error, PermissionError):
        return f"this user may not use the camera ({reason}); add it: sudo usermod -aG video USER, then log in again."
    if "busy" in reason.casefold():
        return "another program is using the camera; end it (rpicam-hello, another companion) and start again."
    if isinstance(error, OSError):
        return f"there is no memory for the camera's pictures ({reason}); restart the Pi."
    return f"the camera does not start ({reason}); check its ribbon cable."


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
