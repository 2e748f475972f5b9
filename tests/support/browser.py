"""A real browser for tests: ``chromium`` is a fixture of all of them, one browser for a whole run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

PATIENCE_MS = 30_000
"""What a busy machine may take to draw a page; only a page that is wrong takes so long."""
BINARIES = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""The same engine. The first is built without windows: a page opens in a fraction of the time."""
CHROMIUM = next((path for path in BINARIES if path.exists()), BINARIES[-1])
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What starts browsers: one for a whole run, as a process can hold but one."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is not installed: apt-get install chromium")
    from playwright.sync_api import expect, sync_playwright  # foreign userlands have no browser driver

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A real headless Chromium."""
    browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
    yield browser
    browser.close()


BUILD = Path(__file__).parents[2] / "build"
SCREENS = BUILD / "screens"
AXE = BUILD / "axe" / "node_modules" / "axe-core" / "axe.min.js"
"""``./test`` fetches it with npm."""
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = {"phone": (390, 844), "desktop": (1440, 900)}


@pytest.fixture
def axe() -> None:
    """Skips a test that cannot look without axe-core."""
    if not AXE.exists():
        pytest.skip("axe-core is not there: npm install --prefix build/axe --no-save axe-core@4.14.1")


def violations(page: Page, part: str = "html") -> list[str]:
    """What axe-core finds in a part of a page: by which rule, and the elements."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("([part, runOnly]) => axe.run(part, {runOnly})", [part, AXE_RULES])
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found["violations"]]


def picture_panel(page: Page, panel: str, name: str) -> None:
    """Keep pictures of a part of the host's page, on a phone and on a desk, light and dark; nothing may stick out."""
    for size, (width, height) in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.locator(f"#{panel}").scroll_into_view_if_needed()
            page.screenshot(path=SCREENS / f"{panel}-{name}-{size}-{scheme}.png")
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, f"{name} on a {size}: something reaches beyond the edge"
