"""A stranger's game, camera, lamp and plug-in: wheels beside the companion's, used, broken, and taken away again."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import pytest
from support.documented_packages import write_all, written
from support.ports import free_port
from support.wled_strip import WledStrip

from companion.games import registry
from vision.synthetic.scene import Scene

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

    def package(self, name: str, module: str) -> Path:
        """A module of an installed package."""
        return next(self.folder.glob(f"venv/lib/python3*/site-packages/{name}/{module}"))

    def remove(self, *packages: str) -> None:
        ran(self.folder / "venv/bin/python", "-m", "pip", "uninstall", "-q", "-y", *packages, cwd=self.folder)

    @contextmanager
    def running(self, *words: str, source: str = "simulated") -> Iterator[Page]:
        port = free_port()
        command = [self.folder / "venv/bin/companion", "run", "--source", source, "--port", str(port), *words]
        with (self.folder / "log").open("w") as log:
            program = subprocess.Popen(
                [*command, "--data", self.data], cwd=self.folder, env=CLEAN, stdout=log, stderr=log
            )
            try:
                page = Page(f"http://127.0.0.1:{port}")
                page.until(lambda: source != "simulated" or page.json("standing")["number"] > 0)
                page.until(lambda: page.json("health"))
                yield page
                assert program.poll() is None, (self.folder / "log").read_text()
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


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


def test_a_stranger_s_game_is_installed_played_broken_and_taken_away(house: House) -> None:
    tmp_path = house.folder
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

    house.package("rings", "game.py").write_text("import a_package_that_is_not_there\n")
    with house.running() as page:
        assert "game" not in page.json("match")  # the default game
    assert "the game rings does not load (ModuleNotFoundError" in (tmp_path / "log").read_text()

    house.remove("companion-rings")
    listed = house.companion("matches", "--data", house.data)
    assert f"{match['id']}: the game 'rings' is not installed here" in listed.stderr
    assert [line.split()[0] for line in listed.stdout.splitlines()][-1] == match["id"]
    with house.running() as page:
        assert "The game “rings” is not installed here" in page.text("/matches")
        assert [line["id"] for line in page.json("matches")["matches"] if line.get("missing")] == [match["id"]]


@contextmanager
def pictures_arriving(folder: Path) -> Iterator[None]:
    """A camera that puts a picture of a drawn table into a folder, four times a second."""
    folder.mkdir()
    layout = registry.open_match(registry.demo_match(), registry.demo_deck()).game.table.layout
    jpeg = cv2.imencode(".jpg", Scene(layout).render(()))[1].tobytes()
    ended = threading.Event()

    def work() -> None:
        for number in itertools.count():
            (folder / f"{number:06}.jpg").write_bytes(jpeg)
            (folder / f"{number - 20:06}.jpg").unlink(missing_ok=True)
            if ended.wait(0.25):
                return

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        ended.set()
        worker.join()


def test_a_stranger_s_camera_lamp_and_plug_in_are_installed_used_broken_and_taken_away(house: House) -> None:
    """All as docs/extending.md has them."""
    write_all(house.folder)
    for name in ("watchcamera", "wledlamp", "scorefile"):
        house.install(house.wheel(house.folder / name))
    assert "watch:…" in " ".join(house.companion("run", "--help").stdout.split())
    source = f"watch:{house.folder / 'pictures'}"
    house.data.mkdir(exist_ok=True)
    with WledStrip() as strip, pictures_arriving(house.folder / "pictures"):
        lamp, score = f'[panel]\nwled = "127.0.0.1:{strip.port}"\n', house.data / "score.txt"
        settings = house.data / "settings.toml"
        settings.write_text(f'{lamp}[scorefile]\nfile = "score.txt"\n', "utf-8")
        match = house.folder / "match.toml"
        match.write_text('profile = "fr-explore"\n[[seat]]\nname = "Ana"\n[[seat]]\nname = "Ben"\n', "utf-8")
        with house.running("--match", str(match), source=source) as page:
            page.until(lambda: page.json("health")["camera"] == "ok")
            page.until(lambda: strip.told)
            page.until(lambda: score.is_file() and score.read_text() == "0 : 0")
        assert not score.exists()

        house.package(".", "watchcamera.py").write_text(
            written("watchcamera/watchcamera.py").replace("yield", "1 / 0\n            yield")
        )
        house.package(".", "wledlamp.py").write_text("import a_package_that_is_not_there\n")
        house.package(".", "scorefile.py").write_text("import os\nos._exit(3)\n")
        with house.running(source=source) as page:
            page.until(lambda: page.json("health")["camera"] == "camera")
            assert "Discovery" in page.text("/")
        log = (house.folder / "log").read_text()
        assert "the lamp wled is left out: ModuleNotFoundError" in log
        assert "the camera has failed (division by zero)" in log
        assert "the plug-in scorefile does not load (its import ends the process (os._exit))" in log

    house.remove("companion-watchcamera", "companion-wledlamp", "companion-scorefile")
    said = house.companion("run", "--source", source, "--data", house.data, status=2).stderr
    assert f"{settings}, line 3: scorefile: there is no such section" in said
    settings.unlink()
    said = house.companion("run", "--source", source, "--data", house.data, status=2).stderr
    assert "there is no such folder or film; a camera is named picamera" in said
