"""The database file of the log: its tables and their versions; opening, writing and reading it.

It uses a write-ahead log and ``synchronous=FULL``: what was committed survives a power cut. What the rows mean is
defined in ``companion.storage.event_log`` and ``companion.storage.table_store``.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from companion.errors import LogError
from companion.storage.file_systems import file_system, is_read_only

log = logging.getLogger(__name__)

Connection: TypeAlias = sqlite3.Connection
SCHEMA_VERSION = 2
"""``user_version`` of the file; the tests keep a file of each version.

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
"""Tables without entries of a match."""
REQUESTS = """CREATE TABLE IF NOT EXISTS request (
        key TEXT PRIMARY KEY,         -- a hash of who asked, of what was asked for, and of the request's own key
        body TEXT NOT NULL,           -- a hash of its body
        match TEXT NOT NULL,
        number INTEGER NOT NULL,      -- the entry that answered it; 0 = the match itself; -1 = it deleted the match
        checksum TEXT NOT NULL        -- of that entry or match; empty if it was deleted
    ) STRICT"""
"""The requests that were answered with what they wrote. Companions of before neither need it nor mind it, so the file's
version stays as it is."""


def schema(version: int) -> tuple[str, ...]:
    """The statements that create the tables of a log of this version, from 1 on."""
    return (*_SCHEMA, *(_SECOND if version >= 2 else ()))


class _NoSharedMemory(sqlite3.OperationalError):
    """SQLite keeps no write-ahead log there, and says so by keeping another kind."""


class NotWritable(LogError):
    """The log is not damaged, but cannot be written to."""


def match_checksum(match: str, began: str, header: str) -> str:
    return _checksum(match, began, header)


def entry_checksum(before: str, number: int, body: str) -> str:
    """``before`` is the checksum of the entry before it; for the first entry, that of the match."""
    return _checksum(before, str(number), body)


def _checksum(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


class LogFile:
    """The database. May be used from any thread.

    Args:
        path: Is created if it does not exist; only its owner may read it.
        reading: Only read; another program may be writing. A file that does not exist counts as empty.

    Raises:
        LogError: It cannot be opened, or was written by a newer version.
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
                if reading:  # a reader must not change the file
                    self._connection = _in_memory(self._connection)
                self._make(version)
            if not reading:
                self._make_again()
                self._connection.execute(REQUESTS)
        except (sqlite3.Error, LogError, ValueError) as wrong:
            self.close()
            raise (wrong if isinstance(wrong, LogError) else _cannot_open(path, wrong)) from wrong

    def _make(self, version: int) -> None:
        """Create the tables, or add what this version has and the file does not."""
        with self.transaction() as connection:
            for statement in (*(_SCHEMA if version < 1 else ()), *_SECOND, REQUESTS):
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
        """Create missing tables that hold no entries: new codes are drawn, and play goes on."""
        rows = self.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        there = {name for (name,) in rows}
        for name, statement in _BESIDE.items():
            if there >= {"match", "entry"} and name not in there:
                log.error("the table %s of %s is gone: what was in it is lost, and it is made anew", name, self.path)
                with self.transaction() as connection:
                    connection.execute(statement)

    @contextmanager
    def transaction(self, *, only_entries: bool = False) -> Iterator[Connection]:
        """A write transaction: afterwards all of it is on disk, or nothing.

        Args:
            only_entries: Nothing else changes, so the results cached by ``look_up`` stay valid.

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
        """Check that the open files were not deleted: writing to a deleted file works, but nothing is kept.

        Raises:
            LogError: They were.
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
        """How many transactions were written since this file was opened, and the seconds since the last."""
        return self._written, time.monotonic() - self._written_s

    def check_writable(self) -> None:
        """Check that the log can be written to, before a table starts.

        Raises:
            NotWritable: It cannot, and not because the disk is full.
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

    def rows(self, query: str, *values: str | int | None) -> list[Any]:
        """Raises LogError if they cannot be read."""
        with self.lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as wrong:
                raise LogError(f"the log {self.path} could not be read ({wrong})") from wrong

    def sound_rows(self, query: str, *values: str | int) -> list[Any]:
        """The rows up to the first that the disk cannot read."""
        rows: list[Any] = []
        with self.lock, suppress(sqlite3.Error):
            rows.extend(self._connection.execute(query, values))
        return rows

    def look_up(self, query: str, value: str) -> list[Any]:
        """Rows that every request needs, cached until they change, so that no request waits for a write.

        Raises:
            LogError: They could not be read.
        """
        rows = self._known.get((query, value))
        if rows is None or self._reading:  # another program may be writing
            with self.lock:
                rows = self._known[query, value] = self.rows(query, value)
        return rows

    def checkpoint(self) -> bool:
        """Copy the write-ahead log into the database file; returns whether all of it is there now.

        It uses its own connection, so writers do not wait for it.
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
        """Safe to call twice."""
        with self.lock:
            self._connection.close()


def why_unusable(path: Path) -> str | None:
    """SQLite's reason why a log cannot be used; ``None`` = it can, or there never was one."""
    wal = path.with_name(f"{path.name}-wal")
    if not path.exists() or (path.is_file() and path.stat().st_size == 0 and not _has_content(wal)):
        return f"the log {path} is gone or empty"
    try:
        with closing(open_to_read(path)) as connection:
            (answer,) = connection.execute("PRAGMA quick_check").fetchone()
    except (sqlite3.Error, OSError) as wrong:
        return f"the log {path} cannot be opened ({wrong})"
    if answer == "ok":
        return None
    what = [line for line in answer.splitlines() if not line.startswith("***")] or [answer]
    return f"the log {path} is damaged ({what[0]})"


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _writer(path: Path) -> sqlite3.Connection:
    """A connection for writing. Only its owner may read the file, and the files that SQLite puts beside it."""
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, mode=0o700)
    if not path.is_dir():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for file in (path, *path.parent.glob(f"{path.name}-*")):
            with suppress(OSError):  # another user's file: that user decides who reads it
                if file.is_file() and file.stat().st_mode & 0o077:
                    file.chmod(0o600)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    try:
        connection.text_factory = _text
        if connection.execute("PRAGMA journal_mode=WAL").fetchone() != ("wal",):
            raise _NoSharedMemory("no write-ahead log can be kept there")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _reader(path: Path) -> sqlite3.Connection:
    if path.parent.exists() and not path.parent.is_dir():
        raise NotADirectoryError(f"{path.parent} is no folder")
    if not path.exists():
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    else:
        connection = open_to_read(path)
    connection.text_factory = _text
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open a log that exists only to read it; another program may be writing.

    To read a write-ahead log, SQLite makes a file beside it. Where it cannot, on a card that has become read-only, the
    file is opened as one that nobody changes. What is still in a write-ahead log there is read from a copy.

    Raises:
        sqlite3.Error, OSError: It cannot be read.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = _connected(address)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
        return connection
    except sqlite3.OperationalError:
        connection.close()
        beside = [path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm")]
        if not is_read_only(path) and any(file.exists() for file in beside):
            raise  # somebody may be writing
        if not _has_content(beside[0]):
            return _connected(f"{address}&immutable=1")
    with tempfile.TemporaryDirectory() as room:
        copy = Path(room, path.name)
        for file in (path, beside[0]):
            shutil.copyfile(file, copy.with_name(file.name))
        connection = _connected(copy.as_uri())
        connection.execute("PRAGMA schema_version").fetchone()  # both files are open from now on
        return connection


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=5)


def _in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    copy.text_factory = _text
    with closing(connection):
        connection.backup(copy)
    return copy


def _text(stored: bytes) -> str:
    """Text as it is on disk, even if a flipped bit made it invalid UTF-8."""
    return stored.decode("utf-8", "surrogateescape")


_NO_SHARED_MEMORY = (
    sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMLOCK,
    sqlite3.SQLITE_IOERR_SHMMAP,
)  # fmt: skip


def _cannot_open(path: Path, wrong: Exception) -> LogError:
    if getattr(wrong, "sqlite_errorcode", None) in _NO_SHARED_MEMORY or isinstance(wrong, _NoSharedMemory):
        kind = file_system(path)
        return LogError(
            f"the log {path} is on a file system without shared memory{kind and f' ({kind})'}, which it needs: "
            "choose a folder on a disk of this computer with --data"
        )
    if is_read_only(path.parent):
        return LogError(f"the log {path} is on a medium that can only be read: unlock it, or take another; {wrong}")
    return LogError(f"the log {path} cannot be opened ({wrong}); is the disk there, and not full?")
