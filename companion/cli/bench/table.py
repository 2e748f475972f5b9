"""The bench of the whole table: matches played by dice, drawn, looked at, refereed, and compared with the truth."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.errors import CompanionError, InputError

CHECKOUT = Path(__file__).parents[3]
SCRIPT = CHECKOUT / "tests" / "tools" / "table_bench.py"
PICTURES = Path("bench-table")
"""What went wrong is kept there in pictures; nothing is made where nothing did."""


def table(long: bool) -> Iterator[str]:  # noqa: ARG001 - twenty whole matches are the bench, however long they take
    """Whole matches through pixels, all five profiles; the truth is the second judge's, who lives with the tests.

    The tests are no part of the program, so theirs is a process of its own.

    Raises:
        InputError: This is no checkout of the project.
        CompanionError: The process ended with a fault.
    """
    if not SCRIPT.is_file():
        raise InputError(
            f"this bench compares the referee with the second judge of the tests, and there are none in "
            f"{SCRIPT.parents[1]}: run it from a checkout of the project"
        )
    command = [sys.executable, str(SCRIPT), "--pictures", str(PICTURES)]
    modules = {"PYTHONPATH": os.pathsep.join((str(CHECKOUT), str(CHECKOUT / "tests")))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=os.environ | modules) as bench:
        assert bench.stdout is not None
        for line in bench.stdout:
            yield line.rstrip("\n")
    if bench.returncode:
        raise CompanionError(f"the bench of the table ended with status {bench.returncode}")
