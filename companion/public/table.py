"""What lies on the table, and how one look at it differs from another.

Everything that the camera's process sends to the referee is defined here, in plain values: it knows stickers, zones
and millimetres, and nothing about games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NewType, TypeVar

T = TypeVar("T")

Token = NewType("Token", str)
"""A sticker's text between its two letters and its check character: ``C18``, ``KEND``, ``S2``."""

CardId = NewType("CardId", str)
"""A card or piece as in rule book and record: ``1-8``, ``J1``; command cards keep their token."""

Seat = NewType("Seat", int)
"""A place at the table, counted from 1; 0 is the table itself."""

Zone = NewType("Zone", str)
"""A named part of the table: ``commands``, a zone of the game, or what a game derives from one (a cell)."""

TABLE = Seat(0)

COMMAND_ZONE = Zone("commands")
"""Where command cards and seat tags are shown, in every layout (contract, section 4)."""
LOOSE = Zone("loose")
"""Inside the game's field, but in none of its places."""
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
    """Replace the value of one seat in a tuple by seat.

    >>> with_seat((3, 5, 8), Seat(2), 0)
    (3, 0, 8)
    """
    return (*values[: seat - 1], value, *values[seat:])


@dataclass(frozen=True, slots=True)
class Placement:
    """One sticker at rest.

    Two placements are equal if the same token lies in the same zone; the exact position does not count.

        >>> Placement(Token("C18"), Zone("left"), x_mm=10) == Placement(Token("C18"), Zone("left"), x_mm=12)
        True

    Attributes:
        zone: The zone of the sticker's centre; ``None`` outside every zone.
        x_mm, y_mm: The sticker's centre in table millimetres (x right, y towards the near edge).
        rotation_deg: Clockwise, 0 when the code's top points to the far edge.
        under: The token lying on top of it, if the camera saw it being covered.
    """

    token: Token
    zone: Zone | None
    x_mm: float = field(default=0.0, compare=False)
    y_mm: float = field(default=0.0, compare=False)
    rotation_deg: float = field(default=0.0, compare=False)
    under: Token | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TableState:
    """All stickers on the table; each token at most once."""

    placements: frozenset[Placement] = frozenset()

    def zones(self) -> dict[Token, Zone]:
        """Token to zone, for all stickers in a zone."""
        return {p.token: p.zone for p in self.placements if p.zone is not None}


class ViewLost(Enum):
    """Why the table cannot be judged now."""

    CAMERA = "camera"  # no fresh picture
    TABLE = "table"  # pictures, but the tags of the table are not where they were
    DARK = "dark"  # too dark or too bright to read anything
    MIRRORED = "mirrored"  # an app turns the pictures over: tags and codes are there, and none can be where it was


@dataclass(frozen=True, slots=True)
class UnreadPlace:
    """A place where something at rest looks like a sticker and could not be read.

    Attributes:
        x_mm, y_mm: Its centre in table millimetres; unchanged as long as the place is not read.
        at: The same as shares of the field's width and depth, 0 to 1 from the far left corner.
        stirred: Something has moved there, and it is not known yet whether it can be read now.
        lamp: A lamp is mirrored there, and its image is as bright as the camera can tell.
    """

    zone: Zone
    x_mm: float
    y_mm: float
    at: Point
    stirred: bool = field(default=False, compare=False)
    lamp: bool = False

    @property
    def side(self) -> str:
        """Where on the field it is, as seen from seat 1.

        >>> UnreadPlace(Zone("left-half"), 90.0, 300.0, (0.1, 0.5)).side
        'left'
        """
        return side_of(*self.at)


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the table, settled or not.

    Attributes:
        number: Counts the looks of one camera process from 1.
        taken_s: Monotonic seconds at which the picture was taken.
        table: The cards believed to lie there. A covered or moving card keeps its last place; a card is removed only
            after its place was seen empty.
        settled: Nothing moves in the picture.
        hand_in_view: Something larger than a card covers part of the table. Objects that have only rested there while
            another hand was busy do not count.
        lost: Why the table cannot be judged, if so; ``table`` is then the last known one.
        pending: Something that changed is at rest and may still be read.
        unknown_codes: The number of foreign codes in view.
        duplicates: Tokens seen in two places at once.
        there_first: Cards that were already there in the first picture, however late they were read.
        left_s: Cards that left lately, and when their place was first seen empty; it takes some looks to be certain.
        unread: Places in zones with something like a sticker that cannot be read. They depend on the picture only,
            never on what would be lawful there.
        shown: The stickers of ``table`` that this picture itself shows in their places; ``None`` = unknown.
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
    shown: frozenset[Token] | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between the expected and the actual table.

    Attributes:
        card: The card, or a command card's or seat tag's token.
        came_from: Where it should lie; ``None`` = in no zone (a hand, the stack, put away).
        went_to: Where it lies; ``None`` = in no zone.
    """

    card: CardId
    came_from: Zone | None
    went_to: Zone | None


@dataclass(frozen=True, slots=True)
class Expected:
    """The cards that should lie face up now.

    Attributes:
        cards: Card to zone.
        may_be_hidden: Cards that others may cover, so it is fine not to see them.
    """

    cards: Mapping[CardId, Zone]
    may_be_hidden: frozenset[CardId] = frozenset()


def changes(expected: Expected, lying: Mapping[CardId, Zone]) -> tuple[Change, ...]:
    """Every difference between the expected and the actual cards, in a fixed order.

    >>> changes(Expected({CardId("1-8"): Zone("left")}), {})
    (Change(card='1-8', came_from='left', went_to=None),)
    """
    differences = [
        Change(card, expected.cards.get(card), zone) for card, zone in lying.items() if expected.cards.get(card) != zone
    ]
    differences += [
        Change(card, zone, None)
        for card, zone in expected.cards.items()
        if card not in lying and card not in expected.may_be_hidden
    ]
    return tuple(sorted(differences, key=lambda change: (change.went_to or "", change.card)))
