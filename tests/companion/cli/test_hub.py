"""``companion hub`` says in a sentence what it cannot do without."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.main import main


def refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["hub", "--data", str(folder), "--port", "1"]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    return sentence


def test_without_a_broker_it_says_where_to_name_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("alembic")
    assert "settings.toml names no broker" in refused(tmp_path, capsys)


def test_without_its_extra_it_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "companion.hub.store", None)
    assert "pip install 'companion-referee[hub]'" in refused(tmp_path, capsys)
