"""A bug in somebody's game on pages: the sentence stands there, the pages live, and the host can go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support import real_desk
from support.browser import SCREENS
from support.real_desk import HOST_CODE, RealDesk, code_of
from support.visits import hold

from companion.games import registry
from companion.games.guard import guarded

pytestmark = pytest.mark.browser


@pytest.fixture
def buggy(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the next judging of a desk's game fails."""
    there = [False]

    def opened(*words: Any) -> registry.OpenedMatch:
        sound = registry.open_match(*words)

        def judge(*words: Any) -> Any:
            return 1 // 0 if there[0] else sound.game.rules.judge(*words)

        return replace(sound, game=guarded(replace(sound.game, rules=replace(sound.game.rules, judge=judge))))

    monkeypatch.setattr(real_desk, "open_match", opened)
    return there


def test_every_page_says_that_the_game_has_a_bug_and_the_host_undoes_the_last_entry(
    serve: Callable[..., str], visit: Callable[..., Page], buggy: list[bool]
) -> None:
    desk = RealDesk()
    desk.lay(2)
    address = serve(desk)
    places = {"": {}, "tv": {"size": "television"}, "seat": {"code": code_of(1)}, "host": {"code": HOST_CODE}}
    pages = {path: visit(f"{address}/{path}", **more) for path, more in places.items()}
    buggy[0] = True
    desk.put(desk.cards[2], "tree", 1.0)
    sentence = "The game discovery has a bug: its function rules.judge failed (test_bug_on_pages.py, line "
    for path, page in pages.items():
        expect(page.locator("#verdict .said")).to_contain_text(sentence)
        page.screenshot(path=SCREENS / f"bug-{path or 'first'}.png")
        page.reload()
        expect(page.locator("#verdict .said")).to_contain_text(sentence)
    buggy[0] = False
    hold(pages["host"].get_by_role("button", name="Undo: Ana places"))
    for page in pages.values():
        expect(page.locator("#verdict .said")).not_to_contain_text("has a bug")


def test_the_host_closes_a_match_that_a_bug_has_stopped_in_the_list(
    serve: Callable[..., str], visit: Callable[..., Page], buggy: list[bool]
) -> None:
    desk = RealDesk()
    desk.lay(2)
    address = serve(desk)
    page = visit(f"{address}/matches", code=HOST_CODE)
    button = page.get_by_role("button", name=f"Close it: {desk.id}")
    expect(page.get_by_text("running", exact=False).first).to_be_visible()
    expect(button).to_have_count(0)
    buggy[0] = True
    desk.put(desk.cards[2], "tree", 1.0)
    page.reload()
    expect(page.get_by_text("stopped by a bug")).to_be_visible()
    page.screenshot(path=SCREENS / "bug-matches.png")
    hold(button)
    expect(page.get_by_text("stopped by a bug")).to_have_count(0)
    assert desk.runner.match is None
