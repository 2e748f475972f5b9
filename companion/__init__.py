"""The companion: a camera over a real table that referees a real card game.

Four lines judge a move:

    >>> import companion
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> move = companion.decode_move(game, {"do": "pass", "by": 1})
    >>> game.rules.judge(game.public(game.rules.start), move, companion.replay(game, []).next_context())
    ()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import (
    CompanionError as CompanionError,
    DeviceError as DeviceError,
    ImpossibleMove as ImpossibleMove,
    InputError as InputError,
    LogError as LogError,
)
from companion.public.lazy import lazy

if TYPE_CHECKING:
    from companion.games.protocol import Game as Game, Move as Move, Objection as Objection
    from companion.games.registry import demo_deck as demo_deck, demo_match as demo_match, open_match as open_match
    from companion.history.codec import decode_move as decode_move, encode_entry as encode_entry
    from companion.history.record import Record as Record, replay as replay
    from companion.referee.match import Match as Match
    from companion.service.runner import MatchRunner as MatchRunner
    from companion.storage.event_log import EventLog as EventLog
    from companion.storage.record_file import read_record as read_record
    from companion.version import __version__ as __version__
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "__version__": "companion.version",
            "EventLog": "companion.storage.event_log",
            "Game": "companion.games.protocol",
            "Match": "companion.referee.match",
            "MatchRunner": "companion.service.runner",
            "Move": "companion.games.protocol",
            "Objection": "companion.games.protocol",
            "Record": "companion.history.record",
            "decode_move": "companion.history.codec",
            "demo_deck": "companion.games.registry",
            "demo_match": "companion.games.registry",
            "encode_entry": "companion.history.codec",
            "open_match": "companion.games.registry",
            "read_record": "companion.storage.record_file",
            "replay": "companion.history.record",
        },
    )
