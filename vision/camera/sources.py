"""The frame source of a ``--source``: cameras are found by their entry points; folders of pictures."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CompanionError, InputError
from companion.public.entry_points import LoadError, entry_points_of, load, package_of
from companion.public.sources import CAMERAS, PHONE, camera_names, shown_source
from companion.reading.pictures import MOST_PICTURE_PX, PICTURE_BEGINS, check_kind, check_picture, picture_size
from vision.camera.exposure import TwoExposures
from vision.camera.frame import Frame, FrameSource, Gray, OpenedAndClosed, hush, make_frame
from vision.picture_file import imdecode, on_white

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg")
STEP_S = 0.1
"""Time between the pictures of a folder without ``frames.csv``."""


def open_source(text: str, *, darker: bool = True) -> FrameSource:
    """The frame source of a ``--source``: a camera by the name of its kind, such as ``usb:0``, an address, a folder or
    a video.

        >>> open_source("usb:0").name, open_source("http://192.168.1.30:8080/video").name
        ('usb:0', 'http://192.168.1.30:8080')

    Args:
        darker: Whether a camera that can takes a darker picture when it is asked for one.

    Raises:
        InputError: It is none of these, or cannot be read.
    """
    kind, colon, named = text.partition(":")
    door = entry_points_of(CAMERAS).get(kind.lower())
    if door is not None and not (colon and Path(text).exists()):  # a film's name is only a name
        source = _opened(door, named)
        if not darker and isinstance(source, TwoExposures):
            source.darker = False
        return source
    if text == PHONE:
        raise InputError("phone: its pictures come to a running companion alone, by its page /eye.")
    path = Path(text)
    if path.is_dir():
        return PictureFolder(path)
    if path.is_file():
        from vision.camera.film import VideoFile  # FFmpeg takes a tenth of a second to load

        return VideoFile(path)
    raise InputError(
        f"{shown_source(text)}: there is no such folder or film; a camera is named {', '.join(camera_names())}."
    )


def _opened(door: EntryPoint, named: str) -> FrameSource:
    """A camera of this kind, opened by whatever package brings it.

    Raises:
        InputError: It is named wrongly, or its package does not work.
        CameraTrouble: It is not there.
    """
    try:
        found: FrameSource = load(door)(named)
    except Exception as wrong:
        if isinstance(wrong, CompanionError) and not isinstance(wrong, LoadError):
            raise
        why = str(wrong) if isinstance(wrong, LoadError) else f"{type(wrong).__name__}: {wrong}"
        again = f"install {package_of(door)} again, or uninstall it"
        raise InputError(f"{door.name}: this camera does not work ({why}): {again}.") from wrong
    return found


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
