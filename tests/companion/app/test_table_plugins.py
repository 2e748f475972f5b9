"""The plug-ins of a table in use: whatever one of them raises costs itself, and is said in one sentence."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.app import table_plugins
from companion.app.table_plugins import TablePlugins
from companion.errors import DeviceError
from companion.public.machine import Box, HostNote
from companion.public.plugins import OpenedPlugin, Plugin, TableForPlugin
from companion.public.text import JSON, Text
from companion.public.updates import Signal, Update
from companion.storage.settings import Settings

UPDATE = Update(None, Signal.NOTICE)


class Noted(OpenedPlugin):
    """A plug-in that notes what it is told, and raises where a test says so."""

    publishes = True

    def __init__(self, table: TableForPlugin, told: list[str], fails: str = "") -> None:
        self.table, self.told, self.fails = table, told, fails
        self._note("open")

    def _note(self, what: str) -> None:
        self.told.append(what)
        if what == self.fails:
            raise DeviceError("The strip is not there.") if what == "open" else KeyError("colour")

    def __call__(self, update: Update) -> None:
        self._note("update")

    def renamed(self) -> None:
        self._note("renamed")

    def health(self) -> Mapping[str, JSON]:
        self._note("health")
        return {"strip": "ok"}

    def notes(self) -> tuple[HostNote, ...]:
        self._note("notes")
        return (HostNote(Text("strip.note")),)

    def close(self) -> None:
        self._note("close")


Open = Callable[..., tuple[TablePlugins, list[str], list[str]]]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Open:
    """Opens two plug-ins, of which the first fails somewhere; with what each of them was told."""

    def open_both(
        fails: str = "", settings: Settings | None = None, *, own: bool = True
    ) -> tuple[TablePlugins, list[str], list[str]]:
        failing: list[str] = []
        other: list[str] = []
        both = (
            Plugin("failing", open=lambda table: Noted(table, failing, fails)),
            Plugin("idle"),
            Plugin("other", open=lambda table: Noted(table, other)),
        )
        monkeypatch.setattr(table_plugins, "plugins", lambda: both)
        monkeypatch.setattr(table_plugins, "is_own", lambda plugin: own)
        monkeypatch.setattr(table_plugins, "unloaded", lambda: {"broken": "no module"})

        def table(section: JSON) -> TableForPlugin:
            return TableForPlugin(tmp_path, section, "", lambda: Box("0a0b0c0d"), lambda: None, lambda: None)

        return TablePlugins(settings or Settings(), table), failing, other

    return open_both


def everything(plugins: TablePlugins) -> None:
    """All that happens to a plug-in at a table."""
    for _ in range(2):
        plugins(UPDATE)
        plugins.renamed()
        plugins.health()
        plugins.notes()
    plugins.close()


def told_of(told: list[str], *whats: str) -> list[str]:
    """What it was told, in order; what it is asked in between is asked by other threads."""
    return [what for what in told if what in ("open", "update", "renamed", "close", *whats)]


@pytest.mark.parametrize("own", [True, False])
def test_each_is_told_what_happens_in_order_and_closed_once(own: bool, opened: Open) -> None:
    plugins, failing, other = opened(own=own)
    assert plugins.publishes
    assert plugins.health() == {"strip": "ok"}
    everything(plugins)
    assert told_of(failing) == told_of(other) == ["open", *(["update", "renamed"] * 2), "close"]
    assert [what for what in other if what not in told_of(other)] == ["health", *(["health", "notes"] * 2)]


def test_another_package_s_plug_in_that_waits_keeps_nobody_waiting_and_is_left_out_in_the_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(table_plugins, "MOST_WAITING", 3)
    monkeypatch.setattr(table_plugins, "CLOSES_S", 0.1)
    hangs, goes_on = threading.Event(), threading.Event()

    class Waits(OpenedPlugin):
        def __call__(self, update: Update) -> None:
            hangs.set()
            goes_on.wait(60)

    monkeypatch.setattr(table_plugins, "plugins", lambda: (Plugin("slow", open=lambda table: Waits()),))
    monkeypatch.setattr(table_plugins, "is_own", lambda plugin: False)
    at: Any = None  # it asks nothing of its table
    plugins = TablePlugins(Settings(), lambda section: at)
    plugins(UPDATE)
    assert hangs.wait(60)
    for _ in range(3):
        plugins(UPDATE)
    assert "slow" not in plugins.left_out
    plugins(UPDATE)
    assert plugins.left_out["slow"] == "3 updates wait for it"
    goes_on.set()
    plugins.close()


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("fails", ["open", "update", "renamed", "health", "notes", "close"])
def test_one_that_raises_is_closed_and_left_out_and_the_others_go_on(
    fails: str, own: bool, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    plugins, failing, other = opened(fails, own=own)
    everything(plugins)
    assert told_of(other) == ["open", *(["update", "renamed"] * 2), "close"]
    assert failing.count(fails) == 1
    assert failing.count("close") == (fails != "open")
    why = "The strip is not there" if fails == "open" else "KeyError: 'colour'"
    assert plugins.left_out == {"broken": "no module", "failing": why}
    assert [record.message for record in caplog.records] == [
        f"the plug-in failing is left out until the next start: {why}"
    ]
    told = [note.text for note in plugins.notes()]
    assert Text("note.plugin", {"plugin": "failing", "why": why}) in told


def test_one_that_is_switched_off_is_not_opened_and_nothing_is_said_of_it(opened: Open) -> None:
    off = frozenset({"failing", "broken"})
    plugins, failing, other = opened("open", Settings(switched_off=off, sections={"other": {"a": 1}}))
    assert (failing, other) == ([], ["open"])
    assert plugins.left_out == {}
    assert not [note for note in plugins.notes() if note.text != Text("strip.note")]


def test_each_gets_its_own_section(opened: Open) -> None:
    plugins, _, _ = opened("", Settings(sections={"other": {"a": 1}}))
    held: Any = plugins._opened  # noqa: SLF001  # what a plug-in was given
    assert held["other"].table.section == {"a": 1}
    assert held["failing"].table.section is None


class SaysAnything(OpenedPlugin):
    """A plug-in whose answers are no answers."""

    def health(self) -> Any:
        return {"strip": object()}

    def notes(self) -> Any:
        return ("a sentence",)


@pytest.mark.parametrize(
    ("what", "why"),
    [(7, "7 is no OpenedPlugin"), (SaysAnything(), "Object of type object is not JSON"), (None, "")],
)
@pytest.mark.parametrize("own", [True, False])
def test_what_a_stranger_s_code_returns_is_looked_at(
    what: Any, why: str, own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_plugins, "plugins", lambda: (Plugin("odd", open=lambda table: what),))
    monkeypatch.setattr(table_plugins, "is_own", lambda plugin: own)
    at: Any = None  # it asks nothing of its table
    plugins = TablePlugins(Settings(), lambda section: at)
    assert plugins.health() == {}
    assert why in plugins.left_out.get("odd", "")
    assert len(plugins.notes()) == bool(why)
    plugins.close()


def test_a_note_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_plugins, "plugins", lambda: (Plugin("odd", open=lambda table: SaysAnything()),))
    monkeypatch.setattr(table_plugins, "is_own", lambda plugin: True)
    at: Any = None  # as above
    plugins = TablePlugins(Settings(), lambda section: at)
    (note,) = plugins.notes()
    assert note.text == Text("note.plugin", {"plugin": "odd", "why": "TypeError: 'a sentence' is no HostNote"})
