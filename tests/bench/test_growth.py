"""Finding 24: the growth bench sees what grows. The long form is ``python -m tests.bench growth --minutes 120``."""

from __future__ import annotations

import mmap
import os
import re
from pathlib import Path

import pytest

from tests.bench.growth import growth, own_mb, slope


@pytest.mark.parametrize(
    ("ys", "rise"), [([5.0, 5.0, 5.0, 5.0], 0.0), ([1.0, 3.0, 5.0, 7.0], 2.0), ([1.0, 1.2, 0.8, 1.0], -0.04)]
)
def test_the_line_that_fits_best(ys: list[float], rise: float):
    assert slope(range(4), ys) == pytest.approx(rise)


@pytest.mark.parametrize("points", [[], [(1.0, 7.0)], [(1.0, 7.0), (1.0, 9.0)]])
def test_what_has_no_length_has_no_slope(points: list[tuple[float, float]]):
    assert slope([x for x, _ in points], [y for _, y in points]) == 0.0


def test_memory_that_is_taken_is_seen():
    before = own_mb(os.getpid())
    held = bytearray(b"x" * 50_000_000)
    assert own_mb(os.getpid()) - before > 40
    assert len(held) == 50_000_000
    assert own_mb(2**22 + 1) == 0.0, "who has gone has none"


def test_files_that_it_maps_are_not_counted(tmp_path: Path):
    """What they cost depends on who else maps them: the bench once took the end of another program for growth."""
    library = tmp_path / "library"
    library.write_bytes(b"x" * 50_000_000)
    before = own_mb(os.getpid())
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
        assert sum(mapped[::4096]) > 0
        assert own_mb(os.getpid()) - before < 10


@pytest.mark.long
def test_a_table_that_plays_is_watched():
    first, second = growth(False, 0.2)
    said = r"growth: [01] min at speed 10, [1-9]\d* matches, \d+ samples; memory of the program [\d., ]+ MB"
    assert re.match(said, first)
    assert "MB an hour" in second
