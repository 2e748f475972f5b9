"""Gives memory that nothing needs any more back to the system."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Drop what only holds itself, and have the C library return the pages that are free in between.

    A match that has ended holds itself in circles. Python looks for such circles seldom; two or three matches lie there
    by then, and the holes that they leave are too small for the next ones, so that the program grows match by match.
    """
    gc.collect()
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    """glibc's ``malloc_trim``; other C libraries have none, and none of its holes."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return int
