"""A whole table, as ``companion run`` makes it, over a camera that can be told to fail; also as a program."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin
from support.faulty_camera import FaultyCamera, StillCamera
from support.ports import free_port

import companion.app.table
import hardware.pins
import vision.process.supervisor
from companion.app.table import RunningTable, TableOptions
from companion.games.registry import demo_deck
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.join_codes import host_codes
from vision.process.supervisor import VisionProcess as RealEye

MATCH = """
game = "discovery"
profile = "fr-explore"
[[seat]]
name = "Ana"
[[seat]]
name = "Ben"
[position]
turn = 1
tree = ["1-1"]
pool = ["6-1", "6-2", "6-3", "6-4", "6-5"]
discards = [[], []]
hands = [5, 5]
stack = 38
points = [0, 0]
[table]
size_mm = [1100, 600]
zone = [
  {name = "tree", polygon = [[160, 20], [800, 20], [800, 580], [160, 580]]},
  {name = "pool", polygon = [[820, 20], [1080, 20], [1080, 580], [820, 580]]},
  {name = "commands", polygon = [[10, 450], [150, 450], [150, 580], [10, 580]]},
  {name = "discard-1", polygon = [[10, 20], [150, 20], [150, 220], [10, 220]]},
  {name = "discard-2", polygon = [[10, 230], [150, 230], [150, 440], [10, 440]]},
]
"""
LAID = [["C11", 230, 120]]
POOL = [[f"C6{n}", 890 + 100 * (n % 2), 90 + 90 * n] for n in range(1, 6)]


def _in_order() -> Iterator[str]:
    needs = {card["id"]: set(card["prerequisites"]) for card in demo_deck()["card"] if card["id"][0] < "6"}
    lying = {"1-1"}
    while len(lying) < len(needs):
        card = next(card for card, wanted in needs.items() if card not in lying and wanted <= lying)
        lying.add(card)
        yield card


LAWFUL = tuple(_in_order())
"""Cards of the built-in deck in an order in which no prerequisite is missing."""

HERE = Path(__file__).parent
STILL = "still.json"
PATIENCE_S = 90.0
"""Machines that run tests may be very busy."""


class DrawnTable:
    """What lies on the table, and how the camera is; written down for the eye's process."""

    def __init__(self, folder: Path) -> None:
        self.told = folder / "camera.json"
        self.cards = [*LAID, *POOL]
        self.laid = 0
        self.state = "well"
        self.write()

    def write(self) -> None:
        new = self.told.with_suffix(".new")
        new.write_text(json.dumps({"state": self.state, "cards": self.cards}))
        new.replace(self.told)

    def camera(self, state: str) -> None:
        self.state = state
        self.write()

    def lay(self) -> str:
        """Lay the next lawful card into the tree; which one."""
        card = LAWFUL[self.laid]
        self.laid += 1
        column, row = self.laid % 7, self.laid // 7
        self.cards.append([f"C{card[0]}{card[2]}", 230 + 85 * column, 120 + 110 * row])
        self.write()
        return card


class Phone:
    """A phone that looks at the scoreboard: it keeps its stream open and remembers what it was told."""

    def __init__(self, port: int, code: str | None = None, after: int | None = 0) -> None:
        self.port = port
        self.code = code
        self.told: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        headers = {"Accept-Language": "en"} | ({} if after is None else {"Last-Event-ID": str(after)})
        self._connection.request("GET", "/api/v1/events", headers=headers)
        self._socket = self._connection.sock
        self._stream = self._connection.getresponse()
        assert self._stream.status == 200
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            for line in self._stream:
                if line.startswith(b"data: ") and line != b"data: {}\n":  # that one only says that the table is there
                    with self._news:
                        self.told.append(json.loads(line[6:]))
                        self._news.notify_all()
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            return  # the table has closed, or the phone was put away

    def until(self, wanted: Callable[[dict[str, Any]], object], since: int = 0, timeout_s: float = PATIENCE_S) -> int:
        """The place of the first such news."""

        def found() -> int | None:
            return next((n for n, told in enumerate(self.told) if n >= since and wanted(told)), None)

        with self._news:
            there = self._news.wait_for(lambda: found() is not None, timeout_s)
            assert there, [(told["signal"], told["texts"], told["entry"]) for told in self.told[-6:]]
            number = found()
            assert number is not None
            return number

    def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        """One request: its status, and the answer as JSON (a page as text)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"Content-Type": "application/json", "Accept-Language": "en"}
        if self.code is not None:
            headers["Authorization"] = f"Bearer {self.code}"
        said = None if body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", path, said, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if "json" in answer.headers.get_content_type() else text

    def health(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Signs of life, once they are as wanted."""
        until_s = time.monotonic() + PATIENCE_S
        while True:
            health = self.ask("/api/v1/health")[1]
            if wanted(health):
                return dict(health)
            assert time.monotonic() < until_s, health
            time.sleep(0.2)

    def shown(self) -> dict[str, Any]:
        """What somebody sees who opens the scoreboard now."""
        return dict(self.ask("/api/v1/standing")[1])

    def close(self) -> None:
        with suppress(OSError):  # the table may have gone first
            self._socket.shutdown(socket.SHUT_RDWR)  # else closing waits for the next heartbeat, up to 15 s
        self._stream.close()
        self._connection.close()


class Running:
    """A table at work in this program, with one phone that watches and may speak for the host."""

    def __init__(
        self, folder: Path, drawn: DrawnTable | None = None, *, settings: str = "", apart: bool = True
    ) -> None:
        """Begin a match, or go on with the one whose table was drawn before."""
        self.data = folder / "data"
        self.data.mkdir(exist_ok=True)
        if settings:
            (self.data / "settings.toml").write_text(settings)
        (folder / "match.toml").write_text(MATCH)
        self.drawn = drawn or DrawnTable(folder)
        self.pins = mock_pins()
        self.stack = ExitStack()
        self.port = free_port()
        match = None if drawn else folder / "match.toml"
        options = TableOptions(self.data, "usb:0", match, port=self.port)
        self.table = table(self.drawn.told, options, self.stack, self.pins, apart=apart)
        self.table.open()
        self.thread = threading.Thread(target=self.table.runner.run, daemon=True)
        self.thread.start()
        self.phone = Phone(self.port, host_codes(self.table.runner.log)[0])
        self.phone.health(lambda health: health["camera"] == "ok")

    def close(self) -> None:
        self.phone.close()
        self.table.runner.stop()
        self.thread.join(PATIENCE_S)
        self.stack.close()

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The log as it is on the disk, read by somebody else."""
        return entries(self.data)

    def play(self, since: int = 0) -> int:
        """Lay a card and end the turn; the place of its verdict in what the phone was told."""
        card = self.drawn.lay()
        return self.confirm(card, since)

    def confirm(self, card: str, since: int = 0) -> int:
        heard = self.phone.until(lambda told: is_played(told, card), since)
        entry = self.phone.told[heard]["entry"]
        move = {"do": "end_turn", "by": entry["move"]["by"]}
        status, answer = self.phone.ask("/api/v1/moves", {"move": move})
        assert (status, answer["event"]) == (200, "played"), answer
        self.check_log()
        return heard

    def check_log(self) -> None:
        """Nothing is lost, nothing is there twice, and everything that the phone was told is on the disk."""
        entries = self.entries
        self.phone.until(lambda told: told["number"] == len(entries))
        assert [entry["number"] for entry in told_entries(self.phone)] == list(range(1, len(entries) + 1))
        assert [e["move"] for e in told_entries(self.phone)] == [e["move"] for e in entries]
        laid = [entry["move"]["card"] for entry in entries if entry["move"]["do"] == "place"]
        assert laid == list(LAWFUL[: self.drawn.laid])
        assert {entry["event"] for entry in entries} == {"played"}


def table(
    told: Path, options: TableOptions, stack: ExitStack, pins: MockFactory, *, apart: bool = True
) -> RunningTable:
    """The wired house, its camera replaced by one that obeys a file, its pins by mock pins.

    Args:
        apart: The eye is a process of its own, as in life; a thread is there sooner.
    """

    class Eye(RealEye):
        def __init__(self, source: Any, *more: Any, **options: Any) -> None:
            assert source is not None
            camera = StillCamera if told.name == STILL else FaultyCamera
            super().__init__(partial(camera, told), *more, process=apart, **options)

    for module, name, stand_in in (
        (vision.process.supervisor, "VisionProcess", Eye),
        (hardware.pins, "pin_factory", lambda: pins),
        (companion.app.table, "check_source", lambda _: None),
    ):
        stack.callback(setattr, module, name, getattr(module, name))
        setattr(module, name, stand_in)
    return RunningTable(options, stack)


def entries(data: Path) -> list[dict[str, Any]]:
    paper = EventLog(data / LOG_FILE)
    try:
        return [dict(entry) for entry in paper.entries(paper.matches()[0].id)]
    finally:
        paper.close()


def told_entries(phone: Phone) -> list[dict[str, Any]]:
    """The entries that a phone has heard of, in order; what a snapshot shows again is not told again."""
    seen: dict[int, dict[str, Any]] = {}
    for told in phone.told:
        if told["entry"] is not None:
            seen.setdefault(told["entry"]["number"], told["entry"])
    return list(seen.values())


def is_played(told: dict[str, Any], card: str) -> bool:
    entry = told["entry"]
    return entry is not None and entry["event"] == "played" and entry["move"].get("card") == card


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def mock_pins() -> MockFactory:
    """Pins of its own; gpiozero's mock pins are otherwise those of one machine."""
    pins = MockFactory(pin_class=MockPWMPin)
    pins._reservations = defaultdict(list)  # noqa: SLF001  # gpiozero keeps it for the whole process
    return pins


def start(folder: Path, port: int, *first: str) -> subprocess.Popen[bytes]:
    """A table that is a program of its own, ready when its scoreboard answers."""
    command = [sys.executable, str(HERE / "faulty_table.py"), str(folder), str(port), *first]
    paths = os.pathsep.join([str(HERE.parents[1]), str(HERE.parent)])
    program = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.DEVNULL)
    until_s = time.monotonic() + PATIENCE_S
    while not answers(port):
        assert program.poll() is None
        assert time.monotonic() < until_s
        time.sleep(0.1)
    return program


def children(pid: int) -> list[int]:
    """The programs that a program has started."""
    said = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for child in " ".join(said).split()]


def main() -> None:
    """``fault_table.py FOLDER PORT [first]``: a table of its own that somebody may kill."""
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    told = folder / STILL if (folder / STILL).exists() else folder / "camera.json"
    with ExitStack() as stack:
        match = folder / "match.toml" if sys.argv[3:] else None
        wired = table(told, TableOptions(folder / "data", "usb:0", match, port=port), stack, mock_pins())
        signal.signal(signal.SIGTERM, lambda *_: wired.runner.stop())
        wired.open()
        wired.runner.run()
    os._exit(0)


if __name__ == "__main__":
    main()
