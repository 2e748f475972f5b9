"""Which user each code belongs to: read from the log when codes or seats change, and cached for all requests."""

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
"""The match at the table as stored and as it runs, and the person in each of its seats."""


class CodeTable:
    """The codes of all users at the table. May be used from any thread."""

    def __init__(self, log: EventLog, at_table: Callable[[], AtTable | None]) -> None:
        self._log, self._at_table = log, at_table
        self._lock = threading.Lock()
        self._codes: tuple[JoinCode, ...] | None = None

    def forget(self) -> None:
        """Drop the cache; the next call reads the codes again."""
        with self._lock:
            self._codes = None

    def codes(self) -> tuple[JoinCode, ...]:
        """The host's, those of the seats, and the hub's if it has access.

        Raises:
            LogError: They cannot be read.
        """
        with self._lock:
            if self._codes is None:
                self._codes = self._read()
            return self._codes

    def user(self, code: str) -> User | None:
        """The user with this long or short code. All codes are compared, so that the time reveals nothing."""
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
    """Compare two codes in constant time."""
    return hmac.compare_digest(presented.encode(errors="replace"), kept.encode())
