"""Every move of the game, in the form of the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from companion.games.protocol import CardMove, LayingMove, Move, PlainMove
from companion.public.table import CardId, Seat, Zone


@dataclass(frozen=True, slots=True)
class LayStart(LayingMove):
    """The start tile is placed in the field (C1): its north is the map's, its place 0,0."""

    do: ClassVar[str] = "start"
    by: Seat
    card: CardId

    @property
    def is_deal(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class LayTile(LayingMove):
    """A tile is placed on the map (C5). ``x`` grows east, ``y`` south of the start tile; ``turn``: clockwise quarter
    turns."""

    do: ClassVar[str] = "place"
    by: Seat
    card: CardId
    x: int
    y: int
    turn: int


@dataclass(frozen=True, slots=True)
class DeployFollower(LayingMove):
    """A counter is placed on a tile's segment, numbered from 1 (C11); it ends the turn."""

    do: ClassVar[str] = "deploy"
    by: Seat
    card: CardId
    tile: CardId
    segment: int


@dataclass(frozen=True, slots=True)
class ScoreFollower(CardMove):
    """A counter is lifted off the map, returns to its seat and scores its territory (C15); it ends the turn."""

    do: ClassVar[str] = "score"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class DiscardTile(LayingMove):
    """The drawn tile fits nowhere and is put aside; the same seat draws again (C10)."""

    do: ClassVar[str] = "discard"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class RemoveTile(LayingMove):
    """A tile is removed before the first turn, for equal turns."""

    do: ClassVar[str] = "remove"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class FinishTurn(PlainMove):
    """The turn ends without a follower (C7)."""

    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class CloseMatch(PlainMove):
    """The players agree that no more tiles will come, although some are missing."""

    do: ClassVar[str] = "agree_end"
    by: Seat


ASIDE = Zone("aside")
"""The place of tiles that are out of the match."""

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
