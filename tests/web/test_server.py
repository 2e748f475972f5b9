"""The server: many streams at once, a clean end, a port that is taken."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.request
from collections.abc import Callable

import pytest
from support.fake_desk import FakeDesk

from companion.errors import DeviceError
from companion.public.i18n import Translations
from web.app import create_app
from web.server import Server


def test_a_taken_port_is_told_in_one_sentence(desk: FakeDesk, words: Translations):
    with (
        Server(create_app(desk, words), 0, "127.0.0.1") as first,
        pytest.raises(DeviceError, match=rf"Port {first.port} cannot be used .*--port"),
    ):
        Server(create_app(desk, words), first.port, "127.0.0.1")


@pytest.mark.parametrize("port", [-1, 65536, 1_000_000])
def test_a_number_that_is_no_port_is_told_in_one_sentence(port: int, desk: FakeDesk, words: Translations):
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
    count: int, desk: FakeDesk, words: Translations
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
        assert phone.ids == list(range(2, newest + 1))


def test_a_server_ends_at_once_with_streams_open_and_frees_its_port(desk: FakeDesk, words: Translations):
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
    assert desk.outlets == []
    Server(create_app(desk, words), server.port, "127.0.0.1").close()


def test_a_gone_phone_frees_its_place(desk: FakeDesk, words: Translations, serve: Callable[..., str]):
    from web.language import Translator
    from web.push.sse import EventStreams

    feed = EventStreams(desk, Translator(words), heartbeat_s=0.05)
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


def test_far_too_much_is_refused_over_the_wire_too(serve: Callable[..., str], desk: FakeDesk):
    address = serve(desk)
    wire = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    wire.request("POST", "/api/v1/join", json.dumps({"code": "x" * 300_000}), {"Content-Type": "application/json"})
    answer = wire.getresponse()
    assert answer.status == 413
    assert answer.getheader("Content-Type") == "application/problem+json"
    wire.close()


def test_pages_come_small_to_who_can_unpack_them_and_plain_to_who_cannot(serve: Callable[..., str], desk: FakeDesk):
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
