"""The strangers' bench counts what it says that it counts, in a small crowd."""

from __future__ import annotations

import re
from multiprocessing.connection import Connection

import pytest

from companion.errors import CompanionError
from tests.bench import strangers
from tests.bench.strangers import CONTROLS, READ, Crowd, beside_readers, busy_club, crowded


@pytest.mark.long
def test_a_seat_presses_in_a_small_crowd():
    (line,) = crowded(Crowd(idle=60, slow=60, streams=20), 10)
    assert re.match(
        r"strangers: 60 idle and 60 slow connections, 20 unread streams; "
        r"10 presses of a seat, none lost or doubled; p99 [0-9.]+ ms .* ratio [0-9.]+",
        line,
    )


@pytest.mark.long
def test_readers_are_counted_and_none_gets_another_answer():
    lines = list(beside_readers((3, 5), 40, 5))
    assert len(lines) == 2 + len(READ) - 1 + len(CONTROLS)
    for line in lines:
        assert re.match(r"readers: [35] of \S+, 40 entries, [1-9][0-9]* answers; press median [0-9.]+ ms, ", line)


@pytest.mark.long
def test_the_list_of_a_club_is_whole_at_its_second_start():
    lines = list(busy_club(12, 60))
    assert [line.partition(":")[0] for line in lines] == ["list", "page"] * 2


@pytest.mark.long
def test_a_press_that_comes_twice_is_noticed(monkeypatch: pytest.MonkeyPatch):
    pressed = strangers.pressed

    def twice(seats: Connection, presses: int) -> list[tuple[float, int]]:
        pressed(seats, 1)
        return pressed(seats, presses)

    monkeypatch.setattr(strangers, "pressed", twice)
    with pytest.raises(CompanionError, match="lost or came twice"):
        list(crowded(Crowd(0, 0, 1), 3))
