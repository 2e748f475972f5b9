"""Which match a start plays: the unfinished one, the one of a file, or the demonstration."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.matches import begin_or_go_on
from companion.errors import InputError
from companion.games import registry
from companion.history.events import Ended, Entry, Origin, Paused
from companion.service.runner import MatchRunner
from companion.storage.event_log import LOG_FILE, EventLog

FILE = """profile = "fr-explore"
[[seat]]
name = "Ana"
[[seat]]
name = "Ben"
"""
SIMULATED = {"simulated": {"seed": 1}}
Start = Callable[..., str | None]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.toml"
    path.write_text(FILE)
    return path


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Power on: the id of the match that is then played."""

    def power_on(
        match: Path | None = None, seeded: dict[str, dict[str, int]] | None = None, day: int = 5
    ) -> str | None:
        with closing(EventLog(tmp_path / LOG_FILE)) as log:
            host = MatchRunner(
                log,
                lambda header: registry.open_match(header["match"], header["deck"]).game,
                wall_clock=lambda: f"2026-01-{day:02}T20:00:00",
            )
            begin_or_go_on(host, match, seeded or {})
            if host.stored is None or host.match is None:
                return None
            log.append(host.stored.id, [Entry(host.match.record.next_number, Paused(), Origin.PHONE)])
            return host.stored.id

    return power_on


def finish(tmp_path: Path, match: str) -> None:
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        log.append(match, [Entry(log.last_number(match) + 1, Ended(), Origin.TABLE)])
        log.close_match(match)


def test_the_same_file_again_goes_on_with_its_unfinished_match(start: Start, file: Path):
    first = start(file)
    assert [start(file), start(file), start()] == [first, first, first]


def test_after_a_finished_match_the_same_file_begins_anew(start: Start, file: Path, tmp_path: Path):
    first = start(file)
    assert first is not None
    finish(tmp_path, first)
    second = start(file)
    assert second not in (None, first)
    assert start(file) == second


def test_another_seed_is_no_other_match(start: Start, file: Path):
    first = start(file, SIMULATED)
    assert start(file, {"simulated": {"seed": 7}}) == first


def test_a_changed_file_is_another_match_and_the_first_waits_for_its_own_file(start: Start, file: Path):
    first = start(file)
    file.write_text(FILE.replace("Ben", "Cleo"))
    second = start(file)
    assert second != first
    assert start(file) == second
    assert start() == second, "the one that was begun last"
    file.write_text(FILE)
    assert start(file) == first


def test_a_file_that_became_unreadable_is_said_and_touches_no_match(start: Start, file: Path):
    first = start(file)
    file.write_text("[[")
    with pytest.raises(InputError, match=r"match\.toml"):
        start(file)
    assert start() == first


def test_a_simulated_match_does_not_go_on_under_a_camera_nor_a_real_one_without(start: Start, file: Path):
    real = start(file)
    drawn = start(None, SIMULATED)
    assert drawn not in (None, real)
    assert start() == real
    assert start(None, SIMULATED) == drawn


def test_without_a_file_a_new_table_with_a_camera_waits_for_its_host(start: Start):
    assert start() is None


def test_a_clock_that_was_set_back_does_not_bring_back_an_older_match(start: Start, file: Path):
    """ "order by sequence, never by the wall clock" """
    first = start(file, day=20)
    file.write_text(FILE.replace("Ben", "Cleo"))
    second = start(file, day=3)
    assert second != first
    assert start(day=2) == second
