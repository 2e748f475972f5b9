"""The referee: hears what is said, judges it, and decides what the log shall hold.

It decides one thing at a time; whoever asked it writes the decision down, lets it know the new record, and tells
the world. It owns no clock, no queue and no device: the same looks and words give the same decisions.
What it makes of looks stands in ``companion.referee.reconciler``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games.protocol import Game, Move, MoveContext
from companion.history.corrections import (
    claim_events,
    last_camera_card,
    last_laid_card,
    last_undoable,
    overrule_camera,
    undo_events,
    why_broken,
)
from companion.history.events import (
    Allowed,
    Corrected,
    Event,
    Origin,
    Paused,
    Played,
    QuestionAsked,
    Refused,
    Resumed,
    Seated,
)
from companion.history.record import Record
from companion.public.table import CardId, Change, Seat, ViewLost, Zone, changes
from companion.public.text import Text
from companion.public.updates import Alert, AnswerOption, Signal
from companion.referee.commands import (
    AcceptTable,
    Allow,
    AnswerQuestion,
    ChangeSeat,
    Claim,
    Command,
    CommandCard,
    CorrectCounts,
    MakeMove,
    OverruleCamera,
    Pause,
    RestoreTable,
    Resume,
    Undo,
)
from companion.referee.questions import Questions, move_parameters

COMMAND_ZONE = Zone("commands")


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing decided: entries for the log, to be written together, and what to tell besides.

    Attributes:
        events: For the log, in order; may be empty.
        origin: Who said so.
        signal: Overrides the signal that the entries have of themselves; ``None`` = theirs.
        texts: Words that the entries do not have of themselves.
    """

    events: tuple[Event, ...] = ()
    origin: Origin = Origin.CAMERA
    signal: Signal | None = None
    texts: tuple[Text, ...] = ()


@dataclass
class Referee:
    """Judges one match. ``record`` is set anew by whoever wrote a decision down.

    Attributes:
        lying: What lies on the table, as it was seen last; command cards left out.
        spoken: Differences that were spoken about and still stand.
        asked: Questions that stand open.
        lost: Why the table cannot be judged now.
        guiding: The list of what to move is on the phones, and scoring stops until it is done.
    """

    game: Game[Any, Any]
    record: Record[Any]
    lying: dict[CardId, Zone] = field(default_factory=dict)
    spoken: set[Change] = field(default_factory=set)
    asked: Questions = field(default_factory=Questions)
    lost: ViewLost | None = None
    guiding: bool = False

    @property
    def public(self) -> Any:
        """The public half of the state."""
        return self.game.public(self.record.state)

    @property
    def differences(self) -> tuple[Change, ...]:
        """What lies otherwise than it should."""
        return changes(self.game.expected(self.public), self.lying)

    @property
    def alert(self) -> Alert:
        """The worst of what stands."""
        if self.lost is not None:
            return Alert.LOST
        if self.guiding:
            return Alert.DISAGREES
        asking = {question.change for question in self.asked.open.values()}
        if any(refused.change not in asking for refused in self.record.open_refusals.values() if refused.change):
            return Alert.REFUSED
        if asking:
            return Alert.ASKS
        return Alert.PAUSED if self.record.paused else Alert.NONE

    @property
    def guide(self) -> tuple[Text, ...]:
        """What to move so that the table is as the log has it; empty while nobody asks for it."""
        return tuple(put_right(self.game, change) for change in self.differences) if self.guiding else ()

    def at(self, time_s: float | None) -> MoveContext:
        """The moment of the next entry."""
        return MoveContext(self.record.next_number, time_s)

    def hear(self, said: Command, time_s: float | None) -> Iterator[Decision]:
        """What somebody's words lead to; each decision is to be written down before the next is asked for."""
        match said:
            case Pause(by, origin):
                if not self.record.paused:
                    yield Decision((Paused(by),), origin)
            case Resume(by, origin):
                if self.record.paused:
                    yield Decision((Resumed(by),), origin)
            case MakeMove(move, origin):
                if not self.record.paused or move.by == 0:
                    yield from self._proposed(move, origin, time_s)
            case AnswerQuestion(question, answer, _, _):
                yield from self._answered(question, answer, time_s)
            case Undo(number, by, origin, anyway):
                target = last_undoable(self.record) if number is None else number
                if target is not None:
                    events = undo_events(self.game, self.record, target, by, time_s)
                    yield from self.correct(events, origin, time_s, anyway=anyway)
            case Claim(by, number, origin, anyway):
                target = last_laid_card(self.record) if number is None else number
                if target is not None:
                    events = claim_events(self.game, self.record, target, by, time_s)
                    yield from self.correct(events, origin, time_s, anyway=anyway)
            case Allow(number, by, origin):
                target = max(self.record.open_refusals, default=None) if number is None else number
                if target is not None:
                    yield from self.correct((Allowed(target, by),), origin, time_s)
            case OverruleCamera(number, by, origin, anyway):
                target = last_camera_card(self.record) if number is None else number
                if target is not None:
                    yield from self._overrule(target, by, origin, time_s, anyway=anyway)
            case CorrectCounts(hands, stack, by, origin):
                yield from self.correct((Corrected(hands, stack, by),), origin, time_s)
            case ChangeSeat(seat, name, swaps, here, by, origin):
                yield from self.correct((Seated(seat, name, swaps, here, by),), origin, time_s)
            case AcceptTable(by, origin):
                yield from self._adopt(by, origin, time_s)
            case RestoreTable(_, origin):
                self.guiding = bool(self.differences)
                yield Decision(origin=origin, signal=Signal.MISPLACED if self.guiding else Signal.SETTLED)
            case CommandCard(card, by, origin):
                yield from self._command(card, by, origin, time_s)

    def _proposed(self, move: Move, origin: Origin, time_s: float | None) -> Iterator[Decision]:
        if self.game.judge(self.public, move, self.at(time_s)):
            yield self.refuse(move, None, origin, self.at(time_s))
            return
        before = set(self.differences)
        yield Decision((Played(move),), origin)
        # A card that the camera cannot read was laid by phone: nothing waits for it to be seen.
        self.spoken |= {change for change in self.differences if change.went_to is None and change not in before}

    def refuse(self, move: Move, change: Change | None, origin: Origin, at: MoveContext) -> Decision:
        """Say no; or, when only an end of turn was forgotten, that the turn passed on, or ask whether it did."""
        mend = self.game.implied_moves(self.public, move, at)
        if not mend:
            return Decision((Refused(move, change),), origin)
        if self.game.infers_turns:
            if change is not None:
                self.spoken.discard(change)
            passed = self.asked.passed_on(mend, change, at.number)
            return Decision(tuple(Played(part) for part in mend), origin, texts=(passed,))
        question = self.asked.whose_turn(mend, change)
        return Decision((Refused(move, change, asks=True),), origin, Signal.ASKS, (question,))

    def _adopt(self, by: Seat | None, origin: Origin, time_s: float | None) -> Iterator[Decision]:
        """What lies there is the position; what was open about the table is closed with it."""
        table = tuple(sorted(self.lying.items()))
        self.guiding = False
        yield from self.correct((Corrected(by=by, table=table),), origin, time_s, anyway=True)
        self.spoken = set(self.differences)  # what still differs is none that the game could take in
        self.asked.open.clear()

    def _overrule(
        self, number: int, by: Seat | None, origin: Origin, time_s: float | None, *, anyway: bool
    ) -> Iterator[Decision]:
        """The human's word wins: what the camera saw was not so, and nobody is asked about it any longer."""
        events = overrule_camera(self.game, self.record, number, by, time_s)
        if not events:
            yield Decision(origin=origin, signal=Signal.CORRECTED, texts=(Text("referee.unseen", {"number": number}),))
            return
        refused = self.record.lines[number - 1].entry.event
        if isinstance(refused, Refused) and refused.change is not None:
            self.asked.drop(refused.change)
        yield from self.correct(events, origin, time_s, anyway=anyway)

    def _answered(self, question: int, answer: int, time_s: float | None) -> Iterator[Decision]:
        asked = self.asked.open.get(question)
        if asked is None or not 0 <= answer < len(asked.meanings) or self.record.paused:
            return
        self.asked.close(question)
        if asked.change is not None:
            self.spoken.discard(asked.change)
            self.asked.drop(asked.change)
        for said in asked.meanings[answer]:
            yield from self.hear(said, time_s)

    def _command(self, card: CardId, by: Seat | None, origin: Origin, time_s: float | None) -> Iterator[Decision]:
        match card:
            case "KUNDO":
                yield from self.hear(Undo(by=by, origin=origin), time_s)
            case "KPAUSE":
                yield from self.hear(Pause(by, origin), time_s)
            case "KGO":
                yield from self.hear(Resume(by, origin), time_s)
            case _:
                readings = self._meant(card, by)
                if len(readings) == 1:
                    yield from self.hear(MakeMove(readings[0], origin), time_s)
                elif readings:
                    yield self.ask(Change(card, None, COMMAND_ZONE), readings)

    def _meant(self, card: CardId, by: Seat | None) -> tuple[Move, ...]:
        """The moves that a command card could mean."""
        readings = self.game.interpretations(self.public, Change(card, None, COMMAND_ZONE))
        if by is None:
            return readings
        meant = tuple(move for move in readings if move.by == by)
        return meant or tuple(replace(move, by=by) for move in readings[:1])  # type: ignore[type-var]

    def may_say(self, card: CardId, by: Seat | None, time_s: float | None) -> bool:
        """Whether a command card could be lawful now; undo, pause and go on always are."""
        readings = self._meant(card, by)
        return not readings or any(not self.game.judge(self.public, move, self.at(time_s)) for move in readings)

    def ask(self, change: Change, readings: tuple[Move, ...]) -> Decision:
        """Several moves explain this: people say which."""
        question = Text("referee.which", {"card": change.card})
        answers = [
            (
                AnswerOption(Text(f"{self.game.name}.reading.{move.do}", move_parameters(move))),
                (MakeMove(move, Origin.PHONE),),
            )
            for move in readings
        ]
        self.asked.ask(question, answers, change)
        return Decision((QuestionAsked(change, readings),), signal=Signal.ASKS, texts=(question,))

    def correct(
        self, events: tuple[Event, ...], origin: Origin, time_s: float | None, *, anyway: bool = False
    ) -> Iterator[Decision]:
        """Append a correction if the match holds with it, or ``anyway``; the cards that it leaves lying are
        spoken about."""
        why = why_broken(self.game, self.record, events, time_s)
        if why is not None and not (anyway and why.key == "referee.would_break"):
            yield Decision(origin=origin, signal=Signal.CORRECTED, texts=(why,))
            return
        before = self.game.expected(self.public)
        yield Decision(events, origin)
        left = changes(self.game.expected(self.public), before.cards)
        self.spoken |= {change for change in left if self.lying.get(change.card) == change.went_to}


def put_right(game: Game[Any, Any], change: Change) -> Text:
    """What to do so that a difference is none, in words."""
    if change.came_from is None:
        return Text("referee.take_away", {"card": change.card})
    zone, _, seat = change.came_from.partition("-")
    params = {"card": change.card, "zone": Text(f"{game.name}.zone.{zone}", {"seat": int(seat)} if seat else {})}
    return Text("referee.put_into", params)
