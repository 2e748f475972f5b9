"""A running companion under a camera with an address: what it says of it anywhere, and whether it comes back."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.flat_table import Laid
from support.mjpeg_server import PASSWORD, USER, MjpegServer
from support.ports import free_port

ROOT = Path(__file__).parents[2]
PATIENCE_S = 90.0
PRIVATE = ("/host", "/setup", "/doctor", "/api/v1/doctor", "/api/v1/health", "/api/v1/match", "/api/v1/box")


class Box:
    """One `companion run` whose camera is named in its settings."""

    def __init__(self, data: Path, address: str) -> None:
        data.mkdir()
        (data / "settings.toml").write_text(f'[camera]\nsource = "{address}"\n')
        self.port = free_port()
        self.paper = data.parent / "said"
        words = [sys.executable, "-m", "companion", "--verbose", "run", "--port", str(self.port), "--data", str(data)]
        with self.paper.open("w") as paper:
            self.program = subprocess.Popen(words, cwd=ROOT, stdout=paper, stderr=subprocess.STDOUT)

    @property
    def said(self) -> str:
        return self.paper.read_text("utf-8")

    def get(self, path: str) -> str:
        """As the host sees it."""
        code = re.search(r"host code (\S+ \S+) at", self.said)
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {} if code is None else {"Authorization": f"Bearer {code[1].replace(' ', '')}"}
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        body = answer.read().decode("utf-8", "replace") + str(answer.getheaders())
        line.close()
        assert answer.status in (200, 404), (path, answer.status, body)
        return body

    def health(self) -> Any:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            line.request("GET", "/api/v1/health")
            return json.loads(line.getresponse().read())
        except OSError:
            return None
        finally:
            line.close()

    def until(self, wanted: Callable[[Any], bool]) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        while (health := self.health()) is None or not wanted(health):
            assert self.program.poll() is None, self.said
            assert time.monotonic() < deadline_s, (health, self.said)
            time.sleep(0.2)


@pytest.mark.long
def test_the_password_of_a_camera_is_told_nowhere_whatever_becomes_of_it(tmp_path: Path):
    with MjpegServer([Laid("C12", 400, 300)], guarded=True) as camera:
        box = Box(tmp_path / "data", camera.address)
        told: list[str] = []
        try:
            box.until(lambda health: health["camera"] in ("ok", "table") and health["pictures"]["trouble"] is None)
            assert box.health()["source"] == f"http://127.0.0.1:{camera.port}"
            told += [box.get(path) for path in PRIVATE]
            camera.gone()
            box.until(lambda health: health["pictures"]["trouble"] == "unreachable")
            assert box.health()["ok"] is False
            told += [box.get(path) for path in PRIVATE]
            camera.back()
            box.until(lambda health: health["camera"] in ("ok", "table"))
        finally:
            box.program.send_signal(signal.SIGTERM)
            box.program.wait(30)
        told.append(box.said)
        for path in (tmp_path / "data").rglob("*"):
            if path.is_file() and path.name != "settings.toml":
                told.append(path.read_bytes().decode("latin-1"))
        words = [sys.executable, "-m", "companion", "doctor", "--port", "1", "--data", str(tmp_path / "data")]
        doctor = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        told.append(doctor.stdout + doctor.stderr)
        assert f"http://127.0.0.1:{camera.port} gives pictures" in doctor.stdout
        words[3:] = ["run", "--source", camera.address.replace("/video", "@/video"), "--data", str(tmp_path / "data")]
        slip = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
        assert slip.returncode == 2
        told.append(slip.stdout + slip.stderr)
    assert "the eye is opened again" in box.said
    for text in told:
        assert PASSWORD not in text
        assert f"{USER}:" not in text
