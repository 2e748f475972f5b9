"""What a table is called, for the name of a Wi-Fi of the box's own.

The companion writes its part of that name where only its own group reads it. Run as root, this module puts a copy where
``systemd/hotspot`` finds it, in a folder of root's own::

    python -m companion.system.network_name /run/companion/network /run/companion-board/network companion
"""

from __future__ import annotations

import os
import pwd
import re
import sys
from pathlib import Path

from companion.storage.box import LONGEST_IN_NETWORK
from companion.system.console import checked_file, hang, write_copy

NETWORK_FILE = "network"
"""Its name in the service's run-time folder. It is empty while nobody has named the table."""

_SIGNS = re.compile(r"[a-z0-9-]*")


def keep_network_name(part: str) -> None:
    """Say what the table is called, in the service's run-time folder; nowhere outside a service."""
    if folder := os.environ.get("RUNTIME_DIRECTORY"):
        hang(Path(folder) / NETWORK_FILE, part)


def post_network_name(source: Path, target: Path, owner: int) -> None:
    """Copy the name into root's own folder; where there is none the copy stays, for tables keep names at a restart.

    Args:
        source: The companion's own file.
        target: The copy.
        owner: The number of the companion's user.

    Raises:
        ValueError: What is there is no part of a Wi-Fi's name; the copy is taken away.
        OSError: The copy cannot be written.
    """
    try:
        content = checked_file(source, owner, LONGEST_IN_NETWORK)
        if content is None:
            return
        part = content.decode("ascii", errors="replace")
        if not _SIGNS.fullmatch(part):
            raise ValueError(f"{source} has signs that a Wi-Fi's name should not have")
    except ValueError:
        target.unlink(missing_ok=True)
        raise
    write_copy(target, part)


def main(words: list[str]) -> int:
    """``SOURCE TARGET USER``: what ``companion-board.service`` runs."""
    source, target, user = words
    try:
        post_network_name(Path(source), Path(target), pwd.getpwnam(user).pw_uid)
    except KeyError:
        sys.stderr.write(f"the Wi-Fi has no name of its table: there is no user {user}\n")
        return 1
    except (ValueError, OSError) as wrong:
        sys.stderr.write(f"the Wi-Fi has no name of its table: {wrong}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
