"""Which acts can still be stopped, and who answers (K1-K3)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.discovery.explore import ends_with_the_turn, pays_stop_by_discarding
from companion.games.discovery.moves import Concede, Stop
from companion.games.discovery.secrecy import may_concede
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import ContestableAct, Position, PositionFields
from companion.games.protocol import Move, MoveContext, Objection
from companion.public.table import Seat


def expired(setup: Setup, position: PositionFields, act: ContestableAct, at: MoveContext) -> bool:
    """Whether it is too late to contest: the seconds have passed, and a later act exists unless the match is over
    (K2)."""
    if act.time_s is None or at.time_s is None or at.time_s - act.time_s < setup.options.contest_s:
        return False
    return position.latest_act > act.number or position.over


NOTHING_TO_STOP = Objection("no-stop")
CONTEST_CLOSED = Objection("contest-closed")


def contested(setup: Setup, public: Position, move: Stop, at: MoveContext) -> ContestableAct | None:
    """The act that a Stop means: the one it names, else the last one of another seat that is not too late."""
    for act in reversed(public.acts):
        if move.number is None and act.by != move.by and not expired(setup, public, act, at):
            return act
        if act.number == move.number:
            return act
    return None


def objections_to_answer(setup: Setup, public: Position, move: Move, at: MoveContext) -> tuple[Objection, ...]:
    """The objections to ``stop``, ``verify`` and ``concede``."""
    if public.over and not public.deciding_act:
        return (Objection("game-over"),)
    if not setup.stoppable:
        return (Objection("not-offered"),)
    if isinstance(move, Stop):
        return _stop(setup, public, move, at)
    if public.contest is None:
        return (NOTHING_TO_STOP,)
    stopped = public.contest.act.by
    if move.by not in answering(setup, public):
        return (Objection("turn"),)
    if isinstance(move, Concede) and not may_concede(setup, stopped):
        return (Objection("not-offered"),)
    return ()


def _stop(setup: Setup, public: Position, move: Stop, at: MoveContext) -> tuple[Objection, ...]:
    if setup.bot(move.by):
        return (Objection("not-offered"),)  # bots never stop (K3)
    if public.contest:
        return (CONTEST_CLOSED,)  # the first Stop wins (K3)
    act = contested(setup, public, move, at)
    if act is None:
        passed = move.number is not None and move.number in public.judged
        return (CONTEST_CLOSED,) if passed else (NOTHING_TO_STOP,)
    if act.by == move.by:
        return (NOTHING_TO_STOP,)
    return (CONTEST_CLOSED,) if expired(setup, public, act, at) else ()


def answering(setup: Setup, public: Position) -> tuple[Seat, ...]:
    """The seats that may answer the open Stop."""
    if public.contest is None:
        return ()
    stopped = public.contest.act.by
    people = tuple(seat for seat in setup.seats if not setup.bot(seat) and seat not in public.away)
    return people if setup.bot(stopped) or stopped in public.away else (stopped,)


PLACEMENTS = ("place", "joker", "flip")
"""The acts that lay a card in the tree, by their names in the record."""


@dataclass(frozen=True, slots=True)
class StopCost:
    """What a player takes up or discards who was rightly stopped (K6 to K9).

    Attributes:
        card: He takes a card out of the stopper's hand.
        draw: He draws a card.
        fill_up: He draws up to five cards.
        discard: He discards a card, then draws up to five.
    """

    card: bool = False
    draw: bool = False
    fill_up: bool = False
    discard: bool = False


def stop_cost(setup: Setup, position: PositionFields, act: ContestableAct, stopper: Seat) -> StopCost:
    """A card of the stopper's (K6, K7), and another one for a card placed at fault (K8); in Explore as in K9.

    The only person at a table of bots gives a bot no card (J9).
    """
    placed = act.do in PLACEMENTS
    if pays_stop_by_discarding(setup):
        return StopCost(fill_up=placed, discard=not placed and not act.paid)
    alone = setup.bot(act.by) and sum(not player.bot for player in setup.players) == 1
    return StopCost(card=position.held(stopper) > 0 and not alone, draw=placed)


def brings_down_win(setup: Setup, position: PositionFields, act: ContestableAct) -> bool:
    """A win by an empty hand falls with the act that it hung on, and with any act of a winner's (K2, F:540)."""
    of_the_win = act.number == position.deciding_act or act.by in position.winners
    return position.over and not ends_with_the_turn(setup) and of_the_win
