"""Backups on a second medium that comes and goes: nothing is written in its place, and everybody is told."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.mounts import Stick
from support.real_desk import HOST_CODE, WORDS, RealDesk
from support.waiting import wait

from companion.public.findings import Level
from companion.public.machine import HostNote, SystemActions
from companion.public.text import fault_text
from companion.storage import backup
from companion.storage.backup import BACKUP_FOLDER, MOST_BACKUPS, Keeper, backups, make_backup
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.file_systems import file_system
from companion.storage.medium import MARK_FILE, medium_fault
from companion.storage.settings import SETTINGS_FILE
from companion.system.camera_check import in_english
from companion.system.doctor import backups as doctor_of_backups
from web.app import close, create_app

pytestmark = pytest.mark.slow

NOBODY = 65534


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Stick]:
    one = Stick(tmp_path / "stick.img", tmp_path / "stick")
    yield one
    one.pull()


def names(folder: Path) -> set[str]:
    """Everything below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.name != "lost+found"}


def test_a_stick_gets_the_backups_and_a_mark(data: Path, stick: Stick) -> None:
    stick.plug_in()
    there = stick.at / "companion"
    with closing(EventLog(data / LOG_FILE)) as log:
        keeper = Keeper(log, there)
        log.begin("friday", "2026-01-01", {"match": {}, "deck": {}})
        keeper.close()
    assert keeper.fault is None
    assert MARK_FILE in names(there)
    assert backups(there)


def test_without_the_stick_nothing_is_written_in_its_place_and_the_host_is_told(data: Path, stick: Stick) -> None:
    """The mount point is an ordinary folder of the card then, and so is whatever would be made below it."""
    for named in (stick.at, stick.at / "companion"):
        with closing(EventLog(data / LOG_FILE)) as log:
            keeper = Keeper(log, named)
            log.table.set("named", str(named))
            keeper.close()
        assert names(stick.at) == set()
        assert keeper.fault is not None
        assert "the medium is not there" in keeper.fault.what
        assert backups(data / BACKUP_FOLDER), "the first place for backups has them all the same"


def test_a_stick_that_is_pulled_and_comes_back_in_an_evening_is_said_and_caught_up_with(
    data: Path, stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "AGAIN_S", 0.5)
    monkeypatch.setattr(backup, "QUIET_S", 0.1)
    stick.plug_in()
    with closing(EventLog(data / LOG_FILE)) as log:
        keeper = Keeper(log, stick.at)
        try:
            wait(lambda: backups(stick.at))
            stick.pull()
            log.begin("friday", "2026-01-01", {"match": {}, "deck": {}})
            log.close_match("friday")
            wait(lambda: keeper.fault is not None)
            assert names(stick.at) == set()
            stick.plug_in()
            wait(lambda: keeper.fault is None)
            newest = backups(stick.at)[0]
            with closing(EventLog(newest, reading=True, witness=False)) as copy:
                assert [one.id for one in copy.matches()] == ["friday"]
        finally:
            keeper.close()


def test_the_true_reason_is_named(data: Path, stick: Stick, tmp_path: Path) -> None:
    with closing(EventLog(data / LOG_FILE)) as log:
        log.table.set("padding", "x" * 9_000_000)

    def reason() -> str:
        wrong = medium_fault(data, stick.at)
        return "" if wrong is None else wrong.what.partition(": ")[2]

    assert reason().startswith("the medium is not there")
    stick.plug_in()
    assert reason() == ""
    with (stick.at / "films").open("wb") as film:
        film.write(bytes(15_000_000))
    assert reason().startswith("the medium is full")
    stick.pull()
    stick.plug_in(options="ro")
    assert reason().startswith("the medium can only be read")
    stick.pull()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", str(stick.at)], check=True)
    assert file_system(stick.at) == "tmpfs"
    assert reason().startswith("the medium is not there"), "such as /run/media, where no stick is mounted"


def test_a_medium_in_a_folder_that_this_user_may_not_enter_is_said_and_the_first_place_has_its_backups() -> None:
    """A desktop mounts a stick in ``/media/USER``, which only that user may enter, and the service is another one."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    with TemporaryDirectory() as room, closing(EventLog(Path(room, "data", LOG_FILE))) as log:
        media = Path(room, "media")
        media.mkdir(mode=0)
        for path in (Path(room), *Path(room, "data").iterdir(), Path(room, "data")):
            os.chown(path, NOBODY, -1)
        root = os.geteuid()
        os.seteuid(NOBODY)
        try:
            keeper = Keeper(log, media / "STICK")
            log.begin("friday", "2026-01-01", {"match": {}, "deck": {}})
            keeper.close()
        finally:
            os.seteuid(root)
        assert keeper.fault is not None
        assert keeper.fault.what.endswith("the companion's user may not write there")
        with closing(EventLog(backups(Path(room, "data", BACKUP_FOLDER))[0], reading=True, witness=False)) as copy:
            assert [one.id for one in copy.matches()] == ["friday"]


def test_a_stick_that_is_pulled_when_its_backup_is_complete_ends_no_backups(
    data: Path, stick: Stick, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick.plug_in()
    with closing(EventLog(data / LOG_FILE)) as log:
        for _ in range(MOST_BACKUPS):
            make_backup(log.file.path, stick.at)
        seen = iter((backups(stick.at), [stick.at / "matches-999999.sqlite"]))
        monkeypatch.setattr(backup, "backups", lambda *_: next(seen))  # gone between two looks
        assert make_backup(log.file.path, stick.at).exists()


def test_a_hub_and_a_table_that_start_together_share_a_stick(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power cut both make a backup at once."""
    hub = data / "hub.sqlite"
    with closing(sqlite3.connect(hub)) as there:
        there.execute("CREATE TABLE hub (key TEXT)")
    copy = backup.make_copy

    def meanwhile(database: Path, fresh: Path) -> None:
        copy(database, fresh)
        if database != hub:
            make_backup(hub, data / "stick")

    monkeypatch.setattr(backup, "make_copy", meanwhile)
    with closing(EventLog(data / LOG_FILE)) as log:
        log.begin("friday", "2026-01-01", {"match": {}, "deck": {}})
        kept = make_backup(log.file.path, data / "stick")
    with closing(EventLog(kept, reading=True, witness=False)) as held:
        assert [one.id for one in held.matches()] == ["friday"]
    assert names(data / "stick") == {"matches-000001.sqlite", "hub-000001.sqlite"}


def test_a_folder_on_the_same_disk_is_used_where_somebody_made_the_mark(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "synchronised"
    folder.mkdir()
    assert medium_fault(data, folder) is not None
    (folder / MARK_FILE).touch()
    assert medium_fault(data, folder) is None


def test_doctor_says_that_the_medium_is_missing_in_the_reader_s_language(data: Path, tmp_path: Path) -> None:
    assert list(doctor_of_backups(data)) == []
    folder = tmp_path / "stick"
    (data / SETTINGS_FILE).write_text(f'[backup]\nfolder = "{folder}"\n')
    (finding,) = doctor_of_backups(data)
    assert (finding.name, finding.level) == ("backup", Level.WARNING)
    assert in_english()(finding.what).startswith(f"No backup goes to {folder}: the medium is not there")
    folder.mkdir()
    (folder / MARK_FILE).touch()
    (finding,) = doctor_of_backups(data)
    assert finding.level is Level.OK


@pytest.mark.parametrize(("language", "said"), [("en", "the medium is not there"), ("fr", "le support n’est pas là")])
def test_the_host_and_nobody_else_reads_it_on_the_page(language: str, said: str, data: Path, tmp_path: Path) -> None:
    wrong = medium_fault(data, tmp_path / "stick")
    assert wrong is not None
    app = create_app(RealDesk(), WORDS, system=SystemActions(notes=lambda: (HostNote(fault_text(wrong)),)))
    client = app.test_client()
    headers = {"Accept-Language": language}
    assert said in client.get("/host", headers={**headers, "Authorization": f"Bearer {HOST_CODE}"}).text
    assert said not in client.get("/", headers=headers).text
    close(app)
