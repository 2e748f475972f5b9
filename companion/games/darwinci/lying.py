"""The place of each tile and each stone, from the positions of their codes.

A plot is defined by its tiles, so it may be rotated and shifted as a whole. Stones of one colour and size are
interchangeable: ids are assigned such that as few stones as possible seem to have moved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from companion.games.darwinci.places import cell_at, cell_zone, plot, read_cell, seat_of
from companion.games.darwinci.rules.stones import nobody_owes
from companion.games.darwinci.setup import DARWIN_TILE, DarwinciSetup, is_big
from companion.games.darwinci.state import Dig
from companion.games.lattice import Cell, Known, Pose
from companion.games.square_tiles import tile_pose
from companion.public.table import LOOSE, CardId, Placement, Seat, TableState, Zone


def lying(setup: DarwinciSetup, public: Dig, table: TableState) -> dict[CardId, Zone]:
    """The place of each tile and stone on the table."""
    tiles: dict[CardId, Placement] = {}
    stones: dict[CardId, Zone] = {}
    places: dict[CardId, Zone] = {}
    for placement in table.placements:
        card = setup.cards.get(placement.token)
        if card is None or placement.zone is None:
            continue
        if card in setup.owners:
            stones[card] = placement.zone
        elif card in setup.deck.tiles:
            tiles[card] = placement
        elif card == DARWIN_TILE and not public.dealt:
            places[card] = placement.zone  # after the deal the rules determine who has it
    return places | stone_places(setup, public, stones) | tile_places(setup, public, tiles)


def stone_places(setup: DarwinciSetup, public: Dig, seen: Mapping[CardId, Zone]) -> dict[CardId, Zone]:
    """The places of stones. Between two rounds they are returned, without a check until the next tile is offered."""
    if not public.dealt:
        return dict(seen)
    if not public.bidding and not public.offers:
        return dict(public.stones)
    alike: dict[tuple[Seat, bool], list[CardId]] = defaultdict(list)
    for card, owner in setup.owners.items():
        alike[owner, is_big(card)].append(card)
    return {card: zone for names in alike.values() for card, zone in named(names, public.stones, seen).items()}


def named(names: list[CardId], expected: Mapping[CardId, Zone], seen: Mapping[CardId, Zone]) -> dict[CardId, Zone]:
    """Ids for interchangeable stones, so that as many as possible are in their expected places."""
    unmoved = {card: seen[card] for card in names if seen.get(card) == expected.get(card) and card in seen}
    loose = [card for card in names if card in seen and card not in unmoved]
    strayed = []
    for card in loose:
        name = next((one for one in names if one not in unmoved and expected.get(one) == seen[card]), None)
        if name is None:
            strayed.append(card)
        else:
            unmoved[name] = seen[card]
    for card in strayed:
        name = card if card not in unmoved else next(one for one in names if one not in unmoved)
        unmoved[name] = seen[card]
    return unmoved


def tile_places(setup: DarwinciSetup, public: Dig, tiles: Mapping[CardId, Placement]) -> dict[CardId, Zone]:
    """The places of tiles; removed ones only if they are in a plot."""
    stickers = {card: Pose(one.x_mm, one.y_mm, one.rotation_deg) for card, one in tiles.items()}
    poses = {card: tile_pose(sticker, tile_mm=setup.tile_mm) for card, sticker in stickers.items()}
    places: dict[CardId, Zone] = {}
    for seat in setup.seats:
        there = [card for card, one in sorted(tiles.items()) if one.zone == plot(seat)]
        in_cells = {card: (poses[card], cell) for card, cell in public.plots[seat - 1].items() if card in there}
        if not in_cells and there:
            in_cells = {there[0]: (poses[there[0]], cell_at(poses[there[0]], (), tile_mm=setup.tile_mm) or Cell(0, 0))}
        for card in there:
            places[card] = _place(setup, seat, card, poses[card], in_cells)
    on_their_way = {**public.won, **(dict.fromkeys(public.offers.values()) if nobody_owes(setup, public) else {})}
    for card, one in tiles.items():
        if card in places or one.zone is None or (card in public.gone and not _is_plot(one.zone)):
            continue
        if card not in on_their_way or seat_of(one.zone, "offer") == _lies_before(public, card):
            places[card] = one.zone
    return places


def _lies_before(public: Dig, card: CardId) -> Seat:
    """The seat in front of which a tile is for sale; after the award it may be put anywhere until it is in the plot."""
    if card in public.won:
        return public.won[card].seller
    return next(seat for seat, offered in public.offers.items() if offered == card)


def _is_plot(zone: Zone) -> bool:
    return seat_of(zone, "plot") is not None


def _place(setup: DarwinciSetup, seat: Seat, card: CardId, pose: Pose, in_cells: Mapping[CardId, Known]) -> Zone:
    """A cell of the plot; a placed tile keeps its cell until it is clearly elsewhere."""
    others = [one for other, one in in_cells.items() if other != card]
    if card in in_cells:
        usual = in_cells[card][1]
        near = cell_at(pose, others, tile_mm=setup.tile_mm, slack=1.5) if others else usual
        if near == usual:
            return cell_zone(seat, usual)
    cell = cell_at(pose, others, tile_mm=setup.tile_mm) if others else None
    taken = cell is not None and any((one.column, one.row) == (cell.column, cell.row) for _, one in others)
    return LOOSE if cell is None or taken else cell_zone(seat, cell)


def plot_tiles(lying: Mapping[CardId, Zone], seat: Seat) -> dict[CardId, Cell]:
    """The tiles in cells of a seat's plot."""
    places = ((card, read_cell(zone)) for card, zone in sorted(lying.items()))
    return {card: at[1] for card, at in places if at is not None and at[0] == seat}
