"""A clock that stands still until a test moves it on, for threads that wait in ``hardware.sequencer``.

Nothing in a test then depends on how busy the machine is: each thread has done all that is due at a moment before
the next moment comes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace, TracebackType

import gpiozero.pins.mock
import pytest

import hardware.sequencer

PATIENCE_S = 60.0
"""Real seconds for a thread to do what is due; only a thread that hangs takes so long."""


class FakeClock:
    """The time for all sequencers of a test; ``advance`` is the only thing that moves it."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.changed = threading.Condition()
        self._conditions: list[ClockCondition] = []

    def monotonic(self) -> float:
        return self.now_s

    def condition(self) -> ClockCondition:
        made = ClockCondition(self)
        self._conditions.append(made)
        return made

    def advance(self, seconds: float) -> None:
        """So many seconds pass, and everything that is due until then is done."""
        with self.changed:
            end_s = self.now_s + seconds
            while True:
                assert self.changed.wait_for(self._idle, PATIENCE_S), "a thread hangs"
                due = [one.due_s for one in self._conditions if one.waits and one.due_s <= end_s]
                if not due:
                    self.now_s = end_s
                    return
                self.now_s = min(due)
                self.changed.notify_all()

    def _idle(self) -> bool:
        return all(one.idle() for one in self._conditions)


class ClockCondition:
    """What a sequencer uses of ``threading.Condition``, by the fake clock."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self._thread: threading.Thread | None = None
        self._true: Callable[[], bool] = bool
        self.waits = False
        self.due_s = 0.0

    def __enter__(self) -> None:
        self._clock.changed.acquire()

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._clock.changed.release()

    def notify(self) -> None:
        self._clock.changed.notify_all()

    def wait_for(self, true: Callable[[], bool], timeout_s: float = float("inf")) -> bool:
        self._thread = threading.current_thread()
        self._true, self.due_s, self.waits = true, self._clock.now_s + timeout_s, True
        self._clock.changed.notify_all()
        while not true() and self._clock.now_s < self.due_s:
            self._clock.changed.wait()
        self.waits = False
        return true()

    def idle(self) -> bool:
        """Whether the thread has nothing to do before the clock moves on."""
        if self._thread is not None and not self._thread.is_alive():
            return True
        return self.waits and not self._true() and self._clock.now_s < self.due_s


def fake_clock(patch: pytest.MonkeyPatch) -> FakeClock:
    """A clock that the sequencers and the mock pins of this test go by."""
    clock = FakeClock()
    patch.setattr(hardware.sequencer, "time", SimpleNamespace(monotonic=clock.monotonic))
    patch.setattr(hardware.sequencer, "threading", SimpleNamespace(Condition=clock.condition, Thread=threading.Thread))
    patch.setattr(gpiozero.pins.mock, "monotonic", clock.monotonic)
    return clock
