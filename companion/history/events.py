"""What the referee decided, in the past tense; private. One entry is one line of the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from companion.games.protocol import Move
from companion.public.standing import Count
from companion.public.table import CardId, Change, Seat, Zone


class Origin(Enum):
    """Who said so."""

    CAMERA = "camera"
    PHONE = "phone"
    BUTTON = "button"
    CLOCK = "clock"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Played:
    """A move counted when it was made (``dealt`` and ``played`` in the record)."""

    move: Move


@dataclass(frozen=True, slots=True)
class Refused:
    """An unlawful move did not count.

    Attributes:
        change: What the camera saw, until it is settled.
        asks: Instead of a no, people were asked whose turn it is.
    """

    move: Move
    change: Change | None = None
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Allowed:
    """The players let a refused move stand."""

    number: int
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Struck:
    """An entry was undone; ``misread``: because the camera was wrong."""

    number: int
    by: Seat | None = None
    misread: bool = False


@dataclass(frozen=True, slots=True)
class Claimed:
    """An entry's move was made by ``by``."""

    number: int
    by: Seat


@dataclass(frozen=True, slots=True)
class Settled:
    """A refused card was taken back; ``misread``: it never lay there, the camera was wrong."""

    number: int
    by: Seat | None = None
    misread: bool = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """The players counted, or said that the table is right.

    Attributes:
        counts: What they counted, by the counter's name.
        table: What lay where when they said so; ``None`` = they only counted.
    """

    counts: tuple[tuple[str, Count], ...] = ()
    by: Seat | None = None
    table: tuple[tuple[CardId, Zone], ...] | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits where has changed.

    Attributes:
        name: Whoever sits there is called this from now on.
        swaps: The people of these two seats changed places; cards and points stay with the seats.
        here: Somebody sat down there (``True``), or left (``False``).
    """

    seat: Seat
    name: str | None = None
    swaps: Seat | None = None
    here: bool | None = None
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Nothing in the game explains this change: please put it back."""

    change: Change


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """Several moves explain this change."""

    change: Change
    readings: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Paused:
    """Hold on."""

    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """Go on."""

    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The match was closed before its end."""

    by: Seat | None = None


Event: TypeAlias = (
    Played
    | Refused
    | Allowed
    | Struck
    | Claimed
    | Settled
    | Corrected
    | Seated
    | Unexplained
    | QuestionAsked
    | Paused
    | Resumed
    | Ended
)


def undone_numbers(entries: Sequence[Entry]) -> frozenset[int]:
    """The numbers of all entries that were struck by one that was not struck itself."""
    undone: set[int] = set()
    for entry in reversed(entries):
        if isinstance(entry.event, Struck) and entry.number not in undone:
            undone.add(entry.event.number)
    return frozenset(undone)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log.

    Attributes:
        number: From 1 without gaps.
        event: What was decided.
        origin: Who said so.
        time_s: Seconds of play since the deal, going on across restarts; ``None`` where unknown.
        waited_s: Seconds from the look in which the hand left the table to the look that decided this; 0 when the
            hand was still there, ``None`` where no hand led to it.
    """

    number: int
    event: Event
    origin: Origin | None = None
    time_s: float | None = None
    waited_s: float | None = None
