"""A table's services over a log in a folder of its own, with the referee's thread at work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.idle_services import IDLE

from companion.games.registry import demo_deck, open_match
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import LOG_FILE, EventLog


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        yield log


@pytest.fixture
def host(log: EventLog) -> Iterator[MatchRunner]:
    host = MatchRunner(
        log, lambda header: open_match(header["match"], header["deck"]).game, wall_clock=lambda: "2026-11-20T20:30"
    )
    running = threading.Thread(target=host.run)
    running.start()
    yield host
    host.stop()
    running.join()


@pytest.fixture
def services(host: MatchRunner, tmp_path: Path) -> TableService:
    return TableService(
        host,
        **IDLE,
        source="picamera",
        version="1",
        picture=lambda: None,
        complete=lambda match: {"match": match, "deck": demo_deck()},
        decks=tmp_path / "decks",
    )
