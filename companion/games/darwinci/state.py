"""What is known of a match. Nothing is hidden: tiles in hands and in the sites are unknown to the referee."""

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
    """A tile that was awarded and is not laid yet; it still lies before its seller."""

    winner: Seat
    seller: Seat


@dataclass(frozen=True, slots=True)
class Dig:
    """How far a match has come.

    Attributes:
        plots: By seat, where each tile lies; none before the deal.
        stones: The zone of each stone, a reserve or an offer; none before the deal.
        darwin: Money by seat; below 0 a debt.
        round: Counts from 1; 0 before the first tile is bought or offered.
        bidding: The bidding turn, 1 to 3; 0 outside.
        turn: The seat that may bid; 0 = nobody.
        first: The seat that begins a round.
        holder: Who has the Darwin tile.
        bought: The seats that have bought in this round.
        offers: The tile before each seat that has turned one up.
        bid: The stones that the seat at turn has laid in this turn.
        since_s: Seconds of play at which the last stone was laid or the last turn ended, where known.
        won: Tiles that were awarded and are not laid yet.
        gone: Tiles that left the game.
        passed: The Darwin tile was passed on at the end of this round.
        jewels: How many of each colour were counted.
        sizes: What people said of their creatures at a tie.
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
    """How many stones of other colours the seat at turn has laid in this turn."""
    return sum(setup.owners[card] != public.turn for card in public.bid)


def weight(stone: CardId) -> int:
    """What a stone counts for the majority: a big one « vaudra 2 points » (W32)."""
    return 2 if is_big(stone) else 1


def plot_of(public: Dig, card: CardId) -> Seat:
    """The seat in whose plot a tile lies; 0 = none."""
    return next((Seat(place) for place, plot in enumerate(public.plots, 1) if card in plot), TABLE)


def unseen(setup: DarwinciSetup, public: Dig) -> tuple[CardId, ...]:
    """The tiles in hands and in the sites."""
    seen = {*public.offers.values(), *public.won, *public.gone}.union(*public.plots)
    return tuple(card for card in setup.deck.tiles if card not in seen)


def room(public: Dig, seat: Seat) -> int:
    """How many tiles the plot of a seat still holds."""
    return max(0, FULL - len(public.plots[seat - 1]))


def still_to_lay(public: Dig) -> tuple[CardId, ...]:
    """The tiles that were won, are not laid, and fit the plot of whoever won them."""
    return tuple(card for card, tile in public.won.items() if room(public, tile.winner))


def at_the_end(setup: DarwinciSetup, public: Dig) -> bool:
    """Whether no further round can begin: a plot is full (W27), or there is no longer a tile for every seat."""
    if not public.dealt or public.bidding or public.offers:
        return False
    return any(len(plot) >= FULL for plot in public.plots) or len(unseen(setup, public)) < len(setup.players)


def jewels_left(public: Dig, jewel: str) -> int:
    """How many jewels of a colour nobody has counted yet."""
    return max(0, JEWELS_OF_A_COLOUR - public.jewels.get(jewel, 0))
