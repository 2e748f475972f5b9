"""Keeps the program's memory together, and gives back what nothing needs any more."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import cache

M_ARENA_MAX = -8
"""Of glibc's ``mallopt``."""
MOST_ARENAS = 2


def keep_together() -> None:
    """Have all threads take memory from the same places; to be called before there are any.

    glibc has eight for each processor, so that threads need not wait for each other. Python's wait in any case, and
    each place keeps what its busiest moment needed.
    """
    _of_glibc("mallopt")(M_ARENA_MAX, MOST_ARENAS)


def give_back() -> None:
    """Drop what only holds itself, and have the C library return the pages that are free in between.

    A match that has ended holds itself in circles. Python looks for such circles seldom; two or three matches lie there
    by then, and the holes that they leave are too small for the next ones, so that the program grows match by match.
    """
    gc.collect()
    _of_glibc("malloc_trim")(0)


@cache
def _of_glibc(name: str) -> Callable[..., object]:
    """One of its functions; other C libraries have not got it, nor the places and holes that it is about."""
    try:
        return getattr(ctypes.CDLL(None), name)  # type: ignore[no-any-return]
    except (OSError, AttributeError):
        return lambda *_: None
