"""The cell of each tile and the segment of each counter, from the positions of their stickers.

Only the neighbouring tiles determine the cell of a tile, so a map may be rotated or shifted as a whole. The limits
allow for imprecise people; the camera is more exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.carcassonne.places import cell_zone, counter_place, counter_zone, read_cell, tile_zone
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress
from companion.games.lattice import Known, Pose
from companion.games.square_tiles import MOST_ASKEW_DEG, MOST_OFF, tile_pose
from companion.public.table import LOOSE, CardId, Placement, TableState, Zone

NUDGE_MM = 10.0
"""A counter stays with its tile until its centre is this far outside it."""
FIELD = Zone("field")


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile on the table.

    Attributes:
        pose: Its centre, and the direction of its north.
        zone: The zone of its sticker.
        east: The direction of its own east, a unit vector; its south is ``(-east[1], east[0])``.
    """

    pose: Pose
    zone: Zone | None
    east: tuple[float, float]

    def frame(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """A point of the table in the tile's own frame, eastward and southward from its centre, in mm."""
        dx, dy = x_mm - self.pose.x_mm, y_mm - self.pose.y_mm
        across, down = self.east
        return dx * across + dy * down, dy * across - dx * down


def lying(setup: MatchSetup, public: Progress, table: TableState) -> dict[CardId, Zone]:
    """The place of each tile and counter on the table."""
    tiles: dict[CardId, SeenTile] = {}
    counters: dict[CardId, Placement] = {}
    for placement in table.placements:
        card = setup.cards.get(placement.token)
        if card is None:
            continue
        if card in setup.owners:
            counters[card] = placement
        else:
            tiles[card] = seen_tile(placement, setup.tile_mm)
    places = tile_places(setup, public, tiles)
    there = {card: tile for card, tile in tiles.items() if card in public.laid}
    return places | {
        card: place
        for card, placement in counters.items()
        if (place := counter_zone_now(setup, public, there, card, placement)) is not None
    }


def seen_tile(placement: Placement, tile_mm: float) -> SeenTile:
    """The tile under a sticker."""
    turned = math.radians(placement.rotation_deg)
    pose = tile_pose(Pose(placement.x_mm, placement.y_mm, placement.rotation_deg), tile_mm=tile_mm)
    return SeenTile(pose, placement.zone, (math.cos(turned), math.sin(turned)))


def tile_places(setup: MatchSetup, public: Progress, tiles: Mapping[CardId, SeenTile]) -> dict[CardId, Zone]:
    """The place of each visible tile."""
    in_cells = {card: (tiles[card].pose, cell) for card, cell in public.laid.items() if card in tiles}
    by_cell = {(cell.column, cell.row): card for card, cell in public.laid.items()}
    places: dict[CardId, Zone] = {}
    for card, tile in tiles.items():
        cell = public.laid.get(card)
        if cell is not None and tile.zone == FIELD and agrees(setup, public, tiles, by_cell, card):
            places[card] = cell_zone(cell)
        elif tile.zone != FIELD:
            if tile.zone is not None:
                places[card] = tile.zone
        else:
            others = [one for other, one in in_cells.items() if other != card]
            places[card] = found_place(setup, card, tile, others, by_cell)
    return places


def agrees(
    setup: MatchSetup,
    public: Progress,
    tiles: Mapping[CardId, SeenTile],
    by_cell: Mapping[tuple[int, int], CardId],
    card: CardId,
) -> bool:
    """Whether most visible neighbours of a map tile confirm its position, or it has none.

    This runs for every tile in every look, so nothing is fitted: each neighbour checks the tile in its own frame.
    """
    tile, cell, yes, no = tiles[card], public.laid[card], 0, 0
    for column, row in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        name = by_cell.get((cell.column + column, cell.row + row))
        beside = tiles.get(name) if name is not None else None
        if name is None or beside is None:
            continue
        east, south = _turned(*beside.frame(tile.pose.x_mm, tile.pose.y_mm), public.laid[name].turn)
        off_mm = math.hypot(east + column * setup.tile_mm, south + row * setup.tile_mm)
        askew_deg = tile.pose.rotation_deg - beside.pose.rotation_deg - 90 * (cell.turn - public.laid[name].turn)
        if off_mm < 2 * MOST_OFF * setup.tile_mm and abs((askew_deg + 180) % 360 - 180) < 2 * MOST_ASKEW_DEG:
            yes += 1
        else:
            no += 1
    return yes >= no


def _turned(east: float, south: float, quarters: int) -> tuple[float, float]:
    """A vector after clockwise quarter turns, where south points down."""
    for _ in range(quarters):
        east, south = -south, east
    return east, south


def found_place(
    setup: MatchSetup,
    card: CardId,
    tile: SeenTile,
    others: Iterable[Known],
    by_cell: Mapping[tuple[int, int], CardId],
) -> Zone:
    """The place of a tile in the field that is new or has moved; ``loose`` on top of another tile."""
    place = tile_zone(tile.pose, others, tile_mm=setup.tile_mm)
    cell = read_cell(place)
    taken = cell is not None and by_cell.get((cell.column, cell.row)) not in (None, card)
    return LOOSE if taken else place


def counter_zone_now(
    setup: MatchSetup,
    public: Progress,
    tiles: Mapping[CardId, SeenTile],
    card: CardId,
    placement: Placement,
) -> Zone | None:
    """The place of a counter: its segment, ``loose`` beside all tiles, or the zone elsewhere."""
    at_mm = placement.x_mm, placement.y_mm
    laid = public.followers.get(card)
    if laid is not None:
        tile = tiles.get(laid[0])
        if tile is None or max(map(abs, tile.frame(*at_mm))) - setup.tile_mm / 2 < NUDGE_MM:
            return counter_zone(laid)
    poses = {name: tile.pose for name, tile in tiles.items()}
    place = counter_place(*at_mm, poses, setup.deck.tiles, public.tile, tile_mm=setup.tile_mm)
    return placement.zone if place == LOOSE and placement.zone != FIELD else place
