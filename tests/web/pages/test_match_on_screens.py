"""The moments of a match: a Stop!, a refusal, the end, a lost network, a finger that only taps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from support.browser import SCREENS
from support.real_desk import HOST, HOST_CODE, MATCH, NAMES, POOL, RealDesk, code_of

from companion.games import registry
from companion.games.discovery.pages.faces import face_of, pictogram_of
from companion.public.i18n import Translations
from companion.public.pictogram import SIDE
from companion.public.service import Role, Stale, User
from companion.public.table import Seat
from companion.reading.pictures import picture_size
from web.app import close, create_app
from web.language import Translator
from web.middleware.access import cookie_name
from web.push.sse import EventStreams
from web.server import Server

browser = pytest.mark.browser
Serve = Callable[..., str]
Visit = Callable[..., Page]


def middle(**more: Any) -> RealDesk:
    """A desk in the middle of a match of four: the next cards lie in the pool, from which a card leaves a gap."""
    pool = ["1-5", "1-7", *POOL[2:]]
    return RealDesk(position={"tree": ["1-1", "1-2", "1-3"], "pool": pool, "hands": [5] * 4, "stack": 26}, **more)


def drawn(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("data-link", "live")


@browser
def test_a_refill_does_not_displace_a_stop_and_waits_in_the_log(serve: Serve, visit: Visit):
    """Win, Stop! and its verdict, refusal, question, trouble, score, turn, notice: a lower one waits six seconds."""
    desk = middle(options={"stop": True})
    page = visit("about:blank")
    page.clock.install()
    page.goto(serve(desk))
    drawn(page)
    said, verdict = page.locator("#verdict .said"), page.locator("#verdict")
    desk.put("1-5", "tree")
    expect(said).to_contain_text("Scavenging")
    desk.say({"do": "stop", "by": 2, "number": 1})
    expect(said).to_contain_text("Stop")
    expect(verdict).to_have_attribute("data-kind", "stop")
    expect(verdict).to_contain_text("It is about Scavenging, placed by Ana.")
    desk.put("6-5", "pool")
    page.get_by_text("What happened").click()
    expect(page.locator("#log li").first).to_contain_text("Democracy")
    expect(said).to_contain_text("Stop")
    desk.say({"do": "verify", "by": 1})
    expect(said).not_to_contain_text("Stop")
    expect(verdict).to_have_attribute("data-kind", re.compile("^(?!cards)"))
    expect(said).to_contain_text("The move was valid")
    page.clock.fast_forward(6_500)
    desk.put("6-4", "discard-2")  # Ben was wrong
    desk.put("1-7", "tree")
    expect(said).to_contain_text("Digging stick")
    page.clock.fast_forward(6_500)
    desk.put("6-3", "pool")
    expect(said).to_contain_text("Coinage")
    expect(verdict).to_have_attribute("data-kind", "cards")


@browser
def test_one_more_phone_is_told_apart_and_displaces_nothing(serve: Serve, visit: Visit, desk: RealDesk):
    """Also for whoever opens a page afterwards; a polling page, which hears it again and again, says it once."""
    address = serve(desk)
    page = visit(address)
    drawn(page)
    for _ in range(2):
        desk.match.announce(User(Role.SEAT, Seat(1)))
    expect(page.locator("#toast")).to_contain_text("One more phone speaks for Ana now.")
    expect(page.locator("#log li").filter(has_text="One more phone")).to_have_count(1)
    late = visit(address)
    drawn(late)
    for screen in (page, late):
        expect(screen.locator("#verdict .said")).to_contain_text("Ana places Band.")


@browser
def test_lines_run_between_the_cards_and_strike_through_none(serve: Serve, visit: Visit):
    deck = registry.demo_deck()
    tree = [card["id"] for card in deck["card"]]
    desk = RealDesk(deck=deck, position={"tree": tree[:-1], "pool": [], "hands": [1, 0, 0, 0], "stack": 0})
    desk.lay()
    page = visit(serve(desk), size="tablet")
    drawn(page)
    struck = {}
    for card in ("2-9", "4-1", "4-2", "4-9", "5-5", "6-6"):  # from the row below, from far below, from the same row
        page.locator(f"[data-card='{card}']").click()
        expect(page.locator(".lines path:not(.halo)")).not_to_have_count(0)
        struck[card] = page.evaluate(STRUCK)
    assert {card: others for card, others in struck.items() if others} == {}


STRUCK = """() => {
  const svg = document.querySelector('.lines').getBoundingClientRect();
  const slots = [...document.querySelectorAll('[data-slot]')];
  const cards = slots.map((one) => [one.dataset.slot, one.getBoundingClientRect()]);
  const found = new Set();
  for (const path of document.querySelectorAll('.lines path:not(.halo)')) {
    for (let at = 2; at < path.getTotalLength() - 2; at += 2) {
      const point = path.getPointAtLength(at);
      const [x, y] = [point.x + svg.left, point.y + svg.top];
      for (const [id, box] of cards) if (x > box.left && x < box.right && y > box.top && y < box.bottom) found.add(id);
    }
  }
  return [...found];
}"""
"""The cards that a line runs over."""


@browser
def test_the_era_of_the_newest_card_is_in_sight_and_stays_there(serve: Serve, visit: Visit, desk: RealDesk):
    page = at_the_third_era(serve, visit, desk)
    for width in (414, 320, 600):
        page.set_viewport_size({"width": width, "height": 740})
        expect_era(page, "3")
    desk.lay(9)
    expect_era(page, "4")


@browser
def test_the_end_of_an_earlier_turn_of_the_strip_does_not_hold_up_the_next(serve: Serve, visit: Visit, desk: RealDesk):
    """The browser tells the end of a scroll late: when the next card has already come, in another era."""
    page = at_the_third_era(serve, visit, desk)
    page.evaluate(LATE_ENDS)
    desk.lay(9)
    expect_era(page, "4")
    page.set_viewport_size({"width": 414, "height": 740})
    expect_era(page, "4")


LATE_ENDS = """() => {
  const tree = document.querySelector('.tree');
  const scrollTo = tree.scrollTo.bind(tree);
  tree.scrollTo = (where) => {
    scrollTo(where);
    tree.dispatchEvent(new Event('scrollend'));
    if (where.behavior === 'smooth') requestAnimationFrame(() => (tree.style.width = '99%'));
  };
}"""
"""Each time that the strip sets out, the end of an earlier scroll is told, and then the strip changes its size."""


def at_the_third_era(serve: Serve, visit: Visit, desk: RealDesk) -> Page:
    """A phone that shows it, for the newest card lies there."""
    desk.lay(18)
    page = visit(serve(desk))
    drawn(page)
    expect_era(page, "3")
    return page


def expect_era(page: Page, era: str) -> None:
    """It fills the strip, with nothing of another beside it."""
    for _ in range(300):
        if page.evaluate(IN_SIGHT) == [era]:
            return
        page.wait_for_timeout(100)
    raise AssertionError(page.evaluate(IN_SIGHT))


IN_SIGHT = """() => {
  const tree = document.querySelector('.tree');
  const eras = [...tree.querySelectorAll('[data-era]')];
  return eras.filter((one) => Math.abs(one.offsetLeft - tree.scrollLeft) < 2).map((one) => one.dataset.era);
}"""


@browser
def test_a_lost_camera_that_is_back_displaces_nothing(serve: Serve, visit: Visit, desk: RealDesk):
    """What was said before the camera was lost stands again; also for whoever opens a page afterwards."""
    address = serve(desk)
    page = visit(address)
    drawn(page)
    said = page.locator("#verdict .said")
    expect(said).to_contain_text("Ana places Band.")
    desk.lose()
    expect(said).to_contain_text("No picture from the camera")
    desk.lose(None)
    expect(page.locator("#toast")).to_contain_text("I see the table again")
    expect(page.locator("#log li").filter(has_text="I see the table again")).to_have_count(1)
    late = visit(address)
    drawn(late)
    expect(late.locator("#log li").filter(has_text="I see the table again")).to_have_count(1)
    expect(late.locator("#toast")).to_have_count(0)  # it is over: who opens a page now is not told it as news
    for screen in (page, late):
        expect(screen.locator("#verdict .said")).to_contain_text("Ana places Band.")


@browser
def test_an_undone_verdict_makes_room_at_once(serve: Serve, visit: Visit):
    desk = RealDesk(options={"stop": True})
    desk.lay(2)
    page = visit(serve(desk))
    drawn(page)
    desk.say({"do": "stop", "by": 2, "number": 3})
    desk.say({"do": "verify", "by": 1})
    expect(page.locator("#verdict")).to_have_attribute("data-kind", "stop")
    verdict = page.locator("#verdict .said").inner_text()
    desk.correct("undo")
    expect(page.locator("#verdict .said")).not_to_have_text(verdict)
    expect(page.locator("#verdict")).not_to_have_attribute("data-kind", "stop")


@browser
def test_a_wish_that_cannot_be_granted_is_never_drawn_as_a_tick(serve: Serve, visit: Visit, desk: RealDesk):
    desk.lay(4)
    page = visit(serve(desk))
    drawn(page)
    refused = desk.spoken.correct(HOST, {"do": "undo", "number": 2})  # the sixth card needs the first
    assert isinstance(refused, Stale)
    expect(page.locator("#verdict .said")).to_contain_text("builds on it")
    expect(page.locator("#verdict")).to_have_attribute("data-kind", "wait")
    expect(page.locator("#verdict use")).to_have_attribute("href", re.compile("#info$"))


@browser
def test_a_refused_card_raises_a_hand_and_what_it_lacks_is_an_empty_place_in_view(serve: Serve, visit: Visit):
    desk = RealDesk()
    desk.lay(3)
    address = serve(desk)
    page, host = visit(f"{address}/seat", code=code_of(2)), visit(f"{address}/host#more", code=HOST_CODE)
    drawn(page)
    desk.refuse("3-5")
    offender, lack = page.locator("[data-slot='3-5']"), page.locator("[data-slot='2-2']")
    expect(offender).to_have_attribute("data-state", "refused")
    expect(offender.locator(".sign")).to_be_visible()
    page.locator(".tree").scroll_into_view_if_needed()
    expect(offender).to_be_in_viewport()  # its era was turned to
    expect(lack).to_have_attribute("data-state", "missing")
    expect(lack.locator(".sign")).to_be_hidden()
    expect(lack).to_have_css("border-top-style", "dashed")
    expect(page.locator("#verdict .stays")).to_have_text("Take Cave painting back.")
    expect(host.locator("#verdict .stays")).to_have_text("Ben takes Cave painting back, or you let it stand.")
    expect(host.get_by_role("button", name="Let it stand")).to_be_visible()
    # Whoever opens a page now is told the same.
    desk.discard()
    late = visit(address)
    expect(late.locator("#verdict .said")).to_contain_text("Cave painting")
    expect(late.locator("#verdict .stays")).to_have_text("Ben, take Cave painting back.")


@browser
def test_a_refused_discard_is_drawn_where_it_lies_and_not_in_the_tree(serve: Serve, visit: Visit):
    """It stood red in the tree with a raised hand, and lay in the discards."""
    desk = RealDesk()
    desk.put("1-3", desk.tree, 1.0)
    address = serve(desk)
    page, television = visit(f"{address}/watch"), visit(f"{address}/tv", size="television")
    desk.put("2-2", "discard-1", 1.0)
    refused = page.locator("[data-discards] .refused")
    expect(refused).to_be_visible()
    expect(refused).to_contain_text("cannot be discarded now")
    expect(refused.locator("use").first).to_have_attribute("href", re.compile("#no$"))
    for screen in (page, television):
        expect(screen.locator("#verdict")).to_have_attribute("data-kind", "no")
        expect(screen.locator("[data-slot='2-2']")).to_have_attribute("data-state", "")
    desk.put("2-2", None, 1.0)
    expect(refused).to_have_count(0)


SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach((one) => one.hadRecentInput || shifts.push([one.value,
  ...one.sources.map(({ node, previousRect, currentRect }) =>
    `${node?.className || node?.nodeName}: ${previousRect.y} to ${currentRect.y}`)])))
.observe({ type: "layout-shift", buffered: true });"""


@browser
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_whoever_watches_reads_on_while_cards_are_laid(serve: Serve, visit: Visit, locale: str):
    """With each sentence of another length the tree jumped: twelve acts moved 0.95 of a page. A long one still does."""
    desk = RealDesk()
    desk.lay(2)
    page = visit("about:blank", locale=locale)
    page.add_init_script(SHIFTS)
    page.goto(f"{serve(desk)}/watch")
    drawn(page)
    page.wait_for_timeout(500)
    page.evaluate("shifts.length = 0")
    for number in range(3, 15):
        desk.lay()
        expect(page.locator(".era [data-state='laid']")).to_have_count(number)
    page.wait_for_timeout(300)
    shifts = page.evaluate("shifts")
    assert sum(one[0] for one in shifts) < 0.25, shifts


@browser
def test_that_was_me_names_its_card_and_is_offered_where_it_can_work(serve: Serve, visit: Visit):
    """Only to the seat whose turn comes next, and only while nothing followed on the card."""
    for follows in (False, True):
        desk = middle()
        desk.put("1-4", "tree")  # else she could not have ended her turn yet
        desk.put("1-5", "tree")
        address = serve(desk)
        ben, cy = visit(f"{address}/seat", code=code_of(2)), visit(f"{address}/seat", code=code_of(3))
        mine = ben.get_by_role("button", name="That was me: Scavenging")
        expect(mine).to_be_visible()
        expect(cy.get_by_role("button", name="That was me")).to_have_count(0)
        desk.put("6-5", "pool")  # the gap is filled
        expect(ben.locator("#log li").first).to_contain_text("Democracy")
        expect(mine).to_be_visible()
        if follows:
            desk.end_turn()
        else:
            with ben.expect_response("**/api/v1/corrections"):
                mine.click()
            assert desk.corrections == [{"do": "claim", "number": 2, "after": 3}]
        expect(ben.get_by_role("button", name="That was me")).to_have_count(0)


@browser
def test_that_was_me_goes_also_where_the_seat_s_offers_come_before_the_news(
    serve: Serve, visit: Visit, words: Translations
) -> None:
    """The answer about the seat is already that after the turn, of which the page hears but afterwards."""
    desk = middle()
    desk.put("1-4", "tree")
    desk.put("1-5", "tree")
    address = serve(
        desk, streams=EventStreams(desk.match, Translator(words), streams=0)
    )  # then the page asks every two seconds
    page = visit(f"{address}/seat", code=code_of(2), expected=("503",))
    mine = page.get_by_role("button", name="That was me: Scavenging")
    expect(mine).to_be_visible()
    ends = iter([desk.end_turn])
    page.route("**/api/v1/seat", lambda route: (next(ends, lambda: None)(), route.continue_()))
    desk.put("6-5", "pool")
    expect(mine).to_have_count(0)


PHONE_THAT_SOUNDS = """
window.heard = []; window.phones = [];
let touched = -Infinity; // the browser takes a test's own scripts for touches
addEventListener('pointerdown', () => (touched = performance.now()), true);
window.AudioContext = class {
  currentTime = 0; destination = {}; state = "suspended";
  constructor() { phones.push(this); }
  resume() { // as an iPhone: in a touch, or when there is one
    if (performance.now() - touched > 500) return new Promise(() => {});
    this.state = "running";
    return Promise.resolve();
  }
  createOscillator() {
    const tone = { frequency: {}, connect: (x) => x, start() { heard.push(tone.frequency.value); }, stop() {} };
    return tone;
  }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} }; }
};
"""


@browser
def test_a_sound_that_was_switched_on_last_week_is_heard_after_any_touch(serve: Serve, visit: Visit, desk: RealDesk):
    """On an iPhone it was silent in every match but the one in which it was switched on, and after each call."""
    page = visit("about:blank")
    page.add_init_script(PHONE_THAT_SOUNDS)
    address = serve(desk)
    page.goto(address)
    page.evaluate("localStorage.setItem('sound', 'on')")
    page.context.add_cookies([{"name": cookie_name(urlsplit(address).netloc), "value": code_of(2), "url": address}])
    page.goto(f"{address}/seat")
    drawn(page)
    desk.refuse("3-5")
    expect(page.locator("#verdict")).to_have_attribute("data-kind", "no")
    assert page.evaluate("heard") == [], "nobody has touched this page"
    page.locator("h1").click()
    assert page.evaluate("heard") == [], "what was missed is not made up for"
    desk.take_back("3-5")
    desk.refuse("3-6")
    page.wait_for_function("heard.length === 2")
    page.evaluate("phones[0].state = 'interrupted'")  # it rang
    page.locator("h1").click()
    desk.take_back("3-6")
    desk.refuse("3-7")
    page.wait_for_function("heard.length === 4")


@browser
def test_my_turn_is_heard_where_that_is_wished_and_the_tab_tells_it(serve: Serve, visit: Visit, desk: RealDesk):
    """Off by default; the screen stays on where the browser lets a page keep it on, and else the page says so."""
    page = visit("about:blank")
    page.add_init_script(f"{PHONE_THAT_SOUNDS} Object.defineProperty(navigator, 'wakeLock', {{ value: undefined }});")
    address = serve(desk)
    page.context.add_cookies([{"name": cookie_name(urlsplit(address).netloc), "value": code_of(2), "url": address}])
    page.goto(f"{address}/seat")
    drawn(page)
    expect(page).to_have_title("Ben 0")
    desk.end_turn()
    expect(page).to_have_title("▶ Ben 0")
    assert page.evaluate("heard") == []
    page.get_by_text("This phone").click()
    expect(page.get_by_label("Keep the screen on")).to_be_disabled()
    expect(page.get_by_text("This address lets no page keep the screen on.")).to_be_visible()
    page.get_by_label("Sound and vibration at my turn").check()
    page.evaluate("heard = []")
    for _ in range(4):
        desk.end_turn()
    expect(page).to_have_title("▶ Ben 0")
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [587, 880]


@browser
def test_nobody_claims_a_card_after_the_end_or_in_a_silent_game(serve: Serve, visit: Visit, desk: RealDesk):
    ben = visit(f"{serve(desk)}/seat", code=code_of(2))
    expect(ben.get_by_role("button", name="That was me")).to_be_visible()
    desk.win()
    expect(ben.get_by_role("button", name="That was me")).to_have_count(0)
    silent = RealDesk(profile="fr-bluff")
    silent.lay(2)
    page = visit(f"{serve(silent)}/seat", code=code_of(2))
    expect(page.get_by_role("button", name="Stop!")).to_be_visible()
    expect(page.get_by_role("button", name="That was me")).to_have_count(0)


@browser
def test_beginning_over_a_running_match_asks_and_names_are_told_apart(serve: Serve, visit: Visit, desk: RealDesk):
    page = visit(f"{serve(desk)}/host#more", code=HOST_CODE)
    page.get_by_text("Another match").click()
    names = page.locator("#players [name=name]")
    names.nth(1).fill("ana")
    page.get_by_role("button", name="Begin").click()
    assert names.nth(1).evaluate("(one) => one.validationMessage") == (
        "Two people are called ana: give one of them another name."
    )
    names.nth(1).fill(" ")
    page.get_by_role("button", name="Begin").click()
    assert "Player 2 has no name" in names.nth(1).evaluate("(one) => one.validationMessage")
    names.nth(1).fill("Zoé")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Go on with this match").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert desk.started == []
    page.get_by_role("button", name="Begin").click()
    with page.expect_response("**/api/v1/matches"):
        page.get_by_role("button", name="Close it and begin").click()
    assert desk.started[0]["seat"][1] == {"name": "Zoé"}


@browser
def test_buttons_freeze_while_the_table_is_out_of_reach(words: Translations, visit: Visit, desk: RealDesk):
    first = Server(create_app(desk, words), 0, "127.0.0.1")
    page = visit(f"http://127.0.0.1:{first.port}/seat", code=code_of(1), expected=("ERR_", "503"))
    end = page.get_by_role("button", name="End turn")
    expect(end).to_be_enabled()
    first.close()
    expect(page.locator("#away")).to_contain_text("What you press meanwhile is not sent.")
    expect(end).to_be_disabled()
    with Server(create_app(desk, words), first.port, "127.0.0.1"):
        expect(end).to_be_enabled()


@browser
def test_a_call_offers_what_can_still_be_called_and_finds_it(serve: Serve, visit: Visit):
    tree = [f"{era}-{number}" for era in (1, 2) for number in range(1, 10) if (era, number) != (2, 5)]
    desk = RealDesk(position={"tree": tree, "pool": POOL, "hands": [5] * 4, "stack": 12})
    desk.put("3-1", "tree")  # it opens an era: a trump
    desk.refuse("4-8")
    page = visit(f"{serve(desk)}/seat", code=code_of(1))
    page.get_by_role("button", name="Call a card").click()
    dialog = page.get_by_role("dialog")
    lying = next(card["name"]["en"] for card in desk.printed["card"] if card["id"] == "1-1")
    expect(dialog.get_by_role("button", name=f"1-1 {lying}")).to_have_count(0)  # lies in the tree: surely lost
    expect(dialog.get_by_role("button", name="Cancel")).to_be_in_viewport()
    dialog.get_by_role("searchbox").fill("HÉARTH")
    expect(dialog.locator(".choice:visible")).to_have_count(1)
    expect(dialog.get_by_role("button", name="Hearth")).to_be_visible()
    dialog.get_by_role("searchbox").fill("zzz")
    expect(dialog).to_contain_text("Nothing is called that.")


def test_nobody_is_given_a_code_for_a_bot(words: Translations):
    desk = RealDesk([{"name": "Ana"}, {"name": "Ben", "bot": True}, {"name": "Cy"}, {"name": "Dora"}])
    app = create_app(desk, words)
    page = app.test_client().get("/host", headers={"Authorization": f"Bearer {HOST_CODE}"}).get_data(as_text=True)
    codes = [one.code for one in desk.match.join_codes(User(Role.HOST))]
    assert re.findall(r'/join/([^"/]+)"', page) == [codes[0], codes[1], codes[3], codes[4]]
    assert re.findall(r"/qr/(\d)\.svg", page) == ["0", "1", "3", "4"]
    close(app)


@browser
def test_the_end_is_a_ranking_with_ties_and_a_picture_to_keep(serve: Serve, visit: Visit):
    desk = RealDesk(9)
    desk.lay(20)
    address = serve(desk)
    screens = {
        "watcher": visit(address),
        "seat": visit(f"{address}/seat", code=code_of(1)),
        "host": visit(f"{address}/host#more", code=HOST_CODE),
        "tv": visit(f"{address}/tv", size="television"),
    }
    for page in screens.values():
        drawn(page)
        expect(page.locator("#end")).to_be_hidden()
    desk.win()
    tv = screens.pop("tv")
    expect(tv.locator(".finale .marks .mark")).to_have_count(2)
    expect(tv.locator(".finale .total .points")).to_have_text("18")
    expect(tv.locator(".finale .rest .points")).to_have_text([str(n) for n in (17, 16, 12, 12, 12, 10, 7)])
    expect(tv.locator(".tree [data-state='laid'] .step")).to_have_text(["1", "2", "3"])
    expect(tv.locator(".best-turn")).to_contain_text("Best turn: +9")
    expect(tv.locator(".next-match")).to_contain_text("The host begins the next match")
    for page in screens.values():
        rows = page.locator(".places li")
        expect(rows.locator(".rank")).to_have_text(["1", "1", "3", "4", "5", "5", "5", "8", "9"])
        expect(rows.locator(".count")).to_have_text([f"{n} points" for n in (18, 18, 17, 16, 12, 12, 12, 10, 7)])
        expect(page.locator("#end")).to_contain_text("Equal points: the victory is shared.")
        expect(page.locator("#end")).to_contain_text("Best turn: Cy, 9 points with")
    expect(screens["watcher"].get_by_role("button", name="Rematch")).to_have_count(0)
    screens["watcher"].evaluate(SHARES)
    screens["watcher"].get_by_role("button", name="Save or share a picture").click()
    *file, head = screens["watcher"].evaluate(SHARED)
    assert file == ["discovery.png", "image/png", [0x89, *b"PNG"]]
    assert head == screens["watcher"].evaluate(SEATS), "its nine seats head it, whatever the game"
    screens["host"].get_by_role("button", name="Rematch").click()
    for page in (*screens.values(), tv):
        expect(page.locator("#end")).to_be_hidden()
        drawn(page)


MOTION = """() => {
  window.flights = [];
  window.opened = new Set();
  new MutationObserver((all) => all.forEach(({addedNodes, target}) => {
    addedNodes.forEach((one) => one.className === 'flyer' && window.flights.push(one.innerHTML.length > 0));
    if (target.matches?.('.opens')) window.opened.add(target.dataset.era);
  })).observe(document.body, {childList: true, subtree: true, attributes: true, attributeFilter: ['class']});
}"""
"""Notes each card that flies, and each era that lights."""


@browser
def test_a_card_flies_to_its_place_once_and_never_after_an_undo_or_a_reload(serve: Serve, visit: Visit):
    desk = RealDesk()
    desk.lay(9)
    page = visit(f"{serve(desk)}/tv", size="television")
    drawn(page)
    page.evaluate(MOTION)
    desk.lay()
    expect(page.locator("[data-slot].now")).to_have_attribute("data-slot", "2-1")
    expect(page.locator(".flyer")).to_have_count(0)  # it has landed
    assert page.evaluate("window.flights") == [True]
    expect(page.locator("[data-slot='2-1']")).to_have_css("visibility", "visible")
    desk.correct("undo")
    expect(page.locator("[data-slot='2-1']")).to_have_attribute("data-state", "")
    page.reload()
    drawn(page)
    page.evaluate(MOTION)
    assert page.evaluate("window.flights") == []
    page.emulate_media(reduced_motion="reduce")
    desk.lay()
    expect(page.locator("[data-slot].now")).to_have_count(1)
    assert page.evaluate("window.flights") == []


FLIGHT_MARKS = """() => new MutationObserver((all) => all.forEach(({addedNodes, removedNodes}) => {
  addedNodes.forEach((one) => one.className === 'flyer' && performance.mark('takes off'));
  removedNodes.forEach((one) => one.className === 'flyer' && performance.mark('lands'));
})).observe(document.body, {childList: true, subtree: true})"""


@browser
@pytest.mark.long  # it measures times
def test_a_flight_has_sixty_frames_a_second_where_the_processor_is_four_times_slower(serve: Serve, visit: Visit):
    """What the screen is given, by the browser's own trace: every 16.7 ms a picture, on a television of 1280 by 720."""
    desk = RealDesk()
    desk.lay(9)
    page = visit(f"{serve(desk)}/tv", size="television")
    page.set_viewport_size({"width": 1280, "height": 720})
    drawn(page)
    page.evaluate(FLIGHT_MARKS)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    trace: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda told: trace.extend(told["value"]))
    session.on("Tracing.tracingComplete", lambda told: ended.append(told))
    kinds = ["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame", "blink.user_timing"]
    session.send("Tracing.start", {"traceConfig": {"includedCategories": kinds}})
    for _ in range(6):
        desk.lay()
        page.wait_for_timeout(1500)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    times: dict[str, list[float]] = {name: [] for name in ("takes off", "lands", "DrawFrame")}
    for one in trace:
        if one["name"] in times:
            times[one["name"]].append(one["ts"] / 1000)
    shares = []
    for start_ms, end_ms in zip(sorted(times["takes off"]), sorted(times["lands"]), strict=True):
        if end_ms - start_ms > 300:  # after the third card the turn ends at once, which ends the flight
            drawn_ms = [ms for ms in sorted(times["DrawFrame"]) if start_ms <= ms <= end_ms]
            shares.append((len(drawn_ms) - 1) * 1000 / 60 / (drawn_ms[-1] - drawn_ms[0]))
    assert len(shares) >= 3, times
    assert max(shares) > 0.95, shares


@browser
def test_a_silent_game_shows_its_cards_and_its_winner_when_no_stop_can_change_the_end(serve: Serve, visit: Visit):
    """ "Ben wins, unless somebody says Stop now" stood there when nobody could any more."""
    desk = RealDesk(2, "fr-bluff")
    while not desk.standing.over:
        desk.lay()
    address = serve(desk)
    places = (("/tv", "television"), ("/watch", "phone"))
    pages = [visit(address + path, size=size) for path, size in places]  # type: ignore[arg-type]
    for page in pages:
        expect(page.locator("#end h2")).to_contain_text("unless somebody says Stop now")
        expect(page.locator(".map.whole")).to_have_count(0)
    laid = sum(getattr(one.entry.event, "move", None) is not None for one in desk.game_match.record.lines)
    desk.look(30.0)
    for page in pages:
        expect(page.locator("#end h2")).to_have_text(re.compile("^(Ana|Ben) wins the match!?$"))
        expect(page.locator(".map.whole .laid").first).to_be_attached()
        assert 20 < page.locator(".map.whole .laid").count() <= laid
        page.screenshot(path=SCREENS / f"silent-end-{page.viewport_size['width']}.png")  # type: ignore[index]


@browser
@pytest.mark.parametrize("path", ["/tv", "/"])
def test_in_a_silent_game_pages_change_and_move_alike_for_lawful_and_unlawful_cards(
    path: str, serve: Serve, visit: Visit
):
    """What is drawn and animated, with the cards' own names, drawings and eras left out."""
    traces = []
    for card in ("1-5", "1-8"):  # the second one needs the first
        desk = RealDesk(2, "fr-bluff", deck=short_deck())
        page = visit(serve(desk) + path, size="television")
        drawn(page)
        page.evaluate(QUIET)  # the board, the picture and the small tree are drawn after the score
        page.evaluate(CHANGES)
        desk.put(card, "pile", 1.0)
        expect(page.locator("#verdict .said")).to_contain_text("placed a card")
        page.evaluate(QUIET)
        traces.append(page.evaluate("[window.changes, window.animations]"))
        page.context.close()
    assert traces[0] == traces[1]
    assert traces[0][0], "something changes"


def short_deck() -> dict[str, Any]:
    """The demo cards, all with the same name."""
    deck = RealDesk(running=False).printed
    return {**deck, "card": [{**card, "name": {"en": "Card", "fr": "Carte"}} for card in deck["card"]]}


QUIET = """() => new Promise((done) => {
  let quiet = setTimeout(done, 800);
  setTimeout(done, 5000);
  new MutationObserver(() => {
    clearTimeout(quiet);
    quiet = setTimeout(done, 800);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
})"""

CHANGES = """() => {
  const plain = (text) => text
    .replace(/aria-label="[^"]*"/g, 'label')
    .replace(/#[\\w-]+/g, '#').replace(/era-\\d/g, 'era').replace(/[\\d-]+/g, '0');
  window.changes = [];
  window.animations = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    window.animations.push(plain(this.className.baseVal ?? this.className));
    return animate.apply(this, how);
  };
  new MutationObserver((all) => all.forEach(({type, target, attributeName, addedNodes}) => {
    const what = [...addedNodes].map((one) => plain(one.outerHTML ?? one.textContent));
    const now = attributeName ? plain(target.getAttribute(attributeName) ?? '') : '';
    window.changes.push([type, target.nodeName, attributeName, now, what].join(' '));
  })).observe(document.body, {childList: true, subtree: true, attributes: true, characterData: true});
}"""


SHARES = """() => {
  navigator.canShare = () => true;
  window.shared = new Promise((done) => (navigator.share = async ({files}) => done(files[0])));
}"""
SHARED = """() => window.shared.then(async (file) =>
  {
    const pen = new OffscreenCanvas(1080, 24).getContext('2d', {willReadFrequently: true});
    pen.drawImage(await createImageBitmap(file), 0, 0);
    const head = (place) => [...pen.getImageData(place * 120 + 60, 12, 1, 1).data].slice(0, 3).join();
    const start = [...new Uint8Array(await file.slice(0, 4).arrayBuffer())];
    return [file.name, file.type, start, [...Array(9).keys()].map(head)];
  })"""
"""The picture that was shared: its name, type, first bytes, and nine colours along its upper edge."""
SEATS = """() => [...document.querySelectorAll('.places li')].map((row) => {
  const seat = row.querySelector('[class*=seat-]').getAttribute('class').match(/seat-([0-9])/)[1];
  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--seat-${seat}`).trim();
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
})"""
"""The colours of the seats, by rank."""


@browser
@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sight", ["none", "achromatopsia", "deuteranopia", "protanopia", "tritanopia"])
def test_laid_pool_and_refused_are_told_apart_whatever_colours_one_sees(
    sight: str, scheme: str, serve: Serve, visit: Visit
):
    """By shape: the pool has a dashed rim that stands out, what is laid has none, what is refused raises a hand."""
    for era in range(1, 7):
        lower = [f"{number // 9 + 1}-{number % 9 + 1}" for number in range(9 * (era - 1))]
        refused = 8 if era == 1 else 6  # each needs the fifth of its era, which lies in the pool
        pool = [f"{era}-{number}" for number in range(4, 10) if number != refused]
        full = {"tree": [*lower, *(f"{era}-{number}" for number in (1, 2, 3))], "pool": pool}
        left = 54 - len(full["tree"]) - len(pool)
        desk = RealDesk(2, position={**full, "hands": [1, 0], "stack": left - 1})
        desk.refuse(f"{era}-{refused}")
        address = serve(desk)
        page = visit(address, scheme=scheme, reduced_motion="reduce")
        page.context.new_cdp_session(page).send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        drawn(page)
        folder = SCREENS / f"sight-{sight}-{scheme}"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"era-{era}.png", full_page=True)
        cells = {state: _luminances(page, era, state) for state in ("laid", "pooled", "refused")}
        assert _dashes(cells["pooled"]) > 3, (era, "the pool's rim")
        assert _dashes(cells["laid"]) < 1.2, (era, "what is laid")
        sign = page.locator(f"[data-era='{era}'] [data-state='refused'] .sign")
        expect(sign).to_be_visible()
        hand = _grey(sign.screenshot())
        assert _contrast(float(hand.min()), float(hand.max())) > 3, (era, "the raised hand")
        page.context.close()


def _grey(png: bytes) -> np.ndarray:
    """Relative luminance of each pixel, 0 to 1 (WCAG 2.2)."""
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR).astype(np.float64)[..., ::-1] / 255
    linear = np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ (0.2126, 0.7152, 0.0722))


def _luminances(page: Page, era: int, state: str) -> np.ndarray:
    return _grey(page.locator(f"[data-era='{era}'] [data-state='{state}']").first.screenshot())


def _contrast(one: float, other: float) -> float:
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


def _dashes(cell: np.ndarray) -> float:
    """The contrast between a rim's dashes and its gaps, its corners left out; 1 where it has none."""
    rows = np.concatenate([cell[:3, 12:-12], cell[-3:, 12:-12]])
    return max(_contrast(*np.quantile(row, (0.15, 0.85))) for row in rows)


@browser
@pytest.mark.long
def test_at_four_times_the_size_nothing_has_to_be_moved_sideways(serve: Serve, visit: Visit):
    """320 pixels are what is left of 1280 at 400 %, and of a phone's 640 at 200 %."""
    desk = RealDesk()
    desk.win()
    address = serve(desk)
    for path, code in (
        *(("/", None), ("/seat", code_of(1)), ("/host", HOST_CODE), ("/matches", None), ("/how", None)),
        *((f"/matches/{MATCH}", None), (f"/players/{NAMES[2]}", None)),
    ):
        if path.startswith("/players"):
            desk.begin()  # a match counts when the next one has begun
        page = visit(f"{address}{path}", code=code)
        page.set_viewport_size({"width": 320, "height": 640})
        drawn(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        page.context.close()


def test_without_scripts_the_page_says_score_turn_and_verdict(client: FlaskClient, desk: RealDesk):
    desk.refuse()
    page = client.get("/").text
    first, second = re.findall(r'<li data-seat="[12]".*?</li>', page, re.DOTALL)
    assert re.search(r"data-points[^>]*>\s*3\s*<", first)
    marks = [re.findall(r'<[^>]*class="turn"[^>]*>', seat)[0] for seat in (first, second)]
    assert ["hidden" in mark for mark in marks] == [False, True]
    assert "Hunting still needs Scavenging." in page


def test_the_first_page_says_what_it_is_how_to_join_and_how_it_is_played(words: Translations):
    app = create_app(RealDesk(simulated=True), words)
    client = app.test_client()
    first = client.get("/").get_data(as_text=True)
    for said in ("Discovery", "A camera referees this table.", "/qr/here.svg"):
        assert said in first
    assert "/qr/here.svg" in client.get("/tv").get_data(as_text=True)
    assert client.get("/qr/here.svg").mimetype == "image/svg+xml"
    for language, said in (("en", "Your turn"), ("fr", "Votre tour")):
        assert said in client.get(f"/how?lang={language}").get_data(as_text=True)
    close(app)


def test_the_scoreboard_can_be_kept_on_a_home_screen(client: FlaskClient):
    """Phones that know no SVG icons get pictures of the sizes that they ask for."""
    icons = client.get("/manifest.webmanifest").json["icons"]
    for icon in icons:
        with client.get(icon["src"]) as answer:  # a file that stays open otherwise
            assert answer.status_code == 200, icon
            assert answer.mimetype == icon["type"]
            size = picture_size(answer.data)
        assert icon["type"] != "image/png" or (size and icon["sizes"] == f"{size[0]}x{size[1]}")
    assert {icon["sizes"] for icon in icons} >= {"192x192", "512x512"}
    assert "apple-touch-icon" in client.get("/").text


def test_drawings_are_kept_for_good_and_known_cards_have_faces(client: FlaskClient, desk: RealDesk):
    first = client.get("/").get_data(as_text=True)
    addresses = set(re.findall(r"(/(?:static|games/discovery)/\w+\.svg\?v=\w+)", first))
    assert len(addresses) == 3
    for address in addresses:
        with client.get(address) as kept, client.get(address.split("?")[0]) as plain:
            assert "immutable" in kept.headers["Cache-Control"]
            assert "immutable" not in plain.headers["Cache-Control"]
    with client.get("/games/discovery/faces.svg") as drawings:
        faces = set(re.findall(r'<symbol id="([\w-]+)"', drawings.get_data(as_text=True)))
    assert len(faces) == 54
    assert set(re.findall(r"faces\.svg\?v=\w+#([\w-]+)", first)) <= faces


def test_every_face_is_drawn_on_paper_too_inside_its_square():
    drawn = [pictogram_of(card["name"]) for card in registry.demo_deck()["card"]]
    assert None not in drawn
    points = [point for pictogram in drawn if pictogram for stroke in pictogram for point in stroke.points]
    assert all(0 <= value <= SIDE for point in points for value in point)
    assert pictogram_of({"en": "Bicycle"}) is None


def test_every_card_of_the_demo_deck_has_a_face_of_its_own_and_a_card_of_ones_own_by_its_name():
    faces = [face_of(card) for card in registry.demo_deck()["card"]]
    assert None not in faces
    assert len(set(faces)) == 54
    assert face_of({"id": "4-4", "name": {"fr": " feu "}}) == "fire"
    assert face_of({"id": "1-1", "name": {"fr": "Tournevis"}}) is None
    assert face_of({"id": "1-1"}) is None


@browser
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_whole_of_a_stop_is_in_sight_on_a_television(serve: Serve, visit: Visit, locale: str):
    """The one dramatic moment of a silent game: the sentence began over the cards, and its end was below the screen."""
    position = {"turn": 2, "tree": ["1-1", "1-2"], "pool": ["6-5"], "hands": [5, 4, 5], "stack": 37}
    desk = RealDesk(3, "fr-bluff", position=position)
    page = visit(f"{serve(desk)}/tv", size="television", locale=locale)
    desk.put("1-8", "pile")
    desk.say({"do": "stop", "by": 3})
    desk.say({"do": "concede", "by": 2})
    said = page.locator("#verdict .said")
    expect(page.locator("#verdict")).to_have_attribute("data-kind", "stop")
    expect(said).to_contain_text("Ben")
    page.wait_for_timeout(400)
    page.screenshot(path=SCREENS / f"tv-stop-{locale[:2]}.png")
    outside = page.evaluate(
        """() => {
        const below = document.getElementById("below").getBoundingClientRect();
        const parts = [...document.querySelectorAll("#verdict .said, #verdict .why, #verdict .stays")];
        return parts.filter((one) => one.textContent).filter((one) => {
          const box = one.getBoundingClientRect();
          return box.top < below.top - 1 || box.bottom > innerHeight;
        }).map((one) => one.textContent);
    }"""
    )
    assert outside == []


@browser
def test_a_television_is_dark_unless_its_address_says_light(serve: Serve, visit: Visit, desk: RealDesk):
    address = serve(desk)
    for query, scheme, ground in (
        ("", "light", "rgb(20, 18, 15)"),
        ("", "dark", "rgb(20, 18, 15)"),
        ("?light", "dark", "rgb(250, 246, 238)"),
    ):
        page = visit(f"{address}/tv{query}", size="television", scheme=scheme)
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == ground, (query, scheme)
        page.screenshot(path=SCREENS / f"tv-{'light' if query else 'dark'}.png")
    page = visit(address, size="tablet", scheme="light")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(250, 246, 238)"


@browser
def test_the_newest_card_is_marked_until_another_one_is_laid(serve: Serve, visit: Visit, desk: RealDesk):
    """The end of the turn, a refill or "I see the table again." took the mark away."""
    page = visit(f"{serve(desk)}/tv", size="television")
    marked = page.locator(".card.now, .cell.now, .now[data-card]")
    desk.lay()
    expect(marked).to_have_count(1)
    before = marked.first.evaluate("(one) => one.outerHTML.length > 0 && (one.dataset.card ?? one.id)")
    desk.end_turn()
    desk.lose()
    desk.lose(None)
    desk.look(2.0)
    expect(marked).to_have_count(1)
    assert marked.first.evaluate("(one) => one.outerHTML.length > 0 && (one.dataset.card ?? one.id)") == before


@browser
def test_what_is_said_on_a_seat_s_page_has_the_whole_width(serve: Serve, visit: Visit, desk: RealDesk):
    page = visit(f"{serve(desk)}/seat", code=code_of(2))
    drawn(page)
    desk.lay()
    expect(page.locator("#verdict")).to_be_visible()
    parts = [page.locator("#verdict"), page.locator("#verdict > div").first]
    widths = [part.evaluate("(one) => one.getBoundingClientRect().width") for part in parts]
    page.screenshot(path=SCREENS / "seat-verdict.png")
    assert widths[1] > 0.7 * widths[0], widths
