"""The awards: the winner of each tile, the return of stones, the next first player and the Darwin tile (W15 to W21,
W26)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.darwinci.moves import offer
from companion.games.darwinci.setup import DarwinciSetup, is_big
from companion.games.darwinci.state import Dig, WonTile, stones_in, weight
from companion.public.table import TABLE, CardId, Seat


def winner(setup: DarwinciSetup, public: Dig, seller: Seat) -> Seat:
    """W15, W16: « au joueur dont la couleur est majoritaire »; 0 without stones (W18)."""
    strength = majority(setup, public, seller)
    return tie(setup, public, strength) if strength else TABLE


def majority(setup: DarwinciSetup, public: Dig, seller: Seat) -> Mapping[Seat, int]:
    """W15: the strength of each colour beside a tile, « quels que soient les joueurs ayant posé les pierres »."""
    strength: dict[Seat, int] = {}
    for stone in stones_in(public, offer(seller)):
        owner = setup.owners[stone]
        strength[owner] = strength.get(owner, 0) + weight(stone)
    return strength


def tie(setup: DarwinciSetup, public: Dig, strength: Mapping[Seat, int]) -> Seat:
    """W16: « au premier des joueurs concernés en sens horaire, en commençant par le premier joueur »."""
    return max(setup.clockwise_from(public.first), key=lambda seat: strength.get(seat, 0))


def awards(setup: DarwinciSetup, public: Dig) -> Mapping[CardId, WonTile]:
    """Every offered tile with its winner, in the order of the sellers; winner 0 = it leaves the game."""
    return {
        card: WonTile(winner(setup, public, seller), Seat(seller)) for seller, card in sorted(public.offers.items())
    }


def way_home(setup: DarwinciSetup, public: Dig, seller: Seat, won_by: Seat) -> Mapping[CardId, Seat]:
    """The new reserve of each stone beside a tile."""
    stones = stones_in(public, offer(seller))
    of_winner = [stone for stone in stones if setup.owners[stone] == won_by]
    return colours_home(setup, stones) | dict.fromkeys(payment(of_winner), seller)


def payment(stones: list[CardId]) -> tuple[CardId, ...]:
    """W20: « Le reliquat est toujours laissé, comme paiement »: all stones of the winner's colour except the one that
    is taken back. The seller gets them, even if the seller is the winner."""
    kept = taken_back(stones)
    return tuple(stone for stone in stones if stone != kept)


def taken_back(stones: list[CardId]) -> CardId | None:
    """W19: the winner « récupère toujours l'une de ses propres pierres »; a big one only without a small one."""
    return min(stones, key=is_big, default=None)


def colours_home(setup: DarwinciSetup, stones: tuple[CardId, ...]) -> dict[CardId, Seat]:
    """W21: « Toutes les autres pierres reviennent à leurs propriétaires »."""
    return {stone: setup.owners[stone] for stone in stones}


def next_first(setup: DarwinciSetup, public: Dig, won: Mapping[CardId, WonTile]) -> Seat:
    """W17: the winner of the first player's tile; the left neighbour, if that is the first player or no seat."""
    taker = next((tile.winner for tile in won.values() if tile.seller == public.first), TABLE)
    return setup.left_of(public.first) if taker in (TABLE, public.first) else taker


def next_holder(setup: DarwinciSetup, public: Dig) -> Seat:
    """W26: « celui qui a le moins de fragments »; in a tie not the present holder, but « le plus proche de lui »."""
    tiles = {seat: len(public.plots[seat - 1]) for seat in setup.seats}
    least = [seat for seat, count in tiles.items() if count == min(tiles.values())]
    if len(least) == 1:
        return least[0]
    return next(seat for seat in setup.clockwise_from(public.holder)[1:] if seat in least)
