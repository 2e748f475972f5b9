"""Firefox as the tests drive it: over Marionette, which every Firefox speaks, with Mozilla's own client for it.

Selenium needs geckodriver, which no package registry has: it only passes on to Marionette what it is asked. A driver
here answers to those of Selenium's names that the tests of the pages use.
"""

from __future__ import annotations

import base64
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

START_S = 60.0


class Firefox:
    """A Firefox without a window, with a profile of its own.

    Raises:
        ImportError: ``marionette_driver`` is not installed.
        OSError: It did not start within a minute.
    """

    def __init__(self, program: str, profile: Path) -> None:
        from marionette_driver.marionette import Marionette

        profile.mkdir(parents=True, exist_ok=True)
        (profile / "user.js").write_text('user_pref("marionette.port", 0);\n', "utf-8")  # any that is free
        self._process = subprocess.Popen(
            [program, "-headless", "-marionette", "-no-remote", "-profile", profile],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._marionette = Marionette(host="127.0.0.1", port=self._port(profile / "MarionetteActivePort"))
            self._marionette.start_session()
        except BaseException:
            self.quit()
            raise

    def _port(self, file: Path) -> int:
        """The port that it chose, which it writes into its profile when it listens."""
        late_s = time.monotonic() + START_S
        while time.monotonic() < late_s and self._process.poll() is None:
            if file.exists() and (port := file.read_text("utf-8").strip()):
                return int(port)
            time.sleep(0.1)
        raise OSError(f"Firefox did not listen within {START_S:.0f} s")

    def __enter__(self) -> Firefox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    def get(self, address: str) -> None:
        self._marionette.navigate(address)

    def execute_script(self, script: str) -> Any:
        return self._marionette.execute_script(script, sandbox=None)  # the page's own names and values

    def find_element(self, by: str, value: str) -> Any:
        return self._marionette.find_element(by, value)

    def delete_all_cookies(self) -> None:
        self._marionette.delete_all_cookies()

    def add_cookie(self, cookie: dict[str, str]) -> None:
        self._marionette.add_cookie(cookie)

    def set_window_size(self, width: int, height: int) -> None:
        """No narrower than 450 pixels: Firefox's windows are not."""
        self._marionette.set_window_rect(width=width, height=height)

    def save_screenshot(self, path: str) -> None:
        Path(path).write_bytes(base64.b64decode(self._marionette.screenshot(full=False)))

    def quit(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
