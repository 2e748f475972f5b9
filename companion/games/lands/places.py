"""How places on the table are written: ``on M07-2`` for a stand, ``new M07-2=M03-1`` for a tile just turned up."""

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
"""Exits of two tiles that lie so near to each other join their spaces."""
UNSURE = 1.25
"""A space within so many times the nearest one's distance of the foot may be meant as well."""
OVER_EDGE_MM = 4.0
"""So far beyond a tile's edge a foot still stands on it."""


def on(spaces: Iterable[str]) -> Zone:
    """Where a stand is; with several spaces, people are asked."""
    return Zone(" ".join(("on", *spaces)))


def spaces_of(zone: Zone) -> tuple[str, ...]:
    """The spaces on which a stand may be; none when it is no such place."""
    head, *spaces = zone.split(" ")
    return tuple(spaces) if head == "on" else ()


def new_tile(joins: Iterable[Join]) -> Zone:
    """Where a tile lies that was just turned up."""
    return Zone(" ".join(("new", *(f"{one}={other}" for one, other in joins))))


def joins_of(zone: Zone) -> tuple[Join, ...] | None:
    """What a tile that was just turned up is open to; ``None`` when that is no such place."""
    head, *joins = zone.split(" ")
    if head != "new":
        return None
    pairs = (join.partition("=") for join in joins)
    return tuple((one, other) for one, _, other in pairs)


def tile_of(space: str) -> CardId:
    """The tile of a space: ``M07`` of ``M07-2``."""
    return CardId(space.partition("-")[0])


def seat_of(zone: Zone) -> Seat | None:
    """Whose pack a drawn zone is."""
    head, _, number = zone.partition("-")
    return Seat(int(number)) if head == "pack" and number.isascii() and number.isdecimal() else None


def foot(sticker: Pose) -> Point:
    """Where the figure on a stand has its foot."""
    at = shifted(sticker, *FOOT_MM)
    return at.x_mm, at.y_mm


def joins(deck: LandsDeck, card: CardId, pose: Pose, others: Mapping[CardId, Pose]) -> tuple[Join, ...]:
    """The spaces of a tile that are open to spaces of others, because their exits meet."""
    own = exits(deck, card, pose)
    there = [one for other, at in sorted(others.items()) if other != card for one in exits(deck, other, at)]
    pairs = {(space, old) for space, here in own for old, beside in there if math.dist(here, beside) <= JOIN_MM}
    return tuple(sorted(pairs))


def exits(deck: LandsDeck, card: CardId, pose: Pose) -> list[tuple[str, Point]]:
    """The exits of a tile on the table, with the space of each."""
    ends = []
    for at, space in enumerate(deck.tiles.get(card, ()), 1):
        for east, south in space.exits:
            place = shifted(pose, east, south)
            ends.append((f"{card}-{at}", (place.x_mm, place.y_mm)))
    return ends


def spaces_under(deck: LandsDeck, place: Point, tiles: Mapping[CardId, Pose]) -> tuple[str, ...]:
    """The spaces on which a foot may stand, the nearest first; none off the map."""
    away: list[tuple[float, str]] = []
    inside = False
    for card, pose in tiles.items():
        inside = inside or _covers(deck.tile_mm, pose, place)
        for at, space in enumerate(deck.tiles.get(card, ()), 1):
            middle = shifted(pose, *space.at)
            away.append((math.dist(place, (middle.x_mm, middle.y_mm)), f"{card}-{at}"))
    if not inside or not away:
        return ()
    away.sort()
    return tuple(space for distance, space in away if distance <= UNSURE * away[0][0] or space == away[0][1])


def _covers(tile_mm: float, pose: Pose, place: Point) -> bool:
    turned = math.radians(-pose.rotation_deg)
    dx, dy = place[0] - pose.x_mm, place[1] - pose.y_mm
    x, y = dx * math.cos(turned) - dy * math.sin(turned), dx * math.sin(turned) + dy * math.cos(turned)
    return max(abs(x), abs(y)) <= tile_mm / 2 + OVER_EDGE_MM
