"""What people do, as movements of hands and messages of phones; and what a prepared film knows about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.public.table import Seat, Token, Zone


@dataclass(frozen=True, slots=True)
class Carry:
    """A hand brings a piece of the game, a command card or a seat tag somewhere, from wherever it is.

    Attributes:
        by: Whose hand.
        token: Its sticker.
        place: The destination, in the game's terms; ``None`` = off the table.
        beside: A piece that lies there; go as near to it as there is room.
    """

    by: Seat
    token: Token
    place: Zone | None
    beside: Token | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A hand moves a piece that was just carried back to its exact earlier spot, or off the table."""

    by: Seat
    token: Token


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause without hands or movement.

    Attributes:
        lasts_s: At the speed of real people.
        varies: The range of factors by which people differ; ``None`` = they do not.
    """

    lasts_s: float
    varies: tuple[float, float] | None = None


Step = Carry | TakeBack | Wait


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a person does.

    People at a live table set the first four fields. A prepared film sets the others too, for the truth.

    Attributes:
        move: The move: as in the record, or in the game's own form. Needed if it is spoken, or filmed.
        steps: The movements of hands, in order.
        spoken: The move is not visible; it is reported by phone.
        awaits: The piece whose moving or being refused is the referee's response to this deed; ``None`` = any new
            entry is.
        rules: The objections to it; none = lawful.
        points: Those of all seats after it.
        strikes: It takes back the deed before it.
        over: The match ends with it.
        stands: It counts despite objections, until a player reveals them.
        unsaid: It is neither shown nor reported; the next deed implies it.
        lays_table: It sets up the table; the film decides whether that is visible.
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
    """The movements of hands at a live table at this moment; their effect is seen afterwards.

    Attributes:
        steps: In order.
        rest_s: The pause after them, at the speed of real people.
        idle: There has been nothing to do for a while: a player straightens a card, rests a hand or waves.
    """

    steps: tuple[Step, ...] = ()
    rest_s: float = 0.0
    idle: bool = False
