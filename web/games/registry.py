"""The games that have pages, found by their folders beside this file."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from web.pages.game_pages import GamePages

GAME_PAGES: dict[str, GamePages] = {
    module.name: import_module(f"web.games.{module.name}").PAGES
    for module in iter_modules([str(Path(__file__).parent)])
    if module.ispkg
}
"""By the game's name."""
