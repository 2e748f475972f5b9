"""Many ways to damage a data folder: each ends in a sentence and the newest sound state, and hinders no start."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.idle_services import IDLE
from support.real_desk import WORDS

from companion.cli.main import main
from companion.errors import InputError, LogError
from companion.games import registry
from companion.history.events import Entry, Origin, Paused, Resumed
from companion.public.findings import Level
from companion.public.service import Role, User
from companion.service.archive import Archive, read_import
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.backup import BACKUP_FOLDER, Keeper, backups, make_backup
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.folder_lock import LOCK_FILE, FolderLock
from companion.storage.hub_file import HUB_LOCK
from companion.storage.join_codes import host_codes, hub_access
from companion.storage.kept_answers import ANSWERS_FOLDER, KeptAnswers
from companion.storage.medium import MARK_FILE
from companion.storage.repair import open_or_recover, set_aside
from companion.storage.snapshots import Snapshots
from companion.system.doctor import database
from web.app import close, create_app

pytestmark = pytest.mark.slow

HEADER = {"match": registry.demo_match(), "deck": registry.demo_deck()}
OLD, NEW = 6, 40
HOST = User(Role.HOST)
Damage = Callable[[Path], object]


def words(first: int, last: int) -> list[Entry]:
    return [Entry(n, Paused() if n % 2 else Resumed(), Origin.PHONE, float(n)) for n in range(first, last + 1)]


CODES = [(seat, f"code{seat}", f"short{seat}") for seat in range(1, len(HEADER["match"]["seat"]) + 1)]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An old match, one in play whose last half lies in the write-ahead log alone, and a backup of the first half."""
    made = tmp_path_factory.mktemp("sound")
    played = tmp_path_factory.mktemp("played")
    log = EventLog(played / LOG_FILE)
    log.begin("old", "2026-01-01", HEADER, words(1, OLD), over=True)
    log.begin("new", "2026-01-02", HEADER, invitations=CODES)
    log.table.set("host", ["c", "s"])
    for entry in words(1, NEW // 2):
        log.append("new", [entry])
    make_backup(log.file.path, played / BACKUP_FOLDER)
    log.file.checkpoint()
    for entry in words(NEW // 2 + 1, NEW):
        log.append("new", [entry])
    shutil.copytree(played, made, dirs_exist_ok=True)  # as the power cut leaves it
    log.close()
    assert (made / f"{LOG_FILE}-wal").stat().st_size > 50_000
    return made


@pytest.fixture
def data(sound: Path, tmp_path: Path) -> Path:
    """A copy, to be damaged."""
    return Path(shutil.copytree(sound, tmp_path / "data"))


def open_table(log: EventLog) -> MatchRunner:
    return MatchRunner(
        log, lambda header: registry.open_match(header["match"], header["deck"]).game, wall_clock=lambda: "2026-02-01"
    )


def flip(name: str, at: float) -> Damage:
    def damage(data: Path) -> None:
        content = bytearray((data / name).read_bytes())
        content[int(at if at >= 1 else at * len(content))] ^= 0x10
        (data / name).write_bytes(content)

    return damage


def sql(statement: str) -> Damage:
    def damage(data: Path) -> None:
        with sqlite3.connect(data / LOG_FILE) as paper:
            paper.execute(statement)
        paper.close()

    return damage


def change(name: str, content: bytes | None) -> Damage:
    def damage(data: Path) -> None:
        (data / name).unlink(missing_ok=True)
        if content is not None:
            (data / name).write_bytes(content)

    return damage


def cut(name: str, share: float) -> Damage:
    return lambda data: os.truncate(data / name, int((data / name).stat().st_size * share))


def instead(name: str, make: Callable[[Path], object]) -> Damage:
    """Something that is no file lies in its place."""

    def damage(data: Path) -> None:
        (data / name).unlink(missing_ok=True)
        make(data / name)

    return damage


def entry(change: str, match: str = "new", number: int = 25) -> Damage:
    return sql(f"UPDATE entry SET {change} WHERE match = '{match}' AND number = {number}")


def header(content: str, match: str = "old") -> Damage:
    return sql(f"UPDATE match SET header = '{content}' WHERE id = '{match}'")


WAL, SHM = f"{LOG_FILE}-wal", f"{LOG_FILE}-shm"


def of_another_table(*names: str) -> Damage:
    """Files of another data folder are mixed in."""

    def damage(data: Path) -> None:
        other = data.with_name("other")
        with closing(EventLog(other / LOG_FILE)) as log:
            log.begin("theirs", "2026-01-03", HEADER, words(1, 30))
            for name in names:
                shutil.copy(other / name, data / name)

    return damage


def another_database(data: Path) -> None:
    for name in (LOG_FILE, WAL, SHM):
        (data / name).unlink(missing_ok=True)
    sql("CREATE TABLE match (id INTEGER, colour TEXT)")(data)
    sql("PRAGMA user_version = 2")(data)


def zeros_in_a_header(data: Path) -> None:
    """A page on which nothing lies but what the old match was played with, in a file that is together."""
    sql("PRAGMA wal_checkpoint(TRUNCATE)")(data)
    content = bytearray((data / LOG_FILE).read_bytes())
    with closing(EventLog(data / LOG_FILE, reading=True)) as log:
        stored = log.file.rows("SELECT header FROM match WHERE id = 'old'")[0][0].encode()
    page = content.index(stored[5000:5050]) // 4096
    content[4096 * page : 4096 * (page + 1)] = bytes(4096)
    (data / LOG_FILE).write_bytes(content)


def zeros_beside_the_matches(data: Path) -> None:
    """SQLite takes such a file for damaged, and every entry of it can be read: more than the backup has."""
    sql("PRAGMA wal_checkpoint(TRUNCATE)")(data)
    content = bytearray((data / LOG_FILE).read_bytes())
    with closing(sqlite3.connect(data / LOG_FILE)) as paper:
        ((page,),) = paper.execute("SELECT rootpage FROM sqlite_master WHERE name = 'set_aside'")
    content[4096 * (page - 1) : 4096 * page] = bytes(4096)
    (data / LOG_FILE).write_bytes(content)


DAMAGES: dict[str, tuple[Damage, int, int]] = {
    "a bit of the file's first sign": (flip(LOG_FILE, 0.0), 20, OLD),
    "a bit of the page size": (flip(LOG_FILE, 16), 20, OLD),
    "a bit of the version": (flip(LOG_FILE, 63), 20, OLD),
    "a bit of the schema": (flip(LOG_FILE, 4000), 20, OLD),
    "a bit in the middle of the file": (flip(LOG_FILE, 0.5), 0, OLD),
    "a bit at three quarters": (flip(LOG_FILE, 0.75), 0, OLD),
    "a bit near the end of the file": (flip(LOG_FILE, 0.97), 0, OLD),
    "a bit of the WAL's head": (flip(WAL, 5), 20, OLD),
    "a bit early in the WAL": (flip(WAL, 0.1), 20, OLD),
    "a bit in the middle of the WAL": (flip(WAL, 0.5), 20, OLD),
    "a bit at the end of the WAL": (flip(WAL, 0.98), 20, OLD),
    "the WAL is gone": (change(WAL, None), 20, OLD),
    "the WAL is empty": (change(WAL, b""), 20, OLD),
    "half a WAL": (cut(WAL, 0.5), 20, OLD),
    "the shm is gone": (change(SHM, None), NEW, OLD),
    "the shm is nonsense": (change(SHM, b"\xff" * 32768), NEW, OLD),
    "half the file": (cut(LOG_FILE, 0.5), 20, OLD),
    "an empty file": (lambda data: [change(name, b"")(data) for name in (LOG_FILE, WAL)], 20, OLD),
    "nothing at all": (lambda data: [change(name, None)(data) for name in (LOG_FILE, WAL, SHM)], 20, OLD),
    "a text instead": (change(LOG_FILE, b"this is no database " * 500), 20, OLD),
    "a folder instead": (instead(LOG_FILE, Path.mkdir), 20, OLD),
    "an entry that is no JSON": (entry("body = 'nothing'"), 24, OLD),
    "an entry of another type": (entry("body = '[[]]'"), 24, OLD),
    "an entry that is no text": (entry("body = CAST(x'ff00fe' AS TEXT)"), 24, OLD),
    "an unknown event": (entry("""body = '{"number": 25, "event": "sneezed"}'"""), 24, OLD),
    "a missing number": (sql("DELETE FROM entry WHERE match = 'new' AND number = 25"), 24, OLD),
    "a number far away": (entry("number = 1000000"), 24, OLD),
    "a doubled entry": (entry("""body = replace(body, '"number": 25', '"number": 24')"""), 24, OLD),
    "an entry of an old match": (entry("body = '{'", "old", 3), NEW, 2),
    "a header that is no JSON": (header("nothing"), NEW, 0),
    "a header that is a list": (header("[]"), NEW, 0),
    "an unknown game": (header('{"match": {"game": "chess", "seat": []}, "deck": {}}'), NEW, 0),
    "a header without deck": (header('{"match": {}}'), NEW, 0),
    "the host's code": (sql("UPDATE setting SET value = '[' WHERE name = 'host'"), NEW, OLD),
    **{
        f"{name} as {value}": (sql(f"INSERT OR REPLACE INTO setting VALUES ('{name}', '{value}')"), NEW, OLD)
        for name, values in {
            "host": ("[1]", "{}", "[1, 2]", '["", ""]'),
            "hub": ("[1]", "{}", "[1, 2, 3]", "7"),
            "losses": ("[1]", '{"new": [1]}', '{"new": [1, "2"]}'),
            "boxes": ("[1]", "7"),
        }.items()
        for value in values
    },
    "the table of codes is gone": (sql("DROP TABLE invitation"), NEW, OLD),
    "the witness": (change("matches.last", b"nonsense"), NEW, OLD),
    "a folder instead of the witness": (instead("matches.last", Path.mkdir), NEW, OLD),
    "a pipe instead of the witness, which nobody writes to": (instead("matches.last", os.mkfifo), NEW, OLD),
    "a witness without end": (instead("matches.last", lambda path: path.symlink_to("/dev/zero")), NEW, OLD),
    "the lock is nonsense": (change("companion.lock", b"\xff"), NEW, OLD),
    "zeros on a page of the old match": (zeros_in_a_header, NEW, OLD),
    "zeros on a page without matches": (zeros_beside_the_matches, NEW, OLD),
    "another program's database": (another_database, 20, OLD),
    "the WAL of another table": (of_another_table(WAL), 20, OLD),
    "the file of another table": (of_another_table(LOG_FILE), 20, OLD),
    "the witness of another table": (of_another_table("matches.last"), NEW, OLD),
    "a folder instead of the WAL": (instead(WAL, Path.mkdir), 20, OLD),
    "the table of settings is gone": (sql("DROP TABLE setting"), NEW, OLD),
    "the table of entries is gone": (sql("DROP TABLE entry"), 20, OLD),
    "a broken backup": (change(f"{BACKUP_FOLDER}/matches-000001.sqlite", b"nothing"), NEW, OLD),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_ends_in_a_sentence_and_the_newest_sound_state(
    data: Path, name: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    damage, new, old = DAMAGES[name]
    damage(data)
    for finding in database([data / LOG_FILE]):
        assert finding.what.key.startswith("doctor.matches.")
    found = {finding.level for finding in database([data / LOG_FILE])}
    main(["matches", "--data", str(data)])
    said = capsys.readouterr().err
    assert "Traceback" not in said
    with FolderLock(data), closing(open_or_recover(data, (data / BACKUP_FOLDER,))) as log:
        host = open_table(log)
        host.resume()
        archive = Archive(host, Snapshots(data / "pictures"), KeptAnswers(data / ANSWERS_FOLDER))
        # One by one: what the whole list lacks after a moment comes later.
        told = {one["id"]: archive.match(HOST, one["id"]) for one in archive.matches(HOST)}
        assert host.match is not None, "the match in play goes on"
        assert host.stored is not None
        codes = [host_codes(log), *(row[1:] for row in log.table.codes(host.stored.id))]
        assert all(isinstance(code, str) and code for pair in codes for code in pair)
        assert len(codes) == 1 + len(host.stored.header["match"]["seat"]), "every seat can be joined"
        assert hub_access(log) is None
        lines = len(host.match.record.lines)
        assert (lines, told["old"]["entries"]) >= (new, old)
        if (lines, told["old"]["entries"]) != (NEW, OLD):
            assert found != {Level.OK}, "the doctor sees it"
            assert caplog.text or any("damage" in one for one in told.values()), "it is said"
        host.begin(HEADER)  # the next match can be begun in any case


def test_there_are_as_many_ways_as_the_promise_says() -> None:
    promises = (Path(__file__).parents[3] / "docs/promises.md").read_text("utf-8")
    assert len(DAMAGES) == 63
    assert "Sixty-three ways to damage a data folder" in promises


def everything(data: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in data.iterdir() if path.is_file() and not path.name.endswith("-shm")
    }


OUT_OF_REACH: dict[str, tuple[Damage, str]] = {
    "on a stick that is not there": (instead(LOG_FILE, lambda path: path.symlink_to("/nowhere/it")), "plugged in"),
    "a link that leads in circles": (instead(LOG_FILE, lambda path: path.symlink_to(path.name)), "is not there"),
    "of a later version": (sql("PRAGMA user_version = 99"), "newer companion"),
    "not to be written": (instead(SHM, Path.mkdir), "can be read and not be written"),
}


@pytest.mark.parametrize("name", OUT_OF_REACH)
def test_a_log_that_is_sound_and_out_of_reach_is_not_replaced_by_an_older_one(
    data: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damage, said = OUT_OF_REACH[name]
    damage(data)
    before = everything(data)
    with pytest.raises(LogError, match=said) as wrong:
        open_or_recover(data, (data / BACKUP_FOLDER,))
    assert "\n" not in str(wrong.value)
    assert everything(data) == before
    assert main(["run", "--source", "simulated", "--data", str(data)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(database([data / LOG_FILE])), "the doctor has something to say"
    assert main(["matches", "--data", str(data)]) in (0, 2)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("file", [LOG_FILE, WAL])
def test_a_log_that_belongs_to_somebody_else_is_not_replaced_by_an_older_one(sound: Path, file: str) -> None:
    """As after one start with sudo: before, the newest backup was put in its place, and said so."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        data = Path(folder) / "data"
        shutil.copytree(sound, data)
        for path in (data, *data.rglob("*")):
            os.chown(path, 65534, 65534)
        os.chown(data / file, 0, 0)
        (data / file).chmod(0o600)
        before = everything(data)
        os.seteuid(65534)
        try:
            with pytest.raises(LogError, match=f"{file} may not be written by this user.*sudo chown 65534 "):
                open_or_recover(data, (data / BACKUP_FOLDER,))
        finally:
            os.seteuid(0)
        assert everything(data) == before


def test_a_backup_of_a_later_version_and_half_a_backup_are_passed_over(data: Path) -> None:
    folder = data / BACKUP_FOLDER
    for number in (2, 3):
        shutil.copy(folder / "matches-000001.sqlite", folder / f"matches-00000{number}.sqlite")
    cut(f"{BACKUP_FOLDER}/matches-000003.sqlite", 0.5)(data)
    with closing(sqlite3.connect(folder / "matches-000002.sqlite")) as paper:
        paper.execute("PRAGMA user_version = 99")
    (data / LOG_FILE).write_bytes(b"this is no database " * 500)
    (data / WAL).unlink()
    with closing(open_or_recover(data, (folder,))) as log:
        assert (len(log.entries("new")), len(log.entries("old"))) == (NEW // 2, OLD)


def test_without_a_backup_an_unusable_log_is_one_sentence_and_stays_as_it_is(data: Path) -> None:
    shutil.rmtree(data / BACKUP_FOLDER)
    (data / LOG_FILE).write_bytes(b"this is no database " * 500)
    with pytest.raises(LogError, match="there is no backup") as wrong:
        open_or_recover(data, (data / BACKUP_FOLDER,))
    assert "\n" not in str(wrong.value)
    assert (data / LOG_FILE).read_bytes() == b"this is no database " * 500


def test_a_backup_mends_what_is_damaged_and_nothing_that_was_said_later(data: Path) -> None:
    entry("body = 'nothing'", "new", 10)(data)
    header("nothing", "old")(data)
    with closing(open_or_recover(data, (data / BACKUP_FOLDER,))) as log:
        assert list(log.damages()) == []
        assert (len(log.entries("new")), len(log.entries("old"))) == (NEW, OLD)
        set_aside(log, "new", 15)
        log.append("new", [Entry(16, Resumed(), Origin.BUTTON)])
    with closing(open_or_recover(data, (data / BACKUP_FOLDER,))) as log:
        assert [one["origin"] for one in log.entries("new")][14:] == ["phone", "button"]


def test_restore_says_before_what_is_gained_and_lost_and_keeps_what_was_there(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (backup,) = backups(data / BACKUP_FOLDER)
    assert main(["restore", "--data", str(data)]) == 0
    listed = capsys.readouterr().out
    assert str(backup) in listed
    assert "lost: 20 entries of new" in listed
    assert main(["restore", "--data", str(data), str(backup)]) == 0
    assert f"lies in {data / 'replaced-1'}" in capsys.readouterr().out
    with closing(EventLog(data / LOG_FILE)) as log:
        assert len(log.entries("new")) == 20
    with closing(EventLog(data / "replaced-1" / LOG_FILE, witness=False)) as log:
        assert len(log.entries("new")) == NEW


@pytest.mark.parametrize("readable", [True, False])
def test_a_backup_brings_back_no_code_that_was_replaced_since(
    readable: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A code is replaced because somebody is wanted out: an old backup must not let him in again."""
    database = tmp_path / LOG_FILE
    with closing(EventLog(database)) as log:
        log.begin("m", "2026-01-01", HEADER, words(1, 10), invitations=[(1, "old-ana", "AAAAAA"), (2, "ben", "BBBBBB")])
        log.table.set("host", ["old-host", "HHHHHH"])
        backup = make_backup(database, tmp_path / BACKUP_FOLDER)
        log.table.renew_codes("m", [(1, "new-ana", "CCCCCC")], {"host": ["new-host", "JJJJJJ"]})
    if not readable:
        database.write_bytes(b"this is no database " * 500)
    assert main(["restore", "--data", str(tmp_path), str(backup)]) == 0
    said = capsys.readouterr().out
    with closing(EventLog(database)) as log:
        seats, host = log.table.codes("m"), log.table.setting("host")
    assert host is not None
    if readable:
        assert seats == [(1, "new-ana", "CCCCCC"), (2, "ben", "BBBBBB")]
        assert host == ["new-host", "JJJJJJ"]
        assert "new codes" not in said
    else:
        assert [seat for seat, _, _ in seats] == [1, 2]
        assert not {"old-ana", "ben", "AAAAAA", "BBBBBB"} & {code for _, *both in seats for code in both}
        assert "old-host" not in host
        assert "new codes were drawn" in said


def test_the_keeper_brings_the_log_together_and_keeps_few_backups(tmp_path: Path) -> None:
    log = EventLog(tmp_path / LOG_FILE)
    log.begin("m", "2026-01-01", HEADER, words(1, 10))
    other = tmp_path / "stick"
    other.mkdir()
    (other / MARK_FILE).touch()  # this "stick" is on the same disk, and that is meant
    for _ in range(12):
        log.append("m", words(log.last_number("m") + 1, log.last_number("m") + 1))
        keeper = Keeper(log, other)
        keeper.close()
    alone = tmp_path / "alone.sqlite"
    shutil.copy(log.file.path, alone)  # without the WAL
    log.close()
    assert len(backups(tmp_path / BACKUP_FOLDER)) == len(backups(other)) == 8
    for file in (alone, backups(other)[0]):
        with closing(EventLog(file, reading=True, witness=False)) as copy:
            assert len(copy.entries("m")) == 22


HOLDER = """
import sys
from pathlib import Path
from companion.storage.folder_lock import FolderLock
with FolderLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_companion_is_told_who_has_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root,
    ) as holder:  # fmt: skip
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert main(["run", "--source", "simulated", "--data", str(tmp_path)]) == 2
        said = capsys.readouterr().err
        assert f"in use by another companion (process {holder.pid}, since 2" in said
        assert main(["matches", "--data", str(tmp_path)]) == 0, "who only reads needs no lock"
        holder.kill()
    with FolderLock(tmp_path):
        pass


@pytest.mark.parametrize(
    "lines",
    [
        ['{"event": "corrected", "hands": [99, 99, 99], "stack": 99}'],
        ['{"event": "paused"}', *(f'{{"event": "struck", "strikes": {n}}}' for n in range(1, 3000))],
        ['{"event": "struck", "strikes": 7}'],
    ],
)
def test_an_import_that_cannot_be_played_again_is_refused_or_kept_whole(lines: list[str]) -> None:
    text = "\n".join([json.dumps({"record": 1, **HEADER}), *lines])
    with suppress(InputError):
        assert len(read_import(text)[1]) == len(lines)


def test_what_a_match_in_play_has_lost_is_said_on_the_hosts_page_in_the_list_and_by_the_doctor(data: Path) -> None:
    shutil.rmtree(data / BACKUP_FOLDER)
    cut(WAL, 0.3)(data)
    with closing(open_or_recover(data, ())) as log:
        host = open_table(log)
        assert host.resume()
        assert host.match is not None
        kept = len(host.match.record.lines)
        assert 0 < kept < NEW
        services = TableService(
            host, **IDLE, source="usb:0", version="1", picture=lambda: None, complete=lambda match: match
        )
        app = create_app(services, WORDS)
        client = app.test_client()
        log.table.set("host", ["a-long-code-of-the-host", "SHORTS"])

        def host_page() -> str:
            return client.get("/host", headers={"Authorization": "Bearer a-long-code-of-the-host"}).text

        lost = {"kept": kept, "lost": NEW - kept}
        listed = {one["id"]: one.get("damage") for one in client.get("/api/v1/matches").json["matches"]}
        assert listed == {"new": lost, "old": None}
        assert client.get("/api/v1/match").json["match"]["damage"] == lost
        assert f"This match was damaged. Moves kept: {kept}." in host_page()
        assert "This match was damaged" not in client.get("/").text, "it is the host's to know"
        assert any(lost.items() <= dict(one.what.params).items() for one in database([data / LOG_FILE]))
        host.begin(HEADER)
        assert "damage" not in client.get("/api/v1/match").json["match"], "the next one is whole"
        assert "This match was damaged" not in host_page()
        close(app)


def test_a_second_companion_is_told_of_the_first_although_the_lock_s_file_was_deleted(tmp_path: Path) -> None:
    with FolderLock(tmp_path):
        (tmp_path / LOCK_FILE).unlink()
        with pytest.raises(LogError, match="in use by another companion"):
            FolderLock(tmp_path)
    with FolderLock(tmp_path):
        pass


def test_a_hub_and_a_table_may_share_a_folder_and_two_hubs_may_not(tmp_path: Path) -> None:
    with FolderLock(tmp_path), FolderLock(tmp_path, HUB_LOCK), pytest.raises(LogError, match="in use by another"):
        FolderLock(tmp_path, HUB_LOCK)
