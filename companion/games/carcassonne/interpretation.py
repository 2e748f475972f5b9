"""Which moves a change of the table could mean, and which moves follow without being announced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.games.carcassonne.effects.apply import carry_out
from companion.games.carcassonne.moves import (
    ASIDE,
    DeployFollower,
    DiscardTile,
    FinishTurn,
    LayStart,
    LayTile,
    RemoveTile,
    ScoreFollower,
)
from companion.games.carcassonne.places import read_cell, read_counter
from companion.games.carcassonne.rules.laying import REMOVE
from companion.games.carcassonne.rules.legality import judge
from companion.games.carcassonne.rules.turns import ORDER, TURN
from companion.games.carcassonne.setup import MatchSetup
from companion.games.carcassonne.state import Progress, is_undrawn, to_remove
from companion.games.protocol import Move, MoveContext
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Change, Seat, Zone


def interpretations(setup: MatchSetup, public: Progress, change: Change) -> tuple[Move, ...]:
    """Pseudo-legal moves, likeliest first; ``()`` = the game has no explanation."""
    if public.over:
        return ()
    if change.went_to == COMMAND_ZONE:
        return (FinishTurn(public.turn),) if change.card == "KEND" else ()
    if change.card in setup.owners:
        return _counter(setup, public, change)
    if change.went_to is None or not is_undrawn(setup, public, change.card):
        return ()
    return _tile(setup, public, change.card, change.went_to)


def begins(setup: MatchSetup, public: Progress, lying: Mapping[CardId, Zone]) -> LayStart | None:
    """The start tile is in the field, and the map has not begun."""
    start = setup.deck.start
    lies = start in lying and read_cell(lying[start]) is not None
    return LayStart(TABLE, start) if lies and not public.laid else None


def old_things(setup: MatchSetup, there: Mapping[CardId, Zone]) -> dict[CardId, Zone]:
    """What must be cleared before the map begins: everything except the start tile in the field and the tiles that are
    removed for equal turns."""
    tiles = sorted(card for card, zone in there.items() if zone == ASIDE and card in setup.deck.tiles)
    stay = {setup.deck.start, *tiles[: setup.to_remove]}
    return {card: zone for card, zone in there.items() if card not in stay}


def _counter(setup: MatchSetup, public: Progress, change: Change) -> tuple[Move, ...]:
    owner = setup.owners[change.card]
    if change.went_to is None:
        return (ScoreFollower(owner, change.card),) if change.card in public.followers else ()
    return tuple(
        DeployFollower(owner, change.card, tile, number)
        for tile, number in read_counter(change.went_to)
        if tile in public.laid and setup.deck.tiles[tile].has(number)
    )


def _tile(setup: MatchSetup, public: Progress, card: CardId, place: Zone) -> tuple[Move, ...]:
    """A tile belongs to the seat to move, because a camera does not see who placed it; after that seat's tile, to the
    next seat."""
    seat = who_draws(setup, public)
    if place == ASIDE:
        if to_remove(setup, public) and card != setup.deck.start:
            return (RemoveTile(TABLE, card),)
        return (DiscardTile(seat, card),)
    cell = read_cell(place)
    if cell is None:
        return ()
    if not public.laid and card == setup.deck.start:
        return (LayStart(TABLE, card),)
    return (LayTile(seat, card, cell.column, cell.row, cell.turn),)


def who_draws(setup: MatchSetup, public: Progress) -> Seat:
    """The seat of the next tile."""
    return public.turn if public.tile is None else setup.following(public.turn, public.away)


def is_laid_anew(setup: MatchSetup, change: Change) -> bool:
    """A tile now in another cell, or a counter on another tile: until the next move, players may change their minds."""
    if change.went_to is None or change.card == setup.deck.start:
        return False
    return bool(read_counter(change.went_to) if change.card in setup.owners else read_cell(change.went_to))


def implied_moves(setup: MatchSetup, public: Progress, move: Move, at: MoveContext) -> tuple[Move, ...]:
    """The end of a turn that was not announced, then the next seat's tile, if that resolves all objections."""
    if public.tile is None or not isinstance(move, LayTile | DiscardTile):
        return ()
    following = setup.following(public.turn, public.away)
    ends = FinishTurn(public.turn)
    if move.by not in (public.turn, following) or judge(setup, public, ends):
        return ()
    meant = replace(move, by=following)
    after = carry_out(setup, public, ends, at).state
    return () if judge(setup, after, meant) else (ends, meant)


def is_early(setup: MatchSetup, public: Progress, move: Move) -> bool:
    """A follower that was lifted before its seat has placed its tile (C5); a tile placed before others were removed."""
    early = ((ORDER,), (TURN,)) if isinstance(move, ScoreFollower) else ((REMOVE,),)
    return judge(setup, public, move) in early
