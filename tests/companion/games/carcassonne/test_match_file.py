"""A match file is opened, or all that is wrong with it is said at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.carcassonne_match import deck, game
from support.conserved import count_things

from companion.errors import InputError, path_of
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.lattice import Cell
from companion.games.registry import GAMES, demo_deck

pytestmark = pytest.mark.core
TWO = [{"name": "Ana"}, {"name": "Ben"}]
TILES = deck(["Z+", "A", "X", "Y"])


def faults(**match: Any) -> list[tuple[str, str]]:
    try:
        CARCASSONNE.open_match({"seat": TWO, **match}, TILES)
    except InputError as wrong:
        return [(fault.key.rpartition(".")[2], path_of(fault)) for fault in wrong.faults]
    return []


def test_the_demo_match_opens_with_the_demo_deck():
    made = CARCASSONNE.open_match(dict(CARCASSONNE.demonstration.match), demo_deck(CARCASSONNE))
    assert (made.seats, made.rules.start.turn, made.setup.tile_mm) == (3, 1, 45.0)


@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ({"seat": TWO[:1]}, [("seats", "seat")]),
        ({"seat": TWO * 3}, [("seats", "seat")]),
        ({"seat": "Ana"}, [("seats", "seat")]),
        ({"seat": "Ana", "first": 2}, [("seats", "seat")]),
        ({"seat": [{"name": "Ana"}, {"name": ""}]}, [("name", "seat.2.name")]),
        ({"seat": [{"name": "Ana"}, "Ben"]}, [("seat", "seat.2")]),
        ({"seat": [{"name": "Ana"}, {"name": "Ben", "bot": True}]}, [("key", "seat.2.bot")]),
        ({"seat": [{"name": "Ana", "late": True}, {"name": "Ben", "late": True}]}, [("all_late", "seat")]),
        ({"first": 3}, [("number", "first")]),
        ({"first": True}, [("number", "first")]),
        ({"equal_turns": "yes"}, [("switch", "equal_turns")]),
        ({"tile_mm": 4}, [("tile_mm", "tile_mm")]),
        ({"tile_mm": float("nan")}, [("tile_mm", "tile_mm")]),
        ({"tile_mm": "45"}, [("tile_mm", "tile_mm")]),
        ({"tile_mm": 10**400}, [("tile_mm", "tile_mm")]),
        ({"first": 10**400}, [("number", "first")]),
        ({"game": "discovery"}, [("game", "game")]),
        ({"profile": "fr-explore"}, [("profile", "profile")]),
        ({"jokers": 2}, [("key", "jokers")]),
        ({"host": "me"}, [("host", "host")]),
        ({"position": []}, [("position", "position")]),
        ({"position": {"hands": []}}, [("key", "position.hands")]),
        ({"position": {"laid": "T01"}}, [("list", "position.laid")]),
        ({"position": {"laid": ["T02@0,0/0"]}}, [("start_missing", "position.laid")]),
        ({"position": {"laid": ["T01@0,0/1"]}}, [("start_missing", "position.laid")]),
        ({"position": {"laid": ["T01@0,0/0", "T02@0,0/1"]}}, [("occupied", "position.laid.2")]),
        ({"position": {"laid": ["T01@0,0/0", "T01@1,0/1"]}}, [("laid_twice", "position.laid.2")]),
        ({"position": {"laid": ["T01@0,0/0", "T99@1,0/0"]}}, [("laid", "position.laid.2")]),
        ({"position": {"laid": ["T01@0,0/0", "T02@1,0/4"]}}, [("laid", "position.laid.2")]),
        ({"position": {"laid": ["T01@0,0/0", "T02@1,0"]}}, [("laid", "position.laid.2")]),
        ({"position": {"laid": ["T01@0,0/0", "T02@1/0"]}}, [("laid", "position.laid.2")]),
        ({"position": {"laid": ["T01@0,0/0", 7]}}, [("laid", "position.laid.2")]),
        ({"position": {"laid": ["T01@0,0/0"], "followers": ["F11 T01"]}}, [("follower", "position.followers.1")]),
        ({"position": {"laid": ["T01@0,0/0"], "followers": ["F31 T01 1"]}}, [("follower", "position.followers.1")]),
        ({"position": {"laid": ["T01@0,0/0"], "followers": ["F11 T02 1"]}}, [("no_segment", "position.followers.1")]),
        ({"position": {"laid": ["T01@0,0/0"], "followers": ["F11 T01 4"]}}, [("no_segment", "position.followers.1")]),
        (
            {"position": {"laid": ["T01@0,0/0"], "followers": ["F11 T01 1", "F11 T01 2"]}},
            [("out_twice", "position.followers.2")],
        ),
        ({"position": {"laid": ["T01@0,0/0"], "aside": ["T01"]}}, [("laid_twice", "position.aside.1")]),
        ({"position": {"aside": ["T02", "T02"]}}, [("laid_twice", "position.aside.2")]),
        ({"position": {"aside": ["T55"]}}, [("no_tile", "position.aside.1")]),
        ({"position": {"points": [1]}}, [("each", "position.points")]),
        ({"position": {"points": [1, -1]}}, [("number", "position.points.2")]),
        ({"position": {"points": 7}}, [("list", "position.points")]),
        ({"position": {"turn": 3}}, [("number", "position.turn")]),
        (
            {"position": {"turn": 2}, "seat": [{"name": "Ana"}, {"name": "Ben", "late": True}]},
            [("turn_late", "position.turn")],
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_each_fault_is_named_where_it_is_and_no_other(match, expected):
    assert faults(**match) == expected


def test_all_faults_are_told_at_once():
    found = faults(first=9, tile_mm=0, jokers=1, position={"laid": ["T01@0,0/0", "T77@1,0/0"], "turn": 4})
    assert found == [
        ("key", "jokers"), ("number", "first"), ("tile_mm", "tile_mm"), ("laid", "position.laid.2"),
        ("number", "position.turn"),
    ]  # fmt: skip


def test_the_game_is_offered_by_its_name():
    assert GAMES["carcassonne"] is CARCASSONNE


def test_a_match_that_is_no_table_is_refused():
    with pytest.raises(InputError, match="a match is a table"):
        CARCASSONNE.open_match(["Ana"], TILES)


def test_a_position_begins_a_seats_turn_in_the_middle():
    made = CARCASSONNE.open_match(
        {
            "seat": TWO,
            "position": {
                "laid": ["T01@0,0/0", "T02@1,0/0"],
                "followers": ["F12 T02 2"],
                "aside": ["T04"],
                "points": [3, 5],
                "turn": 2,
            },
        },
        TILES,
    )
    state = made.rules.start
    assert state.laid == {"T01": Cell(0, 0, 0), "T02": Cell(1, 0, 0)}
    assert state.followers == {"F12": ("T02", 2)}
    assert (state.points, state.turn, state.tile) == ((3, 5), 2, None)
    assert (state.supply, state.tiles, state.discarded) == ((3, 4), 1, ("T04",))
    assert count_things(made, state) == 4 + 8


def test_what_is_aside_in_a_position_was_first_removed_for_equal_turns():
    made = game(["Z+", "X", "X", "X"], equal_turns=True, position={"laid": ["T01@0,0/0"], "aside": ["T02", "T03"]})
    assert (made.rules.start.removed, made.rules.start.discarded) == (("T02",), ("T03",))


def test_a_seat_may_be_kept_for_somebody_who_comes_late():
    made = CARCASSONNE.open_match({"seat": [{"name": "Ana", "late": True}, {"name": "Ben"}]}, TILES)
    state = made.rules.start
    assert (state.turn, made.rules.empty_seats(state)) == (2, {1})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["T01@0,0/0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("seat", "first", "equal_turns", "tile_mm", "position", "game", "profile", "host")
POSITION = ("laid", "followers", "aside", "points", "turn")


@given(st.dictionaries(st.sampled_from(KEYS), VALUES), st.dictionaries(st.sampled_from(POSITION), VALUES))
def test_whatever_a_match_file_holds_it_opens_or_is_told_in_sentences(match: Any, position: Any):
    for given_match in (match, {"seat": TWO, **match}, {"seat": TWO, "position": position}):
        try:
            made = CARCASSONNE.open_match(given_match, TILES)
        except InputError as wrong:
            told = [fault.what for fault in wrong.faults]
            if not all(told):
                pytest.fail(f"a fault without a sentence: {told}")
        else:
            assert count_things(made, made.rules.start) == 4 + 4 * made.seats
