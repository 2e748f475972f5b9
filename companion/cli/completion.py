"""``companion completion``: what makes a shell finish the commands and options of the companion."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, say_data

SHELLS = ("bash", "zsh", "fish")


def completion(arguments: argparse.Namespace) -> int:
    """Print the script that one shell reads."""
    import shtab

    parser: argparse.ArgumentParser = arguments.whole
    _name_files(parser)
    say_data(shtab.complete(parser, shell=arguments.shell).rstrip("\n"))
    return DONE


def _name_files(parser: argparse.ArgumentParser) -> None:
    """Where a file or a folder is wanted, the shell offers those."""
    import shtab

    for action in parser._actions:  # noqa: SLF001  argparse has no other way to walk through a parser
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for below in action.choices.values():
                _name_files(below)
        elif action.metavar == "DIR":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]


_FILES = frozenset(
    ("FILE", "FRAMES", "IMAGE", "RECORD", "SRC", "match.toml", "out.jsonl", "out.zip", "record.jsonl", "sheet.pdf")
)
