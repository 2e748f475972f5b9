"""Keeps the program's memory compact, and returns what is not used any more."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import cache

M_ARENA_MAX = -8
"""Of glibc's ``mallopt``."""
MOST_ARENAS = 2


def keep_together() -> None:
    """Let all threads share a few memory arenas; call it before any thread starts.

    glibc has eight arenas for each processor, so that threads need not wait for each other. Python's threads wait
    anyway, and each arena keeps the memory of its busiest moment.
    """
    _of_glibc("mallopt")(M_ARENA_MAX, MOST_ARENAS)


def release_memory() -> None:
    """Collect reference cycles, and return free pages to the system.

    A finished match is full of reference cycles. Python collects cycles rarely; by then two or three matches have piled
    up, and the gaps they leave are too small for the next ones, so the program would grow with every match.
    """
    gc.collect()
    _of_glibc("malloc_trim")(0)


@cache
def _of_glibc(name: str) -> Callable[..., object]:
    """A glibc function; with another C library, a function that does nothing."""
    try:
        return getattr(ctypes.CDLL(None), name)  # type: ignore[no-any-return]
    except (OSError, AttributeError):
        return lambda *_: None
