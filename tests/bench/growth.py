"""The growth bench: whether the memory of a table that plays match after match at high speed stays level."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import CompanionError
from companion.storage.event_log import LOG_FILE
from tests.bench.kills import Companion, Phone

MINUTES, MINUTES_LONG = 5.0, 120.0
SPEED = "10"
SAMPLE_S = 5.0
SAID_S = 120.0
"""So often it is said how it stands, so that a run that is broken off has told something."""
WARM_UP = 0.4
"""Of the time, what is not counted: by then every cache has been filled once."""
LEVEL_MB_PER_H = 8.0
"""What may be growth or chance: a match that were kept by each match would be more within minutes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a running companion took at one moment.

    Attributes:
        at_s: Seconds since the first one.
        own_mb: Memory of the program that referees, as :func:`own_mb` counts it.
        eye_mb: And of the processes that it has started.
        log_mb: The log with its write-ahead log.
        matches: Which have been begun.
    """

    at_s: float
    own_mb: float
    eye_mb: float
    log_mb: float
    matches: int

    def __str__(self) -> str:
        return (
            f"after {self.at_s / 60:.0f} min {self.matches} matches, the program {self.own_mb:.1f} MB, "
            f"the eye {self.eye_mb:.1f} MB, the log {self.log_mb:.1f} MB"
        )


def growth(long: bool, minutes: float | None = None) -> Iterator[str]:
    """Simulated people play at ten times their speed; memory over time, and by how much it rises in an hour.

    Args:
        minutes: How long, instead of the usual time.

    Raises:
        CompanionError: The companion ended.
    """
    samples: list[Sample] = []
    for sample in watched(60 * (minutes or (MINUTES_LONG if long else MINUTES))):
        if sample.at_s // SAID_S > (samples[-1].at_s // SAID_S if samples else 0):
            yield f"growth: {sample}"
        samples.append(sample)
    later = [one for one in samples if one.at_s >= WARM_UP * samples[-1].at_s]
    first, last = later[0], later[-1]
    hours = [one.at_s / 3600 for one in later]
    own, eye = slope(hours, [one.own_mb for one in later]), slope(hours, [one.eye_mb for one in later])
    levels = ", ".join(f"{one.own_mb:.1f}" for one in samples[:: max(1, len(samples) // 12)])
    yield (
        f"growth: {last.at_s / 60:.0f} min at speed {SPEED}, {last.matches} matches, {len(samples)} samples; "
        f"memory of the program {levels} MB"
    )
    yield (
        f"growth: after the first {first.at_s / 60:.0f} min the program's rises by {own:+.1f} MB an hour (level: "
        f"{LEVEL_MB_PER_H:.0f} at most), the eye's by {eye:+.1f}, from {first.eye_mb:.0f} to {last.eye_mb:.0f} MB; "
        f"the log has {last.log_mb:.1f} MB"
    )


def watched(seconds: float) -> Iterator[Sample]:
    """Samples of a companion that plays for so long.

    Raises:
        CompanionError: It ended.
    """
    with TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        companion = Companion(data, "--source", "simulated", "--speed", SPEED, "--seed", "1")
        try:
            began_s = time.monotonic()
            while (at_s := time.monotonic() - began_s) < seconds:
                if companion.process.poll() is not None:
                    raise CompanionError(f"growth: the companion ended after {at_s:.0f} s")
                yield _sample(companion, data, at_s)
                time.sleep(SAMPLE_S)
        finally:
            companion.kill()
            companion.is_all_gone()


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """By how much the straight line rises that fits best; 0 for fewer than two points."""
    if len(xs) < 2 or not any(one != other for one, other in pairwise(xs)):
        return 0.0
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((x - middle_x) ** 2 for x in xs)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / across


def _sample(companion: Companion, data: Path, at_s: float) -> Sample:
    pid = companion.process.pid
    log_bytes = sum(path.stat().st_size for path in data.glob(f"{LOG_FILE}*"))
    matches = 0
    with suppress(OSError, HTTPException), closing(Phone(companion.port)) as phone:
        status, answer = phone.ask("GET", "/api/v1/matches")
        matches = len(answer["matches"] if isinstance(answer, dict) else answer) if status == 200 else 0
    eye_mb = sum(own_mb(child) for child in _started_by(pid))
    return Sample(at_s, own_mb(pid), eye_mb, log_bytes / 1e6, matches)


def own_mb(pid: int) -> float:
    """The memory that a process has written itself, in parts where others share it; 0 when it has gone.

    What is mapped from files, as programs and libraries are, is left out: it costs a process more as soon as others
    that use the same file have ended, so that it would rise and fall with everything else on the machine.
    """
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "SwapPss:"))) / 1024
    return 0.0


def _started_by(pid: int) -> Iterator[int]:
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, path.read_text().split()):
                yield child
                yield from _started_by(child)
