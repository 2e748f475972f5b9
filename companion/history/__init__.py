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

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from companion.history.events import Entry as Entry
    from companion.history.record import Record as Record, append as append, replay as replay
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "Entry": "companion.history.events",
            "Record": "companion.history.record",
            "append": "companion.history.record",
            "replay": "companion.history.record",
        },
    )
