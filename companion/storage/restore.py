"""A backup is brought back: the one way, whether a command, a page or the start of a table asks for it.

What comes is read whole into a folder inside the data folder, gets the codes that hold now, and is exchanged for what
is there (``companion.storage.exchange``), which goes aside.
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
"""How the folder begins, in the data folder, in which a backup is unpacked."""

UPDATING = ".update-"
"""How the folder begins, in the data folder, in which an update of the program is looked at."""

DATABASE_BEGINS = b"SQLite format 3\0"
"""The first bytes of every database file of SQLite (its file format, section 1.3)."""


def read_backup(file: Path, opened: BinaryIO, room: Path) -> Unpacked:
    """Read a backup of either kind into an empty folder: everything in one file, or the matches alone.

    Raises:
        InputError: It is no backup, it is damaged, or the disk has no room for it.
        LogError: Its matches cannot be read, or are those of a newer companion.
    """
    begins = opened.read(len(DATABASE_BEGINS))
    opened.seek(0)
    return _read_log(file, room) if begins == DATABASE_BEGINS else unpack(file, opened, room)


def _read_log(backup: Path, room: Path) -> Unpacked:
    """What the rows of a backup of the matches say."""
    copy_log(backup, room / LOG_FILE)
    made = datetime.datetime.fromtimestamp(backup.stat().st_mtime).astimezone()
    return Unpacked(room, made.isoformat(" ", timespec="seconds"), LOG_PARTS)


def replace_log(data: Path, backup: Path) -> Path | None:
    """Put a backup of the matches in the log's place as it is; where the log lies now, ``None`` = there was none.

    Raises:
        LogError: It could not be read, and nothing has changed; or moved, and the next start goes on.
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
    """Finish the exchange that was begun, if one was; whether new codes were drawn for who plays.

    Where the same matches are, the codes that hold now go on holding; on another machine the backup's do. What a host
    has replaced since the backup opens nothing again: where the codes that hold cannot be read, new ones are drawn.

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
    """Before a companion starts: finish what was begun with a backup, and give one back that none could start with.

    Raises:
        LogError: Another companion has the folder, or something could not be moved.
    """
    if not any((folder / name).exists() for name in (MARK_FILE, OUTCOME_FILE)):
        return
    with FolderLock(folder):
        finish_restore(folder)
        begin_start(folder)


def give_back_trial(folder: Path, why: str) -> bool:
    """Bring back what was there before a backup with which no companion has started yet; whether there was one.

    Raises:
        LogError: Something could not be moved.
    """
    if not (folder / OUTCOME_FILE).exists():
        return False
    with FolderLock(folder):
        return give_back(folder, why)


def clear_unfinished(folder: Path) -> None:
    """Delete what is left of backups and updates during which the plug was pulled: they hold every code, and take
    room."""
    for left in (path for begins in (UNFINISHED, INCOMING, UPDATING) for path in folder.glob(f"{begins}*")):
        shutil.rmtree(left, ignore_errors=True)


# -- codes ---------------------------------------------------------------------------------------


def is_same_table(database: Path, incoming: Path) -> bool:
    """Whether two logs are of the same table: they have a match in common."""
    return bool(_begun_matches(database) & _begun_matches(incoming))


def host_code(database: Path) -> str | None:
    """The long code of a log's host; ``None`` = it has none."""
    codes = _codes(database).host
    return None if codes is None else codes[0]


@dataclass(frozen=True, slots=True)
class _Codes:
    """The host's long and short code, what a hub shows, and by match seat, code and short code."""

    host: tuple[str, str] | None = None
    hub: JSON | None = None
    seats: dict[BegunMatch, list[tuple[int, str, str]]] = field(default_factory=dict)


def _codes(database: Path) -> _Codes:
    """The codes that hold now; none where they cannot be read."""
    try:
        with closing(EventLog(database, reading=True, witness=False)) as log:
            seats = {BegunMatch(stored.id, stored.began): log.table.codes(stored.id) for stored in log.matches()}
            return _Codes(kept_host_codes(log), log.table.setting(HUB_SETTING), seats)
    except LogError:
        return _Codes()


def _begun_matches(database: Path) -> set[BegunMatch]:
    return set(_codes(database).seats) if database.is_file() else set()


def _keep_codes(database: Path, codes: _Codes) -> bool:
    """Put the codes that hold now into a log, and new ones where they cannot be read; whether somebody who plays, or
    the host, gets new ones."""
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
