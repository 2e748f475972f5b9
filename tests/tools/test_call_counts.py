"""The counter of calls runs on the tree as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "call_counts.py"


@pytest.mark.long
def test_a_look_a_stop_and_an_undo_are_counted() -> None:
    run = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False, timeout=240)
    assert run.returncode == 0, run.stderr
    lines = [line.partition(":") for line in run.stdout.splitlines() if "across packages" in line]
    assert [name for name, _, _ in lines] == ["one look while a new card is read", "POST Stop!", "undo by phone"]
