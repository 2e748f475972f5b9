"""What people tell of a map tile, and what counts until they do: "Missing facts are asked, never guessed"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.lands_match import AT, Table

from companion.errors import ImpossibleMove, InputError
from companion.games.lands import moves as act
from companion.games.lands.deck import LandSpace, check, read
from companion.games.lands.module import LANDS
from companion.history.codec import decode_move, encode_move

pytestmark = pytest.mark.core
HEAD = {"game": "lands", "name": "My box", "edition": "own"}
TOLD = act.TellFacts(
    1, "M20", spaces=((-20, 10), (25, 10)), costs=(2, 1), ways=((1, 2),), exits=((1, -50, 0), (2, 50, 0)),
    landmarks=(1,), fires=(2,),
)  # fmt: skip


@pytest.fixture
def table() -> Table:
    """Seat 1 acts, beside a tile that nobody has described; behind it lies M02, which the deck describes."""
    made = Table(2)
    made.does(made.travel(1, "M01-2", 0))
    made.does(act.ScoutTile(1, "M20", (("M20", "M01-2"),)))
    made.opens("M02", ("M02-1", "M20"))
    return made


def test_what_is_told_of_a_tile_is_written_as_numbers_and_read_again(table: Table) -> None:
    document = encode_move(TOLD)
    assert document == {
        "do": "tell", "by": 1, "card": "M20", "spaces": [[-20, 10], [25, 10]], "costs": [2, 1], "ways": [[1, 2]],
        "exits": [[1, -50, 0], [2, 50, 0]], "landmarks": [1], "fires": [2],
    }  # fmt: skip
    assert decode_move(table.game, document) == TOLD


def test_u12_a_tile_that_nobody_described_takes_a_point_and_is_gone_through(table: Table) -> None:
    left = table.left()
    table.does(table.travel(1, "M20"))
    assert table.left() == left - 1
    table.stands(1, "M01-2")
    table.does(table.travel(1, "M02-1"))
    assert table.left() == left - 3


def test_u12_a_way_that_nobody_can_know_is_not_refused_and_takes_what_its_space_takes(table: Table) -> None:
    """A record of before has a tile that joins nothing, for nobody had entered it."""
    table.opens("M30")
    left = table.left()
    table.does(table.travel(1, "M30"))
    assert (table.left(), table.judge(table.travel(1, "M01-1"))) == (left - 1, [])


@pytest.mark.parametrize(
    "act_there",
    [
        act.GatherToken(1, "wood"),
        act.CookMeat(1, 1),
        act.RelightFire(1),
        act.Investigate(1),
        act.GatherToken(1, "water"),
    ],
)
def test_nothing_that_may_be_on_a_tile_is_refused_while_nobody_has_told_it(table: Table, act_there: Any) -> None:
    """U15, U16, U19: the same acts are refused where it is known that there is neither fire nor landmark."""
    table.owns(1, {"meat": 1, "wood": 1})
    table.stands(1, "M20")
    table.does(act_there)
    table.stands(1, "M01-2")
    if not isinstance(act_there, act.GatherToken):
        assert table.judge(act_there) in (["fire"], ["landmark"], ["fire", "have"])


def test_a_spring_on_a_tile_without_spaces_is_no_spring_of_all_of_it(table: Table) -> None:
    table.stands(1, "M20")
    table.does(act.GatherToken(1, "dirty-water"))
    assert table.state.springs == {}


def test_u14_beside_a_tile_that_nobody_described_no_tile_is_too_far(table: Table) -> None:
    table.stands(1, "M20")
    assert table.judge(act.ScoutTile(1, "M03", (("M03-1", "M01-6"),))) == []
    table.stands(1, "M01-2")
    assert table.judge(act.ScoutTile(1, "M03", (("M03-1", "M01-6"),))) == ["adjacent"]


def test_u18_who_stands_somewhere_on_a_tile_may_stand_where_another_one_does(table: Table) -> None:
    """When its spaces were told and nobody has seen yet on which of them each figure stands."""
    for seat in (1, 2):
        table.stands(seat, "M20")
    assert table.judge(act.GiveToken(1, "food", 2)) == []
    table.does(TOLD)
    table.does(act.PlaceFigure(0, "F1", "M20-1"))
    assert table.judge(act.GiveToken(1, "food", 2)) == []
    table.does(act.PlaceFigure(0, "F2", "M20-2"))
    assert table.judge(act.GiveToken(1, "food", 2)) == ["space"]


def test_u36_support_from_where_no_way_is_known_is_not_refused(table: Table) -> None:
    table.opens("M30")
    table.stands(2, "M30")
    table.fights()
    assert table.judge(act.SupportFight(2)) == []
    table.stands(2, "M01-5")
    assert table.judge(act.SupportFight(2)) == ["far"]


def test_what_is_told_counts_at_once(table: Table) -> None:
    """Terrain, landmark and fire; ways beyond the tile when they were seen."""
    table.stands(2, "M20")
    table.does(TOLD)
    assert (table.state.stands[1], table.state.unjoined) == ("M20", {"M20"})
    table.does(act.JoinTile(0, "M20", (("M20-1", "M01-2"), ("M20-2", "M02-1"))))
    assert table.state.unjoined == frozenset()
    left = table.left()
    table.does(table.travel(1, "M20-2"))
    assert (table.left(), table.judge(act.Investigate(1))) == (left - 3, ["landmark"])
    table.owns(1, {"meat": 1})
    assert table.judge(act.CookMeat(1, 1)) == []
    table.does(table.travel(1, "M20-1"))
    assert table.judge(act.Investigate(1)) == []
    assert table.told(TOLD) == ["tell.tile"]


def test_until_its_ways_are_seen_none_of_them_is_refused(table: Table) -> None:
    table.does(TOLD)
    left = table.left()
    table.does(table.travel(1, "M20-1"))
    assert table.left() == left - 2
    table.does(act.JoinTile(0, "M20", ()))
    assert table.judge(table.travel(1, "M01-2")) == ["path"]


def test_a_tile_of_the_deck_may_be_corrected_and_one_that_is_not_open_be_told(table: Table) -> None:
    table.does(replace(TOLD, card="M02"))
    assert sorted(one for one in table.state.ways if one.startswith("M02")) == ["M02-1", "M02-2"]
    table.does(replace(TOLD, card="M25"))
    assert (table.state.tiles, table.state.described["M25"][0].cost) == (("M01", "M20", "M02"), 2)
    table.opens("M25", ("M25-1", "M01-3"))
    assert "M25-2" in table.state.ways["M25-1"]


def test_what_was_known_of_spaces_that_are_no_more_falls_away(table: Table) -> None:
    table.does(TOLD)
    table.does(act.SetFire(1, "M20-2", False))
    table.stands(1, "M20-1")
    table.does(act.GatherToken(1, "water"))
    table.does(replace(TOLD, spaces=((0, 0),), costs=(), ways=(), exits=(), landmarks=(), fires=()))
    assert (table.state.fires, table.state.springs) == ({}, {"M20-1": "water"})
    assert table.state.described["M20"] == (LandSpace((0.0, 0.0)),)


WRONG: dict[str, dict[str, Any]] = {
    "no space": {"spaces": (), "costs": (), "ways": (), "exits": (), "landmarks": (), "fires": ()},
    "too many": {"spaces": ((0, 0),) * 21, "costs": ()},
    "beyond the border": {"spaces": ((-51, 0), (25, 10))},
    "an exit beyond": {"exits": ((1, 0, 51),)},
    "an exit of no space": {"exits": ((3, 0, 50),)},
    "a way to itself": {"ways": ((1, 1),)},
    "a way to nowhere": {"ways": ((1, 3),)},
    "a cost of nothing": {"costs": (0, 1)},
    "a cost too high": {"costs": (10, 1)},
    "costs for one of them": {"costs": (1,)},
    "a landmark nowhere": {"landmarks": (0,)},
    "a fire nowhere": {"fires": (3,)},
    "what is on a card": {"defence": 3},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_tile_that_cannot_be_is_refused_and_cannot_be_let_stand(table: Table, wrong: str) -> None:
    move = replace(TOLD, **WRONG[wrong])
    assert table.judge(move) == ["not-offered"]
    with pytest.raises(ImpossibleMove):
        table.game.rules.apply(table.state, move, AT)


def test_spaces_are_of_tiles_alone(table: Table) -> None:
    assert table.judge(act.TellFacts(1, "E01", spaces=((0, 0),))) == ["not-offered"]
    assert table.judge(act.TellFacts(1, "E01", fires=(1,))) == ["not-offered"]


def test_what_was_seen_is_refused_where_nothing_was_told(table: Table) -> None:
    assert table.judge(act.JoinTile(0, "M20", (("M20", "M01-2"),))) == ["not-there"]
    assert table.judge(act.PlaceFigure(0, "F1", "M20")) == ["not-there"]
    table.does(TOLD)
    for joined in ((("M20-3", "M01-2"),), (("M20-1", "M20-2"),), (("M20-1", "M09-1"),)):
        assert table.judge(act.JoinTile(0, "M20", joined)) == ["not-there"]
    assert table.judge(act.PlaceFigure(0, "F1", "M20-1")) == ["not-there"]
    assert table.judge(act.PlaceFigure(0, "F9", "M20-1")) == ["not-there"]
    assert table.judge(act.JoinTile(1, "M20", ())) == ["turn"]
    with pytest.raises(ImpossibleMove):
        table.game.rules.apply(table.state, act.JoinTile(0, "M29", ()), AT)


def test_pages_draw_a_tile_that_nobody_described_beside_the_others_and_ask(table: Table) -> None:
    public = table.game.board.view(table.state, 1)
    places = {tile["card"]: (tile["x"], tile["y"]) for tile in public["tiles"]}
    assert len({(round(x), round(y)) for x, y in places.values()}) == 3
    assert abs(places["M20"][0] - places["M01"][0]) + abs(places["M20"][1] - places["M01"][1]) == pytest.approx(100.6)
    assert next(one for one in public["map"] if one["space"] == "M20")["cost"] == 1
    assert (public["unknown"], public["asks"][0]) == (["M20"], {"card": "M20", "keys": ["spaces"]})
    table.does(TOLD)
    public = table.game.board.view(table.state, 1)
    assert (public["unknown"], [one for one in public["asks"] if one["card"] == "M20"]) == ([], [])
    assert public["described"] == [{key: value for key, value in encode_move(TOLD).items() if key not in ("do", "by")}]


def test_a_deck_may_say_nothing_of_tiles_or_only_that_there_is_one() -> None:
    for tiles in ({}, {"tile": []}, {"tile": [{"id": "M07"}]}):
        document = {"deck": HEAD, **tiles}
        assert check(document) == ((), ())
        assert read(document).tiles == {}
    faults, _ = check({"deck": HEAD, "tile": [{"id": "M07", "space": []}]})
    assert [one.key for one in faults] == ["lands.fault.spaces"]


def test_a_match_may_begin_in_the_middle_on_tiles_that_nobody_described() -> None:
    position = {"tiles": ["M07", "M08"], "joins": [["M08", "M07"]], "stands": ["M07", "M08"]}
    made = LANDS.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}], "position": position}, {"deck": HEAD})
    assert made.rules.start.ways == {"M07": ("M08",), "M08": ("M07",)}


def test_people_of_a_simulated_table_need_tiles_that_are_described() -> None:
    from companion.games.lands.people import people

    made = LANDS.open_match({"seat": [{"name": "Ana"}]}, {"deck": HEAD})
    with pytest.raises(InputError, match="simulated"):
        people(made, {}, made.table.layout, 0)


def test_the_side_of_a_tile_may_be_said_with_the_match() -> None:
    """Nobody knows it before the box is there, and what is told of a tile is measured by it."""
    made = LANDS.open_match({"seat": [{"name": "Ana"}], "tile_mm": 60}, {"deck": HEAD})
    assert made.setup.deck.tile_mm == 60.0
    move = replace(TOLD, exits=(), spaces=((30, 0), (-30, 0)))
    assert made.rules.judge(made.rules.start, move, AT) == ()
    assert [one.rule for one in made.rules.judge(made.rules.start, replace(move, spaces=((31, 0), (0, 0))), AT)] == [
        "not-offered"
    ]
    for wrong in (39, 251, "60", True, None):
        with pytest.raises(InputError, match="side of a tile"):
            LANDS.open_match({"seat": [{"name": "Ana"}], "tile_mm": wrong}, {"deck": HEAD})
