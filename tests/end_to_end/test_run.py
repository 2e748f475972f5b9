"""`companion run` as people meet it: a program that is started, watched, killed and started again."""

from __future__ import annotations

import json
import re
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.long_cases import rest_long
from support.ports import free_port
from support.table_program import TableProgram, until

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
    assert table.end(signal.SIGINT) == 130, "contract, section 2: Ctrl-C"
    assert time.monotonic() - began_s < STOP_S
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
def test_a_film_can_be_shown_at_once(run: Callable[..., TableProgram]) -> None:
    """`--speed 0`: as fast as it can be drawn and looked at."""
    table = run("--speed", "0")
    until(lambda: table.standing()["number"] >= 6, "half a dozen entries")
    assert table.end() == 0


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
