"""Carcassonne on the phones: the map, what a touch shows of it, and how a match is set up."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.spoken_table import MODULE, SpokenTable

from companion.games.carcassonne.rules.laying import first_place
from companion.games.carcassonne.state import ground
from companion.games.lattice import Pose
from companion.games.registry import demo_deck
from companion.games.square_tiles import tile_pose
from companion.public.table import Observation, Placement, TableState, Token, Zone

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
        "mer · 3 tuiles · 1 ville · 2 côtés ouverts · vaut 1 point maintenant, 1 à la fin · Ana"
    )
    expect(page.locator(".edge")).to_have_count(2)
    expect(page.locator(".chosen")).to_have_count(3)
    page.locator(".out").click()
    expect(page.locator(".out")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_arrows_walk_over_the_map_and_enter_goes_through_a_tile(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
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
    table.begin(2, 84)
    for move in ROUND[:2]:
        table.say(move)
    page = visit(f"{address}/join/{table.codes[1]}")
    expect(page.locator("#now")).to_have_text("Deploy a follower on your tile, take one back, or end your turn.")
    page.get_by_role("button", name="Deploy a follower").click()
    page.get_by_role("button", name="follower 2 of Ana").click()
    page.get_by_role("button", name="sea", exact=True).click()
    expect(page.locator("[data-follower='F12']")).to_be_visible()
    assert table.standing()["public"]["followers"] == [{"card": "F12", "seat": 1, "tile": "T02", "segment": 2}]


def test_a_match_is_set_up_with_names_and_variants(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    table.begin(2, 84)
    page = visit(f"{address}/setup?game=carcassonne#play", code=table.codes[None])
    page.get_by_role("button", name="Go on without a picture").click()
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


def test_a_follower_between_two_territories_is_asked_about_by_numbers_that_the_map_shows(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "Segment 2 of the tile just laid" is written on no tile."""
    table.begin(2, 84)
    for move in ROUND[:2]:
        table.say(move)
    match = table.runner.match
    assert match is not None
    setup = match.game.setup
    side, inward = setup.tile_mm, tile_pose(Pose(0.0, 0.0, 0.0), tile_mm=setup.tile_mm)
    one, two = (part.spot for part in setup.deck.tiles["T02"].segments[:2])
    middle = [300.0 + side + inward.x_mm, 300.0 + inward.y_mm]  # of the second tile
    foot = [at + ((a + b) / 2 - 0.5) * side for at, a, b in zip(middle, one, two, strict=True)]
    tiles = {Placement(Token(f"T0{n}"), Zone("field"), 300.0 + (n - 1) * side, 300.0) for n in (1, 2)}
    for at in range(24):
        seen = TableState(frozenset(tiles | ({Placement(Token("F11"), Zone("field"), *foot)} if at > 7 else set())))
        table.now_s += 0.25
        look = Observation(at + 1, table.now_s, seen)
        table.runner.ask(lambda look=look: match.handle(look, look.taken_s))
    ana, tv = visit(f"{address}/seat", code=table.codes[1]), visit(f"{address}/tv", size="television")
    answers = ana.locator(".question button")
    expect(answers).to_have_text(["Ana means place 1 on the map", "Ana means place 2 on the map"])
    for page in (ana, tv):
        expect(page.locator("[data-map] .number")).to_have_text(["1", "2"])
    if pictures := os.environ.get("COMPANION_PICTURES"):
        tv.screenshot(path=f"{pictures}/question.png")
    answers.nth(1).click()
    expect(tv.locator("[data-map] .number")).to_have_count(0)
    expect(tv.locator("[data-follower='F11']")).to_be_visible()


def test_a_stored_match_shows_its_map_and_its_moments(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    table.begin(2, 84)
    nowhere = {"do": "place", "by": 1, "card": "T20", "x": 9, "y": 9, "turn": 0}
    scores = ({"do": "end_turn", "by": 2}, {"do": "place", "by": 1, "card": "T04", "x": 2, "y": 0, "turn": 0})
    for move in (*ROUND, nowhere, *scores, {"do": "score", "by": 1, "card": "F11"}, {"do": "agree_end", "by": 0}):
        table.say(move)
    page = visit(f"{address}/matches/{table.standing()['match']}", code=table.codes[None])
    expect(page.locator("#map .cell")).to_have_count(4)
    expect(page.locator("#map .laid")).to_have_count(4)
    expect(page.locator("#map .laid").first.locator(".area")).not_to_have_count(0)
    expect(page.locator(".faults")).to_contain_text("tile")
    expect(page.locator(".figures").first).to_contain_text("tiles on the map")
    expect(page.locator("main")).not_to_contain_text("cards in the tree")
    expect(page.locator("main")).not_to_contain_text("★")
    if pictures := os.environ.get("COMPANION_PICTURES"):
        page.screenshot(path=f"{pictures}/report.png", full_page=True)
    page.locator("#scrub").fill("7")
    expect(page.locator("#then .what")).to_contain_text("Points for the navigator")
    page.locator("#scrub").fill("0")
    expect(page.locator("#map .laid")).to_have_count(1)
    expect(page.locator("#then .what")).to_have_text("The map begins.")


def test_everybody_reads_what_must_leave_the_table_before_the_match_begins(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "Clear the table; only the start tile stays", with a list that grows shorter."""
    table.begin(2, 84)
    old = [Placement(Token(f"T{n:02}"), Zone("field"), 300.0 + 60 * n, 300.0) for n in range(1, 7)]

    def sees(there: list[Placement], number: int) -> None:
        for at in range(8):
            look = Observation(number + at, number + at / 4, TableState(frozenset(there)))
            table.runner.ask(lambda look=look: table.runner.match.handle(look, look.taken_s))

    sees(old, 1)
    page = visit(address)
    first = "Clear the table; only the start tile stays. 5 things from before still lie there."
    expect(page.locator("body")).to_contain_text(first)
    expect(page.locator("#guide li")).to_have_count(5)
    if pictures := os.environ.get("COMPANION_PICTURES"):
        page.screenshot(path=f"{pictures}/clear.png", full_page=True)
    sees(old[:3], 11)
    expect(page.locator("body")).to_contain_text("2 things from before still lie there")
    expect(page.locator("#guide li:not(.done)")).to_have_count(2)
    sees(old[:1], 21)
    expect(page.locator("#guide")).to_be_hidden()
    expect(page.locator(".tile")).to_have_count(1)
    assert table.runner.match.standing.turn == 1


def test_a_tile_put_aside_that_fits_is_drawn_where_it_fits(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "fits somewhere": as it would lie there, also when somebody only said that it was put aside."""
    table.begin(2, 84)
    for move in ROUND[:3]:
        table.say(move)
    page = visit(address)
    expect(page.locator(".tile")).to_have_count(2)
    table.say({"do": "discard", "by": 2, "card": "T40"})
    game, public = table.runner.match.game, table.runner.match.public
    there = first_place(ground(game.setup, public), game.setup.deck.tiles["T40"])
    ghost = page.locator(".tile.fits")
    expect(ghost).to_have_attribute("data-card", "T40")
    rim = ghost.locator(".rim")
    expect(rim).to_have_attribute("x", str(100 * there.column))
    expect(rim).to_have_attribute("y", str(100 * there.row))
    expect(page.locator(".said").first).to_contain_text("fits somewhere")
    if pictures := os.environ.get("COMPANION_PICTURES"):
        page.screenshot(path=f"{pictures}/fits.png", full_page=True)
    lies = {"do": "place", "by": 2, "card": "T40", "x": there.column, "y": there.row, "turn": there.turn}
    table.say(lies)
    expect(page.locator(".tile")).to_have_count(3)
    expect(ghost).to_have_count(0)


def test_the_best_turn_is_one_turn_without_what_the_end_brings(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "Best turn: Cléo, 8 points with F32, F32" was a score of 2 and, two turns later, the final scoring."""
    table.begin(3, 84)

    def line(number: int, do: str, by: int, card: str | None, points: int, turn: int | None) -> dict[str, Any]:
        move = {"do": do, "by": by} | ({} if card is None else {"card": card})
        standing = {"turn": turn, "points": [0, 0, 0], "over": turn is None}
        return {"number": number, "event": "played", "move": move, "points": points, "standing": standing}

    lines = [
        line(1, "place", 1, "T02", 0, 1), line(2, "score", 1, "F11", 4, 2), line(3, "place", 3, "T03", 0, 3),
        line(4, "score", 3, "F32", 2, 1), line(5, "place", 1, "T04", 0, 1), line(6, "score", 1, "F11", 3, 2),
        line(7, "place", 3, "T05", 0, 3), line(8, "deploy", 3, "F32", 6, None),
    ]  # fmt: skip

    def told(best: dict[str, Any]) -> tuple[int, int, list[str]]:
        return best["seat"], best["points"], [one["move"]["card"] for one in best["entries"]]

    page = visit(address)
    best = page.evaluate("lines => import('/static/end.js').then((end) => end.bestTurn(lines))", lines)
    assert told(best) == (1, 4, ["F11"])
    own = [{**one, "standing": {"turn": 1, "over": False}} for one in lines[:2]]
    last = {**line(9, "place", 1, "6-9", 5, None), "standing": {"turn": None, "over": True}}
    best = page.evaluate("lines => import('/static/end.js').then((end) => end.bestTurn(lines))", [*own, last])
    assert told(best) == (1, 9, ["F11", "6-9"])  # a card that ends the match brought what it brought
    costs = [line(1, "lay", 1, "T40", -2, 2)]
    assert page.evaluate("lines => import('/static/end.js').then((end) => end.bestTurn(lines))", costs) is None


def test_the_things_of_a_match_are_as_many_as_its_deck_has(table: SpokenTable, address: str) -> None:
    table.begin(2, 84)
    things = json.loads(table.client.get("/api/v1/match").get_data())["match"]["things"]
    tiles = [thing["id"] for thing in things if "segments" in thing]
    assert tiles == [tile["id"] for tile in demo_deck(MODULE)["tile"]]
    assert {thing["name"]["en"] for thing in things[len(tiles) :]} == {"{seat}’s follower"}
