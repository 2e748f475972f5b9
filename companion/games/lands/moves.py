"""Every act of the game, as the record writes it."""

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
"""A space of a tile just turned up, and a space of an older one that it is open to."""


@dataclass(frozen=True, slots=True)
class SetOut(PlainMove):
    """All stands are on the map: these tiles lie open, and the figures stand there.

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
        """It is: what lies there before anybody's turn."""
        return True


@dataclass(frozen=True, slots=True)
class Travel(LayingMove):
    """A figure goes to another space (U12).

    Attributes:
        cost: What it takes; ``None`` = the cheapest open way, 0 = a card moved him.
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
    """What a tile is open to that lies open and that people have described since (U12)."""

    do: ClassVar[str] = "join"
    by: Seat
    card: CardId
    joins: tuple[Join, ...]


@dataclass(frozen=True, slots=True)
class PlaceFigure(CardMove):
    """On which space of a tile that people have described since a figure stands: it has gone nowhere."""

    do: ClassVar[str] = "place"
    by: Seat
    card: CardId
    to: str


@dataclass(frozen=True, slots=True)
class BeginFight(LayingMove):
    """An enemy's card is laid in ``fight`` (U13, U23)."""

    do: ClassVar[str] = "fight"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class PutAway(CardMove):
    """An enemy's card is taken off ``fight``, because the fight is over."""

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
    """A seat gets a card or a token: one of the two is said."""

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
    """A card is put away for good (U11)."""

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
    """The first player's token lies with a seat, and a day begins (U1, U26)."""

    do: ClassVar[str] = "lead"
    by: Seat
    seat: Seat


@dataclass(frozen=True, slots=True)
class EndActs(PlainMove):
    """A seat acts no more today."""

    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class LootDead(PlainMove):
    """A seat takes a resource or a card of somebody dead (U39)."""

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
    """So much of one kind lies before a seat: ``stamina``, a token or a damage; with four damages it is dead (U38)."""

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
    """Somebody says what stands on a card that was turned up. What is left out stays as it was.

    Of a tile all of its spaces are said, and nothing else: they take the place of what was known of it.

    Attributes:
        cost: Of a project, its resources with spaces between them.
        spaces: Of a tile, the middle of each space: millimetres from the tile's middle, x to its right and y down while
            its sticker is upright.
        costs: What it takes to enter each of them; none = a point each.
        ways: The spaces that are open to each other, counted from 1.
        exits: Where on the border a space is open to the next tile: its number, x and y.
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
        """What was said of a tile, a space each."""
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
        """What was said of a card."""
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
    """Where the cards of a seat lie."""
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
    """Whether somebody tells what people do with the dial, tokens, damage or dice before them."""
    of_tokens = isinstance(move, GainItem | LootDead) and move.kind is not None
    return of_tokens or isinstance(move, NOT_ASKED)
