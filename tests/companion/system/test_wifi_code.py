"""The code beside the box's own Wi-Fi: what a phone reads of it, and who never sees the password."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.console_codes import scanned

from companion.system.wifi_code import wifi_address

ROOT = Path(__file__).parents[3]


def drawn(password: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion.system.wifi_code", *words]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONUTF8": "0"}
    return subprocess.run(command, input=password, capture_output=True, encoding="utf-8", env=environ, timeout=60)


def test_a_phone_reads_name_and_password():
    seen = drawn("bcdf;g7\\hjk2\n", "companion-kitchen-3fa9")
    assert seen.returncode == 0, seen.stderr
    assert scanned(seen.stdout) == r"WIFI:T:WPA;S:companion-kitchen-3fa9;P:bcdf\;g7\\hjk2;;"


def test_signs_with_a_meaning_of_their_own_are_marked():
    assert wifi_address("a:b", 'c,"d') == r"WIFI:T:WPA;S:a\:b;P:c\,\"d;;"


@pytest.mark.parametrize(("password", "words", "status"), [("", ["companion"], 1), ("secret", [], 2)])
def test_without_name_or_password_nothing_is_drawn(password: str, words: list[str], status: int):
    seen = drawn(password, *words)
    assert (seen.returncode, seen.stdout) == (status, "")
