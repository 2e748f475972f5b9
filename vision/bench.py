"""Measures the speed of the vision pipeline on this machine, on synthetic films, against reading whole pictures.

How much of a film is read does not depend on the machine, so only the tests and ``tests/bench`` measure that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from companion.public.codes import StickerCodes
from companion.public.table import Observation
from vision.camera.frame import Frame, make_frame
from vision.codes.decoder import ZXING, read_codes, second_reader
from vision.process.worker import alone_here
from vision.synthetic.films import CAMERA_MODES, DECK, DECOYS, LAYOUT, GroundTruthFrame, scenario_film
from vision.tracking.observer import Observer

BASELINE_EVERY = 10
"""The baselines read every tenth picture of the film."""

ACTS, PACE = 14, 2.5
"""Number of acts, and how much faster than people the hands move: 14 acts take about 20 seconds, or 280 pictures of the
larger mode and 600 of the other."""

AHEAD_MB = 256
"""This much of a film is rendered in advance, as a camera's pictures are in memory. Rendering between two looks would
empty the processor's caches, which a camera does not."""

TIMES = {"2304x1296": {"pyzbar": 100, "zxing-cpp": 6}, "4608x2592": {"pyzbar": 200, "zxing-cpp": 12}}
"""By mode: how many times faster than each baseline on whole pictures the pipeline must be, in processor time."""

Figure = tuple[str, str]
"""Name and value as text."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One observed picture of a film, and the processor time that it took."""

    shot: GroundTruthFrame
    seen: Observation
    spent_s: float


@dataclass(slots=True)
class FilmTimes:
    """Processor time, in seconds: for all pictures of a film, and for the baselines on every tenth.

    Attributes:
        busy: By picture, whether a hand was in view.
        whole_s: By baseline; one that is not installed is missing.
    """

    ours_s: list[float] = field(default_factory=list)
    busy: list[bool] = field(default_factory=list)
    whole_s: dict[str, list[float]] = field(default_factory=dict)

    def add(self, look: Look, *, baselines: bool = True) -> None:
        if baselines and len(self.ours_s) % BASELINE_EVERY == 0:
            for name, seconds in _whole(look):
                self.whole_s.setdefault(name, []).append(seconds)
        self.ours_s.append(look.spent_s)
        self.busy.append(look.shot.hands > 0)


def codes() -> StickerCodes:
    """The codes of a film's cards and decoys."""
    return StickerCodes.of((*DECK, *DECOYS))


def looks(mode: str, observer: Observer, seed: int = 1, *, acts: int = ACTS) -> Iterator[Look]:
    """Observe one film."""
    camera, sticker_mm, rate_hz = CAMERA_MODES[mode]
    for shot, frame in _ahead(scenario_film(seed, camera, sticker_mm, rate_hz, acts=acts, pace=PACE)):
        began_s = time.process_time()
        seen = observer.observe(frame)
        yield Look(shot, seen, time.process_time() - began_s)


def bench() -> Iterator[Figure]:
    """The figures of one film of each camera mode, as they are measured."""
    alone_here()  # processor time of all threads is counted, and idle worker threads would add to it
    for mode in CAMERA_MODES:
        times = FilmTimes()
        for look in looks(mode, Observer(LAYOUT, codes())):
            times.add(look)
        for name, value in figures(mode, times):
            yield f"{mode}: {name}", value
        held = {placement.token for placement in look.seen.table.placements}
        lying = look.shot.lying.keys()
        yield f"{mode}: stickers held in the last picture", f"{len(held & lying)} of {len(lying)}"


def figures(mode: str, times: FilmTimes) -> Iterator[Figure]:
    """The times of one film, absolute and relative to the baselines."""
    ours_ms, busy = np.array(times.ours_s) * 1e3, np.array(times.busy)
    yield "pictures, share with a hand", f"{len(ours_ms)}, {busy.mean():.0%}"
    quarters = ours_ms.mean(), ours_ms[~busy].mean(), ours_ms[busy].mean(), np.percentile(ours_ms, 95)
    yield "processor time a look: mean, idle, busy, p95", ", ".join(f"{ms:.2f}" for ms in quarters) + " ms"
    yield from ratios(mode, [times])


def ratios(mode: str, films: Sequence[FilmTimes]) -> Iterator[Figure]:
    """The mean time of a look, including the start, compared with reading every whole picture."""
    ours_s = np.mean(np.concatenate([film.ours_s for film in films]))
    for name, bound in TIMES[mode].items():
        theirs = [film.whole_s[name] for film in films if name in film.whole_s]
        if theirs:
            theirs_s = np.mean(np.concatenate(theirs))
            value = f"{theirs_s * 1e3:.1f} ms, {theirs_s / ours_s:.1f} times ours"
            yield f"{name} on every whole picture", told(value, f"{bound}", bool(theirs_s / ours_s >= bound))
        else:
            yield f"{name} on every whole picture", "left out: it is not installed"


def told(value: str, bound: str, good: bool) -> str:
    """A value with its bound, and whether it meets it."""
    return f"{value} (bound: {bound}) {'met' if good else 'NOT MET'}"


def _ahead(shots: Iterator[GroundTruthFrame]) -> Iterator[tuple[GroundTruthFrame, Frame]]:
    """The same pictures, rendered in batches of about a hundred."""
    for first in shots:
        held = [first, *islice(shots, AHEAD_MB * 1_000_000 // first.gray.size)]
        yield from [(shot, make_frame(shot.gray, shot.taken_s)) for shot in held]


def _whole(look: Look) -> Iterator[tuple[str, float]]:
    """The time of each baseline for the whole picture."""
    if (pyzbar := second_reader()) is not None:
        began_s = time.process_time()
        pyzbar(look.shot.gray)
        yield "pyzbar", time.process_time() - began_s
    began_s = time.process_time()
    read_codes(look.shot.gray, (ZXING[1],))
    yield "zxing-cpp", time.process_time() - began_s
