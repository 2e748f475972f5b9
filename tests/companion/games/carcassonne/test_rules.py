"""Each sentence of the rule book by its id in docs/carcassonne.md."""

from __future__ import annotations

import pytest
from support.carcassonne_match import Table, game

from companion.errors import ImpossibleMove
from companion.games.carcassonne.moves import (
    CloseMatch,
    DeployFollower,
    DiscardTile,
    FinishTurn,
    LayStart,
    RemoveTile,
    ScoreFollower,
)
from companion.games.protocol import MoveContext, Objection
from companion.public.table import Change

pytestmark = pytest.mark.core


def objections(table: Table, move: object) -> tuple[Objection, ...]:
    return table.game.rules.judge(table.state, move, table.at)  # type: ignore[arg-type]


def test_c1_place_the_starting_tile_face_up_in_the_middle():
    table = Table("", "Z+", "A")
    assert table.judge(table.tile("T02", "0,0/0")) == ["start"]
    assert table.judge(DiscardTile(1, "T02")) == ["start"]
    assert table.judge(LayStart(0, "T02")) == ["start"]
    assert table.judge(FinishTurn(1)) == ["start"]
    with pytest.raises(ImpossibleMove, match="start tile comes first"):
        table.does(table.tile("T02", "0,0/0"), anyway=True)
    table.does(LayStart(0, "T01"))
    assert table.game.table.expected(table.state).cards == {"T01": "field 0 0 0"}


def test_c2_one_follower_is_the_scoring_marker_so_four_are_deployed():
    table = Table("Z+@0,0/0", seats=3)
    assert table.state.supply == (4, 4, 4)
    assert sorted(table.game.setup.owners) == [f"F{seat}{n}" for seat in (1, 2, 3) for n in (1, 2, 3, 4)]


@pytest.mark.parametrize("first", [1, 2, 3])
def test_c3_the_youngest_player_determines_who_starts(first: int):
    table = Table("Z+@0,0/0", "A", seats=3, first=first)
    assert table.state.turn == first
    assert table.judge(table.tile("T02", "1,0/0", by=first)) == []


def test_c4_players_take_turns_in_clockwise_order():
    table = Table("X@0,0/0", "X", "X", "X", "X", seats=3)
    assert table.judge(table.tile("T02", "1,0/0", by=2)) == ["turn"]
    assert table.judge(table.tile("T02", "1,0/0", by=3)) == ["turn"]
    turns = []
    for where in ("1,0/0", "2,0/0", "3,0/0", "4,0/0"):
        table.lay(where)
        turns.append(table.state.turn)
    assert turns == [1, 2, 3, 1]


def test_c4_a_seat_that_somebody_left_is_passed_over():
    table = Table("X@0,0/0 X@1,0/0", "X", seats=3)
    table.state = table.game.rules.seat(table.state, 2, False, table.at)
    table.ends()
    assert table.state.turn == 3
    assert table.judge(FinishTurn(2)) == ["turn"]


def test_c5_the_player_must_draw_and_place_a_tile_first():
    table = Table("X@0,0/0 X@1,0/0", "X", seats=3)
    table.deploys("F11", "T02", "sea")
    assert table.judge(FinishTurn(2)) == ["order"]
    assert table.judge(table.deploy("F21", "T02", "sea")) == ["order"]


def test_c5_a_follower_that_is_scored_before_the_tile_comes_too_early():
    table = Table("X@0,0/0 X@1,0/0", "A", "X")
    table.deploys("F11", "T02", "sea")
    table.lay("1,1/1")
    table.ends()
    assert table.judge(ScoreFollower(1, "F11")) == ["order"]
    table.lay("2,0/0")
    assert table.judge(ScoreFollower(1, "F11")) == []


def test_c6_never_both_deploy_and_remove_a_follower_on_the_same_turn():
    """Vector 16: the seat lifts F11 for 2 points, then lays F12."""
    table = Table("", "A", "A", "X", "X", position={"laid": ["T01@0,0/0"], "followers": ["F11 T01 1"], "turn": 2})
    table.next_tile = 2
    table.lay("0,-1/2")
    table.deploys("F21", "T02", "sea")
    table.lay("1,0/0")
    assert (table.state.turn, table.state.tile) == (1, "T03")
    assert table.scores("F11").points == 2
    assert table.state.supply == (4, 3)
    assert table.judge(table.deploy("F12", "T03", "sea")) == ["once"]


def test_c7_a_player_may_simply_place_the_tile_and_end_the_turn():
    table = Table("X@0,0/0 X@1,0/0", "X")
    assert table.judge(FinishTurn(1)) == []
    assert table.judge(FinishTurn(2)) == ["turn"]
    table.ends()
    assert (table.state.turn, table.state.tile) == (2, None)


def test_c8_a_tile_may_not_simply_be_placed_corner_to_corner():
    """Vector 13."""
    table = Table("Z+@0,0/0", "A", "A", "B", "A")
    assert table.judge(table.tile("T02", "1,1/0")) == ["touch"]
    assert table.judge(table.tile("T02", "5,7/0")) == ["touch"]
    assert table.judge(table.tile("T05", "1,0/0")) == []


@pytest.mark.parametrize(
    ("name", "where", "sides"),
    [("T03", "0,1/1", "north: sea against grassland"), ("T04", "0,-1/0", "south: grassland against mountain")],
)
def test_c9_all_segments_continue_those_on_all_abutting_tiles(name: str, where: str, sides: str):
    """Vector 13: the cards are the neighbours that disagree."""
    table = Table("Z+@0,0/0", "A", "A", "B", "A")
    move = table.tile(name, where)
    assert objections(table, move) == (Objection("edge", ("T01",)),)
    (text,) = table.game.words.reason(table.state, move, objections(table, move)[0]).params["sides"]
    assert [text.params[key].key.rpartition(".")[2] for key in ("side", "mine", "theirs")] == [
        sides[0], sides.split()[1], sides.split()[3],
    ]  # fmt: skip


def test_c9_every_neighbour_that_disagrees_is_named():
    table = Table("X@0,0/0 X@1,0/0 X@1,1/0", "Y")
    assert objections(table, table.tile("T04", "0,1/0", by=1)) == (Objection("edge", ("T01", "T03")),)


def test_c10_a_tile_is_discarded_only_when_it_has_no_legal_placement():
    """Vector 14."""
    table = Table("Z+@0,0/0", "Y", "Y")
    move = DiscardTile(1, "T02")
    assert objections(table, move) == (Objection("placeable"),)
    assert table.game.words.reason(table.state, move, Objection("placeable")).params["place"] == "0,1"
    table = Table("X@0,0/0", "Y", "X")
    assert table.judge(DiscardTile(1, "T02")) == []
    table.discards("T02")
    assert (table.state.turn, table.state.tile, table.state.discarded) == (1, None, ("T02",))
    assert table.judge(table.tile("T02", "1,0/0")) == ["not-there"]
    assert table.game.table.expected(table.state).cards["T02"] == "aside"


def test_c11_the_player_may_only_place_one_follower_on_a_turn():
    table = Table("Z+@0,0/0 A@1,0/0", "X")
    table.deploys("F11", "T02", "grassland")
    assert table.judge(table.deploy("F12", "T02", "sea")) == ["once"]


def test_c12_the_player_must_take_it_from_the_supply():
    table = Table("X@0,0/0 A@1,0/0", "X", "A")
    table.deploys("F11", "T02", "grassland")
    assert table.state.supply == (3, 4)
    table.lay("0,1/0")
    table.lay("-1,0/0")
    assert table.judge(table.deploy("F11", "T04", "grassland")) == ["supply"]
    assert table.judge(table.deploy("F12", "T04", "grassland")) == []
    table.does(table.deploy("F11", "T04", "grassland"), anyway=True)
    assert (table.state.supply, table.state.followers) == ((3, 4), {"F11": ("T04", 1)})


def test_c13_a_follower_is_only_deployed_to_the_tile_just_placed():
    table = Table("A@0,0/0 A@1,0/0 A@2,0/0")
    assert objections(table, table.deploy("F21", "T02", "grassland")) == (Objection("tile", ("T03",)),)
    assert table.judge(table.deploy("F21", "T03", "grassland")) == []


def test_c14_not_where_a_segment_connects_to_one_that_already_has_a_follower():
    """Vector 15: "no matter how far away", "from any player"."""
    start = {"laid": ["T01@0,0/0"], "followers": ["F11 T01 1"], "turn": 2}
    table = Table("", "A", "A", position=start)
    table.does(table.tile("T02", "0,-1/2"))
    assert objections(table, table.deploy("F21", "T02", "grassland")) == (Objection("taken", ("F11",)),)
    assert table.judge(table.deploy("F21", "T02", "sea")) == []


def test_c15_a_player_scores_only_where_the_player_has_a_follower():
    table = Table("X@0,0/0 X@1,0/0", "X")
    table.deploys("F11", "T02", "sea")
    table.lay("2,0/0")
    assert table.judge(ScoreFollower(1, "F11")) == ["turn"]  # Ana's own, in Ben's turn
    assert table.judge(ScoreFollower(2, "F11")) == ["own"]
    assert table.judge(DeployFollower(2, "F12", "T03", 1)) == ["own"]
    assert table.judge(ScoreFollower(2, "F21")) == ["not-there"]


def test_c15_the_removed_follower_goes_back_into_the_supply():
    table = Table("Z+@0,0/0 A+@1,0/0", "X", "X", "X")
    table.deploys("F11", "T02", "sea")
    table.lay("2,0/0")
    table.lay("3,0/0")
    assert table.state.supply == (3, 4)
    step = table.scores("F11")
    assert (step.points, table.state.points, table.state.supply) == (2, (2, 0), (4, 4))
    assert (table.state.turn, table.state.followers) == (2, {})


def test_c16_a_territory_is_scored_complete_or_not_shared_or_not():
    start = {"laid": ["T01@0,0/0", "T02@1,0/0", "T03@2,0/0"], "followers": ["F11 T01 1", "F21 T03 1"]}
    table = Table("", "A", "X", "A", "F", "F", "D", position=start)
    table.next_tile = 4
    table.lay("0,-1/1")
    assert table.scores("F11").points == 2
    table.lay("2,-1/2")
    assert table.scores("F21").points == 2


def test_c17_a_grassland_of_three_tiles_is_worth_one_point_each_and_complete_two():
    table = Table("A@0,0/0 D@0,-1/1", "A", "X")
    table.lay("0,-2/2")
    assert table.worth("T01", "grassland") == (6, 3)


def test_c18_a_mountain_is_worth_its_cities_and_those_of_adjacent_grasslands():
    table = Table("B@0,0/0 L@0,-1/1 B@0,-2/2 A+@0,1/0 A+@1,-1/3")
    assert table.worth("T01", "mountain") == (4, 2)


def test_c19_a_sea_is_worth_the_cities_on_its_shores_and_complete_its_tiles_too():
    table = Table("Q+@0,0/0 K@0,-1/1 K@0,-2/1 K@0,-3/1", "Q+")
    assert table.worth("T01", "sea") == (1, 1)
    table.lay("0,-4/2")
    assert table.worth("T01", "sea") == (7, 2)


def test_c20_there_are_no_majorities_and_minorities_at_the_end():
    followers = ["F11 T01 1", "F12 T02 1", "F21 T02 1"]
    table = Table("", "A", "A", "X", position={"laid": ["T01@0,0/0", "T02@0,-1/2"], "followers": followers})
    step = table.does(CloseMatch(0))
    assert table.state.points == (4, 2)
    assert [text.params["card"] for text in step.score_reasons] == ["F11", "F12", "F21"]


def test_c21_an_emptied_territory_may_be_taken_again():
    """It "becomes empty and it is possible for a player, by placing a new tile that enlarges" it, to deploy there."""
    table = Table("X@0,0/0 X@1,0/0", "X", "X", "X")
    table.deploys("F11", "T02", "sea")
    table.lay("2,0/0")
    assert table.judge(table.deploy("F21", "T03", "sea")) == ["taken"]
    table.lay("3,0/0")
    table.scores("F11")
    table.lay("4,0/0")
    assert table.judge(table.deploy("F21", "T05", "sea")) == []


@pytest.mark.parametrize("how", ["end_turn", "deploy", "score"])
def test_c22_at_the_end_of_the_turn_of_the_last_tile_the_game_ends(how: str):
    table = Table("X@0,0/0 X@1,0/0", "A", "A")
    table.deploys("F11", "T02", "sea")
    table.lay("0,1/2")
    table.lay("2,0/0")
    assert (table.state.tiles, table.state.over) == (0, False)
    match how:
        case "deploy":
            table.deploys("F12", "T04", "grassland")
        case "score":
            table.scores("F11")
        case _:
            table.ends()
    assert table.state.over
    assert table.judge(FinishTurn(1)) == ["game-over"]
    with pytest.raises(ImpossibleMove, match="over"):
        table.does(FinishTurn(1), anyway=True)


def test_c22_after_a_minute_without_a_word_the_last_turn_ends_by_itself():
    table = Table("X@0,0/0 X@1,0/0", "X")
    assert table.game.rules.timer(table.state) is None
    table.lay("2,0/0")
    assert table.game.rules.timer(table.state) == (table.state.tile_s + 60, FinishTurn(2))
    table.ends()
    assert table.game.rules.timer(table.state) is None


def test_c22_when_the_last_tile_fits_nowhere_its_turn_ends_in_the_same_ways():
    table = Table("X@0,0/0 X@1,0/0", "Y")
    table.ends()
    table.discards("T03")
    assert (table.state.tiles, table.state.over) == (0, False)
    assert table.game.rules.timer(table.state) is not None
    assert table.judge(FinishTurn(2)) == []
    table.ends()
    assert table.state.over


def test_c23_in_the_final_scoring_every_territory_is_considered_incomplete():
    table = Table("A@0,0/0 D@0,-1/1", "A")
    table.deploys("F11", "T02", "grassland")
    table.lay("0,-2/2")
    assert table.worth("T02", "grassland") == (6, 3)
    step = table.ends()
    assert (table.state.over, table.state.points, table.state.winners) == (True, (3, 0), (1,))
    assert step.points == 0, "the points of the final scoring are another seat's"
    assert [text.key for text in step.score_reasons] == ["carcassonne.why.grassland.final"]


def test_a_tie_is_shared():
    table = Table("X@0,0/0 X@1,0/0")
    table.ends()
    assert (table.state.over, table.state.winners) == (True, (1, 2))


def test_missing_tiles_do_not_keep_a_match_from_ending():
    table = Table("X@0,0/0 X@1,0/0", "X", "X")
    assert table.judge(CloseMatch(1)) == ["turn"]
    table.does(CloseMatch(0))
    assert table.state.over


# Equal turns: the remainder is removed before the first turn.


@pytest.mark.parametrize(("seats", "removed"), [(2, 1), (3, 2), (4, 3), (5, 3)])
def test_equal_turns_take_out_what_cannot_be_shared(seats: int, removed: int):
    """The rule book says 1 for five players; 83 less 1 is no multiple of five, 83 less 3 is."""
    assert game(["X"] * 84, seats, equal_turns=True).setup.to_remove == removed
    assert game(["X"] * 84, seats).setup.to_remove == 0


def test_tiles_are_removed_before_the_first_turn_and_later_ones_are_discards():
    table = Table("X@0,0/0", "Y", "Y", "Y", "X", seats=3, equal_turns=True)
    assert table.game.table.interpretations(table.state, Change("T02", None, "aside")) == (RemoveTile(0, "T02"),)
    table.does(RemoveTile(0, "T02"))
    assert table.game.table.interpretations(table.state, Change("T03", None, "aside")) == (DiscardTile(1, "T03"),)
    assert table.judge(RemoveTile(0, "T03")) == ["not-offered"]
    table.next_tile = 5
    table.lay("1,0/0")
    assert table.state.removed == ("T02",)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_tile_is_laid_before_the_tiles_are_removed(seats: int):
    """ "Remove 2 tiles at random and return them to the box … at the beginning of the game" """
    table = Table("X@0,0/0", "Y", *["X"] * 6, seats=seats, equal_turns=True)
    removed = [f"T{number:02}" for number in range(3, 3 + table.game.setup.to_remove)]
    assert removed
    for number, card in enumerate(removed):
        assert table.judge(table.tile("T08", "1,0/0", by=1)) == ["remove"], f"{number} removed"
        table.does(RemoveTile(0, card))
    assert table.judge(table.tile("T08", "1,0/0", by=1)) == []


def test_turn_stands_alone():
    """ "`turn` … stand[s] alone", whatever else is wrong with the tile."""
    table = Table("X@0,0/0 X@1,0/0", "X", "Y", "X", seats=3)
    table.lay("2,0/0")
    assert table.judge(table.tile("T05", "3,0/0", by=1)) == ["turn"]
    assert table.judge(table.tile("T04", "3,0/0", by=1)) == ["turn"]
    assert table.judge(DiscardTile(1, "T05")) == ["turn"]


def test_nobody_removes_a_tile_for_the_table_or_one_that_lies():
    table = Table("X@0,0/0", "Y", "Y", "X", equal_turns=True)
    assert table.judge(RemoveTile(1, "T02")) == ["turn"]
    assert table.judge(RemoveTile(0, "T01")) == ["not-there"]


# What stands though it was unlawful.


def test_a_tile_out_of_turn_that_is_let_stand_makes_its_seat_the_one_at_turn():
    table = Table("X@0,0/0 X@1,0/0", "X", seats=3)
    table.does(table.tile("T03", "2,0/0", by=3), anyway=True)
    assert (table.state.turn, table.state.tile) == (3, "T03")
    assert table.judge(DeployFollower(3, "F31", "T03", 1)) == []


def test_a_counter_out_of_turn_that_is_let_stand_ends_nobodys_turn():
    table = Table("X@0,0/0 X@1,0/0", "X", seats=3)
    table.does(DeployFollower(3, "F31", "T02", 1), anyway=True)
    assert (table.state.turn, table.state.tile, table.state.supply) == (1, "T02", (4, 4, 3))


def test_a_cell_holds_one_tile_and_a_tile_lies_once():
    table = Table("X@0,0/0 X@1,0/0", "X")
    for where, name in (("0,0/0", "T03"), ("2,0/0", "T01"), ("2,0/7", "T03")):
        assert table.judge(table.tile(name, where, by=2)) == ["not-there"]
        with pytest.raises(ImpossibleMove):
            table.does(table.tile(name, where, by=2), anyway=True)


@pytest.mark.parametrize(
    "move", [DeployFollower(1, "F11", "T09", 1), DeployFollower(1, "F11", "T02", 2), DeployFollower(1, "T01", "T02", 1)]
)
def test_a_counter_stands_on_a_segment_that_is_there(move: DeployFollower):
    table = Table("X@0,0/0 X@1,0/0", "X")
    assert table.judge(move) == ["not-there"]
    with pytest.raises(ImpossibleMove):
        table.game.rules.apply(table.state, move, MoveContext(5))
