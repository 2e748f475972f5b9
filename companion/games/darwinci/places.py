"""How places on the table are written: ``plot-2 1 0 3`` for a tile in a plot, drawn zones for all else, ``loose``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from companion.games.lattice import Cell, Known, Pose, locate
from companion.games.square_tiles import MOST_ASKEW_DEG, MOST_OFF
from companion.public.table import Seat, Zone


def plot(seat: Seat) -> Zone:
    """The drawn zone in which the plot of a seat grows."""
    return Zone(f"plot-{seat}")


def cell_zone(seat: Seat, cell: Cell) -> Zone:
    """The place of a tile in a plot."""
    return Zone(f"{plot(seat)} {cell.column} {cell.row} {cell.turn}")


def read_cell(zone: Zone) -> tuple[Seat, Cell] | None:
    """The plot and the cell of a tile's place; ``None`` when it is no such place."""
    match = re.fullmatch(r"plot-([1-9]) (-?[0-9]{1,3}) (-?[0-9]{1,3}) ([0-3])", zone)
    if match is None:
        return None
    seat, column, row, turn = map(int, match.groups())
    return Seat(seat), Cell(column, row, turn)


def seat_of(zone: Zone, kind: str) -> Seat | None:
    """Whose reserve, offer or plot a drawn zone is; ``None`` when it is none of this kind."""
    head, _, number = zone.partition("-")
    return Seat(int(number)) if head == kind and number.isascii() and number.isdecimal() else None


def cell_at(tile: Pose, neighbours: Iterable[Known], *, tile_mm: float, slack: float = 1.0) -> Cell | None:
    """The cell in which a tile lies; ``None`` between two. The first tile of a plot lies at 0,0 as the table is seen.

    Args:
        tile: Its middle, and how it is turned.
        neighbours: The tiles of the plot whose cells are known.
        tile_mm: The side of a tile.
        slack: How many times the usual bounds are allowed.
    """
    fit = locate(tile, neighbours, pitch_mm=tile_mm)
    if fit is None:
        return Cell(0, 0, round(tile.rotation_deg / 90) % 4)
    inside = fit.distance_mm <= slack * MOST_OFF * tile_mm and abs(fit.askew_deg) <= min(45.0, slack * MOST_ASKEW_DEG)
    return fit.cell if inside else None
