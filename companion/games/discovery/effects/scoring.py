"""Points and trumps with their reasons, winners and the scoreboard (M)."""

from __future__ import annotations

from companion.games.discovery.explore import brings_points
from companion.games.discovery.rules.paragraphs import paragraph
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Position, PositionBuilder, PositionFields, replace
from companion.public.standing import Obligation, Standing
from companion.public.table import CardId, Seat
from companion.public.text import JSON, Text

TRUMP_POINTS = 3
"""Bonus for each trump won (F11, M2, E:383, F:265)."""


def trump(setup: Setup, builder: PositionBuilder, how: str, era: int = 0) -> None:
    """The active player wins a trump (F1): ``emptied``, ``opened``, ``closed``, ``joker`` or ``announced``."""
    turn = builder.turn
    builder.turn = replace(turn, trumps=turn.trumps + 1)
    builder.milestone = True
    paid = brings_points(setup) and (how != "joker" or setup.options.joker_trump_bonus)
    if paid:
        builder.pay(turn.seat, TRUMP_POINTS)
        builder.score_reasons = (*builder.score_reasons, reason(setup, how, TRUMP_POINTS, era=era))


def reason(setup: Setup, how: str, points: int, **more: JSON) -> Text:
    """The reason for some points, with the paragraph of the rule book."""
    return Text(f"discovery.why.{how}", {"points": points, **more, "paragraph": paragraph(setup.profile, how)})


def card_points(setup: Setup, builder: PositionBuilder, seat: Seat, card: CardId, index: int) -> int:
    """Pay for a card: its place in the series in fr-explore and with Series+, else 1 (M1, E:342, E:383, F:263).

    A bot's turn is one series in fr-explore; elsewhere it gets one point a card (J7, R8).
    """
    if not brings_points(setup):
        return 0
    rising = setup.profile.bot_series if setup.bot(seat) else setup.profile.rising or setup.options.series_plus
    points = index if rising else 1
    builder.pay(seat, points)
    key = "series" if rising and index > 1 else "card"
    builder.score_reasons = (*builder.score_reasons, reason(setup, key, points, card=card, index=index))
    return points


def totals(setup: Setup, position: PositionFields) -> tuple[int, ...]:
    """Points by seat; at the end of en-explore less one for each card in hand and own discard (M3, E:394)."""
    if not (position.over and setup.profile.penalty):
        return position.points
    return tuple(
        points - held - len(lying)
        for points, held, lying in zip(position.points, position.hands, position.discards, strict=True)
    )


def penalty(setup: Setup, position: Position, seat: Seat) -> tuple[Text, ...]:
    """The reason for lost points at the end of en-explore (M3)."""
    lost = position.held(seat) + len(position.discard(seat))
    return (reason(setup, "penalty", -lost),) if setup.profile.penalty and lost else ()


def leaders(setup: Setup, position: PositionFields) -> tuple[Seat, ...]:
    """All seats in a team with the most points; a tie is shared (M4, I4)."""
    points = totals(setup, position)
    pooled = tuple(sum(points[mate - 1] for mate in team) for team in setup.teams)
    here = [seat for seat in setup.seats if not position.away.issuperset(setup.teams[seat - 1])]
    best = max(pooled[seat - 1] for seat in here)
    return tuple(seat for seat in here if pooled[seat - 1] == best)


def standing(setup: Setup, position: Position) -> Standing:
    """The scoreboard (contract section 7)."""
    turn = position.turn
    return Standing(
        turn=None if position.over else turn.seat,
        points=totals(setup, position),
        counters={
            "hands": position.hands,
            "stack": position.stack,
            "trumps": 0 if position.over else turn.trumps,
        },
        owed=() if position.over else tuple(Obligation(debt.seat, debt.do) for debt in position.owed),
        over=position.over,
        winners=position.winners,
        provisional=position.over and position.deciding_act > 0,
    )
