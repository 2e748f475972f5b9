"""What every game must keep to, whatever it is: the checks of ``companion game check``, in matches of all our games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from support.conserved import count_things

from companion.games.conformance import CHECKS, GameUnderTest
from companion.games.noughts.module import NOUGHTS
from companion.games.protocol import Game, Move, MoveContext
from companion.games.registry import GAMES, demo_deck
from companion.public.table import CardId, Change, Zone

NAMES = ("Ana", "Ben", "Cy", "Dora")


def in_words_and_places(game: Game[Any, Any], public: Any, _dice: random.Random) -> list[Move]:
    """Readings of every card at every place where it could come to lie, the command cards, and plain words."""
    zones = [shape.name for shape in game.table.layout.zones if shape.name != "commands"]
    lying = game.table.expected(public).cards
    found = [
        move
        for card in sorted(game.table.cards.values())
        for zone in zones
        if lying.get(card) != zone
        for move in game.table.interpretations(public, Change(card, lying.get(card), zone))
    ]
    for command in ("KEND", "KPASS", "KSTOP"):
        found += game.table.interpretations(public, Change(CardId(command), None, Zone("commands")))
    plain = (offer for offer in game.board.offers(public, MoveContext(0)) if not offer.choices)
    return found + [game.rules.moves[offer.do](by=offer.by) for offer in plain]  # type: ignore[call-arg]


def match(name: str, seats: int, player: Any = None, **more: Any) -> Callable[[], GameUnderTest]:
    module = GAMES[name]
    header = {"match": {"game": name, "seat": [{"name": name} for name in NAMES[:seats]], **more}}
    return lambda: GameUnderTest(module, {**header, "deck": demo_deck(module)}, player)


BOT = {"seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Robo", "bot": True}], "jokers": 2}
MATCHES: dict[str, Callable[[], GameUnderTest]] = {
    **{
        # A card means something there by the zone that it lies in.
        f"discovery {profile}": match("discovery", 3, in_words_and_places, profile=profile, **BOT)
        for profile in ("en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff")
    },
    "carcassonne": match("carcassonne", 3),
    "carcassonne equal turns": match("carcassonne", 3, equal_turns=True),
    **{f"darwinci {profile}": match("darwinci", 4, profile=profile) for profile in ("base", "experts")},
    **{f"lands {seats} seats": match("lands", seats) for seats in (2, 4)},
    "the toy game": lambda: GameUnderTest(NOUGHTS),
}
EVERY_GAME = pytest.mark.parametrize("tested", list(MATCHES), indirect=True)


@pytest.fixture(scope="module")
def tested(request: pytest.FixtureRequest) -> GameUnderTest:
    return MATCHES[request.param]()


@EVERY_GAME
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_game_keeps_to(check: Callable[[GameUnderTest], None], tested: GameUnderTest) -> None:
    check(tested)


@EVERY_GAME
def test_cards_are_conserved(tested: GameUnderTest) -> None:
    total = count_things(tested.game, tested.game.rules.start)
    assert all(count_things(tested.game, step.effect.state) == total for step in tested.story)
