"""Places on the table, and what a change of them means."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st
from support.carcassonne_match import Table
from support.conserved import count_things

from companion.errors import InputError
from companion.games.carcassonne.moves import (
    DeployFollower,
    DiscardTile,
    FinishTurn,
    LayStart,
    LayTile,
    ScoreFollower,
)
from companion.games.carcassonne.places import (
    cell_zone,
    counter_place,
    counter_zone,
    read_cell,
    read_counter,
    segments_meant,
    tile_zone,
)
from companion.games.lattice import Cell, Pose
from companion.public.table import Change, changes

pytestmark = pytest.mark.core


@given(st.integers(-99, 99), st.integers(-99, 99), st.integers(0, 3))
def test_a_tiles_place_is_written_and_read_back(column: int, row: int, turn: int):
    assert read_cell(cell_zone(Cell(column, row, turn))) == Cell(column, row, turn)


@given(st.integers(1, 9))
def test_a_counters_place_is_written_and_read_back(number: int):
    assert read_counter(counter_zone(("T07", number))) == (("T07", number),)


@given(st.text(alphabet="fieldon T0123456789-²", max_size=14))
def test_any_other_place_is_none(zone: str):
    cell = read_cell(zone)
    assert cell is None or cell_zone(cell) == zone or " -0" in zone or " 0" in zone
    assert all(tile and number == int(number) for tile, number in read_counter(zone))


def test_a_counter_means_the_nearest_segment_unless_the_second_is_nearly_as_near():
    """Spots of ``Z``: mountain at the north, sea in the middle, grassland at the south."""
    tile = Table("Z@0,0/0").game.setup.deck.tiles["T01"]
    assert [segment.spot for segment in tile.segments] == [(0.5, 0.1), (0.5, 0.5), (0.5, 0.9)]
    assert segments_meant(tile, 0.5, 0.2) == (1,)
    assert segments_meant(tile, 0.5, 0.29) == (1, 2)
    assert segments_meant(tile, 0.5, 0.31) == (2, 1)
    assert segments_meant(tile, 0.45, 0.5) == (2,)


"""Tiles are laid with small gaps."""


@pytest.mark.parametrize(
    ("east_mm", "south_mm", "askew_deg", "zone"),
    [
        (0, 0, 0, "field 1 0 0"), (12, 0, 0, "field 1 0 0"), (15, 0, 0, "loose"), (20, 0, 0, "loose"),
        (0, 13, 24, "field 1 0 0"), (0, 0, 26, "loose"), (0, 0, -24, "field 1 0 0"), (0, 0, 66, "field 1 0 1"),
    ],
)  # fmt: skip
def test_a_tile_that_is_in_no_cell_is_loose(east_mm: float, south_mm: float, askew_deg: float, zone: str):
    """ "Within 0.3 of a tile's width and 25 degrees of a cell"."""
    tile = Pose(100 + 45 + east_mm, 100 + south_mm, askew_deg)
    assert tile_zone(tile, [(Pose(100.0, 100.0, 0.0), Cell(0, 0))], tile_mm=45.0) == zone


def test_the_first_tile_lies_at_the_middle_of_the_map_however_it_is_turned():
    assert tile_zone(Pose(300.0, 200.0, 171.0), [], tile_mm=45.0) == "field 0 0 0"


@pytest.mark.parametrize("rotation_deg", [0.0, 90.0, -90.0, 183.0])
def test_a_counter_stands_on_the_segment_under_it_however_the_tile_is_turned(rotation_deg: float):
    """Spots of ``Z``: mountain at the north, sea in the middle, grassland at the south; a counter on the grassland."""
    tiles = Table("Z@0,0/0").game.setup.deck.tiles
    turn = math.radians(rotation_deg)
    x_mm, y_mm = 100 - 17 * math.sin(turn), 100 + 17 * math.cos(turn)
    lying = {"T01": Pose(100.0, 100.0, rotation_deg)}
    assert counter_place(x_mm, y_mm, lying, tiles, None, tile_mm=45.0) == "on T01 3"


def test_a_counter_a_little_beside_the_tile_just_laid_is_meant_for_that():
    tiles = Table("X@0,0/0 X@1,0/0").game.setup.deck.tiles
    lying = {"T01": Pose(100.0, 100.0, 0.0), "T02": Pose(145.0, 100.0, 0.0)}
    for x_mm, newest, zone in [
        (120.0, None, "on T01 1"), (120.0, "T02", "on T02 1"), (118.0, "T02", "on T01 1"), (125.0, "T01", "on T01 1"),
        (169.0, None, "loose"), (169.0, "T02", "on T02 1"), (173.0, "T02", "loose"),
    ]:  # fmt: skip
        assert counter_place(x_mm, 100.0, lying, tiles, newest, tile_mm=45.0) == zone, (x_mm, newest)


def test_a_counter_between_two_spots_is_on_both():
    tiles = Table("Z@0,0/0").game.setup.deck.tiles
    zone = counter_place(100.0, 91.0, {"T01": Pose(100.0, 100.0, 0.0)}, tiles, None, tile_mm=45.0)
    assert sorted(read_counter(zone)) == [("T01", 1), ("T01", 2)]


def test_the_camera_sees_a_whole_round_without_a_word():
    table = Table("", "Z+", "A", "X", "Y")

    def sees(card: str, came_from: str | None, went_to: str | None) -> tuple[object, ...]:
        return table.game.table.interpretations(table.state, Change(card, came_from, went_to))

    assert sees("T01", None, "field 0 0 0") == (LayStart(0, "T01"),)
    table.does(LayStart(0, "T01"))
    assert sees("T02", None, "field 1 0 0") == (LayTile(1, "T02", 1, 0, 0),)
    table.does(LayTile(1, "T02", 1, 0, 0))
    assert sees("F11", None, "on T02 2") == (DeployFollower(1, "F11", "T02", 2),)
    assert sees("F11", None, "on T02 2 1") == (DeployFollower(1, "F11", "T02", 2), DeployFollower(1, "F11", "T02", 1))
    table.does(DeployFollower(1, "F11", "T02", 2))
    assert sees("F11", "on T02 2", None) == (ScoreFollower(1, "F11"),)
    assert sees("F11", "on T02 2", "on T01 2") == (DeployFollower(1, "F11", "T01", 2),)
    assert sees("T04", None, "aside") == (DiscardTile(2, "T04"),)
    assert sees("KEND", None, "commands") == (FinishTurn(2),)
    for card, came_from, went_to in [
        ("T02", "field 1 0 0", None), ("T02", "field 1 0 0", "aside"), ("T03", None, "loose"), ("T03", None, None),
        ("F21", None, "aside"), ("F21", None, None), ("F21", None, "on T03 1"), ("F21", None, "on T02 3"),
        ("KPASS", None, "commands"), ("KSTOP", None, "commands"),
    ]:  # fmt: skip
        assert sees(card, came_from, went_to) == (), (card, went_to)


def test_the_next_tile_ends_the_turn_before_it():
    """ "When the seat at turn has laid its tile and another tile comes" the end of its turn is written first."""
    table = Table("X@0,0/0 X@1,0/0", "X", "Y", "X", seats=3)
    (reading,) = table.game.table.interpretations(table.state, Change("T03", None, "field 2 0 0"))
    assert reading == LayTile(2, "T03", 2, 0, 0)
    assert table.judge(reading) == ["turn"]
    assert table.game.rules.implied_moves(table.state, reading, table.at) == (FinishTurn(1), reading)
    (aside,) = table.game.table.interpretations(table.state, Change("T04", None, "aside"))
    assert table.game.rules.implied_moves(table.state, aside, table.at) == (FinishTurn(1), DiscardTile(2, "T04"))


def test_a_next_tile_that_is_wrong_is_told_for_its_place_and_not_for_the_turn():
    table = Table("X@0,0/0 X@1,0/0", "X", "Y", seats=3)
    for where, rule in (("2,0/0", "edge"), ("5,5/0", "touch")):
        move = table.tile("T04", where, by=2)
        assert table.judge(move) == [rule]
        assert table.game.rules.implied_moves(table.state, move, table.at) == ()
    table.does(table.tile("T04", "2,0/0", by=2), anyway=True)
    assert (table.state.turn, table.state.tile) == (2, "T04")


def test_a_counter_never_ends_somebodys_turn_by_inference():
    table = Table("X@0,0/0 X@1,0/0", "X")
    move = DeployFollower(2, "F21", "T02", 1)
    assert table.judge(move) == ["turn"]
    assert table.game.rules.implied_moves(table.state, move, table.at) == ()


def test_after_a_deployed_follower_nothing_is_inferred():
    table = Table("X@0,0/0 X@1,0/0", "X", "X", seats=3)
    table.deploys("F11", "T02", "sea")
    move = table.tile("T03", "2,0/0", by=3)
    assert table.judge(move) == ["turn"]
    assert table.game.rules.implied_moves(table.state, move, table.at) == ()


def test_tiles_that_are_put_away_may_lie_in_a_pile():
    table = Table("X@0,0/0", "Y", "Y", "X")
    table.discards("T02")
    table.discards("T03")
    assert table.game.table.expected(table.state).may_be_hidden == {"T02", "T03"}


# The table is right.


def test_what_lies_there_becomes_the_map_and_nothing_is_lost():
    table = Table("Z+@0,0/0 A@1,0/0", "X", "X", "Y")
    table.deploys("F11", "T02", "sea")
    total = count_things(table.game, table.state)
    lying = {"T01": "field 0 0 0", "T02": "field -1 0 0", "T03": "field 1 0 0", "T05": "aside", "F21": "on T03 1"}
    told = table.game.rules.adopt(table.state, lying, table.at)
    assert told.laid == {"T01": Cell(0, 0), "T02": Cell(-1, 0), "T03": Cell(1, 0)}
    assert (told.followers, told.supply, told.tiles) == ({"F21": ("T03", 1)}, (4, 3), 1)
    assert (told.discarded, told.points, told.turn) == (("T05",), (0, 0), 2)
    assert count_things(table.game, told) == total
    expected = table.game.table.expected(told)
    assert changes(expected, lying) == ()


@pytest.mark.parametrize(
    ("lying", "says"),
    [
        ({"T02": "field 1 0 0"}, "start tile T01 must lie"),
        ({"T01": "field 0 0 0", "T02": "field 1 0 0", "T03": "field 1 0 2"}, "2 tiles lie at 1,0"),
    ],
)
def test_a_map_that_cannot_be_is_refused_in_a_sentence(lying: dict[str, str], says: str):
    table = Table("Z+@0,0/0 A@1,0/0", "X")
    with pytest.raises(InputError, match=says):
        table.game.rules.adopt(table.state, lying, table.at)


# Seats.


def test_somebody_who_leaves_in_his_turn_ends_it_and_his_followers_stay():
    table = Table("X@0,0/0 X@1,0/0", "X", "X", seats=3)
    table.deploys("F11", "T02", "sea")
    table.state = table.game.rules.seat(table.state, 2, False, table.at)
    assert (table.state.turn, table.game.rules.empty_seats(table.state)) == (3, {2})
    table.lay("2,0/0")
    table.ends()
    assert table.state.turn == 1
    table.state = table.game.rules.seat(table.state, 2, True, table.at)
    table.lay("3,0/0")
    assert table.state.tiles == 0
    table.state = table.game.rules.seat(table.state, 1, False, table.at)
    assert table.state.over
    assert 1 not in table.state.winners, "whoever left wins nothing"


@pytest.mark.parametrize(
    ("seat", "here", "says"),
    [(1, True, "somebody sits there already; choose an empty seat"), (9, True, "no seat 9"), (9, False, "no seat 9")],
)
def test_a_seat_that_cannot_be_left_or_taken_is_refused(seat: int, here: bool, says: str):
    table = Table("X@0,0/0 X@1,0/0", "X")
    with pytest.raises(InputError, match=says):
        table.game.rules.seat(table.state, seat, here, table.at)


def test_the_last_one_cannot_leave():
    table = Table("X@0,0/0 X@1,0/0", "X")
    table.state = table.game.rules.seat(table.state, 2, False, table.at)
    for seat, says in ((1, "nobody would be left"), (2, "nobody sits there")):
        with pytest.raises(InputError, match=says):
            table.game.rules.seat(table.state, seat, False, table.at)
    table.ends()
    assert table.state.turn == 1
    table.does(table.tile("T03", "2,0/0"))
    table.ends()
    with pytest.raises(InputError, match="over"):
        table.game.rules.seat(table.state, 2, True, table.at)


def test_this_game_has_no_hands_to_count():
    table = Table("X@0,0/0")
    with pytest.raises(InputError, match="nothing is counted by hand"):
        table.game.rules.correct(table.state, {"tiles": 3}, table.at)
