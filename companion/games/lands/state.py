"""The state of a match. Nothing is hidden: the referee does not know the tokens on the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.lands.deck import UNDESCRIBED, UNKNOWN, CardFacts, LandsDeck, LandSpace
from companion.games.lands.setup import FATAL, MOST_ITEMS, START, LandsSetup
from companion.public.table import TABLE, CardId, Seat, Zone

Ledger = Mapping[str, int]
"""Number of each kind; only positive ones are kept."""


@dataclass(frozen=True, slots=True)
class Fight:
    """The current fight.

    Attributes:
        card: The enemy.
        fighter: The seat that it fights.
        grey, red: The values of the dice; 0 before they are rolled.
        used: The cards that were used in it, each with its seat.
        supports: The seats that have played their support card.
    """

    card: CardId
    fighter: Seat
    grey: int = 0
    red: int = 0
    used: frozenset[tuple[Seat, CardId]] = frozenset()
    supports: frozenset[Seat] = frozenset()

    @property
    def rolled(self) -> bool:
        """Whether the dice were rolled."""
        return self.grey > 0


@dataclass(frozen=True, slots=True)
class Island:
    """The state of a match.

    Attributes:
        stamina: By seat, the rest for today.
        resources: By seat, its tokens.
        damage: By seat, its damage by kind; with four it is dead.
        packs: By seat its cards: objects and projects.
        stands: By seat the space of its figure; "" before the map is there. A tile without a space number: the figure
            is somewhere on it, because its spaces are unknown.
        tiles: The face-up tiles, in the order in which they were turned up.
        ways: The connected spaces of each space.
        laid: The places of enemy, night and dropped cards.
        fires: Changed fires; the others are as on their tiles.
        springs: The first water of each spring.
        thrown: Waters that a seat has put on a space, by space and kind: they may be on a spring.
        entered: The players' facts about cards.
        described: The spaces of the tiles that players described.
        unjoined: Those of them that are face up and whose connections were not seen since.
        wounds: The damage of each enemy that was hit and lives.
        nights: The night cards so far.
        resolved: Whether one of them was turned up in this night.
        day: From 1; 0 before the first.
        night: Whether the night's cards are due.
        turn: The seat to move; 0 = none.
        first: The seat with the first player's token.
        done: The seats that have ended their turn today.
        free: Whether the seat to move has travelled and may gather once for free.
        fled: Seats whose next step is a flight.
        drinks: By seat, how often it must still drink dirty water.
        hunted: The seat that gathered an enemy and must fight; 0 = none.
        left: The seats that have won.
        told: Whether players enter what they do with the things in front of them; else no rule depends on it.
        counted: The seats that have counted the things in front of them.
    """

    stamina: tuple[int, ...]
    resources: tuple[Ledger, ...]
    damage: tuple[Ledger, ...]
    packs: tuple[tuple[CardId, ...], ...]
    stands: tuple[str, ...]
    drinks: tuple[int, ...]
    tiles: tuple[CardId, ...] = ()
    ways: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    laid: Mapping[CardId, Zone] = field(default_factory=dict)
    fires: Mapping[str, bool] = field(default_factory=dict)
    springs: Mapping[str, str] = field(default_factory=dict)
    thrown: frozenset[tuple[str, str]] = frozenset()
    entered: Mapping[CardId, CardFacts] = field(default_factory=dict)
    described: Mapping[CardId, tuple[LandSpace, ...]] = field(default_factory=dict)
    unjoined: frozenset[CardId] = frozenset()
    wounds: Mapping[CardId, int] = field(default_factory=dict)
    nights: tuple[CardId, ...] = ()
    resolved: bool = False
    day: int = 0
    night: bool = False
    turn: Seat = TABLE
    first: Seat = TABLE
    done: frozenset[Seat] = frozenset()
    free: bool = False
    fled: frozenset[Seat] = frozenset()
    hunted: Seat = TABLE
    fight: Fight | None = None
    left: tuple[Seat, ...] = ()
    over: bool = False
    told: bool = False
    counted: frozenset[Seat] = frozenset()

    @property
    def dealt(self) -> bool:
        """Whether the map is there."""
        return bool(self.tiles)


def opening(setup: LandsSetup) -> Island:
    """Before the map is there; U5, U6: a food, a water and the stamina of the first day for each."""
    count = len(setup.players)
    return Island(
        stamina=(setup.stamina,) * count,
        resources=(dict.fromkeys(START, 1),) * count,
        damage=({},) * count,
        packs=((),) * count,
        stands=("",) * count,
        drinks=(0,) * count,
    )


def has(public: Island, seat: Seat, kind: str) -> int:
    """Number of tokens of a kind that a seat has."""
    return public.resources[seat - 1].get(kind, 0)


def hurt(public: Island, seat: Seat) -> int:
    """All damage of a seat; 0 for a seat that does not exist."""
    return sum(sum(ledger.values()) for ledger in public.damage[seat - 1 : seat] if seat)


def is_dead(public: Island, seat: Seat) -> bool:
    """U38: « Lorsqu'un personnage prend un 4ème dégât, il meurt »."""
    return hurt(public, seat) >= FATAL


def on_map(setup: LandsSetup, public: Island) -> tuple[Seat, ...]:
    """The seats that are neither dead nor gone."""
    return tuple(seat for seat in setup.seats if seat not in public.left and not is_dead(public, seat))


def objects(public: Island, seat: Seat) -> tuple[CardId, ...]:
    """The object cards of a seat, without projects."""
    return tuple(card for card in public.packs[seat - 1] if card[0] == "O")


def items(public: Island, seat: Seat) -> int:
    """U11: resources and objects, not projects."""
    return sum(public.resources[seat - 1].values()) + len(objects(public, seat))


def facts(setup: LandsSetup, public: Island, card: CardId) -> CardFacts:
    """The known facts of a card: from the deck, and from the players since."""
    known, told = setup.deck.cards.get(card, UNKNOWN), public.entered.get(card)
    return known if told is None else known.with_told(told)


def tile_of(space: str) -> CardId:
    """The tile of a space: ``M07`` of ``M07-2``, and of ``M07``, which is a whole tile."""
    return CardId(space.partition("-")[0])


def is_whole_tile(space: str) -> bool:
    """Whether this is not a space but a whole tile: the space is not described, or was not seen since."""
    return bool(space) and "-" not in space


def tile_spaces(setup: LandsSetup, public: Island, tile: CardId) -> tuple[LandSpace, ...]:
    """The spaces of a tile as players described it, else as in the deck; empty if neither has it."""
    return public.described.get(tile) or setup.deck.tiles.get(tile, ())


def names_of(setup: LandsSetup, public: Island, tile: CardId) -> tuple[str, ...]:
    """The names of a tile's spaces; a tile that is not described is one space with its own name."""
    return space_names(tile, len(tile_spaces(setup, public, tile)))


def space_names(tile: CardId, count: int) -> tuple[str, ...]:
    """The names of this number of spaces of a tile."""
    return tuple(f"{tile}-{at}" for at in range(1, count + 1)) or (tile,)


def space_at(setup: LandsSetup, public: Island, space: str) -> LandSpace | None:
    """The known facts of a space; ``None`` if there is no such space."""
    tile, _, number = space.partition("-")
    spaces = tile_spaces(setup, public, CardId(tile))
    if not number:
        return None if spaces else UNDESCRIBED
    return spaces[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(spaces) else None


def known_deck(setup: LandsSetup, public: Island) -> LandsDeck:
    """The deck with all tiles that players have described."""
    return setup.deck.with_tiles(public.described)


def overloaded(setup: LandsSetup, public: Island, seat: Seat) -> bool:
    """U11: whether a seat has more than it may carry, and something that it can put down.

    Tokens only count if they are entered.
    """
    carried = items(public, seat) if public.told else len(objects(public, seat))
    may_lay_down = (public.told and bool(public.resources[seat - 1])) or any(
        not facts(setup, public, card).quest for card in objects(public, seat)
    )
    return carried > MOST_ITEMS and may_lay_down


def fire_at(setup: LandsSetup, public: Island, space: str) -> bool | None:
    """Whether a fire burns on a space; ``None`` = it has none. Fires are lit unless changed."""
    place = space_at(setup, public, space)
    return public.fires.get(space, True if place is not None and place.fire else None)


def holder_of(public: Island, card: CardId) -> Seat:
    """The seat whose pack has this card; 0 = none."""
    return next((Seat(place) for place, cards in enumerate(public.packs, 1) if card in cards), TABLE)
