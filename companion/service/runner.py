"""The runner: one thread that decides, writes and publishes; other threads leave messages in its queue."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from companion.errors import CompanionError, GameFault, InputError, LogError
from companion.games.guard import PEOPLE, RETURNS_S, bug, interrupt_overdue
from companion.games.protocol import Game
from companion.history.events import Ended, Entry, Origin, Seated, Struck
from companion.history.seating import SeatedPerson, names_in_play, seating
from companion.public.names import name_key
from companion.public.service import RequestKey
from companion.public.table import Observation, ViewLost
from companion.public.text import JSON, Text
from companion.public.updates import Signal, Update
from companion.referee.commands import CloseQuestions, Input
from companion.referee.match import Match
from companion.service.code_table import AtTable, CodeTable
from companion.storage.event_log import GONE_ON, EventLog, StoredMatch
from companion.storage.join_codes import seat_codes
from companion.storage.record_file import sound_entries
from companion.storage.repair import set_aside

logger = logging.getLogger(__name__)
T = TypeVar("T")
ANSWER_S = 10.0
"""How long a caller waits for the referee's thread; a memory card may delay a write for seconds."""
STARTS_INTO_A_FAULT = 2
"""How often a start resumes a match that stood still at the same bug in its game each time; then people decide."""
_FAULT = "fault"
REMEMBERED = 1024
"""Updates kept; older ones are made again from the record, for phones that slept long. A long match has 400."""


def _seated(stored: StoredMatch, match: Match) -> tuple[SeatedPerson, ...]:
    return seating(names_in_play(stored.header["match"]), (line.entry for line in match.record.lines))


class MatchRunner:
    """Runs matches. ``run`` is the referee's thread; every other method may be called from any thread.

    Attributes:
        match: The match at the table, if any; its values are frozen, so any thread may read them.
        stored: The same match as stored in the log.
        people: The person in each of its seats, seat 1 first.
        codes: The user of each code.
        lost: Why the table cannot be judged, according to the last look.
        last_look_s: When the last look was taken; ``None`` before the first.
        on_match_started: Called with each match that begins or resumes, and its game.

    Args:
        open_game: Makes a game from a match's header; raises InputError.
        wall_clock: The date and time, used only for labels.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        log: EventLog,
        open_game: Callable[[Mapping[str, JSON]], Game[Any, Any]],
        *,
        wall_clock: Callable[[], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.log = log
        self.open_game = open_game
        self.clock = clock
        self.match: Match | None = None
        self.stored: StoredMatch | None = None
        self.people: tuple[SeatedPerson, ...] = ()
        self.codes = CodeTable(log, self.at_table)
        self.lost: ViewLost | None = None
        self.last_look_s: float | None = None
        self._wall_clock = wall_clock
        self.on_match_started: Callable[[StoredMatch, Game[Any, Any]], None] = lambda *_: None
        self._inbox: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._subscribers: list[Callable[[Update], None]] = []
        self._updates: list[Update] = []
        self._newest: Update | None = None
        self._faults_noted: set[str] = set()
        self._published_number = 0  # the last entry of the match at the table that was published

    # -- the referee's thread --------------------------------------------------------------------

    def run(self) -> None:
        """Work until ``stop``; a message that fails is logged, and the match goes on. A bug in the game of the match
        stops that match alone.
        """
        over = threading.Event()
        threading.Thread(target=self._watch_games, args=(over,), name="games", daemon=True).start()
        try:
            while self._work_on():
                pass
        finally:
            over.set()

    def _work_on(self) -> bool:
        """Wait for one message, or for the game's timer, and work it off; ``False`` = stop."""
        try:
            try:
                work = self._inbox.get(timeout=self._patience_s())
            except queue.Empty:
                if self.match is not None:
                    self.match.wake(self.clock())
                return True
            if work is None:
                return False
            work()
        except GameFault as fault:
            self._stop_match(fault)
        except CompanionError as wrong:
            logger.error("%s", wrong)
        except Exception as wrong:  # what a game returned cannot be used, or the core has a bug itself
            if self.match is None:
                raise
            unusable = bug(self.match.game.name, "the match", wrong)
            unusable.__cause__ = wrong
            self._stop_match(unusable)
        return True

    def _watch_games(self, over: threading.Event) -> None:
        """Interrupt functions of games that do not return, and name each once."""
        named: set[str] = set()
        while not over.wait(RETURNS_S / 5):
            for fault in interrupt_overdue():
                if str(fault) not in named:
                    logger.error("%s", fault)
                named.add(str(fault))
                if fault.function == PEOPLE:  # whose thread may wait for ever
                    self.broke(fault)

    # -- a bug in a game -------------------------------------------------------------------------

    def broke(self, fault: GameFault) -> None:
        """A function of the game failed outside the referee's thread."""

        def stop() -> None:
            if self.match is not None and self.match.game.name == fault.game and self.match.fault is None:
                self._stop_match(fault)

        self._inbox.put(stop)

    def _stop_match(self, fault: GameFault) -> None:
        match, stored = self.match, self.stored
        if match is None or stored is None or match.game.name != fault.game:
            logger.error("%s", fault)
            return
        if match.fault is None or str(match.fault) != str(fault):
            logger.error("%s stands still: %s", stored.id, fault, exc_info=fault.__cause__ or fault)
        self._note_fault(stored.id, fault)
        self._publish(replace(match.stop(fault), match=stored.id))

    def _note_fault(self, match: str, fault: GameFault) -> None:
        """Remember what stopped a match, once for each start, so that starts do not resume it for ever."""
        if match in self._faults_noted:
            return
        self._faults_noted.add(match)
        before = self.fault_noted()
        same = before is not None and (before["match"], before["place"]) == (match, fault.place)
        times = 1 + (before["times"] if same and before is not None else 0)
        noted = {"match": match, "game": fault.game, "function": fault.function, "place": fault.place, "times": times}
        try:
            self.log.table.set(_FAULT, noted)
        except CompanionError as wrong:
            logger.error("%s", wrong)

    def fault_noted(self) -> dict[str, Any] | None:
        """The bug that stopped a match last: ``match``, ``game``, ``function``, ``place`` and ``times``."""
        noted = self.log.table.setting(_FAULT)
        return noted if isinstance(noted, dict) and {"match", "place", "times"} <= noted.keys() else None

    def _forget_fault(self, match: str) -> None:
        self._faults_noted.discard(match)
        noted = self.fault_noted()
        if noted is not None and noted["match"] == match:
            self.log.table.set(_FAULT, None)

    def _patience_s(self) -> float:
        if self.match is None:
            return 60.0
        if self.match.stuck:
            return 1.0
        due_s = self.match.due_s(self.clock())
        return 60.0 if due_s is None else min(60.0, due_s + 0.01)

    def stop(self) -> None:
        """Let ``run`` finish what is in the queue and return."""
        self._inbox.put(None)

    def post(self, message: Input) -> None:
        """Queue a message; without a match, a look only shows that the camera works."""
        self._inbox.put(lambda: self._handle(message))

    def _handle(self, message: Input) -> None:
        if isinstance(message, Observation):
            self.last_look_s, self.lost = message.taken_s, message.lost
        if self.match is not None:
            self.match.handle(message, self.clock())

    def submit(self, work: Callable[[], object]) -> None:
        """Run ``work`` in the referee's thread; exceptions are logged."""
        self._inbox.put(work)

    def ask(self, question: Callable[[], T]) -> T:
        """Run ``question`` in the referee's thread and return its result; raises what it raises.

        Raises:
            TimeoutError: There is no result after ``ANSWER_S``; it will still be run.
        """
        answer: Future[T] = Future()

        def work() -> None:
            try:
                answer.set_result(question())
            except BaseException as wrong:  # noqa: BLE001  # it is raised again in the caller's thread
                if isinstance(wrong, GameFault):
                    self._stop_match(wrong)
                answer.set_exception(wrong)
            if self.match is not None and self.match.fault is None:
                self.match.go_on()

        self._inbox.put(work)
        return answer.result(timeout=ANSWER_S)

    # -- matches ---------------------------------------------------------------------------------

    def resume(self, suits: Callable[[StoredMatch], bool] = lambda _: True) -> bool:
        """Resume the match that was interrupted, if there is one that suits this table.

        Of several the one that the host chose last (``go_on_with``), else the newest.

        One that stood still at the same bug in its game at each start so far is left to people: it can be gone on with
        by hand, or closed.
        """
        noted = self.fault_noted()
        for unfinished in self._chosen_first():
            if unfinished.over or not unfinished.readable or not suits(unfinished):
                continue
            if noted is not None and noted["match"] == unfinished.id and noted["times"] > STARTS_INTO_A_FAULT:
                sentence = (
                    "%s is not gone on with: it stood still %d times at a bug in %s; go on with it by hand, or close it"
                )
                logger.error(sentence, unfinished.id, noted["times"], noted["place"])
                continue
            try:
                game = self.open_game(unfinished.header)
                entries, damage = sound_entries(self.log, unfinished.id, game, faults=True)
            except (InputError, GameFault) as wrong:
                logger.error("%s is not gone on with: %s", unfinished.id, wrong)
                continue
            if damage is not None:
                logger.error("%s %s", unfinished.id, damage)
                if self.log.last_number(unfinished.id) > len(entries):
                    set_aside(self.log, unfinished.id, len(entries))
            if not self.log.table.codes(unfinished.id):
                logger.error("the codes of %s are gone: new ones are drawn, and phones join again", unfinished.id)
                self.log.table.renew_codes(unfinished.id, seat_codes(names_in_play(unfinished.header["match"]), {}), {})
            self._start(unfinished, game, entries)
            return True
        return False

    def _chosen_first(self) -> Iterator[StoredMatch]:
        chosen, first = self.log.table.setting(GONE_ON), None
        try:
            first = self.log.match(chosen) if isinstance(chosen, str) else None
        except LogError:  # damaged there: the others may be sound
            logger.exception("%s cannot be read", chosen)
        if first is not None:
            yield first
        yield from (stored for stored in self.log.each_match() if first is None or stored.id != first.id)

    def is_at_table(self, match: str) -> bool:
        return self.stored is not None and self.stored.id == match

    def go_on_with(self, match: str, request: RequestKey | None = None) -> bool:
        """Resume an interrupted match; the one at the table, if any, is interrupted. For the referee's thread.

        People who sit at the table under the same name keep their codes.
        """
        codes = self._kept_codes()
        if not self.is_at_table(match):
            self._forget_fault(match)
        if self.is_at_table(match) or not self.resume(lambda stored: stored.id == match):
            return False
        if codes:
            by_key = {name_key(name): both for name, both in codes.items()}
            stay = [(person.invited, by_key.get(name_key(person.name))) for person in self.people]
            self.log.table.renew_codes(match, [(seat, *both) for seat, both in stay if both is not None], {})
            self.codes.forget()
        try:
            self.log.choose(match, request)
        except LogError:  # it goes on here; only after a restart it has to be chosen again
            logger.exception("That %s was chosen could not be noted", match)
        return True

    def begin(self, header: Mapping[str, JSON], request: RequestKey | None = None) -> str:
        """Begin a match and close the running one, if any; returns its id. For the referee's thread, or before it runs.

        Args:
            request: What asked for it.

        Raises:
            InputError: The header holds no playable match.
            LogError: It could not be written.
        """
        game = self.open_game(header)
        self._close_questions()
        began = self._wall_clock()
        taken = self.log.ids()
        match = next(name for n in range(1, len(taken) + 2) if (name := f"{began[:10]}-{n}") not in taken)
        self.log.begin(
            match,
            began,
            header,
            invitations=seat_codes(names_in_play(header["match"]), self._kept_codes()),
            closes=None if self.stored is None else self.stored.id,
            closing_entries=self._closing_entries(),
            request=request,
        )
        self._start(StoredMatch(match, began, header, False), game, ())
        return match

    def _kept_codes(self) -> dict[str, tuple[str, str]]:
        """Name to long and short code of all people in the match at the table."""
        if self.stored is None:
            return {}
        codes = {seat: (code, short) for seat, code, short in self.log.table.codes(self.stored.id)}
        return {person.name: codes[person.invited] for person in reversed(self.people) if person.invited in codes}

    def close(self, request: RequestKey | None = None) -> None:
        """Close the match at the table; it will not be resumed."""
        if self.stored is None:
            return
        self._close_questions()
        self.log.append(self.stored.id, self._closing_entries())
        self.log.close_match(self.stored.id, request)
        with self._lock:
            self.match, self.stored, self.people = None, None, ()
        self.codes.forget()

    def _close_questions(self) -> None:
        """People are done with the match at the table: nobody will answer what is still asked about it."""
        if self.match is None or self.match.fault is not None or not self.match.issues.awaits_answer:
            return
        try:
            self.match.handle(CloseQuestions(), self.clock())
        except GameFault as fault:
            self._stop_match(fault)

    def _closing_entries(self) -> list[Entry]:
        """The last entries of the match at the table, if it is abandoned before its end."""
        if self.match is None:
            return []
        record = self.match.record
        if not record.lines or record.ended or self.match.over:
            return []
        return [Entry(record.next_number, Ended(), Origin.TABLE, self.match.play_s(self.clock()))]

    def _start(self, stored: StoredMatch, game: Game[Any, Any], entries: Sequence[Entry]) -> None:
        def publish(update: Update) -> None:
            if update.number is not None and isinstance(match.record.lines[-1].entry.event, (Seated, Struck)):
                people = _seated(stored, match)
                with self._lock:
                    self.people = people
                self.codes.forget()
            self._publish(replace(update, match=stored.id))

        match = Match(game, lambda new: self.log.append(stored.id, new, match.request), publish, entries)
        people = _seated(stored, match)
        with self._lock:
            self._updates.clear()
            self._published_number = len(match.record.lines)
            self.stored, self.match, self.people = stored, match, people
        self.codes.forget()
        try:
            publish(match.latest())
        except GameFault as fault:
            self._stop_match(fault)
        self.on_match_started(stored, game)

    # -- from any thread -------------------------------------------------------------------------

    def at_table(self) -> AtTable | None:
        """The match at the table as stored and as it runs, and its people, consistently."""
        with self._lock:
            return None if self.stored is None or self.match is None else (self.stored, self.match, self.people)

    def newest(self) -> Update | None:
        with self._lock:
            return self._newest

    def played_s(self) -> float:
        """Seconds of play at the last entry of the match at the table."""
        return 0.0 if self.match is None else self.match.record.last_time_s

    def since(self, number: int) -> tuple[Update, ...]:
        """Updates of the match at the table with a greater entry number, oldest first."""
        with self._lock:
            stored, match, kept, newest = self.stored, self.match, tuple(self._updates), self._published_number
        if stored is None or match is None:
            return ()
        last = newest if not kept else (kept[0].number or 1) - 1
        made_anew = match.updates(max(number, 0) + 1, last) if number < last else ()
        again = tuple(replace(update, match=stored.id) for update in made_anew)
        with self._lock:
            first = next((update.number or 0 for update in self._updates), last + 1)
            room = REMEMBERED - len(self._updates)
            if again and room > 0 and self.match is match and first == last + 1:
                self._updates = [*again[-room:], *self._updates]  # for the next phone that slept
        return (*again, *(update for update in kept if update.number is not None and update.number > number))

    def subscribe(self, subscriber: Callable[[Update], None]) -> Callable[[], None]:
        """Call ``subscriber`` with every later update; returns the function that stops it."""
        with self._lock:
            self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            with self._lock:
                if subscriber in self._subscribers:
                    self._subscribers.remove(subscriber)

        return unsubscribe

    def publish(self, signal: Signal, *texts: Text) -> None:
        """Announce something that is not an entry."""

        def work() -> None:
            if self.match is not None:
                self.match.publish(signal, *texts)

        self._inbox.put(work)

    def _publish(self, update: Update) -> None:
        with self._lock:
            self._newest = update
            if update.number is not None and update.signal is not Signal.STARTED:
                self._updates = [*self._updates[-REMEMBERED:], update]
                self._published_number = update.number
            subscribers = tuple(self._subscribers)
        for subscriber in subscribers:
            try:
                subscriber(update)
            except Exception:  # a dead lamp must not end the match
                logger.exception("a subscriber failed on %s", update.signal.value)
