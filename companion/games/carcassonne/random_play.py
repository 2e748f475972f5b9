"""Random play: matches with any seats and variants, and a player who tries random moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from companion.games.carcassonne import moves as act
from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.interpretation import who_draws
from companion.games.carcassonne.rules.laying import disagreeing, open_places
from companion.games.carcassonne.setup import LEAST_SEATS, MOST_SEATS
from companion.games.carcassonne.state import Progress, ground, is_undrawn
from companion.games.carcassonne.tiles import LaidTile
from companion.games.protocol import Move, MoveContext
from companion.public.table import TABLE, CardId, Seat
from companion.public.text import JSON

if TYPE_CHECKING:
    from random import Random  # passed in: rules have no randomness of their own


def random_match(rng: Random, _profile: str) -> dict[str, JSON]:
    """A match file with two to five seats and random variants."""
    count = rng.randint(LEAST_SEATS, MOST_SEATS)
    return {
        "game": "carcassonne",
        "seat": [{"name": f"Seat {seat}"} for seat in range(1, count + 1)],
        "first": rng.randint(1, count),
        "equal_turns": rng.random() < 0.3,
    }


def random_player(game: Carcassonne) -> Callable[[Progress, Random, MoveContext], Iterator[Move]]:
    """A player who proposes random moves."""
    return lambda public, rng, _at: propose(game, public, rng)


def propose(game: Carcassonne, public: Progress, rng: Random) -> Iterator[Move]:
    """Moves in the order in which a random player tries them; the last is always legal until the match is over."""
    setup = game.setup
    if public.over:
        return
    if not public.laid:
        yield act.LayStart(TABLE, setup.deck.start)
    if len(public.removed) < setup.to_remove and not public.begun:
        yield act.RemoveTile(TABLE, rng.choice([card for card in _undrawn(game, public) if card != setup.deck.start]))
    if public.tile is not None:
        yield from _with_follower(game, public, rng, public.turn, public.tile)
        if rng.random() < 0.5:
            yield act.FinishTurn(public.turn)
    left = _undrawn(game, public)
    if left:
        yield from _with_tile(game, public, rng, rng.choice(left))
    yield act.FinishTurn(public.turn)


def _undrawn(game: Carcassonne, public: Progress) -> list[CardId]:
    return [card for card in game.setup.deck.tiles if is_undrawn(game.setup, public, card)]


def _with_tile(game: Carcassonne, public: Progress, rng: Random, card: CardId) -> Iterator[Move]:
    """Any place where it fits, sometimes first one where it does not; aside when there is none."""
    there, tile = ground(game.setup, public), game.setup.deck.tiles[card]
    seat = who_draws(game.setup, public)
    cells = [(place, turn) for place in sorted(open_places(there)) for turn in range(4)]
    rng.shuffle(cells)
    fitting = [(place, turn) for place, turn in cells if not disagreeing(there, LaidTile(tile, place, turn))]
    for (x, y), turn in (cells[:1] if rng.random() < 0.1 else []) + fitting[:1]:
        yield act.LayTile(seat, card, x, y, turn)
    if public.tile is None:
        yield act.DiscardTile(seat, card)


def _with_follower(game: Carcassonne, public: Progress, rng: Random, seat: Seat, tile: CardId) -> Iterator[Move]:
    own = [card for card, owner in game.setup.owners.items() if owner == seat]
    out = [card for card in own if card in public.followers]
    if out and rng.random() < 0.15 + 0.15 * len(out):
        yield act.ScoreFollower(seat, rng.choice(out))
    waiting = [card for card in own if card not in public.followers]
    numbers = list(range(1, len(game.setup.deck.tiles[tile].segments) + 1))
    rng.shuffle(numbers)
    if waiting and rng.random() < 0.7:
        yield from (act.DeployFollower(seat, waiting[0], tile, number) for number in numbers)
