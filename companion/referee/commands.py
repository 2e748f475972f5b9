"""The referee's inputs: observations from the camera, and commands from phones, buttons and the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.protocol import Move
from companion.history.events import Origin
from companion.public.standing import Count
from companion.public.table import CardId, Observation, Seat


@dataclass(frozen=True, slots=True)
class MakeMove:
    """A player reports this move."""

    move: Move
    origin: Origin


@dataclass(frozen=True, slots=True)
class Undo:
    """Strike an entry; ``number`` ``None`` = the last one that can be undone. ``anyway``: even if later ones break."""

    number: int | None = None
    by: Seat | None = None
    origin: Origin = Origin.PHONE
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """ "That card was mine"; ``number`` ``None`` = the last card. ``anyway``: even if later ones break."""

    by: Seat
    number: int | None = None
    origin: Origin = Origin.PHONE
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Allow:
    """Let a refused card stand; ``number`` ``None`` = the last refusal that is still open."""

    number: int | None = None
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class OverruleCamera:
    """The camera was wrong; ``number`` ``None`` = about the last card it saw. ``anyway``: even if later ones
    break.
    """

    number: int | None = None
    by: Seat | None = None
    origin: Origin = Origin.PHONE
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class Resume:
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class CorrectCounts:
    """Set counters to what the players counted, by the counter's name."""

    counts: tuple[tuple[str, Count], ...]
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class ChangeSeat:
    """Change who sits where; the fields are those of the event ``Seated``."""

    seat: Seat
    name: str | None = None
    swaps: Seat | None = None
    here: bool | None = None
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class AcceptTable:
    """Make the cards on the table the new position."""

    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class RestoreTable:
    """List what to move so that the table agrees with the log."""

    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer an open question; ``answer`` is an index into its answers."""

    question: int
    answer: int
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class CloseQuestions:
    """Nobody answers any more: the likeliest answers are taken."""


@dataclass(frozen=True, slots=True)
class CommandCard:
    """A command card was shown, or its button was pressed; ``by`` ``None`` = the seat is unknown."""

    card: CardId
    by: Seat | None = None
    origin: Origin = Origin.BUTTON


@dataclass(frozen=True, slots=True)
class TellTurn:
    """It is this seat's turn now, whatever was missed before."""

    seat: Seat
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class DoneBefore:
    """Before entry ``number`` this was done, and what does not go with it was not."""

    number: int
    move: Move
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class LaidAnew:
    """What was taken off with entry ``number``, and lies there again, was not laid back: this was done."""

    number: int
    moves: tuple[Move, ...]
    origin: Origin = Origin.PHONE


Command: TypeAlias = (
    MakeMove
    | Undo
    | Claim
    | Allow
    | OverruleCamera
    | Pause
    | Resume
    | CorrectCounts
    | ChangeSeat
    | AcceptTable
    | RestoreTable
    | AnswerQuestion
    | CloseQuestions
    | CommandCard
    | TellTurn
    | DoneBefore
    | LaidAnew
)
Input: TypeAlias = Observation | Command
