"""Where a tile may be placed (C1, C8, C9, C10)."""

from __future__ import annotations

from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, ground, to_remove
from companion.games.carcassonne.territory import TileMap
from companion.games.carcassonne.tiles import SIDES, LaidTile, Place, Tile, beside, opposite
from companion.games.lattice import Cell
from companion.games.protocol import Objection
from companion.public.table import CardId

START = Objection("start")
REMOVE = Objection("remove")
ALL_SIDES = range(len(SIDES))


def start_first(public: Progress) -> tuple[Objection, ...]:
    """C1: "Place the starting tile face up in the middle of the table." """
    return () if public.laid else (START,)


def removed_first(setup: MatchSetup, public: Progress) -> tuple[Objection, ...]:
    """*Equal turns*: tiles are removed "at the beginning of the game"."""
    return (REMOVE,) if to_remove(setup, public) else ()


def placement(there: TileMap, tile: LaidTile) -> tuple[Objection, ...]:
    """Both conditions for a tile: a side that touches, and no side that disagrees."""
    return (*touches(there, tile), *continues(there, tile))


def touches(there: TileMap, tile: LaidTile) -> tuple[Objection, ...]:
    """C8: "with at least one edge abutting one previously placed tile", not "corner to corner"."""
    return () if any(beside(tile.place, side) in there.at for side in ALL_SIDES) else (Objection("touch"),)


def continues(there: TileMap, tile: LaidTile) -> tuple[Objection, ...]:
    """C9: "all segments on the new tile continue any mountain, grassland, and sea segments on all abutting tiles"."""
    wrong = tuple(there.at[beside(tile.place, side)].tile.id for side in disagreeing(there, tile))
    return (Objection("edge", wrong),) if wrong else ()


def disagreeing(there: TileMap, tile: LaidTile) -> tuple[int, ...]:
    """The map's sides of a tile on which the neighbour has another terrain."""
    sides = []
    for side in ALL_SIDES:
        neighbour = there.at.get(beside(tile.place, side))
        if neighbour is not None and neighbour.terrain(opposite(side)) != tile.terrain(side):
            sides.append(side)
    return tuple(sides)


def no_place(setup: MatchSetup, public: Progress, card: CardId) -> tuple[Objection, ...]:
    """C10: only "where a drawn tile has no legal placement" is it discarded."""
    there = ground(setup, public)
    return (Objection("placeable"),) if first_place(there, setup.deck.tiles[card]) is not None else ()


def first_place(there: TileMap, tile: Tile) -> Cell | None:
    """The place nearest to the start tile where a tile fits, with its rotation; ``None`` if there is none."""
    for place in sorted(open_places(there), key=lambda one: (abs(one[0]) + abs(one[1]), one[1], one[0])):
        around = surroundings(there, place)
        for turn in ALL_SIDES:
            if all(around[side] in (None, tile.terrains[(side - turn) % 4]) for side in ALL_SIDES):
                return Cell(*place, turn)
    return None


def surroundings(there: TileMap, place: Place) -> tuple[str | None, ...]:
    """The neighbours' terrain on each side of an empty place; ``None`` without a neighbour."""
    neighbours = ((there.at.get(beside(place, side)), side) for side in ALL_SIDES)
    return tuple(None if one is None else one.terrain(opposite(side)) for one, side in neighbours)


def open_places(there: TileMap) -> frozenset[Place]:
    """Every empty place with a neighbouring tile."""
    places = {beside(place, side) for place in there.at for side in ALL_SIDES}
    return frozenset(places - there.at.keys())
