"""Plug-ins are found by their entry points; one that does not work costs itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint

import pytest

from companion.cli.main import main
from companion.public import plugins
from companion.public.entry_points import LoadError, entry_points_of
from companion.public.plugins import GROUP, AddCommand, Plugin

GREETING = Plugin("greeting", lambda add: add("greet", lambda _: 0, "Say good evening.") and None)


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """What the entry points of two more packages name."""
    found: dict[str, object] = {"greeting": GREETING, "broken": LoadError("ModuleNotFoundError: no module")}
    doors = {name: EntryPoint(name, f"{name}:PLUGIN", GROUP) for name in found}

    def load(door: EntryPoint) -> object:
        if isinstance(what := found[door.name], Exception):
            raise what
        return what

    monkeypatch.setattr(plugins, "entry_points_of", lambda group: doors)
    monkeypatch.setattr(plugins, "load", load)
    plugins._loaded.cache_clear()  # noqa: SLF001  # a program asks once
    yield found
    plugins._loaded.cache_clear()  # noqa: SLF001  # the others have what is installed


def test_its_commands_are_there_and_one_that_does_not_load_is_named_in_the_log(
    brought: dict[str, object], caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["greet"]) == 0
    assert "the plug-in broken does not load (ModuleNotFoundError: no module)" in caplog.text
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "Say good evening." in capsys.readouterr().out


def _asks_for_a_name_that_is_taken(add: AddCommand) -> None:
    add("run", lambda _: 0, "Run another table.")


def _raises(_: AddCommand) -> None:
    raise KeyError("command")


@pytest.mark.parametrize("add", [_asks_for_a_name_that_is_taken, _raises])
def test_one_that_cannot_add_its_commands_leaves_all_others(
    brought: dict[str, object], caplog: pytest.LogCaptureFixture, add: Callable[[AddCommand], None]
) -> None:
    brought["broken"] = Plugin("broken", add)
    assert main(["greet"]) == 0
    assert "the plug-in broken adds no command (" in caplog.text


def test_what_is_no_plug_in_is_none(brought: dict[str, object], caplog: pytest.LogCaptureFixture) -> None:
    brought["greeting"] = 7
    assert plugins.plugins() == ()
    assert "the plug-in greeting does not load (greeting:PLUGIN is not its Plugin)" in caplog.text


def test_the_modules_of_our_plug_ins_load_neither_flask_nor_opencv() -> None:
    """Every command imports them."""
    modules = {door.value.partition(":")[0] for door in entry_points_of(GROUP).values()}
    heavy = {"flask", "cv2", "numpy", "waitress", "sqlalchemy", "paho"}
    program = f"import sys, {', '.join(modules)}; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
