"""What lies on the table, and how one look at it differs from another.

Everything the eye hands to the referee is defined here, in plain values: the eye knows
stickers, zones and millimetres, and nothing of any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NewType, TypeVar

T = TypeVar("T")

Token = NewType("Token", str)
"""What a sticker says between its two letters and its check character: ``C18``, ``KEND``, ``S2``."""

CardId = NewType("CardId", str)
"""A thing of the game as rule book and record write it: ``1-8``, ``J1``; command cards keep their token."""

Seat = NewType("Seat", int)
"""A place at the table, counted from 1; 0 is the table itself."""

Zone = NewType("Zone", str)
"""A named part of the table: ``commands``, or what a game calls its own; also what a game makes of one (a cell)."""

TABLE = Seat(0)

COMMAND_ZONE = Zone("commands")
"""Where command cards and seat tags are shown, in every layout (contract, section 4)."""
LOOSE = Zone("loose")
"""Where a thing lies that is in the game's field and in no place there that could be told."""
COMMAND_CARDS = frozenset(Token(name) for name in ("KEND", "KPASS", "KSTOP", "KUNDO", "KPAUSE", "KGO", "KBUY"))
SEAT_TAGS = {Token(f"S{seat}"): Seat(seat) for seat in range(1, 10)}

Point = tuple[float, float]


def side_of(across: float, down: float) -> str:
    """A place on the field in words, from shares of its width and depth, as seen from seat 1.

    >>> side_of(0.5, 0.5), side_of(0.9, 0.1)
    ('middle', 'far-right')
    """
    parts = ("far", "", "near")[min(2, int(3 * down))], ("left", "", "right")[min(2, int(3 * across))]
    return "-".join(filter(None, parts)) or "middle"


def with_seat(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """A tuple by seat with another value for one seat.

    >>> with_seat((3, 5, 8), Seat(2), 0)
    (3, 0, 8)
    """
    return (*values[: seat - 1], value, *values[seat:])


@dataclass(frozen=True, slots=True)
class Placement:
    """One sticker at rest.

    Two placements are equal when the same token lies in the same zone; where exactly is pose.

    Attributes:
        token: What the sticker says.
        zone: The zone that holds the sticker's centre; ``None`` outside every zone.
        x_mm, y_mm: The sticker's centre in table millimetres (x right, y towards the near edge).
        rotation_deg: Clockwise, 0 when the code's top points to the far edge.
        under: The token lying on top of it, when the eye saw it being covered.
    """

    token: Token
    zone: Zone | None
    x_mm: float = field(default=0.0, compare=False)
    y_mm: float = field(default=0.0, compare=False)
    rotation_deg: float = field(default=0.0, compare=False)
    under: Token | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TableState:
    """All stickers that lie on the table; a token lies once."""

    placements: frozenset[Placement] = frozenset()

    def zones(self) -> dict[Token, Zone]:
        """Token to zone, for everything that lies in a zone."""
        return {p.token: p.zone for p in self.placements if p.zone is not None}


class ViewLost(Enum):
    """Why the eye cannot judge the table now."""

    CAMERA = "camera"  # no fresh picture
    TABLE = "table"  # pictures, but the tags of the table are not where they were
    DARK = "dark"  # too dark or too bright to read anything


@dataclass(frozen=True, slots=True)
class UnreadPlace:
    """Something lies there at rest, looks like a sticker, and could not be read by any means.

    Attributes:
        zone: The zone that it lies in.
        x_mm, y_mm: Its middle in table millimetres; it stays the same for as long as the place is not read.
        at: The same as shares of the field's width and depth, 0 to 1 from the far left corner.
        stirred: Something has moved there, and whether it is read now is not known yet.
    """

    zone: Zone
    x_mm: float
    y_mm: float
    at: Point
    stirred: bool = field(default=False, compare=False)

    @property
    def side(self) -> str:
        """Where on the field that is, as seen from seat 1.

        >>> UnreadPlace(Zone("left-half"), 90.0, 300.0, (0.1, 0.5)).side
        'left'
        """
        return side_of(*self.at)


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the table, settled or not.

    Attributes:
        number: Counts the looks of one eye from 1.
        taken_s: Monotonic seconds at which the picture was taken.
        table: What is held to lie there. A covered or moving card keeps its last place; a card
            leaves the table only after its place was seen through, empty.
        settled: Nothing moves in the picture.
        hand_in_view: Something larger than a card covers part of the table. What has only rested there while another
            hand was busy does not count.
        lost: Set while the eye cannot judge; the table is then the last one known.
        pending: Something that changed lies at rest and may still be read; what it says will come.
        unknown_codes: How many codes in view are none of ours.
        duplicates: Tokens seen in two places at once.
        there_first: Of what lies there, what lay there in the first picture already, however late it was read.
        left_s: What has left the table lately, and when its place was first seen empty, which it takes some looks to be
            certain of.
        unread: The places in zones where something like a sticker lies that cannot be read. They depend on the picture
            alone: never on what would be lawful there.
    """

    number: int
    taken_s: float
    table: TableState
    settled: bool = True
    hand_in_view: bool = False
    lost: ViewLost | None = None
    pending: bool = False
    unknown_codes: int = 0
    duplicates: frozenset[Token] = frozenset()
    there_first: frozenset[Token] = frozenset()
    left_s: Mapping[Token, float] = field(default_factory=dict)
    unread: tuple[UnreadPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between what should lie on the table and what does.

    Attributes:
        card: The card, or a command card's or seat tag's own token.
        came_from: Where it should lie; ``None`` = in no zone (a hand, the stack, put away).
        went_to: Where it lies; ``None`` = in no zone.
    """

    card: CardId
    came_from: Zone | None
    went_to: Zone | None


@dataclass(frozen=True, slots=True)
class Expected:
    """What should lie face up now.

    Attributes:
        cards: Card to zone.
        may_be_hidden: Those of them that other cards may cover, so that not seeing them says nothing.
    """

    cards: Mapping[CardId, Zone]
    may_be_hidden: frozenset[CardId] = frozenset()


def changes(expected: Expected, lying: Mapping[CardId, Zone]) -> tuple[Change, ...]:
    """Every difference between what should lie there and what does, in a fixed order."""
    differences = [
        Change(card, expected.cards.get(card), zone) for card, zone in lying.items() if expected.cards.get(card) != zone
    ]
    differences += [
        Change(card, zone, None)
        for card, zone in expected.cards.items()
        if card not in lying and card not in expected.may_be_hidden
    ]
    return tuple(sorted(differences, key=lambda change: (change.went_to or "", change.card)))
