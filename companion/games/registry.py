"""Which games there are, and how a match file becomes one of them at the table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.errors import InputError, fault
from companion.games.discovery.module import DISCOVERY
from companion.games.protocol import Game, GameModule
from companion.public.layout import Layout, read_layout
from companion.public.table import COMMAND_CARDS, SEAT_TAGS, Token
from companion.public.text import JSON

GAMES: Mapping[str, GameModule] = MappingProxyType({module.name: module for module in (DISCOVERY,)})
"""Every game by its name; the next one needs its folder and its place in this line."""
DEFAULT_GAME = DISCOVERY
"""The game of a match file that names none, and of the decks of a table: a deck file does not say its game."""


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


def demo_deck(module: GameModule = DEFAULT_GAME) -> JSON:
    """The built-in deck of a game, as JSON."""
    folder = resources.files(f"companion.games.{module.name}")
    return tomllib.loads(folder.joinpath("demo_deck.toml").read_text(encoding="utf-8"))


def demo_match(module: GameModule = DEFAULT_GAME) -> JSON:
    """The match that a newcomer is shown."""
    return dict(module.demo_match)


def locale_folders() -> tuple[Path, ...]:
    """The folders of all catalogs: the core's and each game's."""
    here = Path(str(resources.files("companion")))
    return (here / "locale", *(here / "games" / name / "locale" for name in GAMES))


def open_match(match: JSON, deck: JSON) -> OpenedMatch:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: With every fault.
    """
    if not isinstance(match, Mapping):
        raise InputError(fault("match.fault.form", "a match is a table of keys, such as profile and seat"))
    name = match.get("game", DEFAULT_GAME.name)
    if not isinstance(name, str) or name not in GAMES:
        said = "there is no game {value}; there are {known}"
        raise InputError(fault("match.fault.game", said, "game", value=repr(name), known=", ".join(GAMES)))
    game = GAMES[name].open_match(match, deck)
    table = match.get("table")
    layout = game.layout() if table is None else read_layout(table)
    return OpenedMatch({"match": dict(match), "deck": deck}, game, layout)


def accepted_tokens(game: Game[Any, Any]) -> frozenset[Token]:
    """Every sticker that counts at a table where this is played."""
    return frozenset(game.cards) | COMMAND_CARDS | SEAT_TAGS.keys()
