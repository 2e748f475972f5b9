"""The games: their common interface, and the registry.

``protocol`` imports only ``companion.public``; a game imports ``protocol`` and ``public`` and no other game. Only the
entry points of packages name the games, so that everything else works for every game.

    >>> from companion.games import GAMES, demo_deck, open_match
    >>> list(GAMES)
    ['discovery', 'carcassonne', 'darwinci', 'lands']
    >>> opened = open_match({"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}, demo_deck())
    >>> opened.game.seats, opened.game.silent
    (2, False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from companion.games.game_module import GameModule as GameModule
    from companion.games.protocol import Game as Game, Move as Move, MoveContext as MoveContext, Objection as Objection
    from companion.games.registry import (
        GAMES as GAMES,
        OpenedMatch as OpenedMatch,
        demo_deck as demo_deck,
        demo_match as demo_match,
        open_match as open_match,
    )
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "GAMES": "companion.games.registry",
            "Game": "companion.games.protocol",
            "GameModule": "companion.games.game_module",
            "Move": "companion.games.protocol",
            "MoveContext": "companion.games.protocol",
            "Objection": "companion.games.protocol",
            "OpenedMatch": "companion.games.registry",
            "demo_deck": "companion.games.registry",
            "demo_match": "companion.games.registry",
            "open_match": "companion.games.registry",
        },
    )
