"""Whoever can reach the broker can publish anything: a hub shows tables, and nothing else comes of it."""

from __future__ import annotations

import json

import pytest

from companion.plugins.hub.live_tables import MOST_BYTES, MOST_TABLES, Room

MATCH = {"table": "Den", "address": "http://192.168.1.2:8080", "match": "m", "seats": [{"number": 1, "name": "Ana"}]}


def heard(*messages: tuple[str, str, object]) -> Room:
    tables = Room()
    for topic, what, payload in messages:
        tables.receive(topic, what, payload if isinstance(payload, bytes) else json.dumps(payload).encode())
    return tables


def test_who_needs_somebody_comes_first_and_who_is_gone_last() -> None:
    tables = heard(
        ("a", "available", b"online"), ("b", "available", b"online"), ("c", "available", b"offline"),
        ("b", "needs", {"needs": True, "alert": "asks", "questions": 1}), ("b", "match", MATCH),
        ("b", "standing", {"turn": 1, "points": [3, 4], "over": True, "winners": [2]}),
    )  # fmt: skip
    first, *others = tables.all()
    assert (first.name, first.needs, first.questions, first.points, first.winners) == ("Den", True, 1, (3, 4), (2,))
    assert [first.seat(1), first.seat(2)] == ["Ana", "2"]
    assert [one.topic for one in others] == ["a", "c"]


def test_an_end_that_hangs_on_an_open_question_is_no_result_yet() -> None:
    ended = {"turn": None, "points": [3, 4], "over": True, "winners": [2]}
    for provisional in (True, False):
        (table,) = heard(("a", "standing", {**ended, **({"provisional": True} if provisional else {})})).all()
        assert table.over is not provisional


@pytest.mark.parametrize(
    ("what", "payload"),
    [
        ("available", b"perhaps"),
        ("available", b"\xff\xfe"),
        ("match", b"["),
        ("match", b"[" * 10_000),
        ("match", b'"text"'),
        ("needs", b"null"),
        ("standing", b" " * (MOST_BYTES + 1)),
        ("secrets", b"{}"),
    ],
)
def test_what_no_table_says_is_counted_and_not_shown(what: str, payload: bytes) -> None:
    tables = heard(("a", what, payload))
    assert (tables.all(), tables.refused) == ((), 1)


@pytest.mark.parametrize("topic", ["", "a/b", "<b>", "x" * 121, "a b", "é"])
def test_a_forged_topic_is_no_table(topic: str) -> None:
    assert heard((topic, "available", b"online")).all() == ()


@pytest.mark.parametrize(
    "lie",
    [
        {"table": ["x"], "seats": {"a": 1}, "address": 7},
        {"table": "x" * 5000, "seats": [1, None, {"name": 3}], "address": "javascript:alert(1)"},
        {"table": "\u202e\x1b[2J", "address": "http://ana:pw@bank.example/"},  # pragma: allowlist secret
        {"seats": [{"name": "y" * 100}] * 100, "address": "http://[broken"},
    ],
)
def test_of_a_lie_only_what_a_table_could_say_is_left(lie: dict[str, object]) -> None:
    (table,) = heard(("a", "match", lie)).all()
    assert table.address == ""
    assert len(table.seats) <= 12
    assert all(len(word) <= 40 and word.isprintable() for word in (table.title, *table.seats))


@pytest.mark.parametrize("lie", [{"points": ["a", 10**9, True, 5]}, {"turn": "1", "points": 3}, {"points": [1] * 900}])
def test_numbers_are_numbers(lie: dict[str, object]) -> None:
    (table,) = heard(("a", "standing", lie)).all()
    assert all(type(one) is int and abs(one) < 10**6 for one in (*table.points, table.turn))
    assert len(table.points) <= 12


def test_tables_that_somebody_makes_up_leave_room_for_those_that_come():
    """Who forges three thousand names fills no list for good: a table that is online is not one of them."""
    tables = heard(
        ("first", "available", b"online"),
        *((f"t{number}", "match", b"{}") for number in range(3 * MOST_TABLES)),
        ("late", "match", b'{"table": "Late"}'),
        ("late", "available", b"online"),
        *((f"u{number}", "match", b"{}") for number in range(MOST_TABLES)),
        ("gone", "available", b"online"),
        ("gone", "available", b"offline"),
        *((f"v{number}", "match", b"{}") for number in range(MOST_TABLES)),
    )
    assert len(tables.all()) == MOST_TABLES
    assert [one.topic for one in tables.all() if not one.topic[1:].isdecimal()] == ["first", "late", "gone"]


def test_a_table_that_takes_back_what_it_retained_is_gone() -> None:
    tables = heard(("a", "available", b"online"), ("a", "match", b""), ("a", "available", b""))
    assert (tables.all(), tables.refused) == ((), 0)


def test_the_topic_that_all_unnamed_tables_share_is_no_table_of_its_own() -> None:
    shared = heard(("table", "available", b"online"), ("table", "standing", {"points": [1]}))
    assert shared.all() == ()
    shared.receive("table", "match", json.dumps(MATCH).encode())
    assert [one.name for one in shared.all()] == ["Den"]
