"""The witness: a small file beside the log that says which entry of each match was the last to be acknowledged.

A log whose end is missing looks like a shorter log: a flipped bit in SQLite's write-ahead log makes it leave out
everything after it, without a word. This file says that there was more.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import zlib
from collections.abc import Mapping
from pathlib import Path

log = logging.getLogger(__name__)

SLOT_BYTES = 2048
"""The file has two such slots that are written by turns, so that one is whole whenever the power goes."""
MOST_MATCHES = 16
"""The matches that were written to last; older ones lie in the log itself long since."""


class Witness:
    """The last entry of each of the matches that were written to last. The log's lock guards it.

    Writing it never raises: what is in the log counts, also when this file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._turn = 0
        self._last: dict[str, int] | None = None
        self._lock = threading.Lock()
        self._complained = False

    def read(self) -> dict[str, int]:
        """The last entry's number by match; empty where the file is missing or damaged."""
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
        """This entry was acknowledged."""
        with self._lock:
            last = self.read() if self._last is None else self._last
            last.pop(match, None)
            last[match] = number
            self._store(last)

    def forget(self, match: str) -> None:
        """The match was deleted; nobody misses it."""
        with self._lock:
            last = self.read() if self._last is None else self._last
            if last.pop(match, None) is not None:
                self._store(last)

    def close(self) -> None:
        """Close the file; safe to call twice."""
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
