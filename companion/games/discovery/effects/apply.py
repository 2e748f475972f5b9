"""Carries out moves, legal or not; refuses only what is physically impossible."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from companion.errors import ImpossibleMove
from companion.games.discovery import moves as act
from companion.games.discovery.effects.bots import flip
from companion.games.discovery.effects.calls import call, give_up
from companion.games.discovery.effects.contest import answer, close, conclude, stop
from companion.games.discovery.effects.drawing import bereaved, due_draw, steal
from companion.games.discovery.effects.placement import interrupt, place, place_joker, play_outside, remember
from companion.games.discovery.effects.scoring import trump
from companion.games.discovery.effects.turns import finish_turn
from companion.games.discovery.explore import draws_after_turn
from companion.games.discovery.rules import legality
from companion.games.discovery.rules.contest import contested
from companion.games.discovery.rules.placement import OWN_DISCARD, possible_announcement, source
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import (
    ContestableAct,
    PositionBuilder,
    State,
    Turn,
    builder_of,
    replace,
    whereabouts,
)
from companion.games.protocol import Move, MoveContext
from companion.public.table import CardId, Seat

_SPEAKS_ALWAYS = (*legality.TABLE_MOVES, *legality.STOP_MOVES, act.Interrupt)
_NO_ACTS = (act.Deal, act.Refill, act.Uncontested, *legality.STOP_MOVES)
_OF_THE_END = (act.Refill, act.Uncontested, *legality.STOP_MOVES)


def _named(kind: type[Any], names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.name in names)


_CARDS = {kind: _named(kind, ("card", "joker", "stands_for")) for kind in act.MOVES.values()}
_SEATS = {kind: _named(kind, ("source", "holder")) for kind in act.MOVES.values()}
"""The fields of each kind of move that name cards, and those that may name seats."""


def carry_out(setup: Setup, state: State, move: Move, at: MoveContext) -> PositionBuilder:
    """The public half after a move and all its consequences.

    Raises:
        ImpossibleMove: It is physically impossible.
    """
    _possible(setup, state, move)
    builder = builder_of(state.position)
    if isinstance(move, _SPEAKS_ALWAYS):
        _table(setup, state, builder, move, at)
    else:
        _seat(setup, state, builder, move, at)
    if not isinstance(move, _NO_ACTS):
        builder.latest_act = at.number
    conclude(setup, state.position, builder, at)
    return builder


def _possible(setup: Setup, state: State, move: Move) -> None:
    """Check whether a move is physically possible, allowed or not.

    Raises:
        ImpossibleMove: It is not.
    """
    count = len(setup.players)
    if not isinstance(move, legality.TABLE_MOVES) and not 1 <= move.by <= count:
        raise ImpossibleMove(f"there is no seat {move.by}; seats are 1 to {count}")
    for named in _CARDS[type(move)]:
        card = getattr(move, named)
        if card is not None and card not in setup.facts and card not in setup.jokers:
            raise ImpossibleMove(f"{card!r} is no card of this match; cards are written era-number, such as 1-8")
    for named in _SEATS[type(move)]:
        seat = getattr(move, named)
        if isinstance(seat, int) and not (1 if named == "source" else 0) <= seat <= count:
            raise ImpossibleMove(f"there is no seat {seat}; seats are 1 to {count}")
    if state.position.over and not isinstance(move, _OF_THE_END):
        raise ImpossibleMove("the match is over; start a new one")


def _table(setup: Setup, state: State, builder: PositionBuilder, move: Move, at: MoveContext) -> None:
    match move:
        case act.Deal():
            _deal(setup, state, builder, move.pool)
        case act.Refill():
            _refill(setup, state, builder, move)
        case act.Uncontested():
            close(builder, move.number)
        case act.AgreeEnd():
            builder.over = True
            builder.owed = ()
        case act.Interrupt():
            _must_have(setup, state, move.by, move.joker, "hand", unseen=move.unseen)
            interrupt(setup, builder, move)
        case act.Stop():
            contest = contested(setup, state.position, move, at)
            if contest is None or builder.contest:
                raise ImpossibleMove("there is nothing here that could be stopped")
            stop(builder, contest, move.by)
        case act.Verify() | act.Concede():
            if builder.contest is None:
                raise ImpossibleMove("nothing was stopped, so there is nothing to verify")
            number = builder.contest.act.number
            found_it = not state.hidden_objections.get(number)
            if isinstance(move, act.Verify) and move.found is not None:
                found_it = move.found  # people verified by hand (L5)
            answer(setup, builder, builder.contest, valid=found_it and isinstance(move, act.Verify))
        case _:
            raise ImpossibleMove(f"{move.do} is no act of this game")


def _seat(setup: Setup, state: State, builder: PositionBuilder, move: Move, at: MoveContext) -> None:
    """An act of a turn; out of turn it is carried out beside the current turn."""
    if builder.owed and move.do == builder.owed[0].do and move.by == builder.owed[0].seat:
        _pay(setup, state, builder, move)
        return
    if move.by == builder.turn.seat:
        _act(setup, state, builder, move, at)
        return
    if isinstance(move, act.EndTurn | act.Pass | act.Flip | act.Call):
        raise ImpossibleMove(f"it is the turn of seat {builder.turn.seat}; seat {move.by} cannot do that now")
    builder.turns = (*builder.turns, Turn(move.by, 0))
    _act(setup, state, builder, move, at)
    builder.turns = builder.turns[:-1]


def _pay(setup: Setup, state: State, builder: PositionBuilder, move: Move) -> None:
    debt = builder.owed[0]
    builder.owed = builder.owed[1:]
    if isinstance(move, act.Steal):
        steal(setup, builder, move.by, move.source)
    elif isinstance(move, act.Discard):
        _put_away(setup, state, builder, move)
        if move.asked:  # one discard pays both the penalty and the asked card, if it is that card (I2)
            builder.owed = tuple(due for due in builder.owed if not (due.asked and due.seat == move.by))
            if builder.turn.seat == move.by:
                builder.turn = replace(builder.turn, asked=False)
    if debt.draws:
        due_draw(setup, builder, debt.seat)


def _act(setup: Setup, state: State, builder: PositionBuilder, move: Move, at: MoveContext) -> None:
    match move:
        case act.Place():
            _must_have(setup, state, move.by, move.card, move.source, unseen=move.unseen)
            if move.card in setup.jokers:
                raise ImpossibleMove(f"{move.card} is a joker; say what it stands for")
            place(setup, builder, move, at)
        case act.Joker():
            _must_have(setup, state, move.by, move.joker, move.source, unseen=move.unseen)
            if move.joker not in setup.jokers or (move.stands_for and move.stands_for not in setup.facts):
                raise ImpossibleMove(f"{move.joker} cannot stand for {move.stands_for}")
            if move.stands_for is None:
                play_outside(setup, builder, move)
            else:
                place_joker(setup, builder, move, move.stands_for, at)
        case act.Discard(card=card) if card == builder.turn.called:
            give_up(setup, builder)
        case act.Discard():
            _discard(setup, state, builder, move)
        case act.Steal():
            _spend(builder)
            steal(setup, builder, move.by, move.source)
        case act.Exchange():
            if not builder.held(move.by) or not builder.held(move.source):
                raise ImpossibleMove("both need a card for an exchange")
            _spend(builder)
        case act.Ask():
            builder.give(move.source, -1)
            builder.give(move.by, 1)
            builder.turn = replace(builder.turn, asked=True, acted=True)
            bereaved(setup, builder, move.source)
        case act.Call():
            call(setup, state.position, builder, move, at)
        case act.Announce():
            if not possible_announcement(move):
                raise ImpossibleMove("eras are numbered 1 to 6, and open or closed")
            _announce(setup, builder, move, at)
        case act.Flip():
            _must_have(setup, state, move.by, move.card, "hand", unseen=move.unseen)
            flip(setup, builder, move, at)
        case act.Pass():
            builder.turn = replace(builder.turn, ended=True)
            builder.passes += 1
        case act.EndTurn():
            if builder.turn.ended:
                raise ImpossibleMove("this turn has ended already")
            finish_turn(setup, builder, draws=draws_after_turn(setup, builder.turn))
        case _:
            raise ImpossibleMove(f"{move.do} is no act of this game")


def _spend(builder: PositionBuilder) -> None:
    turn = builder.turn
    builder.turn = replace(turn, trumps=max(0, turn.trumps - 1), acted=True)


def _discard(setup: Setup, state: State, builder: PositionBuilder, move: act.Discard) -> None:
    turn = builder.turn
    _put_away(setup, state, builder, move)
    builder.turn = replace(turn, asked=turn.asked and not move.asked)
    if legality.pays_due(setup, turn, move):
        # A bot's turn only ends by its flips, whatever the players let stand.
        builder.turn = replace(builder.turn, discarded=not setup.bot(move.by))
    else:
        _spend(builder)


def _put_away(setup: Setup, state: State, builder: PositionBuilder, move: act.Discard) -> None:
    _must_have(setup, state, move.by, move.card, "hand", unseen=move.unseen)
    builder.give(move.by, -1)
    builder.put_away(move.by, move.card)


def _announce(setup: Setup, builder: PositionBuilder, move: act.Announce, at: MoveContext) -> None:
    """The first to announce an era as open or closed wins its trump (K11, E:318, F:523)."""
    credit = (move.era, move.what)
    builder.turn = replace(builder.turn, acted=True)
    won = credit not in builder.credits
    if won:
        builder.credits |= {credit}
        trump(setup, builder, "announced", move.era)
    if setup.stoppable:
        credited = frozenset({credit}) if won else frozenset()
        made = ContestableAct(at.number, move.by, builder.turn.serial, "announce", credits=credited, time_s=at.time_s)
        remember(builder, made)


def _must_have(setup: Setup, state: State, seat: Seat, card: CardId, zone: str, *, unseen: bool = False) -> None:
    if source(setup, state.position, seat, card, zone, unseen=unseen) not in ((), (OWN_DISCARD,)):
        raise ImpossibleMove(f"{card} cannot come from {zone}")
    if zone == f"discard-{seat}" and card not in state.position.discard(seat):
        raise ImpossibleMove(f"{card} does not lie in {zone}")


def _deal(setup: Setup, state: State, builder: PositionBuilder, pool: tuple[CardId, ...]) -> None:
    public = state.position
    if public.dealt or any(whereabouts(public, card) for card in pool):
        raise ImpossibleMove("the cards of the pool are known already, or lie somewhere else")
    if not legality.possible_pool(setup, public, pool):
        raise ImpossibleMove(f"the pool is {len(builder.pool)} different cards, not {', '.join(pool)}")
    builder.dealt = True
    builder.pool = (*pool, *(None,) * (len(builder.pool) - len(pool)))


def _refill(setup: Setup, state: State, builder: PositionBuilder, move: act.Refill) -> None:
    if legality.judge(setup, state.position, move, MoveContext(0)):
        raise ImpossibleMove(f"{move.card} cannot have come into the pool")
    slot = builder.pool.index(None)
    builder.pool = (*builder.pool[:slot], move.card, *builder.pool[slot + 1 :])
