"""A visitor plays a seat of the simulated table from its page: touched cards go through pictures, eye and referee."""

from __future__ import annotations

import json
import re
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

SHORT = """game = "discovery"
profile = "fr-explore"
[[seat]]
name = "Ana"
[[seat]]
name = "Ben"
[[seat]]
name = "Cléo"
[position]
turn = 2
tree = {tree}
pool = {pool}
discards = [[], [], []]
hands = [1, 2, 1]
stack = 0
"""


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


def short_match() -> str:
    """Four cards are left in hands, and each of them still needs one that lies in the pool."""
    pool = ["4-7", "4-8", "5-1", "5-3", "5-5"]
    hidden = ["6-1", "6-4", "6-7", "6-9"]
    tree = [card for era in range(1, 7) for n in range(1, 10) if (card := f"{era}-{n}") not in (*pool, *hidden)]
    return SHORT.format(tree=json.dumps(tree), pool=json.dumps(pool))


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


class Visitor:
    """Somebody who has never played, and tries one card after the other."""

    def __init__(self, page: Page) -> None:
        self.page, self.refused, self.laid, self.turns = page, 0, 0, 0
        self.tried: set[str] = set()

    def standing(self) -> Any:
        return self.page.evaluate("fetch('/api/v1/standing').then((answer) => answer.json())")

    def settled(self) -> Any:
        """How it stands once the last touch has come to something."""
        for _ in range(200):
            held = self.page.evaluate("fetch('/api/v1/simulated/seat').then((answer) => answer.json())")
            now = self.standing()
            over, mine = now["standing"]["over"], now["standing"]["turn"] == ME
            if over or (mine and held["playing"] and not held["waiting"] and not held["astray"]):
                return now
            self.page.wait_for_timeout(250)
        raise AssertionError(f"nothing comes of it: {held}, {now}")

    def play(self, *, most_turns: int) -> None:
        page = self.page
        while not (now := self.settled())["standing"]["over"]:
            if any(one["seat"] == ME for one in now["standing"]["owed"]):
                self.pay(now["standing"]["owed"][0]["do"])
                continue
            page.wait_for_timeout(600)
            left = [card for card in hand(page) if card not in self.tried]
            if left:
                self.try_card(left[0])
            else:
                self.end_turn()
                assert self.turns <= most_turns

    def try_card(self, card: str) -> None:
        page, number = self.page, self.standing()["number"]
        self.tried.add(card)
        lay(page, card, by_keyboard=self.laid == 0)
        self.laid += 1
        for _ in range(120):
            page.wait_for_timeout(150)
            if self.standing()["number"] > number:
                break
        back = page.locator("#play .back")
        if self.standing()["alert"] == "refused":
            expect(page.locator("#verdict .said")).not_to_be_empty()
            back.click()
            expect(page.locator(f"#play [data-hand] [data-touch='{card}']")).to_be_visible()
            self.refused += 1
        else:
            self.tried.clear()

    def end_turn(self) -> None:
        page = self.page
        self.turns += 1
        self.tried.clear()
        end = page.locator("#acts").get_by_role("button", name="End turn", exact=True)
        if not end.count():
            if not (cards := hand(page)):
                return page.wait_for_timeout(300)
            lay(page, cards[0], f"discard-{ME}")
        expect(end).to_be_visible()
        end.click()
        for _ in range(100):
            page.wait_for_timeout(200)
            if self.standing()["standing"]["turn"] != ME or self.standing()["standing"]["over"]:
                return None
        return None

    def pay(self, do: str) -> None:
        page, number = self.page, self.standing()["number"]
        if do == "discard":
            lay(page, hand(page)[0], f"discard-{ME}")
        else:
            page.locator("#acts").get_by_role("button", name=re.compile("^Steal")).first.click()
            choice = page.locator("#picker .choice-any")
            page.wait_for_timeout(400)
            if choice.count():
                choice.first.click()
        for _ in range(100):
            page.wait_for_timeout(200)
            if self.standing()["number"] > number:
                return


def join(visit: Visit, table: Table, **how: Any) -> Page:
    page = visit(table.address + "/seat", code=table.code(ME), expected=("403", "404", "409"), **how)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    page.get_by_role("switch").check()
    return page


def judged_with_refusals(table: Table, visitor: Visitor, match: str) -> None:
    record = table.record(match)
    mine = [line for line in record if line.get("move", {}).get("by") == ME]
    assert any(line["event"] == "played" and line["origin"] == "camera" for line in mine)
    assert any(line["event"] == "refused" and line["origin"] == "camera" for line in mine)
    assert visitor.refused >= 1
    assert record[-1]["standing"]["over"] or any(line["standing"]["over"] for line in record if "standing" in line)


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


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_visitor_plays_to_the_end_from_the_page(tmp_path: Path, visit: Visit):
    """The last cards of a match, against two simulated people, a refusal included."""
    with table(tmp_path, short_match()) as house:
        page = join(visit, house)
        match = house.ask("standing")["match"]
        visitor = Visitor(page)
        visitor.play(most_turns=12)
        expect(page.locator("#end")).to_be_visible()
        judged_with_refusals(house, visitor, match)
        page.context.close()


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_a_visitor_plays_a_newcomer_s_whole_match_from_the_page(tmp_path: Path, visit: Visit):
    with table(tmp_path) as house:
        page = join(visit, house)
        match = house.ask("standing")["match"]
        visitor = Visitor(page)
        visitor.play(most_turns=60)
        judged_with_refusals(house, visitor, match)
        page.context.close()
