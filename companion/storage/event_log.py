"""The log: what was decided, on disk before anybody knows it.

One SQLite file. Each line keeps what an entry says by itself; points and standings follow from it. Written with
a write-ahead log and ``synchronous=FULL``: an acknowledged entry survives a pulled plug. Each entry carries a checksum
over itself and the one before it, so that a changed or missing one is noticed; that the last ones are there is known
from a second, small file (``companion.storage.witness``).
"""

from __future__ import annotations

import datetime
import hashlib
import json
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import LogError
from companion.history.codec import encode_entry
from companion.history.events import Entry
from companion.public.text import JSON
from companion.storage.witness import Witness

log = logging.getLogger(__name__)
LOG_FILE = "matches.sqlite"
"""The log's name in the data folder."""

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


_NEXT_PLACE = "(SELECT coalesce(max(place), 0) + 1 FROM match)"


@dataclass(frozen=True, slots=True)
class Damage:
    """What is no longer there of a match.

    Attributes:
        kept: How many entries, from the first on, are as they were written; ``None`` = not even the match itself.
        lost: How many more there were, as far as that is known.
    """

    kept: int | None
    lost: int

    def __str__(self) -> str:
        if self.kept is None:
            return "cannot be read: what it was played with is damaged"
        return f"is kept up to entry {self.kept}; {self.lost} later ones are damaged or missing"


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in the log: ``header`` holds the match file and the deck file as JSON; empty where it is damaged."""

    id: str
    began: str
    header: Mapping[str, JSON]
    over: bool
    readable: bool = True


class NotWritable(LogError):
    """The log can be read and not be written, though nothing of it is damaged."""


class _NothingGained(Exception):
    """A backup holds no more than the log itself."""


class EventLog:
    """The log in one SQLite file; made when it is not there. May be used from any thread.

    Attributes:
        closed_at: What ``written`` counted when a match was last closed; 0 = none was.

    Args:
        path: The file; only its owner may read it.
        reading: Look only, beside a companion that may be writing; a file that is not there is then empty.
        witness: Keep the second file that tells which entry was the last. Two that write must not both do so.
    """

    def __init__(self, path: Path, *, reading: bool = False, witness: bool = True) -> None:
        self.path = path
        self._reading = reading
        self._lock = threading.RLock()
        self._known: dict[tuple[str, str], list[Any]] = {}
        self._last: dict[str, tuple[int, str]] = {}
        self._written, self._written_s = 0, time.monotonic()
        self.closed_at = 0
        self._apart = ""
        self._inodes: dict[Path, int] = {}
        self._witness = Witness(path.with_suffix(".last")) if witness else None
        last_seen = Witness(path.with_suffix(".last")).read()  # before the log: what it tells was in the log by then
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
            self._losses: dict[str, list[int | None]] = self._missing(last_seen)
            if witness and not reading and self._losses != self._told_losses():
                self.set("losses", self._losses)
        except (sqlite3.Error, LogError, ValueError) as wrong:
            self.close()
            raise (wrong if isinstance(wrong, LogError) else _cannot_open(path, wrong)) from wrong

    def _make(self, version: int) -> None:
        """Make the tables, or those that this version has and the file has not yet."""
        with self._transaction() as connection:
            for statement in (*(_SCHEMA if version < 1 else ()), *_SECOND):
                connection.execute(statement)
            connection.execute("UPDATE match SET place = rowid")
            for match, began, header in connection.execute("SELECT id, began, header FROM match").fetchall():
                checksum = _of_match(match, began, header)
                connection.execute("UPDATE match SET checksum = ? WHERE id = ?", (checksum, match))
                rows = connection.execute("SELECT number, body FROM entry WHERE match = ? ORDER BY number", (match,))
                for number, body in rows.fetchall():
                    checksum = _of_entry(checksum, number, body)
                    connection.execute(
                        "UPDATE entry SET checksum = ? WHERE match = ? AND number = ?", (checksum, match, number)
                    )
            connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def _make_again(self) -> None:
        """Make tables that are gone and hold nothing of a match: codes are drawn anew, and the evening goes on."""
        rows = self._read("SELECT name FROM sqlite_schema WHERE type = 'table'")
        there = {name for (name,) in rows}
        for name, statement in _BESIDE.items():
            if there >= {"match", "entry"} and name not in there:
                log.error("the table %s of %s is gone: what was in it is lost, and it is made anew", name, self.path)
                with self._transaction() as connection:
                    connection.execute(statement)

    def _told_losses(self) -> dict[str, list[int | None]]:
        losses = self.setting("losses")
        if not isinstance(losses, Mapping):
            return {}
        return {match: loss for match, loss in losses.items() if _is_loss(loss)}

    def _missing(self, witness: Mapping[str, int]) -> dict[str, list[int | None]]:
        """Which matches are shorter than they once were: how many entries are kept, and how many were lost."""
        losses = self._told_losses()
        for match in [match for match, (kept, _) in losses.items() if kept is None]:
            if self._read("SELECT 1 FROM match WHERE id = ?", match):  # it is back
                del losses[match]
        for match, number in witness.items():
            rows = self._read("SELECT max(number) FROM entry WHERE match = ?", match)
            last = rows[0][0] or 0
            if not self._read("SELECT 1 FROM match WHERE id = ?", match):
                losses.setdefault(match, [None, number])
            elif last < number:
                losses[match] = [last, number - last]
        return losses

    @contextmanager
    def _transaction(self, *, only_entries: bool = False) -> Iterator[sqlite3.Connection]:
        with self._lock:
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
        """How often something was written since this log was opened, and how many seconds ago last."""
        return self._written, time.monotonic() - self._written_s

    def check_writable(self) -> None:
        """Whether something could be written now, so that no table begins that could keep nothing.

        Raises:
            NotWritable: It could not, and not because the disk is full.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("ROLLBACK")
            except sqlite3.Error as wrong:
                if wrong.sqlite_errorcode & 0xFF == sqlite3.SQLITE_READONLY:
                    raise NotWritable(
                        f"the log {self.path} can be read and not be written ({wrong}): may this user write to it, "
                        "and to what lies beside it under its name?"
                    ) from wrong

    def begin(
        self,
        match: str,
        began: str,
        header: Mapping[str, JSON],
        entries: Sequence[Entry] = (),
        *,
        invitations: Iterable[tuple[int, str, str]] = (),
        over: bool = False,
        closes: str | None = None,
        closing_entries: Sequence[Entry] = (),
    ) -> None:
        """A new match with its codes, instead of the one that was being played: all of it is written, or nothing.

        Args:
            entries: What it has already, when it comes from somewhere else.
            invitations: Seat, code and short code.
            over: It will not be resumed.
            closes: The match that is given up for it.
            closing_entries: The last entries of that.

        Raises:
            LogError: It could not be written, or there is one of this name.
        """
        text = _json(header)
        first = _of_match(match, began, text)
        with self._lock:
            with self._transaction() as connection:
                if closes is not None:
                    self._insert(connection, closes, closing_entries)
                    connection.execute("UPDATE match SET over = 1 WHERE id = ?", (closes,))
                connection.execute(
                    "INSERT INTO match (id, began, header, over, place, checksum)"  # noqa: S608  # a constant
                    f" VALUES (?, ?, ?, ?, {_NEXT_PLACE}, ?)",
                    (match, began, text, int(over), first),
                )
                last = self._insert(connection, match, entries)
                connection.executemany(
                    "INSERT OR REPLACE INTO invitation VALUES (?, ?, ?, ?)", [(match, *row) for row in invitations]
                )
            if closes is not None:
                self._last.pop(closes, None)
                self.closed_at = self._written
            self._keep_last(match, last)

    def append(self, match: str, entries: Sequence[Entry]) -> None:
        """Make entries durable, all or none."""
        with self._lock:
            with self._transaction(only_entries=True) as connection:
                last = self._insert(connection, match, entries)
            self._keep_last(match, last)

    def _insert(self, connection: sqlite3.Connection, match: str, entries: Sequence[Entry]) -> tuple[int, str]:
        """Add entries, each with its checksum; the last one's number and checksum."""
        number, checksum = self._last.get(match) or self._find_last(match)
        rows = []
        for entry in entries:
            body = _json(encode_entry(entry))
            number, checksum = entry.number, _of_entry(checksum, entry.number, body)
            rows.append((match, number, body, checksum))
        connection.executemany("INSERT INTO entry (match, number, body, checksum) VALUES (?, ?, ?, ?)", rows)
        return number, checksum

    def _find_last(self, match: str) -> tuple[int, str]:
        rows = self._read("SELECT number, checksum FROM entry WHERE match = ? ORDER BY number DESC LIMIT 1", match)
        rows = rows or self._read("SELECT 0, checksum FROM match WHERE id = ?", match)
        return (int(rows[0][0]), str(rows[0][1])) if rows else (0, "")

    def _keep_last(self, match: str, last: tuple[int, str]) -> None:
        """After the commit: what was written is acknowledged, also when the second file cannot be."""
        self._last[match] = last
        if self._witness is not None:
            self._witness.write(match, last[0])

    def set_aside(self, match: str, kept: int) -> None:
        """Take the entries after ``kept`` out of a match, so that it can go on; they are kept for people to look at."""
        _, damage = self.sound(match)
        lost = damage.lost if damage is not None else 0
        with self._transaction() as connection:
            last = connection.execute("SELECT max(number) FROM entry WHERE match = ?", (match,)).fetchone()[0] or 0
            connection.execute(
                "INSERT INTO set_aside SELECT match, number, body FROM entry WHERE match = ? AND number > ?",
                (match, kept),
            )
            connection.execute("DELETE FROM entry WHERE match = ? AND number > ?", (match, kept))
            self._losses[match] = [kept, max(lost, last - kept)]
            connection.execute("INSERT OR REPLACE INTO setting VALUES ('losses', ?)", (_json(self._losses),))
        self._last.pop(match, None)
        if self._witness is not None:
            self._witness.write(match, kept)

    def close_match(self, match: str) -> None:
        """The match is over, or was given up; it will not be resumed by itself."""
        with self._transaction() as connection:
            connection.execute("UPDATE match SET over = 1 WHERE id = ?", (match,))
        self.closed_at = self._written

    def delete(self, match: str) -> None:
        """Forget a match and its entries."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM match WHERE id = ?", (match,))
            connection.execute("DELETE FROM set_aside WHERE match = ?", (match,))
            if self._losses.pop(match, None) is not None:
                connection.execute("INSERT OR REPLACE INTO setting VALUES ('losses', ?)", (_json(self._losses),))
        self._last.pop(match, None)
        if self._witness is not None:
            self._witness.forget(match)

    def renew_codes(
        self, match: str | None, invitations: Iterable[tuple[int, str, str]], settings: Mapping[str, JSON]
    ) -> None:
        """Keep codes (seat, code, short code) of a match instead of the old ones, and settings: all, or nothing."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO invitation VALUES (?, ?, ?, ?)", [(match, *row) for row in invitations]
            )
            connection.executemany(
                "INSERT OR REPLACE INTO setting VALUES (?, ?)", [(name, _json(one)) for name, one in settings.items()]
            )

    def invitations(self, match: str) -> list[tuple[int, str, str]]:
        """The codes of a match: seat, code, short code."""
        return list(self._look_up("SELECT seat, code, short FROM invitation WHERE match = ? ORDER BY seat", match))

    def setting(self, name: str) -> JSON | None:
        """Something that this table keeps between matches, as JSON."""
        rows = self._look_up("SELECT value FROM setting WHERE name = ?", name)
        try:
            return json.loads(rows[0][0]) if rows else None
        except (ValueError, RecursionError):
            log.warning("what %s keeps as %r is damaged; it counts as not there", self.path, name)
            return None

    def set(self, name: str, value: JSON) -> None:
        """Keep something between matches."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, _json(value)))

    def matches(self) -> list[StoredMatch]:
        """Every match, the newest first: in the order in which they were stored, whatever the clock said."""
        return list(self.each_match())

    def each_match(self) -> Iterator[StoredMatch]:
        """The same one after the other: the decks of a thousand matches would not fit into a small box at once."""
        try:
            rows = self._read("SELECT rowid FROM match ORDER BY place DESC, rowid DESC")
        except LogError:  # a damaged page costs the matches on it
            rows = self._some("SELECT rowid FROM match NOT INDEXED")[::-1]
        for (row,) in rows:
            for found in self._some("SELECT id, began, header, over, checksum FROM match WHERE rowid = ?", row):
                yield _stored(found)

    def ids(self) -> frozenset[str]:
        """The names that matches have, as far as the file or its index tells."""
        where = ("", "NOT INDEXED")
        return frozenset(match for how in where for (match,) in self._some(f"SELECT id FROM match {how}"))  # noqa: S608  # constants

    def match(self, match: str) -> StoredMatch | None:
        """One match."""
        rows = self._read("SELECT id, began, header, over, checksum FROM match WHERE id = ?", match)
        return _stored(rows[0]) if rows else None

    def entries(self, match: str) -> list[JSON]:
        """The entries of a match as JSON, in order, up to the first that is not as it was written."""
        return self.sound(match)[0]

    def sound(self, match: str) -> tuple[list[JSON], Damage | None]:
        """The entries of a match up to the first that is not as it was written, and what is lost, if anything."""
        with self._lock:
            rows = self._some("SELECT id, began, header FROM match WHERE id = ?", match)
            first = _of_match(*rows[0]) if rows else ""
            stored = self._some("SELECT checksum FROM match WHERE id = ?", match)
            written = self._some("SELECT number, body, checksum FROM entry WHERE match = ? ORDER BY number", match)
            last = self._some("SELECT coalesce(max(number), 0) FROM entry WHERE match = ?", match)
        bodies: list[JSON] = []
        checksum = first
        for number, body, expected in written:
            checksum = _of_entry(checksum, number, body)
            if number != len(bodies) + 1 or checksum != expected:
                break
            try:
                bodies.append(json.loads(body))
            except (ValueError, RecursionError):
                break
        lost = max([len(written), *(number for number, *_ in (*written, *last))]) - len(bodies)
        kept: int | None = len(bodies)
        before = self._losses.get(match)
        if before is not None:
            kept = before[0] if lost == 0 else kept
            lost += before[1] or 0
        if stored != [(first,)]:
            kept = None
        return bodies, Damage(kept, lost) if lost or kept is None else None

    def mend(self, match: str, backup: Path) -> bool:
        """Take a match's damaged parts from a backup of this log; whether more of it can be read than before.

        What was written after the backup was made is read again where its checksums follow on.

        Raises:
            LogError: The backup cannot be read, or the log not be written.
        """
        with closing(EventLog(backup, reading=True, witness=False)) as other:
            stored, bodies = other.match(match), other.entries(match)
            if stored is None or not stored.readable:
                return False
            row = other._read("SELECT id, began, header, over, checksum FROM match WHERE id = ?", match)[0]  # noqa: SLF001  # another log
            rows = other._read("SELECT number, body, checksum FROM entry WHERE match = ? ORDER BY number", match)  # noqa: SLF001  # another log
            codes = other.invitations(match)
        readable = self.match(match)
        before = (readable is not None and readable.readable, len(self.entries(match)))
        own = self._read("SELECT number, checksum FROM entry WHERE match = ? ORDER BY number", match)
        if any(one != (two[0], two[2]) for one, two in zip(own[: before[1]], rows, strict=False)):
            return False  # the match went on otherwise after something was lost: what was said last counts
        try:
            with self._transaction() as connection:
                if readable is None:
                    connection.execute(
                        "INSERT INTO match (id, began, header, over, place, checksum)"  # noqa: S608  # a constant
                        f" VALUES (?, ?, ?, ?, {_NEXT_PLACE}, ?)",
                        row,
                    )
                    connection.executemany(
                        "INSERT OR IGNORE INTO invitation VALUES (?, ?, ?, ?)", [(match, *code) for code in codes]
                    )
                else:
                    connection.execute(
                        "UPDATE match SET began = ?, header = ?, checksum = ?, over = max(over, ?) WHERE id = ?",
                        (row[1], row[2], row[4], row[3], match),
                    )
                connection.executemany(
                    "INSERT OR REPLACE INTO entry (match, number, body, checksum) VALUES (?, ?, ?, ?)",
                    [(match, *kept) for kept in rows[: len(bodies)]],
                )
                after = len(self.entries(match))
                if (True, after) <= before:
                    raise _NothingGained
                kept, lost = self._losses.get(match, [0, 0])
                left = (kept or 0) + (lost or 0) - after
                self._losses = {other: loss for other, loss in self._losses.items() if other != match}
                if left > 0:
                    self._losses[match] = [after, left]
                connection.execute("INSERT OR REPLACE INTO setting VALUES ('losses', ?)", (_json(self._losses),))
        except _NothingGained:
            return False
        self._last.pop(match, None)
        return True

    def loss(self, match: str) -> Damage | None:
        """What is known to be lost of a match that goes on all the same; no entry is read for it."""
        kept, lost = self._losses.get(match, (None, None))
        return None if lost is None else Damage(kept, lost)

    def last_number(self, match: str) -> int:
        """The number of the last entry of a match, damaged or not; 0 where there is none."""
        return self._read("SELECT coalesce(max(number), 0) FROM entry WHERE match = ?", match)[0][0] or 0

    def gone(self) -> list[str]:
        """Matches that were there once, were not deleted, and are not there any more."""
        return [match for match, (kept, _) in self._losses.items() if kept is None]

    def damages(self) -> Iterator[tuple[str, Damage]]:
        """What is missing of which match."""
        for stored in self.each_match():
            damage = self.sound(stored.id)[1]
            if damage is not None:
                yield stored.id, damage

    def _some(self, query: str, *values: str | int) -> list[Any]:
        """What can be read of what was asked for: rows until the first that the disk does not give."""
        rows: list[Any] = []
        with self._lock, suppress(sqlite3.Error):
            rows.extend(self._connection.execute(query, values))
        return rows

    def _look_up(self, query: str, value: str) -> list[Any]:
        """What every request asks for, remembered until it changes: nobody waits for it while an entry is written."""
        rows = self._known.get((query, value))
        if rows is None or self._reading:  # whom another writes beside
            with self._lock:
                rows = self._known[query, value] = self._read(query, value)
        return rows

    def _read(self, query: str, *values: str) -> list[Any]:
        with self._lock:
            try:
                return self._connection.execute(query, values).fetchall()
            except sqlite3.Error as wrong:
                raise LogError(f"the log {self.path} could not be read ({wrong})") from wrong

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
        with self._lock:
            self._connection.close()
            if self._witness is not None:
                self._witness.close()


def wall_clock() -> str:
    """Now, as matches are labelled."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


@contextmanager
def open_log(folder: Path, *, reading: bool = False) -> Iterator[EventLog]:
    """The log in a data folder, closed afterwards; it may be in use by a companion that runs."""
    opened = EventLog(folder / LOG_FILE, reading=reading, witness=False)
    try:
        yield opened
    finally:
        opened.close()


def import_record(log: EventLog, name: str, header: Mapping[str, JSON], entries: Sequence[Entry], began: str) -> str:
    """Store a record as a finished match; returns the id that it got.

    Raises:
        LogError: It could not be written.
    """
    taken = log.ids()
    match = next(unique for n in range(len(taken) + 1) if (unique := f"{name}-{n + 1}" if n else name) not in taken)
    log.begin(match, began, header, entries, over=True)
    return match


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


def _is_loss(value: JSON) -> bool:
    """Whether it says how many entries are kept, or ``None``, and how many were lost."""
    match value:
        case [int() | None, int()]:
            return True
        case _:
            return False


def _of_match(match: str, began: str, header: str) -> str:
    """The checksum of what a match is played with."""
    return _checksum(match, began, header)


def _of_entry(before: str, number: int, body: str) -> str:
    """The checksum of an entry, which says what came before it too."""
    return _checksum(before, str(number), body)


def _checksum(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _cannot_open(path: Path, wrong: Exception) -> LogError:
    return LogError(f"the log {path} cannot be opened ({wrong}); is the disk there, and not full?")


def _json(value: JSON) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a sign, from a file that somebody made
        return json.dumps(value)
    return text


def _stored(row: tuple[str, str, str, int, str]) -> StoredMatch:
    match, began, header, over, checksum = row
    try:
        content = json.loads(header)
    except (ValueError, RecursionError):
        content = None
    readable = isinstance(content, Mapping) and checksum == _of_match(match, began, header)
    return StoredMatch(match, began, content if readable else {"match": {}, "deck": {}}, bool(over), readable)
