"""Waiting for what another thread or another program does."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait(for_what: Callable[[], object], within_s: float = 120.0) -> None:
    """Until it is true; a test fails where it does not become true in time."""
    end_s = time.monotonic() + within_s
    while not for_what():
        assert time.monotonic() < end_s
        time.sleep(0.02)
