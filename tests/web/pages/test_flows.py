"""Whole evenings on several screens at once, with the real referee behind them: three sizes, light and dark."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.cable import Cable
from support.real_desk import Evening, served

from companion.public.service import Done, Role, User

pytestmark = pytest.mark.browser
PLAYED = Path(__file__).parents[2] / "vectors"
Visit = Callable[..., Page]
LOOKS = [
    pytest.param(size, scheme, marks=() if (size, scheme) in (("phone", "light"),) else pytest.mark.long)
    for size in ("phone", "tablet", "television")
    for scheme in ("light", "dark")
]
everywhere = pytest.mark.parametrize(("size", "scheme"), LOOKS)


class House:
    """A table without an eye, and its pages, which can be started again as after a cut of power."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = 0
        self.start()

    def start(self) -> None:
        self._table = Evening(self._folder)
        self.host = self._table.host
        self.host.resume()
        self._thread = threading.Thread(target=self.host.run)
        self._thread.start()
        self._server = served(self._table, self._port)
        self._port = self._server.port

    def stop(self) -> None:
        self._server.close()
        self.host.stop()
        self._thread.join(timeout=10)
        self._table.paper.close()

    def play(self, record: str) -> None:
        """Begin the match of a recorded one."""
        header = json.loads((PLAYED / record).read_text("utf-8").splitlines()[0])
        for card in header["deck"]["card"]:
            card.setdefault("name", {"en": f"Card {card['id']}"})
        self.host.ask(lambda: self.host.begin({"match": header["match"], "deck": header["deck"]}))

    def say(self, **move: Any) -> Mapping[str, Any]:
        """What the table does, as the host says it."""
        reply = self._table.desk.match.move(User(Role.HOST, None, outside=True), move, None)
        assert isinstance(reply, Done), reply
        return dict(reply.value)

    def code(self, seat: int) -> str:
        return self._table.code(seat)

    @property
    def port(self) -> int:
        return self._port

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.stop()


def points(page: Page, seat: int) -> Any:
    return page.locator(f"[data-seat='{seat}'] [data-points]")


@everywhere
def test_two_phones_and_a_television_follow_one_match_and_a_seat_calls_a_card(
    size: str, scheme: str, house: House, visit: Visit
):
    house.play("K9-call.jsonl")
    ana = visit(f"{house.address}/join/{house.code(1)}", size=size, scheme=scheme)
    grandma = visit(house.address, size=size, scheme=scheme, locale="fr-FR")
    corner = visit(f"{house.address}/tv", size="television", scheme=scheme)
    assert ana.url.endswith("/seat")
    expect(ana.get_by_role("button", name="Call a card")).to_have_count(0)
    earned = house.say(do="place", by=1, card="2-1", **{"from": "hand"})["points"]
    for page in (ana, grandma, corner):
        expect(points(page, 1)).to_have_text(str(earned))
        expect(page.locator("[data-slot='2-1']")).to_have_attribute("data-state", "laid")
    ana.get_by_role("button", name="Call a card").click()
    ana.get_by_role("searchbox").fill("1-9")  # it still lacks something, and is not among the likely ones
    ana.get_by_role("button", name="1-9 ").click()
    ana.get_by_role("button", name="Ben").click()
    expect(ana.locator("#picker")).to_be_hidden()
    for page, words in ((ana, "1-9"), (grandma, "1-9"), (corner, "1-9")):
        expect(page.locator("#verdict .said")).to_contain_text(words)
    expect(ana.get_by_role("button", name="Call a card")).to_have_count(0)
    assert house.host.match is not None
    called = house.host.match.record.lines[-1].entry.event
    assert (called.move.card, called.move.holder) == ("1-9", 2)
    for page in (ana, grandma, corner):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@everywhere
def test_in_memory_somebody_says_stop_and_only_then_anything_is_told(
    size: str, scheme: str, house: House, visit: Visit
):
    house.play("T3-call.jsonl")
    ana = visit(f"{house.address}/join/{house.code(1)}", size=size, scheme=scheme)
    cleo = visit(f"{house.address}/join/{house.code(3)}", size=size, scheme=scheme)
    corner = visit(f"{house.address}/tv", size="television", scheme=scheme)
    house.say(do="place", by=1, card="2-9", **{"from": "hand"})  # it needs what is not there
    for page in (ana, cleo, corner):
        expect(page.get_by_text("Read aloud")).to_have_count(0)
        expect(page.locator("[data-top]")).to_contain_text("2-9")
        expect(page.locator("#verdict")).to_have_attribute("data-kind", "cards")
        expect(page.locator("[data-points]")).to_have_count(0)
    expect(ana.get_by_role("button", name="Stop!")).to_have_count(0)
    stop = cleo.get_by_role("button", name="Stop! ")
    box = stop.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert box["height"] >= 100
    stop.click()
    expect(ana.get_by_role("button", name="Concede")).to_be_visible()
    expect(cleo.get_by_role("button", name="Concede")).to_have_count(0)
    ana.get_by_role("button", name="Verify").click()
    for page in (ana, cleo, corner):
        expect(page.locator("#verdict .said")).not_to_be_empty()
        expect(page.locator("[data-top]")).not_to_contain_text("2-9")
    assert house.host.match is not None
    told = [line.entry.event.move.do for line in house.host.match.record.lines]
    assert told == ["place", "stop", "verify"]


@everywhere
def test_a_phone_that_slept_and_pages_open_over_a_restart_catch_up_with_the_log(
    size: str, scheme: str, house: House, visit: Visit
):
    house.play("K9-call.jsonl")
    ana = visit(f"{house.address}/join/{house.code(1)}", size=size, scheme=scheme, expected=("ERR_",))
    way = Cable(house.port)
    watcher = visit(f"http://127.0.0.1:{way.port}", size=size, scheme=scheme, expected=("ERR_",))
    for page in (ana, watcher):
        expect(page.locator("html")).to_have_attribute("data-link", "live")
    way.loosen()  # being offline keeps an open stream open
    watcher.context.set_offline(True)
    earned = house.say(do="place", by=1, card="2-1", **{"from": "hand"})["points"]
    expect(points(ana, 1)).to_have_text(str(earned))
    expect(points(watcher, 1)).not_to_have_text(str(earned))
    way.plug_in()
    watcher.context.set_offline(False)
    watcher.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(points(watcher, 1)).to_have_text(str(earned))
    house.stop()
    for page in (ana, watcher):
        expect(page.locator("#away")).to_be_visible()
    house.start()
    for page in (ana, watcher):
        expect(page.locator("#away")).to_be_hidden()
    house.say(do="call", by=1, card="1-9", holder=2)
    for page in (ana, watcher):
        expect(page.locator("#verdict .said")).to_contain_text("1-9")
        expect(points(page, 1)).to_have_text(str(earned))
    way.close()
