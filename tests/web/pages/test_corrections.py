"""What pages offer to take back and to claim is what the server says, and what is pressed is what happens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.long_cases import rest_long
from support.real_desk import HOST_CODE, RealDesk, code_of
from support.spoken_table import SpokenTable
from support.waiting import wait

from companion.history.events import Claimed, Played, Struck

pytestmark = pytest.mark.browser
Serve = Callable[..., str]
Visit = Callable[..., Page]
HOLD_MS = 900


def events(desk: RealDesk) -> list[Any]:
    return [line.entry.event for line in desk.game_match.record.lines]


def undo(page: Page, what: str) -> None:
    """Hold the page's *Undo*, which says this."""
    page.get_by_role("button", name=f"Undo: {what}").click(delay=HOLD_MS)


def test_the_host_takes_back_an_adopted_table_and_a_count_before_the_card(
    serve: Serve, visit: Visit, desk: RealDesk
) -> None:
    """ "Keep the table as it is now" by mistake, then *Undo*: that alone is taken back; the card keeps its points."""
    page = visit(f"{serve(desk)}/host", code=HOST_CODE)
    points = desk.standing.points
    placed = len(events(desk))
    card = page.get_by_role("button", name="Undo: ").text_content()
    desk.correct("table-is-right")
    expect(page.locator("[data-do=undo]")).to_have_text("Undo: keeping the table as it lay")
    undo(page, "keeping the table as it lay")
    expect(page.locator("[data-do=undo]")).to_have_text(card or "")
    assert (events(desk)[-1], desk.standing.points) == (Struck(placed + 1), points)

    desk.correct("counts", stack=desk.standing.counters["stack"])
    expect(page.locator("[data-do=undo]")).to_have_text("Undo: The host corrected the counts.")
    undo(page, "The host corrected the counts.")
    expect(page.locator("[data-do=undo]")).to_have_text(card or "")
    assert (events(desk)[-1], desk.standing.points) == (Struck(placed + 3), points)
    undo(page, (card or "").removeprefix("Undo: "))
    expect(page.locator("[data-do=undo]")).not_to_have_text(card or "")
    assert events(desk)[-1] == Struck(placed)


def test_a_seat_claims_the_last_card_and_takes_its_claim_back(serve: Serve, visit: Visit, desk: RealDesk) -> None:
    address = serve(desk)
    ben, cleo, television = (
        visit(f"{address}/seat", code=code_of(2)),
        visit(f"{address}/seat", code=code_of(3)),
        visit(f"{address}/tv", size="television"),
    )
    before, state = len(events(desk)), desk.game_match.record.state
    expect(cleo.locator("#acts")).not_to_contain_text("That was me")
    ben.get_by_role("button", name="That was me").click()
    expect(ben.get_by_role("button", name="that was Ben")).to_be_visible()
    assert [type(one) for one in events(desk)[before:]] in ([Claimed], [Struck, Played, Played])
    expect(cleo.locator("#acts")).not_to_contain_text("Undo")
    expect(television.locator("#verdict .said")).to_be_visible()
    ben.get_by_role("button", name="that was Ben").click(delay=HOLD_MS)
    expect(ben.get_by_role("button", name="that was Ben")).to_have_count(0)
    expect(ben.get_by_role("button", name="That was me")).to_be_visible()
    assert desk.game_match.record.state == state
    # What everybody is told says whose it is to take back.
    told = television.evaluate("fetch('/api/v1/standing').then((answer) => answer.json())")
    assert {one["do"]: one["seats"] for one in told["corrections"]}["undo"] == [1]


SEATS = [{"name": name} for name in ("Ana", "Ben", "Cléo")]
PLOTS = [["T13@0,0/0", "T14@1,0/0"], ["T15@0,0/0", "T16@1,0/0"], ["T17@0,0/0", "T18@1,0/0"]]
BIDS = {
    **{"plots": PLOTS, "offers": ["T40", "T41", "T42"], "bids": [["R1"], ["R2"], ["B1"]], "darwin": [12, 9, 4]},
    **{"round": 2, "bidding": 3, "turn": 3},
}
ISLAND = {"do": "deal", "by": 0, "tiles": ["M01", "M02"], "joins": [["M02-4", "M01-2"]], "stands": ["M01-1"] * 2}
OTHER_GAMES: dict[str, tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = {
    "carcassonne": (
        {"seat": SEATS[:2]},
        [{"do": "start", "by": 0, "card": "T01"}],
        {"do": "place", "by": 1, "card": "T02", "x": 1, "y": 0, "turn": 0},
    ),
    "darwinci": ({"seat": SEATS, "position": BIDS}, [], {"do": "bid", "by": 3, "card": "G1", "to": 1}),
    "lands": (
        {"seat": SEATS[:2]},
        [
            ISLAND,
            *({"do": "gain", "by": 1 + (n > 2), "card": f"P0{n}"} for n in range(1, 5)),
            {"do": "lead", "by": 0, "seat": 1},
        ],
        {"do": "gain", "by": 1, "card": "O30"},
    ),
}
"""Of each other game a match, what was said in it, and what somebody then says and takes back."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("game", rest_long(list(OTHER_GAMES), quick=1))
def test_what_is_undone_on_the_pages_of_other_games_is_gone_and_the_television_says_so(
    game: str, table: SpokenTable, address: str, visit: Visit
) -> None:
    match, said, act = OTHER_GAMES[game]
    table.opens({"game": game, **match})
    for move in said:
        table.say(move)
    now = table.runner.match
    assert now is not None
    before = now.record.state
    television = visit(f"{address}/tv", size="television")
    for path, code in (("host", table.codes[None]), ("seat", table.codes[act["by"]])):
        number = table.say(act)["number"]
        page = visit(f"{address}/{path}", code=code)
        offered = [one for one in table.standing()["corrections"] if one["do"] == "undo"]
        assert [(one["number"], one["seats"][:1]) for one in offered] == [(number, [act["by"]])]
        page.get_by_role("button", name=re.compile("^Undo: ")).click(delay=HOLD_MS)
        wait(lambda number=number: len(now.record.lines) == number + 1)  # type: ignore[misc]
        assert now.record.lines[-1].entry.event == Struck(number, *([act["by"]] if path == "seat" else []))
        assert now.record.state == before
        expect(television.locator("#verdict .said")).to_have_text(table.standing()["texts"][0])
