"""``companion scan``: reads the stickers in pictures."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, UNUSABLE, print_error, print_json, print_line
from companion.errors import InputError
from companion.games.registry import GAMES
from companion.public.codes import COMMON_LETTERS


def scan(arguments: argparse.Namespace) -> int:
    from vision.codes.scan import scan

    letters = {COMMON_LETTERS: None, **{module.letters: None for module in GAMES.values()}}
    unreadable = False
    for image in arguments.images:
        try:
            report = scan(image, tuple(letters))
        except InputError as wrong:
            print_error(str(wrong))
            unreadable = True
            continue
        if report.get("mirrored"):
            print_error(f"{image}: this picture is mirrored; switch that off in the app that took it")
        if arguments.json:
            print_json(report)
        else:
            tokens = " ".join(sighting["token"] for sighting in report["sightings"]) or "no stickers"
            print_line(
                f"{image}: {tokens}" + (f" (and {report['foreign']} foreign codes)" if report["foreign"] else "")
            )
    return UNUSABLE if unreadable else DONE
