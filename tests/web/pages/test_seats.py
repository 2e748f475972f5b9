"""Who sits where, said on the host's page and seen on every screen: the real desk, rules and log behind real pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.real_desk import HOST, Evening, served
from support.visits import hold

from companion.public.service import Done

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]


@pytest.fixture
def address(evening: Evening) -> Iterator[str]:
    with served(evening) as server:
        yield f"http://127.0.0.1:{server.port}"


def who(page: Page, seat: int) -> Any:
    return page.locator(f":is(.scores, .plates) [data-seat='{seat}'] .who")


def hand(page: Page, seat: int) -> Any:
    return page.locator(f":is(.scores, .plates) [data-seat='{seat}'] [data-hand]")


def opened(page: Page, seat: int) -> Any:
    """The host's lines about a seat, unfolded."""
    place = page.locator(f"[data-place='{seat}']")
    if page.locator("#seats").get_attribute("open") is None:
        page.get_by_text("Seats and names").click()
    if place.get_attribute("open") is None:
        place.locator("summary").click()
    return place


def test_a_host_renames_swaps_sends_home_and_seats_people_and_every_screen_follows(
    evening: Evening, address: str, visit: Visit
):
    screens = [visit(address), visit(f"{address}/tv", size="television")]
    ben = visit(f"{address}/seat", code=evening.code(2))
    host = visit(f"{address}/host#more", code=evening.code(None))
    expect(ben.get_by_role("heading", name="Ben")).to_be_visible()

    # Ben is really called Zoé.
    place = opened(host, 2)
    place.get_by_label("Name").fill("Zoé")
    place.get_by_role("button", name="Rename").click()
    for screen in (*screens, host, ben):
        expect(who(screen, 2)).to_have_text(re.compile("^Zoé"))
    expect(ben.get_by_role("heading", name="Zoé")).to_be_visible()
    expect(ben).to_have_title("Zoé 0")

    # She changes places with Ana: names and phones go along, cards stay.
    expect(place.get_by_role("button", name="Robo")).to_have_count(0)
    place.get_by_role("button", name="Ana").click()
    for screen in (*screens, host, ben):
        expect(who(screen, 1)).to_have_text(re.compile("^Zoé"))
        expect(who(screen, 2)).to_have_text(re.compile("^Ana"))
    expect(ben.locator(".me .seat-1")).to_be_visible()
    expect(ben.locator("#mine")).to_have_text("your turn")
    codes = host.locator("[data-code]")
    expect(codes.nth(0)).to_have_text(re.compile("Ana"))
    expect(codes.nth(1)).to_have_text(re.compile("Zoé"))
    expect(codes.nth(1).locator(".seat-1")).to_have_count(1)

    # Dan comes: his seat was kept free, and he draws a hand.
    for screen in screens:
        expect(who(screen, 3).get_by_text("empty seat")).to_be_visible()
    place = opened(host, 3)
    expect(place.locator("[data-what]")).to_have_text("The new player draws 5 cards from the stack.")
    expect(place.get_by_role("button", name="Leaves the table")).to_be_hidden()
    place.get_by_label("Name").fill("Daniel")
    place.get_by_role("button", name="Sits down").click()
    for screen in (*screens, host):
        expect(hand(screen, 3)).to_have_text("5")
        expect(who(screen, 3)).to_have_text(re.compile("^Daniel"))
        expect(who(screen, 3).get_by_text("empty seat")).to_be_hidden()
    expect(place.get_by_role("button", name="Sits down")).to_be_hidden()

    # Zoé, whose turn it is, must go to bed; a tap is not enough.
    place = opened(host, 1)
    expect(place.locator("[data-what]")).to_have_text(
        "Hold the button: 5 cards go under the stack; discards and points stay. Then Ana plays."
    )
    leaves = place.get_by_role("button", name="Leaves the table")
    leaves.click()
    host.wait_for_timeout(900)
    expect(hand(host, 1)).to_have_text("5")
    hold(leaves)
    for screen in (*screens, host):
        expect(hand(screen, 1)).to_have_text("0")
        expect(who(screen, 1).get_by_text("empty seat")).to_be_visible()
        expect(screen.locator(":is(.scores, .plates) [data-seat='2'] .turn")).to_be_visible()
    expect(place.get_by_role("button", name="Sits down")).to_be_visible()
    standing = evening.host.match
    assert standing is not None
    assert standing.standing.counters["hands"] == (0, 5, 5, 5)


def test_what_cannot_be_now_has_no_button_but_a_reason_in_the_readers_language(
    evening: Evening, address: str, visit: Visit
):
    assert isinstance(evening.desk.match.correct(HOST, {"do": "seat", "seat": 1, "here": False}), Done)
    for locale, said in (
        ("en-GB", "Nobody can leave now: nobody would be left to play; end the match instead."),
        ("fr-FR", "Personne ne peut partir maintenant\u00a0: il ne resterait personne pour jouer"),
    ):
        page = visit(f"{address}/host#more", code=evening.code(None), locale=locale)
        page.locator("#seats > summary").click()
        place = page.locator("[data-place='2']")
        place.locator("summary").click()
        expect(place.locator("[data-what]")).to_contain_text(said)
        expect(place.locator("[data-leaves]")).to_be_hidden()


def test_a_name_that_is_being_typed_is_not_overwritten_by_what_happens_meanwhile(
    evening: Evening, address: str, visit: Visit
):
    page = visit(f"{address}/host#more", code=evening.code(None))
    place = opened(page, 2)
    place.get_by_label("Name").fill("Zo")
    evening.say({"do": "place", "by": 1, "card": "1-1", "from": "hand"})
    expect(hand(page, 1)).to_have_text("4")
    expect(place.get_by_label("Name")).to_have_value("Zo")


def test_the_host_makes_new_codes_and_stays_the_host_while_who_had_an_old_one_is_asked_to_join(
    evening: Evening, address: str, visit: Visit
):
    """The button is held; the page comes back with the new codes in view. The bot, which nobody joins for, has none."""
    old = {who: evening.code(who) for who in (None, 2)}
    ben = visit(f"{address}/seat", code=old[2], expected=("403",))
    host = visit(f"{address}/host#more", code=old[None])
    renew = host.locator("#codes [data-renew]")
    expect(renew).to_have_count(5)
    shown = host.locator("#codes .short")
    before = shown.all_inner_texts()
    renew.nth(2).click()
    host.wait_for_timeout(900)
    assert shown.all_inner_texts() == before, "a tap is no hold"
    for number, changed in ((2, {2}), (0, {0}), (4, {0, 1, 2, 3})):
        with host.expect_event("load"):
            hold(renew.nth(number))
        expect(shown).to_have_count(4)
        now = shown.all_inner_texts()
        assert {at for at, (one, other) in enumerate(zip(before, now, strict=True)) if one != other} == changed
        before = now
        expect(host.locator("#codes img").first).to_be_visible()
    assert old[None] != evening.code(None)
    evening.say({"do": "place", "by": 1, "card": "1-1", "from": "hand"})
    expect(ben).to_have_url(f"{address}/join?lost")
    expect(hand(host, 1)).to_have_text("4")
