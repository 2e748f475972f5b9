"""``companion restore``: lists the backups, or brings one back and says before what that changes."""

from __future__ import annotations

import argparse
import datetime
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from companion.cli.output import DONE, data_folder, say
from companion.errors import LogError
from companion.public.text import JSON

_Codes: TypeAlias = tuple[JSON | None, dict[str, list[tuple[int, str, str]]]]
"""The host's, and by match seat, code and short code."""


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
        codes = _codes(database)
        aside = bring_back(database, file)
        drawn = _keep_codes(database, codes)
    say(f"{file} was brought back" + (f"; what was there lies in {aside}" if aside is not None else ""))
    if drawn:
        say("new codes were drawn, because those that held last could not be read: phones join again")
    return DONE


def _codes(database: Path) -> _Codes:
    """The host's codes that hold now, and each match's; nothing of what cannot be read."""
    from companion.storage.event_log import EventLog

    try:
        with closing(EventLog(database, reading=True, witness=False)) as log:
            return log.setting("host"), {stored.id: log.invitations(stored.id) for stored in log.matches()}
    except LogError:
        return None, {}


def _keep_codes(database: Path, codes: _Codes) -> bool:
    """What a host has replaced since the backup must open nothing again; whether new ones were drawn, for who plays."""
    from companion.service.join_codes import renew_codes
    from companion.storage.event_log import EventLog

    host, seats = codes
    drawn = False
    with closing(EventLog(database, witness=False)) as log:
        for stored in log.matches():
            old = [seat for seat, _, _ in log.invitations(stored.id)]
            if seats.get(stored.id):
                log.renew_codes(stored.id, seats[stored.id], {})
            elif old:
                renew_codes(log, stored.id, old, host=False)
                drawn = drawn or not stored.over
        if host is not None:
            log.set("host", host)
        elif log.setting("host") is not None:
            renew_codes(log, None, (), host=True)
            drawn = True
    return drawn


def _say_difference(lines: list[str]) -> None:
    for line in lines or ["nothing is gained and nothing is lost"]:
        say(f"  {line}")
