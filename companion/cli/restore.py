"""``companion backup`` and ``restore``: everything in one file; the backups listed, or one brought back."""

from __future__ import annotations

import argparse
import datetime
import shutil
import tempfile
import threading
from contextlib import ExitStack, closing
from pathlib import Path
from typing import BinaryIO, TypeAlias

from companion.cli.output import DONE, become_owner, data_folder, say
from companion.cli.progress import ProgressLine
from companion.errors import InputError, LogError, fault
from companion.public.text import JSON
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

DATABASE_BEGINS = b"SQLite format 3\0"
"""The first bytes of every database file of SQLite (its file format, section 1.3)."""

_Codes: TypeAlias = tuple[tuple[str, str] | None, JSON | None, dict[tuple[str, str], list[tuple[int, str, str]]]]
"""The host's, and by match seat, code and short code."""


def restore(arguments: argparse.Namespace) -> int:
    """List the backups with what each would change; with a file, bring that one back."""
    from companion.storage.backup import backup_folders, backups, bring_back, difference, take_rows
    from companion.storage.event_log import LOG_FILE
    from companion.storage.folder_lock import FolderLock
    from companion.storage.settings import read_settings
    from companion.storage.whole_backup import is_whole_backup

    folder = data_folder(arguments.data)
    database = folder / LOG_FILE
    if arguments.file is None:
        kept = [path for place in backup_folders(folder, read_settings(folder)) for path in backups(place)]
        for path in kept:
            made = datetime.datetime.fromtimestamp(path.stat().st_mtime).astimezone()
            say(f"{path}  {made.isoformat(' ', timespec='seconds')}")
            try:
                _say_difference(list(difference(database, path).lines()))
            except LogError as wrong:
                say(f"  cannot be used: {wrong}")
        if not kept:
            say(f"there is no backup of {folder}")
        return DONE
    file: Path = arguments.file
    if not file.is_file():
        raise LogError(f"{file}: there is no such backup; `companion restore` lists them")
    if is_whole_backup(file):
        return _restore_everything(file, folder, dry_run=arguments.dry_run)
    with file.open("rb") as opened:
        if opened.read(len(DATABASE_BEGINS)) != DATABASE_BEGINS:
            raise InputError(f"{file}: this is no backup of the companion's, or one that was cut off or damaged")
    with FolderLock(folder), tempfile.TemporaryDirectory(prefix=INCOMING, dir=folder) as room:
        copy = Path(room, LOG_FILE)
        take_rows(file, copy)
        _say_difference(list(difference(database, copy).lines()))
        if arguments.dry_run:
            return DONE
        codes = _codes(database)
        aside = bring_back(database, copy)
        drawn = _keep_codes(database, codes)
    say(f"{file} was brought back" + (f"; what was there lies in {aside}" if aside is not None else ""))
    if drawn:
        say("new codes were drawn, because those that held last could not be read: phones join again")
    return DONE


def backup(arguments: argparse.Namespace) -> int:
    """Everything of a data folder in one file."""
    from companion.storage.event_log import LOG_FILE

    folder = data_folder(arguments.data)
    if not (folder / LOG_FILE).is_file():
        raise InputError(f"{folder}: there are no matches here to back up; --data names another folder")
    with ProgressLine(f"Packing {folder}"):
        write_backup(folder, arguments.file)
    codes = "with every code: whoever has it can be host. Keep it to yourself."
    say(f"{arguments.file} holds everything of {folder}, {codes}")
    return DONE


def write_backup(folder: Path, file: Path) -> None:
    """Write everything of a data folder into one file.

    Raises:
        InputError: The file cannot be written, or a silent match is in play, which it would give away.
        LogError: The matches cannot be read.
    """
    from companion.games.registry import open_match
    from companion.storage.event_log import open_log
    from companion.storage.record_file import is_secret
    from companion.storage.whole_backup import write_whole_backup

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
    from companion.storage.whole_backup import room_needed

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
    from companion.storage.exchange import MARK_FILE, OUTCOME_FILE, begin_start
    from companion.storage.folder_lock import FolderLock

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
    from companion.storage.exchange import OUTCOME_FILE, give_back
    from companion.storage.folder_lock import FolderLock

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
    from companion.storage.event_log import LOG_FILE
    from companion.storage.exchange import GIVEN_BACK, finish_exchange, pending_exchange

    begun = pending_exchange(folder)
    drawn = False
    if begun is not None and not begun.cleared and begun.becomes != GIVEN_BACK:
        database, incoming = folder / LOG_FILE, folder / begun.incoming / LOG_FILE
        if incoming.is_file() and keeps_codes(database, incoming):
            drawn = _keep_codes(incoming, _codes(database))
        elif incoming.is_file() and host_code(incoming) is None:
            _keep_host(incoming, _codes(database)[0])
    finish_exchange(folder)
    return drawn


def keeps_codes(database: Path, incoming: Path) -> bool:
    """Whether two logs are of the same table: they have a match in common."""
    return bool(_begun_matches(database) & _begun_matches(incoming))


def host_code(database: Path) -> str | None:
    """The long code of a log's host; ``None`` = it has none."""
    codes = _codes(database)[0]
    return None if codes is None else codes[0]


def _keep_host(database: Path, codes: tuple[str, str] | None) -> None:
    from companion.storage.event_log import EventLog

    if codes is not None:
        with closing(EventLog(database, witness=False)) as log:
            log.set("host", codes)


def _begun_matches(database: Path) -> set[tuple[str, str]]:
    from companion.storage.event_log import EventLog

    if not database.is_file():
        return set()
    try:
        with closing(EventLog(database, reading=True, witness=False)) as log:
            return {(stored.id, stored.began) for stored in log.matches()}
    except LogError:
        return set()


def _restore_everything(file: Path, folder: Path, *, dry_run: bool) -> int:
    from companion.storage.backup import difference
    from companion.storage.event_log import LOG_FILE
    from companion.storage.exchange import begin_exchange
    from companion.storage.folder_lock import FolderLock
    from companion.storage.whole_backup import unpack

    database = folder / LOG_FILE
    with ExitStack() as until_then:
        opened = until_then.enter_context(_opened(file))
        become_owner(folder)
        until_then.enter_context(FolderLock(folder))
        finish_restore(folder)
        room = until_then.enter_context(tempfile.TemporaryDirectory(prefix=INCOMING, dir=folder))
        with ProgressLine(f"Reading {file}"):
            unpacked = unpack(file, opened, Path(room))
        changed = difference(database, unpacked.database)
        say(f"{file} was made {unpacked.made}")
        _say_difference(list(changed.lines()))
        if dry_run:
            return DONE
        begun = begin_exchange(folder, unpacked.folder, name=file.name, made=unpacked.made, trial=False)
        drawn = finish_restore(folder)
    aside = folder / begun.aside
    say(f"everything of {file} was brought back" + (f"; what was there lies in {aside}" if aside.is_dir() else ""))
    if drawn:
        say("new codes were drawn, because those that held last could not be read: phones join again")
    return DONE


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as wrong:
        raise InputError(f"{file}: cannot be read ({wrong.strerror})") from wrong


def _codes(database: Path) -> _Codes:
    """The host's codes that hold now, the hub's, and each match's; nothing of what cannot be read."""
    from companion.service.join_codes import HUB_SETTING, kept_host_codes
    from companion.storage.event_log import EventLog

    try:
        with closing(EventLog(database, reading=True, witness=False)) as log:
            return (
                kept_host_codes(log),
                log.setting(HUB_SETTING),
                {(stored.id, stored.began): log.invitations(stored.id) for stored in log.matches()},
            )
    except LogError:
        return None, None, {}


def _keep_codes(database: Path, codes: _Codes) -> bool:
    """What a host has replaced since the backup must open nothing again; whether new ones were drawn, for who plays."""
    from companion.service.join_codes import HUB_SETTING, kept_host_codes, renew_codes
    from companion.storage.event_log import EventLog

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


def _say_difference(lines: list[str]) -> None:
    for line in lines or ["nothing is gained and nothing is lost"]:
        say(f"  {line}")
