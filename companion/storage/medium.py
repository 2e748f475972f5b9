"""The second medium for backups: whether it is there, or only the empty place where it is usually mounted.

Without this check, backups for a stick that was pulled would go onto the card with the matches, and nobody would know.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from companion.errors import Fault, LogError, fault
from companion.storage.event_log import LOG_FILE
from companion.storage.file_systems import MOUNTS, is_read_only, kind_of

MARK_FILE = ".companion-backups"
"""Left in the folder on the medium. Somebody who wants backups on the same disk as the matches makes it by hand."""
MARK = "A companion keeps its backups in this folder, because this file is here.\n"
FLEETING = ("tmpfs", "ramfs", "devtmpfs")
"""File systems in memory: ``/run/media`` is one where no stick is mounted."""


class NoMedium(LogError):
    """The medium for the backups is not there, or takes none."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.what)


def medium_fault(data: Path, folder: Path, *, system: Path = Path("/"), mounts: Path = MOUNTS) -> Fault | None:
    """What is wrong with a folder for backups that the settings name; ``None`` = backups may go there.

    A folder on the disk of the matches or of the system, or in memory, is only used if the mark is in it.

    Args:
        data: The data folder.
        folder: It need not exist.
        system: A folder on the system's own disk.
        mounts: The table of mounted file systems.
    """
    where = str(folder)
    try:
        there = next((path for path in (folder, *folder.parents) if path.exists()), system)
        device = there.stat().st_dev
        own = {path.stat().st_dev for path in (data, system) if path.exists()}
        if not (folder / MARK_FILE).is_file() and (device in own or kind_of(device, mounts) in FLEETING):
            sentence = (
                "No backup goes to {where}: the medium is not there, and what is in its place is the disk of the "
                "matches or the system. Plug it in; if that disk is meant, make an empty file {mark} in {where}"
            )
            return fault("backup.fault.missing", sentence, where=where, mark=MARK_FILE)
        if not there.is_dir():
            return fault("backup.fault.file", "No backup goes to {where}: there is a file in its place", where=where)
        if is_read_only(there):
            sentence = "No backup goes to {where}: the medium can only be read. Unlock it, or take another"
            return fault("backup.fault.locked", sentence, where=where)
        if shutil.disk_usage(there).free < _size(data / LOG_FILE):
            return fault("backup.fault.full", "No backup goes to {where}: the medium is full. Make room", where=where)
        if not os.access(there, os.W_OK | os.X_OK):
            raise PermissionError
    except PermissionError:
        sentence = "No backup goes to {where}: the companion's user may not write there"
        return fault("backup.fault.closed", sentence, where=where)
    except OSError as wrong:
        sentence = "No backup goes to {where}: the medium does not answer ({why}). Plug it in again"
        return fault("backup.fault.no_answer", sentence, where=where, why=wrong.strerror or str(wrong))
    return None


def check_medium(data: Path, folder: Path) -> int:
    """Check that the medium is there, mark the folder on it as ours, and return its device number.

    Raises:
        NoMedium: It is not there, or takes no backup.
    """
    wrong = medium_fault(data, folder)
    if wrong is not None:
        raise NoMedium(wrong)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (folder / MARK_FILE).exists():
            (folder / MARK_FILE).write_text(MARK, "utf-8")
        return folder.stat().st_dev
    except OSError as why:
        sentence = "No backup goes to {where}: nothing can be written to the medium ({why})"
        raise NoMedium(fault("backup.fault.refused", sentence, where=str(folder), why=str(why))) from why


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
