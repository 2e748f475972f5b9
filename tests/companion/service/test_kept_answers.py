"""What is worked out about a finished match is worked out once, and never shown to somebody who may not see it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.door import Door
from support.long_matches import long_entries, long_header
from support.real_desk import WORDS

from companion.cli.main import main
from companion.games.registry import GROUP, open_match
from companion.history.record import Replay
from companion.public.entry_points import entry_points_of
from companion.public.service import SPECTATOR, Role, User
from companion.service import archive, summaries
from companion.service.archive import Archive, read_import
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage import record_file
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.join_codes import host_codes
from companion.storage.kept_answers import ANSWERS_FOLDER, KeptAnswers
from companion.storage.snapshots import Snapshots
from web.app import close, create_app
from web.middleware.problems import Problem
from web.middleware.turns import Turns

MATCH = {"game": "discovery", "profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
BEGAN = "2026-05-01T20:00:00+02:00"
WON = Path(__file__).parents[2] / "vectors" / "T-last-card.jsonl"
READ = ("/matches/{}", "/api/v1/matches/{}/record", "/matches/{}/moves.csv", "/api/v1/matches/{}/figures")


class Replays:
    """Counts how often a stored match is played again."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        replayed = archive.sound_record

        def counted(*given: Any, **how: Any) -> Any:
            self.count += 1
            return replayed(*given, **how)

        patch.setattr(archive, "sound_record", counted)


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> Replays:
    return Replays(monkeypatch)


@pytest.fixture
def client(services: TableService) -> Iterator[FlaskClient]:
    app = create_app(services, WORDS)
    yield app.test_client()
    close(app)


def finish(log: EventLog, match: str, entries: int = 60) -> None:
    header = long_header()
    log.begin(match, BEGAN, header, long_entries(header, entries), over=True)


def archive_of(log: EventLog) -> Archive:
    """As a table that starts now has it."""
    runner = MatchRunner(
        log, lambda header: open_match(header["match"], header["deck"]).game, wall_clock=lambda: "2026-11-20T20:30"
    )
    folder = log.file.path.parent
    return Archive(runner, Snapshots(folder / "pictures"), KeptAnswers(folder / ANSWERS_FOLDER))


@pytest.mark.parametrize("address", READ)
def test_a_finished_match_is_played_again_for_its_first_reader_alone(
    client: FlaskClient, log: EventLog, replays: Replays, address: str
):
    finish(log, "friday")
    client.get("/api/v1/matches")
    replays.count = 0
    first = client.get(address.format("friday"))
    worked = replays.count
    assert first.status_code == 200
    assert worked >= 1
    assert {client.get(address.format("friday")).data == first.data for _ in range(5)} == {True}
    assert replays.count == worked


@pytest.mark.parametrize("address", READ)
def test_a_match_that_has_just_ended_is_played_again_once_though_nobody_began_the_next(
    client: FlaskClient, services: TableService, host: MatchRunner, log: EventLog, replays: Replays, address: str
):
    """Everybody at the table opens its page then; the host's has buttons for what the camera misread."""
    header, entries = read_import(WON.read_text("utf-8"))
    log.begin("friday", BEGAN, header, entries)
    assert host.ask(lambda: host.go_on_with("friday"))
    assert host.match is not None
    assert host.match.standing.final
    readers = ({}, {"Authorization": f"Bearer {host_codes(log)[0]}"})
    first = [client.get(address.format("friday"), headers=who) for who in readers]
    worked = replays.count
    assert worked >= 2
    assert [one.status_code for one in first] == [200, 200]
    assert [client.get(address.format("friday"), headers=who).data for who in readers] == [one.data for one in first]
    assert replays.count == worked
    undone = host.match.record.next_number - 1
    services.match.correct(User(Role.HOST), {"do": "undo", "number": undone})
    assert not host.match.standing.final
    again = client.get(address.format("friday"))
    assert (again.status_code, again.data != first[0].data) == (200 if address == READ[0] else 403, True), "it goes on"


def test_of_many_who_ask_at_once_one_works(services: TableService, log: EventLog):
    finish(log, "friday")
    made = []

    def make() -> bytes:
        made.append(1)
        time.sleep(0.2)
        return b"told"

    answers: list[bytes | None] = []
    readers = [
        threading.Thread(target=lambda: answers.append(services.archive.kept(SPECTATOR, "friday", "page", make)))
        for _ in range(20)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join(20)
    assert answers == [b"told"] * 20
    assert len(made) == 1


def test_a_reader_of_another_language_gets_another_page(client: FlaskClient, log: EventLog):
    finish(log, "friday")
    english = client.get("/matches/friday?lang=en").get_data(as_text=True)
    french = client.get("/matches/friday?lang=fr").get_data(as_text=True)
    assert "points" in english
    assert english != french
    assert client.get("/matches/friday?lang=en").get_data(as_text=True) == english


def test_what_was_kept_is_there_at_the_next_start_and_gone_with_another_version(
    log: EventLog, replays: Replays, monkeypatch: pytest.MonkeyPatch
):
    finish(log, "friday")

    def make() -> bytes:
        return b"".join(line.encode() for line in now.record(SPECTATOR, "friday") or ())

    now = archive_of(log)
    first = now.kept(SPECTATOR, "friday", "record", make)
    assert replays.count == 1
    now = archive_of(log)
    assert now.kept(SPECTATOR, "friday", "record", make) == first
    assert replays.count == 1
    monkeypatch.setattr(archive, "code_mark", lambda: "the next version")
    assert now.kept(SPECTATOR, "friday", "record", make) == first
    assert replays.count == 2


def test_only_what_works_out_an_answer_makes_it_old_and_the_mark_of_an_open_editor_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A game in one module lies in a folder with everybody's; an editor marks a file with a link to nothing."""
    game = tmp_path / "lonely_game.py"
    game.write_text("GAME = None")
    (tmp_path / "lonely").mkdir()
    (tmp_path / "lonely" / "__init__.py").touch()
    (tmp_path / "lonely" / ".#__init__.py").symlink_to("ana@desk.17")
    monkeypatch.syspath_prepend(tmp_path)
    for value in ("lonely_game:GAME", "lonely:GAME"):
        monkeypatch.setitem(entry_points_of(GROUP), value, Door(value, None, value))  # type: ignore[arg-type]
    mark = summaries.code_mark.__wrapped__
    before = mark()
    (tmp_path / "somebody_elses.py").touch()
    assert mark() == before
    game.write_text("GAME = 'changed'")
    assert mark() != before


def test_a_match_in_play_is_asked_for_its_role_before_anything_that_was_kept(services: TableService, log: EventLog):
    header = long_header("en-memory")
    log.begin("silent", BEGAN, header, long_entries(header, 8))
    outside = User(Role.HOST, None, outside=True)
    assert services.archive.kept(outside, "silent", "page", lambda: b"secret") == b"secret"
    for user in (SPECTATOR, User(Role.HOST)):
        with pytest.raises(PermissionError):
            services.archive.kept(user, "silent", "page", lambda: b"never")
    assert services.archive.kept(outside, "silent", "page", lambda: b"newer") == b"newer"
    log.close_match("silent")
    assert services.archive.kept(SPECTATOR, "silent", "page", lambda: b"at its end") == b"at its end"


def test_a_deleted_match_leaves_nothing_behind(services: TableService, log: EventLog):
    finish(log, "friday")
    services.archive.kept(SPECTATOR, "friday", "page", lambda: b"told")
    services.archive.delete(User(Role.HOST), "friday")
    assert services.archive.kept(SPECTATOR, "friday", "page", lambda: b"never") is None
    assert not [path for path in (log.file.path.parent / ANSWERS_FOLDER).rglob("*") if path.is_file()]


def test_the_list_on_the_disk_forgets_the_players_of_a_deleted_match(services: TableService, log: EventLog):
    for match in ("friday", "monday"):
        finish(log, match)
    services.archive.matches(SPECTATOR)
    services.archive.prepare()()

    def kept() -> bytes:
        return KeptAnswers(log.file.path.parent / ANSWERS_FOLDER).get("", "list", summaries.code_mark()) or b""

    assert b"friday" in kept()
    services.archive.delete(User(Role.HOST), "friday")
    eventually(lambda: b"friday" not in kept())
    assert b"monday" in kept()


# -- the list --------------------------------------------------------------------------------------


def eventually(holds: Callable[[], bool]) -> None:
    until_s = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.02)


def test_the_first_list_says_what_is_still_to_come_and_the_next_start_has_all_of_it(
    log: EventLog, monkeypatch: pytest.MonkeyPatch
):
    for number in range(5):
        finish(log, f"evening-{number}", 12)
    monkeypatch.setattr(summaries, "AT_ONCE_S", 0.0)
    first = archive_of(log)
    lines = first.matches(SPECTATOR)
    assert [line["id"] for line in lines] == [f"evening-{number}" for number in (4, 3, 2, 1, 0)]
    assert [line.get("pending") for line in lines] == [True] * 5
    assert first.match(SPECTATOR, "evening-2")["seats"] == ["Ana", "Ben", "Cleo"], "one alone is there at once"
    eventually(lambda: not any("pending" in line for line in first.matches(SPECTATOR)))
    whole = first.matches(SPECTATOR)
    first.prepare()()
    monkeypatch.setattr(archive, "match_summary", lambda *_: pytest.fail("it was worked out at the first start"))
    assert archive_of(log).matches(SPECTATOR) == whole


def test_the_match_at_the_table_is_never_played_again_for_the_list(
    services: TableService, log: EventLog, replays: Replays
):
    """Its line changes with each entry; nor does it take the time in which another line could be worked out."""
    finish(log, "friday", 12)
    host = User(Role.HOST)
    services.match.start(host, MATCH)
    for turn in (1, 2, 1):
        services.match.move(host, {"do": "end_turn", "by": turn}, None)
        running, _ = services.archive.matches(SPECTATOR)
        assert running["running"]
        assert services.archive.match(SPECTATOR, running["id"])["entries"] == running["entries"] > 0
        services.archive.prepare()()
    assert replays.count == 1, "friday's"


def test_the_page_says_how_many_are_still_to_come(client: FlaskClient, log: EventLog, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(summaries, "AT_ONCE_S", 0.0)
    monkeypatch.setattr(summaries, "REST_S", 5.0)
    for number in range(2):
        finish(log, f"evening-{number}", 12)
    page = client.get("/matches?lang=en").get_data(as_text=True)
    assert "Matches are being read in once for this version: 2 are still to come." in page


def test_damage_is_said_at_the_next_start_although_a_line_was_kept(tmp_path: Path):
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        finish(log, "friday", 12)
        now = archive_of(log)
        assert "damage" not in now.match(SPECTATOR, "friday")
        now.prepare()()
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as file, file:
        file.execute("UPDATE entry SET body = body || ' ' WHERE number = 5")
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        assert [match for match, _ in log.damages()] == ["friday"]  # as every start asks
        assert archive_of(log).match(SPECTATOR, "friday")["damage"] == {"kept": 4, "lost": 8}
        assert archive_of(log).kept(SPECTATOR, "friday", "page", lambda: b"four entries") == b"four entries"


def test_the_list_at_a_prompt_plays_no_match_again_that_the_table_has_in_its_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """ "`companion matches` 76 s each time": 3,201 matches were played again, one after the other."""
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        for number in range(3):
            finish(log, f"evening-{number}", 12)
        now = archive_of(log)
        now.matches(SPECTATOR)
        now.prepare()()
        finish(log, "since", 12)
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as file, file:
        file.execute("UPDATE entry SET body = body || ' ' WHERE number = 5 AND match = 'evening-1'")
    played: list[str] = []
    sound = archive.sound_record

    def noted(log: EventLog, match: str, *more: Any, **how: Any) -> Any:
        played.append(match)
        return sound(log, match, *more, **how)

    monkeypatch.setattr(archive, "sound_record", noted)
    monkeypatch.setattr(record_file, "Replay", lambda game: played.append("another way") or Replay(game))
    assert main(["matches", "--data", str(tmp_path)]) == 0
    said, wrong = capsys.readouterr()
    players = "fr-explore  over       Ana, Ben, Cleo"
    names = ("since", "evening-2", "evening-1", "evening-0")
    assert said.splitlines() == [f"{match}  {players}" for match in names]
    assert "evening-1" in wrong
    assert "4" in wrong
    assert [match for match in played if match != "another way"] == ["since", "evening-1"]
    assert len(played) == 4


# -- the files -------------------------------------------------------------------------------------


def test_a_file_that_is_damaged_or_cannot_be_written_is_as_none(tmp_path: Path):
    answers = KeptAnswers(tmp_path / "answers")
    answers.keep("friday", "page", "now", b"Ana won" * 100)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    whole = file.read_bytes()
    for broken in (b"", whole[:40], whole[:-9], whole[:60] + b"?" + whole[61:]):
        file.write_bytes(broken)
        assert answers.get("friday", "page", "now") is None
    file.write_bytes(whole)
    assert answers.get("friday", "page", "now") == b"Ana won" * 100
    (tmp_path / "full").write_bytes(b"no folder")
    nowhere = KeptAnswers(tmp_path / "full")
    nowhere.keep("friday", "page", "now", b"told")
    assert nowhere.get("friday", "page", "now") is None


def test_whoever_asks_for_everything_fills_no_disk(tmp_path: Path):
    answers = KeptAnswers(tmp_path, most_bytes=20_000)
    noise = [bytes(hash((number, place)) % 256 for place in range(1000)) for number in range(60)]
    for number, one in enumerate(noise):
        answers.keep(f"match {number}", "page", "now", one)
        assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 20_000
    assert answers.get("match 59", "page", "now") == noise[59]


# -- turns -----------------------------------------------------------------------------------------


def test_who_asks_again_at_once_is_served_after_those_who_wait():
    """A reader among a hundred who ask again and again once waited for a minute, and was sent away."""
    turns = Turns(at_a_time=1, waiting=3)
    served: list[str] = []

    def read(who: str) -> None:
        with turns.taken():
            served.append(who)

    patient = threading.Thread(target=read, args=("patient",))
    with turns.taken():
        patient.start()
        eventually(lambda: turns.waiting == 1)
    read("greedy")
    patient.join(20)
    assert served == ["patient", "greedy"]


def test_two_read_at_a_time_some_wait_and_the_rest_is_sent_away():
    turns = Turns(at_a_time=2, waiting=3)
    inside, most, refused = [0], [0], [0]
    lock, go = threading.Lock(), threading.Event()

    def read() -> None:
        try:
            with turns.taken():
                with lock:
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                go.wait(20)
                with lock:
                    inside[0] -= 1
        except Problem:
            with lock:
                refused[0] += 1

    readers = [threading.Thread(target=read) for _ in range(9)]
    for reader in readers:
        reader.start()
    eventually(lambda: refused[0] == 4)
    go.set()
    for reader in readers:
        reader.join(20)
    assert most == [2]
    assert inside == [0]
