"""Who meets whom, held against every choice there is, and where these are too many against a solver's.

What the solver paid is in ``solver_pairings.json``: OR-tools' CP-SAT chose among all groups with their prices, ten
seconds a round; more than 30,000 groups were cut into parts by standing.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from support.clubs import cost, opened, played, random_club, random_round, results
from support.long_cases import examples, rest_long

from companion.errors import InputError
from companion.plugins.hub.pairing import next_round, table_sizes
from companion.plugins.hub.tournament import apply_entry

SOLVED = json.loads(Path(__file__).with_name("solver_pairings.json").read_text("utf-8"))


def every_choice(members: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to seat these players at tables of these sizes."""
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for others in combinations(rest, size - 1):
            for more in every_choice([one for one in rest if one not in others], left):
                yield [(first, *others), *more]


@pytest.mark.parametrize(
    ("players", "smallest", "largest", "rounds"),
    [(8, 2, 2, 3), (9, 3, 3, 2), (10, 3, 4, 3), (10, 2, 3, 2), (7, 3, 4, 4), (9, 2, 9, 2)],
)
def test_no_choice_is_better(players: int, smallest: int, largest: int, rounds: int) -> None:
    now = played(players, smallest, largest, rounds, seed=players * 7 + rounds)
    entry = next_round(now)
    found = cost(now, entry["tables"])
    members = sorted(number for seats in entry["tables"] for number in seats)
    assert found == min(
        cost(now, tables) for tables in every_choice(members, table_sizes(players, smallest, largest)[0])
    )
    apply_entry(now, entry)  # and it can be played


@pytest.mark.long
def test_of_a_hundred_clubs_at_most_one_would_be_paired_better_by_a_solver() -> None:
    """Their rounds were drawn, so that many have met; in none do more meet again, and in none is much lost."""
    seeds = range(len(SOLVED["clubs"]))
    dearer = []
    for seed in seeds:
        now = random_club(seed)
        repeats, distance = cost(now, next_round(now)["tables"])
        solved_repeats, solved_distance = SOLVED["clubs"][seed][0], Fraction(SOLVED["clubs"][seed][1])
        assert repeats <= solved_repeats, seed
        if (repeats, distance) > (solved_repeats, solved_distance):
            assert distance <= solved_distance * Fraction(21, 20), seed
            dearer.append(seed)
    assert len(dearer) <= len(seeds) / 100, dearer


@pytest.mark.parametrize("solved", rest_long(SOLVED["tournaments"], quick=4))
def test_every_round_of_a_tournament_is_paired_as_well_as_a_solver_does(solved: Any) -> None:
    dice = random.Random(solved["players"])
    now = opened(solved["players"], solved["smallest"], solved["largest"])
    first, *others = solved["rounds"]
    assert random_round(now, dice) == {"do": "pair", **first}
    now = results(apply_entry(now, {"do": "pair", **first}), dice)
    for pairing, (repeats, distance) in zip(others, solved["costs"], strict=True):
        assert cost(now, pairing["tables"]) == (repeats, Fraction(distance)), "it is the solver's own round"
        assert cost(now, next_round(now)["tables"]) <= (repeats, Fraction(distance))
        now = results(apply_entry(now, {"do": "pair", **pairing}), dice)


@settings(max_examples=examples(20, 400), deadline=None)
@given(
    st.integers(2, 9).flatmap(lambda smallest: st.tuples(st.just(smallest), st.integers(smallest, 9))),
    st.integers(9, 26),
    st.integers(0, 4),
    st.sets(st.integers(1, 9)),
    st.integers(0, 3),
)
def test_whoever_is_here_has_one_place_whatever_the_club(
    sizes: tuple[int, int], players: int, rounds: int, leaving: set[int], late: int
) -> None:
    now = played(players, *sizes, rounds, seed=players + rounds)
    for number in leaving:
        now = apply_entry(now, {"do": "leave", "player": number})
    for number in range(late):
        now = apply_entry(now, {"do": "enter", "name": f"Late {number}"})
    here = [one.number for one in now.players if one.here]
    if len(here) < sizes[0]:
        with pytest.raises(InputError, match="a round needs"):
            next_round(now)
        return
    entry: Any = next_round(now, random.Random(1))
    seated = [number for seats in entry["tables"] for number in seats]
    assert sorted([*seated, *entry["byes"]]) == here
    at_tables, byes = table_sizes(len(here), *sizes)
    assert sorted(map(len, entry["tables"]), reverse=True) == list(at_tables)
    assert len(entry["byes"]) == byes
    sat_out = Counter(number for one in now.rounds for number in one.byes)
    assert all(sat_out[out] <= sat_out[number] for out in entry["byes"] for number in seated)
    assert next_round(now, random.Random(1)) == entry, "the same club is paired in the same way"
    apply_entry(now, entry)


def test_sixty_four_players_are_paired_while_the_organiser_waits() -> None:
    now = played(64, 4, 4, 4, seed=64)
    began_s = time.process_time()
    next_round(now)
    assert time.process_time() - began_s < 3.0, "about half a second on a quiet machine"


@pytest.mark.parametrize("smallest", range(2, 10))
def test_as_few_as_can_be_sit_out(smallest: int) -> None:
    for largest in range(smallest, 10):
        for players in range(smallest, 40):
            sizes, byes = table_sizes(players, smallest, largest)
            assert sum(sizes) + byes == players
            assert all(smallest <= size <= largest for size in sizes)
            assert max(sizes) - min(sizes) <= 1
            fewer = [
                n
                for n in range(players - byes + 1, players + 1)
                for t in range(1, n)
                if t * smallest <= n <= t * largest
            ]
            assert not fewer, (players, smallest, largest)
