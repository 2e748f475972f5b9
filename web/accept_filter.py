"""New connections wait here, outside the server, until the head of their first request is there.

The same as an accept filter of the system (FreeBSD's ``accf_http``), which Linux does not have. It has a thread of its
own: a connection that says nothing, or whose head drips in, costs the loop that serves all others nothing. A phone
sends its head in one piece and notices nothing.
"""

from __future__ import annotations

import heapq
import os
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from web.middleware.rate_limit import network_of

WAITING = 150
"""Connections that may wait; each one more costs the network with the most its oldest."""

READY = 300
"""Connections whose head is there, and which the server has not taken yet; each one more is turned away."""

HEAD_S = 10.0
"""From the first byte of a request to the end of its head."""

SILENT_S = 60.0
"""For so long a browser may keep a connection in reserve."""

HEAD_BYTES = 16 * 1024
"""A head that is longer is the server's to refuse."""

AT_ONCE = 64
"""Connections that are taken from the system, or looked at, before the others have their turn."""

FULL_S = 0.1
"""How long nothing is taken when the system gives no more connections."""

AGAIN_S, SELDOM_S = 0.02, 1.0
"""When a head that was not whole is looked at again, each time after twice as long: one that drips in is not looked at
for each of its drops."""


@dataclass(slots=True)
class _Newcomer:
    socket: socket.socket
    address: Any
    network: str
    since_s: float
    speaks: bool = False
    pause_s: float = AGAIN_S


class AcceptFilter:
    """Takes connections from a listening socket, and gives away those whose head is there. Close it at the end.

    Args:
        listening: Where they come; stays open.
        wake: Called when one is ready.
    """

    def __init__(self, listening: socket.socket, wake: Callable[[], object]) -> None:
        self._ready: deque[tuple[socket.socket, Any]] = deque()
        self._listening, self._wake = listening, wake
        self._waiting: dict[int, _Newcomer] = {}
        self._networks: dict[str, dict[int, None]] = {}  # each network's, the oldest first
        self._again: list[tuple[float, int, int, _Newcomer]] = []  # a heap
        self._epoll = select.epoll()
        self._ended = os.eventfd(0)
        self._epoll.register(self._ended, select.EPOLLIN)
        self._epoll.register(listening.fileno(), select.EPOLLIN)
        listening.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="accept", daemon=True)
        self._thread.start()

    def take_ready(self) -> tuple[socket.socket, Any] | None:
        """The next connection whose head is there, and its address, or ``None``; whoever takes it closes it."""
        with suppress(IndexError):
            return self._ready.popleft()
        return None

    def close(self) -> None:
        """Take no more, and hang up on all that wait."""
        os.eventfd_write(self._ended, 1)
        self._thread.join(timeout=10)

    def _run(self) -> None:
        look_at_s = 0.0
        events = list[tuple[int, int]]()
        while (self._ended, select.EPOLLIN) not in events:
            next_s = self._again[0][0] - time.monotonic() if self._again else 1.0
            events = self._epoll.poll(min(1.0, max(0.0, next_s)), AT_ONCE)
            for number, _ in events:
                if number == self._listening.fileno():
                    self._accept()
                elif number in self._waiting:  # it may have been hung up on to make room
                    self._look(number, self._waiting[number])
            now_s = time.monotonic()
            for _ in range(AT_ONCE):
                if not self._again or self._again[0][0] > now_s:
                    break
                _, _, number, one = heapq.heappop(self._again)
                if self._waiting.get(number) is one:
                    self._look(number, one)
            if now_s >= look_at_s:
                look_at_s = now_s + 1
                self._hang_up_on_dawdlers()
        for number in tuple(self._waiting):
            self._forget(number).close()
        while ready := self.take_ready():
            ready[0].close()
        self._epoll.close()
        os.close(self._ended)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, address = self._listening.accept()
            except BlockingIOError:
                return
            except OSError:  # it has gone already, or too many files are open
                time.sleep(FULL_S)
                return
            connection.setblocking(False)
            number, network = connection.fileno(), network_of(str(address[0]))
            self._waiting[number] = _Newcomer(connection, address, network, time.monotonic())
            self._networks.setdefault(network, {})[number] = None
            self._epoll.register(number, select.EPOLLIN | select.EPOLLRDHUP)
            if len(self._waiting) > WAITING:
                greedy = max(self._networks.values(), key=len)
                self._forget(next(iter(greedy))).close()

    def _look(self, number: int, one: _Newcomer) -> None:
        try:
            head = one.socket.recv(HEAD_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            head = b""
        if b"\r\n\r\n" in head or len(head) == HEAD_BYTES:
            self._forget(number)
            if len(self._ready) < READY:
                self._ready.append((one.socket, one.address))
                self._wake()
            else:
                one.socket.close()
        elif not head:
            self._forget(number).close()
        else:
            now_s = time.monotonic()
            if not one.speaks:
                one.speaks, one.since_s = True, now_s
                self._epoll.unregister(number)
            heapq.heappush(self._again, (now_s + one.pause_s, id(one), number, one))
            one.pause_s = min(2 * one.pause_s, SELDOM_S)

    def _hang_up_on_dawdlers(self) -> None:
        now_s = time.monotonic()
        for number, one in tuple(self._waiting.items()):
            if now_s - one.since_s > (HEAD_S if one.speaks else SILENT_S):
                self._forget(number).close()

    def _forget(self, number: int) -> socket.socket:
        one = self._waiting.pop(number)
        if not one.speaks:
            self._epoll.unregister(number)
        held = self._networks[one.network]
        del held[number]
        if not held:
            del self._networks[one.network]
        return one.socket
