"""What root does for a table: the table leaves an order where a path unit with root rights looks, and reads the reply.

An order has no arguments and no choice of action. ``systemd/update`` and ``systemd/home-wifi`` are such helpers; each
looks into one folder of the first table's data folder, and trusts nothing it finds there.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from companion.system.systemd import is_box

READY = "ready"
"""The file in an inbox that wakes the helper."""


def serves(program: Path, data: Path) -> bool:
    """Whether this is the service of a box that has the helper, and this is the data folder that the helper watches."""
    return is_box(data) and program.is_file()


def empty_inbox(inbox: Path) -> None:
    """Make the folder again, readable only by its owner.

    Raises:
        OSError: It could not be written.
    """
    shutil.rmtree(inbox, ignore_errors=True)
    inbox.mkdir(mode=0o700)


def wake(inbox: Path) -> None:
    """Wake the helper, when all it needs is there.

    Raises:
        OSError: It could not be written.
    """
    (inbox / f"{READY}.new").touch()
    (inbox / f"{READY}.new").rename(inbox / READY)


def last_status(status: Path) -> tuple[str, str]:
    """The helper's last status (``working``, ``done``, ``failed``, ``refused``) and its subject; both may be empty."""
    try:
        word, _, what = status.read_text("utf-8")[:200].rstrip("\n").partition(" ")
    except (OSError, ValueError):
        return "", ""
    return word, what


def status_ns(status: Path) -> int:
    """When the helper last wrote its status, by the file's clock; 0 = never."""
    try:
        return status.stat().st_mtime_ns
    except OSError:
        return 0
