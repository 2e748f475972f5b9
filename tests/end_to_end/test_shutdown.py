"""`systemctl stop`, a terminal that closes, any signal that ends a program: all pins off, the log closed, soon gone."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from support.faulty_table import PATIENCE_S, children, entries
from support.long_cases import rest_long
from support.ports import free_port
from support.processor_queue import seconds_until_end

from companion.storage.event_log import LOG_FILE

pytestmark = pytest.mark.core

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "companion.service"
PROGRAM = """
import sys
from pathlib import Path
from gpiozero.pins.mock import MockFactory, MockPWMPin
import hardware.pins

class TellingPin(MockPWMPin):
    def _change_state(self, value):
        super()._change_state(value)
        told.write(f"{self.info.name} {value:g}\\n".encode())

folder, port = Path(sys.argv[1]), int(sys.argv[2])
told = open(folder / "pins", "ab", buffering=0)
hardware.pins.pin_factory = lambda: MockFactory(pin_class=TellingPin)
from companion.app.running import run_table as live
from companion.app.table import TableOptions
live(TableOptions(folder / "data", "simulated", port=port))
"""


HEARING = """
import signal
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    signal.signal(number, signal.SIG_DFL)
"""
"""Tests may themselves run under nohup, or in the background of a script, deaf to these."""

LISTENER = """
import os, signal, sys, time
from pathlib import Path
from companion.app import running as run
from companion.app.table import TableOptions

class Host:
    def __init__(self):
        self.stopped = False
    def stop(self):
        self.stopped = True
    def run(self):
        os.kill(os.getpid(), number)
        time.sleep(0)  # a handler runs between two instructions
        assert self.stopped

class Table:
    def __init__(self, *others, **more):
        self.runner = Host()
        others[1].callback(closed.append, number)
    def open(self):
        pass

run.RunningTable = Table
closed = []
ignored = [n for n in signal.valid_signals() if signal.getsignal(n) is signal.SIG_IGN]
for number in map(int, sys.argv[1:]):
    if number not in ignored:
        run.run_table(TableOptions(Path("nowhere")))
print(*closed)
"""
"""Tells itself each signal in turn, while a table that only notes how it ended is open."""

DEAF = """
import os, resource, signal
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
for number in sorted(signal.valid_signals()):
    child = os.fork()
    if child == 0:
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        os._exit(0)
    _, status = os.waitpid(child, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    elif os.WIFSIGNALED(status):
        print(int(number))
"""
"""Says which signals end a process that listens to none."""

MANY_SIGNALS = """
import queue, signal
from companion.app.running import end_on_signals

inbox = queue.SimpleQueue()
end_on_signals([], lambda: inbox.put(None))
for number in range(60_000):
    signal.setitimer(signal.ITIMER_REAL, (1 + number % 60) * 1e-6)
    signal.raise_signal(signal.SIGTERM)
signal.setitimer(signal.ITIMER_REAL, 0)
print(inbox.qsize() >= 60_000)
"""
"""One signal after the other, and each time an alarm some millionths of a second later."""


def go(folder: Path, **more: Any) -> subprocess.Popen[bytes]:
    """A table with pins that tell; comes back when its lamp shines."""
    program = subprocess.Popen(
        [sys.executable, "-c", HEARING + PROGRAM, str(folder), str(free_port())], cwd=ROOT, **more
    )
    until_s = time.monotonic() + PATIENCE_S
    try:
        while not any(level > 0 for level in levels(folder).values()):  # the match begins, and the lamp says so
            assert program.poll() is None
            assert time.monotonic() < until_s, "the lamp stays dark"
            time.sleep(0.02)
    except BaseException:
        program.kill()
        program.wait(PATIENCE_S)
        raise
    return program


def assert_ends_in_good_order(program: subprocess.Popen[bytes], folder: Path, end: Callable[[], object]) -> None:
    """After ``end()`` the pins are off, the eye is gone, the log is whole and closed; what others' work on this machine
    adds to the time is taken off."""
    patience_s = float(re.findall(r"^TimeoutStopSec=(\d+)$", UNIT.read_text("utf-8"), re.M)[0])
    try:
        eyes = children(program.pid)
        took_s = seconds_until_end(program, end, PATIENCE_S)
        assert program.returncode == 0
    finally:
        program.kill()
        program.wait(PATIENCE_S)
    assert took_s < patience_s, "the service manager would have killed it"
    at_last = levels(folder)
    assert len(at_last) >= 4, "a lamp of three colours and a buzzer"
    assert set(at_last.values()) == {0.0}
    assert eyes
    until_s = time.monotonic() + PATIENCE_S
    while any(Path(f"/proc/{eye}/exe").exists() for eye in eyes):
        assert time.monotonic() < until_s, "an eye goes on for nobody, and holds the camera"
        time.sleep(0.05)
    assert not list((folder / "data").glob(f"{LOG_FILE}-*")), "closing the last connection takes the write-ahead log in"
    with closing(sqlite3.connect(folder / "data" / LOG_FILE)) as paper:
        assert paper.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    written = [entry["number"] for entry in entries(folder / "data")]
    assert written == list(range(1, len(written) + 1))


@pytest.mark.parametrize("number", rest_long([signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT]))
def test_a_table_that_is_told_to_stop_turns_everything_off_closes_the_log_and_goes(
    tmp_path: Path, number: signal.Signals
) -> None:
    program = go(tmp_path, stdout=subprocess.DEVNULL)
    assert_ends_in_good_order(program, tmp_path, lambda: program.send_signal(number))


@pytest.mark.parametrize("number", rest_long([signal.SIGTERM, signal.SIGINT]))
def test_a_table_all_of_whose_processes_are_told_to_stop_misses_no_eye(tmp_path: Path, number: signal.Signals) -> None:
    """``systemctl stop`` and Ctrl-C tell the eye as well; "the eye is opened again" would stand in every journal."""
    said = tmp_path / "said"
    with said.open("wb") as journal:
        program = go(tmp_path, stdout=subprocess.DEVNULL, stderr=journal, start_new_session=True)
        assert_ends_in_good_order(program, tmp_path, lambda: os.killpg(program.pid, number))
    assert said.read_text("utf-8") == ""


LATE = """
import signal, sys, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
print("ready", flush=True)
signal.sigwait([signal.SIGUSR1])
if sys.argv[1] == "waits":
    time.sleep(1)
until_s = time.process_time() + 0.3
while time.process_time() < until_s:
    pass
"""
"""Ends a third of a second of work after it was told to, or waits for another second first."""


@pytest.mark.parametrize(("does", "at_least_s"), [("works", 0.2), ("waits", 1.1)])
def test_a_wait_at_the_end_is_measured_on_a_busy_machine_too_and_the_others_work_is_not(
    does: str, at_least_s: float
) -> None:
    spin, one = [sys.executable, "-c", "while True: pass"], {min(os.sched_getaffinity(0))}
    with ExitStack() as stack:
        program = subprocess.Popen([sys.executable, "-c", LATE, does], stdout=subprocess.PIPE)
        programs = [program, *(subprocess.Popen(spin) for _ in range(3))]
        for each in programs:
            stack.callback(each.wait)
            stack.callback(each.kill)
            os.sched_setaffinity(each.pid, one)
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        took_s = seconds_until_end(program, lambda: program.send_signal(signal.SIGUSR1), PATIENCE_S)
        program.stdout.close()
    assert at_least_s < took_s < at_least_s + 0.4


def test_a_signal_in_the_middle_of_another_one_is_heard_too() -> None:
    """Ctrl-C pressed twice, a logout, ``pkill``: with a lock in between, the second waited for the first for ever."""
    ended = subprocess.run(
        [sys.executable, "-c", MANY_SIGNALS], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert ended.stdout == "True\n", ended.stderr


def test_a_table_whose_terminal_is_closed_turns_everything_off_and_goes(tmp_path: Path) -> None:
    """The kernel tells everybody in it, also the eye, and nothing more can be written there."""
    window, inside = pty.openpty()
    program = go(tmp_path, stdin=inside, stdout=inside, stderr=inside, start_new_session=True, preexec_fn=_own_terminal)
    os.close(inside)
    assert_ends_in_good_order(program, tmp_path, lambda: os.close(window))


def test_a_table_whose_terminal_is_gone_before_it_says_a_word_goes_on_and_ends_in_good_order(tmp_path: Path) -> None:
    """A laptop's lid, a lost SSH connection: the greeting is lost, the match is not."""
    window, inside = pty.openpty()
    os.close(window)
    program = go(tmp_path, stdin=inside, stdout=inside, stderr=inside)
    os.close(inside)
    until_s = time.monotonic() + PATIENCE_S
    while not entries(tmp_path / "data"):
        assert time.monotonic() < until_s, "no card is laid"
        assert program.poll() is None, "it ended for want of a reader"
        time.sleep(0.05)
    assert_ends_in_good_order(program, tmp_path, lambda: program.send_signal(signal.SIGTERM))


def _own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_every_signal_that_would_end_a_program_ends_a_table_in_good_order() -> None:
    """Asked of the kernel, not of a list: what ends a program that does not listen. SIGKILL nobody hears."""
    deaf = subprocess.run([sys.executable, "-c", DEAF], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    ending = {int(number) for number in deaf.stdout.split()}
    assert {signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGPWR, signal.SIGRTMIN} <= ending
    own_faults = {getattr(signal, f"SIG{name}") for name in ["SEGV", "BUS", "FPE", "ILL", "ABRT", "TRAP", "SYS"]}
    unheard = {signal.SIGKILL, signal.SIGPIPE, signal.SIGXFSZ}  # Python itself is deaf to the latter two
    wanted = [str(number) for number in sorted(ending - own_faults - unheard)]
    closed = subprocess.run(
        [sys.executable, "-c", HEARING + LISTENER, *wanted],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert closed.stdout.split() == wanted, closed.stderr


def test_under_nohup_a_closed_terminal_ends_nothing() -> None:
    program = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" + LISTENER
    numbers = [str(int(number)) for number in (signal.SIGHUP, signal.SIGUSR1)]
    closed = subprocess.run(
        [sys.executable, "-c", program, *numbers], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert closed.stdout.split() == numbers[1:], closed.stderr


def levels(folder: Path) -> dict[str, float]:
    """What each output was last driven to; a button's pull-up is none of ours."""
    try:
        lines = (folder / "pins").read_text().splitlines()
    except FileNotFoundError:
        return {}
    last = dict(line.split() for line in lines)
    return {name: float(level) for name, level in last.items() if name in ("GPIO17", "GPIO27", "GPIO22", "GPIO18")}
