"""A rule that is switched off is noticed by a test that carries its id."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.rule_ids import IDS
from tools.switch_off import CARCASSONNE_OFF, NO_CODE, OFF

SCRIPT = Path(__file__).parent / "switch_off.py"


def test_every_rule_has_a_switch_or_a_reason_why_there_is_nothing_to_switch() -> None:
    assert sorted([*OFF, *NO_CODE]) == sorted(IDS)


@pytest.mark.long
@pytest.mark.timeout(1600)
def test_every_rule_that_is_switched_off_is_noticed():
    run = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False, timeout=1500)
    assert run.returncode == 0, run.stdout
    assert "not noticed: none" in run.stdout


def test_every_rule_of_carcassonne_has_a_switch():
    assert list(CARCASSONNE_OFF) == [f"C{number}" for number in range(1, 24)]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_every_rule_of_carcassonne_that_is_switched_off_is_noticed():
    command = [sys.executable, str(SCRIPT), "--game", "carcassonne"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert run.returncode == 0, run.stdout
    assert "not noticed: none" in run.stdout
