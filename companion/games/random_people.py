"""Simulated players of any game, who make the moves of its random player, mostly legal ones.

The hands' actions for a move are derived from the expected table before and after it. So a game only has to define its
places for its simulated table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from companion.errors import ImpossibleMove
from companion.games.protocol import Game, Move, MoveContext
from companion.public.table import (
    COMMAND_CARDS,
    COMMAND_ZONE,
    CardId,
    Change,
    Expected,
    Seat,
    Token,
    changes,
)
from companion.simulation.deeds import Carry, Deed
from companion.simulation.people import DecisionMoment, People
from companion.simulation.stage import Measures, Places

ERRS = 0.08
"""How often the players make their first proposal, legal or not."""


class RandomPeople(People):
    """The players around a table of any game.

    Args:
        game: The match.
        player: Proposes random moves.
        places: The places on the simulated table.
        errs: How often they make an illegal move in front of the camera; it is taken back.
        measures: The sizes of cards that are not of the common size; those of ``shapes`` are known.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        player: Callable[[Any, Random, MoveContext], Iterator[Move]],
        places: Places,
        errs: float = ERRS,
        measures: Mapping[Token, Measures] | None = None,
    ) -> None:
        self.seats = game.seats
        self.places = places
        self.measures = {token: Measures.of(shape) for token, shape in game.table.shapes.items()} | dict(measures or {})
        self._game = game
        self._player = player
        self._errs = errs

    def act(self, now: DecisionMoment) -> Deed | None:
        """The first legal proposal; sometimes the first of all."""
        game, at = self._game, MoveContext(self.view.number + 1)
        public = game.public(self.view.state)
        if self.view.standing["over"]:
            return None
        errs = now.dice.random() < self._errs
        for move in self._player(public, now.dice, at):
            if move.by in now.visited:
                continue
            lawful = not game.rules.judge(public, move, at)
            if (lawful or (errs and move.laid is not None)) and (deed := self._deed(public, move, at)) is not None:
                return deed
        return None

    def _deed(self, public: Any, move: Move, at: MoveContext) -> Deed | None:
        """The hands' actions for a move, or its announcement; ``None``: impossible now."""
        game = self._game
        try:
            after = game.table.expected(game.public(game.rules.apply(self.view.state, move, at).state))
        except ImpossibleMove:
            return None
        differences = changes(game.table.expected(public), after.cards)
        if move.is_deal or any(move in game.table.interpretations(public, change) for change in differences):
            steps = tuple(self._carries(move, differences, after))
            return Deed(steps=steps, awaits=steps[0].token)
        return self._in_words(public, move, at)

    def _in_words(self, public: Any, move: Move, at: MoveContext) -> Deed | None:
        """With a command card, and with a seat tag if the card alone does not identify the seat; or on a phone."""
        game, by = self._game, self._hand(move)
        for command in sorted(COMMAND_CARDS):
            meant = game.table.interpretations(public, Change(CardId(command), None, COMMAND_ZONE))
            if move in meant:
                tag = (Carry(by, Token(f"S{by}"), COMMAND_ZONE),) if len(meant) > 1 else ()
                return Deed(steps=(*tag, Carry(by, command, COMMAND_ZONE)))
        return Deed(move, spoken=True) if any(offer.do == move.do for offer in game.board.offers(public, at)) else None

    def _hand(self, move: Move) -> Seat:
        """The seat whose hand acts; any seat, if the table itself acts."""
        return Seat(move.by or self.view.standing["turn"] or 1)

    def _carries(self, move: Move, differences: tuple[Change, ...], after: Expected) -> Iterator[Carry]:
        """The things to move, and first the one that shows the move: a thing that is placed, else one that is
        lifted."""
        by = self._hand(move)
        for change in sorted(differences, key=lambda one: one.went_to is None):
            yield Carry(by, self.view.tokens[change.card], after.cards.get(change.card))
