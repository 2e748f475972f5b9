"""``companion run`` as a program of its own: started on a free port, asked, and ended."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


class TableProgram:
    """One `companion run` on a free port."""

    def __init__(self, data: Path, port: int, *words: str) -> None:
        self.port = port
        self.data = data
        self.log = data.parent / f"log-{time.monotonic_ns()}"
        with self.log.open("w") as paper:
            self.program = subprocess.Popen(
                [sys.executable, "-m", "companion", "run", "--port", str(port), "--data", str(data), *words],
                cwd=ROOT, stdout=paper, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
        until(self.serves, "the scoreboard")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> str:
        return self.log.read_text("utf-8")

    def serves(self) -> bool:
        assert self.program.poll() is None, self.said
        try:
            return self.get("/api/v1/health")[0] == 200
        except OSError:
            return False

    def get(self, path: str) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request("GET", path)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        finally:
            line.close()

    def standing(self) -> dict[str, Any]:
        return json.loads(self.get("/api/v1/standing")[1])

    def entries(self, count: int, after: int | None = None) -> list[dict[str, Any]]:
        """The next entries that the events tell."""
        heard: list[dict[str, Any]] = []
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        line.request("GET", "/api/v1/events", headers={} if after is None else {"Last-Event-ID": str(after)})
        answer = line.getresponse()
        assert answer.getheader("Content-Type", "").startswith("text/event-stream")
        kind = ""
        until_s = time.monotonic() + PATIENCE_S
        try:
            while len(heard) < count and time.monotonic() < until_s:
                text = answer.readline().decode().rstrip("\n")
                kind = text.removeprefix("event: ") if text.startswith("event: ") else kind
                if text.startswith("data: ") and kind != "snapshot":
                    told = json.loads(text.removeprefix("data: "))
                    if told.get("entry"):
                        heard.append(told["entry"])
                kind = kind if text else ""
        finally:
            line.close()
        assert len(heard) == count, self.said
        return heard

    def eye(self) -> int | None:
        """The process that looks; ``None`` while there is none."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.program.pid), "-f", "spawn_main"], capture_output=True, text=True, check=False
        )
        return int(found.stdout.split()[0]) if found.stdout.strip() else None

    def export(self) -> list[dict[str, Any]]:
        """The record as the log on disk has it."""
        run = [sys.executable, "-m", "companion"]
        listed = subprocess.run(
            [*run, "matches", "--data", str(self.data)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout.split()
        exported = subprocess.run(
            [*run, "export", listed[0], "--data", str(self.data)],
            cwd=ROOT, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
        return [json.loads(line) for line in exported.stdout.splitlines()[1:]]

    def ask(self, method: str, path: str, code: str = "", body: Any = None) -> tuple[int, bytes]:
        """Ask as somebody; a body of bytes is sent as it is, all else as JSON."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        plain = isinstance(body, bytes)
        headers = {"Content-Type": "application/octet-stream" if plain else "application/json"}
        if code:
            headers["Authorization"] = f"Bearer {code}"
        try:
            line.request(method, path, body if plain or body is None else json.dumps(body), headers)
            answer = line.getresponse()
            return answer.status, answer.read()
        finally:
            line.close()

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.program.send_signal(number)
        return self.program.wait(PATIENCE_S)


def until(done: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> None:
    limit_s = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < limit_s, f"waited {seconds:.0f} s for {what}"
        time.sleep(0.1)
