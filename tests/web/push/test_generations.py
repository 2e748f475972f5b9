"""What was told under a number is never told again for something else: a restored table is another table."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.reopened_table import HOST, MATCH, table

import companion.storage.event_log
from companion.plugins.mqtt.publisher import MqttPublisher
from companion.storage.backup import make_copy
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.repair import set_aside
from companion.storage.restore import replace_log


@pytest.fixture
def restored(tmp_path: Path) -> dict[str, Any]:
    """A table played to entry 9; a backup of entry 4 is brought back, and played to entry 12. What was told before."""
    with table(tmp_path) as now:
        now.play(4)
        make_copy(tmp_path / LOG_FILE, tmp_path / "early.sqlite")
        now.play(5)
        told = now.standing()
    replace_log(tmp_path, tmp_path / "early.sqlite")
    with table(tmp_path) as now:
        assert now.standing()["number"] == 4
        now.play(8)
    return {"folder": tmp_path, "told": told}


def test_a_page_that_slept_while_a_backup_came_back_gets_the_state_and_not_the_rest(restored: dict[str, Any]):
    with table(restored["folder"]) as now:
        assert now.standing()["match"] == restored["told"]["match"], "ids are dates, and return"
        assert now.standing()["generation"] != restored["told"]["generation"]
        assert now.first_told(9, restored["told"]["generation"]) == ("snapshot", "12", 12)
        assert now.first_told(9) == ("snapshot", "12", 12), "a script that names no generation cannot know either"
        assert now.first_told(9, now.standing()["generation"]) == ("message", "10", 10)


def test_nothing_else_gives_a_match_another_generation(tmp_path: Path):
    """A start, a copy of the log, and a further match leave it as it was; so entries that were missed still come."""
    with table(tmp_path) as now:
        now.play(3)
        first = now.standing()["generation"]
        make_copy(tmp_path / LOG_FILE, tmp_path / "copy.sqlite")
    with table(tmp_path) as now:
        assert now.standing()["generation"] == first
        assert now.first_told(1) == ("message", "2", 2)
        assert now.first_told(1, first) == ("message", "2", 2)
        now.desk.match.start(HOST, MATCH)
        assert now.standing()["generation"] != first


def test_an_emptied_folder_another_card_and_a_repaired_end_are_other_generations(tmp_path: Path):
    marks = []
    for name in ("card", "other card"):
        (tmp_path / name).mkdir()
        with table(tmp_path / name) as now:
            now.play(6)
            marks.append(now.standing()["generation"])
    with closing(EventLog(tmp_path / "card" / LOG_FILE)) as log:
        set_aside(log, log.matches()[0].id, 3)
    with table(tmp_path / "card") as now:
        now.play(2)
        marks.append(now.standing()["generation"])
        assert now.first_told(4) == ("snapshot", "5", 5)
    with closing(sqlite3.connect(tmp_path / "card" / LOG_FILE)) as file, file:
        file.execute("DELETE FROM entry WHERE number > 2")  # as a disk loses the end
    with table(tmp_path / "card") as now:
        marks.append(now.standing()["generation"])
    (tmp_path / "card" / LOG_FILE).unlink()
    (tmp_path / "card" / "matches.last").unlink()
    with table(tmp_path / "card") as now:
        marks.append(now.standing()["generation"])
    assert len(set(marks)) == 5


def test_a_match_that_takes_the_id_of_a_deleted_one_has_another_generation(tmp_path: Path):
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        marks = []
        for began in ("2026-05-01T20:00:00+02:00", "2026-05-01T21:00:00+02:00"):
            log.begin("2026-05-01-1", began, {"match": {}, "deck": {}})
            marks.append(log.generation("2026-05-01-1").mark)
            log.delete("2026-05-01-1")
    assert len(set(marks)) == 2


def test_a_generation_tells_nothing_of_what_lies_face_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Not even to somebody who knows the mark of the log and tries what could lie there."""
    monkeypatch.setattr(companion.storage.event_log, "draw_mark", lambda: "known")
    marks = set()
    for below in ("1-1", "1-6"):
        (tmp_path / below).mkdir()
        with closing(EventLog(tmp_path / below / LOG_FILE)) as log:
            log.begin("a", "2026-05-01T20:00:00+02:00", {"match": {"position": {"tree": [below]}}, "deck": {}})
            marks.add(log.generation("a").mark)
    assert len(marks) == 1


def test_a_press_that_is_about_another_generation_is_stale(restored: dict[str, Any]):
    with table(restored["folder"]) as now:
        head = {"Authorization": f"Bearer {now.code(1)}"}
        old, new = restored["told"]["generation"], now.standing()["generation"]
        move = {"move": {"do": "end_turn", "by": 1}, "after": 12}
        for route, body in (
            ("moves", move),
            ("corrections", {"do": "undo", "number": 12, "after": 12}),
            ("answers", {"question": 1, "answer": 0}),
        ):
            stale = now.client.post(f"/api/v1/{route}", json={**body, "generation": old}, headers=head)
            assert (stale.status_code, stale.get_json()["generation"]) == (409, new)
        assert now.standing()["number"] == 12
        assert now.client.post("/api/v1/moves", json={**move, "generation": new}, headers=head).status_code == 200


def test_the_generation_is_in_no_record_and_no_id(restored: dict[str, Any]):
    with table(restored["folder"]) as now:
        mark = now.standing()["generation"]
        assert mark == now.client.get("/api/v1/match").get_json()["match"]["generation"]
        match = now.standing()["match"]
        record = "".join(now.desk.archive.record(HOST, match) or ())
        assert mark not in record + match


def test_a_broker_hears_of_another_generation(restored: dict[str, Any]):
    with table(restored["folder"]) as now:
        publisher = MqttPublisher("127.0.0.1", 1, match=now.desk.match.current)
        try:
            kept = json.loads(publisher._retained["companion/table/match"])  # noqa: SLF001  # what a broker would keep
        finally:
            publisher.close()
        assert kept["generation"] == now.standing()["generation"] != restored["told"]["generation"]
