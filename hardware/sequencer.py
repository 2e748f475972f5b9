"""Plays timed steps in a thread of its own: the newest request wins, and the caller never waits."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

_log = logging.getLogger(__name__)


class Timed(Protocol):
    """A step of a sequence."""

    @property
    def lasts_s(self) -> float: ...


S = TypeVar("S", bound=Timed)


class Sequencer(Generic[S]):
    """Plays steps on one lamp or one buzzer.

    Args:
        name: Name of the thread, and of the device in log messages.
        show: Shows a step on the device; ``None`` = off. Only called in the sequencer's thread. Its errors are logged
            once and the next step is tried: a loose wire must not end an evening.
    """

    def __init__(self, name: str, show: Callable[[S | None], None]) -> None:
        self._name = name
        self._device = show
        self._works = True
        self._wanted = threading.Condition()
        self._once: tuple[S, ...] = ()
        self._repeated: tuple[S, ...] = ()
        self._asked = 0
        self._open = True
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def play(self, once: Sequence[S], repeated: Sequence[S] = ()) -> None:
        """Play ``once``, then repeat ``repeated`` (empty = off), instead of what is playing now."""
        with self._wanted:
            self._once, self._repeated = tuple(once), tuple(repeated)
            self._asked += 1
            self._wanted.notify()

    def close(self) -> None:
        """Stop and switch the device off; may be called twice."""
        with self._wanted:
            self._open = False
            self._wanted.notify()
        self._thread.join()

    def _show(self, step: S | None) -> None:
        try:
            self._device(step)
            self._works = True
        except Exception as wrong:  # noqa: BLE001 - lgpio's errors have no common base class
            if self._works:
                _log.error("the %s does not work (%s); the scoreboard goes on without it", self._name, wrong)
            self._works = False

    def _run(self) -> None:
        try:
            asked = 0
            while self._open:
                with self._wanted:
                    self._wanted.wait_for(lambda seen=asked: self._asked != seen or not self._open)  # type: ignore[misc]
                    asked, once, repeated = self._asked, self._once, self._repeated
                self._perform(asked, once, repeated)
        finally:
            self._show(None)

    def _perform(self, asked: int, once: tuple[S, ...], repeated: tuple[S, ...]) -> None:
        """Play until a new request comes. End times are counted from the start, so that errors do not add up."""
        end_s = time.monotonic()
        steps = once
        while True:
            for step in steps:
                self._show(step)
                end_s += step.lasts_s
                with self._wanted:
                    if self._wanted.wait_for(
                        lambda: self._asked != asked or not self._open, max(0.0, end_s - time.monotonic())
                    ):
                        return
            if not repeated:
                self._show(None)
                return
            steps = repeated
