"""A visitor plays a seat of the simulated table from its page: chosen cards go through pictures, eye and referee."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser import AXE, violations
from support.cable import Cable
from support.played_seat import PlayedSeat
from support.real_desk import RealDesk, code_of
from support.real_table import simulated_table

from companion.games.registry import demo_deck
from companion.public.i18n import Translations
from web.app import create_app
from web.server import Server

pytestmark = pytest.mark.browser
Visit = Callable[..., Page]
ME = 2


class Table:
    """A simulated table, and what a script may ask it."""

    def __init__(self, address: str, host: str) -> None:
        self.address, self.host = address, host

    def ask(self, route: str) -> Any:
        return json.loads(self.read(route))

    def read(self, route: str) -> str:
        head = {"Authorization": f"Bearer {self.host}"}
        asked = urllib.request.Request(f"{self.address}/api/v1/{route}", headers=head)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return str(answer.read().decode())

    def correct(self, do: str) -> None:
        body = json.dumps({"do": do}).encode()
        head = {"Authorization": f"Bearer {self.host}", "Content-Type": "application/json"}
        with urllib.request.urlopen(
            urllib.request.Request(f"{self.address}/api/v1/corrections", body, head), timeout=20
        ):
            pass

    def code(self, seat: int) -> str:
        return str(next(one["code"] for one in self.ask("invitations")["invitations"] if one["seat"] == seat))

    def record(self, match: str) -> list[Any]:
        return [json.loads(line) for line in self.read(f"matches/{match}/record").splitlines()][1:]


@contextmanager
def table(folder: Path, match: str | None = None, speed: float = 3.0) -> Iterator[Table]:
    file = None
    if match is not None:
        file = folder / "match.toml"
        file.write_text(match)
    with contextmanager(simulated_table)(folder, speed, file) as (address, host):
        yield Table(address, host)


def hand(page: Page) -> list[str]:
    return page.locator("#play [data-hand] [data-touch]").evaluate_all("all => all.map((one) => one.dataset.touch)")


def lay(page: Page, card: str, where: str = "[data-hand]", to: str = "tree") -> None:
    """By keys: the card is chosen, then its place."""
    press(page, f"#play {where} [data-touch='{card}']")
    press(page, f"#play [data-touch='to {to}']")


NEWCOMERS = """game = "discovery"
profile = "fr-explore"
dealer = 1
[[seat]]
name = "Ana"
[[seat]]
name = "Ben"
[[seat]]
name = "Cléo"
"""
POOL = ("5-9", "6-3", "6-4", "6-5", "6-8")
HELD = ("6-6", "6-7", "6-9")
LAST_CARDS = (
    NEWCOMERS.replace("fr-explore", "en-intro")
    + f"""
[position]
turn = {ME}
tree = {json.dumps([f"{era}-{n}" for era in range(1, 7) for n in range(1, 10) if f"{era}-{n}" not in POOL + HELD])}
pool = {json.dumps(POOL)}
discards = [[], [], []]
hands = [1, 1, 1]
stack = 0
"""
)
"""Everybody has one card left, and each of these waits for one that lies in the pool."""


def moves_of(house: Table, match: str) -> list[tuple[str, str, str]]:
    """What the camera saw of the visitor's: event, act and card."""
    mine = [line for line in house.record(match) if line.get("move", {}).get("by") == ME and line["origin"] == "camera"]
    return [(line["event"], line["move"]["do"], line["move"].get("card", "")) for line in mine]


def until(page: Page, done: Callable[[], Any]) -> None:
    for _ in range(300):
        if done():
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"it does not come: {page.locator('#verdict').inner_text()}")


@pytest.mark.long
def test_keys_alone_play_a_seat_from_a_refusal_to_the_end_of_the_match(tmp_path: Path, visit: Visit):
    """The last card waits for one of the pool: it is refused, taken back, and laid after that one."""
    with table(tmp_path, LAST_CARDS) as house:
        house.correct("pause")  # or the people play this seat, and end the match, while the page still opens
        page = visit(house.address + "/seat", code=house.code(ME), expected=("403", "404", "409"), bypass_csp=True)
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        press(page, "#playing", "Space")
        house.correct("resume")
        match = house.ask("standing")["match"]
        expect(page.locator("#play [data-hand] [data-touch]")).to_have_count(1)
        last = hand(page)[0]

        press(page, f"#play [data-hand] [data-touch='{last}']")
        page.evaluate("document.querySelectorAll('#play details').forEach((one) => (one.open = true))")
        small = page.locator("#play :is(button, summary, .switch)").evaluate_all(
            "all => all.filter((one) => one.checkVisibility() && Math.min(one.offsetWidth, one.offsetHeight) < 44)"
            ".map((one) => one.outerHTML)"
        )
        assert small == []
        if AXE.exists():
            assert violations(page, "#play") == []
        page.evaluate("document.querySelectorAll('#play details').forEach((one) => (one.open = false))")
        page.keyboard.press("Escape")
        expect(page.locator("#play [data-where]")).to_be_hidden()

        lay(page, last)
        until(page, lambda: ("refused", "place", last) in moves_of(house, match))
        expect(page.locator("#verdict .said")).to_contain_text("still needs")
        press(page, "#verdict .back")
        expect(page.locator(f"#play [data-hand] [data-touch='{last}']")).to_be_visible()
        expect(page.locator("#verdict")).not_to_have_attribute("data-kind", "no")

        press(page, "#play [data-spare] summary")
        lay(page, "6-4", "[data-open]")
        until(page, lambda: ("played", "place", "6-4") in moves_of(house, match))
        lay(page, last)
        expect(page.locator("#mine")).to_have_text("you won")
        expect(page.locator("#end .places li")).to_have_count(3)
        expect(page.locator("#end .places .won .who")).to_contain_text("Ben")
        expect(page.locator("#play [data-hand]")).to_be_hidden()
        page.context.close()  # before its table is gone


def press(page: Page, target: str, key: str = "Enter") -> None:
    """Walk there with the tab key alone, and press a key."""
    expect(page.locator(target).first).to_be_visible()
    for _ in range(150):
        if page.evaluate("(target) => document.activeElement.matches(target)", target):
            return page.keyboard.press(key)
        page.keyboard.press("Tab")
    raise AssertionError(f"the keys do not get to {target}")


class Newcomer:
    """Plays a seat with nothing but keys and what its page shows: the tree, the hand, and the buttons.

    Attributes:
        errs: So many cards that do not fit yet are laid all the same, and taken back.
        refused: Which ones.
    """

    def __init__(self, page: Page, errs: int) -> None:
        self.page, self.errs = page, errs
        self.refused: list[str] = []
        self.seat = page.evaluate("JSON.parse(document.getElementById('start').textContent).me.seat")
        self.needs = {
            card["id"]: set(card["prerequisites"])
            for card in page.evaluate("JSON.parse(document.getElementById('start').textContent).match.cards")
        }

    def play(self, lasts_s: float) -> None:
        """Until the final screen stands."""
        end_s = time.monotonic() + lasts_s
        while not self.page.locator("#end").is_visible():
            assert time.monotonic() < end_s, self.page.locator("main").inner_text()
            self._do()
            self.page.wait_for_timeout(500)

    def _do(self) -> None:
        page, mine = self.page, self.page.locator("#mine").inner_text()
        now = page.locator("#now").inner_text()
        if page.locator("#verdict .back").count():
            press(page, "#verdict .back")
            expect(page.locator("#verdict")).not_to_have_attribute("data-kind", "no")
        elif now == "Steal a card first.":
            self._press("Steal")
        elif mine == "your turn" and "on its way" not in page.locator("#play .told").inner_text():
            self._turn()

    def _turn(self) -> None:
        held = hand(self.page)
        laid = self.page.locator("[data-slot][data-state='laid']").evaluate_all(
            "all => all.map((one) => one.dataset.slot)"
        )
        ready = [card for card in held if self.needs[card] <= set(laid)]
        wrong = [card for card in held if card not in (*ready, *self.refused)]
        series = self.page.locator("[data-series]").inner_text()
        if wrong and not series and len(self.refused) < self.errs:
            self.refused.append(wrong[0])
            self._lay(wrong[0])
            expect(self.page.locator("#verdict .back")).to_have_text(re.compile("^Take .* back$"))
        elif ready and not series and not self._is_told("Nothing more can be laid"):
            self._lay(ready[0])  # what is refused all the same is taken back, see above
        elif not self._press("End turn") and held:
            self._lay(held[0], f"discard-{self.seat}")
            expect(self.page.locator(f"#play [data-hand] [data-touch='{held[0]}']")).to_have_count(0)

    def _lay(self, card: str, to: str = "tree") -> None:
        lay(self.page, card, to=to)

    def _is_told(self, words: str) -> bool:
        return words in self.page.locator("#now").inner_text()

    def _press(self, words: str) -> bool:
        button = self.page.locator("#acts, #bar").get_by_role("button", name=re.compile(f"^{words}"))
        if not button.count():
            return False
        press(self.page, f":is(#acts, #bar) [data-act='{button.first.get_attribute('data-act')}']")
        if self.page.locator("#picker[open]").count():
            press(self.page, "#picker .choice-any")
        return True


def test_one_touch_on_the_first_page_takes_a_seat_that_nobody_plays(tmp_path: Path, visit: Visit):
    with table(tmp_path, NEWCOMERS) as house:
        page = visit(house.address, expected=("404",))
        expect(page.locator("#picture img")).to_have_attribute("src", re.compile("^blob:"))
        page.get_by_role("button", name="Play a seat").click()
        expect(page).to_have_url(re.compile("/seat$"))
        expect(page.locator("#play [data-hand] [data-touch]").first).to_be_visible()
        page.context.close()  # before its table is gone


@pytest.mark.long
def test_keys_alone_play_a_whole_match_from_the_first_page_with_refusals(tmp_path: Path, visit: Visit):
    with table(tmp_path, NEWCOMERS, 4.0) as house:
        page = visit(house.address, expected=("403", "404", "409"))
        press(page, "#visit")
        expect(page).to_have_url(re.compile("/seat$"))
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        match = house.ask("standing")["match"]
        expect(page.locator("#play [data-hand] [data-touch]")).to_have_count(5)
        newcomer = Newcomer(page, errs=3)
        newcomer.play(1200.0)
        told = house.record(match)
        refused = [
            line["move"]["card"] for line in told if line["event"] == "refused" and line["move"]["by"] == newcomer.seat
        ]
        assert len(newcomer.refused) == 3
        assert set(newcomer.refused) <= set(refused)
        assert sum(card[0] == "place" for card in accepted(told, newcomer.seat)) > 5
        stands = house.ask("standing")["standing"]
        assert stands["over"]
        expect(page.locator("#end .places .won")).to_have_count(len(stands["winners"]))
        expect(page.locator("#play [data-hand]")).to_be_hidden()
        page.context.close()  # before its table is gone


def accepted(told: list[Any], seat: int) -> list[tuple[str, str]]:
    """What the visitor did and what counts, each with its card."""
    mine = [line["move"] for line in told if line["event"] == "played" and line["move"]["by"] == seat]
    return [(move["do"], move.get("card", "")) for move in mine]


HAND = ("5-8", "4-4", "4-1", "3-5")
"""Of the demo deck: Democracy, Village, Agriculture and Dugout boat."""


def half_way(profile: str = "fr-explore", **more: Any) -> RealDesk:
    """A drawn table of three, Ben's turn: eras 1 to 3 lie there but for what he holds, and Hut is in the pool."""
    deck = demo_deck()
    absent = ("2-5", *HAND)
    tree = [card["id"] for card in deck["card"] if card["id"][0] in "123" and card["id"] not in absent]
    pool = ["2-5", "5-9", "6-3", "6-4", "6-5"]
    hands = [5, len(HAND), 5]
    stack = len(deck["card"]) - len(tree) - len(pool) - sum(hands)
    position = {"turn": ME, "tree": tree, "pool": pool, "hands": hands, "stack": stack, **more}
    return RealDesk(3, profile, deck=deck, simulated=True, position=position)


def opened(visit: Visit, address: str, seat: int = ME, **how: Any) -> Page:
    page = visit(f"{address}/seat", code=code_of(seat), bypass_csp=True, **how)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    return page


def fine(page: Page) -> None:
    """axe finds nothing; and in 320 pixels with twice the text nothing is cut and nothing goes sideways."""
    if AXE.exists():
        assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(CUT) == []
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    if AXE.exists():
        assert violations(page) == []


CUT = """() => [...document.querySelectorAll('main *')]
  .filter((one) => one.checkVisibility() && one.textContent.trim() && !one.closest('.unseen, svg, .table'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth || !one.querySelector('*:not(svg, use)')
    && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
  .map((one) => one.outerHTML.slice(0, 200))"""


def test_what_fits_comes_first_with_its_gain_and_every_need_says_whether_it_is_there(
    serve: Callable[..., str], visit: Visit
):
    desk = half_way()
    seat = PlayedSeat(desk, ME, HAND)
    page = opened(visit, serve(desk))
    rows = page.locator("#play [data-hand] > li")
    expect(rows.locator(".name")).to_have_text(["Agriculture", "Dugout boat", "Democracy", "Village"])
    expect(page.locator("#play [data-hand] > .fits")).to_have_count(2)
    expect(rows.locator(".go")).to_have_text(["+4 can be placed now"] * 2)  # each opens or closes an era
    expect(page.locator("#now")).to_have_text("2 of your cards fit.")
    expect(rows.nth(3).locator(".lacks")).to_have_text(["Hut, missing", "Agriculture, missing"])
    expect(rows.nth(1).locator(".has").first).to_have_text("Hand axe, in the tree")
    expect(page.locator("#play [data-spare] summary")).to_have_text("5 cards in the pool, 1 fits")
    rows.nth(3).locator(".row").click()  # a mistake may be tried
    expect(page.get_by_role("button", name="Discard it")).to_be_visible()
    fine(page)
    page.get_by_role("button", name="Lay it").click()
    until(page, lambda: seat.asked() == [("lay", "4-4", "tree")])


def test_a_refusal_says_where_each_missing_card_is_and_one_button_takes_the_card_back(
    serve: Callable[..., str], visit: Visit
):
    desk = half_way()
    seat = PlayedSeat(desk, ME, HAND)
    desk.refuse("4-4")
    seat.holds(("5-8", "4-1", "3-5"), ("4-4",))
    page = opened(visit, serve(desk))
    expect(page.locator("#verdict .said")).to_have_text("Village still needs Hut and Agriculture.")
    expect(page.locator("#verdict [data-missing] li > :last-child")).to_have_text(
        ["Hut lies in the pool", "Agriculture is in your hand, and fits"]
    )
    expect(page.locator("#verdict [data-missing] .token").filter(visible=True)).to_have_count(2)
    expect(page.locator("#now")).to_be_hidden()
    expect(page.locator("#verdict .stays")).to_be_hidden()
    fine(page)
    page.get_by_role("button", name="Take Village back").click()
    until(page, lambda: seat.asked() == [("take", "4-4", None)])


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
def test_a_silent_game_s_phone_knows_no_needs_and_a_wrong_card_looks_like_a_right_one(
    profile: str, serve: Callable[..., str], visit: Visit
):
    """In the hand, chosen, and after it was laid: Agriculture may be laid, Village may not."""
    told = []
    for card in ("4-1", "4-4"):
        desk = half_way(profile)
        seat = PlayedSeat(desk, ME, (card,))
        page = opened(visit, serve(desk), locale="fr-FR")
        assert "prerequisites" not in page.content()
        item, shown = page.locator("#play [data-hand] > li"), []
        shown.append(item.evaluate("(one) => one.outerHTML"))
        item.locator(".row").click()
        shown.append(item.evaluate("(one) => one.outerHTML"))
        shown.append(page.request.get(page.url.replace("/seat", "/api/v1/simulated/seat")).text())
        desk.put(card, "pile")
        seat.holds(())
        expect(page.locator("#loud")).to_have_text("La dernière carte est la vôtre.")
        page.locator("#play [data-hand] > li").wait_for(state="detached")
        shown += [page.locator("main").inner_html(), page.title()]
        about = next(one for one in demo_deck()["card"] if one["id"] == card)
        told.append([neutral(one, about, desk.id) for one in shown])
    assert "gains" not in told[0][2]
    assert told[0] == told[1]


def neutral(words: str, card: dict[str, Any], match: str) -> str:
    """Without what tells one card of an era from another before it is laid: its name, number, picture and family."""
    for family in ("tools", "food", "society", "science", "movement", "culture", "techniques"):
        words = words.replace(f"#{family}", "#family")
    words = re.sub(r'aria-label="[^"]*"( role="img")?|role="img" aria-label="[^"]*"', "", words)
    for own in (card["id"], card["name"]["fr"], card["name"]["en"].lower(), match):
        words = words.replace(own, "·")
    return words


def test_stop_names_its_target_and_after_the_own_card_there_is_only_a_line(serve: Callable[..., str], visit: Visit):
    desk = half_way("fr-bluff")
    PlayedSeat(desk, 3, HAND[:2])
    page = opened(visit, serve(desk), seat=3)
    desk.put("3-5", "pile")
    stop = page.get_by_role("button", name="Stop!")
    expect(stop).to_have_text("Stop! Ben’s Dugout boat")
    expect(page.locator("#now")).to_have_text("Ben laid Dugout boat. Does it stand on what it needs?")
    fine(page)
    desk.end_turn()
    desk.put("4-4", "pile")
    expect(page.locator("#loud")).to_contain_text("The last card is yours.")
    expect(stop).to_have_count(0)


SECONDS = """() => {
  window.seconds = 0;
  setInterval(() => (window.seconds += 1), 1000);
  new MutationObserver(() => (window.changed = window.seconds)).observe(
    document.getElementById('away'), { attributes: true, attributeFilter: ['hidden'] });
}"""
"""How long the note took, as the page counts seconds: on a busy machine its other clocks are as slow."""


def test_a_lost_wifi_and_its_return_are_said_at_once(words: Translations, visit: Visit, desk: RealDesk):
    """Where the browser notices; and within five seconds where everything is lost on the way and nobody notices."""
    server = Server(create_app(desk, words), 0, "127.0.0.1")
    cable = Cable(server.port)
    page = opened(visit, f"http://127.0.0.1:{cable.port}", expected=("ERR_",))
    away = page.locator("#away")
    page.evaluate(SECONDS)

    def soon(change: Callable[[], Any], *, shown: bool, most_s: int) -> None:
        page.evaluate("window.seconds = 0")
        change()
        expect(away).to_be_visible(visible=shown)
        assert page.evaluate("window.changed") <= most_s

    cable.loosen()  # the browser alone would only refuse what is new: an open stream goes on, and says that it does
    soon(lambda: page.context.set_offline(True), shown=True, most_s=0)
    if AXE.exists():
        assert violations(page) == []
    cable.plug_in()
    soon(lambda: page.context.set_offline(False), shown=False, most_s=4)
    expect(page.locator("#toast")).to_have_text("The table is back.")
    soon(cable.loosen, shown=True, most_s=6)  # it notices in five, but not at a full second
    soon(cable.plug_in, shown=False, most_s=8)
    cable.close()
    server.close()
