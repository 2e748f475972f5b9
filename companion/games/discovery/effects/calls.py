"""A call carried out: the card waits between two hands until it is placed, or the call fails (G4-G7)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.discovery.effects.drawing import bereaved
from companion.games.discovery.effects.placement import remember
from companion.games.discovery.effects.turns import finish_turn
from companion.games.discovery.moves import Call
from companion.games.discovery.rules.calls import failure
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import (
    ContestableAct,
    OwedAct,
    Position,
    PositionBuilder,
    whereabouts,
)
from companion.games.protocol import MoveContext


def call(setup: Setup, before: Position, builder: PositionBuilder, move: Call, at: MoveContext) -> None:
    """Carry a call out: the card waits in limbo until it is placed, or the call fails and the turn ends (G4-G7)."""
    turn = builder.turn
    builder.turn = replace(turn, trumps=max(0, turn.trumps - 1), acted=True)
    failed = failure(setup, before, move)
    if failed is None:
        builder.give(move.holder, -1)
        builder.turn = replace(builder.turn, called=move.card, holder=move.holder)
        bereaved(setup, builder, move.holder)
        if setup.stoppable:
            made = ContestableAct(
                at.number, move.by, turn.serial, "call", move.card, holder=move.holder, time_s=at.time_s
            )
            remember(builder, made)
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
    if builder.over:
        return
    impossible = setup.stoppable and setup.profile.points and not discarded
    if impossible and builder.held(move.by):
        builder.owed = (*builder.owed, OwedAct(move.by, "discard", draws=True))  # E:352-353
        finish_turn(setup, builder, draws=False)
    else:
        finish_turn(setup, builder, draws=True)
