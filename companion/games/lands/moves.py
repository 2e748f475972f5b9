"""Every move of the game, in the form of the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from companion.games.lands.deck import CardFacts, LandSpace
from companion.games.lands.not_asked import (
    NOT_ASKED as NOT_ASKED,
    AcceptDice as AcceptDice,
    ChangeDie as ChangeDie,
    CookMeat as CookMeat,
    DrinkDirty as DrinkDirty,
    FleeFight as FleeFight,
    GatherToken as GatherToken,
    GiveToken as GiveToken,
    Investigate as Investigate,
    RelightFire as RelightFire,
    RestFrom as RestFrom,
    RollDice as RollDice,
    SetFire as SetFire,
    SupportFight as SupportFight,
    TakeDamage as TakeDamage,
    ThrowToken as ThrowToken,
    UseCard as UseCard,
)
from companion.games.protocol import CardMove, LayingMove, Move, PlainMove
from companion.public.table import CardId, Seat, Zone

Join = tuple[str, str]
"""A space of a newly turned tile, and a connected space of an older one."""


@dataclass(frozen=True, slots=True)
class SetOut(PlainMove):
    """All figures are on the map: the face-up tiles and the places of the figures.

    Attributes:
        stands: By seat its space, such as ``M07-2``.
    """

    do: ClassVar[str] = "deal"
    by: Seat
    tiles: tuple[CardId, ...]
    joins: tuple[Join, ...]
    stands: tuple[str, ...]

    @property
    def is_deal(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Travel(LayingMove):
    """A figure goes to another space (U12).

    Attributes:
        cost: The stamina that it takes; ``None`` = the cheapest open way, 0 = moved by a card.
    """

    do: ClassVar[str] = "travel"
    by: Seat
    card: CardId
    to: str
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class ScoutTile(LayingMove):
    """A map tile is turned up (U14)."""

    do: ClassVar[str] = "scout"
    by: Seat
    card: CardId
    joins: tuple[Join, ...]


@dataclass(frozen=True, slots=True)
class JoinTile(CardMove):
    """The connections of a face-up tile that was described after it was turned up (U12)."""

    do: ClassVar[str] = "join"
    by: Seat
    card: CardId
    joins: tuple[Join, ...]


@dataclass(frozen=True, slots=True)
class PlaceFigure(CardMove):
    """The space of a figure on a tile that was described since; the figure did not move."""

    do: ClassVar[str] = "place"
    by: Seat
    card: CardId
    to: str


@dataclass(frozen=True, slots=True)
class BeginFight(LayingMove):
    """An enemy's card is placed in ``fight`` (U13, U23)."""

    do: ClassVar[str] = "fight"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class PutAway(CardMove):
    """An enemy's card is removed from ``fight``, because the fight is over."""

    do: ClassVar[str] = "away"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class CraftObject(LayingMove):
    """An object is made from a project, whose resources are paid (U17)."""

    do: ClassVar[str] = "craft"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class GainItem(PlainMove):
    """A seat gets either a card or a token."""

    do: ClassVar[str] = "gain"
    by: Seat
    card: CardId | None = None
    kind: str | None = None

    @property
    def subject(self) -> CardId | None:
        """The card, if it is one."""
        return self.card

    @property
    def laid(self) -> CardId | None:
        """The card, if it is one."""
        return self.card


@dataclass(frozen=True, slots=True)
class TradeCard(LayingMove):
    """A card goes to another seat's pack (U18)."""

    do: ClassVar[str] = "trade"
    by: Seat
    card: CardId
    to: Seat

    @property
    def origin_zone(self) -> Zone:
        """The giver's pack."""
        return pack(self.by)


@dataclass(frozen=True, slots=True)
class DropCard(LayingMove):
    """A card is removed for good (U11)."""

    do: ClassVar[str] = "drop"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class TurnNight(LayingMove):
    """A night card is turned up (U24)."""

    do: ClassVar[str] = "night"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class BeginDay(PlainMove):
    """A seat gets the first player's token, and a day begins (U1, U26)."""

    do: ClassVar[str] = "lead"
    by: Seat
    seat: Seat


@dataclass(frozen=True, slots=True)
class EndActs(PlainMove):
    """A seat ends its turn for today."""

    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class LootDead(PlainMove):
    """A seat takes a resource or a card of a dead one (U39)."""

    do: ClassVar[str] = "loot"
    by: Seat
    source: Seat = field(metadata={"key": "from"})
    kind: str | None = None
    card: CardId | None = None

    @property
    def subject(self) -> CardId | None:
        """The card, if it is one."""
        return self.card

    @property
    def laid(self) -> CardId | None:
        """The card, if it is one."""
        return self.card

    @property
    def origin_zone(self) -> Zone | None:
        """The pack of the dead, for a card."""
        return pack(self.source) if self.card else None


@dataclass(frozen=True, slots=True)
class CountThings(PlainMove):
    """The number of one kind in front of a seat: ``stamina``, a token or a damage; with four damages it is dead
    (U38)."""

    do: ClassVar[str] = "count"
    by: Seat
    kind: str
    n: int


@dataclass(frozen=True, slots=True)
class LeaveMap(PlainMove):
    """A seat has won and takes its figure off the map (U41)."""

    do: ClassVar[str] = "leave"
    by: Seat


@dataclass(frozen=True, slots=True)
class TellFacts(CardMove):
    """The facts of a card that was turned up, as a player enters them. Missing facts stay as they were.

    For a tile all of its spaces are entered, and nothing else: they replace the earlier ones.

    Attributes:
        cost: For a project, its resources separated by spaces.
        spaces: For a tile, the centre of each space: millimetres from the tile's centre, x to the right and y down
            while its sticker is upright.
        costs: The stamina for entering each of them; empty = a point each.
        ways: The connected pairs of spaces, numbered from 1.
        exits: Points on the edge where a space connects to the next tile: its number, x and y.
        landmarks, fires: The spaces with a number, and those with a camp fire.
    """

    do: ClassVar[str] = "tell"
    by: Seat
    card: CardId
    defence: int | None = None
    attack: int | None = None
    life: int | None = None
    lethal: bool | None = None
    grey: bool | None = None
    colour: str | None = None
    tribal: bool | None = None
    cost: str | None = None
    makes: str | None = None
    name: str | None = None
    quest: bool | None = None
    spaces: tuple[tuple[int, int], ...] = ()
    costs: tuple[int, ...] = ()
    ways: tuple[tuple[int, int], ...] = ()
    exits: tuple[tuple[int, int, int], ...] = ()
    landmarks: tuple[int, ...] = ()
    fires: tuple[int, ...] = ()

    @property
    def tile(self) -> tuple[LandSpace, ...]:
        """The spaces of a tile as entered."""
        return tuple(
            LandSpace(
                (float(x), float(y)),
                self.costs[at - 1] if self.costs else 1,
                tuple(sorted({one + other - at for one, other in self.ways if at in (one, other)})),
                tuple((float(east), float(south)) for space, east, south in self.exits if space == at),
                at in self.landmarks,
                at in self.fires,
            )
            for at, (x, y) in enumerate(self.spaces, 1)
        )

    @property
    def facts(self) -> CardFacts:
        """The facts of a card as entered."""
        return CardFacts(
            self.defence, self.attack, self.life, self.lethal, self.grey, self.colour, self.tribal,
            None if self.cost is None else tuple(self.cost.split()), self.makes, self.name, self.quest,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgreeScenarioEnds(PlainMove):
    """The scenario says that it ends (U41)."""

    do: ClassVar[str] = "agree_end"
    by: Seat


def pack(seat: Seat) -> Zone:
    """The place of a seat's cards."""
    return Zone(f"pack-{seat}")


MOVES: Mapping[str, type[Move]] = MappingProxyType(
    {
        kind.do: kind
        for kind in (
            SetOut, Travel, ScoutTile, JoinTile, PlaceFigure, BeginFight, PutAway, CraftObject, GainItem, TradeCard,
            DropCard, TurnNight, BeginDay, EndActs, GatherToken, CookMeat, RelightFire, SetFire, RestFrom, DrinkDirty,
            Investigate, UseCard, GiveToken, ThrowToken, RollDice, ChangeDie, AcceptDice, SupportFight, FleeFight,
            TakeDamage, LootDead, CountThings, LeaveMap, TellFacts, AgreeScenarioEnds,
        )
    }
)  # fmt: skip
"""Every move by its name in the record."""


def is_told(move: Move) -> bool:
    """Whether a move enters what players do with the dial, tokens, damage or dice in front of them."""
    of_tokens = isinstance(move, GainItem | LootDead) and move.kind is not None
    return of_tokens or isinstance(move, NOT_ASKED)
