"""What a connection may cost before any route runs: bytes of a body, seconds of a head, a place among the others.

waitress takes in a whole request before the app sees it. Here a body that no route would read is dropped as it comes,
who dawdles is hung up on, and who holds the most connections loses one when there are too many.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections import Counter, OrderedDict, deque
from contextlib import suppress
from copy import copy
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import ThreadedTaskDispatcher
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie

from companion.public.join_code import canonical_code, is_typed
from web.accept_filter import HEAD_S
from web.event_loop import EventLoop
from web.middleware.access import RANKS, kept_code, route_access
from web.middleware.rate_limit import network_of
from web.middleware.request_body import DroppedInput

log = logging.getLogger(__name__)

BODY_S = 90.0
"""From the first byte of a request to its last: a picture of 12 MB over a slow Wi-Fi."""

UNREAD_S = 30.0
"""How long an answer may lie here without its reader taking a byte of it."""

CROWDED = 400
"""Connections from which on every new one costs the address with the most an idle or slow one."""

AT_ONCE = 2
"""Requests of strangers at one address that are worked on at the same moment; half as many while somebody who joined is
answered, who waits for none of them."""

IN_HAND_S = 1.0
"""Seconds of work that strangers at one address may have done at once: a dozen pages with all that belongs to them."""

SHARE = 0.1
"""Of a processor, what they may have done from then on while anybody who joined plays. Who opens a page now and then
never notices; whoever asks for one page after the other waits, and a press does not."""

MOST_OWED_S = 0.5
"""More than this is not paid off later: nobody waits longer than some seconds for a page."""

PLAYS_S = 60.0
"""So long after the last request of somebody who joined strangers may have all the work done that they like."""

LONG_S = 60.0
"""Nobody waits for anything."""

ADDRESSES = 1024
"""Addresses whose work is counted."""

STREAM_BYTES = 16 * 1024
"""What may lie unread of a stranger's event stream before whoever writes there waits."""

JOINED = "joined"
"""Who is answered, instead of an address."""

STREAM_PATH = "/api/v1/events"
"""Such a request lasts as long as its page; how many of them there are is bounded by ``EventStreams``."""


def body_limit(app: Flask, method: str, path: str, headers: dict[str, str], announced: int | None) -> int:
    """Bytes of a body that are kept for a route, and for who asks: what is over is answered without being read.

    Args:
        announced: Its length; ``None`` = it comes in chunks.
    """
    usual: int = app.config["MAX_CONTENT_LENGTH"]
    try:
        endpoint, _ = app.url_map.bind("").match(path, method)
    except HTTPException:
        return usual
    access = route_access(app, endpoint)
    if access.body_limit is None or (announced is not None and announced <= usual):
        return usual
    code = _shown_code(headers)
    here = app.extensions["context"]
    # A typed code is looked at where its tries are counted, and here only once it has opened something there.
    is_let_in = code in here.joined if is_typed(code) else bool(code)
    user = here.services.match.user(code) if is_let_in else None
    may = user is not None and RANKS.index(user.role) >= RANKS.index(access.role)
    return access.body_limit if may else usual


def _is_utf8(header: str) -> bool:
    """A header as it came, each byte a sign."""
    try:
        header.encode("latin-1").decode()
    except UnicodeError:
        return False
    return True


def _shown_code(headers: dict[str, str]) -> str:
    scheme, _, bearer = headers.get("AUTHORIZATION", "").partition(" ")
    kept = kept_code(parse_cookie(headers.get("COOKIE", "")), headers.get("HOST", ""))
    return canonical_code(bearer if scheme.lower() == "bearer" else kept)


def forwarded_for(headers: dict[str, str]) -> str | None:
    """Who asked the proxy that stands before us: the last it names, for the others anybody may have made up."""
    last = headers.get("X_FORWARDED_FOR", "").rpartition(",")[2].strip(' \t"[]')
    return last or None


class DroppedBody:
    """Takes the place of a body's buffer, and keeps its length alone."""

    def __init__(self, length: int = 0) -> None:
        self._length = length

    def append(self, data: bytes) -> None:
        """Forget it."""
        self._length += len(data)

    def __len__(self) -> int:
        return self._length

    def getfile(self) -> DroppedInput:
        """Nothing is left to read."""
        return DroppedInput()

    def close(self) -> None:
        """Nothing is open."""


class Parser(HTTPRequestParser):
    """Takes a request in; drops a body that is too large for its route."""

    app: Flask
    path = ""  # of a head that nobody can make out
    joined = False
    _keeps = 0

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head, and decide by it how much of a body to keep."""
        super().parse_header(header_plus)  # type: ignore[no-untyped-call]
        if not _is_utf8(self.headers.get("COOKIE", "")):  # of such a one nothing can be made out, nor by Werkzeug
            del self.headers["COOKIE"]
        code = _shown_code(self.headers)
        self.joined = not is_typed(code) and code in self.app.extensions["context"].joined
        if self.body_rcv is not None:
            self._keeps = body_limit(
                self.app, self.command, self.path, self.headers, None if self.chunked else self.content_length
            )
            if self.content_length > self._keeps:
                self.body_rcv.buf = DroppedBody()

    def received(self, data: bytes) -> int:
        """Take in what came; a body without an announced length is dropped once it is too large."""
        consumed: int = super().received(data)  # type: ignore[no-untyped-call]
        body = self.body_rcv
        if body is not None and len(body.buf) > self._keeps and not isinstance(body.buf, DroppedBody):
            dropped = DroppedBody(len(body.buf))
            body.buf.close()
            body.buf = dropped
        return consumed


class Channel(HTTPChannel):
    """A connection that knows whose it is, and since when its request has been coming.

    Attributes:
        network: Where whoever asks is; behind the proxy of the settings, where it says that the last request came from.
    """

    proxy: str | None = None
    loop: EventLoop
    turn: _Turn | None = None
    head_written = False
    joined = False
    request_since_s: float | None = None
    stalled_at: float | None = None  # waitress' mark of when it last moved, while something is unread
    stalled_since_s = 0.0

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002 - waitress'
        self.network = network_of(str(addr[0]))
        super().__init__(server, sock, addr, adj, map=map)  # type: ignore[no-untyped-call]
        self.server = _ServerOf(self, server)
        make_room(server.active_channels.values(), self)

    def handle_read(self) -> None:
        """Read what came; as waitress does, but a connection on which nothing has come yet stays.

        When one is hung up on to make room, the next may get its number, and be taken for it until the next look.
        """
        try:
            self.socket.recv(1, socket.MSG_PEEK)  # type: ignore[union-attr]  # it is open
        except BlockingIOError:
            return
        except OSError as error:  # waitress meets it too, and hangs up
            log.debug("a connection broke: %s", error)
        super().handle_read()  # type: ignore[no-untyped-call]

    def hold_back(self) -> None:
        """Whoever writes here waits soon for whoever reads: updates for a page that reads nothing cost nobody else."""
        self.adj = copy(self.adj)
        self.adj.outbuf_high_watermark = STREAM_BYTES
        with suppress(OSError):  # it has gone
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, STREAM_BYTES)  # type: ignore[union-attr]

    def write_soon(self, data: Any) -> int:
        """Send it, or keep it until it can be sent; the head of an answer comes before its body."""
        body, self.head_written = self.head_written, True
        written: int = super().write_soon(data)  # type: ignore[no-untyped-call]
        if self.turn is not None and body:
            self.turn.end()
            self.turn = None
        return written

    def received(self, data: bytes) -> Any:
        """Take in what came."""
        taken = super().received(data)  # type: ignore[no-untyped-call]
        self.joined = self.joined or any(one.joined for one in self.requests)
        if self.request is None:
            self.request_since_s = None
        elif self.request_since_s is None:
            self.request_since_s = time.monotonic()
        return taken


class _ServerOf:
    """The server as a channel knows it: when the channel wakes it, the loop looks at this channel and no other."""

    def __init__(self, channel: Channel, server: Any) -> None:
        self._channel, self._server = channel, server

    def pull_trigger(self) -> None:
        self._channel.loop.touch(self._channel)
        self._server.pull_trigger()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)


class LastFirst:
    """A condition that wakes whoever went to sleep last: few threads do all the work, and the others, which are there
    for streams, never take the memory that a thread needs once it has answered something.

    Args:
        lock: Held by whoever calls any of its methods.
    """

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock
        self._sleepers: list[threading.Lock] = []

    def wait(self) -> None:
        """Sleep until woken; the lock is free meanwhile."""
        bell = threading.Lock()
        bell.acquire()
        self._sleepers.append(bell)
        self._lock.release()
        try:
            bell.acquire()
        finally:
            self._lock.acquire()

    def notify(self) -> None:
        """Wake one, if any sleeps."""
        if self._sleepers:
            self._sleepers.pop().release()

    def notify_all(self) -> None:
        """Wake all."""
        while self._sleepers:
            self.notify()


class Dispatcher(ThreadedTaskDispatcher):
    """Gives requests to threads: at once to those of phones that joined, and to strangers' in turns by address."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.queue: Any = Turns(self)
        self.queue_cv: Any = LastFirst(self.lock)

    def wake_due(self) -> float:
        """Let go on whoever has waited long enough for more work; seconds until the next one has."""
        with self.lock:
            again, due_s = self.queue.resume()
            for _ in range(again * AT_ONCE):
                self.queue_cv.notify()
        return float(due_s)


class Work:
    """How much work one address' strangers have had done lately."""

    def __init__(self, now_s: float) -> None:
        self._left_s, self._at_s = IN_HAND_S, now_s

    def add(self, worked_s: float, now_s: float) -> None:
        """So much was done for them just now."""
        self._left_s = max(self._left(now_s) - worked_s, -MOST_OWED_S)
        self._at_s = now_s

    def wait_s(self, now_s: float) -> float:
        """Seconds until more may be done for them; 0 or less: now."""
        return -self._left(now_s) / SHARE

    def _left(self, now_s: float) -> float:
        return min(IN_HAND_S, self._left_s + (now_s - self._at_s) * SHARE)


class Turns:
    """The requests that no thread has taken yet, as ``ThreadedTaskDispatcher`` asks for them, under its lock.

    While somebody who joined is answered, strangers have half as many turns: there is one interpreter for all. And
    whose requests have kept it busy for long waits until that is paid off.
    """

    def __init__(self, dispatcher: ThreadedTaskDispatcher) -> None:
        self._dispatcher = dispatcher
        self._streams: deque[Channel] = deque()
        self._joined: deque[Channel] = deque()
        self._strangers: OrderedDict[str, deque[Channel]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._work: OrderedDict[str, Work] = OrderedDict()
        self._resting: set[str] = set()
        self._played_s = -PLAYS_S

    def __len__(self) -> int:
        """How many could be taken now."""
        turns, now_s = self._turns(), time.monotonic()
        free = (
            min(len(waiting), max(0, turns - self._running[at]))
            for at, waiting in self._strangers.items()
            if self._wait_s(at, now_s) <= 0
        )
        return len(self._streams) + len(self._joined) + sum(free)

    def _turns(self) -> int:
        return AT_ONCE // 2 if self._running[JOINED] else AT_ONCE

    def append(self, channel: Channel) -> None:
        """A request has come."""
        request = channel.requests[0]
        if channel.proxy is not None and (channel.addr or ("",))[0] == channel.proxy:
            asker = forwarded_for(request.headers)
            channel.network = channel.network if asker is None else network_of(asker)
        streams = request.path == STREAM_PATH
        if request.joined:
            self._played_s = time.monotonic()
            (self._streams if streams else self._joined).append(channel)
        else:
            if streams:
                channel.hold_back()
            self._strangers.setdefault(channel.network, deque()).append(channel)

    def popleft(self) -> Any:
        """Take the next; afterwards it is the turn of other addresses."""
        if self._joined:
            return self._begun(JOINED, self._joined.popleft())
        if self._streams:
            return self._streams.popleft()
        turns, now_s = self._turns(), time.monotonic()
        at = next(at for at in self._strangers if self._running[at] < turns and self._wait_s(at, now_s) <= 0)
        waiting = self._strangers.pop(at)
        channel = waiting.popleft()
        if waiting:
            self._strangers[at] = waiting
        return self._begun(at, channel)

    def resume(self) -> tuple[int, float]:
        """How many addresses that had much work done may have more from now on; seconds until the next one may."""
        now_s, again, due_s = time.monotonic(), 0, LONG_S
        for at in self._strangers:
            wait_s = self._wait_s(at, now_s)
            if wait_s > 0:
                self._resting.add(at)
                due_s = min(due_s, wait_s)
            elif at in self._resting:
                self._resting.discard(at)
                again += 1
        return again, due_s

    def _wait_s(self, at: str, now_s: float) -> float:
        work = self._work.get(at)
        return 0.0 if work is None or now_s - self._played_s > PLAYS_S else work.wait_s(now_s)

    def _begun(self, who: str, channel: Channel) -> _Turn:
        self._running[who] += 1
        turn = _Turn(self, who, channel)
        if channel.requests and channel.requests[0].path == STREAM_PATH:
            channel.turn, channel.head_written = turn, False
        return turn

    def end(self, who: str, worked_s: float) -> None:
        """A request is done, which kept a processor busy for so long."""
        with self._dispatcher.lock:
            if who != JOINED:
                now_s = time.monotonic()
                self._work.setdefault(who, Work(now_s)).add(worked_s, now_s)
                self._work.move_to_end(who)
                while len(self._work) > ADDRESSES:
                    self._work.popitem(last=False)
            self._running[who] -= 1
            if not self._running[who]:
                del self._running[who]
            for _ in range(min(len(self), AT_ONCE)):
                self._dispatcher.queue_cv.notify()


class _Turn:
    """A request while it is worked on; of a stream, until it has said how things stand."""

    def __init__(self, turns: Turns, who: str, channel: Channel) -> None:
        self._turns, self._who, self._channel = turns, who, channel
        self._began_s = 0.0
        self._ended = False

    def service(self) -> None:
        """Answer it."""
        self._began_s = time.thread_time()
        try:
            self._channel.service()  # type: ignore[no-untyped-call]
        finally:
            self.end()

    def end(self) -> None:
        """Others have their turn, though this request may still be worked on; once is enough."""
        if not self._ended:
            self._ended = True
            self._turns.end(self._who, time.thread_time() - self._began_s)

    def cancel(self) -> None:
        """Never answer it."""
        self._channel.cancel()  # type: ignore[no-untyped-call]


def admit(server: Any, connection: socket.socket, address: Any) -> None:
    """Let the server have a connection, as it does with what it accepts itself."""
    try:
        server.set_socket_options(connection)
    except OSError:  # it has gone meanwhile
        connection.close()
        return
    server.channel_class(server, connection, address, server.adj, map=server._map)  # noqa: SLF001  # as waitress does


def make_room(channels: Any, newest: Channel) -> None:
    """When it is crowded, hang up on the longest silent connections of whoever has the most; answers are not cut off.

    A tenth of the room at once, so that a thousand newcomers do not have everybody counted a thousand times.
    """
    if len(channels) <= CROWDED:
        return
    waiting = [one for one in channels if one is not newest and not one.requests and not one.joined]
    if not waiting:
        return
    held = Counter(one.network for one in channels)
    greedy = max(waiting, key=lambda one: held[one.network]).network
    silent = sorted((one for one in waiting if one.network == greedy), key=lambda one: float(one.last_activity))
    others = sorted(held.values(), reverse=True)[1:2]
    most = held[greedy] - max(others, default=0)
    for one in silent[: max(1, min(most, CROWDED // 10))]:
        one.handle_close()


def hang_up_on_dawdlers(channels: Any) -> None:
    """Close the connections whose head or body takes too long, and those that do not read what they asked for."""
    now_s = time.monotonic()
    for one in tuple(channels):
        request, since_s = one.request, one.request_since_s
        late = request is not None and since_s is not None
        late = late and now_s - since_s > (BODY_S if request.headers_finished else HEAD_S)
        mark = one.last_activity if one.total_outbufs_len > 0 else None
        if mark != one.stalled_at:  # it is the time of day, which may jump: only whether it has changed counts
            one.stalled_at, one.stalled_since_s = mark, now_s
        unread = mark is not None and now_s - one.stalled_since_s > UNREAD_S
        if late or unread:
            one.handle_close()
