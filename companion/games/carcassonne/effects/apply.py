"""Carries out moves, legal or not; refuses only what is physically impossible."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import ImpossibleMove
from companion.games.carcassonne import moves as act
from companion.games.carcassonne.effects.followers import deploy, take_up
from companion.games.carcassonne.effects.laying import discard, lay_start, lay_tile, remove
from companion.games.carcassonne.effects.scoring import final_scoring, score
from companion.games.carcassonne.effects.turns import next_turn
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, at_the_end
from companion.games.protocol import Effect, Move, MoveContext
from companion.public.table import TABLE, Seat, with_seat
from companion.public.text import Text

OF_THE_TABLE = (act.LayStart, act.RemoveTile, act.CloseMatch)


def carry_out(setup: MatchSetup, public: Progress, move: Move, at: MoveContext) -> Effect[Progress]:
    """The effect of a move, including the end of the match.

    Raises:
        ImpossibleMove: It is physically impossible.
    """
    _possible(setup, public, move)
    reasons: tuple[Text, ...] = ()
    match move:
        case act.LayStart():
            after = lay_start(setup, public, move)
        case act.LayTile():
            after = lay_tile(setup, public, move, at)
        case act.DiscardTile():
            after = discard(setup, public, move, at)
        case act.RemoveTile():
            after = remove(setup, public, move)
        case act.DeployFollower():
            after = deploy(setup, public, move)
        case act.ScoreFollower():
            after = take_up(setup, public, move)
            points, reason = score(setup, public, move.card)
            after = replace(after, points=with_seat(after.points, move.by, after.points[move.by - 1] + points))
            reasons = (reason,)
        case act.FinishTurn() | act.CloseMatch():
            after = public
        case _:
            raise ImpossibleMove(f"{move.do} is no act of this game")
    if isinstance(move, act.CloseMatch) or (_ends_turn(public, move) and at_the_end(public)):
        after, finals = final_scoring(setup, after)
        reasons += finals
    elif _ends_turn(public, move):
        after = next_turn(setup, after, acted=TABLE if isinstance(move, act.FinishTurn) else move.by)
    gained = after.points[move.by - 1] - public.points[move.by - 1] if move.by else 0
    return Effect(after, gained, score_reasons=reasons)


def _ends_turn(public: Progress, move: Move) -> bool:
    """A turn ends when its seat ends it, or deploys or scores after its tile (C6); the moves of other seats do not end
    it."""
    if isinstance(move, act.FinishTurn):
        return True
    with_follower = isinstance(move, (act.DeployFollower, act.ScoreFollower))
    return with_follower and move.by == public.turn and public.tile is not None


def _possible(setup: MatchSetup, public: Progress, move: Move) -> None:
    """Check whether a seat in play can have made the move, allowed or not.

    Raises:
        ImpossibleMove: It cannot.
    """
    if public.over:
        raise ImpossibleMove("the match is over; start a new one")
    least = TABLE if isinstance(move, OF_THE_TABLE) else Seat(1)
    if not least <= move.by <= len(setup.players):
        raise ImpossibleMove(f"there is no seat {move.by}; seats are 1 to {len(setup.players)}")
    if isinstance(move, act.FinishTurn) and move.by != public.turn:
        raise ImpossibleMove(f"it is the turn of seat {public.turn}; seat {move.by} cannot end it")
    if isinstance(move, (act.FinishTurn, act.CloseMatch)) and not public.laid:
        raise ImpossibleMove("the start tile comes first")
