"""A backup takes the place of what is in a data folder: wholly or not at all, wherever the plug is pulled."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from companion.errors import LogError
from companion.storage.event_log import LOG_FILE
from companion.storage.exchange import (
    EXCHANGED,
    GIVEN_BACK,
    LOG_PARTS,
    MARK_FILE,
    MOST_STARTS,
    TAKEN,
    TRIAL,
    begin_exchange,
    begin_start,
    confirm_start,
    finish_exchange,
    forget_outcome,
    give_back,
    outcome_of,
    pending_exchange,
)

OLD = {
    LOG_FILE: "old",
    f"{LOG_FILE}-wal": "old",
    "settings.toml": "old",
    "decks/mine.toml": "old",
    "pictures/m/1.jpg": "",
}
NEW = {LOG_FILE: "new", "zones.toml": "new", "decks/yours.toml": "new"}


class PulledPlug(BaseException):
    """Nothing of the program runs after it."""


@contextmanager
def plug_pulled(patch: pytest.MonkeyPatch, at: int) -> Iterator[None]:
    """Before the ``at``-th change of a name on the disk."""
    count = itertools.count()

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def change(*args: Any, **more: Any) -> Any:
            if next(count) == at:
                raise PulledPlug
            return real(*args, **more)

        return change

    with patch.context() as now:
        for name in ("rename", "replace", "unlink", "mkdir"):
            now.setattr(os, name, watched(getattr(os, name)))
        yield


def fill(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder


def content_of(folder: Path) -> dict[str, str]:
    """What of it is exchanged."""
    tops = [folder / name for name in EXCHANGED]
    files = [path for top in tops for path in (top, *top.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in files}


def begun(data: Path) -> None:
    fill(data, {**OLD, "companion.lock": "", "backups/matches-000001.sqlite": "older"})
    fill(data / ".restored-x" / "new", NEW)
    begin_exchange(data, data / ".restored-x" / "new", name="all.zip", made="yesterday", becomes=TRIAL)


def steps(data: Path, patch: pytest.MonkeyPatch) -> int:
    """How many changes of names finishing an exchange makes."""
    begun(data)
    for at in itertools.count():
        try:
            with plug_pulled(patch, at):
                finish_exchange(data)
        except PulledPlug:
            continue
        return at
    raise AssertionError


def test_what_was_there_lies_aside_and_what_only_this_machine_knows_stays(tmp_path: Path) -> None:
    begun(tmp_path)
    assert content_of(tmp_path) == OLD, "nothing moves before somebody with the lock finishes it"
    finish_exchange(tmp_path)
    assert content_of(tmp_path) == NEW
    assert content_of(tmp_path / "replaced-1") == OLD
    assert (tmp_path / "backups" / "matches-000001.sqlite").read_text("utf-8") == "older"
    assert (tmp_path / "companion.lock").exists()
    now = outcome_of(tmp_path)
    assert now is not None
    assert (now.state, now.name, now.made, now.aside) == (TRIAL, "all.zip", "yesterday", "replaced-1")
    assert finish_exchange(tmp_path) is None, "it happens once"


def test_wherever_the_plug_is_pulled_the_next_start_ends_with_the_whole_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = steps(tmp_path / "counted", monkeypatch)
    assert counted > len(OLD)
    for at in range(counted):
        data = tmp_path / str(at)
        begun(data)
        with pytest.raises(PulledPlug), plug_pulled(monkeypatch, at):
            finish_exchange(data)
        finish_exchange(data)
        assert content_of(data) == NEW, at
        assert content_of(data / "replaced-1") == OLD, at
        assert pending_exchange(data) is None
        assert outcome_of(data) is not None


def test_a_backup_of_the_matches_alone_takes_the_place_of_nothing_else_wherever_the_plug_is_pulled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(12):
        data = fill(tmp_path / str(at), {**OLD, "matches.last": "old"})
        fill(data / ".restored-x", {LOG_FILE: "new"})
        begin_exchange(data, data / ".restored-x", parts=LOG_PARTS)
        with suppress(PulledPlug), plug_pulled(monkeypatch, at):
            finish_exchange(data)
        finish_exchange(data)
        left = {name: text for name, text in OLD.items() if name not in LOG_PARTS}
        assert content_of(data) == {**left, LOG_FILE: "new", "matches.last": "old"}, at
        assert content_of(data / "replaced-1") == {LOG_FILE: "old", f"{LOG_FILE}-wal": "old"}
        assert outcome_of(data) is None


def test_before_the_mark_is_written_nothing_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, OLD)
    fill(tmp_path / ".restored-x", NEW)
    with pytest.raises(PulledPlug), plug_pulled(monkeypatch, 0):
        begin_exchange(tmp_path, tmp_path / ".restored-x", name="all.zip", made="", becomes=TRIAL)
    assert finish_exchange(tmp_path) is None
    assert content_of(tmp_path) == OLD


def test_a_backup_with_which_nobody_can_start_goes_and_what_was_there_comes_back(tmp_path: Path) -> None:
    begun(tmp_path)
    finish_exchange(tmp_path)
    assert give_back(tmp_path, "no such pin")
    assert content_of(tmp_path) == OLD
    now = outcome_of(tmp_path)
    assert now is not None
    assert (now.state, now.why, now.aside) == (GIVEN_BACK, "no such pin", "")
    assert not list(tmp_path.glob("re*-1")), "it held every code, and whoever sent it has it"
    assert not give_back(tmp_path, "again"), "there is nothing left to go back to"
    forget_outcome(tmp_path)
    assert outcome_of(tmp_path) is None


def test_wherever_the_plug_is_pulled_while_it_is_given_back_the_next_start_ends_with_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_off = 0
    for at in range(40):
        data = tmp_path / str(at)
        begun(data)
        finish_exchange(data)
        try:
            with plug_pulled(monkeypatch, at):
                give_back(data, "no such pin")
        except PulledPlug:
            broken_off += 1
            finish_exchange(data)
            give_back(data, "no such pin")  # where not even the mark was written
        assert content_of(data) == OLD, at
    assert 10 < broken_off < 40, "every step was tried"


def test_who_has_started_with_it_keeps_it(tmp_path: Path) -> None:
    begun(tmp_path)
    finish_exchange(tmp_path)
    begin_start(tmp_path)
    confirm_start(tmp_path)
    assert not give_back(tmp_path, "the port is taken")
    for _ in range(MOST_STARTS + 2):
        begin_start(tmp_path)
    now = outcome_of(tmp_path)
    assert now is not None
    assert now.state == TAKEN
    assert content_of(tmp_path) == NEW


def test_a_companion_that_falls_over_it_again_and_again_starts_with_what_was_there(tmp_path: Path) -> None:
    begun(tmp_path)
    finish_exchange(tmp_path)
    for _ in range(MOST_STARTS):
        begin_start(tmp_path)
        assert content_of(tmp_path) == NEW
    begin_start(tmp_path)
    assert content_of(tmp_path) == OLD
    now = outcome_of(tmp_path)
    assert now is not None
    assert now.state == GIVEN_BACK


def test_a_mark_without_its_backup_changes_nothing_and_one_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    begun(tmp_path)
    (tmp_path / ".restored-x").rename(tmp_path / "taken-away")
    assert finish_exchange(tmp_path) is None
    assert content_of(tmp_path) == OLD
    (tmp_path / MARK_FILE).write_text("{", "utf-8")
    with pytest.raises(LogError, match="cannot be read"):
        finish_exchange(tmp_path)
    assert content_of(tmp_path) == OLD
