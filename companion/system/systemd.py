"""Notifies systemd: ready, alive, stopping. Does nothing without systemd."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

log = logging.getLogger(__name__)
FIRST_TABLE = Path("/var/lib/companion")
"""The data folder of a box's first table. Root's helpers and their path units watch only this folder."""
BETWEEN_S = 300.0
"""How long a table may take to restart: on a card, copying and checking the matches of years takes time."""
POWER = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "CanPowerOff")


def is_box(data: Path) -> bool:
    """Whether this is the service of a box, and this data folder its first table's."""
    return "NOTIFY_SOCKET" in os.environ and data.absolute() == FIRST_TABLE


def may_shut_down() -> bool:
    """Whether this is the service of a box that is allowed to shut the box down."""
    if "NOTIFY_SOCKET" not in os.environ:
        return False
    try:
        answer = subprocess.run(
            ("busctl", "call", *POWER), capture_output=True, text=True, timeout=2, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as wrong:
        log.info("switching off is not offered: %s", wrong)
        return False
    return '"yes"' in answer


def shut_down() -> None:
    """Shut the box down; the service manager first stops the companion properly."""
    subprocess.Popen(("systemctl", "poweroff"))


def notify(*lines: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send ``READY=1``, ``STATUS=…``, ``WATCHDOG=1`` or ``STOPPING=1`` to the service manager (see sd_notify(3)).

    Returns:
        Whether it was sent: ``False`` outside a service, and if the manager does not accept it.
    """
    address = environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as door:
            door.settimeout(1.0)
            door.connect(address)
            door.sendall("\n".join(lines).encode())
    except OSError:
        return False
    return True


def watchdog_s(environ: Mapping[str, str] = os.environ) -> float | None:
    """How often the service manager expects a notification; ``None`` = never."""
    meant_for = environ.get("WATCHDOG_PID")
    if meant_for is not None and meant_for != str(os.getpid()):
        return None
    try:
        return int(environ["WATCHDOG_USEC"]) / 1e6
    except (KeyError, ValueError):
        return None


@contextmanager
def keep_alive(limit_s: float = BETWEEN_S, tell: Callable[..., bool] = notify) -> Iterator[None]:
    """Keep notifying the service manager while no table runs on purpose, for at most ``limit_s``."""
    every_s = (watchdog_s() or limit_s) / 4
    over = threading.Event()

    def heart() -> None:
        until_s = time.monotonic() + limit_s
        while time.monotonic() < until_s:
            tell("WATCHDOG=1")
            if over.wait(every_s):
                return

    beating = threading.Thread(target=heart, name="between", daemon=True)
    beating.start()
    try:
        yield
    finally:
        over.set()
        beating.join()


class Watchdog:
    """Alive only while all monitored parts are.

    The camera's process beats with each look, even if the camera is lost: an unplugged camera is no reason to restart,
    a silent process is.

    Args:
        signs: What is monitored: ``("eye", "referee")``.
        limit_s: The greatest age of a beat.
        clock: Monotonic seconds.
    """

    def __init__(self, signs: Iterable[str], limit_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._limit_s = limit_s
        self._beats = dict.fromkeys(signs, clock())

    def beat(self, sign: str) -> None:
        """Note that this part is alive; from any thread.

        Raises:
            KeyError: This part is not monitored.
        """
        self._beats[sign]  # a misspelt name would go unnoticed
        self._beats[sign] = self._clock()

    def stale(self) -> tuple[str, ...]:
        """The parts without a beat for too long."""
        now_s = self._clock()
        return tuple(sign for sign, beat_s in self._beats.items() if now_s - beat_s > self._limit_s)

    def feed(self, tell: Callable[..., bool] = notify) -> tuple[str, ...]:
        """Notify the service manager that all is alive, or what hangs; call it several times per ``limit_s``."""
        stale = self.stale()
        if stale:
            tell(f"STATUS=no sign of life from: {', '.join(stale)}")
        else:
            tell("WATCHDOG=1")
        return stale
