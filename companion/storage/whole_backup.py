"""A full backup in one file: matches with their codes, decks, settings, zones and pictures."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import threading
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from companion.errors import InputError, fault
from companion.games.registry import NoGame, open_match
from companion.public.text import JSON
from companion.reading.text import check_holders
from companion.storage.backup import make_copy
from companion.storage.event_log import LOG_FILE, open_log
from companion.storage.exchange import DECK_FOLDER, EXCHANGED
from companion.storage.log_copy import DamagedLog, copy_log
from companion.storage.record_file import is_secret
from companion.storage.settings import SETTINGS_FILE, ZONES_FILE
from companion.storage.snapshots import SNAPSHOT_FOLDER
from companion.storage.zip_file import PACKINGS, list_bytes, new_member, own_members
from companion.version import __version__

UNFINISHED = ".backup-"
"""Name prefix of the folder, in the data folder, in which a backup for download is made."""
SPARE_BYTES = 200_000_000
"""This much stays free on the disk, for the match in play."""
_one_at_a_time = threading.Lock()

ABOUT_MEMBER = "backup.json"
FILES, FOLDERS = (SETTINGS_FILE, ZONES_FILE), (DECK_FOLDER, SNAPSHOT_FOLDER)
"""What is saved besides the matches. What concerns this machine only (locks, older backups) is not."""
MOST_BYTES = 8_000_000_000
"""For the unpacked content: as much as a card holds, and a limit for zip bombs."""
MOST_FILES = 50_000
"""A full album has some thousand pictures."""
MOST_ABOUT_BYTES = 10_000_000
"""For the list of files with their hashes, and for the zip's own directory."""
MOST_MATCHES_BYTES = 4_000_000_000
MOST_TEXT_BYTES = 1_000_000
MOST_PICTURE_BYTES = 20_000_000
MOST_OTHER_BYTES = 200_000_000
"""For other files that people have put into these folders."""
NO_BACKUP = "{name}: this is no backup of the companion's, or one that was cut off or damaged"


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A backup that was read completely and agrees with its own list.

    Attributes:
        folder: Where it is now, its files named as in a data folder.
        made: Wall clock, as a label.
        parts: The parts of the data folder that it replaces.
    """

    folder: Path
    made: str
    parts: tuple[str, ...] = EXCHANGED

    @property
    def database(self) -> Path:
        return self.folder / LOG_FILE


def open_backup(data: Path) -> BinaryIO:
    """A full backup of a data folder, opened; its file is deleted when it is closed.

    It is made on the same disk as the matches. A full disk would stop the match in play, so there must be room for
    both.

    Raises:
        InputError: As ``write_backup``, or the disk has no room for it.
        LogError: As ``write_backup``.
    """
    with _one_at_a_time:
        needed = room_needed(data)
        if shutil.disk_usage(data).free < needed + SPARE_BYTES:
            sentence = "a backup needs {n} MB for a while, and the disk has not so much to spare"
            raise InputError(fault("backup.fault.room", sentence, n=max(1, needed // 1_000_000)))
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=data) as room:
            write_backup(data, Path(room, "all.zip"))
            return Path(room, "all.zip").open("rb")


def write_backup(data: Path, path: Path) -> None:
    """Write everything in a data folder into one file; a companion may be playing in it.

    Args:
        path: Only its owner can read it, because it holds every code.

    Raises:
        InputError: The file cannot be written, or a silent match is in play, whose secrets it would reveal.
        LogError: The matches cannot be read.
    """
    with open_log(data, reading=True) as log:
        for stored in log.each_match():
            if stored.over or not stored.readable:
                continue
            try:
                game = open_match(stored.header["match"], stored.header["deck"]).game
            except NoGame:  # what cannot be played here has no secrets from those who play
                continue
            if is_secret(log, stored, game):
                what = "{match} is a silent match in play: make the backup when it is over"
                raise InputError(fault("backup.fault.silent", what, match=stored.id))
    made = datetime.datetime.now().astimezone().isoformat(" ", timespec="seconds")
    about = {"backup": 1, "made": made, "version": __version__}
    if path.exists():
        raise InputError(f"{path}: is there already; name another file, for a backup takes no other's place")
    fresh = path.with_name(f"{path.name}.part")
    try:
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        with tempfile.TemporaryDirectory(dir=path.parent) as room, zipfile.ZipFile(fresh, "w") as archive:
            copy = Path(room, LOG_FILE)
            make_copy(data / LOG_FILE, copy)
            listed = {name: _pack(archive, source, name) for name, source in ((LOG_FILE, copy), *_beside(data))}
            about_member = new_member(ABOUT_MEMBER, compressed=False)
            archive.writestr(about_member, json.dumps({**about, "files": listed}, indent=1))
        fresh.replace(path)
    except (OSError, sqlite3.Error) as wrong:
        raise InputError(f"{path}: cannot be written ({wrong})") from wrong
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def room_needed(data: Path) -> int:
    """The most disk space in bytes that making a backup takes: the file, and a copy of the matches."""
    beside = sum(path.stat().st_size for _, path in _beside(data))
    matches = sum(path.stat().st_size for path in data.glob(f"{LOG_FILE}*"))
    return beside + 2 * matches


def unpack(path: Path, opened: BinaryIO, room: Path, *, spare_bytes: int = 0) -> Unpacked:
    """Read a backup into an empty folder, and check that nothing is missing or changed.

    A stranger may have made it: the size of each file is limited by its kind before it is read, and only the rows of
    the matches are taken, into tables made here.

    Args:
        path: The name to use in messages.
        spare_bytes: This much must stay free on the disk.

    Raises:
        InputError: It is not a backup, is damaged, or the disk has no room for it.
        LogError: Its matches were written by a newer version.
    """
    name = str(path)
    try:
        if list_bytes(opened) > MOST_ABOUT_BYTES:
            raise _too_many(name)
        with zipfile.ZipFile(opened) as archive:
            ours = own_members(archive, ABOUT_MEMBER)
            if len(ours) > MOST_FILES + 1:
                raise _too_many(name)
            there = {_composed(one): member for one, member in ours}
            about = _about(name, archive, there[ABOUT_MEMBER])
            listed: Mapping[str, JSON] = about["files"]
            members = {one: there[_composed(one)] for one in listed}
            for one, member in members.items():
                if not _is_ours(one):
                    what = "{name}: it holds {part}, which no backup has; nothing was changed"
                    raise InputError(fault("restore.fault.foreign", what, name=name, part=one))
                if member.file_size > _most_bytes(one) or member.compress_type not in PACKINGS:
                    what = "{name}: {part} in it is larger than the companion writes it; nothing was changed"
                    raise InputError(fault("restore.fault.part", what, name=name, part=one))
            size = sum(member.file_size for member in members.values())
            if size > MOST_BYTES:
                what = "{name}: it holds more than {n} GB"
                raise InputError(fault("restore.fault.large", what, name=name, n=MOST_BYTES // 10**9))
            # For a while there are two copies of the matches.
            if shutil.disk_usage(room).free < size + members[LOG_FILE].file_size + spare_bytes:
                what = "{name}: it needs {n} MB for a while, and the disk has not so much to spare"
                raise InputError(fault("restore.fault.room", what, name=name, n=max(1, size // 10**6)))
            for one, digest in listed.items():
                target = room / one
                target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with archive.open(members[one]) as packed, target.open("xb") as plain:
                    shutil.copyfileobj(packed, plain)
                if _digest(target) != digest:
                    raise _damaged(name, one)
    except InputError:
        raise
    except (ValueError, KeyError, zipfile.BadZipFile, zlib.error) as wrong:
        raise InputError(fault("restore.fault.none", NO_BACKUP, name=name)) from wrong
    except (OSError, RuntimeError, NotImplementedError) as wrong:
        what = "{name}: cannot be read ({why}); nothing was changed"
        raise InputError(fault("restore.fault.unread", what, name=name, why=str(wrong))) from wrong
    _take_rows(room / LOG_FILE, name)
    return Unpacked(room, str(about.get("made", "")))


def _composed(name: str) -> str:
    """A file's name with each accent in one sign with its letter: a Mac takes them apart."""
    return unicodedata.normalize("NFC", name)


def _about(name: str, archive: zipfile.ZipFile, listing: zipfile.ZipInfo) -> JSON:
    if listing.file_size > MOST_ABOUT_BYTES or listing.compress_type not in PACKINGS:
        raise InputError(fault("restore.fault.none", NO_BACKUP, name=name))
    text = archive.read(listing).decode()
    check_holders(text)
    about = json.loads(text)
    listed = about.get("files") if isinstance(about, dict) else None
    if not isinstance(listed, dict) or about.get("backup") != 1 or LOG_FILE not in listed:
        what = "{name}: this is no backup that this version of the companion can read"
        raise InputError(fault("restore.fault.version", what, name=name))
    return about


def _take_rows(database: Path, name: str) -> None:
    """Replace the database by a copy of its rows, without anything else that an SQLite file may contain."""
    theirs = database.with_suffix(".theirs")
    database.rename(theirs)
    try:
        copy_log(theirs, database)
    except DamagedLog as wrong:
        raise _damaged(name, LOG_FILE) from wrong
    theirs.unlink()


def _damaged(name: str, part: str) -> InputError:
    what = "{name}: {part} in it is damaged; nothing was changed"
    return InputError(fault("restore.fault.damaged", what, name=name, part=part))


def _too_many(name: str) -> InputError:
    what = "{name}: it holds more than {n} files, as no backup does; nothing was changed"
    return InputError(fault("restore.fault.many", what, name=name, n=MOST_FILES))


def _most_bytes(name: str) -> int:
    """The most bytes that a file of a backup may have, by its kind."""
    if name == LOG_FILE:
        return MOST_MATCHES_BYTES
    kinds = {".toml": MOST_TEXT_BYTES, ".jpg": MOST_PICTURE_BYTES}
    return kinds.get(PurePosixPath(name).suffix, MOST_OTHER_BYTES)


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
    if source.stat().st_size > (most := _most_bytes(name)):
        raise InputError(f"{source}: holds more than {most // 1_000_000} MB, too much for a backup: move it away")
    member = new_member(name, compressed=not name.endswith(".jpg"))
    member.file_size = source.stat().st_size  # says whether the zip needs its long form
    with source.open("rb") as plain, archive.open(member, "w") as written:
        shutil.copyfileobj(plain, written)
    return _digest(source)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
