"""What stands open between the table and the log: the value that referee and reconciler share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.history.events import Unexplained
from companion.history.record import Record
from companion.public.table import LOOSE, CardId, Change, UnreadPlace, ViewLost, Zone, changes
from companion.public.text import Text
from companion.public.updates import Alert, UnreadMark
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
        postponed: What somebody said that waits for a thing that is missing, or that cannot be read.
        unread: The places that cannot be read, as they were seen last.
        unread_end: The entry of a move that was said while it lacked what may lie in one of these places: people were
            asked, and it is not counted yet.
        unseen: Differences that came while the table was out of sight: about these people are asked, and never told
            that they did wrong.
        turn_asked: The question whose turn it is after a time out of sight; open until somebody answers it.
        turn_asked_at: The first entry since then.
    """

    lying: dict[CardId, Zone] = field(default_factory=dict)
    commands: frozenset[CardId] = frozenset()
    reported: set[Change] = field(default_factory=set)
    questions: Questions = field(default_factory=Questions)
    restoring: bool = False
    in_the_way: frozenset[Change] = frozenset()
    lost: ViewLost | None = None
    postponed: MakeMove | None = None
    unread: tuple[UnreadPlace, ...] = ()
    unread_end: int | None = None
    unseen: set[Change] = field(default_factory=set)
    turn_asked: int | None = None
    turn_asked_at: int = 0

    @property
    def is_turn_unknown(self) -> bool:
        """People were asked whose turn it is, and nobody has answered."""
        return self.turn_asked in self.questions.open

    def differences(self, game: Game[Any, Any], record: Record[Any]) -> tuple[Change, ...]:
        """What lies otherwise than it should."""
        return changes(game.table.expected(record.public), self.lying)

    def awaited(self, game: Game[Any, Any], record: Record[Any], move: Move) -> tuple[CardId, ...]:
        """The things that a move waits for: people were told that they are missing, and they still are."""
        needed = game.table.must_lie(record.public, move)
        if not needed:
            return ()
        missing = {line.entry.event.change for line in record.lines if isinstance(line.entry.event, Unexplained)}
        still = (change for change in self.differences(game, record) if change.went_to is None and change in missing)
        return tuple(change.card for change in still if change.card in needed)

    def may_lie_unread(self, game: Game[Any, Any], record: Record[Any], move: Move, at: MoveContext) -> bool:
        """Whether all that a move lacks is a thing that should have been laid before, while one lies that nobody could
        read: it may be that one."""
        if not self.unread:
            return False
        objections = game.rules.judge(record.public, move, at)
        return bool(objections) and all(objection.rule in game.rules.unlaid for objection in objections)

    def unread_marks(self) -> tuple[UnreadMark, ...]:
        """What everybody is shown of the places that cannot be read."""
        return tuple(UnreadMark(unread_text(place), place.zone, place.at) for place in self.unread)

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


def unread_text(place: UnreadPlace) -> Text:
    """Where something lies that cannot be read, in words."""
    return Text("referee.unread", {"side": Text(f"referee.side.{place.side}")})


def put_right(game: Game[Any, Any], change: Change) -> Text:
    """What to do so that a difference is none, in words."""
    if change.went_to == LOOSE:
        return Text("referee.push_close", {"card": change.card})
    if change.came_from is None:
        return Text("referee.take_away", {"card": change.card})
    return Text("referee.put_into", {"card": change.card, "zone": game.words.place_name(change.came_from)})
