"""A stranger's game: a wheel beside the companion's wheel, refereed through pixels, broken, and taken away again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.ports import free_port

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.long
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COMPANION"))}


def ran(*command: object, cwd: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*map(str, command)], cwd=cwd, env=CLEAN, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout[-2000:] + done.stderr[-2000:]
    return done


class House:
    """An environment with nothing but the companion's wheel and what it depends on."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        copy = folder / "project"  # a build leaves folders behind
        ignore = shutil.ignore_patterns(".*", "build", "tests", "*.egg-info")
        shutil.copytree(ROOT, copy, ignore=ignore)
        ran(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
        self.install(self.wheel(copy))

    def wheel(self, project: Path) -> Path:
        built = self.folder / f"wheel-of-{project.name}"
        ran(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", built, project, cwd=self.folder)
        return next(built.glob("*.whl"))

    def install(self, wheel: Path) -> None:
        ran(self.folder / "venv/bin/python", "-m", "pip", "install", "-q", wheel, cwd=self.folder)

    def companion(self, *words: object, status: int = 0) -> subprocess.CompletedProcess[str]:
        return ran(self.folder / "venv/bin/companion", *words, cwd=self.folder, status=status)

    @contextmanager
    def running(self, *words: str) -> Iterator[Page]:
        port = free_port()
        command = [self.folder / "venv/bin/companion", "run", "--source", "simulated", "--port", str(port), *words]
        with (self.folder / "log").open("w") as log:
            program = subprocess.Popen(
                [*command, "--data", self.data], cwd=self.folder, env=CLEAN, stdout=log, stderr=log
            )
            try:
                page = Page(f"http://127.0.0.1:{port}")
                page.until(lambda: page.json("standing")["number"] > 0)
                yield page
            finally:
                program.send_signal(signal.SIGTERM)
                program.wait(timeout=30)


class Page:
    def __init__(self, address: str) -> None:
        self.address = address

    def text(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=20) as answer:
            return str(answer.read().decode())

    def json(self, path: str) -> Any:
        return json.loads(self.text(f"/api/v1/{path}"))

    def until(self, done: Any, most_s: float = 240.0) -> None:
        end_s = time.monotonic() + most_s
        while time.monotonic() < end_s:
            try:
                if done():
                    return
            except OSError:
                pass
            time.sleep(0.5)
        raise AssertionError("that did not come")


def test_a_stranger_s_game_is_installed_played_broken_and_taken_away(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.companion("game", "new", "rings", "--into", tmp_path)
    house.install(house.wheel(tmp_path / "rings"))
    assert house.companion("game", "check", "rings").stdout.count("yes  ") > 10
    with house.running("--game", "rings") as page:
        page.until(lambda: page.json("standing")["number"] >= 8)
        (match,) = page.json("matches")["matches"]
        assert (match["game"], match["running"]) == ("rings", True)
        assert "/games/rings/table.js" in page.text("/watch")
        assert "drawMap" in page.text("/games/rings/table.js")
        assert "Lay your four counters" in page.text("/how?game=rings")

    spoilt = next(tmp_path.glob("venv/lib/python3*/site-packages/rings/game.py"))
    spoilt.write_text("import a_package_that_is_not_there\n")
    with house.running() as page:
        assert "game" not in page.json("match")  # the default game
    assert "the game rings does not load (ModuleNotFoundError" in (tmp_path / "log").read_text()

    ran(tmp_path / "venv/bin/python", "-m", "pip", "uninstall", "-q", "-y", "companion-rings", cwd=tmp_path)
    listed = house.companion("matches", "--data", house.data)
    assert f"{match['id']}: the game 'rings' is not installed here" in listed.stderr
    assert [line.split()[0] for line in listed.stdout.splitlines()][-1] == match["id"]
    with house.running() as page:
        assert "The game “rings” is not installed here" in page.text("/matches")
        assert [line["id"] for line in page.json("matches")["matches"] if line.get("missing")] == [match["id"]]
