"""The wireless network goes away in the middle of an answer: it is as lost as one that never set out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, MATCH, RealDesk, code_of

from companion.public.i18n import Translations
from web.app import create_app
from web.server import Server

pytestmark = pytest.mark.browser

PAGES = {
    "/": None,
    "/watch": None,
    "/seat": code_of(2),
    "/host": HOST_CODE,
    "/join": None,
    "/matches": None,
    f"/matches/{MATCH}": HOST_CODE,
    "/setup": HOST_CODE,
    "/print": HOST_CODE,
    "/check": HOST_CODE,
    "/decks/ours": HOST_CODE,
}


class Halved:
    """An app whose answers to pages' own questions break off in the middle; pages and their streams arrive."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.broken: set[str] = set()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        answer = self._app(environ, start_response)
        if not path.startswith("/api/v1/") or path.endswith("/events"):
            return answer  # type: ignore[no-any-return]
        return self._half(path, answer)

    def _half(self, path: str, answer: Any) -> Iterator[bytes]:
        body = b"".join(answer)
        answer.close()
        if len(body) > 1:
            self.broken.add(path.removeprefix("/api/v1/"))
        yield body[: len(body) // 2]


def test_an_answer_that_breaks_off_in_the_middle_is_no_answer(
    words: Translations, visit: Callable[..., Page], desk: RealDesk
):
    """No script stumbles over it, and the page is still there; `visit` fails for what a script throws."""
    app = create_app(desk, words)
    app.wsgi_app = halved = Halved(app.wsgi_app)  # type: ignore[method-assign]
    server = Server(app, 0, "127.0.0.1")
    page = None
    for path, code in PAGES.items():
        page = visit(f"http://127.0.0.1:{server.port}{path}", code=code, expected=("ERR_", "decode"), leaving=page)
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        page.wait_for_timeout(300)  # what a page asks once it is open
        expect(page.locator("main")).to_be_visible()
    server.close()
    assert {"seat", "health", "recording"} <= halved.broken


def test_a_press_whose_answer_breaks_off_acts_once(words: Translations, visit: Callable[..., Page], desk: RealDesk):
    """It is sent again under its key, and then the page says that it does not know."""
    app = create_app(desk, words)
    app.wsgi_app = halved = Halved(app.wsgi_app)  # type: ignore[method-assign]
    server = Server(app, 0, "127.0.0.1")
    page = visit(f"http://127.0.0.1:{server.port}/host", code=HOST_CODE, expected=("ERR_", "decode"))
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    assert desk.runner.match is not None
    before = len(desk.runner.match.record.lines)
    with page.expect_event("requestfailed", lambda one: one.method == "POST"):
        page.get_by_role("button", name="Pause").click()
    expect(page.locator("#note")).not_to_be_empty()
    server.close()
    assert len(desk.runner.match.record.lines) == before + 1
    assert halved.broken & {"moves", "corrections", "pause"}
