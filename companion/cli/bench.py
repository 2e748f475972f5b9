"""``companion bench eye``: measures how fast pictures are read on this machine."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, print_line
from companion.cli.progress import ProgressLine
from companion.errors import InputError


def bench(arguments: argparse.Namespace) -> int:
    """Read drawn films and print the figures, each beside its baseline."""
    if arguments.name != "eye":
        raise InputError(
            f"only the eye is measured here; other benches are a developer's, in a checkout: "
            f"python -m tests.bench {arguments.name}"
        )
    from vision.bench import bench as figures

    with ProgressLine("Measuring the eye"):
        for name, value in figures():
            print_line(f"eye: {name}: {value}")
    return DONE
