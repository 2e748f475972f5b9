"""Makes the table the position: the things on it become the map, and supply and tiles are adjusted so that none is
lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from companion.errors import InputError, fault
from companion.games.carcassonne.moves import ASIDE
from companion.games.carcassonne.places import read_cell, read_counter
from companion.games.carcassonne.setup import COUNTERS, MatchSetup
from companion.games.carcassonne.state import Progress
from companion.games.carcassonne.territory import Piece
from companion.games.lattice import Cell
from companion.public.table import CardId, Zone


def adopt(setup: MatchSetup, public: Progress, lying: Mapping[CardId, Zone]) -> Progress:
    """The position according to the table.

    Points and turn stay the same: a missing counter returns to its supply without scoring. A missing tile is undrawn
    again. A new tile aside is discarded, and earlier ones stay discarded unless they are on the map, because tiles that
    are put away may be in a pile.

    Raises:
        InputError: The table is not a possible map.
    """
    laid = _laid(setup, lying)
    followers = _followers(setup, laid, lying)
    removed = tuple(card for card in public.removed if card not in laid)
    elsewhere = (*(card for card in public.discarded if card not in laid), *removed)
    new = tuple(
        sorted(c for c, zone in lying.items() if zone == ASIDE and c in setup.deck.tiles and c not in elsewhere)
    )
    discarded = (*(card for card in public.discarded if card not in laid), *new)
    out = Counter(setup.owners[card] for card in followers)
    return replace(
        public,
        laid=laid,
        followers=followers,
        removed=removed,
        discarded=discarded,
        tiles=len(setup.deck.tiles) - len(laid) - len(removed) - len(discarded),
        supply=tuple(COUNTERS - out[seat] for seat in setup.seats),
        tile=public.tile if public.tile in laid else None,
        begun=len(laid) > 1,
    )


def _laid(setup: MatchSetup, lying: Mapping[CardId, Zone]) -> dict[CardId, Cell]:
    cells = ((card, read_cell(zone)) for card, zone in sorted(lying.items()) if card in setup.deck.tiles)
    laid = {card: cell for card, cell in cells if cell is not None}
    for place, times in Counter((cell.column, cell.row) for cell in laid.values()).items():
        if times > 1:
            message = "{times} tiles lie at {x},{y}: push them apart"
            raise InputError(fault("carcassonne.fault.cell_twice", message, times=times, x=place[0], y=place[1]))
    if laid and laid.get(setup.deck.start) != Cell(0, 0):
        message = "the start tile {name} must lie in the field: places are counted from it"
        raise InputError(fault("carcassonne.fault.start_gone", message, name=setup.deck.start))
    return laid


def _followers(setup: MatchSetup, laid: Mapping[CardId, Cell], lying: Mapping[CardId, Zone]) -> dict[CardId, Piece]:
    """Counters on tiles of the map; one between two segments counts for the nearer one."""
    followers = {}
    for card, zone in sorted(lying.items()):
        pieces = read_counter(zone)
        if card in setup.owners and pieces and pieces[0][0] in laid:
            tile, number = pieces[0]
            if setup.deck.tiles[tile].has(number):
                followers[card] = (tile, number)
    return followers
