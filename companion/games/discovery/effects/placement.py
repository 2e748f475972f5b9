"""Laying a card in the tree, as one indivisible step (rules.md 3.3)."""

from __future__ import annotations

from companion.games.discovery.deck import PER_ERA
from companion.games.discovery.effects.drawing import emptied
from companion.games.discovery.effects.scoring import card_points, trump
from companion.games.discovery.effects.turns import begin
from companion.games.discovery.moves import Interrupt, Joker, Place
from companion.games.discovery.rules.placement import base_for
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import ContestableAct, LinkBase, PositionBuilder, TreeCard, turn_with
from companion.games.protocol import MoveContext
from companion.public.table import TABLE, CardId, Seat


def place(setup: Setup, draft: PositionBuilder, move: Place, at: MoveContext) -> None:
    """A discovery card is laid in the tree."""
    seat = move.by
    turn = draft.turn
    if move.source == "called":
        draft.turn = turn_with(turn, called=None)
    else:
        take(draft, seat, move.card, move.source)
    if move.asked:
        draft.turn = turn_with(draft.turn, asked=False)
    index = _index(setup, draft, move.card, new_series=move.new_series, called=move.source == "called")
    lay(setup, draft, seat, move.card, move.card, index, at, source=move.source, do="place", holder=turn.holder)


def place_joker(setup: Setup, draft: PositionBuilder, move: Joker, stands_for: CardId, at: MoveContext) -> None:
    """A joker is laid in the tree for a card of its player's choice (H2)."""
    take(draft, move.by, move.joker, move.source)
    index = _index(setup, draft, stands_for, new_series=move.new_series, as_joker=True)
    lay(setup, draft, move.by, move.joker, stands_for, index, at, source=move.source, do="joker")


def take(draft: PositionBuilder, seat: Seat, card: CardId, source: str) -> None:
    """Remove a card from where it came from; a gap in the pool is filled at once from the stack (B2)."""
    if source == "hand":
        draft.give(seat, -1)
    elif source == "pool":
        _take_from_pool(draft, card)
    else:
        draft.take_up(Seat(int(source.removeprefix("discard-"))), card)


def _take_from_pool(draft: PositionBuilder, card: CardId) -> None:
    slot = draft.pool.index(card) if card in draft.pool else draft.pool.index(None)
    if draft.stack:
        draft.stack -= 1
        draft.pool = (*draft.pool[:slot], None, *draft.pool[slot + 1 :])
    else:
        draft.pool = (*draft.pool[:slot], *draft.pool[slot + 1 :])


def _index(
    setup: Setup,
    draft: PositionBuilder,
    card: CardId,
    *,
    new_series: bool,
    called: bool = False,
    as_joker: bool = False,
) -> int:
    """The card's place in its series; spends a trump on a replay (C6, F6, G4)."""
    turn = draft.turn
    if new_series:
        if turn.placed and not called:
            draft.turn = turn_with(turn, trumps=max(0, turn.trumps - 1))
        return 1
    continues = setup.profile.joker_any_time or not as_joker or not turn.placed
    base = base_for(setup, turn, card, as_joker=as_joker) if continues else None
    if base:
        return base.index + 1
    if turn.placed and not called:
        draft.turn = turn_with(turn, trumps=max(0, turn.trumps - 1))
    return 1


def lay(
    setup: Setup,
    draft: PositionBuilder,
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
    """Steps 4 to 10: joker back, points, era, hand, draws; the card has left its source already."""
    owned = draft.held(seat)
    recovered = _recover(draft, seat, card) if card == counts_as else None
    new = counts_as not in draft.present
    draft.tree = (*draft.tree, TreeCard(card, counts_as, seat, index))
    draft.begun = True
    turn = draft.turn
    bases = (LinkBase(counts_as, index, card != counts_as),)
    draft.turn = turn_with(turn, placed=turn.placed + 1, acted=True, bases=bases, index=index)
    before = draft.points[seat - 1]
    card_points(setup, draft, seat, card, index)
    credited = _era(setup, draft, counts_as) if new else frozenset()
    if source == "hand" and not owned and not recovered:
        emptied(setup, draft)
    if setup.stoppable:
        points = draft.points[seat - 1] - before
        act = ContestableAct(at.number, seat, turn.serial, do, card, points, credited, recovered, holder, at.time_s)
        remember(draft, act)


def _recover(draft: PositionBuilder, seat: Seat, card: CardId) -> CardId | None:
    """Whoever places the real card takes the joker that stood for it into his hand (H6)."""
    if card not in draft.present:
        return None
    for laid in draft.tree:
        if laid.counts_as == card != laid.card:
            draft.tree = tuple(other for other in draft.tree if other is not laid)
            draft.give(seat, 1)
            return laid.card
    return None


def _era(setup: Setup, draft: PositionBuilder, card: CardId) -> frozenset[tuple[int, str]]:
    """Count the card into its era; opening or closing it wins a trump, in silent games once announced (F1)."""
    era = setup.facts[card].era
    count = draft.appear(card, era)
    if setup.profile.silent:
        return frozenset()
    if count == 1 and era > 1:
        credit, how = (era, "open"), "opened"
    elif count == PER_ERA:
        credit, how = (era, "closed"), "closed"
    else:
        return frozenset()
    if credit in draft.credits:
        return frozenset()
    draft.credits |= {credit}
    trump(setup, draft, how, era)
    return frozenset({credit})


def remember(draft: PositionBuilder, act: ContestableAct) -> None:
    """Keep what can be contested; what is too old by now is let go (K2)."""
    draft.acts = (*draft.acts, act)
    if draft.over:
        draft.deciding_act = act.number


def play_outside(setup: Setup, draft: PositionBuilder, move: Joker) -> None:
    """The joker leaves the game for a trump (H7); in the French games, once a card lies, on a replay (H1)."""
    take(draft, move.by, move.joker, move.source)
    draft.gone = (*draft.gone, move.joker)
    turn = draft.turn
    if turn.placed and not setup.profile.joker_any_time:
        draft.turn = turn_with(turn, trumps=max(0, turn.trumps - 1))
    draft.turn = turn_with(draft.turn, acted=True)
    trump(setup, draft, "joker")
    if move.source == "hand" and not draft.held(move.by):
        emptied(setup, draft)


def interrupt(setup: Setup, draft: PositionBuilder, move: Interrupt) -> None:
    """An extra turn at once; the interrupted one goes on afterwards (O1, O2, O5)."""
    draft.give(move.by, -1)
    draft.gone = (*draft.gone, move.joker)
    begin(setup, draft, move.by, extra=True)
    if not draft.held(move.by):
        emptied(setup, draft)
