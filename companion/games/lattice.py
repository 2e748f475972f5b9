"""Cells of a square grid that exists only as the tiles that lie in it.

People lay tiles side by side, and the grid they make is never where a ruler would draw it: it stands askew on the
table, its pitch is a little more than a tile, and a sleeve shoves a tile out of line. So nothing here knows where the
grid begins. A tile's cell is read from the tiles around it whose cells are known, and where a cell is on the table is
read the same way. Positions are table millimetres (x right, y towards the near edge), angles degrees clockwise, as in
``companion.public.table.Placement``.

>>> here = Pose(200.0, 100.0, 4.0), Cell(0, 0)
>>> beside = Pose(244.9, 103.6, 93.5), Cell(1, 0, 1)
>>> locate(Pose(241.6, 148.2, 184.4), [here, beside], pitch_mm=45.0).cell
Cell(column=1, row=1, turn=2)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

NEIGHBOURS = 5
"""So many of the nearest known tiles are asked: with three or more, one that was shoved is outvoted."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a tile lies, and how it is turned.

    Attributes:
        x_mm, y_mm: Its centre.
        rotation_deg: Clockwise; 0 when its top points to the far edge of the table.
    """

    x_mm: float
    y_mm: float
    rotation_deg: float


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A place of the grid, and how a tile is turned in it.

    Attributes:
        column: Counts along the grid's rows; negative left of the first tile.
        row: Counts towards the near edge.
        turn: Quarter turns clockwise against the grid, 0 to 3.
    """

    column: int
    row: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """The cell that a pose falls into.

    Attributes:
        cell: The nearest cell and quarter turn.
        distance_mm: How far the tile's centre is from the middle of that cell.
        askew_deg: How far it is turned away from that quarter turn, from -45 to 45.
    """

    cell: Cell
    distance_mm: float
    askew_deg: float


Known = tuple[Pose, Cell]
"""A tile whose cell is known, and where it lies now."""


def locate(pose: Pose, placed: Iterable[Known], *, pitch_mm: float) -> Fit | None:
    """The cell of a tile from the nearest tiles whose cells are known; ``None`` when none is.

    Each neighbour says where it would put the tile, by its own place and angle; the middle of these opinions counts. So
    the grid may stand askew, drift and stretch, and one shoved neighbour among three or more changes nothing.

    Args:
        pose: The tile.
        placed: Other tiles.
        pitch_mm: The distance from one cell to the next as the tiles' size has it; gaps between tiles may add to it.
    """
    nearest = _nearest(pose, placed)
    if not nearest:
        return None
    columns, rows, angles = [], [], []
    first_deg = _grid_deg(nearest[0])
    for there, cell in nearest:
        angle_deg = _grid_deg((there, cell))
        along, down = _turned(pose.x_mm - there.x_mm, pose.y_mm - there.y_mm, -angle_deg)
        columns.append(cell.column + along / pitch_mm)
        rows.append(cell.row + down / pitch_mm)
        angles.append(_signed(angle_deg - first_deg))
    column, row, angle_deg = median(columns), median(rows), first_deg + median(angles)
    turn = round((pose.rotation_deg - angle_deg) / 90)
    cell = Cell(round(column), round(row), turn % 4)
    away_mm = math.hypot(column - cell.column, row - cell.row) * pitch_mm
    return Fit(cell, away_mm, _signed(pose.rotation_deg - angle_deg - 90 * turn))


def place(cell: Cell, placed: Iterable[Known], *, pitch_mm: float) -> Pose | None:
    """Where a tile in a cell lies or would lie, by the nearest tiles whose cells are known; ``None`` when none is.

    Args:
        cell: The cell, and the turn that the tile has in it.
        placed: Other tiles.
        pitch_mm: The distance from one cell to the next.
    """
    by_cells = sorted(placed, key=lambda one: math.dist((one[1].column, one[1].row), (cell.column, cell.row)))
    nearest = by_cells[:NEIGHBOURS]
    if not nearest:
        return None
    first_deg = _grid_deg(nearest[0])
    xs, ys, angles = [], [], []
    for there, where in nearest:
        angle_deg = _grid_deg((there, where))
        along_mm, down_mm = (cell.column - where.column) * pitch_mm, (cell.row - where.row) * pitch_mm
        x_mm, y_mm = _turned(along_mm, down_mm, angle_deg)
        xs.append(there.x_mm + x_mm)
        ys.append(there.y_mm + y_mm)
        angles.append(_signed(angle_deg - first_deg))
    return Pose(median(xs), median(ys), _signed(first_deg + median(angles) + 90 * cell.turn))


def _nearest(pose: Pose, placed: Iterable[Known]) -> Sequence[Known]:
    by_distance = sorted(placed, key=lambda one: math.dist((one[0].x_mm, one[0].y_mm), (pose.x_mm, pose.y_mm)))
    return by_distance[:NEIGHBOURS]


def _grid_deg(one: Known) -> float:
    """Where the grid's rows point, as this tile lies."""
    pose, cell = one
    return pose.rotation_deg - 90 * cell.turn


def _turned(x: float, y: float, by_deg: float) -> tuple[float, float]:
    """A vector turned clockwise, where y points down."""
    cos, sin = math.cos(math.radians(by_deg)), math.sin(math.radians(by_deg))
    return x * cos - y * sin, x * sin + y * cos


def _signed(angle_deg: float) -> float:
    """The same angle from -180 to 180."""
    return (angle_deg + 180) % 360 - 180
