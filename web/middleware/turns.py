"""Takes turns: whoever only watches is answered one at a time, so that no seat waits for a room full of readers.

Python works for one thread at a time. Twenty threads that draw pages would keep the one in which a seat's press is
answered from its turn twenty times over, and the page of a long match takes a second. Small answers cost little each,
but twenty readers get a thousand of them a second.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from companion.public.text import Text
from web.middleware.problems import Problem

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

AT_A_TIME = 1
WAITING = 100
"""So many more may wait, each in a thread of the server (``web.server.THREADS``); further ones are sent away."""

PATIENCE_S = 60.0


class Turns:
    """Lets a few threads go on at a time, in the order in which they came."""

    def __init__(self, at_a_time: int = AT_A_TIME, waiting: int = WAITING, patience_s: float = PATIENCE_S) -> None:
        self._lock = threading.Lock()
        self._free = at_a_time
        self._waiting: deque[threading.Event] = deque()
        self._own = threading.local()
        self._most_waiting = waiting
        self._patience_s = patience_s

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return len(self._waiting)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for a turn; a thread that has one goes on.

        Raises:
            Problem: Too many wait already, or it takes too long.
        """
        if getattr(self._own, "taken", False):
            yield
            return
        self._take()
        self._own.taken = True
        try:
            yield
        finally:
            self._own.taken = False
            with self._lock:
                if self._waiting:
                    self._waiting.popleft().set()  # whoever has waited longest; nobody who comes just now is faster
                else:
                    self._free += 1

    @contextmanager
    def asked(self) -> Iterator[None]:
        """As ``taken``, but whoever gets no turn goes on without one."""
        with ExitStack() as stack:
            with suppress(Problem):
                stack.enter_context(self.taken())
            yield

    def _take(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            if len(self._waiting) >= self._most_waiting:
                raise _later()
            turn = threading.Event()
            self._waiting.append(turn)
        if not turn.wait(self._patience_s):
            with self._lock:
                if not turn.is_set():
                    self._waiting.remove(turn)
                    raise _later()


def _later() -> Problem:
    return Problem(503, Text("problem.readers"), {"Retry-After": "5"})


def readers_in_turn(app: WSGIApplication, turns: Turns, cookie: str) -> WSGIApplication:
    """Wrap an app: a request that only reads and shows no code waits for a turn, from its first header to its answer.

    What needs no turn of its own (a drawing, the standing) is never refused for want of one. An answer that is sent
    bit by bit, as an event stream, has no turn while it is sent.

    Args:
        cookie: How the names of cookies that hold a code begin.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        shows_code = "HTTP_AUTHORIZATION" in environ or cookie in environ.get("HTTP_COOKIE", "")
        if shows_code or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return app(environ, start_response)
        with turns.asked():
            return app(environ, start_response)

    return answer
