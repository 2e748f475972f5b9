"""Open issues between the table and the log, shared by referee and reconciler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.history.events import Event, Refused, Unexplained
from companion.history.record import Record
from companion.public.table import (
    COMMAND_ZONE,
    LOOSE,
    CardId,
    Change,
    Expected,
    TableState,
    UnreadPlace,
    ViewLost,
    Zone,
    changes,
)
from companion.public.text import Text
from companion.public.updates import Alert, UnreadMark
from companion.referee.commands import MakeMove
from companion.referee.questions import Questions


@dataclass
class TableIssues:
    """Open issues between the table and the log.

    Attributes:
        lying: Card to zone at the last look, without command cards.
        commands: The command cards and seat tags at the last look.
        reported: Differences that were announced and still exist.
        held: Those among them that hang on an open question: they count by its answer, in the order of acts.
        questions: The open questions on the phones.
        showing_moves: The phones show what to move; scoring is suspended until it is done.
        in_the_way: What must leave the table before the match can begin.
        lost: Why the table cannot be judged now.
        postponed: A move that waits for a card that is missing or cannot be read.
        unread: The unreadable places at the last look.
        unread_end: The entry of a move that lacks a card, which may lie in an unreadable place: players were asked, and
            it does not count yet.
        unseen: Differences that appeared while the table was out of sight: players are asked about them, never blamed.
        turn_asked: The questions whose turn it is, after a time out of sight: more than one where there are more seats
            than answers to a question. One answer closes them all.
        turn_asked_at: The first entry since then.
    """

    lying: dict[CardId, Zone] = field(default_factory=dict)
    commands: frozenset[CardId] = frozenset()
    reported: set[Change] = field(default_factory=set)
    held: set[Change] = field(default_factory=set)
    questions: Questions = field(default_factory=Questions)
    showing_moves: bool = False
    in_the_way: frozenset[Change] = frozenset()
    lost: ViewLost | None = None
    postponed: MakeMove | None = None
    unread: tuple[UnreadPlace, ...] = ()
    unread_end: int | None = None
    unseen: set[Change] = field(default_factory=set)
    turn_asked: tuple[int, ...] = ()
    turn_asked_at: int = 0
    _known: _Known = field(default_factory=lambda: _Known(), repr=False)

    @property
    def is_turn_unknown(self) -> bool:
        """Whether players were asked whose turn it is, and have not answered."""
        return any(number in self.questions.open for number in self.turn_asked)

    def close_turn_questions(self) -> None:
        """It is known whose turn it is, or it is asked anew."""
        for number in self.turn_asked:
            self.questions.close(number)
        self.turn_asked = ()

    @property
    def asked_about(self) -> set[Change]:
        """The differences that wait for the answer to a question: what it is about, and what hangs on it."""
        asked = {one.change for one in self.questions.open.values() if one.hangs and one.change is not None}
        return (asked | self.held) & self.reported

    @property
    def awaits_answer(self) -> bool:
        """Whether what counts hangs on the answer to an open question."""
        return any(opened.hangs for opened in self.questions.open.values())

    def ask_again(self, events: Sequence[Event]) -> None:
        """What was asked about and has a new place in the order of acts is asked about anew."""
        for event in events:
            if isinstance(event, Refused) and event.asks and event.change is not None and event.change not in self.held:
                self.questions.drop(event.change)
                self.reported.discard(event.change)

    def differences(self, game: Game[Any, Any], record: Record[Any]) -> tuple[Change, ...]:
        """What lies differently from the log."""
        return self._known.differences(game, record.public, self.lying)

    def expected(self, game: Game[Any, Any], record: Record[Any]) -> Mapping[CardId, Zone]:
        """Where each thing should lie by the log."""
        return self._known.expected(game, record.public).cards

    def places(self, game: Game[Any, Any], record: Record[Any], table: TableState) -> dict[CardId, Zone]:
        """As the function of that name, in the position of the log."""
        return self._known.places(game, record.public, table)

    def awaited(self, game: Game[Any, Any], record: Record[Any], move: Move) -> tuple[CardId, ...]:
        """The cards that a move waits for: players were told that they are missing, and they still are."""
        needed = game.table.must_lie(record.public, move)
        if not needed:
            return ()
        missing = {line.entry.event.change for line in record.lines if isinstance(line.entry.event, Unexplained)}
        still = (change for change in self.differences(game, record) if change.went_to is None and change in missing)
        return tuple(change.card for change in still if change.card in needed)

    def may_lie_unread(self, game: Game[Any, Any], record: Record[Any], move: Move, at: MoveContext) -> bool:
        """Whether a move lacks only a card that may be the one lying there unreadable."""
        if not self.unread:
            return False
        objections = game.rules.judge(record.public, move, at)
        return bool(objections) and all(objection.rule in game.rules.unlaid for objection in objections)

    def unread_marks(self) -> tuple[UnreadMark, ...]:
        """The unreadable places, as phones show them."""
        return tuple(UnreadMark(unread_text(place), place.zone, place.at) for place in self.unread)

    def alert(self, record: Record[Any]) -> Alert:
        """The most serious open issue.

        >>> import companion
        >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
        >>> TableIssues(lost=ViewLost.DARK).alert(companion.replay(game, []))
        <Alert.LOST: 'lost'>
        """
        if self.lost is not None:
            return Alert.LOST
        if self.showing_moves or self.in_the_way:
            return Alert.DISAGREES
        in_question = {question.change for question in self.questions.open.values() if not question.is_offer}
        in_question |= self.held if in_question else set()
        refused_changes = (refused.change for refused in record.open_refusals.values())
        if any(change not in in_question for change in refused_changes if change):
            return Alert.REFUSED
        if in_question:
            return Alert.ASKS
        return Alert.PAUSED if record.paused else Alert.NONE

    def instructions(self, game: Game[Any, Any], record: Record[Any]) -> tuple[Text, ...]:
        """What to move so that the table agrees with the log; empty unless players asked for it."""
        if self.in_the_way:
            return tuple(clear_away(game, change) for change in sorted(self.in_the_way, key=lambda one: one.card))
        if not self.showing_moves:
            return ()
        return tuple(put_right(game, change) for change in self.differences(game, record))


@dataclass
class _Known:
    """What was worked out last: it is asked for many times in one look, and most looks show what the one before showed.

    A position is never changed, so it is enough that it is the same object. A look that comes from the camera's process
    is a new object each time, and has to be compared.
    """

    _expected: tuple[Any, Expected] | None = None
    _places: tuple[Any, set[tuple[Any, ...]], dict[CardId, Zone]] | None = None
    _differences: tuple[Expected, Mapping[CardId, Zone], tuple[Change, ...]] | None = None

    def expected(self, game: Game[Any, Any], public: Any) -> Expected:
        if self._expected is None or self._expected[0] is not public:
            self._expected = public, game.table.expected(public)
        return self._expected[1]

    def differences(self, game: Game[Any, Any], public: Any, lying: Mapping[CardId, Zone]) -> tuple[Change, ...]:
        expected, known = self.expected(game, public), self._differences
        if known is None or known[0] is not expected or known[1] is not lying:
            known = self._differences = expected, lying, changes(expected, lying)
        return known[2]

    def places(self, game: Game[Any, Any], public: Any, table: TableState) -> dict[CardId, Zone]:
        exactly = {(one.token, one.zone, one.x_mm, one.y_mm, one.rotation_deg, one.under) for one in table.placements}
        known = self._places
        if known is None or known[0] is not public or known[1] != exactly:
            known = self._places = public, exactly, places(game, public, table)
        return known[2]


def places(game: Game[Any, Any], public: Any, table: TableState) -> dict[CardId, Zone]:
    """Card to zone as a look shows them, without command cards."""
    lying = game.table.lying(public, table)
    return {card: place for card, place in lying.items() if place != COMMAND_ZONE}


def unread_text(place: UnreadPlace) -> Text:
    """Where an unreadable card lies, and why if that is known, in words."""
    return Text("referee.unread_lamp" if place.lamp else "referee.unread", {"side": Text(f"referee.side.{place.side}")})


def clear_away(game: Game[Any, Any], change: Change) -> Text:
    """What to do with a thing that lay there before the match, in words."""
    if change.came_from is None:
        return Text("referee.take_away", {"card": change.card})
    return put_right(game, change)


def put_right(game: Game[Any, Any], change: Change) -> Text:
    """How to remove a difference, in words."""
    if change.went_to == LOOSE:
        return Text("referee.push_close", {"card": change.card})
    if change.came_from is None:
        return Text("referee.take_away", {"card": change.card})
    return Text("referee.put_into", {"card": change.card, "zone": game.words.place_name(change.came_from)})
