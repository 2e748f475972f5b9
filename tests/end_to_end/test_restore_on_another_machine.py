"""A backup made on one table and brought back on another, both running: same codes, same matches, by hash."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.ports import free_port
from support.table_program import TableProgram, until

from companion.games.registry import demo_deck
from companion.storage.event_log import LOG_FILE, EventLog

ROOT = Path(__file__).parents[2]
PIECE_BYTES = 100_000


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[str], TableProgram]]:
    tables: list[TableProgram] = []

    def begin(name: str) -> TableProgram:
        (tmp_path / name).mkdir(exist_ok=True)
        tables.append(TableProgram(tmp_path / name / "data", free_port(), "--speed", "4", "--source", "simulated"))
        return tables[-1]

    yield begin
    for table in tables:
        if table.program.poll() is None:
            table.program.kill()
        table.program.wait(20)


def host_of(table: TableProgram) -> str:
    """The host's code, as it stands in the table's log."""
    with closing(EventLog(table.data / LOG_FILE, reading=True, witness=False)) as log:
        return str(log.table.setting("host")[0])


def asked(table: TableProgram, path: str, code: str, body: Any = None, method: str = "") -> Any:
    status, answer = table.ask(method or ("GET" if body is None else "POST"), f"/api/v1/{path}", code, body)
    assert status == 200, (path, status, answer[:300])
    return json.loads(answer)


def fingerprints(table: TableProgram, code: str) -> dict[str, str]:
    """Of each match the hash of its whole record, and of everybody's codes."""
    found = {}
    for match in asked(table, "matches", code)["matches"]:
        status, record = table.ask("GET", f"/api/v1/matches/{match['id']}/record", code)
        assert status == 200, record
        found[match["id"]] = hashlib.sha256(record).hexdigest()
    codes = json.dumps(asked(table, "invitations", code), sort_keys=True)
    return {**found, "codes": hashlib.sha256(codes.encode()).hexdigest()}


def sent(table: TableProgram, code: str, file: bytes) -> dict[str, Any]:
    """The backup is sent in pieces, and what the table says of it once it was looked at."""
    state = asked(table, "restore", code, {"do": "begin", "bytes": len(file), "name": "all.zip"})
    while state["state"] == "coming":
        at = state["received"]
        state = asked(table, f"restore/{at}", code, file[at : at + PIECE_BYTES])
    until(lambda: asked(table, "restore", code)["state"] != "checking", "the check")
    return asked(table, "restore", code)


def taken(table: TableProgram, code: str) -> str:
    """It is taken; the code of the host afterwards."""
    state = asked(table, "restore", code, {"do": "take"})
    assert state["state"] == "taken"
    now: str = state["code"] or code

    def is_back() -> bool:
        try:
            status, answer = table.ask("GET", "/api/v1/restore", now)
        except OSError:
            return False
        return status == 200 and json.loads(answer)["state"] != "taken"

    until(is_back, "the table to start anew")
    return now


def paused(table: TableProgram, code: str, entries: int) -> None:
    until(lambda: table.standing()["number"] >= entries, f"{entries} entries")
    asked(table, "corrections", code, {"do": "pause"})
    until(lambda: table.standing()["alert"] == "paused", "the pause")


@pytest.mark.long
def test_the_same_codes_and_the_same_matches_by_hash_on_another_machine_that_was_in_use(
    start: Callable[[str], TableProgram],
) -> None:
    first = start("first")
    code = host_of(first)
    for name in ("E1-counted", "K11-closed"):
        record = (ROOT / "tests" / "vectors" / f"{name}.jsonl").read_text("utf-8")
        asked(first, "records", code, {"record": record})
    asked(first, "decks", code, {"name": "ours", "deck": demo_deck()})
    paused(first, code, 6)
    status, file = first.ask("GET", "/api/v1/backup.zip", code)
    assert status == 200
    before = fingerprints(first, code)
    assert len(before) == 4  # two that are over, the one at the table, and the codes
    assert first.end() == 0

    second = start("second")
    own = host_of(second)
    paused(second, own, 3)
    assert second.ask("GET", "/api/v1/invitations", code)[0] == 403
    state = sent(second, own, file)
    assert state["state"] == "ready", state
    told = " ".join(state["changes"])
    assert told.count("Gained: ") == 4, told  # three matches and a deck
    assert "it ends here" in told
    assert "Lost: " in told
    assert taken(second, own) == code, "whoever was host here is told the code of the host there"
    until(lambda: second.standing()["number"] >= 6, "the match to go on")
    assert fingerprints(second, code) == before
    assert [one["name"] for one in asked(second, "decks", code)["decks"]] == ["ours"]
    assert second.ask("GET", "/api/v1/invitations", own)[0] == 403, "the codes of before open nothing"
    assert "all.zip" in asked(second, "restore", code)["last"]
    assert not list(second.data.glob(".restored-*"))
    assert (second.data / "replaced-1" / LOG_FILE).is_file(), "what was there lies aside"
    assert second.program.poll() is None, "it is still the same program"
    asked(second, "corrections", code, {"do": "resume"})
    number = second.standing()["number"]
    until(lambda: second.standing()["number"] > number + 1, "the match to be played on")
    assert second.end() == 0
    assert "Traceback" not in second.said


@pytest.mark.long
def test_on_the_same_table_the_codes_that_hold_now_go_on_holding(start: Callable[[str], TableProgram]) -> None:
    table = start("table")
    old = host_of(table)
    paused(table, old, 4)
    _, file = table.ask("GET", "/api/v1/backup.zip", old)
    (new,) = [
        one["code"]
        for one in asked(table, "invitations", old, {"renew": "host"})["invitations"]
        if one["role"] == "host"
    ]
    asked(table, "corrections", new, {"do": "resume"})
    until(lambda: table.standing()["number"] >= 10, "some entries more")
    state = sent(table, new, file)
    assert "goes on from where the backup has it" in " ".join(state["changes"])
    assert taken(table, new) == new
    assert table.ask("GET", "/api/v1/box", old)[0] == 403
    assert table.ask("GET", "/api/v1/box", new)[0] == 200
    # The door is open a moment before the last match is read again.
    until(lambda: table.standing()["number"] >= 4, "the match to be read again")
    assert table.standing()["alert"] == "paused", "as it was when the backup was made"
    assert table.end() == 0


@pytest.mark.long
def test_a_backup_with_which_the_table_cannot_start_is_given_back_and_that_is_said(
    start: Callable[[str], TableProgram],
) -> None:
    """Its settings can be read, and yet no table starts with them: the panel's wiring is wrong."""
    table = start("table")
    code = host_of(table)
    paused(table, code, 3)
    before = fingerprints(table, code)
    _, file = table.ask("GET", "/api/v1/backup.zip", code)
    settings = b"[panel]\nred = 17\ngreen = 17\n"
    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as old, zipfile.ZipFile(whole, "w") as new:
        about = json.loads(old.read("backup.json"))
        about["files"]["settings.toml"] = hashlib.sha256(settings).hexdigest()
        for name in old.namelist():
            if name != "backup.json":
                new.writestr(name, old.read(name))
        new.writestr("settings.toml", settings)
        new.writestr("backup.json", json.dumps(about))
    assert sent(table, code, whole.getvalue())["state"] == "ready"
    assert taken(table, code) == code
    last = asked(table, "restore", code)["last"]
    assert "was not restored, and everything is as before" in last
    assert "green: there is no such key" in last, "it says why"
    assert fingerprints(table, code) == before
    assert not (table.data / "settings.toml").exists()
    assert asked(table, "restore", code, {"do": "drop"})["last"] is None
    assert table.end() == 0
