"""The state of a match. Nothing is hidden: the referee does not know the tiles in hands and in the sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.darwinci.moves import reserve
from companion.games.darwinci.setup import DarwinciSetup, is_big
from companion.games.lattice import Cell
from companion.public.table import TABLE, CardId, Seat, Zone

TURNS = 3
"""« Un tour de jeu est toujours constitué de 3 tours d'enchères successifs »."""
FULL = 12
"""« Si la parcelle d'un joueur comprend 12 fragments, c'est la fin de la partie »."""

JEWELS_OF_A_COLOUR = 5
"""« 25 marqueurs de bijoux », of five colours."""

Plot = Mapping[CardId, Cell]


@dataclass(frozen=True, slots=True)
class WonTile:
    """A tile that was awarded and is not placed yet; it is still in front of its seller."""

    winner: Seat
    seller: Seat


@dataclass(frozen=True, slots=True)
class Dig:
    """The state of a match.

    Attributes:
        plots: By seat, the position of each tile; empty before the deal.
        stones: The zone of each stone, a reserve or an offer; empty before the deal.
        darwin: Money by seat; below 0 a debt.
        round: From 1; 0 before the first tile is bought or offered.
        bidding: The bidding turn, 1 to 3; 0 outside.
        turn: The seat that may bid; 0 = none.
        first: The first seat of the round.
        holder: The seat with the Darwin tile.
        bought: The seats that have bought in this round.
        offers: The face-up tile in front of each seat.
        bid: The stones that the seat to move has bid in this turn.
        since_s: Seconds of play at which the last stone was bid or the last turn ended, if known.
        won: Tiles that were awarded and are not placed yet.
        gone: Tiles that left the game.
        passed: Whether the Darwin tile was passed on at the end of this round.
        jewels: The number of each colour that was counted.
        sizes: The sizes of creatures that players gave at a tie.
    """

    plots: tuple[Plot, ...]
    stones: Mapping[CardId, Zone]
    darwin: tuple[int, ...]
    round: int = 0
    bidding: int = 0
    turn: Seat = TABLE
    first: Seat = TABLE
    holder: Seat = TABLE
    bought: frozenset[Seat] = frozenset()
    offers: Mapping[Seat, CardId] = field(default_factory=dict)
    bid: tuple[CardId, ...] = ()
    since_s: float | None = None
    won: Mapping[CardId, WonTile] = field(default_factory=dict)
    gone: tuple[CardId, ...] = ()
    passed: bool = True
    jewels: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[Seat, int] = field(default_factory=dict)
    over: bool = False
    winners: tuple[Seat, ...] = ()

    @property
    def dealt(self) -> bool:
        """Whether the match has begun."""
        return bool(self.stones)


def opening(setup: DarwinciSetup) -> Dig:
    """An empty table."""
    count = len(setup.players)
    return Dig(plots=({},) * count, stones={}, darwin=(0,) * count)


def stones_in(public: Dig, zone: Zone) -> tuple[CardId, ...]:
    """The stones in a reserve or beside an offered tile, in a fixed order."""
    return tuple(sorted(card for card, there in public.stones.items() if there == zone))


def foreign_held(setup: DarwinciSetup, public: Dig, seat: Seat) -> tuple[CardId, ...]:
    """The stones of other colours in a seat's reserve."""
    return tuple(card for card in stones_in(public, reserve(seat)) if setup.owners[card] != seat)


def foreign_bid(setup: DarwinciSetup, public: Dig) -> int:
    """Number of stones of other colours that the seat to move has bid in this turn."""
    return sum(setup.owners[card] != public.turn for card in public.bid)


def weight(stone: CardId) -> int:
    """The strength of a stone: a big one « vaudra 2 points » (W32)."""
    return 2 if is_big(stone) else 1


def plot_of(public: Dig, card: CardId) -> Seat:
    """The seat whose plot has this tile; 0 = none."""
    return next((Seat(place) for place, plot in enumerate(public.plots, 1) if card in plot), TABLE)


def unseen(setup: DarwinciSetup, public: Dig) -> tuple[CardId, ...]:
    """The tiles in hands and in the sites."""
    seen = {*public.offers.values(), *public.won, *public.gone}.union(*public.plots)
    return tuple(card for card in setup.deck.tiles if card not in seen)


def room(public: Dig, seat: Seat) -> int:
    """Number of free places in a seat's plot."""
    return max(0, FULL - len(public.plots[seat - 1]))


def still_to_lay(public: Dig) -> tuple[CardId, ...]:
    """The tiles that were won, are not placed, and fit in their winner's plot."""
    return tuple(card for card, tile in public.won.items() if room(public, tile.winner))


def at_the_end(setup: DarwinciSetup, public: Dig) -> bool:
    """Whether no further round can begin: a plot is full (W27), or there are not enough tiles for all seats."""
    if not public.dealt or public.bidding or public.offers:
        return False
    return any(len(plot) >= FULL for plot in public.plots) or len(unseen(setup, public)) < len(setup.players)


def jewels_left(public: Dig, jewel: str) -> int:
    """Number of jewels of a colour that are not counted yet."""
    return max(0, JEWELS_OF_A_COLOUR - public.jewels.get(jewel, 0))
