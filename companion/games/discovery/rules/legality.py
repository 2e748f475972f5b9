"""What stands against a move: one function for each paragraph of the rule book."""

from __future__ import annotations

from companion.games.discovery import moves as act
from companion.games.discovery.rules.contest import objections_to_answer
from companion.games.discovery.rules.placement import (
    NOT_THERE,
    OWN_DISCARD,
    from_hand,
    joker_placement,
    known,
    lacks_asked,
    placement,
    possible_announcement,
    seen_elsewhere,
    source,
    victim,
)
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Position, Turn, whereabouts
from companion.games.protocol import Move, MoveContext, Objection
from companion.public.table import TABLE, CardId

GAME_OVER = Objection("game-over")
NOT_OFFERED = Objection("not-offered")
NOT_YOUR_TURN = Objection("turn")
MUST_DISCARD = Objection("must-discard")
TABLE_MOVES = (act.Deal, act.Refill, act.Uncontested, act.AgreeEnd)
STOP_MOVES = (act.Stop, act.Verify, act.Concede)


def judge(setup: Setup, public: Position, move: Move, at: MoveContext) -> tuple[Objection, ...]:
    """Every objection to a move that public facts allow (contract section 7)."""
    if isinstance(move, TABLE_MOVES):
        return _table(setup, public, move)
    if not 1 <= move.by <= len(setup.players):
        return (NOT_YOUR_TURN,)
    if move.by in public.away:
        return (NOT_YOUR_TURN,)
    if isinstance(move, STOP_MOVES):
        return (not public.over and _owed(public, move)) or objections_to_answer(setup, public, move, at)
    if public.over:
        return (GAME_OVER,)
    if public.contest:
        return (NOT_YOUR_TURN,)
    if public.owed:
        return _owed(public, move) or _payment(setup, public, move)
    if isinstance(move, act.Interrupt):
        return _interrupt(setup, public, move)
    turn = public.turn
    if move.by != turn.seat or turn.ended:
        return (NOT_YOUR_TURN,)
    if turn.discarded and not (isinstance(move, act.EndTurn) or _returns_asked(setup, turn, move)):
        return (NOT_YOUR_TURN,)
    if setup.bot(turn.seat) or isinstance(move, act.Flip):
        return _flip(setup, public, move)
    if turn.called and not _answers_call(setup, turn, move):
        return (Objection("must-place", (turn.called,)),)
    if turn.called and isinstance(move, act.Discard):
        return ()
    return _own_turn(setup, public, turn, move)


def _answers_call(setup: Setup, turn: Turn, move: Move) -> bool:
    """The called card is placed (G4); in silent games its caller may see that it must not be, and discards it (G5)."""
    if isinstance(move, act.Place):
        return move.source == "called"
    given_up = isinstance(move, act.Discard) and move.card == turn.called and not (move.trump or move.asked)
    return given_up and setup.profile.silent


def _returns_asked(setup: Setup, turn: Turn, move: Move) -> bool:
    """The asked card must still go when the other discard is done (I2)."""
    return isinstance(move, act.Discard) and move.asked and turn.asked and setup.profile.asked_duty


def _own_turn(setup: Setup, public: Position, turn: Turn, move: Move) -> tuple[Objection, ...]:
    match move:
        case act.Place():
            return _place(setup, public, turn, move)
        case act.Joker():
            return _joker(setup, public, turn, move)
        case act.Discard():
            return _discard(setup, public, turn, move)
        case act.Steal():
            return _steal(setup, public, turn, move)
        case act.Exchange():
            return _exchange(public, turn, move)
        case act.Ask():
            return _ask(setup, public, turn, move)
        case act.Call():
            return _call(setup, public, turn, move)
        case act.Announce():
            return () if setup.profile.silent and possible_announcement(move) else (NOT_OFFERED,)
        case act.Pass():
            return _pass(setup, public, turn)
        case act.EndTurn():
            return _end_turn(setup, public, turn)
        case _:
            return (NOT_OFFERED,)


def _table(setup: Setup, public: Position, move: Move) -> tuple[Objection, ...]:
    """The table's own acts need no turn and wait for no duty; no seat can say them for it (contract section 7)."""
    if move.by != TABLE:
        return (NOT_YOUR_TURN,)
    match move:
        case act.Deal():
            if not awaits_deal(public):
                return (NOT_OFFERED,)
            return () if possible_pool(setup, public, move.pool) else (NOT_THERE,)
        case act.Refill():
            place = whereabouts(public, move.card, unseen=move.unseen and setup.profile.silent)
            if place == "tree":
                return (Objection("already-placed"),)
            return () if None in public.pool and place is None and known(setup, move.card) else (NOT_THERE,)
        case act.Uncontested():
            if not setup.stoppable:
                return (NOT_OFFERED,)
            if move.number in public.judged:
                return (Objection("contest-closed"),)
            return () if any(kept.number == move.number for kept in public.acts) else (Objection("no-stop"),)
        case _:
            if public.over:
                return (GAME_OVER,)
            if public.contest:
                return (NOT_YOUR_TURN,)
            return _owed(public, move) or (() if stalemate(setup, public) else (NOT_OFFERED,))


def awaits_deal(public: Position) -> bool:
    """Nothing has happened yet and nobody has said what lies in the pool (A3)."""
    return not public.dealt and not public.tree and not public.latest_act


def possible_pool(setup: Setup, public: Position, pool: tuple[CardId, ...]) -> bool:
    """At most five different discovery cards: jokers come into the stack after the deal (A3, A7)."""
    return len(pool) <= len(public.pool) and len(set(pool)) == len(pool) and setup.facts.keys() >= set(pool)


def stalemate(setup: Setup, public: Position) -> bool:
    """Three full rounds without a placement, nothing left to draw, no points (N4)."""
    rounds = public.quiet >= 3 * (len(setup.players) - len(public.away)) and not public.turn.placed
    return rounds and not setup.profile.points and not public.stack


def _owed(public: Position, move: Move) -> tuple[Objection, ...]:
    """The next move must be the owed act by the seat that owes it (contract, owed acts)."""
    if not public.owed or public.contest:
        return ()
    debt = public.owed[0]
    if move.do == debt.do and move.by == debt.seat and not getattr(move, "trump", False):
        return ()
    return (Objection(f"must-{debt.do}"),)


def _payment(setup: Setup, public: Position, move: Move) -> tuple[Objection, ...]:
    if isinstance(move, act.Steal):
        return victim(public, move.by, move.source)
    if not isinstance(move, act.Discard):
        return (NOT_OFFERED,)
    return from_hand(setup, public, move.by, move.card, unseen=move.unseen)


def _place(setup: Setup, public: Position, turn: Turn, move: act.Place) -> tuple[Objection, ...]:
    if move.card not in setup.facts:
        return (NOT_THERE,)
    objections = source(setup, public, move.by, move.card, move.source, unseen=move.unseen)
    if OWN_DISCARD in objections and not setup.tells_at_once and move.card not in public.discard(move.by):
        objections = (NOT_THERE,)
    objections = (*objections, *lacks_asked(turn, move.asked, objections, offered=setup.in_teams))
    # With Stop a card out of one's own discard lies there until somebody says it.
    tellable = objections if setup.tells_at_once else tuple(one for one in objections if one != OWN_DISCARD)
    if setup.tells_at_once or (tellable and not setup.profile.silent):
        return (*objections, *placement(setup, public, turn, move))
    return tellable


def _joker(setup: Setup, public: Position, turn: Turn, move: act.Joker) -> tuple[Objection, ...]:
    if not setup.jokers:
        return (NOT_OFFERED,)
    if move.joker not in setup.jokers:
        return (NOT_THERE,)
    objections: tuple[Objection, ...] = (NOT_THERE,)
    if move.source in ("hand", "pool"):
        objections = source(setup, public, move.by, move.joker, move.source, unseen=move.unseen)
    if move.stands_for is None:
        late = turn.placed and not turn.trumps and not setup.profile.joker_any_time
        return (*objections, Objection("joker-timing")) if late else objections
    if move.stands_for not in setup.facts:
        return (*objections, Objection("joker-card"))
    tellable = (*objections, *seen_elsewhere(setup, public, move.stands_for))
    if setup.tells_at_once or (tellable and not setup.profile.silent):
        return (*objections, *joker_placement(setup, public, turn, move, move.stands_for))
    return tellable


def _interrupt(setup: Setup, public: Position, move: act.Interrupt) -> tuple[Objection, ...]:
    """Only in another's turn, with a joker from the hand, between two acts (H8, H9, O1, E:265, F:312)."""
    if not setup.jokers or setup.bot(move.by):
        return (NOT_OFFERED,)
    if public.turn.called:
        return (Objection("must-place", (public.turn.called,)),)
    objections: tuple[Objection, ...] = (NOT_THERE,)
    if move.joker in setup.jokers:
        objections = from_hand(setup, public, move.by, move.joker, unseen=move.unseen)
    if move.by == public.turn.seat or public.turn.held:
        objections = (*objections, Objection("joker-timing"))
    return objections


def due_discard(setup: Setup, public: Position, turn: Turn) -> bool:
    """Explore: without a placement one card is discarded before drawing (D3, E:386, F:260)."""
    return _without_placement(setup, turn) and bool(public.held(turn.seat))


def _without_placement(setup: Setup, turn: Turn) -> bool:
    return setup.profile.points and not (turn.placed or turn.discarded or setup.bot(turn.seat))


def pays_due(setup: Setup, turn: Turn, move: act.Discard) -> bool:
    """Whether a discard pays what is due; otherwise it spends a trump (contract, ``discard``)."""
    return not move.trump and (move.asked or _without_placement(setup, turn))


def _discard(setup: Setup, public: Position, turn: Turn, move: act.Discard) -> tuple[Objection, ...]:
    there = from_hand(setup, public, move.by, move.card, unseen=move.unseen)
    duty = setup.in_teams and setup.profile.asked_duty
    objections = [*there, *lacks_asked(turn, move.asked, there, offered=duty)]
    if not pays_due(setup, turn, move):
        if not turn.trumps:
            objections.append(Objection("no-trump"))
        if public.held(move.by) < 2:
            objections.append(Objection("last-card"))  # F9, E:132, F:340
    return tuple(objections)


def _steal(setup: Setup, public: Position, turn: Turn, move: act.Steal) -> tuple[Objection, ...]:
    """A trump may steal in the French games only (F7, F:333)."""
    if not setup.profile.trump_steal:
        return (NOT_OFFERED,)
    objections = victim(public, move.by, move.source)
    return objections if turn.trumps else (*objections, Objection("no-trump"))


def _exchange(public: Position, turn: Turn, move: act.Exchange) -> tuple[Objection, ...]:
    """Another card than the stolen one is given: there must be one (F8, E:130, F:337)."""
    objections = list(victim(public, move.by, move.source))
    if not turn.trumps:
        objections.append(Objection("no-trump"))
    if not public.held(move.by):
        objections.append(Objection("last-card"))
    return tuple(objections)


def _ask(setup: Setup, public: Position, turn: Turn, move: act.Ask) -> tuple[Objection, ...]:
    """A team-mate, before anything else in the turn (I1, E:277, F:320)."""
    if turn.acted or move.source == move.by or move.source not in setup.teams[move.by - 1]:
        return (NOT_OFFERED,)
    return victim(public, move.by, move.source)


def _call(setup: Setup, public: Position, turn: Turn, move: act.Call) -> tuple[Objection, ...]:
    """A call costs a trump (G1); whether it succeeds is not judged beforehand. A joker cannot be called (H10)."""
    objections = [] if turn.trumps else [Objection("no-trump")]
    if move.card not in setup.facts:
        objections.append(NOT_OFFERED)
    elif move.holder > len(setup.players) or (move.holder and not public.held(move.holder)):
        objections.append(NOT_THERE)  # an empty hand cannot have held it
    return tuple(objections)


def _pass(setup: Setup, public: Position, turn: Turn) -> tuple[Objection, ...]:
    """At the beginning, as long as no card has been placed, be it one that a Stop took out again (A8, E:197, F:184)."""
    objections = (MUST_DISCARD,) if _asked_due(setup, public, turn) else ()
    return (*objections, Objection("pass-closed")) if public.begun else objections


def _end_turn(setup: Setup, public: Position, turn: Turn) -> tuple[Objection, ...]:
    """The discard of a turn without placement (D3) and the asked card (I2) come first."""
    return (MUST_DISCARD,) if _asked_due(setup, public, turn) or due_discard(setup, public, turn) else ()


def _asked_due(setup: Setup, public: Position, turn: Turn) -> bool:
    return setup.profile.asked_duty and turn.asked and bool(public.held(turn.seat))


def _flip(setup: Setup, public: Position, move: Move) -> tuple[Objection, ...]:
    """A bot acts by flip alone, and nobody else does (J2)."""
    if not isinstance(move, act.Flip) or not setup.bot(move.by):
        return (NOT_OFFERED,)
    return from_hand(setup, public, move.by, move.card, unseen=move.unseen)
