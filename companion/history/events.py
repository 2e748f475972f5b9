"""The referee's decisions as events, named in the past tense. They are private. One entry is one line of the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from companion.games.protocol import Move
from companion.public.standing import Count
from companion.public.table import CardId, Change, Seat, Zone


class Origin(Enum):
    """Where a decision or a command came from."""

    CAMERA = "camera"
    PHONE = "phone"
    BUTTON = "button"
    CLOCK = "clock"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Played:
    """A move that counted when it was made (``dealt`` or ``played`` in the record)."""

    move: Move


@dataclass(frozen=True, slots=True)
class Refused:
    """An unlawful move, which did not count.

    Attributes:
        change: What the camera saw; ``None`` if it was not the camera.
        asks: Players were asked whose turn it is, instead of a plain refusal.
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
    """The move of an entry was made by ``by``."""

    number: int
    by: Seat


@dataclass(frozen=True, slots=True)
class Settled:
    """A refused card was taken back; ``misread``: it was never there, the camera was wrong."""

    number: int
    by: Seat | None = None
    misread: bool = False


@dataclass(frozen=True, slots=True)
class Corrected:
    """The players corrected counts, or confirmed that the table is right.

    Attributes:
        counts: The new counts, by the counter's name.
        table: The cards and their zones when they confirmed; ``None`` = only counts were corrected.
    """

    counts: tuple[tuple[str, Count], ...] = ()
    by: Seat | None = None
    table: tuple[tuple[CardId, Zone], ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnTold:
    """People said whose turn it was here; what that makes of the acts before are entries of their own."""

    seat: Seat
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Seated:
    """A change of who sits where.

    Attributes:
        name: The new name of the person in this seat.
        swaps: The people in these two seats changed places; cards and points stay with the seats.
        here: A person sat down there (``True``), or left (``False``).
    """

    seat: Seat
    name: str | None = None
    swaps: Seat | None = None
    here: bool | None = None
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A change that no move explains: players are asked to put it back."""

    change: Change


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """Several moves explain this change, and players were asked which."""

    change: Change
    readings: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Paused:
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    by: Seat | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The match was closed before its regular end."""

    by: Seat | None = None


Event: TypeAlias = (
    Played
    | Refused
    | Allowed
    | Struck
    | Claimed
    | Settled
    | Corrected
    | TurnTold
    | Seated
    | Unexplained
    | QuestionAsked
    | Paused
    | Resumed
    | Ended
)


def undone_numbers(entries: Sequence[Entry]) -> frozenset[int]:
    """The numbers of struck entries, unless the entry that struck them was itself struck.

    >>> undone_numbers([Entry(1, Paused()), Entry(2, Struck(1)), Entry(3, Struck(2))])
    frozenset({2})
    """
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
        time_s: Seconds of play since the deal, continued after a restart; ``None`` if unknown.
        waited_s: Seconds from the look in which the hand left the table to the look that decided this; 0 if the hand
            was still there, ``None`` if no hand was involved.
    """

    number: int
    event: Event
    origin: Origin | None = None
    time_s: float | None = None
    waited_s: float | None = None
