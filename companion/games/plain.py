"""A game that is always played with the same things, on a board of square cells, as the registry needs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from companion.games.game_module import DeckBook, Demonstration, GameModule, StickerLabel, StickerSet
from companion.games.protocol import Game, Move, MoveContext
from companion.games.square_board import SquareBoard
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.text import JSON

if TYPE_CHECKING:
    from random import Random  # passed in: a game has no randomness of its own

    from companion.simulation.people import People

NAMES = ("Ana", "Ben", "Cléo", "Dan", "Eva", "Finn", "Gaël", "Hana")


def plain_module(
    game: Game[Any, Any],
    board: SquareBoard,
    player: Callable[[Any, Random, MoveContext], Iterator[Move]],
    *,
    package: str,
    errs: float | None = None,
) -> GameModule:
    """A game of which every match is the same, played in its demonstration by people who move at random.

    Args:
        player: Proposes random moves for a public state.
        package: Its Python package, with ``demo_deck.toml`` and the catalogs in ``locale``.
        errs: How often its simulated people try what is not allowed; ``None`` = as in other games.
    """
    letters = game.name[:2].upper()

    def stickers(deck: JSON) -> StickerSet:
        labels = (StickerLabel(token, {"en": token, "fr": token}, letters=letters) for token in board.cards)
        return StickerSet(deck["deck"]["name"], deck["deck"]["edition"], tuple(labels), ())

    def people(_game: Game[Any, Any], _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
        from companion.games.drawn_tiles import BoardPlaces  # people throw dice, rules never do
        from companion.games.random_people import ERRS, RandomPeople

        return RandomPeople(game, player, BoardPlaces(board, layout), ERRS if errs is None else errs)

    return GameModule(
        name=game.name,
        letters=letters,
        package=package,
        open_match=lambda _match, _deck: game,
        decks=DeckBook(
            form=DeckForm(
                card_id=re.compile("|".join(map(re.escape, board.things))),
                cards=tuple(board.things),
                families=(),
                card_keys=(),
            ),
            stickers=stickers,
        ),
        demonstration=Demonstration(
            match={"game": game.name, "seat": [{"name": name} for name in NAMES[: game.seats]]},
            random_player=lambda _game: player,
            people=people,
        ),
    )
