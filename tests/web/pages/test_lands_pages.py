"""Lands Unknown on the phones: a touch travels, one tap gathers, both dice are said with two; the host says all."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.spoken_table import SpokenTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[3] / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
RULES = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
KEYS_OF = "buttons => buttons.map(button => button.dataset.key)"
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
    page.locator(".of-gather").get_by_role("button", name="wood", exact=True).click()
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


def written(table: SpokenTable, number: int) -> None:
    """Waits for what was touched: this many entries."""
    for _ in range(200):
        if table.standing()["number"] >= number:
            return
        time.sleep(0.05)
    raise AssertionError(table.standing()["number"])


def test_the_host_says_every_act_of_every_seat_with_one_touch(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "Said on the phone, one tap and only what is possible, a seat for itself, the host for all"."""
    from playwright.sync_api import expect

    page = visit(f"{address}/host", code=table.codes[None])
    ana, ben = (page.locator(f"[data-seat='{seat}']") for seat in (1, 2))
    ana.get_by_role("button", name="M01-2", exact=True).click()
    expect(ana.get_by_role("button", name="M01-1", exact=True)).to_be_visible()
    ana.locator(".of-gather").get_by_role("button", name="wood", exact=True).click()
    expect(ana.locator(".of-throw").get_by_role("button", name="wood", exact=True)).to_be_visible()
    ben.locator(".of-hurt").get_by_role("button", name="hunger", exact=True).click()
    ana.get_by_role("button", name="An ability · 2").click()
    written(table, 10)
    expect(ben.locator(".of-gather")).to_have_count(0)  # only what is possible: it is Ana's turn
    table.say({"do": "fight", "by": 1, "card": "E01"})
    expect(page.locator(".fight")).to_be_visible()
    page.locator("[data-key='grey 6']").click()
    page.locator("[data-key='red 4']").click()
    page.locator("[data-key='grey 8']").click()  # a wood throws it again
    page.get_by_role("button", name="Take the dice as they are").click()
    expect(page.locator(".fight")).to_be_hidden()
    ana.get_by_role("button", name="Acts no more today").click()
    ben.locator(".of-rest").get_by_role("button", name="hunger", exact=True).click()
    ben.get_by_role("button", name="Acts no more today").click()
    expect(ben.get_by_role("button", name="Acts no more today")).to_have_count(0)
    table.say({"do": "night", "by": 0, "card": "N01"})
    page.locator(".lead").get_by_role("button", name="Ben").click()
    expect(ben.locator(".of-gather")).to_be_visible()
    standing = table.standing()["standing"]
    assert (standing["day"], standing["turn"], standing["damage"]) == (2, 2, [0, 0])


def test_each_offer_has_a_touch_on_the_host_s_page_and_on_the_seat_s(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """What is offered and named nowhere could not be said: all of it is, apart from ways and costs that people name."""
    from playwright.sync_api import expect

    table.say({"do": "gain", "by": 1, "card": "O01"})
    table.say({"do": "gain", "by": 1, "kind": "meat"})
    table.say({"do": "hurt", "by": 1, "kind": "thirst"})
    head = {"Authorization": f"Bearer {table.codes[None]}"}
    offers = table.client.get("/api/v1/seat", headers=head).json["offers"]
    for who, by in ((None, (1, 2)), (1, (1,))):
        page = visit(f"{address}/{'seat' if who else 'host'}", code=table.codes[who])
        expect(page.locator(".of-rest, .of-hurt").first).to_be_visible()
        keys = [json.loads(key) for key in page.locator("button[data-key^='{']").evaluate_all(KEYS_OF)]
        for offer in offers:
            if offer["by"] not in by or offer["do"] == "travel" or (who and offer["do"] == "end_turn"):
                continue
            there = [key for key in keys if (key["do"], key["by"]) == (offer["do"], offer["by"])]
            for name, values in offer["choices"].items():
                wanted = {value for value in values if name != "cost" or value <= 3}
                assert wanted <= {key.get(name) for key in there}, (who, offer)
            assert there, (who, offer)


def test_the_host_tells_what_is_on_a_card(table: SpokenTable, address: str, visit: Callable[..., Page]) -> None:
    from playwright.sync_api import expect

    table.say({"do": "fight", "by": 1, "card": "E09"})
    page = visit(f"{address}/host", code=table.codes[None])
    for name, number in (("defence", "7"), ("attack", "9"), ("life", "2")):
        page.locator(f".ask [name={name}]").fill(number)
    page.get_by_role("button", name="Tell").click()
    expect(page.locator(".ask")).to_have_count(0)
    assert table.standing()["public"]["fight"]["defence"] == 7


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_host_s_page_can_be_used_by_everybody(
    table: SpokenTable, address: str, visit: Callable[..., Page], scheme: str
) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there")
    table.say({"do": "fight", "by": 1, "card": "E01"})
    table.say({"do": "roll", "by": 1, "grey": 7, "red": 4})
    page = visit(f"{address}/host", code=table.codes[None], scheme=scheme, bypass_csp=True)
    page.locator(".fight .button.main").wait_for()
    page.add_script_tag(path=AXE)
    assert [one["id"] for one in page.evaluate(RULES)["violations"]] == []


def test_objects_are_called_by_their_names_wherever_they_are_named(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """By what the deck says of them, and by what somebody told at the table."""
    from playwright.sync_api import expect

    table.say({"do": "gain", "by": 1, "card": "O01"})
    assert table.standing()["texts"] == ["Ana gets O01 Axe."]
    table.say({"do": "gain", "by": 1, "card": "O30"})
    page = visit(f"{address}/seat", code=table.codes[1])
    expect(page.locator(".own .carries .hint")).to_contain_text("O01 Axe")
    page.locator(".ask [name=name]").fill("Rope ladder")
    page.locator(".ask [name=quest]").check()
    page.get_by_role("button", name="Tell").click()
    expect(page.locator(".ask")).to_have_count(0)
    expect(page.locator(".of-use .row span")).to_contain_text(["An ability", "O01 Axe", "O30 Rope ladder"])
    host = visit(f"{address}/host", code=table.codes[None])
    expect(host.locator("[data-seat='1'] .of-use .row span")).to_contain_text(
        ["An ability", "O01 Axe", "O30 Rope ladder"]
    )
