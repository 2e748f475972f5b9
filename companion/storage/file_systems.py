"""What kind of file system a path is on, and whether it can only be read."""

from __future__ import annotations

import os
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")


def is_read_only(path: Path) -> bool:
    """Whether a path is on a file system that can only be read."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def file_system(path: Path, mounts: Path = MOUNTS) -> str:
    """The kind of the file system that a path is on, such as ``ext4``; empty if that is not known."""
    there = next((one for one in (path, *path.parents) if one.exists()), None)
    return "" if there is None else kind_of(there.stat().st_dev, mounts)


def kind_of(device: int, mounts: Path = MOUNTS) -> str:
    """The kind of file system with this device number (proc(5): the third field, and the first after the hyphen)."""
    number = f"{os.major(device)}:{os.minor(device)}"
    try:
        rows = [line.split() for line in mounts.read_text("utf-8", errors="replace").splitlines()]
    except OSError:
        return ""
    return next((row[row.index("-") + 1] for row in rows if len(row) > 6 and row[2] == number and "-" in row), "")
