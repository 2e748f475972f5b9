"""The table's name, as part of the name of the box's own Wi-Fi.

The companion writes that part where only its own group can read it. Run as root, this module prints it for
``systemd/hotspot``, after checking that the file was not planted::

    python -m companion.system.network_name
"""

from __future__ import annotations

import os
import pwd
import re
import sys
from pathlib import Path

from companion.public.machine import LONGEST_IN_NETWORK
from companion.system.console import checked_file, hang

NETWORK_FILE = "network"
"""In the service's run-time folder. It is empty while the table has no name."""

OF_THE_SERVICE = (f"/run/companion/{NETWORK_FILE}", "companion")
"""The name's file and its owner on a box."""

_SIGNS = re.compile(r"[a-z0-9-]*")


def keep_network_name(part: str) -> None:
    """Write the table's name into the service's run-time folder; does nothing outside a service."""
    if folder := os.environ.get("RUNTIME_DIRECTORY"):
        hang(Path(folder) / NETWORK_FILE, part)


def checked_network_name(path: Path, owner: int) -> str:
    """Read the table's part of a Wi-Fi's name as root; empty = the table has no name.

    Args:
        path: The companion's own file.
        owner: The number of the companion's user.

    Raises:
        ValueError: There is none, or it is not valid; says why.
    """
    content = checked_file(path, owner, LONGEST_IN_NETWORK)
    if content is None:
        raise ValueError(f"there is no {path}: the companion does not run")
    part = content.decode("ascii", errors="replace")
    if not _SIGNS.fullmatch(part):
        raise ValueError(f"{path} has signs that a Wi-Fi's name should not have")
    return part


def main(words: list[str]) -> int:
    """``[FILE USER]``; ``systemd/hotspot`` runs it, on a box without arguments."""
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
