"""What the phones offer: every spoken move that is lawful now, each once, and nothing else (contract section 8)."""

from __future__ import annotations

import random

import pytest
from support.discovery_match import Evening, game, lawful_words, offered_words

from companion.games.discovery.moves import Discard, Flip, Place, Refill
from companion.games.discovery.setup import PROFILES

pytestmark = pytest.mark.core

TABLES = {
    "with a bot": [{"name": "Ana"}, {"name": "Robo", "bot": True}, {"name": "Cy"}],
    "in teams": [{"name": "Ana", "team": "red"}, {"name": "Ben"}, {"name": "Cy", "team": "red"}],
}


def go_on(evening: Evening, dice: random.Random) -> None:
    """Something lawful: a card is laid, flipped, discarded or named, or somebody says one of the words on offer."""
    public = evening.state.position
    seat = public.owed[0].seat if public.owed else public.turn.seat
    laid = [Place(seat, public.turn.called, "called")] if public.turn.called else []
    for card in dice.sample(sorted(evening.game.setup.facts), 20):
        laid += [Place(seat, card, "hand"), Place(seat, card, "pool"), Flip(seat, card), Refill(0, card)]
        laid += [Discard(seat, card), Discard(seat, card, asked=True)]
    cards = [move for move in laid if not evening.judge(move)]
    words = list({move.do: move for move in offered_words(evening)}.values())
    evening.play(dice.choice(words if not cards or (words and dice.random() < 0.4) else cards))


@pytest.mark.parametrize("profile", list(PROFILES))
@pytest.mark.parametrize("seats", list(TABLES.values()), ids=list(TABLES))
def test_what_is_offered_is_what_is_lawful_all_the_evening(profile, seats):
    dice = random.Random(f"{profile} {len(seats[1])}")
    options = {} if PROFILES[profile].silent else {"stop": True}
    evening = Evening(game(profile, seats, jokers=2, options=options))
    for _ in range(25):
        offered = offered_words(evening)
        assert set(offered) == lawful_words(evening), f"before entry {evening.number + 1}"
        assert len(offered) == len(set(offered)), "each is offered once"
        if evening.standing.over:
            return
        go_on(evening, dice)
