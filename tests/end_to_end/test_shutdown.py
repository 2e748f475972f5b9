"""`systemctl stop`, or the plug's last warning: all pins off, the log closed, and soon gone."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from support.faulty_table import PATIENCE_S, children, entries, free_port

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
from companion.cli.run import run_table as live
sys.exit(live("simulated", None, port, folder / "data", 1, 1.0))
"""


def test_a_table_that_is_told_to_stop_turns_everything_off_closes_the_log_and_goes(tmp_path: Path) -> None:
    patience_s = float(re.findall(r"^TimeoutStopSec=(\d+)$", UNIT.read_text("utf-8"), re.M)[0])
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path), str(free_port())], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        until_s = time.monotonic() + PATIENCE_S
        while not any(level > 0 for level in levels(tmp_path).values()):  # the match begins, and the lamp says so
            assert program.poll() is None
            assert time.monotonic() < until_s, "the lamp stays dark"
            time.sleep(0.02)
        eyes = children(program.pid)
        program.send_signal(signal.SIGTERM)
        began_s = time.monotonic()
        assert program.wait(PATIENCE_S) == 0
        took_s = time.monotonic() - began_s
    finally:
        program.kill()
        program.wait(PATIENCE_S)
    assert took_s < patience_s, "the service manager would have killed it"
    at_last = levels(tmp_path)
    assert len(at_last) >= 4, "a lamp of three colours and a buzzer"
    assert set(at_last.values()) == {0.0}
    assert eyes
    until_s = time.monotonic() + PATIENCE_S
    while any(Path(f"/proc/{eye}/exe").exists() for eye in eyes):
        assert time.monotonic() < until_s, "an eye goes on for nobody, and holds the camera"
        time.sleep(0.05)
    assert not list((tmp_path / "data").glob(f"{LOG_FILE}-*")), (
        "closing the last connection takes the write-ahead log in"
    )
    with closing(sqlite3.connect(tmp_path / "data" / LOG_FILE)) as paper:
        assert paper.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    written = [entry["number"] for entry in entries(tmp_path / "data")]
    assert written == list(range(1, len(written) + 1))


def levels(folder: Path) -> dict[str, float]:
    """What each output was last driven to; a button's pull-up is none of ours."""
    try:
        lines = (folder / "pins").read_text().splitlines()
    except FileNotFoundError:
        return {}
    last = dict(line.split() for line in lines)
    return {name: float(level) for name, level in last.items() if name in ("GPIO17", "GPIO27", "GPIO22", "GPIO18")}
