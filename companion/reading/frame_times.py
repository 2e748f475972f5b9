"""The list of a recording's pictures, with the times when they were taken."""

from __future__ import annotations

from pathlib import Path

TIMES_FILE = "frames.csv"
SAME_S = 0.0005
"""The largest difference between a time and the same time read back from a file."""
TIMES_HEAD = "name,time_ms\n"


def times_line(name: str, taken_s: float) -> str:
    r"""A picture's line in the list.

    >>> times_line("000001.png", 1.5)
    '000001.png,1500.000000\n'
    """
    return f"{name},{taken_s * 1000:.6f}\n"


def read_times(folder: Path) -> list[tuple[str, float]]:
    """The existing pictures of a recording, with their seconds.

    The recording may have been interrupted: an incomplete last line is left out.
    """
    table = folder / TIMES_FILE
    if not table.is_file():
        return []
    kept = []
    for line in table.read_text("utf-8").splitlines(keepends=True)[1:]:
        name, _, time_ms = line.partition(",")
        if line.endswith("\n") and (folder / name).is_file():
            kept.append((name, float(time_ms) / 1000))
    return kept
