"""Two tables whose cards are copies of one: the host sees it on a phone, and a touch draws a new number."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.browser import SCREENS
from support.real_desk import HOST_CODE, RealDesk

from companion.public.machine import HostNote, SystemActions
from companion.public.text import Text

pytestmark = pytest.mark.browser


def test_the_host_gives_one_of_two_tables_with_one_number_a_new_one(
    serve: Callable[..., str], visit: Callable[..., Page], desk: RealDesk
) -> None:
    drawn: list[str] = []
    note = HostNote(Text("note.twin", {"id": "0a0b0c0d"}), renumbers=True)
    system = SystemActions(id="0a0b0c0d", notes=lambda: () if drawn else (note,), renumber=lambda: drawn.append("new"))
    page = visit(f"{serve(desk, system=system)}/host", code=HOST_CODE)
    page.set_viewport_size({"width": 390, "height": 844})
    said = page.get_by_text("Another table at the broker has the number of this one, 0a0b0c0d")
    expect(said).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.screenshot(path=SCREENS / "host-twin-phone.png")
    button = page.get_by_role("button", name="New number for this table")
    button.dblclick()  # as people press who are in doubt
    expect(said).to_be_hidden()
    expect(button).to_be_hidden()
    assert drawn == ["new"]
    page.reload()
    expect(page.locator("#verdict")).to_be_visible()
    expect(said).to_have_count(0)
