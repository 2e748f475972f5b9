"""A bot's turn, one flip at a time (docs/rules.md, J and R)."""

from __future__ import annotations

from companion.games.discovery.effects.drawing import emptied
from companion.games.discovery.effects.placement import lay
from companion.games.discovery.effects.turns import finish_turn
from companion.games.discovery.moves import Flip
from companion.games.discovery.secrecy import bot_places_anything
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import PositionBuilder, replace
from companion.games.protocol import MoveContext
from companion.public.table import CardId


def flip(setup: Setup, builder: PositionBuilder, move: Flip, at: MoveContext) -> None:
    """Turn over the first card of the row (J2); under a trump two of them (J3)."""
    turn = builder.turn
    if turn.trumps and not turn.under:
        builder.turn = replace(turn, trumps=turn.trumps - 1, under=2)
    if builder.turn.under:
        _flip_under_trump(setup, builder, move, at)
    else:
        _flip_plain(setup, builder, move, at)
    if not builder.over and not builder.turn.ended:
        _go_on(setup, builder)


def stop_flipping(setup: Setup, builder: PositionBuilder, at: MoveContext) -> None:
    """The row became empty without a flip: use the flipped cards, and end the turn (J2, J3)."""
    seat = builder.turn.seat
    while len(builder.turn.held) > builder.held(seat):  # a count was lower than the number of flipped cards
        builder.turn = replace(builder.turn, held=builder.turn.held[:-1])
    if builder.turn.held:
        _use_held(setup, builder, at)
    if not (builder.over or builder.turn.ended or builder.held(seat)):
        finish_turn(setup, builder, draws=True)


def _flip_plain(setup: Setup, builder: PositionBuilder, move: Flip, at: MoveContext) -> None:
    """A card that may be placed is placed (R3); another is discarded, and the bot stops (R4, J10)."""
    if move.card in setup.jokers:
        _joker(setup, builder, move.card)
    elif _placeable(setup, builder, move.card):
        _place(setup, builder, move.card, at)
    else:
        _discard(builder, move.card)
        finish_turn(setup, builder, draws=True)


def _flip_under_trump(setup: Setup, builder: PositionBuilder, move: Flip, at: MoveContext) -> None:
    """The first of two cards waits for the second (J3, R5)."""
    turn = builder.turn
    builder.turn = replace(turn, under=turn.under - 1)
    if move.card in setup.jokers:
        _joker(setup, builder, move.card)
        builder.turn = replace(builder.turn, lucky=True)
    elif bot_places_anything(setup):
        _place(setup, builder, move.card, at)  # it always places the flipped card (E:305)
        builder.turn = replace(builder.turn, lucky=True)
    else:
        builder.turn = replace(builder.turn, held=(*turn.held, move.card))
    if builder.over:
        return
    turn = builder.turn
    if turn.under and builder.held(turn.seat) > len(turn.held):
        if move.card in turn.held:
            builder.extras["held"] = True
        return
    _use_held(setup, builder, at)


def _use_held(setup: Setup, builder: PositionBuilder, at: MoveContext) -> None:
    """Place as many of the two as possible, the leftmost first; the rest is discarded (J3)."""
    while True:
        turn = builder.turn
        card = next((card for card in turn.held if _placeable(setup, builder, card)), None)
        if card is None:
            break
        builder.turn = replace(turn, held=tuple(other for other in turn.held if other != card), lucky=True)
        _place(setup, builder, card, at)
        if builder.over:
            break
    for card in builder.turn.held:
        _discard(builder, card)
    lucky = builder.turn.lucky
    builder.turn = replace(builder.turn, under=0, held=(), lucky=False)
    if not lucky and not builder.over:
        finish_turn(setup, builder, draws=True)


def _go_on(setup: Setup, builder: PositionBuilder) -> None:
    """Continue to flip, or stop and draw when the row is empty (R6)."""
    turn = builder.turn
    if turn.under:
        return
    if not builder.held(turn.seat):
        finish_turn(setup, builder, draws=True)


def _placeable(setup: Setup, builder: PositionBuilder, card: CardId) -> bool:
    """Condition #1; in silent games the others must be vigilant (J9, E:305)."""
    return bot_places_anything(setup) or not setup.required(card, builder.present)


def _place(setup: Setup, builder: PositionBuilder, card: CardId, at: MoveContext) -> None:
    seat = builder.turn.seat
    builder.give(seat, -1)
    lay(setup, builder, seat, card, card, builder.turn.index + 1, at, source="hand", do="flip")


def _joker(setup: Setup, builder: PositionBuilder, joker: CardId) -> None:
    """A flipped joker lets the bot flip two more and leaves the game (J3, R2, F:394); the last card empties the row
    (H7)."""
    turn = builder.turn
    builder.give(turn.seat, -1)
    builder.gone = (*builder.gone, joker)
    builder.turn = replace(turn, trumps=turn.trumps + 1)
    if not builder.held(turn.seat):
        emptied(setup, builder)


def _discard(builder: PositionBuilder, card: CardId) -> None:
    builder.give(builder.turn.seat, -1)
    builder.put_away(builder.turn.seat, card)
