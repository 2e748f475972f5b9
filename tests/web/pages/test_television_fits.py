"""Nothing is cut on the television: random matches of every game, with corrections, are played under its eyes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.random_corrections import GAMES, NAMES, LiveTable, played_on
from support.spoken_table import SpokenTable

from companion.games.registry import GAMES as MODULES, demo_match
from web.server import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]

SMALL, LARGE = (1280, 720), (1920, 1080)

CUT = """() => {
  const below = document.getElementById("below");
  const place = below.getBoundingClientRect();
  const slack = innerHeight / 80; // letters have air above and below
  return [...below.querySelectorAll(".said, .why, .stays, .question p, .guide li, .unread li")].flatMap((one) => {
    if (!one.offsetHeight || !one.textContent.trim()) return [];
    const text = document.createRange();
    text.selectNodeContents(one);
    const { top, bottom, right } = text.getBoundingClientRect();
    const box = one.getBoundingClientRect();
    const out = top < place.top - slack || bottom > innerHeight + slack || right > innerWidth;
    const cut = bottom > box.bottom + slack || right > box.right + 2;
    return out || cut ? [`${out ? "out" : "cut"} ${one.className || one.localName}: ${one.textContent}`] : [];
  });
}"""
"""What does not fit where it is told."""


def _evenings() -> list[Any]:
    """One of each game in the longer language in every run; a long run takes its time for all profiles."""
    usual = {(name, module.usual_profile) for name, module in MODULES.items()} | {("discovery", "fr-bluff")}
    return [
        pytest.param(*one, locale, size, acts, marks=pytest.mark.long if acts > 60 or one not in usual else ())
        for one in GAMES
        for locale, size, acts in (
            ("fr-FR", (1280, 720), 60),
            ("fr-FR", (1280, 720), 250),
            ("en-GB", (1920, 1080), 250),
        )
    ]


@pytest.mark.parametrize(("game", "profile", "locale", "size", "acts"), _evenings())
def test_nothing_that_is_told_is_cut(
    game: str, profile: str, locale: str, size: tuple[int, int], acts: int, visit: Visit, tmp_path: Path
):
    """« Stop! and its reasons fit at every size and language »"""
    table = SpokenTable(tmp_path)
    server = Server(table.app, 0, "127.0.0.1")
    seats = len(demo_match(MODULES[game])["seat"])
    table.opens({"game": game, "profile": profile, "seat": [{"name": one} for one in NAMES[:seats]]})
    page = visit(f"http://127.0.0.1:{server.port}/tv", size="television", locale=locale)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    page.evaluate("addEventListener('update', (event) => (window.seen = event.detail.update.number))")
    cut, looked = dict[str, int](), 0
    for _ in played_on(LiveTable(table), Random(3), acts):
        number = table.standing()["number"]
        page.wait_for_function("(number) => (window.seen ?? 0) >= number", arg=number)
        cut |= dict.fromkeys(page.evaluate(CUT), number)
        looked += 1
    page.context.close()
    server.close()
    table.close()
    assert cut == {}
    assert looked > acts / 2
