"""A grid that exists only as the tiles that people laid side by side."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, strategies as st

from companion.games.lattice import Cell, Known, Pose, locate, place

PITCH_MM = 45.0


def grown(rng: random.Random, tiles: int) -> list[Cell]:
    """Cells as a map grows: each new tile touches one that lies there."""
    cells = {(0, 0): Cell(0, 0, 0)}
    while len(cells) < tiles:
        column, row = rng.choice(sorted(cells))
        step = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        spot = column + step[0], row + step[1]
        cells.setdefault(spot, Cell(*spot, rng.randrange(4)))
    return list(cells.values())


def laid(
    cells: list[Cell],
    rng: random.Random,
    *,
    pitch_mm: float,
    turned_deg: float,
    moved_mm: tuple[float, float],
    off_mm: float = 0.0,
    off_deg: float = 0.0,
) -> list[Known]:
    """Where these tiles lie on a table whose map stands askew, as hands lay them."""
    cos, sin = math.cos(math.radians(turned_deg)), math.sin(math.radians(turned_deg))
    known = []
    for cell in cells:
        x, y = cell.column * pitch_mm, cell.row * pitch_mm
        pose = Pose(
            moved_mm[0] + x * cos - y * sin + rng.gauss(0, off_mm),
            moved_mm[1] + x * sin + y * cos + rng.gauss(0, off_mm),
            (turned_deg + 90 * cell.turn + rng.gauss(0, off_deg)) % 360,
        )
        known.append((pose, cell))
    return known


def read_in_order(tiles: list[Known]) -> list[Cell]:
    """The cells that the map says, tile after tile, each from those before it."""
    known: list[Known] = [tiles[0]]
    for pose, _ in tiles[1:]:
        fit = locate(pose, known, pitch_mm=PITCH_MM)
        assert fit is not None
        known.append((pose, fit.cell))
    return [cell for _, cell in known]


@given(
    seed=st.integers(0, 10**6),
    pitch_mm=st.floats(44.5, 47.0),
    turned_deg=st.floats(-180, 180),
    moved_mm=st.tuples(st.floats(-60, 60), st.floats(-60, 60)),
)
def test_however_the_map_lies_on_the_table_each_tile_is_in_its_cell(
    seed: int, pitch_mm: float, turned_deg: float, moved_mm: tuple[float, float]
) -> None:
    rng = random.Random(seed)
    cells = grown(rng, 40)
    tiles = laid(cells, rng, pitch_mm=pitch_mm, turned_deg=turned_deg, moved_mm=moved_mm, off_mm=0.7, off_deg=1.2)
    assert read_in_order(tiles) == cells


@given(seed=st.integers(0, 10**6), away_deg=st.floats(0, 360))
def test_one_shoved_neighbour_is_outvoted(seed: int, away_deg: float) -> None:
    rng = random.Random(seed)
    around = [Cell(c, r, rng.randrange(4)) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0)]
    tiles = laid(around, rng, pitch_mm=46.0, turned_deg=7.0, moved_mm=(300, 200), off_mm=0.5, off_deg=0.8)
    shoved = rng.randrange(len(tiles))
    pose, cell = tiles[shoved]
    off = Pose(
        pose.x_mm + 30 * math.cos(math.radians(away_deg)), pose.y_mm + 30 * math.sin(math.radians(away_deg)), 77.0
    )
    tiles[shoved] = off, cell
    for turn in range(4):
        fit = locate(Pose(300.0, 200.0, 7.0 + 90 * turn), tiles, pitch_mm=PITCH_MM)
        assert fit is not None
        assert fit.cell == Cell(0, 0, turn)
        assert fit.distance_mm < 3
        assert abs(fit.askew_deg) < 4


@given(seed=st.integers(0, 10**6), pitch_mm=st.floats(44.5, 47.0), turned_deg=st.floats(-180, 180))
def test_where_a_cell_is_and_which_cell_is_there_are_the_same_question(
    seed: int, pitch_mm: float, turned_deg: float
) -> None:
    rng = random.Random(seed)
    cells = grown(rng, 25)
    tiles = laid(cells, rng, pitch_mm=pitch_mm, turned_deg=turned_deg, moved_mm=(20, -30), off_mm=0.4, off_deg=0.6)
    for cell in cells:
        others = [one for one in tiles if one[1] != cell]
        for turn in range(4):
            wanted = Cell(cell.column, cell.row, turn)
            pose = place(wanted, others, pitch_mm=PITCH_MM)
            assert pose is not None
            fit = locate(pose, others, pitch_mm=PITCH_MM)
            assert fit is not None
            assert fit.cell == wanted


def test_one_tile_is_enough_and_none_says_nothing() -> None:
    alone = [(Pose(100.0, 100.0, 90.0), Cell(3, -2, 1))]
    fit = locate(Pose(55.0, 102.0, 2.0), alone, pitch_mm=PITCH_MM)
    assert fit is not None
    assert fit.cell == Cell(2, -2, 0)
    assert fit.distance_mm == pytest.approx(2.0)
    assert fit.askew_deg == pytest.approx(2.0)
    assert locate(Pose(0.0, 0.0, 0.0), [], pitch_mm=PITCH_MM) is None
    assert place(Cell(0, 0), [], pitch_mm=PITCH_MM) is None


def test_a_tile_between_two_cells_says_how_far_it_is_from_either() -> None:
    around = [(Pose(45.0 * column, 0.0, 0.0), Cell(column, 0)) for column in range(4)]
    fit = locate(Pose(90.0, 66.0, 40.0), around, pitch_mm=PITCH_MM)
    assert fit is not None
    assert fit.cell == Cell(2, 1, 0)
    assert fit.distance_mm == pytest.approx(21.0)
    assert fit.askew_deg == pytest.approx(40.0)
