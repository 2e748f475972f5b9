"""``companion host``: lets the next phone become host."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, become_owner, data_folder, print_line
from companion.errors import Fault, InputError
from companion.service.first_phone import ask_for_first_phone


def host(arguments: argparse.Namespace) -> int:
    folder = data_folder(arguments.data)
    become_owner(folder)
    try:
        ask_for_first_phone(folder)
    except OSError as error:
        raise InputError(
            Fault(f"{folder} takes nothing ({error.strerror}): use --data, or the user it belongs to")
        ) from error
    print_line("For one minute the first phone that presses the button on the scoreboard becomes the host.")
    return DONE
