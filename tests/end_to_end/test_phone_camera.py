"""A phone leaning on a shelf is the camera: Chromium with a filmed match before its lens opens the page ``/eye``."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from support.browser import CHROMIUM
from support.film_report import DECK, RATE_HZ, Film, Told, table_match
from support.long_cases import rest_long
from support.ports import free_port
from support.real_table import patient_eye

from companion.app.https_front import PORTS_APART
from companion.app.table import RunningTable, TableOptions
from companion.history.codec import encode_line
from companion.storage.join_codes import host_codes
from companion.storage.toml_file import toml_text
from companion.system.console import lan_address
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.source import SimulatedTable
from web.middleware.access import cookie_name

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

WAITS_S = 240.0
BEFORE_S, AFTER_S = 6.0, 40.0
"""The first and the last picture are shown for so long: Chromium begins its film anew at the end."""

SCREENS = Path(__file__).parents[2] / "build" / "screens"
CAMERA = CameraModel(size_px=(1920, 1080), hfov_deg=60.0)


def write_film(path: Path, frames: Any) -> None:
    """As a camera that Chromium takes for real (YUV4MPEG2): grey pictures."""
    with path.open("wb") as out:
        last = b""
        for number, frame in enumerate(frames):
            height, width = frame.gray.shape
            if not number:
                out.write(f"YUV4MPEG2 W{width} H{height} F{round(RATE_HZ)}:1 Ip A1:1 C420jpeg\n".encode())
            last = b"FRAME\n" + frame.gray.tobytes() + np.full(height * width // 2, 128, np.uint8).tobytes()
            for _ in range(1 if number else round(BEFORE_S * RATE_HZ)):
                out.write(last)
        for _ in range(round(AFTER_S * RATE_HZ)):
            out.write(last)


@dataclass
class Table:
    """A companion that looks through a phone."""

    application: RunningTable
    address: str

    @property
    def code(self) -> str:
        return host_codes(self.application.runner.log)[0]

    @property
    def health(self) -> Any:
        return self.application.services.setup.health()

    def until(self, wanted: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + WAITS_S
        while not wanted():
            assert time.monotonic() < deadline_s, (self.health, self.lines()[-1:])
            time.sleep(0.1)

    def lines(self) -> list[Any]:
        match = self.application.runner.match
        return [] if match is None else [encode_line(line) for line in match.record.lines]


@contextmanager
def table(data: Path, match: Path | None) -> Iterator[Table]:
    port = free_port()
    with patient_eye(), ExitStack() as stack:
        application = RunningTable(TableOptions(data, "phone", match, port=port), stack)
        application.open()
        running = threading.Thread(target=application.runner.run)
        running.start()
        try:
            yield Table(application, f"http://127.0.0.1:{port}")
        finally:
            application.runner.stop()
            running.join(timeout=30)


@contextmanager
def browser(playwright: Playwright, film_file: Path) -> Iterator[Browser]:
    """A browser whose camera shows this film, and which finds ``.local`` and ``.lan`` on this machine."""
    arguments = ["--no-sandbox", "--disable-gpu", "--use-fake-ui-for-media-stream"]
    arguments += ["--use-fake-device-for-media-stream"]
    arguments += ["--host-resolver-rules=MAP *.local 127.0.0.1, MAP *.lan 127.0.0.1"]
    arguments += [f"--use-file-for-fake-video-capture={film_file}"]
    started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=arguments)
    yield started
    started.close()


def phone(among: Browser, at: Table, address: str) -> Page:
    """A phone of its own with the host's code, which opens the page."""
    context = among.new_context(viewport={"width": 360, "height": 740}, locale="en-GB", ignore_https_errors=True)
    context.set_default_timeout(60_000)
    context.add_cookies([{"name": cookie_name(urlsplit(address).netloc), "value": at.code, "url": address}])
    page = context.new_page()
    page.goto(f"{address}/eye")
    return page


@pytest.mark.long
@pytest.mark.browser
def test_a_match_is_refereed_through_the_camera_of_a_phone_that_opened_a_page(
    playwright: Playwright, tmp_path: Path
) -> None:
    """Every act is told once, in order, with its objections and points, and nothing else."""
    match = table_match(2, "fr-explore")
    film = Film(match, 4)
    acts = film.acts(42.0)
    shown = film.pictures(acts[-1].ends_s)
    write_film(tmp_path / "film.y4m", SimulatedTable(shown, film.scene(camera=CAMERA)))
    (tmp_path / "deck.toml").write_text(toml_text(DECK))
    (tmp_path / "match.toml").write_text(toml_text({**match, "deck": "deck.toml"}))
    truth = Told(match, acts)
    assert len(truth.happened) >= 5
    with table(tmp_path / "data", tmp_path / "match.toml") as at:
        at.until(lambda: at.health["pictures"]["trouble"] == "no-phone")
        with browser(playwright, tmp_path / "film.y4m") as among:
            page = phone(among, at, at.address)
            page.get_by_role("button", name="Be the camera").click()
            page.get_by_text("This phone sends 1920 × 1080 pixels").wait_for()
            at.until(lambda: len(story(truth, at).told) >= len(truth.happened))
            page.get_by_text("I see the table.").wait_for()
            assert at.health["pictures"]["trouble"] is None
            told = story(truth, at)
        at.until(lambda: at.health["pictures"]["trouble"] == "no-phone")
        assert at.health["camera"] == "camera", "the phone has gone; the match goes on"
    assert told.told == truth.happened


def look_at(page: Page, name: str) -> None:
    """Leave a picture for people."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / f"{name}.png", full_page=True)


def story(truth: Told, at: Table) -> Told:
    return Told(truth.match, truth.acts, at.lines())


@pytest.fixture
def some_film(tmp_path: Path) -> Path:
    """A dozen pictures of nothing in particular."""
    dice = np.random.default_rng(1)
    shades = [cv2.resize(dice.integers(0, 255, (9, 16), np.uint8), (640, 360)) for _ in range(12)]
    write_film(tmp_path / "film.y4m", [make_frame(np.asarray(one, np.uint8), 0.0) for one in shades])
    return tmp_path / "film.y4m"


@pytest.mark.long
@pytest.mark.browser
def test_two_phones_one_camera_and_a_page_without_https(
    playwright: Playwright, tmp_path: Path, some_film: Path
) -> None:
    """The second hears of the first and may take its place; and where no browser gives its camera, the page says so."""
    with table(tmp_path / "data", None) as at, browser(playwright, some_film) as among:
        first = phone(among, at, at.address)
        first.get_by_role("button", name="Be the camera").click()
        first.get_by_text("This phone sends 640 × 360 pixels").wait_for()
        look_at(first, "eye")
        second = phone(among, at, at.address)
        second.get_by_role("button", name="Be the camera").click()
        second.get_by_text("Another phone is the camera now.").wait_for()
        second.get_by_role("button", name="This phone instead").click()
        second.get_by_text("This phone sends 640 × 360 pixels").wait_for()
        first.get_by_text("Another phone is the camera now.").wait_for()
        assert first.get_by_role("button", name="Be the camera").is_visible()
        second.get_by_role("button", name="Stop").click()
        at.until(lambda: at.health["pictures"]["trouble"] == "no-phone")
        plain = phone(among, at, at.address.replace("127.0.0.1", "table.local"))
        plain.get_by_text("This page was opened without HTTPS").wait_for()
        assert plain.get_by_text("IP Webcam").is_visible()
        assert not plain.get_by_role("button", name="Be the camera").is_visible()
        look_at(plain, "eye-without-https")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", rest_long([f"{socket.gethostname().lower()}.local", "kitchen.lan", "127.0.0.1"]))
def test_a_phone_is_the_camera_over_the_table_s_own_https_which_nobody_has_set_up(
    name: str, playwright: Playwright, tmp_path: Path, some_film: Path
) -> None:
    """The link on the page leads to the same page over HTTPS, as host, and there the browser gives its camera."""
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed: apt-get install caddy")
    with table(tmp_path / "data", None) as at, browser(playwright, some_film) as among:
        port = int(at.address.rpartition(":")[2])
        plain = phone(among, at, f"http://{name}:{port}")
        reached = name if name.endswith(".local") else lan_address()
        secure = f"https://{reached}:{port + PORTS_APART}"
        link = plain.locator("#plain a[href^=https]").last
        assert link.text_content() == f"{secure}/eye"
        if name.endswith(".local"):
            look_at(plain, "eye-leads-to-https")
        context = among.new_context(locale="en-GB", ignore_https_errors=True)
        fresh = context.new_page()
        fresh.goto(link.get_attribute("href") or "")
        assert fresh.url == f"{secure}/eye"
        kept = [one["name"] for one in context.cookies() if one["name"].startswith("companion-")]
        assert kept == [f"companion-{port + PORTS_APART}"]
        fresh.get_by_role("button", name="Be the camera").click()
        fresh.get_by_text("This phone sends 640 × 360 pixels").wait_for()
        at.until(lambda: at.health["pictures"]["trouble"] is None)
