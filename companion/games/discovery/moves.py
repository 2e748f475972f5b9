"""Every move of Discovery, in the form of the record (contract section 7).

``unseen`` marks a card that was only announced, in a silent game: whether it is in the pile already must not be known
until a Stop (L).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from companion.errors import InputError, fault
from companion.games.protocol import CardMove, LayingMove, Move, PlainMove
from companion.public.table import CardId, Seat, Zone

_SOURCES = frozenset(("hand", "pool", "called", *(f"discard-{seat}" for seat in range(1, 10))))


def _check_source(source: str) -> None:
    """Check that a move names a place of the game.

    Raises:
        InputError: It does not.
    """
    if source not in _SOURCES:
        raise InputError(
            fault("move.fault.from", "{value} is none of hand, pool, called, discard-1 …", "from", value=repr(source))
        )


def _zone(source: str) -> Zone | None:
    return None if source in ("hand", "called") else Zone(source)


@dataclass(frozen=True, slots=True)
class Deal(PlainMove):
    """Five cards are face up in the pool (A3). Empty: they are unknown."""

    do: ClassVar[str] = "deal"
    by: Seat
    pool: tuple[CardId, ...]

    @property
    def is_deal(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Place(LayingMove):
    """A card is placed in the tree (C1). ``source``: ``hand``, ``pool``, ``discard-N`` or ``called``.

    Attributes:
        new_series: A new series although the card is linked (C6).
        asked: The card that was asked from a team-mate this turn (I2).
    """

    do: ClassVar[str] = "place"
    by: Seat
    card: CardId
    source: str = field(metadata={"key": "from"})
    new_series: bool = False
    asked: bool = False
    unseen: bool = False

    def __post_init__(self) -> None:
        _check_source(self.source)

    @property
    def origin_zone(self) -> Zone | None:
        """A discard or the pool; a hand is not a zone, and a called card is in none."""
        return _zone(self.source)


@dataclass(frozen=True, slots=True)
class Joker(PlainMove):
    """A joker in its player's own turn: in the tree as ``stands_for``, or beside it for a trump (H)."""

    do: ClassVar[str] = "joker"
    by: Seat
    joker: CardId
    source: str = field(metadata={"key": "from"})
    stands_for: CardId | None = field(default=None, metadata={"key": "as"})
    new_series: bool = False
    unseen: bool = False

    def __post_init__(self) -> None:
        _check_source(self.source)

    @property
    def laid(self) -> CardId:
        """The joker."""
        return self.joker

    @property
    def origin_zone(self) -> Zone | None:
        """A discard or the pool; a hand is not a zone, and a called card is in none."""
        return _zone(self.source)


@dataclass(frozen=True, slots=True)
class Interrupt(PlainMove):
    """A joker in another seat's turn: an extra turn at once (O)."""

    do: ClassVar[str] = "interrupt"
    by: Seat
    joker: CardId
    unseen: bool = False

    @property
    def laid(self) -> CardId:
        """The joker."""
        return self.joker


@dataclass(frozen=True, slots=True)
class Refill(LayingMove):
    """The card that came from the stack into the pool becomes known (B2)."""

    do: ClassVar[str] = "refill"
    by: Seat
    card: CardId
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Discard(LayingMove):
    """A hand card is put on one's own discard: owed, due, or as a trump (D3, F9)."""

    do: ClassVar[str] = "discard"
    by: Seat
    card: CardId
    trump: bool = False
    asked: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Steal(PlainMove):
    """A card is taken blindly from another hand: owed, or as a trump (E1, F7)."""

    do: ClassVar[str] = "steal"
    by: Seat
    source: Seat = field(metadata={"key": "from"})
    trump: bool = False


@dataclass(frozen=True, slots=True)
class Exchange(PlainMove):
    """A card is stolen and another one given for it (F8)."""

    do: ClassVar[str] = "exchange"
    by: Seat
    source: Seat = field(metadata={"key": "from"})


@dataclass(frozen=True, slots=True)
class Ask(PlainMove):
    """A team-mate gives a card of their choice (I1)."""

    do: ClassVar[str] = "ask"
    by: Seat
    source: Seat = field(metadata={"key": "from"})


@dataclass(frozen=True, slots=True)
class Call(CardMove):
    """A card is called by its name (G). ``holder``: who had it; 0 = no answer."""

    do: ClassVar[str] = "call"
    by: Seat
    card: CardId
    holder: Seat


@dataclass(frozen=True, slots=True)
class Announce(PlainMove):
    """An era is announced as ``open`` or ``closed`` (K11)."""

    do: ClassVar[str] = "announce"
    by: Seat
    era: int
    what: str


@dataclass(frozen=True, slots=True)
class Stop(PlainMove):
    """An act is contested (K1-K3); without a number the last contestable one."""

    do: ClassVar[str] = "stop"
    by: Seat
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Verify(PlainMove):
    """The stopped player looks (K5, K7). ``found`` only if players verified by hand."""

    do: ClassVar[str] = "verify"
    by: Seat
    found: bool | None = None


@dataclass(frozen=True, slots=True)
class Concede(PlainMove):
    """The stopped player does not look (K6)."""

    do: ClassVar[str] = "concede"
    by: Seat


@dataclass(frozen=True, slots=True)
class Uncontested(PlainMove):
    """The time to contest an entry is over (K2)."""

    do: ClassVar[str] = "uncontested"
    by: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Pass(PlainMove):
    """No placement, no discard, no draw (A8)."""

    do: ClassVar[str] = "pass"
    by: Seat


@dataclass(frozen=True, slots=True)
class EndTurn(PlainMove):
    """The turn is over (D)."""

    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class AgreeEnd(PlainMove):
    """All players agree that nothing more will happen (N4)."""

    do: ClassVar[str] = "agree_end"
    by: Seat


@dataclass(frozen=True, slots=True)
class Flip(LayingMove):
    """A bot's next card is turned over; the rules do the rest (J)."""

    do: ClassVar[str] = "flip"
    by: Seat
    card: CardId
    unseen: bool = False


MOVES: Mapping[str, type[Move]] = MappingProxyType(
    {
        kind.do: kind
        for kind in (
            Deal,
            Place,
            Joker,
            Interrupt,
            Refill,
            Discard,
            Steal,
            Exchange,
            Ask,
            Call,
            Announce,
            Stop,
            Verify,
            Concede,
            Uncontested,
            Pass,
            EndTurn,
            AgreeEnd,
            Flip,
        )
    }
)
"""Every move by its name in the record."""

HIDEABLE = (Place, Joker, Interrupt, Refill, Discard, Flip)
"""The moves that can be announced without seeing whether their card is in the pile."""
