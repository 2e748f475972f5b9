"""The registry of games, and opening a match from its files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from companion.errors import InputError, fault
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.darwinci.module import DARWINCI
from companion.games.discovery.module import DISCOVERY
from companion.games.game_module import GameModule
from companion.games.lands.module import LANDS
from companion.games.protocol import Game
from companion.public.codes import StickerCodes
from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.layout import Layout, read_layout
from companion.public.table import COMMAND_CARDS, SEAT_TAGS
from companion.public.text import JSON

GAMES: dict[str, GameModule] = {module.name: module for module in (DISCOVERY, CARCASSONNE, DARWINCI, LANDS)}
"""Every game by its name; a new game needs its package and its place in this line."""
DEFAULT_GAME = GAMES[DEFAULT_GAME_NAME]
"""The game of a match, deck or command that names none."""


@dataclass(frozen=True, slots=True)
class OpenedMatch:
    """A match ready for play.

    Attributes:
        header: ``{"match": …, "deck": …}``, the first line of the record.
        game: The game.
        layout: The zones.
    """

    header: Mapping[str, JSON]
    game: Game[Any, Any]
    layout: Layout


def game_module(name: JSON) -> GameModule:
    """The game with this name.

    Raises:
        InputError: There is none; the sentence lists the games.
    """
    if not isinstance(name, str) or name not in GAMES:
        message = "there is no game {value}; there are {known}"
        raise InputError(fault("match.fault.game", message, "game", value=repr(name), known=", ".join(GAMES)))
    return GAMES[name]


def deck_module(deck: JSON) -> GameModule:
    """The game of a deck, from ``game = "…"`` in its table ``deck``.

    Raises:
        InputError: There is no such game.
    """
    head = deck.get("deck") if isinstance(deck, Mapping) else None
    try:
        return game_module(head.get("game", DEFAULT_GAME.name) if isinstance(head, Mapping) else DEFAULT_GAME.name)
    except InputError as wrong:
        raise InputError(*(replace(one, where=("deck", "game")) for one in wrong.faults)) from wrong


def match_module(match: JSON, deck: JSON = None) -> GameModule:
    """The game of a match; if it names none, the game of its deck.

    Raises:
        InputError: It is not a match, or there is no such game.
    """
    if not isinstance(match, Mapping):
        raise InputError(fault("match.fault.form", "a match is a table of keys, such as profile and seat"))
    return game_module(match["game"]) if "game" in match else deck_module(deck)


def demo_deck(module: GameModule = DEFAULT_GAME) -> JSON:
    """The built-in deck of a game, as JSON."""
    return tomllib.loads(resources.files(module.package).joinpath("demo_deck.toml").read_text(encoding="utf-8"))


def history(module: GameModule) -> Mapping[str, Mapping[str, str]]:
    """A line of history for printed cards, by the card's English name and by language; empty if a game has none."""
    file = resources.files(module.package).joinpath("history.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def demo_match(module: GameModule = DEFAULT_GAME) -> JSON:
    """The match for newcomers."""
    return dict(module.demonstration.match)


def locale_folders() -> tuple[Path, ...]:
    """The folders of all catalogs: the core's and each game's."""
    packages = ("companion", *(module.package for module in GAMES.values()))
    return tuple(Path(str(resources.files(package))) / "locale" for package in packages)


def open_match(match: JSON, deck: JSON) -> OpenedMatch:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: All faults; or a thing is smaller than its sticker.
    """
    module, of_deck = match_module(match, deck), deck_module(deck)
    if module is not of_deck:
        message = "the deck is one of {deck}, but the match is one of {game}"
        raise InputError(fault("match.fault.deck_game", message, "game", deck=of_deck.name, game=module.name))
    game = module.open_match(match, deck)
    table = match.get("table")
    layout = game.table.layout if table is None else read_layout(table)
    return OpenedMatch({"match": dict(match), "deck": deck}, game, layout)


def sticker_codes(game: Game[Any, Any]) -> StickerCodes:
    """Every sticker that counts at a table with this game; those of other games are foreign."""
    return StickerCodes.of(game.table.cards, GAMES[game.name].letters) | StickerCodes.of((*COMMAND_CARDS, *SEAT_TAGS))
