"""The loop asks who something happened to, and nobody else."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from waitress import wasyncore

from web.event_loop import EventLoop

pytestmark = pytest.mark.slow


class Listener(wasyncore.dispatcher):
    """A connection that counts how often it is asked what it waits for."""

    def __init__(self, loop: EventLoop, wire: socket.socket) -> None:
        self.asked = 0
        self.heard: list[bytes] = []
        self.says = b""
        super().__init__(wire, map=loop.open)  # type: ignore[no-untyped-call]

    def readable(self) -> bool:
        self.asked += 1
        return True

    def writable(self) -> bool:
        return bool(self.says)

    def handle_read(self) -> None:
        self.heard.append(self.recv(100))  # type: ignore[no-untyped-call]

    def handle_write(self) -> None:
        self.send(self.says)  # type: ignore[no-untyped-call]
        self.says = b""


@pytest.fixture
def loop() -> Iterator[EventLoop]:
    with closing(EventLoop()) as one:
        yield one
        wasyncore.close_all(one.open, ignore_all=True)  # type: ignore[no-untyped-call]


@pytest.fixture
def wires(loop: EventLoop) -> Iterator[list[tuple[Listener, socket.socket]]]:
    pairs = [socket.socketpair() for _ in range(100)]
    yield [(Listener(loop, ours), theirs) for ours, theirs in pairs]
    for _, theirs in pairs:
        theirs.close()


def test_of_a_hundred_connections_only_the_one_that_says_something_is_asked(
    loop: EventLoop, wires: list[tuple[Listener, socket.socket]]
):
    loop.run(0)
    assert [one.asked for one, _ in wires] == [1] * 100, "each once, when it comes"
    wires[7][1].sendall(b"hello")
    loop.run(5)
    assert wires[7][0].heard == [b"hello"]
    assert sum(one.asked for one, _ in wires) == 101
    loop.ask_all()
    assert sum(one.asked for one, _ in wires) == 201


def test_who_has_something_to_say_says_so(loop: EventLoop, wires: list[tuple[Listener, socket.socket]]):
    speaker, wire = wires[3]
    loop.run(0)
    speaker.says = b"news"
    loop.touch(speaker)
    loop.run(5)
    assert wire.recv(100) == b"news"
    loop.run(0)
    wire.setblocking(False)
    with suppress(BlockingIOError):
        pytest.fail(f"it was said again: {wire.recv(100)!r}")


def test_who_has_gone_is_not_asked_again_and_his_number_is_free(
    loop: EventLoop, wires: list[tuple[Listener, socket.socket]]
):
    loop.run(0)
    gone, wire = wires[0]
    number = gone.socket.fileno()
    wire.sendall(b"too late")
    gone.close()  # type: ignore[no-untyped-call]
    loop.touch(gone)
    loop.run(0)
    assert gone.heard == []
    ours, theirs = socket.socketpair()
    with theirs:
        late = Listener(loop, ours)
        assert late.socket.fileno() == number
        theirs.sendall(b"hello")
        loop.run(0)
        loop.run(5)
        assert late.heard == [b"hello"]


def test_a_crowd_has_its_turn_in_pieces(loop: EventLoop, wires: list[tuple[Listener, socket.socket]]):
    for _, wire in wires:
        wire.sendall(b"x")
    loop.run(0)
    heard = sum(len(one.heard) for one, _ in wires)
    assert 0 < heard < 100
    for _ in range(3):
        loop.run(0)
    assert all(one.heard for one, _ in wires)
