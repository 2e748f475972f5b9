"""Stop: who was right, and what it costs (K4-K12, rules.md 3.8)."""

from __future__ import annotations

from companion.games.discovery.effects.drawing import bereaved, due_draw, somebody_empty
from companion.games.discovery.effects.scoring import leaders, reason
from companion.games.discovery.effects.turns import finish_turn
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Contest, ContestableAct, Obligation, PositionBuilder, TreeCard, turn_with
from companion.public.table import Seat


def stop(draft: PositionBuilder, act: ContestableAct, stopper: Seat) -> None:
    """The game waits for the stopped player's answer."""
    draft.contest = Contest(act, stopper)


def close(draft: PositionBuilder, number: int) -> None:
    """An act can no longer be contested; a win that hung on it stands."""
    draft.acts = tuple(act for act in draft.acts if act.number != number)
    draft.judged |= {number}
    if draft.deciding_act == number:
        draft.deciding_act = 0


def answer(setup: Setup, draft: PositionBuilder, contest: Contest, *, valid: bool) -> None:
    """Case 1: the stopper was wrong. Cases 2 and 3: the act is undone and its player at fault."""
    draft.contest = None
    act = contest.act
    falls = draft.over and not setup.profile.points and (act.number == draft.deciding_act or act.by in draft.winners)
    close(draft, act.number)
    if valid:
        _punish(setup, draft, contest.stopper)
        return
    _undo(setup, draft, act)
    if falls:  # a win falls with the act that it hung on (TV27)
        draft.over, draft.winners, draft.deciding_act = False, (), 0
    if not draft.over:
        _pay(setup, draft, act, contest.stopper)
    _end_its_turn(setup, draft, act)
    draft.halting = draft.halting and somebody_empty(setup, draft)
    if draft.over and setup.profile.points:
        draft.winners = leaders(setup, draft)


def _punish(setup: Setup, draft: PositionBuilder, seat: Seat) -> None:
    """Whoever stopped wrongly draws a card (K5), in points games after a discard (K9)."""
    if draft.over:
        return
    if setup.profile.points and draft.held(seat):
        draft.owed = (*draft.owed, Obligation(seat, "discard", draws=True))
    else:
        due_draw(setup, draft, seat)


def _undo(setup: Setup, draft: PositionBuilder, act: ContestableAct) -> None:
    """Only the contested act is undone; cards laid since then stay (K8)."""
    draft.credits -= act.credits
    if act.points:
        draft.pay(act.by, -act.points)
        draft.why = (*draft.why, reason(setup, "refund", -act.points))
    if act.do == "call":
        _give_back(setup, draft, act)
    elif act.card is not None and _take_out(setup, draft, act):
        draft.put_away(act.by, act.card)


def _give_back(setup: Setup, draft: PositionBuilder, call: ContestableAct) -> None:
    """A called card goes back to its holder, also out of the tree: the Stop undoes both."""
    waiting = any(turn.called == call.card for turn in draft.turns)
    draft.turns = tuple(turn_with(turn, called=None) if turn.called == call.card else turn for turn in draft.turns)
    placed = next((act for act in draft.acts if act.do == "place" and act.card == call.card), None)
    if waiting:
        draft.give(call.holder, 1)
    elif placed and _take_out(setup, draft, placed):
        draft.pay(placed.by, -placed.points)
        draft.credits -= placed.credits
        draft.give(call.holder, 1)
        close(draft, placed.number)


def _take_out(setup: Setup, draft: PositionBuilder, act: ContestableAct) -> bool:
    """Take a card out of the tree again; a joker that its player recovered goes back there."""
    laid = next((laid for laid in reversed(draft.tree) if laid.card == act.card), None)
    if laid is None:
        return False
    _pull_out(setup, draft, laid)
    if act.recovered and draft.held(act.by):
        draft.give(act.by, -1)
        _put_back(setup, draft, TreeCard(act.recovered, laid.counts_as, act.by))
    return True


def _pull_out(setup: Setup, draft: PositionBuilder, laid: TreeCard) -> None:
    draft.tree = tuple(other for other in draft.tree if other is not laid)
    if any(other.counts_as == laid.counts_as for other in draft.tree):
        return
    draft.vanish(laid.counts_as, setup.facts[laid.counts_as].era)


def _put_back(setup: Setup, draft: PositionBuilder, laid: TreeCard) -> None:
    draft.tree = (*draft.tree, laid)
    if laid.counts_as in draft.present:
        return
    draft.appear(laid.counts_as, setup.facts[laid.counts_as].era)


def _pay(setup: Setup, draft: PositionBuilder, act: ContestableAct, stopper: Seat) -> None:
    """What the stopped player at fault takes up: a card of the stopper, and another for a misplaced one (K6-K9)."""
    placed = act.do in ("place", "joker", "flip")
    if setup.profile.points:
        if placed:
            due_draw(setup, draft, act.by)
        elif draft.held(act.by):
            draft.owed = (*draft.owed, Obligation(act.by, "discard", draws=True))
        return
    solo = setup.bot(act.by) and sum(not player.bot for player in setup.players) == 1
    if draft.held(stopper) and not solo:
        draft.give(stopper, -1)
        draft.give(act.by, 1)
        bereaved(setup, draft, stopper)
    if placed and not draft.over:
        due_draw(setup, draft, act.by)


def _end_its_turn(setup: Setup, draft: PositionBuilder, act: ContestableAct) -> None:
    """If it was his turn, it ends at once, without a further draw (K8, E:256, F:517): also one that was interrupted."""
    if draft.over:
        return
    draft.turns = tuple(turn_with(turn, ended=True) if turn.seat == act.by else turn for turn in draft.turns)
    if draft.turn.seat == act.by:
        finish_turn(setup, draft, draws=False)
