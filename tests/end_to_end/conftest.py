"""Pairs of houses for the tests of silence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.drawn_once import drawn_once as drawn_once
from support.silent_pair import Journal, heard_journal, pairs


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two houses in which only what is hidden differs; what is drawn and the clock are given."""
    with pairs(tmp_path, monkeypatch) as build:
        yield build


@pytest.fixture
def journal() -> Iterator[Journal]:
    """What is said to the journal."""
    with heard_journal() as heard:
        yield heard
