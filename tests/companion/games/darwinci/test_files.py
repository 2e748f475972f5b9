"""Deck files and match files: every fault at once, and what a good one says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.darwinci_match import deck, game

from companion.errors import InputError
from companion.games.darwinci.deck import KINDS, check, read
from companion.games.darwinci.module import DARWINCI
from companion.history.codec import decode_move, encode_move

pytestmark = pytest.mark.core


def faults(document: Any) -> list[tuple[str, str]]:
    return [(".".join(map(str, one.where)), one.key.rpartition(".")[2]) for one in check(document)[0]]


def test_the_demo_deck_is_a_box_and_says_that_it_was_authored():
    tiles = read(deck()).tiles.values()
    assert Counter(tile.kind for tile in tiles) == KINDS
    assert sum(tile.rotten for tile in tiles) == 10
    assert {tile.source for tile in tiles} == {"authored"}
    assert DARWINCI.decks.read(deck())[1] == "T01  straight  NS  +2"


def test_every_fault_of_a_deck_is_told_at_once():
    bad = deck()
    del bad["deck"]["name"]
    bad["tile"][0] |= {"ends": "NE", "colour": "blue"}
    bad["tile"][1] |= {"value": "2", "jewels": ["pink"]}
    bad["tile"][2] |= {"id": "T02", "kind": "skull"}
    bad["tile"][8] |= {"value": 1}
    bad["tile"][3] = "T04"
    assert faults(bad) == [
        ("deck.name", "says"), ("tile.0.colour", "key"), ("tile.0.ends", "ends"), ("tile.1.value", "value"),
        ("tile.1.jewels.0", "jewel"), ("tile.2.kind", "kind"), ("tile.3", "tile"), ("tile.2.id", "again"),
        ("tile", "sum"), ("tile", "rotten"),
    ]  # fmt: skip


@pytest.mark.parametrize("document", [None, [], {}, {"deck": {}, "tile": []}, {"deck": 3, "tile": [{}] * 66}])
def test_what_is_no_deck_is_told_in_a_sentence(document: Any):
    with pytest.raises(InputError):
        read(document)


def test_ends_of_every_kind():
    for kind, ends in (("straight", "EW"), ("corner", "WN"), ("three", "SEN"), ("end", "S")):
        row = {"id": "T01", "kind": kind, "ends": ends, "value": 0}
        assert DARWINCI.decks.is_entered(row)
        assert not DARWINCI.decks.is_entered({**row, "ends": ends + ends[0]})
        assert not DARWINCI.decks.is_entered({**row, "ends": "NESW"})


def test_colours_are_given_out_in_the_order_of_the_box_around_those_that_were_chosen():
    seats = [{"name": "Ana"}, {"name": "Ben", "colour": "red"}, {"name": "Cy"}, {"name": "Dora", "colour": "white"}]
    made = DARWINCI.open_match({"seat": seats}, deck())
    assert made.setup.colours == ("blue", "red", "green", "white")
    assert made.setup.owners["R4"] == 2


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"seat": [{"name": "Ana"}] * 2}, "seats"),
        ({"seat": [{"name": "Ana"}] * 6}, "seats"),
        ({"seat": [{"name": "Ana", "colour": "pink"}, {"name": "B"}, {"name": "C"}]}, "colour"),
        ({"seat": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "red"}, {"name": "C"}]}, "colour_twice"),
        ({"seat": [{"name": ""}, {"name": "B"}, 3]}, "seat"),
        ({"tile_mm": 60}, "tile_mm"),
        ({"profile": "wild"}, "profile"),
        ({"game": "chess"}, "game"),
        ({"host": "nobody"}, "host"),
        ({"first": 2}, "key"),
    ],
)
def test_what_is_wrong_with_a_match_file_is_named(change: dict[str, Any], key: str):
    with pytest.raises(InputError) as caught:
        DARWINCI.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cy"}], **change}, deck())
    assert key in [one.key.rpartition(".")[2] for one in caught.value.faults]


def test_the_stickers_are_65_tiles_fifty_stones_the_darwin_tile_and_the_card_for_buying():
    printed = DARWINCI.decks.stickers(deck())
    assert (len(printed.cards), len(printed.others)) == (65, 52)
    made = game(5, profile="experts")
    assert set(made.table.cards) <= {label.token for label in (*printed.cards, *printed.others)}
    assert len(made.table.cards) == 65 + 45 + 1


PLOTS = [
    [["T05", 0, 0, 0], ["T31", 1, 0, 2]],
    [["T06", 0, 0, 1], ["T32", 0, 1, 0]],
    [["T07", 0, 0, 0], ["T33", -1, 0, 3]],
]


def test_the_deal_is_written_as_lists_and_read_back():
    made = game(3)
    document = {"do": "deal", "by": 0, "plots": PLOTS, "reserves": [["R1", "B2"], ["G3"], []], "darwin": 2}
    assert encode_move(decode_move(made, document)) == document


@pytest.mark.parametrize(
    ("plots", "said"),
    [
        ([[["T05", 0, 0]]], "should be a list of 4"),
        ([[["T05", 0, 0, "up"]]], "should be a whole number"),
        ([[["T99", 0, 0, 0]]], "there is no card"),
        ([["T05"]], "should be a list"),
        ("T05", "should be a list"),
    ],
)
def test_a_deal_of_another_shape_is_refused_by_its_key(plots: Any, said: str):
    with pytest.raises(InputError, match=f"plots: .*{said}"):
        decode_move(game(3), {"do": "deal", "by": 0, "plots": plots, "reserves": [], "darwin": 2})
