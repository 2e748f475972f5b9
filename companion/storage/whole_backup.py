"""Everything of a data folder in one file: matches with their codes, decks, settings, zones and pictures."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from companion.errors import InputError, fault
from companion.public.text import JSON
from companion.storage.backup import make_copy
from companion.storage.event_log import LOG_FILE
from companion.storage.exchange import DECK_FOLDER
from companion.storage.settings import SETTINGS_FILE, ZONES_FILE
from companion.storage.snapshots import SNAPSHOT_FOLDER

ABOUT_MEMBER = "backup.json"
FILES, FOLDERS = (SETTINGS_FILE, ZONES_FILE), (DECK_FOLDER, SNAPSHOT_FOLDER)
"""What is kept beside the matches. What only this machine knows (locks, older backups) is not."""
MOST_BYTES = 8_000_000_000
"""So much a backup may hold, unpacked: a card's worth, and no bomb."""
MOST_ABOUT_BYTES = 50_000_000
NO_BACKUP = "{name}: this is no backup of the companion's, or one that was cut off or damaged"


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A backup that was read whole and agrees with its own list.

    Attributes:
        folder: Where it lies now.
        made: Wall clock, as a label.
    """

    folder: Path
    made: str

    @property
    def database(self) -> Path:
        """The matches."""
        return self.folder / LOG_FILE


def write_whole_backup(data: Path, path: Path, about: Mapping[str, JSON]) -> None:
    """Write everything of a data folder into one file, also while a companion plays in it.

    Args:
        path: The file; nobody but its owner can read it, because it holds every code.
        about: What else to say of it: when it was made, by which version.

    Raises:
        InputError: The file cannot be written.
        LogError: The matches cannot be read.
    """
    if path.exists():
        raise InputError(f"{path}: is there already; a backup takes no other file's place")
    fresh = path.with_name(f"{path.name}.part")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        with tempfile.TemporaryDirectory(dir=path.parent) as room, zipfile.ZipFile(fresh, "w") as archive:
            copy = Path(room, LOG_FILE)
            make_copy(data / LOG_FILE, copy)
            listed = {name: _pack(archive, source, name) for name, source in ((LOG_FILE, copy), *_beside(data))}
            archive.writestr(ABOUT_MEMBER, json.dumps({"backup": 1, **about, "files": listed}, indent=1))
        fresh.replace(path)
    except (OSError, sqlite3.Error) as wrong:
        raise InputError(f"{path}: cannot be written ({wrong})") from wrong
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def room_needed(data: Path) -> int:
    """How many bytes writing a backup takes at most while it is made: the file, and a copy of the matches."""
    beside = sum(path.stat().st_size for _, path in _beside(data))
    matches = sum(path.stat().st_size for path in data.glob(f"{LOG_FILE}*"))
    return beside + 2 * matches


def is_whole_backup(path: Path) -> bool:
    """Whether a file is one of these, by what is in it."""
    try:
        with zipfile.ZipFile(path) as archive:
            return ABOUT_MEMBER in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def unpack(path: Path, opened: BinaryIO, room: Path, *, spare_bytes: int = 0) -> Unpacked:
    """Read a backup into an empty folder, and see that nothing of it is missing or changed.

    Args:
        path: What to call it.
        spare_bytes: So much must stay free on the disk.

    Raises:
        InputError: It is no such backup, it is damaged, or the disk has no room for it.
    """
    name = str(path)
    try:
        with zipfile.ZipFile(opened) as archive:
            if archive.getinfo(ABOUT_MEMBER).file_size > MOST_ABOUT_BYTES:
                raise InputError(fault("restore.fault.none", NO_BACKUP, name=name))
            about = json.loads(archive.read(ABOUT_MEMBER))
            listed = about.get("files") if isinstance(about, dict) else None
            if not isinstance(listed, dict) or about.get("backup") != 1 or LOG_FILE not in listed:
                what = "{name}: this is no backup that this version of the companion can read"
                raise InputError(fault("restore.fault.version", what, name=name))
            size = sum(archive.getinfo(one).file_size for one in listed)
            if size > MOST_BYTES:
                what = "{name}: it holds more than {n} GB"
                raise InputError(fault("restore.fault.large", what, name=name, n=MOST_BYTES // 10**9))
            if shutil.disk_usage(room).free < size + spare_bytes:
                what = "{name}: it needs {n} MB for a while, and the disk has not so much to spare"
                raise InputError(fault("restore.fault.room", what, name=name, n=max(1, size // 10**6)))
            for member, digest in listed.items():
                if not _is_ours(member):
                    what = "{name}: it holds {part}, which no backup has; nothing was changed"
                    raise InputError(fault("restore.fault.foreign", what, name=name, part=member))
                there = room / member
                there.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with archive.open(member) as packed, there.open("xb") as plain:
                    shutil.copyfileobj(packed, plain)
                if _digest(there) != digest:
                    what = "{name}: {part} in it is damaged; nothing was changed"
                    raise InputError(fault("restore.fault.damaged", what, name=name, part=member))
    except InputError:
        raise
    except (ValueError, KeyError, zipfile.BadZipFile, zlib.error) as wrong:
        raise InputError(fault("restore.fault.none", NO_BACKUP, name=name)) from wrong
    except (OSError, RuntimeError, NotImplementedError) as wrong:
        what = "{name}: cannot be read ({why}); nothing was changed"
        raise InputError(fault("restore.fault.unread", what, name=name, why=str(wrong))) from wrong
    return Unpacked(room, str(about.get("made", "")))


def check_database(path: Path, name: str) -> None:
    """See that SQLite finds nothing wrong in the matches of a backup.

    Args:
        name: What to call the backup.

    Raises:
        InputError: It does.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            (answer,) = connection.execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as wrong:
        answer = str(wrong)
    if answer != "ok":
        what = "{name}: {part} in it is damaged; nothing was changed"
        raise InputError(fault("restore.fault.damaged", what, name=name, part=LOG_FILE))


def _beside(data: Path) -> Iterator[tuple[str, Path]]:
    for name in FILES:
        if (data / name).is_file():
            yield name, data / name
    for folder in FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            name = path.relative_to(data).as_posix()
            if path.is_file() and not path.is_symlink() and _is_ours(name):
                yield name, path


def _is_ours(name: str) -> bool:
    parts = PurePosixPath(name).parts
    if name in (LOG_FILE, *FILES):
        return True
    plain = all(part not in ("", ".", "..") and not part.startswith(".") and "\\" not in part for part in parts)
    return plain and name.isprintable() and 2 <= len(parts) <= 5 and parts[0] in FOLDERS and "/".join(parts) == name


def _pack(archive: zipfile.ZipFile, source: Path, name: str) -> str:
    packed = name.endswith(".jpg")
    archive.write(source, name, zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED)
    return _digest(source)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
