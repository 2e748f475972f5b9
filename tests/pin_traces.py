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


def trace(pin: Any) -> list[tuple[float, float]]:
    """What a pin showed, and for how long before it changed: ``[(shown, seconds), …]``, the last still lasting."""
    states = list(pin.states)
    shown = [(float(one.state), float(following.timestamp)) for one, following in itertools.pairwise(states)]
    return [*shown, (float(states[-1].state), float("inf"))]


def same(seen: list[tuple[float, float]], wanted: list[tuple[float, float]]) -> bool:
    """Whether two traces agree: as long, the same states, times to 100 ms (a busy machine)."""
    return len(seen) == len(wanted) and all(
        a == b and (s == t or abs(s - t) < 0.1) for (a, s), (b, t) in zip(seen, wanted, strict=True)
    )


def eventually(true: Callable[[], bool], within_s: float = 5.0) -> bool:
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        if true():
            return True
        time.sleep(0.01)
    return true()
