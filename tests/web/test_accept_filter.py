"""New connections wait for their head outside the server."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from web import accept_filter
from web.accept_filter import AcceptFilter

pytestmark = pytest.mark.slow


class Door:
    """A listening socket with its filter, and what came through."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.came = threading.Semaphore(0)
        self.filter = AcceptFilter(self.listening, self.came.release)

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(self.listening.getsockname(), timeout=30, source_address=(source, 0))

    def close(self) -> None:
        self.filter.close()
        self.listening.close()


@pytest.fixture
def door() -> Iterator[Door]:
    with contextlib.closing(Door()) as one:
        yield one


def hung_up(wire: socket.socket) -> bool:
    wire.settimeout(30)
    with contextlib.suppress(ConnectionResetError):
        return wire.recv(1) == b""
    return True


def test_a_head_comes_through_whole_however_it_was_cut(door: Door):
    whole, slow = door.connect(), door.connect()
    slow.sendall(b"GET / HTTP/1.1\r\nHost: tab")
    whole.sendall(b"GET / HTTP/1.1\r\n\r\nmore")
    assert door.came.acquire(timeout=30)
    ready = door.filter.take_ready()
    assert ready is not None
    assert ready[0].recv(100) == b"GET / HTTP/1.1\r\n\r\nmore", "nothing of it was taken"
    assert ready[1] == whole.getsockname()
    assert door.filter.take_ready() is None
    slow.sendall(b"le\r\n\r")
    slow.sendall(b"\n")
    assert door.came.acquire(timeout=30)
    second = door.filter.take_ready()
    assert second is not None
    assert second[0].recv(100).endswith(b"Host: table\r\n\r\n")
    for one in (whole, slow, ready[0], second[0]):
        one.close()


def test_a_head_without_end_is_the_server_s_to_refuse(door: Door):
    with door.connect() as wire:
        wire.sendall(b"GET / HTTP/1.1\r\nX: " + b"y" * accept_filter.HEAD_BYTES)
        assert door.came.acquire(timeout=30)
        ready = door.filter.take_ready()
        assert ready is not None
        ready[0].close()


def test_who_waits_longest_of_the_network_with_the_most_makes_room(door: Door, monkeypatch: pytest.MonkeyPatch):
    """finding 4: a thousand idle connections of one laptop kept every phone out."""
    monkeypatch.setattr(accept_filter, "WAITING", 10)
    neighbour = door.connect("127.0.0.2")
    crowd = [door.connect() for _ in range(15)]
    assert all(hung_up(wire) for wire in crowd[:6])
    assert not select.select([neighbour, *crowd[6:]], [], [], 0.2)[0], "these have their place"
    neighbour.sendall(b"GET / HTTP/1.1\r\n\r\n")
    assert door.came.acquire(timeout=30)
    ready = door.filter.take_ready()
    assert ready is not None
    for wire in (neighbour, *crowd, ready[0]):
        wire.close()


def test_a_head_that_drips_in_is_not_looked_at_for_each_of_its_drops(door: Door, monkeypatch: pytest.MonkeyPatch):
    """A thousand that drip in would cost as much as the phones of a whole evening."""
    look, looks = AcceptFilter._look, 0  # noqa: SLF001  # how often it looks is told nowhere

    def counted(*given: Any) -> None:
        nonlocal looks
        looks += 1
        look(*given)

    monkeypatch.setattr(AcceptFilter, "_look", counted)
    with door.connect() as wire:
        wire.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(60):
            wire.sendall(b"X: y\r\n")
            time.sleep(0.01)
        assert looks < 20
        wire.sendall(b"\r\n")
        assert door.came.acquire(timeout=30), "and it comes through when it is whole"


@pytest.mark.parametrize(("limit", "said"), [("SILENT_S", b""), ("HEAD_S", b"GET / HTTP/1.1\r\nX: y\r\n")])
def test_who_waits_too_long_is_hung_up_on(limit: str, said: bytes, door: Door, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(accept_filter, limit, 0.2)
    with door.connect() as wire:
        wire.sendall(said)
        assert hung_up(wire)


def test_at_the_end_nobody_is_left_waiting():
    door = Door()
    with door.connect() as idle, door.connect() as ready:
        ready.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert door.came.acquire(timeout=30)
        door.close()
        assert hung_up(idle)
        assert hung_up(ready)
