"""Who becomes the host of a table without showing a code."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.idle_services import IDLE

from companion.cli.main import main
from companion.public.service import Role
from companion.service.first_phone import ASKED_FILE, ASKED_S, FIRST_PHONE_S, FirstPhone, ask_for_first_phone
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import EventLog
from companion.storage.join_codes import host_codes

PowerOn = Callable[..., FirstPhone]


class Clock:
    now_s = 20.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def power_on(log: EventLog, tmp_path: Path, clock: Clock) -> PowerOn:
    def start(*, by_itself: bool = True, after_s: float = 20.0) -> FirstPhone:
        clock.now_s = after_s
        window = FirstPhone(log, tmp_path, by_itself=by_itself, clock=clock)
        window.open()
        return window

    return start


def test_the_first_phone_of_a_new_table_becomes_host_and_no_other_at_any_later_power_on(
    power_on: PowerOn, log: EventLog
):
    """The window opened again at every start although the table had a host."""
    window = power_on()
    assert window.is_open()
    assert window.claim() == host_codes(log)[0]
    assert not window.is_open()
    assert window.claim() is None
    for _ in range(3):
        assert power_on().claim() is None


def test_a_window_that_nobody_used_opens_again_at_the_next_power_on_until_there_is_a_host(
    power_on: PowerOn, clock: Clock
):
    """A family without screen and panel that came six minutes late was shut out of its own table for ever."""
    window = power_on()
    clock.now_s += FIRST_PHONE_S
    assert not window.is_open()
    assert window.claim() is None
    later = power_on()
    assert later.is_open()
    later.host_came()
    for _ in range(2):
        assert power_on().claim() is None


def test_a_table_whose_code_stood_at_its_prompt_does_not_open_for_a_stranger_later(power_on: PowerOn):
    power_on(by_itself=False)
    assert power_on().claim() is None


def test_a_pi_that_was_on_for_an_hour_before_anything_was_installed_finds_its_host_too(power_on: PowerOn, clock: Clock):
    """ "The first phone on a new table may: the page offers it." It was never offered there: five minutes were over."""
    window = power_on(after_s=3600.0)
    assert window.is_open()
    clock.now_s += FIRST_PHONE_S - 1
    assert window.is_open()
    clock.now_s += 1
    assert not window.is_open()


def test_a_first_start_that_fails_takes_nothing_from_a_new_table(power_on: PowerOn, log: EventLog, tmp_path: Path):
    """The port was taken, or the camera's library missing: nobody could have pressed anything yet."""
    FirstPhone(log, tmp_path, by_itself=True)
    assert power_on().claim() is not None


def test_a_folder_where_the_request_would_be_opens_nothing_and_stops_no_start(power_on: PowerOn, tmp_path: Path):
    """A disk that was mended after a power cut has such things; the start ended in a traceback."""
    (tmp_path / ASKED_FILE).mkdir()
    window = power_on(by_itself=False)
    assert not window.is_open()
    assert window.claim() is None


def test_whoever_shows_the_host_s_code_shuts_the_window(power_on: PowerOn, log: EventLog):
    window = power_on()
    unused: Any = None
    runner = MatchRunner(log, unused, wall_clock=lambda: "2026-11-20")
    services = TableService(runner, **IDLE, source="picamera", version="1", picture=unused, complete=unused)
    services.match.on_host = window.host_came
    assert services.match.user("nobody") is None
    assert window.is_open()
    user = services.match.user(host_codes(log)[1])
    assert user is not None
    assert user.role is Role.HOST
    assert window.claim() is None


def test_the_button_opens_it_for_one_phone_and_one_minute(power_on: PowerOn, clock: Clock):
    window = power_on()
    window.claim()
    window.ask()
    assert window.claim() is not None
    assert window.claim() is None
    window.ask()
    clock.now_s += ASKED_S
    assert window.claim() is None


@pytest.mark.parametrize("asked", [b"", b"soon", b"nan", b"1e999", b"\xff", b"-3600", b"99999999"])
def test_a_command_that_was_given_long_ago_or_is_no_time_opens_nothing(
    power_on: PowerOn, clock: Clock, tmp_path: Path, asked: bytes
):
    """The network sets the clock of a Pi in the middle of an evening: what was asked for is measured from power-on."""
    window = power_on()
    window.claim()
    clock.now_s = 1_000.0
    (tmp_path / ASKED_FILE).write_bytes(asked)
    assert not window.is_open()
    assert not (tmp_path / ASKED_FILE).exists()
    ask_for_first_phone(tmp_path, lambda: clock.now_s - ASKED_S)
    assert not window.is_open()
    ask_for_first_phone(tmp_path, lambda: clock.now_s - ASKED_S + 1)
    assert window.is_open()


def test_a_command_at_the_prompt_opens_it_in_the_companion_that_runs(
    power_on: PowerOn, clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    window = power_on()
    window.claim()
    assert main(["host", "--data", str(tmp_path)]) == 0
    clock.now_s = time.monotonic()  # the command reads the machine's own
    assert "one minute" in capsys.readouterr().out
    assert window.is_open()
    assert not (tmp_path / ASKED_FILE).exists()
    assert window.claim() is not None
    assert window.claim() is None


def test_what_was_asked_of_a_companion_that_is_gone_opens_nothing(power_on: PowerOn, tmp_path: Path):
    power_on().claim()
    assert main(["host", "--data", str(tmp_path)]) == 0
    assert not power_on().is_open()
