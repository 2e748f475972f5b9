"""A phone that got no answer sends its request again: it acts once, and is answered as before, also when the table was
started anew in between."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.random_corrections import GAMES, NAMES
from support.spoken_table import HOST, SpokenTable

from companion.games import registry
from companion.games.protocol import MoveContext
from companion.history.codec import encode_move
from companion.storage.event_log import LOG_FILE, MOST_REQUESTS, EventLog, open_log
from companion.storage.log_copy import copy_log
from companion.storage.repair import set_aside
from tests.bench.kills import Companion, Phone, nothing_to_see

END = {"move": {"do": "end_turn", "by": 1}}


@dataclass(frozen=True)
class Press:
    """A request, and what came back."""

    route: str
    who: int | None
    body: dict[str, Any]
    key: str

    def sent(self, table: SpokenTable) -> tuple[int, Any]:
        head = {"Authorization": f"Bearer {table.codes[self.who]}", "Idempotency-Key": self.key}
        answer = table.client.post(f"/api/v1/{self.route}", json=self.body, headers=head)
        return answer.status_code, answer.json


@contextmanager
def table_in(folder: Path) -> Iterator[SpokenTable]:
    """A table over this folder; the match that was interrupted goes on."""
    table = SpokenTable(folder)
    try:
        if table.runner.ask(table.runner.resume):
            table.codes = {one.user.seat: one.code for one in table.desk.match.join_codes(HOST)}
        yield table
    finally:
        table.close()


def begun(table: SpokenTable, profile: str = "fr-explore", game: str = "discovery") -> None:
    seats = len(registry.demo_match(registry.GAMES[game])["seat"])
    table.opens({"game": game, "profile": profile, "seat": [{"name": name} for name in NAMES[:seats]]})


def entries(table: SpokenTable) -> dict[str, int]:
    return {stored.id: len(table.log.entries(stored.id)) for stored in table.log.matches()}


def evening(table: SpokenTable, game: str, dice: Random, length: int) -> Iterator[tuple[Press, int, Any]]:
    """What people press, and the answers."""
    player = registry.GAMES[game].demonstration.random_player(table.runner.match.game)  # type: ignore[union-attr]
    for number in range(length):
        table.wait(1.0)
        match = table.runner.match
        assert match is not None
        seat = dice.randint(1, match.game.seats)
        route, who, body = "corrections", dice.choice((None, seat)), {"do": dice.choice(("undo", "claim", "allow"))}
        if match.record.paused:
            body = {"do": "resume"}
        elif dice.random() < 0.1:
            body = dice.choice(({"do": "pause"}, {"do": "seat", "seat": seat, "name": f"Eve {number}"}))
        elif opened := table.standing()["asked"]:
            route, body = "answers", {"question": opened[0]["number"], "answer": 0}
        elif dice.random() < 0.7:
            ideas = list(zip(range(40), player(match.public, dice, MoveContext(number)), strict=False))
            if ideas:
                move = dice.choice(ideas)[1]
                route, who, body = "moves", None, {"move": encode_move(move)}
        if body.get("do") in ("claim", "seat", "pause", "resume"):
            who, body = None, {**body, **({"by": seat} if body["do"] == "claim" else {})}
        press = Press(route, who, body, f"{route} {number}")
        yield press, *press.sent(table)


@pytest.mark.parametrize(("game", "profile"), GAMES)
def test_after_a_restart_each_request_gets_its_first_answer_and_writes_nothing(
    game: str, profile: str, tmp_path: Path
) -> None:
    """All games, also the silent ones: what is made again from the record says no more than was said first."""
    with table_in(tmp_path) as table:
        begun(table, profile, game)
        said = [(press, answer) for press, status, answer in evening(table, game, Random(3), 25) if status == 200]
        said = [(press, answer) for press, answer in said if answer]
        assert len(said) > 5
        before = entries(table)
    with table_in(tmp_path) as table:
        assert [press.sent(table) for press, _ in said] == [(200, answer) for _, answer in said]
        assert entries(table) == before


def test_the_same_key_with_another_body_is_refused_after_a_restart_as_before(tmp_path: Path) -> None:
    first, other = Press("moves", 1, END, "k"), Press("moves", 1, {"move": {"do": "pass", "by": 1}}, "k")
    with table_in(tmp_path) as table:
        begun(table)
        assert first.sent(table)[0] == 200
        refused = other.sent(table)
        assert refused[0] == 422
        before = entries(table)
    with table_in(tmp_path) as table:
        assert other.sent(table) == refused
        assert entries(table) == before


def test_two_people_may_use_the_same_key(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        begun(table)
        assert Press("moves", 1, END, "k").sent(table)[0] == 200
    with table_in(tmp_path) as table:
        status, answer = Press("moves", 2, {"move": {"do": "end_turn", "by": 2}}, "k").sent(table)
        assert (status, answer["number"]) == (200, 2)


def test_a_match_a_rematch_and_a_record_that_were_asked_for_begin_once(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        begun(table)
        assert Press("moves", 1, END, "e").sent(table)[0] == 200
        settings = {"game": "discovery", "profile": "en-intro", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
        record = table.client.get(
            f"/api/v1/matches/{table.standing()['match']}/record",
            headers={"Authorization": f"Bearer {table.codes[None]}"},
        ).text
        presses = [
            Press("records", None, {"record": record}, "import"),
            Press("rematch", None, {}, "rematch"),
            Press("rematch", None, {}, "rematch, from another phone"),
            Press("matches", None, {"match": settings}, "begin"),
        ]
        first = [press.sent(table) for press in presses]
        assert [status for status, _ in first] == [200] * 4
        assert len({answer["match"] for _, answer in first}) == 3, "both phones asked for one rematch"
        before = entries(table)
    with table_in(tmp_path) as table:
        assert [press.sent(table) for press in presses] == first
        assert entries(table) == before
        assert Press("matches", None, {"match": {**settings, "profile": "fr-bluff"}}, "begin").sent(table)[0] == 422


SETTINGS = {"game": "discovery", "profile": "en-intro", "seat": [{"name": "Ana"}, {"name": "Ben"}]}


@pytest.mark.parametrize("do", ["close", "go-on", "delete", "restore"])
def test_what_the_host_does_with_stored_matches_is_done_once_over_a_restart(do: str, tmp_path: Path) -> None:
    """The answer was lost with the table; meanwhile somebody did the opposite, where there is one."""
    with table_in(tmp_path) as table:
        begun(table)
        assert Press("moves", 1, END, "e").sent(table)[0] == 200
        left = table.standing()["match"]
        table.log.begin("newer", "2027-01-01", {"match": SETTINGS, "deck": table.runner.stored.header["deck"]})  # type: ignore[union-attr]
        table.runner.ask(lambda: table.runner.go_on_with("newer"))
        table.codes = {None: table.codes[None]}
        press = Press(f"matches/{left}/{do}", None, {}, "k")
        if do == "restore":
            assert Press(f"matches/{left}/delete", None, {}, "before").sent(table)[0] == 200
        first = press.sent(table)
        assert first == (200, {"match": left})
        if do == "delete":
            assert Press(f"matches/{left}/restore", None, {}, "after").sent(table)[0] == 200
        before = entries(table)
    with table_in(tmp_path) as table:
        assert table.standing()["match"] == (left if do == "go-on" else "newer"), "the match that was chosen goes on"
        assert press.sent(table) == first
        assert entries(table) == before
        assert Press(press.route, None, {"other": 1}, "k").sent(table)[0] == 422
        assert Press(press.route, None, {}, "a later press").sent(table)[0] == (200 if do == "delete" else 404)


def test_a_record_that_is_here_already_is_not_stored_again(tmp_path: Path) -> None:
    """Two phones, or one that asks again with another key: the match counts once for its players."""
    with table_in(tmp_path) as table:
        begun(table)
        assert Press("moves", 1, END, "e").sent(table)[0] == 200
        assert Press("matches", None, {"match": SETTINGS}, "next").sent(table)[0] == 200
        played = next(stored.id for stored in table.log.matches() if stored.over)
        lines = table.client.get(f"/api/v1/matches/{played}/record").text.splitlines()
        whole, shorter = "\n".join(lines), "\n".join(lines[:-1])
        before = len(entries(table))
        texts = {"shorter": shorter, "again": shorter, "whole": whole, "whole again": whole}
        presses = [Press("records", None, {"record": text}, key) for key, text in texts.items()]
        (status, first), second, *there = (press.sent(table) for press in presses)
        assert status == 200
        assert first["match"] != played, "an entry less is another record"
        assert second == (200, {"match": first["match"], "already": True})
        assert there == [(200, {"match": played, "already": True}), (200, {"match": played, "already": True})]
        assert len(entries(table)) == before + 1
    with table_in(tmp_path) as table:
        assert [press.sent(table) for press in presses] == [(200, first), second, *there]


def test_what_waited_for_a_full_disk_is_not_written_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ "503", says the phone, and sends it again without saying what it knew: the entry was written meanwhile."""
    press = Press("moves", 1, END, "k")
    with table_in(tmp_path) as table:
        begun(table)
        with monkeypatch.context() as full:
            full.setattr(EventLog, "append", _full)
            assert press.sent(table)[0] == 503
        status, answer = press.sent(table)
        assert (status, answer["number"]) == (200, 1)
        assert press.sent(table) == (status, answer)
        assert list(entries(table).values()) == [1]


def _full(*_: Any) -> None:
    from companion.errors import LogError

    raise LogError("the disk is full")


@pytest.mark.parametrize("loss", ["emptied", "older backup", "set aside", "deleted"])
def test_a_key_does_not_answer_for_what_is_not_there_any_more(loss: str, tmp_path: Path) -> None:
    """And an entry that has its number now is another one."""
    path, backup = tmp_path / LOG_FILE, tmp_path / "backup.sqlite"
    press, other = Press("moves", 1, END, "k"), Press("moves", None, {"move": {"do": "pass", "by": 1}}, "other")
    with table_in(tmp_path) as table:
        begun(table)
        codes, match = table.codes, table.runner.stored
        assert match is not None
        copy_log(path, backup)
        assert press.sent(table)[0] == 200
    if loss == "emptied":
        for file in tmp_path.glob("matches.*"):
            file.unlink()
    elif loss == "older backup":
        for file in tmp_path.glob("matches.*"):
            file.unlink()
        backup.rename(path)
    else:
        with closing(EventLog(path)) as log:
            set_aside(log, match.id, 0) if loss == "set aside" else log.delete(match.id)
    with table_in(tmp_path) as table:
        if loss in ("emptied", "deleted"):
            begun(table)
            table.log.table.renew_codes(table.standing()["match"], [(1, codes[1], "SHORT")], {})
            table.runner.codes.forget()
            table.codes = {**table.codes, 1: codes[1]}
        assert other.sent(table)[1]["number"] == 1
        status, answer = press.sent(table)
        assert (status, answer.get("number")) == (200, 2), answer


def test_a_backup_with_the_entry_holds_its_key_too(tmp_path: Path) -> None:
    press = Press("moves", 1, END, "k")
    path, backup = tmp_path / LOG_FILE, tmp_path / "backup.sqlite"
    with table_in(tmp_path) as table:
        begun(table)
        first = press.sent(table)
        copy_log(path, backup)
    for file in tmp_path.glob("matches.*"):
        file.unlink()
    backup.rename(path)
    with table_in(tmp_path) as table:
        assert press.sent(table) == first
        assert list(entries(table).values()) == [1]


def test_a_log_of_a_companion_of_before_takes_keys_and_is_read_by_it_afterwards(tmp_path: Path) -> None:
    """It knows no table of that name: it neither needs nor minds it, and the file's version is the same."""
    with table_in(tmp_path) as table:
        begun(table)
    path = tmp_path / LOG_FILE
    with closing(sqlite3.connect(path)) as old:
        before = old.execute("PRAGMA user_version").fetchone()
        old.execute("DROP TABLE request")
        old.commit()
    copy_log(path, tmp_path / "copy of an old one")
    with table_in(tmp_path) as table:
        assert Press("moves", 1, END, "k").sent(table)[0] == 200
        with closing(sqlite3.connect(path)) as now:
            assert now.execute("PRAGMA user_version").fetchone() == before


def test_nothing_of_who_asked_is_kept_and_only_the_newest_are(tmp_path: Path) -> None:
    with table_in(tmp_path) as table:
        begun(table)
        assert Press("moves", 1, END, "the key itself").sent(table)[0] == 200
        code = table.codes[1]
        with closing(sqlite3.connect(tmp_path / LOG_FILE)) as now:
            rows = now.execute("SELECT * FROM request").fetchall()
            assert len(rows) == 1
            assert not any(word in str(value) for value in rows[0] for word in (code, "the key itself", "end_turn"))
            for number in range(MOST_REQUESTS + 50):
                now.execute("INSERT INTO request VALUES (?, '', 'm', 1, '')", (f"{number}",))
            now.commit()
        assert Press("moves", 2, {"move": {"do": "end_turn", "by": 2}}, "k").sent(table)[0] == 200
        assert table.log.file.rows("SELECT count(*) FROM request") == [(MOST_REQUESTS,)]


KILLED = """
import os, signal, sys
sys.path[:0] = [{tests!r}, {root!r}]
from pathlib import Path
from tests.web.middleware.test_repeated_requests import Press, begun, table_in
from companion.storage.event_log import EventLog
with table_in(Path({folder!r})) as table:
    begun(table)
    whole = getattr(EventLog, {write!r})
    def and_die(*given, **named):
        whole(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(EventLog, {write!r}, and_die)
    {press!r}.sent(table)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("write", "press"),
    [
        ("append", Press("moves", 1, END, "k")),
        pytest.param("append", Press("corrections", None, {"do": "pause"}, "k"), marks=pytest.mark.long),
        pytest.param("begin", Press("matches", None, {"match": SETTINGS}, "k"), marks=pytest.mark.long),
        pytest.param("begin", Press("rematch", None, {}, "k"), marks=pytest.mark.long),
    ],
)
def test_killed_between_the_write_and_the_answer_it_wrote_once(write: str, press: Press, tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    code = KILLED.format(root=str(root), tests=str(root / "tests"), folder=str(tmp_path), write=write, press=press)
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    with table_in(tmp_path) as table:
        before = entries(table)
        assert len(before) + sum(before.values()) == 2, "it was written"
        status, answer = press.sent(table)
        assert status == 200
        assert answer.get("number", 1) == 1
        assert answer.get("match", table.standing()["match"]) == table.standing()["match"]
        assert entries(table) == before


@pytest.mark.long
def test_a_companion_that_is_killed_before_it_answers_has_acted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program itself, over its port: the phone hears nothing, and asks the next one."""
    mark, patch = tmp_path / "die", tmp_path / "patch"
    patch.mkdir()
    (patch / "sitecustomize.py").write_text(
        "import os, signal\nfrom companion.storage.event_log import EventLog\n"
        "def patched(whole):\n    def and_die(*given, **named):\n        whole(*given, **named)\n"
        f"        if os.path.exists({str(mark)!r}):\n            os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return and_die\n"
        "EventLog.append, EventLog.begin = patched(EventLog.append), patched(EventLog.begin)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(patch))
    nothing = nothing_to_see(tmp_path)
    data, requests = tmp_path / "data", [("/api/v1/matches", {"match": SETTINGS}), ("/api/v1/moves", END)]
    answers: list[tuple[int, Any]] = []
    for path, body in requests:
        companion = Companion(data, "--source", str(nothing))
        with open_log(data, reading=True) as log:
            host = str(log.table.setting("host")[0])  # type: ignore[index]  # drawn at the start
        mark.touch()
        try:
            with closing(Phone(companion.port, host)) as phone, pytest.raises((OSError, HTTPException)):
                phone.ask("POST", path, body, path)
        finally:
            companion.kill()
            mark.unlink()
        for _ in range(2):
            companion = Companion(data, "--source", str(nothing))
            try:
                with closing(Phone(companion.port, host)) as phone:
                    answers.append(phone.ask("POST", path, body, path))
            finally:
                companion.kill()
    assert [status for status, _ in answers] == [200] * 4
    assert answers[0::2] == answers[1::2]
    with open_log(data, reading=True) as log:
        assert [len(log.entries(stored.id)) for stored in log.matches()] == [1]
