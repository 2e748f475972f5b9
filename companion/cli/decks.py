"""``companion deck`` and ``companion stickers``."""

from __future__ import annotations

import argparse

from companion.cli.output import DONE, NO, say
from companion.errors import InputError


def deck_check(said: argparse.Namespace) -> int:
    """Name every fault of a deck."""
    from companion.games.discovery.deck import check
    from companion.storage.toml_file import read_toml

    document = read_toml(said.file)
    faults, warnings = check(document.content)
    for fault in faults:
        say(document.locate(fault).what)
    for warning in warnings:
        say(f"{document.locate(warning).what} (only a warning)")
    if not faults:
        say(f"{said.file}: a good deck")
    return NO if faults else DONE


def deck_show(said: argparse.Namespace) -> int:
    """Print a deck."""
    from companion.games.discovery.deck import read
    from companion.storage.toml_file import read_toml

    document = read_toml(said.file)
    deck = document.located(read)
    say(f"{deck.name} ({deck.edition})")
    for card in deck.cards.values():
        needs = "?" if card.prerequisites is None else ", ".join(sorted(card.prerequisites)) or "-"
        say(f"{card.id}  {card.names.get('en', '?'):<28} {card.family or '?':<11} needs {needs}")
    return DONE


def stickers(said: argparse.Namespace) -> int:
    """Write the sheets."""
    import datetime

    from companion.games.discovery.deck import read
    from companion.games.registry import demo_deck
    from companion.storage.toml_file import read_toml
    from companion.system.sticker_sheets import pdf

    deck = read(demo_deck()) if said.deck is None else read_toml(said.deck).located(read)
    sheets = pdf(deck, datetime.date.today(), size_mm=said.size_mm, paper=said.paper, language=said.language)
    try:
        said.out.write_bytes(sheets)
    except OSError as wrong:
        raise InputError(f"{said.out}: cannot be written ({wrong.strerror})") from wrong
    return DONE
