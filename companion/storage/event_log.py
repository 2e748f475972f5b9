"""The log: every decision is on disk before it is announced.

Each entry keeps what was said or seen; points and standings are worked out from it. Its checksum covers itself and the
entry before it, so a changed or missing entry is noticed. ``companion.storage.losses`` notices when the last entries
are missing, and ``companion.storage.repair`` repairs damage.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.errors import LogError
from companion.history.codec import encode_entry
from companion.history.events import Entry
from companion.public.service import RequestKey
from companion.public.text import JSON
from companion.storage.log_file import Connection, LogFile, entry_checksum, match_checksum
from companion.storage.losses import Damage, Losses, Witness
from companion.storage.table_store import TableStore, insert_codes, insert_setting, json_text

LOG_FILE = "matches.sqlite"
"""In the data folder."""

LINEAGE = "lineage"
"""The setting that says which log this is. A backup does not bring it back."""

GONE_ON = "gone on"
"""The setting with the unfinished match that the host chose last: the next start goes on with it."""

DELETED = -1
"""In the table ``request`` in place of an entry's number: the request deleted the match."""

MOST_REQUESTS = 1024
"""Answered requests that are remembered, the newest: an evening has some 400 entries."""

_COLUMNS = "id, began, header, over, checksum"
_NEWEST_FIRST = "ORDER BY place DESC, rowid DESC"
_STATES = (
    "SELECT id, began, over, coalesce((SELECT entry.checksum FROM entry WHERE entry.match = match.id"
    " ORDER BY number DESC LIMIT 1), match.checksum) FROM match"
)


_ANSWERS_CHECKSUM = (
    "coalesce((SELECT checksum FROM entry WHERE match = ?1 AND number = ?2),"
    " (SELECT checksum FROM match WHERE id = ?1 AND ?2 = 0))"
)


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match in the log. ``header`` holds the match file and the deck file as JSON; empty if it is damaged."""

    id: str
    began: str
    header: Mapping[str, JSON]
    over: bool
    readable: bool = True


@dataclass(frozen=True, slots=True)
class MatchState:
    """A stored match without its header: enough to know whether it has changed.

    Attributes:
        last: The checksum of its last entry, or of the match itself; it covers everything before it.
    """

    id: str
    began: str
    over: bool
    last: str


@dataclass(frozen=True, slots=True)
class Generation:
    """One telling of a match: within it, an entry's number never means two different entries.

    Attributes:
        mark: Another one after a backup was brought back, or a damaged end was set aside.
        went_back: Whether this match was told before, in another generation.
    """

    mark: str
    went_back: bool


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """What a request wrote when it came first.

    Attributes:
        body: The hash of its body.
        number: The last entry that it wrote in ``match``; 0 = it began, closed or chose that match; ``DELETED``.
    """

    body: str
    match: str
    number: int


class EventLog:
    """The matches of a table and their entries. May be used from any thread.

        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     log = EventLog(pathlib.Path(folder) / LOG_FILE)
        ...     log.begin("friday", "2026-05-01T20:00:00+02:00", {"match": {}, "deck": {}})
        ...     [stored.id for stored in log.matches()]
        ...     log.entries("friday")
        ...     log.close()
        ['friday']
        []

    Attributes:
        table: Codes and settings, in the same file.
        losses: The entries known to be missing.
        damaged: The matches in which ``damages`` found damage.
        closed_at: The count of ``file.written`` when a match was last closed; 0 = none was.

    Args:
        path: Is created if it does not exist.
        reading: Only read; another program may be writing. A file that does not exist counts as empty.
        witness: Keep the second file, which says which entry was the last. Only one writer may do so.

    Raises:
        LogError: It cannot be opened, or was written by a newer version.
    """

    def __init__(self, path: Path, *, reading: bool = False, witness: bool = True) -> None:
        self._witness = Witness(path.with_suffix(".last"))
        self._witnessed = witness
        last_seen = self._witness.read()  # before the log: what it names was in the log by then
        self.file = LogFile(path, reading=reading)
        self.closed_at = 0
        self.damaged: frozenset[str] = frozenset()
        try:
            self.table = TableStore(self.file)
            self.losses = Losses(self.file, self.table, last_seen)
            if witness and not reading and (self.losses.keep() or self._lacks_lineage()):
                with self.file.transaction() as connection:
                    self.draw_lineage(connection)
        except LogError:
            self.close()
            raise

    # -- numbers that are given again --------------------------------------------------------------

    def _lacks_lineage(self) -> bool:
        """Whether this log came from elsewhere: a backup brings its matches, and not the lineage of their log."""
        return self.table.setting(LINEAGE) is None and bool(self.file.rows("SELECT 1 FROM match LIMIT 1"))

    def draw_lineage(self, connection: Connection) -> None:
        """Note, inside a transaction, that entries were lost or a backup was brought back.

        Numbers that were told before may be given again to other entries, so each match gets another ``generation``.
        """
        ((last,),) = connection.execute("SELECT coalesce(max(place), 0) FROM match").fetchall()
        insert_setting(connection, LINEAGE, {"mark": draw_mark(), "before": last})

    def generation(self, match: str) -> Generation:
        """Which telling of a match its entries' numbers belong to.

        Everybody is told the mark, so nothing of the header is in it: that may say what lies face down.
        """
        rows = self.file.look_up("SELECT began, place FROM match WHERE id = ?", match)
        began, place = rows[0] if rows else ("", 0)
        lineage = self.table.setting(LINEAGE)
        drawn = lineage if isinstance(lineage, Mapping) else {}
        mark = hashlib.sha256(f"{drawn.get('mark', '')} {match} {began}".encode()).hexdigest()[:16]
        before = drawn.get("before")
        return Generation(mark, isinstance(before, int) and place <= before)

    # -- writing ---------------------------------------------------------------------------------

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
        request: RequestKey | None = None,
    ) -> None:
        """Store a new match with its codes, and close the one before it, in one transaction.

        Args:
            entries: What a match from elsewhere already has.
            invitations: Seat, code and short code.
            over: It will not be resumed.
            closes: The match that is abandoned for it.
            closing_entries: The last entries of that match.
            request: The request that the match answers.

        Raises:
            LogError: It could not be written, or the name is taken.
        """
        text = json_text(header)
        with self.file.transaction() as connection:
            if closes is not None:
                self._insert(connection, closes, closing_entries)
                connection.execute("UPDATE match SET over = 1 WHERE id = ?", (closes,))
            if self.table.setting(LINEAGE) is None:
                self.draw_lineage(connection)
            insert_match(connection, (match, began, text, int(over), match_checksum(match, began, text)))
            last = self._insert(connection, match, entries)
            insert_codes(connection, match, invitations)
            if request is not None:
                _insert_request(connection, request, match, 0)
        if closes is not None:
            self.closed_at, _ = self.file.written
        self.acknowledge(match, last)

    def append(self, match: str, entries: Sequence[Entry], request: RequestKey | None = None) -> None:
        """Write entries to disk, all or none, with the request that they answer.

        Raises:
            LogError: Nothing was written.
        """
        with self.file.lock:
            with self.file.transaction(only_entries=True) as connection:
                last = self._insert(connection, match, entries)
                if request is not None:
                    _insert_request(connection, request, match, last)
            self.acknowledge(match, last)

    def answer_with(self, match: str, request: RequestKey) -> None:
        """Note that this match, which began already, is the answer to one more request.

        Raises:
            LogError: It could not be written.
        """
        with self.file.transaction(only_entries=True) as connection:
            _insert_request(connection, request, match, 0)

    def choose(self, match: str, request: RequestKey | None = None) -> None:
        """Note that this unfinished match is the one that the next start goes on with.

        Raises:
            LogError: It could not be written.
        """
        with self.file.transaction() as connection:
            insert_setting(connection, GONE_ON, match)
            if request is not None:
                _insert_request(connection, request, match, 0)

    def _insert(self, connection: Connection, match: str, entries: Sequence[Entry]) -> int:
        """Add entries, each with its checksum; returns the last one's number."""
        rows = self.file.rows(
            "SELECT number, checksum FROM entry WHERE match = ? ORDER BY number DESC LIMIT 1", match
        ) or self.file.rows("SELECT 0, checksum FROM match WHERE id = ?", match)
        number, checksum = rows[0] if rows else (0, "")
        added = []
        for entry in entries:
            body = json_text(encode_entry(entry))
            number, checksum = entry.number, entry_checksum(checksum, entry.number, body)
            added.append((match, number, body, checksum))
        connection.executemany("INSERT INTO entry (match, number, body, checksum) VALUES (?, ?, ?, ?)", added)
        return int(number)

    def acknowledge(self, match: str, last: int) -> None:
        """Note in the second file that this is a match's last entry; if that fails, the entry still counts."""
        if self._witnessed:
            self._witness.write(match, last)

    def close_match(self, match: str, request: RequestKey | None = None) -> None:
        """Mark a match as finished or abandoned; it is not resumed automatically.

        Raises:
            LogError: It could not be written.
        """
        with self.file.transaction() as connection:
            connection.execute("UPDATE match SET over = 1 WHERE id = ?", (match,))
            if request is not None:
                _insert_request(connection, request, match, 0)
        self.closed_at, _ = self.file.written

    def delete(self, match: str, request: RequestKey | None = None) -> None:
        """Delete a match and its entries.

        Raises:
            LogError: It could not be written.
        """
        with self.file.transaction() as connection:
            connection.execute("DELETE FROM match WHERE id = ?", (match,))
            connection.execute("DELETE FROM set_aside WHERE match = ?", (match,))
            self.losses.set(connection, match, 0, 0)
            if request is not None:
                _insert_request(connection, request, match, DELETED)
        if self._witnessed:
            self._witness.forget(match)

    # -- reading ---------------------------------------------------------------------------------

    def matches(self) -> list[StoredMatch]:
        """All matches, newest first: by the order in which they were stored, whatever the clock said."""
        return list(self.each_match())

    def each_match(self) -> Iterator[StoredMatch]:
        """As ``matches``, one at a time: the decks of a thousand matches would not fit into a small box's memory."""
        try:
            rows = self.file.rows(f"SELECT rowid FROM match {_NEWEST_FIRST}")  # noqa: S608  # constants
        except LogError:  # a damaged page costs the matches on it
            rows = self.file.sound_rows("SELECT rowid FROM match NOT INDEXED")[::-1]
        for (row,) in rows:
            for found in self.file.sound_rows(f"SELECT {_COLUMNS} FROM match WHERE rowid = ?", row):  # noqa: S608  # constants
                yield _stored(found)

    def states(self) -> list[MatchState]:
        """The states of all matches, newest first; they take a hundredth of the time of ``matches``.

        Raises:
            LogError: They cannot be read.
        """
        rows = self.file.rows(f"{_STATES} {_NEWEST_FIRST}")
        return [MatchState(match, began, bool(over), last) for match, began, over, last in rows]

    def state(self, match: str) -> MatchState | None:
        """Raises LogError if it cannot be read."""
        rows = self.file.rows(f"{_STATES} WHERE id = ?", match)
        return next((MatchState(one, began, bool(over), last) for one, began, over, last in rows), None)

    def ids(self) -> frozenset[str]:
        """The ids of all matches, as far as the file or its index can be read."""
        where = ("", "NOT INDEXED")
        return frozenset(match for how in where for (match,) in self.file.sound_rows(f"SELECT id FROM match {how}"))  # noqa: S608  # constants

    def match(self, match: str) -> StoredMatch | None:
        """Raises LogError if it cannot be read."""
        rows = self.file.rows(f"SELECT {_COLUMNS} FROM match WHERE id = ?", match)  # noqa: S608  # constants
        return _stored(rows[0]) if rows else None

    def entries(self, match: str) -> list[JSON]:
        """A match's entries as JSON, in order, up to the first damaged one."""
        return self.sound(match)[0]

    def sound(self, match: str) -> tuple[list[JSON], Damage | None]:
        """A match's entries up to the first damaged one, and the damage, if any."""
        with self.file.lock:
            rows = self.file.sound_rows("SELECT id, began, header FROM match WHERE id = ?", match)
            first = match_checksum(*rows[0]) if rows else ""
            stored = self.file.sound_rows("SELECT checksum FROM match WHERE id = ?", match)
            written = self.file.sound_rows(
                "SELECT number, body, checksum FROM entry WHERE match = ? ORDER BY number", match
            )
            last = self.file.sound_rows("SELECT coalesce(max(number), 0) FROM entry WHERE match = ?", match)
        bodies: list[JSON] = []
        checksum = first
        for number, body, expected in written:
            checksum = entry_checksum(checksum, number, body)
            if number != len(bodies) + 1 or checksum != expected:
                break
            try:
                bodies.append(json.loads(body))
            except (ValueError, RecursionError):
                break
        lost = max([len(written), *(number for number, *_ in (*written, *last))]) - len(bodies)
        kept: int | None = len(bodies)
        before = self.losses.of(match)
        if before is not None:
            kept = before.kept if lost == 0 else kept
            lost += before.lost
        if stored != [(first,)]:
            kept = None
        return bodies, Damage(kept, lost) if lost or kept is None else None

    def answered(self, request: RequestKey) -> AnsweredRequest | None:
        """What a request wrote when it came before; ``None`` = it did not, or what it wrote is not there any more.

        After a loss, the number of its entry may have been given again: so its checksum is compared. A match that was
        deleted may be here again, brought back or another of that name: it is not deleted once more.
        """
        rows = self.file.sound_rows("SELECT body, match, number, checksum FROM request WHERE key = ?", request.key)
        for body, match, number, checksum in rows:
            if number == DELETED or self.file.sound_rows(f"SELECT {_ANSWERS_CHECKSUM}", match, number) == [(checksum,)]:
                return AnsweredRequest(body, match, number)
        return None

    def same_record(self, header: Mapping[str, JSON], entries: Sequence[Entry]) -> str | None:
        """The match that is over and has this match file, this deck and exactly these entries, if there is one.

        Raises:
            LogError: It cannot be read.
        """
        bodies = [json_text(encode_entry(entry)) for entry in entries]
        alike = self.file.rows(
            "SELECT id FROM match WHERE over AND (SELECT max(number) FROM entry WHERE match = id) IS ?1 AND"
            " (SELECT body FROM entry WHERE match = id AND number = ?1) IS ?2",
            len(bodies) or None,
            bodies[-1] if bodies else None,
        )
        for (found,) in alike:
            match = str(found)
            stored = self.match(match)
            written = self.file.rows("SELECT body FROM entry WHERE match = ? ORDER BY number", match)
            if stored is None or not stored.readable or [body for (body,) in written] != bodies:
                continue
            if all(stored.header.get(part) == header.get(part) for part in ("match", "deck")):
                return match
        return None

    def last_number(self, match: str) -> int:
        """The number of a match's last entry, damaged or not; 0 if there is none."""
        return self.file.rows("SELECT coalesce(max(number), 0) FROM entry WHERE match = ?", match)[0][0] or 0

    def damages(self) -> Iterator[tuple[str, Damage]]:
        """Each damaged match with its damage."""
        for stored in self.each_match():
            damage = self.sound(stored.id)[1]
            if damage is not None:
                self.damaged |= {stored.id}
                yield stored.id, damage

    def close(self) -> None:
        """Safe to call twice."""
        self.file.close()
        self._witness.close()


def insert_match(connection: Connection, row: tuple[str, str, str, int, str]) -> None:
    """Add a match after all others, inside a transaction.

    Args:
        row: id, began, header, over, checksum.
    """
    connection.execute(
        f"INSERT INTO match ({_COLUMNS}, place)"  # noqa: S608  # constants
        " VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM match))",
        row,
    )


def _insert_request(connection: Connection, request: RequestKey, match: str, number: int) -> None:
    """Note inside a transaction what answers a request, and forget the oldest."""
    connection.execute(
        f"INSERT OR REPLACE INTO request VALUES (?3, ?4, ?1, ?2, coalesce({_ANSWERS_CHECKSUM}, ''))",  # noqa: S608  # a constant
        (match, number, request.key, request.body),
    )
    connection.execute("DELETE FROM request WHERE rowid <= (SELECT max(rowid) FROM request) - ?", (MOST_REQUESTS,))


def draw_mark() -> str:
    """What tells this log from every other one, and from itself before something was lost."""
    return secrets.token_hex(8)


def wall_clock() -> str:
    """The current time in ISO 8601, as matches are labelled."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


@contextmanager
def open_log(folder: Path, *, reading: bool = False) -> Iterator[EventLog]:
    """The log in a data folder, closed afterwards. A running companion may be using it."""
    opened = EventLog(folder / LOG_FILE, reading=reading, witness=False)
    try:
        yield opened
    finally:
        opened.close()


def import_record(
    log: EventLog,
    name: str,
    header: Mapping[str, JSON],
    entries: Sequence[Entry],
    began: str,
    request: RequestKey | None = None,
) -> str:
    """Store a record as a finished match; returns the id it was given.

    Raises:
        LogError: It could not be written.
    """
    taken = log.ids()
    match = next(unique for n in range(len(taken) + 1) if (unique := f"{name}-{n + 1}" if n else name) not in taken)
    log.begin(match, began, header, entries, over=True, request=request)
    return match


def _stored(row: tuple[str, str, str, int, str]) -> StoredMatch:
    match, began, header, over, checksum = row
    try:
        content = json.loads(header)
    except (ValueError, RecursionError):
        content = None
    readable = isinstance(content, Mapping) and checksum == match_checksum(match, began, header)
    return StoredMatch(match, began, content if readable else {"match": {}, "deck": {}}, bool(over), readable)
