"""The games that are installed here, and opening a match from its files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint
from itertools import takewhile
from pathlib import Path
from typing import Any

from companion.errors import Fault, InputError, fault, shortened
from companion.games.game_module import GameModule
from companion.games.guard import guarded, guarded_function
from companion.games.protocol import Game
from companion.public.codes import StickerCodes
from companion.public.decks import DEFAULT_GAME_NAME
from companion.public.entry_points import LoadError, entry_points_of, load, package_of
from companion.public.layout import Layout, read_layout
from companion.public.table import COMMAND_CARDS, SEAT_TAGS
from companion.public.text import JSON

GROUP = "companion.games"


class NoGame(InputError, KeyError):
    """A game is not installed here, or cannot be played."""

    __str__ = InputError.__str__


class Games(Mapping[str, GameModule]):
    """Every game that can be played here, by name; the default one first. Each is loaded when it is asked for."""

    def __getitem__(self, name: JSON) -> GameModule:
        """The game with this name.

        Raises:
            NoGame: There is none; the sentence says why, or which there are.
        """
        if not isinstance(name, str) or name not in entry_points_of(GROUP):
            message = "there is no game {value}; there are {known}, and others once their package is installed"
            raise NoGame(
                fault("match.fault.game", message, "game", value=shortened(repr(name), 60), known=", ".join(self))
            )
        found = _load(entry_points_of(GROUP)[name])
        if isinstance(found, Fault):
            raise NoGame(found)
        for other in takewhile(lambda one: one != name, _names()):
            before = _load(entry_points_of(GROUP)[other])
            if isinstance(before, GameModule) and before.letters == found.letters:
                message = "the stickers of {game} begin with {letters}, as those of {other} do: uninstall {package}"
                words = {"letters": found.letters, "other": other, "package": package_of(entry_points_of(GROUP)[name])}
                raise NoGame(fault("game.fault.letters", message, game=name, **words))
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name in _names() if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def faults(self) -> Iterator[NoGame]:
        """Why games that are installed cannot be played."""
        for name in _names():
            try:
                self[name]
            except NoGame as wrong:
                yield wrong


def _names() -> list[str]:
    return sorted(entry_points_of(GROUP), key=lambda name: name != DEFAULT_GAME_NAME)


@cache
def _load(door: EntryPoint) -> GameModule | Fault:
    try:
        found = load(door)
        if not isinstance(found, GameModule) or found.name != door.name:
            raise TypeError(f"{door.value} is not its GameModule")
    except Exception as wrong:  # noqa: BLE001  # whatever a stranger's code raises, the other games are played
        message = "the game {game} does not load ({why}): install {package} again, or uninstall it"
        why = str(wrong) if isinstance(wrong, LoadError) else f"{type(wrong).__name__}: {wrong}"
        return fault("game.fault.load", message, game=door.name, why=why, package=package_of(door))
    return found


GAMES = Games()


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


def game_module(name: JSON = DEFAULT_GAME_NAME) -> GameModule:
    """The game with this name; without one, that of a match, deck or command that names none.

    Raises:
        NoGame: There is none.
    """
    return GAMES[name]


def named_game(match: JSON, deck: JSON = None) -> JSON:
    """The game that a match names, else the one that its deck names (``game = "…"`` in its table ``deck``)."""
    head = deck.get("deck") if isinstance(deck, Mapping) else None
    of_deck = head.get("game", DEFAULT_GAME_NAME) if isinstance(head, Mapping) else DEFAULT_GAME_NAME
    return match.get("game", of_deck) if isinstance(match, Mapping) else of_deck


def deck_module(deck: JSON) -> GameModule:
    """The game of a deck.

    Raises:
        NoGame: There is no such game.
    """
    try:
        return GAMES[named_game(None, deck)]
    except NoGame as wrong:
        raise NoGame(*(replace(one, where=("deck", "game")) for one in wrong.faults)) from wrong


def match_module(match: JSON, deck: JSON = None) -> GameModule:
    """The game of a match; if it names none, the game of its deck.

    Raises:
        InputError: It is not a match, or there is no such game.
    """
    if not isinstance(match, Mapping):
        raise InputError(fault("match.fault.form", "a match is a table of keys, such as profile and seat"))
    return GAMES[match["game"]] if "game" in match else deck_module(deck)


def demo_deck(module: GameModule | None = None) -> JSON:
    """The built-in deck of a game, as JSON."""
    module = module or game_module()
    return tomllib.loads(resources.files(module.package).joinpath("demo_deck.toml").read_text(encoding="utf-8"))


def history(module: GameModule) -> Mapping[str, Mapping[str, str]]:
    """A line of history for printed cards, by the card's English name and by language; empty if a game has none."""
    file = resources.files(module.package).joinpath("history.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def demo_match(module: GameModule | None = None) -> JSON:
    """The match for newcomers."""
    return dict((module or game_module()).demonstration.match)


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
        message = "the deck belongs to {deck}, but the match is one of {game}"
        raise InputError(fault("match.fault.deck_game", message, "game", deck=of_deck.name, game=module.name))
    game = guarded(_opened(module, match, deck))
    table = match.get("table")
    layout = game.table.layout if table is None else read_layout(table)
    return OpenedMatch({"match": dict(match), "deck": deck}, game, layout)


def _opened(module: GameModule, match: JSON, deck: JSON) -> Game[Any, Any]:
    return guarded_function(module.name, "open_match", module.open_match)(match, deck)


def sticker_codes(game: Game[Any, Any]) -> StickerCodes:
    """Every sticker that counts at a table with this game; those of other games are foreign."""
    return StickerCodes.of(game.table.cards, GAMES[game.name].letters) | StickerCodes.of((*COMMAND_CARDS, *SEAT_TAGS))
