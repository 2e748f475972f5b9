"""Which games there are, and how a match file becomes one of them at the table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from companion.errors import InputError, fault
from companion.games.discovery import deck as discovery_deck
from companion.games.discovery import match_file as discovery_match
from companion.games.protocol import Game
from companion.public.layout import Layout, read_layout
from companion.public.table import COMMAND_CARDS, SEAT_TAGS, Token
from companion.public.text import JSON
from companion.storage.toml_file import Document

GAMES = {"discovery": discovery_match.open_match}
"""A game's name to what opens a match of it, from the match file and the deck file as JSON."""


@dataclass(frozen=True, slots=True)
class OpenedMatch:
    """A match ready to be played.

    Attributes:
        header: ``{"match": …, "deck": …}`` as the record's first line keeps it.
        game: The game.
        layout: Where things lie.
    """

    header: Mapping[str, JSON]
    game: Game[Any, Any]
    layout: Layout


def demo_deck() -> JSON:
    """The built-in deck, as JSON."""
    text = resources.files("companion.games.discovery").joinpath("demo_deck.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def locale_folders() -> tuple[Path, ...]:
    """The folders of all catalogs: the core's and each game's."""
    here = Path(str(resources.files("companion")))
    return (here / "locale", *(here / "games" / name / "locale" for name in GAMES))


def open_match(match: JSON, deck: JSON, document: Document | None = None) -> OpenedMatch:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: With every fault.
    """

    def opened(match: JSON) -> OpenedMatch:
        if not isinstance(match, Mapping):
            raise InputError(fault("match.fault.form", "a match is a table of keys, such as profile and seat"))
        name = match.get("game", "discovery")
        if name not in GAMES:
            said = "there is no game {value}; there are {known}"
            raise InputError(fault("match.fault.game", said, "game", value=repr(name), known=", ".join(GAMES)))
        game = GAMES[str(name)](match, discovery_deck.read(deck))
        table = match.get("table")
        layout = game.layout() if table is None else read_layout(table)
        return OpenedMatch({"match": dict(match), "deck": deck}, game, layout)

    return opened(match) if document is None else document.located(opened)


def accepted_tokens(game: Game[Any, Any]) -> frozenset[Token]:
    """Every sticker that counts at a table where this is played."""
    return frozenset(game.cards) | COMMAND_CARDS | SEAT_TAGS.keys()


DEMO_NAMES = ("Ana", "Ben", "Cléo")


def demo_match() -> JSON:
    """The match that a newcomer is shown."""
    return {
        "game": "discovery",
        "profile": "fr-explore",
        "dealer": len(DEMO_NAMES),
        "seat": [{"name": name} for name in DEMO_NAMES],
    }
