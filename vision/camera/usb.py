"""USB cameras, by number or name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from vision.camera.exposure import LONGEST_EXPOSURE_US
from vision.camera.frame import Frame, Gray, OpenedAndClosed, hush, make_frame, to_gray
from vision.camera.trouble import CameraTrouble, Trouble

VIDEO_DEVICES = Path("/sys/class/video4linux")

USB_SIZE_PX = (3840, 2160)
"""Requested from a USB camera, which takes the nearest size that it has."""

BY_HAND, AUTOMATIC = 1, 3
"""V4L2's exposure by hand, and its automatic that leaves the aperture alone (linux/v4l2-controls.h)."""

OBEYS_PICTURES = 15
"""So many pictures at most a USB camera takes to obey a change of exposure."""

DIMMED, RETURNED = 0.85, 0.9
"""Below this share of its mean before, a picture is darker; from the second on, it is as before."""

HALF_WAVE, LONGEST_EXPOSURE = 100, LONGEST_EXPOSURE_US // 100
"""In V4L2's unit of 0.1 ms: exposures are whole half waves of mains of 50 Hz."""


class UsbCamera(OpenedAndClosed):
    """A USB camera.

    Args:
        named: Its number, or a part of its name, which stays the same in every socket.
        devices: The folder in which Linux lists video devices.
        darker: Whether it may be asked for darker pictures.

    Raises:
        InputError: The name is empty.
    """

    live = True

    def __init__(self, named: str, devices: Path = VIDEO_DEVICES, *, darker: bool = True) -> None:
        self.name = f"usb:{named}"
        if not named.strip():
            raise InputError("usb: a USB camera is named by its number, as in usb:0, or by a part of its name.")
        self._named = named.strip()
        self._devices = devices
        self._camera: cv2.VideoCapture | None = None
        self._factor = 1.0
        self._at_end = 0
        """1 if it could not take in more light, -1 if not less."""
        self._darker_share: float | None = None
        self.darker = darker
        self._obeys = True

    def number(self) -> int:
        """The current number of the camera.

        Raises:
            CameraTrouble: No camera here has such a name, or several have.
        """
        if self._named.isdecimal():
            return int(self._named)
        here = _usb_cameras(self._devices)
        matching = [number for number, name in here if self._named.casefold() in name.casefold()]
        if len(matching) == 1:
            return matching[0]
        wrong = "several cameras have" if matching else "no camera has"
        raise self._not_there(f"{wrong} this in the name; is it plugged in? There are here: {_listed(here)}.")

    def open(self) -> None:
        """Open the camera.

        Raises:
            CameraTrouble: There is no such camera, or this user may not use it, or another program does.
        """
        hush()
        number = self.number()
        camera = cv2.VideoCapture(number)
        if not camera.isOpened():
            camera.release()
            raise self._not_there(self._why_closed(number))
        camera.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        camera.set(cv2.CAP_PROP_FRAME_WIDTH, USB_SIZE_PX[0])
        camera.set(cv2.CAP_PROP_FRAME_HEIGHT, USB_SIZE_PX[1])
        camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)  # it may still be as it was last told
        self._camera = camera

    def brighten(self, factor: float) -> bool:
        """Take in this many times as much light from the next picture on; ``False`` if the camera could go no further
        this way the last time, or has no such setting.
        """
        self._factor *= factor  # set by whoever reads the pictures: a camera is used by one thread at a time
        return self._at_end != (1 if factor > 1 else -1)

    def find_light(self) -> None:
        """Let the camera's automatic find an exposure; it goes on until the camera is told another."""
        self._factor = 0.0

    def look_darker(self, share: float) -> None:
        """Give one picture with this share of the light, as soon as the camera obeys; then as before."""
        if self.darker and self._obeys:
            self._darker_share = share

    def _look_darker(self, camera: cv2.VideoCapture, share: float, before: Gray) -> Iterator[Frame]:
        """A darker picture, and the first that is as before; those between are not given. From then on the exposure is
        set by hand, by the paper of the tags.

        Args:
            before: The last usual picture, in low resolution.
        """
        usual = camera.get(cv2.CAP_PROP_EXPOSURE)
        wanted = max(1, round(usual * share))
        if usual <= wanted or not camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, BY_HAND):
            self._obeys = False
            return
        camera.set(cv2.CAP_PROP_EXPOSURE, wanted)
        level, last = float(before.mean()), -1.0
        for _ in range(OBEYS_PICTURES):
            frame = self._read(camera)
            now = float(frame.lores.mean())
            if now < DIMMED * level and now > DIMMED * last and last >= 0:  # it grows no darker
                yield replace(frame, is_darker=True)
                break
            last = now if now < DIMMED * level else -1.0
        else:
            self._obeys = False
        camera.set(cv2.CAP_PROP_EXPOSURE, usual)
        for _ in range(OBEYS_PICTURES):
            frame = self._read(camera)
            if float(frame.lores.mean()) >= RETURNED * level:
                yield frame
                return
        self._obeys = False
        camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)

    def _read(self, camera: cv2.VideoCapture) -> Frame:
        there, picture = camera.read()
        taken_s = time.monotonic()
        if not there:
            raise CameraTrouble(Trouble.ENDED, f"{self.name}: the camera gives no more pictures; check its plug.")
        return make_frame(to_gray(np.asarray(picture, np.uint8)), taken_s)

    def _expose(self, camera: cv2.VideoCapture) -> None:
        factor, self._factor = self._factor, 1.0
        self._at_end = 0
        if factor == 0:
            camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
            return
        way = 1 if factor > 1 else -1
        before = camera.get(cv2.CAP_PROP_EXPOSURE)
        is_longest = way > 0 and before >= LONGEST_EXPOSURE  # its automatic may take longer than hands allow
        if before <= 0 or is_longest or not camera.set(cv2.CAP_PROP_AUTO_EXPOSURE, BY_HAND):
            self._at_end = way
            return
        wanted = max(min(before * factor, LONGEST_EXPOSURE), 1)
        unit = HALF_WAVE if wanted >= HALF_WAVE else 1
        camera.set(cv2.CAP_PROP_EXPOSURE, round(wanted / unit) * unit)
        if camera.get(cv2.CAP_PROP_EXPOSURE) == before:
            self._at_end = way

    def _why_closed(self, number: int) -> str:
        here, device = _usb_cameras(self._devices), f"/dev/video{number}"
        if number not in dict(here):
            return f"no such camera; is it plugged in? There are here: {_listed(here)}."
        if os.access(device, os.F_OK) and not os.access(device, os.R_OK | os.W_OK):
            return "this user may not use the camera; add it: sudo usermod -aG video USER, then log in again."
        return "another program is using it; end it (a browser, another companion) and start again."

    def _not_there(self, why: str) -> CameraTrouble:
        return CameraTrouble(Trouble.NOT_THERE, f"{self.name}: {why}")

    def close(self) -> None:
        if self._camera is not None:
            self._camera.release()
            self._camera = None

    def __iter__(self) -> Iterator[Frame]:
        if self._camera is None:
            self.open()
        assert self._camera is not None
        while self._camera is not None:
            if self._factor != 1:
                self._expose(self._camera)
            frame = self._read(self._camera)
            yield frame
            if self._darker_share is not None and self._camera is not None:
                share, self._darker_share = self._darker_share, None
                yield from self._look_darker(self._camera, share, frame.lores)


def _listed(here: list[tuple[int, str]]) -> str:
    return ", ".join(f"usb:{number} ({name})" for number, name in here) or "none"


def _usb_cameras(devices: Path) -> list[tuple[int, str]]:
    """Number and name of each camera that Linux lists; a camera's metadata devices are left out."""
    numbered = []
    for device in devices.glob("video*"):
        try:
            name = (device / "name").read_text("utf-8", "replace").strip()
            main = (device / "index").read_text("ascii").strip() == "0"
        except OSError:  # just unplugged
            continue
        if main and device.name.removeprefix("video").isdecimal():
            numbered.append((int(device.name.removeprefix("video")), name))
    return sorted(numbered)
