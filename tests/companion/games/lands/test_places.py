"""Where exits meet and feet stand, to the millimetre: 8 mm between exits, 1.25 times between spaces."""

from __future__ import annotations

import pytest

from companion.games.lands.deck import read
from companion.games.lands.places import foot, joins, spaces_under
from companion.games.lattice import Pose
from companion.games.square_tiles import shifted

pytestmark = pytest.mark.core

DECK = read(
    {
        "deck": {"name": "Two tiles", "edition": "own"},
        "tile": [
            {"id": "M01", "space": [{"at": [-20, 0], "neighbours": [2]}, {"at": [20, 0], "exits": [[50, 0]]}]},
            {"id": "M02", "space": [{"at": [0, 0], "exits": [[-50, 0]]}]},
        ],
    }
)
FIRST = Pose(300.0, 200.0, 0.0)


@pytest.mark.parametrize("turned_deg", [0.0, 17.0, 90.0, 200.0])
@pytest.mark.parametrize(("gap_mm", "joined"), [(0.0, True), (7.9, True), (8.1, False), (-7.9, True), (-8.1, False)])
def test_exits_within_8_mm_join_their_spaces(turned_deg: float, gap_mm: float, joined: bool) -> None:
    """ "exits of two tiles within 8 mm on the table join their spaces"."""
    first = Pose(FIRST.x_mm, FIRST.y_mm, turned_deg)
    second = shifted(first, 100.0 + gap_mm, 0.0)
    found = joins(DECK, "M02", second, {"M01": first})
    assert found == ((("M02-1", "M01-2"),) if joined else ())


@pytest.mark.parametrize("turned_deg", [0.0, 45.0, 133.0])
@pytest.mark.parametrize(
    ("east", "spaces"),
    [
        (-20.0, ("M01-1",)),
        (-2.3, ("M01-1",)),  # 17.7 and 22.3: 1.26 times
        (-2.1, ("M01-1", "M01-2")),  # 17.9 and 22.1: 1.23 times
        (0.0, ("M01-1", "M01-2")),
        (2.1, ("M01-2", "M01-1")),
        (2.3, ("M01-2",)),
    ],
)
def test_a_second_space_within_1_25_times_the_nearest_ones_distance_may_be_meant(
    turned_deg: float, east: float, spaces: tuple[str, ...]
) -> None:
    """ "A second space within 1.25 times the nearest's distance of the foot: ask"."""
    tile = Pose(FIRST.x_mm, FIRST.y_mm, turned_deg)
    place = shifted(tile, east, 0.0)
    under = spaces_under(DECK, (place.x_mm, place.y_mm), {"M01": tile})
    assert sorted(under) == sorted(spaces)
    assert under[0] == spaces[0] or east == 0.0


@pytest.mark.parametrize(("turned_deg", "there"), [(0, (100, 70)), (90, (80, 50)), (180, (100, 30)), (270, (120, 50))])
def test_the_foot_is_20_mm_below_the_stickers_middle_in_the_codes_upright(turned_deg: float, there: tuple[int, int]):
    assert foot(Pose(100.0, 50.0, turned_deg)) == pytest.approx(there)
