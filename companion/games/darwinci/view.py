"""The table as people may see it: what lies where, what pages draw from, and what may be said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.games.darwinci import moves as act
from companion.games.darwinci.deck import JEWELS
from companion.games.darwinci.moves import offer, reserve
from companion.games.darwinci.places import cell_zone, plot
from companion.games.darwinci.rules.awards import majority, winner
from companion.games.darwinci.rules.legality import MOST_INCOME, judge
from companion.games.darwinci.rules.stones import most, owed
from companion.games.darwinci.setup import MOST_SEATS, TILES_SHOWN_MM, DarwinciSetup, is_big
from companion.games.darwinci.state import FULL, Dig, room, stones_in
from companion.games.lattice import Cell
from companion.public.layout import Layout, ZoneShape
from companion.public.standing import AvailableMove, Standing
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Expected, Seat, Zone
from companion.public.text import JSON

WIDTH_MM, HEIGHT_MM = 1100.0, 650.0
NEAR_SEATS = 3
"""Three seats sit near, two far."""
GAP_MM = 5.0
PLOT_MM = 4 * TILES_SHOWN_MM[1] + 3 * GAP_MM
"""Four tiles each way, with a little air between them."""
STONES_MM = (WIDTH_MM - 2 * GAP_MM) / NEAR_SEATS - PLOT_MM - 3 * GAP_MM
"""The width of an offer with a tile and twenty stones, and of a reserve."""
RESERVE_MM = 80.0


def expected(public: Dig) -> Expected:
    """What should lie face up. A tile that was won may be in the hand of whoever lays it."""
    cards: dict[CardId, Zone] = dict(public.stones)
    for place, tiles in enumerate(public.plots, 1):
        cards |= {card: cell_zone(Seat(place), cell) for card, cell in tiles.items()}
    cards |= {card: offer(seat) for seat, card in public.offers.items()}
    cards |= {card: offer(tile.seller) for card, tile in public.won.items()}
    return Expected(cards, frozenset(card for card, tile in public.won.items() if room(public, tile.winner)))


def layout(setup: DarwinciSetup) -> Layout:
    """Three seats along the near edge, two along the far one, counted clockwise as they sit; the commands between."""
    shapes = [shape for seat in setup.seats for shape in _of_seat(seat)]
    middle = HEIGHT_MM / 2
    return Layout((WIDTH_MM, HEIGHT_MM), (*shapes, _box(COMMAND_ZONE, 500.0, middle - 45, 600.0, middle + 45)))


def _of_seat(seat: Seat) -> Iterator[ZoneShape]:
    """A plot, and beside it the offer, which is nearer to the middle, and the reserve."""
    near = seat <= NEAR_SEATS
    pitch = PLOT_MM + STONES_MM + 3 * GAP_MM
    column = NEAR_SEATS - seat if near else (seat - NEAR_SEATS - 1) * (MOST_SEATS - NEAR_SEATS)
    left = GAP_MM + column * pitch
    far_edge, near_edge = GAP_MM, HEIGHT_MM - GAP_MM
    top, bottom = (near_edge - PLOT_MM, near_edge) if near else (far_edge, far_edge + PLOT_MM)
    beside = left + PLOT_MM + GAP_MM
    yield _box(plot(seat), left, top, left + PLOT_MM, bottom)
    if near:
        yield _box(offer(seat), beside, top, beside + STONES_MM, bottom - RESERVE_MM - GAP_MM)
        yield _box(reserve(seat), beside, bottom - RESERVE_MM, beside + STONES_MM, bottom)
    else:
        yield _box(reserve(seat), beside, top, beside + STONES_MM, top + RESERVE_MM)
        yield _box(offer(seat), beside, top + RESERVE_MM + GAP_MM, beside + STONES_MM, bottom)


def _box(name: str, left: float, top: float, right: float, bottom: float) -> ZoneShape:
    return ZoneShape(Zone(name), ((left, top), (right, top), (right, bottom), (left, bottom)))


def standing(public: Dig) -> Standing:
    """The scoreboard: money, tiles in the plots, the round, and who has die and Darwin tile."""
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
    """Everything that lies there, who leads for which tile, and what the seat at turn must and may still lay."""
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
    }


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
    """How many stones of each seat's colour lie in a zone, and whether its big one does; names say nothing."""
    there = stones_in(public, zone)
    small = Counter(setup.owners[card] for card in there if not is_big(card))
    big = {setup.owners[card] for card in there if is_big(card)}
    return [{"seat": seat, "n": small[seat], "big": seat in big} for seat in setup.seats if small[seat] or seat in big]


def offers(setup: DarwinciSetup, public: Dig) -> tuple[AvailableMove, ...]:
    """Every move without objection that can be said in a few words; stones and tiles are seen, not spoken."""
    found: list[AvailableMove] = []
    if not judge(setup, public, act.AgreeAllCounted(TABLE)):
        found.append(AvailableMove(TABLE, "agree_end"))
    for seat in setup.seats:
        if not judge(setup, public, act.BuyTiles(seat)):
            found.append(AvailableMove(seat, "buy"))
        if not judge(setup, public, act.EndBids(seat)):
            found.append(AvailableMove(seat, "end_turn"))
        dropped = tuple(card for card in public.won if not judge(setup, public, act.DropBone(seat, card)))
        if dropped:
            found.append(AvailableMove(seat, "drop", {"card": dropped}))
        if not judge(setup, public, act.CountJewel(seat, JEWELS[0], 1)):
            amounts = tuple(range(1, MOST_INCOME + 1))
            found.append(AvailableMove(seat, "income", {"jewel": JEWELS, "amount": amounts}))
        if not judge(setup, public, act.SizeCreature(seat, 1)):
            found.append(AvailableMove(seat, "creature", {"size": tuple(range(1, FULL + 1))}))
    return tuple(found)
