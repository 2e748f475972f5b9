"""Files: the log in SQLite, records, matches, decks, pictures, settings and bundles.

It imports ``companion.history`` and ``companion.games``. It and ``companion.referee`` do not import each other: the
referee does not know where things are kept.

    >>> import tempfile, pathlib
    >>> from companion.storage import EventLog
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = EventLog(pathlib.Path(folder) / "matches.sqlite")
    ...     log.matches()
    ...     log.close()
    []
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from companion.storage.event_log import EventLog as EventLog
    from companion.storage.match_file import read_match as read_match
    from companion.storage.record_file import read_record as read_record
    from companion.storage.settings import read_settings as read_settings
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "EventLog": "companion.storage.event_log",
            "read_match": "companion.storage.match_file",
            "read_record": "companion.storage.record_file",
            "read_settings": "companion.storage.settings",
        },
    )
