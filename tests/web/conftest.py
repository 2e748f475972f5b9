"""Fixtures of the phones' tests: a real match without a camera, the app around it, and that app served for real."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.real_desk import WORDS, Evening, RealDesk, code_of, evening_in
from support.real_table import simulated_table
from support.visits import visit as visit

from companion.public.i18n import Translations
from web.app import close, create_app
from web.server import Server

if TYPE_CHECKING:
    pass


@pytest.fixture(scope="session")
def words() -> Translations:
    return WORDS


@pytest.fixture
def desk() -> RealDesk:
    """A match of four under way, in which Ana has laid two cards."""
    desk = RealDesk()
    desk.lay(2)
    return desk


@pytest.fixture
def app(desk: RealDesk, words: Translations) -> Iterator[Flask]:
    app = create_app(desk, words)
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def bearer() -> Callable[[int | str], dict[str, str]]:
    """Headers of a seat, or of whoever has a code."""

    def headers(who: int | str) -> dict[str, str]:
        return {"Authorization": f"Bearer {code_of(who) if isinstance(who, int) else who}"}

    return headers


@pytest.fixture
def serve(words: Translations) -> Iterator[Callable[..., str]]:
    """Serves a desk on a free port of this machine and says where."""
    servers: list[Server] = []

    def start(desk: RealDesk, words: Translations = words, **more: object) -> str:
        servers.append(Server(create_app(desk, words, **more), 0, "127.0.0.1"))  # type: ignore[arg-type]
        return f"http://127.0.0.1:{servers[-1].port}"

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A simulated table as a newcomer's machine runs it: its address and its host's code."""
    yield from simulated_table(tmp_path)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A real match under way, without a camera."""
    yield from evening_in(tmp_path)
