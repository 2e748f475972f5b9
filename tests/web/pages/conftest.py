"""Fixtures of the tests that open pages of a game: the ``table`` of each file, served."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.spoken_table import SpokenTable

from web.server import Server


@pytest.fixture
def address(table: SpokenTable) -> Iterator[str]:
    """Where the pages of the table are."""
    server = Server(table.app, 0, "127.0.0.1")
    yield f"http://127.0.0.1:{server.port}"
    server.close()
