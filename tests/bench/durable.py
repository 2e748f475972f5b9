"""Kills whoever writes the log, at random moments, and looks whether anything that was acknowledged is missing.

First the runner and the log alone, many times a second; then a whole companion that is played with
(``tests.bench.kills``).
"""

from __future__ import annotations

import os
import random
import resource
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from companion.errors import LogError
from companion.games.registry import demo_deck, demo_match, open_match
from companion.history.events import Entry, Origin, Paused, Resumed
from companion.service.runner import MatchRunner
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.repair import open_or_recover
from tests.bench.kills import killed

KILLS, KILLS_LONG = 36, 500
"""Of a whole companion."""
WRITERS = 10
"""So many kills of the log's writer come on each of them; they take a tenth of a second."""
LONGEST_S = 0.08
"""A kill comes so long after the start at the latest; a write takes some tenths of a millisecond."""
HEADER = {"match": demo_match(), "deck": demo_deck()}


def durable(long: bool, kills: int | None = None, seed: int = 1) -> Iterator[str]:
    """Kill the log's writer, then a companion that is played with, and compare what they said with what they kept.

    Args:
        kills: How many of a companion, instead of the usual number.
        seed: The same one plays the same and kills as soon; how far the companion is by then it does not decide.

    Raises:
        LogError: Something was lost, doubled or changed.
    """
    number = kills if kills is not None else KILLS_LONG if long else KILLS
    yield from written(number * WRITERS, seed)
    yield from killed(number, seed)


def written(kills: int, seed: int) -> Iterator[str]:
    """Half of the kills while matches begin, half while entries are written, every fourth on a disk that fills."""
    dice = random.Random(seed)
    acknowledged = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kill in range(kills):
            data = Path(folder) / str(kill // 50)  # several kills in a row on the same log
            after_s, sooner = dice.uniform(0, LONGEST_S), dice.random() < 0.3
            heard = _killed(data, beginning=kill % 2 == 0, filling=kill % 4 == 3, sooner=sooner, after_s=after_s)
            acknowledged += len(heard)
            wrong += len(list(faults(data, heard)))
    yield f"durable: {kills} kills of a writer, {acknowledged} acknowledged, {wrong} lost, doubled or without codes"
    if wrong:
        raise LogError(f"{wrong} acknowledged writes were not kept as they were told")


def faults(data: Path, heard: list[tuple[str, int]]) -> Iterator[str]:
    """What is not as it was told: matches and numbers of entries (0: the match has begun)."""
    with closing(open_or_recover(data, ())) as log:
        matches = log.matches()
        entries = {stored.id: [one["number"] for one in log.entries(stored.id)] for stored in matches}
        for stored in matches:
            if not stored.over and not log.table.codes(stored.id):
                yield f"{stored.id} has no codes"
            if entries[stored.id] != list(range(1, len(entries[stored.id]) + 1)):
                yield f"{stored.id} has a gap or a doubled entry"
        if matches and sum(not stored.over for stored in matches) != 1:
            yield "not one match is in play"
        for match, number in heard:
            if number > len(entries.get(match, ())) or match not in entries:
                yield f"entry {number} of {match} is lost"
        for match, damage in log.damages():
            yield f"{match} {damage}"
        yield from (f"{match} is gone" for match in log.losses.gone())


def _killed(data: Path, *, beginning: bool, filling: bool, sooner: bool, after_s: float) -> list[tuple[str, int]]:
    """What a process acknowledged until it was killed: so long after its first write, or (``sooner``) its start."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(ours)
            _write(data, theirs, beginning, filling)
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        first = pipe.readline()
        if first == b"ready\n":
            first = b"" if filling or sooner else pipe.readline()
            time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        lines = (first + pipe.read()).split(b"\n")[:-1]
    return [(match.decode(), int(number)) for match, number in (line.split(b" ") for line in lines)]


def _write(data: Path, pipe: int, beginning: bool, filling: bool) -> None:
    """Begin matches one after another, or go on with the last one, and acknowledge what is written."""
    log = EventLog(data / LOG_FILE)
    host = MatchRunner(
        log, lambda header: open_match(header["match"], header["deck"]).game, wall_clock=lambda: "2026-01-01"
    )
    os.write(pipe, b"ready\n")
    if filling:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        most = max(file.stat().st_size for file in data.iterdir()) + 20_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    resumed = host.resume()
    while beginning or not resumed:
        with suppress(LogError):
            os.write(pipe, f"{host.begin(HEADER)} 0\n".encode())
            resumed = True
    assert host.stored is not None
    match = host.stored.id
    number = log.last_number(match)
    while True:
        entry = Entry(number + 1, Resumed() if number % 2 else Paused(), Origin.PHONE, float(number))
        with suppress(LogError):
            log.append(match, [entry])
            number += 1
            os.write(pipe, f"{match} {number}\n".encode())
