"""What a table is called, for the name of a Wi-Fi of the box's own.

The companion writes its part of that name where only its own group reads it. Run as root, this module says it to
``systemd/hotspot``, once it is sure that nothing was planted in the name's place::

    python -m companion.system.network_name
"""

from __future__ import annotations

import os
import pwd
import re
import sys
from pathlib import Path

from companion.storage.box import LONGEST_IN_NETWORK
from companion.system.console import checked_file, hang

NETWORK_FILE = "network"
"""Its name in the service's run-time folder. It is empty while nobody has named the table."""

OF_THE_SERVICE = (f"/run/companion/{NETWORK_FILE}", "companion")
"""The name's file and its owner on a box."""

_SIGNS = re.compile(r"[a-z0-9-]*")


def keep_network_name(part: str) -> None:
    """Say what the table is called, in the service's run-time folder; nowhere outside a service."""
    if folder := os.environ.get("RUNTIME_DIRECTORY"):
        hang(Path(folder) / NETWORK_FILE, part)


def checked_network_name(path: Path, owner: int) -> str:
    """The table's part of a Wi-Fi's name, for a reader who may read everything; empty = nobody has named the table.

    Args:
        path: The companion's own file.
        owner: The number of the companion's user.

    Raises:
        ValueError: There is none, or something else; says why.
    """
    content = checked_file(path, owner, LONGEST_IN_NETWORK)
    if content is None:
        raise ValueError(f"there is no {path}: the companion does not run")
    part = content.decode("ascii", errors="replace")
    if not _SIGNS.fullmatch(part):
        raise ValueError(f"{path} has signs that a Wi-Fi's name should not have")
    return part


def main(words: list[str]) -> int:
    """``[FILE USER]``: what ``systemd/hotspot`` asks, on a box without either."""
    file, user = words or OF_THE_SERVICE
    try:
        sys.stdout.write(checked_network_name(Path(file), pwd.getpwnam(user).pw_uid) + "\n")
    except KeyError:
        sys.stderr.write(f"the Wi-Fi keeps its name: there is no user {user}\n")
        return 1
    except ValueError as wrong:
        sys.stderr.write(f"the Wi-Fi keeps its name: {wrong}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
