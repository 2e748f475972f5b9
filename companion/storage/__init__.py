"""Files: the log in SQLite, records, matches, decks, pictures, settings and bundles.

It stands on ``companion.history`` and ``companion.games``. Whoever decides does not know where things are kept, so it
and ``companion.referee`` do not import each other.

    >>> import tempfile, pathlib
    >>> from companion.storage import EventLog
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = EventLog(pathlib.Path(folder) / "matches.sqlite")
    ...     log.matches()
    ...     log.close()
    []
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_LAZY = {
    "EventLog": "companion.storage.event_log",
    "read_match": "companion.storage.match_file",
    "read_record": "companion.storage.record_file",
    "read_settings": "companion.storage.settings",
}
"""Each name's module; it is loaded when the name is asked for, so that importing this package stays cheap."""

if TYPE_CHECKING:
    from companion.storage.event_log import EventLog as EventLog
    from companion.storage.match_file import read_match as read_match
    from companion.storage.record_file import read_record as read_record
    from companion.storage.settings import read_settings as read_settings
else:

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_LAZY[name]), name)
