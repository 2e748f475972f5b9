"""Visitors who play a seat of a simulated table: what their hands do, and what they may see.

Their phones use one side (``companion.service.visiting``), the simulated people the other
(``companion.simulation.live_players``). May be used from any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

ABSENT_S = 120.0
"""After this time without a request, a visitor has left, and the seat is simulated again."""
MOST_WAITING = 4
"""The most gestures of one seat that may wait for the hand."""

Sitting = tuple[str, tuple[tuple[int, str], ...]]
"""The match at the table, and for each seat, seat 1 first, the seat its person was invited to and the name."""


@dataclass(frozen=True, slots=True)
class Gesture:
    """A gesture of a visitor's hand.

    Attributes:
        do: ``lay`` a piece, ``take`` back one that is misplaced, ``show`` a command card, or ``call`` for a piece, so
            that its owner answers.
        card: As in the record, or the token of a command card.
        to: The place where it is laid.
        beside: A piece that lies there; lay it as near to that one as there is room.
    """

    do: str
    card: str
    to: str | None = None
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class SeatThings:
    """The pieces of a person in a seat of the simulated table.

    Attributes:
        hand: The cards in hand.
        named: Other pieces to lay, by the game's name for them; ``None`` = nothing now.
        open: Pieces on the table that may be taken up.
        astray: The person's misplaced pieces: refused, or laid at the wrong time.
        places: Where pieces can be laid on this table; first where the game is built.
    """

    hand: tuple[str, ...] = ()
    named: Mapping[str, str | None] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    astray: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    def within_reach(self, thing: str) -> bool:
        """Whether the person can take this up and lay it elsewhere."""
        return thing in self.open or thing in (*self.hand, *self.named.values(), *self.astray)

    def can_lay(self, gesture: Gesture) -> bool:
        """Whether a hand can do this, lawful or not."""
        return gesture.to in self.places and self.within_reach(gesture.card)


@dataclass
class _Visit:
    active_s: float
    waiting: list[Gesture] = field(default_factory=list)
    things: SeatThings = field(default_factory=SeatThings)


class Visitors:
    """The people who play a seat. They move along when people change seats, and by name into the next match.

    Args:
        sitting: The people and their seats now; ``None`` = there is no match.
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
        """A visitor takes over a seat, or gives it back to the simulation."""
        with self._lock:
            self._by_seat()
            invited = self._invited(seat)
            if invited is None:
                return
            if playing:
                self._visits.setdefault(invited, _Visit(self._clock())).active_s = self._clock()
            else:
                self._visits.pop(invited, None)

    def take(self, wanted: Sequence[int]) -> int | None:
        """A visitor takes over the first of these seats that no visitor plays; returns which."""
        with self._lock:
            taken = self._by_seat()
            for seat in wanted:
                if seat not in taken and (invited := self._invited(seat)) is not None:
                    self._visits[invited] = _Visit(self._clock())
                    return seat
        return None

    def note_activity(self, seat: int) -> None:
        """A seat's phone made a request, so its visitor is still there."""
        with self._lock:
            if (visit := self._by_seat().get(seat)) is not None:
                visit.active_s = self._clock()

    def ask(self, seat: int, gesture: Gesture) -> bool:
        """Queue a gesture; ``False``: too many are waiting, or no visitor plays the seat."""
        with self._lock:
            visit = self._by_seat().get(seat)
            if visit is None or len(visit.waiting) >= MOST_WAITING:
                return False
            visit.waiting.append(gesture)
            return True

    def next_gesture(self) -> tuple[int, Gesture] | None:
        """The next gesture, with its seat."""
        with self._lock:
            for seat, visit in sorted(self._by_seat().items()):
                if visit.waiting:
                    return seat, visit.waiting.pop(0)
        return None

    def show(self, seat: int, things: SeatThings) -> None:
        """Set what a visitor sees; ignored if no visitor plays the seat."""
        with self._lock:
            if (visit := self._by_seat().get(seat)) is not None:
                visit.things = things

    def things(self, seat: int) -> tuple[SeatThings, tuple[Gesture, ...]] | None:
        """What a visitor sees, and the waiting gestures; ``None``: no visitor plays this seat."""
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
        for invited in [key for key, visit in self._visits.items() if self._clock() - visit.active_s >= ABSENT_S]:
            del self._visits[invited]
        seats = {invited: seat for seat, (invited, _) in enumerate(self._known[1], 1)}
        return {seats[invited]: visit for invited, visit in self._visits.items() if invited in seats}

    def _follow(self, now: Sitting) -> None:
        """Another match has begun: visitors keep playing by name; their waiting gestures are dropped."""
        names = dict(self._known[1])
        places = {name: invited for invited, name in now[1]}
        stay = {invited: places.get(names.get(invited, "")) for invited in self._visits}
        self._visits = {to: _Visit(self._visits[invited].active_s) for invited, to in stay.items() if to is not None}

    def _invited(self, seat: int) -> int | None:
        now = self._sitting()
        if now is None or not 1 <= seat <= len(now[1]):
            return None
        self._known = now
        return now[1][seat - 1][0]
