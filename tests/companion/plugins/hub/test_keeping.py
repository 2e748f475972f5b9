"""A hub keeps its tournaments as a table keeps its matches: backups, a loss that is noticed, the way back."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.postgres import PostgresServer
from support.waiting import wait

pytest.importorskip("alembic")
pytest.importorskip("psycopg")

from companion.cli.main import main
from companion.errors import LogError
from companion.plugins.hub.store import TournamentStore, sqlite_address
from companion.storage import hub_file
from companion.storage.backup import BACKUP_FOLDER, backups
from companion.storage.folder_lock import FolderLock
from companion.storage.hub_file import HUB_FILE, HUB_LOCK, WITNESS_FILE, HubKeeper, hub_entries, settle_hub
from companion.storage.medium import MARK_FILE

pytestmark = pytest.mark.slow


def play(folder: Path, names: tuple[str, ...] = ("Ana", "Ben", "Cléo")) -> str:
    """A hub's evening: a tournament with these players; returns the organiser's code."""
    with closing(TournamentStore(sqlite_address(folder))) as store:
        number = store.open("Cup", 3, 4)
        for name in names:
            store.write(number, {"do": "enter", "name": name})
        return store.code


def evening(folder: Path) -> str:
    """The same, while it is kept."""
    TournamentStore(sqlite_address(folder)).close()
    keeper = HubKeeper(folder)
    wait(lambda: backups(folder / BACKUP_FOLDER, "hub"))
    code = play(folder)
    wait(lambda: (folder / WITNESS_FILE).exists())
    keeper.close()
    return code


def test_backups_are_made_at_the_start_and_at_the_end(tmp_path: Path) -> None:
    evening(tmp_path)
    kept = backups(tmp_path / BACKUP_FOLDER, "hub")
    assert [hub_entries(one) for one in kept] == [4, 0]
    assert all(one.stat().st_mode & 0o077 == 0 for one in kept), "they hold the organiser's code"


def test_a_medium_that_was_missing_gets_its_backup_although_nothing_more_is_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hub_file, "LOOK_S", 0.05)
    monkeypatch.setattr(hub_file, "AGAIN_S", 0.2)
    play(tmp_path)
    stick = tmp_path / "stick"
    keeper = HubKeeper(tmp_path, stick)
    try:
        wait(lambda: backups(tmp_path / BACKUP_FOLDER, "hub"))
        wait(lambda: "the medium is not there" in caplog.text)
        stick.mkdir()
        (stick / MARK_FILE).touch()
        wait(lambda: backups(stick, "hub"))
    finally:
        keeper.close()
    assert [hub_entries(one) for one in backups(stick, "hub")] == [4]
    assert caplog.text.count("the medium is not there") == 1, "it is said once"


def test_a_backup_that_failed_is_made_at_the_end_although_nothing_more_was_entered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hub_file, "LOOK_S", 0.05)
    play(tmp_path)
    (tmp_path / BACKUP_FOLDER).touch()  # no folder can be made there
    keeper = HubKeeper(tmp_path)
    wait(lambda: "no backup could be made" in caplog.text)
    (tmp_path / BACKUP_FOLDER).unlink()
    keeper.close()
    assert [hub_entries(one) for one in backups(tmp_path / BACKUP_FOLDER, "hub")] == [4]


LOST: dict[str, tuple[Callable[[Path], object], str]] = {
    "deleted": (lambda file: file.unlink(), "are gone: they had 4 entries"),
    "empty": (lambda file: file.write_bytes(b""), "are gone: they had 4 entries"),
    "half of it": (lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), "hub.sqlite"),
    "rubbish": (lambda file: file.write_bytes(b"a letter to a friend " * 500), "cannot be read (file is not a"),
    "another hub": (lambda file: (file.unlink(), TournamentStore(f"sqlite:///{file}").close()), "4 entries of"),
}


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_is_noticed_and_comes_back_from_the_newest_backup(name: str, tmp_path: Path) -> None:
    code = evening(tmp_path)
    damage, said = LOST[name]
    damage(tmp_path / HUB_FILE)
    told = settle_hub(tmp_path)
    assert told is not None
    assert said in told
    assert "was brought back" in told
    with closing(TournamentStore(sqlite_address(tmp_path))) as store:
        assert store.code == code, "the organiser's link goes on"
        ((_, cup),) = store.tournaments()
        assert [one.name for one in cup.players] == ["Ana", "Ben", "Cléo"]
    assert settle_hub(tmp_path) is None, "it is said once"


@pytest.mark.parametrize("name", LOST)
def test_without_a_backup_it_is_one_sentence_with_what_to_do_and_nothing_is_changed(name: str, tmp_path: Path) -> None:
    evening(tmp_path)
    for one in backups(tmp_path / BACKUP_FOLDER, "hub"):
        one.unlink()
    damage, said = LOST[name]
    damage(tmp_path / HUB_FILE)
    if name == "another hub":  # it can be read, so the hub goes on with it
        told = settle_hub(tmp_path)
        assert told is not None
        assert "no backup holds more" in told
        return
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    with pytest.raises(LogError, match="bring one back with `companion restore FILE --data") as wrong:
        settle_hub(tmp_path)
    assert said in str(wrong.value)
    assert "\n" not in str(wrong.value)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_new_hub_has_nothing_to_notice(tmp_path: Path) -> None:
    assert settle_hub(tmp_path) is None


def test_what_a_backup_does_not_hold_is_counted(tmp_path: Path) -> None:
    evening(tmp_path)
    keeper = HubKeeper(tmp_path)
    play(tmp_path, ("Dan", "Eve"))
    wait(lambda: hub_file._witnessed(tmp_path) == 7)  # noqa: SLF001  # what it wrote down
    keeper.close()
    for one in backups(tmp_path / BACKUP_FOLDER, "hub")[:2]:
        one.unlink()
    (tmp_path / HUB_FILE).unlink()
    told = settle_hub(tmp_path)
    assert told is not None
    assert "entries that came later are lost" in told


def test_by_hand_a_backup_is_made_listed_and_brought_back_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "cup.sqlite"
    code = evening(here)
    assert main(["backup", str(file), "--data", str(here)]) == 0
    assert file.stat().st_mode & 0o077 == 0
    assert main(["backup", str(file), "--data", str(here)]) == 2, "a backup takes no other's place"
    assert main(["restore", "--data", str(here)]) == 0
    assert "a hub's tournaments, 4 entries" in capsys.readouterr().out
    play(there, ("Dan",))
    assert main(["restore", str(file), "--data", str(there), "--dry-run"]) == 0
    assert hub_entries(there / HUB_FILE) == 2
    with FolderLock(there, HUB_LOCK):
        assert main(["restore", str(file), "--data", str(there)]) == 2, "while a hub runs there"
    assert main(["restore", str(file), "--data", str(there)]) == 0
    assert hub_entries(there / "replaced-1" / HUB_FILE) == 2
    with closing(TournamentStore(sqlite_address(there))) as store:
        assert store.code == code


def test_postgresql_is_dumped_and_brought_back_as_the_documents_say(tmp_path: Path) -> None:
    server = PostgresServer()
    try:
        with closing(TournamentStore(server.address)) as store:
            number = store.open("Cup", 3, 4)
            store.write(number, {"do": "enter", "name": "Ana"})
            code, tournaments = store.code, store.tournaments()
        plain = server.address.replace("postgresql+psycopg://", "postgresql://")
        dump = subprocess.run(["pg_dump", "--clean", "--if-exists", plain], capture_output=True, check=True).stdout
        with closing(TournamentStore(server.address)) as store:
            store.write(number, {"do": "enter", "name": "Ben"})
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", plain], input=dump, capture_output=True, check=True)
        with closing(TournamentStore(server.address)) as store:
            assert (store.code, store.tournaments()) == (code, tournaments)
    finally:
        server.close()
