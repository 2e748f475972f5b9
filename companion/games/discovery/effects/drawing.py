"""Drawing and stealing: duties, steals instead of draws, and the effect of an empty hand (D, E)."""

from __future__ import annotations

from companion.games.discovery.effects.scoring import trump
from companion.games.discovery.explore import draws_up_to_five, replaces_taken_card, steals_from_empty_stack
from companion.games.discovery.setup import HAND, Setup
from companion.games.discovery.state import OwedAct, PositionBuilder
from companion.public.table import Seat


def draw(builder: PositionBuilder, seat: Seat, count: int) -> None:
    """Draw from the stack, at most as many cards as it has (D4)."""
    drawn = min(count, builder.stack)
    builder.stack -= drawn
    builder.give(seat, drawn)


def due_draw(setup: Setup, builder: PositionBuilder, seat: Seat) -> None:
    """Draw as the seat must: up to five cards in Explore (D4), else one; with an empty stack a steal (E2)."""
    if not draws_up_to_five(setup):
        if builder.stack:
            draw(builder, seat, 1)
        else:
            owe_steal(setup, builder, seat)
        return
    lacking = HAND - builder.held(seat)
    if lacking <= 0:
        return
    if builder.stack:
        draw(builder, seat, lacking)
    elif steals_from_empty_stack(setup) and not builder.closing:
        owe_steal(setup, builder, seat)


def owe_steal(setup: Setup, builder: PositionBuilder, seat: Seat) -> None:
    """Make a seat steal before anything else; a bot steals at once, or not at all (J6).

    Whether a seat has a card is only checked when the steal is carried out (E1): an earlier duty may give it one.
    """
    if not setup.bot(seat):
        builder.owed = (*builder.owed, OwedAct(seat, "steal"))
    elif setup.profile.bot_steals and victims(builder.hands, seat):
        richest = max(setup.clockwise(seat)[1:], key=lambda other: builder.held(other))
        steal(setup, builder, seat, richest)


def victims(hands: tuple[int, ...], thief: Seat) -> tuple[Seat, ...]:
    """The seats with a card that could be stolen (E1), including a bot's last card (J4)."""
    return tuple(Seat(seat) for seat, held in enumerate(hands, 1) if held and seat != thief)


def steal(setup: Setup, builder: PositionBuilder, thief: Seat, victim: Seat) -> None:
    """Move one card from hand to hand, with the consequences for the victim (E1)."""
    builder.give(victim, -1)
    builder.give(thief, 1)
    bereaved(setup, builder, victim)


def bereaved(setup: Setup, builder: PositionBuilder, victim: Seat) -> None:
    """The consequences of losing a card to a thief or caller (P8): a replacement (E4), or an empty hand (E7, E8)."""
    if replaces_taken_card(setup):
        if builder.stack:
            draw(builder, victim, 1)
        elif not setup.profile.all_hands and team_empty(setup, builder, victim):
            builder.halting = True
    elif not builder.held(victim):
        if builder.stack:
            all_draw(setup, builder, victim if setup.profile.victim_draws_first else builder.turn.seat)
        elif team_empty(setup, builder, victim):
            win(setup, builder, victim)


def all_draw(setup: Setup, builder: PositionBuilder, first: Seat) -> None:
    """Every seat draws one card, in turn; when the stack is empty only empty hands steal (E6, E7)."""
    for seat in setup.clockwise(first):
        if seat in builder.away:
            continue
        if builder.stack:
            draw(builder, seat, 1)
        elif not builder.held(seat):
            owe_steal(setup, builder, seat)


def team_empty(setup: Setup, builder: PositionBuilder, seat: Seat) -> bool:
    """Whether a seat and its team-mates have no card left (I3)."""
    return not any(builder.held(mate) for mate in setup.teams[seat - 1])


def somebody_empty(setup: Setup, builder: PositionBuilder) -> bool:
    """Whether a present seat and its team-mates have no card left (N2, I3)."""
    return any(team_empty(setup, builder, seat) for seat in setup.seats if seat not in builder.away)


def win(setup: Setup, builder: PositionBuilder, seat: Seat) -> None:
    """In games without points the first empty hand wins once the stack is empty (N1, E:182, F:463)."""
    builder.over = True
    builder.winners = setup.teams[seat - 1]


def emptied(setup: Setup, builder: PositionBuilder) -> None:
    """The active player has played the last card from hand (E6, F3); a bot continues afterwards (R7)."""
    seat = builder.turn.seat
    if draws_up_to_five(setup):
        if builder.stack or setup.profile.empty_trump:
            trump(setup, builder, "emptied")
        draw(builder, seat, HAND)
    elif builder.stack:
        trump(setup, builder, "emptied")
        all_draw(setup, builder, seat)
    elif not team_empty(setup, builder, seat):
        trump(setup, builder, "emptied")
    else:
        win(setup, builder, seat)
