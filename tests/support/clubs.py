"""Clubs whose next round is to be paired: rounds that were drawn by dice, with results by dice."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from companion.plugins.hub.pairing import table_sizes
from companion.plugins.hub.tournament import Tournament, apply_entry, fold, meetings, totals

SIZES = ((2, 2), (3, 3), (4, 4), (5, 5), (3, 4), (2, 4), (4, 5), (3, 5))
"""Fewest and most players at a table."""


def cost(tournament: Tournament, tables: Iterable[Sequence[int]]) -> tuple[int, Fraction]:
    """How often two sit together who have met before, each time they have; and the sum of the differences in score
    between all who sit together."""
    met, total = meetings(tournament), totals(tournament)
    pairs = [pair for seats in tables for pair in combinations(sorted(seats), 2)]
    return sum(met[pair] for pair in pairs), sum((abs(total[a] - total[b]) for a, b in pairs), Fraction())


def opened(players: int, smallest: int, largest: int) -> Tournament:
    """A tournament before its first round."""
    return fold([
        {"do": "open", "name": "Cup", "smallest": smallest, "largest": largest},
        *({"do": "enter", "name": f"P{number}"} for number in range(players)),
    ])  # fmt: skip


def played(players: int, smallest: int, largest: int, rounds: int, seed: int) -> Tournament:
    """Some rounds with random tables and results, so that many have met."""
    dice = random.Random(seed)
    now = opened(players, smallest, largest)
    for _ in range(rounds):
        now = results(apply_entry(now, random_round(now, dice)), dice)
    return now


def random_club(seed: int) -> Tournament:
    """From 8 to 64 players after one to five rounds."""
    dice = random.Random(seed)
    smallest, largest = dice.choice(SIZES)
    players = dice.randint(8, 64 if seed % 4 == 0 else 32)
    return played(players, smallest, largest, dice.randint(1, 5), seed)


def random_round(now: Tournament, dice: random.Random) -> dict[str, object]:
    """A pairing that nobody thought about."""
    order = [one.number for one in now.players if one.here]
    dice.shuffle(order)
    sizes, byes = table_sizes(len(order), now.smallest, now.largest)
    tables = [[order.pop() for _ in range(size)] for size in sizes]
    assert len(order) == byes
    return {"do": "pair", "tables": tables, "byes": order}


def results(now: Tournament, dice: random.Random) -> Tournament:
    """The newest round with the results of all its tables."""
    number = len(now.rounds)
    for table in now.rounds[-1].open_tables:
        points = [dice.randrange(12) for _ in now.rounds[-1].tables[table - 1]]
        now = apply_entry(now, {"do": "result", "round": number, "table": table, "points": points})
    return now
