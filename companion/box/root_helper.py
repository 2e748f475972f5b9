"""What root does for a table: the table leaves an order where a path unit of root's looks, and hears one word of it.

That is all it can ask for: no arguments, no choice of what is done. ``systemd/update`` and ``systemd/home-wifi`` are
such helpers; each looks into one folder of the first table's data folder, and believes nothing of what it finds there.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.system.systemd import is_box

READY = "ready"
"""The file in an inbox that wakes the helper."""


def serves(program: Path, data: Path) -> bool:
    """Whether this is the service of a box that has the helper, and this data folder the one in which it looks."""
    return is_box(data) and program.is_file()


def empty_inbox(inbox: Path) -> None:
    """Make the folder anew, for the companion's own eyes.

    Raises:
        OSError: The disk takes nothing.
    """
    shutil.rmtree(inbox, ignore_errors=True)
    inbox.mkdir(mode=0o700)


def wake(inbox: Path) -> None:
    """All that the helper needs is there.

    Raises:
        OSError: The disk takes nothing.
    """
    (inbox / f"{READY}.new").touch()
    (inbox / f"{READY}.new").rename(inbox / READY)


def last_word(status: Path) -> tuple[str, str]:
    """What the helper said last: ``working``, ``done``, ``failed`` or ``refused``, and of what; or nothing."""
    try:
        word, _, what = status.read_text("utf-8")[:200].rstrip("\n").partition(" ")
    except (OSError, ValueError):
        return "", ""
    return word, what


def spoken_ns(status: Path) -> int:
    """When it said so, by the file's clock; 0 = never."""
    try:
        return status.stat().st_mtime_ns
    except OSError:
        return 0
