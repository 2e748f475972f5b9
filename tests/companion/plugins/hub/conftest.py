"""A hub with its tournaments, its tables and its organiser. Its libraries may be missing: they are imported late."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.real_desk import HUB_WORDS
from support.visits import visit as visit

if TYPE_CHECKING:
    from companion.plugins.hub.live_tables import Room
    from companion.plugins.hub.store import TournamentStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TournamentStore]:
    from companion.plugins.hub.store import TournamentStore, sqlite_address

    store = TournamentStore(sqlite_address(tmp_path))
    yield store
    store.close()


@pytest.fixture
def tables() -> Room:
    from companion.plugins.hub.live_tables import Room

    return Room()


@pytest.fixture
def app(store: TournamentStore, tables: Room) -> Flask:
    from companion.plugins.hub.pages.app import create_hub

    return create_hub(tables, store, HUB_WORDS)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def organiser(app: Flask, store: TournamentStore) -> FlaskClient:
    client = app.test_client()
    assert client.get(f"/organiser/{store.code}").status_code == 303
    return client
