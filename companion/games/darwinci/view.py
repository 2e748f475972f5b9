"""The public view: the expected table, the data for pages, and the possible moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.games.darwinci import moves as act
from companion.games.darwinci.deck import JEWELS
from companion.games.darwinci.moves import offer, reserve
from companion.games.darwinci.places import cell_zone, plot
from companion.games.darwinci.rules.awards import majority, winner
from companion.games.darwinci.rules.legality import MOST_INCOME, closes, judge
from companion.games.darwinci.rules.rounds import richest
from companion.games.darwinci.rules.stones import left_to_lay, most, nobody_owes, owed
from companion.games.darwinci.setup import TILE_MM, TILES_SHOWN_MM, DarwinciSetup, is_big
from companion.games.darwinci.state import Dig, at_the_end, room, still_to_lay, stones_in
from companion.games.lattice import Cell
from companion.public.layout import Layout, ZoneShape
from companion.public.standing import AvailableMove, Standing
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Expected, Seat, Zone
from companion.public.text import JSON

GAP_MM = 5.0
STONES_MM = 141.0
"""The width of an offer with a tile and twenty stones, and of a reserve."""
RESERVE_MM = 80.0
"""The height of a reserve: twenty-four stones and the Darwin tile."""
COMMANDS_MM = (200.0, 92.0)
"""An upright command card, and a seat tag beside it. On a smaller table, shown cards are above stones."""


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """The size of a table, and the seats around it: ``near`` of them near, the others far, counted clockwise.

    Attributes:
        columns: Number of seats side by side.
        plot_mm: The side of a plot.
    """

    size_mm: tuple[float, float]
    near: int
    columns: int
    plot_mm: float


EDGE_MM = 24.0
"""Margin between the zones and the near and far edge: half of each tag is inside, and would cover things there."""


def plot_mm(tile_mm: float) -> float:
    """Room for four tiles in each direction, with small gaps."""
    return 4 * tile_mm + 3 * GAP_MM


USUAL_TABLE = SeatedTable((1100.0, 650.0), 3, 3, plot_mm(TILES_SHOWN_MM[1]))
"""Three seats near, two far."""
SMALL_TABLE = SeatedTable((672.0, 494.0), 2, 2, plot_mm(TILE_MM))
"""For three or four seats and tiles of 40 mm: a camera can be lower, and reads small stickers better."""


def expected(setup: DarwinciSetup, public: Dig) -> Expected:
    """What should be face up. A tile that was won may be in a hand. When nobody has to bid any more so may one that is
    for sale, until the last seat's turn of all: then lifting it closes the round."""
    cards: dict[CardId, Zone] = dict(public.stones)
    for place, tiles in enumerate(public.plots, 1):
        cards |= {card: cell_zone(Seat(place), cell) for card, cell in tiles.items()}
    cards |= {card: offer(seat) for seat, card in public.offers.items()}
    cards |= {card: offer(tile.seller) for card, tile in public.won.items()}
    in_hand = {card for card, tile in public.won.items() if room(public, tile.winner)}
    if nobody_owes(setup, public) and not closes(setup, public):
        in_hand |= set(public.offers.values())
    return Expected(cards, frozenset(in_hand))


def layout(seats: Iterable[Seat], table: SeatedTable = USUAL_TABLE) -> Layout:
    """Seats along the near edge and the far one; the commands between."""
    shapes = [shape for seat in seats for shape in _of_seat(table, seat)]
    (x, y), (wide, high) = (tuple(side / 2 for side in size) for size in (table.size_mm, COMMANDS_MM))
    return Layout(table.size_mm, (*shapes, ZoneShape.box(COMMAND_ZONE, x - wide, y - high, x + wide, y + high)))


def _of_seat(table: SeatedTable, seat: Seat) -> Iterator[ZoneShape]:
    """A plot, and beside it the offer, nearer to the centre, and the reserve."""
    near = seat <= table.near
    column = table.near - seat if near else (seat - table.near - 1) * (table.columns - 1)
    left = GAP_MM + column * (table.size_mm[0] - 2 * GAP_MM) / table.columns
    top = table.size_mm[1] - EDGE_MM - table.plot_mm if near else EDGE_MM
    right, bottom = left + table.plot_mm, top + table.plot_mm
    yield ZoneShape.box(plot(seat), left, top, right, bottom)
    left, right = right + GAP_MM, right + GAP_MM + STONES_MM
    if near:
        yield ZoneShape.box(offer(seat), left, top, right, bottom - RESERVE_MM - GAP_MM)
        yield ZoneShape.box(reserve(seat), left, bottom - RESERVE_MM, right, bottom)
    else:
        yield ZoneShape.box(reserve(seat), left, top, right, top + RESERVE_MM)
        yield ZoneShape.box(offer(seat), left, top + RESERVE_MM + GAP_MM, right, bottom)


def standing(public: Dig) -> Standing:
    """The scoreboard: money, tiles in the plots, the round, and the holders of die and Darwin tile."""
    return Standing(
        turn=public.turn or None,
        points=public.darwin,
        counters={
            "darwin": public.darwin,
            "tiles": tuple(len(tiles) for tiles in public.plots),
            "round": public.round,
            "bidding": public.bidding,
            "first": public.first,
            "holder": public.holder,
        },
        over=public.over,
        winners=public.winners,
    )


def view(setup: DarwinciSetup, public: Dig, seat: Seat | None) -> JSON:
    """All things on the table, the leader for each tile, and the bids that the seat to move must and may still make."""
    return {
        "seat": seat,
        "turn": public.turn,
        "round": public.round,
        "bidding": public.bidding,
        "first": public.first,
        "holder": public.holder,
        "colours": list(setup.colours),
        "darwin": list(public.darwin),
        "plots": [[_tile(setup, card, cell) for card, cell in tiles.items()] for tiles in public.plots],
        "offers": [_offer(setup, public, Seat(one), card) for one, card in sorted(public.offers.items())],
        "reserves": [stones(setup, public, reserve(one)) for one in setup.seats],
        "won": [{"card": card, "to": tile.winner, "from": tile.seller} for card, tile in public.won.items()],
        "gone": list(public.gone),
        "must": owed(setup, public),
        "may": most(public) if public.bidding else 0,
        "laid": list(public.bid),
        "bought": sorted(public.bought),
        "bids": [_bids(setup, public, one) for one in setup.seats] if public.bidding else [],
        "ending": at_the_end(setup, public) and not still_to_lay(public),
        "tied": [one for one in _tied(setup, public) if one not in public.sizes],
    }


def _bids(setup: DarwinciSetup, public: Dig, seat: Seat) -> JSON:
    """The bids that a seat must and may still make in this bidding turn, and whether its own turn in it is over."""
    order = setup.clockwise_from(public.first)
    done = order.index(seat) < order.index(public.turn)
    then = public if seat == public.turn else replace(public, turn=seat, bid=())
    must, may = (0, 0) if done else (owed(setup, then), left_to_lay(setup, then))
    return {"seat": seat, "must": must, "may": may, "done": done}


def _tied(setup: DarwinciSetup, public: Dig) -> tuple[Seat, ...]:
    """The seats whose creatures decide, when all tiles are placed."""
    best = richest(setup, public) if at_the_end(setup, public) and not public.over else ()
    return best if len(best) > 1 else ()


def _tile(setup: DarwinciSetup, card: CardId, cell: Cell) -> JSON:
    tile = setup.deck.tiles[card]
    there = {"card": card, "x": cell.column, "y": cell.row, "turn": cell.turn}
    return {**there, "kind": tile.kind, "ends": tile.ends, "value": tile.value, "jewels": list(tile.jewels)}


def _offer(setup: DarwinciSetup, public: Dig, seller: Seat, card: CardId) -> JSON:
    counts = sorted(majority(setup, public, seller).items())
    return {
        "seat": seller,
        "card": card,
        "stones": stones(setup, public, offer(seller)),
        "strength": [{"seat": seat, "n": count} for seat, count in counts],
        "leads": winner(setup, public, seller),
    }


def stones(setup: DarwinciSetup, public: Dig, zone: Zone) -> list[JSON]:
    """The number of stones of each seat's colour in a zone, and whether its big one is there; ids have no meaning."""
    there = stones_in(public, zone)
    small = Counter(setup.owners[card] for card in there if not is_big(card))
    big = {setup.owners[card] for card in there if is_big(card)}
    return [{"seat": seat, "n": small[seat], "big": seat in big} for seat in setup.seats if small[seat] or seat in big]


def offers(setup: DarwinciSetup, public: Dig) -> tuple[AvailableMove, ...]:
    """Every legal move that can be chosen on a page; stones and tiles are seen, not entered."""
    moves: list[AvailableMove] = []
    if not judge(setup, public, act.AgreeAllCounted(TABLE)):
        moves.append(AvailableMove(TABLE, "agree_end"))
    for seat in setup.seats:
        if not judge(setup, public, act.BuyTiles(seat)):
            moves.append(AvailableMove(seat, "buy"))
        if not judge(setup, public, act.EndBids(seat)):
            moves.append(AvailableMove(seat, "end_turn"))
        dropped = tuple(card for card in public.won if not judge(setup, public, act.DropBone(seat, card)))
        if dropped:
            moves.append(AvailableMove(seat, "drop", {"card": dropped}))
        jewels = tuple(jewel for jewel in JEWELS if not judge(setup, public, act.CountJewel(seat, jewel, 1)))
        if jewels:
            amounts = tuple(range(1, MOST_INCOME + 1))
            moves.append(AvailableMove(seat, "income", {"jewel": jewels, "amount": amounts}))
        if not judge(setup, public, act.SizeCreature(seat, 1)):
            moves.append(AvailableMove(seat, "creature", {"size": tuple(range(1, len(public.plots[seat - 1]) + 1))}))
    return tuple(moves)
