"""``companion deck`` and ``companion stickers``."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, NO, say
from companion.cli.progress import ProgressLine
from companion.errors import MOST_FAULTS, InputError


def deck_check(said: argparse.Namespace) -> int:
    """Name every fault of a deck."""
    from companion.games.registry import deck_module
    from companion.storage.toml_file import read_toml

    document = read_toml(said.file)
    faults, warnings = document.located(deck_module).check_deck(document.content)
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
    from companion.games.registry import deck_module
    from companion.storage.toml_file import read_toml

    for line in read_toml(said.file).located(lambda deck: deck_module(deck).read_deck(deck)):
        say(line)
    return DONE


def stickers(said: argparse.Namespace) -> int:
    """Write the sheets."""
    import datetime

    from companion.games.registry import DEFAULT_GAME, deck_module, demo_deck, game_module
    from companion.storage.toml_file import read_toml
    from companion.system.sticker_sheets import pdf
    from web.games.registry import GAME_PAGES

    module = DEFAULT_GAME if said.game is None else game_module(said.game)
    if said.deck is None:
        labels = module.stickers(demo_deck(module))
    else:
        document = read_toml(said.deck)
        of_deck = document.located(deck_module)
        if said.game is not None and of_deck is not module:
            raise InputError(f"{said.deck}: is a deck of {of_deck.name}, not of {module.name}; leave out --game")
        module, labels = of_deck, document.located(of_deck.stickers)
    today = datetime.date.today()
    size_mm = module.sticker_mm if said.size_mm is None else said.size_mm
    how = {"size_mm": size_mm, "paper": said.paper, "language": said.language}
    with ProgressLine("Drawing the sheets"):
        sheets = pdf(labels, today, **how, pictogram_of=GAME_PAGES[module.name].pictogram_of)
    try:
        said.out.write_bytes(sheets)
    except OSError as wrong:
        raise InputError(f"{said.out}: cannot be written ({wrong.strerror})") from wrong
    return DONE
