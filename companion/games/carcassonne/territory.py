"""Territories: connected segments of a map, and their value.

Each territory is computed by a flood fill from one segment. Nothing is cached, because a full map of 84 tiles costs a
fraction of a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.carcassonne.tiles import (
    GRASSLAND,
    MOUNTAIN,
    LaidTile,
    Place,
    beside,
    opposite,
)
from companion.public.table import CardId

Piece = tuple[CardId, int]
"""A segment of the map: its tile, and its number on it."""
PAIR = 2
"""A complete territory on exactly this many tiles scores like an incomplete one."""


@dataclass(frozen=True)
class TileMap:
    """The tiles of a map, by place and by name."""

    at: Mapping[Place, LaidTile]
    by_name: Mapping[CardId, LaidTile]


@dataclass(frozen=True, slots=True)
class Territory:
    """One connected area of one terrain.

    Attributes:
        tiles: The number of different tiles.
        cities: The number of port cities that count for it.
        complete: Whether it has no open edge.
    """

    terrain: str
    pieces: frozenset[Piece]
    tiles: int
    cities: int
    complete: bool


def tile_map(laid: Iterable[LaidTile]) -> TileMap:
    tiles = tuple(laid)
    return TileMap({one.place: one for one in tiles}, {one.tile.id: one for one in tiles})


def connected(ground: TileMap, piece: Piece) -> tuple[frozenset[Piece], bool]:
    """All segments of this segment's territory, and whether it is complete."""
    seen, ahead, is_open = {piece}, [piece], False
    while ahead:
        name, number = ahead.pop()
        here = ground.by_name[name]
        for side in here.sides(number):
            there = ground.at.get(beside(here.place, side))
            if there is None:
                is_open = True
                continue
            other = there.segment(opposite(side))
            # Illegal tiles that people let stand may have different terrains on both sides: both territories end there.
            if there.tile.terrain(other) != here.tile.terrain(number):
                continue
            piece_there = (there.tile.id, other)
            if piece_there not in seen:
                seen.add(piece_there)
                ahead.append(piece_there)
    return frozenset(seen), is_open


def territory(ground: TileMap, piece: Piece) -> Territory:
    pieces, is_open = connected(ground, piece)
    terrain = ground.by_name[piece[0]].tile.terrain(piece[1])
    if terrain == MOUNTAIN:
        cities = cities_on(ground, pieces | adjacent_grassland(ground, pieces))
    elif terrain == GRASSLAND:
        cities = cities_on(ground, pieces)
    else:
        cities = cities_on_shores(ground, pieces)
    return Territory(terrain, pieces, len({name for name, _ in pieces}), len(cities), not is_open)


def adjacent_grassland(ground: TileMap, pieces: Iterable[Piece]) -> frozenset[Piece]:
    """All segments of grassland territories that border on one of these inside a tile."""
    grassland: set[Piece] = set()
    for name, number in pieces:
        tile = ground.by_name[name].tile
        for other in tile.neighbours[number]:
            if tile.terrain(other) == GRASSLAND and (name, other) not in grassland:
                grassland |= connected(ground, (name, other))[0]
    return frozenset(grassland)


def cities_on(ground: TileMap, pieces: frozenset[Piece]) -> frozenset[Piece]:
    """The port cities on these lands: the tile and the city's index. Each counts once."""
    return frozenset(
        (name, index)
        for name, number in pieces
        for index, (land, _) in enumerate(ground.by_name[name].tile.cities)
        if land == number
    )


def cities_on_shores(ground: TileMap, pieces: frozenset[Piece]) -> frozenset[Piece]:
    """The port cities at these seas."""
    return frozenset(
        (name, index)
        for name, number in pieces
        for index, (_, sea) in enumerate(ground.by_name[name].tile.cities)
        if sea == number
    )


def worth(own: Territory, *, final: bool = False) -> int:
    """The score of one follower there, now or in the final scoring, where nothing is complete (C23)."""
    complete = own.complete and not final
    if own.terrain == GRASSLAND:
        return grassland_value(own.tiles, complete=complete)
    if own.terrain == MOUNTAIN:
        return mountain_value(own.tiles, own.cities, complete=complete)
    return sea_value(own.tiles, own.cities, complete=complete)


def is_pair(own: Territory) -> bool:
    """The exception: a complete territory on just 2 tiles scores as though it were incomplete (C17 to C19)."""
    return own.complete and own.tiles == PAIR


def grassland_value(tiles: int, *, complete: bool) -> int:
    """1 point per tile; 2 if complete, except on just 2 tiles (C17)."""
    return 2 * tiles if complete and tiles != PAIR else tiles


def mountain_value(tiles: int, cities: int, *, complete: bool) -> int:
    """1 point for each city in it and in all adjacent grasslands; 2 if complete, except on just 2 tiles (C18)."""
    return 2 * cities if complete and tiles != PAIR else cities


def sea_value(tiles: int, cities: int, *, complete: bool) -> int:
    """1 point for each city on its shores; if complete also 1 per tile, except on just 2 tiles (C19)."""
    return cities + tiles if complete and tiles != PAIR else cities
