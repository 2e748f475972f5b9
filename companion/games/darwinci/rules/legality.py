"""The objections to a move: the rules in the order in which people would mention them."""

from __future__ import annotations

from dataclasses import replace

from companion.games.darwinci import moves as act
from companion.games.darwinci.deck import JEWELS
from companion.games.darwinci.rules.awards import awards
from companion.games.darwinci.rules.plots import (
    all_laid,
    edge_to_edge,
    first_tiles,
    full,
    in_frame,
    places,
    rotten_first,
    shares,
)
from companion.games.darwinci.rules.rounds import (
    has_price,
    is_over,
    last_round,
    once_before_offers,
    one_each,
    richest,
    stays,
    tiles_first,
    won_by,
)
from companion.games.darwinci.rules.stones import (
    TURN,
    at_turn,
    big_first,
    duty,
    from_reserve,
    not_too_many,
    one_of_own,
)
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import TURNS, Dig, at_the_end, jewels_left, unseen
from companion.games.protocol import Move, Objection
from companion.public.table import TABLE

NOT_THERE = Objection("not-there")
NOT_OFFERED = Objection("not-offered")
DEAL = Objection("deal")
ORDER = Objection("order")
MOST_INCOME = 99
"""No jewel brings more at once; a larger number is a typing error."""


def judge(setup: DarwinciSetup, public: Dig, move: Move) -> tuple[Objection, ...]:
    """All objections to a move; none = legal."""
    if over := is_over(public):
        return over
    if isinstance(move, act.DealPlots):
        return _deal(setup, public, move)
    if not public.dealt:
        return (DEAL,)
    if not isinstance(move, act.AgreeAllCounted) and move.by not in setup.seats:
        return (TURN,)
    match move:
        case act.BuyTiles():
            if early := last_round(setup, public) or (() if public.bidding else all_laid(public)):
                return early
            return (*once_before_offers(public, move.by), *has_price(public, move.by))
        case act.OfferTile():
            return _offer(setup, public, move)
        case act.BidStone():
            return _bid(setup, public, move)
        case act.EndBids():
            return tiles_first(public) or at_turn(public, move.by) or duty(setup, public)
        case act.LayBone():
            return _lay(setup, public, move)
        case act.DropBone():
            return _drop(public, move)
        case act.CountJewel():
            there = move.jewel in JEWELS and jewels_left(public, move.jewel)
            return () if there and 0 < move.amount <= MOST_INCOME else (NOT_OFFERED,)
        case act.SizeCreature():
            return _creature(setup, public, move)
        case act.AgreeAllCounted():
            if move.by != TABLE:
                return (TURN,)
            return all_laid(public) or (() if at_the_end(setup, public) else (NOT_OFFERED,))
        case _:
            return (NOT_OFFERED,)


def _deal(setup: DarwinciSetup, public: Dig, move: act.DealPlots) -> tuple[Objection, ...]:
    if move.by != TABLE:
        return (TURN,)
    if public.dealt:
        return (NOT_OFFERED,)
    tiles = [card for plot in move.plots for card, *_ in plot]
    stones = [card for stones in move.reserves for card in stones]
    is_known = all(card in setup.deck.tiles for card in tiles) and all(card in setup.owners for card in stones)
    twice = len({*tiles, *stones}) != len(tiles) + len(stones)
    turned = all(0 <= turn <= 3 for plot in move.plots for *_, turn in plot)
    if not is_known or twice or not turned or len(move.plots) != len(setup.players):
        return (NOT_THERE,)
    return (*shares(setup, move), *first_tiles(move))


def _offer(setup: DarwinciSetup, public: Dig, move: act.OfferTile) -> tuple[Objection, ...]:
    if move.card not in unseen(setup, public):
        return (NOT_THERE,)
    if public.bidding:
        return one_each(public, move.by) or (ORDER,)
    return last_round(setup, public) or all_laid(public) or one_each(public, move.by)


def _bid(setup: DarwinciSetup, public: Dig, move: act.BidStone) -> tuple[Objection, ...]:
    if move.card not in setup.owners or move.to not in setup.seats:
        return (NOT_THERE,)
    early = from_reserve(public, move.by, move.card) or tiles_first(public) or at_turn(public, move.by)
    return early or (
        *one_of_own(setup, public, move.card),
        *not_too_many(setup, public, move.card),
        *big_first(setup, public, move.card),
    )


def closes(setup: DarwinciSetup, public: Dig) -> bool:
    """Whether the current turn is the last bidding turn of the round, and may end."""
    last = public.bidding == TURNS and setup.left_of(public.turn) == public.first
    return last and not duty(setup, public)


def _lay(setup: DarwinciSetup, public: Dig, move: act.LayBone) -> tuple[Objection, ...]:
    """While the last turn is open, a tile is judged as if it were over: then only its end is missing."""
    if move.card not in setup.deck.tiles or not 0 <= move.turn <= 3:
        return (NOT_THERE,)
    if still := stays(public, move.card):
        return still
    if move.card in public.offers.values():
        if not closes(setup, public):
            return (ORDER,)
        return _lay(setup, replace(public, offers={}, won={**public.won, **awards(setup, public)}), move) or (ORDER,)
    if move.card not in public.won and move.card not in public.gone:
        return (NOT_THERE,)
    winner = public.won[move.card].winner if move.card in public.won else TABLE
    there, place = places(public.plots[move.by - 1].values()), (move.x, move.y)
    if wrong := won_by(winner, move.by, move.card):
        return wrong
    if place in there:
        return (NOT_THERE,)
    return (*edge_to_edge(there, place), *in_frame(there, place), *rotten_first(setup, public, move.by, move.card))


def _drop(public: Dig, move: act.DropBone) -> tuple[Objection, ...]:
    if move.card not in public.won:
        return (NOT_THERE,)
    return won_by(public.won[move.card].winner, move.by, move.card) or full(public, move.by, move.card)


def _creature(setup: DarwinciSetup, public: Dig, move: act.SizeCreature) -> tuple[Objection, ...]:
    if not at_the_end(setup, public) or not 1 <= move.size <= len(public.plots[move.by - 1]):
        return (NOT_OFFERED,)
    best = richest(setup, public)
    return () if len(best) > 1 and move.by in best else (NOT_OFFERED,)
