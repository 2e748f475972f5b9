"""Everything that lamps, phones and brokers may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from companion.public.standing import Standing
from companion.public.table import CardId, Seat
from companion.public.text import JSON, Text


class Signal(Enum):
    """What happened, for the lamp."""

    RECOGNISED = "recognised"  # a card was seen; silent games give no other signal
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
    NOTICE = "notice"  # an announcement without a card; it replaces nothing
    TROUBLE = "trouble"  # the companion itself cannot go on: disk full, log unwritable


class Alert(Enum):
    """What the lamp shows until it is dealt with; the most serious open issue."""

    NONE = "none"
    PAUSED = "paused"
    ASKS = "asks"
    REFUSED = "refused"
    DISAGREES = "disagrees"  # table and log differ; scoring is suspended
    LOST = "lost"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One of at most three answers to a question, and the seats that may give it (empty = all)."""

    text: Text
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """An open question on the phones.

    Attributes:
        number: Identifies the question in answers; grows with each question.
        answers: At most three.
        hangs: What counts since hangs on the answer: until then the standing is provisional.
    """

    number: int
    text: Text
    answers: tuple[AnswerOption, ...]
    hangs: bool = False


@dataclass(frozen=True, slots=True)
class UnreadMark:
    """A place on the table that cannot be read, as pages show it.

    Attributes:
        text: The announcement, with the place in words.
        at: Its place on the field: shares of width and depth, 0 to 1 from the far left corner.
    """

    text: Text
    zone: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class OfferedCorrection:
    """A correction of one entry that can be made now, at most one of each kind. The host may make every one of them.

    Attributes:
        do: ``undo``, ``claim``, ``allow`` or ``camera-was-wrong``, as in ``POST /corrections``.
        number: The entry. An undo of it takes back exactly what ``text`` says.
        text: What the entry did, in words.
        by: The seat whose act it is now; ``None`` for an entry without a move, such as a count.
        card: What the act was about; ``None`` without a card.
        seats: The seats that may make it without the host; for a claim, those whose card it may have been.
    """

    do: str
    number: int
    text: Text
    by: Seat | None = None
    card: CardId | None = None
    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Update:
    """One piece of public news.

    Attributes:
        number: The log entry behind it; ``None`` if it is not an entry (suspected, camera lost).
        texts: What to announce, the most important first; may be empty.
        standing: The scoreboard after it; ``None`` before the first match.
        entry: The public entry as in the record, if it is one.
        view: The table as a spectator may see it (its form depends on the game).
        alert: What the lamp shows from now on.
        questions: The open questions from now on.
        instructions: What to move so that the table agrees with the log, while that list is shown.
        match: The id of its match; ``None`` if it belongs to none.
        unread: The unreadable places from now on.
        corrections: What can be corrected from now on.
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
    corrections: tuple[OfferedCorrection, ...] = ()
