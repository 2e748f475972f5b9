from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from companion.system.systemd import Watchdog, notify, watchdog_s

pytestmark = pytest.mark.core


def test_what_is_said_reaches_a_real_socket(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(2)
        manager.bind(str(tmp_path / "notify"))
        assert notify("READY=1", "STATUS=watching the table", environ={"NOTIFY_SOCKET": str(tmp_path / "notify")})
        assert manager.recv(4096) == b"READY=1\nSTATUS=watching the table"


def test_an_abstract_socket_is_reached_too() -> None:
    name = f"companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(2)
        manager.bind("\0" + name)
        assert notify("WATCHDOG=1", environ={"NOTIFY_SOCKET": "@" + name})
        assert manager.recv(4096) == b"WATCHDOG=1"


def test_without_a_manager_nothing_is_said_and_nothing_breaks(tmp_path: Path) -> None:
    assert not notify("READY=1", environ={})
    assert not notify("READY=1", environ={"NOTIFY_SOCKET": str(tmp_path / "nobody")})


@pytest.mark.parametrize(
    ("environ", "wanted_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_how_often_the_manager_wants_to_hear(environ: dict[str, str], wanted_s: float | None) -> None:
    assert watchdog_s(environ) == wanted_s


def test_the_watchdog_is_fed_only_while_eye_and_referee_both_go_on() -> None:
    now_s = 0.0
    told: list[str] = []

    def tell(*lines: str) -> bool:
        told.extend(lines)
        return True

    watchdog = Watchdog(("eye", "referee"), limit_s=10.0, clock=lambda: now_s)
    assert watchdog.feed(tell) == ()
    now_s = 9.0
    watchdog.beat("referee")
    assert watchdog.feed(tell) == ()
    now_s = 11.0
    assert watchdog.feed(tell) == ("eye",)
    watchdog.beat("eye")
    assert watchdog.feed(tell) == ()
    assert told == ["WATCHDOG=1", "WATCHDOG=1", "STATUS=no sign of life from: eye", "WATCHDOG=1"]


def test_a_misspelt_sign_is_refused() -> None:
    with pytest.raises(KeyError):
        Watchdog(("eye",), 1.0).beat("eys")
