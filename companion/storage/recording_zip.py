"""A recording as it is downloaded from the page: a zip, unpacked into a folder before its pictures are read."""

from __future__ import annotations

import re
import shutil
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from companion.errors import InputError
from companion.reading.frame_times import TIMES_FILE
from companion.reading.text import MOST_RECORD_BYTES
from companion.storage.zip_file import PACKINGS, list_bytes

MOST_BYTES = 32_000_000_000
"""For everything unpacked; a minute of PNG has some 2 GB, and a ring keeps more."""
MOST_FILES = 100_000
"""Three hours of ten pictures a second."""
MOST_LIST_BYTES = 20_000_000
"""For the zip's directory, which is read at once."""
MOST_PICTURE_BYTES = 100_000_000
SPARE_BYTES = 100_000_000
"""This much must stay free on the disk that a recording is unpacked to."""
PIECE_BYTES = 1 << 20
PICTURE = re.compile(r"[0-9A-Za-z_-]{1,60}\.(png|jpg)")
DAMAGED = (
    OSError, ValueError, KeyError, EOFError, OverflowError, MemoryError, RuntimeError, NotImplementedError,
    zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
"""What reading a damaged zip, or another kind of file, may raise."""


def is_recording(path: Path, wanted: str) -> bool:
    """Whether a file is the zip of a recording: one folder holds the file ``wanted`` and the times of pictures.

    Raises:
        InputError: Its directory is too long to be read.
    """
    try:
        _check_list(path)
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except DAMAGED:
        return False
    return any(f"{folder}/{wanted}" in names for folder in _folders(names))


def unpack_recording(path: Path, room: Path, beside: tuple[str, ...]) -> Path:
    """Unpack a recording's files from a zip into an empty folder; returns the recording's folder.

    Args:
        beside: The text files that a recording has besides its pictures and their times.

    Raises:
        InputError: It is not a recording, is damaged, holds too much, or the disk has no room for it.
    """
    try:
        _check_list(path)
        with zipfile.ZipFile(path) as archive:
            members = _members(path, archive, beside)
            total = sum(member.file_size for member in members.values())
            if total > MOST_BYTES:
                raise InputError(f"{path}: it holds more than {MOST_BYTES // 10**9} GB; record fewer minutes")
            if total + SPARE_BYTES > shutil.disk_usage(room).free:
                raise InputError(f"{path}: it needs {total // 10**6 + 1} MB in {room.parent}; make room there")
            for name, member in members.items():
                with archive.open(member) as packed, (room / name).open("xb") as plain:
                    _copy(packed, plain, member.file_size, f"{path}: {name}")
    except DAMAGED as wrong:
        raise InputError(f"{path}: this zip cannot be unpacked ({wrong}); download it again") from wrong
    return room


def _folders(names: set[str]) -> list[str]:
    """The folders with the times of pictures; each recording has one."""
    return sorted(name.removesuffix(f"/{TIMES_FILE}") for name in names if name.endswith(f"/{TIMES_FILE}"))


def _members(path: Path, archive: zipfile.ZipFile, beside: tuple[str, ...]) -> dict[str, zipfile.ZipInfo]:
    """The recording's files by plain name; no path from the zip is used."""
    listed = archive.infolist()
    if len(listed) > MOST_FILES:
        raise InputError(f"{path}: it holds {len(listed)} files; a recording has at most {MOST_FILES}")
    folders = _folders({member.filename for member in listed})
    if len(folders) != 1:
        raise InputError(f"{path}: this is no recording of the companion's: it has {len(folders)} files {TIMES_FILE}")
    members: dict[str, zipfile.ZipInfo] = {}
    for member in listed:
        at = PurePosixPath(member.filename)
        is_text = at.name == TIMES_FILE or at.name in beside
        if str(at) != f"{folders[0]}/{at.name}" or not (is_text or PICTURE.fullmatch(at.name)):
            continue
        if at.name in members:
            raise InputError(f"{path}: it holds {at.name} twice; no companion made this")
        if member.compress_type not in PACKINGS:
            raise InputError(
                f"{path}: {at.name} in it is packed in a way that the companion does not read; zip it anew"
            )
        if member.file_size > (MOST_RECORD_BYTES if is_text else MOST_PICTURE_BYTES):
            raise InputError(f"{path}: {at.name} in it is too large for a recording")
        members[at.name] = member
    return members


def _copy(packed: IO[bytes], plain: IO[bytes], size: int, what: str) -> None:
    """Unpack a file of the size that the zip's directory gives; the directory may be wrong."""
    left = size
    while piece := packed.read(PIECE_BYTES):
        left -= len(piece)
        if left < 0:
            raise InputError(f"{what} is larger than the zip says; no companion made this")
        plain.write(piece)


def _check_list(path: Path) -> None:
    """Refuse a zip whose directory is too long to be read."""
    with path.open("rb") as file:
        if list_bytes(file) > MOST_LIST_BYTES:
            raise InputError(f"{path}: it lists too many files; a recording has at most {MOST_FILES}")
