"""The Wi-Fi of the house, named by the host on a page: checked, handed to root's helper, and its result reported."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.box.home_wifi import (
    STATUS,
    HomeWifi,
    Network,
    forget,
    hand_over,
    makes_its_own,
    networks,
)
from companion.box.root_helper import last_status, status_ns
from companion.errors import InputError
from companion.public.results import WifiConnection
from companion.public.service import Denied, Done, Invalid, Result, Role, Stale, Unavailable, User
from companion.public.text import JSON, Text
from companion.system.doctor import ask as ask_program

PATIENCE_S = 240.0
"""If the helper's status has not changed after this time, its unit is disabled."""
BEFORE_S = 300.0
"""How long after the start it scans for networks: most radios cannot scan while they provide one."""
LOOK_S = 10.0
TICK_S = 0.5


class HostWifi:
    """A ``companion.public.machine.WifiService`` of an installed box with a radio.

    Args:
        data: The data folder.
        ask: Runs a program, and returns its output; ``None`` if it failed.
        clock: Monotonic seconds.
        status_file: The helper's status.
    """

    def __init__(
        self,
        data: Path,
        ask: Callable[..., str | None] = ask_program,
        clock: Callable[[], float] = time.monotonic,
        *,
        status_file: Path = STATUS,
    ) -> None:
        self._data, self._ask, self._clock, self._status_file = data, ask, clock, status_file
        self._lock = threading.Lock()
        self._waits_since_s: float | None = None
        self._known_ns = 0
        self._before: tuple[Network, ...] = ()
        self._over = threading.Event()
        forget(data)  # an order left from before a power cut

    def look_around(self) -> None:
        """Remember the networks in reach, until the box opens its own; starts a thread, which ``close`` ends."""
        until_s = self._clock() + BEFORE_S

        def look() -> None:
            while self._clock() < until_s and not makes_its_own(self._ask):
                self._networks()
                if self._over.wait(LOOK_S):
                    return

        threading.Thread(target=look, name="look-around", daemon=True).start()

    def close(self) -> None:
        self._over.set()

    def state(self, user: User) -> Result[WifiConnection]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            is_busy = self._is_busy()
        word, name = last_status(self._status_file)
        own = makes_its_own(self._ask)
        reached, now = self._networks()
        last = Text(f"wifi.{word}", {"what": name}) if word in ("done", "failed", "refused") and not is_busy else None
        listed: list[JSON] = [{"name": one.name, "secured": one.secured, "signal": one.signal} for one in reached]
        return Done(
            {
                "state": "working" if is_busy else "idle",
                "own": own,
                "now": None if own else now,
                "networks": listed,
                "last": last,
                "address": f"http://{socket.gethostname().partition('.')[0]}.local",
            }
        )

    def join(self, user: User, name: str, password: str) -> Result[WifiConnection]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        try:
            wifi = HomeWifi(name, password, hidden=name not in {one.name for one in self._networks()[0]})
        except InputError as wrong:
            return Invalid.of(wrong)
        with self._lock:
            if self._is_busy():
                return Stale(Text("wifi.busy"))
            self._known_ns = status_ns(self._status_file)
            try:
                hand_over(wifi, self._data)
            except OSError as wrong:
                forget(self._data)
                return Unavailable(Text("problem.box_kept", {"what": wrong.strerror or str(wrong)}))
            self._waits_since_s = self._clock()
        threading.Thread(target=self._await_helper, name="home-wifi", daemon=True).start()
        return self.state(user)

    def _await_helper(self) -> None:
        """Delete the order, with its password, as soon as possible."""
        while not self._over.wait(TICK_S):
            with self._lock:
                self._is_busy()
                if self._waits_since_s is None:
                    return

    def _is_busy(self) -> bool:
        if self._waits_since_s is not None and (
            status_ns(self._status_file) != self._known_ns or self._clock() - self._waits_since_s > PATIENCE_S
        ):
            self._waits_since_s = None
            forget(self._data)
        return self._waits_since_s is not None or last_status(self._status_file)[0] == "working"

    def _networks(self) -> tuple[tuple[Network, ...], str | None]:
        """The networks in reach now, and those before the box opened its own."""
        fields = ("nmcli", "-t", "-e", "no", "-f", "IN-USE,SIGNAL,SECURITY,SSID", "device", "wifi", "list")
        reached, now = networks((self._ask(*fields, "--rescan", "no") or "").split("\n"))
        if not makes_its_own(self._ask):
            self._before = reached or self._before
            return reached, now
        return tuple({one.name: one for one in (*self._before, *reached) if one.name != now}.values()), now
