"""The loop that reads and writes all connections.

waitress' own asks every connection at each turn what it waits for, and tells the system all of it. Here the system
keeps that list (epoll), and a connection is asked when something happened to it; who stays as he is costs nothing.
"""

from __future__ import annotations

import select
from collections import deque
from contextlib import suppress
from typing import Any

from waitress import wasyncore

AT_ONCE = 64
"""Connections that are served before those that are new, or have something to say, have their turn."""


class EventLoop:
    """Serves what stands in ``open``, in the thread that calls ``run``. Close it when nothing is open any more.

    Attributes:
        open: waitress' channels and the like by their number (its ``map``); they enter and leave it by themselves.
    """

    def __init__(self) -> None:
        self.open: dict[int, Any] = _Open(self)
        self._epoll = select.epoll()
        self._waits_for: dict[int, int] = {}
        self._touched: deque[Any] = deque()

    def touch(self, channel: Any) -> None:
        """What a channel waits for may have changed; from any thread, which wakes the loop afterwards."""
        self._touched.append(channel)

    def run(self, timeout_s: float) -> None:
        """Wait until something happens, and see to it."""
        while self._touched:
            self._ask(self._touched.popleft())
        for number, flags in self._epoll.poll(timeout_s, AT_ONCE):
            channel = self.open.get(number)
            if channel is not None:  # it may have been hung up on meanwhile
                wasyncore.readwrite(channel, flags)  # type: ignore[no-untyped-call]
                self._ask(channel)

    def ask_all(self) -> None:
        """Ask each channel what it waits for, also those that nothing happened to."""
        for channel in tuple(self.open.values()):
            self._ask(channel)

    def forget(self, number: int) -> None:
        """A channel is about to be closed."""
        if self._waits_for.pop(number, 0):
            with suppress(OSError):  # it broke by itself
                self._epoll.unregister(number)

    def close(self) -> None:
        """Wait for nothing any more."""
        self._epoll.close()

    def _ask(self, channel: Any) -> None:
        number: int = channel._fileno  # noqa: SLF001  # wasyncore has no other name for it
        current: Any = self.open.get(number)
        if current is not channel:
            return
        flags = select.EPOLLIN | select.EPOLLPRI if channel.readable() else 0
        if channel.writable() and not channel.accepting:
            flags |= select.EPOLLOUT
        before = self._waits_for.get(number, 0)
        if flags == before:
            return
        if not flags:  # one that waits for nothing must not wake the loop when its other end hangs up
            self.forget(number)
            return
        self._waits_for[number] = flags
        if before:
            self._epoll.modify(number, flags)
        else:
            self._epoll.register(number, flags)


class _Open(dict[int, Any]):
    """Tells its loop who comes and goes."""

    def __init__(self, loop: EventLoop) -> None:
        super().__init__()
        self._loop = loop

    def __setitem__(self, number: int, channel: Any) -> None:
        super().__setitem__(number, channel)
        self._loop.touch(channel)

    def __delitem__(self, number: int) -> None:
        self._loop.forget(number)
        super().__delitem__(number)
