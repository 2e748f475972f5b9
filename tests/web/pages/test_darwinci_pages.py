"""Darwinci on the phones: one seat from its bid to the award and the tile it lays, and the last count to the winner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser import AXE, violations
from support.real_desk import HOST, HOST_CODE, WORDS, RealDesk
from support.spoken_table import SpokenTable
from support.visits import hold
from support.waiting import wait

pytestmark = pytest.mark.browser

Serve = Callable[..., str]
Visit = Callable[..., Page]
PLOTS = [["T13@0,0/0", "T14@1,0/0"], ["T15@0,0/0", "T16@1,0/0"], ["T17@0,0/0", "T18@1,0/0"]]
LAST_BIDS = {
    "plots": PLOTS,
    "offers": ["T40", "T41", "T42"],
    "bids": [["R1"], ["R2"], ["B1"]],
    "darwin": [12, 9, 4],
    "round": 2,
    "bidding": 3,
    "turn": 3,
}
FULL_PLOT = [f"T{20 + 4 * row + column}@{column},{row}/0" for row in range(3) for column in range(4)]
ALL_LAID = {"plots": [FULL_PLOT, *PLOTS[1:]], "darwin": [4, 9, 9], "round": 9}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    yield made
    made.close()


def begins(table: SpokenTable, position: dict[str, Any]) -> None:
    seats = [{"name": name} for name in ("Ana", "Ben", "Cléo")]
    table.opens({"game": "darwinci", "seat": seats, "position": position})


def keeps_nobody_out(page: Page) -> None:
    """By axe, as far as it is there."""
    if AXE.exists():
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_seat_bids_its_last_stones_wins_a_tile_and_lays_it(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """« who leads, what each seat must or may still bid »"""
    begins(table, LAST_BIDS)
    page = visit(f"{address}/join/{table.codes[3]}", bypass_csp=True)
    expect(page.locator("[data-round]")).to_have_text("Round 2, bidding turn 3 of 3")
    expect(page.locator("[data-todo] li").first).to_have_text("Cléo: may lay 2 stones (now)")
    ana, ben = (page.locator(".ring .offer").filter(has=page.locator(f"[data-name='{seat}']")) for seat in (1, 2))
    expect(ana.locator(".leads")).to_have_text("Ana leads")
    for stone, left in (("G1", "may lay 1 stone (now)"), ("G2", "nothing more to lay (now)")):
        table.say({"do": "bid", "by": 3, "card": stone, "to": 1})
        expect(page.locator("[data-todo] li").first).to_have_text(f"Cléo: {left}")
    expect(ana.locator(".leads")).to_have_text("Cléo leads")
    expect(ben.locator(".leads")).to_have_text("Ana leads")
    keeps_nobody_out(page)
    page.get_by_role("button", name="I lay nothing more").click()
    expect(page.locator("[data-round]")).to_have_text("Round 2: lay what was won")
    expect(page.locator("[data-todo] li").first).to_have_text("Cléo: lay the tile from Ana’s sale in your plot")
    expect(page.locator("#log li").first).to_contain_text("Cléo wins 1 tile")
    won = table.standing()["public"]["won"]
    assert [(one["card"], one["to"]) for one in won] == [("T40", 3), ("T41", 1), ("T42", 2)]
    table.say({"do": "lay", "by": 3, "card": "T40", "x": 0, "y": 1, "turn": 0})
    expect(page.locator(".plot").first.locator("[data-card]")).to_have_count(3)
    expect(page.locator("[data-todo] li").first).not_to_contain_text("Cléo")


def test_who_won_what_and_where_stones_go_is_said_right_after_the_last_stone(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """A stone of the last turn stood as the greater news, and the award was in the log alone."""
    begins(table, LAST_BIDS)
    page = visit(address)
    expect(page.locator("[data-round]")).to_have_text("Round 2, bidding turn 3 of 3")
    table.say({"do": "bid", "by": 3, "card": "G1", "to": 1})
    table.say({"do": "end_turn", "by": 3})
    expect(page.locator("[data-round]")).to_have_text("Round 2: lay what was won")
    expect(page.locator("#verdict .said")).to_have_text("Ana wins 2 tiles and Ben wins 1 tile.")
    expect(page.locator("#verdict .why")).to_contain_text("Ana’s tile goes to Ana for ")
    expect(page.locator("#verdict .why")).to_contain_text("1 green stone from Ana’s tile to Cléo.")


def test_the_television_shows_the_whole_award_debts_with_a_minus_sign_and_french_names_as_one_says_them(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """« de Ana » is no French, a hyphen no minus sign, and an award of five tiles has many words."""
    seats = [{"name": name} for name in ("Ana", "Élodie", "Oscar", "Inès", "Hugo")]
    plots = [*PLOTS, ["T19@0,0/0", "T20@1,0/0"], ["T21@0,0/0", "T22@1,0/0"]]
    bids = [["R1", "B1"], ["B2", "R2", "G1"], ["Y1", "W1", "G2"], ["Y2", "B3"], ["W2", "R3"]]
    offers = ["T40", "T41", "T42", "T43", "T44"]
    position = {**LAST_BIDS, "plots": plots, "bids": bids, "offers": offers, "darwin": [12, -2, 4, -11, 0], "turn": 5}
    table.opens({"game": "darwinci", "seat": seats, "position": position})
    page = visit(f"{address}/tv", size="television", locale="fr-FR")
    expect(page.locator("b[data-points]")).to_have_text(["12", "−2", "4", "−11", "0"])
    expect(page).to_have_title("Ana 12 · Élodie −2 · Oscar 4 · Inès −11 · Hugo 0")
    table.say({"do": "end_turn", "by": 5})
    why = page.locator("#verdict .why")
    expect(why).to_contain_text("Le fragment d’Élodie va à Ana")
    expect(why).not_to_contain_text("du fragment de Hugo à")  # so many words do not fit: the phones have the rest
    phone = visit(address, locale="fr-FR")
    expect(phone.locator("#verdict .why")).to_contain_text("du fragment de Hugo à")
    assert page.get_by_role("list", name="La réserve d’Oscar").count() == 1
    words = page.content()
    assert not [one for one in ("de Ana", "de Élodie", "de Oscar", "de Inès", ">-") if one in words]
    assert "-2 " not in page.inner_text("body")
    expect(page.locator(".ring .leads")).to_have_count(5)  # each sale; where its stones go is told in the log
    ends = page.evaluate(
        "() => [...document.querySelectorAll('#verdict .said, .ring .leads')].map((one) => "
        "[one.scrollHeight - one.clientHeight, innerHeight - one.getBoundingClientRect().bottom])"
    )
    assert all(hidden <= 1 and left >= 0 for hidden, left in ends), ends


def test_a_jewel_is_counted_while_others_bid(table: SpokenTable, address: str, visit: Callable[..., Page]) -> None:
    """Stones are laid every few seconds; whoever writes a number meanwhile is not told to try again."""
    begins(table, LAST_BIDS)
    page = visit(f"{address}/join/{table.codes[1]}")
    page.get_by_role("button", name="Count a jewel").click()
    page.get_by_role("button", name="green jewel").click()
    page.get_by_role("spinbutton", name="How many Darwin does it bring?").fill("4")
    page.evaluate("document.querySelectorAll('#acts button').forEach((one) => (one.dataset.before = 'yes'))")
    table.say({"do": "bid", "by": 3, "card": "G1", "to": 1})
    expect(page.locator("#verdict .said")).to_contain_text("Cléo bids a green stone")
    expect(page.locator("#acts [data-before]")).to_have_count(0)  # the buttons behind the question are new
    with page.expect_response("**/api/v1/moves") as answer:
        page.get_by_role("button", name="Done").click()
    assert answer.value.status == 200
    expect(page.locator("#note")).to_have_text("")
    assert table.standing()["standing"]["darwin"] == [16, 9, 4]


def test_the_last_count_a_debt_and_a_tie_are_settled_on_phones(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """« phones ask every seat for its last jewel, and at a tie whose creature is larger »"""
    begins(table, ALL_LAID)
    page = visit(f"{address}/join/{table.codes[3]}")
    todo = page.locator("[data-todo]")
    expect(page.locator("[data-round]")).to_have_text("The end: a last count")
    expect(todo).to_contain_text("Cléo: a tie, how many tiles has your creature?")
    expect(todo).to_contain_text("Ben: a last jewel to count?")
    page.get_by_role("button", name="Count a jewel").click()
    page.get_by_role("button", name="green jewel").click()
    page.get_by_role("spinbutton", name="How many Darwin does it bring?").fill("3")
    page.get_by_role("button", name="Done").click()
    expect(todo).not_to_contain_text("a tie")
    table.say({"do": "income", "by": 2, "jewel": "red", "amount": 3}, 2)
    expect(todo).to_contain_text("Cléo: a tie, how many tiles has your creature?")
    page.get_by_role("button", name="Size of the creature").click()
    page.get_by_role("button", name="2", exact=True).click()
    expect(todo).not_to_contain_text("Cléo: a tie")
    host = visit(f"{address}/host#more", code=table.codes[None])
    host.get_by_text("We counted the money").click()
    for seat, darwin in ((0, "-2"), (1, "12"), (2, "12")):
        host.locator("#counts [name=seat]").nth(seat).fill(darwin)
    host.locator("#counts button").click()
    expect(host.locator("#verdict .said")).to_have_text("The host corrected the counts.")
    assert table.standing()["standing"]["darwin"] == [-2, 12, 12]
    hold(host.get_by_role("button", name="All counted: end the match"))
    expect(page.locator("#mine")).to_have_text("you won")
    assert table.standing()["standing"]["winners"] == [3]


def test_a_match_is_set_up_with_other_colours_for_experts(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """Whoever had the stones that somebody chooses gets those that were given up."""
    begins(table, LAST_BIDS)
    page = visit(f"{address}/setup?game=darwinci#play", code=table.codes[None])
    page.get_by_role("button", name="Go on without a picture").click()
    page.get_by_role("button", name="One more player").click()
    for seat, name in enumerate(("Ana", "Ben", "Cléo", "Zoé")):
        page.locator("[name=name]").nth(seat).fill(name)
    colours = page.locator("[name=colour]")
    colours.nth(0).select_option("yellow")
    expect(colours.nth(3)).to_have_value("red")
    page.locator("[name=experts]").check()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.get_by_role("button", name="Close it and begin").click()
    expect(page).to_have_url(f"{address}/host")
    match = table.runner.stored.header["match"]
    assert [seat["colour"] for seat in match["seat"]] == ["yellow", "blue", "green", "red"]
    assert (match["game"], match["profile"]) == ("darwinci", "experts")
    page.goto(address)
    expect(page.locator("[data-todo] li")).to_contain_text("Lay two tiles in each plot, your stones in the reserves")


def test_a_tile_of_ones_own_box_takes_two_taps_and_may_be_entered_again(serve: Serve, visit: Visit) -> None:
    """A bone and a number; before the box is whole no sum of it is a fault."""
    desk = RealDesk(running=False)
    page = visit(f"{serve(desk, WORDS)}/decks/ours?game=darwinci", code=HOST_CODE, bypass_csp=True)
    number = page.locator("#values").get_by_role("button", name="−3", exact=True)
    expect(number).to_be_disabled()  # a tile without a bone is none
    page.get_by_role("button", name="bone with a corner: right, bottom").click()
    number.click()
    expect(page.locator("#which")).to_have_text("T02")
    expect(page.locator("#sound")).to_have_text("No faults.")
    expect(page.locator("#count")).to_have_text("1 of 65 tiles")
    page.get_by_role("button", name="T01 −3: entered").click()
    chosen = page.get_by_role("button", name="bone with a corner: right, bottom")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    for _ in range(2):
        page.get_by_role("button", name="red jewel").click()
    page.get_by_text("Other numbers").click()
    page.get_by_role("button", name="12", exact=True).click()
    expect(page.locator("#done")).to_have_text("T01 is entered. Now T02.")
    wait(lambda: desk.decks.deck("ours")["tile"][0]["value"] == 12)
    tile = {"id": "T01", "kind": "corner", "ends": "ES", "value": 12, "jewels": ["red", "red"]}
    assert desk.decks.deck("ours")["tile"] == [tile]
    page.reload()
    expect(page.locator("#which")).to_have_text("T02")
    keeps_nobody_out(page)


def test_a_fault_of_a_tile_that_was_typed_by_hand_names_it(serve: Serve, visit: Visit) -> None:
    desk = RealDesk(running=False)
    rows = [{"id": "T07", "kind": "end", "ends": "NS", "value": 2}]
    desk.decks.save_deck(HOST, "ours", {"deck": {"game": "darwinci", "name": "Ours", "edition": "own"}, "tile": rows})
    page = visit(f"{serve(desk, WORDS)}/decks/ours", code=HOST_CODE)
    expect(page.locator("#faults li")).to_have_count(1)
    expect(page.locator("#faults li")).to_contain_text("T07: these ends are not those of this kind")
