"""The toy game on phones: watched, set up and played again from its record, with no page written for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from support.door import come_in
from support.spoken_table import SpokenTable

from companion.games.noughts.module import NOUGHTS

pytestmark = pytest.mark.browser
Visit = Callable[..., "Page"]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpokenTable]:
    come_in(monkeypatch, NOUGHTS)
    made = SpokenTable(tmp_path)
    made.opens(dict(NOUGHTS.demonstration.match))
    yield made
    made.close()


def lay(by: int, card: str, x: int, y: int) -> dict[str, object]:
    return {"do": "lay", "by": by, "card": card, "x": x, "y": y}


def opening(table: SpokenTable) -> None:
    table.say(lay(0, "ARROW", 0, 0))
    table.say(lay(0, "STAR", 1, 0))


def test_its_grid_and_its_points_are_live_on_every_page(table: SpokenTable, address: str, visit: Visit) -> None:
    page = visit(address)
    opening(table)
    expect(page.locator(".plain .cell")).to_have_count(2)
    table.say(lay(1, "O1", 1, -1))
    table.say(lay(2, "X1", 0, 1))
    table.say(lay(1, "O2", 2, -1))
    expect(page.locator("[data-cell='2 -1'] text")).to_have_text("O2")
    expect(page.locator("[data-seat='1'] [data-points]")).to_have_text("1")
    expect(page.locator("[data-seat='2'].acts")).to_be_visible()
    expect(visit(f"{address}/tv").locator(".plain .cell")).to_have_count(5)
    expect(visit(f"{address}/seat", code=table.codes[2]).locator(".plain .cell")).to_have_count(5)
    expect(visit(f"{address}/how?game=noughts").locator(".how")).to_contain_text("Lay your four counters")


def test_the_host_sets_it_up_by_its_own_form(table: SpokenTable, address: str, visit: Visit) -> None:
    page = visit(f"{address}/host?game=noughts", code=table.codes[None])
    page.locator("#new > summary").click()
    for nth, name in enumerate(("Zoe", "Yan")):
        page.locator("#players [name=name]").nth(nth).fill(name)
    before = table.desk.match.current()["id"]
    page.locator("#setup .main").click()
    page.locator("dialog[open] .choices button:not(.main)").click()  # yes, over the match that is being played
    expect(page.locator("[data-seat='1'] .who")).to_contain_text("Zoe")
    assert table.desk.match.current()["id"] != before


def test_a_stored_match_plays_again(table: SpokenTable, address: str, visit: Visit) -> None:
    opening(table)
    table.say(lay(1, "O1", 1, -1))
    table.say(lay(2, "X1", 0, 1))
    match = table.desk.match.current()["id"]
    page = visit(f"{address}/matches/{match}", code=table.codes[None])
    expect(page.locator("#map .cell")).to_have_count(4)
    page.locator("#scrub").fill("0")
    expect(page.locator("#map .cell.laid")).to_have_text(["ARROW"])
    page.locator("#playing").click()
    expect(page.locator("#map .cell.laid")).to_have_text(["ARROW", "STAR", "O1", "X1"])
