"""Every act of the game, as the record writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from companion.games.protocol import CardMove, LayingMove, Move, PlainMove
from companion.public.table import CardId, Seat, Zone


@dataclass(frozen=True, slots=True)
class LayStart(LayingMove):
    """The start tile lies in the field (C1): its north is the map's, its place 0,0."""

    do: ClassVar[str] = "start"
    by: Seat
    card: CardId

    @property
    def is_deal(self) -> bool:
        """It is: what lies there before anybody's turn."""
        return True


@dataclass(frozen=True, slots=True)
class LayTile(LayingMove):
    """A tile is laid on the map (C5). ``x`` grows east, ``y`` south of the start tile; ``turn``: quarters clockwise."""

    do: ClassVar[str] = "place"
    by: Seat
    card: CardId
    x: int
    y: int
    turn: int


@dataclass(frozen=True, slots=True)
class DeployFollower(LayingMove):
    """A counter is laid on a tile's segment, which is counted from 1 (C11); it ends the turn."""

    do: ClassVar[str] = "deploy"
    by: Seat
    card: CardId
    tile: CardId
    segment: int


@dataclass(frozen=True, slots=True)
class ScoreFollower(CardMove):
    """A counter is lifted off the map, goes back to its seat and is paid for its territory (C15); it ends the turn."""

    do: ClassVar[str] = "score"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class DiscardTile(LayingMove):
    """The drawn tile fits nowhere and goes aside; the same seat draws again (C10)."""

    do: ClassVar[str] = "discard"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class RemoveTile(LayingMove):
    """A tile is taken out before the first turn, for equal turns."""

    do: ClassVar[str] = "remove"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class FinishTurn(PlainMove):
    """The turn is over without a follower (C7)."""

    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class CloseMatch(PlainMove):
    """Everybody agrees that no tile will come any more, though some are missing."""

    do: ClassVar[str] = "agree_end"
    by: Seat


ASIDE = Zone("aside")
"""Where tiles lie that are out of the match."""

MOVES: Mapping[str, type[Move]] = MappingProxyType(
    {
        kind.do: kind
        for kind in (
            LayStart,
            LayTile,
            DeployFollower,
            ScoreFollower,
            DiscardTile,
            RemoveTile,
            FinishTurn,
            CloseMatch,
        )
    }
)
"""Every move by its name in the record."""
