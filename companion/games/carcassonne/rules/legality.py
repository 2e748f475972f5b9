"""The objections to a move: the rules in the order in which people would mention them."""

from __future__ import annotations

from companion.games.carcassonne import moves as act
from companion.games.carcassonne.rules.followers import from_supply, on_new_tile, once, own_follower, untaken
from companion.games.carcassonne.rules.laying import START, no_place, placement, removed_first, start_first
from companion.games.carcassonne.rules.turns import TURN, clockwise, game_over, may_end, tile_first
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, ground, is_undrawn, to_remove
from companion.games.carcassonne.tiles import LaidTile
from companion.games.protocol import Move, Objection
from companion.public.table import TABLE, Seat

NOT_THERE = Objection("not-there")
NOT_OFFERED = Objection("not-offered")


def judge(setup: MatchSetup, public: Progress, move: Move) -> tuple[Objection, ...]:
    """All objections to a move; none = legal."""
    if over := game_over(public):
        return over
    match move:
        case act.LayStart():
            return _start(setup, public, move)
        case act.LayTile():
            return _place(setup, public, move)
        case act.DiscardTile():
            return _discard(setup, public, move)
        case act.RemoveTile():
            return _remove(setup, public, move)
        case act.DeployFollower():
            return _deploy(setup, public, move)
        case act.ScoreFollower():
            return _score(setup, public, move)
        case act.FinishTurn():
            return start_first(public) or may_end(setup, public, move.by)
        case act.CloseMatch():
            return (TURN,) if move.by != TABLE else start_first(public)
        case _:
            return (NOT_OFFERED,)


def _start(setup: MatchSetup, public: Progress, move: act.LayStart) -> tuple[Objection, ...]:
    if move.by != TABLE:
        return (TURN,)
    if not is_undrawn(setup, public, move.card):
        return (NOT_THERE,)
    return () if move.card == setup.deck.start else (START,)


def _place(setup: MatchSetup, public: Progress, move: act.LayTile) -> tuple[Objection, ...]:
    if not is_undrawn(setup, public, move.card) or not 0 <= move.turn <= 3:
        return (NOT_THERE,)
    if wanting := start_first(public) or removed_first(setup, public):
        return wanting
    there = ground(setup, public)
    if (move.x, move.y) in there.at:
        return (NOT_THERE,)
    objections = placement(there, LaidTile(setup.deck.tiles[move.card], (move.x, move.y), move.turn))
    untimely = () if objections and follows(setup, public, move.by) else clockwise(setup, public, move.by)
    return untimely or objections


def _discard(setup: MatchSetup, public: Progress, move: act.DiscardTile) -> tuple[Objection, ...]:
    if not is_undrawn(setup, public, move.card):
        return (NOT_THERE,)
    if wanting := start_first(public):
        return wanting
    objections = no_place(setup, public, move.card)
    untimely = () if objections and follows(setup, public, move.by) else clockwise(setup, public, move.by)
    return untimely or objections


def follows(setup: MatchSetup, public: Progress, seat: Seat) -> bool:
    """Whether a tile of this seat implies the end of the turn before it: the seat to move has placed its own.

    The end of that turn is only recorded if the tile is legal (``implied_moves``). If not, the objection must name the
    tile's place, not the turn.
    """
    return public.tile is not None and seat == setup.following(public.turn, public.away)


def _remove(setup: MatchSetup, public: Progress, move: act.RemoveTile) -> tuple[Objection, ...]:
    if move.by != TABLE:
        return (TURN,)
    if not is_undrawn(setup, public, move.card) or move.card == setup.deck.start:
        return (NOT_THERE,)
    return () if to_remove(setup, public) else (NOT_OFFERED,)


def _deploy(setup: MatchSetup, public: Progress, move: act.DeployFollower) -> tuple[Objection, ...]:
    on_map = move.tile in public.laid and setup.deck.tiles[move.tile].has(move.segment)
    if move.card not in setup.owners or not on_map:
        return (NOT_THERE,)
    if theirs := own_follower(setup, move.by, move.card):
        return theirs
    if untimely := tile_first(public, move.by) or once(public, move.by):
        return untimely
    if move.by != public.turn:
        return (TURN,)
    return (
        *from_supply(public, move.card),
        *on_new_tile(public, move),
        *untaken(setup, public, move.card, (move.tile, move.segment)),
    )


def _score(setup: MatchSetup, public: Progress, move: act.ScoreFollower) -> tuple[Objection, ...]:
    if move.card not in public.followers:
        return (NOT_THERE,)
    if theirs := own_follower(setup, move.by, move.card):
        return theirs
    if untimely := tile_first(public, move.by) or once(public, move.by):
        return untimely
    return () if move.by == public.turn else (TURN,)
