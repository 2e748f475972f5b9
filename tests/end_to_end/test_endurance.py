"""How much memory a table takes, and whether twelve hours change that.

Memory is the proportional set size (PSS) of referee and eye together, which counts what they share once.
"""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.faulty_table import LAID, MATCH, PATIENCE_S, POOL, STILL, Phone, children, entries, start
from support.flat_table import Laid, draw
from support.ports import free_port

from companion.storage.event_log import LOG_FILE, open_log
from companion.storage.join_codes import host_codes

pytestmark = pytest.mark.long
CARDS = [Laid(token, x_mm, y_mm) for token, x_mm, y_mm in (*LAID, *POOL)]
ENTRIES = 3000


def pss_mb(pid: int) -> float:
    """Of a program and those that it started."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return own / 1024 + sum(pss_mb(child) for child in children(pid))


def stand(folder: Path, wide_px: int) -> tuple[subprocess.Popen[bytes], int]:
    """A table in a program of its own, under a camera that costs nothing."""
    (folder / "data").mkdir()
    (folder / "match.toml").write_text(MATCH)
    names = []
    for number in (0, 1):
        picture = draw(CARDS, seed=number)
        if wide_px != picture.shape[1]:
            picture = cv2.resize(picture, (wide_px, wide_px * 9 // 16), interpolation=cv2.INTER_CUBIC)
        names.append(str(folder / f"{number}.npy"))
        np.save(names[-1], picture)
    (folder / STILL).write_text(json.dumps(names))
    port = free_port()
    return start(folder, port, "first"), port


@pytest.mark.parametrize(("wide_px", "allowed_mb"), [(2304, 300), (4608, 450)])
def test_twelve_hours_of_log_fit_into_memory_and_change_nothing(tmp_path: Path, wide_px: int, allowed_mb: float):
    """3,000 entries, one after the other, with a phone that hears each; then a restart that reads them all."""
    program, port = stand(tmp_path, wide_px)
    try:
        with open_log(tmp_path / "data") as paper:
            phone = Phone(port, host_codes(paper)[0])
        phone.health(lambda health: health["camera"] == "ok")
        time.sleep(5)
        measured: list[float] = []
        took_s: list[float] = []
        for number in range(1, ENTRIES, 2):
            place = {"do": "place", "by": 1, "card": "1-2", "from": "hand"}
            began_s = time.monotonic()
            assert phone.ask("/api/v1/moves", {"move": place})[0] == 200
            took_s.append(time.monotonic() - began_s)
            assert phone.ask("/api/v1/corrections", {"do": "undo"})[0] == 200
            if number % 300 == 299:
                measured.append(pss_mb(program.pid))
        phone.until(lambda told: told["number"] == ENTRIES)
        phone.close()
        numbers = [entry["number"] for entry in entries(tmp_path / "data")]
        assert numbers == list(range(1, ENTRIES + 1))
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(PATIENCE_S)
    program = start(tmp_path, port)
    program.send_signal(signal.SIGTERM)
    program.wait(PATIENCE_S)
    early, late = np.median(took_s[:100]), np.median(took_s[-100:])
    print(f"{wide_px} px: PSS {measured} MB; a move took {early:.3f} s, then {late:.3f} s")
    assert max(measured) < allowed_mb
    assert measured[-1] - measured[0] < 0.05 * allowed_mb
    assert late < 4 * early + 0.02
    assert (tmp_path / "data" / LOG_FILE).stat().st_size < 20e6
