"""From a box and some cards to the first match, and the decks that people type in, in a real browser."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from support.real_desk import HOST, HOST_CODE, MATCH, WORDS, RealDesk, code_of
from support.visits import hold

from companion.games.discovery.deck import check
from companion.public.machine import SystemActions
from companion.public.service import Done, Role, User
from companion.reading.picture_mark import marked
from companion.storage.decks import save_deck
from companion.system.printing.orders import printed
from web.app import BODY_LIMIT
from web.middleware.access import PICTURE_LIMIT

Serve = Callable[..., str]
Visit = Callable[..., Page]


LOOKS = pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(size, scheme, marks=() if (size, scheme) == ("phone", "light") else pytest.mark.long)
        for size in ("phone", "tablet", "television")
        for scheme in ("light", "dark")
    ],
)


@pytest.mark.browser
@LOOKS
def test_a_newcomer_reaches_a_first_match_through_the_wizard(
    size: str, scheme: str, simulated: tuple[str, str], visit: Visit
):
    address, code = simulated
    page = visit(f"{address}/host#more", code=code, size=size, scheme=scheme, expected=("404",))
    page.get_by_role("link", name="Set up step by step").click()
    expect(page.get_by_role("heading", name="Cards and stickers")).to_be_visible()
    expect(page.get_by_text("This table is simulated")).to_be_visible()
    steps = page.get_by_role("navigation", name="Steps").get_by_role("listitem")
    expect(steps).to_contain_text(["Cards", "Picture", "Players"])  # nothing is hung, and no lamp lights up
    sheet = page.request.get(f"{address}/api/v1/stickers.pdf?size=20&paper=a4")
    assert sheet.body()[:5] == b"%PDF-"
    page.get_by_role("button", name="Skip: I print and stick later").click()
    expect(page.get_by_role("heading", name="Picture and light")).to_be_focused()
    expect(page.locator("#camera img")).to_be_visible()
    expect(page.locator("#told .ok").first).to_have_text("I see the table.")
    page.get_by_role("button", name="Next: players").click()
    expect(page.locator("#steps .done")).to_have_text(["2Picture"])  # what was left out has no tick
    expect(page.locator("#steps [aria-current]")).to_contain_text("Players")
    page.get_by_label("Player 1", exact=True).fill("Nina")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("dialog")).to_contain_text("Its record is kept")
    page.get_by_role("button", name="Close it and begin").click()
    expect(page.locator(".scores")).to_contain_text("Nina")
    expect(page.locator("#deal")).to_be_hidden()
    expect(page.locator("html")).to_have_attribute("data-link", "live")


SEEN = {"camera": "ok", "source": "http://10.0.0.7:8080", "simulated": False}
SHARP = [{"name": "sharpness", "value": 1.1, "good": True, "about": "", "advice": ""}]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("health", "lines", "wrong"),
    [
        pytest.param(
            {**SEEN, "pictures": {"size_px": [1280, 720], "rate_hz": 9.8, "trouble": None}}
            | {"sight": [*SHARP, {"name": "module_px", "value": 1.597, "good": False, "about": "tree", "advice": "x"}]},
            [
                "1280 × 720 pixels; I look 9.8 times",
                "is sharp",
                "is 1.5 pixels wide; it must be 1.6",
                "1290 pixels wide",
            ],
            2,
            id="small",
        ),
        pytest.param(
            {**SEEN, "pictures": {"size_px": [3840, 2160], "rate_hz": 1.5, "trouble": None}}
            | {"sight": [{**SHARP[0], "good": False}, {"name": "module_px", "value": 3.4, "good": True, "about": ""}]},
            ["3840 × 2160 pixels; I look 1.5", "is blurred", "is 3.4 pixels wide", "a mode with fewer pixels"],
            3,
            id="slow",
        ),
        pytest.param(
            {**SEEN, "pictures": {"size_px": [1920, 1080], "rate_hz": 10.0, "trouble": None}}
            | {"sight": [*SHARP, {"name": "module_px", "value": 1.8, "good": True, "about": ""}]},
            ["1920 × 1080", "is sharp", "is 1.8 pixels wide", "This mode suits the table"],
            0,
            id="right",
        ),
        pytest.param(
            {**SEEN, "camera": "camera", "sight": []}
            | {"pictures": {"size_px": [1920, 1080], "rate_hz": 10.0, "trouble": "unreachable"}},
            [],
            0,
            id="gone",
        ),
    ],
)
def test_the_step_with_the_picture_says_what_the_camera_sends_and_which_mode_suits(
    serve: Serve, visit: Visit, health: dict[str, Any], lines: list[str], wrong: int
):
    page = visit(f"{serve(RealDesk(running=False))}/host#more", code=HOST_CODE, expected=("404",))
    page.route("**/api/v1/health", lambda route: route.fulfill(json=health))
    page.goto(page.url.replace("/host#more", "/setup#see"))
    if not lines:
        expect(page.locator("#told .ask")).to_contain_text("http://10.0.0.7:8080 does not answer: is it switched on")
    expect(page.locator("#told li")).to_have_count(1 + len(lines))
    expect(page.locator("#told li .more")).to_contain_text(lines)
    expect(page.locator("#told .ask .more")).to_have_count(wrong)
    onwards = page.get_by_role("button", name="Next: players")
    expect(onwards).to_be_enabled(enabled=bool(lines))
    expect(page.get_by_role("button", name="Go on without a picture")).to_be_visible(visible=not lines)
    page.get_by_role("link", name="Players").click()
    begin = page.get_by_role("button", name="Begin")
    expect(page.locator("#blind")).to_be_visible(visible=not lines)
    expect(begin).to_be_visible(visible=bool(lines))
    if not lines:
        page.get_by_role("button", name="Go on without a picture").click()
        expect(begin).to_be_visible()
        page.reload()
        expect(begin).to_be_visible()  # the table remembers it, whichever phone asks
        expect(page.locator("#blind")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/setup#stick", "/print"])
def test_the_printed_ruler_as_it_was_measured_says_whether_the_size_is_right(path: str, serve: Serve, visit: Visit):
    """ "A ruler on each sheet, checked by the wizard." """
    able = SystemActions(sheets=printed)
    page = visit(f"{serve(RealDesk(), WORDS, system=able)}{path}", code=HOST_CODE, expected=("404",))
    verdict = page.locator("#ruler-verdict")
    for measured, words in (
        ("100.5", "It was printed at its size."),
        ("94", "It was printed at 94 %: a sticker of 20 mm is 18.8 mm. Print it again at 100 %"),
        ("105", "It was printed at 105 %: a sticker of 20 mm is 21.0 mm."),
        ("10", "10 mm cannot be the line of 100 mm."),
    ):
        page.locator("#ruler").fill(measured)
        expect(verdict).to_contain_text(words)
    page.locator("#ruler").fill("")
    expect(verdict).to_have_text("")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("simulated", "px_per_mm", "size", "verdict"),
    [
        (False, 2.5, "", "20 mm is 2.0 pixels wide: read, but not at every look. 21 mm is safe"),
        (False, 2.5, "25", "25 mm is 2.5 pixels wide: read at every look"),
        (False, 1.5, "20", "only 1.2 pixels wide: too small. Take 35 mm or more"),
        (False, None, "20", "Once the camera sees the tags"),
        (True, 1.5, "20", "Once the camera sees the tags"),  # the drawn camera is not the one that will look
    ],
)
def test_a_size_is_held_against_the_camera_that_will_read_it(
    serve: Serve, visit: Visit, simulated: bool, px_per_mm: float | None, size: str, verdict: str
):
    page = visit(f"{serve(RealDesk())}/host#more", code=HOST_CODE, expected=("404",))
    sight = [] if px_per_mm is None else [{"name": "px_per_mm", "value": px_per_mm, "good": True, "about": "pool"}]
    page.route("**/api/v1/health", lambda route: route.fulfill(json={**SEEN, "simulated": simulated, "sight": sight}))
    page.goto(page.url.replace("/host#more", "/print"))
    page.locator("input[name=size]").fill(size)
    expect(page.locator("#verdict")).to_contain_text(verdict)


@pytest.mark.browser
def test_the_deal_is_watched_until_five_cards_are_seen(serve: Serve, visit: Visit):
    desk = RealDesk(deals=False)
    page = visit(f"{serve(desk)}/host#more", code=HOST_CODE)
    expect(page.locator("#deal")).to_be_visible()
    expect(page.locator("#deal")).to_contain_text("0 of 5 seen")
    desk.deal()
    expect(page.locator("#deal")).to_be_hidden()


@pytest.mark.browser
def test_what_is_tapped_while_the_page_still_loads_is_not_lost(serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    desk.setup.go_without_picture(HOST, True)
    page = visit(f"{serve(desk)}/setup#play", code=HOST_CODE)
    scripts: list[Any] = []
    page.route("**/games/discovery/setup.js", lambda route: scripts.append(route))
    page.reload(wait_until="domcontentloaded")
    expect(page.get_by_role("button", name="Begin")).to_be_disabled()
    expect(page.get_by_role("button", name="Remove player 3")).to_be_disabled()
    scripts[0].continue_()
    page.get_by_role("button", name="Remove player 3").click()
    expect(page.get_by_role("button", name="Remove player 2")).to_be_visible()
    expect(page.get_by_role("button", name="Remove player 3")).to_have_count(0)


@pytest.mark.browser
def test_teams_bots_and_latecomers_are_said_where_there_are_some(serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    desk.setup.go_without_picture(HOST, True)
    page = visit(f"{serve(desk)}/setup#play", code=HOST_CODE)
    page.get_by_label("Player 1", exact=True).fill("Ana")
    page.get_by_text("Teams, bots, latecomers").click()
    page.get_by_label("Team").nth(0).fill("red")
    page.get_by_label("bot").nth(1).check()
    page.get_by_label("comes later").nth(2).check()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".codes li")).to_have_count(3)  # the host's and two people's: a bot has no phone
    assert desk.started[0]["seat"] == [
        {"name": "Ana", "team": "red"},
        {"name": "Player 2", "bot": True},
        {"name": "Player 3", "late": True},
    ]


@pytest.mark.browser
def test_a_rematch_is_one_tap(serve: Serve, visit: Visit):
    desk = RealDesk()
    desk.lay(3)
    page = visit(f"{serve(desk)}/host#more", code=HOST_CODE)
    expect(page.get_by_role("button", name="Rematch")).to_be_hidden()
    expect(page.get_by_role("button", name="Shut down")).to_have_count(0)
    desk.win()
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("#deal")).to_be_visible()
    assert desk.id != MATCH
    assert [seat["name"] for seat in desk.match.current()["seats"]] == ["Ana", "Ben", "Cy", "Dora"]


@pytest.mark.browser
def test_shutting_down_is_held_and_offered_only_by_a_box_that_can(serve: Serve, visit: Visit, desk: RealDesk):
    done: list[str] = []
    page = visit(f"{serve(desk, system=SystemActions(shut_down=lambda: done.append('off')))}/host#more", code=HOST_CODE)
    off = page.get_by_role("button", name="Shut down safely")
    off.click()
    page.wait_for_timeout(900)
    assert done == []
    with page.expect_response("**/api/v1/box"):
        hold(off)
    assert done == ["off"]


@pytest.mark.browser
def test_a_match_is_deleted_by_holding_and_comes_back_with_a_tap(serve: Serve, visit: Visit, desk: RealDesk):
    desk.win()
    desk.runner.ask(desk.runner.close)
    page = visit(f"{serve(desk)}/matches", code=HOST_CODE)
    hold(page.get_by_role("button", name="Delete"))
    expect(page.get_by_role("button", name="Bring it back")).to_be_visible()
    assert desk.runner.log.ids() == set()
    page.wait_for_timeout(400)
    with page.expect_response("**/restore"):
        page.get_by_role("button", name="Bring it back").click()
    expect(page.locator(".library a")).to_be_visible()
    assert desk.runner.log.ids() == {MATCH}


@pytest.mark.browser
def test_a_record_is_imported_from_a_file(serve: Serve, visit: Visit, desk: RealDesk, tmp_path: Path):
    record = tmp_path / "evening.jsonl"
    record.write_text("\n".join(desk.archive.record(HOST, MATCH) or ()), encoding="utf-8")
    page = visit(f"{serve(desk)}/matches", code=HOST_CODE)
    with page.expect_navigation():  # it is shown among the others
        page.get_by_label("Import a record").set_input_files(record)
    (taken_in,) = desk.runner.log.ids() - {MATCH}
    assert desk.runner.log.entries(taken_in) == desk.runner.log.entries(MATCH) != []


NEEDS = {"1-4": ["1-2"], "1-8": ["1-2", "1-5"]}


@pytest.mark.browser
@LOOKS
def test_a_whole_era_is_typed_in_card_after_card(size: str, scheme: str, serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    page = visit(f"{serve(desk)}/decks", code=HOST_CODE, size=size, scheme=scheme)
    page.get_by_label("Name").fill("Ours")
    page.get_by_role("button", name="Type them in").click()
    names = ["Alpha", "Band", "Gather", "Nomads", "Scavenge", "Chopper", "Stick", "Hunting", "Shelter"]
    for number, name in enumerate(names, 1):
        expect(page.locator("#which")).to_have_text(f"Era 1, card {number}")
        page.get_by_label("Name on the card").fill(name)
        page.get_by_label("Food").check()
        needs = NEEDS.get(f"1-{number}", [])
        for need in needs:
            page.get_by_label("Add a card that it needs").select_option(need)
        if not needs:
            page.get_by_label("No prerequisites").check()
        page.get_by_role("button", name="Next card").click()
    expect(page.locator("#entered")).to_have_text("9 of 54 cards")
    for _ in range(300):  # it is kept a moment after the last key
        cards = (desk.decks.deck("ours") or {}).get("card", ())
        if sum("prerequisites" in card for card in cards) == len(names):
            break
        page.wait_for_timeout(100)
    page.reload()
    expect(page.locator("#which")).to_have_text("Era 2, card 1")
    expect(page.locator("#entered")).to_have_text("9 of 54 cards")
    typed = {card["id"]: card for card in desk.decks.deck("ours")["card"]}
    assert typed["1-8"] == {"id": "1-8", "name": {"en": "Hunting"}, "family": "food", "prerequisites": ["1-2", "1-5"]}
    assert typed["1-1"]["prerequisites"] == []
    desk.setup.go_without_picture(HOST, True)
    page.goto(page.url.replace("/decks/ours", "/setup#play"))
    expect(page.get_by_label("Which cards?").locator("option")).to_have_count(2)


@pytest.mark.browser
@pytest.mark.parametrize(("game", "name"), [("Discovery", "our-boite"), ("Carcassonne: The Discovery", "our-boite-2")])
def test_a_copy_of_the_demo_deck_is_two_touches_away_and_called_what_people_call_it(
    game: str, name: str, serve: Serve, visit: Visit
):
    desk = RealDesk(running=False)
    if name == "our-boite-2":
        desk.decks.save_deck(HOST, "our-boite", {"deck": {"name": "Another", "edition": "own"}, "card": []})
    page = visit(f"{serve(desk)}/decks", code=HOST_CODE)
    page.get_by_label("Name").fill("Our boîte!")
    page.get_by_label("Game").select_option(label=game)
    expect(page.get_by_role("button", name="Photograph the cards")).to_be_visible(visible=game == "Discovery")
    page.get_by_role("button", name="Start from a copy of the demo deck").click()
    page.wait_for_url(f"**/decks/{name}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Our boîte!")
    copied = desk.decks.deck(name)
    assert copied["deck"]["name"] == "Our boîte!"
    assert desk.decks.check(copied)["faults"] == []
    (line,) = (one for one in desk.decks.summaries() if one["name"] == name)
    assert line["entered"] == line.get("of", 54)


@pytest.mark.browser
def test_a_circle_is_pointed_out_while_it_is_typed(serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    cards: list[Any] = [{"id": f"{e}-{n}", "prerequisites": []} for e in range(1, 7) for n in range(1, 10)]
    cards[1]["prerequisites"] = ["1-1"]
    desk.keep_deck({"deck": {"name": "Ours", "edition": "own"}, "card": cards})
    page = visit(f"{serve(desk)}/decks/ours", code=HOST_CODE)
    page.get_by_label("Add a card that it needs").select_option("1-2")
    expect(page.locator("#faults li").first).to_be_visible()
    page.get_by_role("button", name="Remove 1-2").click()
    expect(page.locator("#faults li")).to_have_count(0)


def test_whatever_is_typed_comes_back_as_it_was(tmp_path: Path):
    for name in ('quo"te', "back\\slash", "tab\tnew\nline", "é 🂡", "\x7f", "'''", "a = 1"):
        card = {"id": "1-1", "name": {"en": name, "fr": name}, "family": "food", "prerequisites": ["1-2"]}
        deck = {"deck": {"name": name, "edition": "own"}, "card": [card]}
        told = save_deck(tmp_path, "odd", deck)
        assert tomllib.loads((tmp_path / "odd.toml").read_text("utf-8")) == deck
        assert len(told["faults"]) == len(check(deck)[0]) > 0


@pytest.mark.browser
def test_the_host_says_that_the_camera_was_wrong_and_nothing_has_to_move(serve: Serve, visit: Visit, desk: RealDesk):
    desk.refuse("2-7")
    page = visit(f"{serve(desk)}/host#more", code=HOST_CODE)
    button = page.locator("[data-do='camera-was-wrong']")
    expect(button).to_contain_text("The camera was wrong:")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_contain_text("Press again: The camera was wrong:")
    with page.expect_response("**/api/v1/corrections"):
        page.keyboard.press("Enter")
    expect(button).not_to_contain_text("Press again")
    assert desk.corrections[-1] == {"do": "camera-was-wrong", "number": 4, "after": 4}


@pytest.mark.browser
def test_a_report_shows_the_pictures_and_lets_the_host_say_who_was_wrong(serve: Serve, visit: Visit):
    desk = RealDesk()
    desk.lay(1)
    desk.refuse("2-7")
    table = cv2.imencode(".jpg", np.full((977, 1600, 3), 90, np.uint8))[1].tobytes()
    corners = ((461, 474), (546, 471), (547, 591), (463, 593))
    desk.keep_pictures(3, table, marked(table, corners))
    page = visit(f"{serve(desk)}/matches/{MATCH}", code=HOST_CODE)
    cut = page.get_by_role("img", name="The card as the camera saw it then, outlined")
    cut.scroll_into_view_if_needed()
    expect(cut.locator("image")).to_have_attribute("href", f"/api/v1/matches/{MATCH}/pictures/3/2")
    assert cut.get_attribute("viewBox") == "321 410 366 244"
    page.get_by_text("Pictures (2)").click()
    sources = page.locator(".kept img").evaluate_all("all => all.map((one) => new URL(one.src).pathname)")
    assert sources == [f"/api/v1/matches/{MATCH}/pictures/3/{place}" for place in (1, 2)]
    expect(page.get_by_role("heading", name="How well I refereed")).to_be_visible()
    wrong = page.locator("[data-misread='3']")
    wrong.focus()
    page.keyboard.press("Enter")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert desk.corrections[-1] == {"do": "camera-was-wrong", "number": 3}


@pytest.mark.browser
@pytest.mark.parametrize(
    ("press", "ends", "told"),
    [("^Night mode", "Day mode", (True, False)), ("^Mute$", "Sound on again", (False, True))],
    ids=["night", "mute"],
)
def test_night_and_mute_are_a_tap_each_stay_when_the_page_is_loaded_again_and_end_with_another_tap(
    press: str, ends: str, told: tuple[bool, bool], serve: Serve, visit: Visit, desk: RealDesk
):
    quiet: list[tuple[bool, bool]] = []
    box = SystemActions(set_quiet=lambda night, mute: quiet.append((night, mute)))
    page = visit(f"{serve(desk, system=box)}/host#more", code=HOST_CODE)
    begin, end = page.get_by_role("button", name=re.compile(press)), page.get_by_role("button", name=ends)
    begin.click()
    expect(end).to_be_visible()
    page.reload()
    end.click()
    expect(begin).to_be_visible()
    assert quiet == [told, (False, False)]


@pytest.fixture
def filmed() -> RealDesk:
    """A desk before the deal, whose camera shows a field of 1100 by 650 mm from above."""
    desk = RealDesk(deals=False)
    _, packed = cv2.imencode(".jpg", np.full((710, 1160), 60, np.uint8))
    desk.shown = packed.tobytes()
    return desk


def wait_for_zones(page: Page) -> Any:
    page.locator("#camera > summary").click()
    expect(page.locator(".zones g")).to_have_count(7)
    return page.locator(".zones")


@pytest.mark.browser
def test_a_zone_is_dragged_to_where_the_cards_lie_and_kept(serve: Serve, visit: Visit, filmed: RealDesk):
    page = visit(f"{serve(filmed)}/host#more", code=HOST_CODE, size="tablet")
    drawn = wait_for_zones(page)
    page.get_by_role("button", name="Move the zones").click()
    pool = drawn.locator("g[aria-label^='Pool']")
    pool.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box is not None
    scale = box["width"] / 1160

    def at(x_mm: float, y_mm: float) -> tuple[float, float]:
        return box["x"] + (x_mm + 30) * scale, box["y"] + (y_mm + 30) * scale

    page.mouse.move(*at(900, 500))
    page.mouse.down()
    page.mouse.move(*at(910, 500), steps=4)
    page.mouse.up()
    expect(pool).to_have_attribute("aria-label", "Pool: 240 × 610 mm at 850, 20")
    page.mouse.move(*at(1090, 630))  # its near right corner; the rectangle stays one
    page.mouse.down()
    page.mouse.move(*at(1050, 590), steps=4)
    page.mouse.up()
    expect(pool).to_have_attribute("aria-label", "Pool: 200 × 570 mm at 850, 20")
    page.get_by_role("button", name="Keep these zones").click()
    expect(page.get_by_role("button", name="Move the zones")).to_be_visible()
    kept = {zone["name"]: zone["polygon"] for zone in filmed.setup.zones()["zone"]}
    assert kept["pool"] == [[850, 20], [1050, 20], [1050, 590], [850, 590]]
    assert kept["tree"] == [[160, 20], [820, 20], [820, 630], [160, 630]]


def tab_to(wanted: Any) -> None:
    """Walk on with the Tab key until something has the focus."""
    for _ in range(8):
        wanted.page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError("the Tab key does not lead there")


@pytest.mark.browser
def test_zones_are_moved_with_a_keyboard_and_two_over_each_other_are_pointed_out(
    serve: Serve, visit: Visit, filmed: RealDesk
):
    page = visit(f"{serve(filmed)}/host#more", code=HOST_CODE, expected=("422",))
    drawn = wait_for_zones(page)
    page.get_by_role("button", name="Move the zones").press("Enter")
    tree = drawn.locator("g[aria-label^='Tree']")
    tab_to(tree)
    for key in (*["ArrowRight"] * 3, "Shift+ArrowRight", "Shift+ArrowUp"):
        page.keyboard.press(key)
    expect(tree).to_have_attribute("aria-label", "Tree: 665 × 605 mm at 175, 20")
    expect(tree).to_be_focused()
    page.get_by_role("button", name="Keep these zones").press("Enter")
    expect(drawn.locator("g.wrong")).to_have_count(0)
    page.get_by_role("button", name="Move the zones").press("Enter")
    tab_to(tree)
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    page.get_by_role("button", name="Keep these zones").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("over each other")
    expect(drawn.locator("g.wrong")).to_have_count(2)
    page.get_by_role("button", name="Cancel").press("Enter")
    expect(tree).to_have_attribute("aria-label", "Tree: 665 × 605 mm at 175, 20")
    kept = {zone["name"]: zone["polygon"] for zone in filmed.setup.zones()["zone"]}
    assert kept["tree"][0] == [175, 20], "what lay over each other was not kept"


@pytest.mark.browser
def test_while_cards_are_laid_the_zones_are_shown_and_stay(serve: Serve, visit: Visit, filmed: RealDesk):
    filmed.deal()
    page = visit(f"{serve(filmed)}/host#more", code=HOST_CODE)
    wait_for_zones(page)
    expect(page.locator("#camera [data-told]")).to_have_text(
        "Cards are being laid: zones are moved before the first card, or after the match."
    )
    expect(page.get_by_role("button", name="Move the zones")).to_be_hidden()


@pytest.mark.browser
def test_stickers_bear_the_names_that_were_typed_in_finished_or_not(serve: Serve, visit: Visit, desk: RealDesk):
    deck = {
        "deck": {"name": "Ours", "edition": "own"},
        "card": [
            {"id": f"{era}-{number}", **({"name": {"en": "Zebra"}} if (era, number) == (1, 1) else {})}
            for era in range(1, 7)
            for number in range(1, 10)
        ],
    }
    desk.keep_deck(deck)
    page = visit(f"{serve(desk, system=SystemActions(sheets=printed))}/decks/ours", code=HOST_CODE)
    link = page.get_by_role("link", name="Stickers of 20 mm (PDF)").get_attribute("href")
    sheet = page.request.get(page.url.replace("/decks/ours", str(link)))
    assert sheet.body()[:5] == b"%PDF-"
    if shutil.which("pdftotext"):
        said = subprocess.run(("pdftotext", "-", "-"), input=sheet.body(), capture_output=True, check=True).stdout
        assert b"Zebra" in said
        assert b"Hunting" not in said
    assert page.request.get(f"{page.url.replace('/decks/ours', '')}/api/v1/stickers.pdf?deck=none").status == 404


PHOTO = cv2.imencode(".jpg", np.full((3000, 4000, 3), 90, np.uint8))[1].tobytes()
OURS = {"deck": {"name": "Ours", "edition": "own"}, "card": [{"id": "1-1"}]}


@pytest.mark.browser
def test_a_card_s_picture_is_taken_shown_taken_again_and_deleted_by_holding(serve: Serve, visit: Visit, tmp_path: Path):
    desk = RealDesk(running=False)
    photo = tmp_path / "card.jpg"
    photo.write_bytes(PHOTO)
    page = visit(f"{serve(desk)}/decks/ours", code=HOST_CODE)
    page.get_by_label("Name on the card").fill("Hunting")
    expect(page.locator("#portrait")).to_be_hidden()
    page.get_by_label("Take a picture").set_input_files(photo)
    picture = page.get_by_role("img", name="Picture of Hunting")
    expect(picture).to_be_visible()
    assert picture.evaluate("(one) => one.decode().then(() => [one.naturalWidth, one.naturalHeight])") == [800, 600]
    assert desk.decks.pictured_cards(User(Role.HOST), "ours") == ("1-1",)
    page.get_by_role("button", name="Next card").click()
    expect(page.locator("#portrait")).to_be_hidden()
    page.reload()
    page.get_by_role("button", name="1-1 Hunting").click()
    expect(picture).to_be_visible()
    expect(page.get_by_text("Take another")).to_be_visible()
    hold(page.get_by_role("button", name="Delete the picture"))
    expect(page.locator("#portrait")).to_be_hidden()
    expect(page.get_by_text("Take a picture")).to_be_visible()
    assert desk.decks.pictured_cards(User(Role.HOST), "ours") == ()


@pytest.mark.long
@pytest.mark.browser
def test_what_is_no_picture_is_refused_in_the_readers_language_and_a_huge_file_is_not_even_sent(
    serve: Serve, visit: Visit, tmp_path: Path
):
    desk = RealDesk(running=False)
    page = visit(f"{serve(desk, words=WORDS)}/decks/ours", code=HOST_CODE, locale="fr-FR", expected=("422",))
    page.get_by_label("Prendre une photo").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no"})
    expect(page.get_by_role("alert")).to_have_text("Ce n’est pas une image JPEG, PNG ou WebP.")
    huge = {"name": "b.jpg", "mimeType": "image/jpeg", "buffer": b"x" * (PICTURE_LIMIT + 1)}
    page.get_by_label("Prendre une photo").set_input_files(huge)  # type: ignore[arg-type]
    expect(page.get_by_role("alert")).to_contain_text("trop lourde")
    assert desk.decks.pictured_cards(User(Role.HOST), "ours") == ()


def test_pictures_may_be_large_and_nothing_else_may(client: FlaskClient, desk: RealDesk, bearer: Any):
    desk.keep_deck(OURS)
    where, host = "/api/v1/decks/ours/pictures/1-1", bearer(HOST_CODE)
    padded = PHOTO + b"\0" * (PICTURE_LIMIT - len(PHOTO))
    assert client.post(where, data=padded, content_type="image/jpeg", headers=host).status_code == 200
    for address, limit in ((where, PICTURE_LIMIT), ("/api/v1/decks", BODY_LIMIT)):
        much = client.post(address, data=b"x" * (limit + 1), content_type="image/jpeg", headers=host)
        assert much.status_code == 413 if address == where else 415
        assert much.mimetype == "application/problem+json"
    assert "12 MB" in client.post(where, data=padded + b"x", content_type="image/jpeg", headers=host).json["detail"]
    assert client.post(where, json={}, headers=host).status_code == 415


@pytest.mark.browser
def test_a_card_is_picked_by_its_picture_where_there_is_one(serve: Serve, visit: Visit):
    picture = cv2.imencode(".jpg", np.full((600, 800, 3), 90, np.uint8))[1].tobytes()
    desk = RealDesk(running=False)
    desk.keep_deck(OURS, card_3_7=picture)
    desk.begin(deck="ours.toml")
    desk.lay(10)  # the tenth opens an era: a trump
    page = visit(f"{serve(desk)}/seat", code=code_of(4))
    page.get_by_role("button", name="Call a card").click()
    image = page.get_by_role("dialog").get_by_role("button", name="Burial").locator("img")
    expect(image).to_be_visible()
    assert image.evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 800
    expect(page.get_by_role("dialog").locator("img")).to_have_count(1)


WHOLE = tomllib.loads((files("companion.games.discovery") / "demo_deck.toml").read_text("utf-8"))


def kept(page: Page, desk: RealDesk, card: str, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The card as the table keeps it, once it is so; it is kept a moment after the last key."""
    for _ in range(300):
        rows = {row["id"]: row for row in (desk.decks.deck("ours") or {}).get("card", ())}
        if is_so(rows.get(card, {})):
            break
        page.wait_for_timeout(100)
    return rows[card]


@pytest.mark.browser
def test_what_was_typed_is_undone_and_done_again_and_names_have_any_language(serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    desk.keep_deck(copy.deepcopy(WHOLE))
    page = visit(f"{serve(desk)}/decks/ours", code=HOST_CODE)
    name, undo, redo = (page.get_by_label("Name on the card"), *(page.locator(f"#{one}") for one in ("undo", "redo")))
    expect(undo).to_be_disabled()
    name.press("End")
    name.press_sequentially(" of old")
    page.get_by_label("Science").check()
    undo.click()
    expect(page.get_by_label("Society")).to_be_checked()
    undo.click()
    expect(name).to_have_value("Australopithecus")
    expect(undo).to_be_disabled()
    redo.click()
    expect(name).to_have_value("Australopithecus of old")
    page.get_by_role("button", name="Next card").click()
    page.get_by_label("Names are typed in").select_option("de")
    expect(name).to_have_value("")
    expect(page.locator("#elsewhere")).to_have_text("en: Band · fr: Bande")
    name.fill("Horde")
    band = kept(page, desk, "1-2", lambda row: "de" in row.get("name", {}))
    assert band["name"] == {"en": "Band", "fr": "Bande", "de": "Horde"}
    page.keyboard.press("Control+z")
    assert kept(page, desk, "1-2", lambda row: "de" not in row["name"])["name"] == {"en": "Band", "fr": "Bande"}


@pytest.mark.browser
def test_a_spreadsheet_is_taken_in_only_when_it_is_right_and_undo_brings_the_cards_back(serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    desk.keep_deck(copy.deepcopy(WHOLE))
    page = visit(f"{serve(desk, words=WORDS)}/decks/ours", code=HOST_CODE, locale="fr-FR", expected=("422",))
    page.get_by_text("Dans un tableur").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Enregistrer pour un tableur").click()
    sheet = saved.value.path().read_bytes()
    assert sheet.decode("utf-8-sig").startswith("ère;numéro;nom en;nom fr")

    def take_in(content: bytes) -> None:
        page.locator("#sheet").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": content})

    take_in(sheet.replace(b";Outils;", b";Outlis;", 1))
    expect(page.locator("#note")).to_contain_text("« Outlis » n’est pas une famille")
    expect(page.locator("#note")).to_contain_text("Vouliez-vous dire tools ?")
    expect(page.locator("#undo")).to_be_disabled()
    take_in(sheet.replace(b"Australopithecus;Australopithecus", b"Lucy;Lucie", 1))
    expect(page.locator("#note")).to_have_text("54 cartes reprises. « Annuler » rend ce qu’il y avait.")
    assert kept(page, desk, "1-1", lambda row: row["name"]["fr"] == "Lucie")["family"] == "society"
    page.locator("#undo").click()
    assert kept(page, desk, "1-1", lambda row: row["name"]["fr"] != "Lucie") == WHOLE["card"][0]


@pytest.mark.browser
def test_a_spreadsheet_that_does_not_name_its_alphabet_is_asked_about_with_its_first_words(serve: Serve, visit: Visit):
    """As Excel for Mac saves "CSV": the names came out as "Hšhle" and "JŠger", and nobody was told."""
    desk = RealDesk(running=False)
    desk.keep_deck(copy.deepcopy(WHOLE))
    page = visit(f"{serve(desk, words=WORDS)}/decks/ours", code=HOST_CODE)
    page.get_by_text("As a spreadsheet", exact=True).click()
    sheet = desk.decks.spreadsheet("ours", "en").decode("utf-8-sig")
    sheet = sheet.replace("Australopithecus,Australopithecus", "Höhle,Jäger", 1).replace("Bande", "Großwild", 1)
    saved = sheet.encode("mac_roman", "replace")
    page.locator("#sheet").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": saved})
    asked = page.get_by_role("group", name="Which of these words are right")
    expect(asked.get_by_role("button", name="Hšhle, JŠger, Gro§wild")).to_be_focused()
    expect(page.locator("#undo")).to_be_disabled()
    page.screenshot(path="build/screens/deck-alphabet.png")
    asked.get_by_role("button", name="Höhle, Jäger, Großwild").click()
    expect(asked).to_be_hidden()
    expect(page.locator("#note")).to_have_text("54 cards taken in. Undo brings back what was here.")
    assert kept(page, desk, "1-1", lambda row: row["name"]["en"] == "Höhle")["name"]["fr"] == "Jäger"


@pytest.mark.browser
def test_decks_stand_side_by_side(serve: Serve, visit: Visit):
    desk = RealDesk(running=False)
    other = copy.deepcopy(WHOLE)
    other["card"][7]["family"] = "tools"
    desk.keep_deck(copy.deepcopy(WHOLE))
    assert isinstance(desk.decks.save_deck(User(Role.HOST), "theirs", other), Done)
    page = visit(f"{serve(desk)}/decks/ours/compare", code=HOST_CODE)
    expect(page.get_by_text("They say the same of every card")).to_be_visible()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Show side by side").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody tr")).to_have_text("1-8 FamilyFoodTools")


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("discovery", '<a href="/decks?game=discovery">The cards of my own box</a>'),
        ("carcassonne", '<a href="/decks?game=carcassonne">The cards of my own box</a>'),
        ("darwinci", '<a href="/decks?game=darwinci">The cards of my own box</a>'),
        ("lands", "Nothing is typed in before"),
    ],
)
def test_a_box_is_entered_where_the_step_says(game: str, told: str, client: FlaskClient):
    """Of Lands it sent people to a page that does not take it."""
    page = client.get(f"/setup?game={game}", headers={"Authorization": f"Bearer {HOST_CODE}"}).get_data(as_text=True)
    step = page[page.index('id="stick"') : page.index('id="see"')]
    assert told in step
    assert ("/decks" in step) is (game != "lands")
