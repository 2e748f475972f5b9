"""Random play: matches with any seats, and a player who tries random moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from companion.games.darwinci import moves as act
from companion.games.darwinci.deck import JEWELS
from companion.games.darwinci.game import Darwinci
from companion.games.darwinci.moves import reserve
from companion.games.darwinci.rules.rounds import richest
from companion.games.darwinci.setup import LEAST_SEATS, MOST_SEATS, DarwinciSetup
from companion.games.darwinci.state import Dig, at_the_end, room, stones_in, unseen
from companion.games.protocol import Move, MoveContext
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import JSON

if TYPE_CHECKING:
    from random import Random  # passed in: rules have no randomness of their own


def random_match(rng: Random, profile: str) -> dict[str, JSON]:
    """A match file with three to five seats."""
    count = rng.randint(LEAST_SEATS, MOST_SEATS)
    seats = [{"name": f"Seat {seat}"} for seat in range(1, count + 1)]
    return {"game": "darwinci", "profile": profile, "seat": seats}


def random_deal(setup: DarwinciSetup, rng: Random) -> act.DealPlots:
    """Any two tiles for each seat, and a small stone for each neighbour."""
    tiles = rng.sample(sorted(setup.deck.tiles), 2 * len(setup.players))
    plots, held = [], {seat: list(setup.own(seat)) for seat in setup.seats}
    for place, seat in enumerate(setup.seats):
        one, other = sorted(tiles[2 * place : 2 * place + 2])
        x, y = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        plots.append(((one, 0, 0, rng.randrange(4)), (other, x, y, rng.randrange(4))))
        for neighbour in (setup.left_of(seat), setup.right_of(seat)):
            own = [card for card in held[seat] if setup.owners[card] == seat and not card.endswith("0")]
            given = rng.choice(own)
            held[seat].remove(given)
            held[neighbour].append(given)
    reserves = tuple(tuple(sorted(held[seat])) for seat in setup.seats)
    return act.DealPlots(TABLE, tuple(plots), reserves, rng.choice(setup.seats))


def random_player(game: Darwinci) -> Callable[[Dig, Random, MoveContext], Iterator[Move]]:
    """A player who proposes random moves."""
    return lambda public, rng, _at: propose(game.setup, public, rng)


def propose(setup: DarwinciSetup, public: Dig, rng: Random) -> Iterator[Move]:
    """Moves in the order in which a random player tries them; one of them is legal until the match is over."""
    if public.over:
        return
    if not public.dealt:
        yield random_deal(setup, rng)
        return
    if public.bidding:
        yield from _bids(setup, public, rng)
        yield act.EndBids(public.turn)
        return
    if public.won:
        yield from _laying(public, rng)
    if rng.random() < 0.05 or (at_the_end(setup, public) and rng.random() < 0.5):
        yield act.CountJewel(rng.choice(setup.seats), rng.choice(JEWELS), rng.randint(1, 6))
    if at_the_end(setup, public):
        yield from _creatures(setup, public, rng)
        yield act.AgreeAllCounted(TABLE)
    if not public.offers and rng.random() < 0.2:
        yield act.BuyTiles(rng.choice(setup.seats))
    waiting = [seat for seat in setup.seats if seat not in public.offers]
    left = unseen(setup, public)
    if waiting and left:
        yield act.OfferTile(rng.choice(waiting), rng.choice(left))


def _creatures(setup: DarwinciSetup, public: Dig, rng: Random) -> Iterator[Move]:
    for seat in richest(setup, public):
        if seat not in public.sizes:
            yield act.SizeCreature(seat, rng.randint(1, max(1, len(public.plots[seat - 1]))))


def _bids(setup: DarwinciSetup, public: Dig, rng: Random) -> Iterator[Move]:
    """A few stones, some of other colours, some too many; required ones last."""
    held = list(stones_in(public, reserve(public.turn)))
    rng.shuffle(held)
    to = list(setup.seats)
    rng.shuffle(to)
    if rng.random() < 0.6:
        yield from (act.BidStone(public.turn, card, to[0]) for card in held[:3])
    if rng.random() < 0.7:
        yield act.EndBids(public.turn)
    foreign = [card for card in held if setup.owners[card] != public.turn]
    yield from (act.BidStone(public.turn, card, to[-1]) for card in foreign)


def _laying(public: Dig, rng: Random) -> Iterator[Move]:
    """Anywhere in the plot, legal or not; tiles without room are put away."""
    waiting: list[CardId] = list(public.won)
    rng.shuffle(waiting)
    for card in waiting:
        seat = public.won[card].winner
        yield from (_lay(seat, card, place, rng) for place in _around(public, seat, rng))
        if not room(public, seat):
            yield act.DropBone(seat, card)


def _lay(seat: Seat, card: CardId, place: tuple[int, int], rng: Random) -> act.LayBone:
    return act.LayBone(seat, card, *place, rng.randrange(4))


def _around(public: Dig, seat: Seat, rng: Random) -> list[tuple[int, int]]:
    there = {(cell.column, cell.row) for cell in public.plots[seat - 1].values()}
    around = {(x + dx, y + dy) for x, y in there for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1))}
    places = sorted(around - there)
    rng.shuffle(places)
    return places
