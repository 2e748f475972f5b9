"""Every move of the game, in the form of the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from companion.games.protocol import CardMove, LayingMove, Move, PlainMove
from companion.public.table import CardId, Seat, Zone

PlotTile = tuple[CardId, int, int, int]
"""A tile of a plot: ``x`` grows to the right, ``y`` towards the near edge, then its clockwise quarter turns."""


@dataclass(frozen=True, slots=True)
class DealPlots(PlainMove):
    """Each plot has two tiles, and the stones are distributed (W1 to W5).

    Attributes:
        plots: By seat two tiles, the smaller number at 0,0.
        reserves: By seat the stones in front of it.
        darwin: The seat with the Darwin tile; the seat on its right begins.
    """

    do: ClassVar[str] = "deal"
    by: Seat
    plots: tuple[tuple[PlotTile, ...], ...]
    reserves: tuple[tuple[CardId, ...], ...]
    darwin: Seat

    @property
    def is_deal(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class BuyTiles(PlainMove):
    """A seat draws two tiles for 3 Darwin, and puts two back (W6)."""

    do: ClassVar[str] = "buy"
    by: Seat


@dataclass(frozen=True, slots=True)
class OfferTile(LayingMove):
    """A tile is turned up in front of its seat (W7)."""

    do: ClassVar[str] = "offer"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class BidStone(LayingMove):
    """A stone is placed beside the tile of a seat (W8 to W14)."""

    do: ClassVar[str] = "bid"
    by: Seat
    card: CardId
    to: Seat

    @property
    def origin_zone(self) -> Zone:
        """The bidder's reserve."""
        return reserve(self.by)


@dataclass(frozen=True, slots=True)
class EndBids(PlainMove):
    """A seat ends its bidding turn; after the last of all turns the tiles are awarded (W15 to W21)."""

    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class LayBone(LayingMove):
    """A tile is placed in the plot of a seat (W22 to W25)."""

    do: ClassVar[str] = "lay"
    by: Seat
    card: CardId
    x: int
    y: int
    turn: int


@dataclass(frozen=True, slots=True)
class DropBone(CardMove):
    """A tile that was won is put away, because the plot is full (W28)."""

    do: ClassVar[str] = "drop"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class CountJewel(PlainMove):
    """A seat gets the income of a jewel, as counted by its players (W30)."""

    do: ClassVar[str] = "income"
    by: Seat
    jewel: str
    amount: int


@dataclass(frozen=True, slots=True)
class SizeCreature(PlainMove):
    """At a tie: the number of tiles in a seat's creature, as counted by its players (W31)."""

    do: ClassVar[str] = "creature"
    by: Seat
    size: int


@dataclass(frozen=True, slots=True)
class AgreeAllCounted(PlainMove):
    """All players have counted: the match is over (W27)."""

    do: ClassVar[str] = "agree_end"
    by: Seat


def reserve(seat: Seat) -> Zone:
    """The place of the stones that a seat may bid."""
    return Zone(f"reserve-{seat}")


def offer(seat: Seat) -> Zone:
    """The place of a seat's tile for sale, and of the bids for it."""
    return Zone(f"offer-{seat}")


MOVES: Mapping[str, type[Move]] = MappingProxyType(
    {
        kind.do: kind
        for kind in (
            DealPlots,
            BuyTiles,
            OfferTile,
            BidStone,
            EndBids,
            LayBone,
            DropBone,
            CountJewel,
            SizeCreature,
            AgreeAllCounted,
        )
    }
)
"""Every move by its name in the record."""
