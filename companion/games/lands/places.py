"""The text form of places: ``on M07-2`` for a stand, ``new M07-2=M03-1`` for a newly turned tile."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from companion.games.lands.deck import LandsDeck
from companion.games.lands.moves import Join
from companion.games.lands.setup import FOOT_MM
from companion.games.lattice import Pose
from companion.games.square_tiles import shifted
from companion.public.table import CardId, Point, Seat, Zone

MAP = Zone("map")
JOIN_MM = 8.0
"""Exits of two tiles that are this close connect their spaces."""
UNSURE = 1.25
"""A space up to this many times as far as the nearest one may be meant as well."""
OVER_EDGE_MM = 4.0
"""A foot up to this far beyond a tile's edge still counts as on it."""


def on(spaces: Iterable[str]) -> Zone:
    """The place of a stand; with several spaces the players are asked."""
    return Zone(" ".join(("on", *spaces)))


def spaces_of(zone: Zone) -> tuple[str, ...]:
    """The possible spaces of a stand; empty for other places."""
    head, *spaces = zone.split(" ")
    return tuple(spaces) if head == "on" else ()


def new_tile(joins: Iterable[Join]) -> Zone:
    """The place of a newly turned tile."""
    return Zone(" ".join(("new", *(f"{one}={other}" for one, other in joins))))


def joins_of(zone: Zone) -> tuple[Join, ...] | None:
    """The connections of a newly turned tile; ``None`` for other places."""
    head, *joins = zone.split(" ")
    if head != "new":
        return None
    pairs = (join.partition("=") for join in joins)
    return tuple((one, other) for one, _, other in pairs)


def seat_of(zone: Zone) -> Seat | None:
    """The seat of a pack; ``None`` for other zones."""
    head, _, number = zone.partition("-")
    return Seat(int(number)) if head == "pack" and number.isascii() and number.isdecimal() else None


def foot(sticker: Pose) -> Point:
    """The foot of the figure on a stand."""
    at = shifted(sticker, *FOOT_MM)
    return at.x_mm, at.y_mm


def joins(deck: LandsDeck, card: CardId, pose: Pose, others: Mapping[CardId, Pose]) -> tuple[Join, ...]:
    """The connections between the spaces of a tile and those of others, where their exits meet.

    A tile that is not described is connected wherever another one has an exit to it, or is beside it and not described.
    """
    pairs: set[Join] = set()
    own = exits(deck, card, pose)
    for other, at in others.items():
        if other == card:
            continue
        theirs = exits(deck, other, at)
        match card in deck.tiles, other in deck.tiles:
            case True, True:
                pairs |= {(one, old) for one, here in own for old, there in theirs if math.dist(here, there) <= JOIN_MM}
            case True, False:
                pairs |= {(one, other) for one, here in own if _reaches(deck.tile_mm, at, here)}
            case False, True:
                pairs |= {(card, old) for old, there in theirs if _reaches(deck.tile_mm, pose, there)}
            case _:
                pairs |= {(card, other)} if _side_by_side(deck.tile_mm, pose, at) else set()
    return tuple(sorted(pairs))


def _reaches(tile_mm: float, tile: Pose, exit_at: Point) -> bool:
    """Whether another tile's exit is at an edge of a tile."""
    x, y = (abs(along) - tile_mm / 2 for along in _within(tile, exit_at))
    return max(x, y) <= JOIN_MM and min(x, y) <= 0


def _side_by_side(tile_mm: float, one: Pose, other: Pose) -> bool:
    """Whether two tiles share most of an edge."""
    x, y = map(abs, _within(one, (other.x_mm, other.y_mm)))
    return max(x, y) <= tile_mm + JOIN_MM and min(x, y) < tile_mm / 2


def exits(deck: LandsDeck, card: CardId, pose: Pose) -> list[tuple[str, Point]]:
    """The exits of a tile on the table, with the space of each."""
    ends = []
    for at, space in enumerate(deck.tiles.get(card, ()), 1):
        for east, south in space.exits:
            place = shifted(pose, east, south)
            ends.append((f"{card}-{at}", (place.x_mm, place.y_mm)))
    return ends


def spaces_under(deck: LandsDeck, place: Point, tiles: Mapping[CardId, Pose]) -> tuple[str, ...]:
    """The possible spaces of a foot, nearest first; empty off the map.

    On a tile that is not described only the tile is known.
    """
    on_tile = [card for card, pose in tiles.items() if _covers(deck.tile_mm, pose, place, OVER_EDGE_MM)]
    blank = [card for card in on_tile if card not in deck.tiles]
    if blank and (len(blank) == len(on_tile) or _covers(deck.tile_mm, tiles[blank[0]], place)):
        return (blank[0],)
    away: list[tuple[float, str]] = []
    for card, pose in tiles.items():
        for at, space in enumerate(deck.tiles.get(card, ()), 1):
            middle = shifted(pose, *space.at)
            away.append((math.dist(place, (middle.x_mm, middle.y_mm)), f"{card}-{at}"))
    if not on_tile or not away:
        return ()
    away.sort()
    return tuple(space for distance, space in away if distance <= UNSURE * away[0][0] or space == away[0][1])


def _covers(tile_mm: float, pose: Pose, place: Point, over_mm: float = 0.0) -> bool:
    return max(map(abs, _within(pose, place))) <= tile_mm / 2 + over_mm


def _within(pose: Pose, place: Point) -> Point:
    """A point of the table in a tile's own frame."""
    turned = math.radians(-pose.rotation_deg)
    dx, dy = place[0] - pose.x_mm, place[1] - pose.y_mm
    return dx * math.cos(turned) - dy * math.sin(turned), dx * math.sin(turned) + dy * math.cos(turned)
