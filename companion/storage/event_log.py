"""The log: what was decided, on disk before anybody knows it.

One SQLite file. Each line keeps what an entry says by itself; points and standings follow from it. Written with
a write-ahead log and ``synchronous=FULL``: an acknowledged entry survives a pulled plug.
"""

from __future__ import annotations

import datetime
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from companion.errors import LogError
from companion.history.codec import encode_entry
from companion.history.events import Entry
from companion.public.text import JSON

LOG_FILE = "matches.sqlite"
"""The log's name in the data folder."""

SCHEMA_VERSION = 1
"""``user_version`` of the file; a fixture of each version is kept in the tests."""

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


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in the log: ``header`` holds the match file and the deck file as JSON."""

    id: str
    began: str
    header: Mapping[str, JSON]
    over: bool


class MatchEntries(Protocol):
    """Where entries go."""

    def append(self, match: str, entries: Sequence[Entry]) -> None:
        """Make entries durable, all or none.

        Raises:
            LogError: They are not; nothing was written.
        """


class EventLog:
    """The log in one SQLite file; made when it is not there. May be used from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
        except (sqlite3.Error, OSError) as wrong:
            raise _cannot_open(path, wrong) from wrong
        try:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute("PRAGMA foreign_keys=ON")
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._make()
            elif version != SCHEMA_VERSION:
                raise LogError(f"the log {path} was written by a newer companion (version {version}): update this one")
        except (sqlite3.Error, LogError) as wrong:
            self._connection.close()
            raise (wrong if isinstance(wrong, LogError) else _cannot_open(path, wrong)) from wrong

    def _make(self) -> None:
        with self._transaction():
            for statement in _SCHEMA:
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            except sqlite3.Error as wrong:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise LogError(f"the log {self.path} could not be written ({wrong}); is the disk full?") from wrong

    def synchronous(self) -> int:
        """SQLite's own word on the connection that writes: 2 = FULL."""
        with self._lock:
            return int(self._connection.execute("PRAGMA synchronous").fetchone()[0])

    def create(self, match: str, began: str, header: Mapping[str, JSON]) -> None:
        """A new match.

        Raises:
            LogError: It could not be written, or there is one of this name.
        """
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO match VALUES (?, ?, ?, 0)", (match, began, json.dumps(header, ensure_ascii=False))
            )

    def append(self, match: str, entries: Sequence[Entry]) -> None:
        """Make entries durable, all or none."""
        rows = [(match, entry.number, _json(encode_entry(entry))) for entry in entries]
        with self._transaction() as connection:
            connection.executemany("INSERT INTO entry VALUES (?, ?, ?)", rows)

    def close_match(self, match: str) -> None:
        """The match is over, or was given up; it will not be resumed by itself."""
        with self._transaction() as connection:
            connection.execute("UPDATE match SET over = 1 WHERE id = ?", (match,))

    def delete(self, match: str) -> None:
        """Forget a match and its entries."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM match WHERE id = ?", (match,))

    def invite(self, match: str, invitations: Iterable[tuple[int, str, str]]) -> None:
        """Keep the codes (seat, code, short code) of a match."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO invitation VALUES (?, ?, ?, ?)", [(match, *row) for row in invitations]
            )

    def invitations(self, match: str) -> list[tuple[int, str, str]]:
        """The codes of a match: seat, code, short code."""
        return self._read("SELECT seat, code, short FROM invitation WHERE match = ? ORDER BY seat", match)

    def setting(self, name: str) -> JSON | None:
        """Something that this table keeps between matches, as JSON."""
        rows = self._read("SELECT value FROM setting WHERE name = ?", name)
        return json.loads(rows[0][0]) if rows else None

    def set(self, name: str, value: JSON) -> None:
        """Keep something between matches."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, _json(value)))

    def matches(self) -> list[StoredMatch]:
        """Every match, newest first."""
        rows = self._read("SELECT id, began, header, over FROM match ORDER BY began DESC, id DESC")
        return [_stored(row) for row in rows]

    def match(self, match: str) -> StoredMatch | None:
        """One match."""
        rows = self._read("SELECT id, began, header, over FROM match WHERE id = ?", match)
        return _stored(rows[0]) if rows else None

    def entries(self, match: str) -> list[JSON]:
        """The entries of a match as JSON, in order."""
        rows = self._read("SELECT body FROM entry WHERE match = ? ORDER BY number", match)
        return [json.loads(body) for (body,) in rows]

    def _read(self, query: str, *values: str) -> list[Any]:
        with self._lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as wrong:
                raise LogError(f"the log {self.path} could not be read ({wrong})") from wrong

    def close(self) -> None:
        """Close the file; safe to call twice."""
        with self._lock:
            self._connection.close()


def wall_clock() -> str:
    """Now, as matches are labelled."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


@contextmanager
def open_log(folder: Path) -> Iterator[EventLog]:
    """The log in a data folder, closed afterwards."""
    log = EventLog(folder / LOG_FILE)
    try:
        yield log
    finally:
        log.close()


def import_record(log: EventLog, name: str, header: Mapping[str, JSON], entries: Sequence[Entry], began: str) -> str:
    """Store a record as a finished match; returns the id that it got.

    Raises:
        LogError: It could not be written.
    """
    taken = {stored.id for stored in log.matches()}
    match = next(unique for n in range(len(taken) + 1) if (unique := f"{name}-{n + 1}" if n else name) not in taken)
    log.create(match, began, header)
    log.append(match, entries)
    log.close_match(match)
    return match


def _cannot_open(path: Path, wrong: Exception) -> LogError:
    return LogError(f"the log {path} cannot be opened ({wrong}); is the disk there, and not full?")


def _json(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False)


def _stored(row: tuple[str, str, str, int]) -> StoredMatch:
    return StoredMatch(row[0], row[1], json.loads(row[2]), bool(row[3]))
