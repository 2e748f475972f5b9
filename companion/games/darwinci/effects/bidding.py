"""Offers, bids, and the awards after the last bid (W7, W8, W15 to W21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.darwinci.effects.plots import pass_darwin_tile
from companion.games.darwinci.effects.rounds import begin_round
from companion.games.darwinci.moves import BidStone, OfferTile, offer, reserve
from companion.games.darwinci.rules.awards import awards, next_first, way_home
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import TURNS, Dig, WonTile, unseen
from companion.games.protocol import MoveContext
from companion.public.table import TABLE, CardId, Seat, Zone


def offer_tile(setup: DarwinciSetup, public: Dig, move: OfferTile, at: MoveContext) -> Dig:
    """Put a tile up for sale; when each seat has one, the first bidding turn begins (W7)."""
    if move.card not in unseen(setup, public):
        raise ImpossibleMove(f"{move.card} is no tile that somebody could have in hand now")
    if move.by in public.offers:
        raise ImpossibleMove(f"{public.offers[move.by]} is offered by seat {move.by} already")
    begun = begin_round(setup, public)
    after = replace(begun, offers={**begun.offers, move.by: move.card})
    if len(after.offers) < len(setup.players):
        return after
    return replace(after, bidding=1, turn=after.first, bid=(), since_s=at.time_s)


def bid_stone(setup: DarwinciSetup, public: Dig, move: BidStone, at: MoveContext) -> Dig:
    """Place a stone beside a tile; only the stones of the seat to move count for its duties and limits."""
    if move.card not in setup.owners:
        raise ImpossibleMove(f"{move.card!r} is no stone of this match")
    if move.to not in public.offers:
        raise ImpossibleMove(f"no tile of seat {move.to} is for sale")
    bid = (*public.bid, move.card) if move.by == public.turn and move.card not in public.bid else public.bid
    return replace(public, stones={**public.stones, move.card: offer(move.to)}, bid=bid, since_s=at.time_s)


def end_bids(setup: DarwinciSetup, public: Dig, at: MoveContext) -> tuple[Dig, Mapping[CardId, WonTile] | None]:
    """Go on to the next seat; after the last one of the third turn the awards are returned as well."""
    if not public.bidding:
        raise ImpossibleMove("nobody is at turn: the tiles come first")
    following = setup.left_of(public.turn)
    again = following == public.first
    if again and public.bidding == TURNS:
        won = awards(setup, public)
        return close(setup, public, won), won
    return replace(public, turn=following, bidding=public.bidding + again, bid=(), since_s=at.time_s), None


def close(setup: DarwinciSetup, public: Dig, won: Mapping[CardId, WonTile]) -> Dig:
    """Give tiles to their winners or remove them, stones to the reserves, and the die to the next first player."""
    after = replace(
        public,
        stones=stones_home(setup, public, won),
        first=next_first(setup, public, won),
        won={**public.won, **{card: tile for card, tile in won.items() if tile.winner != TABLE}},
        gone=(*public.gone, *unsold(won)),
        bidding=0,
        turn=TABLE,
        bought=frozenset[Seat](),
        offers={},
        bid=(),
        since_s=None,
        passed=False,
    )
    return pass_darwin_tile(setup, after)


def unsold(won: Mapping[CardId, WonTile]) -> tuple[CardId, ...]:
    """W18: « Si aucune pierre n'a été posée à côté d'un fragment, retirez définitivement celui-ci du jeu. »"""
    return tuple(card for card, tile in won.items() if tile.winner == TABLE)


def stones_home(setup: DarwinciSetup, public: Dig, won: Mapping[CardId, WonTile]) -> Mapping[CardId, Zone]:
    """The place of every stone after those that were bid are returned (W19 to W21)."""
    homes = dict(public.stones)
    for tile in won.values():
        homes |= {stone: reserve(seat) for stone, seat in way_home(setup, public, tile.seller, tile.winner).items()}
    return homes
