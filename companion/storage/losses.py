"""What is missing from matches, and how that is noticed.

A log whose end is missing looks like a shorter log: a flipped bit in SQLite's write-ahead log makes SQLite drop
everything after it without a warning. A small file beside the log, the witness, says which entry of each match was the
last to be acknowledged. What is found missing is kept as a setting in the log until it is back.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.public.text import JSON
from companion.storage.log_file import Connection, LogFile
from companion.storage.table_store import TableStore, insert_setting

log = logging.getLogger(__name__)

SLOT_BYTES = 2048
"""The witness has two slots of this size, written alternately, so one is intact after a power cut."""
MOST_MATCHES = 16
"""The matches written to last; older ones have long been in the database file itself."""
_SETTING = "losses"


@dataclass(frozen=True, slots=True)
class Damage:
    """What is missing from a match.

    Attributes:
        kept: The number of undamaged entries from the first on; ``None`` = even the match itself is unreadable.
        lost: The number of entries after them, as far as that is known.
    """

    kept: int | None
    lost: int

    def __str__(self) -> str:
        if self.kept is None:
            return "cannot be read: what it was played with is damaged"
        return f"is kept up to entry {self.kept}; {self.lost} later ones are damaged or missing"


class Losses:
    """The matches that are shorter than they once were.

    Args:
        table: Keeps them, as a setting.
        last_seen: The witness's content: the number of each match's last acknowledged entry.
    """

    def __init__(self, file: LogFile, table: TableStore, last_seen: Mapping[str, int]) -> None:
        self._table = table
        self._by_match = self._kept()
        for match in self.gone():
            if file.rows("SELECT 1 FROM match WHERE id = ?", match):  # it is back
                del self._by_match[match]
        for match, number in last_seen.items():
            last = file.rows("SELECT max(number) FROM entry WHERE match = ?", match)[0][0] or 0
            if not file.rows("SELECT 1 FROM match WHERE id = ?", match):
                self._by_match.setdefault(match, [None, number])
            elif last < number:
                self._by_match[match] = [last, number - last]

    def _kept(self) -> dict[str, list[int | None]]:
        losses = self._table.setting(_SETTING)
        if not isinstance(losses, Mapping):
            return {}
        return {match: loss for match, loss in losses.items() if _is_loss(loss)}

    def keep(self) -> bool:
        """Write down what is newly missing; returns whether anything is.

        Raises:
            LogError: It could not be written.
        """
        if self._by_match == self._kept():
            return False
        self._table.set(_SETTING, self._by_match)
        return True

    def of(self, match: str) -> Damage | None:
        """The known loss of a match; reads no entries."""
        kept, lost = self._by_match.get(match, (None, None))
        return None if lost is None else Damage(kept, lost)

    def gone(self) -> list[str]:
        """Matches that have vanished from the log without being deleted."""
        return [match for match, (kept, _) in self._by_match.items() if kept is None]

    def set(self, connection: Connection, match: str, kept: int, lost: int) -> None:
        """Note a match's loss, inside a transaction; ``lost`` = 0 removes the note."""
        losses = {other: loss for other, loss in self._by_match.items() if other != match}
        if lost > 0:
            losses[match] = [kept, lost]
        if losses != self._by_match:
            self._by_match = losses
            insert_setting(connection, _SETTING, losses)


def _is_loss(value: JSON) -> bool:
    """Whether it has the form ``[kept, lost]``; ``kept`` may be ``None``."""
    match value:
        case [int() | None, int()]:
            return True
        case _:
            return False


class Witness:
    """The last entry's number of each of the matches written to last. The log's lock guards it.

    Writing never raises: an entry in the log counts, even if this file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._turn = 0
        self._last: dict[str, int] | None = None
        self._lock = threading.Lock()
        self._complained = False

    def read(self) -> dict[str, int]:
        """The last entry's number by match; empty if the file is missing or damaged."""
        try:
            file = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                content = os.pread(file, 2 * SLOT_BYTES, 0)
            finally:
                os.close(file)
        except OSError:
            return {}
        slots = [slot for at in (0, SLOT_BYTES) if (slot := _slot(content[at : at + SLOT_BYTES])) is not None]
        if not slots:
            return {}
        self._turn, last = max(slots, key=lambda slot: slot[0])
        return dict(last)

    def write(self, match: str, number: int) -> None:
        """Note a match's last acknowledged entry."""
        with self._lock:
            last = self.read() if self._last is None else self._last
            last.pop(match, None)
            last[match] = number
            self._store(last)

    def forget(self, match: str) -> None:
        """Note that the match was deleted on purpose."""
        with self._lock:
            last = self.read() if self._last is None else self._last
            if last.pop(match, None) is not None:
                self._store(last)

    def close(self) -> None:
        """Safe to call twice."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _store(self, last: dict[str, int]) -> None:
        while len(last) > MOST_MATCHES or len(body := _body(self._turn + 1, last)) > SLOT_BYTES:
            del last[next(iter(last))]
        self._last = last
        self._turn += 1
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.pwrite(self._file, body.ljust(SLOT_BYTES), self._turn % 2 * SLOT_BYTES)
            os.fdatasync(self._file)
        except OSError as wrong:
            if not self._complained:
                log.warning("%s cannot be written (%s): missing entries would not be noticed", self._path, wrong)
            self._complained = True


def _body(turn: int, last: Mapping[str, int]) -> bytes:
    text = json.dumps([turn, last])
    return f"{zlib.crc32(text.encode()):08x} {text}".encode()


def _slot(content: bytes) -> tuple[int, dict[str, int]] | None:
    checksum, _, text = content.strip(b" \0").partition(b" ")
    try:
        if int(checksum, 16) != zlib.crc32(text):
            return None
        turn, last = json.loads(text)
        return int(turn), {str(match): int(number) for match, number in last.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
