"""What a screen reader is told of six pages: names and roles in their order, kept beside this test.

Write them anew with ``COMPANION_WRITE=1``, and read what has changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, MATCH, RealDesk, code_of

from companion.games.registry import demo_deck

pytestmark = pytest.mark.browser

TOLD = Path(__file__).with_name("spoken")
PAGES: dict[str, tuple[str, str | None]] = {
    "first-page": ("/", None),
    "seat": ("/seat", code_of(2)),
    "television": ("/tv", None),
    "host": ("/host", HOST_CODE),
    "setup": ("/setup", HOST_CODE),
    "replay": (f"/matches/{MATCH}", HOST_CODE),
}
UNNAMED = re.compile(r"- (?:button|link|textbox|checkbox|combobox|slider|img|radio)(?:$|[:\[])")
HEADING = re.compile(r'- heading "(.+)" \[level=(\d)\]')


@pytest.fixture
def tree(serve: Callable[..., str], visit: Callable[..., Page]) -> Callable[[str], str]:
    """The tree of a page, three cards into a match of three; the second seat's last card still needs another one."""

    def told(name: str) -> str:
        path, code = PAGES[name]
        desk = RealDesk(3, deck=demo_deck(), simulated=True)
        desk.lay(2)
        address = serve(desk)
        size = "television" if path == "/tv" else "phone"
        page = visit(address + path, code=code, expected=("404", "409"), size=size, reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        desk.lay(1)
        if name not in ("setup", "replay"):
            expect(page.locator("#aloud")).to_have_text("Ana ends the turn and draws 3.")
        if name == "seat":
            expect(page.locator("#now")).not_to_be_empty()  # it asks what is possible only then
        if name == "host":
            expect(page.get_by_role("button", name="Ana: End turn")).to_have_count(0)  # as above
        if name == "setup":
            expect(page.locator("#next")).to_be_visible()  # its script chooses the step only when it has run
        found = page.locator("body").aria_snapshot() + "\n"
        page.context.close()
        return found.replace(address, "https://table").replace(address.removeprefix("http://"), "table")

    return told


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read_out_as_it_is_written_down(name: str, tree: Callable[[str], str]):
    found, kept = tree(name), TOLD / f"{name}.yaml"
    if os.environ.get("COMPANION_WRITE"):
        kept.write_text(found, "utf-8")
    assert [line for line in found.splitlines() if UNNAMED.search(line)] == []
    levels = [int(level) for _, level in HEADING.findall(found)]
    assert levels[:1] == [1]
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels)), levels
    assert found == kept.read_text("utf-8")
