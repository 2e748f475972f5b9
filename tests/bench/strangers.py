"""The strangers' bench: how long a seat's press takes while one laptop misbehaves, or reads finished matches."""

from __future__ import annotations

import json
import resource
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from support.long_matches import long_entries, long_header

from companion.errors import CompanionError
from companion.public.service import Role, User
from companion.public.table import Seat
from companion.storage.event_log import LOG_FILE, EventLog
from tests.bench.phones import Table

STRANGERS_AT, SEATS_AT = "127.0.0.1", "127.0.0.2"
PRESSES, PRESSES_LONG = 100, 400
LIMIT_MS = 1000.0
"""What a press may take in the crowd, the 99th of a hundred, on a machine that has nothing else to do."""
PATIENCE_S = 60.0
LIST_PATIENCE_S = 900.0
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


ENTRIES, ENTRIES_LONG = 400, 4000
"""A long match, and one that hardly anybody plays."""
LINES, ENTRIES_OF_A_LINE = 3200, 64
"""What a busy club has after a year: 204,800 entries."""
READERS = (20, 60, 100)
PAGE = "/matches/{match}"
READ = (PAGE, "/api/v1/matches/{match}/record", "/matches/{match}/moves.csv", "/api/v1/matches/{match}/figures")
CONTROLS = ("/api/v1/matches", "/matches/nothing", "/", "/watch")
"""What is not a stored match: the list, a page that is not there, and what a room full of phones opens."""
MOST_TIMES, MOST_MS = 3.0, 250.0
"""What the median of a seat's press may be of its own median alone, and any press of it, while others read."""
LIST_S = PAGE_S = 1.0
"""What the list of a busy club and the page of an endless match may take, on a machine that has nothing else to do."""


def strangers(long: bool) -> Iterator[str]:
    """A seat's presses alone, in the crowd and beside readers, and whether any was lost; then a busy club's list."""
    presses = PRESSES_LONG if long else PRESSES
    yield from crowded(Crowd(), presses)
    yield from beside_readers(READERS, ENTRIES, presses)
    yield from busy_club(LINES if long else LINES // 8)


def beside_readers(
    crowds: Sequence[int], entries: int, presses: int, addresses: Sequence[str] = (*READ, *CONTROLS)
) -> Iterator[str]:
    """A seat's presses while so many readers ask for the same answer about a finished match, again and again.

    Each crowd reads another match, of which nobody has asked anything: its first readers wait until it is worked out.

    Raises:
        CompanionError: A press was lost or came twice, or a reader got no answer.
    """
    for address in addresses:
        with TemporaryDirectory() as folder, Table(Path(folder)) as table:
            header = long_header()
            written = long_entries(header, entries)
            for readers in crowds:
                table.host.log.begin(f"of-{readers}", "2026-05-01T20:00:00+02:00", header, written, over=True)
            codes = {one.user.seat: one.code for one in table.services.match.join_codes(User(Role.HOST))}
            with _child(press_in_turns, table.port, (codes[Seat(1)], codes[Seat(2)])) as seats:
                for readers in crowds if address == PAGE else crowds[:1]:
                    # half before and half after: what a press costs grows with the record, which is nobody's crowd
                    alone = pressed(seats, presses // 2)
                    with _child(read_again, table.port, address.format(match=f"of-{readers}"), readers) as laptop:
                        if not laptop.poll(PATIENCE_S) or laptop.recv() != "there":
                            raise CompanionError("strangers: the readers did not come")
                        beside_ms = sorted(1000 * took_s for took_s, _ in pressed(seats, presses))
                        laptop.send("enough")
                        answered = laptop.recv()
                    if not isinstance(answered, int):
                        raise CompanionError(f"strangers: a reader of {address} got {answered}")
                    alone_ms = sorted(1000 * took_s for took_s, _ in alone + pressed(seats, presses // 2))
                    middle = presses // 2
                    yield (
                        f"readers: {readers} of {address.format(match='ID')}, {entries} entries, {answered} answers; "
                        f"press median {beside_ms[middle]:.1f} ms, {beside_ms[middle] / alone_ms[middle]:.1f} times "
                        f"its own alone (at most {MOST_TIMES:.0f}), worst {beside_ms[-1]:.1f} ms "
                        f"(at most {MOST_MS:.0f}); alone {alone_ms[middle]:.1f} and {alone_ms[-1]:.1f} ms"
                    )


def busy_club(lines: int, entries: int = ENTRIES_LONG) -> Iterator[str]:
    """The list of many matches at a table's first start with them and at its second, and the page of an endless one."""
    header = long_header()
    usual, endless = long_entries(header, ENTRIES_OF_A_LINE), long_entries(header, entries)
    with TemporaryDirectory() as folder:
        with closing(EventLog(Path(folder) / LOG_FILE)) as log:
            log.begin("endless", "2026-05-01T20:00:00+02:00", header, endless, over=True)
            for number in range(1, lines):
                log.begin(f"2026-05-02-{number}", "2026-05-02T20:00:00+02:00", header, usual, over=True)
        for start in ("first", "second"):
            with Table(Path(folder)) as table:
                took_s = [_timed(table.port, "/matches")[0] for _ in range(2)]
                done_s = time.perf_counter()
                while "pending" in str(_timed(table.port, "/api/v1/matches")[1]):
                    time.sleep(STEP_S)
                done_s = time.perf_counter() - done_s
                yield (
                    f"list: {lines} matches, {start} start: {took_s[0]:.2f} s, then {took_s[1]:.2f} s "
                    f"(at most {LIST_S:.0f} at the second start); complete after another {done_s:.1f} s"
                )
                page_s = [_timed(table.port, PAGE.format(match="endless"))[0] for _ in range(2)]
                yield (
                    f"page: {entries} entries, {start} start: {page_s[0]:.2f} s, then {page_s[1]:.2f} s "
                    f"(at most {PAGE_S:.0f})"
                )


def _timed(port: int, address: str) -> tuple[float, bytes]:
    """Seconds until the whole answer was there, and the answer."""
    began_s = time.perf_counter()
    with closing(HTTPConnection(STRANGERS_AT, port, timeout=LIST_PATIENCE_S)) as line:
        line.request("GET", address, headers={"Accept-Encoding": "identity"})
        answer = line.getresponse()
        text = answer.read()
    if answer.status != HTTPStatus.OK:
        raise CompanionError(f"strangers: {address} was answered {answer.status}")
    return time.perf_counter() - began_s, text


def read_again(watched: Connection, port: int, address: str, readers: int) -> None:
    """Be readers who ask for this address as fast as they are answered; the last word is how often they were."""
    ended, counted = Event(), [0] * readers
    wrong: list[str] = []

    def read(place: int) -> None:
        line = HTTPConnection(STRANGERS_AT, port, timeout=PATIENCE_S)
        while not ended.is_set():
            try:
                line.request("GET", address)
                answer = line.getresponse()
                answer.read()
            except (OSError, HTTPException) as error:
                wrong.append(repr(error))
                return
            if answer.status not in (HTTPStatus.OK, HTTPStatus.NOT_FOUND):
                wrong.append(str(answer.status))
                return
            counted[place] += 1
        line.close()

    threads = [Thread(target=read, args=(place,), daemon=True) for place in range(readers)]
    for thread in threads:
        thread.start()
    watched.send("there")
    with suppress(EOFError):
        watched.recv()
        ended.set()
        for thread in threads:
            thread.join(PATIENCE_S)
        watched.send(wrong[0] if wrong else sum(counted))


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
