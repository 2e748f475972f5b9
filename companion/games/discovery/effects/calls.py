"""Carries out calls: the card waits between two hands until it is placed, or the call fails (G4-G7)."""

from __future__ import annotations

from companion.games.discovery.effects.drawing import bereaved
from companion.games.discovery.effects.placement import remember
from companion.games.discovery.effects.turns import finish_turn
from companion.games.discovery.moves import Call
from companion.games.discovery.rules.calls import failure
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import ContestableAct, Position, PositionBuilder, replace, whereabouts
from companion.games.protocol import MoveContext


def call(setup: Setup, before: Position, builder: PositionBuilder, move: Call, at: MoveContext) -> None:
    """Carry out a call: the card waits in limbo until it is placed, or the call fails and the turn ends (G4-G7)."""
    turn = builder.turn
    builder.turn = replace(turn, trumps=max(0, turn.trumps - 1), acted=True)
    failed = failure(setup, before, move)
    made = ContestableAct(at.number, move.by, turn.serial, "call", move.card, holder=move.holder, time_s=at.time_s)
    if failed is None:
        builder.give(move.holder, -1)
        builder.turn = replace(builder.turn, called=move.card, holder=move.holder)
        bereaved(setup, builder, move.holder)
        _contestable(setup, builder, made)
        return
    builder.extras["failed"] = failed
    discarded = False
    if failed == "prerequisites":
        builder.give(move.holder, -1)
        builder.put_away(move.by, move.card)
        bereaved(setup, builder, move.holder)
        discarded = True
    elif move.holder == move.by and builder.held(move.by) and whereabouts(before, move.card) is None:
        builder.give(move.by, -1)
        builder.put_away(move.by, move.card)
        discarded = True
    _contestable(setup, builder, replace(made, failed=True, paid=discarded))
    if not builder.over:
        finish_turn(setup, builder, draws=True)


def give_up(setup: Setup, builder: PositionBuilder) -> None:
    """In silent games a caller who sees that the called card must not be placed discards it: the call fails, and the
    turn ends by drawing (G5, E:135, F:351)."""
    turn = builder.turn
    if turn.called is None:
        return
    builder.put_away(turn.seat, turn.called)
    builder.turn = replace(turn, called=None)
    builder.acts = tuple(
        replace(act, failed=True, paid=True) if act.do == "call" and act.card == turn.called and not act.failed else act
        for act in builder.acts
    )
    finish_turn(setup, builder, draws=True)


def _contestable(setup: Setup, builder: PositionBuilder, made: ContestableAct) -> None:
    """A failed call can be stopped like any other: it is the books' own example (K4, E:328, F:545)."""
    if setup.stoppable:
        remember(builder, made)
