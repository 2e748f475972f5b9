"""A whole simulated table for the browser's tests, and the screens on which it is looked at."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.ports import free_port

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "television": (1920, 1080)}
"""Width and height in CSS pixels."""


@contextmanager
def patient_eye() -> Iterator[None]:
    """On a busy machine the eye may need longer to start than a Pi gives it; it is not taken for hanging then."""
    import vision.process.supervisor

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.process.supervisor, "HANGING_AFTER_S", 120.0)
        patch.setattr(vision.process.supervisor, "SILENT_AFTER_S", 120.0)
        yield


def simulated_table(data: Path, speed: float = 1.0, match: Path | None = None) -> Iterator[tuple[str, str]]:
    """Runs a simulated table that keeps its matches in a folder; ``match``: the match file, else the newcomer's."""
    from companion.app.table import RunningTable, TableOptions
    from companion.cli.run import offer_box
    from companion.storage.join_codes import host_codes

    port = free_port()
    with patient_eye(), ExitStack() as stack:
        table = RunningTable(TableOptions(data, "simulated", match, port=port, seed=7, speed=speed), stack, offer_box)
        running = threading.Thread(target=table.runner.run)
        table.open()
        running.start()
        yield f"http://127.0.0.1:{port}", host_codes(table.runner.log)[0]
        table.runner.stop()
        running.join(timeout=10)
