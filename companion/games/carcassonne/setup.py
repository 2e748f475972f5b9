"""The constants of a match: the deck, the players and the variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.games.carcassonne.deck import TileDeck
from companion.games.carcassonne.faces import grey_face
from companion.games.printed import COUNTER_STICKER, counter_mm
from companion.games.square_tiles import STICKER_MM, tile_shape
from companion.public.shapes import Shape
from companion.public.table import CardId, Seat, Token

LEAST_SEATS, MOST_SEATS = 2, 5
"""Two to five players, as in the rule book."""
COUNTERS = 4
"""Followers that each seat deploys; its fifth is the scoring marker, which this companion replaces (C2)."""
TILE_MM = 45.0
"""The side of a tile, measured on tiles of Carcassonne itself."""
COUNTER = Shape.disc(counter_mm(STICKER_MM), sticker_mm=COUNTER_STICKER * STICKER_MM)
"""A printed counter; those of older sheets are 2 mm narrower and have the same code."""
END_S = 60.0
"""Seconds of play without a move after which the last turn ends."""
TILES_SHOWN_MM = (20.0, 120.0)
"""The possible sizes of a tile: large enough for a camera to read its sticker, small enough for a map on a table."""


@dataclass(frozen=True)
class MatchSetup:
    """A match before its first entry.

    Attributes:
        first: The first seat (C3).
        equal_turns: Tiles are removed before the first turn, so that all have as many turns.
        late: Seats reserved for players who come later.
    """

    deck: TileDeck
    players: tuple[str, ...]
    first: Seat
    equal_turns: bool = False
    tile_mm: float = TILE_MM
    late: frozenset[Seat] = frozenset()

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(place) for place in range(1, len(self.players) + 1))

    @cached_property
    def owners(self) -> Mapping[CardId, Seat]:
        """Every counter of the match, with its seat."""
        return {CardId(f"F{seat}{n}"): seat for seat in self.seats for n in range(1, COUNTERS + 1)}

    @cached_property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of the tiles and the codes of the counters."""
        return {**self.deck.tokens, **{Token(card): card for card in self.owners}}

    @cached_property
    def shapes(self) -> Mapping[Token, Shape]:
        """Square tiles, each with its sticker in its north-west corner, and round counters."""
        tiles = {
            token: tile_shape(self.tile_mm, grey_face(self.deck.tiles[card], self.tile_mm))
            for token, card in self.deck.tokens.items()
        }
        return {**tiles, **{Token(card): COUNTER for card in self.owners}}

    @property
    def to_remove(self) -> int:
        """Number of tiles to remove for equal turns: the remainder when all but the start tile are divided."""
        return (len(self.deck.tiles) - 1) % len(self.players) if self.equal_turns else 0

    def following(self, seat: Seat, away: frozenset[Seat]) -> Seat:
        """The next occupied seat clockwise; this one if there is no other (C4)."""
        count = len(self.players)
        others = (Seat((seat - 1 + step) % count + 1) for step in range(1, count))
        return next((other for other in others if other not in away), seat)
