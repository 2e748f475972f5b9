"""A recording as the page gives it away: one zip file, unpacked into a folder before its pictures are looked at."""

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
"""Of all that is unpacked; a minute of PNG has some 2 GB, and a ring keeps more."""
MOST_FILES = 100_000
"""Three hours of ten pictures a second."""
MOST_LIST_BYTES = 20_000_000
"""Of the zip's list of contents, which is read as a whole."""
MOST_PICTURE_BYTES = 100_000_000
SPARE_BYTES = 100_000_000
"""So much stays free on the disk that a recording is unpacked to."""
PIECE_BYTES = 1 << 20
PICTURE = re.compile(r"[0-9A-Za-z_-]{1,60}\.(png|jpg)")
DAMAGED = (
    OSError, ValueError, KeyError, EOFError, OverflowError, MemoryError, RuntimeError, NotImplementedError,
    zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
"""What comes of reading a zip that is torn, or was never one."""


def is_recording(path: Path, wanted: str) -> bool:
    """Whether a file is the zip of a recording: one with this file and the times of pictures in one folder.

    Raises:
        InputError: Its list of contents is too long to be read.
    """
    try:
        _check_list(path)
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except DAMAGED:
        return False
    return any(f"{folder}/{wanted}" in names for folder in _folders(names))


def unpack_recording(path: Path, room: Path, beside: tuple[str, ...]) -> Path:
    """Unpack the zip of a recording into an empty folder; what else is in it stays there. Where the recording is now.

    Args:
        beside: What a recording has beside its pictures and their times; all of them are texts.

    Raises:
        InputError: It is no recording, is damaged, holds too much, or the disk has no room for it.
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
    """The folders with the times of pictures: one in each recording."""
    return sorted(name.removesuffix(f"/{TIMES_FILE}") for name in names if name.endswith(f"/{TIMES_FILE}"))


def _members(path: Path, archive: zipfile.ZipFile, beside: tuple[str, ...]) -> dict[str, zipfile.ZipInfo]:
    """The files of the recording by their plain names; no name in the zip leads anywhere else."""
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
    """Unpack a file that has the size that the list of contents says: a list may lie."""
    left = size
    while piece := packed.read(PIECE_BYTES):
        left -= len(piece)
        if left < 0:
            raise InputError(f"{what} is larger than the zip says; no companion made this")
        plain.write(piece)


def _check_list(path: Path) -> None:
    """Refuse a zip whose list of contents is too long to be read."""
    with path.open("rb") as file:
        if list_bytes(file) > MOST_LIST_BYTES:
            raise InputError(f"{path}: it lists too many files; a recording has at most {MOST_FILES}")
