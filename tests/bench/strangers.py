"""The strangers' bench: how long a seat's press takes while one laptop misbehaves."""

from __future__ import annotations

import http.client
import json
import resource
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import CompanionError
from companion.public.service import Role, User
from companion.public.table import Seat
from tests.bench.phones import Table

STRANGERS_AT, SEATS_AT = "127.0.0.1", "127.0.0.2"
PRESSES, PRESSES_LONG = 100, 400
LIMIT_MS = 1000.0
"""What a press may take in the crowd, the 99th of a hundred, on a machine that has nothing else to do."""
PATIENCE_S = 60.0
STEP_S = 0.2


@dataclass(frozen=True, slots=True)
class Crowd:
    """What one laptop does at once, and begins anew as soon as it is hung up on.

    Attributes:
        idle: Connections on which nothing is ever said.
        slow: Connections whose request drips in, a header line at a time.
        streams: Event streams from the first entry on, of which nothing is ever read.
    """

    idle: int = 300
    slow: int = 300
    streams: int = 50


def strangers(long: bool) -> Iterator[str]:
    """A seat's presses alone and in the crowd; a phone that joins meanwhile; whether anything was lost."""
    return crowded(Crowd(), PRESSES_LONG if long else PRESSES)


def crowded(crowd: Crowd, presses: int) -> Iterator[str]:
    """As ``strangers``, with this crowd and as many presses.

    Raises:
        CompanionError: A press was lost or came twice, or a phone could not join.
    """
    with TemporaryDirectory() as folder, Table(Path(folder)) as table:
        yield measured(table.port, phones_of(table), crowd, presses)


def phones_of(table: Table) -> tuple[int, str, str, str]:
    """The last entry of a table, the codes of the phones of two seats, and what a third phone would type."""
    codes = {one.user.seat: one for one in table.services.match.join_codes(User(Role.HOST))}
    one, other = codes[Seat(1)], codes[Seat(2)]
    return table.last_entry(), one.code, other.code, other.short


def measured(port: int, phones: tuple[int, str, str, str], crowd: Crowd, presses: int) -> str:
    """As ``crowded``, at a table that is served at this port of this machine, by whatever serves it."""
    with closing(_Seats(port, phones)) as seats:
        alone_s = seats.press(presses)
        with _Strangers(port, crowd):
            in_crowd_s = seats.press(presses)
            joined_s = seats.join()
        seats.check(2 * presses)
    alone, beside = alone_s[int(presses * 0.99)] * 1000, in_crowd_s[int(presses * 0.99)] * 1000
    return (
        f"strangers: {crowd.idle} idle and {crowd.slow} slow connections, {crowd.streams} unread streams; "
        f"{presses} presses of a seat, none lost or doubled; p99 {beside:.1f} ms (at most {LIMIT_MS:.0f}), "
        f"median {in_crowd_s[presses // 2] * 1000:.1f} ms, alone {alone:.1f} and "
        f"{alone_s[presses // 2] * 1000:.1f} ms; ratio {beside / alone:.1f}; "
        f"a new phone joined in {joined_s * 1000:.0f} ms"
    )


class _Child:
    """A process of its own, so that its work is not the server's; it runs a function of this module."""

    def __init__(self, function: str, *arguments: object) -> None:
        begin = f"import sys; from {__name__} import {function}; {function}(sys.argv[1:])"
        self._process = subprocess.Popen(
            [sys.executable, "-c", begin, *map(str, arguments)],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout

    def answer(self) -> str:
        """The next line that it says; empty when it has ended."""
        return self._from.readline().strip()

    def ask(self, line: str) -> str:
        """Say a line, and have the next one that it says."""
        self._to.write(f"{line}\n")
        self._to.flush()
        return self.answer()

    def close(self) -> None:
        """Let it end."""
        self._to.close()
        self._process.wait(timeout=PATIENCE_S)
        self._from.close()


class _Seats:
    """Two seats' phones."""

    def __init__(self, port: int, phones: tuple[int, str, str, str]) -> None:
        self._child = _Child("phones", port, *phones)

    def press(self, presses: int) -> list[float]:
        """End the turn so often; seconds from each press to its answer, which holds the entry, the shortest first."""
        return sorted(self._asked(f"press {presses}"))

    def join(self) -> float:
        """A phone that types its code; seconds until it is a seat."""
        (joined_s,) = self._asked("join")
        return joined_s

    def check(self, presses: int) -> None:
        """Every press is one entry, and was told once, in order.

        Raises:
            CompanionError: It is not.
        """
        self._asked(f"check {presses}")

    def _asked(self, line: str) -> list[float]:
        answer = json.loads(self._child.ask(line) or '"the phones have gone"')
        if isinstance(answer, str):
            raise CompanionError(f"strangers: {answer}")
        return [float(one) for one in answer]

    def close(self) -> None:
        """Put them away."""
        self._child.close()


class _Strangers:
    """The crowd."""

    def __init__(self, port: int, crowd: Crowd) -> None:
        self._child = _Child("strangers_of", port, *astuple(crowd))

    def __enter__(self) -> None:
        if self._child.answer() != "there":
            raise CompanionError("strangers: the crowd did not come")

    def __exit__(self, *_: object) -> None:
        self._child.close()


# -- in the phones' own process ----------------------------------------------------------------------------------------


def phones(arguments: Sequence[str]) -> None:
    """Be two phones: for each line of standard input a line of JSON, seconds or a sentence of what went wrong."""
    port, last, *codes = arguments
    with closing(_Phones(int(port), int(last), *codes)) as two:
        for line in sys.stdin:
            what, _, number = line.partition(" ")
            answer: list[float] | str
            try:
                if what == "press":
                    answer = [two.press() for _ in range(int(number))]
                else:
                    answer = [two.join()] if what.strip() == "join" else two.check(int(number))
            except (CompanionError, OSError, ValueError, http.client.HTTPException) as wrong:
                answer = str(wrong) or type(wrong).__name__
            sys.stdout.write(f"{json.dumps(answer)}\n")
            sys.stdout.flush()


class _Phones:
    """Two phones that press in turns, and one of them hears of it."""

    def __init__(self, port: int, last: int, one: str, other: str, short: str) -> None:
        self._port, self._last, self._short = port, last, short
        self._codes = {1: one, 2: other}
        self._line = self._connect()
        self._turn, self._told = 1, list[int]()
        self._heard: list[int] = []
        self._stream = self._connect()
        self._stream.request("GET", "/api/v1/events", headers=self._bearer(1))
        self._wire = self._stream.sock
        self._events = self._stream.getresponse()
        self._hearing = threading.Thread(target=self._hear, daemon=True)
        self._hearing.start()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(STRANGERS_AT, self._port, timeout=PATIENCE_S, source_address=(SEATS_AT, 0))

    def _bearer(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._codes[seat]}", "Content-Type": "application/json"}

    def press(self) -> float:
        """End the turn; seconds from the press to its answer."""
        time.sleep(0.02)
        body = json.dumps({"move": {"do": "end_turn", "by": self._turn}})
        pressed_s = time.perf_counter()
        self._line.request("POST", "/api/v1/moves", body, self._bearer(self._turn))
        answer = self._line.getresponse()
        answered = json.loads(answer.read())
        took_s = time.perf_counter() - pressed_s
        if answer.status != 200:
            raise CompanionError(f"a press was answered with {answer.status}: {answered.get('detail')}")
        self._told.append(int(answered["number"]))
        self._turn = 3 - self._turn
        return took_s

    def join(self) -> float:
        """Type a code; seconds until that is a seat."""
        with closing(self._connect()) as line:
            began_s = time.perf_counter()
            code = json.dumps({"code": self._short})
            line.request("POST", "/api/v1/join", code, {"Content-Type": "application/json"})
            answer = line.getresponse()
            if answer.status != 200:
                raise CompanionError(f"a new phone was answered with {answer.status}")
            answer.read()
            return time.perf_counter() - began_s

    def check(self, presses: int) -> list[float]:
        """Nothing, or an error when not every press is one entry, and was told once, in order."""
        wanted = list(range(self._last + 1, self._last + presses + 1))
        until_s = time.perf_counter() + PATIENCE_S
        while self._heard[-1:] != self._told[-1:] and time.perf_counter() < until_s:
            time.sleep(0.02)
        if self._told != wanted or [number for number in self._heard if number > self._last] != wanted:
            raise CompanionError("a press was lost or came twice, or a seat's phone did not hear of it")
        return []

    def _hear(self) -> None:
        with suppress(OSError, ValueError, AttributeError, http.client.HTTPException):  # it is closed at the end
            for line in self._events:
                if line.startswith(b"id: "):
                    self._heard.append(int(line[4:]))

    def close(self) -> None:
        """Hang up."""
        self._line.close()
        with suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)
        self._hearing.join(PATIENCE_S)
        self._events.close()
        self._stream.close()


# -- in the crowd's own process ---------------------------------------------------------------------------------------


def strangers_of(arguments: Sequence[str]) -> None:
    """Be the crowd at this port until standard input ends."""
    port, crowd = int(arguments[0]), Crowd(*(int(number) for number in arguments[1:]))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    head = f"Host: {STRANGERS_AT}\r\n"
    begun = (
        [""] * crowd.idle
        + ["GET / HTTP/1.1\r\n"] * crowd.slow
        + [f"GET /api/v1/events?after=0 HTTP/1.1\r\n{head}\r\n"] * crowd.streams
    )
    lines: dict[int, socket.socket | None] = dict.fromkeys(range(len(begun)))
    ended = selectors.DefaultSelector()
    ended.register(sys.stdin, selectors.EVENT_READ)
    there = False
    while not ended.select(timeout=STEP_S):
        for at, line in lines.items():
            lines[at] = _kept(line, crowd.idle <= at < crowd.idle + crowd.slow) or _begun(port, begun[at])
        if not there and sum(line is not None for line in lines.values()) > len(lines) // 2:
            there = True
            sys.stdout.write("there\n")
            sys.stdout.flush()


def _begun(port: int, request: str) -> socket.socket | None:
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        line.settimeout(1)
        line.connect((STRANGERS_AT, port))
        line.setblocking(False)
        line.send(request.encode())
    except BlockingIOError:
        pass
    except OSError:
        line.close()
        return None
    return line


def _kept(line: socket.socket | None, drips: bool) -> socket.socket | None:
    """The connection, if it still stands; one more drop of what drips."""
    if line is None:
        return None
    try:
        if line.recv(1, socket.MSG_PEEK) == b"":
            raise ConnectionResetError
    except BlockingIOError:
        pass
    except OSError:
        line.close()
        return None
    with suppress(OSError):
        if drips:
            line.send(b"X: y\r\n")
    return line
