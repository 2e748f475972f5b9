"""How much of a test belongs into ``./test``, and how much into ``./test --long``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

LONG = "COMPANION_LONG_TESTS" in os.environ
"""``./test --long`` sets it."""


def rest_long(cases: Sequence[Any], quick: int = 1) -> list[Any]:
    """Cases for ``pytest.mark.parametrize``: the first ``quick`` as they are, the others marked ``long``."""
    return [*cases[:quick], *(_marked_long(case) for case in cases[quick:])]


def _marked_long(case: Any) -> Any:
    if hasattr(case, "marks"):  # made by pytest.param
        return pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.long])
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.long)


def examples(quick: int, long: int) -> int:
    """How many examples Hypothesis tries."""
    return long if LONG else quick
