"""A rule that is switched off is noticed by a test that carries its id."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "switch_off.py"


@pytest.mark.long
def test_every_rule_that_is_switched_off_is_noticed():
    run = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False, timeout=280)
    assert run.returncode == 0, run.stdout
    assert "not noticed: none" in run.stdout
