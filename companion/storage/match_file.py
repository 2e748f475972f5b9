"""A match file and the deck that it names."""

from __future__ import annotations

from pathlib import Path

from companion.errors import Fault, InputError, shortened
from companion.games.registry import OpenedMatch, deck_module, demo_deck, match_module, open_match
from companion.public.text import JSON
from companion.storage.toml_file import read_toml


def read_deck(path: Path) -> JSON:
    """A deck file as JSON, checked.

    Raises:
        InputError: With every fault, naming file, line and key.
    """
    document = read_toml(path)
    document.located(lambda deck: deck_module(deck).decks.read(deck))
    return document.content


def read_match(path: Path) -> OpenedMatch:
    """Open a match file with its deck.

    Raises:
        InputError: With every fault, naming file, line and key.
    """
    document = read_toml(path)
    named = document.content.get("deck")
    if named is None:
        deck = demo_deck(document.located(match_module))
    else:
        if not isinstance(named, str):
            raise InputError(document.locate(Fault(f"{named!r} should be a file's name", ("deck",))))
        if not _is_file(path.parent / named):
            raise InputError(
                document.locate(Fault(f"there is no file {shortened(str(path.parent / named))}", ("deck",)))
            )
        deck = read_deck(path.parent / named)
    return document.located(lambda match: open_match(match, deck))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
