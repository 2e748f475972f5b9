"""Takes turns: pages, and what is read from the archive, are worked out for one reader at a time, so that nobody else
waits for it.

Python works for one thread at a time. Twenty threads that draw pages would keep the one in which a seat's press is
answered from its turn twenty times over, and the page of a long match takes a second.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from companion.public.text import Text
from web.middleware.problems import Problem

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
