"""Settings of all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says something about the machine's other work, nothing about the property.
settings.register_profile("companion", deadline=None)
settings.load_profile("companion")

TESTS = Path(__file__).parent
PIXELS = (
    "vision",
    "companion/cli/bench/test_phones.py",
    "companion/simulation/test_players.py",
    "companion/system/test_sticker_sheets.py",
    "end_to_end/test_faults.py",
    "end_to_end/test_films.py",
    "end_to_end/test_run.py",
    "end_to_end/test_sentences_through_pixels.py",
    "end_to_end/test_shutdown.py",
    "end_to_end/test_snapshots.py",
    "tools/test_table_bench.py",
)
"""Folders and files whose tests draw a table or decode pictures of one: they carry the marker ``pixels``."""


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what -m does not want
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what draws or decodes pictures by where it stands."""
    places = [TESTS / name for name in PIXELS]
    for item in items:
        if any(item.path.is_relative_to(place) for place in places):
            item.add_marker(pytest.mark.pixels)
