"""The server: many streams at once, a clean end, a port that is taken, somebody who misbehaves."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import resource
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from flask import request
from hypothesis import example, given, settings, strategies as st
from support.processor_queue import ProcessorQueue
from support.real_desk import HOST_CODE, RealDesk, code_of
from support.waiting import wait

from companion.errors import DeviceError
from companion.public.i18n import Translations
from web import server
from web.app import create_app
from web.language import Translator
from web.middleware.compression import without_comments
from web.middleware.context import network_of
from web.push import sse
from web.push.sse import EventStreams
from web.server import Server

pytestmark = pytest.mark.slow


def test_a_taken_port_is_told_in_one_sentence(desk: RealDesk, words: Translations):
    with (
        Server(create_app(desk, words), 0, "127.0.0.1") as first,
        pytest.raises(DeviceError, match=rf"Port {first.port} cannot be used .*--port"),
    ):
        Server(create_app(desk, words), first.port, "127.0.0.1")


@pytest.mark.parametrize("port", [-1, 65536, 1_000_000])
def test_a_number_that_is_no_port_is_told_in_one_sentence(port: int, desk: RealDesk, words: Translations):
    with pytest.raises(DeviceError, match="cannot be used"):
        Server(create_app(desk, words), port, "127.0.0.1")


class Follower(threading.Thread):
    """A phone that follows the events until the server ends them."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.address, self.ids, self.ready = address, list[int](), threading.Event()

    def run(self) -> None:
        with urllib.request.urlopen(f"{self.address}/api/v1/events", timeout=30) as stream:
            for line in stream:
                if line.startswith(b"id: "):
                    self.ids.append(int(line[4:]))
                    self.ready.set()


def test_fifty_phones_follow_one_match_and_nothing_is_lost_or_doubled(desk: RealDesk, words: Translations):
    with Server(create_app(desk, words), 0, "127.0.0.1") as server:
        phones = [Follower(f"http://127.0.0.1:{server.port}") for _ in range(50)]
        for phone in phones:
            phone.start()
        assert all(phone.ready.wait(60) for phone in phones)
        desk.lay(30)
        newest = len(desk.told)
        wait(lambda: all(phone.ids[-1] >= newest for phone in phones))
        # Pages are still served while all these streams are open.
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=10) as page:
            assert page.status == 200
    for phone in phones:
        phone.join(10)
        assert phone.ids == list(range(3, newest + 1))


def test_a_server_ends_at_once_with_streams_open_and_frees_its_port(desk: RealDesk, words: Translations):
    server = Server(create_app(desk, words), 0, "127.0.0.1")
    phones = [Follower(f"http://127.0.0.1:{server.port}") for _ in range(5)]
    for phone in phones:
        phone.start()
    assert all(phone.ready.wait(60) for phone in phones)
    began = time.monotonic()
    server.close()
    server.close()
    assert time.monotonic() - began < 20, "no stream is waited for"
    for phone in phones:
        phone.join(20)
        assert not phone.is_alive()
    assert desk.noted.listening == 0
    Server(create_app(desk, words), server.port, "127.0.0.1").close()


def test_a_gone_phone_frees_its_place(desk: RealDesk, words: Translations, serve: Callable[..., str]):
    feed = EventStreams(desk.match, Translator(words), heartbeat_s=0.05)
    address = serve(desk, streams=feed)
    gone = http.client.HTTPConnection(address.removeprefix("http://"), timeout=5)
    gone.request("GET", "/api/v1/events")
    answer = gone.getresponse()
    assert answer.readline().startswith(b": generation ")
    assert answer.readline() == b"event: snapshot\n"
    assert feed.listeners == 1
    answer.close()
    gone.close()
    wait(lambda: not feed.listeners)


def test_far_too_much_is_refused_over_the_wire_too(serve: Callable[..., str], desk: RealDesk):
    address = serve(desk)
    wire = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    wire.request("POST", "/api/v1/join", json.dumps({"code": "x" * 300_000}), {"Content-Type": "application/json"})
    answer = wire.getresponse()
    assert answer.status == 413
    assert answer.getheader("Content-Type") == "application/problem+json"
    wire.close()


def test_pages_come_small_to_who_can_unpack_them_and_plain_to_who_cannot(serve: Callable[..., str], desk: RealDesk):
    import gzip

    address = serve(desk)
    for path in ("/", "/static/style.css", "/static/board.js", "/static/faults.js"):
        plain = urllib.request.urlopen(address + path, timeout=10)
        asked = urllib.request.Request(address + path, headers={"Accept-Encoding": "gzip"})
        small = urllib.request.urlopen(asked, timeout=10)
        packed = small.read()
        assert small.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in small.headers["Vary"]
        text = plain.read()
        assert gzip.decompress(packed) == (text if path == "/" else without_comments(text))
        assert len(packed) == int(small.headers["Content-Length"])
        if tag := small.headers["ETag"]:
            again = urllib.request.Request(address + path, headers={"Accept-Encoding": "gzip", "If-None-Match": tag})
            with pytest.raises(urllib.error.HTTPError) as unchanged:
                urllib.request.urlopen(again, timeout=10)
            assert unchanged.value.code == 304
            unchanged.value.close()
        plain.close()
        small.close()


def test_a_script_too_small_to_be_packed_still_comes_without_its_comments(serve: Callable[..., str], desk: RealDesk):
    path = "/static/plain.js"
    asked = urllib.request.Request(serve(desk) + path, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        text = answer.read()
        assert "Content-Encoding" not in answer.headers
        assert answer.headers["ETag"].startswith("W/")
    assert b"//" not in text
    assert b"import" in text


def test_the_host_s_picture_comes_in_whole_and_a_stranger_s_is_refused_unread(
    serve: Callable[..., str], desk: RealDesk
):
    address = serve(desk)
    sent = {}
    for who, code in (("host", HOST_CODE), ("seat", code_of(1))):
        headers = {"Authorization": f"Bearer {code}", "Content-Type": "image/jpeg"}
        picture = urllib.request.Request(f"{address}/api/v1/decks/ours/pictures/1-8", b"\xff" * 2_000_000, headers)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(picture, timeout=30)
        sent[who] = refused.value.code
        refused.value.close()
    assert sent == {"host": 422, "seat": 403}, "what is no picture was read to its end, for the host alone"


HEADS = ("Cookie", "Host", "Authorization", "X-Forwarded-For", "Accept-Language", "If-None-Match", "Last-Event-ID")


def test_whatever_bytes_stand_in_a_head_it_is_answered(serve: Callable[..., str], desk: RealDesk):
    """At a cookie that is no UTF-8, or a zero in a head, the connection was closed without a word, and an error was
    written down."""
    port = int(serve(desk).rpartition(":")[2])

    @given(st.sampled_from(HEADS), st.sampled_from(["", "companion=", "Bearer "]), st.binary(max_size=40))
    @example("Cookie", "companion=", b"\xff\xfe")
    @example("Host", "", b"\0")
    @settings(max_examples=100, deadline=None)
    def is_answered(header: str, begins: str, value: bytes) -> None:
        line = bytes(byte for byte in value if byte not in b"\r\n")
        host = b"" if header == "Host" else b"Host: localhost\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=10) as phone:
            phone.sendall(b"GET /seat HTTP/1.0\r\n" + host + f"{header}: {begins}".encode() + line + b"\r\n\r\n")
            status = phone.recv(12)
        assert re.match(rb"HTTP/1\.[01] [234]", status), status

    is_answered()


@pytest.mark.parametrize("head", ["Content-Length: nothing", "Content-Length: 5", "X: y"])
def test_a_body_in_chunks_that_is_too_large_is_refused_and_the_server_goes_on(
    head: str, serve: Callable[..., str], desk: RealDesk
):
    address = serve(desk)
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        start = f"POST /api/v1/decks/ours/pictures/1-8 HTTP/1.1\r\nHost: {host}\r\n{head}\r\n"
        wire.sendall(f"{start}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n".encode())
        for _ in range(10):
            wire.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
        wire.sendall(b"0\r\n\r\n")
        assert wire.recv(12) == b"HTTP/1.1 403"
    with urllib.request.urlopen(f"{address}/", timeout=10) as page:
        assert page.status == 200


class Together:
    """A task that is done when so many are at work at the same time."""

    def __init__(self, all_of_them: threading.Barrier, done: list[bool]) -> None:
        self._all, self._done = all_of_them, done

    def service(self) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            self._all.wait(30)
            self._done.append(True)

    def cancel(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("idle", [0, 1, 7])
def test_everybody_who_asks_at_once_has_a_thread_of_his_own(idle: int):
    """Two who come at the same moment would both be left to the one thread that is idle, and one would wait."""
    for _ in range(10):
        threads, done = server.ThreadsAsNeeded(24), list[bool]()
        warm = threading.Barrier(idle + 1)
        for _ in range(idle):
            threads.add_task(Together(warm, []))
        warm.wait(30)
        task, starts = Together(threading.Barrier(24), done), threading.Barrier(24)

        def ask(threads: Any = threads, task: Any = task, starts: Any = starts) -> None:
            starts.wait(30)
            threads.add_task(task)

        asking = [threading.Thread(target=ask) for _ in range(24)]
        for one in asking:
            one.start()
        wait(lambda done=done: len(done) == 24, within_s=40)
        for one in asking:
            one.join()
        assert len(threads.threads) == 24
        assert threads.shutdown()
        assert not threads.threads


def test_a_thread_that_is_idle_is_used_again():
    threads, done = server.ThreadsAsNeeded(5), list[bool]()
    for number in range(1, 10):
        threads.add_task(Together(threading.Barrier(1), done))
        wait(lambda number=number: (len(done), threads.active_count) == (number, 0))
    assert len(threads.threads) == 1
    threads.shutdown()


def test_beyond_the_most_threads_a_task_waits_and_is_done():
    threads, done, first = server.ThreadsAsNeeded(3), list[bool](), threading.Barrier(4)
    for _ in range(3):
        threads.add_task(Together(first, []))
    for _ in range(9):
        threads.add_task(Together(threading.Barrier(1), done))
    assert (len(threads.threads), done) == (3, [])
    first.wait(30)
    wait(lambda: len(done) == 9)
    assert len(threads.threads) == 3
    threads.shutdown()
    threads.add_task(Together(threading.Barrier(1), done))
    assert (len(threads.threads), len(done)) == (0, 9), "after the end nothing is begun"


def test_a_server_has_a_thread_for_each_who_was_there_at_once_and_none_for_nobody(desk: RealDesk, words: Translations):
    """All 260 were started with it."""
    app, held = create_app(desk, words), Held()
    app.view_functions["pages.seat"] = held
    before = waitress_threads()  # those of another test's server may not be gone yet
    with Server(app, 0, "127.0.0.1") as running, contextlib.ExitStack() as wires:
        assert waitress_threads() <= before
        for _ in range(5):
            wire = http.client.HTTPConnection("127.0.0.1", running.port, timeout=60)
            wires.callback(wire.close)
            wires.callback(held.go.set)
            wire.request("GET", "/seat", headers={"Authorization": f"Bearer {code_of(1)}"})
            assert held.at_work.acquire(timeout=60)
        assert len(waitress_threads() - before) == 5


def waitress_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("waitress")}


class Held:
    """A page that is worked on until it is let go, in as many threads as ask for it."""

    def __init__(self) -> None:
        self.at_work, self.go = threading.Semaphore(0), threading.Event()

    def __call__(self) -> str:
        self.at_work.release()
        assert self.go.wait(60)
        return "done"


def test_a_slow_answer_to_a_seat_holds_no_spectator_up(desk: RealDesk, words: Translations):
    """The host looks at the doctor's page for six seconds; the scoreboard opens all the same."""
    app, held = create_app(desk, words), Held()
    app.view_functions["pages.seat"] = held
    with Server(app, 0, "127.0.0.1") as server, contextlib.ExitStack() as wires:
        for _ in range(5):
            wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            wires.callback(wire.close)
            wires.callback(held.go.set)
            wire.request("GET", "/seat", headers={"Authorization": f"Bearer {code_of(1)}"})
            assert held.at_work.acquire(timeout=60)
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=60) as page:
            assert page.status == 200
        held.go.set()


def test_one_address_takes_no_more_streams_than_it_may(desk: RealDesk, words: Translations):
    """Streams of one stranger sent a real phone away."""
    feed = EventStreams(desk.match, Translator(words), streams=12, streams_at_an_address=5)
    held = [feed.open("10.0.0.9") for _ in range(200)]
    assert sum(one is not None for one in held) == 5
    phones = [feed.open(f"10.0.0.{number}") for number in range(20, 30)]
    assert sum(one is not None for one in phones) == 7, "and no more than there is room for"
    assert held[0] is not None
    feed.leave(held[0])
    assert feed.open("10.0.0.9") is not None
    feed.close()


def test_fifty_phones_and_ten_more_find_room_beside_one_that_takes_all_it_can(desk: RealDesk, words: Translations):
    feed = EventStreams(desk.match, Translator(words))
    while feed.open("10.0.0.9") is not None:
        pass
    assert all(feed.open(f"10.0.1.{number}") for number in range(60))
    feed.close()


def test_who_reads_nothing_is_let_go_and_the_server_ends_all_the_same(
    desk: RealDesk, words: Translations, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server, "UNREAD_BYTES", 4096)
    monkeypatch.setattr(sse, "BACKLOG", 8)
    opened = server.create_server

    def open_narrowly(*args: Any, **options: Any) -> Any:
        """The kernel itself keeps little of what is not read; it would keep some megabytes."""
        for listening in options["sockets"]:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
        return opened(*args, **options)

    monkeypatch.setattr(server, "create_server", open_narrowly)
    app = create_app(desk, words)
    feed: EventStreams = app.extensions["context"].streams

    with Server(app, 0, "127.0.0.1") as running, socket.socket() as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        stuck.connect(("127.0.0.1", running.port))
        stuck.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait(lambda: feed.listeners)
        for number in range(500):
            if not feed.listeners:
                break
            desk.correct("resume" if number % 2 else "pause")
        assert feed.listeners == 0
    wait(lambda: not waitress_threads())


def test_a_laptop_that_misbehaves_keeps_no_seat_waiting(serve: Callable[..., str], desk: RealDesk):
    """300 connections that say nothing, 300 whose head drips in, and 50 streams that nobody reads."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)  # both ends are in this process
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port = int(serve(desk).rpartition(":")[2])
    with contextlib.ExitStack() as wires:
        wires.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))

        def connect(says: bytes, source: str = "127.0.0.9") -> socket.socket:
            wire = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))
            wire.sendall(says)
            return wires.enter_context(wire)

        for _ in range(300):
            connect(b"")
        slow = [connect(b"GET / HTTP/1.1\r\n") for _ in range(300)]
        for _ in range(50):
            connect(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        seat = wires.enter_context(contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)))
        waits = []
        for number in range(40):
            for wire in slow[number::40]:
                wire.sendall(b"X: y\r\n")
            queue, began_s = ProcessorQueue(os.getpid()), time.monotonic()
            seat.request("GET", "/api/v1/seat", headers={"Authorization": f"Bearer {code_of(1)}"})
            answer = seat.getresponse()
            assert answer.status == 200
            assert answer.read()
            waits.append(time.monotonic() - began_s - queue.look())
        assert sorted(waits)[-2] < 1.0


@pytest.mark.parametrize(
    ("forwarded", "counts_as"),
    [
        ("192.168.1.66", "192.168.1.66"),
        ("10.9.9.9, 192.168.1.66", "192.168.1.66"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ('"[2001:db8:1:2::9]"', "2001:db8:1:2::/64"),
        (None, "127.0.0.3"),
    ],
)
def test_behind_the_proxy_of_the_settings_its_word_counts_and_nobody_else_s(
    forwarded: str | None, counts_as: str, desk: RealDesk, words: Translations
):
    """All phones behind a proxy had one address, and anybody could have made up one."""
    app, seen = create_app(desk, words), list[str]()

    def page() -> str:
        seen.append(network_of(request.remote_addr or ""))
        return "seen"

    app.view_functions["pages.television"] = page
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    with Server(app, 0, "127.0.0.1", proxy="127.0.0.3") as server:
        for source in ("127.0.0.3", "127.0.0.4"):
            wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=(source, 0))
            wire.request("GET", "/tv", headers=headers)
            assert wire.getresponse().read() == b"seen"
            wire.close()
    assert seen == [counts_as, "127.0.0.4"]
