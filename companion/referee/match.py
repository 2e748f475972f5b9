"""One match being played: what the referee decides is written down, then told, in that order."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import LogError
from companion.games.protocol import Game
from companion.history.codec import encode_line
from companion.history.events import Entry, Event, Origin, Played, QuestionAsked, Refused, Unexplained
from companion.history.record import Record, RecordLine, append_public, begin, complete_hidden, replay
from companion.public.standing import Standing
from companion.public.table import Observation
from companion.public.text import Text
from companion.public.updates import Alert, Signal, Update
from companion.referee.commands import Input, MakeMove
from companion.referee.reconciler import Reconciler
from companion.referee.referee import Decision, Referee
from companion.referee.updates import signal_for, texts_for


@dataclass(slots=True)
class VerdictTimer:
    """How long ago the hand left the table that led to a verdict.

    Attributes:
        waited_s: Seconds from the look in which it left to the last look; 0 while it is still there, ``None``
            when it was answered already, or nobody saw it leave.
    """

    waited_s: float | None = None
    _there: bool = False
    _left_s: float = 0.0

    def look(self, look: Observation) -> None:
        """Take in one look."""
        if look.lost is not None:
            self._there, self.waited_s = False, None
        elif look.hand_in_view or self._there:
            self._there, self._left_s, self.waited_s = look.hand_in_view, look.taken_s, 0.0
        elif self.waited_s is not None:
            self.waited_s = look.taken_s - self._left_s

    def answered(self) -> None:
        """What comes later was not waited for since this hand left."""
        self.waited_s = 0.0 if self._there else None


def is_verdict(event: Event) -> bool:
    """A card led to it, and somebody waits for it."""
    if isinstance(event, (Refused, QuestionAsked, Unexplained)):
        return True
    return isinstance(event, Played) and event.move.subject is not None and event.move.by != 0


log = logging.getLogger(__name__)
RETRY_S = 1.0
"""How long to wait before a log that could not be written is tried again."""


class Match:
    """A match at the table.

    Attributes:
        game: The match's game.
        referee: Who watches it; ``referee.record`` is all that is known.

    Args:
        write: Makes entries durable, all or none; raises LogError.
        tell: Hears every news; must not raise.
        entries: What the log already holds.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        write: Callable[[Sequence[Entry]], None],
        tell: Callable[[Update], None],
        entries: Sequence[Entry] = (),
    ) -> None:
        self.game = game
        record = replay(game, entries) if entries else begin(game)
        self.referee = Referee(game, record)
        self.watch = Reconciler(self.referee)
        self._write = write
        self._tell = tell
        self._work: deque[tuple[Iterator[Decision], float | None]] = deque()
        self._unwritten: Decision | None = None
        self._unsealed: Record[Any] | None = None
        self._zero_s: float | None = None
        self._again_s = float("-inf")
        self._hand = VerdictTimer()

    @property
    def record(self) -> Record[Any]:
        """All that is known of the match."""
        return self.referee.record

    @property
    def standing(self) -> Standing:
        """The scoreboard now."""
        return self.game.standing(self.referee.public)

    @property
    def over(self) -> bool:
        """The match has ended, contestable or not."""
        return self.standing.over

    @property
    def stuck(self) -> bool:
        """Something decided could not be written yet."""
        return self._unwritten is not None

    def play_s(self, now_s: float) -> float:
        """Seconds of play at a monotonic time, going on where the log left off."""
        if self._zero_s is None:
            self._zero_s = now_s - self.record.last_time_s
        return max(now_s - self._zero_s, 0.0)

    def hear(self, message: Input, now_s: float, *, answer_first: bool = False) -> None:
        """Take one message to its end. ``now_s`` is monotonic; a look brings its own time.

        ``answer_first``: only as far as the first thing told, so that whoever asked can be answered before any hidden
        half is worked out; ``go_on`` does what is left.
        """
        if isinstance(message, Observation):
            if self.stuck:
                self._try_again(now_s)
                return  # the next look will say the same
            now_s = message.taken_s
            self._hand.look(message)
        if not self.record.lines:
            self._zero_s = None  # the deal is second 0
        time_s = self.play_s(now_s)
        self._due(time_s)
        said = (
            self.watch.look(message, time_s) if isinstance(message, Observation) else self.referee.hear(message, time_s)
        )
        self._work.append((said, time_s))
        self.go_on(once=answer_first)

    def wake(self, now_s: float) -> None:
        """Let the clock speak, and try again what could not be written."""
        self._due(self.play_s(now_s))
        self.go_on()

    def due_s(self, now_s: float) -> float | None:
        """Seconds until the game wants to be woken; ``None`` = it does not."""
        timer = self.game.timer(self.referee.public)
        return None if timer is None else max(timer[0] - self.play_s(now_s), 0.0)

    def say(self, signal: Signal, *texts: Text) -> None:
        """Tell something that is no entry."""
        self._tell(self._news(None, signal, texts))

    def latest(self) -> Update:
        """Where the match stands, for somebody who just came."""
        line = self.record.lines[-1] if self.record.lines else None
        return self._news(line, Signal.STARTED, ())

    def retell(self, first: int, last: int) -> Iterator[Update]:
        """The news of entries ``first`` to ``last`` once more, for somebody who slept; as the match is known now."""
        states = self.record.states
        for line in self.record.lines[first - 1 : last]:
            public, after = self.game.public(states[line.entry.number - 1]), states[line.entry.number]
            news = self._news(
                line, signal_for(self.game, public, line), texts_for(self.game, self.record, public, after, line)
            )
            yield replace(news, standing=line.standing)

    def go_on(self, *, once: bool = False) -> None:
        """Write down and tell what is decided, until nothing is left or the log cannot be written."""
        while self._work:
            self._seal()
            said, time_s = self._work[0]
            decision = self._unwritten or next(said, None)
            if decision is None:
                self._work.popleft()
                continue
            try:
                self._carry_out(decision, time_s)
            except LogError as wrong:
                if self._unwritten is None:
                    self._unwritten = decision
                    log.error("%s", wrong)
                    self.say(Signal.TROUBLE, Text("referee.log_trouble"))
                return
            self._unwritten = None
            if once:
                return
        self._seal()

    def _try_again(self, now_s: float) -> None:
        """Looks come many a second; a disk that takes nothing is asked once a second."""
        if now_s >= self._again_s:
            self._again_s = now_s + RETRY_S
            self.go_on()

    def _due(self, time_s: float) -> None:
        for _ in range(len(self.record.lines) + 1):  # each window closes once
            timer = self.game.timer(self.referee.public)
            if timer is None or timer[0] > time_s or self._work:
                return
            self._work.append((self.referee.hear(MakeMove(timer[1], Origin.CLOCK), timer[0]), timer[0]))
            self.go_on()

    def _carry_out(self, decision: Decision, time_s: float | None) -> None:
        first = self.record.next_number
        judged = decision.origin is Origin.CAMERA and any(map(is_verdict, decision.events))
        waited_s = self._hand.waited_s if judged else None
        entries = tuple(
            Entry(first + i, event, decision.origin, time_s, waited_s if is_verdict(event) else None)
            for i, event in enumerate(decision.events)
        )
        if entries:
            self._write(entries)
        if waited_s is not None:
            self._hand.answered()
        for i, entry in enumerate(entries):
            self._seal()
            before = self.record
            after = append_public(self.game, before, entry)
            self.referee.record = after
            last = i == len(entries) - 1
            public, line = self.game.public(before.state), after.lines[-1]
            signal = (decision.signal if last else None) or signal_for(self.game, public, line)
            words = texts_for(self.game, after, public, after.state, line)
            self._tell(self._news(line, signal, words + (decision.texts if last else ())))
            self._unsealed = before
        if not entries and decision.signal is not None:
            self.say(decision.signal, *decision.texts)

    def _seal(self) -> None:
        """The hidden half of the last entry, after its public half was told."""
        if self._unsealed is not None:
            self.referee.record, self._unsealed = complete_hidden(self.game, self._unsealed, self.referee.record), None

    def _news(self, line: RecordLine | None, signal: Signal, texts: tuple[Text, ...]) -> Update:
        referee = self.referee
        public = referee.public
        return Update(
            number=None if line is None else line.entry.number,
            signal=signal,
            texts=texts,
            standing=self.game.standing(public),
            entry=None if line is None else encode_line(line, private=not self.game.silent),
            view=self.game.view(referee.record.state, None),
            alert=Alert.TROUBLE if signal is Signal.TROUBLE else referee.alert,
            asked=referee.asked.asked,
            guide=referee.guide,
        )
