"""A box without a prompt: its address and codes in the journal and on its console."""

from __future__ import annotations

import re
import stat
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
import zxingcpp

from companion.system.console import ISSUE_FILE, NO_NETWORK, issue_text, keep_issue_current


def scanned(text: str) -> str:
    """The code as a phone reads it off a console: light on dark, two rows of pixels a line."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    lit = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    lines = [line for line in plain.splitlines() if line and set(line) <= lit.keys()]
    wide = max(len(line) for line in lines)
    rows = [[lit[sign][half] for sign in line.ljust(wide)] for line in lines for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((6, 6), np.uint8))
    (code,) = zxingcpp.read_barcodes(cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255))
    return str(code.text)


def test_the_board_can_be_scanned_and_read():
    text = issue_text("http://192.168.1.20:8080", "ABCDEF")
    assert scanned(text) == "http://192.168.1.20:8080"
    assert "Host code: ABC DEF" in text
    assert "\\" not in text  # consoles would take it for one of their own signs


def test_the_board_follows_the_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Started before any network was there; then the Pi's own Wi-Fi, then another."""
    addresses, asked = [NO_NETWORK], threading.Event()

    def address() -> str:
        asked.set()
        return addresses[-1]

    def wait(wanted: str) -> str:
        until_s = time.monotonic() + 20
        while not (tmp_path / ISSUE_FILE).exists() or wanted not in (tmp_path / ISSUE_FILE).read_text():
            assert time.monotonic() < until_s
            time.sleep(0.02)
        return (tmp_path / ISSUE_FILE).read_text()

    stop = keep_issue_current(8080, "ABCDEF", folder=tmp_path, address=address, look_s=0.05)
    try:
        assert asked.wait(20)
        assert not (tmp_path / ISSUE_FILE).exists()
        addresses.append("10.42.0.1")
        assert scanned(wait("10.42.0.1")) == "http://10.42.0.1:8080"
        assert stat.S_IMODE((tmp_path / ISSUE_FILE).stat().st_mode) == 0o644
        addresses.append("192.168.1.20")
        wait("192.168.1.20")
    finally:
        stop()
    assert capsys.readouterr().out == "Scoreboard: http://10.42.0.1:8080\nScoreboard: http://192.168.1.20:8080\n"
