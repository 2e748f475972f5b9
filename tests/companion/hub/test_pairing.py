"""Who meets whom: the best choice there is, held against every choice there is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from companion.errors import InputError
from companion.hub.pairing import cost, next_round, table_sizes
from companion.hub.tournament import Tournament, apply_entry, fold, meetings, standings, totals

ortools = pytest.importorskip("ortools")


def played(players: int, smallest: int, largest: int, rounds: int, seed: int) -> Tournament:
    """Some rounds with random tables and results, so that many have met."""
    dice = random.Random(seed)
    now = fold([
        {"do": "open", "name": "Cup", "smallest": smallest, "largest": largest},
        *({"do": "enter", "name": f"P{number}"} for number in range(players)),
    ])  # fmt: skip
    for _ in range(rounds):
        now = results(apply_entry(now, random_round(now, dice)), dice)
    return now


def random_round(now: Tournament, dice: random.Random) -> dict[str, object]:
    order = [one.number for one in now.players if one.here]
    dice.shuffle(order)
    sizes, byes = table_sizes(len(order), now.smallest, now.largest)
    tables = [[order.pop() for _ in range(size)] for size in sizes]
    assert len(order) == byes
    return {"do": "pair", "tables": tables, "byes": order}


def results(now: Tournament, dice: random.Random) -> Tournament:
    number = len(now.rounds)
    for table in now.rounds[-1].open_tables:
        points = [dice.randrange(12) for _ in now.rounds[-1].tables[table - 1]]
        now = apply_entry(now, {"do": "result", "round": number, "table": table, "points": points})
    return now


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
    best = min(
        (choice.repeats, choice.distance)
        for tables in every_choice(members, table_sizes(players, smallest, largest)[0])
        if (choice := cost(now, tables))
    )
    assert (found.repeats, found.distance) == best
    apply_entry(now, entry)  # and it can be played


@pytest.mark.slow
@pytest.mark.parametrize(("smallest", "largest"), [(4, 4), (3, 3), (2, 2)])
def test_no_choice_is_better_with_twelve_players(smallest: int, largest: int) -> None:
    now = played(12, smallest, largest, 3, seed=largest)
    found = cost(now, next_round(now)["tables"])
    met, total = meetings(now), totals(now)
    prices = {pair: (met[pair], abs(total[pair[0]] - total[pair[1]])) for pair in combinations(range(1, 13), 2)}
    groups = {
        group: [sum(column) for column in zip(*(prices[pair] for pair in combinations(group, 2)), strict=True)]
        for group in combinations(range(1, 13), largest)
    }
    best = min(
        tuple(sum(groups[group][part] for group in tables) for part in (0, 1))
        for tables in every_choice(range(1, 13), table_sizes(12, smallest, largest)[0])
    )
    assert (found.repeats, found.distance) == best


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


def test_nobody_sits_out_twice_before_everybody_has_once() -> None:
    dice = random.Random(2)
    now = played(5, 2, 2, 0, seed=1)
    for _ in range(5):
        now = results(apply_entry(now, next_round(now, dice)), dice)
    assert Counter(number for one in now.rounds for number in one.byes) == dict.fromkeys(range(1, 6), 1)


def test_whoever_left_is_not_paired_and_whoever_came_is() -> None:
    now = played(9, 3, 4, 1, seed=5)
    for entry in ({"do": "leave", "player": 2}, {"do": "enter", "name": "Late"}):
        now = apply_entry(now, entry)
    entry = next_round(now)
    assert {number for seats in entry["tables"] for number in seats} | set(entry["byes"]) == {
        1,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
    }


def test_two_players_do_not_fill_a_table_of_three() -> None:
    with pytest.raises(InputError, match="a round needs 3 players"):
        next_round(played(2, 3, 4, 0, seed=1))


@pytest.mark.long
def test_a_tournament_of_twenty_four_over_four_rounds_with_a_lost_table_and_a_correction() -> None:
    dice = random.Random(24)
    now = played(24, 3, 4, 0, seed=1)
    for number in range(1, 5):
        now = apply_entry(now, next_round(now, dice))
        if number == 2:
            now = apply_entry(now, {"do": "lose", "round": 2, "table": 3, "reason": "the box fell"})
        now = results(now, dice)
        if number == 3:
            corrected = {"do": "result", "round": 3, "table": 1, "points": [1, 2, 3, 4], "reason": "misread"}
            now = apply_entry(now, corrected)
    seen = Counter(
        frozenset(pair)
        for number, one in enumerate(now.rounds, 1)
        for table, seats in enumerate(one.tables, 1)
        if (number, table) != (2, 3)
        for pair in combinations(seats, 2)
    )
    assert max(seen.values()) == 1, "nobody meets twice where that can be avoided"
    assert sum(row.total for row in standings(now)) == 24 * 4 / 2, "each round shares out a half a player"
    assert [one.reason for one in now.rounds[2].corrections] == ["misread"]
