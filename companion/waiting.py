"""How long people wait for a verdict after the hand has left the table."""

from __future__ import annotations

from dataclasses import dataclass

from companion.events import Event, Played, Question, Refused, Unexplained
from companion.table import Look


@dataclass(slots=True)
class Hand:
    """How long ago the hand left the table that led to a verdict.

    Attributes:
        waited_s: Seconds from the look in which it left to the last look; 0 while it is still there, ``None``
            when it was answered already, or nobody saw it leave.
    """

    waited_s: float | None = None
    _there: bool = False
    _left_s: float = 0.0

    def look(self, look: Look) -> None:
        """Take in one look."""
        if look.lost is not None:
            self._there, self.waited_s = False, None
        elif look.hand_in_view or self._there:
            self._there, self._left_s, self.waited_s = look.hand_in_view, look.taken_s, 0.0
        elif self.waited_s is not None:
            self.waited_s = look.taken_s - self._left_s

    def answered(self) -> None:
        """What comes later was not waited for since this hand left."""
        self.waited_s = 0.0 if self._there else None


def is_verdict(event: Event) -> bool:
    """A card led to it, and somebody waits for it."""
    if isinstance(event, (Refused, Question, Unexplained)):
        return True
    return isinstance(event, Played) and hasattr(event.move, "card") and event.move.by != 0
