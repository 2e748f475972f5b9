"""The beginning, end and resumption of turns, and the end of the match (D, N, O)."""

from __future__ import annotations

from companion.games.discovery.deck import ERAS, PER_ERA
from companion.games.discovery.effects.drawing import due_draw, owe_steal, somebody_empty, victims
from companion.games.discovery.effects.scoring import leaders
from companion.games.discovery.explore import draws_up_to_five, ends_with_the_turn
from companion.games.discovery.setup import HAND, POOL, Setup
from companion.games.discovery.state import (
    OwedAct,
    Position,
    PositionBuilder,
    TreeCard,
    Turn,
    built,
    by_era,
    replace,
    shown_credits,
)
from companion.public.table import CardId, Seat


def begin(setup: Setup, builder: PositionBuilder, seat: Seat, *, extra: bool = False) -> None:
    """Begin a turn (R1); in fr-explore with an empty stack by stealing (E3, F:284), also extra and bots' turns (J8).

    A seat without cards keeps its turn (I5); a bot without cards is skipped (J10).
    """
    builder.serial += 1
    turn = Turn(seat, builder.serial, extra=extra)
    builder.turns = (*builder.turns, turn) if extra else (turn,)
    if setup.profile.steals_at_start and not builder.stack:
        owe_steal(setup, builder, seat)
    if setup.bot(seat) and not builder.held(seat):
        builder.turn = replace(builder.turn, ended=True)  # a bot without cards is skipped


def finish_turn(setup: Setup, builder: PositionBuilder, *, draws: bool) -> None:
    """End the turn, and lose trumps (D5), once all duties are paid: an unplaced asked card (I2), then the draw
    (D1-D4)."""
    turn = builder.turn
    seat = turn.seat
    builder.turn = replace(turn, ended=True, called=None, trumps=0, asked=False)
    if turn.called:  # a Stop against another act ends the turn: the card was never placed
        builder.give(turn.holder, 1)
    if setup.profile.asked_duty and turn.asked and builder.held(seat):
        # Explore draws up to five after the last discard, also if a penalty ended the turn (D4, F:278).
        builder.owed = (*builder.owed, OwedAct(seat, "discard", draws or draws_up_to_five(setup), asked=True))
    elif draws:
        due_draw(setup, builder, seat)


def settle(setup: Setup, builder: PositionBuilder) -> None:
    """The automatic consequences of a move: lapsed duties, the next turn, the end."""
    while True:
        _lapse(setup, builder)
        if builder.over:
            return
        _close(setup, builder)
        turn = builder.turn
        if builder.halting and turn.called is None:
            _finish(setup, builder)
        elif builder.owed or not turn.ended:
            return
        elif builder.closing == turn.serial:
            _finish(setup, builder)
        else:
            _next(setup, builder)


def _lapse(setup: Setup, builder: PositionBuilder) -> None:
    """Drop duties that cannot be paid any more (E1, D3)."""
    while builder.owed:
        debt = builder.owed[0]
        payable = victims(builder.hands, debt.seat) if debt.do == "steal" else builder.held(debt.seat)
        if payable:
            return
        builder.owed = builder.owed[1:]
        if debt.draws and not builder.over:
            due_draw(setup, builder, debt.seat)


def _close(setup: Setup, builder: PositionBuilder) -> None:
    """With points and an empty stack the match ends with the current turn: in en-explore as soon as one hand is empty,
    in fr-explore as soon as all are, whatever a player takes up until the end of the turn (N2, E:392, F:291).

    A called card belongs to the current act (E8); an extra turn within this one does not end it (O2).
    """
    if not ends_with_the_turn(setup) or builder.stack or builder.closing or builder.turn.called:
        return
    if not any(builder.hands) if setup.profile.all_hands else somebody_empty(setup, builder):
        builder.closing = builder.turn.serial


def _finish(setup: Setup, builder: PositionBuilder) -> None:
    """A match with points is over once its last turn is finished (N3): the most points win."""
    builder.over = True
    builder.winners = leaders(setup, builder)
    builder.owed = ()
    latest = builder.acts[-1] if builder.acts else None
    if latest and latest.turn == builder.turn.serial:
        builder.deciding_act = latest.number


def _next(setup: Setup, builder: PositionBuilder) -> None:
    """Continue the interrupted turn, or begin the next seat's (A6, O2)."""
    turn = builder.turn
    builder.quiet = 0 if turn.placed else builder.quiet + (not turn.extra)
    if len(builder.turns) == 1:
        begin(setup, builder, setup.following(turn.seat, builder.away))
        return
    builder.turns = builder.turns[:-1]
    if turn.chains:
        if setup.profile.resume_before:
            chains = (*builder.turn.chains, turn.laid)
        else:
            chains = ((*builder.turn.laid, *turn.laid),)
        builder.turn = replace(builder.turn, chains=chains)


CARDS_IN_ALL = ERAS * PER_ERA


def opening(setup: Setup) -> Position:
    """After the deal (A3): five cards each, five unknown ones in the pool, the rest and the jokers in the stack
    (A7)."""
    count = len(setup.players)
    first = setup.following(setup.dealer, setup.late)  # to the dealer's left (A6)
    hands = tuple(0 if seat in setup.late else HAND for seat in setup.seats)
    stack = CARDS_IN_ALL - sum(hands) - POOL + len(setup.jokers)
    return _start(setup, (), (None,) * POOL, ((),) * count, hands, stack, (0,) * count, first, dealt=False)


def _start(
    setup: Setup,
    tree: tuple[TreeCard, ...],
    pool: tuple[CardId | None, ...],
    discards: tuple[tuple[CardId, ...], ...],
    hands: tuple[int, ...],
    stack: int,
    points: tuple[int, ...],
    turn: Seat,
    *,
    gone: tuple[CardId | None, ...] = (),
    dealt: bool = True,
) -> Position:
    present = frozenset(laid.counts_as for laid in tree)
    eras = by_era(setup, present)
    builder = PositionBuilder(
        tree=tree,
        present=present,
        eras=eras,
        pool=pool,
        discards=discards,
        hands=hands,
        stack=stack,
        gone=gone,
        points=points,
        credits=shown_credits(eras),
        turns=(),
        owed=(),
        acts=(),
        latest_act=0,
        contest=None,
        deciding_act=0,
        over=False,
        winners=(),
        closing=0,
        halting=False,
        quiet=0,
        serial=0,
        dealt=dealt,
        begun=bool(tree),
        passes=0,
        judged=frozenset(),
        away=setup.late,
    )
    begin(setup, builder, turn)
    settle(setup, builder)
    return built(builder)
