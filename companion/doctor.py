"""The doctor: what is well with this box, what is not, and the one thing to do about it.

Each check is a small function that answers with findings; what it must ask of the computer is handed in, so
that every answer can be tried without the computer being ill.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path

from companion.errors import CompanionError
from companion.game import JSON

Ask = Callable[..., "str | None"]
"""Runs a command; what it said, or ``None`` where there is no such command or it failed."""

Read = Callable[[Path], "str | None"]
"""Reads a small file of the system; ``None`` where it is not there."""

STALE_S = 5.0
MB = 1_000_000
SCARCE_MB, SHORT_MB = 100, 1000
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
BLOCKS = Path("/sys/block")
EXT4 = Path("/sys/fs/ext4")
NETS = Path("/sys/class/net")


class Level(Enum):
    """How bad it is; only ``TROUBLE`` keeps an evening from going well."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what was found and, where something is to be done, the one thing to do."""

    name: str
    level: Level
    what: str
    to_do: str = ""


Check = Callable[[], Iterable[Finding]]


def examine(checks: Iterable[tuple[str, Check]]) -> Iterator[Finding]:
    """All findings, in the order of the checks. A check that cannot look says so and stops no other."""
    for name, check in checks:
        try:
            yield from check()
        except (CompanionError, OSError) as error:
            yield Finding(name, Level.TROUBLE, f"could not be checked: {error}", "see what it says")


def report(findings: Iterable[Finding], say: Callable[[str], object], *, as_json: bool = False) -> int:
    """Says one line for each finding, as soon as it is there.

    Returns:
        The exit status: 1 where anything is in trouble, else 0.
    """
    status = 0
    for finding in findings:
        say(line(finding, as_json=as_json))
        status |= finding.level is Level.TROUBLE
    return status


def line(finding: Finding, *, as_json: bool = False) -> str:
    """A finding for people, or as one line of JSON with the keys ``name``, ``level``, ``what``, ``to_do``."""
    if as_json:
        said = {"name": finding.name, "level": finding.level.value, "what": finding.what, "to_do": finding.to_do}
        return json.dumps(said, ensure_ascii=False)
    to_do = f" -> {finding.to_do}" if finding.to_do else ""
    return f"{finding.level.value:<8} {finding.name}: {finding.what}{to_do}"


def running(fetch: Callable[[], JSON | None]) -> Iterator[Finding]:
    """Whether a companion runs, and how old its last look at the table is."""
    health = fetch()
    if not isinstance(health, dict):
        yield Finding("companion", Level.INFO, "none is running here", "start one with ./run")
        yield Finding("last look", Level.INFO, "nobody looks while no companion runs")
        return
    simulated = ", SIMULATED" if health.get("simulated") else ""
    yield Finding("companion", Level.OK, f"version {health.get('version', '?')} is running{simulated}")
    camera, age_s = health.get("camera", "ok"), health.get("last_look_s")
    if camera != "ok":
        yield Finding("last look", Level.TROUBLE, f"the camera is {camera}", "check its cable, then what covers it")
    elif not isinstance(age_s, int | float):
        yield Finding("last look", Level.INFO, "the eye has not looked yet")
    elif age_s > STALE_S:
        yield Finding("last look", Level.TROUBLE, f"{age_s:.0f} s ago", "sudo systemctl restart companion")
    else:
        yield Finding("last look", Level.OK, f"{age_s:.1f} s ago")


def clock(ask: Ask) -> Iterator[Finding]:
    """Durations never need the time of day; only the dates of matches do."""
    synced = ask("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    if synced is None:
        yield Finding("clock", Level.INFO, "this system does not say where its time comes from")
    elif synced.strip() == "yes":
        yield Finding("clock", Level.OK, "set from the network")
    else:
        yield Finding(
            "clock",
            Level.WARNING,
            "not set from the network: dates of matches may be wrong, play is not touched",
            "connect to a network once, or set it: sudo timedatectl set-time 'YYYY-MM-DD hh:mm'",
        )


def disk(folder: Path, free_bytes: Callable[[Path], int]) -> Iterator[Finding]:
    """Room for the log; an evening takes about 20 MB."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free_mb = free_bytes(there) // MB
    if free_mb < SCARCE_MB:
        level, to_do = Level.TROUBLE, f"make room on the disk that holds {there}"
    elif free_mb < SHORT_MB:
        level, to_do = Level.WARNING, f"make room on the disk that holds {there} before a long evening"
    else:
        level, to_do = Level.OK, ""
    yield Finding("disk", level, f"{free_mb} MB free at {there}", to_do)


def wear(read: Read, blocks: Path = BLOCKS, ext4: Path = EXT4) -> Iterator[Finding]:
    """What the storage says about its own age; SD cards say nothing, but the file system counts its errors."""
    known = False
    for device in sorted(ext4.glob("*/errors_count")):
        count = _number(read(device))
        if count:
            known = True
            yield Finding(
                "disk wear",
                Level.TROUBLE,
                f"the file system on {device.parent.name} has met {count} errors",
                "save the matches (companion export) and take a new card",
            )
    for device in sorted(blocks.glob("mmcblk*/device/life_time")):
        tenths = max((int(word, 16) for word in (read(device) or "").split()), default=0)
        name, known = device.parents[1].name, known or tenths > 0
        if tenths >= 9:
            yield Finding(
                "disk wear", Level.WARNING, f"{name} has used {tenths * 10} % of its life", "take a new card soon"
            )
        elif tenths:
            yield Finding("disk wear", Level.OK, f"{name} has used {tenths * 10} % of its life at most")
    if not known:
        yield Finding("disk wear", Level.INFO, "no errors counted; this storage does not tell its age")


def power(read: Read, ask: Ask, throttled: Path = THROTTLED) -> Iterator[Finding]:
    """The Pi's own flags: too little voltage and too much heat, now (bits 0-3) and since it started (16-19)."""
    said = read(throttled) or (ask("vcgencmd", "get_throttled") or "").partition("=")[2]
    try:
        flags = int(said.strip() or "none", 16)
    except ValueError:
        yield Finding("power", Level.INFO, "this computer does not tell about its voltage")
        yield Finding("heat", Level.INFO, "this computer does not tell whether heat slows it down")
        return
    supply = "take the Pi's own power supply and a short cable"
    if flags & 1 << 0:
        yield Finding("power", Level.TROUBLE, "too little voltage now", supply)
    elif flags & 1 << 16:
        yield Finding("power", Level.WARNING, "there was too little voltage since the start", supply)
    else:
        yield Finding("power", Level.OK, "enough voltage since the start")
    if flags & (1 << 1 | 1 << 2 | 1 << 3):
        yield Finding("heat", Level.WARNING, "slowed down now", "give the Pi air, or a heat sink")
    elif flags & (1 << 17 | 1 << 18 | 1 << 19):
        yield Finding("heat", Level.INFO, "was slowed down since the start", "give the Pi air, or a heat sink")
    else:
        yield Finding("heat", Level.OK, "never slowed down since the start")


def wifi(ask: Ask, nets: Path = NETS) -> Iterator[Finding]:
    """Power saving makes phones hear of a card half a second late."""
    names = sorted(path.parent.name for path in nets.glob("*/wireless"))
    if not names:
        yield Finding("wifi", Level.INFO, "no Wi-Fi device")
    for name in names:
        saving = ask("iw", "dev", name, "get", "power_save")
        if saving is None:
            yield Finding("wifi", Level.INFO, f"{name}: cannot tell whether it saves power", "sudo apt-get install iw")
        elif saving.strip().endswith("on"):
            to_do = f"sudo iw dev {name} set power_save off (the installed service does it)"
            yield Finding("wifi", Level.WARNING, f"{name} saves power: phones hear everything late", to_do)
        else:
            yield Finding("wifi", Level.OK, f"{name} stays awake")


def database(files: Iterable[Path]) -> Iterator[Finding]:
    """SQLite's own check of every log; read-only, also while a companion writes."""
    if not (files := tuple(files)):
        yield Finding("matches", Level.INFO, "no match is stored yet")
    for file in files:
        try:
            with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
                said = [str(row[0]) for row in connection.execute("PRAGMA quick_check")]
        except sqlite3.OperationalError as error:
            yield Finding("matches", Level.WARNING, f"{file.name} could not be looked into: {error}", "try with sudo")
            continue
        except sqlite3.Error as error:
            said = [str(error)]
        if said == ["ok"]:
            yield Finding("matches", Level.OK, f"{file.name} is whole")
        else:
            to_do = f"stop the companion, keep a copy of {file}, and export what can be read: companion export"
            yield Finding("matches", Level.TROUBLE, f"{file.name} is damaged: {said[0]}", to_do)


def zbar(load: Callable[[], object]) -> Iterator[Finding]:
    """The second reader's system library."""
    try:
        load()
    except (ImportError, OSError):
        yield Finding(
            "libzbar",
            Level.INFO,
            "not here: no second opinion on hard-to-read stickers",
            "sudo apt-get install libzbar0",
        )
    else:
        yield Finding("libzbar", Level.OK, "here")


def ask(*command: str) -> str | None:
    """What a command of the system says within five seconds."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def read(path: Path) -> str | None:
    """What a small file of the system holds."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None


def health(port: int) -> JSON | None:
    """What a companion on this machine says of itself; ``None`` where none answers."""
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # nobody stands between us
        with opener.open(f"http://127.0.0.1:{port}/api/v1/health", timeout=3) as answer:
            return json.loads(answer.read())
    except (OSError, ValueError):
        return None


def usual_checks(port: int, folder: Path, more: Iterable[tuple[str, Check]] = ()) -> tuple[tuple[str, Check], ...]:
    """All checks of this machine.

    Args:
        port: Where a running companion listens.
        folder: The data directory.
        more: What needs a device and is handed in by whoever has it: camera, focus, light, tags, stickers, pins.
    """
    return (
        ("companion", partial(running, partial(health, port))),
        *more,
        ("clock", partial(clock, ask)),
        ("disk", partial(disk, folder, lambda path: shutil.disk_usage(path).free)),
        ("disk wear", partial(wear, read)),
        ("power", partial(power, read, ask)),
        ("wifi", partial(wifi, ask)),
        ("libzbar", partial(zbar, partial(import_module, "pyzbar.pyzbar"))),
        ("matches", lambda: database(sorted(folder.glob("*.sqlite")))),
    )


def _number(said: str | None) -> int:
    return int(said) if said is not None and said.strip().isdigit() else 0
