"""What mock pins did, as whole traces."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockPWMPin


class HeardPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin that also remembers what it sounded: each pitch, ``None`` for silence."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.pitches: list[int | None] = []
        super().__init__(factory, info)

    def _set_frequency(self, value: float | None) -> None:
        if value != self._frequency:
            self.pitches.append(None if value is None else round(value))
        super()._set_frequency(value)


class StoppedHighPin(HeardPin):
    """A pin of lgpio's at its worst: a wave that is stopped leaves the line high, whatever was asked for before.

    Seen on a kernel's chip (``tests/tools/pins-vm.sh``): after 12 of 20 notes the buzzer's line stayed high.
    """

    _waved = False

    def _set_state(self, value: float) -> None:
        self._waved = self._frequency is not None and (self._waved or value > 0)
        super()._set_state(value)

    def _set_frequency(self, value: float | None) -> None:
        if value is self._frequency is None:
            return  # lgpio does nothing then; a mock pin would fall low
        stopped = value is None and self._waved
        super()._set_frequency(value)
        if stopped:
            self._waved = False
            self._change_state(1.0)


def trace(pin: Any) -> list[tuple[float, float]]:
    """What a pin showed, and for how long before it changed: ``[(shown, seconds), …]``, the last still lasting."""
    states = list(pin.states)
    shown = [(float(one.state), float(following.timestamp)) for one, following in itertools.pairwise(states)]
    return [*shown, (float(states[-1].state), float("inf"))]


def same(seen: list[tuple[float, float]], wanted: list[tuple[float, float]]) -> bool:
    """Whether two traces agree: as long, the same states, times to a millisecond."""
    return len(seen) == len(wanted) and all(
        a == b and (s == t or abs(s - t) < 0.001) for (a, s), (b, t) in zip(seen, wanted, strict=True)
    )


def eventually(true: Callable[[], bool], within_s: float = 5.0) -> bool:
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        if true():
            return True
        time.sleep(0.01)
    return true()
