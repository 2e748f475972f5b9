"""Every act of the game, as the record writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from companion.games.protocol import CardMove, LayingMove, Move, PlainMove
from companion.public.table import CardId, Seat, Zone

PlotTile = tuple[CardId, int, int, int]
"""A tile of a plot: ``x`` grows to the right, ``y`` towards the near edge, then its quarter turns clockwise."""


@dataclass(frozen=True, slots=True)
class DealPlots(PlainMove):
    """Two tiles lie in each plot and the stones are shared out (W1 to W5).

    Attributes:
        plots: By seat two tiles, the smaller number at 0,0.
        reserves: By seat the stones that lie before it.
        darwin: The seat with the Darwin tile; the seat on its right begins.
    """

    do: ClassVar[str] = "deal"
    by: Seat
    plots: tuple[tuple[PlotTile, ...], ...]
    reserves: tuple[tuple[CardId, ...], ...]
    darwin: Seat

    @property
    def is_deal(self) -> bool:
        """It is: what lies there before anybody's turn."""
        return True


@dataclass(frozen=True, slots=True)
class BuyTiles(PlainMove):
    """Two tiles are drawn for 3 Darwin, and two put back (W6)."""

    do: ClassVar[str] = "buy"
    by: Seat


@dataclass(frozen=True, slots=True)
class OfferTile(LayingMove):
    """A tile is turned up before its seat (W7)."""

    do: ClassVar[str] = "offer"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class BidStone(LayingMove):
    """A stone is laid beside the tile of a seat (W8 to W14)."""

    do: ClassVar[str] = "bid"
    by: Seat
    card: CardId
    to: Seat

    @property
    def origin_zone(self) -> Zone:
        """The reserve of whoever bids."""
        return reserve(self.by)


@dataclass(frozen=True, slots=True)
class EndBids(PlainMove):
    """A seat lays no more stones in this turn; after the last of all turns the tiles are awarded (W15 to W21)."""

    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class LayBone(LayingMove):
    """A tile is laid in the plot of a seat (W22 to W25)."""

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
    """A seat takes what a jewel brings it, as its players counted (W30)."""

    do: ClassVar[str] = "income"
    by: Seat
    jewel: str
    amount: int


@dataclass(frozen=True, slots=True)
class SizeCreature(PlainMove):
    """At a tie: of how many tiles the creature of a seat consists, as its players counted (W31)."""

    do: ClassVar[str] = "creature"
    by: Seat
    size: int


@dataclass(frozen=True, slots=True)
class AgreeAllCounted(PlainMove):
    """Everybody has counted: the match is over (W27)."""

    do: ClassVar[str] = "agree_end"
    by: Seat


def reserve(seat: Seat) -> Zone:
    """Where the stones lie that a seat may bid."""
    return Zone(f"reserve-{seat}")


def offer(seat: Seat) -> Zone:
    """Where the tile of a seat lies, and the stones that are bid for it."""
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
