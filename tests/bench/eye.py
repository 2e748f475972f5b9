"""The eye against its promises: every figure is counted on films and pictures drawn for it, beside its bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from companion.public.table import Token
from tests.bench import resolution
from tests.bench.memory import memory
from tests.bench.scoring import RECOVERED_LOOKS, SETTLED_LOOKS, Score
from tests.bench.surfaces import figures as surface_figures
from vision.bench import ACTS, Figure, codes, figures, looks, ratios, told
from vision.process.worker import alone_here
from vision.synthetic.films import CAMERA_MODES, DECOYS, LAYOUT
from vision.tracking.observer import Observer
from vision.tracking.occlusion import Evidence, Explanation
from vision.tracking.track import Track
from vision.tracking.tracker import Visibility


def parse_unchecked(text: str, prefix: str = "DX") -> Token | None:
    """A sticker's token, whatever its check character says."""
    return Token(text[len(prefix) : -1]) if text.startswith(prefix) else None


def explain_as_vacant(unseen: Sequence[Track], evidence: Evidence) -> list[Explanation]:
    """What a hand or a card covers is taken for gone."""
    return [Explanation(track, Visibility.VACANT) for track in unseen]


CONTROLS: dict[str, dict[str, Any]] = {
    "check": {"parse": parse_unchecked},
    "gate": {"explain_unseen": explain_as_vacant},
}
"""Observers without one precaution, by its name: films that an observer with them passes show nothing."""


def play(mode: str, seed: int = 1, *, acts: int = ACTS, baselines: bool = True, control: str = "") -> Score:
    """Show one film to the eye, and every tenth picture of it to the baselines.

    Args:
        control: ``check`` or ``gate`` = without that precaution.
    """
    tally = Score()
    for look in looks(mode, Observer(LAYOUT, codes(), **CONTROLS.get(control, {})), seed, acts=acts):
        tally.times.add(look, baselines=baselines)
        tally.judge(look.shot, look.seen)
    return tally


def eye(long: bool) -> Iterator[str]:
    """Every figure with its bound, as they come; one film of each mode, or five and the long run for memory."""
    for name, figure in _figures(long):
        yield f"eye: {name}: {figure}"


def _figures(long: bool) -> Iterator[Figure]:
    alone_here()  # processor time of all threads is counted; waiting threads would only add to ours
    for mode in CAMERA_MODES:
        tallies = []
        for seed in range(1, 6) if long else (1,):
            tallies.append(play(mode, seed))
            yield from _named(f"{mode}, film {seed}", figures(mode, tallies[-1].times))
            yield from _named(f"{mode}, film {seed}", _total([tallies[-1]]))
        if long:
            yield from _named(f"{mode}, all films", ratios(mode, [tally.times for tally in tallies]))
            yield from _named(f"{mode}, all films", _total(tallies))
    yield from _controls()
    yield from _acuity()
    yield from surface_figures()
    for mode, count in (("4608x2592", 20_000),) if long else (("4608x2592", 1_500),):
        early_mb, late_mb = memory(mode, count)
        good = late_mb < 400 and late_mb - early_mb < 10
        yield (
            f"{mode}: memory after {count // 10:,} and {count:,} looks",
            told(f"{early_mb:.0f}, {late_mb:.0f} MB", "flat, under 400 MB", good),
        )


def _named(name: str, figures: Iterator[Figure]) -> Iterator[Figure]:
    for about, value in figures:
        yield f"{name}: {about}", value


def _total(tallies: list[Score]) -> Iterator[Figure]:
    visible, missed = sum(t.visible for t in tallies), sum(t.not_held for t in tallies)
    share = missed / max(visible, 1)
    yield (
        f"visible stickers not held, of {visible:,} after the cold start",
        told(f"{share:.3%}", "0.2 %", share <= 0.002),
    )
    late = sum(t.late for t in tallies)
    yield f"of these visible for more than {SETTLED_LOOKS} pictures", told(str(late), "0", not late)
    waits = [wait for t in tallies for wait in t.waits]
    median, most = np.percentile(waits, (50, 99)) if waits else (float("inf"), float("inf"))
    yield (
        f"pictures until confirmed, median and p99 of {len(waits)}",
        told(f"{median:.0f}, {most:.1f}", "2, 3", median <= 2 and most <= 3),
    )
    recoveries, lost = [r for t in tallies for r in t.recoveries], sum(t.unrecovered for t in tallies)
    yield (
        f"not recovered within {RECOVERED_LOOKS} pictures after being covered, of {len(recoveries) + lost}",
        told(f"{lost}, longest {max(recoveries, default=0)}", "0", not lost and bool(recoveries)),
    )
    gone, false = sum(t.false_gone for t in tallies), sum(t.false_tokens for t in tallies)
    yield "false gone or moved", told(str(gone), "0", not gone)
    yield "false tokens among decoys", told(str(false), "0", not false)
    counted = min(t.unknown_codes for t in tallies)
    yield "foreign codes counted", told(str(counted), f"{len(DECOYS)}", counted == len(DECOYS))


def _controls() -> Iterator[Figure]:
    """The same films must show faults to an eye without its precautions; the gate's up to the hand that rests."""
    careless = play("2304x1296", 1, acts=1, baselines=False, control="check").false_tokens
    yield "control, check character ignored: false tokens", told(str(careless), "some", careless > 0)
    hasty = play("2304x1296", 1, acts=8, baselines=False, control="gate").false_gone
    yield "control, covered taken for empty: false gone", told(str(hasty), "some", hasty > 0)


def _acuity() -> Iterator[Figure]:
    camera, sticker_mm, _ = CAMERA_MODES["2304x1296"]
    hits = list(resolution.recall(1.8, 20, camera))
    yield _share("recall at 1.8 pixels a module, 54 codes in view", hits, 0.99)
    yield _share("recall with 6 % smudged at 3.2 pixels a module", list(resolution.worn(0.06, 3.2, 2_000)), 0.88)
    for mode, (camera, sticker_mm, _) in CAMERA_MODES.items():
        count = resolution.cold_start(camera, sticker_mm)
        yield f"{mode}: looks until 54 cards are held, from the cold", told(str(count), "5", count <= 5)
        for tags in (8, 4):
            bound = (0.8, 0.6) if tags == 4 and mode == "2304x1296" else (0.5, 0.5)
            both = [resolution.errors(camera, sticker_mm, k1, range(tags)) for k1 in (0.0, -0.05, -0.1)]
            mm, deg = max(e[0] for e in both), max(e[1] for e in both)
            yield (
                f"{mode}, {tags} tags: rms error of position and rotation, worst of three lenses",
                told(f"{mm:.2f} mm, {deg:.2f}°", f"{bound[0]} mm, {bound[1]}°", mm <= bound[0] and deg <= bound[1]),
            )


def _share(name: str, hits: list[bool], bound: float) -> Figure:
    low, high = resolution.interval(sum(hits), len(hits))
    share = sum(hits) / len(hits)
    value = f"{share:.1%} of {len(hits):,}, 95 % interval {low:.1%} to {high:.1%}"
    return name, told(value, f"{bound:.0%}", share >= bound)
