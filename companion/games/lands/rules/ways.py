"""Ways on the map: costs, distances and neighbours (U12, U14, U18, U36)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heappop, heappush

from companion.games.lands.moves import ScoutTile
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, is_whole_tile, space_at, tile_of, tile_spaces
from companion.games.protocol import Objection
from companion.public.table import Seat

PATH = Objection("path")
SPACE = Objection("space")
SUPPORT_REACH = 2
"""« à 2 cases ou moins du combattant » (U36)."""


def cheapest(setup: LandsSetup, public: Island, start: str, to: str) -> int | None:
    """U12: the least stamina from one space to another; ``None`` = there is no open way."""
    return _least(public, start, lambda space: _cost(setup, public, space), to).get(to)


def reachable(setup: LandsSetup, public: Island, start: str) -> Mapping[str, int]:
    """Every reachable space, with the least stamina that it takes."""
    return _least(public, start, lambda space: _cost(setup, public, space))


def _cost(setup: LandsSetup, public: Island, space: str) -> int:
    """The stamina for entering a face-up space."""
    place = space_at(setup, public, space)
    assert place is not None
    return place.cost


def apart(public: Island, one: str, other: str) -> int | None:
    """The number of steps between two spaces, whatever they cost."""
    return _least(public, one, lambda _: 1, other).get(other)


def _least(public: Island, start: str, cost: Callable[[str], int], to: str = "") -> dict[str, int]:
    """The least cost of every space, nearest first; values beyond ``to`` may be missing or too high."""
    best, queue = {start: 0}, [(0, start)]
    while queue:
        so_far, space = heappop(queue)
        if space == to:
            break
        if so_far > best[space]:
            continue
        for beside in public.ways.get(space, ()):
            total = so_far + cost(beside)
            if beside not in best or total < best[beside]:
                best[beside] = total
                heappush(queue, (total, beside))
    return best


def open_way(setup: LandsSetup, public: Island, start: str, to: str) -> tuple[Objection, ...]:
    """U12: « Les joueurs se déplacent »: to a face-up space, through such spaces."""
    if to not in public.ways:
        return (PATH,)
    if not start or is_unsure(public, start, to):
        return ()
    return () if cheapest(setup, public, start, to) is not None else (PATH,)


def is_unsure(public: Island, *spaces: str) -> bool:
    """Whether not all connections of these spaces are known: the tile of one is not described, or was not seen
    since."""
    return any(is_whole_tile(space) or tile_of(space) in public.unjoined for space in spaces)


def beside(setup: LandsSetup, public: Island, move: ScoutTile) -> tuple[Objection, ...]:
    """U14: « Le pion du joueur doit être adjacent à la tuile »; not checked for a tile that is not described."""
    here = public.stands[move.by - 1]
    if not tile_spaces(setup, public, move.card) or is_unsure(public, here):
        return ()
    return () if any(old == here for _, old in move.joins) else (Objection("adjacent"),)


def together(public: Island, one: Seat, other: Seat) -> tuple[Objection, ...]:
    """U18, U20, U39: « sur la même case »."""
    here, there = public.stands[one - 1], public.stands[other - 1]
    same = here == there or (tile_of(here) == tile_of(there) and (is_whole_tile(here) or is_whole_tile(there)))
    return () if here and same else (SPACE,)


def near_enough(public: Island, seat: Seat, fighter: Seat) -> tuple[Objection, ...]:
    """U36: « Les personnages qui se trouvent à 2 cases ou moins du combattant »."""
    here, there = public.stands[seat - 1], public.stands[fighter - 1]
    away = apart(public, here, there)
    is_near = away <= SUPPORT_REACH if away is not None else is_unsure(public, here, there)
    return () if is_near else (Objection("far"),)
