"""The file of a hub's tournaments, kept as a table's log is: backups, a loss that is noticed, the newest backup back.

A hub that shares a PostgreSQL has none of this: that database has its own tools (docs/clubs.md).
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from companion.errors import LogError
from companion.storage.backup import AGAIN_S, BACKUP_FOLDER, EVERY_S, Backups, backups, make_copy
from companion.storage.log_file import open_to_read

log = logging.getLogger(__name__)

HUB_FILE = "hub.sqlite"
WITNESS_FILE = "hub.last"
"""How many entries the tournaments had when somebody last looked: a file that is gone, or shorter, is noticed."""
HUB_LOCK = "hub.lock"
LOOK_S = 2.0
_TABLES = frozenset(("hub", "entry"))
_BROKEN = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB


class DamagedHub(LogError):
    """The file is not, or no longer, that of a hub."""


def hub_entries(path: Path) -> int:
    """How many entries the tournaments in a hub's file have.

    Raises:
        DamagedHub: It is no hub's file, or it is damaged.
        LogError: It is out of reach.
    """
    try:
        with closing(open_to_read(path)) as there:
            if there.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise DamagedHub(f"{path} is damaged")
            names = {name for (name,) in there.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if not names >= _TABLES:
                raise DamagedHub(f"{path} holds no tournaments of a hub")
            return int(there.execute("SELECT count(*) FROM entry").fetchone()[0])
    except LogError:
        raise
    except sqlite3.Error as wrong:
        kind = DamagedHub if wrong.sqlite_errorcode & 0xFF in _BROKEN else LogError
        raise kind(f"{path} cannot be read ({wrong})") from wrong
    except OSError as wrong:
        raise LogError(f"{path} cannot be read ({wrong.strerror})") from wrong


def is_hub_file(path: Path) -> bool:
    """Whether a file is that of a hub's tournaments, such as a backup."""
    try:
        hub_entries(path)
    except LogError:
        return False
    return True


def copy_hub(folder: Path, file: Path) -> None:
    """Write a hub's tournaments into a new file.

    Raises:
        LogError: They are damaged, or the file cannot be written.
    """
    try:
        make_copy(folder / HUB_FILE, file)
    except (sqlite3.Error, OSError) as wrong:
        file.unlink(missing_ok=True)
        raise LogError(f"{file}: cannot be written ({wrong})") from wrong


def settle_hub(folder: Path, medium: Path | None = None) -> str | None:
    """Before a hub starts: bring back the newest backup of tournaments that are gone or damaged.

    The caller holds the hub's lock.

    Args:
        medium: The second folder for backups, if any.

    Returns:
        A sentence about what was brought back and may be lost; ``None`` = all is well.

    Raises:
        LogError: Something is lost, and there is no backup: what to do. Or the file is out of reach.
    """
    path, before = folder / HUB_FILE, _witnessed(folder)
    why = _wrong(path, before)
    if why is None:
        return None
    places = [folder / BACKUP_FOLDER, *([] if medium is None else [medium])]
    kept = sorted(
        ((hub_entries(one), one.stat().st_mtime, one) for place in places for one in backups(place, "hub")
         if is_hub_file(one)),
        reverse=True,
    )  # fmt: skip
    there = hub_entries(path) if is_hub_file(path) else -1
    if not kept or kept[0][0] <= there:
        if there >= 0:
            (folder / WITNESS_FILE).unlink(missing_ok=True)
            return f"{why}, and no backup holds more: what was entered last is lost. Look at the results"
        raise LogError(
            f"{why}, and there is no backup of it in {BACKUP_FOLDER}: bring one back with `companion restore FILE "
            f"--data {folder}`, or delete {folder / WITNESS_FILE} and move {path.name} away to begin anew"
        )
    entries, _, newest = kept[0]
    _put_there(newest, folder)
    gone = 0 if before is None else before - entries
    lost = f"; {gone} entries that came later are lost, so look at the results" if gone > 0 else ""
    return f"{why}: {newest} was brought back{lost}"


def restore_hub(file: Path, folder: Path) -> Path | None:
    """Put a hub's file in the place of today's, which moves aside; returns where to. The caller holds the hub's lock.

    Raises:
        LogError: It is no hub's file, is damaged, or could not be put there.
    """
    hub_entries(file)
    return _put_there(file, folder)


def _wrong(path: Path, before: int | None) -> str | None:
    """What is wrong with a hub's file, in view of the entries that it had before; ``None`` = there was no hub."""
    if not path.exists() or path.stat().st_size == 0:
        return None if before is None else f"the tournaments in {path} are gone: they had {before} entries"
    try:
        now = hub_entries(path)
    except DamagedHub as wrong:
        return str(wrong)
    return None if before is None or now >= before else f"{before - now} entries of the tournaments in {path} are gone"


def _put_there(file: Path, folder: Path) -> Path | None:
    fresh = folder / f"{HUB_FILE}.new"
    aside = next(folder / f"replaced-{n}" for n in range(1, 10_000) if not (folder / f"replaced-{n}").exists())
    try:
        fresh.unlink(missing_ok=True)
        make_copy(file, fresh)
        for name in (HUB_FILE, f"{HUB_FILE}-wal", f"{HUB_FILE}-shm", f"{HUB_FILE}-journal"):
            if (folder / name).exists():
                aside.mkdir(mode=0o700, exist_ok=True)
                (folder / name).rename(aside / name)
        fresh.replace(folder / HUB_FILE)
        (folder / WITNESS_FILE).unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as wrong:
        raise LogError(f"{file} could not be brought back to {folder} ({wrong}); is the disk full?") from wrong
    return aside if aside.exists() else None


def _witnessed(folder: Path) -> int | None:
    """How many entries there were; ``None`` = nobody has looked yet."""
    try:
        return int(json.loads((folder / WITNESS_FILE).read_text("utf-8"))["entries"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


class HubKeeper:
    """A thread that writes down how far the tournaments are, and makes backups of them.

    Backups are made at the start, after ten minutes with changes, and at the end; on a medium that was missing, soon
    after it is back.

    Args:
        medium: A second folder for backups on another medium; ``None`` = there is none.
    """

    def __init__(self, folder: Path, medium: Path | None = None) -> None:
        self._folder = folder
        self._backups = Backups(folder / HUB_FILE, medium)
        self._complained = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="keeper", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Make a last backup if anything was written since the previous one. Safe to call twice."""
        self._over.set()
        self._thread.join(timeout=20.0)

    def _work(self) -> None:
        kept = self._backups
        with closing(sqlite3.connect(self._folder / HUB_FILE, timeout=5)) as there:
            kept.make(self._changes(there))
            due_s = time.monotonic() + EVERY_S
            again_s = time.monotonic() + AGAIN_S
            while not self._over.wait(LOOK_S):
                now = self._changes(there)
                if not kept.hold(now) and time.monotonic() > due_s:
                    kept.make(now)
                    due_s = time.monotonic() + EVERY_S
                elif kept.fault is not None and time.monotonic() > again_s:
                    kept.make_on_medium(now)
                    again_s = time.monotonic() + AGAIN_S
            kept.make(self._changes(there))

    def _changes(self, there: sqlite3.Connection) -> int:
        """A number that others' changes raise; notes the number of entries on the way."""
        try:
            version = int(there.execute("PRAGMA data_version").fetchone()[0])
            entries = int(there.execute("SELECT count(*) FROM entry").fetchone()[0])
            if entries != _witnessed(self._folder):
                fresh = self._folder / f"{WITNESS_FILE}.new"
                fresh.write_text(json.dumps({"entries": entries}), "utf-8")
                fresh.replace(self._folder / WITNESS_FILE)
        except (sqlite3.Error, OSError) as wrong:
            if not self._complained:
                log.warning("the tournaments in %s could not be looked at (%s)", self._folder, wrong)
            self._complained = True
            return -1
        return version
