"""The hub's bench: many tables replay an evening's traffic to a real broker, one hub hears them, and a room looks on.

Tables, hub, spectators and broker are processes of their own on this computer; nothing goes anywhere else, and all of
it ends by itself. The traffic is that of a table with four seats, the same bytes at the same times:
``hub_traffic.json`` was recorded at a broker beside a simulated table at game speed.
"""

from __future__ import annotations

import http.client
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import threading
import time
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import CompanionError
from companion.public.text import JSON

FEW, MANY = 50, 500
SPECTATORS = 100
LOOKS_EVERY_S = 5.0
"""As the wall page asks for itself."""
LASTS_S, LASTS_LONG_S = 60.0, 600.0
TABLES_A_PROCESS = 125
"""Each has three files open: below the 1,024 that a process usually may have."""
LIMIT_S, LIMIT_RATIO = 1.0, 1.3
PATIENCE_S = 120.0
SETTLE_S = 5.0
PARTS = 10
"""The hub's memory is looked at so often, at equal distances."""
CHECKOUT = Path(__file__).parents[2]
TRAFFIC = Path(__file__).with_name("hub_traffic.json")
RETAINED = ("available", "match", "needs", "standing")


def hub(long: bool) -> Iterator[str]:
    """Few and many tables with Mosquitto, and many with NATS where it is installed."""
    brokers = {name: tool for name in ("mosquitto", "nats-server") if (tool := _tool(name))}
    if "mosquitto" not in brokers:
        yield "hub: not measured, for Mosquitto is not installed: apt-get install mosquitto"
        return
    lasts_s = LASTS_LONG_S if long else LASTS_S
    few = measure("mosquitto", brokers["mosquitto"], FEW, SPECTATORS, lasts_s)
    many = measure("mosquitto", brokers["mosquitto"], MANY, SPECTATORS, lasts_s)
    ratio = (many.hub_cpu / MANY) / (few.hub_cpu / FEW)
    yield f"hub: {few}"
    yield f"hub: {many}"
    yield f"hub: the hub's cost of a table at {MANY} against {FEW} tables: {ratio:.2f} times (at most {LIMIT_RATIO})"
    if "nats-server" in brokers:
        yield f"hub: {measure('nats-server', brokers['nats-server'], MANY, SPECTATORS, lasts_s)}"


@dataclass(frozen=True, slots=True)
class RoomFigures:
    """What was measured.

    Attributes:
        behind_s: From a table's publishing to the hub's knowing, each message, sorted.
        hub_cpu, broker_cpu: Shares of one processor.
        hub_mb: The hub's memory in use after each tenth of the time; the last is that at the end.
        times_mb: How much of that the bench itself fills, with the times that it writes down.
        looks_s: How long the wall page took, sorted.
    """

    broker: str
    tables: int
    spectators: int
    lasts_s: float
    sent: int
    sent_bytes: int
    lost: int
    behind_s: tuple[float, ...]
    hub_cpu: float
    broker_cpu: float
    hub_mb: tuple[float, ...]
    times_mb: float
    looks_s: tuple[float, ...]

    def __str__(self) -> str:
        lost = "none lost" if not self.lost else f"{self.lost} LOST"
        kilobytes = self.sent_bytes / self.lasts_s / 1000
        after, second_half = " ".join(f"{mb:.1f}" for mb in self.hub_mb), self.hub_mb[-1] - self.hub_mb[PARTS // 2 - 1]
        wall = f"the wall in {_at(self.looks_s, 0.99) * 1000:.0f} ms (p99 of {len(self.looks_s)} looks)"
        return (
            f"{self.tables} tables of 4 seats at game speed for {self.lasts_s:.0f} s, {self.broker}, {self.spectators} "
            f"spectators: {self.sent / self.lasts_s:.0f} messages a second that the hub hears, {kilobytes:.0f} kB in "
            f"all, {lost}; the hub is behind by {_at(self.behind_s, 0.5) * 1000:.0f} ms, p99 "
            f"{_at(self.behind_s, 0.99) * 1000:.0f} ms (at most {LIMIT_S * 1000:.0f}), with {100 * self.hub_cpu:.0f} "
            f"% of a processor and {self.hub_mb[-1]:.0f} MB, {second_half:+.1f} MB in the second half (after each "
            f"tenth {after}; {self.times_mb:.1f} MB of it are this bench's own notes); the broker with "
            f"{100 * self.broker_cpu:.1f} %; {wall}"
        )


def measure(broker: str, tool: str, tables: int, spectators: int, lasts_s: float) -> RoomFigures:
    """So many tables at this broker, for so long.

    Raises:
        CompanionError: Something that was started does not answer.
    """
    with TemporaryDirectory() as folder, ExitStack() as stack:
        port, pid = stack.enter_context(_broker(broker, tool, Path(folder)))
        hub_port = _free_port()
        listening = stack.enter_context(_child("serve_hub", port, hub_port, folder))
        _expect(listening, "ready")
        players = []
        for first in range(0, tables, TABLES_A_PROCESS):
            count = min(TABLES_A_PROCESS, tables - first)
            players.append(stack.enter_context(_child("play_tables", port, first, count, lasts_s)))
        for player in players:
            _expect(player, "ready")
        viewers = stack.enter_context(_child("look_on", hub_port, spectators, lasts_s))
        _expect(viewers, "ready")
        began, broker_began = _ask(listening, "mark"), _cpu_s(pid)
        for child in (*players, viewers):
            _say(child, "go")
        began_s, marks = time.monotonic(), []
        for part in range(1, PARTS):
            time.sleep(max(0.0, began_s + lasts_s * part / PARTS - time.monotonic()))
            marks.append(_ask(listening, "mark"))
        sent: dict[str, list[float]] = {}
        sent_bytes = 0
        for player in players:
            counted = json.loads(_line(player))
            sent |= counted["sent"]
            sent_bytes += counted["bytes"]
        ended, broker_ended = _ask(listening, "mark"), _cpu_s(pid)
        looks = json.loads(_line(viewers))
        time.sleep(SETTLE_S)
        heard = _ask(listening, "times")
    behind = [came - went for key, times in sent.items() for went, came in zip(times, heard.get(key, ()), strict=False)]
    count = sum(map(len, sent.values()))
    wall_s = ended["at"] - began["at"]
    return RoomFigures(
        broker, tables, spectators, lasts_s, count, sent_bytes, count - len(behind), tuple(sorted(behind)),
        (ended["cpu_s"] - began["cpu_s"]) / wall_s, (broker_ended - broker_began) / wall_s,
        tuple(mark["mb"] for mark in (*marks, ended)), ended["times_mb"], tuple(sorted(looks)),
    )  # fmt: skip


# -- processes --------------------------------------------------------------------------------------


def serve_hub(arguments: Sequence[str]) -> None:
    """A hub as ``companion hub`` runs it, which notes when it knew what; answers ``mark`` and ``times``."""
    from companion.games import registry
    from companion.hub.live_tables import TOPICS, Room
    from companion.hub.store import TournamentStore, sqlite_address
    from companion.public.i18n import Translations
    from web.hub.app import create_hub, serve
    from web.hub.listener import TableListener
    from web.language import LOCALE_FOLDERS

    port, hub_port, folder = int(arguments[0]), int(arguments[1]), Path(arguments[2])
    room = Room()
    times: dict[str, array[float]] = defaultdict(lambda: array("d"))

    def hear(topic: str, what: str, payload: bytes) -> None:
        room.hear(topic, what, payload)
        times[f"{topic}/{what}"].append(time.monotonic())

    listener = TableListener(hear, TOPICS, "127.0.0.1", port)
    app = create_hub(room, TournamentStore(sqlite_address(folder)), Translations(
        (*registry.locale_folders(), *LOCALE_FOLDERS)))  # fmt: skip
    threading.Thread(target=serve, args=(app, hub_port), daemon=True).start()
    _wait_for(hub_port)
    while not listener.online:
        time.sleep(0.05)
    _answer("ready")
    for line in sys.stdin:
        if line.strip() == "times":
            _answer(json.dumps({key: list(came) for key, came in times.items()}))
        else:
            used = resource.getrusage(resource.RUSAGE_SELF)
            mark = {"at": time.monotonic(), "cpu_s": used.ru_utime + used.ru_stime, "mb": _memory_mb()}
            _answer(json.dumps({**mark, "times_mb": sum(map(sys.getsizeof, times.values())) / 1e6}))
    os._exit(0)  # the server's threads wait for nothing


def play_tables(arguments: Sequence[str]) -> None:
    """Some tables that replay the traffic, each begun at another moment of it."""
    from tests.bench.replayed_tables import ReplayedTables

    port, first, count, lasts_s = int(arguments[0]), int(arguments[1]), int(arguments[2]), float(arguments[3])
    traffic = json.loads(TRAFFIC.read_text("utf-8"))
    with ReplayedTables(port, first, count, traffic, RETAINED, PATIENCE_S) as tables:
        _answer("ready")
        sys.stdin.readline()
        sent, size = tables.play(lasts_s)
        _answer(json.dumps({"sent": sent, "bytes": size}))
        sys.stdin.readline()


def look_on(arguments: Sequence[str]) -> None:
    """Spectators whose browsers ask for the wall page every five seconds."""
    port, spectators, lasts_s = int(arguments[0]), int(arguments[1]), float(arguments[2])
    looks: list[float] = []

    def watch(number: int, end: float) -> None:
        time.sleep(LOOKS_EVERY_S * number / spectators)
        while time.monotonic() < end:
            began = time.monotonic()
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            line.request("GET", "/wall")
            answer = line.getresponse()
            answer.read()
            line.close()
            if answer.status == 200:
                looks.append(time.monotonic() - began)
            time.sleep(max(0.0, LOOKS_EVERY_S - (time.monotonic() - began)))

    _answer("ready")
    sys.stdin.readline()
    end = time.monotonic() + lasts_s
    threads = [threading.Thread(target=watch, args=(number, end)) for number in range(spectators)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _answer(json.dumps(looks))


@contextmanager
def _broker(name: str, tool: str, folder: Path) -> Iterator[tuple[int, int]]:
    """A broker of the bench's own on loopback: its port and process."""
    port, settings = _free_port(), folder / f"{name}.conf"
    if name == "mosquitto":
        settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    else:
        store = json.dumps(str(folder / "nats"))
        settings.write_text(
            f"server_name: bench\nlisten: 127.0.0.1:{_free_port()}\njetstream {{ store_dir: {store} }}\n"
            f"mqtt {{ listen: 127.0.0.1:{port} }}\n"
        )
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([tool, "-c", str(settings)], stdout=quiet, stderr=quiet)
    try:
        _wait_for(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


@contextmanager
def _child(function: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    begin = f"import sys; from {__name__} import {function}; {function}(sys.argv[1:])"
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", begin, *map(str, arguments)], cwd=CHECKOUT, stdin=pipe, stdout=pipe, text=True
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    if not (line := process.stdout.readline().strip()):
        raise CompanionError("a part of the hub's bench has ended early; its own words stand above")
    return line


def _expect(process: subprocess.Popen[str], line: str) -> None:
    if (answer := _line(process)) != line:
        raise CompanionError(f"a part of the hub's bench said {answer!r} instead of {line!r}")


def _ask(process: subprocess.Popen[str], line: str) -> Mapping[str, JSON]:
    _say(process, line)
    values: Mapping[str, JSON] = json.loads(_line(process))
    return values


def _tool(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise CompanionError(f"nothing answers on port {port} of this computer")


def _cpu_s(pid: int) -> float:
    """What a process has used of a processor until now."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb() -> float:
    """What this process has in memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _at(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")
