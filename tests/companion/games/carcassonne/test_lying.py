"""From where stickers are seen to the places of the game."""

from __future__ import annotations

import math
import random
import time
from dataclasses import replace

import pytest
from support.carcassonne_match import Table

from companion.games.carcassonne.moves import LayTile
from companion.games.lattice import Cell, Pose
from companion.games.square_tiles import MARGIN_MM, STICKER_MM
from companion.public.table import Placement, TableState, Token, Zone, changes

pytestmark = pytest.mark.core

PITCH_MM = 45.6
INWARD_MM = 22.5 - MARGIN_MM - STICKER_MM / 2


def sticker(name: str, pose: Pose, zone: str = "field") -> Placement:
    """The sticker in the north-west corner of a tile that lies like this."""
    across, down = math.cos(math.radians(pose.rotation_deg)), math.sin(math.radians(pose.rotation_deg))
    x_mm, y_mm = pose.x_mm - INWARD_MM * (across - down), pose.y_mm - INWARD_MM * (across + down)
    return Placement(Token(name), Zone(zone), x_mm, y_mm, pose.rotation_deg)


def tile_pose(cell: Cell, *, turned_deg: float = 2.0, at_mm: tuple[float, float] = (550.0, 325.0)) -> Pose:
    """Where a tile of the map lies whose start tile lies there, turned like that."""
    across, down = math.cos(math.radians(turned_deg)), math.sin(math.radians(turned_deg))
    x, y = cell.column * PITCH_MM, cell.row * PITCH_MM
    return Pose(at_mm[0] + x * across - y * down, at_mm[1] + x * down + y * across, turned_deg + 90 * cell.turn)


def seen(table: Table, *extra: Placement, **map_: object) -> TableState:
    """The whole map as it lies, and more."""
    tiles = [sticker(card, tile_pose(cell, **map_)) for card, cell in table.state.laid.items()]  # type: ignore[arg-type]
    return TableState(frozenset([*tiles, *extra]))


def places(table: Table, look: TableState) -> dict[str, str]:
    return dict(table.game.table.lying(table.state, look))


@pytest.mark.parametrize(
    ("laid", "x_mm", "y_mm", "rotation_deg", "place"),
    [
        ("Z@0,0/0", 583.2, 338.2, -88.0, "field 1 0 3"),
        ("Z@0,0/0", 560.8, 359.0, 92.0, "field 0 1 1"),
        ("Z@0,0/0 X@1,0/0 X@2,0/0 X@3,0/0 X@4,0/0 X@4,-1/0 X@4,-2/0 X@4,-3/0", 771.1, 183.8, 2.0, "field 5 -3 0"),
    ],
)
def test_the_poses_of_the_issue(laid: str, x_mm: float, y_mm: float, rotation_deg: float, place: str) -> None:
    table = Table(laid, "Y")
    new = max(table.game.setup.deck.tiles)
    look = seen(table, Placement(Token(new), Zone("field"), x_mm, y_mm, rotation_deg))
    assert places(table, look)[new] == place


def test_nine_tiles_that_a_sleeve_shoves_six_millimetres_stay_where_they_are() -> None:
    table = Table(" ".join(f"X@{n % 5},{n // 5}/0" for n in range(25)), "Y")
    rng = random.Random(5)
    shoved = set(rng.sample(sorted(table.state.laid), 9))
    tiles = []
    for card, cell in table.state.laid.items():
        pose = tile_pose(cell)
        tiles.append(sticker(card, replace(pose, x_mm=pose.x_mm + 6.0) if card in shoved else pose))
    look = TableState(frozenset(tiles))
    assert changes(table.game.table.expected(table.state), table.game.table.lying(table.state, look)) == ()


def test_a_tile_on_another_is_loose_and_one_beside_the_field_is_in_its_zone() -> None:
    table = Table("Z@0,0/0 X@1,0/0", "Y", "Y")
    on_another = sticker("T03", replace(tile_pose(Cell(1, 0)), rotation_deg=9.0))
    put_away = sticker("T04", Pose(60.0, 80.0, 33.0), "aside")
    found = places(table, seen(table, on_another, put_away))
    assert (found["T03"], found["T04"]) == ("loose", "aside")


def test_a_tile_that_was_turned_or_carried_elsewhere_is_no_longer_where_it_was() -> None:
    table = Table("X@0,0/0 X@1,0/0 X@0,1/0", "Y")
    turned = sticker("T02", replace(tile_pose(Cell(1, 0)), rotation_deg=92.0))
    others = [sticker(card, tile_pose(cell)) for card, cell in table.state.laid.items() if card != "T02"]
    assert places(table, TableState(frozenset([turned, *others])))["T02"] == "field 1 0 1"
    carried = sticker("T02", tile_pose(Cell(1, 1)))
    assert places(table, TableState(frozenset([carried, *others])))["T02"] == "field 1 1 0"


def counter(name: str, cell: Cell, east: float, south: float) -> Placement:
    """A counter on a tile, in tile widths from its north-west corner."""
    pose = tile_pose(cell)
    across, down = math.cos(math.radians(pose.rotation_deg)), math.sin(math.radians(pose.rotation_deg))
    dx, dy = (east - 0.5) * 45.0, (south - 0.5) * 45.0
    return Placement(
        Token(name), Zone("field"), pose.x_mm + dx * across - dy * down, pose.y_mm + dx * down + dy * across, 123.0
    )


def test_a_counter_belongs_to_the_newest_tile_from_four_millimetres_outside_of_it() -> None:
    table = Table("Z@0,0/0", "A")
    table.does(LayTile(table.state.turn, "T02", 0, 1, 0))
    newest = table.state.laid["T02"]
    assert places(table, seen(table, counter("F11", newest, 0.5, -3 / 45)))["F11"].startswith("on T02")
    assert places(table, seen(table, counter("F11", Cell(0, 0), 0.5, 0.8)))["F11"].startswith("on T01")
    assert places(table, seen(table, counter("F11", Cell(4, 4), 0.5, 0.5)))["F11"] == "loose"


def test_later_nudges_of_a_counter_mean_nothing() -> None:
    table = Table("Z@0,0/0", "A")
    table.state = replace(table.state, followers={"F11": ("T01", 1)}, supply=(3, 4))
    for east, south in ((0.5, 0.1), (0.5, 0.9), (0.5, 1.0 + 8 / 45)):
        assert places(table, seen(table, counter("F11", Cell(0, 0), east, south)))["F11"] == "on T01 1"


def test_a_whole_map_is_read_in_two_milliseconds() -> None:
    table = Table(" ".join(f"X@{n % 10},{n // 10}/{n % 4}" for n in range(83)), "Y")
    look = seen(table, sticker("T84", tile_pose(Cell(3, 8, 2))))
    assert places(table, look)["T84"] == "field 3 8 2"
    best_s = min(_timed(table, look) for _ in range(20))
    arithmetic_s = min(_arithmetic() for _ in range(20))
    assert best_s < 40 * arithmetic_s, (best_s, arithmetic_s)


def _timed(table: Table, look: TableState) -> float:
    began = time.perf_counter()
    table.game.table.lying(table.state, look)
    return time.perf_counter() - began


def _arithmetic() -> float:
    """What this machine needs for a thousand additions: about 20 µs on a desk, and two milliseconds are a hundred."""
    began = time.perf_counter()
    total = 0.0
    for n in range(1000):
        total += n
    return time.perf_counter() - began
