"""Pages that may not do something say it and go on: blocked storage, a part that throws, too many pages, no cookies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.ports import free_port
from support.reopened_table import Table, table

from companion.storage.backup import make_copy
from companion.storage.event_log import LOG_FILE
from companion.storage.restore import replace_log

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

REFUSE = """
for (const name of ['localStorage', 'sessionStorage', 'BroadcastChannel', 'AudioContext', 'speechSynthesis'])
  Object.defineProperty(window, name, {get() { throw new DOMException('Access is denied', 'SecurityError') }});
Object.defineProperty(navigator, 'wakeLock', {value: {request() { throw new TypeError('not here') }}});
Object.defineProperty(navigator, 'vibrate', {value() { throw new TypeError('not here') }});
"""
"""A browser that refuses all that it may refuse."""

FOLLOW = ("/", "/watch", "/tv", "/overlay", "/seat", "/host")
OTHERS = ("/setup", "/eye", "/matches", "/decks", "/deck", "/print", "/doctor", "/how", "/join", "/check", "/read")
DRAWN = "document.getElementById('main').innerHTML"
NUMBER = "JSON.parse(document.getElementById('start')?.textContent ?? '{}').now?.number"
LINK = "document.documentElement.dataset.link"


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path, 0) as now:
        now.play(2)
        yield now


def address(playing: Table) -> str:
    assert playing.server is not None
    return f"http://127.0.0.1:{playing.server.port}"


def guest(chromium: Browser, playing: Table, seat: int | None = None) -> BrowserContext:
    """A browser that has joined."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    context.request.get(f"{address(playing)}/join/{playing.code(seat)}")
    return context


def eventually(holds: Callable[[], object], seconds: float = 30.0) -> None:
    until_s = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.1)


def is_live(page: Page) -> None:
    eventually(lambda: page.evaluate(LINK) == "live")


def draws(page: Page, before: str) -> None:
    """Another state than this."""
    eventually(lambda: page.evaluate(DRAWN) != before)


@pytest.mark.browser
@pytest.mark.parametrize("path", FOLLOW)
def test_a_page_follows_the_table_in_a_browser_that_refuses_everything(chromium: Browser, playing: Table, path: str):
    context = guest(chromium, playing, 1 if path == "/seat" else None)
    context.add_init_script(REFUSE)
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address(playing) + path)
    is_live(page)
    before = page.evaluate(DRAWN)
    playing.lay()
    draws(page, before)
    assert page.evaluate(LINK) == "live"
    assert errors == []
    context.close()


@pytest.mark.browser
def test_no_other_page_throws_there(chromium: Browser, playing: Table):
    context = guest(chromium, playing)
    context.add_init_script(REFUSE)
    found: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: found.append(f"{page.url}: {error}"))
    for path in OTHERS:
        page.goto(address(playing) + path)
        is_live(page)
    assert found == []
    context.close()


BROKEN = {
    "drawing": "export function draw() { return () => { throw new Error('a broken part') } }",
    "beginning": "export function draw() { throw new Error('a broken part') }",
    "loading": "throw new Error('a broken part')",
}
"""Scripts of a game's part of a page, by when they throw."""


@pytest.mark.browser
def test_the_wizard_shows_one_step_where_nothing_may_be_kept(chromium: Browser, playing: Table):
    context = guest(chromium, playing)
    context.add_init_script(REFUSE)
    page = context.new_page()
    page.goto(f"{address(playing)}/setup")
    steps = "[...document.querySelectorAll('.step')].filter(one => !one.hidden).map(one => one.querySelector('h2').id)"
    eventually(lambda: len(page.evaluate(steps)) == 1)
    first = page.evaluate(steps)
    page.locator("#skip").click()
    eventually(lambda: len(page.evaluate(steps)) == 1 and page.evaluate(steps) != first)
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("path", "script"),
    [
        *(pytest.param("/watch", script, id=f"/watch-{when}") for when, script in BROKEN.items()),
        # What a page does about it is the same for all three.
        *(pytest.param(path, BROKEN["drawing"], id=f"{path}-drawing") for path in ("/tv", "/seat", "/host")),
        *(
            pytest.param(path, BROKEN[when], id=f"{path}-{when}", marks=pytest.mark.long)
            for path in ("/tv", "/seat", "/host")
            for when in ("beginning", "loading")
        ),
    ],
)
def test_a_part_that_throws_costs_itself_and_the_host_s_check_up_hears_of_it_once(
    chromium: Browser, playing: Table, path: str, script: str
):
    context = guest(chromium, playing, 1 if path == "/seat" else None)
    page = context.new_page()
    broken = "host.js" if path == "/host" else "table.js"
    if path == "/host":
        script = script.replace("export function draw()", "export function spoken()")
    page.route(
        f"**/games/discovery/{broken}*", lambda route: route.fulfill(body=script, content_type="text/javascript")
    )
    page.goto(address(playing) + path)
    is_live(page)
    for _ in range(3):
        before = page.evaluate(DRAWN)
        playing.lay()
        draws(page, before)
    assert page.evaluate(LINK) == "live"
    head = {"Authorization": f"Bearer {playing.code()}"}

    def told() -> list[Any]:
        return [
            one
            for one in playing.client.get("/api/v1/doctor", headers=head).get_json()["findings"]
            if one["name"] == "pages"
        ]

    if path != "/host" or playing.client.get("/api/v1/match").get_json()["match"].get("spoken"):
        eventually(told)
        assert len(told()) == 1
        assert path in told()[0]["what"]
        assert "a broken part" in told()[0]["what"]
    context.close()


@pytest.mark.browser
def test_more_pages_of_one_browser_than_it_has_connections_all_go_on(chromium: Browser, playing: Table):
    context = guest(chromium, playing)
    pages = []
    for _ in range(9):
        page = context.new_page()
        page.goto(f"{address(playing)}/watch")
        pages.append(page)
    eventually(lambda: sum(page.evaluate(LINK) == "live" for page in pages) <= 3)
    before = pages[0].evaluate(DRAWN)
    playing.lay()
    for page in (pages[0], pages[4], pages[-1]):
        # One that is starved waits until a stream ends, which none does while these pages are open.
        page.evaluate(
            """async () => (await fetch('/api/v1/standing', {cache: 'no-store', signal: AbortSignal.timeout(20_000)}))
            .json()"""
        )
    for page in pages:
        draws(page, before)
        assert page.evaluate(LINK) in ("live", "asking")
    for page in pages[3:]:
        page.close()
    for page in pages[:3]:
        is_live(page)
    context.close()


@pytest.mark.browser
def test_a_hidden_page_lets_its_stream_go_and_has_it_again_when_it_is_seen(chromium: Browser, playing: Table):
    context = guest(chromium, playing)
    context.add_init_script(
        "window.seen = 'visible'; Object.defineProperty(document, 'visibilityState', {get: () => window.seen});"
    )
    page = context.new_page()
    page.goto(f"{address(playing)}/watch")
    streams = playing.app.extensions["context"].streams
    eventually(lambda: streams.listeners == 1)
    page.evaluate("window.seen = 'hidden'; document.dispatchEvent(new Event('visibilitychange'))")
    eventually(lambda: streams.listeners == 0)
    playing.play(2)
    page.evaluate("window.seen = 'visible'; document.dispatchEvent(new Event('visibilitychange'))")
    eventually(lambda: streams.listeners == 1)
    is_live(page)
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/watch", "/host", "/tv"])
def test_an_open_page_shows_the_restored_state_at_once_and_says_so(chromium: Browser, tmp_path: Path, path: str):
    port = free_port()
    with table(tmp_path, port) as now:
        now.play(2)
        make_copy(tmp_path / LOG_FILE, tmp_path / "early.sqlite")
        now.play(5)
        context = guest(chromium, now)
        page = context.new_page()
        page.goto(address(now) + path)
        is_live(page)
    replace_log(tmp_path, tmp_path / "early.sqlite")
    with table(tmp_path, port) as now:
        page.wait_for_selector("#toast", state="attached")
        assert page.evaluate(NUMBER) == 2
        assert page.text_content("#toast") == "An earlier state of the table was brought back. This is what counts now."
        is_live(page)
        page.reload()
        is_live(page)
        assert page.locator("#toast").count() == 0, "it is said once"
    context.close()


def test_a_join_link_without_cookies_says_so(tmp_path: Path):
    with table(tmp_path) as now:
        browser = now.app.test_client(use_cookies=False)
        for seat, own in ((None, "/host"), (1, "/seat")):
            led = browser.get(f"/join/{now.code(seat)}")
            assert (led.status_code, led.location) == (303, own)
            told = browser.get(own, headers={"Accept-Language": "en"})
            assert told.status_code == 403
            assert "This browser keeps no cookies" in told.get_data(as_text=True)
        stranger = browser.get("/host", environ_base={"REMOTE_ADDR": "192.0.2.7"}, headers={"Accept-Language": "en"})
        assert "Join first" in stranger.get_data(as_text=True)
