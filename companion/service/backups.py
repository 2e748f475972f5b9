"""A backup of everything in a data folder, and what a start does with one that was brought back."""

from __future__ import annotations

import datetime
import shutil
import tempfile
import threading
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, TypeAlias

from companion.errors import InputError, LogError, fault
from companion.games.registry import open_match
from companion.public.text import JSON
from companion.service.join_codes import HUB_SETTING, kept_host_codes, renew_codes
from companion.storage.event_log import LOG_FILE, EventLog, open_log
from companion.storage.exchange import (
    GIVEN_BACK,
    MARK_FILE,
    OUTCOME_FILE,
    begin_start,
    finish_exchange,
    give_back,
    pending_exchange,
)
from companion.storage.folder_lock import FolderLock
from companion.storage.record_file import is_secret
from companion.storage.whole_backup import room_needed, write_whole_backup
from companion.version import __version__

UNFINISHED = ".backup-"
"""How the folder begins, in the data folder, in which a backup is made that somebody downloads."""

INCOMING = ".restored-"
"""How the folder begins, in the data folder, in which a backup is unpacked."""

UPDATING = ".update-"
"""How the folder begins, in the data folder, in which an update of the program is looked at."""

SPARE_BYTES = 200_000_000
"""So much stays free on the disk, for the match that is played."""

_one_at_a_time = threading.Lock()

_Codes: TypeAlias = tuple[tuple[str, str] | None, JSON | None, dict[tuple[str, str], list[tuple[int, str, str]]]]
"""The host's, and by match seat, code and short code."""


def write_backup(folder: Path, file: Path) -> None:
    """Write everything of a data folder into one file.

    Raises:
        InputError: The file cannot be written, or a silent match is in play, which it would give away.
        LogError: The matches cannot be read.
    """
    with open_log(folder, reading=True) as log:
        for stored in log.matches():
            if stored.over or not stored.readable:
                continue
            if is_secret(log, stored, open_match(stored.header["match"], stored.header["deck"]).game):
                what = "{match} is a silent match in play: make the backup when it is over"
                raise InputError(fault("backup.fault.silent", what, match=stored.id))
    made = datetime.datetime.now().astimezone().isoformat(" ", timespec="seconds")
    write_whole_backup(folder, file, {"made": made, "version": __version__})


def open_backup(folder: Path) -> BinaryIO:
    """A backup of everything in a data folder, opened; its file is gone when it is closed.

    It is made beside the matches. A disk that it fills would take no entry of the match that is played, so there must
    be room for both.

    Raises:
        InputError: As ``write_backup``, or the disk has no room for it.
        LogError: As ``write_backup``.
    """
    with _one_at_a_time:
        needed = room_needed(folder)
        if shutil.disk_usage(folder).free < needed + SPARE_BYTES:
            sentence = "a backup needs {n} MB for a while, and the disk has not so much to spare"
            raise InputError(fault("backup.fault.room", sentence, n=max(1, needed // 1_000_000)))
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as room:
            write_backup(folder, Path(room, "all.zip"))
            return Path(room, "all.zip").open("rb")


def clear_unfinished_backups(folder: Path) -> None:
    """Delete what is left of backups during which the plug was pulled: they hold every code, and take room."""
    for left in (path for begins in (UNFINISHED, INCOMING, UPDATING) for path in folder.glob(f"{begins}*")):
        shutil.rmtree(left, ignore_errors=True)


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


def finish_restore(folder: Path) -> bool:
    """Finish the exchange that was begun, if one was; whether new codes were drawn for who plays.

    Where the same matches are, the codes that hold now go on holding; on another machine the backup's do.

    Raises:
        LogError: Something could not be moved.
    """
    begun = pending_exchange(folder)
    drawn = False
    if begun is not None and not begun.cleared and begun.becomes != GIVEN_BACK:
        database, incoming = folder / LOG_FILE, folder / begun.incoming / LOG_FILE
        if incoming.is_file() and keeps_codes(database, incoming):
            drawn = keep_codes(incoming, codes_of(database))
        elif incoming.is_file() and host_code(incoming) is None:
            _keep_host(incoming, codes_of(database)[0])
    finish_exchange(folder)
    return drawn


def keeps_codes(database: Path, incoming: Path) -> bool:
    """Whether two logs are of the same table: they have a match in common."""
    return bool(_begun_matches(database) & _begun_matches(incoming))


def host_code(database: Path) -> str | None:
    """The long code of a log's host; ``None`` = it has none."""
    codes = codes_of(database)[0]
    return None if codes is None else codes[0]


def _keep_host(database: Path, codes: tuple[str, str] | None) -> None:

    if codes is not None:
        with closing(EventLog(database, witness=False)) as log:
            log.set("host", codes)


def _begun_matches(database: Path) -> set[tuple[str, str]]:

    if not database.is_file():
        return set()
    try:
        with closing(EventLog(database, reading=True, witness=False)) as log:
            return {(stored.id, stored.began) for stored in log.matches()}
    except LogError:
        return set()


def codes_of(database: Path) -> _Codes:
    """The host's codes that hold now, the hub's, and each match's; nothing of what cannot be read."""
    try:
        with closing(EventLog(database, reading=True, witness=False)) as log:
            return (
                kept_host_codes(log),
                log.setting(HUB_SETTING),
                {(stored.id, stored.began): log.invitations(stored.id) for stored in log.matches()},
            )
    except LogError:
        return None, None, {}


def keep_codes(database: Path, codes: _Codes) -> bool:
    """What a host has replaced since the backup must open nothing again; whether new ones were drawn, for who plays."""
    host, hub, seats = codes
    drawn = False
    with closing(EventLog(database, witness=False)) as log:
        for stored in log.matches():
            old = [seat for seat, _, _ in log.invitations(stored.id)]
            if kept := seats.get((stored.id, stored.began)):
                log.renew_codes(stored.id, kept, {})
            elif old:
                renew_codes(log, stored.id, old, host=False)
                drawn = drawn or not stored.over
        if log.setting(HUB_SETTING) != hub:
            log.set(HUB_SETTING, hub)
        if host is not None:
            log.set("host", host)
        elif kept_host_codes(log) is not None:
            renew_codes(log, None, (), host=True)
            drawn = True
    return drawn
