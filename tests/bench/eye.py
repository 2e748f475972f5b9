"""The eye against its promises: what it held in drawn films is counted against what was drawn, beside each bound."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.public.table import Observation, Token
from vision.bench import ACTS, Figure, FilmTimes, codes, figures, looks, ratios, told
from vision.process.worker import alone_here
from vision.synthetic.films import CAMERA_MODES, DECK, DECOYS, LAYOUT, GroundTruthFrame
from vision.tracking.observer import Observer
from vision.tracking.occlusion import Evidence, Explanation
from vision.tracking.track import Track
from vision.tracking.tracker import Visibility

PLACE_MM = 3.0
"""A sticker is held at the right place when it is held within this."""
IN_PLAIN_VIEW, OUT_OF_VIEW = 0.99, 0.5
SETTLED_LOOKS = 3
RECOVERED_LOOKS = 6
COLD_LOOKS = 5
"""A cold start may take so many looks."""


@dataclass(slots=True)
class Course:
    """How one sticker fared so far.

    Attributes:
        pose: Where it lies; everything else is about this place.
        first: The number of the look from which on it was in plain view.
        held: Whether it was held there.
        hidden: Whether something has covered it since.
        back: The number of the look in which it came into view again.
    """

    pose: tuple[float, float, float]
    first: int | None = None
    held: bool = False
    hidden: bool = False
    back: int | None = None


@dataclass(slots=True)
class Score:
    """What one film has shown."""

    times: FilmTimes = field(default_factory=FilmTimes)
    looks: int = 0
    visible: int = 0
    not_held: int = 0
    late: int = 0
    waits: list[int] = field(default_factory=list)
    recoveries: list[int] = field(default_factory=list)
    false_gone: int = 0
    false_tokens: int = 0
    unknown_codes: int = 0
    _courses: dict[Token, Course] = field(default_factory=dict)

    def judge(self, shot: GroundTruthFrame, look: Observation) -> None:
        """Compare a look with the truth about its picture."""
        number, self.looks = self.looks, self.looks + 1
        held = {placement.token: placement for placement in look.table.placements}
        self.false_tokens += len(set(held) - set(DECK))
        self.unknown_codes = max(self.unknown_codes, look.unknown_codes)
        for token, (piece, visible) in shot.lying.items():
            pose = (piece.x_mm, piece.y_mm, piece.rotation_deg)
            course = self._courses.get(token)
            if course is None or course.pose != pose:
                course = self._courses[token] = Course(pose)
            place = held.get(token)
            right = place is not None and math.dist((place.x_mm, place.y_mm), pose[:2]) <= PLACE_MM
            if course.held and not right:
                self.false_gone += 1
                course.held = False
            if visible >= IN_PLAIN_VIEW:
                self._in_view(course, right, number)
            elif course.held and visible < OUT_OF_VIEW:
                course.hidden, course.back = True, None
            if course.hidden and course.back is not None and right and place is not None and place.under is None:
                self.recoveries.append(number - course.back)
                course.hidden = False

    def _in_view(self, course: Course, right: bool, number: int) -> None:
        course.first = number if course.first is None else course.first
        if course.hidden and course.back is None:
            course.back = number
        if right and not course.held:
            self.waits.append(number - course.first + 1)
            course.held = True
        if number >= COLD_LOOKS:
            self.visible += 1
            self.not_held += not right
            self.late += not right and number - course.first >= SETTLED_LOOKS

    @property
    def unrecovered(self) -> int:
        """Stickers in view again for longer than allowed that are not held there, in the open."""
        last = self.looks - 1
        return sum(r > RECOVERED_LOOKS for r in self.recoveries) + sum(
            course.hidden and course.back is not None and last - course.back > RECOVERED_LOOKS
            for course in self._courses.values()
        )


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
    score = Score()
    for look in looks(mode, Observer(LAYOUT, codes(), **CONTROLS.get(control, {})), seed, acts=acts):
        score.times.add(look, baselines=baselines)
        score.judge(look.shot, look.seen)
    return score


def eye(long: bool) -> Iterator[str]:
    """Every figure with its bound, as they come; one film of each mode, or five."""
    for name, figure in _figures(long):
        yield f"eye: {name}: {figure}"


def _figures(long: bool) -> Iterator[Figure]:
    alone_here()  # processor time of all threads is counted; waiting threads would only add to ours
    for mode in CAMERA_MODES:
        scores = []
        for seed in range(1, 6) if long else (1,):
            scores.append(play(mode, seed))
            yield from _named(f"{mode}, film {seed}", figures(mode, scores[-1].times))
            yield from _named(f"{mode}, film {seed}", _total([scores[-1]]))
        if long:
            yield from _named(f"{mode}, all films", ratios(mode, [score.times for score in scores]))
            yield from _named(f"{mode}, all films", _total(scores))
    # The same films must show faults to an eye without its precautions; the gate's up to the hand that rests.
    careless = play("2304x1296", acts=1, baselines=False, control="check").false_tokens
    yield "control, check character ignored: false tokens", told(str(careless), "some", careless > 0)
    hasty = play("2304x1296", acts=8, baselines=False, control="gate").false_gone
    yield "control, covered taken for empty: false gone", told(str(hasty), "some", hasty > 0)


def _named(name: str, figures: Iterator[Figure]) -> Iterator[Figure]:
    for about, value in figures:
        yield f"{name}: {about}", value


def _total(scores: list[Score]) -> Iterator[Figure]:
    visible, missed = sum(t.visible for t in scores), sum(t.not_held for t in scores)
    share = missed / max(visible, 1)
    name = f"visible stickers not held, of {visible:,} after the cold start"
    yield name, told(f"{share:.3%}", "0.2 %", share <= 0.002)
    late = sum(t.late for t in scores)
    yield f"of these visible for more than {SETTLED_LOOKS} pictures", told(str(late), "0", not late)
    waits = [wait for t in scores for wait in t.waits]
    median, most = np.percentile(waits, (50, 99)) if waits else (float("inf"), float("inf"))
    name = f"pictures until confirmed, median and p99 of {len(waits)}"
    yield name, told(f"{median:.0f}, {most:.1f}", "2, 3", median <= 2 and most <= 3)
    recoveries, lost = [r for t in scores for r in t.recoveries], sum(t.unrecovered for t in scores)
    name = f"not recovered within {RECOVERED_LOOKS} pictures after being covered, of {len(recoveries) + lost}"
    yield name, told(f"{lost}, longest {max(recoveries, default=0)}", "0", not lost and bool(recoveries))
    gone, false = sum(t.false_gone for t in scores), sum(t.false_tokens for t in scores)
    yield "false gone or moved", told(str(gone), "0", not gone)
    yield "false tokens among decoys", told(str(false), "0", not false)
    counted = min(t.unknown_codes for t in scores)
    yield "foreign codes counted", told(str(counted), f"{len(DECOYS)}", counted == len(DECOYS))
