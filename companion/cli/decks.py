"""``companion deck`` and ``companion stickers``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from companion.cli.output import DONE, NO, say, say_wrong
from companion.cli.progress import ProgressLine
from companion.errors import MOST_FAULTS, InputError
from companion.public.text import JSON


def deck_check(arguments: argparse.Namespace) -> int:
    """Name every fault of a deck."""
    from companion.games.registry import deck_module
    from companion.storage.toml_file import read_toml

    document = read_toml(arguments.file)
    faults, warnings = document.located(deck_module).check_deck(document.content)
    for fault in faults[:MOST_FAULTS]:
        say(document.locate(fault).what)
    if len(faults) > MOST_FAULTS:
        say(f"{arguments.file}: and {len(faults) - MOST_FAULTS} faults more; mend these first")
    for warning in warnings[: 3 * MOST_FAULTS]:
        say(f"{document.locate(warning).what} (only a warning)")
    if not faults:
        say(f"{arguments.file}: a good deck")
    return NO if faults else DONE


def deck_show(arguments: argparse.Namespace) -> int:
    """Print a deck."""
    from companion.games.registry import deck_module
    from companion.storage.toml_file import read_toml

    for line in read_toml(arguments.file).located(lambda deck: deck_module(deck).read_deck(deck)):
        say(line)
    return DONE


def _zones(file: Path) -> JSON:
    """The ``[table]`` of a match file, or of the zones that were drawn for a table.

    Raises:
        InputError: There is none, or it has faults.
    """
    from companion.public.layout import read_layout
    from companion.storage.toml_file import read_toml

    document = read_toml(file)
    if "table" not in document.content:
        raise InputError(f"{file}: there are no zones in this file; they stand in its [table]")
    document.located(lambda content: read_layout(content["table"]))
    return document.content["table"]


def stickers(arguments: argparse.Namespace) -> int:
    """Write the sheets."""
    from companion.games.registry import deck_module
    from companion.public.service import PrintOrder
    from companion.storage.toml_file import read_toml
    from companion.system.printing.orders import printed
    from companion.system.sticker_sheets import unprintable

    order = PrintOrder(
        what=arguments.what,
        size_mm=arguments.size_mm,
        paper=arguments.paper,
        labels=arguments.labels or "",
        language=arguments.language,
        only=tuple(filter(None, (arguments.only or "").split(","))),
        game=arguments.game,
        mark=arguments.mark or "",
    )
    if arguments.zones is not None:
        order = replace(order, table=_zones(arguments.zones))
    if arguments.deck is None:
        with ProgressLine("Drawing the sheets"):
            sheets = printed(order)
    else:
        document = read_toml(arguments.deck)
        module = document.located(deck_module)
        if arguments.game is not None and arguments.game != module.name:
            raise InputError(f"{arguments.deck}: is a deck of {module.name}, not of {arguments.game}; leave out --game")
        labels = document.located(module.stickers)
        with ProgressLine("Drawing the sheets"):
            sheets = printed(replace(order, deck=document.content))
        if missing := unprintable(labels.cards, arguments.language):
            numbers = ", ".join(missing)
            say_wrong(f"{arguments.deck}: no letters on paper for the names of {numbers}; their numbers stand there")
    try:
        arguments.out.write_bytes(sheets)
    except OSError as wrong:
        raise InputError(f"{arguments.out}: cannot be written ({wrong.strerror})") from wrong
    return DONE
