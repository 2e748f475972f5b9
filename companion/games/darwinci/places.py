"""The text form of places: ``plot-2 1 0 3`` for a tile in a plot, zones for everything else, ``loose``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.games.lattice import Cell, Known, Pose, locate
from companion.games.square_tiles import MOST_ASKEW_DEG, MOST_OFF
from companion.public.table import Seat, Zone


def plot(seat: Seat) -> Zone:
    """The zone of a seat's plot."""
    return Zone(f"plot-{seat}")


def cell_zone(seat: Seat, cell: Cell) -> Zone:
    """The place of a tile in a plot."""
    return Zone(f"{plot(seat)} {cell.column} {cell.row} {cell.turn}")


def read_cell(zone: Zone) -> tuple[Seat, Cell] | None:
    """The plot and the cell of a tile's place; ``None`` for other places."""
    match = re.fullmatch(r"plot-([1-9]) (-?[0-9]{1,3}) (-?[0-9]{1,3}) ([0-3])", zone)
    if match is None:
        return None
    seat, column, row, turn = map(int, match.groups())
    return Seat(seat), Cell(column, row, turn)


def seat_of(zone: Zone, kind: str) -> Seat | None:
    """The seat of a reserve, offer or plot; ``None`` for other zones."""
    head, _, number = zone.partition("-")
    return Seat(int(number)) if head == kind and number.isascii() and number.isdecimal() else None


def cell_at(tile: Pose, neighbours: Iterable[Known], *, tile_mm: float, slack: float = 1.0) -> Cell | None:
    """The cell of a tile; ``None`` between two. The first tile of a plot is at 0,0 in the table's orientation.

    Args:
        tile: Its centre and rotation.
        neighbours: The tiles of the plot with known cells.
        tile_mm: The side of a tile.
        slack: Factor for the usual limits.
    """
    fit = locate(tile, neighbours, pitch_mm=tile_mm)
    if fit is None:
        return Cell(0, 0, round(tile.rotation_deg / 90) % 4)
    inside = fit.distance_mm <= slack * MOST_OFF * tile_mm and abs(fit.askew_deg) <= min(45.0, slack * MOST_ASKEW_DEG)
    return fit.cell if inside else None
