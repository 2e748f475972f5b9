"""One match in play: each decision is written to the log, then published, then completed with its hidden half."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import repeat
from typing import Any

from companion.errors import GameFault, LogError
from companion.games.protocol import NOTHING_HIDDEN, Game, Move
from companion.history.codec import encode_line
from companion.history.corrections import certain_since
from companion.history.events import Entry, Event, Origin, Played, QuestionAsked, Refused, TurnTold, Unexplained
from companion.history.laid_back import may_be_anew
from companion.history.record import Record, RecordLine, append_public, append_unplayed, complete_hidden, replay
from companion.public.service import RequestKey
from companion.public.standing import Standing
from companion.public.table import CardId, Observation, Seat, TableState, Token, Zone
from companion.public.text import Text, game_fault_text
from companion.public.updates import Alert, OfferedCorrection, Signal, Update
from companion.referee.commands import AcceptTable, Input, MakeMove, Undo
from companion.referee.decisions import Decision, Decisions
from companion.referee.issues import TableIssues
from companion.referee.reconciler import Reconciler
from companion.referee.referee import Referee
from companion.referee.start import MatchStart, has_begun
from companion.referee.updates import offered_corrections, signal_for, texts_for


@dataclass(slots=True)
class VerdictTimer:
    """Measures how long a player has waited for a verdict since the hand left the table.

    Attributes:
        waited_s: Seconds from the look in which the last hand left to the last look; 0 while it is still there,
            ``None`` if a verdict was already given, or no hand was seen leaving.
    """

    waited_s: float | None = None
    _there: bool = False
    _left_s: float = -math.inf
    _answered_s: float = -math.inf
    _now_s: float = 0.0
    _table: TableState | None = None
    _came: dict[Token, tuple[Zone | None, float]] = field(default_factory=dict)

    def look(self, look: Observation) -> None:
        self._now_s = look.taken_s
        if look.table is not self._table:
            came_s = -math.inf if self._table is None else look.taken_s  # nothing in the first look was seen arriving
            before, self._table = self._came, look.table
            now = {placement.token: (placement.zone, came_s) for placement in look.table.placements}
            self._came = {t: before[t] if t in before and before[t][0] == at[0] else at for t, at in now.items()}
        if look.lost is not None:  # and no card is seen arriving
            self._table, self._there, self.waited_s = None, False, None
        elif look.hand_in_view or self._there:
            self._there, self._left_s, self.waited_s = look.hand_in_view, look.taken_s, 0.0
        elif self.waited_s is not None:
            self.waited_s = look.taken_s - self._left_s

    def waited_for(self, token: Token | None) -> float | None:
        """How long a player has waited for a verdict about this card; ``None`` if unknown.

        A card that appeared after the last hand had left was laid by a hand that was not seen: its time starts at its
        first look.
        """
        _, came_s = self._came.get(token, (None, -math.inf)) if token is not None else (None, -math.inf)
        if self._there or came_s <= max(self._left_s, self._answered_s):
            return self.waited_s
        return self._now_s - came_s

    def answered(self) -> None:
        """A verdict was given: later ones are not about what this hand did."""
        self._answered_s = self._now_s
        self.waited_s = 0.0 if self._there else None


def is_verdict(event: Event) -> bool:
    """Whether a card led to this event, so that a player is waiting for it."""
    if isinstance(event, (Refused, QuestionAsked, Unexplained)):
        return True
    return isinstance(event, Played) and event.move.subject is not None and event.move.by != 0


def card_of(event: Event) -> CardId | None:
    if isinstance(event, (QuestionAsked, Unexplained)):
        return event.change.card
    return event.move.subject if isinstance(event, (Played, Refused)) else None


def _is_next_act(before: Record[Any], move: Move) -> bool:
    """Whether play has gone on with this act: more than a refill, and than a word of the seat to move."""
    return bool(move.by) and (move.laid is not None or move.by != before.standing.turn)


log = logging.getLogger(__name__)
RETRY_S = 1.0
"""How long to wait before writing to a failed log is tried again."""


class Stage(Enum):
    """How far a decision has come; ``Match`` has the diagram."""

    DECIDED = "decided"  # nothing of it is in the log
    BLOCKED = "blocked"  # the log could not be written, and everybody knows
    WRITTEN = "written"  # all its entries are in the log; the next of them is not published yet
    PUBLISHED = "published"  # an entry is published; its hidden half is not worked out yet


@dataclass(slots=True)
class Pending:
    """A decision in progress.

    Attributes:
        entries: What it appends to the log, in one write.
        waited_s: How long a player has waited for this verdict; ``None`` if no player has.
        published: The number of entries already published.
        tried: The record and the update after each entry, as far as they could be made before anything is written.
        before: The record before the entry that was published last; its hidden half is computed from it.
        request: The request that it answers, if any.
    """

    decision: Decision
    entries: tuple[Entry, ...]
    waited_s: float | None
    request: RequestKey | None = None
    stage: Stage = Stage.DECIDED
    published: int = 0
    tried: list[tuple[Record[Any], Update]] = field(default_factory=list)
    before: Record[Any] | None = None

    @property
    def is_public(self) -> bool:
        return self.stage is Stage.PUBLISHED and self.published >= len(self.entries)


@dataclass(frozen=True, slots=True)
class SetDown:
    """A seat is about to report a move, so what it laid a moment ago counts first.

    Attributes:
        named: The card that the move is about.
        says: The move.
        now_s: In the camera's time.
    """

    by: Seat
    named: CardId | None
    says: Move
    now_s: float


class Match:
    """A match at the table.

    One decision at a time goes this way; nothing is published before it is written, and no hidden half is worked
    out before its public half is published::

        decide          write             publish           complete
        ------> DECIDED ------> WRITTEN ---------> PUBLISHED --------> next decision
                   |             ^   ^                 |
           the log |       write |   |  complete, and  |
             fails |             |   |  one more entry |
                   +---> BLOCKED +   +-----------------+

    A decision without entries is published without being written or completed. While a decision is BLOCKED, the log is
    tried again; observations are dropped meanwhile, and commands wait.

    A bug in the game (``GameFault``) leaves through every method. What pages are told of a decision is made before the
    decision is written, so that a faulty one is not written at all. ``stop`` puts it aside; from then on only an undo
    is heard, and the match goes on once one has succeeded.

        >>> import companion
        >>> from companion.referee.commands import Pause
        >>> game = companion.open_match(companion.demo_match(), companion.demo_deck()).game
        >>> log = []
        >>> match = Match(game, write=log.extend, publish=lambda update: None)
        >>> match.handle(Pause(), now_s=0.0)
        >>> match.record.paused, len(log)
        (True, 1)

    Attributes:
        record: Everything known about the match; after each completed entry a new frozen value.
        issues: Open issues between table and log.
        fault: The bug in the game for which the match stands still.
        on_input: Called with every accepted observation and command, and its time; for recording a table.

    Args:
        write: Writes entries to disk, all or none, with the ``request`` that they answer; raises LogError.
        publish: Receives every update; must not raise.
        entries: What the log already holds.
        awaits_start: Wait before the first act until the table is as a match begins; otherwise the first look is the
            start.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        write: Callable[[Sequence[Entry]], None],
        publish: Callable[[Update], None],
        entries: Sequence[Entry] = (),
        *,
        awaits_start: bool = True,
    ) -> None:
        self.game = game
        self.record: Record[Any] = replay(game, entries)
        self.issues = TableIssues()
        self.fault: GameFault | None = None
        self.on_input: Callable[[Input, float], None] | None = None
        self._referee = Referee(game, self.issues)
        self._reconciler = Reconciler(game, self.issues, start=MatchStart(awaits_start, not has_begun(self.record)))
        self._write = write
        self._publish = publish
        self._inputs: deque[tuple[Input | SetDown, float, RequestKey | None]] = deque()
        self._decisions: tuple[Decisions, float, RequestKey | None] | None = None
        self._pending: Pending | None = None
        self._clock_zero_s: float | None = None
        self._retry_at_s = float("-inf")
        self._verdict_timer = VerdictTimer()
        self._corrections: tuple[Record[Any], tuple[OfferedCorrection, ...]] | None = None
        self._last_update: Update | None = None

    @property
    def public(self) -> Any:
        return self.record.public

    @property
    def standing(self) -> Standing:
        """The scoreboard now; provisional while an answer may still change what counts."""
        standing = self.record.standing
        return replace(standing, provisional=True) if self.issues.awaits_answer else standing

    @property
    def over(self) -> bool:
        """The match has ended, even if the result can still be contested."""
        return self.standing.over

    @property
    def stuck(self) -> bool:
        """Whether a decision could not be written yet."""
        return self._pending is not None and self._pending.stage is Stage.BLOCKED

    @property
    def request(self) -> RequestKey | None:
        """The request that the decision in progress answers, if any."""
        return None if self._pending is None else self._pending.request

    def corrections(self) -> tuple[OfferedCorrection, ...]:
        """What can be corrected now, and by whom."""
        record, known = self.record, self._corrections
        if known is None or known[0] is not record:
            known = self._corrections = record, offered_corrections(self.game, record)
        return known[1]

    def play_s(self, now_s: float) -> float:
        """Seconds of play at a monotonic time, continued from the log; the clock starts with the first message."""
        if self._clock_zero_s is None:
            return self.record.last_time_s
        return max(now_s - self._clock_zero_s, 0.0)

    def stop(self, fault: GameFault) -> Update:
        """The match stands still because of a bug in the game: put aside what was not written, and return the news."""
        self.fault = fault
        pending = self._pending
        if pending is not None and pending.stage in (Stage.WRITTEN, Stage.PUBLISHED):
            for entry in pending.entries[pending.published :]:
                self.record = append_unplayed(self.record, entry)
        self._inputs.clear()
        self._decisions = self._pending = None
        return self.latest()

    def _stopped(self, fault: GameFault) -> Update:
        """The last update that the game could make, with the sentence about its bug."""
        last = self._last_update or Update(None, Signal.TROUBLE, standing=self.record.standing)
        number = len(self.record.lines)
        kept = tuple(one for one in last.corrections if one.number <= number)
        return replace(
            last,
            number=None,
            signal=Signal.TROUBLE,
            texts=(game_fault_text(fault),),
            standing=self.record.standing,
            entry=None,
            alert=Alert.TROUBLE,
            questions=(),
            corrections=kept,
        )

    def due_s(self, now_s: float) -> float | None:
        """Seconds until the game's timer; ``None`` = it has none, or its clock stands still."""
        if self.fault is not None:
            return None
        timer = self.game.rules.timer(self.public)
        if timer is None or self._clock_zero_s is None or self._clock_waits(timer[1]):
            return None
        return max(timer[0] - self.play_s(now_s), 0.0)

    # -- messages --------------------------------------------------------------------------------

    def handle(self, message: Input, now_s: float, request: RequestKey | None = None) -> None:
        """Process one message completely. ``now_s`` is monotonic; an observation has its own time.

        Args:
            request: What asked for it; ``write`` finds it as the attribute of that name.
        """
        if self._accept(message, now_s, request):
            self.go_on()

    def answer(self, message: Input, now_s: float, request: RequestKey | None = None) -> None:
        """Process one message up to the first published decision; ``go_on`` does the rest.

        So the sender gets an answer before any hidden half is worked out.
        """
        if self._accept(message, now_s, request):
            while self._step():
                if self._pending is not None and self._pending.is_public and not self._inputs:
                    return

    def wake(self, now_s: float) -> None:
        """Let timers act, and retry a failed write."""
        if self._clock_zero_s is not None and self.fault is None:
            self._let_clock_act(self.play_s(now_s))
        self.go_on()

    def go_on(self) -> None:
        """Decide, write, publish and complete until nothing is left, or the log cannot be written."""
        while self._step():
            pass

    def publish(self, signal: Signal, *texts: Text) -> None:
        """Announce something that is not an entry, together with earlier texts that are still unsettled.

        The answer to an impossible request is announced alone.
        """
        if self.fault is not None:
            self._publish(replace(self._stopped(self.fault), signal=signal, texts=texts))
            return
        unsettled = self._unsettled() if texts and signal is not Signal.CORRECTED else ()
        self._publish(self._update(None, signal, (*texts, *(text for text in unsettled if text not in texts))))

    def _unsettled(self) -> tuple[Text, ...]:
        """Who won, or why the last refused card that still lies there was refused."""
        record, asked = self.record, {question.change for question in self.issues.questions.open.values()}
        number = max(
            (n for n, refused in record.open_refusals.items() if refused.change and refused.change not in asked),
            default=0,
        )
        if record.standing.over:
            ends = [(line.standing.over, line.standing.winners, line.standing.final) for line in record.lines]
            number = next((n for n in range(len(ends), 1, -1) if ends[n - 1] != ends[n - 2]), 1 if ends else 0)
        return tuple(text for update in self.updates(number, number) for text in update.texts) if number else ()

    def latest(self) -> Update:
        """The current state of the match, for a new listener."""
        if self.fault is not None:
            return self._stopped(self.fault)
        line = self.record.lines[-1] if self.record.lines else None
        return self._update(line, Signal.STARTED, ())

    def updates(self, first: int, last: int) -> Iterator[Update]:
        """The updates of entries ``first`` to ``last`` again, for a listener who missed them; with all corrections."""
        states = self.record.states
        for line in self.record.lines[first - 1 : last]:
            try:
                public_before, after = self.game.public(states[line.entry.number - 1]), states[line.entry.number]
                update = self._update(
                    line,
                    signal_for(self.game, public_before, line),
                    texts_for(self.game, self.record, public_before, after, line),
                )
            except GameFault as fault:  # told without its words, for the entries after it
                entry = encode_line(line, private=not self.game.silent)
                update = replace(self._stopped(fault), number=line.entry.number, entry=entry)
            yield replace(update, standing=line.standing)

    def _accept(self, message: Input, now_s: float, request: RequestKey | None) -> bool:
        """Start or advance the play clock, and queue a message; returns whether there is anything to do."""
        if self.fault is not None:
            if not isinstance(message, Undo):
                return False
            self._inputs.append((message, self.play_s(now_s), request))
            return True
        if isinstance(message, Observation):
            if self.stuck:
                self._retry(now_s)
                return False  # the next look will show the same
            now_s = message.taken_s
            self._verdict_timer.look(message)
        if self.on_input is not None:
            self.on_input(message, now_s)
        if self._clock_zero_s is None or not self.record.lines:  # the deal is second 0
            self._clock_zero_s = now_s - self.record.last_time_s
        time_s = self.play_s(now_s)
        self._let_clock_act(time_s)
        now = self._reconciler
        moving = now.resting or now.held or now.start.whole_deal(self.game, self.record) is not None
        if isinstance(message, MakeMove) and message.origin is Origin.PHONE and moving:
            move = message.move
            self._inputs.append((SetDown(move.by, move.laid, move, now_s), time_s, None))
        self._inputs.append((message, time_s, request))
        return True

    def _retry(self, now_s: float) -> None:
        """Observations come many times a second; a failed log is tried once a second."""
        if now_s >= self._retry_at_s:
            self._retry_at_s = now_s + RETRY_S
            self.go_on()

    def _let_clock_act(self, time_s: float) -> None:
        for _ in range(len(self.record.lines) + 1):  # each window closes once
            timer = self.game.rules.timer(self.public)
            if timer is None or timer[0] > time_s or self._is_busy():
                return
            due_s, move = timer
            if self._clock_waits(move):
                return
            self._inputs.append((MakeMove(move, Origin.CLOCK), due_s, None))
            self.go_on()

    def _clock_waits(self, move: Move) -> bool:
        """Whether the move needs a missing card, or the last card was taken up for an unknown reason."""
        return bool(self._reconciler.held or self.issues.awaited(self.game, self.record, move))

    def _is_busy(self) -> bool:
        return bool(self._inputs) or self._decisions is not None or self._pending is not None

    # -- decide, write, publish, complete --------------------------------------------------------

    def _step(self) -> bool:
        """Go along one arrow of the diagram; returns whether there was one."""
        pending = self._pending
        if pending is None:
            return self._decide()
        if pending.stage is Stage.WRITTEN:
            self._publish_next(pending)
        elif pending.stage is Stage.PUBLISHED:
            self._complete(pending)
        else:
            return self._write_down(pending)
        return True

    def _decide(self) -> bool:
        """Make the next decision, for the current message or the next in the queue."""
        try:
            if self._decisions is None:
                if not self._inputs:
                    return False
                message, time_s, request = self._inputs.popleft()
                decisions = self._decisions_on(message, time_s)
                self._decisions = decisions, time_s, request
                decision = next(decisions)
            else:
                decisions, time_s, request = self._decisions
                decision = decisions.send(self.record)
        except StopIteration:
            self._decisions = None
            return True
        from_camera = decision.origin is Origin.CAMERA and any(map(is_verdict, decision.events))
        waited_s = self._verdict_timer.waited_for(self._token(decision.events)) if from_camera else None
        entries = tuple(
            Entry(number, event, origin, time_s, waited_s if is_verdict(event) else None)
            for number, (event, origin) in enumerate(
                zip(decision.events, decision.origins or repeat(decision.origin), strict=False), self.record.next_number
            )
        )
        self._pending = Pending(decision, entries, waited_s, request)
        return True

    def _token(self, events: Sequence[Event]) -> Token | None:
        """The sticker of the card that the first verdict is about."""
        card = next((card_of(event) for event in events if is_verdict(event)), None)
        return next((token for token, name in self.game.table.cards.items() if name == card), None)

    def _decisions_on(self, message: Input | SetDown, time_s: float) -> Decisions:
        """The decisions of referee and reconciler on a message; commands seen by the camera go to the referee."""
        record = self.record
        if not isinstance(message, Observation):
            if isinstance(message, SetDown):
                record = yield from self._reconciler.let_go(record, (message.says,), message.now_s, time_s)
                return (yield from self._reconciler.set_down(record, message.by, message.named, time_s))
            if isinstance(message, AcceptTable):
                self._reconciler.command_cards.forget()
            return (yield from self._referee.handle(record, message, time_s))
        answers = self._reconciler.handle(record, message, time_s)
        try:
            answer = next(answers)
            while True:
                if isinstance(answer, Decision):
                    record = yield answer
                else:
                    record = yield from self._referee.handle(record, answer, time_s)
                answer = answers.send(record)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _write_down(self, pending: Pending) -> bool:
        if not pending.tried:
            self._try_out(pending)
        try:
            if pending.entries:
                self._write(pending.entries)
        except LogError as wrong:
            if pending.stage is Stage.DECIDED:
                pending.stage = Stage.BLOCKED
                log.error("%s", wrong)
                self.publish(Signal.TROUBLE, Text("referee.log_trouble"))
            return False
        pending.stage = Stage.WRITTEN
        if pending.waited_s is not None:
            self._verdict_timer.answered()
        return True

    def _try_out(self, pending: Pending) -> None:
        """Make all public news of a decision before it is written: a bug in the game shows before there is an entry."""
        record = before = self.record
        questions = self.issues.questions
        asked = questions.open
        try:
            for place, entry in enumerate(pending.entries):
                if place and self.game.hidden != NOTHING_HIDDEN:
                    break  # no hidden half is worked out before its public half is published
                if place:
                    self.record = complete_hidden(self.game, record, self.record)
                record = self.record
                pending.tried.append(self._told(pending, entry, is_last=place == len(pending.entries) - 1))
        finally:
            self.record, questions.open = before, asked

    def _told(self, pending: Pending, entry: Entry, *, is_last: bool) -> tuple[Record[Any], Update]:
        """The record with the public half of an entry, and its update; ``record`` is that record from then on."""
        decision, before = pending.decision, self.record
        self.record = after = append_public(self.game, before, entry)
        self._end_questions(before, entry)
        line = after.lines[-1]
        signal = (decision.signal if is_last else None) or signal_for(self.game, before.public, line)
        texts = () if decision.retells else texts_for(self.game, after, before.public, after.state, line)
        return after, self._update(line, signal, texts + (decision.texts if is_last else ()))

    def _publish_next(self, pending: Pending) -> None:
        """Publish the next entry, or a decision without entries."""
        decision = pending.decision
        pending.stage = Stage.PUBLISHED
        if not pending.entries:
            if decision.signal is not None:
                self.publish(decision.signal, *decision.texts)
            return
        entry, pending.before = pending.entries[pending.published], self.record
        pending.published += 1
        if pending.published <= len(pending.tried):
            self.record, update = pending.tried[pending.published - 1]
            self._end_questions(pending.before, entry)
        else:
            self.record, update = self._told(pending, entry, is_last=pending.published == len(pending.entries))
        self.fault = None  # an undo has succeeded
        self._last_update = update
        self._publish(update)

    def _end_questions(self, before: Record[Any], entry: Entry) -> None:
        """Close the questions that an entry has settled or passed."""
        questions = self.issues.questions
        told = isinstance(entry.event, TurnTold)
        questions.expire(entry.number, waits=told or (isinstance(entry.event, Refused) and entry.event.asks))
        questions.end_laid_anew(lambda said: may_be_anew(self.game, self.record, said.number, said.moves, entry.time_s))
        if any(opened.about is not None for opened in questions.open.values()):
            goes_on = not isinstance(entry.event, Played) or _is_next_act(before, entry.event.move)
            questions.end_certain(certain_since(self.record), entry.number if goes_on and not told else None)

    def _complete(self, pending: Pending) -> None:
        """Work out the hidden half of the entry that was published last."""
        if pending.before is not None:
            self.record = complete_hidden(self.game, pending.before, self.record)
        if pending.is_public:
            self._pending = None
        else:
            pending.stage = Stage.WRITTEN

    def _update(self, line: RecordLine | None, signal: Signal, texts: tuple[Text, ...]) -> Update:
        game, record, issues = self.game, self.record, self.issues
        return Update(
            number=None if line is None else line.entry.number,
            signal=signal,
            texts=texts,
            standing=self.standing,
            entry=None if line is None else encode_line(line, private=not game.silent),
            view=game.board.view(record.state, None),
            alert=Alert.TROUBLE if signal is Signal.TROUBLE else issues.alert(record),
            questions=issues.questions.for_phones(),
            instructions=issues.instructions(game, record),
            unread=issues.unread_marks(),
            corrections=self.corrections(),
        )
