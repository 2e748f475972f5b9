"""``companion hub`` says in a sentence what it cannot do without."""

from __future__ import annotations

from pathlib import Path
from queue import Queue

import pytest

from companion.cli.main import main
from companion.plugins.hub.command import tell_address
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
    monkeypatch.setitem(__import__("sys").modules, "companion.plugins.hub.store", None)
    assert "pip install 'companion-referee[hub]'" in refused(tmp_path, capsys)


def test_switched_off_it_says_where_it_is_switched_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").write_text("[plugins]\nhub = false\n", "utf-8")
    assert "hub is switched off here: take its line out of [plugins] in" in refused(tmp_path, capsys)


def test_a_name_that_no_plug_in_has_is_a_fault_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "settings.toml").write_text("[plugins]\nhubb = false\n", "utf-8")
    sentence = refused(tmp_path, capsys)
    assert "line 2: plugins.hubb: there is no such plug-in; there are hub" in sentence
    (tmp_path / "settings.toml").write_text("[plugins]\nhub = 1\n", "utf-8")
    assert "plugins.hub: is true or false: whether it is used here" in refused(tmp_path, capsys)


@pytest.mark.parametrize("plugins", ["", "[plugins]\nmqtt = false\n"])
def test_a_fault_of_the_broker_s_section_is_named_also_where_no_table_publishes(
    plugins: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("alembic")
    (tmp_path / "settings.toml").write_text(f'[mqtt]\nhost = "a"\nport = "1883"\n{plugins}', "utf-8")
    assert "settings.toml, line 3: mqtt.port: has the wrong type" in refused(tmp_path, capsys)


@pytest.mark.parametrize("said", ['database = "here"', "database = 3", 'database = "a://b"\nmore = 1', ""])
def test_a_fault_of_its_own_section_is_named(said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").write_text(f"[hub]\n{said}\n", "utf-8")
    assert "hub.database: names one database, such as postgresql+psycopg://user@host/name" in refused(tmp_path, capsys)


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
