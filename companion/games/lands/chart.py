"""Where tiles lie beside one another, as far as the spaces that they join tell: the map that is drawn."""

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
"""Between two tiles that people lay side by side."""
OVER_MM = 4.0
"""Tiles that lie over one another by more than this lie in one place."""
FIRST = Pose(0.0, 0.0, 0.0)


def beside(
    deck: LandsDeck, card: CardId, pairs: Iterable[Join], others: Mapping[CardId, Pose]
) -> Iterator[tuple[Pose, tuple[Join, ...]]]:
    """How a tile lies beside others so that one of these pairs of spaces is joined, and all that it is then open to."""
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
    """An exit of the older space, and one of the other tile's that may meet it; a tile that nobody has described is
    open on all sides, and lies straight beside the other."""
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
    """Where a tile that lies straight beside another one meets an exit of it."""
    x, y = exit_at
    return (x, -y) if _outward(exit_at) % 2 == 0 else (-x, y)


def nearest(deck: LandsDeck, card: CardId, wanted: Iterable[Join], others: Mapping[CardId, Pose]) -> Pose | None:
    """Where a tile lies that is open to just these spaces, or to as many of them as can be."""
    pairs = frozenset(wanted)
    ways = list(beside(deck, card, sorted(pairs), others))
    best = max(ways, key=lambda one: -len(pairs ^ {*one[1]}), default=None)
    return None if best is None else best[0]


def charted(deck: LandsDeck, public: Island, first: Pose = FIRST) -> dict[CardId, Pose]:
    """The tiles that lie open. One that joins none, or in no way that could be drawn, lies to the right of all."""
    laid: dict[CardId, Pose] = {}
    for card, place in tile_places(public).items():
        pose = first if not laid else nearest(deck, card, joins_of(place) or (), laid)
        if pose is None:
            right = max(one.x_mm for one in laid.values())
            pose = Pose(right + 1.25 * deck.tile_mm, first.y_mm, first.rotation_deg)
        laid[card] = pose
    return laid


def _meeting(at: Pose, there: Point, here: Point) -> Pose:
    """Where a tile lies whose exit ``here`` meets the exit ``there`` of the tile ``at``."""
    out = _outward(there)
    turn = at.rotation_deg + 90.0 * ((out - _outward(here) + 2) % 4)
    across, down = ((0.0, -GAP_MM), (GAP_MM, 0.0), (0.0, GAP_MM), (-GAP_MM, 0.0))[out]
    meets = shifted(at, there[0] + across, there[1] + down)
    return shifted(Pose(meets.x_mm, meets.y_mm, turn % 360.0), -here[0], -here[1])


def _outward(exit_at: Point) -> int:
    """On which side of its tile an exit is: 0 = north, clockwise."""
    x, y = exit_at
    if abs(y) >= abs(x):
        return 0 if y < 0 else 2
    return 1 if x > 0 else 3


def _apart(one: Pose, other: Pose) -> float:
    """How far apart two tiles are that lie square to each other: along the edges of the first."""
    turned = math.radians(-one.rotation_deg)
    dx, dy = other.x_mm - one.x_mm, other.y_mm - one.y_mm
    return max(abs(dx * math.cos(turned) - dy * math.sin(turned)), abs(dx * math.sin(turned) + dy * math.cos(turned)))
