"""``companion backup`` and ``restore``: everything in one file; the backups listed, or one brought back."""

from __future__ import annotations

import argparse
import datetime
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from companion.cli.output import DONE, become_owner, data_folder, say
from companion.cli.progress import ProgressLine
from companion.errors import InputError, LogError
from companion.service.backups import INCOMING, codes_of, finish_restore, keep_codes, write_backup

DATABASE_BEGINS = b"SQLite format 3\0"
"""The first bytes of every database file of SQLite (its file format, section 1.3)."""


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
        codes = codes_of(database)
        aside = bring_back(database, copy)
        drawn = keep_codes(database, codes)
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


def _say_difference(lines: list[str]) -> None:
    for line in lines or ["nothing is gained and nothing is lost"]:
        say(f"  {line}")
