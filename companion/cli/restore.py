"""``companion restore``: lists the backups, or brings one back and says before what that changes."""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path

from companion.cli.output import DONE, data_folder, say
from companion.errors import LogError


def restore(said: argparse.Namespace) -> int:
    """List the backups with what each would change; with a file, bring that one back."""
    from companion.storage.backup import backup_folders, backups, bring_back, difference
    from companion.storage.event_log import LOG_FILE
    from companion.storage.folder_lock import FolderLock
    from companion.storage.settings import read_settings

    folder = data_folder(said.data)
    database = folder / LOG_FILE
    if said.file is None:
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
    file: Path = said.file
    if not file.is_file():
        raise LogError(f"{file}: there is no such backup; `companion restore` lists them")
    with FolderLock(folder):
        _say_difference(list(difference(database, file).lines()))
        if said.dry_run:
            return DONE
        aside = bring_back(database, file)
    say(f"{file} was brought back" + (f"; what was there lies in {aside}" if aside is not None else ""))
    return DONE


def _say_difference(lines: list[str]) -> None:
    for line in lines or ["nothing is gained and nothing is lost"]:
        say(f"  {line}")
