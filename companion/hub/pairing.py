"""Who meets whom in the next round: as few repeated meetings as can be, then tables of players with close scores.

Players begin in the order of their standing, table by table. Then two of different tables are exchanged as long as that
is cheaper. The tables found so are shaken by a few exchanges at random and improved again, many times; what is cheaper
stays. The dice for that always fall alike, so the same standings are always paired in the same way.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, lcm

from companion.errors import InputError, fault
from companion.hub.tournament import Tournament, meetings, standings, totals
from companion.public.text import JSON

SHAKES = 2000
"""How often the tables are shaken and improved again."""
MOST_WORK = 1_200_000
"""Shakes times pairs of players: there are fewer shakes where so many players would take longer than a second."""
EXCHANGES = 3
"""In a shake."""


def next_round(tournament: Tournament, dice: random.Random | None = None) -> dict[str, JSON]:
    """The entry that pairs the next round.

    Args:
        dice: Draw the first round; by default nobody can foretell them.

    Raises:
        InputError: There are too few players.
    """
    order = [row.player.number for row in standings(tournament) if row.player.here]
    sizes, byes = table_sizes(len(order), tournament.smallest, tournament.largest)
    out = sit_out(tournament, order, byes)
    playing = [number for number in order if number not in out]
    if not tournament.rounds:
        (dice or random.SystemRandom()).shuffle(playing)
        tables = [[playing.pop() for _ in range(size)] for size in sizes]
    else:
        tables = _choose(tournament, playing, sizes)
    return {"do": "pair", "tables": [sorted(seats) for seats in tables], "byes": sorted(out)}


def table_sizes(players: int, smallest: int, largest: int) -> tuple[tuple[int, ...], int]:
    """How many sit at each table, the larger tables first, and how many sit out: as few as can be.

    >>> table_sizes(10, 3, 4)
    ((4, 3, 3), 0)
    >>> table_sizes(5, 4, 4)
    ((4,), 1)

    Raises:
        InputError: They do not fill one table.
    """
    if players < smallest:
        raise InputError(fault("hub.fault.few", "a round needs {n} players who are here", n=smallest))
    seated = players
    while not any(tables * smallest <= seated <= tables * largest for tables in range(1, seated + 1)):
        seated -= 1
    tables = -(-seated // largest)
    small, more = divmod(seated, tables)
    return tuple(small + (table < more) for table in range(tables)), players - seated


def sit_out(tournament: Tournament, order: Sequence[int], count: int) -> set[int]:
    """Who has sat out least often; of these the last."""
    before = Counter(number for played in tournament.rounds for number in played.byes)
    last_first = sorted(order, key=lambda number: (before[number], -order.index(number)))
    return set(last_first[:count])


def _choose(tournament: Tournament, members: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Tables of these sizes for these players, who come in the order of their standing; that of the first is first."""
    seating = _Seating(_prices(tournament, members), [table for table, size in enumerate(sizes) for _ in range(size)])
    seating.improve()
    dice = random.Random(1)
    for _ in range(min(SHAKES, MOST_WORK // comb(len(members), 2))):
        shaken = seating.copy()
        for _ in range(EXCHANGES):
            shaken.exchange(dice.randrange(len(members)), dice.randrange(len(members)))
        shaken.improve()
        if shaken.price <= seating.price:
            seating = shaken
    tables: dict[int, list[int]] = {}
    for member, table in zip(members, seating.table_of, strict=True):
        tables.setdefault(table, []).append(member)
    return list(tables.values())


def _prices(tournament: Tournament, members: Sequence[int]) -> list[list[int]]:
    """What it costs that two sit together, by their places among the members: the cost as one whole number.

    One repeated meeting costs more than all differences in score together.
    """
    met, total = meetings(tournament), totals(tournament)
    scale = lcm(*(total[one].denominator for one in members))
    scores = {one: int(total[one] * scale) for one in members}
    repeat = 1 + (max(scores.values()) - min(scores.values())) * comb(len(members), 2)

    def price(one: int, other: int) -> int:
        return repeat * met[min(one, other), max(one, other)] + abs(scores[one] - scores[other])

    return [[price(one, other) for other in members] for one in members]


class _Seating:
    """Who sits at which table; players and tables are counted from 0.

    Attributes:
        table_of: By player.
        price_at: By player and table: what he costs with all who sit there.
    """

    def __init__(self, prices: Sequence[Sequence[int]], table_of: Sequence[int]) -> None:
        self._prices = prices
        self.table_of = list(table_of)
        self.price_at = [[0] * (max(table_of) + 1) for _ in prices]
        for price_at, row in zip(self.price_at, prices, strict=True):
            for table, price in zip(table_of, row, strict=True):
                price_at[table] += price

    @property
    def price(self) -> int:
        """What all pairs cost that sit together."""
        return sum(row[table] for row, table in zip(self.price_at, self.table_of, strict=True)) // 2

    def copy(self) -> _Seating:
        """The same once more, to be changed alone."""
        other = copy.copy(self)
        other.table_of = self.table_of.copy()
        other.price_at = [row.copy() for row in self.price_at]
        return other

    def exchange(self, one: int, other: int) -> None:
        """Each of two players takes the other's place."""
        first, second = self.table_of[one], self.table_of[other]
        for row, before, after in zip(self.price_at, self._prices[one], self._prices[other], strict=True):
            row[first] += after - before
            row[second] += before - after
        self.table_of[one], self.table_of[other] = second, first

    def improve(self) -> None:
        """Exchange two players as long as there are two for whom that is cheaper."""
        table_of, price_at = self.table_of, self.price_at
        improved = True
        while improved:
            improved = False
            for one, other in combinations(range(len(table_of)), 2):
                first, second = table_of[one], table_of[other]
                if first == second:
                    continue
                now = price_at[one][first] + price_at[other][second]
                then = price_at[one][second] + price_at[other][first] - 2 * self._prices[one][other]
                if then < now:
                    self.exchange(one, other)
                    improved = True
