"""A simulated table whose people react to the running match: its scoreboard for them, and its film for the camera.

The people are simulated here, beside the referee; the camera's process only draws. It asks for one picture after the
other over a local socket. So nothing is lost when it crashes, and people decide by what the log says.
"""

from __future__ import annotations

import logging
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from dataclasses import replace
from functools import partial
from typing import Any

from companion.errors import GameFault, ImpossibleMove
from companion.games.guard import PEOPLE, bug, guarded_function
from companion.games.protocol import Game, MoveContext
from companion.games.registry import GAMES, OpenedMatch, open_match
from companion.history.codec import decode_move, encode_move
from companion.history.events import Origin
from companion.history.record import Record
from companion.public.standing import encode_standing
from companion.public.text import JSON
from companion.public.tracebacks import place_of
from companion.referee.commands import AnswerQuestion, Command, MakeMove
from companion.referee.match import Match
from companion.service.picture_door import PictureDoor
from companion.service.runner import MatchRunner
from companion.simulation.live_film import LiveFilm
from companion.simulation.people import People
from companion.simulation.scoreboard import LiveView, Step
from companion.simulation.script import ScriptedPicture
from companion.simulation.visitors import Visitors

log = logging.getLogger(__name__)

ANSWERS_S = 1.0
"""How long the people may think before the table is shown as it is; ours decide within some milliseconds."""
STUMBLE_S = (1.0, 60.0)
"""How long people who have stumbled wait before they go on: at first, and at most after doubling it each time."""
STEADY_S = 30.0
"""After so long without stumbling they start with the shortest wait again."""
CATCH_UP_S = 1.0
"""How long a film at full speed waits for the referee to process the looks so far."""


class MatchScoreboard:
    """A match as the people at its table see it; a ``companion.simulation.scoreboard.Scoreboard``.

    Args:
        match: Returns the running match, or ``None``.
        in_referee_thread: Runs a function with the match in the referee's thread.
        finish: Called when the end has been shown long enough.
        clock: The seconds in which looks at the table are dated.
    """

    def __init__(
        self,
        match: Callable[[], Match | None],
        in_referee_thread: Callable[[Callable[[Match], None]], None],
        finish: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._match = match
        self._in_referee_thread = in_referee_thread
        self._clock = clock
        self._steps: list[Step] = []
        self._record: Record[Any] | None = None
        self._view: LiveView
        self.finish = finish

    def look(self) -> LiveView | None:
        match = self._match()
        if match is None:
            return None
        if match.record is not self._record:
            self._record, self._view = match.record, self._read(match.game, match.record)
        asked = match.issues.questions.open.items()
        questions = (n for n, one in asked if len(one.meanings) > 1 and all(one.meanings) and not one.is_offer)
        return replace(
            self._view,
            questions=tuple(questions),
            lost=match.issues.lost is not None,
            seen=frozenset(map(str, tuple(match.issues.lying))) & self._view.tokens.keys(),
            command_lies=bool(match.issues.commands),
        )

    def _read(self, game: Game[Any, Any], record: Record[Any]) -> LiveView:
        public, at = record.public, record.next_context(record.last_time_s)
        refused = (one.change for one in record.open_refusals.values())
        return LiveView(
            number=len(record.lines),
            standing=encode_standing(record.standing),
            table=game.board.view(record.state, None),
            state=record.state,
            lying=lying(game, public),
            tokens={str(card): token for token, card in game.table.cards.items()},
            steps=self._followed(game, record),
            faults=partial(faults, game, record.state, at),
            offers=game.board.offers(public, at),
            unlawful=frozenset(number for number, act in record.acts.items() if act.hidden_objections),
            refused=frozenset(str(change.card) for change in refused if change is not None),
            paused=record.paused,
        )

    def say(self, move: Any, number: int) -> None:
        """A simulated person's phone; contract section 8, ``POST /moves`` with ``after``."""

        def make_move(game: Game[Any, Any]) -> Command:
            meant = decode_move(game, move) if isinstance(move, Mapping) else move
            return MakeMove(game.hidden.as_spoken(meant), Origin.PHONE)

        self._send(number, make_move)

    def answer(self, question: int, number: int) -> None:
        """As ``POST /answers``."""
        self._send(number, lambda _: AnswerQuestion(question, 0))

    def _send(self, number: int, command: Callable[[Game[Any, Any]], Command]) -> None:
        def work(match: Match) -> None:
            if len(match.record.lines) == number:
                match.handle(command(match.game), self._clock())

        self._in_referee_thread(work)

    def _followed(self, game: Game[Any, Any], record: Record[Any]) -> tuple[Step, ...]:
        """The steps of the record; unchanged ones are reused."""
        same = 0
        for step, state in zip(self._steps, record.states, strict=False):
            if step.key is not game.public(state):
                break
            same += 1
        del self._steps[same:]
        for number in range(same, len(record.states)):
            state = record.states[number]
            public, act = game.public(state), record.acts.get(number)
            self._steps.append(
                Step(
                    key=public,
                    move=encode_move(act.move) if act is not None and act.counts else None,
                    extras=record.lines[number - 1].extras if number else {},
                    lying=lying(game, public),
                    standing=encode_standing(game.board.standing(public)),
                    table=partial(game.board.view, state, None),
                )
            )
        return tuple(self._steps)


def faults(game: Game[Any, Any], state: Any, at: MoveContext, move: JSON) -> tuple[str, ...]:
    """All objections to a move, including those that only a Stop would reveal: these people know the rules."""
    meant = decode_move(game, move)
    objections = game.rules.judge(game.public(state), meant, at)
    if not objections:
        try:
            objections = game.hidden.apply(state, meant, at, game.rules.apply(state, meant, at)).objections
        except ImpossibleMove:
            return ("not-there",)
    return tuple(sorted({one.rule for one in objections}))


def lying(game: Game[Any, Any], public: Any) -> Mapping[str, str]:
    """Every card that should be visible, and its place."""
    return {str(card): str(place) for card, place in game.table.expected(public).cards.items()}


def simulated_people(opened: OpenedMatch, seed: int) -> People:
    """The people of the match's game, for a simulated table.

    Raises:
        InputError: They cannot play this match.
        GameFault: A bug keeps them from it.
    """
    name = opened.game.name
    return guarded_function(name, PEOPLE, GAMES[name].people)(opened.game, opened.header, opened.layout, seed)


def check_simulated(header: Mapping[str, JSON]) -> None:
    """Check that simulated people can play this match.

    Raises:
        InputError: They cannot.
    """
    opened = open_match(header["match"], header["deck"])
    LiveFilm(simulated_people(opened, 0), opened.layout, _Nobody(), 0)


class _Nobody:
    """The scoreboard of a match that has not begun."""

    def look(self) -> LiveView | None:
        return None

    def say(self, move: Any, number: int) -> None: ...

    def answer(self, question: int, number: int) -> None: ...

    def finish(self) -> None: ...


class LiveTable:
    """Serves the film of a live match, picture by picture, until it is closed.

    When the people stumble over a bug, of their own or of the game, the table stays as it is for a while, longer each
    time, and the bug is told once. They decide in a thread of their own: until they do, the table is shown as it is.

    Attributes:
        address: Where the camera's process asks for pictures.

    Args:
        film: Starts the film again, from the present state of the match.
        rate_hz: Pictures per second.
        catch_up: Waits until the referee has processed all looks; ``None`` for a film in real time.
        stumbled: Is told each time.
        guard: Wraps what the people do, so that a bug in it is named.
    """

    def __init__(
        self,
        film: Callable[[], LiveFilm],
        rate_hz: float,
        catch_up: Callable[[float], object] | None = None,
        stumbled: Callable[[BaseException], object] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
        guard: Callable[[Callable[[], ScriptedPicture]], Callable[[], ScriptedPicture]] = lambda people: people,
    ) -> None:
        self._film = film
        self._rate_hz = rate_hz
        self._catch_up = catch_up
        self._stumbled = stumbled
        self._clock = clock
        self._told: tuple[str, ...] = ()
        self._wait_s, self._stumbled_s = 0.0, -math.inf
        self._last = ScriptedPicture(0.0, (), ())  # an empty table, until the people have set it up
        self._pictures: Iterator[ScriptedPicture] | None = None
        self._made = guard(self._make)
        self._wanted: queue.SimpleQueue[Future[ScriptedPicture] | None] = queue.SimpleQueue()
        self._coming: Future[ScriptedPicture] | None = None
        self._late = False
        threading.Thread(target=self._work, name="people", daemon=True).start()
        self._door = PictureDoor(self.next)
        self.address = self._door.address

    def close(self) -> None:
        self._door.close()
        self._wanted.put(None)

    def _work(self) -> None:
        """The thread of the people: one picture each time that one is wanted."""
        while (wanted := self._wanted.get()) is not None:
            try:
                wanted.set_result(self._made())
            except BaseException as wrong:  # noqa: BLE001  # it is raised again where the picture was wanted
                wanted.set_exception(wrong)

    def _make(self) -> ScriptedPicture:
        if self._pictures is None:
            self._pictures = self._film().pictures(self._rate_hz)
        return next(self._pictures)

    def next(self, _asked: object = None) -> ScriptedPicture:
        """The next picture; the last one again while the people wait, or do not decide."""
        if self._catch_up is not None:
            self._catch_up(CATCH_UP_S)
        # Time goes on, or the eye would take it for a camera that hangs.
        self._last = replace(self._last, time_s=self._last.time_s + 1 / self._rate_hz, done=(), says=())
        if self._clock() < self._stumbled_s + self._wait_s:
            return self._last
        if self._coming is None:
            self._coming = Future()
            self._wanted.put(self._coming)
        done, _ = wait([self._coming], timeout=1 / self._rate_hz if self._late else ANSWERS_S)
        self._late = not done
        if self._late:
            return self._last
        coming, self._coming = self._coming, None
        try:
            self._last = coming.result()
        except (Exception, SystemExit) as wrong:  # noqa: BLE001  # the people continue from the table as it is
            self._stumble(wrong)
        return self._last

    def _stumble(self, wrong: BaseException) -> None:
        first_s, most_s = STUMBLE_S
        now_s, self._pictures = self._clock(), None
        steady = now_s > self._stumbled_s + self._wait_s + STEADY_S
        self._wait_s = first_s if steady else min(max(2 * self._wait_s, first_s), most_s)
        self._stumbled_s = now_s
        sentence = f"{type(wrong).__name__}: {wrong}, {place_of(wrong)}"
        told = (wrong.function, wrong.why) if isinstance(wrong, GameFault) else (sentence,)
        if told != self._told:  # an endless loop is interrupted at another line each time
            self._told = told
            log.error("the simulated people stumbled (%s); they wait, and try again", sentence, exc_info=wrong)
        self._stumbled(wrong)


def live_table(
    runner: MatchRunner, match_id: str, header: Mapping[str, JSON], seed: int, speed: float, rate_hz: float,
    finish: Callable[[], None], visitors: Visitors | None = None,
) -> LiveTable:  # fmt: skip
    """The simulated table of a match that has begun; ``speed`` 0 = as fast as possible."""
    opened = open_match(header["match"], header["deck"])

    def running() -> Match | None:
        stored, match = runner.stored, runner.match
        return match if stored is not None and stored.id == match_id else None

    def in_referee_thread(work: Callable[[Match], None]) -> None:
        def do() -> None:
            if (match := running()) is not None:
                work(match)

        runner.submit(do)

    def film() -> LiveFilm:
        scoreboard = MatchScoreboard(running, in_referee_thread, finish)
        return LiveFilm(simulated_people(opened, seed), opened.layout, scoreboard, seed, speed or 1.0, visitors)

    def catch_up(at_most_s: float) -> None:
        done = threading.Event()
        runner.submit(done.set)
        done.wait(at_most_s)

    def stumbled(wrong: BaseException) -> None:
        runner.broke(wrong if isinstance(wrong, GameFault) else bug(opened.game.name, PEOPLE, wrong))

    guard = partial(guarded_function, opened.game.name, PEOPLE)
    return LiveTable(film, rate_hz, None if speed else catch_up, stumbled, guard=guard)
