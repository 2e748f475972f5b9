"""Whole evenings with random options: nothing breaks, no card is lost, what is offered is lawful (TV28)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from support.discovery_match import Evening, game, offered_words

from companion.errors import ImpossibleMove
from companion.games.discovery import moves as act
from companion.games.discovery.setup import PROFILES
from companion.games.protocol import Move

QUICK = settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking a whole evening takes longer than reading it
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@st.composite
def matches(draw: st.DrawFn, profile: str) -> Evening:
    """A match of the profile with random seats and options."""
    count = draw(st.integers(1, 9))
    bots = draw(st.integers(0, min(2, count - 1)))
    teams = draw(st.booleans())
    seats: list[dict[str, Any]] = [{"name": f"P{number}"} for number in range(count)]
    for place, seat in enumerate(seats):
        if place >= count - bots:
            seat["bot"] = True
        elif teams:
            seat["team"] = "ab"[place % 2]
    options = {key: draw(st.booleans()) for key in ("joker_trump_bonus", "call_era6_when_stack_empty")}
    if not PROFILES[profile].silent:
        options["stop"] = draw(st.booleans())
    if profile == "en-explore":
        options |= {key: draw(st.booleans()) for key in ("series_plus", "en_explore_steal_when_empty")}
    return Evening(game(profile, seats, jokers=draw(st.integers(0, 4)), options=options))


def at_hand(evening: Evening, cards: list[str]) -> list[str]:
    """Some cards that could be laid now: a few unseen ones, and public ones."""
    public = evening.state.position
    visible = [card for card in (*public.pool, *(lying[-1] for lying in public.discards if lying)) if card]
    called = [public.turn.called] if public.turn.called else []
    return [*called, *cards[:8], *visible[:4]]


def seen(evening: Evening, card: str) -> list[Move]:
    """What a card could do by being laid somewhere."""
    public = evening.state.position
    seat = public.owed[0].seat if public.owed else public.turn.seat
    zones = ("hand", "pool", "called", *(f"discard-{number}" for number in evening.game.setup.seats))
    asked = public.turn.asked
    return [
        act.Refill(0, card),
        act.Flip(seat, card),
        act.Discard(seat, card),
        act.Discard(seat, card, asked=asked),
        *(act.Place(seat, card, zone) for zone in zones),
        *(act.Place(seat, card, zone, new_series=True) for zone in zones),
    ]


@pytest.mark.parametrize("profile", list(PROFILES))
@QUICK
@given(chosen=st.data())
def test_tv28_an_evening_of_random_acts(profile: str, chosen: st.DataObject) -> None:
    evening = chosen.draw(matches(profile))
    cards = [*sorted(evening.game.setup.facts), *evening.game.setup.jokers]
    chaos = chosen.draw(st.randoms(use_true_random=False))
    for _ in range(30):
        offered = offered_words(evening)
        for move in offered:
            assert evening.judge(move) == (), f"offered, but {move}: {evening.judge(move)}"
        chaos.shuffle(cards)
        laid = [move for card in at_hand(evening, cards) for move in seen(evening, card)]
        if chaos.random() < 0.1:
            _allow_anything(evening, chaos.choice(laid))
            continue
        lawful = [move for move in laid if not evening.judge(move)]
        moves = [*lawful[:6], *chaos.sample(offered, min(3, len(offered)))]
        if not moves:
            assert evening.standing.over
            return
        evening.play(chaos.choice(moves))
        _consistent(evening)


def _allow_anything(evening: Evening, move: Move) -> None:
    """The players may let an unlawful move stand; only what the table cannot hold is impossible."""
    try:
        evening.allow(move)
    except ImpossibleMove:
        return


def _consistent(evening: Evening) -> None:
    public = evening.state.position
    standing = evening.standing
    assert min(standing.counters["hands"]) >= 0
    assert standing.counters["stack"] >= 0
    assert standing.counters["trumps"] >= 0
    assert sum(public.eras) == len(public.present)
    assert public.present == {laid.counts_as for laid in public.tree}
    assert standing.over or standing.turn
    evening.game.table.expected(public)
    evening.game.board.view(evening.state, None)
