"""Backups of the log: made at quiet moments, few and small, and brought back when the log cannot be used."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from companion.errors import LogError
from companion.storage.event_log import LOG_FILE, EventLog, NotWritable
from companion.storage.log_copy import copy_log
from companion.storage.settings import Settings

log = logging.getLogger(__name__)

BACKUP_FOLDER = "backups"
"""In the data folder."""
MOST_BACKUPS = 8
MOST_BYTES = 200_000_000
"""All backups in one folder; the oldest make room, the newest is always kept."""
QUIET_S = 2.0
"""So long after the last entry the log is brought together, as after the end of a turn."""
EVERY_S = 600.0
"""So often a backup is made while matches are played."""

_NAME = re.compile(r"matches-([0-9]{6})\.sqlite")


def backups(folder: Path) -> list[Path]:
    """The backups in a folder, the newest first."""
    try:
        return sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), reverse=True)
    except OSError:
        return []


def backup_folders(data: Path, settings: Settings) -> tuple[Path, ...]:
    """Where the backups of a data folder are kept: in it, and on a second medium where the settings name one."""
    return (data / BACKUP_FOLDER, *([] if settings.backup is None else [settings.backup]))


def make_backup(database: Path, folder: Path) -> Path:
    """Copy a log, also while it is written to, and let the oldest backups go.

    Raises:
        LogError: It could not be copied.
    """
    there = backups(folder)
    number = int(there[0].name[8:14]) + 1 if there else 1
    path = folder / f"matches-{number:06}.sqlite"
    fresh = folder / "new"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh.unlink(missing_ok=True)
        make_copy(database, fresh)
        fresh.replace(path)
    except (sqlite3.Error, OSError) as wrong:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        if isinstance(wrong, LogError):
            raise
        raise LogError(f"no backup could be made in {folder} ({wrong}); is the disk there, and not full?") from wrong
    _thin_out(folder)
    return path


def make_copy(database: Path, fresh: Path) -> None:
    """Copy a log, also while it is written to, into a new file that only its owner may read.

    Raises:
        LogError: It is damaged.
        OSError, sqlite3.Error: It could not be copied.
    """
    fresh.touch(0o600)
    with (
        closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=5)) as source,
        closing(sqlite3.connect(fresh)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise LogError(f"{database} is damaged: no backup was made of it, and the older ones are kept")


def _thin_out(folder: Path) -> None:
    room = MOST_BYTES
    for place, path in enumerate(backups(folder)):
        room -= path.stat().st_size
        if place and (place >= MOST_BACKUPS or room < 0):
            path.unlink(missing_ok=True)


class BegunMatch(NamedTuple):
    """Which match it is, on whatever machine: ids are dates, and two tables have a match of the same day."""

    id: str
    began: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What bringing a backup back would change: sound entries by match, now and then."""

    now: Mapping[BegunMatch, int]
    then: Mapping[BegunMatch, int]

    def lines(self) -> Iterator[str]:
        """What is gained and what is lost, a line for each match that is not the same."""
        for match in {**self.now, **self.then}:
            now, then = self.now.get(match), self.then.get(match)
            if now is None:
                yield f"gained: {match.id}, a match with {then} entries"
            elif then is None:
                yield f"lost: {match.id}, a match with {now} entries"
            elif then != now:
                yield f"{'gained' if then > now else 'lost'}: {abs(then - now)} entries of {match.id}"


def difference(database: Path, backup: Path) -> Difference:
    """What a backup holds more and less than the log that is there.

    Raises:
        LogError: The backup cannot be read.
    """
    try:
        now = sound_counts(database)
    except LogError:
        now = {}
    return Difference(now, sound_counts(backup))


def sound_counts(path: Path) -> dict[BegunMatch, int]:
    """How many entries of each match can be read as they were written."""
    if not path.is_file():
        return {}
    with closing(EventLog(path, reading=True, witness=False)) as event_log:
        return {
            BegunMatch(stored.id, stored.began): len(event_log.entries(stored.id))
            for stored in event_log.matches()
            if stored.readable
        }


def bring_back(database: Path, backup: Path) -> Path | None:
    """Put what a backup's rows say in the log's place; where what was there lies now, ``None`` = there was nothing.

    Raises:
        LogError: It could not be copied; then nothing has changed.
    """
    fresh = database.with_name("restored.new")
    try:
        fresh.unlink(missing_ok=True)
        take_rows(backup, fresh)
        aside = move_aside(database)
        fresh.replace(database)
    except (sqlite3.Error, OSError) as wrong:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        if isinstance(wrong, LogError):
            raise
        raise LogError(f"{backup} cannot be brought back ({wrong})") from wrong
    return aside


def take_rows(backup: Path, fresh: Path) -> None:
    """Copy what a backup's rows say into a new file that only its owner may read.

    Raises:
        LogError: The backup is none, is damaged or is one of a newer companion; or the disk takes nothing.
    """
    try:
        fresh.touch(0o600, exist_ok=False)
        copy_log(backup, fresh)
    except (sqlite3.Error, OSError) as wrong:
        raise LogError(f"{backup} cannot be brought back ({wrong})") from wrong


def move_aside(database: Path) -> Path | None:
    """Rename the log and what SQLite put beside it, so that nothing is lost; ``None`` = there was nothing."""
    parts = [path for end in ("", "-wal", "-shm") if (path := database.with_name(database.name + end)).exists()]
    if not parts:
        return None
    taken = (database.with_name(f"{database.name}.replaced-{n}") for n in range(1, 10_000))
    aside = next(path for path in taken if not path.exists())
    for part in parts:
        part.rename(aside.with_name(aside.name + part.name.removeprefix(database.name)))
    return aside


def open_or_recover(data: Path, folders: Sequence[Path]) -> EventLog:
    """The log of a data folder; where it cannot be used at all, the newest backup that can, which is said in the log.

    Raises:
        LogError: Neither can be used, or the log is sound and not this user's to write; nothing was changed.
    """
    path = data / LOG_FILE
    _check_reach(path)
    try:
        why = _why_unusable(path)
        if why is None:
            opened = EventLog(path)
            try:
                opened.check_writable()
                mend(opened, folders)
            except LogError:
                opened.close()
                raise
            return opened
    except LogError as wrong:
        if "newer companion" in str(wrong) or isinstance(wrong, NotWritable):
            raise
        why = str(wrong)
    for backup in (backup for folder in folders for backup in backups(folder)):
        try:
            aside = bring_back(path, backup)
        except LogError as wrong:
            log.error("%s", wrong)
            continue
        log.error("%s; %s was brought back instead of it, and it lies in %s", why, backup, aside)
        opened = EventLog(path)
        if aside is not None:
            _gain(opened, aside)
        return opened
    if not path.is_file() or path.stat().st_size == 0:
        return EventLog(path)  # nothing was there, and nothing is lost by beginning
    raise LogError(
        f"{why}; there is no backup: move {path} away to begin with an empty one, and keep it to have it looked at"
    )


def _check_reach(path: Path) -> None:
    """A log that is sound and out of reach is not replaced by an older one.

    Raises:
        LogError: It lies on a medium that is not there, or belongs to somebody else.
    """
    for part in (path.with_name(path.name + end) for end in ("", "-wal", "-shm")):
        if part.is_symlink() and not part.exists():
            target = part.readlink()
            raise LogError(f"the log {part} is a link to {target}, which is not there: is its medium plugged in?")
        if part.exists() and not os.access(part, os.R_OK | os.W_OK, effective_ids=True):
            owner = part.stat().st_uid
            raise LogError(
                f"the log {part} may not be written by this user, it belongs to user {owner}: "
                f"give it back with sudo chown {os.geteuid()} {part}"
            )


def _gain(event_log: EventLog, aside: Path) -> None:
    """What can still be read of the log that was replaced, and follows on what the backup holds, counts."""
    try:
        with closing(EventLog(aside, reading=True, witness=False)) as other:
            readable = [stored.id for stored in other.each_match() if stored.readable]
        for match in reversed(readable):
            if event_log.mend(match, aside):
                log.error("%s is kept up to entry %d, as %s had it", match, event_log.last_number(match), aside)
    except (sqlite3.Error, LogError) as wrong:
        log.warning("nothing more could be read of %s (%s)", aside, wrong)


def mend(event_log: EventLog, folders: Sequence[Path]) -> None:
    """Put what is damaged in a log back from the backups, as far as they hold it; what was put back is said."""
    for match in (*(match for match, _ in list(event_log.damages())), *event_log.gone()):
        before = len(event_log.entries(match))
        for backup in (backup for folder in folders for backup in backups(folder)):
            try:
                if not event_log.mend(match, backup):
                    continue
            except (sqlite3.Error, LogError) as wrong:
                log.warning("%s: %s", backup, wrong)
                continue
            damage = event_log.sound(match)[1]
            state = "it is whole again" if damage is None else f"it {damage}"
            log.error("%s was damaged after entry %d and was mended from %s: %s", match, before, backup, state)
            if damage is None:
                break


def _why_unusable(path: Path) -> str | None:
    """Why a log cannot be used, as SQLite says it; ``None`` = it can, or there is none yet and never was."""
    if not path.exists() or (path.is_file() and path.stat().st_size == 0 and not _wal(path)):
        return f"the log {path} is gone or empty"
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            (answer,) = connection.execute("PRAGMA quick_check").fetchone()
    except sqlite3.Error as wrong:
        return f"the log {path} cannot be opened ({wrong})"
    if answer == "ok":
        return None
    what = [line for line in answer.splitlines() if not line.startswith("***")] or [answer]
    return f"the log {path} is damaged ({what[0]})"


def _wal(path: Path) -> bool:
    wal = path.with_name(f"{path.name}-wal")
    return wal.is_file() and wal.stat().st_size > 0


class Keeper:
    """Brings the log together when it has been quiet for a moment, and makes the backups; in a thread of its own.

    Args:
        event_log: The log.
        folders: Where backups go; one that cannot be written to is said once, and tried again.
    """

    def __init__(self, event_log: EventLog, folders: Sequence[Path]) -> None:
        self._event_log = event_log
        self._folders = folders
        self._complaints: set[str] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="keeper", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Make a last backup if anything came since the last one, and end; safe to call twice."""
        self._over.set()
        self._thread.join(timeout=20.0)

    def _work(self) -> None:
        together = -1
        kept = self._copied(-1)
        due_s = time.monotonic() + EVERY_S
        while not self._over.wait(QUIET_S / 2):
            written, since_s = self._event_log.written
            if written != together and since_s >= QUIET_S and self._event_log.checkpoint():
                together = written
            if kept != written and (time.monotonic() > due_s or self._event_log.closed_at > kept):
                kept, due_s = self._copied(kept), time.monotonic() + EVERY_S
        self._event_log.checkpoint()
        if self._event_log.written[0] != kept:
            self._copied(kept)

    def _copied(self, before: int) -> int:
        written = self._event_log.written[0]
        done = False
        for folder in self._folders:
            try:
                make_backup(self._event_log.path, folder)
                done = True
            except LogError as wrong:
                if str(wrong) not in self._complaints:
                    log.warning("%s", wrong)
                self._complaints.add(str(wrong))
        return written if done or not self._folders else before
