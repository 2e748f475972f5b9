"""The evening in WebKit, the engine of every iPhone, and in Firefox: until something moves, joining, a turn, Stop!, a
refusal, the end, a rematch, a lost network. Pictures of both are kept in ``build/screens`` to be looked at.

WebKit needs ``webkit2gtk-driver`` and ``xvfb``, Firefox ``firefox-esr``. What is missing is said and skipped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.browser import SCREENS
from support.firefox import Firefox
from support.real_desk import HOST_CODE, MATCH, NAMES, RealDesk, code_of, short_of

from companion.public.i18n import Translations
from web.app import create_app
from web.middleware.access import cookie_name
from web.server import Server

pytestmark = [
    pytest.mark.browser,
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # Selenium warns of itself
]
MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE_S = 30.0
Serve = Callable[..., str]


class Phone:
    """A page in one of the engines, by what people see on it."""

    def __init__(self, driver: Any, name: str) -> None:
        self.driver = driver
        self._folder = SCREENS / name
        self._folder.mkdir(parents=True, exist_ok=True)
        driver.set_window_size(420, 900)

    def open(self, address: str, code: str | None = None) -> None:
        self.driver.get(address)
        if code:
            self.driver.delete_all_cookies()
            self.driver.add_cookie({"name": cookie_name(urlsplit(address).netloc), "value": code, "path": "/"})
            self.driver.get(address)
        self.until("document.documentElement?.dataset.link === 'live'")

    def until(self, condition: str) -> Any:
        """Waits until a script's expression is true, and answers with it."""
        from selenium.common.exceptions import TimeoutException
        from selenium.webdriver.support.ui import WebDriverWait

        waiting = WebDriverWait(self.driver, PATIENCE_S, 0.2)
        try:
            return waiting.until(lambda driver: driver.execute_script(f"return {condition}"))
        except TimeoutException as late:
            seen = self.driver.execute_script("return [location.href, document.body.innerText]")
            raise AssertionError(f"{condition} did not come; the page says {seen}") from late

    def says(self, where: str, words: str) -> None:
        """Waits until these words can be read there."""
        self.until(f"[...document.querySelectorAll({where!r})].some((one) => one.innerText.includes({words!r}))")

    def press(self, words: str) -> None:
        """Presses the button with these words, as a finger does: where it is seen."""
        found = f"[...document.querySelectorAll('button')].find((one) => one.innerText.includes({words!r}))"
        self.until(f"{found}?.checkVisibility() && !{found}.disabled")
        button = self.driver.execute_script(f"const one = {found}; one.scrollIntoView({{block: 'center'}}); return one")
        button.click()

    def picture(self, name: str) -> None:
        self.driver.save_screenshot(str(self._folder / f"{name}.png"))


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen that nobody sees."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed: apt-get install xvfb")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], pass_fds=(write,)
    )
    os.close(write)
    with os.fdopen(read) as told:
        yield f":{told.readline().strip()}"
    server.terminate()
    server.wait(timeout=10)


@pytest.fixture(scope="module")
def webkit(display: str) -> Iterator[Phone]:
    webdriver = pytest.importorskip("selenium.webdriver")
    if MINI_BROWSER is None or shutil.which("WebKitWebDriver") is None:
        pytest.skip("WebKit is not installed: apt-get install webkit2gtk-driver")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(MINI_BROWSER)
    options.add_argument("--automation")
    # The sandbox of its processes needs rights that a test has not.
    here = {**os.environ, "DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    service = webdriver.webkitgtk.service.Service(shutil.which("WebKitWebDriver"), env=here)
    driver = webdriver.WebKitGTK(options=options, service=service)
    yield Phone(driver, "webkit")
    driver.quit()


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    pytest.importorskip("marionette_driver")
    if FIREFOX is None:
        pytest.skip("Firefox is not installed: apt-get install firefox-esr")
    with Firefox(FIREFOX, tmp_path_factory.mktemp("firefox")) as driver:
        yield Phone(driver, "firefox")


@pytest.fixture(params=["webkit", "firefox"])
def phone(request: pytest.FixtureRequest) -> Phone:
    found: Phone = request.getfixturevalue(request.param)
    found.driver.get("about:blank")
    return found


def test_somebody_watches_joins_takes_a_turn_and_is_refused(phone: Phone, serve: Serve):
    desk = RealDesk()
    desk.lay(1)
    address = serve(desk)
    phone.open(address)
    desk.lay(1)
    phone.says("[data-seat='1'] [data-points]", "3")
    phone.picture("scoreboard")
    phone.open(f"{address}/join")
    phone.driver.find_element("id", "code").send_keys(short_of(1))
    phone.press("Join")
    phone.until("location.pathname === '/seat' && document.documentElement.dataset.link === 'live'")
    phone.says("#mine", "your turn")
    phone.picture("seat")
    phone.press("End turn")
    phone.says("#mine", "Ben plays")
    assert desk.moves[-1]["do"] == "end_turn"
    desk.refuse("3-5")
    phone.says("#verdict .said", "still needs")
    phone.says("#verdict .stays", "Ben, take Cave painting back.")
    seen = "document.querySelector('[data-slot=\"3-5\"]').getBoundingClientRect()"
    assert phone.until(f"Math.abs({seen}.left) < innerWidth")  # its era was turned to
    phone.picture("refusal")
    desk.take_back("3-5")
    phone.until("!document.querySelector('#verdict .said').innerText")


def test_somebody_says_stop_in_a_silent_game(phone: Phone, serve: Serve):
    desk = RealDesk(profile="fr-bluff")
    desk.lay(2)
    phone.open(f"{serve(desk)}/seat", code_of(2))
    phone.press("Stop!")
    phone.until("document.querySelector('#verdict').dataset.kind === 'stop'")
    assert [move["do"] for move in desk.moves] == ["stop"]
    phone.until("document.querySelector('#note')?.innerText === ''")
    phone.picture("stop")


def test_the_end_is_shown_and_the_host_begins_again(phone: Phone, serve: Serve):
    desk = RealDesk()
    desk.lay(20)
    address = serve(desk)
    phone.open(f"{address}/host", HOST_CODE)
    desk.win()
    phone.says("#end .places", NAMES[desk.standing.winners[0] - 1])
    phone.until("document.querySelectorAll('#end .places li').length === 4")
    phone.picture("end")
    phone.press("Rematch")
    phone.until("document.documentElement?.dataset.link === 'live' && document.querySelector('#end')?.hidden")
    assert desk.id != MATCH


def test_a_lost_network_is_said_and_found_again(phone: Phone, words: Translations):
    desk = RealDesk()
    desk.lay(2)
    first = Server(create_app(desk, words), 0, "127.0.0.1")
    phone.open(f"http://127.0.0.1:{first.port}/seat", code_of(1))
    first.close()
    phone.says("#away", "No connection to the table")
    phone.until("[...document.querySelectorAll('.acts button')].every((one) => one.disabled)")
    phone.picture("lost")
    desk.lay(1)
    with Server(create_app(desk, words), first.port, "127.0.0.1"):
        phone.until("document.querySelector('#away').hidden")
        phone.says("[data-seat='1'] [data-points]", "6")


def test_the_report_plays_and_shows_a_refusal(phone: Phone, serve: Serve):
    desk = RealDesk()
    desk.lay(3)
    desk.refuse("2-7")
    desk.take_back("2-7")
    desk.win()
    phone.open(f"{serve(desk)}/matches/{MATCH}")
    phone.driver.execute_script("document.querySelector('.moves .no a').click()")
    phone.until("document.querySelectorAll('#map .refused').length === 1")
    phone.picture("report")
    phone.driver.execute_script("document.querySelector('#speed').selectedIndex = 2")  # the fastest
    phone.press("Play")
    phone.until("document.querySelector('#scrub').value === document.querySelector('#scrub').max")
