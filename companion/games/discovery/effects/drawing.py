"""Drawing and stealing: what is due, what becomes a steal, and what an emptied hand brings (D, E)."""

from __future__ import annotations

from companion.games.discovery.effects.scoring import trump
from companion.games.discovery.setup import HAND, Setup
from companion.games.discovery.state import Obligation, PositionBuilder
from companion.public.table import Seat


def draw(draft: PositionBuilder, seat: Seat, count: int) -> None:
    """Cards from the stack into a hand, within the limits of the stack (D4)."""
    drawn = min(count, draft.stack)
    draft.stack -= drawn
    draft.give(seat, drawn)


def due_draw(setup: Setup, draft: PositionBuilder, seat: Seat) -> None:
    """The draw that a seat owes: up to five cards in Explore (D4), else one; from an empty stack a steal (E2)."""
    if not setup.profile.points:
        if draft.stack:
            draw(draft, seat, 1)
        else:
            owe_steal(setup, draft, seat)
        return
    lacking = HAND - draft.held(seat)
    if lacking <= 0:
        return
    if draft.stack:
        draw(draft, seat, lacking)
    elif setup.options.en_explore_steal_when_empty and not draft.closing:
        owe_steal(setup, draft, seat)


def owe_steal(setup: Setup, draft: PositionBuilder, seat: Seat) -> None:
    """A seat must steal before anything else; a bot does it at once, or not at all (J6)."""
    if not victims(draft.hands, seat):
        return  # nobody has a card: the duty lapses (E1)
    if not setup.bot(seat):
        draft.owed = (*draft.owed, Obligation(seat, "steal"))
    elif setup.profile.bot_steals:
        richest = max(setup.clockwise(seat)[1:], key=lambda other: draft.held(other))
        steal(setup, draft, seat, richest)


def victims(hands: tuple[int, ...], thief: Seat) -> tuple[Seat, ...]:
    """Who has a card that could be stolen (E1)."""
    return tuple(Seat(seat) for seat, held in enumerate(hands, 1) if held and seat != thief)


def steal(setup: Setup, draft: PositionBuilder, thief: Seat, victim: Seat) -> None:
    """One card from hand to hand, and what follows for the victim (E1)."""
    draft.give(victim, -1)
    draft.give(thief, 1)
    bereaved(setup, draft, victim)


def bereaved(setup: Setup, draft: PositionBuilder, victim: Seat) -> None:
    """What follows when a card was taken from a hand: a replacement (E4), or an emptied hand (E7, E8)."""
    if setup.profile.points:
        if draft.stack:
            draw(draft, victim, 1)
        elif not setup.profile.all_hands and team_empty(setup, draft, victim):
            draft.halting = True
    elif not draft.held(victim):
        if draft.stack:
            all_draw(setup, draft, victim if setup.profile.victim_draws_first else draft.turn.seat)
        elif team_empty(setup, draft, victim):
            win(setup, draft, victim)


def all_draw(setup: Setup, draft: PositionBuilder, first: Seat) -> None:
    """Every seat draws one card, in turn; when the stack runs out only empty hands steal (E6, E7)."""
    for seat in setup.clockwise(first):
        if seat in draft.away:
            continue
        if draft.stack:
            draw(draft, seat, 1)
        elif not draft.held(seat):
            owe_steal(setup, draft, seat)


def team_empty(setup: Setup, draft: PositionBuilder, seat: Seat) -> bool:
    """Neither a seat nor its team-mates have a card left (I3)."""
    return not any(draft.held(mate) for mate in setup.teams[seat - 1])


def somebody_empty(setup: Setup, draft: PositionBuilder) -> bool:
    """Somebody who plays has no card left, nor have his team-mates (N2, I3)."""
    return any(team_empty(setup, draft, seat) for seat in setup.seats if seat not in draft.away)


def win(setup: Setup, draft: PositionBuilder, seat: Seat) -> None:
    """In games without points the first empty hand wins once the stack is empty (N1, E:182, F:463)."""
    draft.over = True
    draft.winners = setup.teams[seat - 1]


def emptied(setup: Setup, draft: PositionBuilder) -> None:
    """The active player has laid down his last hand card (rules.md 3.3, steps 8 to 10)."""
    seat = draft.turn.seat
    if setup.profile.points:
        if draft.stack or setup.profile.empty_trump:
            trump(setup, draft, "emptied")
        draw(draft, seat, HAND)
    elif draft.stack:
        trump(setup, draft, "emptied")
        all_draw(setup, draft, seat)
    elif not team_empty(setup, draft, seat):
        trump(setup, draft, "emptied")
    else:
        win(setup, draft, seat)
