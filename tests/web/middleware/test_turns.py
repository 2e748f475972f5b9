"""One laptop with twenty requests at a time keeps no seat waiting: whoever only reads is answered one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from threading import Barrier, Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from web.middleware.problems import Problem
from web.middleware.turns import Turns, readers_in_turn

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PATIENCE_S = 30


class Door:
    """An app whose answers wait until they are let go; counts who is in it."""

    def __init__(self, expected: int) -> None:
        self.there = Barrier(expected + 1)
        self.let_go = Event()
        self.inside = self.most = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.inside += 1
        self.most = max(self.most, self.inside)
        if environ.get("waits"):
            self.there.wait(PATIENCE_S)
            self.let_go.wait(PATIENCE_S)
        self.inside -= 1
        return [b"answer"]


def start_response(*_: Any) -> Any:
    """What a server hands to an app."""


def asking(app: Any, **more: Any) -> Thread:
    environ = {"REQUEST_METHOD": "GET", **more}
    thread = Thread(target=lambda: list(app(environ, start_response)), daemon=True)
    thread.start()
    return thread


def test_whoever_only_reads_waits_until_the_reader_before_has_its_answer() -> None:
    door, turns = Door(1), Turns()
    app = readers_in_turn(door, turns, "companion-")
    first = asking(app, waits=True)
    door.there.wait(PATIENCE_S)
    later = [asking(app) for _ in range(3)]
    while turns.waiting < len(later):
        assert all(one.is_alive() for one in later), "a reader did not wait"
    assert door.most == 1
    door.let_go.set()
    for one in (first, *later):
        one.join(PATIENCE_S)
    assert (door.most, door.inside, turns.waiting) == (1, 0, 0)


@pytest.mark.parametrize(
    "shown",
    [
        {"HTTP_COOKIE": "language=fr; companion-8080=long-code"},
        {"HTTP_AUTHORIZATION": "Bearer long-code"},
        {"REQUEST_METHOD": "POST"},
    ],
)
def test_a_seat_and_whoever_does_something_wait_for_no_reader(shown: dict[str, str]) -> None:
    door = Door(1)
    app = readers_in_turn(door, Turns(), "companion-")
    reader = asking(app, waits=True)
    door.there.wait(PATIENCE_S)
    seat = asking(app, **shown)
    seat.join(PATIENCE_S)
    assert not seat.is_alive()
    assert reader.is_alive()
    door.let_go.set()
    reader.join(PATIENCE_S)


def test_a_drawing_is_not_refused_where_too_many_wait_already() -> None:
    turns = Turns(waiting=0)
    app = readers_in_turn(Door(0), turns, "companion-")
    taken = Event()
    done = Event()

    def occupy() -> None:
        with turns.taken():
            taken.set()
            done.wait(PATIENCE_S)

    other = Thread(target=occupy, daemon=True)
    other.start()
    assert taken.wait(PATIENCE_S)
    with pytest.raises(Problem), ExitStack() as stack:
        stack.enter_context(turns.taken())
    assert list(app({"REQUEST_METHOD": "GET"}, start_response)) == [b"answer"]
    done.set()
    other.join(PATIENCE_S)
    with turns.taken():
        pass


def test_an_answer_that_comes_bit_by_bit_has_no_turn_while_it_is_sent() -> None:
    turns = Turns()

    def stream(_environ: WSGIEnvironment, _start: StartResponse) -> Iterable[bytes]:
        return iter((b"one", b"two"))

    sent = iter(readers_in_turn(stream, turns, "companion-")({"REQUEST_METHOD": "GET"}, start_response))
    next(sent)
    other = asking(readers_in_turn(Door(0), turns, "companion-"))
    other.join(PATIENCE_S)
    assert not other.is_alive()
    assert next(sent) == b"two"
