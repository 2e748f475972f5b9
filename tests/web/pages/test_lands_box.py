"""A box of Lands Unknown of which nothing is entered, at a table that runs as a program of its own."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.ports import free_port
from support.table_program import TableProgram, until

from companion.storage.event_log import LOG_FILE, EventLog

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DEAL = {"do": "deal", "by": 0, "tiles": ["M07", "M12"], "joins": [["M12", "M07"]], "stands": ["M07"]}
TOLD = {"do": "tell", "by": 0, "card": "M07", "spaces": [[-20, 0], [25, 0]], "ways": [[1, 2]], "exits": [[2, 50, 0]]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableProgram]:
    program = TableProgram(tmp_path / "data", free_port(), "--source", "phone", "--game", "lands")
    yield program
    if program.program.poll() is None:
        program.program.kill()
    program.program.wait(20)


def host_of(data: Path) -> str:
    with closing(EventLog(data / LOG_FILE, reading=True, witness=False)) as log:
        return str(log.table.setting("host")[0])


def says(table: TableProgram, host: str, move: dict[str, Any]) -> None:
    after = table.standing()["number"]
    status, answer = table.ask("POST", "/api/v1/moves", host, {"move": move, "after": after})
    assert (status, json.loads(answer).get("event")) in ((200, "played"), (200, "dealt")), answer


@pytest.mark.long
def test_my_box_begins_without_a_deck_file_and_what_was_told_outlives_a_power_cut(
    table: TableProgram, visit: Callable[..., Page]
) -> None:
    """ "Because reading ahead spoils this game … the phone then asks its facts": nothing is entered before."""
    host = host_of(table.data)
    page = visit(f"{table.address}/setup?game=lands#play", code=host)
    page.get_by_role("button", name="Go on without a picture").click()
    page.locator("[name=deck]").select_option("+")
    page.locator("#setup input[type=text], #setup input:not([type])").first.fill("Ana")
    page.locator("#setup .main").click()
    page.wait_for_url("**/host")
    says(table, host, DEAL)
    page.locator("[data-tile=M07]").wait_for()
    page.locator("[data-tile=M12]").wait_for()
    says(table, host, TOLD)
    page.locator("[data-tile=M07]").wait_for(state="detached")
    for move in (
        {"do": "join", "by": 0, "card": "M07", "joins": [["M07-2", "M12"]]},
        {"do": "place", "by": 0, "card": "F1", "to": "M07-1"},
    ):
        says(table, host, move)
    before = table.standing()["public"]
    page.close()
    table.end(signal.SIGKILL)
    again = TableProgram(table.data, free_port(), "--source", "phone")
    try:
        until(lambda: again.standing()["public"], "the match of before")
        assert again.standing()["public"] == before
        assert [one["card"] for one in again.standing()["public"]["described"]] == ["M07"]
        assert again.ask("POST", "/api/v1/rematch", host, {})[0] == 200
        says(again, host, {**DEAL, "joins": [["M12", "M07-2"]], "stands": ["M07-1"]})
        assert again.standing()["public"]["unknown"] == ["M12"]
        page = visit(f"{again.address}/setup?game=lands#play", code=host)
        assert "+" not in page.locator("[name=deck] option").evaluate_all("all => all.map(one => one.value)")
        page.close()
    finally:
        again.end()


@pytest.mark.long
def test_a_page_of_yesterday_does_not_empty_the_box_that_was_entered_since(
    table: TableProgram, visit: Callable[..., Page]
) -> None:
    """Whoever goes back to the setup page still finds *My box* there, and takes it."""
    host = host_of(table.data)
    pages = [visit(f"{table.address}/setup?game=lands#play", code=host) for _ in range(2)]
    deck = {
        "deck": {"game": "lands", "name": "My box", "edition": "own"},
        "tile": [{"id": "M07", "space": [{"at": [0, 0]}]}],
    }
    for nth, page in enumerate(pages):
        page.get_by_role("button", name="Go on without a picture").click()
        page.locator("[name=deck]").select_option("+")
        page.locator("#setup [name=name]").first.fill(f"Ana {nth}")
        page.locator("#setup .main").click()
        if nth:
            page.get_by_role("button", name="Close it and begin").click()
        page.wait_for_url("**/host")
        if not nth:
            assert table.ask("POST", "/api/v1/decks", host, {"name": "lands-box", "deck": deck})[0] == 200
    assert "M07" in (table.data / "decks" / "lands-box.toml").read_text("utf-8")
