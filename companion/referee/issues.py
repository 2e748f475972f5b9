"""What stands open between the table and the log: the value that referee and reconciler share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.games.protocol import Game, Move
from companion.history.events import Unexplained
from companion.history.record import Record
from companion.public.table import LOOSE, CardId, Change, ViewLost, Zone, changes
from companion.public.text import Text
from companion.public.updates import Alert
from companion.referee.commands import MakeMove
from companion.referee.questions import Questions


@dataclass
class TableIssues:
    """What stands open between the table and the log.

    Attributes:
        lying: Card to zone, as it was seen last; command cards left out.
        commands: The command cards and seat tags that were seen last.
        reported: Differences that people were told about and that still stand.
        questions: Questions that stand open on the phones.
        restoring: The list of what to move is on the phones, and scoring stops until it is done.
        in_the_way: What must leave the table before the match can begin.
        lost: Why the table cannot be judged now.
        postponed: What somebody said that waits for a thing that is missing.
    """

    lying: dict[CardId, Zone] = field(default_factory=dict)
    commands: frozenset[CardId] = frozenset()
    reported: set[Change] = field(default_factory=set)
    questions: Questions = field(default_factory=Questions)
    restoring: bool = False
    in_the_way: frozenset[Change] = frozenset()
    lost: ViewLost | None = None
    postponed: MakeMove | None = None

    def differences(self, game: Game[Any, Any], record: Record[Any]) -> tuple[Change, ...]:
        """What lies otherwise than it should."""
        return changes(game.expected(record.public), self.lying)

    def awaited(self, game: Game[Any, Any], record: Record[Any], move: Move) -> tuple[CardId, ...]:
        """The things that a move waits for: people were told that they are missing, and they still are."""
        needed = game.must_lie(record.public, move)
        if not needed:
            return ()
        missing = {line.entry.event.change for line in record.lines if isinstance(line.entry.event, Unexplained)}
        still = (change for change in self.differences(game, record) if change.went_to is None and change in missing)
        return tuple(change.card for change in still if change.card in needed)

    def alert(self, record: Record[Any]) -> Alert:
        """The worst of what stands."""
        if self.lost is not None:
            return Alert.LOST
        if self.restoring or self.in_the_way:
            return Alert.DISAGREES
        in_question = {question.change for question in self.questions.open.values()}
        refused_changes = (refused.change for refused in record.open_refusals.values())
        if any(change not in in_question for change in refused_changes if change):
            return Alert.REFUSED
        if in_question:
            return Alert.ASKS
        return Alert.PAUSED if record.paused else Alert.NONE

    def instructions(self, game: Game[Any, Any], record: Record[Any]) -> tuple[Text, ...]:
        """What to move so that the table is as the log has it; empty while nobody asks for it."""
        if self.in_the_way:
            return tuple(put_right(game, change) for change in sorted(self.in_the_way, key=lambda one: one.card))
        if not self.restoring:
            return ()
        return tuple(put_right(game, change) for change in self.differences(game, record))


def put_right(game: Game[Any, Any], change: Change) -> Text:
    """What to do so that a difference is none, in words."""
    if change.went_to == LOOSE:
        return Text("referee.push_close", {"card": change.card})
    if change.came_from is None:
        return Text("referee.take_away", {"card": change.card})
    return Text("referee.put_into", {"card": change.card, "zone": game.place_name(change.came_from)})
