"""The public faces: their calls run as doctests, their names exist, and importing them loads nothing heavy."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = ("companion", "companion.history", "companion.referee", "companion.service", "companion.storage")
HEAVY = ("cv2", "flask", "sqlite3", "numpy", "babel")


@pytest.mark.parametrize("name", PACKAGES)
def test_the_calls_in_a_facade_s_docstring_do_what_they_say(name: str) -> None:
    tested = doctest.testmod(import_module(name))
    assert tested.attempted > 0
    assert tested.failed == 0


@pytest.mark.parametrize("name", PACKAGES)
def test_a_facade_has_every_name_that_it_promises_and_no_other(name: str) -> None:
    package = import_module(name)
    for promised in package._LAZY:
        assert getattr(package, promised).__module__.startswith("companion.") or promised == "Command"
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = package.Nonsense


@pytest.mark.parametrize("name", PACKAGES)
def test_importing_a_facade_loads_nothing_heavy(name: str) -> None:
    code = f"import {name}, sys; print([heavy for heavy in {HEAVY} if heavy in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
