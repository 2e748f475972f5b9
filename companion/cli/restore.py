"""``companion backup`` and ``restore``: make a full backup, list backups, or restore one."""

from __future__ import annotations

import argparse
import datetime
import tempfile
from contextlib import ExitStack
from pathlib import Path

from companion.cli.output import DONE, become_owner, data_folder, print_line
from companion.cli.progress import ProgressLine
from companion.errors import InputError, LogError


def backup(arguments: argparse.Namespace) -> int:
    """Write a full backup of a data folder."""
    from companion.storage.event_log import LOG_FILE
    from companion.storage.hub_file import HUB_FILE
    from companion.storage.whole_backup import write_backup

    folder = data_folder(arguments.data)
    if arguments.file.suffix == ".sqlite" or (not (folder / LOG_FILE).is_file() and (folder / HUB_FILE).is_file()):
        return _backup_hub(folder, arguments.file)
    if not (folder / LOG_FILE).is_file():
        raise InputError(f"{folder}: there are no matches here to back up; --data names another folder")
    with ProgressLine(f"Packing {folder}"):
        write_backup(folder, arguments.file)
    codes = "with every code: whoever has it can be host. Keep it to yourself."
    print_line(f"{arguments.file} holds everything of {folder}, {codes}")
    return DONE


def _backup_hub(folder: Path, file: Path) -> int:
    """Write a hub's tournaments, with the codes of its organiser and its tables, into one file."""
    from companion.storage.hub_file import HUB_FILE, copy_hub, hub_entries

    if not (folder / HUB_FILE).is_file():
        raise InputError(f"{folder}: there are no tournaments of a hub here; --data names another folder")
    if file.exists():
        raise InputError(f"{file}: is there already; name another file, for a backup takes no other's place")
    copy_hub(folder, file)
    print_line(
        f"{file} holds the hub's tournaments ({hub_entries(file)} entries), with its codes. Keep it to yourself."
    )
    return DONE


def restore(arguments: argparse.Namespace) -> int:
    """List the backups with what each would change; with a file, restore it."""
    from companion.storage.hub_file import is_hub_file

    folder = data_folder(arguments.data)
    if arguments.file is None:
        _list_backups(folder)
    elif is_hub_file(arguments.file):
        _bring_hub_back(arguments.file, folder, dry_run=arguments.dry_run)
    else:
        _bring_back(arguments.file, folder, dry_run=arguments.dry_run)
    return DONE


def _bring_hub_back(file: Path, folder: Path, *, dry_run: bool) -> None:
    from companion.storage.folder_lock import FolderLock
    from companion.storage.hub_file import HUB_FILE, HUB_LOCK, hub_entries, is_hub_file, restore_hub

    now = folder / HUB_FILE
    there = f"{hub_entries(now)} entries" if is_hub_file(now) else "nothing that can be read"
    print_line(f"{file}: a hub's tournaments with {hub_entries(file)} entries; {now} holds {there}")
    if dry_run:
        return
    become_owner(folder)
    with FolderLock(folder, HUB_LOCK):
        aside = restore_hub(file, folder)
    print_line(f"{file} was brought back" + (f"; what was there lies in {aside}" if aside is not None else ""))


def _list_backups(folder: Path) -> None:
    from companion.storage.backup import backup_folders, backups
    from companion.storage.hub_file import hub_entries, is_hub_file
    from companion.storage.settings import read_settings

    places = backup_folders(folder, read_settings(folder))
    kept = [path for place in places for path in backups(place)]
    for path in kept:
        made = datetime.datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        print_line(f"{path}  {made.isoformat(' ', timespec='seconds')}")
        try:
            _print_difference(folder, path)
        except LogError as wrong:
            print_line(f"  cannot be used: {wrong}")
    of_hub = [path for place in places for path in backups(place, "hub")]
    for path in of_hub:
        what = f"a hub's tournaments, {hub_entries(path)} entries" if is_hub_file(path) else "cannot be used"
        print_line(f"{path}  {what}")
    if not kept and not of_hub:
        print_line(f"there is no backup of {folder}")


def _bring_back(file: Path, folder: Path, *, dry_run: bool) -> None:
    from companion.storage.exchange import TAKEN, begin_exchange
    from companion.storage.folder_lock import FolderLock
    from companion.storage.restore import INCOMING, finish_restore, read_backup

    if not file.is_file():
        raise LogError(f"{file}: there is no such backup; `companion restore` lists them")
    with ExitStack() as until_then:
        try:
            opened = until_then.enter_context(file.open("rb"))
        except OSError as wrong:
            raise InputError(f"{file}: cannot be read ({wrong.strerror})") from wrong
        become_owner(folder)
        until_then.enter_context(FolderLock(folder))
        finish_restore(folder)
        room = until_then.enter_context(tempfile.TemporaryDirectory(prefix=INCOMING, dir=folder))
        with ProgressLine(f"Reading {file}"):
            read = read_backup(file, opened, Path(room))
        print_line(f"{file} was made {read.made}")
        _print_difference(folder, read.database)
        if dry_run:
            return
        begun = begin_exchange(folder, read.folder, becomes=TAKEN, name=file.name, made=read.made, parts=read.parts)
        drawn = finish_restore(folder)
    aside = folder / begun.aside
    print_line(f"{file} was brought back" + (f"; what was there lies in {aside}" if aside.is_dir() else ""))
    if drawn:
        print_line("new codes were drawn, because those that held last could not be read: phones join again")


def _print_difference(folder: Path, backup: Path) -> None:
    from companion.storage.backup import difference
    from companion.storage.event_log import LOG_FILE

    changes = difference(folder / LOG_FILE, backup).lines()
    for line in list(changes) or ["nothing is gained and nothing is lost"]:
        print_line(f"  {line}")
