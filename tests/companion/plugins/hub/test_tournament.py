"""Who has how much, and why: shares, tie-breaks, late entrants, lost tables, corrections."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from companion.errors import InputError
from companion.plugins.hub.tournament import Tournament, apply_entry, fold, meetings, parts, standings

OPEN = {"do": "open", "name": "Cup", "smallest": 3, "largest": 4}
JSON = dict[str, Any]


def entered(*names: str, smallest: int = 3, largest: int = 4) -> list[JSON]:
    return [{**OPEN, "smallest": smallest, "largest": largest}, *({"do": "enter", "name": name} for name in names)]


def pair(*tables: list[int], byes: tuple[int, ...] = ()) -> JSON:
    return {"do": "pair", "tables": list(tables), "byes": list(byes)}


def result(number: int, table: int, *points: int, **more: str) -> JSON:
    return {"do": "result", "round": number, "table": table, "points": list(points), **more}


def test_whoever_sits_out_and_whoever_s_match_was_lost_gets_a_half() -> None:
    now = fold([
        *entered(*"ABCDEFG"),
        pair([1, 2, 3], [4, 5, 6], byes=(7,)),
        result(1, 1, 30, 20, 10),
        {"do": "lose", "round": 1, "table": 2, "reason": "the lights went out"},
    ])  # fmt: skip
    assert {row.player.name: row.total for row in standings(now)} == {
        "A": 1, "B": Fraction(1, 2), "C": 0, **dict.fromkeys("DEFG", Fraction(1, 2)),
    }  # fmt: skip
    assert meetings(now) == {(1, 2): 1, (1, 3): 1, (2, 3): 1}, "at a lost table nobody has met"


def test_between_equals_decide_the_opponents_and_then_the_points() -> None:
    now = fold([
        *entered(*"ABCD", smallest=2, largest=2),
        pair([1, 2], [3, 4]), result(1, 1, 10, 5), result(1, 2, 9, 1),
        pair([1, 3], [2, 4]), result(2, 1, 7, 7), result(2, 2, 8, 2),
    ])  # fmt: skip
    rows = standings(now)
    assert [(row.place, row.player.name, str(row.total)) for row in rows] == [
        (1, "A", "3/2"), (2, "C", "3/2"), (3, "B", "1"), (4, "D", "0"),
    ]  # fmt: skip
    assert [rows[0].opposition, rows[1].opposition] == [Fraction(5, 4), Fraction(3, 4)]


def test_who_is_equal_in_everything_shares_a_place() -> None:
    now = fold([*entered(*"ABCD", smallest=2, largest=2), pair([1, 2], [3, 4]), result(1, 1, 9, 3), result(1, 2, 9, 3)])
    assert [row.place for row in standings(now)] == [1, 1, 3, 3]


def test_a_late_entrant_begins_with_nothing_and_whoever_leaves_keeps_what_he_has() -> None:
    now = fold([
        *entered(*"ABC"), pair([1, 2, 3]), result(1, 1, 9, 5, 1),
        {"do": "enter", "name": "Late"}, {"do": "leave", "player": 1},
        pair([2, 3, 4]), result(2, 1, 1, 2, 3),
    ])  # fmt: skip
    assert [(row.player.name, str(row.total)) for row in standings(now)] == [
        ("A", "1"), ("Late", "1"), ("B", "1/2"), ("C", "1/2"),
    ]  # fmt: skip
    assert [part.round for part in parts(now, 4)] == [2]


def test_a_correction_says_why_and_what_stood_before() -> None:
    before = [*entered(*"ABC"), pair([1, 2, 3]), result(1, 1, 9, 5, 1)]
    with pytest.raises(InputError, match="say why"):
        fold([*before, result(1, 1, 1, 5, 9)])
    now = fold([*before, result(1, 1, 1, 5, 9, reason="read upside down")])
    (kept,) = now.rounds[0].corrections
    assert (kept.before, kept.after, kept.reason) == ((9, 5, 1), (1, 5, 9), "read upside down")
    assert standings(now)[0].player.name == "C"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"do": "enter", "name": "a"}, "plays already"),
        ({"do": "enter", "name": ""}, "write a name"),
        ({"do": "enter", "name": "x" * 41}, "write a name"),
        ({"do": "enter", "name": "a\u202eb"}, "write a name"),
        ({"do": "leave", "player": 9}, "no player 9"),
        ({"do": "leave", "player": "1"}, "whole number"),
        (pair([1, 2, 3]), "needs its result first"),
        (result(1, 2, 1, 2, 3), "no table 2"),
        (result(2, 1, 1, 2, 3), "no table 1 in round 2"),
        (result(1, 1, 1, 2), "points of all 3"),
        (result(1, 1, 1, 2, 10**9), "whole number"),
        (result(1, 1, 1, 2, True), "whole number"),
        ({"do": "lose", "round": 1, "table": 1, "reason": " "}, "say why"),
        ({"do": "explode"}, "no such entry"),
        ({}, "no such entry"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing(entry: JSON, said: str) -> None:
    now = fold([*entered(*"ABC"), pair([1, 2, 3])])
    with pytest.raises(InputError, match=said):
        apply_entry(now, entry)


def test_a_tournament_of_before_is_there_although_two_of_its_names_count_as_one_now() -> None:
    """They were typed on two keyboards, and played against each other."""
    now = fold([*entered("Zoé O'Neil", " Zoe\u0301 O’Neil", "\u2800"), pair([1, 2, 3]), result(1, 1, 9, 5, 1)])
    assert [(row.player.number, str(row.total)) for row in standings(now)] == [(1, "1"), (2, "1/2"), (3, "0")]
    assert now.players[1].name == "Zoé O’Neil"
    with pytest.raises(InputError, match="plays already"):
        apply_entry(now, {"do": "enter", "name": "zoé o´neil"})


@pytest.mark.parametrize("tables", [[[1, 2]], [[1, 2, 3], [3, 4, 1]], [[1, 2, 9]], [], [[1, 2, 3]]])
def test_a_pairing_seats_everybody_who_is_here_once(tables: list[list[int]]) -> None:
    with pytest.raises(InputError, match="needs exactly one place"):
        fold([*entered(*"ABCD"), pair(*tables)])


def test_a_pairing_is_taken_back_before_its_first_result_and_not_after() -> None:
    back = {"do": "unpair", "reason": "Eve came"}
    paired = fold([*entered(*"ABC"), pair([1, 2, 3])])
    assert apply_entry(paired, back).rounds == ()
    with pytest.raises(InputError, match="correct the results instead"):
        apply_entry(apply_entry(paired, result(1, 1, 3, 2, 1)), back)


def test_standings_are_right_by_a_count_of_their_own() -> None:
    """Counted a second time, from the results alone and in another way."""
    dice = random.Random(4)
    now: Tournament = fold(entered(*map(str, range(12))))
    counted = dict.fromkeys(range(1, 13), 0.0)
    for number in range(1, 5):
        order = dice.sample(range(1, 13), 12)
        now = apply_entry(now, pair(order[:4], order[4:8], order[8:]))
        for table in (1, 2, 3):
            points = [dice.randrange(-5, 15) for _ in range(4)]
            now = apply_entry(now, result(number, table, *points))
            for who, mine in zip(order[4 * table - 4 : 4 * table], points, strict=True):
                better, same = sum(p > mine for p in points), points.count(mine)
                counted[who] += 1 - (better + (same - 1) / 2) / 3
    assert {row.player.number: float(row.total) for row in standings(now)} == pytest.approx(counted)
