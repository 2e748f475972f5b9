"""The strangers' bench: how long a seat's press takes while one laptop misbehaves."""

from __future__ import annotations

import json
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

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
    """A seat's presses alone and in the crowd, and whether any was lost."""
    return crowded(Crowd(), PRESSES_LONG if long else PRESSES)


def crowded(crowd: Crowd, presses: int) -> Iterator[str]:
    """As ``strangers``, with this crowd and as many presses.

    Raises:
        CompanionError: A press was lost or came twice.
    """
    with TemporaryDirectory() as folder, Table(Path(folder)) as table:
        codes = {one.user.seat: one.code for one in table.services.match.join_codes(User(Role.HOST))}
        before = table.last_entry()
        with _child(press_in_turns, table.port, (codes[Seat(1)], codes[Seat(2)])) as seats:
            alone = pressed(seats, presses)
            with _child(misbehave, table.port, crowd) as laptop:
                if not laptop.poll(PATIENCE_S):
                    raise CompanionError("strangers: the crowd did not come")
                beside = pressed(seats, presses)
        wanted = list(range(before + 1, before + 2 * presses + 1))
        if [number for _, number in (*alone, *beside)] != wanted or table.last_entry() != wanted[-1]:
            raise CompanionError("strangers: a press was lost or came twice")
    alone_ms, beside_ms = (sorted(1000 * took_s for took_s, _ in one) for one in (alone, beside))
    middle, late = presses // 2, int(presses * 0.99)
    yield (
        f"strangers: {crowd.idle} idle and {crowd.slow} slow connections, {crowd.streams} unread streams; "
        f"{presses} presses of a seat, none lost or doubled; p99 {beside_ms[late]:.1f} ms (at most {LIMIT_MS:.0f}), "
        f"median {beside_ms[middle]:.1f} ms, alone {alone_ms[late]:.1f} and {alone_ms[middle]:.1f} ms; "
        f"ratio {beside_ms[late] / alone_ms[late]:.1f}"
    )


def pressed(seats: Connection, presses: int) -> list[tuple[float, int]]:
    """Seconds from each press to its answer, and the number of the entry that the answer holds."""
    seats.send(presses)
    answer: list[tuple[float, int]] | str = seats.recv()
    if isinstance(answer, str):
        raise CompanionError(f"strangers: {answer}")
    return answer


@contextmanager
def _child(work: Callable[..., None], *arguments: Any) -> Iterator[Connection]:
    """A process of its own, so that its work is not the server's; it ends when the connection is closed."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.join(PATIENCE_S)


def press_in_turns(asked: Connection, port: int, codes: tuple[str, str]) -> None:
    """Be the phones of two seats that end their turns, as often as is asked for."""
    line, turn = HTTPConnection(STRANGERS_AT, port, timeout=PATIENCE_S, source_address=(SEATS_AT, 0)), 0
    with suppress(EOFError), closing(line):
        while True:
            took: list[tuple[float, int]] = []
            try:
                for _ in range(asked.recv()):
                    time.sleep(0.02)
                    head = {"Authorization": f"Bearer {codes[turn]}", "Content-Type": "application/json"}
                    began_s = time.perf_counter()
                    move = {"do": "end_turn", "by": turn + 1}
                    line.request("POST", "/api/v1/moves", json.dumps({"move": move}), head)
                    answer = json.loads(line.getresponse().read())
                    took.append((time.perf_counter() - began_s, int(answer["number"])))
                    turn = 1 - turn
                asked.send(took)
            except (OSError, KeyError, ValueError, HTTPException) as wrong:
                asked.send(f"a press failed: {wrong!r}")


def misbehave(watched: Connection, port: int, crowd: Crowd) -> None:
    """Be the crowd at this port until the connection is closed; says when most of it is there."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    begun = [""] * crowd.idle + ["GET / HTTP/1.1\r\n"] * crowd.slow
    begun += [f"GET /api/v1/events?after=0 HTTP/1.1\r\nHost: {STRANGERS_AT}\r\n\r\n"] * crowd.streams
    lines: list[socket.socket | None] = [None] * len(begun)
    there = False
    while not watched.poll(STEP_S):
        for at, line in enumerate(lines):
            lines[at] = _kept(line, crowd.idle <= at < crowd.idle + crowd.slow) or _begun(port, begun[at])
        if not there and sum(line is not None for line in lines) > len(lines) // 2:
            there = True
            watched.send("there")


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
