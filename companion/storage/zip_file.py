"""Zips: how ours are written, and how those that come back are read within limits (docs/contract.md, section 10)."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from companion.errors import InputError, shortened

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first date that a zip can hold."""
_OF_A_MAC = ("__MACOSX", ".DS_Store")

MOST_ZIP_BYTES = 200_000_000
"""For a zip, and for everything that is taken out of it."""
MOST_MEMBER_BYTES = 20_000_000
"""For one unpacked file; a picture has 0.2 MB."""
MOST_MEMBERS = 2000
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Other kinds of compression can demand gigabytes of memory with a few bytes."""
MOST_DIRECTORY_BYTES = 1_000_000
"""For a zip's directory."""


def new_member(name: str, *, compressed: bool) -> zipfile.ZipInfo:
    """A member for a zip of ours. Its date is fixed: a file's own, or a clock's, may be one that no zip can hold.

    Args:
        compressed: Whether to compress it; a picture is small already.
    """
    member = zipfile.ZipInfo(name, _EPOCH)
    member.external_attr = 0o644 << 16
    member.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    return member


def own_members(archive: zipfile.ZipFile, mark: str) -> list[tuple[str, zipfile.ZipInfo]]:
    """The files of a zip under the names that the companion gave them.

    Safari unpacks what it downloads, and a Mac's Finder packs it again: with a folder on top, and files of its own.

    Args:
        mark: A file that each such zip has at the top.
    """
    files = [
        (member.filename, member)
        for member in archive.infolist()
        if not member.is_dir()
        and not any(part.startswith("._") or part in _OF_A_MAC for part in member.filename.split("/"))
    ]
    names = {name for name, _ in files}
    tops = {name.partition("/")[0] for name in names}
    top = f"{next(iter(tops))}/" if len(tops) == 1 else ""
    if mark in names or f"{top}{mark}" not in names:
        return files
    return [(name.removeprefix(top), member) for name, member in files]


def read_zip(path: Path, wanted: Callable[[str], bool], mark: str) -> dict[str, bytes]:
    """The wanted files of a zip, by name. Nothing is unpacked to disk, and no name inside it is used as a path.

    Args:
        mark: As for ``own_members``.

    Raises:
        InputError: It is not a zip, is damaged, or holds something that bundles do not contain.
    """
    try:
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            return dict(_members(path, archive, wanted, mark))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except InputError:
        raise
    except (
        zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError, struct.error,
        MemoryError,
    ) as wrong:  # fmt: skip
        raise InputError(f"{path}: this is no bundle, or it is damaged ({wrong}); export it again") from wrong


_END, _LONG_END, _LOCATOR = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")


def list_bytes(file: BinaryIO) -> int:
    """The length of a zip's directory, which Python reads at once when it opens the zip; 0 = it is not a zip."""
    size = file.seek(0, 2)
    begins = max(0, size - _END.size - 0xFFFF - _LOCATOR.size - _LONG_END.size)
    file.seek(begins)
    tail = file.read()
    at = len(tail) - _END.size
    if at < 0 or tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":
        at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + _END.size:
        return 0
    lengths = [_END.unpack_from(tail, at)[5]]
    if tail[max(0, at - _LOCATOR.size) : at].startswith(b"PK\6\7"):  # ZIP64: the numbers are in another record
        for there in (_LOCATOR.unpack_from(tail, at - _LOCATOR.size)[2], begins + at - _LOCATOR.size - _LONG_END.size):
            if 0 <= there <= size - _LONG_END.size:
                file.seek(there)
                lengths.append(_LONG_END.unpack(file.read(_LONG_END.size))[8])
    return int(max(lengths))


def _check_directory(path: Path) -> None:
    """Refuse a bundle whose directory is too long to be read.

    Raises:
        InputError: It is, or the bundle is too large.
    """
    with path.open("rb") as file:
        if file.seek(0, 2) > MOST_ZIP_BYTES:
            raise InputError(f"{path}: holds more than {MOST_ZIP_BYTES // 1_000_000} MB; no bundle does")
        if list_bytes(file) > MOST_DIRECTORY_BYTES:
            raise InputError(f"{path}: lists too many files; a bundle has at most {MOST_MEMBERS}")


def _members(
    path: Path, archive: zipfile.ZipFile, wanted: Callable[[str], bool], mark: str
) -> Iterator[tuple[str, bytes]]:
    listed = archive.infolist()
    names = [member.filename for member in listed]
    if len(names) > MOST_MEMBERS:
        raise InputError(f"{path}: holds {len(names)} files; a bundle has at most {MOST_MEMBERS}")
    for name in names:
        if name.startswith(("/", "\\")) or ":" in name or ".." in re.split(r"[/\\]", name):
            raise InputError(f"{path}: {shortened(repr(name))} leads out of the bundle; no companion made this")
    if len(set(names)) < len(names):
        raise InputError(f"{path}: holds two files of the same name; no companion made this")
    left = MOST_ZIP_BYTES
    for name, member in own_members(archive, mark):
        if not wanted(name):
            continue
        if member.compress_type not in PACKINGS:
            raise InputError(f"{path}: {member.filename} is packed in a way that no bundle is; zip it anew")
        most = min(MOST_MEMBER_BYTES, left)
        with archive.open(member) as opened:  # a header may give a wrong size: never read more than allowed
            content = opened.read(most + 1)
        if len(content) > most:
            raise InputError(f"{path}: {member.filename} is too large for a bundle")
        left -= len(content)
        yield name, content
