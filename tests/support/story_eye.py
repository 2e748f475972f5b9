"""An eye that keeps its laws and is no better than they ask: it says what was drawn, as late as it may.

The referee must keep its own laws whatever such an eye says. No picture is drawn for it, so a story takes a moment.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from support.story_tables import StoryTable

from companion.public.table import Observation, Placement, Point, TableState, Token, UnreadPlace, ViewLost
from vision.synthetic.compositing import DrawnCard

if TYPE_CHECKING:
    from support.story_film import Seen

UNCOVERED, HALF, WHOLE = 0.6, 0.5, 0.97
"""The share of a code that is enough to read it, to mark it, and of a place to see that it is empty."""
LATE_S = (0.0, 0.0, 0.2, 0.6, 1.3)
"""It reads a code so long after it could; the laws allow a second and a half."""
GONE_S = (0.3, 0.6, 1.8)
"""It says so long after it could that a place is empty; they allow two seconds."""
MARKED_S = (1.2, 1.6)
"""It marks so long after it could; they allow ten seconds, but nothing may be refused meanwhile."""
OPENS_S = (0.0, 0.5, 2.0)
"""It reads nothing for so long after it was started, or the camera was knocked; they allow two and a half."""
SAME_MM, SHOVED_MM = 3.0, 30.0
"""What has moved by less than the first lies where it lay; by less than the second, it is read anew and never gone."""
BESIDE = 0.25
"""A camera that looks past the middle of the table by this share of it shows too few of its tags."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one picture would show.

    Attributes:
        lying, left, veils: As ``Shot`` has them.
        hands: Whether there are any.
        lost: Why nothing can be seen, if so.
        blurred: Nothing can be read, and no place is seen to be empty.
    """

    taken_s: float
    lying: Mapping[Token, Seen]
    left: Mapping[Token, tuple[Seen, ...]]
    veils: Collection[tuple[float, float, float, bool]]
    hands: bool
    lost: ViewLost | None
    blurred: bool


@dataclass(slots=True)
class LawfulEye:
    """Says what is to be seen.

    Args:
        dice: Decides how late it is.
        remembered: What lay there when an earlier one stopped.

    Attributes:
        said: What it last said of the table.
    """

    table: StoryTable
    dice: np.random.Generator
    remembered: TableState | None = None
    said: TableState = TableState()
    _number: int = 0
    _known: dict[Token, DrawnCard] = field(default_factory=dict)
    _before: Mapping[Token, DrawnCard] = field(default_factory=dict)
    _due_s: dict[tuple[str, Token, float, float], float] = field(default_factory=dict)
    _first: Mapping[Token, DrawnCard] | None = None
    _opens_s: float | None = None
    _left_s: dict[Token, float] = field(default_factory=dict)
    _marks: dict[Token, UnreadPlace] = field(default_factory=dict)
    _marked: dict[Token, DrawnCard] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for one in self.remembered.placements if self.remembered else ():
            self._known[one.token] = DrawnCard(one.token, one.x_mm, one.y_mm, one.rotation_deg)
        self.said = self.remembered or self.said

    def look(self, sight: Sight) -> Observation:
        """What it says of a picture."""
        self._number += 1
        now_s = sight.taken_s
        ours = {token: seen for token, seen in sight.lying.items() if token in self.table.codes.texts}
        if sight.lost is not None:
            self._before = {}
            return Observation(self._number, now_s, self.said, settled=False, lost=sight.lost)
        if self._opens_s is None:
            self._opens_s = now_s + float(self.dice.choice(OPENS_S))
        if self._first is None:
            self._first = {token: seen.piece for token, seen in ours.items()}
        at_rest = {token for token, seen in ours.items() if self._before.get(token) == seen.piece}
        moves = sight.hands or len(at_rest) < len(ours) or len(self._before) > len(ours)
        self._before = {token: seen.piece for token, seen in ours.items()}
        pending = now_s <= self._opens_s
        for token in sorted(at_rest):
            pending |= self._reads(ours[token], sight)
        for token in [token for token, mark in self._marks.items() if not _lies_at(mark, ours.get(token))]:
            if (
                not sight.hands
                and not sight.blurred
                and self._is_due("unmarked", self._marked[token], now_s, GONE_S[:2])
            ):
                self._forgets("unmarked", self._marked[token])
                del self._marks[token]
        for token in sorted(self._known.keys() & sight.left.keys()):
            for place in sight.left[token]:
                self._loses(place, ours.get(token), sight)
        shown = [
            token
            for token, seen in ours.items()
            if token in self._known and _apart(self._known[token], seen.piece) < SAME_MM and seen.visible >= UNCOVERED
        ]
        self._left_s = {token: s for token, s in self._left_s.items() if token not in self._known and now_s - s < 30.0}
        self.said = self._state(ours)
        return Observation(
            self._number,
            now_s,
            self.said,
            settled=not moves,
            hand_in_view=sight.hands,
            pending=pending,
            there_first=frozenset(
                token
                for token, piece in self._known.items()
                if token in self._first and _apart(self._first[token], piece) < SAME_MM
            ),
            left_s=dict(self._left_s),
            unread=tuple(self._marks.values()),
            shown=frozenset(shown),
        )

    def is_knocked(self) -> None:
        """The camera looks from elsewhere."""
        self._opens_s = None

    def _is_due(self, what: str, piece: DrawnCard, now_s: float, late_s: Iterable[float]) -> bool:
        """Whether it may say so by now; how late it is is drawn when it first could."""
        key = what, piece.token, piece.x_mm, piece.y_mm
        if key not in self._due_s:
            self._due_s[key] = now_s + float(self.dice.choice(list(late_s)))
        return now_s >= self._due_s[key]

    def _forgets(self, what: str, piece: DrawnCard) -> None:
        self._due_s.pop((what, piece.token, piece.x_mm, piece.y_mm), None)

    def _reads(self, seen: Seen, sight: Sight) -> bool:
        """Read what lies at rest, or mark it; returns whether that may still be done."""
        piece, token, now_s = seen.piece, seen.piece.token, sight.taken_s
        known = self._known.get(token)
        if known is not None and _apart(known, piece) < SAME_MM:
            self._marks.pop(token, None)
            self._forgets("gone", piece)
            return False
        can_be_read = seen.visible >= UNCOVERED and not sight.blurred and not _is_veiled(sight, piece)
        if can_be_read:
            assert self._opens_s is not None
            if now_s < self._opens_s or not self._is_due("read", piece, now_s, LATE_S):
                return True
            self._forgets("read", piece)
            self._known[token] = piece
            self._marks.pop(token, None)
            return False
        self._forgets("read", piece)
        zone = self.table.layout.zone_at(piece.x_mm, piece.y_mm)
        if seen.visible < HALF or sight.hands or sight.blurred or zone is None or token in self._marks:
            return False
        if not self._is_due("marked", piece, now_s, MARKED_S):
            return True
        width, height = self.table.size_mm
        at = piece.x_mm / width, piece.y_mm / height
        self._marks[token], self._marked[token] = UnreadPlace(zone, piece.x_mm, piece.y_mm, at), piece
        self._forgets("marked", piece)
        return False

    def _unmarks(self, ours: Mapping[Token, Seen], sight: Sight) -> None:
        """A mark goes with its thing."""
        if sight.hands or sight.blurred:
            return
        for token in [token for token, mark in self._marks.items() if not _lies_at(mark, ours.get(token))]:
            if self._is_due("unmarked", self._marked[token], sight.taken_s, GONE_S[:2]):
                self._forgets("unmarked", self._marked[token])
                del self._marks[token]

    def _loses(self, place: Seen, now: Seen | None, sight: Sight) -> None:
        """What is known to lie where a place is seen to be empty has gone."""
        token = place.piece.token
        known = self._known.get(token)
        if known is None or _apart(known, place.piece) >= SAME_MM:
            return
        if now is not None and _apart(now.piece, known) < SHOVED_MM:
            return
        if place.visible < WHOLE or sight.blurred or _is_veiled(sight, place.piece):
            self._forgets("gone", place.piece)
        elif self._is_due("gone", place.piece, sight.taken_s, GONE_S):
            self._forgets("gone", place.piece)
            del self._known[token]
            self._left_s[token] = sight.taken_s

    def _state(self, ours: Mapping[Token, Seen]) -> TableState:
        return TableState(
            frozenset(
                Placement(
                    token,
                    self.table.layout.zone_at(piece.x_mm, piece.y_mm),
                    piece.x_mm,
                    piece.y_mm,
                    piece.rotation_deg,
                    self._above(token, ours),
                )
                for token, piece in self._known.items()
            )
        )

    def _above(self, token: Token, ours: Mapping[Token, Seen]) -> Token | None:
        """What lies over a thing that is not to be seen any more."""
        seen = ours.get(token)
        if seen is None or seen.visible >= UNCOVERED:
            return None
        over = [
            (_apart(other.piece, seen.piece), name)
            for name, other in ours.items()
            if name in self._known and other.piece.z_mm > seen.piece.z_mm
        ]
        nearest = min(over, default=(math.inf, None))
        return nearest[1] if nearest[0] < self.table.reach_mm else None


def looks_past(aim_mm: Point, size_mm: Point) -> bool:
    """Whether a camera looks so far past the middle of the table that it is lost."""
    return any(abs(aim) > BESIDE * size for aim, size in zip(aim_mm, size_mm, strict=True))


def _lies_at(mark: UnreadPlace, seen: Seen | None) -> bool:
    return seen is not None and math.dist((seen.piece.x_mm, seen.piece.y_mm), (mark.x_mm, mark.y_mm)) < SAME_MM


def _apart(one: DrawnCard, other: DrawnCard) -> float:
    return math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm))


def _is_veiled(sight: Sight, piece: DrawnCard) -> bool:
    return any(math.dist((piece.x_mm, piece.y_mm), (x, y)) < radius for x, y, radius, _ in sight.veils)
