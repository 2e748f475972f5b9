"""All that lamps, phones and brokers may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from companion.public.standing import Standing
from companion.public.table import Seat
from companion.public.text import JSON, Text


class Signal(Enum):
    """What happened, as far as a lamp is concerned."""

    RECOGNISED = "recognised"  # a card was seen; in silent games nothing more is ever said
    PLAYED = "played"
    PRIZE = "prize"  # a trump was won
    SUSPECTED = "suspected"  # looks unlawful, the hand is still there
    REFUSED = "refused"  # unlawful, confirmed
    SETTLED = "settled"  # the refused card was taken back; or a question was answered
    ASKS = "asks"
    MISPLACED = "misplaced"  # please put it back
    PAUSED = "paused"
    RESUMED = "resumed"
    LOST = "lost"  # camera or table out of sight
    FOUND = "found"
    CORRECTED = "corrected"  # undo, claim, allow, counts: the score may have changed
    STARTED = "started"
    OVER = "over"
    NOTICE = "notice"  # a word to everybody that is about no card; it displaces nothing
    TROUBLE = "trouble"  # the companion itself cannot go on: disk full, log unwritable


class Alert(Enum):
    """What stays on the lamp until it is dealt with; the worst of what stands."""

    NONE = "none"
    PAUSED = "paused"
    ASKS = "asks"
    REFUSED = "refused"
    DISAGREES = "disagrees"  # the table is not as the log has it; scoring stops until it is
    LOST = "lost"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One of at most three answers to a question; the seats that may give it (empty = anybody)."""

    text: Text
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question that stands open on the phones.

    Attributes:
        number: Names the question when answering; grows with each question.
        text: The question.
        answers: At most three.
    """

    number: int
    text: Text
    answers: tuple[AnswerOption, ...]


@dataclass(frozen=True, slots=True)
class UnreadMark:
    """A place on the table that the eye cannot read, as everybody is shown it.

    Attributes:
        text: What to say about it, with its place in words.
        zone: The zone that it lies in.
        at: Where it is on the field: shares of its width and depth, 0 to 1 from the far left corner.
    """

    text: Text
    zone: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Update:
    """One thing that everybody may know.

    Attributes:
        number: The log entry behind it; ``None`` for what is no entry (suspected, camera lost).
        signal: What happened.
        texts: What to say, the most important first; empty = nothing to say.
        standing: The scoreboard after it; ``None`` before the first match.
        entry: The public entry as in the record, ``None`` where there is none.
        view: The table as a spectator may see it (the game's own shape).
        alert: What stands on the lamp from now on.
        questions: Those that stand open from now on.
        instructions: What to move so that the table is as the log has it, while that list is shown.
        match: The id of the match that it belongs to; ``None`` where it belongs to none.
        unread: The places that cannot be read from now on.
    """

    number: int | None
    signal: Signal
    texts: tuple[Text, ...] = ()
    standing: Standing | None = None
    entry: Mapping[str, JSON] | None = None
    view: JSON = field(default=None)
    alert: Alert = Alert.NONE
    questions: tuple[Question, ...] = ()
    instructions: tuple[Text, ...] = ()
    match: str | None = None
    unread: tuple[UnreadMark, ...] = ()
