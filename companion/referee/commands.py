"""What reaches the referee: looks of the eye, words of phones, buttons and the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.protocol import Move
from companion.history.events import Origin
from companion.public.standing import Count
from companion.public.table import CardId, Observation, Seat


@dataclass(frozen=True, slots=True)
class MakeMove:
    """Somebody says that this move was made."""

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
    """That card was mine; ``number`` ``None`` = the last card. ``anyway``: even if later ones break."""

    by: Seat
    number: int | None = None
    origin: Origin = Origin.PHONE
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Allow:
    """Let a refused card stand; ``number`` ``None`` = the last refusal still open."""

    number: int | None = None
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class OverruleCamera:
    """The camera was wrong; ``number`` ``None`` = about the last card that it saw. ``anyway``: even if later ones
    break."""

    number: int | None = None
    by: Seat | None = None
    origin: Origin = Origin.PHONE
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """Hold on."""

    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on."""

    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class CorrectCounts:
    """We counted."""

    counts: tuple[tuple[str, Count], ...]
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class ChangeSeat:
    """Who sits where has changed; as the event ``Seated``."""

    seat: Seat
    name: str | None = None
    swaps: Seat | None = None
    here: bool | None = None
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class AcceptTable:
    """Take what lies there as the position."""

    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class RestoreTable:
    """Show what to move so that the table is as the log has it."""

    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """An answer to an open question, by its place in the list."""

    question: int
    answer: int
    by: Seat | None = None
    origin: Origin = Origin.PHONE


@dataclass(frozen=True, slots=True)
class CommandCard:
    """A command card was shown, or the button that says the same was pressed; ``by`` ``None`` = nobody said whose."""

    card: CardId
    by: Seat | None = None
    origin: Origin = Origin.BUTTON


@dataclass(frozen=True, slots=True)
class TellTurn:
    """It is this seat's turn now, whatever was not seen before."""

    seat: Seat
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
    | CommandCard
    | TellTurn
)
Input: TypeAlias = Observation | Command
