"""``companion completion``: what makes a shell finish the commands and options of the companion."""

from __future__ import annotations

import argparse
from typing import Any

import shtab

from companion.cli.output import DONE, say_data

SHELLS = ("bash", "zsh", "fish")
_FILES = frozenset(
    ("FILE", "FRAMES", "IMAGE", "RECORD", "SRC", "match.toml", "out.jsonl", "out.zip", "record.jsonl", "sheet.pdf")
)


class CommandParser(argparse.ArgumentParser):
    """A parser whose files and folders a shell can finish: the words in its help tell which these are."""

    def add_argument(self, *names: Any, **how: Any) -> argparse.Action:
        """As in argparse."""
        action = super().add_argument(*names, **how)
        if action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # shtab's own word
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        return action


def completion(arguments: argparse.Namespace) -> int:
    """Print the script that one shell reads."""
    say_data(shtab.complete(arguments.whole, shell=arguments.shell).rstrip("\n"))
    return DONE
