"""People ask for a seat from the code on the television; the host, or who sits there already, lets them in."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from companion.errors import InputError, LogError, fault
from companion.history.seating import NAME_TAKEN, arrivals, clean_name
from companion.public.names import name_key
from companion.public.results import AnsweredSeat, Asked, EntryJson, SeatCode, SeatMode
from companion.public.service import (
    Denied,
    Done,
    Invalid,
    NotFound,
    Result,
    Role,
    SeatRequest,
    SeatRequests,
    Stale,
    Unavailable,
    User,
)
from companion.public.table import Seat
from companion.public.text import JSON, Text
from companion.public.updates import Signal
from companion.service.runner import MatchRunner
from companion.storage.event_log import EventLog

ANSWER_S = 60.0
"""How long a request waits; unanswered is no."""

JOIN_S = 60.0
"""How long a phone that was let in has for taking its code."""

TRIES, TRIES_S = 3, 600.0
"""How many requests of one address may come to nothing within this time before it has to wait."""

OPEN, ASK, CLOSED = "open", "ask", "closed"
MODES = (OPEN, ASK, CLOSED)

_MODE = "seat_requests"
_PHONES = "phones"


class SeatPhones:
    """The seats for which a phone speaks: since the program started, and in the match at the table also before.

    What was kept in a full disk's stead is known until the program ends. May be used from any thread.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._shown: set[str] = set()
        self._noted: set[tuple[str, str]] = set()  # in which match it was shown: a code goes on into the next one
        self._kept = _kept(log.table.setting(_PHONES))

    def came(self, match: str, code: str) -> None:
        """A phone has shown the long code of a seat."""
        if (match, code) in self._noted:
            return
        with self._lock:
            self._shown.add(code)
            self._noted.add((match, code))
            self._keep(match, {*self._kept.get(match, ()), _mark(code)})

    def left(self, match: str, code: str) -> None:
        """The phone has left the seat of this long code."""
        with self._lock:
            self._shown.discard(code)
            self._noted = {one for one in self._noted if one[1] != code}
            self._keep(match, set(self._kept.get(match, ())) - {_mark(code)})

    def has(self, match: str, code: str) -> bool:
        return code in self._shown or _mark(code) in self._kept.get(match, ())

    def _keep(self, match: str, marks: set[str]) -> None:
        self._kept = {match: frozenset(marks)}
        with suppress(LogError):
            self._log.table.set(_PHONES, {"match": match, "codes": sorted(marks)})


def _kept(setting: JSON | None) -> dict[str, frozenset[str]]:
    match setting:
        case {"match": str(match), "codes": [*codes]} if all(isinstance(one, str) for one in codes):
            return {match: frozenset(codes)}
    return {}


def _mark(code: str) -> str:
    """What is kept of a code, which opens nothing."""
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()[:16]


@dataclass
class _Request:
    """A request.

    Attributes:
        invited: Whose seat, as in ``SeatedPerson``: people may change places meanwhile.
        until_s: When it ends.
        code: Of the seat, once the phone was let in.
        refused: The answer was no.
        answering: The answer is yes, and is being carried out.
        taken: The phone has taken its code.
    """

    number: int
    key: str
    match: str
    invited: Seat
    name: str
    address: str
    until_s: float
    code: str | None = None
    refused: bool = False
    answering: bool = False
    taken: bool = False


class AskedSeats:
    """A ``SeatRequestService`` over a runner. May be used from any thread.

    Args:
        simulated: At the simulated table seats are taken in another way.
        phones: Where phones are.
        codes: The long code of each seat.
        has_host: Whether a phone has been the host since the program started.
        rename: Gives a seat of a match another name, as the host would.
    """

    def __init__(
        self,
        runner: MatchRunner,
        *,
        simulated: bool,
        phones: SeatPhones,
        codes: Callable[[], dict[Seat, str]],
        has_host: Callable[[], bool],
        rename: Callable[[str, Seat, str], Result[EntryJson | None]],
    ) -> None:
        self._runner, self._simulated = runner, simulated
        self._phones, self._codes, self._has_host, self._rename = phones, codes, has_host, rename
        self._lock = threading.Lock()
        self._answering = threading.Lock()
        self._requests: dict[int, _Request] = {}
        self._last = 0
        self._in_vain: list[tuple[str, float]] = []

    def state(self, user: User) -> SeatRequests:
        mode, free = self._mode(), self._free()
        if not self._may_answer(user):
            return SeatRequests(mode, free, ())
        now = self._runner.clock()
        with self._lock:
            waiting = tuple(
                SeatRequest(one.number, self._seat(one), one.name, max(1, round(one.until_s - now)))
                for one in self._waiting()
            )
        return SeatRequests(mode, free, waiting)

    def set_mode(self, user: User, mode: str) -> Result[SeatMode]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        if mode not in MODES:
            return Invalid((Text("seats.fault.mode"),))
        try:
            self._runner.log.table.set(_MODE, mode)
        except LogError as error:
            return Unavailable(str(error))
        return Done({"mode": mode})

    def ask(self, address: str, seat: int, name: str, instead: str | None) -> Result[Asked]:
        mode = self._mode()
        if mode == CLOSED:
            return Denied(Text("seats.closed"))
        if (stored := self._runner.stored) is None or self._simulated:
            return NotFound(Text("seats.none"))
        if seat not in range(1, len(self._runner.people) + 1):
            return NotFound(Text("seats.none"))
        wanted = Seat(seat)
        try:
            name = self._name(wanted, name)
        except InputError as error:
            return Invalid.of(error)
        with self._lock:
            now, open_ones = self._runner.clock(), self._open()
            for one in [one for one in open_ones if one.key == instead and not one.answering]:
                self._drop(one, now)
                open_ones.remove(one)
            if wanted not in self._free():
                return Stale(Text("seats.taken", {"seat": wanted}))
            if any(self._seat(one) == wanted for one in open_ones):
                return Stale(Text("seats.asked_for", {"seat": wanted}))
            self._in_vain = [(where, at) for where, at in self._in_vain if now - at < TRIES_S]
            if sum(where == address for where, _ in self._in_vain) >= TRIES:
                return Denied(Text("seats.wait"))
            self._last += 1
            invited = self._runner.people[seat - 1].invited
            asked = _Request(self._last, secrets.token_urlsafe(16), stored.id, invited, name, address, now + ANSWER_S)
            self._requests[asked.number] = asked
        if mode == OPEN and not self._is_silent():
            if isinstance(opened := self._let_in(asked), Done):
                return Done({"key": asked.key, "left_s": round(JOIN_S)})
            with self._lock:
                self._requests.pop(asked.number, None)
            return opened
        asks = "seats.asks" if self._has_host() else "seats.asks.seats"
        self._runner.publish(Signal.NOTICE, Text(asks, {"seat": wanted}))
        return Done({"key": asked.key, "left_s": round(ANSWER_S)})

    def answer(self, user: User, number: int, yes: bool) -> Result[AnsweredSeat]:
        if not self._may_answer(user):
            return Denied(Text("desk.host_only" if user.role is Role.SEAT else "desk.join_first"))
        with self._answering:
            with self._lock:
                asked = next((one for one in self._waiting() if one.number == number), None)
                if asked is None:
                    return Stale(Text("seats.over"))
                if not yes:
                    asked.refused = True
                    self._in_vain.append((asked.address, self._runner.clock()))
                    return Done({"seat": self._seat(asked)})
            return self._let_in(asked)

    def _let_in(self, asked: _Request) -> Result[AnsweredSeat]:
        """Name the seat after who asked for it, and let their phone take its code."""
        asked.answering = True
        try:
            seat = self._seat(asked)
            if seat not in self._free():
                return Stale(Text("seats.taken", {"seat": seat}))
            if asked.name != self._runner.people[seat - 1].name:
                renamed = self._rename(asked.match, seat, asked.name)
                if not isinstance(renamed, Done):
                    return renamed
            with self._lock:
                seat = self._seat(asked)
                asked.code = self._codes().get(seat)
                asked.until_s = self._runner.clock() + JOIN_S
        finally:
            asked.answering = False
        self._runner.publish(Signal.NOTICE, Text("seats.joins", {"seat": seat}))
        return Done({"seat": seat})

    def joined(self, key: str) -> Result[SeatCode]:
        with self._lock:
            self._open()
            found = None
            for one in self._requests.values():
                if secrets.compare_digest(one.key.encode(), key.encode(errors="replace")):
                    found = one
            if found is not None and found.code not in (None, *self._codes().values()):
                found = None  # its code was renewed meanwhile
            if found is None or found.refused:
                return Stale(Text("seats.refused" if found else "seats.late"))
            if found.code is not None and not found.taken:
                if self._phones.has(found.match, found.code):
                    return Stale(Text("seats.taken", {"seat": self._seat(found)}))
                found.taken = True
            left_s = max(1, round(found.until_s - self._runner.clock()))
            return Done({"code": found.code, "left_s": left_s})  # again and again: an answer may be lost on the way

    def came(self, seat: Seat) -> None:
        """A phone has shown the code of this seat."""
        self._tell(self._phones.came, seat)

    def left(self, user: User) -> None:
        if user.seat is None:
            return
        self._tell(self._phones.left, user.seat)
        code = self._codes().get(user.seat)
        with self._lock:
            for one in [one for one in self._requests.values() if one.taken and one.code == code]:
                del self._requests[one.number]  # whoever left asks anew

    def _tell(self, tell: Callable[[str, str], None], seat: Seat) -> None:
        stored, code = self._runner.stored, self._codes().get(seat)
        if stored is not None and code is not None:
            tell(stored.id, code)

    def _mode(self) -> str:
        kept = self._runner.log.table.setting(_MODE)
        return kept if kept in MODES else ASK

    def _is_silent(self) -> bool:
        """Whether a hand might be shown to the wrong person."""
        match = self._runner.match
        return match is not None and match.game.silent

    def _may_answer(self, user: User) -> bool:
        return user.role is Role.HOST or (user.role is Role.SEAT and not self._has_host())

    def _free(self) -> tuple[Seat, ...]:
        """The seats of people who are there and have no phone; none at a simulated table."""
        if self._simulated or (at_table := self._runner.at_table()) is None:
            return ()
        stored, match, people = at_table
        seats, codes = stored.header["match"].get("seat", ()), self._codes()
        here = arrivals(line.entry for line in match.record.lines)
        numbered = [(Seat(number), one) for number, one in enumerate(seats[: len(people)], 1)]
        return tuple(
            seat
            for seat, one in numbered
            if seat in codes
            and not one.get("bot", False)
            and here.get(seat, True)
            and not self._phones.has(stored.id, codes[seat])
        )

    def _name(self, seat: Seat, typed: str) -> str:
        """The name as typed, tidied.

        Raises:
            InputError: It cannot be shown, or somebody else at the table has it.
        """
        name = clean_name(typed)
        others = [one.name for number, one in enumerate(self._runner.people, 1) if number != seat]
        if name_key(name) in map(name_key, others):
            raise InputError(fault("seat.fault.taken", NAME_TAKEN, "name", name=name))
        return name

    def _seat(self, asked: _Request) -> Seat:
        """Where the person now sits whose seat was asked for."""
        people = self._runner.people
        return next((Seat(n) for n, one in enumerate(people, 1) if one.invited == asked.invited), asked.invited)

    def _waiting(self) -> list[_Request]:
        """The requests that wait for an answer."""
        return [one for one in self._open() if one.code is None]

    def _open(self) -> list[_Request]:
        """The requests that wait, or hold a seat for the phone that was let in; those of another match, and those whose
        time is over, are dropped."""
        now, stored = self._runner.clock(), self._runner.stored
        for one in list(self._requests.values()):
            if stored is None or one.match != stored.id:
                del self._requests[one.number]
            elif now >= one.until_s and not one.answering:
                self._drop(one, one.until_s)
        return [one for one in self._requests.values() if not one.refused and not one.taken]

    def _drop(self, asked: _Request, at_s: float) -> None:
        """A request is over; one that came to nothing counts."""
        del self._requests[asked.number]
        if not asked.refused and not asked.taken:
            self._in_vain.append((asked.address, at_s))
