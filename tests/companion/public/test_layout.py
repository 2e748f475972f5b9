"""Zones that a host drew: kept, fitted to each match, and never over each other."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from companion.errors import InputError
from companion.games import registry
from companion.public import layout
from companion.public.layout import (
    FAR_MM,
    MOST_CORNERS,
    MOST_ZONES,
    Layout,
    ZoneShape,
    encode_layout,
    fit_zone,
    overlapping_zones,
    read_layout,
)
from companion.public.table import Zone
from companion.service.zone_editor import ZoneEditor
from companion.storage.settings import ZONES_FILE, read_zones, write_zones


def usual(profile: str = "fr-explore", seats: int = 3, bots: int = 0) -> Layout:
    players = [{"name": str(seat), **({"bot": True} if seat > seats - bots else {})} for seat in range(1, seats + 1)]
    match = {"game": "discovery", "profile": profile, "seat": players}
    return registry.open_match(match, registry.demo_deck()).game.table.layout


class Watching:
    """An eye that only notes by which zones it goes."""

    def __init__(self, seen: list[Layout]) -> None:
        self.relayout = seen.append

    def snapshot(self, straight: bool = False) -> bytes | None:
        return b"above" if straight else None


def moved(layout: Layout, by_mm: float) -> Layout:
    zones = (ZoneShape(z.name, tuple((x + by_mm, y) for x, y in z.polygon_mm)) for z in layout.zones)
    return Layout(layout.size_mm, tuple(zones))


def polygons(layout: Layout) -> dict[str, tuple[tuple[float, float], ...]]:
    return {zone.name: zone.polygon_mm for zone in layout.zones}


corner = st.tuples(st.floats(-30, 1200).map(lambda x: round(x, 1)), st.floats(-30, 700).map(lambda y: round(y, 1)))
shapes = st.lists(corner, min_size=3, max_size=6).map(tuple)
names = st.lists(st.sampled_from(["tree", "pool", "discard-1", "row-2", "commands"]), min_size=1, unique=True)


@given(names=names, size=st.none() | st.just((1100.0, 650.0)), data=st.data())
def test_what_was_drawn_is_read_again_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], size: tuple[float, float] | None, data: st.DataObject
):
    drawn = Layout(size, tuple(ZoneShape(Zone(name), data.draw(shapes)) for name in names))
    folder = tmp_path_factory.mktemp("zones")
    write_zones(folder, drawn)
    assert read_zones(folder) == drawn == layout.read_layout(encode_layout(drawn))
    write_zones(folder, None)
    assert read_zones(folder) is None


def test_a_file_that_holds_no_zones_is_named(tmp_path: Path):
    (tmp_path / ZONES_FILE).write_text("[table]\nsize_mm = [1100, 650]\n")
    with pytest.raises(InputError, match=ZONES_FILE):
        read_zones(tmp_path)


@pytest.mark.parametrize("profile", ["en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff"])
@pytest.mark.parametrize(("seats", "bots"), [(1, 0), (3, 1), (4, 0), (9, 0)])
def test_the_usual_zones_never_lie_over_each_other(profile: str, seats: int, bots: int):
    assert overlapping_zones(usual(profile, seats, bots)) is None


@pytest.mark.parametrize("seed", range(100))
def test_zones_overlap_where_a_point_of_the_grid_lies_in_two_of_them(seed: int):
    """Asked point by point, as a card's sticker asks."""
    dice = random.Random(f"zones {seed}")
    shapes = []
    for name in "abc":
        x, y = dice.uniform(0, 300), dice.uniform(0, 200)
        around = [(x + dice.uniform(-60, 60), y + dice.uniform(-60, 60)) for _ in range(dice.randint(3, 7))]
        shapes.append(ZoneShape(Zone(name), tuple(around)))
    top = min(y for shape in shapes for _, y in shape.polygon_mm)
    points = [(x + 5.0, top + y + 5.0) for x in range(-100, 400, 10) for y in range(0, 400, 10)]
    holding = [tuple(one.name for one in shapes if Layout(None, (one,)).zone_at(*point)) for point in points]
    found = overlapping_zones(Layout(None, tuple(shapes)))
    assert (found is not None) == any(len(names) > 1 for names in holding)
    assert found is None or any(set(found) <= set(names) for names in holding)


def test_zones_as_large_as_a_house_are_compared_at_once():
    """A single request with zones of 20 m held the referee up for minutes."""
    far = FAR_MM
    zigzag = [corner for n in range(5) for corner in ((-far + n, -far), (-far + n + 0.5, far))]
    table = {
        "size_mm": [far, far],
        "zone": [{"name": f"z{n}", "polygon": [[x + n * 300, y] for x, y in zigzag]} for n in range(MOST_ZONES)],
    }
    began_s = time.thread_time()
    assert overlapping_zones(read_layout(table)) is None
    assert time.thread_time() - began_s < 2
    with pytest.raises(InputError, match=f"more than {MOST_CORNERS} corners"):
        read_layout({"zone": [{"name": "z", "polygon": [[0, n] for n in range(MOST_CORNERS + 1)]}]})


def test_the_same_zones_lie_where_they_were_drawn_and_nobody_gets_another_number_of_discards():
    drawn = moved(usual(seats=3), 5)
    assert fit_zone(drawn, usual(seats=3)) == drawn
    five = fit_zone(drawn, usual(seats=5))
    assert set(polygons(five)) == set(polygons(usual(seats=5)))
    assert polygons(five)["pool"] == polygons(drawn)["pool"]
    assert all(polygons(five)[f"discard-{seat}"] == polygons(usual(seats=5))[f"discard-{seat}"] for seat in range(1, 6))


def test_the_drawn_tree_is_the_pile_of_a_silent_game():
    drawn = moved(usual(), 5)
    assert polygons(fit_zone(drawn, usual("en-memory")))["pile"] == polygons(drawn)["tree"]
    assert polygons(fit_zone(moved(usual("en-memory"), 5), usual()))["tree"] == polygons(drawn)["tree"]


def test_the_eye_goes_by_new_zones_at_once_and_by_the_usual_ones_when_they_are_forgotten(tmp_path: Path):
    seen: list[Layout] = []
    eye = Watching(seen)
    zoning = ZoneEditor(tmp_path, lambda: eye)
    assert zoning.begin(usual()) == usual()
    assert zoning.picture() == b"above"
    drawn = moved(usual(), 5)
    zoning.set_zones(drawn, at_once=True)
    assert seen == [drawn] == [zoning.current]
    assert ZoneEditor(tmp_path, lambda: eye).begin(usual()) == drawn
    assert ZoneEditor(tmp_path, lambda: eye).begin(usual(), fixed=True) == usual()
    zoning.set_zones(None, at_once=False)
    assert seen == [drawn]
    assert zoning.begin(usual()) == usual()
