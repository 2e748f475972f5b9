"""Restores a backup; commands, pages and the start of a table all use this module.

The backup is read into a folder inside the data folder, is given the codes that are valid now, and is exchanged for the
current files (``companion.storage.exchange``), which are moved aside.
"""

from __future__ import annotations

import datetime
import shutil
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from companion.errors import LogError
from companion.public.text import JSON
from companion.storage.backup import BegunMatch
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.exchange import (
    LOG_PARTS,
    MARK_FILE,
    OUTCOME_FILE,
    begin_exchange,
    begin_start,
    finish_exchange,
    give_back,
    pending_exchange,
)
from companion.storage.folder_lock import FolderLock
from companion.storage.join_codes import HUB_SETTING, kept_host_codes, renew_codes
from companion.storage.log_copy import copy_log
from companion.storage.whole_backup import UNFINISHED, Unpacked, unpack

INCOMING = ".restored-"
"""Name prefix of the folder, in the data folder, in which a backup is unpacked."""

UPDATING = ".update-"
"""Name prefix of the folder, in the data folder, in which a program update is checked."""

DATABASE_BEGINS = b"SQLite format 3\0"
"""The first bytes of every SQLite database (file format, section 1.3)."""


def read_backup(file: Path, opened: BinaryIO, room: Path) -> Unpacked:
    """Read a backup of either kind into an empty folder: everything in one file, or the matches alone.

    Raises:
        InputError: It is not a backup, is damaged, or the disk has no room for it.
        LogError: Its matches cannot be read, or were written by a newer version.
    """
    begins = opened.read(len(DATABASE_BEGINS))
    opened.seek(0)
    return _read_log(file, room) if begins == DATABASE_BEGINS else unpack(file, opened, room)


def _read_log(backup: Path, room: Path) -> Unpacked:
    """Read the rows of a backup of the matches."""
    copy_log(backup, room / LOG_FILE)
    made = datetime.datetime.fromtimestamp(backup.stat().st_mtime).astimezone()
    return Unpacked(room, made.isoformat(" ", timespec="seconds"), LOG_PARTS)


def replace_log(data: Path, backup: Path) -> Path | None:
    """Replace the log by a backup of the matches; returns where the old log is now, ``None`` = there was none.

    Raises:
        LogError: It could not be read, and nothing has changed; or not be moved, and the next start continues.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=INCOMING, dir=data) as room:
            read = _read_log(backup, Path(room))
            begun = begin_exchange(data, read.folder, parts=read.parts)
            finish_exchange(data)
    except LogError:
        raise
    except OSError as wrong:
        raise LogError(f"{backup} cannot be brought back ({wrong})") from wrong
    aside = data / begun.aside / LOG_FILE
    return aside if aside.exists() else None


def finish_restore(folder: Path) -> bool:
    """Finish the unfinished exchange, if any; returns whether players' codes were replaced.

    If both logs share a match, the codes that are valid now stay valid; on another machine the backup's are. A code
    that a host has replaced since the backup never works again: if the current codes cannot be read, new ones are
    drawn.

    Raises:
        LogError: Something could not be moved.
    """
    begun = pending_exchange(folder)
    drawn = False
    if begun is not None and not begun.cleared and begun.keeps_codes:
        database, incoming = folder / LOG_FILE, folder / begun.incoming / LOG_FILE
        codes = _codes(database)
        if incoming.is_file() and (begun.parts == LOG_PARTS or is_same_table(database, incoming)):
            drawn = _keep_codes(incoming, codes)
        elif incoming.is_file() and host_code(incoming) is None and codes.host is not None:
            with closing(EventLog(incoming, witness=False)) as log:
                log.table.set("host", codes.host)
    finish_exchange(folder)
    return drawn


def settle(folder: Path) -> None:
    """Before a companion starts: finish an interrupted restore, and undo a backup that none could start with.

    Raises:
        LogError: Another companion has the folder, or something could not be moved.
    """
    if not any((folder / name).exists() for name in (MARK_FILE, OUTCOME_FILE)):
        return
    with FolderLock(folder):
        finish_restore(folder)
        begin_start(folder)


def give_back_trial(folder: Path, why: str) -> bool:
    """Undo a backup that no companion has started with yet; returns whether there was one.

    Raises:
        LogError: Something could not be moved.
    """
    if not (folder / OUTCOME_FILE).exists():
        return False
    with FolderLock(folder):
        return give_back(folder, why)


def clear_unfinished(folder: Path) -> None:
    """Delete the remains of interrupted backups and updates: they hold every code, and take space."""
    for left in (path for begins in (UNFINISHED, INCOMING, UPDATING) for path in folder.glob(f"{begins}*")):
        shutil.rmtree(left, ignore_errors=True)


# -- codes ---------------------------------------------------------------------------------------


def is_same_table(database: Path, incoming: Path) -> bool:
    """Whether two logs are of the same table: they share a match."""
    return bool(_begun_matches(database) & _begun_matches(incoming))


def host_code(database: Path) -> str | None:
    """The long code of a log's host; ``None`` if it has none."""
    codes = _codes(database).host
    return None if codes is None else codes[0]


@dataclass(frozen=True, slots=True)
class _Codes:
    """The host's long and short code, the hub's setting, and for each match seat, code and short code."""

    host: tuple[str, str] | None = None
    hub: JSON | None = None
    seats: dict[BegunMatch, list[tuple[int, str, str]]] = field(default_factory=dict)


def _codes(database: Path) -> _Codes:
    """The codes in a log; empty if they cannot be read."""
    try:
        with closing(EventLog(database, reading=True, witness=False)) as log:
            seats = {BegunMatch(stored.id, stored.began): log.table.codes(stored.id) for stored in log.matches()}
            return _Codes(kept_host_codes(log), log.table.setting(HUB_SETTING), seats)
    except LogError:
        return _Codes()


def _begun_matches(database: Path) -> set[BegunMatch]:
    return set(_codes(database).seats) if database.is_file() else set()


def _keep_codes(database: Path, codes: _Codes) -> bool:
    """Write the current codes into a log, or new ones if they cannot be read; returns whether players or the
    host get new ones.
    """
    drawn = False
    with closing(EventLog(database, witness=False)) as log:
        for stored in log.matches():
            old = [seat for seat, _, _ in log.table.codes(stored.id)]
            if kept := codes.seats.get(BegunMatch(stored.id, stored.began)):
                log.table.renew_codes(stored.id, kept, {})
            elif old:
                renew_codes(log, stored.id, old, host=False)
                drawn = drawn or not stored.over
        if log.table.setting(HUB_SETTING) != codes.hub:
            log.table.set(HUB_SETTING, codes.hub)
        if codes.host is not None:
            log.table.set("host", codes.host)
        elif kept_host_codes(log) is not None:
            renew_codes(log, None, (), host=True)
            drawn = True
    return drawn
