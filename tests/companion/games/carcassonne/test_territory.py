"""What the territories of the rule book are worth."""

from __future__ import annotations

import pytest
from support.carcassonne_match import Table

from companion.games.carcassonne.moves import CloseMatch
from companion.games.carcassonne.state import ground
from companion.games.carcassonne.territory import territory

pytestmark = pytest.mark.core

VECTORS = [
    # number of the vector, tiles laid, the terrain of the first tile that is meant, worth now and at the end
    ("1", "A@0,0/0 A@0,-1/2", "grassland", (2, 2)),
    ("2, before the last tile", "A@0,0/0 D@0,-1/1", "grassland", (2, 2)),
    ("2", "A@0,0/0 D@0,-1/1 A@0,-2/2", "grassland", (6, 3)),
    ("3, before the last tile", "H@0,0/0 F@0,-1/1 F@1,-1/2", "grassland", (3, 3)),
    ("3", "H@0,0/0 F@0,-1/1 F@1,-1/2 F@1,0/3", "grassland", (8, 4)),
    ("4", "C+@0,0/0 E+@0,-1/1 E@0,-2/1 C+@0,-3/2", "mountain", (6, 3)),
    ("5", "C+@0,0/0 C+@0,-1/2", "mountain", (2, 2)),
    ("6, one tile", "R@0,0/0", "mountain", (0, 0)),
    ("6, two tiles", "R@0,0/0 A+@0,1/0", "mountain", (1, 1)),
    ("6", "R@0,0/0 A+@0,1/0 A+@-1,0/1", "mountain", (2, 2)),
    ("6, its grass", "R@0,0/0 A+@0,1/0 A+@-1,0/1", "grassland", (6, 3)),
    ("7", "J@0,0/0 F+@0,-1/1 F@1,-1/2 F@1,0/3", "mountain", (1, 1)),
    ("8, three tiles", "B@0,0/0 L@0,-1/1 B@0,-2/2", "mountain", (0, 0)),
    ("8, four tiles", "B@0,0/0 L@0,-1/1 B@0,-2/2 A+@0,1/0", "mountain", (2, 1)),
    ("8", "B@0,0/0 L@0,-1/1 B@0,-2/2 A+@0,1/0 A+@1,-1/3", "mountain", (4, 2)),
    ("9", "Q+@0,0/0 K@0,-1/1 K@0,-2/1 K@0,-3/1 Q+@0,-4/2", "sea", (7, 2)),
    ("10", "Q+@0,0/0 Q+@0,-1/2", "sea", (2, 2)),
    ("11", "U@0,0/0", "sea", (1, 0)),
]


@pytest.mark.parametrize(("laid", "terrain", "values"), [row[1:] for row in VECTORS], ids=[row[0] for row in VECTORS])
def test_c16_c17_c18_c19_every_vector_is_worth_what_was_derived_by_hand(laid, terrain, values):
    """Now, and with all territories "considered incomplete, even if they are actually complete"."""
    assert Table(laid).worth("T01", terrain) == values


def test_a_territory_counts_its_tiles_and_not_its_segments():
    """Vector 3: five segments on four tiles."""
    table = Table("H@0,0/0 F@0,-1/1 F@1,-1/2 F@1,0/3")
    found = territory(ground(table.game.setup, table.state), ("T01", 1))
    assert (len(found.pieces), found.tiles, found.complete) == (5, 4, True)


def test_c20_one_seats_explorers_on_both_ends_score_the_whole_grassland_each():
    """Vector 12: "if a player has several followers in a territory, they may be removed on different turns"."""
    position = {"laid": ["T01@0,0/0", "T02@1,0/0", "T03@2,0/0"], "followers": ["F11 T01 1", "F12 T03 1"]}
    table = Table("", *("A", "X", "A", "F", "F", "D", "X", "X"), position=position)
    table.next_tile = 4
    for where in ("0,-1/1", "2,-1/2", "1,-1/0"):
        table.lay(where)
    assert table.worth("T01", "grassland") == (10, 5)
    assert table.game.rules.apply(table.state, CloseMatch(0), table.at).state.points == (10, 0)
    assert table.scores("F11").points == 10
    table.lay("1,1/0")
    table.lay("1,2/0")
    assert table.scores("F12").points == 10


def test_the_board_is_told_where_each_territory_lies_and_what_it_is_worth():
    table = Table("A@0,0/0 A@0,-1/2")
    told = table.game.board.view(table.state, None)["territories"]
    grass = next(one for one in told if one["terrain"] == "grassland")
    assert grass == {
        "terrain": "grassland", "segments": [["T01", 1], ["T02", 1]], "tiles": 2, "cities": 0, "complete": True,
        "now": 2, "final": 2, "followers": [],
    }  # fmt: skip
    assert [one["terrain"] for one in told] == ["grassland", "sea", "sea"]
    assert sorted(piece for one in told for piece in map(tuple, one["segments"])) == [
        ("T01", 1), ("T01", 2), ("T02", 1), ("T02", 2),
    ]  # fmt: skip


def test_a_city_between_two_grasslands_that_grow_together_counts_once():
    """Vector 7's city lies on one grassland that touches the mountain from two sides."""
    table = Table("J@0,0/0 F+@0,-1/1 F@1,-1/2", "F")
    assert table.worth("T01", "mountain") == (1, 1)
    table.lay("1,0/3")
    assert table.worth("T01", "mountain") == (1, 1)


def test_unlike_terrains_that_people_let_abut_end_there():
    table = Table("A@0,0/0", "X")
    table.does(table.tile("T02", "0,-1/0"), anyway=True)
    found = territory(ground(table.game.setup, table.state), ("T01", 1))
    assert (found.tiles, found.complete) == (1, True)
