"""When a phone may become the host without a code: on a table that had no host yet, and on request at the box."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.storage.event_log import EventLog
from companion.storage.join_codes import host_codes, kept_host_codes

FIRST_PHONE_S = 300.0
"""For a table without a host, from each start; the computer may have run for hours before."""

NO_HOST_YET = "no_host_yet"
"""The setting in the log of a table whose host's code was drawn and never used."""

ASKED_S = 60.0
"""How long the window is open after a request at the box."""

ASKED_FILE = "first-phone"
"""In the data folder; ``companion host`` writes it at the box to request the window."""


def ask_for_first_phone(folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
    """Let the first phone become host for a minute, in the companion that runs on this data folder.

    Args:
        clock: Seconds since power-on, the same for all programs of a machine; the time of day may jump.

    Raises:
        OSError: The folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    written = folder / f"{ASKED_FILE}.new"
    written.unlink(missing_ok=True)
    asked = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)  # follows no link
    with os.fdopen(asked, "w", encoding="utf-8") as file:
        file.write(repr(clock()))  # not rounded: rounded up it would be in the future
    written.replace(folder / ASKED_FILE)  # atomic


class FirstPhone:
    """The window in which the first phone becomes host.

    It opens at each start of a table until a phone has become host or the host's code was used, once in the life of
    its data folder: a family that was late switches the box off and on. After that it stays closed at every start.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     log = EventLog(Path(folder) / "matches.sqlite")
        ...     first_phone = FirstPhone(log, Path(folder), by_itself=True)
        ...     first_phone.open()
        ...     first_phone.claim() is not None, first_phone.is_open()
        ...     log.close()
        (True, False)

    Args:
        log: Holds the host's code.
        folder: The data folder.
        by_itself: Whether a table without a host opens it at all; a table with a prompt shows its code there.
        clock: Seconds since power-on.
    """

    def __init__(
        self, log: EventLog, folder: Path, *, by_itself: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._log, self._asked, self._clock = log, folder / ASKED_FILE, clock
        self._lock = threading.Lock()
        self._forget()  # requested from an earlier run
        self._is_new = kept_host_codes(log) is None
        self._has_host = not (self._is_new or log.table.setting(NO_HOST_YET) is True)
        self._by_itself = by_itself
        self._until_s = 0.0

    def open(self) -> None:
        """Open the window of a table without a host, when pages are about to be served."""
        with self._lock:
            if self._by_itself and not self._has_host:
                self._until_s = self._clock() + FIRST_PHONE_S
        if self._by_itself and self._is_new:
            self._log.table.set(NO_HOST_YET, True)
        host_codes(self._log)

    def ask(self) -> None:
        """The host's button was pressed."""
        with self._lock:
            self._until_s = self._clock() + ASKED_S

    def host_came(self) -> None:
        """The host's code was used."""
        with self._lock:
            self._until_s = 0.0
            self._note_host()

    def is_open(self) -> bool:
        """Whether the next phone that asks becomes host."""
        with self._lock:
            return self._is_open()

    def claim(self) -> str | None:
        """The host's code for the first phone that asks while the window is open; then it closes."""
        with self._lock:
            if not self._is_open():
                return None
            self._until_s = 0.0
            self._note_host()
        return host_codes(self._log)[0]

    def _note_host(self) -> None:
        if not self._has_host:
            self._has_host = True
            self._log.table.set(NO_HOST_YET, False)

    def _is_open(self) -> bool:
        try:
            with self._asked.open(encoding="ascii") as file:
                asked_s = float(file.read(32))
        except FileNotFoundError:
            return self._clock() < self._until_s
        except (OSError, ValueError):
            asked_s = -ASKED_S  # the time of the request is unknown
        if self._forget() and 0.0 <= self._clock() - asked_s < ASKED_S:
            self._until_s = self._clock() + ASKED_S
        return self._clock() < self._until_s

    def _forget(self) -> bool:
        """Remove the request; returns whether that worked, for otherwise it would be accepted again and again."""
        with suppress(OSError):
            self._asked.unlink()
            return True
        return False
