"""A visitor plays a seat of the simulated table from its page: touched cards go through pictures, eye and referee."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.real_table import simulated_table

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
AXE = Path(__file__).parents[3] / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
ME = 2


class Table:
    """A simulated table, and what a script may ask it."""

    def __init__(self, address: str, host: str) -> None:
        self.address, self.host = address, host

    def ask(self, route: str) -> Any:
        return json.loads(self.read(route))

    def read(self, route: str) -> str:
        head = {"Authorization": f"Bearer {self.host}"}
        asked = urllib.request.Request(f"{self.address}/api/v1/{route}", headers=head)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return str(answer.read().decode())

    def code(self, seat: int) -> str:
        return str(next(one["code"] for one in self.ask("invitations")["invitations"] if one["seat"] == seat))

    def record(self, match: str) -> list[Any]:
        return [json.loads(line) for line in self.read(f"matches/{match}/record").splitlines()][1:]


@contextmanager
def table(folder: Path, match: str | None = None) -> Iterator[Table]:
    file = None
    if match is not None:
        file = folder / "match.toml"
        file.write_text(match)
    with contextmanager(simulated_table)(folder, 3.0, file) as (address, host):
        yield Table(address, host)


def hand(page: Page) -> list[str]:
    return page.locator("#play [data-hand] [data-touch]").evaluate_all("all => all.map((one) => one.dataset.touch)")


def lay(page: Page, card: str, to: str = "tree", *, by_keyboard: bool = False) -> None:
    chosen = page.locator(f"#play [data-hand] [data-touch='{card}']")
    target = page.locator(f"#play [data-touch='to {to}']")
    if by_keyboard:
        chosen.focus()
        page.keyboard.press("Enter")
        expect(target if to == "tree" else chosen).to_be_visible()
        page.keyboard.press("Enter")
    else:
        chosen.click()
        target.click()


def join(visit: Visit, table: Table, **how: Any) -> Page:
    page = visit(table.address + "/seat", code=table.code(ME), expected=("403", "404", "409"), **how)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    page.get_by_role("switch").check()
    return page


NEWCOMERS = """game = "discovery"
profile = "fr-explore"
dealer = 1
[[seat]]
name = "Ana"
[[seat]]
name = "Ben"
[[seat]]
name = "Cléo"
"""


def moves_of(house: Table, match: str) -> list[tuple[str, str, str]]:
    """What the camera saw of the visitor's: event, act and card."""
    mine = [line for line in house.record(match) if line.get("move", {}).get("by") == ME and line["origin"] == "camera"]
    return [(line["event"], line["move"]["do"], line["move"].get("card", "")) for line in mine]


def until(page: Page, done: Callable[[], Any]) -> None:
    for _ in range(300):
        if done():
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"it does not come: {page.locator('#verdict').inner_text()}")


@pytest.mark.timeout(240)
def test_a_visitor_plays_a_turn_from_the_page_and_is_refused_first(tmp_path: Path, visit: Visit):
    """By keyboard a card that does not fit yet, which is taken back; by touch one from the pool; then the turn ends."""
    with table(tmp_path, NEWCOMERS) as house:
        page = join(visit, house, bypass_csp=True)
        match = house.ask("standing")["match"]
        expect(page.locator("#play [data-hand] [data-touch]")).to_have_count(5)
        until(page, lambda: house.ask("standing")["standing"]["turn"] == ME and house.ask("standing")["number"])

        page.locator("#play [data-hand] [data-touch]").first.click()
        page.evaluate("document.querySelectorAll('#play details').forEach((one) => (one.open = true))")
        small = page.locator("#play :is(button, summary, .switch)").evaluate_all(
            "all => all.filter((one) => one.checkVisibility() && Math.min(one.offsetWidth, one.offsetHeight) < 44)"
            ".map((one) => one.outerHTML)"
        )
        assert small == []
        if AXE.exists():
            page.add_script_tag(path=AXE)
            assert page.evaluate("axe.run('#play').then((found) => found.violations.map((one) => one.id))") == []
        page.keyboard.press("Escape")
        expect(page.locator("#play [data-where]")).to_be_hidden()

        wrong = hand(page)[0]
        lay(page, wrong, by_keyboard=True)
        until(page, lambda: ("refused", "place", wrong) in moves_of(house, match))
        page.locator("#play .back").click()
        expect(page.locator(f"#play [data-hand] [data-touch='{wrong}']")).to_be_visible()
        until(page, lambda: house.ask("standing")["alert"] == "none")

        right = next(card for card, lacks in house.ask("standing")["public"]["teach"].items() if not lacks)
        page.locator(f"#play [data-open] [data-touch='{right}']").click()
        page.locator("#play [data-touch='to tree']").click()
        until(page, lambda: ("played", "place", right) in moves_of(house, match))
        page.locator("#acts").get_by_role("button", name="End turn", exact=True).click()
        until(page, lambda: house.ask("standing")["standing"]["turn"] == 3)
        page.context.close()  # before its table is gone
