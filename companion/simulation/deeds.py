"""What people do, as hands carry it out and phones say it; and what a film that is told beforehand knows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.public.table import Seat, Token, Zone


@dataclass(frozen=True, slots=True)
class Carry:
    """A hand takes a thing of the game, a command card or a seat tag somewhere, from wherever it is.

    Attributes:
        by: Whose hand.
        token: Its sticker.
        place: Where to, as the game names places; ``None`` = off the table.
        beside: A thing that lies there: as near to that one as there is room.
    """

    by: Seat
    token: Token
    place: Zone | None
    beside: Token | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A hand takes a thing that was just carried back to the very spot where it was before, or off the table."""

    by: Seat
    token: Token


@dataclass(frozen=True, slots=True)
class Wait:
    """Hands are gone, and nothing moves.

    Attributes:
        lasts_s: At the speed of real people.
        varies: By which shares of it people differ, from the shortest to the longest; ``None`` = they do not.
    """

    lasts_s: float
    varies: tuple[float, float] | None = None


Step = Carry | TakeBack | Wait


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that somebody does.

    People at a live table say the first four. A film that is told beforehand knows the rest as well, for the truth.

    Attributes:
        move: The move that it is: as in the record, or the game's own. Needed where it is spoken, or filmed.
        steps: What hands do for it, one after the other.
        spoken: The move cannot be seen; it is said on a phone.
        awaits: The thing whose lying elsewhere, or being refused, is the referee's word on this deed; ``None`` = any
            further entry is.
        rules: The objections to it; none = lawful.
        points: Those of all seats after it.
        strikes: It takes back the deed before it.
        over: The match ends with it.
        stands: It counts although there are objections, until somebody brings them out.
        unsaid: Nobody shows or says it; what comes next tells it.
        lays_table: It lays what lies there from the start; whether it is seen the film decides.
    """

    move: Any = None
    steps: tuple[Step, ...] = ()
    spoken: bool = False
    awaits: Token | None = None
    rules: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    strikes: bool = False
    over: bool = False
    stands: bool = False
    unsaid: bool = False
    lays_table: bool = False


@dataclass(frozen=True, slots=True)
class Errand:
    """What hands do at a live table at this moment; what comes of it is seen afterwards.

    Attributes:
        steps: One after the other.
        rest_s: How long nothing happens after them, at the speed of real people.
        idle: Nobody has had anything to do for a while: somebody straightens a thing, rests a hand or waves.
    """

    steps: tuple[Step, ...] = ()
    rest_s: float = 0.0
    idle: bool = False
