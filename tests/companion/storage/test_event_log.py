"""What was acknowledged survives; what could not be written was never said."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.toy_game import CARDS, EndTurn, Place, stairs

from companion.errors import LogError
from companion.history.codec import decode_entry
from companion.history.events import Entry, Origin, Played, Struck
from companion.public.table import Seat
from companion.storage.event_log import EventLog, import_record
from companion.storage.log_file import SCHEMA_VERSION
from companion.storage.losses import Damage
from companion.storage.repair import set_aside

pytestmark = pytest.mark.core

GAME = stairs()
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
    log.begin("m", "2026-01-01T20:30:00", HEADER)
    log.append("m", ENTRIES[:2])
    log.append("m", ENTRIES[2:])
    assert tuple(decode_entry(GAME, entry, i) for i, entry in enumerate(log.entries("m"), 1)) == ENTRIES
    assert log.match("m").header == HEADER


def test_the_writing_connection_is_fully_synchronous(log):
    assert log.file.rows("PRAGMA synchronous") == [(2,)]
    with sqlite3.connect(log.file.path) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


def test_no_two_writers_can_claim_the_same_number(log):
    log.begin("m", "2026-01-01", HEADER)
    log.append("m", ENTRIES[:1])
    with pytest.raises(LogError):
        log.append("m", ENTRIES[:2])
    assert len(log.entries("m")) == 1, "all or none"


def test_a_full_disk_is_one_sentence(log):
    log.begin("m", "2026-01-01", HEADER)
    log.file._connection.execute("PRAGMA max_page_count = 1")  # noqa: SLF001  # a disk that is full
    many = [Entry(i, ENTRIES[0].event) for i in range(1, 2000)]
    with pytest.raises(LogError, match="could not be written"):
        log.append("m", many)
    assert log.entries("m") == []


@pytest.mark.parametrize("what", ["matches.sqlite", "matches.sqlite-wal", "."])
@pytest.mark.parametrize("comes_back", [False, True])
def test_nothing_is_acknowledged_that_is_written_into_a_deleted_file(tmp_path, what, comes_back):
    """Somebody tidies up while a table plays. Linux goes on writing, and nothing of it stays."""
    folder = tmp_path / "data"
    log = EventLog(folder / "matches.sqlite")
    log.begin("m", "2026-01-01", HEADER)
    log.append("m", ENTRIES[:1])
    gone = folder / what
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    if comes_back:
        folder.mkdir(exist_ok=True)
        (folder / "matches.sqlite").touch()
        (folder / "matches.sqlite-wal").touch()
    for _ in range(2):
        with pytest.raises(LogError, match="was deleted or replaced while a table plays"):
            log.append("m", ENTRIES[1:])
    log.close()


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
log.begin("m", "2026-01-01", {{}})
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


def played(path: Path, entries: int = 20) -> None:
    """A match of so many entries, and an older one that is over."""
    log = EventLog(path)
    log.begin("older", "2026-01-01", HEADER, ENTRIES, over=True)
    log.begin("m", "2026-01-02", HEADER, invitations=[(1, "code", "short")])
    for number in range(1, entries + 1):
        log.append("m", [Entry(number, Played(EndTurn(Seat(1))))])
    log.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log in which that was played."""
    played(tmp_path / "matches.sqlite")
    return tmp_path / "matches.sqlite"


def kept(path: Path, match: str = "m") -> int:
    log = EventLog(path)
    try:
        return len(log.entries(match))
    finally:
        log.close()


def changed(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as paper:
        paper.execute(statement, values)
    paper.close()


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE entry SET body = replace(body, '"by": 1', '"by": 2') WHERE match = 'm' AND number = 8""",
        "UPDATE entry SET checksum = '' WHERE match = 'm' AND number = 8",
        "DELETE FROM entry WHERE match = 'm' AND number = 8",
    ],
)
def test_a_changed_entry_is_noticed_and_what_was_before_it_is_kept(path, statement):
    changed(path, statement)
    log = EventLog(path)
    entries, damage = log.sound("m")
    assert len(entries) == 7
    assert damage is not None
    assert damage.kept == 7
    assert damage.lost >= 12
    assert log.sound("older")[1] is None
    set_aside(log, "m", 7)
    log.append("m", [Entry(8, Played(EndTurn(Seat(1))))])
    log.close()
    log = EventLog(path)
    assert len(log.entries("m")) == 8
    assert log.sound("m")[1] == damage, "it is still said after the match went on"
    log.close()


def test_a_changed_header_costs_its_match_alone(path):
    for header in ('{"match": {"seat": []}, "deck": {}}', "no JSON", "[1]", "{"):
        changed(path, "UPDATE match SET header = ? WHERE id = 'm'", header)
        log = EventLog(path)
        assert [(stored.id, stored.readable) for stored in log.matches()] == [("m", False), ("older", True)]
        assert log.sound("m")[1].kept is None
        log.close()


def test_an_end_that_is_missing_is_noticed(path):
    """A write-ahead log that is gone, or of which a bit flipped, leaves a log that is whole, only shorter."""
    changed(path, "DELETE FROM entry WHERE match = 'm' AND number > 5")
    for _ in range(2):
        log = EventLog(path, reading=True)
        assert (len(log.entries("m")), log.sound("m")[1]) == (5, Damage(5, 15))
        log.close()
    log = EventLog(path)
    log.append("m", [Entry(6, Played(EndTurn(Seat(1))))])
    log.close()
    log = EventLog(path)
    assert log.sound("m")[1] == Damage(5, 15), "it is not forgotten when the match goes on"
    log.close()


def test_a_match_that_vanished_is_missed_and_a_deleted_one_is_not(path):
    log = EventLog(path)
    log.delete("m")
    assert log.losses.gone() == []
    log.close()
    changed(path, "DELETE FROM match WHERE id = 'older'")
    log = EventLog(path)
    assert log.losses.gone() == ["older"]
    log.close()


@pytest.mark.parametrize("content", [b"", b"\0" * 4096, b"zzzz", b"00000000 []", None])
def test_a_damaged_witness_accuses_nobody(path, content):
    witness = path.with_suffix(".last")
    witness.unlink()
    if content is not None:
        witness.write_bytes(content)
    log = EventLog(path)
    assert list(log.damages()) == []
    log.append("m", [Entry(21, Played(EndTurn(Seat(1))))])
    log.close()
    assert kept(path) == 21


def test_half_a_written_witness_leaves_the_other_half(path):
    witness = path.with_suffix(".last")
    whole = witness.read_bytes()
    newest = max((0, 2048), key=lambda at: json.loads(whole[at : at + 2048].split(b" ", 1)[1])[0])
    witness.write_bytes(whole[:newest] + b"#" * 2048 + whole[newest + 2048 :])
    changed(path, "DELETE FROM entry WHERE match = 'm' AND number > 5")
    log = EventLog(path)
    assert log.sound("m")[1] == Damage(5, 14), "all but the last is known still"
    log.close()


def test_a_match_its_codes_and_the_end_of_the_one_before_are_one_write(path):
    log = EventLog(path)
    with pytest.raises(LogError):
        log.begin("new", "2026-01-03", HEADER, invitations=[(1, "half a code")], closes="m")
    assert [(stored.id, stored.over) for stored in log.matches()] == [("m", False), ("older", True)]
    log.begin("new", "2026-01-03", HEADER, invitations=[(1, "c", "s")], closes="m")
    assert [(stored.id, stored.over) for stored in log.matches()] == [("new", False), ("m", True), ("older", True)]
    assert log.table.codes("new") == [(1, "c", "s")]
    log.close()


def test_matches_stand_in_the_order_in_which_they_came_whatever_the_clock_said(log):
    for match, began in (("a", "2026-05-01"), ("b", "1970-01-01"), ("c", "2025-01-01")):
        log.begin(match, began, HEADER)
    assert [stored.id for stored in log.matches()] == ["c", "b", "a"]


def test_who_only_looks_changes_nothing_and_needs_no_log(tmp_path):
    path = tmp_path / "matches.sqlite"
    nothing = EventLog(path, reading=True)
    assert nothing.matches() == []
    nothing.close()
    assert not path.exists()
    shutil.copy(Path(__file__).parent / "logs/version-1.sqlite", path)
    before = path.read_bytes()
    old = EventLog(path, reading=True)
    assert len(old.entries(old.matches()[0].id)) == 3
    old.close()
    assert path.read_bytes() == before


def test_only_its_owner_may_read_the_log(tmp_path):
    path = tmp_path / "data" / "matches.sqlite"
    played(path)
    for file in (path, path.with_suffix(".last")):
        assert file.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    path.chmod(0o644)
    EventLog(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
