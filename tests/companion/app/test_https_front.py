"""The table's own HTTPS, by a real Caddy before the real server."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import logging
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from ipaddress import IPv4Network
from pathlib import Path

import pytest
from flask import request
from support.ports import free_port
from support.real_desk import HOST_CODE, WORDS, RealDesk
from support.waiting import wait

from companion.app.https_front import PORTS_APART, HttpsFront, https_front, own_names
from companion.public.i18n import Translations
from companion.public.machine import OwnWifi, SystemActions
from companion.storage.settings import Settings
from companion.system.console import lan_address
from web.app import create_app
from web.server import Server

WIFI = OwnWifi("companion-3fa9", "bcdfg7hjk2", IPv4Network("127.0.0.7/32"))


@pytest.fixture(scope="module")
def words() -> Translations:
    return WORDS


@pytest.fixture
def caddy() -> None:
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed: apt-get install caddy")


def strangers_trust() -> ssl.SSLContext:
    """Of somebody who went on in spite of the warning."""
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    return trust


def certificate(port: int, name: str | None, to: str = "127.0.0.1") -> bytes | None:
    """What is shown to who asks for this name, or for none; ``None`` = nobody answers."""
    # Wrapped before it is connected: else Python leaves it open when the other side ends just then.
    with contextlib.suppress(OSError), strangers_trust().wrap_socket(socket.socket(), server_hostname=name) as secure:
        secure.settimeout(10)
        secure.connect((to, port))
        return secure.getpeercert(binary_form=True)
    return None


def caddies(parent: int) -> list[int]:
    """The numbers of the Caddys that this process has started."""
    found = subprocess.run(["pgrep", "-P", str(parent), "-x", "caddy"], capture_output=True, text=True, check=False)
    return [int(number) for number in found.stdout.split()]


@contextlib.contextmanager
def table(data: Path, words: Translations, seen: list[tuple[str | None, str, bool]]) -> Iterator[tuple[int, int]]:
    """A table with HTTPS: its ports, the plain one and the other; ``seen``: who asked for the overlay, and how."""
    app = create_app(RealDesk(), words, system=SystemActions(own_wifi=lambda: WIFI))

    def overlay() -> str:
        secret_shown = any("front" in name.lower() for name in request.headers.keys())  # noqa: SIM118
        seen.append((request.remote_addr, request.scheme, secret_shown))
        return "seen"

    app.view_functions["pages.overlay"] = overlay
    port = free_port()
    front = HttpsFront(data / "https", free_port(), port)
    with Server(app, port, front=front.secret), front:
        wait(lambda: certificate(front.port, "localhost"))
        yield port, front.port


@contextlib.contextmanager
def asked(
    port: int, path: str, source: str = "127.0.0.1", headers: dict[str, str] | None = None, *, secure: bool = True
) -> Iterator[http.client.HTTPResponse]:
    """The answer to somebody who asks from this address."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
    if secure:
        wire = http.client.HTTPSConnection(
            "127.0.0.1", port, timeout=30, source_address=(source, 0), context=strangers_trust()
        )
    with contextlib.closing(wire):
        wire.request("GET", path, headers=headers or {})
        with wire.getresponse() as answer:
            yield answer


CLAIMS = {
    "X-Forwarded-For": "127.0.0.7",
    "Forwarded": "for=127.0.0.7",
    "X-Real-Ip": "127.0.0.7",
    "Companion-Front": "guessed 127.0.0.7",
}


@pytest.mark.slow
@pytest.mark.usefixtures("caddy")
def test_a_phone_has_its_own_address_over_https_and_none_that_it_claims(tmp_path: Path, words: Translations) -> None:
    """So the password of the box's Wi-Fi is shown to who is in it, and to nobody else."""
    seen: list[tuple[str | None, str, bool]] = []
    with table(tmp_path, words, seen) as (plain, secure):
        for source, is_secure in (("127.0.0.8", True), ("127.0.0.8", False), ("127.0.0.7", True)):
            port = secure if is_secure else plain
            with asked(port, "/overlay", source, CLAIMS, secure=is_secure) as answer:
                assert answer.read() == b"seen"
                assert answer.getheader("Strict-Transport-Security") is None
            assert seen[-1] == (source, "https" if is_secure else "http", False)
            with asked(port, "/qr/wifi.svg", source, CLAIMS, secure=is_secure) as wifi:
                assert wifi.status == (200 if source == "127.0.0.7" else 404)


@pytest.mark.slow
@pytest.mark.usefixtures("caddy")
def test_events_come_at_once_and_large_pictures_pass(tmp_path: Path, words: Translations) -> None:
    with (
        table(tmp_path, words, []) as (_, secure),
        asked(secure, "/api/v1/events") as events,
        contextlib.closing(
            http.client.HTTPSConnection("127.0.0.1", secure, timeout=30, context=strangers_trust())
        ) as wire,
    ):
        assert events.readline().startswith(b": generation "), "the log whose numbers these are"
        assert events.readline() == b"event: snapshot\n"
        headers = {"Authorization": f"Bearer {HOST_CODE}", "Content-Type": "image/jpeg"}
        wire.request("POST", "/api/v1/decks/ours/pictures/1-8", b"\xff" * 6_000_000, headers)
        assert wire.getresponse().status == 422, "what is no picture was read to its end"


@pytest.mark.slow
@pytest.mark.usefixtures("caddy")
def test_each_name_and_address_has_a_certificate_which_the_next_start_shows_again(
    tmp_path: Path, words: Translations
) -> None:
    def shown(port: int) -> dict[str | None, str]:
        found: dict[str | None, str] = {}
        for name in (None, *sorted(own_names())):
            wait(lambda name=name: certificate(port, name))  # type: ignore[misc]
            found[name] = hashlib.sha256(certificate(port, name) or b"").hexdigest()
        return found

    with table(tmp_path, words, []) as (_, secure):
        first = shown(secure)
        by_address = certificate(secure, None, lan_address())
        assert by_address is not None, "a phone that goes to an address names none"
        text = subprocess.run(
            ["openssl", "x509", "-inform", "der", "-noout", "-ext", "subjectAltName"],
            input=by_address,
            capture_output=True,
            check=True,
        ).stdout.decode()
        assert f"IP Address:{lan_address()}" in text
        assert certificate(secure, "somebody.example") is None, "none is made for a name that is not the table's"
    assert {"localhost", "127.0.0.1", socket.gethostname().lower() + ".local"} <= set(first)
    assert (tmp_path / "https").stat().st_mode & 0o777 == 0o700
    with table(tmp_path, words, []) as (_, secure):
        assert shown(secure) == first


@pytest.mark.slow
@pytest.mark.usefixtures("caddy")
def test_a_caddy_that_is_killed_comes_back_and_closing_leaves_none(tmp_path: Path, words: Translations) -> None:
    with contextlib.ExitStack() as streams, table(tmp_path, words, []) as (_, secure):
        (killed,) = caddies(os.getpid())
        os.kill(killed, signal.SIGKILL)
        wait(lambda: caddies(os.getpid()) not in ([], [killed]))
        wait(lambda: certificate(secure, "localhost"))
        streams.enter_context(asked(secure, "/api/v1/events"))
        began_s = time.monotonic()
    assert time.monotonic() - began_s < 20, "no stream is waited for"
    assert caddies(os.getpid()) == []
    assert certificate(secure, "localhost") is None


STARTS = """
import sys, time
from pathlib import Path
from companion.app.https_front import HttpsFront
with HttpsFront(Path(sys.argv[1]), int(sys.argv[2]), 9):
    time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.usefixtures("caddy")
def test_no_caddy_outlives_a_table_that_is_killed(tmp_path: Path) -> None:
    port = free_port()
    killed = subprocess.Popen([sys.executable, "-c", STARTS, str(tmp_path / "https"), str(port)])
    try:
        wait(lambda: certificate(port, "localhost"))
        assert len(caddies(killed.pid)) == 1
    finally:
        killed.kill()
        killed.wait()
    wait(lambda: certificate(port, "localhost") is None)


@pytest.mark.slow
@pytest.mark.usefixtures("caddy")
def test_the_secret_stands_in_no_file_on_no_command_line_and_in_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with HttpsFront(tmp_path / "https", free_port(), free_port()) as front:  # nobody answers it
        wait(lambda: certificate(front.port, "localhost"))
        with asked(front.port, "/") as answer:
            assert answer.status == 502
        (number,) = caddies(os.getpid())
        told = [Path(f"/proc/{number}/{what}").read_bytes() for what in ("cmdline", "environ")]
        told += [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    told += [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not any(front.secret.encode() in one for one in told)
    assert front.secret not in caplog.text


@pytest.mark.parametrize(
    ("settings", "source", "wanted"),
    [
        (Settings(tls=True), "picamera", True),
        (Settings(), "phone", True),
        (Settings(https="https://table.example.org"), "phone", False),
        (Settings(), "usb:0", False),
        (Settings(tls=False), "phone", False),
    ],
)
def test_without_caddy_the_log_says_in_one_sentence_what_to_install(
    settings: Settings,
    source: str,
    wanted: bool,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with caplog.at_level(logging.WARNING):
        assert https_front(settings, source, tmp_path, 8080) is None
    assert ("apt-get install caddy" in caplog.text) is wanted


def test_a_port_that_is_taken_costs_the_https_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "caddy"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with socket.create_server(("0.0.0.0", 0)) as taken:
        assert https_front(Settings(tls=True), "usb:0", tmp_path, taken.getsockname()[1] - PORTS_APART) is None
    assert "there is no HTTPS: Port" in caplog.text


def test_names_that_no_certificate_can_hold_are_left_out() -> None:
    names = own_names(["Table.Example.org", "a_b", "2001:db8::1", "a..b", "-a"])
    assert {"table.example.org", "2001:db8::1"} <= names
    assert not {"a_b", "a..b", "-a"} & names
