"""Answers about matches that took long to work out, kept in files; losing them costs nothing but the time."""

from __future__ import annotations

import gzip
import hashlib
import logging
import os
import shutil
import threading
import zlib
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

ANSWERS_FOLDER = "answers"
"""In the data folder."""

MOST_BYTES = 100_000_000
"""For all files together: strangers may ask for every match in every language."""


class KeptAnswers:
    """Texts by match and name, each with the state of the match for which it was worked out.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     answers = KeptAnswers(Path(folder) / ANSWERS_FOLDER)
        ...     answers.keep("friday", "page-en", "after entry 7", b"Ana won")
        ...     answers.get("friday", "page-en", "after entry 7"), answers.get("friday", "page-en", "after entry 8")
        (b'Ana won', None)

    May be used from any thread. A disk that is full or read-only keeps nothing, and nobody is told: the answer is
    worked out again.

    Args:
        folder: Is created with the first answer; only its owner may read it.
    """

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._bytes: int | None = None
        self._lock = threading.Lock()

    def get(self, match: str, name: str, state: str) -> bytes | None:
        """The answer that was kept for this state; ``None`` if there is none, or its file is damaged."""
        try:
            packed = self._file(match, name).read_bytes()
        except OSError:
            return None
        head, _, body = packed.partition(b"\n")
        if head != _digest(state).encode():
            return None
        try:
            return gzip.decompress(body)
        except (OSError, EOFError, zlib.error):
            return None

    def keep(self, match: str, name: str, state: str, answer: bytes) -> None:
        """Keep an answer instead of the one before; never raises for the disk's sake."""
        file = self._file(match, name)
        packed = _digest(state).encode() + b"\n" + gzip.compress(answer, 6, mtime=0)
        with self._lock:
            try:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._make_room(len(packed))
                fresh = file.with_suffix(".new")
                with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as written:
                    written.write(packed)
                fresh.replace(file)
            except OSError as wrong:
                log.info("an answer about %s is not kept (%s)", match, wrong)

    def forget(self, match: str) -> None:
        """Delete all answers about a match."""
        with self._lock:
            shutil.rmtree(self._file(match, "").parent, ignore_errors=True)
            self._bytes = None

    def _make_room(self, wanted: int) -> None:
        """Delete the oldest files until this many bytes more are allowed."""
        if self._bytes is None or self._bytes + wanted > self._most_bytes:
            found = []
            for path in self._folder.rglob("*"):
                with suppress(OSError):  # another request has just replaced it
                    if path.is_file():
                        told = path.stat()
                        found.append((told.st_mtime_ns, told.st_size, path))
            self._bytes = sum(size for _, size, _ in found)
            for _, size, path in sorted(found):
                if self._bytes + wanted <= self._most_bytes:
                    break
                path.unlink(missing_ok=True)
                self._bytes -= size
        self._bytes += wanted

    def _file(self, match: str, name: str) -> Path:
        """The ids of imported matches and the names of players are anything: a file is named by what they hash to."""
        return self._folder / _digest(match) / _digest(name)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
