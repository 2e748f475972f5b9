"""What a table is called reaches the name of its own Wi-Fi, and nothing that is planted in its folder does."""

from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app.named_table import NamedTable
from companion.system.network_name import NETWORK_FILE, main

ME = pwd.getpwuid(os.geteuid()).pw_name


def asked(folder: Path, user: str = ME) -> int:
    """What the hotspot's script does."""
    return main([str(folder / NETWORK_FILE), user])


def test_a_new_name_is_hung_out_and_root_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    quiet: Any = SimpleNamespace(submit=lambda work: work())
    table = NamedTable(tmp_path / "data", quiet, 8080, lambda: None)
    assert asked(tmp_path) == 0
    assert capsys.readouterr().out == "\n"
    table.rename("Küche, hinten", names_players=False)
    assert stat.S_IMODE((tmp_path / NETWORK_FILE).stat().st_mode) == 0o640
    assert asked(tmp_path) == 0
    assert capsys.readouterr().out == "kuche-hinten\n"
    table.close()
    (tmp_path / NETWORK_FILE).unlink()  # it goes with the service
    NamedTable(tmp_path / "data", quiet, 8080, lambda: None).close()
    assert asked(tmp_path) == 0
    assert capsys.readouterr().out == "kuche-hinten\n"


def test_outside_a_service_nothing_is_hung_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.chdir(tmp_path)
    quiet: Any = SimpleNamespace(submit=lambda work: work())
    NamedTable(tmp_path / "data", quiet, 8080, lambda: None).close()
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize(
    "content", ["Kitchen", "kitchen\n", "a b", "x;reboot", "$(id)", "-" * 18, "k\u00fcche", "\x1b[2J", "\0"]
)
def test_what_is_no_part_of_a_name_is_not_taken(
    tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / NETWORK_FILE).write_text(content, encoding="utf-8")
    assert asked(tmp_path) == 1
    answer = capsys.readouterr()
    assert answer.out == ""
    assert "the Wi-Fi keeps its name" in answer.err


def test_a_file_that_is_missing_or_a_link_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Read as the console's board is: what else may be planted there is tried in test_console.py."""
    assert asked(tmp_path) == 1
    (tmp_path / "secret").write_text("secret")
    (tmp_path / NETWORK_FILE).symlink_to(tmp_path / "secret")
    assert asked(tmp_path) == 1
    assert capsys.readouterr().out == ""


def test_a_box_without_the_companions_user_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(tmp_path, "nobody-of-this-name") == 1
    assert "there is no user nobody-of-this-name" in capsys.readouterr().err
