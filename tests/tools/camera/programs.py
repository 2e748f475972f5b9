"""Runs the tests of ``play.py`` and ``usb.py``, each in a program of its own, as one would meet a camera."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import DeviceError


def run_tests(module: Mapping[str, Any]) -> int:
    """Run every test of a program, or in this one the function that its command line names; 0 = all is well.

    Args:
        module: The globals of the program.
    """
    if sys.argv[1:]:
        module[sys.argv[1]]()
        return 0
    tests = [name for name in module if name.startswith("test_")]
    failed = 0
    for name in tests:
        began_s = time.monotonic()
        status = subprocess.run([sys.executable, module["__file__"], name], check=False).returncode
        failed += status != 0
        sys.stdout.write(f"{name}: {'FAILED' if status else 'passed'} ({time.monotonic() - began_s:.1f} s)\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(tests) - failed} passed, {failed} failed\n")
    return int(failed > 0)


def fails(open_it: Callable[[], object]) -> str:
    """The one sentence with which a camera fails."""
    try:
        open_it()
    except DeviceError as error:
        say(str(error))
        return str(error)
    raise AssertionError("it did not fail")


def say(words: str) -> None:
    """A line of a test's own."""
    sys.stdout.write(f"    {words}\n")
    sys.stdout.flush()
