"""Stop: who was right, and what it costs (docs/rules.md, K and T)."""

from __future__ import annotations

from companion.games.discovery.effects.bots import stop_flipping
from companion.games.discovery.effects.drawing import bereaved, due_draw, somebody_empty
from companion.games.discovery.effects.scoring import leaders, reason
from companion.games.discovery.effects.turns import finish_turn, settle
from companion.games.discovery.explore import brings_points, ends_with_the_turn, pays_stop_by_discarding
from companion.games.discovery.rules.contest import StopCost, brings_down_win, expired, stop_cost
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import (
    Contest,
    ContestableAct,
    OwedAct,
    Position,
    PositionBuilder,
    TreeCard,
    builder_of,
    keep_bases,
    replace,
    whereabouts,
)
from companion.games.protocol import MoveContext
from companion.public.table import Seat


def stop(builder: PositionBuilder, act: ContestableAct, stopper: Seat) -> None:
    """Wait for the stopped player's answer."""
    builder.contest = Contest(act, stopper)


def close(builder: PositionBuilder, number: int) -> None:
    """Make an act uncontestable."""
    builder.acts = tuple(act for act in builder.acts if act.number != number)
    builder.judged |= {number}


def conclude(setup: Setup, before: Position, builder: PositionBuilder, at: MoveContext) -> None:
    """The automatic consequences of an entry: lapsed duties, the next turn, the end, and whether it stands."""
    settle(setup, builder)
    while _row_ran_out(setup, builder):
        stop_flipping(setup, builder, at)
        settle(setup, builder)
    if not builder.over:
        builder.deciding_act = 0
    elif not before.over or (before.deciding_act and before.judged != builder.judged):
        builder.deciding_act = builder.deciding_act or at.number
        _hang_win(setup, builder, at)


def _row_ran_out(setup: Setup, builder: PositionBuilder) -> bool:
    """A bot has no card to flip: after a count, or after its last card was taken during an interruption."""
    turn = builder.turn
    waits = builder.over or builder.owed or builder.contest or turn.ended
    return not waits and setup.bot(turn.seat) and builder.held(turn.seat) <= len(turn.held)


def _hang_win(setup: Setup, builder: PositionBuilder, at: MoveContext) -> None:
    """A win is provisional while the act that brought it, or any act of a winner, can be contested (K2, F:540)."""
    could_fall = (
        act.number
        for act in builder.acts
        if (act.number == builder.deciding_act or act.by in builder.winners) and not expired(setup, builder, act, at)
    )
    builder.deciding_act = max(could_fall, default=0)
    if not builder.deciding_act:
        builder.owed = ()


def fall_by_count(setup: Setup, before: Position, builder: PositionBuilder) -> None:
    """A win by an empty hand falls when that hand is counted and is not empty (N1).

    In silent games only until it is final: then the secrets are open.
    """
    by_empty_hand = before.over and bool(before.winners) and not ends_with_the_turn(setup)
    if by_empty_hand and (before.deciding_act or not setup.stoppable) and any(map(builder.held, before.winners)):
        builder.over, builder.winners, builder.deciding_act = False, (), 0


def answer(setup: Setup, builder: PositionBuilder, contest: Contest, *, valid: bool) -> None:
    """Case 1: the stopper was wrong. Cases 2 and 3: the act is undone and its player at fault."""
    builder.contest = None
    act = contest.act
    if valid:
        close(builder, act.number)
        _punish(setup, builder, contest.stopper)
        return
    _pay(setup, builder, contest, _withdraw(setup, builder, contest))
    _end_its_turn(setup, builder, act)
    builder.halting = builder.halting and somebody_empty(setup, builder)
    if builder.over and brings_points(setup):
        builder.winners = leaders(setup, builder)


def cost_of_fault(setup: Setup, position: Position, contest: Contest) -> StopCost:
    """What the stopped player pays if the act turns out to be at fault."""
    return _withdraw(setup, builder_of(position), contest)


def _withdraw(setup: Setup, builder: PositionBuilder, contest: Contest) -> StopCost:
    """Undo the contested act, and what its player has to pay then: a call gives its card back, maybe to the stopper."""
    act = contest.act
    falls = brings_down_win(setup, builder, act)
    entry = tuple(kept for kept in builder.acts if kept.number == act.number)  # a bot may place two cards in one act
    close(builder, act.number)
    for undone in entry or (act,):
        _undo(setup, builder, undone)
    if falls:  # a win is cancelled with its deciding act (TV27)
        builder.over, builder.winners, builder.deciding_act = False, (), 0
    return StopCost() if builder.over else stop_cost(setup, builder, act, contest.stopper)


def _punish(setup: Setup, builder: PositionBuilder, seat: Seat) -> None:
    """A wrong stopper draws a card (K5, T1), in Explore after a discard (K9, T4)."""
    if builder.over:
        return
    if pays_stop_by_discarding(setup) and builder.held(seat):
        builder.owed = (*builder.owed, OwedAct(seat, "discard", draws=True))
    else:
        due_draw(setup, builder, seat)


def _undo(setup: Setup, builder: PositionBuilder, act: ContestableAct) -> None:
    """Only the contested act is undone, with its trump (T2); later cards and spent trumps stay (K8, K10)."""
    builder.credits -= act.credits
    if act.points:
        builder.pay(act.by, -act.points)
        builder.score_reasons = (*builder.score_reasons, reason(setup, "refund", -act.points))
    if act.failed:
        return  # the card was discarded or never came; the draw that ended the turn stays
    if act.do == "call":
        _give_back(setup, builder, act)
    elif act.card is not None and _take_out(setup, builder, act):
        builder.put_away(act.by, act.card)


def _give_back(setup: Setup, builder: PositionBuilder, call: ContestableAct) -> None:
    """A called card goes back to its holder, also out of the tree: the Stop undoes both (T3)."""
    waiting = any(turn.called == call.card for turn in builder.turns)
    builder.turns = tuple(replace(turn, called=None) if turn.called == call.card else turn for turn in builder.turns)
    placed = call.placed
    if waiting:
        builder.give(call.holder, 1)
    elif placed and _take_out(setup, builder, placed):
        builder.pay(placed.by, -placed.points)
        builder.credits -= placed.credits
        builder.give(call.holder, 1)
        close(builder, placed.number)


def _take_out(setup: Setup, builder: PositionBuilder, act: ContestableAct) -> bool:
    """Take a card out of the tree again; a joker that its player recovered goes back into the tree.

    A joker that was played, or publicly lost, since then stays where it is.
    """
    laid = next((laid for laid in builder.tree if (laid.card, laid.number) == (act.card, act.number)), None)
    if laid is None:
        return False
    _pull_out(setup, builder, laid)
    if act.recovered and builder.held(act.by) and whereabouts(builder, act.recovered) is None:
        builder.give(act.by, -1)
        _put_back(setup, builder, TreeCard(act.recovered, laid.counts_as, act.by))
    return True


def _pull_out(setup: Setup, builder: PositionBuilder, laid: TreeCard) -> None:
    builder.tree = tuple(other for other in builder.tree if other is not laid)
    gone = (laid.counts_as, laid.card != laid.counts_as)
    builder.turns = tuple(keep_bases(turn, lambda base: (base.card, base.joker) != gone) for turn in builder.turns)
    if any(other.counts_as == laid.counts_as for other in builder.tree):
        return
    builder.vanish(laid.counts_as, setup.facts[laid.counts_as].era)


def _put_back(setup: Setup, builder: PositionBuilder, laid: TreeCard) -> None:
    builder.tree = (*builder.tree, laid)
    if laid.counts_as in builder.present:
        return
    builder.appear(laid.counts_as, setup.facts[laid.counts_as].era)


def _pay(setup: Setup, builder: PositionBuilder, contest: Contest, cost: StopCost) -> None:
    """The payment of a stopped player at fault (K6 to K9)."""
    act, stopper = contest.act, contest.stopper
    if cost.discard and builder.held(act.by):
        builder.owed = (*builder.owed, OwedAct(act.by, "discard", draws=True))
    if cost.card:
        builder.give(stopper, -1)
        builder.give(act.by, 1)
        bereaved(setup, builder, stopper)
    if (cost.draw or cost.fill_up) and not builder.over:
        due_draw(setup, builder, act.by)


def _end_its_turn(setup: Setup, builder: PositionBuilder, act: ContestableAct) -> None:
    """End the player's turn at once, without a further draw (K8, E:256, F:517), even if it is interrupted."""
    his = (replace(turn, ended=True, trumps=0) if turn.seat == act.by else turn for turn in builder.turns)
    builder.turns = tuple(his)
    turn = builder.turn
    # If a win is cancelled later, the turn has ended already, and the called card is back with its holder.
    if not builder.over and (turn.seat == act.by or (turn.ended and turn.called)):
        finish_turn(setup, builder, draws=False)
