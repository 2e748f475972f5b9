"""Takes turns: what is read from the archive is worked out for a few at a time, so that nobody else waits for it.

Python works for one thread at a time. Twenty threads that draw pages would keep the one in which a seat's press is
answered from its turn twenty times over, and the page of a long match takes a second.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from companion.public.text import Text
from web.middleware.problems import Problem

AT_A_TIME = 2
WAITING = 100
"""So many more may wait, each in a thread of the server (``web.server.THREADS``); further ones are sent away."""

PATIENCE_S = 60.0


class Turns:
    """Lets a few threads go on at a time."""

    def __init__(self, at_a_time: int = AT_A_TIME, waiting: int = WAITING, patience_s: float = PATIENCE_S) -> None:
        self._free = threading.Semaphore(at_a_time)
        self._room = threading.Semaphore(at_a_time + waiting)
        self._patience_s = patience_s

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for a turn.

        Raises:
            Problem: Too many wait already, or it takes too long.
        """
        if not self._room.acquire(blocking=False):
            raise _later()
        try:
            if not self._free.acquire(timeout=self._patience_s):
                raise _later()
            try:
                yield
            finally:
                self._free.release()
        finally:
            self._room.release()


def _later() -> Problem:
    return Problem(503, Text("problem.readers"), {"Retry-After": "5"})
