"""Decisions, and those that follow from both commands and observations: refuse, ask, correct.

A function that decides is a generator. It yields one decision at a time and is sent the record that includes it, so
each decision is based on everything known; it returns the last record that it was sent.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from companion.games.protocol import Game, Move
from companion.history.corrections import why_broken
from companion.history.events import Event, Origin, Played, QuestionAsked, Refused
from companion.history.record import Record
from companion.public.table import Change, changes
from companion.public.text import Text
from companion.public.updates import AnswerOption, Signal
from companion.referee.commands import MakeMove
from companion.referee.early import mended, state_after
from companion.referee.issues import TableIssues
from companion.referee.questions import move_parameters


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: entries to be written to the log together, and what to announce.

    Attributes:
        events: For the log, in order; may be empty.
        signal: Replaces the signal of the last entry; ``None`` = keep it.
        texts: Are added to the texts of the last entry.
    """

    events: tuple[Event, ...] = ()
    origin: Origin = Origin.CAMERA
    signal: Signal | None = None
    texts: tuple[Text, ...] = ()


Decisions: TypeAlias = Generator[Decision, Record[Any], Record[Any]]


def refuse(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    move: Move,
    change: Change | None,
    origin: Origin,
    time_s: float | None,
) -> Decision:
    """Refuse a move; if only an end of turn was forgotten, record it, or ask whether the turn was over."""
    mend = mended(game, issues, record, move, record.next_context(time_s))
    if not mend:
        return Decision((Refused(move, change),), origin)
    if game.rules.infers_turns:
        return pass_on(game, issues, record, mend, change, origin, time_s)
    question = issues.questions.ask_whose_turn(mend, change)
    return Decision((Refused(move, change, asks=True),), origin, Signal.ASKS, (question,))


def pass_on(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    moves: Sequence[Move],
    change: Change | None,
    origin: Origin,
    time_s: float | None,
    taken_back: int | None = None,
) -> Decision:
    """Record ends of turns that were not announced, and the act that showed them.

    Each can be contested until the next act.

    Args:
        taken_back: The act that was only taken back, if the turn is not over.
    """
    if change is not None:
        issues.reported.discard(change)
    after = state_after(game, record.state, moves, record.next_context(time_s))
    goes_on = after is None or game.board.standing(game.public(after)).turn is not None
    texts = issues.questions.announce_passed_turn(moves, change, record.next_number, goes_on, taken_back)
    return Decision(tuple(Played(part) for part in moves), origin, texts=texts)


def ask_which(game: Game[Any, Any], issues: TableIssues, change: Change, moves: tuple[Move, ...]) -> Decision:
    """Several moves explain this change: ask which one it was."""
    question = Text("referee.which", {"card": change.card})
    answers = [
        (
            AnswerOption(Text(f"{game.name}.reading.{move.do}", move_parameters(move, nth))),
            (MakeMove(move, Origin.PHONE),),
        )
        for nth, move in enumerate(moves, 1)
    ]
    issues.questions.ask(question, answers, change)
    return Decision((QuestionAsked(change, moves),), signal=Signal.ASKS, texts=(question,))


def correct(
    game: Game[Any, Any],
    issues: TableIssues,
    record: Record[Any],
    events: tuple[Event, ...],
    origin: Origin,
    time_s: float | None,
    *,
    anyway: bool = False,
) -> Decisions:
    """Append a correction if the match stays valid, or ``anyway``.

    Cards that it leaves in the wrong place count as reported.
    """
    why = why_broken(game, record, events, time_s)
    if why is not None and not (anyway and why.key == "referee.would_break"):
        return (yield Decision(origin=origin, signal=Signal.CORRECTED, texts=(why,)))
    before = game.table.expected(record.public)
    record = yield Decision(events, origin)
    left = changes(game.table.expected(record.public), before.cards)
    issues.reported |= {change for change in left if issues.lying.get(change.card) == change.went_to}
    return record
