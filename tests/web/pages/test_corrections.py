"""What pages offer to take back and to claim is what the server says, and what is pressed is what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST_CODE, RealDesk, code_of

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
