"""A bot's turn, one flip at a time (J, rules.md 3.7)."""

from __future__ import annotations

from companion.games.discovery.effects.drawing import emptied
from companion.games.discovery.effects.placement import lay
from companion.games.discovery.effects.turns import finish_turn
from companion.games.discovery.moves import Flip
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import PositionBuilder, turn_with
from companion.games.protocol import MoveContext
from companion.public.table import CardId


def flip(setup: Setup, draft: PositionBuilder, move: Flip, at: MoveContext) -> None:
    """The first card of the row is turned over (J2); under a trump two of them (J3)."""
    turn = draft.turn
    if turn.trumps and not turn.under:
        draft.turn = turn_with(turn, trumps=turn.trumps - 1, under=2)
    if draft.turn.under:
        _flip_under_trump(setup, draft, move, at)
    else:
        _flip_plain(setup, draft, move, at)
    if not draft.over and not draft.turn.ended:
        _go_on(setup, draft)


def _flip_plain(setup: Setup, draft: PositionBuilder, move: Flip, at: MoveContext) -> None:
    if move.card in setup.jokers:
        _joker(setup, draft, move.card)
    elif _placeable(setup, draft, move.card):
        _place(setup, draft, move.card, at)
    else:
        _discard(draft, move.card)
        finish_turn(setup, draft, draws=True)


def _flip_under_trump(setup: Setup, draft: PositionBuilder, move: Flip, at: MoveContext) -> None:
    turn = draft.turn
    draft.turn = turn_with(turn, under=turn.under - 1)
    if move.card in setup.jokers:
        _joker(setup, draft, move.card)
        draft.turn = turn_with(draft.turn, lucky=True)
    elif setup.profile.silent:
        _place(setup, draft, move.card, at)  # it always places the card that it flips (E:305)
        draft.turn = turn_with(draft.turn, lucky=True)
    else:
        draft.turn = turn_with(draft.turn, held=(*turn.held, move.card))
    if draft.over:
        return
    turn = draft.turn
    if turn.under and draft.held(turn.seat) > len(turn.held):
        if move.card in turn.held:
            draft.notes["held"] = True
        return
    _use_held(setup, draft, at)


def _use_held(setup: Setup, draft: PositionBuilder, at: MoveContext) -> None:
    """Place as many of the two as possible, the leftmost first; the rest joins the discard (J3)."""
    while True:
        turn = draft.turn
        card = next((card for card in turn.held if _placeable(setup, draft, card)), None)
        if card is None:
            break
        draft.turn = turn_with(turn, held=tuple(other for other in turn.held if other != card), lucky=True)
        _place(setup, draft, card, at)
        if draft.over:
            break
    for card in draft.turn.held:
        _discard(draft, card)
    lucky = draft.turn.lucky
    draft.turn = turn_with(draft.turn, under=0, held=(), lucky=False)
    if not lucky and not draft.over:
        finish_turn(setup, draft, draws=True)


def _go_on(setup: Setup, draft: PositionBuilder) -> None:
    """Flip on, or stop when the row is empty."""
    turn = draft.turn
    if turn.under:
        return
    if not draft.held(turn.seat):
        finish_turn(setup, draft, draws=True)


def _placeable(setup: Setup, draft: PositionBuilder, card: CardId) -> bool:
    """Condition #1; in silent games it is up to the others to be vigilant (J9, E:305)."""
    return setup.profile.silent or not setup.required(card, draft.present)


def _place(setup: Setup, draft: PositionBuilder, card: CardId, at: MoveContext) -> None:
    seat = draft.turn.seat
    draft.give(seat, -1)
    lay(setup, draft, seat, card, card, draft.turn.index + 1, at, source="hand", do="flip")


def _joker(setup: Setup, draft: PositionBuilder, joker: CardId) -> None:
    """A flipped joker lets the bot flip two more and leaves the game (J3, F:394); the last card empties it (H7)."""
    turn = draft.turn
    draft.give(turn.seat, -1)
    draft.gone = (*draft.gone, joker)
    draft.turn = turn_with(turn, trumps=turn.trumps + 1)
    if not draft.held(turn.seat):
        emptied(setup, draft)


def _discard(draft: PositionBuilder, card: CardId) -> None:
    draft.give(draft.turn.seat, -1)
    draft.put_away(draft.turn.seat, card)
