"""What was acknowledged survives; what could not be written was never said."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.toy_game import CARDS, EndTurn, Place, Stairs

from companion.errors import LogError
from companion.history.codec import decode_entry
from companion.history.events import Entry, Origin, Played, Struck
from companion.public.table import Seat
from companion.storage.event_log import SCHEMA_VERSION, EventLog, import_record

pytestmark = pytest.mark.core

GAME = Stairs()
HEADER = {"match": {"game": "stairs", "seat": [{"name": "Ana"}]}, "deck": {"deck": {"name": "Été"}}}
ENTRIES = (
    Entry(1, Played(Place(Seat(1), CARDS[0], "hand")), Origin.CAMERA, 1.25),
    Entry(2, Played(EndTurn(Seat(1))), Origin.PHONE, 2.0),
    Entry(3, Struck(2, Seat(1)), Origin.BUTTON, 3.0),
)


@pytest.fixture
def log(tmp_path):
    log = EventLog(tmp_path / "matches.sqlite")
    yield log
    log.close()


def test_entries_come_back_as_they_were(log):
    log.create("m", "2026-01-01T20:30:00", HEADER)
    log.append("m", ENTRIES[:2])
    log.append("m", ENTRIES[2:])
    assert tuple(decode_entry(GAME, entry, i) for i, entry in enumerate(log.entries("m"), 1)) == ENTRIES
    assert log.match("m").header == HEADER


def test_the_writing_connection_is_fully_synchronous(log):
    assert log.synchronous() == 2
    with sqlite3.connect(log.path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


def test_no_two_writers_can_claim_the_same_number(log):
    log.create("m", "2026-01-01", HEADER)
    log.append("m", ENTRIES[:1])
    with pytest.raises(LogError):
        log.append("m", ENTRIES[:2])
    assert len(log.entries("m")) == 1, "all or none"


def test_a_full_disk_is_one_sentence(log):
    log.create("m", "2026-01-01", HEADER)
    log._connection.execute("PRAGMA max_page_count = 1")
    many = [Entry(i, ENTRIES[0].event) for i in range(1, 2000)]
    with pytest.raises(LogError, match="could not be written"):
        log.append("m", many)
    assert log.entries("m") == []


def test_a_log_of_a_newer_companion_is_left_alone(tmp_path):
    path = tmp_path / "matches.sqlite"
    EventLog(path).close()
    with sqlite3.connect(path) as paper:
        paper.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    paper.close()
    with pytest.raises(LogError, match="newer companion"):
        EventLog(path)


def test_a_log_of_each_older_version_can_be_read(tmp_path):
    for kept in sorted(Path(__file__).parent.glob("logs/version-*.sqlite")):
        path = tmp_path / kept.name
        shutil.copy(kept, path)
        log = EventLog(path)
        (stored,) = log.matches()
        assert [decode_entry(GAME, entry, i) for i, entry in enumerate(log.entries(stored.id), 1)] == list(ENTRIES)
        log.close()
    assert (Path(__file__).parent / f"logs/version-{SCHEMA_VERSION}.sqlite").exists(), "keep a file of each version"


def test_an_imported_record_never_overwrites_a_match(log):
    names = [import_record(log, "evening", HEADER, ENTRIES, "2026-01-01") for _ in range(3)]
    assert names == ["evening", "evening-2", "evening-3"]


WRITER = """
import sys
sys.path[:0] = [{tests!r}, {root!r}]
from pathlib import Path
from support.toy_game import EndTurn
from companion.storage.event_log import EventLog
from companion.history.events import Entry, Played
from companion.public.table import Seat
log = EventLog(Path({path!r}))
log.create("m", "2026-01-01", {{}})
for i in range(1, 100000):
    log.append("m", [Entry(i, Played(EndTurn(Seat(1))))])
    print(i, flush=True)
"""


def test_every_acknowledged_entry_survives_a_kill(tmp_path):
    path = tmp_path / "matches.sqlite"
    root = Path(__file__).parents[3]
    code = WRITER.format(tests=str(root / "tests"), root=str(root), path=str(path))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as writer:
        acknowledged = 0
        for line in writer.stdout:
            acknowledged = int(line)
            if acknowledged >= 50:
                os.kill(writer.pid, signal.SIGKILL)
                break
        acknowledged = max([acknowledged, *(int(line) for line in writer.stdout if line.strip().isdigit())])
    log = EventLog(path)
    kept = log.entries("m")
    log.close()
    assert [entry["number"] for entry in kept] == list(range(1, len(kept) + 1))
    assert len(kept) >= acknowledged >= 50
