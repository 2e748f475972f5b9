"""Visitors who play a seat of a simulated table themselves: what their hands do, and what they may see.

Their phones come from one side (``companion.service.visiting``), the people at the table from the other
(``companion.simulation.live_players``); what is written here may be asked for from any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

ABSENT_S = 120.0
"""A visitor of whom nothing was heard for so long has gone, and the seat is played by dice again."""
MOST_WAITING = 4
"""So many gestures of one seat may wait for the hand."""

Sitting = tuple[str, tuple[tuple[int, str], ...]]
"""The match at the table, and for each seat, seat 1 first, which seat its person was invited to, and the name."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """What a visitor's hand does on the table.

    Attributes:
        do: ``lay`` a thing, ``take`` one back that lies where it does not belong, ``show`` a command card, or ``call``
            out for a thing, so that whoever has it says so.
        card: As in the record, or what the command card's sticker says.
        to: The place where it is laid.
        beside: A thing that lies there; it is laid as near to that one as there is room.
    """

    do: str
    card: str
    to: str | None = None
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class SeatThings:
    """What somebody has who sits in a seat of the simulated table.

    Attributes:
        hand: What he holds.
        named: What else is his to lay, by the name that the game has for it; ``None`` = nothing now.
        open: What lies on the table for him to take up.
        astray: What he laid and what does not belong where it lies: refused, or laid when it was not asked for.
        places: Where things can be laid on this table.
    """

    hand: tuple[str, ...] = ()
    named: Mapping[str, str | None] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    astray: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    def within_reach(self, thing: str) -> bool:
        """Whether he can take this up and lay it elsewhere."""
        return thing in self.open or thing in (*self.hand, *self.named.values(), *self.astray)

    def can_lay(self, gesture: Gesture) -> bool:
        """Whether a hand can do this, lawful or not."""
        return gesture.to in self.places and self.within_reach(gesture.card)


@dataclass
class _Visit:
    heard_s: float
    waiting: list[Gesture] = field(default_factory=list)
    things: SeatThings = field(default_factory=SeatThings)


class Visitors:
    """Who plays a seat himself. They go with their people: to another seat, and into the next match by their names.

    Args:
        sitting: Who sits where now; ``None`` = there is no match.
        clock: Monotonic seconds.
    """

    def __init__(self, sitting: Callable[[], Sitting | None], clock: Callable[[], float] = time.monotonic) -> None:
        self._sitting = sitting
        self._clock = clock
        self._lock = threading.Lock()
        self._visits: dict[int, _Visit] = {}
        self._known: Sitting = ("", ())

    def seats(self) -> frozenset[int]:
        """The seats that visitors play now."""
        with self._lock:
            return frozenset(self._by_seat())

    def play(self, seat: int, playing: bool) -> None:
        """A visitor takes a seat into his hands, or gives it back to the dice."""
        with self._lock:
            self._by_seat()
            invited = self._invited(seat)
            if invited is None:
                return
            if playing:
                self._visits.setdefault(invited, _Visit(self._clock())).heard_s = self._clock()
            else:
                self._visits.pop(invited, None)

    def hear(self, seat: int) -> None:
        """The phone of a seat asked for something: its visitor is still there."""
        with self._lock:
            if (visit := self._by_seat().get(seat)) is not None:
                visit.heard_s = self._clock()

    def ask(self, seat: int, gesture: Gesture) -> bool:
        """Have the hand of a seat do something; ``False``: too much waits already, or no visitor plays it."""
        with self._lock:
            visit = self._by_seat().get(seat)
            if visit is None or len(visit.waiting) >= MOST_WAITING:
                return False
            visit.waiting.append(gesture)
            return True

    def next_gesture(self) -> tuple[int, Gesture] | None:
        """Whose hand does what next."""
        with self._lock:
            for seat, visit in sorted(self._by_seat().items()):
                if visit.waiting:
                    return seat, visit.waiting.pop(0)
        return None

    def show(self, seat: int, things: SeatThings) -> None:
        """What a visitor sees from now on; kept only while somebody plays the seat."""
        with self._lock:
            if (visit := self._by_seat().get(seat)) is not None:
                visit.things = things

    def things(self, seat: int) -> tuple[SeatThings, tuple[Gesture, ...]] | None:
        """What a visitor sees, and what his hand has still to do; ``None``: no visitor plays this seat."""
        with self._lock:
            visit = self._by_seat().get(seat)
            return None if visit is None else (visit.things, tuple(visit.waiting))

    def _by_seat(self) -> dict[int, _Visit]:
        if not self._visits:
            return {}
        now = self._sitting()
        if now is not None:
            if now[0] != self._known[0]:
                self._follow(now)
            self._known = now
        for invited in [key for key, visit in self._visits.items() if self._clock() - visit.heard_s >= ABSENT_S]:
            del self._visits[invited]
        seats = {invited: seat for seat, (invited, _) in enumerate(self._known[1], 1)}
        return {seats[invited]: visit for invited, visit in self._visits.items() if invited in seats}

    def _follow(self, now: Sitting) -> None:
        """Another match has begun: whose name sits in it plays on, with nothing left to do from the one before."""
        names = dict(self._known[1])
        places = {name: invited for invited, name in now[1]}
        stay = {invited: places.get(names.get(invited, "")) for invited in self._visits}
        self._visits = {to: _Visit(self._visits[invited].heard_s) for invited, to in stay.items() if to is not None}

    def _invited(self, seat: int) -> int | None:
        now = self._sitting()
        if now is None or not 1 <= seat <= len(now[1]):
            return None
        self._known = now
        return now[1][seat - 1][0]
