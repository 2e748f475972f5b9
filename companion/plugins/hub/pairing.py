"""Pairs the next round: as few repeated meetings as possible, then tables of players with close scores.

Players start in the order of their standing, table by table. Then two players of different tables are exchanged as
long as that lowers the cost. Many times, a few random exchanges are made and the result is improved again; it is kept
if its cost is lower. The random numbers are always the same, so the same standings give the same pairing.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, lcm

from companion.errors import InputError, fault
from companion.plugins.hub.tournament import Tournament, meetings, standings, totals
from companion.public.text import JSON

SHAKES = 2000
"""How often random exchanges are tried."""
MOST_WORK = 1_200_000
"""Shakes times pairs of players: limits the shakes, so that large rounds take no longer than a second."""
EXCHANGES = 3
"""In each shake."""


def next_round(tournament: Tournament, dice: random.Random | None = None) -> dict[str, JSON]:
    """The entry that pairs the next round.

    Args:
        dice: For the draw of the first round; unpredictable by default.

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
    """The number of players at each table, larger tables first, and of those who sit out: as few as possible.

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
    """The players who have sat out least often; of these, the last in the order."""
    before = Counter(number for played in tournament.rounds for number in played.byes)
    last_first = sorted(order, key=lambda number: (before[number], -order.index(number)))
    return set(last_first[:count])


def _choose(tournament: Tournament, members: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Tables of these sizes; ``members`` are in the order of their standing, and the first one's table comes first."""
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
    """The cost of each pair of players at one table, by their places among the members, as an integer.

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
    """Which player sits at which table; both are counted from 0.

    Attributes:
        table_of: By player.
        price_at: By player and table: the player's cost with all who sit there.
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
        """The cost of all pairs at the same table."""
        return sum(row[table] for row, table in zip(self.price_at, self.table_of, strict=True)) // 2

    def copy(self) -> _Seating:
        other = copy.copy(self)
        other.table_of = self.table_of.copy()
        other.price_at = [row.copy() for row in self.price_at]
        return other

    def exchange(self, one: int, other: int) -> None:
        first, second = self.table_of[one], self.table_of[other]
        for row, before, after in zip(self.price_at, self._prices[one], self._prices[other], strict=True):
            row[first] += after - before
            row[second] += before - after
        self.table_of[one], self.table_of[other] = second, first

    def improve(self) -> None:
        """Exchange two players as long as that lowers the cost."""
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
