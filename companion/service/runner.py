"""The host: one thread that decides, writes and tells; everybody else leaves a message in its queue."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from companion.errors import CompanionError, InputError
from companion.games.protocol import Game
from companion.history.events import Ended, Entry, Origin
from companion.public.table import Observation, ViewLost
from companion.public.text import JSON, Text
from companion.public.updates import Signal, Update
from companion.referee.commands import Input
from companion.referee.match import Match
from companion.service.join_codes import draw_codes
from companion.storage.event_log import EventLog, StoredMatch
from companion.storage.record_file import sound_entries

log = logging.getLogger(__name__)
T = TypeVar("T")
ANSWER_S = 10.0
"""How long whoever asks the referee's thread something waits; a memory card may hold a write up for seconds."""
REMEMBERED = 256
"""News kept as they were told; older ones are told anew from the record, to phones that slept long."""


class MatchRunner:
    """Runs matches. ``run`` is the referee's thread; every other method may be called from any thread.

    Attributes:
        paper: The log.
        evening: The match at the table, or ``None``; its values are frozen, so any thread may read them.
        stored: The same match as the log knows it.
        lost: Why the eye cannot judge the table, as its last look said.
        last_look_s: When its last look was taken; ``None`` before the first.

    Args:
        opened: Makes a game from a match's header; raises InputError.
        began: Says the wall clock, for labels alone.
        clock: Monotonic seconds.
        seated: Told each match that begins or goes on, and its game.
    """

    def __init__(
        self,
        paper: EventLog,
        opened: Callable[[Mapping[str, JSON]], Game[Any, Any]],
        *,
        began: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
        seated: Callable[[StoredMatch, Game[Any, Any]], None] = lambda *_: None,
    ) -> None:
        self.paper = paper
        self.opened = opened
        self.clock = clock
        self.evening: Match | None = None
        self.stored: StoredMatch | None = None
        self.lost: ViewLost | None = None
        self.last_look_s: float | None = None
        self._began = began
        self._seated = seated
        self._inbox: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._door = threading.Lock()
        self._outlets: list[Callable[[Update], None]] = []
        self._news: list[Update] = []
        self._newest: Update | None = None

    # -- the referee's thread --------------------------------------------------------------------

    def run(self) -> None:
        """Work until ``stop``; a message that fails is logged, and the evening goes on."""
        while True:
            try:
                work = self._inbox.get(timeout=self._patience_s())
            except queue.Empty:
                if self.evening is not None:
                    self.evening.wake(self.clock())
                continue
            if work is None:
                return
            try:
                work()
            except CompanionError as wrong:
                log.error("%s", wrong)

    def _patience_s(self) -> float:
        if self.evening is None:
            return 60.0
        if self.evening.stuck:
            return 1.0
        due_s = self.evening.due_s(self.clock())
        return 60.0 if due_s is None else min(60.0, due_s + 0.01)

    def stop(self) -> None:
        """Let ``run`` finish what is in the queue and return."""
        self._inbox.put(None)

    def tell(self, message: Input) -> None:
        """Leave a message; a look that comes while no match runs only counts as a sign of life."""
        self._inbox.put(lambda: self._hear(message))

    def _hear(self, message: Input) -> None:
        if isinstance(message, Observation):
            self.last_look_s, self.lost = message.taken_s, message.lost
        if self.evening is not None:
            self.evening.hear(message, self.clock())

    def post(self, work: Callable[[], object]) -> None:
        """Have the referee's thread do something; what it raises is logged."""
        self._inbox.put(lambda: (work(), None)[1])

    def ask(self, question: Callable[[], T]) -> T:
        """Have the referee's thread answer; raises what it raises.

        Raises:
            TimeoutError: It has not come to it in ``ANSWER_S``, and will yet.
        """
        answer: Future[T] = Future()

        def work() -> None:
            try:
                answer.set_result(question())
            except BaseException as wrong:  # noqa: BLE001  # it is raised again where it was asked
                answer.set_exception(wrong)
            if self.evening is not None:
                self.evening.go_on()

        self._inbox.put(work)
        return answer.result(timeout=ANSWER_S)

    # -- matches ---------------------------------------------------------------------------------

    def resume(self, suits: Callable[[StoredMatch], bool] = lambda _: True) -> bool:
        """Go on with the match that was running when the power went, if there is one that suits this table."""
        for unfinished in self.paper.matches():
            if unfinished.over or not unfinished.readable or not suits(unfinished):
                continue
            try:
                game = self.opened(unfinished.header)
            except InputError as wrong:
                log.error("%s is not gone on with: %s", unfinished.id, wrong)
                continue
            entries, damage = sound_entries(self.paper, unfinished.id, game)
            if damage is not None:
                log.error("%s %s", unfinished.id, damage)
                if self.paper.last_number(unfinished.id) > len(entries):
                    self.paper.set_aside(unfinished.id, len(entries))
            self._sit_down(unfinished, game, entries)
            return True
        return False

    def begin(self, header: Mapping[str, JSON]) -> str:
        """Begin a match; the running one, if any, is closed. Returns its id. For the referee's thread, or before it.

        Raises:
            InputError: The header holds no playable match.
            LogError: It could not be written down.
        """
        game = self.opened(header)
        began = self._began()
        taken = {stored.id for stored in self.paper.matches()}
        match = next(name for n in range(1, len(taken) + 2) if (name := f"{began[:10]}-{n}") not in taken)
        self.paper.begin(
            match,
            began,
            header,
            invitations=draw_codes(game.seats),
            closes=None if self.stored is None else self.stored.id,
            closing_entries=self._closing_entries(),
        )
        self.evening = self.stored = None
        self._sit_down(StoredMatch(match, began, header, False), game, ())
        return match

    def close(self) -> None:
        """Close the match at the table; it will not be resumed."""
        if self.stored is None:
            return
        self.paper.append(self.stored.id, self._closing_entries())
        self.paper.close_match(self.stored.id)
        self.evening = self.stored = None

    def _closing_entries(self) -> list[Entry]:
        """What is written last of the match at the table when it is given up before its end."""
        if self.evening is None:
            return []
        record = self.evening.record
        if not record.lines or record.ended or self.evening.over:
            return []
        return [Entry(record.next_number, Ended(), Origin.TABLE, self.evening.play_s(self.clock()))]

    def _sit_down(self, stored: StoredMatch, game: Game[Any, Any], entries: Sequence[Entry]) -> None:
        evening = Match(game, lambda new: self.paper.append(stored.id, new), self._publish, entries)
        with self._door:
            self._news.clear()
            self.stored, self.evening = stored, evening
        self._publish(evening.latest())
        self._seated(stored, game)

    # -- for everybody ---------------------------------------------------------------------------

    def newest(self) -> Update | None:
        """The last news."""
        with self._door:
            return self._newest

    def played_s(self) -> float:
        """How far the match at the table had come at its last entry."""
        return 0.0 if self.evening is None else self.evening.record.last_time_s

    def since(self, number: int) -> tuple[Update, ...]:
        """News of the match at the table with a greater entry number, oldest first."""
        with self._door:
            evening, told = self.evening, tuple(self._news)
        if evening is None:
            return ()
        last = len(evening.record.lines) if not told else (told[0].number or 1) - 1
        again = evening.retell(max(number, 0) + 1, last) if number < last else ()
        return (*again, *(news for news in told if news.number is not None and news.number > number))

    def listen(self, outlet: Callable[[Update], None]) -> Callable[[], None]:
        """Hear all further news; returns how to stop."""
        with self._door:
            self._outlets.append(outlet)

        def leave() -> None:
            with self._door:
                if outlet in self._outlets:
                    self._outlets.remove(outlet)

        return leave

    def say(self, signal: Signal, *texts: Text) -> None:
        """Tell something that is no entry, from any thread."""

        def work() -> None:
            if self.evening is not None:
                self.evening.say(signal, *texts)

        self._inbox.put(work)

    def _publish(self, news: Update) -> None:
        with self._door:
            self._newest = news
            if news.number is not None and news.signal is not Signal.STARTED:
                self._news = [*self._news[-REMEMBERED:], news]
            outlets = tuple(self._outlets)
        for outlet in outlets:
            try:
                outlet(news)
            except Exception:  # a dead lamp must not end the evening
                log.exception("an outlet failed on %s", news.signal.value)
