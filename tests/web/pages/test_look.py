"""The page in ``docs`` that shows the look: drawn by the stylesheets themselves, whole, and readable by everybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Literal

import pytest
from playwright.sync_api import Page
from support.browser import violations
from support.large_text import MEASURED

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[3]
STYLE = ROOT / "web" / "static" / "style.css"
Visit = Callable[..., Page]

IN_STYLE = """() => {
  const selectors = [];
  const walk = (rules) => {
    for (const rule of rules) {
      if (rule.selectorText) selectors.push(rule.selectorText);
      if (rule.cssRules) walk(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) if (sheet.href) walk(sheet.cssRules);
  return selectors.flatMap((one) => [...one.matchAll(/\\.([a-z][\\w-]*)/gi)].map((found) => found[1]));
}"""
ON_PAGE = "[...document.querySelectorAll('[class]')].flatMap((one) => [...one.classList])"
NAMED = "[...document.querySelectorAll('code')].map((one) => one.textContent).filter((one) => one.startsWith('--'))"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and writes no line about it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # as the base class calls it
        pass


@pytest.fixture(scope="module")
def look() -> Iterator[str]:
    """Where the page is."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(ROOT))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/docs/look.html"
        server.shutdown()


def test_every_token_and_every_class_of_the_stylesheets_is_on_the_page_and_no_other(look: str, visit: Visit):
    page = visit(look)
    tokens = set(re.findall(r"(--[\w-]+)\s*:", STYLE.read_text("utf-8")))
    assert set(page.evaluate(NAMED)) == tokens
    shown = {one for one in page.evaluate(ON_PAGE) if not one.startswith("show")}
    assert shown == set(page.evaluate(IN_STYLE))


def test_its_signs_are_those_of_the_pages():
    symbols = (STYLE.parent / "symbols.svg").read_text("utf-8").splitlines()[1:-1]
    page = (ROOT / "docs" / "look.html").read_text("utf-8").splitlines()
    assert [line for line in page if line.startswith("<symbol")] == symbols


@pytest.mark.usefixtures("axe")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["phone", "television"])
def test_it_keeps_nobody_out(size: str, scheme: Literal["light", "dark"], look: str, visit: Visit):
    assert violations(visit(look, scheme=scheme, size=size)) == []


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_it_reads_in_large_text(percent: int, look: str, visit: Visit):
    page = visit(look)
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
    assert page.evaluate(MEASURED) == []
