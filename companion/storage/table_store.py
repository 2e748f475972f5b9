"""What a table keeps beside its matches, in the same file: the codes for joining, and settings as JSON."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping

from companion.public.text import JSON
from companion.storage.log_file import Connection, LogFile

log = logging.getLogger(__name__)


class TableStore:
    """Codes and settings. May be used from any thread; frequent queries are cached.

    Methods that write raise ``LogError`` if they cannot; the old value is then unchanged.
    """

    def __init__(self, file: LogFile) -> None:
        self._file = file

    def codes(self, match: str) -> list[tuple[int, str, str]]:
        """The codes of a match: seat, code, short code."""
        return list(self._file.look_up("SELECT seat, code, short FROM invitation WHERE match = ? ORDER BY seat", match))

    def renew_codes(
        self, match: str | None, codes: Iterable[tuple[int, str, str]], settings: Mapping[str, JSON]
    ) -> None:
        """Replace codes (seat, code, short code) of a match, and settings, in one transaction."""
        with self._file.transaction() as connection:
            if match is not None:
                insert_codes(connection, match, codes)
            for name, value in settings.items():
                insert_setting(connection, name, value)

    def setting(self, name: str) -> JSON | None:
        """``None`` = there is none, or it is damaged."""
        rows = self._file.look_up("SELECT value FROM setting WHERE name = ?", name)
        try:
            return json.loads(rows[0][0]) if rows else None
        except (ValueError, RecursionError):
            log.warning("what %s keeps as %r is damaged; it counts as not there", self._file.path, name)
            return None

    def set(self, name: str, value: JSON) -> None:
        with self._file.transaction() as connection:
            insert_setting(connection, name, value)


def insert_codes(connection: Connection, match: str, codes: Iterable[tuple[int, str, str]]) -> None:
    """Store codes (seat, code, short code) of a match, inside a transaction."""
    connection.executemany("INSERT OR REPLACE INTO invitation VALUES (?, ?, ?, ?)", [(match, *row) for row in codes])


def insert_setting(connection: Connection, name: str, value: JSON) -> None:
    connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, json_text(value)))


def json_text(value: JSON) -> str:
    """JSON as it is stored: readable, and always valid UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, from a file that a stranger made
        return json.dumps(value)
    return text
