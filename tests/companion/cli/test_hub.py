"""``companion hub`` says in a sentence what it cannot do without."""

from __future__ import annotations

from pathlib import Path
from queue import Queue

import pytest

from companion.cli.hub import tell_address
from companion.cli.main import main
from companion.system.console import NO_NETWORK


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


def test_an_address_that_comes_after_the_start_is_told_once_more() -> None:
    told: Queue[str] = Queue()
    found = iter([NO_NETWORK, NO_NETWORK, "192.0.2.7"])
    stop = tell_address(told.put, address=lambda: next(found), look_s=0.01)
    assert [told.get(timeout=10), told.get(timeout=10)] == [NO_NETWORK, "192.0.2.7"]
    stop()


def test_an_address_that_is_there_at_the_start_is_told_once() -> None:
    told: list[str] = []
    tell_address(told.append, address=lambda: "192.0.2.7", look_s=0.01)()
    assert told == ["192.0.2.7"]
