"""The bench of the whole table: matches played by dice, drawn, looked at, refereed, and compared with the truth."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.errors import InputError

TESTS = Path(__file__).parents[3] / "tests"
PICTURES = Path("bench-table")
"""What went wrong is kept there in pictures; nothing is made where nothing did."""


def table(long: bool) -> Iterator[str]:  # noqa: ARG001 - twenty whole matches are the bench, however long they take
    """Whole matches through pixels, all five profiles; the truth is the second judge's, who lives with the tests.

    Raises:
        InputError: This is no checkout of the project.
    """
    if not (TESTS / "tools" / "table_bench.py").is_file():
        raise InputError(
            f"this bench compares the referee with the second judge of the tests, and there are none in {TESTS}: "
            "run it from a checkout of the project"
        )
    sys.path.insert(0, str(TESTS))
    try:  # for as long as it runs: its processes find their modules there too
        yield from importlib.import_module("tools.table_bench").table(pictures=PICTURES)
    finally:
        sys.path.remove(str(TESTS))
