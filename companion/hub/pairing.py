"""Who meets whom in the next round: as few repeated meetings as can be, then tables of players with close scores.

What may sit together is listed, group by group, with what it would cost; OR-tools CP-SAT chooses groups so that
everybody who plays is in one. Up to ``MOST_GROUPS`` groups, and within ``SEARCH_S``, that choice is the best there is.
Where more players would make more groups, they are cut by their standing into parts that are each paired so.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, lcm

from companion.errors import InputError, fault
from companion.hub.tournament import Tournament, meetings, standings, totals
from companion.public.text import JSON

MOST_GROUPS = 30_000
SEARCH_S = 10.0
"""What is found by then is taken, the best or not."""
ATTEMPTS = 8
"""Beginnings that are tried before the search for the best."""


@dataclass(frozen=True, slots=True)
class GroupCost:
    """What a choice of tables costs; smaller is better, repeats first.

    Attributes:
        repeats: How often two sit together who have met before, each time they have.
        distance: The sum of the differences in score between all who sit together.
    """

    repeats: int
    distance: Fraction


def next_round(tournament: Tournament, dice: random.Random | None = None) -> dict[str, JSON]:
    """The entry that pairs the next round.

    Args:
        dice: Draw the first round; by default nobody can foretell them.

    Raises:
        InputError: There are too few players, or OR-tools is missing.
    """
    order = [row.player.number for row in standings(tournament) if row.player.here]
    sizes, byes = table_sizes(len(order), tournament.smallest, tournament.largest)
    out = _sit_out(tournament, order, byes)
    playing = [number for number in order if number not in out]
    if not tournament.rounds:
        (dice or random.SystemRandom()).shuffle(playing)
        tables = [[playing.pop() for _ in range(size)] for size in sizes]
    else:
        cut = _parts(playing, sizes)
        tables = [list(group) for part in cut for group in _choose(tournament, *part, SEARCH_S / len(cut))]
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


def cost(tournament: Tournament, tables: Sequence[Sequence[int]]) -> GroupCost:
    """What this choice of tables costs."""
    met, total = meetings(tournament), totals(tournament)
    pairs = [pair for seats in tables for pair in combinations(sorted(seats), 2)]
    return GroupCost(sum(met[pair] for pair in pairs), sum((abs(total[a] - total[b]) for a, b in pairs), Fraction()))


def _sit_out(tournament: Tournament, order: Sequence[int], count: int) -> set[int]:
    """Who has sat out least often; of these the last."""
    before = Counter(number for played in tournament.rounds for number in played.byes)
    last_first = sorted(order, key=lambda number: (before[number], -order.index(number)))
    return set(last_first[:count])


def _parts(order: Sequence[int], sizes: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Players by their standing, with the sizes of their tables, cut where there would be too many groups."""
    parts: list[tuple[list[int], list[int]]] = [([], [])]
    rest = list(order)
    for size in sizes:
        members, tables = parts[-1]
        wide = {*tables, size}
        if tables and sum(comb(len(members) + size, one) for one in wide) > MOST_GROUPS:
            parts.append(([], []))
            members, tables = parts[-1]
        members += rest[:size]
        tables.append(size)
        rest = rest[size:]
    return parts


def _choose(
    tournament: Tournament, members: Sequence[int], sizes: Sequence[int], search_s: float
) -> list[tuple[int, ...]]:
    """Groups of these sizes in which every member is once, at the least cost."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        sentence = "pairing needs OR-tools: in the companion's folder, .venv/bin/pip install 'companion-referee[hub]'"
        raise InputError(fault("hub.fault.extra", sentence)) from error
    met, total = meetings(tournament), totals(tournament)
    scale = lcm(*(total[one].denominator for one in members))
    scaled = {one: int(total[one] * scale) for one in members}
    farthest = max(scaled.values()) - min(scaled.values())
    repeat = 1 + farthest * comb(len(members), 2)  # one repeated meeting weighs more than every distance together

    def price(group: Sequence[int]) -> int:
        return sum(repeat * met[a, b] + abs(scaled[a] - scaled[b]) for a, b in combinations(sorted(group), 2))

    best_tables = _search(members, sizes, price)
    best = sum(map(price, best_tables))
    # What alone costs more than all tables that were found is in no better choice.
    every = ((group, price(group)) for size in sorted(set(sizes)) for group in combinations(sorted(members), size))
    prices = {group: costs for group, costs in every if costs <= best}
    model = cp_model.CpModel()
    chosen = {group: model.new_bool_var("") for group in prices}
    of_member: dict[int, list[cp_model.IntVar]] = {one: [] for one in members}
    for group, taken in chosen.items():
        model.add_hint(taken, group in best_tables)
        for one in group:
            of_member[one].append(taken)
    for taken_once in of_member.values():
        model.add_exactly_one(taken_once)
    for size, tables in Counter(sizes).items():
        model.add(sum(taken for group, taken in chosen.items() if len(group) == size) == tables)
    model.minimize(sum(prices[group] * taken for group, taken in chosen.items()))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = search_s
    solver.parameters.random_seed = 1
    if solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        best_tables = [group for group, taken in chosen.items() if solver.value(taken)]
    return sorted(best_tables, key=lambda group: min(members.index(one) for one in group))


def _search(
    members: Sequence[int], sizes: Sequence[int], price: Callable[[Sequence[int]], int]
) -> list[tuple[int, ...]]:
    """A good choice to begin with: by standing, then swaps of two players as long as one makes it cheaper; the best of
    some, the others begun with some players exchanged."""
    dice = random.Random(1)
    best: list[tuple[int, ...]] = []
    for attempt in range(ATTEMPTS):
        order = list(members)
        for _ in range(attempt * len(order) // ATTEMPTS):
            one, other = dice.randrange(len(order)), dice.randrange(len(order))
            order[one], order[other] = order[other], order[one]
        groups = [[order.pop(0) for _ in range(size)] for size in sizes]
        while _swap(groups, price):
            pass
        if not best or sum(map(price, groups)) < sum(map(price, best)):
            best = [tuple(sorted(group)) for group in groups]
    return best


def _swap(groups: list[list[int]], price: Callable[[Sequence[int]], int]) -> bool:
    """Swap two players of two groups where that makes both cheaper together; whether there were such."""
    swapped = False
    for one, other in combinations(groups, 2):
        now = price(one) + price(other)
        for i, j in product(range(len(one)), range(len(other))):
            if now == 0:
                break
            one[i], other[j] = other[j], one[i]
            if (then := price(one) + price(other)) < now:
                now, swapped = then, True
            else:
                one[i], other[j] = other[j], one[i]
    return swapped
