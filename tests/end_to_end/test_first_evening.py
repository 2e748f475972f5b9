"""From the first start to the end of the first match, as docs/start.md leads: a box with a camera and two phones.

The host's phone sets everything up. Cards are laid under the camera by hand, one player shows command cards, the other
ends turns by phone. Pictures of each step are kept in ``build/screens``.
"""

from __future__ import annotations

import json
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from support.browser import SCREENS
from support.drawn_camera import DrawnCamera
from support.own_tiles import Row, enter_carcassonne, enter_darwinci
from support.ports import free_port
from support.waiting import wait

from companion.games.carcassonne.match_file import PROFILE as CARCASSONNE
from companion.games.darwinci.match_file import BASE
from companion.games.discovery import moves as act
from companion.games.discovery.game import Discovery
from companion.games.discovery.random_play import propose
from companion.games.protocol import Move, MoveContext
from companion.games.registry import demo_deck, game_module, open_match
from companion.public.table import TABLE, CardId

ROOT = Path(__file__).parents[2]
BY_CAMERA, BY_PHONE = 1, 2
POOL = ("2-1", "2-2", "1-3", "2-4", "2-5")
POOL_AT_MM = [(888.0 + 70 * (place % 3), 93.0 + 120 * (place // 3)) for place in range(8)]
COMMANDS_AT_MM = (80.0, 595.0)
PHONE = {"width": 390, "height": 844}


def first_match() -> Discovery:
    """As the wizard begins it when nobody changes anything but the names."""
    match = {"profile": "en-intro", "seat": [{"name": "Nina"}, {"name": "Paul"}]}
    return open_match(match, demo_deck()).game  # type: ignore[return-value]


def planned(game: Discovery, seed: int) -> list[Move]:
    """A whole lawful match of cards from hand and pool, from the deal to the end."""
    dice, state, moves = random.Random(seed), game.rules.start, list[Move]()

    def done(move: Move) -> bool:
        nonlocal state
        at = MoveContext(len(moves) + 1)
        if game.rules.judge(state.position, move, at):
            return False
        state = game.hidden.apply(state, move, at, game.rules.apply(state, move, at)).state
        moves.append(move)
        return True

    assert done(act.Deal(TABLE, tuple(map(CardId, POOL))))
    while not state.position.over:
        wanted = propose(game, state.position, dice, [*game.setup.facts], MoveContext(len(moves) + 1))
        assert any(isinstance(move, (act.Place, act.Refill, act.EndTurn)) and done(move) for move in wanted)
    return moves


@contextmanager
def box(data: Path, camera: str) -> Iterator[str]:
    """A box that has just been switched on for the first time: no match, no host. Where its pages are."""
    data.mkdir()
    (data / "settings.toml").write_text(f'[camera]\nsource = "{camera}"\n')
    port = free_port()
    words = [sys.executable, "-m", "companion", "run", "--port", str(port), "--data", str(data)]
    with (data.parent / "messages").open("w") as messages:
        program = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages)
        address = f"http://127.0.0.1:{port}"
        try:
            wait(lambda: _answers(port))
            yield address
        finally:
            program.send_signal(signal.SIGTERM)
            program.wait(30)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


class Family:
    """Lays the cards of a planned match under the camera, and ends turns by command card or phone."""

    def __init__(self, camera: DrawnCamera, host: Page, paul: Page) -> None:
        self._camera, self._host, self._paul = camera, host, paul
        self._in_pool: list[CardId | None] = []

    def entries(self) -> int:
        """Of the match, so far."""
        return int(self._standing()["number"])

    def _standing(self) -> Any:
        return self._host.request.get("/api/v1/standing").json()

    def play(self, move: Move) -> None:
        """Do it, and wait until it counts."""
        before = self.entries()
        match move:
            case act.Deal(_, cards):
                self._in_pool = list(cards)
                for place, card in enumerate(cards):
                    self._camera.lay(_token(card), *POOL_AT_MM[place])
            case act.Refill(_, card):
                place = self._in_pool.index(None)
                self._in_pool[place] = card
                self._camera.lay(_token(card), *POOL_AT_MM[place])
            case act.Place(_, card, source):
                if source == "pool":
                    self._in_pool[self._in_pool.index(card)] = None
                era, number = map(int, card.split("-"))
                self._camera.lay(_token(card), 213.0 + 72 * (number - 1), 93.0 + 100 * (era - 1))
            case act.EndTurn(seat) if seat == BY_PHONE:
                self._paul.get_by_role("button", name="End turn").click()
            case _:
                self._camera.lay("KEND", *COMMANDS_AT_MM)
        wait(lambda: self.entries() > before)
        self._camera.take("KEND")


def _token(card: CardId) -> str:
    return f"C{card.replace('-', '')}"


@pytest.mark.browser
@pytest.mark.long
def test_a_family_gets_from_the_first_start_to_the_end_of_its_first_match(tmp_path: Path, chromium: Browser) -> None:
    game = first_match()
    moves = planned(game, 3)
    steps = iter(range(1, 100))

    def look(page: Page, name: str) -> None:
        page.screenshot(path=SCREENS / f"first-evening-{next(steps):02}-{name}.png")

    with DrawnCamera(game.table.layout) as camera, box(tmp_path / "data", camera.address) as address:
        host = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=address).new_page()
        host.goto("/")
        look(host, "first-page")
        expect(host.locator("main")).not_to_contain_text("type the host")
        host.get_by_role("button", name="Be the host of this table").click()
        expect(host.get_by_role("link", name="Step by step")).to_be_visible()
        look(host, "host")
        host.get_by_role("link", name="Step by step").click()
        for step in ("hang", "stick", "see"):
            expect(host.locator(f"#{step}")).to_be_visible()
            if step == "stick":
                sheets = host.locator("section[aria-labelledby=stick] .acts a")
                assert ["game=" in href for href in sheets.evaluate_all("all => all.map((one) => one.href)")] == [
                    False
                ] * 2
                assert host.request.get("/api/v1/stickers.pdf?size=25&paper=a4").body()[:5] == b"%PDF-"
            if step == "see":
                expect(host.locator("#told .ok").first).to_have_text("I see the table.")
                expect(host.locator("#camera img")).to_be_visible()
            look(host, step)
            host.get_by_role("button", name="Next").click()
        host.get_by_label("Player 1", exact=True).fill("Nina")
        host.get_by_label("Player 2", exact=True).fill("Paul")
        look(host, "players")
        host.get_by_role("button", name="Remove player 3").click()
        host.get_by_role("radio", name="Intro").check()
        host.get_by_role("button", name="Begin").click()
        expect(host.locator(".scores")).to_contain_text("Nina")
        expect(host.locator("#deal")).to_be_visible()
        look(host, "deal")

        paul = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=address).new_page()
        paul.goto(str(host.locator("#codes li", has_text="Paul").get_by_role("link").get_attribute("href")))
        expect(paul.locator("html")).to_have_attribute("data-link", "live")
        look(paul, "paul-joins")
        family = Family(camera, host, paul)
        for number, move in enumerate(moves, 1):
            family.play(move)
            if number in (1, 2, 20):
                look(host, f"host-after-{number}")
                look(paul, f"paul-after-{number}")
        for page, name in ((host, "host"), (paul, "paul")):
            expect(page.locator("#end .places li")).to_have_count(2)
            look(page, f"end-{name}")
        record = [entry["move"] for entry in _played(host)]
        assert [(move["do"], move["by"], move.get("card")) for move in record] == [
            (move.do, move.by, getattr(move, "card", None)) for move in moves
        ]
        host.goto("/matches")
        expect(host.locator("main")).to_contain_text("· over")
        look(host, "matches")


def _played(host: Page) -> list[Any]:
    """What was written of the match; nothing of it was refused."""
    match = host.request.get("/api/v1/standing").json()["match"]
    lines = [json.loads(line) for line in host.request.get(f"/api/v1/matches/{match}/record").text().splitlines()[1:]]
    assert {line["event"] for line in lines} == {"dealt", "played"}
    return lines


class Hand:
    """A finger on the host's phone, and how often it touched. A word that is typed counts as one touch."""

    def __init__(self, page: Page) -> None:
        self.page, self.touches = page, 0

    def tap(self, what: Locator) -> None:
        what.click()
        self.touches += 1

    def press(self, name: str) -> None:
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def follow(self, name: str) -> None:
        self.tap(self.page.get_by_role("link", name=name).filter(visible=True))

    def fill(self, what: Locator, words: str) -> None:
        what.fill(words)
        self.touches += 1

    def choose(self, what: Locator, label: str) -> None:
        what.select_option(label=label)
        self.touches += 2


def demo_copy(page: Page, _rows: Sequence[Row]) -> list[int]:
    """Discovery's page, on which the copy lies with all its cards."""
    expect(page.locator("#entered")).to_contain_text("54")
    return []


@dataclass(frozen=True)
class OwnBox:
    """How a family's own box gets into the companion.

    Attributes:
        game, title: The game, and what the page calls it.
        profile: The one that the page has chosen.
        begins_with: The button under the new box's name.
        enter: Enters the tiles; the touches of each.
        whole: What the choice of decks says of the whole box.
        most: Touches from the first page to the match, at most.
    """

    game: str
    title: str
    profile: str
    begins_with: str
    enter: Callable[[Page, Sequence[Row]], list[int]]
    whole: str
    most: int


BOXES = (
    OwnBox("discovery", "Discovery", "en-explore", "Start from a copy of the demo deck", demo_copy, "Ours (54/54)", 20),
    OwnBox("carcassonne", "Carcassonne", CARCASSONNE, "Type them in", enter_carcassonne, "Ours (84/84)", 240),
    OwnBox("darwinci", "Darwinci", BASE, "Type them in", enter_darwinci, "Ours (65/65)", 200),
)


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("own", [pytest.param(own, id=own.game) for own in BOXES])
def test_an_empty_box_and_a_phone_lead_to_begin_with_ones_own_cards(
    own: OwnBox, tmp_path: Path, chromium: Browser
) -> None:
    """ "From an empty data folder to *Begin* … with own decks: touches counted, no terminal." """
    deck = demo_deck(game_module(own.game))
    rows: Sequence[Row] = deck.get("tile", ())
    match = {"game": own.game, "profile": own.profile, "seat": [{"name": name} for name in ("Nina", "Paul", "Zoé")]}
    layout = open_match(match, deck).game.table.layout
    with DrawnCamera(layout) as camera, box(tmp_path / "data", camera.address) as address:
        page = chromium.new_context(viewport=PHONE, locale="en-GB", base_url=address).new_page()
        page.set_default_timeout(8000)
        hand = Hand(page)
        page.goto("/")
        hand.press("Be the host of this table")
        hand.follow("Step by step")
        hand.press("Next: cards")
        if page.locator("section[aria-labelledby=stick] [aria-current=true]").text_content() != own.title:
            hand.follow(own.title)
        hand.follow("The cards of my own box")
        hand.fill(page.get_by_label("Name"), "Ours")
        expect(page.locator("select[name=game]")).to_have_value(own.game)  # the one whose way led here
        hand.press(own.begins_with)
        page.wait_for_url("**/decks/ours")
        by_tile = own.enter(page, rows)
        hand.touches += sum(by_tile)
        page.wait_for_timeout(700)  # what was typed last is kept after half a second
        # The way back is the one that people find: the host's page, and its step by step.
        hand.follow("Host")
        hand.follow("Step by step")
        hand.tap(page.locator("#steps a", has_text="Picture"))
        expect(page.locator("#told .ok").first).to_have_text("I see the table.")
        hand.press("Next: players")
        if page.locator("section[aria-labelledby=play] [aria-current=true]").text_content() != own.title:
            hand.follow(own.title)
        for number, name in enumerate(("Nina", "Paul", "Zoé"), 1):
            field = page.get_by_label(f"Player {number}", exact=True)
            if not field.count():
                hand.press("One more player")
            hand.fill(field, name)
        hand.choose(page.locator("[name=deck]"), own.whole)
        page.screenshot(path=SCREENS / f"first-evening-{own.game}-begin.png")
        hand.press("Begin")
        page.wait_for_url("**/host")
        expect(page.locator(".scores")).to_contain_text("Nina")
        begun = page.request.get("/api/v1/standing").json()["match"]
        head = json.loads(page.request.get(f"/api/v1/matches/{begun}/record").text().splitlines()[0])["match"]
        assert (head.get("game", "discovery"), head["deck"]) == (own.game, "ours.toml")
        print(f"{own.game}: {hand.touches} touches, {sum(by_tile)} of them for {len(by_tile)} tiles")
        assert hand.touches <= own.most
