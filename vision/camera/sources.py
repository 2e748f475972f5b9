"""The frame source of a ``--source``; folders of pictures, and USB cameras by number or name."""

from __future__ import annotations

import csv
import io
import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.errors import InputError
from companion.public.sources import PHONE, is_network, shown_source
from companion.reading.pictures import MOST_PICTURE_PX, PICTURE_BEGINS, check_kind, check_picture, picture_size
from vision.camera.exposure import LONGEST_EXPOSURE_US
from vision.camera.frame import Frame, FrameSource, Gray, OpenedAndClosed, hush, make_frame, to_gray
from vision.camera.trouble import CameraTrouble, Trouble
from vision.picture_file import imdecode, on_white

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg")
STEP_S = 0.1
"""Time between the pictures of a folder without ``frames.csv``."""

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


def open_source(text: str, *, darker: bool = True) -> FrameSource:
    """The frame source of a ``--source``: ``picamera``, ``picamera:1``, ``usb:0``, ``usb:NAME``, an address, a
    folder or a video.

        >>> open_source("usb:0").name, open_source("http://192.168.1.30:8080/video").name
        ('usb:0', 'http://192.168.1.30:8080')

    Args:
        darker: Whether a camera that can takes a darker picture when it is asked for one.

    Raises:
        InputError: It is none of these, or cannot be read.
    """
    kind, _, named = text.partition(":")
    if kind == "picamera":
        from vision.camera.picamera import PiCamera  # only a Pi has picamera2

        return PiCamera(named.strip(), darker=darker)
    if text.startswith("usb:"):
        return UsbCamera(text.removeprefix("usb:"), darker=darker)
    if is_network(text):
        from vision.camera.network import NetworkCamera

        return NetworkCamera(text)
    if text == PHONE:
        raise InputError("phone: its pictures come to a running companion alone, by its page /eye.")
    path = Path(text)
    if path.is_dir():
        return PictureFolder(path)
    if path.is_file():
        from vision.camera.film import VideoFile  # FFmpeg takes a tenth of a second to load

        return VideoFile(path)
    raise InputError(
        f"{shown_source(text)}: there is no such folder or film; a camera is named picamera, picamera:1, "
        "usb:0, usb:NAME, phone, http://HOST/PATH or rtsp://HOST/PATH."
    )


def pictures_in(source: FrameSource) -> int | None:
    """The number of pictures in an opened source; ``None`` = unknown, as for a camera."""
    return getattr(source, "pictures", None)


def remarks_on(source: FrameSource) -> tuple[str, ...]:
    """What was wrong with a film that has been read to its end, a sentence each."""
    return getattr(source, "remarks", ())


class PictureFolder(OpenedAndClosed):
    """Pictures in the order of ``frames.csv``, or of their names, 100 ms apart; digits in names count as numbers.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in ("1.png", "2.png"):
        ...         _ = cv2.imwrite(f"{folder}/{name}", np.zeros((480, 640), np.uint8))
        ...     with PictureFolder(Path(folder)) as source:
        ...         [frame.taken_s for frame in source]
        [0.0, 0.1]

    Raises:
        InputError: It has no pictures, or ``frames.csv`` contradicts the folder.
    """

    live = False

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        table = path / "frames.csv"
        self._pictures = _timed(table) if table.is_file() else _named(path)
        if not self._pictures:
            raise InputError(f"{path}: there are no pictures in this folder (.png or .jpg).")
        self.pictures = len(self._pictures)

    def __iter__(self) -> Iterator[Frame]:
        for path, taken_s in self._pictures:
            yield make_frame(read_gray(path), taken_s)


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
        self._obeys = darker

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
        if self._obeys:
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


def read_gray(path: Path) -> Gray:
    """A picture file as grey.

    Raises:
        InputError: It does not exist, or cannot be read.
    """
    try:
        packed = np.fromfile(path, np.uint8)
    except OSError as error:
        raise InputError(f"{path}: the picture cannot be opened ({error.strerror or 'unreadable'}).") from None
    picture: object = None
    if packed.size:
        hush()
        try:
            head = packed[:64].tobytes()
            check_kind(head)
            if head.startswith(PICTURE_BEGINS):  # other formats are not compressed
                check_picture(packed.tobytes(), MOST_PICTURE_PX)
            picture = imdecode(packed, cv2.IMREAD_GRAYSCALE)
            if (seen_through := on_white(packed)) is not None:
                picture = cv2.cvtColor(seen_through, cv2.COLOR_BGR2GRAY)
        except InputError as wrong:
            if picture_size(packed.tobytes()) is not None or not head.startswith(PICTURE_BEGINS):
                raise InputError(f"{path}: {wrong}.") from None
        except cv2.error:  # too many pixels, or a false header
            picture = None
    if not isinstance(picture, np.ndarray) or not picture.size:
        raise InputError(f"{path}: this is not a picture that can be read, or it is cut off or too large.")
    return np.asarray(picture, np.uint8)


def _named(path: Path) -> list[tuple[Path, float]]:
    """The pictures of a folder, without what lies beside them: folders, and hidden files such as a Mac leaves."""
    files = (
        entry
        for entry in path.iterdir()
        if entry.suffix.lower() in PICTURE_SUFFIXES and not entry.name.startswith(".") and entry.is_file()
    )
    return [(file, number * STEP_S) for number, file in enumerate(sorted(files, key=_counted))]


def _counted(file: Path) -> tuple[list[str | int], str]:
    """Sorts names as people count: ``2.jpg`` comes before ``10.jpg``."""
    # Letters and numbers take turns, so the same places are compared with each other.
    parts = _DIGITS.split(file.name)
    return [int(part) if number % 2 else part for number, part in enumerate(parts)], file.name


_DIGITS = re.compile("([0-9]+)")


def _timed(table: Path) -> list[tuple[Path, float]]:
    """The content of ``frames.csv``: ``name,time_ms``, times never decreasing."""
    try:
        text = table.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{table}: this file cannot be read as text.") from None
    lines = csv.DictReader(io.StringIO(text, newline=""))
    if not {"name", "time_ms"} <= set(lines.fieldnames or ()):
        raise InputError(f"{table} line 1: the columns must be name,time_ms.")
    pictures: list[tuple[Path, float]] = []
    for line in lines:
        where = f"{table} line {lines.line_num}"
        name, time_ms = line["name"] or "", line["time_ms"] or ""
        try:
            taken_s = float(time_ms) / 1000
        except ValueError:
            raise InputError(f"{where}: time_ms must be a number, not {time_ms!r}.") from None
        if not np.isfinite(taken_s) or (pictures and taken_s < pictures[-1][1]):
            raise InputError(f"{where}: time_ms must never go back.")
        file = table.parent / name
        if not name or Path(name).name != name or not file.is_file():
            raise InputError(f"{where}: there is no picture named {name!r} in this folder.")
        pictures.append((file, taken_s))
    return pictures
