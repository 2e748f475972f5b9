"""A backup that is sent to a table: in pieces, checked before anything changes, by the host alone."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sqlite3
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from support.real_desk import HOST_CODE, HUB_CODE, WORDS, RealDesk, code_of

from companion.box.restore import HostRestore
from companion.box.upload import IDLE_S
from companion.games import registry
from companion.history.events import Entry, Paused
from companion.public.machine import SystemActions
from companion.public.service import Denied, Done, Invalid, Role, Stale, Unavailable, User
from companion.public.text import Text
from companion.service.runner import MatchRunner
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.exchange import pending_exchange
from companion.storage.join_codes import host_codes
from companion.storage.restore import settle
from companion.storage.whole_backup import MOST_BYTES, SPARE_BYTES, write_backup
from web.api.uploads import PIECE_BYTES
from web.app import close, create_app

pytestmark = pytest.mark.slow

HOST, OUTSIDE, SEAT = User(Role.HOST), User(Role.HOST, outside=True), User(Role.SEAT)
BEGAN = "2026-11-20T20:00:00+01:00"
PATIENCE_S = 30.0


def table_of(folder: Path, *matches: tuple[str, int]) -> Path:
    """A data folder with these matches, and how many entries each has."""
    header = {"match": {"seat": [{"name": "Ana"}, {"name": "Ben"}]}, "deck": registry.demo_deck()}
    folder.mkdir(parents=True)
    with closing(EventLog(folder / LOG_FILE)) as log:
        for name, count in matches:
            log.begin(name, BEGAN, header)
            for number in range(1, count + 1):
                log.append(name, [Entry(number, Paused())])
            log.close_match(name)
        host_codes(log)
    return folder


@pytest.fixture
def backup(tmp_path: Path) -> bytes:
    """Of a table with two matches, a deck and settings."""
    folder = table_of(tmp_path / "elsewhere", ("shared", 3), ("only-there", 2))
    (folder / "decks").mkdir()
    (folder / "decks" / "ours.toml").write_text("[deck]\n", "utf-8")
    (folder / "settings.toml").write_text("[web]\n", "utf-8")
    write_backup(folder, tmp_path / "all.zip")
    return (tmp_path / "all.zip").read_bytes()


class Sender:
    """Somebody who brings a backup back, and what the table does about it."""

    def __init__(self, data: Path, silent: bool = False, over: bool = False) -> None:
        self.data, self.now_s = data, 0.0
        self.restarted = threading.Event()
        game = SimpleNamespace(silent=silent)
        playing = SimpleNamespace(match=SimpleNamespace(game=game, over=over), stored=None)
        self.table = HostRestore(cast(MatchRunner, playing), data, self.restarted.set, lambda: self.now_s)

    def state(self) -> Any:
        result = self.table.state(HOST)
        assert isinstance(result, Done)
        return result.value

    def send(self, file: bytes, piece: int = 1000) -> Any:
        """All of it, and what was found."""
        assert isinstance(self.table.begin(HOST, "all.zip", len(file)), Done)
        for at in range(0, len(file), piece):
            result = self.table.add(HOST, at, file[at : at + piece])
            assert isinstance(result, Done), result
        return self.found()

    def found(self) -> Any:
        checking = [thread for thread in threading.enumerate() if thread.name == "check-upload"]
        for thread in checking:
            thread.join(PATIENCE_S)
        return self.state()

    def left(self) -> list[Path]:
        return list(self.data.glob(".restored-*"))


@pytest.fixture
def sender(tmp_path: Path) -> Sender:
    return Sender(table_of(tmp_path / "data", ("shared", 5), ("only-here", 4)))


def flipped(file: bytes) -> bytes:
    """The same backup with another bit in the middle of its matches."""
    with zipfile.ZipFile(io.BytesIO(file)) as paper:
        member = paper.getinfo(LOG_FILE)
    spoilt = bytearray(file)
    spoilt[member.header_offset + 30 + len(LOG_FILE) + member.compress_size // 2] ^= 1
    return bytes(spoilt)


def repacked(file: bytes, packing: int = zipfile.ZIP_DEFLATED, **files: bytes) -> bytes:
    """The same backup with other files in it, named as zip members with ``/`` and ``.`` as they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(out, "w", packing) as new:
        about = json.loads(old.read("backup.json"))
        members = {name: old.read(name) for name in old.namelist() if name != "backup.json"} | files
        about["files"] = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
        for name, content in {**members, "backup.json": json.dumps(about).encode()}.items():
            new.writestr(name, content)
    return out.getvalue()


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file; without what SQLite puts beside a log that is read."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm")))
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_it_says_what_would_be_gained_and_lost_before_anything_changes(sender: Sender, backup: bytes) -> None:
    before = fingerprint(sender.data)
    state = sender.send(backup)
    assert (state["state"], state["why"], bool(state["made"])) == ("ready", None, True)
    lines = [(line.key, line.params) for line in state["changes"]]
    assert [(key, params.get("match", params.get("what")), params.get("n")) for key, params in lines] == [
        ("restore.match.lost", "only-here", 4),
        ("restore.match.fewer", "shared", 2),
        ("restore.match.gained", "only-there", 2),
        ("restore.deck.gained", "ours", None),
        ("restore.settings", None, None),
    ]
    assert {name: fingerprint(sender.data)[name] for name in before} == before
    assert isinstance(sender.table.drop(HOST), Done)
    assert fingerprint(sender.data) == before, "nothing is left of it"


def test_what_is_taken_is_there_at_the_next_start_and_the_table_is_asked_to_start_anew(
    sender: Sender, backup: bytes
) -> None:
    sender.send(backup)
    result = sender.table.take(HOST)
    assert isinstance(result, Done)
    assert (result.value["state"], result.value["code"]) == ("taken", None), "it is the same table: the code stays"
    assert sender.restarted.wait(PATIENCE_S)
    for again in (sender.table.take(HOST), sender.table.drop(HOST), sender.table.begin(HOST, "b.zip", 5)):
        assert isinstance(again, Stale)
    settle(sender.data)
    with closing(sqlite3.connect(sender.data / LOG_FILE)) as paper:
        assert {name for (name,) in paper.execute("SELECT id FROM match")} == {"shared", "only-there"}
    assert (sender.data / "settings.toml").is_file()
    assert (sender.data / "replaced-1" / LOG_FILE).is_file()


def test_of_another_table_the_hosts_code_is_told_to_who_takes_it(tmp_path: Path, backup: bytes) -> None:
    sender = Sender(table_of(tmp_path / "new"))
    sender.send(backup)
    result = sender.table.take(HOST)
    assert isinstance(result, Done)
    with closing(EventLog(tmp_path / "elsewhere" / LOG_FILE)) as log:
        assert result.value["code"] == host_codes(log)[0]


def test_pieces_come_in_order_and_one_that_comes_twice_counts_once(sender: Sender, backup: bytes) -> None:
    half = len(backup) // 2
    assert isinstance(sender.table.add(HOST, 0, backup), Stale), "nobody said that something comes"
    sender.table.begin(HOST, "all.zip", len(backup))
    assert isinstance(sender.table.add(HOST, half, backup[half:]), Stale)
    assert isinstance(sender.table.add(HOST, 0, b""), Invalid)
    assert isinstance(sender.table.add(HOST, 0, backup + b"more"), Invalid)
    for _ in range(2):
        result = sender.table.add(HOST, 0, backup[:half])
        assert isinstance(result, Done)
        assert result.value["received"] == half
    assert isinstance(sender.table.take(HOST), Stale), "half of it is no backup"
    sender.table.add(HOST, half, backup[half:])
    assert sender.found()["state"] == "ready"


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda file: file[:-200],
    "half": lambda file: file[: len(file) // 2],
    "a letter": lambda file: b"a letter to a friend",
    "of another version": lambda file: file.replace(b'"backup": 1', b'"backup": 9'),
    "a foreign file": lambda file: repacked(file, **{"../evil": b"evil"}),
    "no database": lambda file: repacked(file, **{"matches.sqlite": b"SQLite format 3\0 and nothing more" * 200}),
    "settings": lambda file: repacked(file, **{"settings.toml": b"[nonsense]\n"}),
    "zones": lambda file: repacked(file, **{"zones.toml": b"nonsense"}),
    "one bit": flipped,
    "another packing": lambda file: repacked(file, zipfile.ZIP_LZMA),  # it would ask for much memory
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_damaged_file_is_one_sentence_and_nothing_is_lost(
    sender: Sender, backup: bytes, spoil: Callable[[bytes], bytes]
) -> None:
    before = fingerprint(sender.data)
    state = sender.send(spoil(backup))
    assert state["state"] == "refused"
    for language in ("en", "fr"):
        why = state["why"]
        said = why if isinstance(why, str) else WORDS.say(why, language, cast(Any, None))  # no names in it
        assert said.startswith("all.zip")
        assert "\n" not in said
        assert "restore.fault" not in said
    assert fingerprint(sender.data) == before
    assert not sender.left()
    assert isinstance(sender.table.take(HOST), Stale)
    assert sender.send(backup)["state"] == "ready", "another file can be chosen"


def with_database(file: bytes, folder: Path, *statements: str) -> bytes:
    """The same backup, whose matches somebody has worked on with SQLite."""
    path = folder / "theirs.sqlite"
    with zipfile.ZipFile(io.BytesIO(file)) as paper:
        path.write_bytes(paper.read(LOG_FILE))
    with closing(sqlite3.connect(path, isolation_level=None)) as theirs:
        for statement in statements:
            theirs.execute(statement)
    return repacked(file, **{LOG_FILE: path.read_bytes()})


def schema_of(database: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(database)) as paper:
        return sorted(paper.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema"))


PLANTED = {
    "triggers": (
        "CREATE TRIGGER a AFTER INSERT ON entry WHEN new.number > 3 "
        "BEGIN DELETE FROM entry WHERE number = new.number; END",
        "CREATE TRIGGER b AFTER INSERT ON setting WHEN new.name = 'host' "
        "BEGIN UPDATE setting SET value = '[\"theirs\", \"AAAAAA\"]' WHERE name = 'host'; END",
        "CREATE TRIGGER c BEFORE UPDATE ON match BEGIN SELECT raise(IGNORE); END",
    ),
    "a table, a view and an index": (
        "CREATE TABLE more (it TEXT)",
        "CREATE VIEW seen AS SELECT * FROM entry",
        "CREATE UNIQUE INDEX one ON entry (match) WHERE number > 3",
    ),
    "columns": (
        "ALTER TABLE entry ADD COLUMN made TEXT AS (hex(zeroblob(number * 1000000)))",
        "ALTER TABLE setting ADD COLUMN more TEXT DEFAULT 'x'",
    ),
}


@pytest.mark.parametrize("what", PLANTED)
def test_of_a_backup_that_others_made_nothing_but_the_rows_comes_in(
    what: str, sender: Sender, backup: bytes, tmp_path: Path
) -> None:
    """Before, a trigger threw later moves away, and gave the host's new code for one that its maker knew."""
    assert sender.send(with_database(backup, tmp_path, *PLANTED[what]))["state"] == "ready"
    assert isinstance(sender.table.take(HOST), Done)
    settle(sender.data)
    with closing(EventLog(tmp_path / "fresh.sqlite")):
        assert schema_of(sender.data / LOG_FILE) == schema_of(tmp_path / "fresh.sqlite")
    with closing(EventLog(sender.data / LOG_FILE)) as log:
        log.append("shared", [Entry(number, Paused()) for number in range(4, 8)])
        log.table.set("host", ["ours", "OURS11"])
    with closing(EventLog(sender.data / LOG_FILE)) as log:
        assert [entry["number"] for entry in log.entries("shared")] == list(range(1, 8))
        assert log.table.setting("host") == ["ours", "OURS11"]


@pytest.mark.parametrize(
    "statements",
    [
        ("ALTER TABLE entry RENAME TO e", "CREATE VIEW entry AS SELECT match, number, body, checksum FROM e"),
        ("ALTER TABLE set_aside RENAME TO s", "CREATE VIRTUAL TABLE set_aside USING fts5(match, number, body)"),
        (
            "DROP TABLE set_aside",
            "CREATE TABLE set_aside (match TEXT, number INTEGER, body TEXT AS (hex(zeroblob(400000000))))",
            "INSERT INTO set_aside VALUES ('shared', 1)",
        ),
        (
            "DROP TABLE set_aside",
            "CREATE TABLE set_aside (match, number, body)",
            "INSERT INTO set_aside VALUES ('a', 'b', 3)",
        ),
        ("DROP TABLE invitation",),
        ("PRAGMA user_version = 99",),
        ("PRAGMA user_version = 0",),
    ],
    ids=["a view", "a virtual table", "a made-up column", "other kinds", "a table less", "a newer one", "no log"],
)
def test_matches_that_are_none_are_refused(
    statements: tuple[str, ...], sender: Sender, backup: bytes, tmp_path: Path
) -> None:
    before = fingerprint(sender.data)
    tracemalloc.start()
    state = sender.send(with_database(backup, tmp_path, *statements))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (state["state"], peak < 100_000_000) == ("refused", True)
    why = state["why"]
    assert "\n" not in (why if isinstance(why, str) else WORDS.say(why, "en", cast(Any, None)))
    assert fingerprint(sender.data) == before


@pytest.mark.parametrize(
    ("name", "megabytes"), [("decks/ours.toml", 30), ("settings.toml", 30), ("pictures/m/1-1.jpg", 30)]
)
def test_a_file_that_is_larger_than_its_kind_is_refused_before_it_is_read(
    name: str, megabytes: int, sender: Sender, backup: bytes
) -> None:
    """Before, a deck of 1.5 GB of noughts in a zip of 1.5 MB took as much memory at a mere look."""
    bomb = repacked(backup, **{name: bytes(megabytes * 1_000_000)})
    tracemalloc.start()
    state = sender.send(bomb, piece=len(bomb))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (state["state"], state["why"].key, state["why"].params["part"]) == ("refused", "restore.fault.part", name)
    assert peak < 10_000_000


def test_a_backup_of_very_many_files_is_refused_before_they_are_listed(sender: Sender) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as paper:
        for number in range(45_000):
            paper.writestr(zipfile.ZipInfo(f"pictures/m/{number:0200}-1.jpg"), b"")
    begun = time.process_time()
    assert sender.send(out.getvalue(), piece=PIECE_BYTES)["why"].key == "restore.fault.many"
    assert time.process_time() - begun < 2


def test_what_is_too_large_for_the_table_or_its_disk_is_refused_before_it_comes(
    sender: Sender, backup: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(sender.table.begin(HOST, "all.zip", MOST_BYTES + 1), Invalid)
    free = [2 * len(backup) + SPARE_BYTES - 1]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free[0]))
    assert isinstance(sender.table.begin(HOST, "all.zip", len(backup)), Unavailable)
    assert not sender.left()
    free[0] += 1
    assert isinstance(sender.table.begin(HOST, "all.zip", len(backup)), Done)
    free[0] = SPARE_BYTES  # somebody else took it meanwhile
    sender.table.add(HOST, 0, backup)
    assert sender.found()["why"].key == "restore.fault.room"
    assert not sender.left()


def test_a_silent_match_is_not_broken_off_by_one_who_plays_in_it(tmp_path: Path, backup: bytes) -> None:
    sender = Sender(table_of(tmp_path / "data", ("shared", 3)), silent=True)
    for no in (
        sender.table.begin(HOST, "all.zip", len(backup)),
        sender.table.add(HOST, 0, backup),
        sender.table.take(HOST),
    ):
        assert isinstance(no, Stale)
        assert no.reason == Text("restore.silent")
    assert isinstance(sender.table.begin(OUTSIDE, "all.zip", len(backup)), Done), "who does not play may see everything"
    over = Sender(table_of(tmp_path / "other", ("shared", 3)), silent=True, over=True)
    assert isinstance(over.table.begin(HOST, "all.zip", len(backup)), Done)


def test_no_seat_does_any_of_it(sender: Sender, backup: bytes) -> None:
    for no in (
        *(sender.table.state(SEAT), sender.table.begin(SEAT, "a", 5), sender.table.add(SEAT, 0, backup)),
        *(sender.table.take(SEAT), sender.table.drop(SEAT)),
    ):
        assert isinstance(no, Denied)


def test_one_that_nobody_goes_on_with_is_deleted(sender: Sender, backup: bytes) -> None:
    sender.table.begin(HOST, "all.zip", len(backup))
    sender.table.add(HOST, 0, backup[:1000])
    assert sender.left()
    sender.now_s = IDLE_S + 1
    assert sender.state()["state"] == "idle"
    assert not sender.left(), "it holds codes, and takes room"


def test_over_http_it_is_the_hosts_alone_and_comes_in_the_readers_language(sender: Sender, backup: bytes) -> None:
    app = create_app(RealDesk(), WORDS, system=SystemActions(restore=lambda: sender.table))
    try:
        client = app.test_client()

        def ask(path: str, code: str | None = HOST_CODE, **more: Any) -> Any:
            shown = {"Accept-Language": "fr", **({"Authorization": f"Bearer {code}"} if code else {})}
            return client.open(f"/api/v1/restore{path}", headers=shown, **more)

        for code in (None, code_of(2), HUB_CODE):
            assert ask("", code).status_code == 403
            assert ask("", code, method="POST", json={"do": "begin", "bytes": 5}).status_code == 403
            assert ask("/0", code, method="POST", data=b"12345").status_code == 403
        began = ask("", method="POST", json={"do": "begin", "bytes": len(backup), "name": "C:\\mes\\tout\n.zip"})
        assert (began.status_code, began.json["name"], began.json["state"]) == (200, "tout.zip", "coming")
        assert ask("/0", method="POST", data=b"x" * (PIECE_BYTES + 1)).status_code == 413
        assert ask("/7", method="POST", data=backup).status_code == 409
        assert ask("/0", method="POST", data=backup).status_code == 200
        sender.found()
        ready = ask("").json
        assert ready["state"] == "ready"
        assert "Perdue : only-here (Ana, Ben, commencée à 20:00), 4 actions." in ready["changes"]
        assert ask("", method="POST", json={"do": "begin"}).status_code == 422
        assert ask("", method="POST", json={"do": "dance"}).status_code == 422
        assert ask("", method="POST", json={"do": "take"}).json["state"] == "taken"
    finally:
        close(app)
    begun = pending_exchange(sender.data)
    assert begun is not None
    assert begun.name == "tout.zip"
