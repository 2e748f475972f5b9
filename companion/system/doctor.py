"""The doctor: what is well with this box, what is not, and the one thing to do about it.

Each check is a small function that returns findings. Everything it asks of the computer is an argument, so every
answer can be tested on a healthy computer.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path

from companion.errors import CompanionError, InputError, LogError
from companion.public.findings import Finding, Level, in_words
from companion.public.plugins import Plugin, plugins, unloaded
from companion.public.text import JSON, Text, fault_text
from companion.storage.event_log import EventLog
from companion.storage.log_file import open_to_read
from companion.storage.medium import medium_fault
from companion.storage.settings import read_settings

AskRunning = Callable[..., "str | None"]
"""Runs a command and returns its output; ``None`` if there is no such command or it failed."""

ReadFile = Callable[[Path], "str | None"]
"""Reads a small system file; ``None`` if it does not exist."""

STALE_S = 5.0
LOST = ("camera", "table", "dark")
"""Why the table cannot be judged, in the running companion's words."""
MB = 1_000_000
SCARCE_MB, SHORT_MB = 100, 1000
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
BLOCKS = Path("/sys/block")
EXT4 = Path("/sys/fs/ext4")
NETS = Path("/sys/class/net")


Check = Callable[[], Iterable[Finding]]


def examine(checks: Iterable[tuple[str, Check]]) -> Iterator[Finding]:
    """All findings, in the order of the checks. A check that fails is reported and does not stop the others."""
    for name, check in checks:
        try:
            yield from check()
        except (CompanionError, OSError) as error:
            yield Finding(name, Level.TROUBLE, in_words("failed", why=str(error)), in_words("failed.do"))


def report(
    findings: Iterable[Finding],
    say: Callable[[str], object],
    in_words: Callable[[Text], str],
    *,
    as_json: bool = False,
) -> int:
    """Print one line for each finding, as soon as it is known; ``in_words`` translates it.

    Returns:
        The exit status: 1 if there is trouble, else 0.
    """
    status = 0
    for finding in findings:
        say(line(finding, in_words, as_json=as_json))
        status |= finding.level is Level.TROUBLE
    return status


def line(finding: Finding, in_words: Callable[[Text], str], *, as_json: bool = False) -> str:
    """A finding for people, or as one line of JSON with the keys ``name``, ``level``, ``what``, ``to_do``.

    >>> line(Finding("disk", Level.OK, Text("doctor.disk.ok")), lambda text: "20 GB are free")
    'ok       disk: 20 GB are free'
    """
    finding_values = finding_json(finding, in_words)
    if as_json:
        return json.dumps(finding_values, ensure_ascii=False)
    to_do = f" -> {finding_values['to_do']}" if finding_values["to_do"] else ""
    return f"{finding.level.value:<8} {finding.name}: {finding_values['what']}{to_do}"


def finding_json(finding: Finding, in_words: Callable[[Text], JSON]) -> dict[str, JSON]:
    to_do = in_words(finding.to_do) if finding.to_do else ""
    return {"name": finding.name, "level": finding.level.value, "what": in_words(finding.what), "to_do": to_do}


def running(fetch: Callable[[], JSON | None]) -> Iterator[Finding]:
    """Whether a companion runs, and the age of its last look at the table."""
    health = fetch()
    if not isinstance(health, dict):
        yield Finding("companion", Level.INFO, in_words("companion.none"), in_words("companion.none.do"))
        yield Finding("last look", Level.INFO, in_words("look.nobody"))
        return
    key = "companion.simulated" if health.get("simulated") else "companion.ok"
    yield Finding("companion", Level.OK, in_words(key, version=health.get("version", "?")))
    if isinstance(bug := health.get("bug"), dict):
        told = {key: str(bug.get(key, "?")) for key in ("game", "function", "place")}
        yield Finding("game", Level.TROUBLE, in_words("bug", **told), in_words("bug.do", game=told["game"]))
    camera, age_s = health.get("camera", "ok"), health.get("last_look_s")
    drawn = in_words("look.drawn.do") if health.get("simulated") else None
    if camera != "ok":
        key = f"look.{camera}" if camera in LOST else "look.lost"
        yield Finding("last look", Level.TROUBLE, in_words(key), drawn or in_words("look.lost.do"))
    elif not isinstance(age_s, int | float):
        yield Finding("last look", Level.INFO, in_words("look.none"))
    elif age_s > STALE_S:
        yield Finding(
            "last look", Level.TROUBLE, in_words("look.ago", seconds=f"{age_s:.0f}"), drawn or in_words("look.ago.do")
        )
    else:
        yield Finding("last look", Level.OK, in_words("look.ago", seconds=f"{age_s:.1f}"))


def clock(ask: AskRunning) -> Iterator[Finding]:
    """Durations never depend on the time of day; only the dates of matches do."""
    synced = ask("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    if synced is None:
        yield Finding("clock", Level.INFO, in_words("clock.unknown"))
    elif synced.strip() == "yes":
        yield Finding("clock", Level.OK, in_words("clock.network"))
    else:
        yield Finding("clock", Level.WARNING, in_words("clock.alone"), in_words("clock.alone.do"))


def disk(folder: Path, free_bytes: Callable[[Path], int]) -> Iterator[Finding]:
    """Free space for the log; an evening takes about 20 MB."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        yield Finding("disk", Level.TROUBLE, in_words("disk.file", where=str(there)), in_words("disk.file.do"))
        return
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding("disk", Level.TROUBLE, in_words("disk.closed", where=str(there)), in_words("disk.closed.do"))
        return
    free_mb = free_bytes(there) // MB
    if free_mb < SCARCE_MB:
        level, to_do = Level.TROUBLE, in_words("disk.scarce.do", where=str(there))
    elif free_mb < SHORT_MB:
        level, to_do = Level.WARNING, in_words("disk.short.do", where=str(there))
    else:
        level, to_do = Level.OK, None
    yield Finding("disk", level, in_words("disk.free", mb=free_mb, where=str(there)), to_do)


def wear(read: ReadFile, blocks: Path = BLOCKS, ext4: Path = EXT4) -> Iterator[Finding]:
    """What the storage reports about its wear; SD cards report nothing, but the file system counts its errors."""
    is_reported = False
    for device in sorted(ext4.glob("*/errors_count")):
        count = _number(read(device))
        if count:
            is_reported = True
            met = in_words("wear.errors", device=device.parent.name, n=count)
            yield Finding("disk wear", Level.TROUBLE, met, in_words("wear.errors.do"))
    for device in sorted(blocks.glob("mmcblk*/device/life_time")):
        tenths = max((int(word, 16) for word in (read(device) or "").split()), default=0)
        name, is_reported = device.parents[1].name, is_reported or tenths > 0
        if tenths >= 9:
            used = in_words("wear.old", device=name, percent=tenths * 10)
            yield Finding("disk wear", Level.WARNING, used, in_words("wear.old.do"))
        elif tenths:
            yield Finding("disk wear", Level.OK, in_words("wear.young", device=name, percent=tenths * 10))
    if not is_reported:
        yield Finding("disk wear", Level.INFO, in_words("wear.unknown"))


def power(read: ReadFile, ask: AskRunning, throttled: Path = THROTTLED) -> Iterator[Finding]:
    """The Pi's own flags: low voltage and overheating, now (bits 0-3) and since it started (16-19)."""
    reported = read(throttled) or (ask("vcgencmd", "get_throttled") or "").partition("=")[2]
    try:
        flags = int(reported.strip() or "none", 16)
    except ValueError:
        yield Finding("power", Level.INFO, in_words("power.unknown"))
        yield Finding("heat", Level.INFO, in_words("heat.unknown"))
        return
    if flags & 1 << 0:
        yield Finding("power", Level.TROUBLE, in_words("power.low"), in_words("power.do"))
    elif flags & 1 << 16:
        yield Finding("power", Level.WARNING, in_words("power.was_low"), in_words("power.do"))
    else:
        yield Finding("power", Level.OK, in_words("power.ok"))
    if flags & (1 << 1 | 1 << 2 | 1 << 3):
        yield Finding("heat", Level.WARNING, in_words("heat.slow"), in_words("heat.do"))
    elif flags & (1 << 17 | 1 << 18 | 1 << 19):
        yield Finding("heat", Level.INFO, in_words("heat.was_slow"), in_words("heat.do"))
    else:
        yield Finding("heat", Level.OK, in_words("heat.ok"))


def wifi(ask: AskRunning, nets: Path = NETS) -> Iterator[Finding]:
    """With power saving, phones get updates half a second late."""
    names = sorted(path.parent.name for path in nets.glob("*/wireless"))
    if not names:
        yield Finding("wifi", Level.INFO, in_words("wifi.none"))
    for name in names:
        saving = ask("iw", "dev", name, "get", "power_save")
        if saving is None:
            yield Finding("wifi", Level.INFO, in_words("wifi.unknown", device=name), in_words("wifi.unknown.do"))
        elif saving.strip().endswith("on"):
            yield Finding(
                "wifi", Level.WARNING, in_words("wifi.saves", device=name), in_words("wifi.saves.do", device=name)
            )
        else:
            yield Finding("wifi", Level.OK, in_words("wifi.ok", device=name))


def database(files: Iterable[Path]) -> Iterator[Finding]:
    """SQLite's own check of every log; read-only, even while a companion writes."""
    if not (files := tuple(files)):
        yield Finding("matches", Level.INFO, in_words("matches.none"))
    for file in files:
        try:
            with closing(open_to_read(file)) as connection:
                problems = [str(row[0]) for row in connection.execute("PRAGMA quick_check")]
                ours = connection.execute("PRAGMA user_version").fetchone()[0] > 0
                ours = ours or file.with_suffix(".last").exists()
        except sqlite3.OperationalError as error:
            closed = in_words("matches.closed", file=file.name, why=str(error))
            yield Finding("matches", Level.WARNING, closed, in_words("matches.closed.do"))
            continue
        except sqlite3.Error as error:
            problems = [str(error)]
        if problems == ["ok"]:
            yield from (
                _complete(file) if ours else (Finding("matches", Level.OK, in_words("matches.ok", file=file.name)),)
            )
        else:
            damaged = in_words("matches.damaged", file=file.name, why=problems[0])
            yield Finding("matches", Level.TROUBLE, damaged, in_words("matches.damaged.do", file=str(file)))


def _complete(file: Path) -> Iterator[Finding]:
    """Whether every acknowledged entry is there, and undamaged."""
    whole = True
    try:
        with closing(EventLog(file, reading=True)) as log:
            for match in log.losses.gone():
                whole = False
                yield Finding("matches", Level.TROUBLE, in_words("matches.gone", match=match), _RESTORE)
            for match, damage in log.damages():
                whole = False
                what = (
                    in_words("matches.unreadable", match=match, lost=damage.lost)
                    if damage.kept is None
                    else in_words("matches.lost", match=match, kept=damage.kept, lost=damage.lost)
                )
                yield Finding("matches", Level.TROUBLE, what, _RESTORE)
    except LogError as wrong:
        closed = in_words("matches.closed", file=file.name, why=str(wrong))
        yield Finding("matches", Level.WARNING, closed, in_words("matches.closed.do"))
        return
    if whole:
        yield Finding("matches", Level.OK, in_words("matches.ok", file=file.name))


_RESTORE = in_words("matches.lost.do")


def backups(folder: Path) -> Iterator[Finding]:
    """Whether backups go to the second medium that the settings name."""
    try:
        medium = read_settings(folder).backup
    except InputError:
        return  # what is wrong with the settings is said where a table starts
    if medium is None:
        return
    if (wrong := medium_fault(folder, medium)) is not None:
        what = fault_text(wrong)
        yield Finding("backup", Level.WARNING, what if isinstance(what, Text) else in_words("failed", why=what))
    else:
        yield Finding("backup", Level.OK, in_words("backup.ok", where=str(medium)))


def plugin_checks(folder: Path, running_now: Callable[[], JSON | None]) -> tuple[tuple[str, Check], ...]:
    """The checks of the plug-ins that are not switched off, and whether each of them works.

    Args:
        running_now: As for ``usual_checks``.
    """
    try:
        settings = read_settings(folder)
    except InputError:
        return ()  # what is wrong with the settings is said where a table starts

    def lines(plugin: Plugin) -> Iterator[Finding]:
        try:
            for finding in plugin.doctor(settings.sections.get(plugin.name), running_now()):
                if not isinstance(finding, Finding):
                    raise TypeError(f"{finding!r} is no Finding")
                yield finding
        except (CompanionError, OSError):
            raise
        except Exception as wrong:  # noqa: BLE001  # whatever a stranger's code raises, the other checks are made
            yield _left_out(plugin.name, f"{type(wrong).__name__}: {wrong}")

    def left_out() -> Iterator[Finding]:
        health = running_now()
        told = health.get("left_out", {}) if isinstance(health, dict) else {}
        for name, why in (unloaded() | told).items():
            if name not in settings.switched_off:
                yield _left_out(name, why)

    used = (plugin for plugin in plugins() if plugin.name not in settings.switched_off)
    return (*((plugin.name, partial(lines, plugin)) for plugin in used), ("plug-ins", left_out))


def _left_out(name: str, why: str) -> Finding:
    to_do = in_words("plugin.wrong.do", plugin=name)
    return Finding("plug-ins", Level.WARNING, in_words("plugin.wrong", plugin=name, why=why), to_do)


def zbar(load: Callable[[], object]) -> Iterator[Finding]:
    """The system library of the second code reader."""
    try:
        load()
    except (ImportError, OSError):
        yield Finding("libzbar", Level.INFO, in_words("zbar.none"), in_words("zbar.none.do"))
    else:
        yield Finding("libzbar", Level.OK, in_words("zbar.ok"))


def ask(*command: str) -> str | None:
    """The output of a system command within five seconds; ``None`` if it failed."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def read(path: Path) -> str | None:
    """The content of a small system file; ``None`` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None


def health(port: int) -> JSON | None:
    """The health of a companion on this machine; ``None`` if none answers."""
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # without a proxy
        with opener.open(f"http://127.0.0.1:{port}/api/v1/health", timeout=3) as answer:
            return json.loads(answer.read())
    except (OSError, ValueError):
        return None


def usual_checks(
    running_now: Callable[[], JSON | None],
    folder: Path,
    more: Iterable[tuple[str, Check]] = (),
) -> tuple[tuple[str, Check], ...]:
    """All checks of this machine.

    Args:
        running_now: Returns a running companion's health, such as ``health`` of its port.
        folder: The data folder.
        more: Checks that need a device, from the caller: camera, focus, light, tags, stickers, pins.
    """
    return (
        ("companion", partial(running, running_now)),
        *more,
        ("clock", partial(clock, ask)),
        ("disk", partial(disk, folder, lambda path: shutil.disk_usage(path).free)),
        ("disk wear", partial(wear, read)),
        ("power", partial(power, read, ask)),
        ("wifi", partial(wifi, ask)),
        ("libzbar", partial(zbar, partial(import_module, "pyzbar.pyzbar"))),
        ("matches", lambda: database(sorted(folder.glob("*.sqlite")))),
        ("backup", partial(backups, folder)),
        *plugin_checks(folder, running_now),
    )


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.strip().isdigit() else 0
