"""The first page of a table that everybody may see: its picture, what this is, and two ways to go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect
from support.browser import violations
from support.long_cases import rest_long
from support.real_desk import HOST_CODE, RealDesk, code_of

from companion.games import registry
from companion.public.table import Token

pytestmark = pytest.mark.browser
Serve = Callable[..., str]
Visit = Callable[..., Page]
LIMIT = 25_000
"""Bytes of a first page besides pictures, those of the cards among them, and the face of its titles."""


def picture(width: int = 1200, height: int = 732) -> bytes:
    _, packed = cv2.imencode(".jpg", np.full((height, width), 120, np.uint8))
    return packed.tobytes()


@pytest.fixture
def desk() -> Iterator[RealDesk]:
    """A drawn table on which ten cards lie in a row."""
    desk = RealDesk(simulated=True, deck=registry.demo_deck())
    desk.shown = picture()
    desk.lay(10)
    desk.corners = {
        Token(desk.token(card)): ((x, 400), (x + 60, 400), (x + 60, 490), (x, 490))
        for x, card in enumerate(desk.cards, 1)
        for x in (x * 20,)
    }
    yield desk
    desk.close()


def seen(page: Page) -> Page:
    """Waits until the picture and what was seen in it are there."""
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    expect(page.locator(".seen > *").first).to_be_attached()
    return page


def test_the_newest_card_is_named_in_the_picture_the_others_framed_and_the_pool_dashed(
    serve: Serve, visit: Visit, desk: RealDesk
):
    page = seen(visit(serve(desk)))
    newest = desk.told[-1].entry["move"]["card"] if desk.told[-1].entry["move"]["do"] == "place" else None
    laid = [one["card"] for one in desk.view["tree"]]
    expect(page.locator(".seen > path")).to_have_count(len([card for card in laid if card != newest]))
    expect(page.locator(".seen .dashed")).to_have_count(1)
    desk.lay(1)
    name = page.locator(".seen .now text")
    card = [one["card"] for one in desk.view["tree"]][-1]
    expect(name).to_have_text(
        page.evaluate("(id) => JSON.parse(start.textContent).match.cards.find((one) => one.id === id).name", card)
    )
    expect(page.locator("#verdict .token b")).to_have_text(card[0])


def test_a_table_that_is_hidden_again_gives_way_to_its_map(serve: Serve, visit: Visit):
    desk = RealDesk()
    desk.lay(2)
    desk.shown = picture()
    desk.setup.shown.allow(desk.spoken.user(HOST_CODE), True)
    page = visit(serve(desk), expected=("403",))
    expect(page.locator("#picture img")).to_be_visible()
    expect(page.locator(".table")).to_have_count(0)
    desk.setup.shown.allow(desk.spoken.user(HOST_CODE), False)
    expect(page.locator(".table")).to_be_visible()
    expect(page.locator("#picture")).to_have_count(0)


def test_the_host_shows_a_real_table_with_one_switch(serve: Serve, visit: Visit):
    desk = RealDesk()
    page = visit(f"{serve(desk)}/host", code=HOST_CODE)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    page.locator("#camera summary").click()
    switch = page.get_by_role("switch", name="Show the picture to everybody")
    with page.expect_response("**/api/v1/table-picture"):
        switch.check()
    assert desk.setup.shown.shown
    page.reload()
    page.locator("#camera summary").click()
    expect(switch).to_be_checked()


def test_watching_leads_to_the_whole_board(serve: Serve, visit: Visit, desk: RealDesk):
    page = seen(visit(serve(desk)))
    page.get_by_role("link", name="Watch").click()
    expect(page.locator("[data-tree]")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-link", "live")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("size", ["phone", "television"])
def test_the_first_page_is_small(size: str, locale: str, serve: Serve, visit: Visit, desk: RealDesk):
    address = serve(desk)
    page = visit("about:blank", size=size, locale=locale)
    loaded: dict[str, int] = {}
    page.on("response", lambda one: loaded.update({one.url: int(one.headers.get("content-length", 0))}))
    page.goto(address)
    seen(page)
    expect(page.locator("#verdict .said")).not_to_be_empty()
    pictures = ("table.jpg", ".woff2", "faces.svg", "blob:", "here.svg")
    words = {url.removeprefix(address): size for url, size in loaded.items() if not any(one in url for one in pictures)}
    files = {url.rpartition("/")[2].partition("?")[0] for url in words}
    assert {"style.css", "scoreboard.js", "picture.js"} <= files
    assert sum(words.values()) <= LIMIT, words


STATES: dict[str, Callable[[RealDesk], Any]] = {
    "play": lambda desk: None,
    "refusal": lambda desk: desk.refuse("4-1"),
    "question": lambda desk: desk.ask("3-7"),
    "away": lambda desk: desk.correct("seat", seat=2, here=False),
    "end": lambda desk: desk.win(),
}


LOOKS = [("light", "en-GB", "phone"), ("dark", "fr-FR", "television")]
DRAWN = [(state, *LOOKS[number % 2]) for number, state in enumerate(STATES)]
"""Each state in one look."""
OTHERS = [(state, *LOOKS[1 - number % 2]) for number, state in enumerate(STATES)]


@pytest.mark.usefixtures("axe")
@pytest.mark.parametrize(("state", "scheme", "locale", "size"), rest_long([*DRAWN, *OTHERS], len(DRAWN)))
def test_nobody_is_kept_out_of_the_first_page(
    state: str, scheme: str, locale: str, size: str, serve: Serve, visit: Visit, desk: RealDesk
):
    STATES[state](desk)
    page = seen(visit(serve(desk), scheme=scheme, locale=locale, size=size, bypass_csp=True))
    assert violations(page) == []


@pytest.mark.usefixtures("axe")
def test_nobody_is_kept_out_of_a_first_page_that_lost_its_table(serve: Serve, visit: Visit, desk: RealDesk):
    page = seen(visit(serve(desk), bypass_csp=True))
    page.evaluate(
        "document.getElementById('away').hidden = false; document.getElementById('picture').className += ' blind'"
    )
    assert violations(page) == []


def test_a_seat_goes_to_its_own_page_from_there(serve: Serve, visit: Visit, desk: RealDesk):
    page = seen(visit(serve(desk), code=code_of(2)))
    expect(page.locator(".lead-acts").get_by_role("link", name="My seat")).to_be_visible()
    expect(page.locator("#visit")).to_have_count(0)
