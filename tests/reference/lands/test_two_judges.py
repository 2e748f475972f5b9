"""The companion and a judge that was written apart from it say the same of random matches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from random import Random

import pytest
from reference.lands.judge import Keeper
from support.lands_match import demo_deck

from companion.games.lands import moves as act
from companion.games.lands.deck import DAMAGE, RESOURCES
from companion.games.lands.module import LANDS
from companion.games.lands.rules.ways import apart, cheapest
from companion.games.lands.setup import stand
from companion.games.lands.state import Island, items, tile_of
from companion.games.protocol import Move, MoveContext
from companion.history.codec import decode_move, encode_move
from companion.public.table import TABLE, CardId, Seat

pytestmark = pytest.mark.core
MOST_ENTRIES = 5000
"""No match is longer."""


BLANK = ("M20", "M21", "M22")
"""Tiles of which the deck says nothing."""


def told(card: str, rng: Random) -> act.TellFacts:
    """What somebody says of a tile."""
    count = rng.randint(1, 4)
    numbers = range(1, count + 1)
    ways = tuple((one, other) for one in numbers for other in numbers if one < other and rng.random() < 0.6)
    some = tuple(number for number in numbers if rng.random() < 0.4)
    costs = tuple(rng.randint(1, 3) for _ in numbers) if rng.random() < 0.7 else ()
    spaces = tuple((rng.randint(-40, 40), rng.randint(-40, 40)) for _ in numbers)
    return act.TellFacts(0, CardId(card), spaces=spaces, costs=costs, ways=ways, landmarks=some, fires=some[:1])


def of_blank_tiles(state: Island, rng: Random) -> Iterator[Move]:
    """Blank tiles are turned up, gone to, described, and seen beside others; sometimes before they lie open."""
    if not state.ways or rng.random() < 0.6:
        return
    card, spaces = CardId(rng.choice(BLANK)), sorted(state.ways)
    own = [space for space in spaces if tile_of(space) == card] or [card]
    joins = tuple((rng.choice([*own, f"{card}-1"]), rng.choice(spaces)) for _ in range(rng.randint(0, 2)))
    seat = rng.randint(1, len(state.stands))
    tries: list[Move] = [
        act.ScoutTile(Seat(seat), card, joins),
        act.JoinTile(TABLE, card, joins),
        act.PlaceFigure(TABLE, stand(Seat(seat)), rng.choice([*own, *spaces])),
        act.Travel(Seat(seat), stand(Seat(seat)), rng.choice(own)),
        act.Travel(Seat(seat), stand(Seat(seat)), rng.choice(own), 0),
    ]
    if rng.random() < 0.2:
        tries.append(told(card, rng))
    yield from rng.sample(tries, 2)


def compare(seed: int) -> int:
    """One match, with everything that both judges say compared after every act; how many verdicts that were."""
    rng = Random(seed)
    match, document = LANDS.demonstration.random_match(rng, "base"), demo_deck()
    for tile in document["tile"]:
        for space in tile["space"]:
            space["cost"] = rng.choice((1, 1, 2, 3))
    game, keeper = LANDS.open_match(match, document), Keeper(match, document)
    player, state, number, verdicts = LANDS.demonstration.random_player(game), game.rules.start, 1, 0
    while not state.over:
        at, played = MoveContext(number, float(number)), None
        for move in chain(of_blank_tiles(state, rng), player(state, rng, at)):
            if isinstance(move, act.ChangeDie | act.RestFrom) and rng.random() < 0.2:
                continue
            said = encode_move(move)
            mine, theirs = game.rules.judge(state, move, at), keeper.judge(said)
            assert sorted(one.rule for one in mine) == sorted(theirs), (seed, number, move)
            verdicts += 1
            if not mine:
                played = move
                break
        if played is None:
            played = act.AgreeScenarioEnds(0)
        assert decode_move(game, json.loads(json.dumps(encode_move(played)))) == played
        state = game.rules.apply(state, played, at).state
        keeper.play(encode_move(played))
        for seat in game.setup.seats:
            for kind in RESOURCES:
                assert state.resources[seat - 1].get(kind, 0) == keeper.n(seat, kind) >= 0, (seed, number, played)
            for kind in DAMAGE:
                assert state.damage[seat - 1].get(kind, 0) == keeper.n(seat, kind) >= 0, (seed, number, played)
            assert (keeper.harm(seat) == 4) == keeper.dead(seat)
            assert list(state.packs[seat - 1]) == keeper.cards[seat], (seed, number, played)
            assert items(state, seat) == keeper.load(seat)
            assert (state.stamina[seat - 1], state.stands[seat - 1]) == (keeper.stamina[seat], keeper.at[seat])
        told = game.board.standing(state)
        assert told.by_seat("damage") == tuple(keeper.harm(seat) for seat in game.setup.seats)
        mine = (state.day, state.night, state.resolved, state.turn, state.first, state.free, state.hunted, state.over)
        theirs = (keeper.day, keeper.dark, keeper.resolved, keeper.now, keeper.first, keeper.free, keeper.prey)
        assert mine == (*theirs, keeper.done), (seed, number, played)
        fight = None if state.fight is None else (state.fight.card, state.fight.fighter, state.fight.grey)
        assert fight == (keeper.fight and (keeper.fight["card"], keeper.fight["who"], keeper.fight["grey"]))
        assert dict(state.wounds) == keeper.wounds
        if number % 7 == 0 and state.ways:
            one, other = rng.choice(sorted(state.ways)), rng.choice(sorted(state.ways))
            assert cheapest(game.setup, state, one, other) == keeper.way(one, other)
            assert apart(state, one, other) == keeper.way(one, other, steps=True)
        number += 1
        assert number < MOST_ENTRIES, f"match {seed} does not end"
    assert list(state.left) == keeper.gone
    return verdicts


@pytest.mark.slow
def test_both_judges_say_the_same_of_twenty_random_matches():
    assert sum(map(compare, range(20))) > 1000


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_both_judges_say_the_same_of_a_thousand_random_matches():
    assert sum(map(compare, range(1000, 2000))) > 50_000
