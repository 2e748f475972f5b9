"""Signs of life for the service manager, for as long as the referee answers and the eye looks."""

from __future__ import annotations

import threading

from companion.service.runner import MatchRunner
from companion.system.systemd import Watchdog, notify, watchdog_s


class Heartbeat:
    """Says nothing where no service manager listens. Close it."""

    def __init__(self, runner: MatchRunner) -> None:
        self._runner = runner
        self._watchdog: Watchdog | None = None
        self._watches_eye = False
        self._over = threading.Event()

    def start(self, *, eye: bool) -> None:
        """The table is ready; ``eye``: one looks, and must go on."""
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
        """The eye goes on."""
        if self._watchdog is not None and self._watches_eye:
            self._watchdog.beat("eye")

    def close(self) -> None:
        """Say no more."""
        self._over.set()
