"""The objections to a move: one function for each paragraph of the rule book, and the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.discovery import moves as act
from companion.games.discovery.explore import discards_before_drawing, may_end_in_a_draw
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
from companion.games.discovery.secrecy import caller_may_give_up, eras_are_announced, seen_place, tells_every_fault
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Position, Turn
from companion.games.protocol import Move, MoveContext, Objection
from companion.public.table import TABLE, CardId

Rule = Callable[[Setup, Position, Any, MoveContext], tuple[Objection, ...]]
"""The objections to a move of its kind; none = legal."""

GAME_OVER = Objection("game-over")
NOT_OFFERED = Objection("not-offered")
NOT_YOUR_TURN = Objection("turn")
MUST_DISCARD = Objection("must-discard")
TABLE_MOVES = (act.Deal, act.Refill, act.Uncontested, act.AgreeEnd)
SEAT_MOVES = tuple(kind for kind in act.MOVES.values() if kind not in TABLE_MOVES)
STOP_MOVES = (act.Stop, act.Verify, act.Concede)
WITHOUT_TURN = (*STOP_MOVES, act.Deal, act.Refill, act.Uncontested)
"""These are possible in every turn, during a Stop and after the end of the match."""


def judge(setup: Setup, public: Position, move: Move, at: MoveContext) -> tuple[Objection, ...]:
    """All objections to a move from public facts (contract section 7).

    First come the rules of ``FIRST``, in their order: an objection of one of them stands alone. Then come the rules of
    the kind of move, and all their objections count.
    """
    for rule in _FIRST.get(type(move), FIRST):
        if objections := rule(setup, public, move, at):
            return objections
    kinds = PAYING if public.owed and not isinstance(move, (*WITHOUT_TURN, act.AgreeEnd)) else RULES
    own: Rule = kinds.get(type(move), not_offered)
    return own(setup, public, move, at)


def table_acts(_setup: Setup, _public: Position, move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """The table's own acts belong to no seat (contract section 7)."""
    return () if move.by == TABLE else (NOT_YOUR_TURN,)


def seat_acts(setup: Setup, public: Position, move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """All others belong to a seat in which somebody sits (contract section 7)."""
    return () if 1 <= move.by <= len(setup.players) and move.by not in public.away else (NOT_YOUR_TURN,)


def match_goes_on(_setup: Setup, public: Position, _move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """After the end there are no moves except a Stop and its answer (K2)."""
    return (GAME_OVER,) if public.over else ()


def stop_is_answered(_setup: Setup, public: Position, _move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """While a Stop waits for its answer, no other move is allowed (K3)."""
    return (NOT_YOUR_TURN,) if public.contest else ()


def debt_is_paid(_setup: Setup, public: Position, move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """The next move must be the owed act by the seat that owes it (contract, owed acts)."""
    if not public.owed or public.contest or public.over:
        return ()
    debt = public.owed[0]
    if move.do == debt.do and move.by == debt.seat and not getattr(move, "trump", False):
        return ()
    return (Objection(f"must-{debt.do}"),)


def turn_is_own(setup: Setup, public: Position, move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """A seat acts in its own turn (A8); after its discard for that turn, it may only end it or discard the asked
    card."""
    if public.owed:
        return ()
    turn = public.turn
    if move.by != turn.seat or turn.ended:
        return (NOT_YOUR_TURN,)
    if turn.discarded and not (isinstance(move, act.EndTurn) or _returns_asked(setup, turn, move)):
        return (NOT_YOUR_TURN,)
    return ()


def bots_flip(setup: Setup, public: Position, move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """A bot only acts by flip, and only bots do (J5)."""
    if public.owed or isinstance(move, act.Flip) == setup.bot(public.turn.seat):
        return ()
    return (NOT_OFFERED,)


def called_card_is_placed(setup: Setup, public: Position, move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    """After a successful call only its answer is allowed (G4, G5)."""
    turn = public.turn
    if public.owed or not turn.called or setup.bot(turn.seat) or answers_call(setup, turn, move):
        return ()
    return (Objection("must-place", (turn.called,)),)


AT_ANY_TIME = (*TABLE_MOVES, *STOP_MOVES, act.Interrupt)
"""These moves do not depend on whose turn it is."""

FIRST: Mapping[Rule, tuple[type[Move], ...]] = {
    table_acts: SEAT_MOVES,
    seat_acts: TABLE_MOVES,
    match_goes_on: WITHOUT_TURN,
    stop_is_answered: WITHOUT_TURN,
    debt_is_paid: (act.Deal, act.Refill, act.Uncontested),
    turn_is_own: AT_ANY_TIME,
    bots_flip: AT_ANY_TIME,
    called_card_is_placed: AT_ANY_TIME,
}
"""Asked of every move, in this order, except of the kinds named beside each."""


def answers_call(setup: Setup, turn: Turn, move: Move) -> bool:
    """The called card is placed (G4); in silent games its caller may see that it must not be, and discard it (G5)."""
    if isinstance(move, act.Place):
        return move.source == "called"
    given_up = isinstance(move, act.Discard) and move.card == turn.called and not (move.trump or move.asked)
    return given_up and caller_may_give_up(setup)


def _returns_asked(setup: Setup, turn: Turn, move: Move) -> bool:
    """The asked card must still be discarded after the other discard (I2)."""
    return isinstance(move, act.Discard) and move.asked and turn.asked and setup.profile.asked_duty


def not_offered(*_asked: Any) -> tuple[Objection, ...]:
    """It is not possible now."""
    return (NOT_OFFERED,)


def deal(setup: Setup, public: Position, move: act.Deal, _at: MoveContext) -> tuple[Objection, ...]:
    """The first pool, once (A3)."""
    if not awaits_deal(public):
        return (NOT_OFFERED,)
    return () if possible_pool(setup, public, move.pool) else (NOT_THERE,)


def refill(setup: Setup, public: Position, move: act.Refill, _at: MoveContext) -> tuple[Objection, ...]:
    """A card from no other visible place fills a gap of the pool (B2)."""
    place = seen_place(setup, public, move.card, spoken=move.unseen)
    if place == "tree":
        return (Objection("already-placed"),)
    return () if None in public.pool and place is None and known(setup, move.card) else (NOT_THERE,)


def uncontested(setup: Setup, public: Position, move: act.Uncontested, _at: MoveContext) -> tuple[Objection, ...]:
    """An act that can still be contested (K2)."""
    if not setup.stoppable:
        return (NOT_OFFERED,)
    if move.number in public.judged:
        return (Objection("contest-closed"),)
    return () if any(kept.number == move.number for kept in public.acts) else (Objection("no-stop"),)


def agree_end(setup: Setup, public: Position, _move: act.AgreeEnd, _at: MoveContext) -> tuple[Objection, ...]:
    """All players agree that no seat can continue (N4)."""
    return () if stalemate(setup, public) else (NOT_OFFERED,)


def awaits_deal(public: Position) -> bool:
    """Nothing has happened yet and the pool is unknown (A3)."""
    return not public.dealt and not public.tree and not public.latest_act


def possible_pool(setup: Setup, public: Position, pool: tuple[CardId, ...]) -> bool:
    """At most five different discovery cards: jokers are added to the stack after the deal (A3, A7)."""
    return len(pool) <= len(public.pool) and len(set(pool)) == len(pool) and setup.facts.keys() >= set(pool)


def stalemate(setup: Setup, public: Position) -> bool:
    """Three full rounds without a placement, nothing left to draw, no points (N4)."""
    rounds = public.quiet >= 3 * (len(setup.players) - len(public.away)) and not public.turn.placed
    return rounds and may_end_in_a_draw(setup, public)


def pay_by_stealing(_setup: Setup, public: Position, move: act.Steal, _at: MoveContext) -> tuple[Objection, ...]:
    """A steal that is owed (E1)."""
    return victim(public, move.by, move.source)


def pay_by_discarding(setup: Setup, public: Position, move: act.Discard, _at: MoveContext) -> tuple[Objection, ...]:
    """A discard that is owed (K7)."""
    return from_hand(setup, public, move.by, move.card, unseen=move.unseen)


def place(setup: Setup, public: Position, move: act.Place, _at: MoveContext) -> tuple[Objection, ...]:
    """The source of a card (C1), its prerequisites (C2) and its links (C3 to C6).

    In a silent game only public facts are reported; the rest waits for a Stop (L1).
    """
    if move.card not in setup.facts:
        return (NOT_THERE,)
    objections = source(setup, public, move.by, move.card, move.source, unseen=move.unseen)
    stays = setup.stoppable  # with Stop, a card from one's own discard stays until it is contested
    if stays and OWN_DISCARD in objections and move.card not in public.discard(move.by):
        objections = (NOT_THERE,)
    if move.asked:
        objections = (*objections, *lacks_asked(public.turn, objections, offered=setup.in_teams))
    tellable = tuple(one for one in objections if one != OWN_DISCARD) if stays else objections
    if tells_every_fault(setup, tellable):
        return (*objections, *placement(setup, public, public.turn, move))
    return tellable


def joker(setup: Setup, public: Position, move: act.Joker, _at: MoveContext) -> tuple[Objection, ...]:
    """A joker comes from hand or pool, at the right time (H1), for a permitted card (H2 to H4)."""
    if not setup.jokers:
        return (NOT_OFFERED,)
    if move.joker not in setup.jokers:
        return (NOT_THERE,)
    objections: tuple[Objection, ...] = (NOT_THERE,)
    if move.source in ("hand", "pool"):
        objections = source(setup, public, move.by, move.joker, move.source, unseen=move.unseen)
    if move.stands_for is None:
        late = public.turn.placed and not public.turn.trumps and not setup.profile.joker_any_time
        return (*objections, Objection("joker-timing")) if late else objections
    if move.stands_for not in setup.facts:
        return (*objections, Objection("joker-card"))
    tellable = (*objections, *seen_elsewhere(setup, public, move.stands_for))
    if tells_every_fault(setup, tellable):
        return (*objections, *joker_placement(setup, public, public.turn, move, move.stands_for))
    return tellable


def interrupt(setup: Setup, public: Position, move: act.Interrupt, _at: MoveContext) -> tuple[Objection, ...]:
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
    return discards_before_drawing(setup, turn) and bool(public.held(turn.seat))


def pays_due(setup: Setup, turn: Turn, move: act.Discard) -> bool:
    """Whether a discard pays what is due; otherwise it spends a trump (contract, ``discard``)."""
    return not move.trump and (move.asked or discards_before_drawing(setup, turn))


def discard(setup: Setup, public: Position, move: act.Discard, _at: MoveContext) -> tuple[Objection, ...]:
    """A discard pays for a turn without placement (D3) or spends a trump (F9); a called card is simply discarded
    (G5)."""
    if public.turn.called:
        return ()
    there = from_hand(setup, public, move.by, move.card, unseen=move.unseen)
    objections = list(there)
    if move.asked:
        duty = setup.in_teams and setup.profile.asked_duty
        objections += lacks_asked(public.turn, there, offered=duty)
    if not pays_due(setup, public.turn, move):
        if not public.turn.trumps:
            objections.append(Objection("no-trump"))
        if public.held(move.by) < 2:
            objections.append(Objection("last-card"))  # F9, E:132, F:340
    return tuple(objections)


def steal(setup: Setup, public: Position, move: act.Steal, _at: MoveContext) -> tuple[Objection, ...]:
    """A trump may steal in the French games only (F7, F:333)."""
    if not setup.profile.trump_steal:
        return (NOT_OFFERED,)
    objections = victim(public, move.by, move.source)
    return objections if public.turn.trumps else (*objections, Objection("no-trump"))


def exchange(_setup: Setup, public: Position, move: act.Exchange, _at: MoveContext) -> tuple[Objection, ...]:
    """A different card is given for the stolen one: there must be one (F8, E:130, F:337)."""
    objections = list(victim(public, move.by, move.source))
    if not public.turn.trumps:
        objections.append(Objection("no-trump"))
    if not public.held(move.by):
        objections.append(Objection("last-card"))
    return tuple(objections)


def ask(setup: Setup, public: Position, move: act.Ask, _at: MoveContext) -> tuple[Objection, ...]:
    """A team-mate, before anything else in the turn (I1, E:277, F:320)."""
    if public.turn.acted or move.source == move.by or move.source not in setup.teams[move.by - 1]:
        return (NOT_OFFERED,)
    return victim(public, move.by, move.source)


def call(setup: Setup, public: Position, move: act.Call, _at: MoveContext) -> tuple[Objection, ...]:
    """A call costs a trump (F10, G1); its success is not judged beforehand. A joker cannot be called (H10)."""
    objections = [] if public.turn.trumps else [Objection("no-trump")]
    if move.card not in setup.facts:
        objections.append(NOT_OFFERED)
    elif move.holder > len(setup.players) or (move.holder and not public.held(move.holder)):
        objections.append(NOT_THERE)  # an empty hand cannot have held it
    return tuple(objections)


def pass_turn(setup: Setup, public: Position, _move: act.Pass, _at: MoveContext) -> tuple[Objection, ...]:
    """Only before the first placement, even if a Stop removed that card again (A8, E:197, F:184)."""
    objections = (MUST_DISCARD,) if _asked_due(setup, public, public.turn) else ()
    return (*objections, Objection("pass-closed")) if public.begun else objections


def end_turn(setup: Setup, public: Position, _move: act.EndTurn, _at: MoveContext) -> tuple[Objection, ...]:
    """The discard of a turn without placement (D3) and the asked card (I2) come first."""
    return (MUST_DISCARD,) if _asked_due(setup, public, public.turn) or due_discard(setup, public, public.turn) else ()


def _asked_due(setup: Setup, public: Position, turn: Turn) -> bool:
    return setup.profile.asked_duty and turn.asked and bool(public.held(turn.seat))


def flip(setup: Setup, public: Position, move: act.Flip, _at: MoveContext) -> tuple[Objection, ...]:
    """The card that a bot turns over comes from its face-down row (J2)."""
    return from_hand(setup, public, move.by, move.card, unseen=move.unseen)


def announce(setup: Setup, _public: Position, move: act.Announce, _at: MoveContext) -> tuple[Objection, ...]:
    """An era may be announced as open or closed if that is not visible: in silent games (F1, K11)."""
    return () if eras_are_announced(setup) and possible_announcement(move) else (NOT_OFFERED,)


RULES: Mapping[type[Move], Rule] = {
    act.Deal: deal,
    act.Refill: refill,
    act.Uncontested: uncontested,
    act.AgreeEnd: agree_end,
    act.Stop: objections_to_answer,
    act.Verify: objections_to_answer,
    act.Concede: objections_to_answer,
    act.Interrupt: interrupt,
    act.Place: place,
    act.Joker: joker,
    act.Discard: discard,
    act.Steal: steal,
    act.Exchange: exchange,
    act.Ask: ask,
    act.Call: call,
    act.Announce: announce,
    act.Pass: pass_turn,
    act.EndTurn: end_turn,
    act.Flip: flip,
}
"""Asked of each kind of move after that; all objections count."""

PAYING: Mapping[type[Move], Rule] = {act.Steal: pay_by_stealing, act.Discard: pay_by_discarding}
"""Asked instead of a move that pays what its seat owes."""

_FIRST = {kind: tuple(rule for rule, exempt in FIRST.items() if kind not in exempt) for kind in RULES}
"""``FIRST`` by kind of move."""
