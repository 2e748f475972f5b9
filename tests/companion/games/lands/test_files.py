"""Deck files and match files: every fault at once, and what a good one says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.lands_match import demo_deck, game

from companion.errors import InputError
from companion.games.lands.deck import check, read
from companion.games.lands.module import LANDS
from companion.history.codec import decode_move, encode_move

pytestmark = pytest.mark.core


def faults(document: Any) -> list[tuple[str, str]]:
    return [(".".join(map(str, one.where)), one.key.rpartition(".")[2]) for one in check(document)[0]]


def test_the_demo_island_is_eight_authored_tiles_of_four_spaces():
    document = demo_deck()
    island = read(document)
    assert [len(spaces) for spaces in island.tiles.values()] == [4] * 8
    rows = [row for key in ("tile", "night", "enemy", "project", "object") for row in document[key]]
    assert {row["source"] for row in rows} == {"authored"}
    assert all(LANDS.decks.is_entered(row) for row in rows)
    assert LANDS.decks.read(document)[1] == "M01  1 fire  1  1 landmark  1"
    assert "E01  defence 7  attack 9  life 2  lethal False  grey False" in LANDS.decks.read(document)


def test_every_fault_of_a_deck_is_told_at_once():
    bad = demo_deck()
    del bad["deck"]["name"]
    bad["deck"] |= {"tile_mm": 10, "compass": ["N"]}
    bad["tile"][0]["space"][0] |= {"at": [1], "cost": 0, "neighbours": [1], "exits": [3], "fire": "yes", "sea": True}
    bad["tile"][1]["space"] = []
    bad["tile"][2] = "M03"
    bad["tile"][3]["id"] = "M01"
    bad["night"][0] |= {"colour": "green", "tribal": 1}
    bad["enemy"][0] |= {"defence": 13, "life": "2"}
    bad["enemy"][1]["id"] = "X02"
    bad["project"][0] |= {"cost": ["gold"], "object": "P01"}
    bad["object"][0] |= {"name": " "}
    bad["quest"] = []
    assert faults(bad) == [
        ("quest", "key"), ("deck.name", "says"), ("deck.tile_mm", "tile_mm"), ("deck.compass", "compass"),
        ("tile.0.space.0.sea", "key"), ("tile.0.space.0.at", "point"), ("tile.0.space.0.cost", "number"),
        ("tile.0.space.0.neighbours", "neighbours"), ("tile.0.space.0.exits", "exits"),
        ("tile.0.space.0.fire", "switch"), ("tile.1.space", "spaces"), ("tile.2", "row"), ("tile.3.id", "again"),
        ("night.0.tribal", "switch"), ("night.0.colour", "colour"), ("enemy.0.defence", "number"),
        ("enemy.0.life", "number"), ("enemy.1.id", "id"), ("project.0.object", "id"), ("project.0.cost", "cost"),
        ("object.0.name", "name"),
    ]  # fmt: skip
    with pytest.raises(InputError) as caught:
        read(bad)
    assert len(caught.value.faults) == 21


HEAD = {"name": "a", "edition": "b"}
PLAIN = {"deck": HEAD, "tile": [{"id": "M01", "space": [{"at": [0, 0]}]}]}


@pytest.mark.parametrize(
    "document",
    [
        None, [], {}, {"deck": {}, "tile": []}, {"deck": 3, "tile": {}, "enemy": 3}, {"tile": [None, 3, [], {}]},
        {"deck": {**HEAD, "tile_mm": True, "compass": [[]] * 12}, "tile": [{"id": [], "space": [3]}]},
        {"deck": HEAD, "tile": [{"id": "M00", "space": [{"at": [0, "x"], "neighbours": {}}]}]},
        {**PLAIN, "night": [{"id": "N01", "colour": []}]},
        {**PLAIN, "project": [{"id": "P01", "cost": [[]]}]},
    ],
)  # fmt: skip
def test_what_is_no_deck_is_told_in_a_sentence(document: Any):
    with pytest.raises(InputError):
        read(document)


def test_a_card_may_be_entered_bit_by_bit():
    document = demo_deck()
    document["enemy"].append({"id": "E30"})
    assert read(document).cards["E30"].life is None
    assert not LANDS.decks.is_entered({"id": "E30"})


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"seat": []}, "seats"),
        ({"seat": [{"name": "Ana"}] * 5}, "seats"),
        ({"seat": [{"name": ""}, 3]}, "seat"),
        ({"profile": "wild"}, "profile"),
        ({"game": "chess"}, "game"),
        ({"host": "nobody"}, "host"),
        ({"first": 2}, "key"),
    ],
)
def test_what_is_wrong_with_a_match_file_is_named(change: dict[str, Any], key: str):
    with pytest.raises(InputError) as caught:
        LANDS.open_match({"seat": [{"name": "Ana"}], **change}, demo_deck())
    assert key in [one.key.rpartition(".")[2] for one in caught.value.faults]


def test_a_sticker_for_each_thing_that_a_box_can_hold():
    printed = LANDS.decks.stickers(demo_deck())
    assert (len(printed.cards), len(printed.others)) == (34 + 10 + 32 + 11 + 44, 5)
    made = game(4)
    assert set(made.table.cards) <= {label.token for label in (*printed.cards, *printed.others)}
    assert made.table.shapes["F1"].size_mm == (20, 40)


@pytest.mark.parametrize(
    "document",
    [
        {"do": "deal", "by": 0, "tiles": ["M01"], "joins": [["M01-1", "M02-3"]], "stands": ["M01-1"]},
        {"do": "travel", "by": 1, "card": "F1", "to": "M07-2"},
        {"do": "travel", "by": 1, "card": "F1", "to": "M07-2", "cost": 0},
        {"do": "change", "by": 1, "with": "wood", "grey": 9},
        {"do": "drink", "by": 1, "with": "die", "die": 3},
        {"do": "loot", "by": 1, "from": 2, "card": "O01"},
        {"do": "gain", "by": 1, "kind": "wood"},
        {"do": "rest", "by": 1, "kind": "thirst", "on": 2, "water": "dirty"},
        {"do": "tell", "by": 0, "card": "P09", "cost": "wood", "makes": "O09"},
        {"do": "tell", "by": 0, "card": "E30", "defence": 4, "lethal": False},
    ],
)
def test_moves_are_written_and_read_back(document: Any):
    assert encode_move(decode_move(game(2), document)) == document


@pytest.mark.parametrize("die", [0, 13, -1])
def test_no_die_shows_what_it_has_not(die: int):
    for document in (
        {"do": "roll", "by": 1, "grey": die, "red": 3},
        {"do": "change", "by": 1, "with": "wood", "grey": die},
        {"do": "drink", "by": 1, "with": "die", "die": die},
    ):
        with pytest.raises(InputError, match="a die shows 1 to 12"):
            decode_move(game(2), json.loads(json.dumps(document)))


@pytest.mark.parametrize(("tile_mm", "room"), [(100, None), (130, None), (140, 15), (250, 3)])
def test_a_map_for_which_the_usual_table_has_no_room_is_said(tile_mm: int, room: int | None):
    """ "tile size and shape (not public: whether a map fits the camera is known only then, and said)"."""
    document = demo_deck()
    document["deck"]["tile_mm"] = tile_mm
    document["tile"] += [{"id": f"M{at:02}", "space": [{"at": [0, 0]}]} for at in range(9, 35)]
    faults_, odd = LANDS.decks.check(document)
    assert faults_ == ()
    assert [one.params["room"] for one in odd] == ([] if room is None else [room])
