"""``companion deck`` and ``companion stickers``."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, NO, say
from companion.errors import MOST_FAULTS, InputError


def deck_check(said: argparse.Namespace) -> int:
    """Name every fault of a deck."""
    from companion.games.registry import DEFAULT_GAME
    from companion.storage.toml_file import read_toml

    document = read_toml(said.file)
    faults, warnings = DEFAULT_GAME.check_deck(document.content)
    for fault in faults[:MOST_FAULTS]:
        say(document.locate(fault).what)
    if len(faults) > MOST_FAULTS:
        say(f"{said.file}: and {len(faults) - MOST_FAULTS} faults more; mend these first")
    for warning in warnings[: 3 * MOST_FAULTS]:
        say(f"{document.locate(warning).what} (only a warning)")
    if not faults:
        say(f"{said.file}: a good deck")
    return NO if faults else DONE


def deck_show(said: argparse.Namespace) -> int:
    """Print a deck."""
    from companion.games.registry import DEFAULT_GAME
    from companion.storage.toml_file import read_toml

    for line in read_toml(said.file).located(DEFAULT_GAME.read_deck):
        say(line)
    return DONE


def stickers(said: argparse.Namespace) -> int:
    """Write the sheets."""
    import datetime

    from companion.games.registry import DEFAULT_GAME, demo_deck
    from companion.storage.toml_file import read_toml
    from companion.system.sticker_sheets import pdf
    from web.games.discovery.faces import pictogram_of

    if said.deck is None:
        labels = DEFAULT_GAME.stickers(demo_deck())
    else:
        labels = read_toml(said.deck).located(DEFAULT_GAME.stickers)
    today = datetime.date.today()
    how = {"size_mm": said.size_mm, "paper": said.paper, "language": said.language}
    sheets = pdf(labels, today, **how, pictogram_of=pictogram_of)
    try:
        said.out.write_bytes(sheets)
    except OSError as wrong:
        raise InputError(f"{said.out}: cannot be written ({wrong.strerror})") from wrong
    return DONE
