"""``companion scan``: reads the stickers in pictures."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, UNUSABLE, say, say_json, say_wrong
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
            say_wrong(str(wrong))
            unreadable = True
            continue
        if arguments.json:
            say_json(report)
        else:
            tokens = " ".join(sighting["token"] for sighting in report["sightings"]) or "no stickers"
            say(f"{image}: {tokens}" + (f" (and {report['foreign']} foreign codes)" if report["foreign"] else ""))
    return UNUSABLE if unreadable else DONE
