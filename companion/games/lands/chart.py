"""The drawn map: the poses of adjacent tiles, from the connections between their spaces."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from companion.games.lands.deck import LandsDeck
from companion.games.lands.lying import tile_places
from companion.games.lands.moves import Join
from companion.games.lands.places import joins, joins_of
from companion.games.lands.state import Island, tile_of
from companion.games.lattice import Pose
from companion.games.square_tiles import shifted
from companion.public.table import CardId, Point

GAP_MM = 0.6
"""Between two adjacent tiles."""
OVER_MM = 4.0
"""Tiles that overlap by more than this are in the same place."""
FIRST = Pose(0.0, 0.0, 0.0)


def beside(
    deck: LandsDeck, card: CardId, pairs: Iterable[Join], others: Mapping[CardId, Pose]
) -> Iterator[tuple[Pose, tuple[Join, ...]]]:
    """The poses of a tile beside others in which one of these pairs of spaces is connected, and all resulting
    connections."""
    for own, old in pairs:
        at = others.get(tile_of(old))
        if at is None:
            continue
        for there, here in _meetings(deck, own, old):
            pose = _meeting(at, there, here)
            free = all(_apart(pose, other) >= deck.tile_mm - OVER_MM for other in others.values())
            if free and (ways := joins(deck, card, pose, others)):
                yield pose, ways


def _meetings(deck: LandsDeck, own: str, old: str) -> Iterator[tuple[Point, Point]]:
    """An exit of the older space, and one of the other tile's that may meet it; a tile that is not described is open on
    all sides, and square to the other."""
    exits = {one: deck.spaces[one].exits for one in (own, old) if one in deck.spaces}
    half = deck.tile_mm / 2
    sides = ((0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0))
    if own in exits and old in exits:
        yield from product(exits[old], exits[own])
    elif own in exits:
        yield from ((_opposite(here), here) for here in exits[own])
    else:
        yield from ((there, _opposite(there)) for there in exits.get(old, sides))


def _opposite(exit_at: Point) -> Point:
    """The point of a tile square to another one that meets this exit."""
    x, y = exit_at
    return (x, -y) if _outward(exit_at) % 2 == 0 else (-x, y)


def nearest(deck: LandsDeck, card: CardId, wanted: Iterable[Join], others: Mapping[CardId, Pose]) -> Pose | None:
    """The pose of a tile with exactly these connections, or with as many of them as possible."""
    pairs = frozenset(wanted)
    ways = list(beside(deck, card, sorted(pairs), others))
    best = max(ways, key=lambda one: -len(pairs ^ {*one[1]}), default=None)
    return None if best is None else best[0]


def charted(deck: LandsDeck, public: Island, first: Pose = FIRST) -> dict[CardId, Pose]:
    """The poses of the face-up tiles. A tile without connections, or with impossible ones, is on the right of all."""
    laid: dict[CardId, Pose] = {}
    for card, place in tile_places(public).items():
        pose = first if not laid else nearest(deck, card, joins_of(place) or (), laid)
        if pose is None:
            right = max(one.x_mm for one in laid.values())
            pose = Pose(right + 1.25 * deck.tile_mm, first.y_mm, first.rotation_deg)
        laid[card] = pose
    return laid


def _meeting(at: Pose, there: Point, here: Point) -> Pose:
    """The pose of a tile whose exit ``here`` meets the exit ``there`` of the tile ``at``."""
    out = _outward(there)
    turn = at.rotation_deg + 90.0 * ((out - _outward(here) + 2) % 4)
    across, down = ((0.0, -GAP_MM), (GAP_MM, 0.0), (0.0, GAP_MM), (-GAP_MM, 0.0))[out]
    meets = shifted(at, there[0] + across, there[1] + down)
    return shifted(Pose(meets.x_mm, meets.y_mm, turn % 360.0), -here[0], -here[1])


def _outward(exit_at: Point) -> int:
    """The side of its tile on which an exit is: 0 = north, clockwise."""
    x, y = exit_at
    if abs(y) >= abs(x):
        return 0 if y < 0 else 2
    return 1 if x > 0 else 3


def _apart(one: Pose, other: Pose) -> float:
    """The distance of two tiles that are square to each other, along the edges of the first."""
    turned = math.radians(-one.rotation_deg)
    dx, dy = other.x_mm - one.x_mm, other.y_mm - one.y_mm
    return max(abs(dx * math.cos(turned) - dy * math.sin(turned)), abs(dx * math.sin(turned) + dy * math.cos(turned)))
