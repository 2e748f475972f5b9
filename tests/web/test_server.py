"""The server: many streams at once, a clean end, a port that is taken."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import select
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Response, request
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.real_desk import HOST_CODE, RealDesk, code_of

from companion.errors import DeviceError
from companion.public.i18n import Translations
from companion.public.service import Role, User
from web import accept_filter, connections
from web.app import create_app
from web.language import Translator
from web.middleware.rate_limit import network_of
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


@pytest.mark.parametrize("count", [50])
def test_fifty_phones_follow_one_evening_and_nothing_is_lost_or_doubled(
    count: int, desk: RealDesk, words: Translations
):
    with Server(create_app(desk, words), 0, "127.0.0.1") as server:
        phones = [Follower(f"http://127.0.0.1:{server.port}") for _ in range(count)]
        for phone in phones:
            phone.start()
        assert all(phone.ready.wait(60) for phone in phones)
        desk.lay(30)
        newest = len(desk.told)
        deadline = time.monotonic() + 60
        while any(phone.ids[-1] < newest for phone in phones) and time.monotonic() < deadline:
            time.sleep(0.02)
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
    assert answer.read(15) == b"event: snapshot"
    assert feed.listeners == 1
    answer.close()
    gone.close()
    deadline = time.monotonic() + 60
    while feed.listeners and time.monotonic() < deadline:
        time.sleep(0.02)
    assert feed.listeners == 0


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
    for path in ("/", "/static/style.css", "/static/board.js"):
        plain = urllib.request.urlopen(address + path, timeout=10)
        asked = urllib.request.Request(address + path, headers={"Accept-Encoding": "gzip"})
        small = urllib.request.urlopen(asked, timeout=10)
        packed = small.read()
        assert small.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in small.headers["Vary"]
        assert gzip.decompress(packed) == plain.read()
        assert len(packed) == int(small.headers["Content-Length"])
        if tag := small.headers["ETag"]:
            again = urllib.request.Request(address + path, headers={"Accept-Encoding": "gzip", "If-None-Match": tag})
            with pytest.raises(urllib.error.HTTPError) as unchanged:
                urllib.request.urlopen(again, timeout=10)
            assert unchanged.value.code == 304
            unchanged.value.close()
        plain.close()
        small.close()


def unfinished(address: str, path: str, announced: int, sent: int, source: str = "127.0.0.1") -> socket.socket:
    """A request whose body never comes to its end."""
    host, _, port = address.removeprefix("http://").partition(":")
    wire = socket.create_connection((host, int(port)), timeout=30, source_address=(source, 0))
    wire.sendall(f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {announced}\r\n\r\n".encode())
    wire.sendall(b"x" * sent)
    return wire


def spooled_bytes() -> int:
    """What this process keeps in files that have no name."""
    sizes = 0
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if "(deleted)" in link.readlink().name:
                sizes += link.stat().st_size
    return sizes


@pytest.mark.parametrize("path", ["/join", "/api/v1/join", "/api/v1/decks/ours/pictures/1-8", "/nothing"])
def test_bodies_that_no_route_reads_are_kept_nowhere(path: str, serve: Callable[..., str], desk: RealDesk):
    """finding 5: bodies of 20 MB that never ended filled the disk before any route had run."""
    address = serve(desk)
    before = spooled_bytes()
    wires = [unfinished(address, path, 20 << 20, 3 << 20) for _ in range(10)]
    with urllib.request.urlopen(f"{address}/", timeout=10) as page:
        assert page.status == 200
    assert spooled_bytes() == before
    for wire in wires:
        wire.close()


def test_the_host_s_picture_comes_in_whole_and_a_stranger_s_is_refused_unread(
    serve: Callable[..., str], desk: RealDesk
):
    """finding 5"""
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


@pytest.mark.parametrize("chunked", [False, True])
def test_a_typed_code_s_first_large_picture_is_asked_for_again_and_then_comes_in_whole(
    chunked: bool, serve: Callable[..., str], desk: RealDesk
):
    """How much is kept is decided before a typed code is looked at: its picture was called damaged, none was left."""
    typed = desk.match.join_codes(User(Role.HOST))[0].short
    address = serve(desk)
    body = b"\xff" * 2_000_000
    answers = []
    for _ in range(2):
        picture = iter([body[:1_000_000], body[1_000_000:]]) if chunked else body
        headers = {"Authorization": f"Bearer {typed}", "Content-Type": "image/jpeg"}
        wire = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
        wire.request("POST", "/api/v1/decks/ours/pictures/1-8", picture, headers, encode_chunked=chunked)
        answer = wire.getresponse()
        answers.append((answer.status, answer.headers.get("Retry-After"), answer.read()))
        wire.close()
    (first, wait, said), (second, _, then) = answers
    assert (first, wait) == (503, "1")
    assert b"send it again" in said
    assert second == 422
    assert b"send it again" not in then


def test_one_address_with_idle_connections_keeps_no_other_out(
    serve: Callable[..., str], desk: RealDesk, monkeypatch: pytest.MonkeyPatch
):
    """finding 4: a thousand idle connections of one laptop kept every phone out."""
    monkeypatch.setattr(accept_filter, "WAITING", 40)
    address = serve(desk)
    host, _, port = address.removeprefix("http://").partition(":")
    neighbour = unfinished(address, "/join", 10, 3, source="127.0.0.2")
    silent = [socket.create_connection((host, int(port)), timeout=30) for _ in range(120)]
    slow = [socket.create_connection((host, int(port)), timeout=30) for _ in range(120)]
    for wire in slow:
        with contextlib.suppress(OSError):  # it has been hung up on
            wire.sendall(b"GET / HTTP/1.1\r\n")
    with urllib.request.urlopen(f"{address}/", timeout=10) as page:
        assert page.status == 200
    neighbour.sendall(b"code=ab")
    assert neighbour.recv(12) == b"HTTP/1.1 403"
    gone = [wire for wire in slow if select.select([wire], [], [], 0)[0]]
    assert 70 <= len(gone) <= 90
    assert not select.select(silent, [], [], 0)[0], "who says nothing is the system's, and costs the server nothing"
    for wire in (neighbour, *silent, *slow):
        wire.close()


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


def test_a_head_that_drips_is_hung_up_on(serve: Callable[..., str], desk: RealDesk, monkeypatch: pytest.MonkeyPatch):
    """finding 4: each byte bought a slow head another minute."""
    monkeypatch.setattr(accept_filter, "HEAD_S", 0.5)
    address = serve(desk)
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        wire.sendall(b"GET / HTTP/1.1\r\n")
        with contextlib.suppress(ConnectionResetError):  # what was said was not read
            assert wire.recv(1) == b""


def test_a_seat_gets_a_stream_when_strangers_hold_all_of_them(desk: RealDesk, words: Translations):
    """finding 13: 224 streams of a stranger sent a real phone away."""
    feed = EventStreams(desk.match, Translator(words), streams=4)
    strangers = [feed.open("10.0.0.9") for _ in range(4)]
    assert feed.open("10.0.0.9") is None
    assert feed.open("10.0.0.1", joined=True) is not None
    assert feed.open("10.0.0.2") is not None, "a spectator elsewhere has one too"
    assert feed.open("10.0.0.2") is None
    for stranger in strangers[:2]:
        assert stranger is not None
        assert stranger.get_nowait() is None
    assert feed.listeners == 4
    feed.close()


def test_who_does_not_read_his_answers_is_hung_up_on(
    serve: Callable[..., str], desk: RealDesk, monkeypatch: pytest.MonkeyPatch
):
    """finding 13: streams that nobody read grew in memory for as long as they stayed open."""
    monkeypatch.setattr(connections, "UNREAD_S", 0.5)
    host, _, port = serve(desk).removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as wire:
        wire.setblocking(False)
        asked = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 2000
        with contextlib.suppress(BlockingIOError):
            wire.sendall(asked)
        hung_up = select.poll()
        hung_up.register(wire, select.POLLRDHUP | select.POLLERR | select.POLLHUP)
        assert hung_up.poll(60_000)


@pytest.mark.parametrize("head", ["Content-Length: nothing", "Content-Length: 5", "X: y"])
def test_a_body_in_chunks_that_is_too_large_is_refused_and_the_server_goes_on(
    head: str, serve: Callable[..., str], desk: RealDesk
):
    """finding 5"""
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


class Held:
    """A page that is worked on until it is let go, in as many threads as ask for it."""

    def __init__(self) -> None:
        self.at_work, self.go = threading.Semaphore(0), threading.Event()

    def __call__(self) -> str:
        self.at_work.release()
        assert self.go.wait(60)
        return "done"


def test_a_seat_is_answered_while_a_stranger_s_requests_wait_for_their_turn(desk: RealDesk, words: Translations):
    """finding 13: eight readers of one address made a press take a third of a second."""
    app, held = create_app(desk, words), Held()
    app.view_functions["pages.television"] = held
    with Server(app, 0, "127.0.0.1") as server, contextlib.ExitStack() as wires:

        def ask(path: str, code: str = "", source: str = "127.0.0.1") -> http.client.HTTPConnection:
            wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=(source, 0))
            wires.callback(wire.close)
            wire.request("GET", path, headers={"Authorization": f"Bearer {code}"} if code else {})
            return wire

        readers = [ask("/tv") for _ in range(300)]
        for _ in range(connections.AT_ONCE):
            assert held.at_work.acquire(timeout=60)
        assert ask("/api/v1/seat", code_of(1)).getresponse().status == 200, "also at the same address"
        assert ask("/", source="127.0.0.2").getresponse().status == 200, "a stranger elsewhere has his own turns"
        assert not held.at_work.acquire(blocking=False)
        held.go.set()
        assert all(reader.getresponse().status == 200 for reader in readers)


def busy(seconds: float) -> str:
    """A page that keeps a processor busy for so long."""
    until_s = time.thread_time() + seconds
    while time.thread_time() < until_s:
        pass
    return "done"


def test_who_asks_for_page_after_page_waits_while_somebody_plays_and_nobody_else_does(
    desk: RealDesk, words: Translations, monkeypatch: pytest.MonkeyPatch
):
    """finding 13: readers of one address kept the interpreter busy that answers the players."""
    monkeypatch.setattr(connections, "IN_HAND_S", 0.02)
    monkeypatch.setattr(connections, "SHARE", 0.0001)
    app = create_app(desk, words)
    app.view_functions["pages.television"] = lambda: busy(0.05)
    with Server(app, 0, "127.0.0.1") as server, contextlib.ExitStack() as wires:

        def ask(path: str, code: str = "", source: str = "127.0.0.1") -> http.client.HTTPConnection:
            wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=(source, 0))
            wires.callback(wire.close)
            wire.request("GET", path, headers={"Authorization": f"Bearer {code}"} if code else {})
            return wire

        for _ in range(3):
            assert ask("/tv").getresponse().read() == b"done", "nobody plays, so nobody is in the way"
        assert ask("/api/v1/seat", code_of(1)).getresponse().status == 200
        waiting = ask("/tv")
        assert ask("/tv", source="127.0.0.2").getresponse().read() == b"done", (
            "elsewhere nothing has been asked for yet"
        )
        assert ask("/api/v1/seat", code_of(1)).getresponse().status == 200, "also at the same address"
        assert not select.select([waiting.sock], [], [], 0.5)[0]
        monkeypatch.setattr(connections, "PLAYS_S", 0.0)
        assert waiting.getresponse().read() == b"done", "the players have gone"


def test_what_was_worked_is_paid_off_with_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "IN_HAND_S", 1.0)
    monkeypatch.setattr(connections, "SHARE", 0.1)
    monkeypatch.setattr(connections, "MOST_OWED_S", 0.5)
    work = connections.Work(0.0)
    work.add(0.9, 0.0)
    assert work.wait_s(0.0) <= 0
    work.add(0.2, 0.0)
    assert work.wait_s(0.0) == pytest.approx(1.0)
    assert work.wait_s(1.1) <= 0
    work.add(100.0, 20.0)
    assert work.wait_s(20.0) == pytest.approx(5.0), "nobody waits for minutes"
    assert work.wait_s(1000.0) == pytest.approx(-10.0), "and nobody saves up more than one second"


def test_a_stranger_s_stream_that_nobody_reads_is_not_written_on_and_one_that_is_read_has_everything(
    desk: RealDesk, words: Translations
):
    """finding 13: 200 streams that nobody read took part in every update."""
    app, made = create_app(desk, words), dict[str, int]()

    def events() -> Response:
        who = request.headers["X-Who"]

        def pieces() -> Iterator[str]:
            for number in range(4000):
                made[who] = number
                yield f"id: {number:04}\ndata: {'x' * 980}\n\n"

        return Response(pieces(), content_type="text/event-stream")

    app.view_functions["api.events"] = events
    with Server(app, 0, "127.0.0.1") as server, contextlib.ExitStack() as wires:
        heard = b""
        for who in ("idler", "reader"):
            wire = wires.enter_context(contextlib.closing(socket.socket()))
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            wire.settimeout(60)
            wire.connect(("127.0.0.1", server.port))
            wire.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Who: {who}\r\n\r\n".encode())
        while b"id: 3999" not in heard:
            heard += wire.recv(1 << 16)
    assert re.findall(rb"id: (\d+)", heard) == [b"%04d" % number for number in range(4000)]
    assert made["idler"] < 200, "a megabyte would be waiting for nobody"


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


def test_a_phone_that_joined_keeps_its_connection_when_it_is_crowded(
    serve: Callable[..., str], desk: RealDesk, monkeypatch: pytest.MonkeyPatch
):
    """Phones behind one address are one address: a stranger's idle connections cost no seat its own."""
    monkeypatch.setattr(connections, "CROWDED", 40)
    address = serve(desk)
    host, _, port = address.removeprefix("http://").partition(":")
    seat = http.client.HTTPConnection(host, int(port), timeout=60)
    for _ in range(2):
        seat.request("GET", "/api/v1/seat", headers={"Authorization": f"Bearer {code_of(1)}"})
        assert seat.getresponse().read()
    idle = [socket.create_connection((host, int(port)), timeout=30) for _ in range(200)]
    with urllib.request.urlopen(f"{address}/", timeout=30) as page:
        assert page.status == 200
    wire = seat.sock
    seat.request("GET", "/api/v1/seat", headers={"Authorization": f"Bearer {code_of(1)}"})
    assert seat.getresponse().status == 200
    assert seat.sock is wire, "it is still the same connection"
    for one in idle:
        one.close()
    seat.close()


def test_a_connection_that_is_taken_for_another_of_its_number_stays(serve: Callable[..., str], desk: RealDesk):
    """The next connection may get the number of one that was hung up on in the same look."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    channel = connections.Channel.__new__(connections.Channel)
    channel.socket, channel.connected, channel.adj = theirs, True, SimpleNamespace(recv_bytes=10)
    closed: list[bool] = []
    channel.handle_close = lambda: closed.append(True)  # type: ignore[method-assign]
    channel.handle_read()
    assert not closed
    ours.close()
    channel.handle_read()
    assert closed
    theirs.close()


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
    """finding 4: all phones behind a proxy had one address, and anybody could have made up one."""
    app, seen = create_app(desk, words), list[tuple[str, str]]()

    def page() -> str:
        # by its address: the other one may not have been put away yet
        channels = server._server.active_channels.values()  # noqa: SLF001  # waitress tells nobody else
        (channel,) = (one for one in channels if one.addr[0] == source)
        seen.append((network_of(request.remote_addr or ""), channel.network))
        return "seen"

    app.view_functions["pages.television"] = page
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    with Server(app, 0, "127.0.0.1", proxy="127.0.0.3") as server:
        for source in ("127.0.0.3", "127.0.0.4"):
            wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=(source, 0))
            wire.request("GET", "/tv", headers=headers)
            assert wire.getresponse().read() == b"seen"
            wire.close()
    assert seen == [(counts_as, counts_as), ("127.0.0.4", "127.0.0.4")]


def test_requests_one_after_the_other_are_the_work_of_few_threads(desk: RealDesk, words: Translations):
    """A thread that has answered something once keeps memory for it; most of them are there for streams alone."""
    app, who = create_app(desk, words), set[str]()
    app.before_request(lambda: who.add(threading.current_thread().name))
    with Server(app, 0, "127.0.0.1") as server:
        for _ in range(40):
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/api/v1/standing", timeout=30).close()
    assert 1 <= len(who) <= 20, "each in turn would be 40; where a busy machine is late, the next one helps out"
