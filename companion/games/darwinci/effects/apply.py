"""Carries out moves, legal or not; refuses only what is physically impossible."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.darwinci import moves as act
from companion.games.darwinci.effects.bidding import bid_stone, end_bids, offer_tile
from companion.games.darwinci.effects.plots import deal, drop, lay, pass_darwin_tile
from companion.games.darwinci.effects.rounds import buy, pay
from companion.games.darwinci.rules.rounds import winners
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import Dig
from companion.games.protocol import Effect, Move, MoveContext
from companion.public.table import TABLE
from companion.public.text import JSON

OF_THE_TABLE = (act.DealPlots, act.AgreeAllCounted)


def carry_out(setup: DarwinciSetup, public: Dig, move: Move, at: MoveContext) -> Effect[Dig]:
    """The effect of a move; its points are the money for the seat that made it.

    Raises:
        ImpossibleMove: It is physically impossible.
    """
    _possible(setup, public, move)
    extras: dict[str, JSON] = {}
    match move:
        case act.DealPlots():
            after = deal(setup, public, move)
        case act.BuyTiles():
            after = buy(setup, public, move)
        case act.OfferTile():
            after = offer_tile(setup, public, move, at)
        case act.BidStone():
            after = bid_stone(setup, public, move, at)
        case act.EndBids():
            after, won = end_bids(setup, public, at)
            if won is not None:
                extras["awards"] = [{"card": card, "to": tile.winner} for card, tile in won.items()]
        case act.LayBone():
            after = pass_darwin_tile(setup, lay(setup, public, move))
        case act.DropBone():
            after = pass_darwin_tile(setup, drop(public, move))
        case act.CountJewel():
            jewels = {**public.jewels, move.jewel: public.jewels.get(move.jewel, 0) + 1}
            after = replace(public, darwin=pay(public.darwin, move.by, move.amount), jewels=jewels)
        case act.SizeCreature():
            after = replace(public, sizes={**public.sizes, move.by: move.size})
        case act.AgreeAllCounted():
            after = replace(public, over=True, winners=winners(setup, public))
        case _:
            raise ImpossibleMove(f"{move.do} is no act of this game")
    gained = after.darwin[move.by - 1] - public.darwin[move.by - 1] if move.by else 0
    return Effect(after, gained, extras)


def _possible(setup: DarwinciSetup, public: Dig, move: Move) -> None:
    """Check whether a seat in play can have made the move, allowed or not.

    Raises:
        ImpossibleMove: It cannot.
    """
    if public.over:
        raise ImpossibleMove("the match is over; start a new one")
    if isinstance(move, act.DealPlots) == public.dealt:
        raise ImpossibleMove("the match has begun already" if public.dealt else "the deal comes first")
    if not (TABLE if isinstance(move, OF_THE_TABLE) else 1) <= move.by <= len(setup.players):
        raise ImpossibleMove(f"there is no seat {move.by}; seats are 1 to {len(setup.players)}")
    if isinstance(move, act.EndBids) and move.by != public.turn:
        raise ImpossibleMove(f"seat {move.by} is not at turn and cannot end it")
