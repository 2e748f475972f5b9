"""What is known of a match: events, their JSON, and the record as a fold over them.

It imports ``companion.games.protocol`` and ``companion.public``, and is pure: the same entries make the same record
everywhere. It knows no particular game.

    >>> import companion
    >>> from companion.history import replay
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> replay(game, []).next_number
    1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_LAZY = {
    "Entry": "companion.history.events",
    "Record": "companion.history.record",
    "append": "companion.history.record",
    "replay": "companion.history.record",
}
"""Each name's module; it is loaded when the name is asked for, so that importing this package stays cheap."""

if TYPE_CHECKING:
    from companion.history.events import Entry as Entry
    from companion.history.record import Record as Record
    from companion.history.record import append as append
    from companion.history.record import replay as replay
else:

    def __getattr__(name: str) -> Any:
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_LAZY[name]), name)
