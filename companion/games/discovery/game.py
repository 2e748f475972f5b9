"""Discovery: the evolution game, assembled for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from companion.errors import ImpossibleMove, InputError, fault
from companion.games.discovery import interpretation, texts, view
from companion.games.discovery.effects import adopt_table
from companion.games.discovery.effects.apply import carry_out
from companion.games.discovery.effects.contest import conclude, fall_by_count
from companion.games.discovery.effects.scoring import penalty, standing, totals
from companion.games.discovery.effects.seats import leave_seat, take_seat
from companion.games.discovery.effects.turns import opening
from companion.games.discovery.explore import brings_points
from companion.games.discovery.moves import MOVES, Call, Concede, Deal, Stop, Uncontested, Verify
from companion.games.discovery.rules import calls, legality
from companion.games.discovery.rules.placement import true_objections
from companion.games.discovery.secrecy import as_spoken
from companion.games.discovery.setup import POOL, Setup
from companion.games.discovery.state import Position, State, builder_of, built, counted, lying_twice, replace
from companion.games.protocol import (
    Countable,
    Effect,
    Game,
    GameBoard,
    GameRules,
    GameTable,
    GameWords,
    HiddenHalf,
    Move,
    MoveContext,
    misplaced,
    zones_of,
)
from companion.public.standing import Count
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Seat, Token, Zone
from companion.public.text import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery(Game[State, Position]):
    setup: Setup


def discovery(setup: Setup, position: Position | None = None) -> Discovery:
    """A match.

    Args:
        setup: Deck, players and profile.
        position: The start, unless it is the deal.
    """
    cards = stickers(setup)
    return Discovery(
        name="discovery",
        seats=len(setup.players),
        setup=setup,
        rules=GameRules(
            moves=MOVES,
            start=State(position or opening(setup)),
            judge=partial(legality.judge, setup),
            apply=partial(apply, setup),
            adopt=partial(adopt, setup),
            countable={"hands": Countable(by_seat=True), "stack": Countable(by_seat=False)},
            correct=partial(correct, setup),
            seat=partial(take_or_leave, setup),
            empty_seats=lambda public: public.away,
            may_take_back=may_take_back,
            infers_turns=setup.options.inferred,
            implied_moves=partial(interpretation.implied_moves, setup),
            unlaid=frozenset({"must-discard", "must-place"}),
            timer=partial(timer, setup),
        ),
        table=GameTable(
            cards=cards,
            layout=view.layout(setup),
            lying=lambda _public, table: zones_of(cards, table),
            expected=partial(view.expected, setup),
            deal=partial(deal, setup),
            in_the_way=lambda public, lying, _table: in_the_way(setup, public, lying),
            interpretations=partial(interpretation.interpretations, setup),
            disputed=(Stop,),
        ),
        words=GameWords(
            caption=partial(texts.caption, setup), reason=partial(texts.reason, setup), place_name=place_name
        ),
        board=GameBoard(
            standing=partial(standing, setup),
            view=lambda state, seat: view.view(setup, state.position, seat),
            offers=partial(view.offers, setup),
            scored=brings_points(setup),
        ),
        hidden=HiddenHalf(
            silent=setup.profile.silent,
            public=lambda state: state.position,
            as_spoken=partial(as_spoken, setup),
            apply=partial(apply_hidden, setup),
        ),
    )


def stickers(setup: Setup) -> Mapping[Token, CardId]:
    """The stickers of the deck and of jokers, even if none are in play (B1): a misplaced one gets a message."""
    jokers = (*setup.jokers, *(f"J{number}" for number in range(1, 10)))
    return {**setup.deck.tokens, **{Token(joker): CardId(joker) for joker in jokers}}


def place_name(place: Zone) -> Text:
    """A zone, with its seat if it belongs to one."""
    zone, _, seat = place.partition("-")
    return Text(f"discovery.zone.{zone}", {"seat": int(seat)} if seat else {})


def may_take_back(public: Position, move: Move) -> Seat:
    """The seat that made the move; for the verdict of a Stop the stopper's, who may have benefited from it."""
    if isinstance(move, (Verify, Concede)) and public.contest is not None:
        return public.contest.stopper
    return move.by


def apply(setup: Setup, state: State, move: Move, at: MoveContext) -> Effect[State]:
    """Carry a move out with all its consequences.

    Raises:
        ImpossibleMove: It is physically impossible.
    """
    builder = carry_out(setup, state, move, at)
    after = State(built(builder), state.hidden_objections)
    # An announced card may already be in the pile, until a Stop reveals it (C7).
    twice = lying_twice(after.position) if not getattr(move, "unseen", False) else frozenset()
    if twice and twice - lying_twice(state.position):
        raise ImpossibleMove("a card would lie in two places")
    points = 0
    if brings_points(setup) and move.by:
        before, now = totals(setup, state.position), totals(setup, after.position)
        points = now[move.by - 1] - before[move.by - 1]
    reasons = builder.score_reasons
    if after.position.over and not state.position.over and move.by:
        reasons = (*reasons, *penalty(setup, after.position, move.by))
    return Effect(after, points, builder.extras, reasons, builder.milestone)


def apply_hidden(setup: Setup, before: State, move: Move, at: MoveContext, step: Effect[State]) -> Effect[State]:
    """Note what a Stop would reveal against a move that stands anyway (K4)."""
    if not setup.stoppable:
        return step
    if isinstance(move, Call):
        hidden = calls.fault(setup, before.position, move)
    else:
        hidden = true_objections(setup, before.position, move)
    # Noted even if there are none: work only for illegal cards could be detected by timing.
    hidden_objections = {**step.state.hidden_objections, at.number: hidden}
    objections = () if "failed" in step.extras else hidden  # ``failed`` has revealed it
    return replace(step, state=State(step.state.position, hidden_objections), objections=objections)


def correct(setup: Setup, state: State, counts: Mapping[str, Count], at: MoveContext) -> State:
    """Set the players' counts. Duties that cannot be paid any more lapse, and the turn goes on.

    Raises:
        InputError: The cards would no longer add up.
    """
    position = state.position
    builder = builder_of(position)
    hands, stack = counts.get("hands", position.hands), counts.get("stack", position.stack)
    assert isinstance(hands, tuple)  # as ``countable`` says
    assert isinstance(stack, int)
    builder.hands, builder.stack = hands, stack
    if len(builder.hands) != len(setup.players):
        sentence = "a count for each of the {n} hands is needed"
        raise InputError(fault("count.fault.hands", sentence, n=len(setup.players)))
    if min(builder.hands) < 0 or builder.stack < 0:
        raise InputError(fault("count.fault.less", "nobody can hold fewer than 0 cards; please count again"))
    wanted, counts_to = counted(position), counted(builder)
    if wanted != counts_to:
        sentence = "these counts make {found} cards in all, but there are {wanted}; please count again"
        raise InputError(fault("count.fault.sum", sentence, found=counts_to, wanted=wanted))
    fall_by_count(setup, position, builder)
    conclude(setup, position, builder, at)
    return replace(state, position=built(builder))


def adopt(setup: Setup, state: State, lying: Mapping[CardId, Zone], at: MoveContext) -> State:
    """Make the table the position.

    Raises:
        InputError: There are more cards on the table than hands and stack could have provided.
    """
    adopted = adopt_table.adopt(setup, state.position, lying)
    if adopted.stack < 0:
        sentence = "more cards lie there than hands and stack could have given: put some of them away"
        raise InputError(fault("count.fault.more", sentence))
    builder = builder_of(adopted)
    conclude(setup, state.position, builder, at)
    return replace(state, position=built(builder))


def take_or_leave(setup: Setup, state: State, seat: Seat, here: bool, at: MoveContext) -> State:
    """A player joined an empty seat, or left it.

    Raises:
        InputError: It is not possible, now or at all.
    """
    public = state.position
    return replace(state, position=take_seat(public, seat) if here else leave_seat(setup, public, seat, at))


def deal(setup: Setup, public: Position, lying: Mapping[CardId, Zone]) -> Move | None:
    """The pool before anything else; a first card in the tree shows that it is complete (A3).

    Jokers there do not belong to it (A7).
    """
    if not legality.awaits_deal(public):
        return None
    pool = tuple(sorted(card for card, zone in lying.items() if zone == "pool" and card in setup.facts))
    begun = any(zone not in {"pool", COMMAND_ZONE} for zone in lying.values())
    return Deal(TABLE, pool[:POOL]) if len(pool) >= POOL or (pool and begun) else None


def in_the_way(setup: Setup, public: Position, lying: Mapping[CardId, Zone]) -> Mapping[CardId, Zone]:
    """The misplaced things, except cards of the pool that nobody has named yet, and no joker there (A3, A7)."""
    there = misplaced(view.expected(setup, public), lying)
    unnamed = public.pool.count(None)
    pool = sorted(card for card, zone in there.items() if zone == "pool" and card in setup.facts)[:unnamed]
    return {card: zone for card, zone in there.items() if card not in pool}


def timer(setup: Setup, public: Position) -> tuple[float, Move] | None:
    """A contestable win becomes final after some seconds (K2)."""
    if not (public.over and public.deciding_act) or public.contest:
        return None
    for act in public.acts:
        if act.number == public.deciding_act and act.time_s is not None:
            return act.time_s + setup.options.contest_s, Uncontested(TABLE, act.number)
    return None
