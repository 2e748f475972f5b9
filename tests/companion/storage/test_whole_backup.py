"""Everything in one file, on another machine: "same codes, same matches"."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
import sqlite3
import time
import zipfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.mac_zip import as_a_mac_packs
from support.real_desk import HOST_CODE, HUB_CODE, WORDS, RealDesk, code_of

from companion.app.table import RunningTable, TableOptions
from companion.cli.main import main
from companion.errors import InputError, fault
from companion.games.registry import demo_deck
from companion.public.machine import SystemActions
from companion.storage import whole_backup
from companion.storage.backup import make_copy
from companion.storage.event_log import LINEAGE, LOG_FILE, EventLog
from companion.storage.join_codes import HubAccess, renew_codes, set_hub
from companion.storage.whole_backup import SPARE_BYTES, UNFINISHED, open_backup, room_needed
from web.app import close, create_app

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
Run = Callable[..., tuple[int, str, str]]
SILENT = {"profile": "fr-bluff", "seat": [{"name": "Ana"}, {"name": "Ben"}]}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        told = capsys.readouterr()
        return status, told.out, told.err

    return go


@pytest.fixture
def data(tmp_path: Path, run: Run) -> Path:
    """Two matches with their codes, a deck with a picture, settings and a picture of a refusal."""
    folder = tmp_path / "old" / "data"
    for name in ("E1-counted", "K11-closed"):
        assert run("import", ROOT / "tests" / "vectors" / f"{name}.jsonl", "--data", folder)[0] == 0
    with closing(EventLog(folder / LOG_FILE, witness=False)) as log:
        for stored in log.matches():
            renew_codes(log, stored.id, (1, 2), host=False)
        renew_codes(log, None, (), host=True)
    (folder / "decks" / "Ma boîte").mkdir(parents=True)
    (folder / "decks" / "Ma boîte.toml").write_text("[deck]\n", "utf-8")
    (folder / "decks" / "Ma boîte" / "C11.jpg").write_bytes(b"a card")
    (folder / "pictures" / "m").mkdir(parents=True)
    (folder / "pictures" / "m" / "3-1.jpg").write_bytes(b"a refusal")
    (folder / "settings.toml").write_text("[web]\n", "utf-8")
    return folder


def known(folder: Path) -> dict[str, object]:
    """All that a data folder knows: its tables row by row, and every other file by hash; not which log this is."""
    with closing(sqlite3.connect(folder / LOG_FILE)) as paper:
        tables = {t: sorted(paper.execute(f"SELECT * FROM {t}")) for t in ("match", "entry", "invitation", "setting")}
    tables["setting"] = [(name, value) for name, value in tables["setting"] if name != LINEAGE]
    tops = [folder / name for name in ("decks", "pictures", "settings.toml")]
    kept = (path for top in tops for path in (top, *top.rglob("*")))
    files = {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in kept if p.is_file()}
    return {**tables, "files": files}


def test_on_another_machine_there_are_the_same_matches_and_the_same_codes(data: Path, tmp_path: Path, run: Run) -> None:
    file, there = tmp_path / "all.zip", tmp_path / "new" / "data"
    status, said, _ = run("backup", file, "--data", data)
    assert (status, "every code" in said) == (0, True)
    assert file.stat().st_mode & 0o077 == 0, "whoever reads it could be host"
    status, said, wrong = run("restore", file, "--data", there)
    assert status == 0
    assert "companion: " not in wrong, "a busy machine may say how far it is, and nothing else"
    assert said.count("gained: ") == 2
    assert known(there) == known(data)
    assert len(known(there)["invitation"]) == 4  # type: ignore[arg-type]
    names = run("matches", "--data", there)[1]
    assert names == run("matches", "--data", data)[1]
    for name in (line.split()[0] for line in names.splitlines()):
        assert run("export", name, "--data", there) == run("export", name, "--data", data)
    assert not list(there.glob(".restored-*"))


def test_what_was_there_lies_beside_and_codes_that_were_replaced_since_open_nothing(
    data: Path, tmp_path: Path, run: Run
) -> None:
    file = tmp_path / "all.zip"
    with closing(EventLog(data / LOG_FILE, witness=False)) as log:
        set_hub(log, HubAccess("the code of a hub", "HUBHUB"))
    run("backup", file, "--data", data)
    with closing(EventLog(data / LOG_FILE, witness=False)) as log:
        for stored in log.matches():
            renew_codes(log, stored.id, (1, 2), host=False)
        renew_codes(log, None, (), host=True)
        set_hub(log, None)
    (data / "settings.toml").write_text("[panel]\n", "utf-8")
    before = known(data)
    assert run("restore", file, "--data", data, "--dry-run")[0] == 0
    assert known(data) == before
    assert run("restore", file, "--data", data)[0] == 0
    assert (data / "settings.toml").read_text("utf-8") == "[web]\n"
    assert (data / "replaced-1" / "settings.toml").read_text("utf-8") == "[panel]\n"
    assert (data / "replaced-1" / LOG_FILE).is_file()
    assert {name: known(data)[name] for name in ("invitation", "setting")} == {
        name: before[name] for name in ("invitation", "setting")
    }


def test_a_backup_that_a_mac_unpacked_and_packed_again_comes_back_whole(data: Path, tmp_path: Path, run: Run) -> None:
    file, there = tmp_path / "all.zip", tmp_path / "new" / "data"
    run("backup", file, "--data", data)
    as_a_mac_packs(file, "companion backup")
    status, _, wrong = run("restore", file, "--data", there)
    assert (status, "companion: " in wrong) == (0, False), wrong
    assert known(there) == known(data)


@pytest.mark.parametrize("year", [1901, 1970, 1979, 2108, 2200])
def test_no_date_of_a_file_and_no_clock_keeps_a_backup_from_being_made(
    year: int, data: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = (datetime.datetime(year, 6, 1) - datetime.datetime(1970, 1, 1)).total_seconds()
    for path in (*data.rglob("*.toml"), *data.rglob("*.jpg")):
        os.utime(path, (seconds, seconds))
    then = time.gmtime(seconds)
    monkeypatch.setattr(time, "localtime", lambda *_: then)
    file, there = tmp_path / "all.zip", tmp_path / "new"
    assert run("backup", file, "--data", data)[0] == 0
    with open_backup(data) as downloaded:
        assert len(zipfile.ZipFile(downloaded).namelist()) == len(zipfile.ZipFile(file).namelist())
    assert run("restore", file, "--data", there)[0] == 0
    assert known(there) == known(data)


def repack(file: Path, files: dict[str, bytes]) -> None:
    """Put files into a backup, and into its list with their sums."""
    with zipfile.ZipFile(file) as paper:
        members = {member: paper.read(member) for member in paper.namelist()} | files
    about = json.loads(members["backup.json"])
    about["files"] |= {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    with zipfile.ZipFile(file, "w") as paper:
        for member, content in {**members, "backup.json": json.dumps(about).encode()}.items():
            paper.writestr(member, content)


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "decks/../../evil", "evil", "decks/.evil", "backups/evil"])
def test_a_file_that_is_no_part_of_a_backup_is_refused_and_nothing_is_written(
    data: Path, tmp_path: Path, run: Run, name: str
) -> None:
    file, there = tmp_path / "all.zip", tmp_path / "new"
    run("backup", file, "--data", data)
    repack(file, {name: b"evil"})
    status, _, wrong = run("restore", file, "--data", there)
    assert (status, wrong.count("\n")) == (2, 1)
    assert "which no backup has" in wrong
    assert not list(tmp_path.rglob("evil"))
    assert not (there / LOG_FILE).exists()


def test_a_damaged_backup_is_called_that_and_changes_nothing(data: Path, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "all.zip"
    run("backup", file, "--data", data)
    before = known(data)
    whole = file.read_bytes()
    at, none = whole.index(b"a refusal"), "this is no backup of the companion's, or one that was cut off or damaged\n"
    for broken, said in (
        (whole[:-100], none),
        (whole[: len(whole) // 2], none),
        (b"a letter to a friend", none),
        (whole[:at] + b"A" + whole[at + 1 :], ""),
        (whole.replace(b'"backup": 1', b'"backup": 9'), ""),
    ):
        file.write_bytes(broken)
        status, _, wrong = run("restore", file, "--data", data)
        assert (status, wrong.count("\n")) == (2, 1), wrong
        assert wrong.startswith(f"companion: {file}: {said}")
        assert known(data) == before


def test_a_backup_of_a_newer_companion_is_called_that_and_not_damaged(data: Path, tmp_path: Path, run: Run) -> None:
    file, newer = tmp_path / "all.zip", tmp_path / "matches.sqlite"
    run("backup", file, "--data", data)
    with zipfile.ZipFile(file) as paper:
        newer.write_bytes(paper.read(LOG_FILE))
    with closing(sqlite3.connect(newer)) as paper:
        paper.execute("PRAGMA user_version = 99")
    repack(file, {LOG_FILE: newer.read_bytes()})
    for backup in (file, newer):
        status, _, wrong = run("restore", backup, "--data", tmp_path / "new")
        assert (status, wrong.count("\n")) == (2, 1), wrong
        assert "newer companion: update this one" in wrong
        assert "damaged" not in wrong
        assert "cannot be brought back" not in wrong


def test_a_backup_takes_no_files_place_and_gives_no_silent_match_away(data: Path, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "holiday.zip"
    file.write_bytes(b"pictures of a holiday")
    status, _, wrong = run("backup", file, "--data", data)
    assert (status, "is there already" in wrong, file.read_bytes()) == (2, True, b"pictures of a holiday")
    with closing(EventLog(data / LOG_FILE, witness=False)) as log:
        log.begin("secret", "2026-11-21", {"match": SILENT, "deck": demo_deck()})
    status, _, wrong = run("backup", tmp_path / "all.zip", "--data", data)
    assert (status, "secret is a silent match in play" in wrong) == (2, True)
    assert not (tmp_path / "all.zip").exists()


def test_where_nothing_was_played_there_is_nothing_to_back_up(tmp_path: Path, run: Run) -> None:
    empty = tmp_path / "empty"
    status, _, wrong = run("backup", tmp_path / "all.zip", "--data", empty)
    assert status == 2
    assert wrong == f"companion: {empty}: there are no matches here to back up; --data names another folder\n"
    assert not (tmp_path / "all.zip").exists()


def test_the_hosts_page_downloads_what_the_command_writes(data: Path, tmp_path: Path, run: Run) -> None:
    """And the host alone: it holds every code."""
    app = create_app(RealDesk(), WORDS, system=SystemActions(backup=lambda: open_backup(data)))
    try:
        client = app.test_client()
        for code in (None, code_of(2), HUB_CODE):
            shown = {"Authorization": f"Bearer {code}"} if code else {}
            assert client.get("/api/v1/backup.zip", headers=shown).status_code == 403
        got = client.get("/api/v1/backup.zip", headers={"Authorization": f"Bearer {HOST_CODE}"})
        assert (got.status_code, got.mimetype) == (200, "application/zip")
        assert got.headers["Content-Disposition"].startswith("attachment")
        (tmp_path / "all.zip").write_bytes(got.data)
        got.close()
    finally:
        close(app)
    assert run("restore", tmp_path / "all.zip", "--data", tmp_path / "new")[0] == 0
    assert known(tmp_path / "new") == known(data)
    assert not list(data.glob(".backup-*")), "nothing is left behind"


def test_a_download_leaves_the_match_that_is_played_its_room(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made beside the matches: it filled the disk, and the next card could not be written down."""
    free = [room_needed(data) + SPARE_BYTES]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free[0]))
    open_backup(data).close()
    free[0] -= 1
    with pytest.raises(InputError, match="the disk has not so much to spare"):
        open_backup(data)
    assert not list(data.glob(f"{UNFINISHED}*"))


def test_making_one_takes_no_more_room_than_it_says(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = sum(path.stat().st_size for path in data.rglob("*") if path.is_file())
    most = [0]

    def watched(folder: Path, *args: Any) -> None:
        make_copy(folder, *args)
        most.append(sum(path.stat().st_size for path in data.rglob("*") if path.is_file()) - there)

    monkeypatch.setattr(whole_backup, "make_copy", watched)
    with open_backup(data) as made:
        most.append(len(made.read()))
    assert 0 < max(most) <= room_needed(data)


def test_what_a_pulled_plug_left_of_a_download_is_gone_after_the_next_start(data: Path) -> None:
    """It holds every code, and as much of the disk as all matches."""
    left = data / f"{UNFINISHED}abc"
    left.mkdir()
    (left / "all.zip.part").write_bytes(b"half")
    with ExitStack() as stack:
        RunningTable(TableOptions(data, "simulated"), stack)
    assert not left.exists()


def test_a_page_without_room_for_a_backup_and_a_silent_match_are_sentences(data: Path) -> None:
    def full() -> Any:
        raise OSError(28, "No space left on device")

    def silent() -> Any:
        raise InputError(fault("backup.fault.silent", "", match="m"))

    for make, status, said in (
        (full, 503, "No space left"),
        (silent, 409, "m est une partie silencieuse"),
        (None, 404, ""),
    ):
        app = create_app(RealDesk(), WORDS, system=SystemActions(backup=make))
        shown = {"Authorization": f"Bearer {HOST_CODE}", "Accept-Language": "fr"}
        answer = app.test_client().get("/api/v1/backup.zip", headers=shown)
        close(app)
        assert (answer.status_code, said in answer.json["detail"]) == (status, True)
