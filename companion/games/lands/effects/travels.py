"""Discovering the map, and travelling on it (U8, U9, U12, U14)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.lands import moves as act
from companion.games.lands.deck import RESOURCES, LandSpace
from companion.games.lands.effects.goods import added
from companion.games.lands.rules.legality import ENEMIES, FINDS
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, is_whole_tile, space_names, tile_of, tile_spaces
from companion.public.table import CardId, with_seat

WATER = ("water", "dirty-water")


def set_out(setup: LandsSetup, public: Island, move: act.SetOut) -> Island:
    """The first tiles are face up, and the figures are on them."""
    ways = opened({tile: tile_spaces(setup, public, tile) for tile in move.tiles}, {}, move.joins)
    if len(move.stands) != len(setup.players) or not set(move.stands) <= ways.keys():
        raise ImpossibleMove("each figure stands on a space of a tile that lies open")
    return replace(public, tiles=move.tiles, ways=ways, stands=move.stands)


def opened(
    tiles: Mapping[CardId, tuple[LandSpace, ...]], ways: Mapping[str, tuple[str, ...]], joins: Iterable[act.Join]
) -> Mapping[str, tuple[str, ...]]:
    """The ways on a map with these additional tiles and connections. A way is open in both directions."""
    open_ways: dict[str, set[str]] = defaultdict(set, {space: set(there) for space, there in ways.items()})
    for tile, spaces in tiles.items():
        for name in space_names(tile, len(spaces)):
            open_ways.setdefault(name, set())
        for at, space in enumerate(spaces, 1):
            here = open_ways[f"{tile}-{at}"]
            for number in space.neighbours:
                here.add(f"{tile}-{number}")
                open_ways[f"{tile}-{number}"].add(f"{tile}-{at}")
    for one, other in joins:
        if one not in open_ways or other not in open_ways:
            raise ImpossibleMove(f"{one} and {other} are not both on the map")
        open_ways[one].add(other)
        open_ways[other].add(one)
    return {space: tuple(sorted(there)) for space, there in sorted(open_ways.items())}


def scout(setup: LandsSetup, public: Island, move: act.ScoutTile) -> Island:
    """U14: turn up a tile."""
    if move.card[0] != "M" or move.card in public.tiles:
        raise ImpossibleMove(f"{move.card} is no tile that could be turned up now")
    ways = opened({move.card: tile_spaces(setup, public, move.card)}, public.ways, move.joins)
    return replace(public, tiles=(*public.tiles, move.card), ways=ways)


def describe(public: Island, card: CardId, spaces: tuple[LandSpace, ...]) -> Island:
    """Set the spaces of a tile. If it is face up, its connections and the spaces of its figures are seen next; facts
    about spaces that it does not have are removed."""
    after = replace(public, described={**public.described, card: spaces})
    if card not in public.tiles:
        return after
    gone = {space for space in public.ways if tile_of(space) == card}
    rest = {
        space: tuple(x for x in there if x not in gone) for space, there in public.ways.items() if space not in gone
    }
    names = space_names(card, len(spaces))
    return replace(
        after,
        ways=opened({card: spaces}, rest, ()),
        unjoined=public.unjoined | {card},
        stands=tuple(card if space in gone else space for space in public.stands),
        fires={space: lit for space, lit in public.fires.items() if space not in gone or space in names},
        springs={space: kind for space, kind in public.springs.items() if space not in gone or space in names},
    )


def join(public: Island, card: CardId, joins: Iterable[act.Join]) -> Island:
    """Set the connections of a tile to others, as they were seen."""
    if card not in public.tiles:
        raise ImpossibleMove(f"{card} does not lie open")
    return replace(public, ways=opened({}, public.ways, joins), unjoined=public.unjoined - {card})


def place(setup: LandsSetup, public: Island, move: act.PlaceFigure) -> Island:
    """A figure is on this space of the tile on which it was already."""
    if move.card not in setup.stands or move.to not in public.ways:
        raise ImpossibleMove(f"{move.card} cannot stand on {move.to}")
    return replace(public, stands=with_seat(public.stands, setup.stands[move.card], move.to))


def travel(setup: LandsSetup, public: Island, move: act.Travel) -> Island:
    """U12: move a figure; afterwards one gather is free, unless a card moved the figure."""
    if setup.stands.get(move.card) != move.by or move.to not in public.ways:
        raise ImpossibleMove(f"{move.card} cannot stand on {move.to}")
    own_way = move.by == public.turn and move.cost != 0 and move.by not in public.fled
    return replace(
        public,
        stands=with_seat(public.stands, move.by, move.to),
        fled=public.fled - {move.by},
        free=public.free or frees_a_gather(own_way),
    )


def frees_a_gather(own_way: bool) -> bool:
    """U12: « Ils peuvent faire une action de collecte gratuite »."""
    return own_way


def gather(public: Island, move: act.GatherToken) -> Island:
    """U8: « il prend et retourne le jeton sur lequel son personnage se trouve »."""
    if move.kind not in FINDS:
        raise ImpossibleMove(f"{move.kind!r} is no token")
    after = replace(public, free=False)
    if move.kind in RESOURCES:
        after = added(after, move.by, move.kind)
    if move.kind in WATER:
        after = replace(after, springs=first_water(after, after.stands[move.by - 1], move.kind))
    return replace(after, hunted=move.by) if move.kind in ENEMIES else after


def first_water(public: Island, space: str, kind: str) -> Mapping[str, str]:
    """U9: a spring's token « reste en place jusqu'à la fin de la partie »; water that a player put there is no
    spring."""
    if not space or is_whole_tile(space) or (space, kind) in public.thrown:
        return public.springs
    return {**public.springs, space: public.springs.get(space, kind)}
