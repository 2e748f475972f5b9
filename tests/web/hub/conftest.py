"""A hub's tournaments, and their organiser in the ``app`` of each file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient

if TYPE_CHECKING:
    from companion.hub.store import TournamentStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TournamentStore]:
    from companion.hub.store import TournamentStore, sqlite_address  # the hub's libraries may be missing

    store = TournamentStore(sqlite_address(tmp_path))
    yield store
    store.close()


@pytest.fixture
def organiser(app: Flask, store: TournamentStore) -> FlaskClient:
    client = app.test_client()
    assert client.get(f"/organiser/{store.code}").status_code == 303
    return client
