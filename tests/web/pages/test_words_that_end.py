"""What a page says ends when it is no longer so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, RealDesk

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


def test_that_something_did_not_arrive_is_not_said_for_ten_minutes(serve: Callable[..., str], visit: Visit):
    """« "That did not reach the table: try again." still stood 10 minutes after. »"""
    page = visit("about:blank", code=None, expected=("ERR_",))
    address = serve(RealDesk())
    page.context.set_extra_http_headers({"Authorization": f"Bearer {HOST_CODE}"})
    page.clock.install()
    page.goto(f"{address}/host")
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    page.route("**/api/v1/corrections", lambda route: route.abort())
    page.get_by_role("button", name="Pause").click()
    note = page.locator("#note")
    for _ in range(3):
        page.wait_for_timeout(100)
        page.clock.run_for(1000)
    expect(note).to_have_text("That did not reach the table: try again.")
    page.clock.run_for(25_000)
    expect(note).to_have_text("")


def test_a_heading_with_nothing_below_it_is_not_there(serve: Callable[..., str], visit: Visit):
    """« a heading "For a player without a phone" with nothing below »"""
    page = visit(f"{serve(RealDesk())}/host", code=HOST_CODE)
    expect(page.locator("#ends button").first).to_be_visible()
    expect(page.get_by_role("heading", name="For a player without a phone")).to_have_count(0)
