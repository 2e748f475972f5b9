"""A memory card that has become read-only: everything on it can be rescued, and nobody is told to make room."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.mounts import Stick

from companion.cli.main import main
from companion.errors import LogError
from companion.games.registry import demo_deck, demo_match, game_module
from companion.public.findings import Level
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.log_copy import copy_log
from companion.system.doctor import database

pytestmark = pytest.mark.slow
HEADER = {"match": demo_match(game_module()), "deck": demo_deck(game_module())}


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Stick]:
    one = Stick(tmp_path / "card.img", tmp_path / "card")
    one.plug_in()
    yield one
    one.pull()


def lock(card: Stick) -> None:
    subprocess.run(["umount", str(card.at)], check=True)
    card.plug_in(options="ro")


@pytest.mark.parametrize("left", ["closed", "power cut"])
def test_what_a_read_only_card_holds_is_listed_exported_and_backed_up(
    left: str, card: Stick, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = card.at / "data"
    with closing(EventLog(data / LOG_FILE)) as log:
        log.begin("friday", "2026-05-01T20:00:00+02:00", HEADER)
        if left == "power cut":  # the newest entries are in the write-ahead log alone
            for file in sorted(data.glob(f"{LOG_FILE}*")):
                shutil.copy(file, tmp_path)
    if left == "power cut":
        for file in tmp_path.glob(f"{LOG_FILE}-wal"):
            assert file.stat().st_size > 0
        for file in tmp_path.glob(f"{LOG_FILE}*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, data)
    lock(card)

    assert main(["matches", "--data", str(data)]) == 0
    assert "friday" in capsys.readouterr().out
    assert main(["export", "friday", "--data", str(data)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["match"] == HEADER["match"]
    assert main(["backup", str(tmp_path / "all.zip"), "--data", str(data)]) == 0
    (finding,) = database([data / LOG_FILE])
    assert finding.level is Level.OK
    copy_log(data / LOG_FILE, tmp_path / "copy.sqlite")
    assert main(["restore", str(tmp_path / "all.zip"), "--data", str(tmp_path / "new")]) == 0
    with closing(EventLog(tmp_path / "new" / LOG_FILE)) as log:
        assert [one.id for one in log.matches()] == ["friday"]


def test_a_table_does_not_start_on_it_and_says_why(card: Stick) -> None:
    data = card.at / "data"
    EventLog(data / LOG_FILE).close()
    lock(card)
    with pytest.raises(LogError, match=r"is on a medium that can only be read: unlock it, or take another"):
        EventLog(data / LOG_FILE)


def test_a_file_system_without_shared_memory_is_named(tmp_path: Path) -> None:
    """As many network drives are; made here by a mirror of a folder that maps no file into memory."""
    if shutil.which("bindfs") is None:
        pytest.skip("bindfs is not installed")
    for name in ("real", "mirror"):
        (tmp_path / name).mkdir()
    done = subprocess.run(["bindfs", "-o", "direct_io", str(tmp_path / "real"), str(tmp_path / "mirror")])
    if done.returncode:
        pytest.skip("no file system can be mirrored here")
    try:
        with pytest.raises(LogError, match=r"without shared memory \(fuse.*\), which it needs: choose a folder on"):
            EventLog(tmp_path / "mirror" / LOG_FILE)
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path / "mirror")], check=True)
