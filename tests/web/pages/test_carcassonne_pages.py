"""Carcassonne on the phones: the map, what a touch shows of it, and how a match is set up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.spoken_table import MODULE, SpokenTable

from companion.games.registry import demo_deck

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ROUND = (
    {"do": "start", "by": 0, "card": "T01"},
    {"do": "place", "by": 1, "card": "T02", "x": 1, "y": 0, "turn": 0},
    {"do": "deploy", "by": 1, "card": "F11", "tile": "T02", "segment": 2},
    {"do": "place", "by": 2, "card": "T03", "x": -1, "y": 0, "turn": 0},
)
"""Three tiles whose seas lie in a row, a navigator of Ana's on the middle of them."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    yield made
    made.close()


def test_the_map_grows_and_a_touch_says_what_a_territory_is_worth(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "A touch shows tiles, open edges, cities, value now and at the end"."""
    from playwright.sync_api import expect

    table.begin(2, 84)
    page = visit(f"{address}/?lang=fr")
    expect(page.locator("[data-tiles]")).to_contain_text("Posez la tuile de départ au milieu de la table")
    table.say(ROUND[0])
    expect(page.locator(".tile")).to_have_count(1)
    for move in ROUND[1:]:
        table.say(move)
    expect(page.locator(".tile")).to_have_count(3)
    expect(page.locator("[data-follower]")).to_have_count(1)
    expect(page.locator("[data-hand]").first).to_have_text("3")
    expect(page.locator("[data-tiles]")).to_have_text("81 tuiles à piocher")
    page.locator("[data-follower]").click()
    detail = page.locator("[data-detail]")
    expect(detail).to_have_text(
        "mer · 3 tuiles · 1 ville · 2 côtés ouverts · vaut 1 point maintenant, 1 à la fin · F11 Ana"
    )
    expect(page.locator(".edge")).to_have_count(2)
    expect(page.locator(".chosen")).to_have_count(3)
    page.locator(".out").click()
    expect(page.locator(".out")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_arrows_walk_over_the_map_and_enter_goes_through_a_tile(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    from playwright.sync_api import expect

    table.begin(2, 84)
    for move in ROUND:
        table.say(move)
    page = visit(address)
    page.locator("[data-card='T01']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-card='T02']")).to_be_focused()
    table.say({"do": "deploy", "by": 2, "card": "F21", "tile": "T03", "segment": 1})  # the map is drawn anew
    page.locator("[data-follower='F21']").wait_for()
    expect(page.locator("[data-card='T02']")).to_be_focused()
    detail = page.locator("[data-detail]")
    for words in ("mountain · 1 tile", "sea · 3 tiles", "grassland · 1 tile"):
        page.keyboard.press("Enter")
        expect(detail).to_contain_text(words)
    page.keyboard.press("Enter")
    expect(detail).to_be_hidden()


def test_a_seat_is_told_what_to_do_and_says_where_its_follower_stands(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    from playwright.sync_api import expect

    table.begin(2, 84)
    for move in ROUND[:2]:
        table.say(move)
    page = visit(f"{address}/join/{table.codes[1]}")
    expect(page.locator("#now")).to_have_text("Deploy a follower on your tile, take one back, or end your turn.")
    page.get_by_role("button", name="Deploy a follower").click()
    page.get_by_role("button", name="F12, number 2 of Ana").click()
    page.get_by_role("button", name="sea", exact=True).click()
    expect(page.locator("[data-follower='F12']")).to_be_visible()
    assert table.standing()["public"]["followers"] == [{"card": "F12", "seat": 1, "tile": "T02", "segment": 2}]


def test_a_match_is_set_up_with_names_and_variants(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    from playwright.sync_api import expect

    table.begin(2, 84)
    page = visit(f"{address}/setup?game=carcassonne#play", code=table.codes[None])
    page.get_by_role("button", name="One more player").click()
    page.locator("[name=name]").nth(2).fill("Zoé")
    page.locator("[name=first]").select_option(label="Zoé")
    page.locator("[name=equal_turns]").check()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("button", name="Close it and begin").click()
    expect(page).to_have_url(f"{address}/host")
    match = table.runner.stored.header["match"]
    assert [seat["name"] for seat in match["seat"]] == ["Ana", "Ben", "Zoé"]
    assert (match["game"], match["first"], match["equal_turns"]) == ("carcassonne", 3, True)


def test_a_stored_match_shows_its_map_and_its_moments(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    from playwright.sync_api import expect

    table.begin(2, 84)
    nowhere = {"do": "place", "by": 1, "card": "T20", "x": 9, "y": 9, "turn": 0}
    for move in (*ROUND, nowhere, {"do": "agree_end", "by": 0}):
        table.say(move)
    page = visit(f"{address}/matches/{table.standing()['match']}", code=table.codes[None])
    expect(page.locator("#map .cell")).to_have_count(3)
    expect(page.locator("#map .laid")).to_have_count(3)
    expect(page.locator(".faults")).to_contain_text("T20")
    page.locator("#scrub").fill("0")
    expect(page.locator("#map .laid")).to_have_count(1)


def test_the_things_of_a_match_are_as_many_as_its_deck_has(table: SpokenTable, address: str) -> None:
    table.begin(2, 84)
    things = json.loads(table.client.get("/api/v1/match").get_data())["match"]["things"]
    assert [thing["id"] for thing in things] == [tile["id"] for tile in demo_deck(MODULE)["tile"]]
