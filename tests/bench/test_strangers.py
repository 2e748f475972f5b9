"""The strangers' bench counts what it says that it counts, in a small crowd."""

from __future__ import annotations

import re

import pytest

from companion.errors import CompanionError
from tests.bench import strangers
from tests.bench.strangers import Crowd, crowded


@pytest.mark.long
def test_a_seat_presses_and_a_phone_joins_in_a_small_crowd():
    """A laptop that misbehaves, in little."""
    (line,) = crowded(Crowd(idle=60, slow=60, streams=20), 10)
    assert re.match(
        r"strangers: 60 idle and 60 slow connections, 20 unread streams; "
        r"10 presses of a seat, none lost or doubled; p99 [0-9.]+ ms .* a new phone joined in [0-9]+ ms",
        line,
    )


@pytest.mark.long
def test_a_press_that_comes_twice_is_noticed(monkeypatch: pytest.MonkeyPatch):
    press = strangers._Seats.press  # noqa: SLF001  # the fault is planted inside the bench

    def twice(seats: strangers._Seats, presses: int) -> list[float]:
        press(seats, 1)
        return press(seats, presses)

    monkeypatch.setattr(strangers._Seats, "press", twice)  # noqa: SLF001  # the fault is planted inside the bench
    with pytest.raises(CompanionError, match="lost or came twice"):
        list(crowded(Crowd(0, 0, 1), 3))
