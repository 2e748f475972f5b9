"""Settings of all tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import settings
from jinja2.bccache import Bucket, BytecodeCache
from support.browser import axe as axe, chromium as chromium, playwright as playwright
from werkzeug.routing import Rule

# How long an example takes says something about the machine's other work, nothing about the property.
settings.register_profile("companion", deadline=None)
settings.load_profile("companion")


class RememberedTemplates(BytecodeCache):
    """The suite makes a thousand apps; each template is compiled for the first of those with the same files."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if (key := self._key(bucket)) in self._compiled:
            bucket.bytecode_from_string(self._compiled[key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[self._key(bucket)] = bucket.bytecode_to_string()

    @staticmethod
    def _key(bucket: Bucket) -> tuple[str, str]:
        return bucket.key, bucket.environment.preprocess('"/static/')


Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": RememberedTemplates()}


def remember_url_builders() -> None:
    """Werkzeug writes and compiles two functions for each route of each app: half of what an app costs."""
    compile_builder = Rule._compile_builder  # noqa: SLF001  # it has no other way in

    @cache
    def built(trace: tuple[Any, ...], append_unknown: bool) -> Callable[..., tuple[str, str]]:  # as it is called
        rule = Rule("/")
        rule._trace = list(trace)  # noqa: SLF001  # as above
        return compile_builder(rule, append_unknown)

    def remembered(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # as above
        if rule.defaults:
            return compile_builder(rule, append_unknown)
        return built(tuple(rule._trace), append_unknown)  # noqa: SLF001  # as above

    Rule._compile_builder = remembered  # type: ignore[method-assign]  # noqa: SLF001  # as above


remember_url_builders()

TESTS = Path(__file__).parent
PIXELS = (
    "vision",
    "bench/test_eye.py",
    "bench/test_phones.py",
    "bench/test_table.py",
    "companion/simulation/test_players.py",
    "companion/system/printing",
    "companion/system/test_sticker_sheets.py",
    "end_to_end/test_faults.py",
    "end_to_end/test_films.py",
    "end_to_end/test_run.py",
    "end_to_end/test_sentences_through_pixels.py",
    "end_to_end/test_shutdown.py",
    "end_to_end/test_snapshots.py",
)
"""Folders and files whose tests draw a table or decode pictures of one: they carry the marker ``pixels``."""

SLOW = (
    "bench",
    "companion/cli/test_hostile_input.py",
    "companion/games/discovery/test_machine.py",
    "companion/games/discovery/test_offers.py",
    "companion/games/discovery/test_second_judge.py",
    "companion/plugins/hub/test_pairing.py",
    "companion/referee/test_questions.py",
    "end_to_end",
    "systemd/test_scripts.py",
)
"""Folders and files whose tests play whole evenings, try thousands of inputs or run many programs: marked ``slow``."""


@pytest.hookimpl(tryfirst=True)  # before any fixture
def pytest_runtest_setup() -> None:
    """Commands that a test before this one ran in the process may have kept new files from others (``run`` does)."""
    os.umask(0o022)


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what -m does not want
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what draws or decodes pictures, and what works for long, by where it stands; and what opens a browser."""
    for item in items:
        if "playwright" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        for marker in place_markers(item.path):
            item.add_marker(marker)


@cache
def place_markers(path: Path) -> list[pytest.MarkDecorator]:
    """What a test is marked with for where it stands."""
    placed = ((pytest.mark.pixels, PIXELS), (pytest.mark.slow, SLOW))
    return [marker for marker, names in placed if any(path.is_relative_to(TESTS / name) for name in names)]


class NamedAtOnce:
    """Names each failure when it happens: a suite that is ended from outside never comes to its summary."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = (crash.message if crash else report.longreprtext).strip().partition("\n")[0]
            self._terminal.ensure_newline()
            self._terminal.write_line(f"{report.nodeid} ({report.when}, {report.duration:.0f} s): {why}")


@pytest.hookimpl(trylast=True)  # after the terminal reporter is there
def pytest_configure(config: pytest.Config) -> None:
    if terminal := config.pluginmanager.get_plugin("terminalreporter"):
        config.pluginmanager.register(NamedAtOnce(terminal))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """For the last line of ``./test``: why each test was skipped that was."""
    if path := os.environ.get("COMPANION_LEFT_OUT"):
        with Path(path).open("w", encoding="utf-8") as file:
            for report in terminalreporter.stats.get("skipped", []):
                _, _, why = report.longrepr
                file.write(f"{why.removeprefix('Skipped: ').split(':')[0].replace(',', '')}\n")
