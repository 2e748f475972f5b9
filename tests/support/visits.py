"""Pages opened as people open them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import pytest
from support.browser import PATIENCE_MS
from support.real_table import SIZES

from web.middleware.access import cookie_name

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page


def hold(button: Locator) -> None:
    """Keep a button pressed that wants to be held; a page is drawn before its scripts have come."""
    from playwright.sync_api import expect  # foreign userlands have no browser driver

    expect(button).to_have_attribute("data-hold", re.compile("."))
    button.click(delay=900)


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
