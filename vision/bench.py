"""How fast the eye is on this machine: drawn films with hands, each look beside reading the whole picture.

How much of a film it reads and holds is the same everywhere, so that only the tests and ``tests/bench`` count it.
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
"""The baselines read every tenth picture of the same film."""

ACTS, PACE = 14, 2.5
"""Hands so much faster than people's: 14 acts in about 20 seconds, some 280 pictures of the larger mode and 600 of the
other."""

AHEAD_MB = 256
"""So much of a film is drawn ahead, for a camera leaves its pictures in memory; drawing one between two looks would
empty the processor's caches, which no camera does."""

TIMES = {"2304x1296": {"pyzbar": 100, "zxing-cpp": 6}, "4608x2592": {"pyzbar": 200, "zxing-cpp": 12}}
"""By mode: so many times less processor time than each of them takes for every whole picture."""

Figure = tuple[str, str]
"""Name and value, for people."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One look at a picture of a film, and the processor time that it took."""

    shot: GroundTruthFrame
    seen: Observation
    spent_s: float


@dataclass(slots=True)
class FilmTimes:
    """Processor time, in seconds: of the looks at a film, and of the baselines on every tenth picture of it.

    Attributes:
        busy: By look, whether a hand was in view.
        whole_s: By baseline; one that is not installed has none.
    """

    ours_s: list[float] = field(default_factory=list)
    busy: list[bool] = field(default_factory=list)
    whole_s: dict[str, list[float]] = field(default_factory=dict)

    def add(self, look: Look, *, baselines: bool = True) -> None:
        """Count one more look."""
        if baselines and len(self.ours_s) % BASELINE_EVERY == 0:
            for name, seconds in _whole(look):
                self.whole_s.setdefault(name, []).append(seconds)
        self.ours_s.append(look.spent_s)
        self.busy.append(look.shot.hands > 0)


def codes() -> StickerCodes:
    """Those of a film's cards, and of its decoys."""
    return StickerCodes.of((*DECK, *DECOYS))


def looks(mode: str, observer: Observer, seed: int = 1, *, acts: int = ACTS) -> Iterator[Look]:
    """Show one film to an eye."""
    camera, sticker_mm, rate_hz = CAMERA_MODES[mode]
    for shot, frame in _ahead(scenario_film(seed, camera, sticker_mm, rate_hz, acts=acts, pace=PACE)):
        began_s = time.process_time()
        seen = observer.observe(frame)
        yield Look(shot, seen, time.process_time() - began_s)


def bench() -> Iterator[Figure]:
    """The figures of one film of each mode of the camera, as they come."""
    alone_here()  # processor time of all threads is counted; waiting threads would only add to ours
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
    """How long the looks at one film took, by themselves and beside the baselines."""
    ours_ms, busy = np.array(times.ours_s) * 1e3, np.array(times.busy)
    yield "pictures, share with a hand", f"{len(ours_ms)}, {busy.mean():.0%}"
    quarters = ours_ms.mean(), ours_ms[~busy].mean(), ours_ms[busy].mean(), np.percentile(ours_ms, 95)
    yield "processor time a look: mean, idle, busy, p95", ", ".join(f"{ms:.2f}" for ms in quarters) + " ms"
    yield from ratios(mode, [times])


def ratios(mode: str, films: Sequence[FilmTimes]) -> Iterator[Figure]:
    """The mean look, the cold start among them, against reading every picture whole."""
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
    """A value with its bound."""
    return f"{value} (bound: {bound}) {'met' if good else 'NOT MET'}"


def _ahead(shots: Iterator[GroundTruthFrame]) -> Iterator[tuple[GroundTruthFrame, Frame]]:
    """The same, drawn some hundred pictures at a time."""
    for first in shots:
        held = [first, *islice(shots, AHEAD_MB * 1_000_000 // first.gray.size)]
        yield from [(shot, make_frame(shot.gray, shot.taken_s)) for shot in held]


def _whole(look: Look) -> Iterator[tuple[str, float]]:
    """How long each baseline takes for the whole picture."""
    if (pyzbar := second_reader()) is not None:
        began_s = time.process_time()
        pyzbar(look.shot.gray)
        yield "pyzbar", time.process_time() - began_s
    began_s = time.process_time()
    read_codes(look.shot.gray, (ZXING[1],))
    yield "zxing-cpp", time.process_time() - began_s
