"""The database file under the log: its tables and their versions, how it is opened, written and read.

Written with a write-ahead log and ``synchronous=FULL``: what was committed survives a pulled plug. What the rows say is
the matter of ``companion.storage.event_log`` and ``companion.storage.table_store``.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from companion.errors import LogError

log = logging.getLogger(__name__)

Connection: TypeAlias = sqlite3.Connection
SCHEMA_VERSION = 2
"""``user_version`` of the file; a fixture of each version is kept in the tests.

1: matches, entries, invitations, settings. 2: checksums, the matches' order, entries that were set aside.
"""

_SCHEMA = (
    """CREATE TABLE match (
        id TEXT PRIMARY KEY,
        began TEXT NOT NULL,          -- wall clock, ISO 8601, a label and never a measure
        header TEXT NOT NULL,         -- {"match": ..., "deck": ...} as JSON
        over INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    """CREATE TABLE entry (
        match TEXT NOT NULL REFERENCES match(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (match, number)   -- no two writers can claim the same number
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE invitation (
        match TEXT NOT NULL REFERENCES match(id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        code TEXT NOT NULL UNIQUE,
        short TEXT NOT NULL UNIQUE,
        PRIMARY KEY (match, seat)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE setting (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL           -- JSON
    ) STRICT, WITHOUT ROWID""",
)
_SECOND = (
    "ALTER TABLE match ADD COLUMN place INTEGER NOT NULL DEFAULT 0",  # counts up in the order in which they came
    "ALTER TABLE match ADD COLUMN checksum TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE entry ADD COLUMN checksum TEXT NOT NULL DEFAULT ''",
    """CREATE TABLE set_aside (         -- what could no longer be read in order; nobody reads it but people
        match TEXT NOT NULL,
        number INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT""",
)
_BESIDE = {"invitation": _SCHEMA[2], "setting": _SCHEMA[3], "set_aside": _SECOND[3]}
"""Tables that hold nothing that was said or seen."""


def schema(version: int) -> tuple[str, ...]:
    """The statements that make the tables of a log of this version, from 1 on."""
    return (*_SCHEMA, *(_SECOND if version >= 2 else ()))


class NotWritable(LogError):
    """The log can be read and not be written, though nothing of it is damaged."""


def match_checksum(match: str, began: str, header: str) -> str:
    """The checksum of what a match is played with."""
    return _checksum(match, began, header)


def entry_checksum(before: str, number: int, body: str) -> str:
    """The checksum of an entry; ``before`` is the checksum of the one before it, or of its match."""
    return _checksum(before, str(number), body)


def _checksum(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


class LogFile:
    """The database in one file; made when it is not there. May be used from any thread.

    Args:
        path: The file; only its owner may read it.
        reading: Look only, beside a companion that may be writing; a file that is not there is then empty.

    Raises:
        LogError: It cannot be opened, or was written by a newer companion.
    """

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self.path = path
        self.lock = threading.RLock()
        self._reading = reading
        self._known: dict[tuple[str, str], list[Any]] = {}
        self._written, self._written_s = 0, time.monotonic()
        self._apart = ""
        self._inodes: dict[Path, int] = {}
        try:
            self._connection = _reader(path) if reading else _writer(path)
        except (sqlite3.Error, OSError) as wrong:
            raise _cannot_open(path, wrong) from wrong
        try:
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA_VERSION:
                raise LogError(f"the log {path} was written by a newer companion (version {version}): update this one")
            if version < SCHEMA_VERSION:
                if reading:  # what only looks must not change the file
                    self._connection = _in_memory(self._connection)
                self._make(version)
            if not reading:
                self._make_again()
        except (sqlite3.Error, LogError, ValueError) as wrong:
            self.close()
            raise (wrong if isinstance(wrong, LogError) else _cannot_open(path, wrong)) from wrong

    def _make(self, version: int) -> None:
        """Make the tables, or those that this version has and the file has not yet."""
        with self.transaction() as connection:
            for statement in (*(_SCHEMA if version < 1 else ()), *_SECOND):
                connection.execute(statement)
            connection.execute("UPDATE match SET place = rowid")
            for match, began, header in connection.execute("SELECT id, began, header FROM match").fetchall():
                checksum = match_checksum(match, began, header)
                connection.execute("UPDATE match SET checksum = ? WHERE id = ?", (checksum, match))
                rows = connection.execute("SELECT number, body FROM entry WHERE match = ? ORDER BY number", (match,))
                for number, body in rows.fetchall():
                    checksum = entry_checksum(checksum, number, body)
                    connection.execute(
                        "UPDATE entry SET checksum = ? WHERE match = ? AND number = ?", (checksum, match, number)
                    )
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def _make_again(self) -> None:
        """Make tables that are gone and hold nothing of a match: codes are drawn anew, and the evening goes on."""
        rows = self.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        there = {name for (name,) in rows}
        for name, statement in _BESIDE.items():
            if there >= {"match", "entry"} and name not in there:
                log.error("the table %s of %s is gone: what was in it is lost, and it is made anew", name, self.path)
                with self.transaction() as connection:
                    connection.execute(statement)

    @contextmanager
    def transaction(self, *, only_entries: bool = False) -> Iterator[Connection]:
        """Write: all of it is on the disk afterwards, or nothing.

        Args:
            only_entries: Nothing else changes, so that what ``look_up`` remembers still holds.

        Raises:
            LogError: It could not be written.
        """
        with self.lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._check_in_place()
                self._connection.execute("COMMIT")
                if not only_entries:
                    self._known.clear()
                self._written, self._written_s = self._written + 1, time.monotonic()
            except BaseException as wrong:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if not isinstance(wrong, sqlite3.Error):
                    raise
                raise LogError(f"the log {self.path} could not be written ({wrong}); is the disk full?") from wrong

    def _check_in_place(self) -> None:
        """Nobody has taken the files away: a deleted file can be written on, and nothing that is written stays.

        Raises:
            LogError: Somebody has.
        """
        if self._reading:
            return
        for file in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            try:
                number = file.stat().st_ino
            except OSError:
                number = 0
            if number and file not in self._inodes:
                self._inodes[file] = number  # it stays the same while the file is open
            elif self._inodes.get(file, 0) != number:
                raise LogError(
                    f"{file} was deleted or replaced while a table plays: nothing is kept until it starts anew"
                )

    @property
    def written(self) -> tuple[int, float]:
        """How often something was written since this file was opened, and how many seconds ago last."""
        return self._written, time.monotonic() - self._written_s

    def check_writable(self) -> None:
        """Whether something could be written now, so that no table begins that could keep nothing.

        Raises:
            NotWritable: It could not, and not because the disk is full.
        """
        with self.lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("ROLLBACK")
            except sqlite3.Error as wrong:
                if wrong.sqlite_errorcode & 0xFF == sqlite3.SQLITE_READONLY:
                    raise NotWritable(
                        f"the log {self.path} can be read and not be written ({wrong}): may this user write to it, "
                        "and to what lies beside it under its name?"
                    ) from wrong

    def rows(self, query: str, *values: str) -> list[Any]:
        """What was asked for.

        Raises:
            LogError: It could not be read.
        """
        with self.lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as wrong:
                raise LogError(f"the log {self.path} could not be read ({wrong})") from wrong

    def sound_rows(self, query: str, *values: str | int) -> list[Any]:
        """What can be read of what was asked for: rows until the first that the disk does not give."""
        rows: list[Any] = []
        with self.lock, suppress(sqlite3.Error):
            rows.extend(self._connection.execute(query, values))
        return rows

    def look_up(self, query: str, value: str) -> list[Any]:
        """What every request asks for, remembered until it changes: nobody waits for it while an entry is written.

        Raises:
            LogError: It could not be read.
        """
        rows = self._known.get((query, value))
        if rows is None or self._reading:  # whom another writes beside
            with self.lock:
                rows = self._known[query, value] = self.rows(query, value)
        return rows

    def checkpoint(self) -> bool:
        """Bring what was written into the file itself, so that it alone holds the matches; whether all of it is there.

        Nobody waits for it who writes: it is done on a connection of its own.
        """
        try:
            with closing(sqlite3.connect(self.path, isolation_level=None, timeout=1)) as other:
                busy, pages, done = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._apart = ""
                return not busy and pages == done
        except sqlite3.Error as wrong:
            if str(wrong) != self._apart:  # it is tried every second
                log.warning("the log %s could not be brought together (%s); it is tried again", self.path, wrong)
            self._apart = str(wrong)
            return False

    def close(self) -> None:
        """Close the file; safe to call twice."""
        with self.lock:
            self._connection.close()


def why_unusable(path: Path) -> str | None:
    """Why a log cannot be used, as SQLite says it; ``None`` = it can, or there is none yet and never was."""
    wal = path.with_name(f"{path.name}-wal")
    if not path.exists() or (path.is_file() and path.stat().st_size == 0 and not _has_content(wal)):
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


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _writer(path: Path) -> sqlite3.Connection:
    """A connection that writes, to a file that only its owner may read; what SQLite puts beside it is like it."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, mode=0o700)
    if not path.is_dir():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for file in (path, *path.parent.glob(f"{path.name}-*")):
            with suppress(OSError):  # somebody else's; he decides who reads it
                if file.is_file() and file.stat().st_mode & 0o077:
                    file.chmod(0o600)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    try:
        connection.text_factory = _text
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    if path.parent.exists() and not path.parent.is_dir():
        raise NotADirectoryError(f"{path.parent} is no folder")
    if not path.exists():
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    else:
        address = f"{path.resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=5)
    connection.text_factory = _text
    return connection


def _in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    copy.text_factory = _text
    with closing(connection):
        connection.backup(copy)
    return copy


def _text(stored: bytes) -> str:
    """Text as it is on the disk, also where a flipped bit made it no UTF-8."""
    return stored.decode("utf-8", "surrogateescape")


def _cannot_open(path: Path, wrong: Exception) -> LogError:
    return LogError(f"the log {path} cannot be opened ({wrong}); is the disk there, and not full?")
