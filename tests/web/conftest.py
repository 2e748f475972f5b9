"""Fixtures of the phones' tests: a real match without a camera, the app around it, and that app served for real."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.browser import PATIENCE_MS
from support.real_desk import WORDS, Evening, RealDesk, code_of, evening_in
from support.real_table import SIZES, simulated_table

from companion.public.i18n import Translations
from web.app import close, create_app
from web.middleware.access import cookie_name
from web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


@pytest.fixture(scope="session")
def words() -> Translations:
    return WORDS


@pytest.fixture
def desk() -> RealDesk:
    """A match of four under way, in which Ana has laid two cards."""
    desk = RealDesk()
    desk.lay(2)
    return desk


@pytest.fixture
def app(desk: RealDesk, words: Translations) -> Iterator[Flask]:
    app = create_app(desk, words)
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def bearer() -> Callable[[int | str], dict[str, str]]:
    """Headers of a seat, or of whoever has a code."""

    def headers(who: int | str) -> dict[str, str]:
        return {"Authorization": f"Bearer {code_of(who) if isinstance(who, int) else who}"}

    return headers


@pytest.fixture
def serve(words: Translations) -> Iterator[Callable[..., str]]:
    """Serves a desk on a free port of this machine and says where."""
    servers: list[Server] = []

    def start(desk: RealDesk, words: Translations = words, **more: object) -> str:
        servers.append(Server(create_app(desk, words, **more), 0, "127.0.0.1"))  # type: ignore[arg-type]
        return f"http://127.0.0.1:{servers[-1].port}"

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A simulated table as a newcomer's machine runs it: its address and its host's code."""
    yield from simulated_table(tmp_path)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A real match under way, without a camera."""
    yield from evening_in(tmp_path)


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a page as somebody, on a screen, in a language; fails when its scripts complain."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        address: str,
        *,
        code: str | None = None,
        size: str = "phone",
        scheme: Literal["light", "dark"] = "light",
        locale: str = "en-GB",
        expected: tuple[str, ...] = (),
        leaving: Page | None = None,
        **more: Any,
    ) -> Page:
        """``leaving``: this page goes there, and forgets who it was: a new tab costs as much as a page."""
        width, height = SIZES[size]
        if leaving is None:
            context = chromium.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, locale=locale, **more
            )
            contexts.append(context)
            context.set_default_timeout(PATIENCE_MS)
        else:
            context = leaving.context
            leaving.evaluate("localStorage.clear(); sessionStorage.clear()")
            leaving.goto("about:blank")
            leaving.set_viewport_size({"width": width, "height": height})
            context.clear_cookies()
        if code:
            root = "/".join(address.split("/")[:3])
            context.add_cookies([{"name": cookie_name(urlsplit(root).netloc), "value": code, "url": root}])
        if leaving is not None:
            leaving.goto(address)
            return leaving
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: (
                complaints.append(said.text)
                if said.type in ("error", "warning") and not any(word in said.text for word in expected)
                else None
            ),
        )
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
