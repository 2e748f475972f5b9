"""How many things of a match there are, wherever they lie: the same number after every entry."""

from __future__ import annotations

from typing import Any

from companion.games.carcassonne.state import Progress
from companion.games.darwinci.game import Darwinci
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import Dig, unseen
from companion.games.discovery import state as discovery
from companion.games.protocol import Game


def count_things(game: Game[Any, Any], state: Any) -> int:
    """All cards, tiles, stones and counters of a match; 0 for a game whose state does not say where everything is."""
    match state:
        case discovery.State(position=position):
            return discovery.counted(position)
        case Progress():
            return tiles_and_followers(state)
        case Dig():
            assert isinstance(game, Darwinci)
            return tiles_and_stones(game.setup, state)
    return 0


def tiles_and_followers(public: Progress) -> int:
    tiles = len(public.laid) + public.tiles + len(public.removed) + len(public.discarded)
    return tiles + len(public.followers) + sum(public.supply)


def tiles_and_stones(setup: DarwinciSetup, public: Dig) -> int:
    laid = sum(map(len, public.plots)) + len(public.offers) + len(public.won) + len(public.gone)
    return laid + len(unseen(setup, public)) + (len(public.stones) or len(setup.owners))
