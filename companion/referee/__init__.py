"""The referee: commands and observations go in, decisions come out.

It imports ``companion.history`` and depends on no clock, queue, device or particular game. ``match`` keeps the order:
decide, write, publish, complete.

    >>> import companion
    >>> from companion.referee import Match, Pause
    >>> log, updates = [], []
    >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
    >>> match = Match(game, write=log.extend, publish=updates.append)
    >>> match.handle(Pause(), now_s=0.0)
    >>> log[0].event, updates[0].signal
    (Paused(by=None), <Signal.PAUSED: 'paused'>)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from companion.referee.commands import (
        AcceptTable as AcceptTable,
        Allow as Allow,
        AnswerQuestion as AnswerQuestion,
        ChangeSeat as ChangeSeat,
        Claim as Claim,
        Command as Command,
        CommandCard as CommandCard,
        CorrectCounts as CorrectCounts,
        MakeMove as MakeMove,
        OverruleCamera as OverruleCamera,
        Pause as Pause,
        RestoreTable as RestoreTable,
        Resume as Resume,
        Undo as Undo,
    )
    from companion.referee.decisions import Decision as Decision
    from companion.referee.match import Match as Match
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "AcceptTable": "companion.referee.commands",
            "Allow": "companion.referee.commands",
            "AnswerQuestion": "companion.referee.commands",
            "ChangeSeat": "companion.referee.commands",
            "Claim": "companion.referee.commands",
            "Command": "companion.referee.commands",
            "CommandCard": "companion.referee.commands",
            "CorrectCounts": "companion.referee.commands",
            "Decision": "companion.referee.decisions",
            "MakeMove": "companion.referee.commands",
            "Match": "companion.referee.match",
            "OverruleCamera": "companion.referee.commands",
            "Pause": "companion.referee.commands",
            "RestoreTable": "companion.referee.commands",
            "Resume": "companion.referee.commands",
            "Undo": "companion.referee.commands",
        },
    )
