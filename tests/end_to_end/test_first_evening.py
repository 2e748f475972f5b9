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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support.browser import SCREENS
from support.drawn_camera import DrawnCamera
from support.ports import free_port
from support.waiting import wait

from companion.games.discovery import moves as act
from companion.games.discovery.game import Discovery
from companion.games.discovery.random_play import propose
from companion.games.protocol import Move, MoveContext
from companion.games.registry import demo_deck, open_match
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
