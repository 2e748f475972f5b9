"""The constants of a match: the deck, the players and their stones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.games.darwinci.deck import BoneDeck
from companion.games.darwinci.faces import grey_face
from companion.games.printed import COUNTER_STICKER, counter_mm
from companion.games.square_tiles import tile_shape
from companion.public.shapes import Shape
from companion.public.table import CardId, Seat, Token

LEAST_SEATS, MOST_SEATS = 3, 5
"""« Pour 3 à 5 joueurs »."""
COLOURS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y", "white": "W"}
"""The colours of the stones, in the order of the seats, with the first letter of their chips."""
SMALL = 9
"""« 9 par couleur »."""
SMALL_OF_EXPERTS = 8
"""One small stone marks its player's colour, because the big one is bid; its chip stays in the box."""
FIRST_MONEY = 12
"""« Chaque joueur reçoit également 12 Darwin »."""
PRICE = 3
"""« 2 fragments d'os en payant à la banque 3 Darwin »."""
DARWIN_TILE = CardId("D1")
SMALL_MM, BIG_MM = 18.0, 25.0
"""Widths of the stickers on printed chips. Chips replace the glass stones, which are too small and round."""
SMALL_STONE = Shape.disc(counter_mm(SMALL_MM), sticker_mm=COUNTER_STICKER * SMALL_MM)
BIG_STONE = Shape.disc(counter_mm(BIG_MM), sticker_mm=COUNTER_STICKER * BIG_MM)
TILE_MM = 40.0
"""The side of a tile unless its owner measures it."""
TILES_SHOWN_MM = (20.0, 48.0)
"""The possible sizes of a tile: large enough for a camera to read its sticker, small enough for five plots on a
table."""


@dataclass(frozen=True)
class DarwinciSetup:
    """A match before its first entry.

    Attributes:
        colours: By seat, keys of ``COLOURS``.
        experts: The big stones are bid.
    """

    deck: BoneDeck
    players: tuple[str, ...]
    colours: tuple[str, ...]
    experts: bool = False
    tile_mm: float = TILE_MM

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(place) for place in range(1, len(self.players) + 1))

    @property
    def small(self) -> int:
        """Number of small stones of each colour in play."""
        return SMALL_OF_EXPERTS if self.experts else SMALL

    @cached_property
    def owners(self) -> Mapping[CardId, Seat]:
        """Every stone of the match, with the seat of its colour."""
        numbers = range(0 if self.experts else 1, self.small + 1)
        return {
            CardId(f"{COLOURS[colour]}{number}"): seat
            for seat, colour in zip(self.seats, self.colours, strict=True)
            for number in numbers
        }

    @cached_property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of the tiles, the codes of the stones, and the Darwin tile's."""
        others = {Token(card): card for card in (*self.owners, DARWIN_TILE)}
        return {**self.deck.tokens, **others}

    @cached_property
    def shapes(self) -> Mapping[Token, Shape]:
        """Square tiles, each with its sticker in its north-west corner, and round chips."""
        tiles = {
            token: tile_shape(self.tile_mm, grey_face(self.deck.tiles[card], self.tile_mm))
            for token, card in self.deck.tokens.items()
        }
        tiles[Token(DARWIN_TILE)] = tile_shape(self.tile_mm)
        return tiles | {Token(card): BIG_STONE if is_big(card) else SMALL_STONE for card in self.owners}

    def own(self, seat: Seat) -> tuple[CardId, ...]:
        """The stones of a seat's colour, wherever they are."""
        return tuple(card for card, owner in self.owners.items() if owner == seat)

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return Seat(seat % len(self.players) + 1)

    def right_of(self, seat: Seat) -> Seat:
        """The next seat counterclockwise."""
        return Seat((seat - 2) % len(self.players) + 1)

    def clockwise_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats, this one first."""
        return (*self.seats[seat - 1 :], *self.seats[: seat - 1])


def is_big(stone: CardId) -> bool:
    """Whether it is one of the five big stones, such as ``R0``."""
    return stone.endswith("0")
