"""The history of a match: events, their JSON, and the record, which is a fold over them.

It imports ``companion.games.protocol`` and ``companion.public``, and is pure: the same entries always give the same
record. It does not depend on a particular game.

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
