"""Times when the table was out of sight: what happened is unknown, so players are informed and asked."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.games.protocol import Game
from companion.history.record import Record
from companion.public.table import CardId, Change, Observation, Seat
from companion.public.text import Text
from companion.public.updates import Signal
from companion.referee.command_cards import possible_moves
from companion.referee.decisions import Decision
from companion.referee.issues import TableIssues

MISSED_S = 2.0
"""A shorter time out of sight is too short for a turn."""
UNCHANGED_S = 5.0
"""If the table has not changed, a turn has hardly ended within less."""
SETTLED_S = 1.5
"""The table must be in sight this long, without a hand, before it is compared with its earlier state."""

Judging: TypeAlias = Generator[Decision, Record[Any], tuple[Record[Any], bool]]
"""As ``Decisions``; also returns whether the cards on the table may be judged."""


@dataclass
class MissedTime:
    """A time out of sight that has just passed, or still lasts.

    Attributes:
        seen_s: When the table was last in sight; ``None`` before the first time.
        before: The differences between table and log when it went out of sight.
        lasted_s: How long it was out of sight.
        back_s: Since when it is in sight again, without a hand, and not judged yet; ``None`` = it is judged.
    """

    seen_s: float | None = None
    before: frozenset[Change] = frozenset()
    lasted_s: float = 0.0
    back_s: float | None = None

    def lost(self, game: Game[Any, Any], record: Record[Any], issues: TableIssues) -> None:
        """The table has gone out of sight."""
        if self.back_s is None:
            self.before = frozenset(issues.differences(game, record))

    def found(self, game: Game[Any, Any], record: Record[Any], look: Observation) -> Text:
        """The table is in sight again; returns what to announce."""
        lasted_s = 0.0 if self.seen_s is None else look.taken_s - self.seen_s
        begun = bool(record.acts) or bool(game.table.expected(record.public).cards)
        if lasted_s < MISSED_S or not begun or record.paused or record.standing.over:
            return Text("referee.found")
        self.lasted_s = lasted_s if self.back_s is None else self.lasted_s + lasted_s
        self.back_s = look.taken_s
        return Text("referee.missed", {"seconds": round(self.lasted_s)})

    def seen(self, game: Game[Any, Any], record: Record[Any], issues: TableIssues, look: Observation) -> Judging:
        """Take in one look at a table in sight; returns also whether the cards on it may be judged.

        When it has settled, players are asked whose turn it is, if that may have changed. Until they answer, play goes
        on as if the turn had not changed, and players are not blamed for what was missed.
        """
        self.seen_s = look.taken_s
        if self.back_s is None:
            return record, True
        if look.hand_in_view or look.pending:
            self.back_s = look.taken_s
        if look.taken_s - self.back_s < SETTLED_S:
            return record, False
        self.back_s, now = None, frozenset(issues.differences(game, record))
        issues.unseen |= now - self.before
        is_asked = issues.is_turn_unknown  # one answer tells of this time too
        if not is_asked and self._may_have_ended(game, record, changed=now != self.before):
            issues.turn_asked_at = record.next_number
            issues.turn_asked = issues.questions.ask_turn(
                _next_seats(game, record), round(self.lasted_s), issues.turn_asked_at
            )
            text = issues.questions.open[issues.turn_asked[0]].question.text
            record = yield Decision(signal=Signal.ASKS, texts=(text,))
        return record, True

    def _may_have_ended(self, game: Game[Any, Any], record: Record[Any], *, changed: bool) -> bool:
        """Whether a turn may have ended unseen without leaving a trace on the table."""
        ends = possible_moves(game, record, CardId("KEND"), None)
        if game.rules.infers_turns or len(ends) != 1:
            return False
        may_end = self.lasted_s >= UNCHANGED_S and not game.rules.judge(record.public, ends[0], record.next_context())
        return changed or may_end


def _next_seats(game: Game[Any, Any], record: Record[Any]) -> tuple[Seat, ...]:
    """The seats whose turn it may be: the one according to the log first, then those after it."""
    turn, away = record.standing.turn or Seat(1), game.rules.empty_seats(record.public)
    around = (Seat((turn - 1 + step) % game.seats + 1) for step in range(game.seats))
    return tuple(seat for seat in around if seat not in away)
