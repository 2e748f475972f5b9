"""Heartbeats for the service manager, as long as the referee and the camera's process respond."""

from __future__ import annotations

import threading

from companion.service.runner import MatchRunner
from companion.system.systemd import Watchdog, notify, watchdog_s


class Heartbeat:
    """Does nothing without a service manager. Close it."""

    def __init__(self, runner: MatchRunner) -> None:
        self._runner = runner
        self._watchdog: Watchdog | None = None
        self._watches_eye = False
        self._over = threading.Event()

    def start(self, *, eye: bool) -> None:
        """The table is ready; ``eye``: the camera's process is running and must keep looking."""
        notify("READY=1")
        if (limit_s := watchdog_s()) is None:
            return
        watchdog = Watchdog(("eye", "referee") if eye else ("referee",), limit_s)
        self._watchdog, self._watches_eye = watchdog, eye

        def beat() -> None:
            while not self._over.wait(limit_s / 4):
                self._runner.submit(lambda: watchdog.beat("referee"))
                watchdog.feed()

        threading.Thread(target=beat, name="heartbeat", daemon=True).start()

    def eye_looked(self) -> None:
        if self._watchdog is not None and self._watches_eye:
            self._watchdog.beat("eye")

    def close(self) -> None:
        self._over.set()
