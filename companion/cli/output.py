"""What each command does. Each imports what it needs when it runs: ``companion judge`` must not wait for OpenCV."""

from __future__ import annotations

import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path

DONE, NO, UNUSABLE = 0, 1, 2


def say(line: str) -> None:
    """One line of the answer, on standard output."""
    sys.stdout.write(f"{line}\n")


def say_wrong(line: str) -> None:
    """One sentence about what is wrong, on standard error."""
    sys.stderr.write(f"companion: {line}\n")


def say_data(line: str) -> None:
    """One line for another program, on standard output: UTF-8, whatever the terminal is set to."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")
    say(line)


def say_json(document: object) -> None:
    """One line of JSON, on standard output."""
    say_data(json.dumps(document, ensure_ascii=False))


def accept_every_letter() -> None:
    """A terminal that cannot show a letter shows its number, ``\\xe9``, and nothing ends because of it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def data_folder(said: Path | None) -> Path:
    """Where matches are kept: as said, or in the user's own place (for root and the service, the system's)."""
    if said is not None:
        return said
    if os.geteuid() == 0:
        return Path("/var/lib/companion")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "companion"
