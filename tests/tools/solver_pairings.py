"""What OR-tools' solver pays for the next round of many clubs.

``PYTHONPATH=.:tests python tests/tools/solver_pairings.py`` writes ``tests/companion/hub/solver_pairings.json``, which
the tests hold the hub's own search against. It takes about half an hour, and needs ``pip install ortools``.

Every group that may sit together is listed with its price, and CP-SAT chooses groups so that everybody is in one. Where
there were more than 30,000 groups, it gets the players in parts, cut by their standing. All parts of a round have ten
seconds together; what is found by then counts. The hub itself paired like this before it had a search of its own.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import comb, lcm
from pathlib import Path
from typing import Any

from ortools.sat.python import cp_model
from support.clubs import cost, opened, random_club, random_round, results

from companion.hub.pairing import sit_out, table_sizes
from companion.hub.tournament import Tournament, apply_entry, meetings, standings, totals

WHERE = Path(__file__).parents[1] / "companion" / "hub" / "solver_pairings.json"
CLUBS = 240
TOURNAMENTS = (
    *((12, 2, 2), (16, 4, 4), (18, 3, 3), (20, 3, 4), (24, 4, 4), (26, 3, 4), (28, 4, 4), (30, 5, 5)),
    *((32, 4, 4), (36, 3, 3), (40, 3, 4), (48, 4, 4), (64, 4, 4), (64, 2, 2)),
)
"""Players, and fewest and most at a table, of tournaments of which the solver paired every round but the first."""
ROUNDS = 5
MOST_GROUPS = 30_000
SEARCH_S = 10.0
ATTEMPTS = 8


def main() -> None:
    """Pair, and write what it costs."""
    clubs = []
    for seed in range(CLUBS):
        now = random_club(seed)
        clubs.append(price_of(now, solved_round(now)))
        print(seed, clubs[-1], flush=True)
    tournaments = [solved_tournament(*sizes) for sizes in TOURNAMENTS]
    WHERE.write_text(json.dumps({"clubs": clubs, "tournaments": tournaments}) + "\n")


def solved_tournament(players: int, smallest: int, largest: int) -> dict[str, Any]:
    """A tournament whose first round is drawn; ``costs`` are those of the other rounds."""
    dice = random.Random(players)
    now, pairings, costs = opened(players, smallest, largest), [], []
    for number in range(ROUNDS):
        entry = solved_round(now) if number else random_round(now, dice)
        if number:
            costs.append(price_of(now, entry))
            print(players, smallest, largest, number, costs[-1], flush=True)
        pairings.append({"tables": entry["tables"], "byes": entry["byes"]})
        now = results(apply_entry(now, entry), dice)
    return {"players": players, "smallest": smallest, "largest": largest, "rounds": pairings, "costs": costs}


def price_of(now: Tournament, entry: dict[str, Any]) -> list[Any]:
    """Repeated meetings, and the sum of the differences in score."""
    repeats, distance = cost(now, entry["tables"])
    return [repeats, str(distance)]


def solved_round(now: Tournament) -> dict[str, Any]:
    """The next round as the solver pairs it."""
    order = [row.player.number for row in standings(now) if row.player.here]
    sizes, byes = table_sizes(len(order), now.smallest, now.largest)
    out = sit_out(now, order, byes)
    parts = cut([number for number in order if number not in out], sizes)
    tables = [sorted(group) for part in parts for group in solve(now, *part, SEARCH_S / len(parts))]
    return {"do": "pair", "tables": tables, "byes": sorted(out)}


def cut(order: Sequence[int], sizes: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """Players by their standing, with the sizes of their tables, cut where there would be too many groups."""
    parts: list[tuple[list[int], list[int]]] = [([], [])]
    rest = list(order)
    for size in sizes:
        members, tables = parts[-1]
        if tables and sum(comb(len(members) + size, one) for one in {*tables, size}) > MOST_GROUPS:
            parts.append(([], []))
            members, tables = parts[-1]
        members += rest[:size]
        tables.append(size)
        rest = rest[size:]
    return parts


def solve(now: Tournament, members: Sequence[int], sizes: Sequence[int], search_s: float) -> list[tuple[int, ...]]:
    """Groups of these sizes in which every member is once, at the least price."""
    met, total = meetings(now), totals(now)
    scale = lcm(*(total[one].denominator for one in members))
    scaled = {one: int(total[one] * scale) for one in members}
    repeat = 1 + (max(scaled.values()) - min(scaled.values())) * comb(len(members), 2)

    def price(group: Sequence[int]) -> int:
        return sum(repeat * met[a, b] + abs(scaled[a] - scaled[b]) for a, b in combinations(sorted(group), 2))

    found = begin(members, sizes, price)
    most = sum(map(price, found))
    # What alone costs more than all tables that were found is in no better choice.
    every = ((group, price(group)) for size in sorted(set(sizes)) for group in combinations(sorted(members), size))
    prices = {group: costs for group, costs in every if costs <= most}
    model = cp_model.CpModel()
    chosen = {group: model.new_bool_var("") for group in prices}
    of_member: dict[int, list[Any]] = {one: [] for one in members}
    for group, taken in chosen.items():
        model.add_hint(taken, group in found)
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
        return [group for group, taken in chosen.items() if solver.value(taken)]
    return found


def begin(members: Sequence[int], sizes: Sequence[int], price: Callable[[Sequence[int]], int]) -> list[tuple[int, ...]]:
    """A good choice for the solver to begin with, found by swapping two players as long as that is cheaper."""
    dice = random.Random(1)
    best: list[tuple[int, ...]] = []
    for attempt in range(ATTEMPTS):
        order = list(members)
        for _ in range(attempt * len(order) // ATTEMPTS):
            one, other = dice.randrange(len(order)), dice.randrange(len(order))
            order[one], order[other] = order[other], order[one]
        groups = [[order.pop(0) for _ in range(size)] for size in sizes]
        while swap(groups, price):
            pass
        if not best or sum(map(price, groups)) < sum(map(price, best)):
            best = [tuple(sorted(group)) for group in groups]
    return best


def swap(groups: list[list[int]], price: Callable[[Sequence[int]], int]) -> bool:
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


if __name__ == "__main__":
    main()
