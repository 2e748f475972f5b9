"""The constants of a match: the deck, the players and their start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.games.lands.deck import LandsDeck
from companion.games.lands.faces import grey_face
from companion.games.square_tiles import STICKER_MM, tile_shape
from companion.public.shapes import Shape
from companion.public.table import CardId, Point, Seat, Token

LEAST_SEATS, MOST_SEATS = 1, 4
STAMINA = {1: 12, 2: 10, 3: 8, 4: 8}
"""« 8 endurance à 3 et 4 joueurs, 10 endurances à 2 joueurs, 12 endurances en solo » (U6)."""
PROJECTS = {1: 3, 2: 2, 3: 1, 4: 1}
"""« 1 carte à 3 et 4 joueurs, 2 cartes à 2 joueurs, 3 cartes en solo » (U3)."""
SUPPORTS = {1: 0, 2: 3, 3: 3, 4: 3}
"""« A 2, 3, et 4 joueurs, ils prennent les 3 cartes soutiens de combat »."""
START = ("food", "water")
"""« un jeton nourriture et un jeton eau pure » (U5)."""
MOST_ITEMS = 10
"""« un personnage ne peut pas porter plus de 10 objets » (U11)."""
FATAL = 4
"""« Lorsqu'un personnage prend un 4ème dégât, il meurt » (U38)."""
FIRST_PLAYER = CardId("L1")
STAND_MM = (20.0, 40.0)
FOOT_MM: Point = (0.0, 20.0)
"""From the centre of a stand's sticker to the figure's foot, while the code is upright."""
STAND = Shape.rectangle(*STAND_MM, sticker_mm=STICKER_MM, sticker_at_mm=(0.0, -FOOT_MM[1] / 2))
TOKEN_MM = 20.0
TOKEN = Shape.rectangle(TOKEN_MM, TOKEN_MM, sticker_mm=STICKER_MM)
"""The first player's token."""


@dataclass(frozen=True)
class LandsSetup:
    """A match before its first entry."""

    deck: LandsDeck
    players: tuple[str, ...]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(Seat(place) for place in range(1, len(self.players) + 1))

    @property
    def stamina(self) -> int:
        """The stamina at the beginning of a day."""
        return STAMINA[len(self.players)]

    @property
    def projects(self) -> int:
        """Number of project cards that each seat draws."""
        return PROJECTS[len(self.players)]

    @property
    def supports(self) -> int:
        """Number of support cards of each seat."""
        return SUPPORTS[len(self.players)]

    @cached_property
    def stands(self) -> Mapping[CardId, Seat]:
        """The stands with their seats."""
        return {stand(seat): seat for seat in self.seats}

    @cached_property
    def cards(self) -> Mapping[Token, CardId]:
        """The stickers of tiles, cards, stands and the first player's token."""
        others = {Token(card): card for card in (*self.stands, FIRST_PLAYER)}
        return {**self.deck.tokens, **others}

    @cached_property
    def shapes(self) -> Mapping[Token, Shape]:
        """Square tiles, stands, the token; everything else is a playing card."""
        side, spaces = self.deck.tile_mm, self.deck.tiles
        tiles = {
            token: tile_shape(side, grey_face(spaces.get(card, ()), side))
            for token, card in self.deck.tokens.items()
            if card[0] == "M"
        }
        return {**tiles, **{Token(card): STAND for card in self.stands}, Token(FIRST_PLAYER): TOKEN}

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return Seat(seat % len(self.players) + 1)

    def after(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats clockwise, from the left of this one."""
        return (*self.seats[seat:], *self.seats[: seat - 1])


def stand(seat: Seat) -> CardId:
    return CardId(f"F{seat}")
