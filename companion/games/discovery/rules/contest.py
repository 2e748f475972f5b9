"""Which acts somebody may still say Stop to, and who answers (K1-K3)."""

from __future__ import annotations

from companion.games.discovery.moves import Concede, Stop
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import ContestableAct, Position, PositionFields
from companion.games.protocol import Move, MoveContext, Objection
from companion.public.table import Seat


def expired(setup: Setup, position: PositionFields, act: ContestableAct, at: MoveContext) -> bool:
    """Too late to contest: the seconds have passed, and a later act exists unless the match is over (K2)."""
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
    """Against ``stop``, ``verify`` and ``concede``."""
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
    if isinstance(move, Concede) and (not setup.profile.silent or setup.bot(stopped)):
        return (Objection("not-offered"),)  # only cases 1 and 3 apply (E:322); nobody concedes for a bot (J9)
    return ()


def _stop(setup: Setup, public: Position, move: Stop, at: MoveContext) -> tuple[Objection, ...]:
    if setup.bot(move.by):
        return (Objection("not-offered"),)  # bots never stop (K3)
    if public.contest:
        return (CONTEST_CLOSED,)  # the first voice wins (K3)
    act = contested(setup, public, move, at)
    if act is None:
        passed = move.number is not None and move.number in public.judged
        return (CONTEST_CLOSED,) if passed else (NOTHING_TO_STOP,)
    if act.by == move.by:
        return (NOTHING_TO_STOP,)
    return (CONTEST_CLOSED,) if expired(setup, public, act, at) else ()


def answering(setup: Setup, public: Position) -> tuple[Seat, ...]:
    """Who may answer the Stop that waits."""
    if public.contest is None:
        return ()
    stopped = public.contest.act.by
    people = tuple(seat for seat in setup.seats if not setup.bot(seat) and seat not in public.away)
    return people if setup.bot(stopped) or stopped in public.away else (stopped,)
