"""Backups of the log, made at quiet moments."""

from __future__ import annotations

import logging
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from companion.errors import Fault, LogError
from companion.storage.event_log import EventLog
from companion.storage.log_file import open_to_read
from companion.storage.medium import NoMedium, check_medium
from companion.storage.settings import Settings

log = logging.getLogger(__name__)

BACKUP_FOLDER = "backups"
MOST_BACKUPS = 8
MOST_BYTES = 200_000_000
"""For all backups in one folder. The oldest are deleted first; the newest always stays."""
QUIET_S = 2.0
"""This long after the last entry, the write-ahead log is copied into the database file."""
EVERY_S = 600.0
"""A backup is made this often while matches are played."""
AGAIN_S = 60.0
"""A medium that was missing is looked for this often."""

_NAME = re.compile(r"([a-z]+)-([0-9]{6})\.sqlite")


def backups(folder: Path, of: str = "matches") -> list[Path]:
    """The backups in a folder, newest first; ``of``: of which database, by its name without the ending."""
    try:
        named = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
        return sorted((path for name, path in named if name is not None and name[1] == of), reverse=True)
    except OSError:
        return []


def backup_folders(data: Path, settings: Settings) -> tuple[Path, ...]:
    """The folders for backups: one in the data folder, and the one that the settings name, if any."""
    return (data / BACKUP_FOLDER, *([] if settings.backup is None else [settings.backup]))


def make_backup(database: Path, folder: Path, device: int | None = None) -> Path:
    """Copy a log and delete the oldest backups. The log may be written to meanwhile.

    Args:
        device: The number of the file system that the folder must be on; ``None`` = any.

    Raises:
        LogError: It could not be copied.
    """
    there = backups(folder, database.stem)
    number = int(there[0].stem.rpartition("-")[2]) + 1 if there else 1
    path = folder / f"{database.stem}-{number:06}.sqlite"
    fresh = folder / f"{database.stem}.new"  # a hub and a table may share the folder
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.unlink(missing_ok=True)
        make_copy(database, fresh)
        if device not in (None, fresh.stat().st_dev):
            raise OSError("the medium was pulled meanwhile")
        fresh.replace(path)
    except (sqlite3.Error, OSError) as wrong:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        if isinstance(wrong, LogError):
            raise
        raise LogError(f"no backup could be made in {folder} ({wrong}); is the disk there, and not full?") from wrong
    _thin_out(folder, database.stem)
    return path


def make_copy(database: Path, fresh: Path) -> None:
    """Copy a log into a new file that only its owner may read. The log may be written to meanwhile.

    Raises:
        LogError: It is damaged.
        OSError, sqlite3.Error: It could not be copied.
    """
    fresh.touch(0o600)
    with (
        closing(open_to_read(database)) as source,
        closing(sqlite3.connect(fresh)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a write-ahead log beside it
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise LogError(f"{database} is damaged: no backup was made of it, and the older ones are kept")


def _thin_out(folder: Path, of: str) -> None:
    """The newest backup is made already, so a medium that is pulled now costs only the thinning."""
    room = MOST_BYTES
    with suppress(OSError):
        for place, path in enumerate(backups(folder, of)):
            room -= path.stat().st_size
            if place and (place >= MOST_BACKUPS or room < 0):
                path.unlink(missing_ok=True)


class BegunMatch(NamedTuple):
    """What identifies a match on every machine. Ids are dates, so two tables may both use the same one."""

    id: str
    began: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What restoring a backup would change. Both map a match to its number of undamaged entries."""

    now: Mapping[BegunMatch, int]
    then: Mapping[BegunMatch, int]

    def lines(self) -> Iterator[str]:
        """One line for each match that would gain or lose entries.

        >>> list(Difference({BegunMatch("friday", ""): 3}, {}).lines())
        ['lost: friday, a match with 3 entries']
        """
        for match in {**self.now, **self.then}:
            now, then = self.now.get(match), self.then.get(match)
            if now is None:
                yield f"gained: {match.id}, a match with {then} entries"
            elif then is None:
                yield f"lost: {match.id}, a match with {now} entries"
            elif then != now:
                yield f"{'gained' if then > now else 'lost'}: {abs(then - now)} entries of {match.id}"


def difference(database: Path, backup: Path) -> Difference:
    """Compare a backup with the current log.

    Raises:
        LogError: The backup cannot be read.
    """
    try:
        now = sound_counts(database)
    except LogError:
        now = {}
    return Difference(now, sound_counts(backup))


def sound_counts(path: Path) -> dict[BegunMatch, int]:
    """How many undamaged entries each match has."""
    if not path.is_file():
        return {}
    with closing(EventLog(path, reading=True, witness=False)) as event_log:
        return {
            BegunMatch(stored.id, stored.began): len(event_log.entries(stored.id))
            for stored in event_log.matches()
            if stored.readable
        }


class Backups:
    """Makes the backups of a database: in the data folder, and on another medium, which may come and go.

    A place that cannot be written to costs its own backup; each reason is logged once.

    Attributes:
        fault: Why the newest backup did not go to the medium; ``None`` = it did, or there is none.

    Args:
        medium: A folder on the other medium; ``None`` = there is none.
    """

    def __init__(self, database: Path, medium: Path | None = None) -> None:
        self._database, self._medium = database, medium
        self._folder = database.parent / BACKUP_FOLDER
        self._here: int | None = None
        self._there: int | None = None
        self._complaints: set[str] = set()
        self.fault: Fault | None = None

    def hold(self, state: int) -> bool:
        """Whether the newest backup in the data folder is of this state, a number that changes with the database."""
        return self._here == state

    def make(self, state: int) -> None:
        """Make those that are not of this state yet."""
        if self._here != state and self._tried(lambda: make_backup(self._database, self._folder)) is None:
            self._here = state
        self.make_on_medium(state)

    def make_on_medium(self, state: int) -> None:
        """Make the one on the medium, if there is one."""
        medium = self._medium
        if medium is None or self._there == state:
            return
        wrong = self._tried(lambda: make_backup(self._database, medium, check_medium(self._database.parent, medium)))
        self.fault = None if wrong is None else wrong.fault if isinstance(wrong, NoMedium) else Fault(str(wrong))
        if wrong is None:
            self._there = state

    def _tried(self, make: Callable[[], object]) -> LogError | None:
        try:
            make()
        except LogError as wrong:
            if str(wrong) not in self._complaints:
                log.warning("%s", wrong)
            self._complaints.add(str(wrong))
            return wrong
        return None


class Keeper:
    """A thread that checkpoints the log when it has been quiet for a moment, and makes its backups.

    Args:
        medium: A folder on another medium, which may come and go.
    """

    def __init__(self, event_log: EventLog, medium: Path | None = None) -> None:
        self._event_log = event_log
        self._backups = Backups(event_log.file.path, medium)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="keeper", daemon=True)
        self._thread.start()

    @property
    def fault(self) -> Fault | None:
        """Why the newest backup did not go to the second medium; ``None`` = it did, or there is none."""
        return self._backups.fault

    def close(self) -> None:
        """Make a last backup if anything was written since the previous one, and stop. Safe to call twice."""
        self._over.set()
        self._thread.join(timeout=20.0)

    def _work(self) -> None:
        file, kept = self._event_log.file, self._backups
        together = -1
        at_backup, _ = file.written
        kept.make(at_backup)
        due_s = time.monotonic() + EVERY_S
        again_s = time.monotonic() + AGAIN_S
        while not self._over.wait(QUIET_S / 2):
            written, since_s = file.written
            if written != together and since_s >= QUIET_S and file.checkpoint():
                together = written
            if not kept.hold(written) and (time.monotonic() > due_s or self._event_log.closed_at > at_backup):
                kept.make(written)
                at_backup, due_s = written, time.monotonic() + EVERY_S
            elif kept.fault is not None and time.monotonic() > again_s:
                kept.make_on_medium(written)
                again_s = time.monotonic() + AGAIN_S
        file.checkpoint()
        kept.make(file.written[0])
