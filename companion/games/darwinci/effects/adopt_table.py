"""Makes the table the position: the things on it become plots, offers and reserves, and none is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from companion.errors import InputError, fault
from companion.games.darwinci.lying import plot_tiles
from companion.games.darwinci.places import seat_of
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import Dig
from companion.public.table import CardId, Seat, Zone


def adopt(setup: DarwinciSetup, public: Dig, lying: Mapping[CardId, Zone]) -> Dig:
    """The position according to the table.

    Money, turn and round stay the same. A stone that is in no reserve and beside no tile keeps its old place. A tile
    that is missing from a plot or an offer may come again from a player's hand.

    Raises:
        InputError: Two tiles are in one place, one is still for sale, or the match has not begun.
    """
    if not public.dealt:
        message = "the match begins when two tiles lie in each plot and every stone in a reserve"
        raise InputError(fault("darwinci.fault.not_dealt", message))
    plots = tuple(plot_tiles(lying, seat) for seat in setup.seats)
    for seat, plot in zip(setup.seats, plots, strict=True):
        for (x, y), times in Counter((cell.column, cell.row) for cell in plot.values()).items():
            if times > 1:
                message = "{times} tiles lie at {x},{y} in the plot of seat {number}: push them apart"
                raise InputError(fault("darwinci.fault.cell_twice", message, times=times, x=x, y=y, number=seat))
    laid = {card for plot in plots for card in plot}
    for seat, card in sorted(public.offers.items()):
        if public.bidding and card in laid:
            message = "{name} is still for sale: lay it back before seat {number}"
            raise InputError(fault("darwinci.fault.for_sale", message, name=card, number=seat))
    return replace(
        public,
        plots=plots,
        stones={**public.stones, **_stones(setup, public, lying)},
        offers=_offers(setup, public, lying, laid),
        won={card: tile for card, tile in public.won.items() if card not in laid},
        gone=tuple(card for card in public.gone if card not in laid),
    )


def _stones(setup: DarwinciSetup, public: Dig, lying: Mapping[CardId, Zone]) -> dict[CardId, Zone]:
    """Stones in a reserve, or beside a tile that is for sale."""
    stones = {}
    for card, zone in lying.items():
        in_reserve = seat_of(zone, "reserve") in setup.seats
        if card in setup.owners and (in_reserve or seat_of(zone, "offer") in public.offers):
            stones[card] = zone
    return stones


def _offers(setup: DarwinciSetup, public: Dig, lying: Mapping[CardId, Zone], laid: set[CardId]) -> dict[Seat, CardId]:
    """During bidding an offer may have another tile; offers are not added or removed then."""
    offers = {seat: card for seat, card in public.offers.items() if card not in laid or public.bidding}
    elsewhere = {*laid, *public.won, *public.gone, *offers.values()}
    for card, zone in sorted(lying.items()):
        seller = seat_of(zone, "offer")
        if card in setup.deck.tiles and card not in elsewhere and seller in offers:
            offers[seller] = card
    return offers
