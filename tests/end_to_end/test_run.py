"""`companion run` as people meet it: a program that is started, watched, killed and started again."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from support.long_cases import rest_long
from support.ports import free_port
from support.table_program import TableProgram, until

from companion.errors import LogError
from companion.games import registry
from companion.history.events import Entry
from companion.public.i18n import Translations
from companion.public.table import Observation, Placement, TableState as SeenTable, Token, Zone
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import LOG_FILE, EventLog
from hardware.panel import Panel
from hardware.wiring import Wiring
from web.app import create_app
from web.language import LOCALE_FOLDER
from web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
STOP_S = float(
    re.findall(r"^TimeoutStopSec=(\d+)$", (ROOT / "systemd" / "companion.service").read_text("utf-8"), re.M)[0]
)
"""After so long the service manager kills it."""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., TableProgram]]:
    tables: list[TableProgram] = []

    def start(*words: str, port: int | None = None, data: str = "data") -> TableProgram:
        tables.append(TableProgram(tmp_path / data, port or free_port(), *words))
        return tables[-1]

    yield start
    for table in tables:
        if table.program.poll() is None:
            table.program.kill()
        table.program.wait(20)


def test_a_newcomer_is_shown_a_match_and_ctrl_c_ends_it(run: Callable[..., TableProgram]) -> None:
    """Contract section 1: "prints the address, a join QR code and the host code, and plays a match that a newcomer can
    watch"."""
    table = run("--speed", "4")
    told = table.entries(4)
    assert [entry["number"] for entry in told] == list(range(told[0]["number"], told[0]["number"] + 4))
    assert re.search(r"Scoreboard: http://[\d.]+:\d+ ", table.said)
    assert "█" in table.said
    assert re.search(r"host code \w{3} \w{3} ", table.said)
    assert "SIMULATED" in table.said
    assert "SIMULATED" in table.get("/")[1].upper()
    began_s = time.monotonic()
    assert table.end(signal.SIGINT) == 0
    assert time.monotonic() - began_s < STOP_S
    assert "Traceback" not in table.said


def test_the_service_manager_ends_it_in_time_and_the_eye_with_it(run: Callable[..., TableProgram]) -> None:
    table = run("--speed", "4")
    until(lambda: table.standing()["number"], "the deal")
    eye = table.eye()
    assert eye
    began_s = time.monotonic()
    assert table.end() == 0
    assert time.monotonic() - began_s < STOP_S
    until(lambda: not Path(f"/proc/{eye}").exists(), "the eye to close")
    assert "Traceback" not in table.said


def test_killed_in_the_middle_it_goes_on_with_every_acknowledged_entry(run: Callable[..., TableProgram]) -> None:
    """ "Killed with SIGKILL in the middle of a match and started again, it goes on with every acknowledged entry"."""
    table = run("--speed", "3", "--seed", "4")
    seen = table.entries(6)
    assert table.end(signal.SIGKILL) == -signal.SIGKILL
    kept = table.export()
    assert [line["number"] for line in kept] == list(range(1, len(kept) + 1))
    by_number = {line["number"]: line for line in kept}
    assert all(by_number[entry["number"]] == entry for entry in seen)

    again = run("--speed", "3", "--seed", "4")
    until(lambda: again.standing()["number"] >= len(kept), "the match to be there again")
    more = again.entries(5, after=len(kept))
    assert [entry["number"] for entry in more] == list(range(len(kept) + 1, len(kept) + 6))
    assert again.end() == 0
    record = again.export()
    assert record[: len(kept)] == kept
    assert [line["number"] for line in record] == list(range(1, len(record) + 1))
    assert not [line for line in record if line["event"] in ("question", "unexplained")]
    for do in ("place", "refill"):
        laid = [line["move"]["card"] for line in counted(record) if line["move"]["do"] == do]
        assert len(laid) == len(set(laid)), "an act was doubled"
    assert max(line["time_s"] for line in kept) <= record[len(kept)]["time_s"]


def counted(record: list[dict[str, Any]]) -> list[dict[str, Any]]:
    struck = {line["strikes"] for line in record if line["event"] == "struck"}
    return [line for line in record if line["event"] == "played" and line["number"] not in struck]


@pytest.mark.long
def test_two_on_one_port_are_one_too_many(run: Callable[..., TableProgram], tmp_path: Path) -> None:
    table = run()
    words = [sys.executable, "-m", "companion", "run", "--port", str(table.port), "--data", str(tmp_path / "other")]
    second = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 2
    assert len(second.stderr.splitlines()) == 1
    assert str(table.port) in second.stderr
    assert table.serves()


@pytest.mark.long
def test_a_second_companion_on_one_computer_leaves_the_first_alone(run: Callable[..., TableProgram]) -> None:
    """A browser sends its cookies to every port of a computer; the host of both tables stays the host of both."""
    tables = {"Kitchen": run("--speed", "4"), "Back room": run("--speed", "4", data="other")}
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def asks(table: TableProgram, path: str, body: Any = None) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{table.address}{path}", sent, {"Content-Type": "application/json"})
        with browser.open(request, timeout=60) as answer:
            text = answer.read().decode()
            return json.loads(text) if path.startswith("/api/") else text

    for name, table in tables.items():
        until(lambda table=table: "host code" in table.said, "the host's code")
        code = "".join(re.findall(r"host code (\w{3}) (\w{3}) ", table.said)[0])
        assert asks(table, "/api/v1/join", {"code": code})["role"] == "host"
        assert asks(table, "/api/v1/box", {"do": "name", "name": name})["name"] == name
    for name, table in tables.items():
        (other,) = tables.keys() - {name}
        assert asks(table, "/api/v1/box")["name"] == name
        page = asks(table, "/tv")
        assert (name in page, other in page) == (True, False)
        assert len(table.entries(2)) == 2
    ids = {
        re.findall(r'^id = "(\w{8})"$', (table.data / "box.toml").read_text("utf-8"), re.M)[0]
        for table in tables.values()
    }
    assert len(ids) == 2
    assert tables["Kitchen"].end() == 0
    assert asks(tables["Back room"], "/api/v1/box")["name"] == "Back room"
    assert len(tables["Back room"].entries(1)) == 1


@pytest.mark.long
def test_an_eye_that_is_killed_is_opened_again_and_the_match_goes_on(run: Callable[..., TableProgram]) -> None:
    table = run("--speed", "2")
    last = table.entries(2)[-1]["number"]
    eye = table.eye()
    assert eye
    os.kill(eye, signal.SIGKILL)
    until(lambda: "the eye is opened again" in table.said, "the restart to be said", 10)
    until(lambda: table.eye() not in (None, eye), "another eye", 10)
    more = table.entries(2, after=last)
    assert [entry["number"] for entry in more] == [last + 1, last + 2]
    assert not [entry for entry in more if entry["event"] in ("question", "unexplained")]
    assert table.end() == 0


@pytest.mark.long
def test_a_film_can_be_shown_at_once(run: Callable[..., TableProgram]) -> None:
    """`--speed 0`: as fast as it can be drawn and looked at."""
    table = run("--speed", "0")
    until(lambda: table.standing()["number"] >= 6, "half a dozen entries")
    assert table.end() == 0


class FullLog(EventLog):
    """A log whose disk fills up, and is emptied again."""

    full = False

    def append(self, match: str, entries: Sequence[Entry]) -> None:
        if self.full:
            raise LogError("the disk is full")
        super().append(match, entries)


def test_a_card_that_could_not_be_written_down_is_shown_nowhere(tmp_path: Path) -> None:
    """ "when a commit is made to fail nobody is told anything (traces of SSE, lamp and log are empty) and the referee
    says so and tries again"."""
    pins = MockFactory(pin_class=MockPWMPin)
    match = {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    with ExitStack() as open_things:
        paper = open_things.enter_context(closing(FullLog(tmp_path / LOG_FILE)))
        host = MatchRunner(paper, lambda header: registry.open_match(**header).game, wall_clock=lambda: "2026-01-02")
        desk = TableService(host, source="simulated", version="1", picture=lambda: None, complete=dict)
        server = open_things.enter_context(
            Server(create_app(desk, Translations((*registry.locale_folders(), LOCALE_FOLDER))), 0, "127.0.0.1")
        )
        host.subscribe(open_things.enter_context(closing(Panel(Wiring(lamp=(17, 27, 22), buzzer=None), pins))))
        referee = threading.Thread(target=host.run)
        referee.start()
        open_things.callback(referee.join, 5)
        open_things.callback(host.stop)
        host.ask(lambda: host.begin({"match": match, "deck": registry.demo_deck()}))
        line = open_things.enter_context(closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)))
        line.request("GET", "/api/v1/events")
        told: list[dict[str, Any]] = []
        threading.Thread(target=listen, args=(line.getresponse(), told), daemon=True).start()

        needs = {card["id"]: card["prerequisites"] for card in registry.demo_deck()["card"]}
        free = next(card for card in needs if not needs[card])
        pool = {f"C{card.replace('-', '')}": "pool" for card in [card for card in needs if card != free][:5]}
        look(host, pool)
        until(lambda: len(told) == 1, "the deal")
        time.sleep(1.0)  # the lamp has said it
        green = pins.pin(27)
        green.clear_states()
        paper.full = True
        look(host, pool | {f"C{free.replace('-', '')}": "tree"})
        until(lambda: len(told) == 2, "the trouble")
        time.sleep(0.5)
        assert [(news["signal"], news.get("entry")) for news in told[1:]] == [("trouble", None)]
        assert told[1]["alert"] == "trouble"
        assert not any(state.state for state in list(green.states)[1:]), "green says that a card counts"
        assert host.stored is not None
        assert len(paper.entries(host.stored.id)) == 1

        paper.full = False
        until(lambda: len(told) == 3, "another try")
        assert (told[2]["entry"]["number"], told[2]["entry"]["move"]["card"]) == (2, free)
        until(lambda: any(state.state for state in list(green.states)), "green")
        assert len(paper.entries(host.stored.id)) == 2


def look(host: MatchRunner, lying: dict[str, str]) -> None:
    placements = frozenset(Placement(Token(token), Zone(zone)) for token, zone in lying.items())
    host.post(Observation(1, time.monotonic(), SeenTable(placements)))


def listen(answer: http.client.HTTPResponse, told: list[dict[str, Any]]) -> None:
    """Keep what the events tell but for snapshots."""
    kind = ""
    with suppress(OSError, ValueError, AttributeError):  # the connection is closed under it
        while text := answer.readline().decode():
            if text.startswith("event: "):
                kind = text.strip()
            elif text.startswith("data: ") and kind != "event: snapshot":
                told.append(json.loads(text.removeprefix("data: ")))
            elif text == "\n":
                kind = ""


@pytest.mark.browser
@pytest.mark.parametrize(("page", "width", "height"), rest_long([("/", 390, 844), ("/tv", 1920, 1080)]))
def test_the_points_move_and_a_refusal_is_named_with_its_reason(
    run: Callable[..., TableProgram], chromium: Browser, page: str, width: int, height: int
) -> None:
    """ "in headless Chromium the points move and an illegal placement is named with its reason"."""
    table = run("--speed", "4", "--seed", "3")
    shown = chromium.new_page(viewport={"width": width, "height": height}, locale="en-GB")
    shown.goto(table.address + page)
    assert "simulated" in shown.inner_text("body").lower()
    texts: list[str] = []
    wanted: dict[str, bool] = {"points": False, "refusal": False}

    def looked() -> bool:
        texts.append(shown.inner_text("body"))
        wanted["refusal"] |= bool(re.search(r"still needs|does not link|isn.t linked|not linked", texts[-1]))
        wanted["points"] |= sum(table.standing()["standing"]["points"]) > 0
        return all(wanted.values())

    until(looked, f"points and a refusal on {page}", 100)
    points = table.standing()["standing"]["points"]
    assert any(str(value) in texts[-1] for value in points if value)
    wide = shown.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, "nothing runs out of the screen"
    shown.close()
