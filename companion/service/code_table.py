"""Whose each code is: read from the log when codes are made or somebody changes seats, and kept for every request."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable

from companion.history.seating import SeatedPerson
from companion.public.service import JoinCode, Role, User
from companion.public.table import Seat
from companion.referee.match import Match
from companion.storage.event_log import EventLog, StoredMatch
from companion.storage.join_codes import host_codes, hub_access

AtTable = tuple[StoredMatch, Match, tuple[SeatedPerson, ...]]
"""The match at the table as the log knows it, as it runs, and who sits in each of its seats."""


class CodeTable:
    """The codes of everybody at the table. May be used from any thread.

    Args:
        log: Keeps the codes.
        at_table: The match at the table now.
    """

    def __init__(self, log: EventLog, at_table: Callable[[], AtTable | None]) -> None:
        self._log, self._at_table = log, at_table
        self._lock = threading.Lock()
        self._codes: tuple[JoinCode, ...] | None = None

    def forget(self) -> None:
        """Something has changed: whoever asks next has the codes read anew."""
        with self._lock:
            self._codes = None

    def codes(self) -> tuple[JoinCode, ...]:
        """The host's, those of the seats, and the hub's if one may ask.

        Raises:
            LogError: They cannot be read.
        """
        with self._lock:
            if self._codes is None:
                self._codes = self._read()
            return self._codes

    def user(self, code: str) -> User | None:
        """Whose long or short code this is; all are compared, so that the time tells nothing about any."""
        found = None
        for one in self.codes():
            if _same(code, one.code) | _same(code, one.short):
                found = one.user
        return found

    def _read(self) -> tuple[JoinCode, ...]:
        at_table, hub = self._at_table(), hub_access(self._log)
        outside, seats = False, list[JoinCode]()
        if at_table is not None:
            stored, _, people = at_table
            outside = stored.header["match"].get("host") == "outside"
            invited = {person.invited: Seat(seat) for seat, person in enumerate(people, 1)}
            seats = [
                JoinCode(User(Role.SEAT, invited[Seat(number)]), code, short)
                for number, code, short in self._log.table.codes(stored.id)
            ]
        return (
            JoinCode(User(Role.HOST, None, outside), *host_codes(self._log)),
            *seats,
            *([] if hub is None else [JoinCode(User(Role.HUB), hub.code, hub.short)]),
        )


def _same(presented: str, kept: str) -> bool:
    """Whether two codes are the same; how long that takes tells nothing about where they differ."""
    return hmac.compare_digest(presented.encode(errors="replace"), kept.encode())
