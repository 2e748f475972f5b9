"""Placing a card in the tree, as one indivisible step (docs/rules.md, C)."""

from __future__ import annotations

from companion.games.discovery.deck import PER_ERA
from companion.games.discovery.effects.drawing import emptied
from companion.games.discovery.effects.scoring import card_points, trump
from companion.games.discovery.effects.turns import begin
from companion.games.discovery.moves import Interrupt, Joker, Place
from companion.games.discovery.rules.placement import base_for
from companion.games.discovery.secrecy import eras_are_announced
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import ContestableAct, LinkBase, PositionBuilder, TreeCard, replace
from companion.games.protocol import MoveContext
from companion.public.table import TABLE, CardId, Seat


def place(setup: Setup, builder: PositionBuilder, move: Place, at: MoveContext) -> None:
    """Place a discovery card in the tree."""
    seat = move.by
    turn = builder.turn
    if move.source == "called":
        builder.turn = replace(turn, called=None)
    else:
        take(builder, seat, move.card, move.source)
    if move.asked:
        builder.turn = replace(builder.turn, asked=False)
    index = _index(setup, builder, move.card, new_series=move.new_series, called=move.source == "called")
    lay(setup, builder, seat, move.card, move.card, index, at, source=move.source, do="place", holder=turn.holder)


def place_joker(setup: Setup, builder: PositionBuilder, move: Joker, stands_for: CardId, at: MoveContext) -> None:
    """Place a joker in the tree for a card of its player's choice (H2, Q1 to Q3); it counts as that card (H5)."""
    take(builder, move.by, move.joker, move.source)
    index = _index(setup, builder, stands_for, new_series=move.new_series, as_joker=True)
    lay(setup, builder, move.by, move.joker, stands_for, index, at, source=move.source, do="joker")


def take(builder: PositionBuilder, seat: Seat, card: CardId, source: str) -> None:
    """Remove a card from its source; a gap in the pool is filled at once from the stack (B2)."""
    if source == "hand":
        builder.give(seat, -1)
    elif source == "pool":
        _take_from_pool(builder, card)
    else:
        builder.take_up(Seat(int(source.removeprefix("discard-"))), card)


def _take_from_pool(builder: PositionBuilder, card: CardId) -> None:
    slot = builder.pool.index(card) if card in builder.pool else builder.pool.index(None)
    if builder.stack:
        builder.stack -= 1
        builder.pool = (*builder.pool[:slot], None, *builder.pool[slot + 1 :])
    else:
        builder.pool = (*builder.pool[:slot], *builder.pool[slot + 1 :])


def _index(
    setup: Setup,
    builder: PositionBuilder,
    card: CardId,
    *,
    new_series: bool,
    called: bool = False,
    as_joker: bool = False,
) -> int:
    """The card's place in its series; spends a trump on a replay (C6, F6), none on a called card (G4, P6, P7)."""
    turn = builder.turn
    if new_series:
        if turn.placed and not called:
            builder.turn = replace(turn, trumps=max(0, turn.trumps - 1))
        return 1
    continues = setup.profile.joker_any_time or not as_joker or not turn.placed
    base = base_for(setup, turn, card, as_joker=as_joker) if continues else None
    if base:
        return base.index + 1
    if turn.placed and not called:
        builder.turn = replace(turn, trumps=max(0, turn.trumps - 1))
    return 1


def lay(
    setup: Setup,
    builder: PositionBuilder,
    seat: Seat,
    card: CardId,
    counts_as: CardId,
    index: int,
    at: MoveContext,
    *,
    source: str,
    do: str,
    holder: Seat = TABLE,
) -> None:
    """Steps 4 to 10: recovered joker, points, era, hand, draws; the card has left its source already."""
    owned = builder.held(seat)
    recovered = _recover(builder, seat, card) if card == counts_as else None
    new = counts_as not in builder.present
    builder.tree = (*builder.tree, TreeCard(card, counts_as, seat, index, at.number))
    builder.begun = True
    turn = builder.turn
    series = (*turn.laid, LinkBase(counts_as, index, card != counts_as))
    builder.turn = replace(turn, placed=turn.placed + 1, acted=True, chains=(series,), index=index)
    before = builder.points[seat - 1]
    card_points(setup, builder, seat, card, index)
    credited = _era(setup, builder, counts_as) if new else frozenset()
    if source == "hand" and not owned and not recovered:
        emptied(setup, builder)
    if setup.stoppable:
        points = builder.points[seat - 1] - before
        act = ContestableAct(at.number, seat, turn.serial, do, card, points, credited, recovered, holder, at.time_s)
        if source == "called":
            builder.acts = tuple(replace(kept, placed=act) if _asked_for(kept, card) else kept for kept in builder.acts)
        remember(builder, act)


def _asked_for(act: ContestableAct, card: CardId) -> bool:
    """Whether an act is the call for this card."""
    return act.do == "call" and act.card == card and not act.failed and act.placed is None


def _recover(builder: PositionBuilder, seat: Seat, card: CardId) -> CardId | None:
    """A player who places the real card takes its joker in hand (H6, Q6)."""
    if card not in builder.present:
        return None
    for laid in builder.tree:
        if laid.counts_as == card != laid.card:
            builder.tree = tuple(other for other in builder.tree if other is not laid)
            builder.give(seat, 1)
            return laid.card
    return None


def _era(setup: Setup, builder: PositionBuilder, card: CardId) -> frozenset[tuple[int, str]]:
    """Count the card in its era, lawful or not (L2).

    Opening (F1) or closing it (F2) wins a trump, in silent games after the announcement.
    """
    era = setup.facts[card].era
    count = builder.appear(card, era)
    if eras_are_announced(setup):
        return frozenset()
    if count == 1:
        credit, how = (era, "open"), "opened"
    elif count == PER_ERA:
        credit, how = (era, "closed"), "closed"
    else:
        return frozenset()
    if credit in builder.credits:
        return frozenset()
    builder.credits |= {credit}
    trump(setup, builder, how, era)
    return frozenset({credit})


def remember(builder: PositionBuilder, act: ContestableAct) -> None:
    """Keep an act that can be contested (K2)."""
    builder.acts = (*builder.acts, act)


def play_outside(setup: Setup, builder: PositionBuilder, move: Joker) -> None:
    """The joker leaves the game for a trump (H7, Q4); in the French games, after the first placed card, on a replay
    (H1)."""
    take(builder, move.by, move.joker, move.source)
    builder.gone = (*builder.gone, move.joker)
    turn = builder.turn
    if turn.placed and not setup.profile.joker_any_time:
        builder.turn = replace(turn, trumps=max(0, turn.trumps - 1))
    builder.turn = replace(builder.turn, acted=True)
    trump(setup, builder, "joker")
    if move.source == "hand" and not builder.held(move.by):
        emptied(setup, builder)


def interrupt(setup: Setup, builder: PositionBuilder, move: Interrupt) -> None:
    """Begin an extra turn at once; the interrupted one continues afterwards (O1, O2, O5, Q5)."""
    builder.give(move.by, -1)
    builder.gone = (*builder.gone, move.joker)
    begin(setup, builder, move.by, extra=True)
    if not builder.held(move.by):
        emptied(setup, builder)
