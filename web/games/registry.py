"""The games that have pages, found by their folders beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from web.pages.game_pages import GamePages
from web.plain_game import plain_pages

GAME_PAGES: dict[str, GamePages] = {
    module.name: import_module(f"web.games.{module.name}").PAGES
    for module in iter_modules([str(Path(__file__).parent)])
    if module.ispkg
}
"""By the game's name."""


def pages_of_games(seats: Mapping[str, int]) -> dict[str, GamePages]:
    """The pages of every game that has a folder here, and plain ones for the others of these games.

    Args:
        seats: The number of seats of each game, by its name.
    """
    plain = {name: plain_pages(name, count) for name, count in seats.items() if name not in GAME_PAGES}
    return {**GAME_PAGES, **plain}
