"""What is known of a match. Nothing is hidden: what the tokens on the map are is unknown to the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.lands.deck import UNDESCRIBED, UNKNOWN, CardFacts, LandsDeck, LandSpace
from companion.games.lands.setup import FATAL, MOST_ITEMS, START, LandsSetup
from companion.public.table import TABLE, CardId, Seat, Zone

Ledger = Mapping[str, int]
"""How many of each kind; none below 1 are kept."""


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight under way.

    Attributes:
        card: The enemy.
        fighter: The seat that it fights.
        grey, red: What the dice show; 0 before they are thrown.
        used: The cards that a fighter has used in it, with the seat.
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
        """Whether the dice were thrown."""
        return self.grey > 0


@dataclass(frozen=True, slots=True)
class Island:
    """How far a match has come.

    Attributes:
        stamina: What each seat has left today.
        resources: By seat, its tokens.
        damage: By seat, its damage by kind; with four it is dead.
        packs: By seat its cards: objects and projects.
        stands: By seat the space on which its figure stands; "" before the map is there. A tile without a number: it
            stands somewhere on it, because nobody has said which spaces there are.
        tiles: Those that lie open, in the order in which they were turned up.
        ways: The spaces that each space is open to.
        laid: Where enemy, night and dropped cards lie.
        fires: What people said of fires; the others are as their tiles say.
        springs: Which water a spring gave first.
        thrown: The waters that somebody has laid down on a space, by space and kind: they may lie on a spring.
        entered: What people said of cards.
        described: The spaces of the tiles that people described.
        unjoined: Those of them that lie open and whose ways to other tiles were not seen since.
        wounds: The damage of each enemy that was hit and lives.
        nights: The night cards so far.
        resolved: One of them was turned up in this night.
        day: Counts from 1; 0 before the first.
        night: The night's cards are due.
        turn: The seat that may act; 0 = nobody.
        first: Who has the first player's token.
        done: The seats that act no more today.
        free: The seat at turn has travelled and may gather freely once.
        fled: Seats whose next step is a flight.
        drinks: How often each seat must still drink dirty water.
        hunted: The seat that gathered an enemy and must fight; 0 = none.
        left: The seats that have won.
        told: Somebody tells what people do with what lies before them; else nobody is held to it.
        counted: The seats that have counted what lies before them.
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
    """How many tokens of a kind a seat has."""
    return public.resources[seat - 1].get(kind, 0)


def hurt(public: Island, seat: Seat) -> int:
    """All damage of a seat; none of one that there is not."""
    return sum(sum(ledger.values()) for ledger in public.damage[seat - 1 : seat] if seat)


def is_dead(public: Island, seat: Seat) -> bool:
    """U38: « Lorsqu'un personnage prend un 4ème dégât, il meurt »."""
    return hurt(public, seat) >= FATAL


def on_map(setup: LandsSetup, public: Island) -> tuple[Seat, ...]:
    """The seats that neither died nor left."""
    return tuple(seat for seat in setup.seats if seat not in public.left and not is_dead(public, seat))


def objects(public: Island, seat: Seat) -> tuple[CardId, ...]:
    """The object cards of a seat; projects are none."""
    return tuple(card for card in public.packs[seat - 1] if card[0] == "O")


def items(public: Island, seat: Seat) -> int:
    """U11: resources and objects, not projects."""
    return sum(public.resources[seat - 1].values()) + len(objects(public, seat))


def facts(setup: LandsSetup, public: Island, card: CardId) -> CardFacts:
    """What is known of a card: from the deck, and what people told since."""
    return setup.deck.cards.get(card, UNKNOWN).with_told(public.entered.get(card, UNKNOWN))


def tile_of(space: str) -> CardId:
    """The tile of a space: ``M07`` of ``M07-2``, and of ``M07``, which is all of a tile."""
    return CardId(space.partition("-")[0])


def is_whole_tile(space: str) -> bool:
    """Whether that is no space of a tile but all of it: nobody has said, or seen since, which space it is."""
    return bool(space) and "-" not in space


def tile_spaces(setup: LandsSetup, public: Island, tile: CardId) -> tuple[LandSpace, ...]:
    """The spaces of a tile as people described it, else as the deck has it; none where neither says anything."""
    return public.described.get(tile) or setup.deck.tiles.get(tile, ())


def names_of(setup: LandsSetup, public: Island, tile: CardId) -> tuple[str, ...]:
    """What the spaces of a tile are called; one that nobody has described is one space by its own name."""
    return space_names(tile, len(tile_spaces(setup, public, tile)))


def space_names(tile: CardId, count: int) -> tuple[str, ...]:
    """The names of so many spaces of a tile."""
    return tuple(f"{tile}-{at}" for at in range(1, count + 1)) or (tile,)


def space_at(setup: LandsSetup, public: Island, space: str) -> LandSpace | None:
    """What is known of a space; ``None`` where there is none by that name."""
    tile, _, number = space.partition("-")
    spaces = tile_spaces(setup, public, CardId(tile))
    if not number:
        return None if spaces else UNDESCRIBED
    return spaces[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(spaces) else None


def known_deck(setup: LandsSetup, public: Island) -> LandsDeck:
    """The deck with all tiles that people have described."""
    return setup.deck.with_tiles(public.described)


def overloaded(setup: LandsSetup, public: Island, seat: Seat) -> bool:
    """U11: whether a seat has more than it may carry, and something that it can lay down.

    Tokens count where they are told.
    """
    carried = items(public, seat) if public.told else len(objects(public, seat))
    may_lay_down = (public.told and bool(public.resources[seat - 1])) or any(
        not facts(setup, public, card).quest for card in objects(public, seat)
    )
    return carried > MOST_ITEMS and may_lay_down


def fire_at(setup: LandsSetup, public: Island, space: str) -> bool | None:
    """Whether a fire burns on a space; ``None`` = there is none. Fires are lit until told otherwise."""
    place = space_at(setup, public, space)
    return public.fires.get(space, True if place is not None and place.fire else None)


def holder_of(public: Island, card: CardId) -> Seat:
    """In whose pack a card lies; 0 = in none."""
    return next((Seat(place) for place, cards in enumerate(public.packs, 1) if card in cards), TABLE)
