"""Which moves a change of the table could mean, and which moves follow without being announced."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.darwinci import moves as act
from companion.games.darwinci.effects.apply import carry_out
from companion.games.darwinci.lying import plot_tiles
from companion.games.darwinci.places import read_cell, seat_of
from companion.games.darwinci.rules.awards import winner
from companion.games.darwinci.rules.legality import closes, judge
from companion.games.darwinci.rules.stones import OWN_ONE, TOO_MANY, TURN, left_to_lay, nobody_owes
from companion.games.darwinci.setup import DARWIN_TILE, DarwinciSetup
from companion.games.darwinci.state import TURNS, Dig, at_the_end, room, unseen
from companion.games.protocol import Move, MoveContext
from companion.public.table import COMMAND_ZONE, LOOSE, TABLE, CardId, Change, Zone

PART_OF_THE_DEAL = act.DealPlots(TABLE, (), (), TABLE)
"""The meaning of a thing that is placed while the deal is incomplete."""
PLOT_TILES = 2
"""Tiles in each plot when a match begins."""
ALL_OVER = act.EndBids(TABLE)
"""Clearing up before the third turn: all turns that are left were left out. Never played: ``implied_moves`` has the
ends of these turns."""
NEXT_TURN = {OWN_ONE.rule, TOO_MANY.rule}
"""A stone that breaks only these may be the same seat's stone of the next bidding turn."""
CLOSES_S = 3.0
"""When the last seat has placed all that it may, it has this many seconds to take a stone back before tiles are
awarded."""


def interpretations(setup: DarwinciSetup, public: Dig, change: Change) -> tuple[Move, ...]:
    """Pseudo-legal moves, likeliest first; ``()`` = the game has no explanation."""
    if public.over:
        return ()
    if not public.dealt:
        return () if change.went_to == COMMAND_ZONE else (PART_OF_THE_DEAL,)
    if change.went_to == COMMAND_ZONE:
        return _shown(setup, public, change.card)
    if change.card in setup.owners:
        return _stone(setup, public, change)
    if change.card not in setup.deck.tiles:
        return ()
    return _tile_gone(setup, public, change.card) if change.went_to is None else _tile(setup, public, change)


def _shown(setup: DarwinciSetup, public: Dig, card: CardId) -> tuple[Move, ...]:
    """The meanings of a command card. The card for buying names no seat: all seats that may buy now are possible."""
    match card:
        case "KEND":
            if at_the_end(setup, public):
                return (act.AgreeAllCounted(TABLE),)
            return () if is_closed(public) else (act.EndBids(public.turn),)
        case "KBUY":
            buys = tuple(act.BuyTiles(seat) for seat in setup.seats)
            return tuple(buy for buy in buys if not judge(setup, public, buy)) or buys[:1]
        case _:
            return ()


def is_closed(public: Dig) -> bool:
    """Whether the tiles of a round were awarded and the next round has not begun: there is no turn to end."""
    return bool(public.round) and not public.bidding and not public.offers


def _stone(setup: DarwinciSetup, public: Dig, change: Change) -> tuple[Move, ...]:
    """A stone is bid by the seat whose reserve it was in; one that was beside another tile, by the seat to move."""
    if change.went_to is None:
        return _stone_gone(setup, public, change)
    to = seat_of(change.went_to, "offer")
    if to is None or to not in public.offers:
        clears_up = clearing_up(setup, public) if _is_home(setup, public, change) else None
        return () if clears_up is None else (clears_up,)
    came_from = public.stones.get(change.card)
    by = None if came_from is None else seat_of(came_from, "reserve")
    return (act.BidStone(by or public.turn or to, change.card, to),)


def _is_home(setup: DarwinciSetup, public: Dig, change: Change) -> bool:
    """Whether a stone went from a tile to where the awards would send it: to its owner, or as payment (W19 to W21). A
    stone of this turn may have been taken back instead."""
    seller = seat_of(change.came_from or Zone(""), "offer")
    to = seat_of(change.went_to or Zone(""), "reserve")
    if seller is None or to is None or (change.card in public.bid and to == public.turn):
        return False
    owner = setup.owners[change.card]
    return to == owner or (to == seller and owner == winner(setup, public, seller))


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


def _stone_gone(setup: DarwinciSetup, public: Dig, change: Change) -> tuple[Move, ...]:
    """Stones that are taken from tiles are being returned; those of this turn may be taken back."""
    lay_there = seat_of(change.came_from or Zone(""), "offer") is not None
    clears_up = clearing_up(setup, public) if lay_there and change.card not in public.bid else None
    return () if clears_up is None else (clears_up,)


def _tile_gone(setup: DarwinciSetup, public: Dig, card: CardId) -> tuple[Move, ...]:
    """A tile that leaves its offer ends the last turn; one that a full plot cannot hold is put away."""
    if card in public.offers.values() and closes(setup, public):
        return (act.EndBids(public.turn),)  # before the last turn wait until it is placed: view.expected
    tile = public.won.get(card)
    return (act.DropBone(tile.winner, card),) if tile is not None and not room(public, tile.winner) else ()


def deal(setup: DarwinciSetup, public: Dig, lying: Mapping[CardId, Zone]) -> act.DealPlots | None:
    """The deal, when each plot has its tiles, every stone is in a reserve, and one of them has the Darwin tile."""
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
    """Things that are in no plot and no reserve, and all tiles of a plot with more than two."""
    full = [seat for seat in setup.seats if len(plot_tiles(there, seat)) > PLOT_TILES]

    def belongs(card: CardId, zone: Zone) -> bool:
        if card in setup.deck.tiles:
            cell = read_cell(zone)
            return zone == LOOSE or (cell is not None and cell[0] not in full)
        return seat_of(zone, "reserve") in setup.seats

    return {card: zone for card, zone in there.items() if not belongs(card, zone)}


def implied_moves(setup: DarwinciSetup, public: Dig, move: Move, at: MoveContext) -> tuple[Move, ...]:
    """The ends of turns that were not announced, then the move that implied them: a later seat's stone or word, the
    same seat's stone of its next turn, or clearing up.

    A turn that still owes stones is not ended like this, and a stone never closes the round.
    """
    clears_up = isinstance(move, act.LayBone) or move == clearing_up(setup, public)
    if not public.bidding or not (clears_up or isinstance(move, act.BidStone | act.EndBids)):
        return ()
    again = isinstance(move, act.BidStone) and {one.rule for one in judge(setup, public, move)} <= NEXT_TURN
    ends: list[Move] = []
    before = public
    while before.bidding and judge(setup, before, move):
        end = act.EndBids(before.turn)
        stops = not clears_up and ((move.by == before.turn and not (again and not ends)) or closes(setup, before))
        if stops or judge(setup, before, end):
            return ()
        ends.append(end)
        before = carry_out(setup, before, end, at).state
    if move == ALL_OVER:
        return tuple(ends)
    return () if judge(setup, before, move) else (*ends, move)


def clearing_up(setup: DarwinciSetup, public: Dig) -> act.EndBids | None:
    """The move that clearing up implies: all bids are over, even if the players did not announce it. In the third turn
    it is the end of its last turn.

    ``None`` while somebody still owes stones.
    """
    if public.bidding == TURNS:
        return act.EndBids(setup.right_of(public.first))
    return ALL_OVER if nobody_owes(setup, public) else None


def awards_tiles(setup: DarwinciSetup, public: Dig, move: Move) -> bool:
    """Whether the tiles are awarded with this move, or with the ends of turns that it implies."""
    if isinstance(move, act.LayBone):
        return nobody_owes(setup, public) and move.card in public.offers.values()
    return isinstance(move, act.EndBids) and (closes(setup, public) or move == clearing_up(setup, public))


def is_early(setup: DarwinciSetup, public: Dig, move: Move) -> bool:
    """Whether the only objection to a stone is the turn, and its seat will still have one in this round."""
    if not isinstance(move, act.BidStone) or judge(setup, public, move) != (TURN,):
        return False
    order = setup.clockwise_from(public.first)
    return public.bidding < TURNS or order.index(move.by) > order.index(public.turn)


def own_stone_home(setup: DarwinciSetup, public: Dig, change: Change) -> act.EndBids | None:
    """Clearing up, if the seat to move takes back a stone of its own colour that it has just placed."""
    own = change.card in public.bid and setup.owners.get(change.card) == public.turn
    return clearing_up(setup, public) if own else None


def is_laid_anew(public: Dig, change: Change) -> bool:
    """Whether a stone of this turn is now beside another tile."""
    return change.card in public.bid and change.went_to is not None and seat_of(change.went_to, "offer") is not None


def timer(setup: DarwinciSetup, public: Dig) -> tuple[float, Move] | None:
    """The last bidding turn ends by itself when its seat has placed all that it may."""
    if public.since_s is None or not closes(setup, public) or left_to_lay(setup, public):
        return None
    return public.since_s + CLOSES_S, act.EndBids(public.turn)
