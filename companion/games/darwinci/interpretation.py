"""What a change of the table could mean, and what nobody had to say."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.darwinci import moves as act
from companion.games.darwinci.effects.apply import carry_out
from companion.games.darwinci.lying import plot_tiles
from companion.games.darwinci.places import read_cell, seat_of
from companion.games.darwinci.rules.legality import closes, judge
from companion.games.darwinci.rules.stones import left_to_lay
from companion.games.darwinci.setup import DARWIN_TILE, DarwinciSetup
from companion.games.darwinci.state import Dig, at_the_end, room, unseen
from companion.games.protocol import Move, MoveContext
from companion.public.table import COMMAND_ZONE, LOOSE, TABLE, CardId, Change, Zone

PART_OF_THE_DEAL = act.DealPlots(TABLE, (), (), TABLE)
"""What a thing means that is laid while not all of the deal lies there."""
PLOT_TILES = 2
"""In each plot, when a match begins."""
CLOSES_S = 3.0
"""When the last seat has laid all it may, so many seconds are left to take a stone back before tiles are awarded."""


def interpretations(setup: DarwinciSetup, public: Dig, change: Change) -> tuple[Move, ...]:
    """Pseudo-legal meanings, likeliest first; ``()`` = nothing in the game explains it."""
    if public.over:
        return ()
    if not public.dealt:
        return () if change.went_to == COMMAND_ZONE else (PART_OF_THE_DEAL,)
    if change.went_to == COMMAND_ZONE:
        return _shown(setup, public, change.card)
    if change.card in setup.owners:
        return _stone(public, change)
    if change.card not in setup.deck.tiles:
        return ()
    return _tile_gone(setup, public, change.card) if change.went_to is None else _tile(setup, public, change)


def _shown(setup: DarwinciSetup, public: Dig, card: CardId) -> tuple[Move, ...]:
    """What a command card says. The one for buying needs a seat: all are meant that may buy now."""
    match card:
        case "KEND":
            return (act.AgreeAllCounted(TABLE) if at_the_end(setup, public) else act.EndBids(public.turn),)
        case "KBUY":
            buys = tuple(act.BuyTiles(seat) for seat in setup.seats)
            return tuple(buy for buy in buys if not judge(setup, public, buy)) or buys[:1]
        case _:
            return ()


def _stone(public: Dig, change: Change) -> tuple[Move, ...]:
    """A stone is bid by the seat in whose reserve it lay; one that lay beside another tile, by the seat at turn."""
    to = None if change.went_to is None else seat_of(change.went_to, "offer")
    if to is None or to not in public.offers:
        return ()
    came_from = public.stones.get(change.card)
    by = None if came_from is None else seat_of(came_from, "reserve")
    return (act.BidStone(by or public.turn or to, change.card, to),)


def _tile(setup: DarwinciSetup, public: Dig, change: Change) -> tuple[Move, ...]:
    assert change.went_to is not None
    place = read_cell(change.went_to)
    if place is not None:
        seat, cell = place
        return (act.LayBone(seat, change.card, cell.column, cell.row, cell.turn),) if seat in setup.seats else ()
    seller = seat_of(change.went_to, "offer")
    if seller in setup.seats and change.card in unseen(setup, public):
        return (act.OfferTile(seller, change.card),)
    return ()


def _tile_gone(setup: DarwinciSetup, public: Dig, card: CardId) -> tuple[Move, ...]:
    """A tile that leaves its offer ends the last turn; one that a full plot cannot hold is put away."""
    if card in public.offers.values() and closes(setup, public):
        return (act.EndBids(public.turn),)
    tile = public.won.get(card)
    return (act.DropBone(tile.winner, card),) if tile is not None and not room(public, tile.winner) else ()


def deal(setup: DarwinciSetup, public: Dig, lying: Mapping[CardId, Zone]) -> act.DealPlots | None:
    """The deal, when each plot has its tiles, every stone lies in a reserve, and one of them has the Darwin tile."""
    holder = seat_of(lying.get(DARWIN_TILE, Zone("")), "reserve")
    if public.dealt or holder not in setup.seats:
        return None
    plots = tuple(
        tuple((card, cell.column, cell.row, cell.turn) for card, cell in plot_tiles(lying, seat).items())
        for seat in setup.seats
    )
    reserves = tuple(
        tuple(sorted(card for card in setup.owners if lying.get(card) == act.reserve(seat))) for seat in setup.seats
    )
    complete = all(len(plot) == PLOT_TILES for plot in plots) and sum(map(len, reserves)) == len(setup.owners)
    return act.DealPlots(TABLE, plots, reserves, holder) if complete else None


def no_part_of_a_deal(setup: DarwinciSetup, there: Mapping[CardId, Zone]) -> dict[CardId, Zone]:
    """What lies in no plot and in no reserve, and all tiles of a plot that holds more than two."""
    full = [seat for seat in setup.seats if len(plot_tiles(there, seat)) > PLOT_TILES]

    def belongs(card: CardId, zone: Zone) -> bool:
        if card in setup.deck.tiles:
            cell = read_cell(zone)
            return zone == LOOSE or (cell is not None and cell[0] not in full)
        return seat_of(zone, "reserve") in setup.seats

    return {card: zone for card, zone in there.items() if not belongs(card, zone)}


def implied_moves(setup: DarwinciSetup, public: Dig, move: Move, at: MoveContext) -> tuple[Move, ...]:
    """The end of a turn that nobody said: then the stone of the next seat, or a tile that somebody won."""
    if not public.bidding or not isinstance(move, act.BidStone | act.LayBone):
        return ()
    ends = act.EndBids(public.turn)
    if judge(setup, public, ends) or (isinstance(move, act.BidStone) and move.by != setup.left_of(public.turn)):
        return ()
    after = carry_out(setup, public, ends, at).state
    return () if judge(setup, after, move) else (ends, move)


def timer(setup: DarwinciSetup, public: Dig) -> tuple[float, Move] | None:
    """The last of all bidding turns ends by itself when its seat has laid all it may."""
    if public.since_s is None or not closes(setup, public) or left_to_lay(setup, public):
        return None
    return public.since_s + CLOSES_S, act.EndBids(public.turn)
