"""A whole table, simulated: real pictures of a clumsy evening, and the few of them that are kept."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.ports import free_port
from support.real_table import patient_eye

from companion.app.table import RunningTable, TableOptions
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots

PATIENCE_S = 200.0


@pytest.mark.long
def test_a_clumsy_evening_leaves_pictures_of_its_refusals_and_of_nothing_else(tmp_path: Path):
    with patient_eye(), ExitStack() as stack:
        table = RunningTable(TableOptions(tmp_path, "simulated", port=free_port(), seed=2, speed=20.0), stack)
        table.open()
        host = threading.Thread(target=table.runner.run)
        host.start()
        try:
            match = table.runner.stored.id
            deadline_s = time.monotonic() + PATIENCE_S
            while len(Snapshots(tmp_path / SNAPSHOT_FOLDER).counts(match)) < 2 and time.monotonic() < deadline_s:
                time.sleep(0.2)
            refused = {
                entry["number"]
                for entry in table.runner.log.entries(match)
                if entry["event"] in ("refused", "question", "unexplained")
            }
        finally:
            table.runner.stop()
            host.join(20)
    album = Snapshots(tmp_path / SNAPSHOT_FOLDER)
    kept = album.counts(match)
    assert len(kept) >= 2
    first = min(kept)
    assert first in refused
    for jpeg in album.pictures(match, first):
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert picture.shape[1] <= 1600
        assert picture.std() > 10, "something can be seen"
    assert set(kept) & refused == {number for number in kept if number <= max(refused)}
