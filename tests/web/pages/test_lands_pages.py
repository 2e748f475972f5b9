"""Lands Unknown on the phones: a touch travels, what lies before people is not asked, and players may count it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser import SCREENS, violations
from support.spoken_table import SpokenTable

from companion.public.table import Observation, Placement, TableState, Token, Zone

pytestmark = pytest.mark.browser

KEYS_OF = "buttons => buttons.map(button => button.dataset.key)"
DEAL = {"do": "deal", "by": 0, "tiles": ["M01", "M02"], "joins": [["M02-4", "M01-2"]], "stands": ["M01-1"] * 2}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    made.opens({"game": "lands", "seat": [{"name": "Ana"}, {"name": "Ben"}]})
    made.say(DEAL)
    for seat, project in ((1, "P01"), (1, "P02"), (2, "P03"), (2, "P04")):
        made.say({"do": "gain", "by": seat, "card": project})
    made.say({"do": "lead", "by": 0, "seat": 1})
    yield made
    made.close()


def touched(table: SpokenTable, button: Locator) -> None:
    """Touches a button, and waits until the page offers what may be said next: what is touched before is too early."""
    number = table.standing()["number"]
    button.click()
    expect(button.page.locator(f"[data-offers='{number + 1}']")).to_be_attached()


def test_a_seat_travels_and_is_asked_for_nothing_that_lies_before_it(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    page = visit(f"{address}/seat", code=table.codes[1])
    expect(page.locator(".own .dial")).to_have_attribute("aria-label", "Stamina: 10 of 10")
    page.locator("[data-space='M01-2']").click()
    expect(page.locator(".own .dial")).to_have_attribute("aria-label", "Stamina: 9 of 10")
    table.say({"do": "gain", "by": 1, "card": "O30"})
    table.say({"do": "fight", "by": 1, "card": "E01"})
    expect(page.locator(".fight")).to_contain_text("hits from 7 on")
    expect(page.locator(".fight")).to_contain_text("hurts from 9 on")
    expect(page.locator(".fight")).to_contain_text("7 W")
    expect(page.locator(".fight button, .ask")).to_have_count(0)
    expect(page.locator("[data-says] .buttons .button")).to_have_count(2)
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.screenshot(path=SCREENS / "lands-seat-fight.png", full_page=True)
    page.locator("[data-space='M01-3']").click()
    expect(page.locator(".fight")).to_be_hidden()


def is_seen(table: SpokenTable, seconds: float, ana: tuple[float, float]) -> None:
    """The camera sees the two tiles beside each other, and the figures; Ana's foot is ``ana`` from the middle of the
    first tile, in millimetres."""
    match = table.runner.match
    assert match is not None
    packed = (Placement(Token(f"P0{one}"), Zone(f"pack-{1 + (one > 2)}")) for one in range(1, 5))
    tiles = (Placement(Token(f"M0{one}"), Zone("map"), 300 + 101 * one, 190.0) for one in (1, 2))
    feet = ((440.5 + ana[0], 229.5 + ana[1]), (440.5 - 8, 229.5 - 22))
    figures = (Placement(Token(f"F{seat}"), Zone("map"), x, y - 20) for seat, (x, y) in enumerate(feet, 1))
    seen = TableState(frozenset((*packed, *tiles, *figures)))
    for _ in range(int(seconds * 4)):
        table.now_s += 0.25
        look = Observation(int(table.now_s * 4), table.now_s, seen)
        table.runner.ask(lambda look=look: match.handle(look, look.taken_s))


def test_a_figure_between_two_spaces_is_asked_about_by_numbers_that_the_map_shows(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "Ana goes there" twice would tell nobody which is which, and a space has no name."""
    is_seen(table, 3.0, (-8, -22))
    is_seen(table, 4.0, (6, 25))
    ana, host = visit(f"{address}/seat", code=table.codes[1]), visit(f"{address}/host", code=table.codes[None])
    tv = visit(f"{address}/tv")
    for page in (ana, host):
        answers = page.locator(".question button")
        expect(answers).to_have_text(["Ana goes to place 1 on the map", "Ana goes to place 2 on the map"])
    for page in (ana, host, tv):
        for space, number in (("M01-3", "1"), ("M01-4", "2")):
            expect(page.locator(f".island [data-space='{space}'] .number").first).to_have_text(number)
    ana.set_viewport_size({"width": 390, "height": 844})
    ana.screenshot(path=SCREENS / "lands-seat-question.png", full_page=True)
    tv.set_viewport_size({"width": 1280, "height": 720})
    tv.screenshot(path=SCREENS / "lands-tv-question.png")
    ana.locator(".question button").nth(1).click()
    expect(tv.locator(".island .number")).to_have_count(0)
    expect(tv.locator("[data-space='M01-4'] .figure.seat-1")).to_be_visible()


def test_where_a_card_moves_somebody_is_touched_on_the_map(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    page = visit(f"{address}/seat", code=table.codes[1])
    page.get_by_role("button", name="Travel, or moved by a card").click()
    page.locator("dialog [data-space='M02-3'][role='button']").click()
    page.locator("dialog").get_by_role("button", name="0", exact=True).click()
    expect(page.locator("[data-space='M02-3'] .figure.seat-1")).to_be_visible()
    assert table.standing()["standing"]["stamina"][0] == 10


def test_a_player_may_count_and_everybody_sees_it(table: SpokenTable, address: str, visit: Callable[..., Page]) -> None:
    page, ben = (visit(f"{address}/seat", code=table.codes[seat]) for seat in (1, 2))
    expect(page.locator(".own .hearts")).to_have_count(0)
    page.locator(".counting summary").click()
    wood = page.get_by_role("group", name="wood", exact=True)
    for count in (1, 2):
        touched(table, wood.get_by_role("button", name=f"wood: {count}"))
    expect(page.locator(".own .pack")).to_have_attribute("aria-label", "Pack: 4 of 10")
    expect(page.locator(".own .hearts")).to_have_count(1)
    expect(ben.locator(".sheets .pack")).to_have_attribute("aria-label", "Pack: 4 of 10")
    expect(ben.locator(".own .pack")).to_have_attribute("aria-label", "Objects: 0")
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.screenshot(path=SCREENS / "lands-seat-count.png", full_page=True)
    touched(table, page.get_by_role("button", name="I am dead: the fourth damage"))
    expect(page.locator(".own.out")).to_have_count(1)


def test_the_host_says_for_every_seat_what_no_camera_sees(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """ "Said on the phone, one tap and only what is possible, a seat for itself, the host for all"."""
    page = visit(f"{address}/host#more", code=table.codes[None])
    ana, ben = (page.locator(f"[data-seat='{seat}']") for seat in (1, 2))
    touched(table, ana.locator("[data-space='M01-2'][role='button']"))
    expect(ana.locator("[data-space='M01-1'][role='button']")).to_be_visible()
    expect(ben.locator(".of-travel")).to_have_count(0)  # only what is possible: it is Ana's turn
    ben.locator(".counting summary").click()
    touched(table, ben.get_by_role("button", name="hunger: 1"))
    expect(ben.get_by_role("button", name="hunger: 0")).to_be_visible()  # it stays open
    touched(table, ana.get_by_role("button", name="Acts no more today"))
    touched(table, ben.get_by_role("button", name="Acts no more today"))
    expect(ben.get_by_role("button", name="Acts no more today")).to_have_count(0)
    table.say({"do": "night", "by": 0, "card": "N01"})
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / "lands-host.png", full_page=True)
    touched(table, page.locator(".lead").get_by_role("button", name="Ben"))
    expect(ben.locator(".of-travel")).to_be_visible()
    standing = table.standing()["standing"]
    assert (standing["day"], standing["turn"], standing["damage"]) == (2, 2, [0, 1])
    touched(table, ben.get_by_role("button", name="Is dead: the fourth damage"))
    touched(table, ana.get_by_role("button", name="Has won and leaves"))
    assert table.standing()["standing"]["winners"] == [1]


def test_each_offer_has_a_touch_on_the_host_s_page(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """What is offered and named nowhere could not be said."""
    head = {"Authorization": f"Bearer {table.codes[None]}"}
    offers = table.client.get("/api/v1/seat", headers=head).json["offers"]
    page = visit(f"{address}/host#more", code=table.codes[None])
    names = {"end_turn": "Acts no more today", "leave": "Has won and leaves"}
    names |= {"agree_end": "The scenario ends", "travel": "Travel, or moved by a card"}
    for offer in offers:
        seat = page.locator(f"[data-seat='{offer['by']}']") if offer["do"] in ("end_turn", "leave") else page
        expect(seat.get_by_role("button", name=names[offer["do"]]).first).to_be_visible()
    assert {offer["do"] for offer in offers} == names.keys()


def test_the_host_tells_what_is_on_a_card(table: SpokenTable, address: str, visit: Callable[..., Page]) -> None:
    table.say({"do": "fight", "by": 1, "card": "E09"})
    page = visit(f"{address}/host#more", code=table.codes[None])
    expect(page.locator(".ask")).to_have_count(0)  # it lies there for all to read
    page.locator(".again summary").click()
    page.get_by_role("button", name="E09", exact=True).click()
    for name, number in (("defence", "7"), ("attack", "9"), ("life", "2")):
        page.locator(f".ask [name={name}]").fill(number)
    page.get_by_role("button", name="Tell").click()
    expect(page.locator(".ask")).to_have_count(0)
    assert table.standing()["public"]["fight"]["defence"] == 7


@pytest.mark.usefixtures("axe")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_host_s_page_can_be_used_by_everybody(
    table: SpokenTable, address: str, visit: Callable[..., Page], scheme: str
) -> None:
    table.say({"do": "fight", "by": 1, "card": "E01"})
    page = visit(f"{address}/host#more", code=table.codes[None], scheme=scheme, bypass_csp=True)
    page.locator(".fight .dice").wait_for()
    page.locator(".counting summary").first.click()
    assert violations(page) == []


def test_objects_are_called_by_their_names_wherever_they_are_named(
    table: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """By what the deck says of them, and by what somebody told at the table."""
    table.say({"do": "gain", "by": 1, "card": "O01"})
    assert table.standing()["texts"] == ["Ana gets Axe."]
    table.say({"do": "gain", "by": 1, "card": "O30"})
    page = visit(f"{address}/seat", code=table.codes[1])
    expect(page.locator(".own .carries .hint")).to_contain_text("Axe")
    page.locator(".again summary").click()
    page.get_by_role("button", name="O30", exact=True).click()
    page.locator(".ask [name=name]").fill("Rope ladder")
    page.locator(".ask [name=quest]").check()
    page.get_by_role("button", name="Tell").click()
    expect(page.locator(".ask")).to_have_count(0)
    expect(page.locator(".own .carries .hint")).to_contain_text("Rope ladder")
    ben = visit(f"{address}/seat", code=table.codes[2])
    expect(ben.locator(".sheets .carries .hint")).to_contain_text("Axe · Rope ladder")


# -- map tiles that nobody has described -----------------------------------------------------------

MIDDLES = ((0.5, 0.3), (0.8, 0.3), (0.8, 0.75), (0.28, 0.75))
"""Where the spaces of a tile are touched, of its width and height."""
FOUR = [[0, -20], [30, -20], [30, 25], [-22, 25]]


@pytest.fixture
def beside(table: SpokenTable) -> SpokenTable:
    """Ana has turned up a tile of which nobody has entered anything."""
    table.say({"do": "travel", "by": 1, "card": "F1", "to": "M02-2"})
    table.say({"do": "scout", "by": 1, "card": "M20", "joins": [["M20", "M02-2"]]})
    return table


def touches(page: Page, *middles: tuple[float, float]) -> None:
    for x, y in middles:
        ground = page.locator(".tile-picture .ground")
        box = ground.bounding_box()
        assert box is not None
        ground.click(position={"x": x * box["width"], "y": y * box["height"]})


def described(table: SpokenTable) -> dict[str, Any]:
    (tile,) = table.standing()["public"]["described"]
    return tile


@pytest.mark.parametrize(("locale", "tells"), [("en-GB", "Tell"), ("fr-FR", "Dire")])
def test_whoever_acts_touches_the_spaces_of_a_tile_and_says_it(
    beside: SpokenTable, address: str, visit: Callable[..., Page], locale: str, tells: str
) -> None:
    """A touch for each space and one to say it; nothing is cut off on a narrow phone; the map shows it at once."""
    page = visit(f"{address}/seat", code=beside.codes[1], locale=locale)
    page.set_viewport_size({"width": 360, "height": 760})
    expect(page.locator(".tile-ask")).to_have_count(1)
    expect(page.get_by_role("button", name=tells, exact=True)).to_be_disabled()
    touches(page, *MIDDLES)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.locator(".tile-ask").screenshot(path=SCREENS / f"lands-tile-{locale[:2]}.png")
    page.get_by_role("button", name=tells, exact=True).click()
    expect(page.locator(".tile-ask")).to_have_count(0)
    tile = described(beside)
    near = [
        abs(a - b) for one, other in zip(tile["spaces"], FOUR, strict=True) for a, b in zip(one, other, strict=True)
    ]
    assert max(near) <= 1
    assert (tile["ways"], tile["costs"]) == ([[1, 2], [1, 4], [2, 3], [3, 4]], [1, 1, 1, 1])
    assert tile["exits"] == [[1, 0, -50], [2, 50, 0], [4, 0, 50], [4, -50, 0]]
    expect(page.locator("[data-space='M20-4']")).to_have_count(1)


def test_what_a_space_costs_what_is_there_and_where_it_is_open_is_a_touch_each(
    beside: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    page = visit(f"{address}/seat", code=beside.codes[1])
    touches(page, *MIDDLES)
    page.locator("[data-key='cost 3']").click()
    page.locator("[data-key=fire]").click()
    page.locator("[data-key='space 0']").click()
    page.locator("[data-key=landmark]").click()
    page.locator("[data-key='way 1']").click()
    page.locator("[data-key='way 2']").click()
    page.locator("[data-key='edge 1']").click()
    page.locator("[data-key='edge 5']").click()
    page.locator("[data-key=turn]").click()
    touches(page, (0.5, 0.5))  # the middle stays the middle however the picture is turned
    page.locator("[data-key=remove]").click()
    page.get_by_role("button", name="Tell", exact=True).click()
    expect(page.locator(".tile-ask")).to_have_count(0)
    tile = described(beside)
    assert (tile["costs"], tile["landmarks"], tile["fires"]) == ([1, 1, 1, 3], [1], [4])
    assert tile["ways"] == [[1, 3], [1, 4], [2, 3], [3, 4]]
    assert [[x, y] for _, x, y in tile["exits"]] == [[50, 0], [50, 33], [0, 50], [-50, 0]]


def test_a_tile_is_described_with_the_keyboard_alone(
    beside: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    page = visit(f"{address}/seat", code=beside.codes[1])
    add = page.locator("[data-key=add]")
    add.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    space = page.locator("[data-key='space 1']")
    space.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(space).to_be_focused()
    page.locator("[data-key='edge 10']").focus()
    page.keyboard.press(" ")
    add.focus()
    page.keyboard.press("Enter")
    page.locator("[data-key='space 2']").focus()
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Tell", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tile-ask")).to_have_count(0)
    tile = described(beside)
    assert tile["spaces"] == [[0, 0], [-15, -20]]
    assert tile["exits"] == [[1, 50, 0], [1, 0, 50], [2, 0, -50]]


def test_only_whoever_acts_and_the_host_are_asked_and_a_half_filled_form_stays(
    beside: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    """Two phones at once: what the first one says is so, and the other one is asked no longer."""
    ana, ben = (visit(f"{address}/seat", code=beside.codes[seat]) for seat in (1, 2))
    host = visit(f"{address}/host#more", code=beside.codes[None])
    touches(host, (0.5, 0.5))
    touches(ana, *MIDDLES)
    expect(ben.locator(".tile-ask")).to_have_count(0)
    expect(ben.locator("[data-todo]")).to_contain_text("A tile counts as one space")
    beside.say({"do": "gain", "by": 1, "card": "O30"})  # of which somebody may tell as well
    ana.locator(".again summary").click()
    ana.get_by_role("button", name="O30", exact=True).click()
    expect(ana.locator(".ask")).to_have_count(2)
    expect(ana.locator(".tile-picture .space")).to_have_count(4)
    ana.get_by_role("button", name="Tell", exact=True).first.click()
    expect(ana.locator(".tile-ask")).to_have_count(0)
    expect(host.locator(".tile-ask")).to_have_count(0)
    expect(ben.locator("[data-space='M20-4']")).to_have_count(1)
    assert len(described(beside)["spaces"]) == 4


def test_of_several_tiles_one_picture_is_open_and_the_next_one_opens_when_it_was_told(
    beside: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    beside.say({"do": "scout", "by": 1, "card": "M21", "joins": [["M21", "M20"]]})
    page = visit(f"{address}/seat", code=beside.codes[1])
    expect(page.locator(".tile-ask")).to_have_count(2)
    expect(page.locator(".tile-ask[open]")).to_have_attribute("data-tile", "M20")
    box = page.locator(".tile-picture:visible .ground").bounding_box()
    assert box is not None
    page.locator(".tile-picture:visible .ground").click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    page.get_by_role("button", name="Tell", exact=True).click()
    expect(page.locator(".tile-ask")).to_have_count(1)
    expect(page.locator(".tile-ask[open]")).to_have_attribute("data-tile", "M21")


def test_a_tile_that_was_told_wrong_is_corrected_from_what_was_told(
    beside: SpokenTable, address: str, visit: Callable[..., Page]
) -> None:
    told = {
        "spaces": FOUR,
        "costs": [1, 2, 1, 1],
        "ways": [[1, 3]],
        "exits": [[1, 0, -50]],
        "landmarks": [3],
        "fires": [],
    }
    beside.say({"do": "tell", "by": 1, "card": "M20", **told})
    page = visit(f"{address}/host#more", code=beside.codes[None])
    page.locator(".again summary").click()
    page.locator("[data-key='again M20']").click()
    expect(page.locator(".tile-picture .space")).to_have_count(4)
    page.locator("[data-key='space 1']").click()
    page.locator("[data-key='cost 1']").click()
    page.get_by_role("button", name="Tell", exact=True).click()
    expect(page.locator(".tile-ask")).to_have_count(0)
    assert described(beside) == {"card": "M20", **told, "fires": [], "costs": [1, 1, 1, 1]}


@pytest.mark.usefixtures("axe")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_of_a_tile_can_be_used_by_everybody(
    beside: SpokenTable, address: str, visit: Callable[..., Page], scheme: str
) -> None:
    page = visit(f"{address}/seat", code=beside.codes[1], scheme=scheme, bypass_csp=True)
    page.set_viewport_size({"width": 360, "height": 760})
    touches(page, *MIDDLES)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # nothing lies under the bar at the foot
    assert violations(page) == []
