"""A game that is always played with the same things, on a board of square cells, as the registry needs it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.game_module import DeckBook, Demonstration, GameModule, card_labels
from companion.games.protocol import Game, Move, MoveContext
from companion.games.square_board import SquareBoard
from companion.public.decks import DeckForm
from companion.public.layout import Layout
from companion.public.text import JSON

if TYPE_CHECKING:
    from random import Random  # passed in: a game has no randomness of its own

    from companion.simulation.people import People

    Player = Callable[[Any, Random, MoveContext], Iterator[Move]]

DECK_KEYS = ("game", "name", "edition", "letters")
MATCH_KEYS = ("game", "profile", "deck", "host", "seat", "table")
NAMES = ("Ana", "Ben", "Cléo", "Dan", "Eva", "Finn", "Gaël", "Hana")


@dataclass(frozen=True, slots=True)
class PlainDeck:
    """A deck of things that are always the same."""

    name: str
    edition: str


def check(document: JSON, letters: str) -> tuple[Fault, ...]:
    """All faults of a parsed deck file of a game with these letters on its stickers."""
    file = document if isinstance(document, Mapping) else {}
    faults = [*files.unknown_keys(file, ("deck",)), *files.deck_head(file.get("deck"), DECK_KEYS)]
    if not faults and file["deck"].get("letters", letters) != letters:
        sentence = 'the stickers of this game begin with {letters}: letters = "{letters}"'
        faults.append(fault("file.fault.letters", sentence, "deck", "letters", letters=letters))
    return tuple(faults)


def check_match(match: JSON, seats: int) -> None:
    """See that a match file suits a game for this number of seats.

    Raises:
        InputError: All faults of the file.
    """
    file = match if isinstance(match, Mapping) else {}
    faults = [*files.unknown_keys(file, MATCH_KEYS), *files.host(file)]
    rows = file.get("seat")
    if isinstance(rows, list) and len(rows) == seats:
        faults += [wrong for place, row in enumerate(rows) for wrong in files.seat(row, ("name",), "seat", place)]
    else:
        sentence = "the match needs {wanted} [[seat]], each with a name"
        faults.append(fault("file.fault.seats", sentence, "seat", wanted=seats))
    if faults:
        raise InputError(*faults)


def plain_module(
    game: Game[Any, Any],
    board: SquareBoard,
    player: Player,
    errs: float | None = None,
    *,
    random_player: Callable[[Game[Any, Any]], Player] | None = None,
) -> GameModule:
    """A game of which every match is the same, played in its demonstration by people who move at random.

    Args:
        player: Proposes random moves for a public state. The package of its module is that of the game, with the
            catalogs in ``locale`` and ``demo_deck.toml``, which names the ``letters`` of its stickers.
        errs: How often its simulated people try what is not allowed; ``None`` = as in other games.
        random_player: Makes a player for each match, who may remember something; ``None`` = ``player`` plays all.
    """
    make_player = random_player or (lambda _game: player)
    package = player.__module__.rpartition(".")[0]
    letters = tomllib.loads(resources.files(package).joinpath("demo_deck.toml").read_text("utf-8"))["deck"]["letters"]

    def read_deck(document: JSON) -> PlainDeck:
        if faults := check(document, letters):
            raise InputError(*faults)
        return PlainDeck(document["deck"]["name"], document["deck"]["edition"])

    def people(_game: Game[Any, Any], _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
        from companion.games.drawn_tiles import BoardPlaces  # people throw dice, rules never do
        from companion.games.random_people import ERRS, RandomPeople

        return RandomPeople(game, make_player(game), BoardPlaces(board, layout), ERRS if errs is None else errs)

    def open_match(match: JSON, _deck: PlainDeck) -> Game[Any, Any]:
        check_match(match, game.seats)
        return game

    return GameModule(
        name=game.name,
        letters=letters,
        package=package,
        open=open_match,
        decks=DeckBook(
            form=DeckForm(
                card_id=re.compile("|".join(map(re.escape, board.things))),
                cards=tuple(board.things),
                families=(),
                card_keys=(),
            ),
            check=lambda deck: (check(deck, letters), ()),
            parse=read_deck,
            labels=lambda _deck: (card_labels(board.cards, letters), ()),
        ),
        demonstration=Demonstration(
            match={"game": game.name, "seat": [{"name": name} for name in NAMES[: game.seats]]},
            random_player=make_player,
            people=people,
        ),
    )
