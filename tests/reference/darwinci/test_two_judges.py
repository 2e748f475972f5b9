"""The companion and a judge that was written apart from it say the same of random matches."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from reference.darwinci.judge import Arbiter
from support.conserved import count_things
from support.darwinci_match import deck

from companion.games.darwinci import moves as act
from companion.games.darwinci.module import DARWINCI
from companion.games.protocol import Move, MoveContext
from companion.history.codec import decode_move, encode_move

pytestmark = pytest.mark.core
MOST_ENTRIES = 4000
"""No match is longer."""


def attempts(game: Any, public: Any, rng: Random) -> list[Move]:
    """What somebody might try who does not know the rules: any seat, any stone, any tile, any place."""
    seats, tiles, stones = game.setup.seats, sorted(game.setup.deck.tiles), sorted(game.setup.owners)
    known = [*public.won, *public.offers.values(), *public.gone[-2:]]
    seat, card = rng.choice(seats), rng.choice(known or tiles)
    x, y = rng.randint(-3, 4), rng.randint(-3, 4)
    found: list[Move] = [
        act.BidStone(rng.choice([seat, *filter(None, [public.turn])]), rng.choice(stones), rng.choice(seats)),
        act.LayBone(seat, rng.choice([card, rng.choice(tiles)]), x, y, rng.randrange(4)),
        act.DropBone(seat, card),
        act.CountJewel(seat, rng.choice(["red", "pink"]), rng.choice([0, 100])),
        act.SizeCreature(seat, 0),
        act.DealPlots(rng.choice([0, 1]), (), (), seat),
    ]
    if not public.bidding or public.turn != seat:
        found.append(act.EndBids(seat))
    if public.offers or rng.random() < 0.1:
        found += [act.BuyTiles(seat), act.OfferTile(rng.choice(sorted(public.offers) or [seat]), card)]
    rng.shuffle(found)
    return found[:4]


def by_colour(stones: dict[str, str]) -> Counter[tuple[str, bool, str]]:
    return Counter((card[0], card[1] == "0", zone) for card, zone in stones.items())


def compare(seed: int) -> tuple[int, int]:
    """One match, with everything that both judges say compared after every act; how many verdicts and entries."""
    rng = Random(seed)
    match, tiles = DARWINCI.demonstration.random_match(rng, "experts" if seed % 3 == 0 else "base"), deck()
    for tile in tiles["tile"]:
        tile["value"] = rng.choice([-1, -3, -5]) if tile["value"] < 0 else tile["value"]
    game, arbiter = DARWINCI.open_match(match, tiles), Arbiter(match, tiles)
    player, state, number, verdicts = DARWINCI.demonstration.random_player(game), game.rules.start, 1, 0
    while not state.over:
        at, played = MoveContext(number, float(number)), None
        tries = attempts(game, state, rng) if state.dealt else []
        for move in (*tries, *player(state, rng, at)):
            mine = game.rules.judge(state, move, at)
            theirs = arbiter.judge(encode_move(move))
            assert sorted(one.rule for one in mine) == sorted(theirs), (seed, number, move)
            verdicts += 1
            played = move if not mine else None
            if played:
                break
        assert played, f"nobody can do anything in match {seed} at {number}"
        assert decode_move(game, json.loads(json.dumps(encode_move(played)))) == played
        step = game.rules.apply(state, played, at)
        arbiter.play(encode_move(played))
        assert count_things(game, step.state) == 65 + len(game.setup.owners)
        state, number = step.state, number + 1
        told = game.board.standing(state)
        assert told.by_seat("darwin") == tuple(arbiter.money[seat] for seat in game.setup.seats), (seed, number)
        assert told.by_seat("tiles") == tuple(len(arbiter.field[seat]) for seat in game.setup.seats)
        assert (state.bidding, state.turn, state.first, state.holder, state.round) == (
            arbiter.bidding, arbiter.now, arbiter.start, arbiter.darwin, arbiter.rounds,
        ), (seed, number)  # fmt: skip
        heaps = {chip: name.replace(" ", "-") for name, heap in arbiter.heap.items() for chip in heap}
        assert by_colour(state.stones) == by_colour(heaps), (seed, number)
        assert {card: tile.winner for card, tile in state.won.items()} == arbiter.prize
        assert sorted(state.gone) == sorted(arbiter.lost)
        assert (state.over, list(state.winners)) == (arbiter.done, arbiter.best)
        assert number < MOST_ENTRIES, f"match {seed} does not end"
    return verdicts, number


@pytest.mark.slow
def test_both_judges_say_the_same_of_thirty_random_matches():
    assert sum(compare(seed)[0] for seed in range(30)) > 5000


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_both_judges_say_the_same_of_two_thousand_random_matches():
    assert sum(compare(seed)[0] for seed in range(1000, 3000)) > 300_000
