"""Large text on a small phone: every page of every role reads without loss and without scrolling sideways.

What axe cannot see is measured in the browser: what reaches beyond the edge, texts that are cut, texts over each other,
and words that fall into letters.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from support.large_text import BROKEN_WORDS, MEASURED
from support.long_cases import rest_long
from support.real_desk import HOST_CODE, MATCH, RealDesk, code_of

from companion.games import registry

pytestmark = pytest.mark.browser

PAGES = {
    "/": None,
    "/watch": None,
    "/seat": code_of(2),
    "/host": HOST_CODE,
    "/join": None,
    "/how": None,
    "/matches": None,
    f"/matches/{MATCH}": HOST_CODE,
    "/setup": HOST_CODE,
    "/print": HOST_CODE,
    "/check": HOST_CODE,
    "/decks": HOST_CODE,
    "/decks/ours": HOST_CODE,
    "/nowhere": None,
}


@pytest.mark.parametrize("percent", rest_long([200, 150, 100]))
@pytest.mark.parametrize("simulated", [True, False], ids=["drawn", "real"])
def test_every_page_reads_in_large_text(
    percent: int, simulated: bool, serve: Callable[..., str], visit: Callable[..., Page]
):
    names = ("Maximilienne", "Jean-Christophe", "Bo", "Émile")
    desk = RealDesk([{"name": name} for name in names], simulated=simulated, deck=registry.demo_deck())
    desk.lay(14)
    desk.refuse("5-1")
    address = serve(desk)
    found, page = {}, None
    for path, code in PAGES.items():
        page = visit(address + path, code=code, locale="fr-FR", expected=("404", "decode", "409", "403"), leaving=page)
        page.set_viewport_size({"width": 320, "height": 640})
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        page.wait_for_timeout(200)
        found[path] = [*page.evaluate(MEASURED), *page.evaluate(BROKEN_WORDS)]
    assert {path: told for path, told in found.items() if told} == {}


def test_a_planted_loss_is_found(serve: Callable[..., str], visit: Callable[..., Page], desk: RealDesk):
    page = visit(f"{serve(desk)}/join")
    assert page.evaluate(MEASURED) == []
    assert page.evaluate(BROKEN_WORDS) == []
    page.evaluate(
        """() => { const main = document.querySelector('main');
        for (const id of ['cut', 'wide', 'over', 'under', 'letters']) {
          main.insertAdjacentHTML('beforeend', `<p id=${id}>${id}</p>`);
        }
        const style = (id, more) => Object.assign(document.getElementById(id).style, more);
        style('letters', {width: '2em', overflowWrap: 'anywhere'});
        style('cut', {overflow: 'hidden', height: '4px'});
        style('wide', {paddingLeft: '2000px'});
        style('over', {position: 'absolute', top: '300px', left: '9px'});
        style('under', {position: 'absolute', top: '300px', left: '9px'}); }"""
    )
    assert '"letters" is broken: main#main > p#letters' in page.evaluate(BROKEN_WORDS)
    told = " ".join(page.evaluate(MEASURED))
    assert all(
        one in told for one in ('cut: p. "cut"', 'beyond the edge: p. "wide"', 'over each other: p. "over"', "wide")
    )
