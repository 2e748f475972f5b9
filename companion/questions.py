"""Questions that stand open on the phones: what is asked, and what each answer says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.game import Text
from companion.messages import Said
from companion.news import Answer, Asked
from companion.table import Change

MOST_ANSWERS = 3


@dataclass(frozen=True, slots=True)
class Open:
    """One open question.

    Attributes:
        meanings: For each answer, what giving it says.
        change: The difference that it is about; with it the question falls away.
        until: The entry with which it falls away, whatever that is; ``None`` = only with the difference.
    """

    asked: Asked
    meanings: tuple[tuple[Said, ...], ...]
    change: Change
    until: int | None = None


@dataclass
class Questions:
    """All open questions, by number; numbers are not used again."""

    open: dict[int, Open] = field(default_factory=dict)
    _last: int = 0

    def ask(
        self, text: Text, answers: Sequence[tuple[Answer, tuple[Said, ...]]], change: Change, until: int | None = None
    ) -> None:
        """Open a question."""
        self._last += 1
        answers = answers[:MOST_ANSWERS]
        asked = Asked(self._last, text, tuple(answer for answer, _ in answers))
        self.open[self._last] = Open(asked, tuple(meaning for _, meaning in answers), change, until)

    def drop(self, change: Change) -> None:
        """Nothing is left to ask about this difference."""
        self.open = {number: question for number, question in self.open.items() if question.change != change}

    def outgrow(self, number: int) -> None:
        """The log has reached this entry."""
        self.open = {n: asked for n, asked in self.open.items() if asked.until is None or asked.until > number}

    @property
    def asked(self) -> tuple[Asked, ...]:
        """For the phones."""
        return tuple(question.asked for question in self.open.values())

    @property
    def changes(self) -> frozenset[Change]:
        """What they are about."""
        return frozenset(question.change for question in self.open.values())
