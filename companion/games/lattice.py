"""Cells of a square grid that is defined only by the tiles in it.

People place tiles side by side, and the result is never an exact grid: it is rotated on the table, its pitch is a
little more than a tile, and a sleeve pushes a tile out of line. So nothing here knows the origin of the grid. A tile's
cell is computed from the neighbouring tiles with known cells, and so is the position of a cell. Positions are table
millimetres (x right, y towards the near edge), angles degrees clockwise, as in ``companion.public.table.Placement``.

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
"""Number of nearest known tiles that are used: with three or more, a displaced one is outvoted."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Position and rotation of a tile.

    Attributes:
        x_mm, y_mm: Its centre.
        rotation_deg: Clockwise; 0 when its top points to the far edge of the table.
    """

    x_mm: float
    y_mm: float
    rotation_deg: float


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A place of the grid, with the rotation of the tile in it.

    Attributes:
        column: Along the grid's rows; negative left of the first tile.
        row: Towards the near edge.
        turn: Clockwise quarter turns relative to the grid, 0 to 3.
    """

    column: int
    row: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Fit:
    """The cell of a pose.

    Attributes:
        cell: The nearest cell and quarter turn.
        distance_mm: From the tile's centre to the centre of that cell.
        askew_deg: Its rotation relative to that quarter turn, from -45 to 45.
    """

    cell: Cell
    distance_mm: float
    askew_deg: float


Known = tuple[Pose, Cell]
"""A tile with its present pose and known cell."""


def locate(pose: Pose, placed: Iterable[Known], *, pitch_mm: float) -> Fit | None:
    """The cell of a tile from the nearest tiles with known cells; ``None`` if there are none.

    Each neighbour predicts the tile from its own position and angle, and the median counts. So the grid may be rotated,
    drift and stretch, and one displaced neighbour among three or more has no effect.

    Args:
        pose: The tile.
        placed: Other tiles.
        pitch_mm: The distance from one cell to the next, by the tiles' size; gaps between tiles may add to it.
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
    """The pose of a tile in a cell, from the nearest tiles with known cells; ``None`` if there are none.

    Args:
        cell: The cell, and the tile's rotation in it.
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
    """The direction of the grid's rows according to this tile."""
    pose, cell = one
    return pose.rotation_deg - 90 * cell.turn


def _turned(x: float, y: float, by_deg: float) -> tuple[float, float]:
    """A vector after a clockwise rotation, where y points down."""
    cos, sin = math.cos(math.radians(by_deg)), math.sin(math.radians(by_deg))
    return x * cos - y * sin, x * sin + y * cos


def _signed(angle_deg: float) -> float:
    """The same angle from -180 to 180."""
    return (angle_deg + 180) % 360 - 180
