"""``companion completion``: the script with which a shell completes the companion's commands and options."""

from __future__ import annotations

import argparse
from typing import Any

import shtab

from companion.cli.output import DONE, print_data

SHELLS = ("bash", "zsh", "fish")
_FILES = frozenset(
    ("FILE", "FRAMES", "IMAGE", "RECORD", "SRC", "match.toml", "out.jsonl", "out.zip", "record.jsonl", "sheet.pdf")
)


class CommandParser(argparse.ArgumentParser):
    """A parser that tells the shell, by the placeholders in its help, which arguments are files and folders."""

    def add_argument(self, *names: Any, **how: Any) -> argparse.Action:
        action = super().add_argument(*names, **how)
        if action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # shtab's attribute
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        return action


def completion(arguments: argparse.Namespace) -> int:
    print_data(shtab.complete(arguments.whole, shell=arguments.shell).rstrip("\n"))
    return DONE
