"""What the eye held in a film against what was drawn, sticker by sticker."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from companion.public.table import Observation, Token
from vision.bench import FilmTimes
from vision.synthetic.films import DECK, GroundTruthFrame

PLACE_MM = 3.0
"""A sticker is held at the right place when it is held within this."""

IN_PLAIN_VIEW, OUT_OF_VIEW = 0.99, 0.5
SETTLED_LOOKS = 3
RECOVERED_LOOKS = 6
COLD_LOOKS = 5
"""A cold start may take so many looks; it is a figure of its own."""


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
