"""Lands Unknown on the phones: a touch travels, one tap gathers, and both dice are said with two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.spoken_table import SpokenTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

DEAL = {"do": "deal", "by": 0, "tiles": ["M01", "M02"], "joins": [["M02-4", "M01-2"]], "stands": ["M01-1"] * 2}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    made.opens({"game": "lands", "seat": [{"name": "Ana"}, {"name": "Ben"}]})
    made.say(DEAL)
    for seat, project in ((1, "P01"), (1, "P02"), (2, "P03"), (2, "P04")):
        made.say({"do": "gain", "by": seat, "card": project})
    made.say({"do": "lead", "by": 0, "seat": 1})
    yield made
    made.close()


def test_a_seat_travels_gathers_describes_an_enemy_and_throws_the_dice_on_its_own_sheet(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "Said on the phone, one tap and only what is possible"."""
    from playwright.sync_api import expect

    page = visit(f"{address}/seat", code=table.codes[1])
    expect(page.locator(".own .dial")).to_have_attribute("aria-label", "Stamina: 10 of 10")
    page.locator("[data-space='M01-2']").click()
    expect(page.locator(".own .dial")).to_have_attribute("aria-label", "Stamina: 9 of 10")
    page.get_by_role("button", name="wood", exact=True).click()
    expect(page.locator(".own .pack")).to_have_attribute("aria-label", "Pack: 3 of 10")
    table.say({"do": "fight", "by": 1, "card": "E09"})
    for name, number in (("defence", "7"), ("attack", "9"), ("life", "2")):
        page.locator(f".ask [name={name}]").fill(number)
    page.get_by_role("button", name="Tell").click()
    expect(page.locator(".ask")).to_have_count(0)
    page.locator("[data-key='grey 6']").click()
    page.locator("[data-key='red 4']").click()
    expect(page.locator(".outcome")).to_contain_text("a miss")
    page.locator("[data-key='grey 8']").click()  # a wood throws it again
    expect(page.locator(".outcome")).to_contain_text("a hit")
    expect(page.locator(".own .pack")).to_have_attribute("aria-label", "Pack: 2 of 10")
